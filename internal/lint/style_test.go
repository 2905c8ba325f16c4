// The rules on style: every exported identifier documented, every file with an
// opening comment, sizes bounded, nothing done at start-up, nothing mutable in a
// package variable.

package lint

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"testing"
)

const (
	maxFunctionLines = 120
	maxFileLines     = 500
	maxTestLines     = 700
)

// documentationFindings judges the exported identifiers of one package that a
// reader of its documentation sees.
func documentationFindings(p *pkg) (findings []string) {
	add := func(pos token.Pos, name string) {
		findings = append(findings, p.position(pos)+": "+name+" has no doc comment")
	}
	documented := p.types.Name() == "main"
	for _, file := range p.files {
		documented = documented || file.Doc != nil
		for _, decl := range file.Decls {
			switch decl := decl.(type) {
			case *ast.FuncDecl:
				if decl.Name.IsExported() && decl.Doc == nil && exportedReceiver(decl) {
					add(decl.Pos(), decl.Name.Name)
				}
			case *ast.GenDecl:
				undocumented(decl, add)
			}
		}
	}
	if !documented && len(p.files) > 0 {
		add(p.files[0].Pos(), "package "+p.types.Name())
	}
	return findings
}

func exportedReceiver(fn *ast.FuncDecl) bool {
	if fn.Recv == nil {
		return true
	}
	t := fn.Recv.List[0].Type
	for {
		switch inner := t.(type) {
		case *ast.StarExpr:
			t = inner.X
		case *ast.IndexExpr:
			t = inner.X
		case *ast.IndexListExpr:
			t = inner.X
		case *ast.Ident:
			return inner.IsExported()
		default:
			return true
		}
	}
}

// undocumented reports exported types, constants and variables without a
// comment of their own; that of a group serves all that are in it, and that of
// an interface its methods.
func undocumented(decl *ast.GenDecl, add func(token.Pos, string)) {
	for _, spec := range decl.Specs {
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			if spec.Name.IsExported() && decl.Doc == nil && spec.Doc == nil {
				add(spec.Pos(), spec.Name.Name)
			}
		case *ast.ValueSpec:
			for _, name := range spec.Names {
				if name.IsExported() && decl.Doc == nil && spec.Doc == nil && spec.Comment == nil {
					add(name.Pos(), name.Name)
				}
			}
		}
	}
}

// sizeFindings judges one file, of whatever platform, by its syntax alone.
func sizeFindings(name string, fset *token.FileSet, file *ast.File) (findings []string) {
	isTest := strings.HasSuffix(name, "_test.go")
	at := func(pos token.Pos) string { return fmt.Sprintf("%s:%d", name, fset.Position(pos).Line) }
	lines := fset.File(file.Pos()).LineCount()
	if limit := maxFileLines; !ast.IsGenerated(file) && (!isTest && lines > limit || lines > maxTestLines) {
		findings = append(findings, fmt.Sprintf("%s:1: %d lines", name, lines))
	}
	if !opens(file) {
		findings = append(findings, name+":1: no comment opens the file")
	}
	for _, decl := range file.Decls {
		fn, ok := decl.(*ast.FuncDecl)
		if !ok || isTest {
			continue
		}
		if fn.Name.Name == "init" && fn.Recv == nil {
			findings = append(findings, at(fn.Pos())+": init function")
		}
		if n := fset.Position(fn.End()).Line - fset.Position(fn.Pos()).Line + 1; n > maxFunctionLines && !ast.IsGenerated(file) {
			findings = append(findings, fmt.Sprintf("%s: function %s has %d lines", at(fn.Pos()), fn.Name.Name, n))
		}
	}
	return findings
}

// opens reports whether a comment other than a build constraint stands before
// the first declaration.
func opens(file *ast.File) bool {
	first := file.FileEnd
	if len(file.Decls) > 0 {
		first = file.Decls[0].Pos()
	}
	return slices.ContainsFunc(file.Comments, func(group *ast.CommentGroup) bool {
		return group.Pos() < first && strings.TrimSpace(group.Text()) != ""
	})
}

// variableFindings judges the package variables: each has a value that costs
// nothing to make, nobody assigns to it, and it is no lock or counter. A sync.Pool is let
// through: nobody can observe what it holds.
func variableFindings(p *pkg) (findings []string) {
	for _, file := range p.files {
		for _, decl := range file.Decls {
			group, ok := decl.(*ast.GenDecl)
			if !ok || group.Tok != token.VAR {
				continue
			}
			for _, spec := range group.Specs {
				findings = append(findings, specFindings(p, group, spec.(*ast.ValueSpec))...)
			}
		}
		ast.Inspect(file, func(n ast.Node) bool {
			for _, target := range assigned(n) {
				if v, ok := rootVariable(p, target).(*types.Var); ok && v.Parent() == p.types.Scope() {
					findings = append(findings, p.position(n.Pos())+": package variable "+v.Name()+" is changed")
				}
			}
			return true
		})
	}
	return findings
}

