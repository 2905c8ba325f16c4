// The rule on package math: what platforms compute differently is not called
// where results are decided.

package lint

import (
	"go/ast"
	"go/types"
	"strings"
	"testing"
)

// differing lists the functions of package math that have assembly on some
// platforms, or a Go body whose products may be fused.
var differing = strings.Fields(`Acos Acosh Asin Asinh Atan Atan2 Atanh Cbrt Cos Cosh Erf Erfc Erfcinv Erfinv Exp Exp2 Expm1 FMA
	Gamma Hypot J0 J1 Jn Lgamma Log Log10 Log1p Log2 Pow Sin Sincos Sinh Tan Tanh Y0 Y1 Yn`)

func mathFindings(p *pkg) (findings []string) {
	bad := map[string]bool{}
	for _, name := range differing {
		bad[name] = true
	}
	for _, file := range p.files {
		ast.Inspect(file, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			if !ok {
				return true
			}
			f, ok := p.info.Uses[id].(*types.Func)
			if ok && f.Pkg() != nil && (f.Pkg().Path() == "math" && bad[f.Name()] || f.Pkg().Path() == "math/cmplx") {
				findings = append(findings, p.position(id.Pos())+": "+f.FullName()+" differs between platforms; use internal/fmath")
			}
			return true
		})
	}
	return findings
}

func TestMath(t *testing.T) {
	var findings []string
	for _, p := range module(t) {
		if deciding(p.name) {
			findings = append(findings, mathFindings(p)...)
		}
	}
	report(t, "math", findings)
}

func TestMathRule(t *testing.T) {
	const source = `package snippet

import (
	"math"
	m "math"
	. "math"
)

var f = math.Log // want

func g(x float64) float64 {
	x = math.Sqrt(x) + math.Floor(x)
	x = m.Pow(x, 2) // want
	x = Tanh(x) // want
	x = math.FMA(x, x, 1) // want
	return math.Ldexp(x, 3)
}

type own struct{}

func (own) Log(x float64) float64 { return x }

var h = own{}.Log(3)
`
	wantLines(t, source, mathFindings(snippet(t, source)))
}
