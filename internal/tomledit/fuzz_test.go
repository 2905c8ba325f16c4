package tomledit

// This file tests on random text and random edits that nothing is misread, that
// an edit does what it was asked for, and that it leaves other lines alone.

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
)

func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"", "\ufeff[a]\r\nb = 1 # c\r\n", "a = [ # x\n'b', \"\"\"c\"\"\" ]\n[[d]]\ne = { f.g = 1 }", "a.\"b\\u0063\".'d' = 1979-05-27 07:32:00Z",
		"a = \"\\", "\"\\\" = 1", "[[a]]\n[a.b]\n[[a]]\n", "a=[{},{b=[]}]", "\xff\xfea=1",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		d, err := Parse(text)
		if err != nil {
			if !errors.Is(err, ErrSyntax) && !errors.Is(err, ErrUnsupported) {
				t.Fatal(err)
			}
			return
		}
		lines := bytes.Count(text, []byte("\n")) + 1
		for table, v := range d.Tree() {
			inner, ok := v.(map[string]any)
			if !ok {
				continue
			}
			for key := range inner {
				if n := d.Line(table, key); table != "" && (n < 1 || n > lines) {
					t.Errorf("%q.%q is in line %d of %d", table, key, n, lines)
				}
			}
		}
		if !bytes.Equal(d.Bytes(), text) {
			t.Error("the text changed")
		}
	})
}

func FuzzEdit(f *testing.F) {
	for i, seed := range []string{
		"", "[t]\nk = 1 # c\n", "t = { k = 1 }", "t.k = ['a', \"b\"]\r\n", "[t]\nk = [ # x\n 'a', # y\n 'b' ]\n", "[[t]]\n", "[t]\nk = '''\n[t]\n'''",
	} {
		f.Add([]byte(seed), uint8(i), "t", "k", "a", "why")
	}
	f.Fuzz(func(t *testing.T, text []byte, kind uint8, table, key, element, comment string) {
		d, err := Parse(text)
		if err != nil {
			return
		}
		checkEdit(t, d, kind, table, key, element, comment)
	})
}

// checkEdit makes one edit and compares the result with a naive edit of the tree.
func checkEdit(t *testing.T, d *Document, kind uint8, table, key, element, comment string) {
	t.Helper()
	before := bytes.Clone(d.Bytes())
	want := naive(before, kind, table, key, element)
	changed, err := editOf(kind, table, key, element, comment)(d)
	if err != nil {
		if !errors.Is(err, ErrUnsupported) && !errors.Is(err, ErrValue) || !bytes.Equal(d.Bytes(), before) {
			t.Fatalf("%v, from %q to %q", err, before, d.Bytes())
		}
		return
	}
	var got map[string]any
	if err := toml.Unmarshal(d.Bytes(), &got); err != nil {
		t.Fatalf("%v, from %q to %q", err, before, d.Bytes())
	}
	if !equal(pruned(got, table), pruned(want, table)) {
		t.Fatalf("from %q to %q: %v, want %v", before, d.Bytes(), got, want)
	}
	if changed == bytes.Equal(before, d.Bytes()) {
		t.Fatalf("changed is %v from %q to %q", changed, before, d.Bytes())
	}
	untouched(t, before, d.Bytes(), table, key)
}

func editOf(kind uint8, table, key, element, comment string) edit {
	switch kind % 5 {
	case 0:
		return set(table, key, 0.25, comment)
	case 1:
		return set(table, key, element, comment)
	case 2:
		return remove(table, key)
	case 3:
		return appendTo(table, key, element, comment)
	}
	return func(d *Document) (bool, error) {
		n, err := d.RemoveElements(table, key, func(s string) bool { return s == element })
		return n > 0, err
	}
}

