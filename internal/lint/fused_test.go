// The rule on products: x*y + z is one rounding where the compiler fuses it (on
// arm64, s390x, ppc64, riscv64, and amd64 from v3 on) and two elsewhere, so a
// product must be rounded by a conversion, float64(x*y), before it is added.
//
// The language lets the compiler fuse across statements, and it does so across
// calls that it inlines. The analysis therefore follows an unrounded product
// through variables, fields, parameters and results; through the elements of a
// slice only within one function. A quotient by a power of two counts as a
// product, since that is what the compiler makes of it.

package lint

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"maps"
	"math"
	"slices"
	"testing"
)

// place is where an unrounded product may be kept: a variable, parameter or
// field. Elements of containers carry the function they were set in. Parameters
// and results of functions, which other packages see as other objects, go by
// name: "path.Func@0" and "path.Func#0".
type place struct {
	object types.Object
	within *ast.FuncDecl
	named  string
}

// products analyses a set of packages, one at a time.
type products struct {
	*pkg
	raw      map[place]bool
	function *ast.FuncDecl
	literals int // how many function literals are around the node
	changed  bool
	findings map[string]bool
}

// fusedFindings visits the packages until nothing new is learnt; findings only
// grow meanwhile.
func fusedFindings(pkgs ...*pkg) []string {
	f := &products{raw: map[place]bool{}, findings: map[string]bool{}}
	for f.changed = true; f.changed; {
		f.changed = false
		for _, f.pkg = range pkgs {
			for _, file := range f.files {
				f.file(file)
			}
		}
	}
	return slices.Sorted(maps.Keys(f.findings))
}

func (f *products) file(file *ast.File) {
	for _, decl := range file.Decls {
		f.function, f.literals = nil, 0
		if fn, ok := decl.(*ast.FuncDecl); ok {
			f.function = fn
			declared := f.info.Defs[fn.Name].(*types.Func)
			for i := range declared.Signature().Params().Len() {
				if f.raw[parameter(declared, i)] {
					f.mark(place{object: declared.Signature().Params().At(i)})
				}
			}
		}
		f.walk(decl)
	}
}

func parameter(fn *types.Func, i int) place {
	return place{named: fmt.Sprintf("%s@%d", fn.FullName(), i)}
}

func result(fn *types.Func, i int) place { return place{named: fmt.Sprintf("%s#%d", fn.FullName(), i)} }

func (f *products) find(e ast.Expr, format string) {
	f.findings[f.position(e.Pos())+": "+fmt.Sprintf(format, types.ExprString(e))] = true
}

// walk visits a node and what is below it, keeping track of function literals.
func (f *products) walk(root ast.Node) {
	ast.Inspect(root, func(n ast.Node) bool {
		if lit, ok := n.(*ast.FuncLit); ok && n != root {
			f.literals++
			f.walk(lit)
			f.literals--
			return false
		}
		f.visit(n)
		return true
	})
}

func (f *products) visit(n ast.Node) {
	switch n := n.(type) {
	case *ast.BinaryExpr:
		if (n.Op == token.ADD || n.Op == token.SUB) && f.float(n) && f.info.Types[n].Value == nil {
			f.added(n.X)
			f.added(n.Y)
		}
	case *ast.AssignStmt:
		f.assign(n)
	case *ast.IncDecStmt:
		if f.float(n.X) {
			f.added(n.X)
		}
	case *ast.ValueSpec:
		for i, name := range n.Names {
			if i < len(n.Values) && f.unrounded(n.Values[i]) {
				f.keep(name)
			}
		}
	case *ast.RangeStmt:
		if n.Value != nil && f.unrounded(n.X) {
			f.keep(n.Value)
		}
	case *ast.ReturnStmt:
		f.returned(n)
	case *ast.CallExpr:
		f.arguments(n)
	case *ast.CompositeLit:
		f.fields(n)
	}
}

// added records a finding if the operand of an addition is an unrounded product.
func (f *products) added(e ast.Expr) {
	if f.unrounded(e) {
		f.find(e, "%s may be fused with an addition; round it: float64(x*y)")
	}
}

