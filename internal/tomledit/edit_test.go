package tomledit

// This file tests edits on every form: what is written, and that nothing else is.

import (
	"errors"
	"math"
	"strings"
	"testing"
)

// edit is one call as a function, so that tables can hold several kinds.
type edit func(d *Document) (bool, error)

func set(table, key string, v any, comment string) edit {
	return func(d *Document) (bool, error) { return d.Set(table, key, v, comment) }
}

func remove(table, key string) edit {
	return func(d *Document) (bool, error) { return d.Remove(table, key) }
}

func appendTo(table, key, element, comment string) edit {
	return func(d *Document) (bool, error) { return true, d.Append(table, key, element, comment) }
}

func drop(table, key string, elements ...string) edit {
	return func(d *Document) (bool, error) {
		n, err := d.RemoveElements(table, key, func(s string) bool {
			for _, e := range elements {
				if e == strings.ReplaceAll(s, "\r\n", "\n") {
					return true
				}
			}
			return false
		})
		return n > 0, err
	}
}

type editCase struct {
	name, before string
	edit         edit
	after        string // empty for no change
}

func runEdits(t *testing.T, cases []editCase) {
	t.Helper()
	for _, tt := range cases {
		for _, crlf := range []bool{false, true} {
			before, after := tt.before, tt.after
			if crlf {
				before, after = strings.ReplaceAll(before, "\n", "\r\n"), strings.ReplaceAll(after, "\n", "\r\n")
				if !strings.Contains(tt.before, "\n") {
					after = tt.after // nothing shows what its line ends are
				}
			}
			if strings.HasSuffix(tt.after, "<nothing>") {
				after = ""
			} else if tt.after == "" {
				after = before
			}
			d := parse(t, before)
			changed, err := tt.edit(d)
			if err != nil || changed != (before != after) || string(d.Bytes()) != after {
				t.Errorf("%s (CRLF %v): changed %v, %v\n%s\nwant\n%s", tt.name, crlf, changed, err, d.Bytes(), after)
			}
		}
	}
}