// naive makes the edit on the decoded tree.
func naive(text []byte, kind uint8, table, key, element string) map[string]any {
	tree := map[string]any{}
	if err := toml.Unmarshal(text, &tree); err != nil {
		panic(err)
	}
	inner, ok := tree[table].(map[string]any)
	if !ok {
		inner = map[string]any{}
	}
	list, _ := inner[key].([]any)
	switch kind % 5 {
	case 0:
		inner[key] = 0.25
	case 1:
		inner[key] = element
	case 2:
		delete(inner, key)
	case 3:
		inner[key] = append(list, any(element))
	case 4:
		if list != nil {
			inner[key] = slices.DeleteFunc(list, func(v any) bool { return v == any(element) })
		}
	}
	if len(inner) > 0 || ok {
		tree[table] = inner
	}
	return tree
}

// pruned leaves out the table if it is empty: dotted keys can't express that. An
// integer is as good as the float it equals.
func pruned(tree map[string]any, table string) map[string]any {
	tree = maps.Clone(tree)
	if inner, ok := tree[table].(map[string]any); ok && len(inner) == 0 {
		delete(tree, table)
	}
	return tree
}

// untouched fails unless every statement but the edited one is there as it was,
// in order, and every comment between statements.
func untouched(t *testing.T, before, after []byte, table, key string) {
	t.Helper()
	oldPieces, oldNotes := pieces(parse(t, string(before)), table, key)
	newPieces, newNotes := pieces(parse(t, string(after)), table, key)
	if name, err := keyText(table); err == nil && !slices.Contains(oldPieces, "["+name+"]") { // the header may be new
		newPieces = slices.DeleteFunc(newPieces, func(s string) bool { return s == "["+name+"]" })
	}
	if !slices.Equal(oldPieces, newPieces) {
		t.Fatalf("from %q to %q: %q became %q", before, after, oldPieces, newPieces)
	}
	for _, note := range newNotes {
		if len(oldNotes) > 0 && note == oldNotes[0] {
			oldNotes = oldNotes[1:]
		}
	}
	if len(oldNotes) > 0 {
		t.Fatalf("from %q to %q: %q got lost", before, after, oldNotes)
	}
}

// pieces returns the statements but that of a key, with their comments, and the
// lines of comment between statements.
func pieces(d *Document, table, key string) (statements, notes []string) {
	at := markLength(d.text)
	note := func(end int) {
		for line := range strings.SplitSeq(string(d.text[at:max(at, end)]), "\n") {
			if line = strings.TrimSpace(line); line != "" {
				notes = append(notes, line)
			}
		}
	}
	own, _ := d.find(table, key)
	around, _ := d.find("", table)
	for i := range d.statements {
		st := &d.statements[i]
		note(st.start)
		if at = max(st.end, st.comment.end); st != own.statement && (st != around.statement || around.pair == nil) {
			statements = append(statements, string(d.text[st.start:at]))
		}
	}
	note(len(d.text))
	return statements, notes
}