// specFindings judges one declaration of package variables.
func specFindings(p *pkg, group *ast.GenDecl, spec *ast.ValueSpec) (findings []string) {
	add := func(text string) {
		findings = append(findings, p.position(spec.Pos())+": package variable "+spec.Names[0].Name+" "+text)
	}
	if spec.Names[0].Name == "_" {
		return nil
	}
	embedded := func(doc *ast.CommentGroup) bool {
		return doc != nil && slices.ContainsFunc(doc.List, func(c *ast.Comment) bool { return strings.HasPrefix(c.Text, "//go:embed ") })
	}
	if len(spec.Values) == 0 && !embedded(group.Doc) && !embedded(spec.Doc) {
		add("has no value, so it must be mutable")
	}
	t := p.info.TypeOf(spec.Names[0]).String()
	if t != "sync.Pool" && strings.HasPrefix(t, "sync.") || strings.HasPrefix(t, "*sync.") || strings.HasPrefix(t, "sync/atomic.") {
		add("is a " + t)
	}
	for _, value := range spec.Values {
		ast.Inspect(value, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncLit:
				return false
			case *ast.CallExpr:
				if name, cheap := cheapCall(p, n); !cheap {
					add("is made by calling " + name + " at start-up")
				}
			}
			return true
		})
	}
	return findings
}

// cheap lists what a package variable may be made by: errors, and what does its
// work on first use.
var cheap = map[string]bool{
	"errors.New": true, "fmt.Errorf": true, "sync.OnceValue": true, "sync.OnceValues": true, "sync.OnceFunc": true,
	"strings.NewReplacer": true, "math.Inf": true, "math.NaN": true, "math.Float64frombits": true, "math.Float32frombits": true,
	"time.Date": true, "time.Unix": true,
}

// cheapCall reports whether a call costs next to nothing: a conversion, a
// builtin, one of the list, or a function of the package itself that makes a
// small table from constants.
func cheapCall(p *pkg, call *ast.CallExpr) (name string, ok bool) {
	if tv := p.info.Types[call.Fun]; tv.IsType() || tv.IsBuiltin() {
		return "", true
	}
	name = types.ExprString(call.Fun)
	fun := call.Fun
	if id, ok := fun.(*ast.Ident); ok && p.info.Uses[id].Pkg() == p.types && len(call.Args) > 0 {
		variable := func(arg ast.Expr) bool { return p.info.Types[arg].Value == nil }
		return name, !slices.ContainsFunc(call.Args, variable)
	}
	if indexed, ok := fun.(*ast.IndexExpr); ok {
		fun = indexed.X
	}
	if selector, ok := fun.(*ast.SelectorExpr); ok {
		if fn, ok := p.info.Uses[selector.Sel].(*types.Func); ok {
			name = fn.FullName()
		}
	}
	return name, cheap[name]
}

// assigned returns what a statement assigns to, or takes the address of.
func assigned(n ast.Node) []ast.Expr {
	switch n := n.(type) {
	case *ast.AssignStmt:
		if n.Tok != token.DEFINE {
			return n.Lhs
		}
	case *ast.IncDecStmt:
		return []ast.Expr{n.X}
	case *ast.CallExpr:
		if id, ok := n.Fun.(*ast.Ident); ok && (id.Name == "delete" || id.Name == "clear") {
			return n.Args[:1]
		}
	}
	return nil
}

// rootVariable returns the variable that an assignment changes: that of x, of
// x[i], of x.f.
func rootVariable(p *pkg, e ast.Expr) types.Object {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return p.info.Uses[e]
	case *ast.IndexExpr:
		return rootVariable(p, e.X)
	case *ast.SelectorExpr:
		return rootVariable(p, e.X)
	case *ast.StarExpr:
		return rootVariable(p, e.X)
	}
	return nil
}

func TestDocumentation(t *testing.T) {
	var findings []string
	for _, p := range module(t) {
		findings = append(findings, documentationFindings(p)...)
	}
	report(t, "documentation", findings)
}

func TestSizes(t *testing.T) {
	var findings []string
	for _, s := range sources(t) {
		if s.syntax != nil {
			findings = append(findings, sizeFindings(s.name, s.fset, s.syntax)...)
		}
	}
	report(t, "sizes", findings)
}

func TestVariables(t *testing.T) {
	var findings []string
	for _, p := range module(t) {
		if !under(p.name, "bench", "examples", "scripts") {
			findings = append(findings, variableFindings(p)...)
		}
	}
	report(t, "variables", findings)
}