func TestSet(t *testing.T) {
	runEdits(t, []editCase{
		{"empty document", "", set("terms", "deploy", 0.5, "why"), "[terms]\ndeploy = 0.5 # why\n"},
		{"only a mark", "\ufeff", set("terms", "deploy", 1.0, ""), "\ufeff[terms]\ndeploy = 1.0\n"},
		{"only a comment", "# head\n", set("terms", "a b", 0.5, ""), "# head\n\n[terms]\n\"a b\" = 0.5\n"},
		{"no last line end", "# head", set("terms", "a", 0.5, ""), "# head\n\n[terms]\na = 0.5"},
		{"blank last line", "x = 1\n\n", set("terms", "a", 0.5, ""), "x = 1\n\n[terms]\na = 0.5\n"},
		{"value", "[terms]\ndeploy = 0.5\n", set("terms", "deploy", 0.75, ""), "[terms]\ndeploy = 0.75\n"},
		{"value, its comment stays", "[terms]\n  deploy=0.5# old\nx = 1\n", set("terms", "deploy", 0.75, ""), "[terms]\n  deploy=0.75# old\nx = 1\n"},
		{"value and comment", "[terms]\ndeploy = 0.5   # old\nx = 1\n", set("terms", "deploy", 0.75, "new"), "[terms]\ndeploy = 0.75   # new\nx = 1\n"},
		{"comment alone", "[terms]\ndeploy = 0.5\n", set("terms", "deploy", 0.5, "new"), "[terms]\ndeploy = 0.5 # new\n"},
		{"same", "[terms]\ndeploy = 0.50 # why\n", set("terms", "deploy", 0.5, "why"), ""},
		{"same as integer", "[terms]\ndeploy = 1\n", set("terms", "deploy", 1.0, ""), ""},
		{"same without comment", "[terms]\ndeploy = 5e-1 # why\n", set("terms", "deploy", 0.5, ""), ""},
		{"quoted key", "[terms]\n'a b' = 1 \n", set("terms", "a b", 0.5, ""), "[terms]\n'a b' = 0.5 \n"},
		{"escaped key", "[terms]\n\"a\\u0020b\" = 1\n", set("terms", "a b", 0.5, ""), "[terms]\n\"a\\u0020b\" = 0.5\n"},
		{"behind the last key", "[terms]\na = 1\n\n# next\n[x]\n", set("terms", "b", 0.5, "c"), "[terms]\na = 1\nb = 0.5 # c\n\n# next\n[x]\n"},
		{"indented like the last key", "[terms]\n\ta = 1 # x\n[x]\n", set("terms", "b", 0.5, ""), "[terms]\n\ta = 1 # x\n\tb = 0.5\n[x]\n"},
		{"empty table", "[terms]\n\n[x]\ny = 1\n", set("terms", "b", 0.5, ""), "[terms]\nb = 0.5\n\n[x]\ny = 1\n"},
		{"last line without end", "[terms]\na = 1", set("terms", "b", 0.5, ""), "[terms]\na = 1\nb = 0.5"},
		{"last line a header", "[terms] # x", set("terms", "b", 0.5, ""), "[terms] # x\nb = 0.5"},
		{"dotted", "terms.a = 1\nz = 2\n", set("terms", "b c", 0.5, "d"), "terms.a = 1\nterms.\"b c\" = 0.5 # d\nz = 2\n"},
		{"dotted value", "terms . a = 1\n", set("terms", "a", 0.5, ""), "terms . a = 0.5\n"},
		{"inline", "terms = { a = 1 } # c\n", set("terms", "b", 0.5, ""), "terms = { a = 1, b = 0.5 } # c\n"},
		{"inline, comment above", "x = 1\nterms = { a = 1 } # c\n", set("terms", "b", 0.5, "d"), "x = 1\n# b: d\nterms = { a = 1, b = 0.5 } # c\n"},
		{"inline, the comment is there", "# b: d\nterms = { b = 0.5 }\n", set("terms", "b", 0.5, "d"), ""},
		{"inline value", "terms = {a = 1,b=2}\n", set("terms", "a", 0.5, ""), "terms = {a = 0.5,b=2}\n"},
		{"inline, empty", "terms = {}\n", set("terms", "b", 0.5, ""), "terms = { b = 0.5 }\n"},
		{"inline, last comma", "terms = {\n a = 1, # x\n}\n", set("terms", "b", 0.5, ""), "terms = {\n a = 1, b = 0.5, # x\n}\n"},
		{"inline, only a comment", "terms = { # x\n}\n", set("terms", "b", 0.5, ""), "terms = { # x\n b = 0.5 }\n"},
		{"only a table below", "[terms.more]\na = 1\n", set("terms", "b", 0.5, ""), "[terms.more]\na = 1\n\n[terms]\nb = 0.5\n"},
		{"table below first", "[terms.more]\na = 1\n[terms]\n[y]\n", set("terms", "b", 0.5, ""), "[terms.more]\na = 1\n[terms]\nb = 0.5\n[y]\n"},
		{"quoted header", "[ \"terms\" ]\n", set("terms", "b", 0.5, ""), "[ \"terms\" ]\nb = 0.5\n"},
		{"header in a string", "x = '''\n[terms]\na = 1\n'''\n", set("terms", "a", 0.5, ""), "x = '''\n[terms]\na = 1\n'''\n\n[terms]\na = 0.5\n"},
		{"array of tables around", "[[x]]\nterms.a = 1\n[[x]]\n", set("terms", "a", 0.5, ""), "[[x]]\nterms.a = 1\n[[x]]\n\n[terms]\na = 0.5\n"},
		{"after a long value", "[terms]\na = '''\nb = 1\n''' # c\n[z]\n", set("terms", "b", 0.5, ""), "[terms]\na = '''\nb = 1\n''' # c\nb = 0.5\n[z]\n"},
		{"empty names", "[\"\"]\n", set("terms", "", true, ""), "[\"\"]\n\n[terms]\n\"\" = true\n"},
		{"string", "[t]\na = 'x'\n", set("t", "a", "y\n[z]", ""), "[t]\na = \"y\\n[z]\"\n"},
		{"integer", "[t]\na = 0x10\n", set("t", "a", int64(17), ""), "[t]\na = 17\n"},
	})
}

