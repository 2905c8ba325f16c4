// The rule on imports: leaves know nothing of the rest, one package knows the
// storage engine, the weights are linked only where asked for.

package lint

import (
	"slices"
	"strings"
	"testing"
)

// leaves import nothing of this module, but for what allowed grants.
var leaves = []string{
	"analysis", "bm25/analyzer", "budget", "decay", "fusion", "internal/fmath", "internal/lint", "internal/simd", "internal/tomledit",
	"internal/twins", "injection", "kv", "lexicon", "render", "scrub", "sessions", "speaker", "timex",
}

// allowed lists what a package that is neither a leaf nor a user of the root may
// import; a name ending in "/..." grants what lies below as well.
var allowed = map[string][]string{
	"analysis":       {"internal/fmath"},
	"decay":          {"internal/fmath"},
	"lexicon":        {"internal/tomledit"},
	"bm25":           {"kv", "internal/fmath", "internal/simd", "bm25/analyzer"},
	"vecindex":       {"kv", "internal/fmath", "internal/simd"},
	"minilm":         {"minilm/gguf", "minilm/wordpiece", "internal/simd"},
	"minilm/...":     {"minilm", "minilm/...", "internal/simd"},
	"distill":        {"analysis", "scrub"},
	"distill/...":    {"distill/...", "analysis", "scrub"},
	"kv/...":         {"kv/..."},
	"internal/store": {"kv/...", "bm25/...", "vecindex/...", "internal/fmath"},
	"mcpserver/...":  {"", "budget", "render", "scrub", "sessions", "distill/..."},
	"cmd/...":        {"/..."},
	"bench/...":      {"/..."},
	"examples/...":   {"/..."},
	"scripts/...":    {"/..."},
}

// matches reports whether a package name fits a pattern.
func matches(pattern, name string) bool {
	if pattern == "/..." {
		return true
	}
	if root, ok := strings.CutSuffix(pattern, "/..."); ok {
		return under(name, root)
	}
	return pattern == name
}

// grants returns the patterns that the package may import.
func grants(name string) (patterns []string, known bool) {
	if name == "" {
		return nil, true
	}
	if slices.Contains(leaves, name) {
		return allowed[name], true
	}
	if exact, ok := allowed[name]; ok {
		return exact, true
	}
	for pattern, granted := range allowed {
		if matches(pattern, name) {
			return granted, true
		}
	}
	return leaves, false
}

// notFromRoot may not be reached from the root package.
var notFromRoot = []string{"minilm", "mcpserver", "cmd", "bench", "examples", "scripts"}

// importFindings judges the direct imports of one package.
func importFindings(name string, imports []string) (findings []string) {
	granted, _ := grants(name)
	for _, path := range imports {
		rest, own := strings.CutPrefix(path, modulePath)
		imported := strings.TrimPrefix(rest, "/")
		switch {
		case !own:
			findings = append(findings, outsideFindings(name, path)...)
		case name == "":
			if under(imported, notFromRoot...) {
				findings = append(findings, "the root imports "+imported)
			}
		case !slices.ContainsFunc(granted, func(pattern string) bool { return matches(pattern, imported) }):
			findings = append(findings, name+" imports "+path)
		}
	}
	return findings
}

// outside says which packages may import something from outside the module.
var outside = []struct {
	path string
	by   []string
}{
	{"github.com/cockroachdb/pebble", []string{"kv/pebblekv", "bench", "internal/faultfs"}},
	{"github.com/modelcontextprotocol/go-sdk", []string{"mcpserver", "cmd", "bench", "examples"}},
	{"net/http", []string{"distill/openai", "mcpserver", "cmd", "bench", "examples"}},
	{"net", []string{"distill/openai", "mcpserver", "cmd", "bench", "examples"}},
}

func outsideFindings(name, path string) (findings []string) {
	for _, o := range outside {
		exact := path == o.path || strings.Contains(o.path, ".") && under(path, o.path)
		if exact && !under(name, o.by...) {
			findings = append(findings, name+" imports "+path)
		}
	}
	return findings
}

func TestImports(t *testing.T) {
	for _, p := range module(t) {
		for _, finding := range importFindings(p.name, p.Imports) {
			t.Error(finding)
		}
	}
}

// What the root links, directly or not, holds no weights and no server.
func TestRootDependencies(t *testing.T) {
	for _, p := range module(t) {
		if p.name != "" {
			continue
		}
		for _, path := range p.Deps {
			name, own := strings.CutPrefix(path, modulePath+"/")
			if own && under(name, notFromRoot...) || strings.HasPrefix(path, "github.com/modelcontextprotocol/") {
				t.Errorf("the root depends on %s", path)
			}
		}
	}
}

// The rule on snippets of import lists.
func TestImportRule(t *testing.T) {
	at := func(name string) string { return modulePath + "/" + name }
	tests := []struct {
		name    string
		imports []string
		broken  bool
	}{
		{"fusion", []string{"cmp", "math"}, false},
		{"fusion", []string{at("kv")}, true},
		{"decay", []string{at("internal/fmath")}, false},
		{"decay", []string{at("fusion")}, true},
		{"bm25", []string{at("kv"), at("bm25/analyzer")}, false},
		{"bm25", []string{at("vecindex")}, true},
		{"kv/pebblekv", []string{"github.com/cockroachdb/pebble/v2", at("kv")}, false},
		{"internal/store", []string{"github.com/cockroachdb/pebble/v2/vfs"}, true},
		{"internal/store", []string{at("bm25"), at("kv/memkv")}, false},
		{"internal/store", []string{modulePath}, true},
		{"", []string{at("internal/store"), at("fusion")}, false},
		{"", []string{at("minilm")}, true},
		{"", []string{at("minilm/allminilm")}, true},
		{"", []string{"net/http"}, true},
		{"minilm/allminilm", []string{at("minilm")}, false},
		{"minilm", []string{modulePath}, true},
		{"distill/openai", []string{"net/http", at("distill")}, false},
		{"distill", []string{"net/http"}, true},
		{"cmd/contextforge", []string{modulePath, at("minilm/allminilm"), at("mcpserver")}, false},
		{"unheardof", []string{at("scrub")}, false},
		{"unheardof", []string{at("internal/store")}, true},
	}
	for _, tt := range tests {
		if got := importFindings(tt.name, tt.imports); (len(got) > 0) != tt.broken {
			t.Errorf("%q importing %v: %v", tt.name, tt.imports, got)
		}
	}
}