func (f *products) assign(n *ast.AssignStmt) {
	switch n.Tok {
	case token.ADD_ASSIGN, token.SUB_ASSIGN:
		if f.float(n.Lhs[0]) {
			f.added(n.Lhs[0])
			f.added(n.Rhs[0])
		}
	case token.MUL_ASSIGN:
		if f.float(n.Lhs[0]) {
			f.keep(n.Lhs[0])
		}
	case token.QUO_ASSIGN:
		if f.float(n.Lhs[0]) && f.powerOfTwo(n.Rhs[0]) {
			f.keep(n.Lhs[0])
		}
	case token.ASSIGN, token.DEFINE:
		for i, left := range n.Lhs {
			if len(n.Lhs) == len(n.Rhs) && f.unrounded(n.Rhs[i]) {
				f.keep(left)
			}
			if len(n.Lhs) > 1 && len(n.Rhs) == 1 {
				if call, ok := ast.Unparen(n.Rhs[0]).(*ast.CallExpr); ok && f.rawResult(call, i) {
					f.keep(left)
				}
			}
		}
	}
}

// returned marks the results of the function that a statement returns from. In a
// function literal an unrounded result is a finding itself, as its calls aren't
// followed.
func (f *products) returned(n *ast.ReturnStmt) {
	for i, e := range n.Results {
		if !f.unrounded(e) {
			continue
		}
		if f.literals > 0 {
			f.find(e, "a function literal returns %s unrounded")
		} else {
			f.mark(result(f.info.Defs[f.function.Name].(*types.Func), i))
		}
	}
}

// callee returns the function as declared that a call names, nil for a
// conversion, a builtin or a function value.
func (f *products) callee(call *ast.CallExpr) *types.Func {
	fun := ast.Unparen(call.Fun)
	switch indexed := fun.(type) {
	case *ast.IndexExpr:
		fun = indexed.X
	case *ast.IndexListExpr:
		fun = indexed.X
	}
	var id *ast.Ident
	switch fun := fun.(type) {
	case *ast.Ident:
		id = fun
	case *ast.SelectorExpr:
		id = fun.Sel
	default:
		return nil
	}
	if fn, ok := f.info.Uses[id].(*types.Func); ok {
		return fn.Origin()
	}
	return nil
}

func (f *products) rawResult(call *ast.CallExpr, i int) bool {
	fn := f.callee(call)
	return fn != nil && f.raw[result(fn, i)]
}

// arguments marks the parameters that receive unrounded products.
func (f *products) arguments(call *ast.CallExpr) {
	fn := f.callee(call)
	if fn == nil {
		return
	}
	for i, arg := range call.Args {
		if i = min(i, fn.Signature().Params().Len()-1); i >= 0 && f.unrounded(arg) {
			f.mark(parameter(fn, i))
		}
	}
}

// fields marks the fields that a struct literal sets to unrounded products.
func (f *products) fields(lit *ast.CompositeLit) {
	structure, ok := f.info.TypeOf(lit).Underlying().(*types.Struct)
	if !ok {
		return
	}
	for i, element := range lit.Elts {
		var field types.Object
		value := element
		if pair, ok := element.(*ast.KeyValueExpr); ok {
			value = pair.Value
			field = f.info.Uses[pair.Key.(*ast.Ident)]
		} else if i < structure.NumFields() {
			field = structure.Field(i)
		}
		if field != nil && f.unrounded(value) {
			f.mark(place{object: origin(field)})
		}
	}
}

// keep marks the place that an expression on the left of an assignment names.
func (f *products) keep(e ast.Expr) {
	if p, ok := f.place(e); ok {
		if !f.float(e) {
			p.within = f.function // a container with unrounded elements
		}
		f.mark(p)
	}
}

func (f *products) mark(p place) {
	if !f.raw[p] {
		f.raw[p], f.changed = true, true
	}
}