// randomDocument writes TOML with the table t in one of its forms.
func randomDocument(r *rand.Rand) string {
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	comment := func() string { return pick("", " # note", "# [t]", "\t#") }
	elements := func() string {
		var b strings.Builder
		n := r.IntN(5)
		for i := range n {
			b.WriteString(pick("", " ", "\n", "\n    ", "\n  # above\n  ") + pick(`'a'`, `"b"`, `"c\u0020d"`, "'''\n[t]'''", "'A'", "1", "['a']", "\"\"\"e\\\n  f\"\"\""))
			if i < n-1 || r.IntN(2) == 0 {
				b.WriteString(pick("", " ", " # before the comma\n") + "," + pick("", " # why\n", " "))
			}
		}
		return "[" + b.String() + pick("", " ", "\n", "\n  # last\n") + "]"
	}
	pairs := []string{"k = " + pick("1", "0.5", "'x'", "true", "2020-01-01", "[]"), "'p' = " + elements(), "\"q r\" = { s = [1, # c\n 2] }"}
	r.Shuffle(len(pairs), func(i, j int) { pairs[i], pairs[j] = pairs[j], pairs[i] })
	pairs = pairs[:r.IntN(len(pairs)+1)]
	var b strings.Builder
	b.WriteString(pick("", "\ufeff") + pick("", "# head\n\n") + pick("", "top = '''\n[t]\nk = 2\n'''\n"))
	section := func() {
		b.WriteString(pick("[t]", "  [ t ]", "['t']") + comment() + "\n")
		for _, p := range pairs {
			b.WriteString(pick("", "  ", "\n", "# above\n") + p + comment() + "\n")
		}
	}
	switch r.IntN(4) {
	case 0:
		for _, p := range pairs {
			b.WriteString("t." + p + comment() + "\n")
		}
	case 1:
		if len(pairs) > 0 {
			b.WriteString("t = { " + strings.Join(pairs, ", ") + pick("", ",") + " }" + comment() + "\n")
		}
	default:
		if r.IntN(2) == 0 {
			b.WriteString("[t.sub]\nx = 1\n")
		}
		section()
	}
	b.WriteString(pick("", "\n[[more]]\nt.k = 1\n[[more]]\n", "[z]\nk = 1 # z\n", "# tail"))
	text := b.String()
	if r.IntN(2) == 0 {
		text = strings.TrimSuffix(text, "\n")
	}
	if r.IntN(3) == 0 {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	return text
}

// Random documents under random edits, one after another.
func TestRandomEdits(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 1))
	refused, done := 0, 0
	rounds := 3000
	if testing.Short() {
		rounds = 300
	}
	for range rounds {
		text := randomDocument(r)
		d, err := Parse([]byte(text))
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		for range 6 {
			key := []string{"k", "p", "q r", "new", "s"}[r.IntN(5)]
			element := []string{"a", "b", "c d", "A", "x"}[r.IntN(5)]
			comment := []string{"", "because", "line\nbreak"}[r.IntN(3)]
			was := string(d.Bytes())
			checkEdit(t, d, uint8(r.IntN(5)), "t", key, element, comment)
			if done++; was == string(d.Bytes()) {
				refused++
			}
		}
	}
	if refused > done/2 {
		t.Errorf("%d of %d edits changed nothing", refused, done)
	}
}

// Comments on lines of their own survive any edits of other things.
func TestCommentsSurvive(t *testing.T) {
	const text = "# one\n[terms]\n# two\na = 1 # three\n# four\n\n[n]\np = [\n  # five\n  'x',\n  # six\n]\n# seven\n"
	d := parse(t, text)
	for i := range 50 {
		for _, e := range []edit{set("terms", fmt.Sprint(i), 0.5, "r"), appendTo("n", "p", fmt.Sprint(i), "r"), set("new", "k", int64(i), "")} {
			if _, err := e(d); err != nil {
				t.Fatal(err)
			}
		}
	}
	for i := range 50 {
		for _, e := range []edit{remove("terms", fmt.Sprint(i)), drop("n", "p", fmt.Sprint(i), "x"), remove("new", "k")} {
			if _, err := e(d); err != nil {
				t.Fatal(err)
			}
		}
	}
	want := strings.Replace(text, "  'x',\n", "", 1) + "\n[new]\n"
	if string(d.Bytes()) != want {
		t.Errorf("left is\n%s", d.Bytes())
	}
}

// big has n keys, and n elements over as many lines.
func big(n int) string {
	var b strings.Builder
	b.WriteString("[t]\n")
	for i := range n {
		fmt.Fprintf(&b, "\"term %d\" = 0.5 # why\n", i)
	}
	b.WriteString("[n]\np = [\n")
	for i := range n {
		fmt.Fprintf(&b, "    \"pattern %d\", # why\n", i)
	}
	return b.String() + "]\n"
}

func BenchmarkParse(b *testing.B) {
	for _, n := range []int{100, 10_000} {
		text := []byte(big(n))
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				if _, err := Parse(text); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkEdit(b *testing.B) {
	for _, n := range []int{100, 10_000} {
		text := []byte(big(n))
		for name, e := range map[string]edit{
			"set": set("t", "new", 0.5, "why"), "append": appendTo("n", "p", "new", "why"),
			"drop": func(d *Document) (bool, error) {
				_, err := d.RemoveElements("n", "p", func(string) bool { return true })
				return true, err
			},
		} {
			b.Run(fmt.Sprintf("%s/%d", name, n), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					d, err := Parse(text)
					if err != nil {
						b.Fatal(err)
					}
					if _, err := e(d); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
