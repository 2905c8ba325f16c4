// The rule on maps: their order differs from run to run, so it must not reach a
// result. A loop over a map may not append to a list that isn't sorted
// afterwards, nor add up floating-point numbers, whose sum depends on the order.

package lint

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
	"testing"
)

func orderFindings(p *pkg) (findings []string) {
	for _, file := range p.files {
		for _, decl := range file.Decls {
			fn, ok := decl.(*ast.FuncDecl)
			if !ok || fn.Body == nil {
				continue
			}
			ast.Inspect(fn.Body, func(n ast.Node) bool {
				if loop, ok := n.(*ast.RangeStmt); ok && overMap(p, loop) {
					findings = append(findings, loopFindings(p, fn, loop)...)
				}
				return true
			})
		}
	}
	return findings
}

// overMap reports whether a loop takes its order from a map.
func overMap(p *pkg, loop *ast.RangeStmt) bool {
	if _, ok := p.info.TypeOf(loop.X).Underlying().(*types.Map); ok {
		return true
	}
	call, ok := ast.Unparen(loop.X).(*ast.CallExpr)
	if !ok {
		return false
	}
	selector, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	fn, ok := p.info.Uses[selector.Sel].(*types.Func)
	return ok && fn.Pkg() != nil && fn.Pkg().Path() == "maps"
}

func loopFindings(p *pkg, fn *ast.FuncDecl, loop *ast.RangeStmt) (findings []string) {
	ast.Inspect(loop.Body, func(n ast.Node) bool {
		assign, ok := n.(*ast.AssignStmt)
		if !ok {
			return true
		}
		target := variable(p, assign.Lhs[0])
		if target == nil || loop.Pos() <= target.Pos() && target.Pos() < loop.End() {
			return true
		}
		switch {
		case assign.Tok != token.ASSIGN && assign.Tok != token.DEFINE:
			if floating(p.info.TypeOf(assign.Lhs[0])) && !indexed(assign.Lhs[0]) {
				findings = append(findings, p.position(n.Pos())+": floating-point numbers are added up in map order")
			}
		case appends(assign.Rhs[0]) && !indexed(assign.Lhs[0]) && !sortedAfter(p, fn, loop, target):
			findings = append(findings, p.position(n.Pos())+": "+target.Name()+" is filled in map order and not sorted")
		}
		return true
	})
	return findings
}

func indexed(e ast.Expr) bool {
	_, ok := ast.Unparen(e).(*ast.IndexExpr)
	return ok
}

// variable returns the variable or field that an expression ends in.
func variable(p *pkg, e ast.Expr) types.Object {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		if object := p.info.Defs[e]; object != nil {
			return object
		}
		return p.info.Uses[e]
	case *ast.SelectorExpr:
		return p.info.Uses[e.Sel]
	case *ast.IndexExpr:
		return variable(p, e.X)
	case *ast.StarExpr:
		return variable(p, e.X)
	}
	return nil
}

func appends(e ast.Expr) bool {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return false
	}
	id, ok := call.Fun.(*ast.Ident)
	return ok && id.Name == "append"
}

// sortedAfter reports whether the function sorts the variable behind the loop.
func sortedAfter(p *pkg, fn *ast.FuncDecl, loop *ast.RangeStmt, target types.Object) (sorted bool) {
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || call.Pos() < loop.End() || len(call.Args) == 0 {
			return true
		}
		if strings.Contains(strings.ToLower(types.ExprString(call.Fun)), "sort") && variable(p, call.Args[0]) == target {
			sorted = true
		}
		return true
	})
	return sorted
}

func TestMapOrder(t *testing.T) {
	var findings []string
	for _, p := range module(t) {
		if deciding(p.name) {
			findings = append(findings, orderFindings(p)...)
		}
	}
	report(t, "order", findings)
}

func TestMapOrderRule(t *testing.T) {
	const source = `package snippet

import (
	"maps"
	"slices"
)

func unsorted(m map[string]int) (out []string) {
	for k := range m {
		out = append(out, k) // want
	}
	return out
}

func keys(m map[string]int) (out []string) {
	for k := range maps.Keys(m) {
		out = append(out, k) // want
	}
	return out
}

func sorted(m map[string]int) (out []string) {
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

func inOrder(m map[string]int) (out []string) {
	for _, k := range slices.Sorted(maps.Keys(m)) {
		out = append(out, k)
	}
	return out
}

func sums(m map[string]float64) (x float64, n int) {
	for _, v := range m {
		x += v // want
		n += 1
	}
	return x, n
}

func groups(m map[string]int) map[int][]string {
	out := map[int][]string{}
	total := map[int]float64{}
	for k, v := range m {
		local := []string{}
		local = append(local, k)
		out[v] = append(out[v], local...)
		total[v] += 1
	}
	return out
}
`
	wantLines(t, source, orderFindings(snippet(t, source)))
}