func TestRemove(t *testing.T) {
	runEdits(t, []editCase{
		{"line", "[terms]\n# a\na = 1 # x\nb = 2\n", remove("terms", "a"), "[terms]\n# a\nb = 2\n"},
		{"only key", "[terms]\na = 1\n[x]\n", remove("terms", "a"), "[terms]\n[x]\n"},
		{"last line without end", "[terms]\na = 1", remove("terms", "a"), "[terms]\n"},
		{"missing key", "[terms]\na = 1\n", remove("terms", "b"), ""},
		{"missing table", "", remove("terms", "b"), ""},
		{"dotted", "terms.a = 1\nterms.b = 1\n", remove("terms", "a"), "terms.b = 1\n"},
		{"last dotted", "terms.a = 1\nz = 1\n", remove("terms", "a"), "z = 1\n"},
		{"everything", "terms.a = 1\n", remove("terms", "a"), "<nothing>"},
		{"after the mark", "\ufeffterms.a = 1\nterms.b = 2\n", remove("terms", "a"), "\ufeffterms.b = 2\n"},
		{"inline first", "terms = { a = 1, b = 2 }\n", remove("terms", "a"), "terms = { b = 2 }\n"},
		{"inline last", "terms = { a = 1, b = 2 }\n", remove("terms", "b"), "terms = { a = 1 }\n"},
		{"inline only", "terms = { a = 1 }\n", remove("terms", "a"), "terms = {}\n"},
		{"inline over lines", "terms = {\n a = 1, # x\n b = 2, # y\n}\n", remove("terms", "a"), "terms = {\n b = 2, # y\n}\n"},
		{"an array with all that is in it", "[t]\na = [ # x\n1,\n] # y\nb = 1\n", remove("t", "a"), "[t]\nb = 1\n"},
	})
}

func TestAppend(t *testing.T) {
	const key = "[n]\n"
	runEdits(t, []editCase{
		{"no table", "", appendTo("n", "p", "x", "y"), "[n]\np = [\n    \"x\", # y\n]\n"},
		{"no key", key, appendTo("n", "p", "x", ""), key + "p = [\n    \"x\",\n]\n"},
		{"no key, dotted", "n.q = 1\n", appendTo("n", "p", "x", ""), "n.q = 1\nn.p = [\n    \"x\",\n]\n"},
		{"no key, inline", "n = { q = 1 }\n", appendTo("n", "p", "x", "y"), "n = { q = 1, p = [\n    \"x\", # y\n] }\n"},
		{"empty", key + "p = []\n", appendTo("n", "p", "x", ""), key + "p = [\"x\"]\n"},
		{"empty, comment", key + "p = [ ] # z\n", appendTo("n", "p", "x", "y"), key + "p = [\n    \"x\", # y\n] # z\n"},
		{"empty over lines", key + "  p = [\n  ]\n", appendTo("n", "p", "x", "y"), key + "  p = [\n      \"x\", # y\n  ]\n"},
		{"one line", key + "p = ['a', \"b\"] # z\n", appendTo("n", "p", "x", ""), key + "p = ['a', \"b\", \"x\"] # z\n"},
		{"one line, last comma", key + "p = ['a',]\n", appendTo("n", "p", "x", ""), key + "p = ['a', \"x\",]\n"},
		{"one line, comment", key + "p = ['a', \"b\"] # z\n", appendTo("n", "p", "x", "y"), key + "p = [\n    'a',\n    \"b\",\n    \"x\", # y\n] # z\n"},
		{"lines", key + "p = [\n\t'a', # 1\n\t'b', # 2\n\t# 3\n]\n", appendTo("n", "p", "x", "y"), key + "p = [\n\t'a', # 1\n\t'b', # 2\n\t# 3\n\t\"x\", # y\n]\n"},
		{"lines, no last comma", key + "p = [\n 'a',\n 'b' # 2\n]\n", appendTo("n", "p", "x", ""), key + "p = [\n 'a',\n 'b', # 2\n \"x\"\n]\n"},
		{"bracket on the last line", key + "p = ['a',\n     'b']\n", appendTo("n", "p", "x", ""), key + "p = ['a',\n     'b', \"x\"]\n"},
		{"bracket on the last line, comment", key + "p = ['a',\n     'b'  ]\n", appendTo("n", "p", "x", "y"), key + "p = ['a',\n     'b',\n    \"x\", # y\n]\n"},
		{"bracket after a comma, comment", key + "p = ['a',\n     'b', ]\n", appendTo("n", "p", "x", "y"), key + "p = ['a',\n     'b',\n    \"x\", # y\n]\n"},
		{"only comments", key + "p = [ # 1\n # 2\n]\n", appendTo("n", "p", "x", ""), key + "p = [ # 1\n # 2\n    \"x\",\n]\n"},
		{"leading commas", key + "p = [ 'a'\n, 'b'\n]\n", appendTo("n", "p", "x", ""), key + "p = [ 'a'\n, 'b',\n    \"x\"\n]\n"},
		{"long string", key + "p = ['''\na''']\n", appendTo("n", "p", "x", "y"), key + "p = ['''\na''',\n    \"x\", # y\n]\n"},
		{"in an inline table", "n = { p = ['a'], q = 1 }\n", appendTo("n", "p", "x", "y"), "n = { p = [\n    'a',\n    \"x\", # y\n], q = 1 }\n"},
		{"mixed", key + "p = [1, [2], {}]\n", appendTo("n", "p", "x", ""), key + "p = [1, [2], {}, \"x\"]\n"},
		{"injection", key, appendTo("n", "p", "x\"]\n[y]", "a\r\n[z]\u2028w\u0085v\x00\u202eu"), key + "p = [\n    \"x\\\"]\\n[y]\", # a [z] w v u\n]\n"},
	})
}