// place returns where an expression that can be assigned to keeps its value.
func (f *products) place(e ast.Expr) (place, bool) {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		object := f.info.Defs[e]
		if object == nil {
			object = f.info.Uses[e]
		}
		if variable, ok := object.(*types.Var); ok {
			return place{object: origin(variable)}, true
		}
	case *ast.SelectorExpr:
		if variable, ok := f.info.Uses[e.Sel].(*types.Var); ok {
			return place{object: origin(variable)}, true
		}
	case *ast.IndexExpr:
		p, ok := f.place(e.X)
		p.within = f.function
		return p, ok
	case *ast.StarExpr:
		p, ok := f.place(e.X)
		p.within = f.function
		return p, ok
	}
	return place{}, false
}

// origin returns the variable as declared, which in generic code may have been
// instantiated.
func origin(o types.Object) types.Object {
	if v, ok := o.(*types.Var); ok {
		return v.Origin()
	}
	return o
}

// unrounded reports whether an expression may be a product that no conversion
// has rounded, or hold one.
func (f *products) unrounded(e ast.Expr) bool {
	e = ast.Unparen(e)
	if tv := f.info.Types[e]; tv.Value != nil {
		return false
	}
	switch e := e.(type) {
	case *ast.UnaryExpr:
		return (e.Op == token.SUB || e.Op == token.ADD) && f.unrounded(e.X)
	case *ast.BinaryExpr:
		return f.float(e) && (e.Op == token.MUL || e.Op == token.QUO && f.powerOfTwo(e.Y))
	case *ast.CallExpr:
		if id, ok := ast.Unparen(e.Fun).(*ast.Ident); ok && id.Name == "append" {
			return slices.ContainsFunc(e.Args, f.unrounded)
		}
		return f.rawResult(e, 0)
	case *ast.CompositeLit:
		if _, ok := f.info.TypeOf(e).Underlying().(*types.Struct); ok {
			return false
		}
		return slices.ContainsFunc(e.Elts, func(element ast.Expr) bool {
			if pair, ok := element.(*ast.KeyValueExpr); ok {
				element = pair.Value
			}
			return f.unrounded(element)
		})
	}
	p, ok := f.place(e)
	if !ok {
		return false
	}
	if !f.float(e) {
		p.within = f.function
	}
	return f.raw[p]
}

// float reports whether an expression has a floating-point or complex type, or
// a type parameter that may be one.
func (f *products) float(e ast.Expr) bool {
	t := f.info.TypeOf(e)
	return t != nil && floating(t)
}

func floating(t types.Type) bool {
	if parameter, ok := types.Unalias(t).(*types.TypeParam); ok {
		constraint, ok := parameter.Constraint().Underlying().(*types.Interface)
		return ok && floatingTerms(constraint)
	}
	basic, ok := t.Underlying().(*types.Basic)
	return ok && basic.Info()&(types.IsFloat|types.IsComplex) != 0
}

func floatingTerms(constraint *types.Interface) bool {
	for i := range constraint.NumEmbeddeds() {
		switch e := constraint.EmbeddedType(i).(type) {
		case *types.Union:
			for j := range e.Len() {
				if floating(e.Term(j).Type()) {
					return true
				}
			}
		default:
			if nested, ok := e.Underlying().(*types.Interface); ok && floatingTerms(nested) || !ok && floating(e) {
				return true
			}
		}
	}
	return false
}

// powerOfTwo reports whether an expression is a constant that is a power of two,
// a division by which becomes a multiplication.
func (f *products) powerOfTwo(e ast.Expr) bool {
	value := f.info.Types[ast.Unparen(e)].Value
	if value == nil {
		return false
	}
	x, _ := constant.Float64Val(constant.ToFloat(value))
	fraction, _ := math.Frexp(math.Abs(x))
	return fraction == 0.5
}

func TestFused(t *testing.T) {
	pkgs := slices.DeleteFunc(slices.Clone(module(t)), func(p *pkg) bool { return !deciding(p.name) })
	report(t, "fused", fusedFindings(pkgs...))
}
