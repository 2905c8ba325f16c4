// Loading: the module's packages from the go command, parsed and type-checked.

package lint

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

const modulePath = "github.com/contextforge-go/contextforge"

// listed is what go list says of a package.
type listed struct {
	ImportPath string
	Dir        string
	Export     string
	GoFiles    []string
	Imports    []string
	Deps       []string
	Module     *struct{ Path string }
	Error      *struct{ Err string }
}

// own reports whether the package belongs to this module.
func (l *listed) own() bool { return l.Module != nil && l.Module.Path == modulePath }

// pkg is a package of this module. Name is its path within the module, "" for
// the root.
type pkg struct {
	*listed
	name  string
	fset  *token.FileSet
	files []*ast.File
	types *types.Package
	info  *types.Info
}

func (p *pkg) position(pos token.Pos) string {
	at := p.fset.Position(pos)
	return fmt.Sprintf("%s:%d", filepath.ToSlash(filepath.Join(p.name, filepath.Base(at.Filename))), at.Line)
}

// loadModule lists, parses and type-checks the module once for all tests. Files
// of other platforms and test files are not in it.
var loadModule = sync.OnceValues(func() ([]*pkg, error) {
	out, err := goCommand("list", "-e", "-export", "-deps", "-json=ImportPath,Dir,Export,GoFiles,Imports,Deps,Module,Error", modulePath+"/...")
	if err != nil {
		return nil, err
	}
	exports := map[string]string{}
	var own []*listed
	for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
		l := &listed{}
		if err := decoder.Decode(l); err == io.EOF {
			break
		} else if err != nil {
			return nil, err
		}
		exports[l.ImportPath] = l.Export
		if l.own() {
			own = append(own, l)
		}
	}
	fset := token.NewFileSet()
	from := importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) {
		if exports[path] == "" {
			return nil, fmt.Errorf("no export data of %s", path)
		}
		return os.Open(exports[path])
	})
	var pkgs []*pkg
	var failed []error
	for _, l := range own {
		p, err := check(fset, l, from)
		if err != nil {
			failed = append(failed, err)
			continue
		}
		pkgs = append(pkgs, p)
	}
	slices.SortFunc(pkgs, func(a, b *pkg) int { return strings.Compare(a.name, b.name) })
	return pkgs, errors.Join(failed...)
})

func goCommand(args ...string) ([]byte, error) {
	cmd := exec.Command("go", args...)
	cmd.Dir = filepath.Join("..", "..")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go %s: %w\n%s", args[0], err, stderr.Bytes())
	}
	return out, nil
}

// check parses and type-checks one package.
func check(fset *token.FileSet, l *listed, from types.Importer) (*pkg, error) {
	p := &pkg{listed: l, name: strings.Trim(strings.TrimPrefix(l.ImportPath, modulePath), "/"), fset: fset}
	if l.Error != nil {
		return nil, fmt.Errorf("%s: %s", l.ImportPath, l.Error.Err)
	}
	for _, name := range l.GoFiles {
		file, err := parser.ParseFile(fset, filepath.Join(l.Dir, name), nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		p.files = append(p.files, file)
	}
	p.info = newInfo()
	var err error
	config := types.Config{Importer: from}
	if p.types, err = config.Check(l.ImportPath, fset, p.files, p.info); err != nil {
		return nil, fmt.Errorf("%s: %w", l.ImportPath, err)
	}
	return p, nil
}

func newInfo() *types.Info {
	return &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{},
		Defs:  map[*ast.Ident]types.Object{},
		Uses:  map[*ast.Ident]types.Object{},
		// Fields of generic structs and methods resolve through selections.
		Selections: map[*ast.SelectorExpr]*types.Selection{},
	}
}

// module returns the packages that load; TestModuleLoads reports the others.
func module(t *testing.T) []*pkg {
	t.Helper()
	pkgs, err := loadModule()
	if len(pkgs) == 0 {
		t.Fatalf("no packages: %v", err)
	}
	return pkgs
}

func TestModuleLoads(t *testing.T) {
	if _, err := loadModule(); err != nil {
		t.Error(err)
	}
}

// snippet type-checks one file given as text. It may import what the standard
// library has, and the other snippets by the path "snippet".
func snippet(t *testing.T, source string, others ...*pkg) *pkg {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "snippet.go", source, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	p := &pkg{listed: &listed{}, name: "snippet", fset: fset, files: []*ast.File{file}, info: newInfo()}
	config := types.Config{Importer: snippetImporter{importer.ForCompiler(fset, "source", nil), others}}
	if p.types, err = config.Check("snippet", fset, p.files, p.info); err != nil {
		t.Fatal(err)
	}
	return p
}

// snippetImporter finds snippets before anything else.
type snippetImporter struct {
	types.Importer
	others []*pkg
}

func (i snippetImporter) Import(path string) (*types.Package, error) {
	for _, p := range i.others {
		if p.types.Path() == path {
			return p.types, nil
		}
	}
	return i.Importer.Import(path)
}

// wantLines compares findings, "file:line: text", with the lines of the source
// that carry a "want" comment.
func wantLines(t *testing.T, source string, findings []string) {
	t.Helper()
	var want, got []string
	for i, line := range strings.Split(source, "\n") {
		if strings.Contains(line, "// want") {
			want = append(want, fmt.Sprintf("snippet/snippet.go:%d", i+1))
		}
	}
	for _, f := range findings {
		parts := strings.SplitN(f, ": ", 2)
		got = append(got, parts[0])
	}
	slices.Sort(got)
	slices.Sort(want)
	if got, want := slices.Compact(got), slices.Compact(want); !slices.Equal(got, want) {
		t.Errorf("findings %v\nat    %v\nwant  %v", findings, got, want)
	}
}

// under reports whether a package is one of the given ones or lies below one.
func under(name string, roots ...string) bool {
	for _, root := range roots {
		if name == root || strings.HasPrefix(name, root+"/") {
			return true
		}
	}
	return false
}

// deciding reports whether a package takes part in a result that must have the
// same bits everywhere: all but measuring, printing and showing.
func deciding(name string) bool {
	return !under(name, "bench", "cmd", "examples", "scripts", "internal/lint")
}
