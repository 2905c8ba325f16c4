// The rule on products, on code that breaks it and code that doesn't.

package lint

import (
	"slices"
	"testing"
)

func TestFusedRule(t *testing.T) {
	const source = `package snippet

type pair struct{ a, b float64 }

type number interface{ ~float32 | ~float64 }

func direct(x, y, z float64, n int) float64 {
	z = x*y + z           // want
	z = z - (x * y)       // want
	z += -x * y           // want
	z -= x * y            // want
	z = x/4 - y           // want
	z = 3*x - 2           // want
	z = float64(x*y) + z
	z += float64(x * y)
	z = x/3 - y
	z = (x + y) * z / x
	n = n*n + n
	z = float64(n*n) + 2*3
	return z
}

func single(x, y float32) float32 {
	return x*y + 1 // want
}

func variables(x, y float64) float64 {
	t := x * y
	u := t
	var w = -x * y
	t = u + x   // want
	t -= w      // want
	v := float64(x * y)
	t = v + 1
	q := x
	q *= y
	q += 1 // want
	return t
}

func product(x, y float64) float64 { return x * y }

func rounded(x, y float64) float64 { return float64(x * y) }

func inlined(x, y float64) float64 {
	a := product(x, y) + 1 // want
	return a + rounded(x, y)
}

func sum(a, b float64) float64 { return a + b } // want

func passes(x, y float64) float64 { return sum(x*y, 1) }

func makes(x, y float64) pair { return pair{a: x * y, b: x} }

func uses(x float64) float64 {
	p := makes(x, x)
	return p.a + p.b // want
}

func two(x float64) (float64, float64) { return x, x * x }

func both(x float64) float64 {
	a, b := two(x)
	return a + b // want
}

func elements(xs []float64, y float64) (s float64) {
	for i := range xs {
		xs[i] = xs[i] * y
	}
	for _, x := range xs {
		s += x // want
	}
	s += xs[0] // want
	list := []float64{y * y, 1}
	return s + list[0] // want
}

func generic[T number](x, y T) T {
	return x*y + 1 // want
}

func genericRounded[T number](x, y T) T {
	return T(x*y) + 1
}

func literal(x float64) float64 {
	f := func(y float64) float64 { return x * y } // want
	return f(x) + 1
}

func complexes(a, b complex128) complex128 { return a*b + a } // want

func compared(x, y float64) bool { return x*y > y }
`
	wantLines(t, source, fusedFindings(snippet(t, source)))
}

// A product that another package's function returns, or is given, is followed
// too.
func TestFusedAcrossPackages(t *testing.T) {
	first := snippet(t, `package first

func Product(x, y float64) float64 { return x * y }

func Sum(x, y float64) float64 { return x + y } // want
`)
	const source = `package second

import "snippet"

func F(x float64) float64 {
	first.Sum(1, x*x)
	return first.Product(x, x) - 1 // want
}
`
	second := snippet(t, source, first)
	want := []string{
		"snippet/snippet.go:5: y may be fused with an addition; round it: float64(x*y)",
		"snippet/snippet.go:7: first.Product(x, x) may be fused with an addition; round it: float64(x*y)",
	}
	for _, pkgs := range [][]*pkg{{first, second}, {second, first}} {
		if got := fusedFindings(pkgs...); !slices.Equal(got, want) {
			t.Errorf("got  %q\nwant %q", got, want)
		}
	}
}