func TestRemoveElements(t *testing.T) {
	runEdits(t, []editCase{
		{"first", "[n]\np = ['a', 'b', 'c'] # z\n", drop("n", "p", "a"), "[n]\np = ['b', 'c'] # z\n"},
		{"middle", "[n]\np = ['a', 'b', 'c']\n", drop("n", "p", "b"), "[n]\np = ['a', 'c']\n"},
		{"last", "[n]\np = [ 'a', 'b', 'c' ]\n", drop("n", "p", "c"), "[n]\np = [ 'a', 'b' ]\n"},
		{"two at the end", "[n]\np = ['a', 'b', 'c']\n", drop("n", "p", "c", "b"), "[n]\np = ['a']\n"},
		{"around", "[n]\np = ['a', 'b', 'c',]\n", drop("n", "p", "a", "c"), "[n]\np = ['b', ]\n"},
		{"all", "[n]\np = [ 'a', 'b', ]\n", drop("n", "p", "a", "b"), "[n]\np = []\n"},
		{"all over lines", "[n]\np = [\n 'a', # 1\n # 2\n 'b'\n]\n", drop("n", "p", "a", "b"), "[n]\np = [\n # 2\n]\n"},
		{"line with its comment", "[n]\np = [\n # 0\n 'a', # 1\n 'b', # 2\n]\n", drop("n", "p", "a"), "[n]\np = [\n # 0\n 'b', # 2\n]\n"},
		{"shared line", "[n]\np = [ 'a', # 1\n 'b', 'c', # 2\n]\n", drop("n", "p", "a", "c"), "[n]\np = [ # 1\n 'b', # 2\n]\n"},
		{"whole shared line", "[n]\np = [\n 'b', 'c', # 2\n 'd' ]\n", drop("n", "p", "b", "c"), "[n]\np = [\n 'd' ]\n"},
		{"leading commas", "[n]\np = [\n  'a' # 1\n, 'b' # 2\n, 'c'\n]\n", drop("n", "p", "a"), "[n]\np = [\n'b' # 2\n, 'c'\n]\n"},
		{"comma on its own line", "[n]\np = [\n'a'\n, # 1\n'b']\n", drop("n", "p", "a"), "[n]\np = [\n# 1\n'b']\n"},
		{"long string", "[n]\np = [\n'''a\n[x]''', # 1\n'b']\n", drop("n", "p", "a\n[x]"), "[n]\np = [\n'b']\n"},
		{"equal ones", "[n]\np = ['a', 1, \"a\", ['a']]\n", drop("n", "p", "a"), "[n]\np = [1, ['a']]\n"},
		{"nothing", "[n]\np = ['a']\n", drop("n", "p", "b"), ""},
		{"no key", "[n]\n", drop("n", "p", "b"), ""},
		{"no array", "[n]\np = 'b'\n", drop("n", "p", "b"), ""},
		{"inline", "n = { p = ['a', 'b'] }\n", drop("n", "p", "b"), "n = { p = ['a'] }\n"},
	})
}

func TestUnsupported(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		edit       edit
		say        string
	}{
		{"set a table", "\n[t.k]\n", set("t", "k", 1.0, ""), "line 2: "},
		{"set a dotted table", "\nt.k.x = 1\n", set("t", "k", 1.0, ""), "line 2: "},
		{"set an inline dotted table", "t = { k.x = 1 }\n", set("t", "k", 1.0, ""), "line 1: "},
		{"set an array", "[t]\nk = []\n", set("t", "k", 1.0, ""), "line 2: "},
		{"set a long string", "[t]\nk = '''\n'''\n", set("t", "k", 1.0, ""), "line 2: "},
		{"set in an array of tables", "\n[[t]]\n", set("t", "k", 1.0, ""), "line 2: "},
		{"set in a scalar", "t = 1\n", set("t", "k", 1.0, ""), "line 1: "},
		{"set in an array", "t = [{}]\n", set("t", "k", 1.0, ""), "line 1: "},
		{"set at the top", "", set("", "k", 1.0, ""), "the top"},
		{"remove a table", "[t.k]\n", remove("t", "k"), "line 1: "},
		{"remove at the top", "k = 1", remove("", "k"), "the top"},
		{"append to a scalar", "[t]\nk = 1\n", appendTo("t", "k", "x", ""), "line 2: "},
		{"append to a table", "[t.k]\n", appendTo("t", "k", "x", ""), "line 1: "},
		{"append to an array of tables", "[[t.k]]\n", appendTo("t", "k", "x", ""), "line 1: "},
		{"append at the top", "", appendTo("", "k", "x", ""), "the top"},
		{"drop at the top", "k = ['a']", drop("", "k", "a"), "the top"},
		{"a key too long", "", set("t", strings.Repeat("a", maxKey), 1.0, ""), "line 1: "},
	} {
		d := parse(t, tt.text)
		if _, err := tt.edit(d); !errors.Is(err, ErrUnsupported) || !strings.Contains(err.Error(), tt.say) {
			t.Errorf("%s: %v", tt.name, err)
		}
		if string(d.Bytes()) != tt.text {
			t.Errorf("%s: the text became %q", tt.name, d.Bytes())
		}
	}
}

func TestValues(t *testing.T) {
	for _, v := range []any{0.1, 1.5, 1e-7, 1e300, 123456789.0, math.Inf(1), math.Inf(-1), math.NaN(), math.SmallestNonzeroFloat64,
		int64(math.MinInt64), true, "", "\"\\\x00\x1f\x7f\u0085\u00a0\u2029\ufeff\U0001F600é"} {
		d := parse(t, "")
		if _, err := d.Set("t", "k", v, ""); err != nil || !equal(d.value("t", "k"), v) {
			t.Errorf("%v became %v, %v", v, d.value("t", "k"), err)
		}
	}
	d := parse(t, "")
	for _, v := range []any{1, nil, []string{}, "\xff"} {
		if _, err := d.Set("t", "k", v, ""); !errors.Is(err, ErrValue) {
			t.Errorf("%v: %v", v, err)
		}
	}
	_, keyErr := d.Set("t", "\xff", true, "")
	_, tableErr := d.Set("\xff", "k", true, "")
	appendErr := d.Append("t", "k", "\xff", "")
	if !errors.Is(keyErr, ErrValue) || !errors.Is(tableErr, ErrValue) || !errors.Is(appendErr, ErrValue) || len(d.Bytes()) > 0 {
		t.Error(keyErr, tableErr, appendErr)
	}
}
