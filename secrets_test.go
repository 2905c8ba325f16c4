//go:build !js && !wasip1 && !illumos && !solaris && !aix && !plan9

package contextforge_test

// Whatever way a secret comes in, it is nowhere afterwards: in no key or value,
// no file, log line, hook, error or temporary file, nor in what an embedder, a
// distiller or a scorer is given.

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/contextforge-go/contextforge"
	"github.com/contextforge-go/contextforge/distill"
	"github.com/contextforge-go/contextforge/kv"
	"github.com/contextforge-go/contextforge/kv/memkv"
	"github.com/contextforge-go/contextforge/kv/pebblekv"
	"github.com/contextforge-go/contextforge/lexicon"
	"github.com/contextforge-go/contextforge/render"
)

const (
	letters  = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	alphabet = letters + "abcdefghijklmnopqrstuvwxyz0123456789"
)

// draw returns n characters that repeat from run to run and look like none of
// anybody's: at least one of each sort is among them.
func draw(rng *rand.Rand, set string, n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = set[rng.IntN(len(set))]
	}
	return string(b)
}

// githubToken returns a token that is new for every seed.
func githubToken(seed uint64) string {
	return "ghp_" + draw(rand.New(rand.NewPCG(seed, 1)), alphabet, 36)
}

// credential is a secret with the part of it that must be found nowhere.
type credential struct{ name, text, core string }

// credentials returns one of several sorts.
func credentials() []credential {
	rng := rand.New(rand.NewPCG(7, 7))
	part := func(n int) string { return draw(rng, alphabet, n) }
	var list []credential
	add := func(name, before, core, after string) {
		list = append(list, credential{name, before + core + after, core})
	}
	add("github-token", "ghp_", part(36), "")
	add("aws-key", "AKIA", draw(rng, letters+"234567", 16), "")
	add("slack-token", "xoxb-", draw(rng, "0123456789", 12), "-"+draw(rng, "0123456789", 12)+"-"+part(24))
	add("anthropic-key", "sk-ant-api03-", part(93), "AA")
	add("jwt", "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJ", part(40), "."+part(43))
	add("bearer", "Authorization: Bearer ", part(40), "")
	add("private key", "-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA", part(48), "\n"+part(64)+"\n"+part(30)+"==\n-----END RSA PRIVATE KEY-----")
	return list
}

// needles returns the forms in which a secret could be somewhere, in small letters:
// its characters as they are, which JSON doesn't escape, and in base64, wherever it
// begins in the encoded text.
func needles(list []credential) (out []string) {
	for _, c := range list {
		out = append(out, strings.ToLower(c.core))
		for shift := range 3 {
			code := base64.StdEncoding.EncodeToString([]byte(strings.Repeat("x", shift) + c.core))
			out = append(out, strings.ToLower(code[4:len(code)-4]))
		}
	}
	return out
}

// watch collects everything that comes out of a memory.
type watch struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (w *watch) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.text.Write(p)
}

func (w *watch) see(what string, values ...any) {
	fmt.Fprintf(w, "%s:", what)
	for _, v := range values {
		text, err := json.Marshal(v)
		if err != nil {
			text = nil
		}
		fmt.Fprintf(w, " %+v %s", v, text)
	}
	fmt.Fprintln(w)
}

// boost is a scorer that sees texts and questions.
type boost struct{ w *watch }

func (b boost) Score(item lexicon.Item, question string) float64 {
	b.w.see("scored", item, question)
	return 0
}

// config returns one in which everything is watched.
func (w *watch) config(e contextforge.Embedder) contextforge.Config {
	return contextforge.Config{
		Embedder: e,
		Logger:   slog.New(slog.NewTextHandler(w, &slog.HandlerOptions{Level: slog.LevelDebug})),
		Hooks: contextforge.Hooks{
			Evicted:  func(_ context.Context, gone []contextforge.Eviction) { w.see("evicted", gone) },
			Redacted: func(_ context.Context, found []contextforge.Redaction) { w.see("redacted", found) },
			EmbeddingFailed: func(_ context.Context, failed []contextforge.EmbeddingFailure) {
				w.see("failed", failed)
			},
			Saved:   func(_ context.Context, s contextforge.SaveTrace) { w.see("saved", s) },
			Queried: func(_ context.Context, q contextforge.QueryTrace) { w.see("queried", q) },
		},
	}
}

// parrot is a distiller that says what it is told, and a secret of its own.
type parrot struct {
	w      *watch
	secret string
}

func (p parrot) Distill(_ context.Context, text string) (distill.DistilledMemory, error) {
	p.w.see("distilled", text)
	// Cut at the limits, half of the secret would be left (W20).
	edge := func(limit int) string { return strings.Repeat("x", limit-30) + " " + p.secret }
	return distill.DistilledMemory{
		Summary: edge(distill.MaxSummaryChars),
		Facts: []distill.Fact{
			{Kind: distill.Decision, Text: text}, {Kind: distill.State, Text: "The key is " + p.secret + "."},
			{Kind: distill.Preference, Text: edge(distill.MaxFactChars)}, {Kind: distill.Kind(p.secret), Text: "no kind"},
		},
	}, nil
}

// everyPath brings a secret in wherever one can come in.
func everyPath(t *testing.T, m *contextforge.Memory, w *watch, c credential) {
	t.Helper()
	said := "Here it is: " + c.text + "\nand no more, " + c.name + "."
	meta := map[string]any{"auth": map[string]any{"list": []any{"x", c.text, map[string]any{"deep": "see " + c.text}}}, c.text: 1, "n": 3}
	id := save(t, m, said, contextforge.SaveOptions{Scope: "keys", Metadata: meta})
	ids, err := m.SaveBatch(ctx, []contextforge.Item{
		{Content: "A batch: " + said, Kind: "kind " + c.text}, {Content: "no secret", SaveOptions: contextforge.SaveOptions{Metadata: c.text}},
	})
	must(t, err)
	again := "Again: " + said
	_, err = m.Update(ctx, id, contextforge.Change{Content: &again, Kind: &again, Metadata: meta})
	must(t, err)
	_, err = m.Update(ctx, ids[1], contextforge.Change{Metadata: []string{c.text}})
	must(t, err)
	raw, err := json.Marshal(meta)
	must(t, err)
	_, err = m.Restore(ctx, []contextforge.Entry{{ID: "restored " + c.name, Content: said + " restored", Kind: c.text, Metadata: raw}})
	must(t, err)
	res, err := m.DistillAndSave(ctx, "User: "+said+"\nAssistant: Noted: "+c.text, parrot{w, c.text}, contextforge.DistillOptions{Scope: "keys", Metadata: meta})
	must(t, err)
	w.see("result", res)
	for _, question := range []string{c.text, said, "no more of " + c.text + "?"} {
		hits, err := m.Query(ctx, question, contextforge.QueryOptions{})
		w.see("hits", hits, err)
		block, _, err := m.QueryBlock(ctx, question, contextforge.QueryOptions{}, render.Options{})
		w.see("block", block, err)
	}
	refused(t, m, w, c)
}

// refused has the secret in names, and in what errors quote.
func refused(t *testing.T, m *contextforge.Memory, w *watch, c credential) {
	t.Helper()
	name := "n " + c.text
	for field, o := range map[contextforge.Field]contextforge.SaveOptions{
		contextforge.FieldID: {ID: name}, contextforge.FieldScope: {Scope: name}, contextforge.FieldSession: {SessionID: name},
	} {
		_, err := m.Save(ctx, "text", "", o)
		_, restored := m.Restore(ctx, []contextforge.Entry{{ID: o.ID, Scope: o.Scope, SessionID: o.SessionID, Content: "text"}})
		for _, err := range []error{err, restored} {
			if !errors.Is(err, contextforge.ErrSecretInName) || !errors.Is(err, contextforge.ErrInvalidEntry) || !strings.Contains(err.Error(), string(field)) {
				t.Errorf("%s: %v", field, err)
			}
			w.see("refused", err)
		}
	}
	_, err := m.DistillAndSave(ctx, "text", parrot{w, ""}, contextforge.DistillOptions{SessionID: name})
	if !errors.Is(err, contextforge.ErrSecretInName) {
		t.Errorf("distill: %v", err)
	}
	_, updated := m.Update(ctx, "restored "+c.name, contextforge.Change{SessionID: &name})
	if !errors.Is(updated, contextforge.ErrSecretInName) {
		t.Errorf("update: %v", updated)
	}
	_, get := m.Get(ctx, name)
	_, history := m.History(ctx, name)
	_, missing := m.Update(ctx, name, contextforge.Change{Content: &name})
	_, like := m.MoreLike(ctx, name, contextforge.QueryOptions{})
	_, filter := m.Query(ctx, name, contextforge.QueryOptions{Filter: contextforge.Filter{Scope: name, GlobalOnly: true}})
	_, parsed := contextforge.ParseTime(c.text)
	var e contextforge.Entry
	decoded := json.Unmarshal([]byte(`{"content":"x","timestamp":"`+strings.ReplaceAll(c.text, "\n", " ")+`"}`), &e)
	for i, err := range []error{get, history, missing, like, filter, parsed, decoded} {
		if err == nil {
			t.Errorf("%d: no error", i)
		}
		w.see("error", err)
	}
}

// dump returns the keys that hold a needle, or whose values do.
func dump(t *testing.T, pairs kv.Reader, needles []string) (found []string) {
	t.Helper()
	it, err := pairs.Iter(nil, nil)
	must(t, err)
	n := 0
	for ok := it.First(); ok; ok = it.Next() {
		value, err := it.Value()
		must(t, err)
		if n++; holds(it.Key(), needles) || holds(value, needles) {
			found = append(found, fmt.Sprintf("%q", it.Key()))
		}
	}
	must(t, errors.Join(it.Error(), it.Close()))
	if n < 50 {
		t.Errorf("only %d keys were looked at", n)
	}
	return found
}

func TestNoSecretAnywhere(t *testing.T) {
	list := credentials()
	for _, kind := range []string{"memkv", "pebblekv"} {
		t.Run(kind, func(t *testing.T) {
			temp := t.TempDir()
			t.Setenv("TMPDIR", temp)
			dir := filepath.Join(t.TempDir(), "store")
			var pairs kv.Store = memkv.New()
			if kind == "pebblekv" {
				var err error
				pairs, err = pebblekv.Open(dir, pebblekv.Options{})
				must(t, err)
			}
			w, e := &watch{}, newBag()
			cfg := w.config(e)
			cfg.KV, cfg.Lexicon = pairs, lexicon.Composite(boost{w})
			m := open(t, cfg)
			forms := needles(list)
			for i, c := range list {
				// An embedder that is down quotes what it was asked.
				e.answer = nil
				if i == len(list)-1 {
					e.answer = func(_ context.Context, texts []string) ([][]float32, error) {
						return nil, fmt.Errorf("cannot embed %q", texts)
					}
				}
				everyPath(t, m, w, c)
			}
			w.see("embedded", e.take())
			for s, err := range m.Analyze(ctx, contextforge.Filter{}, contextforge.AnalyzeOptions{}) {
				w.see("analysed", s, err)
			}
			if found := dump(t, pairs, forms); len(found) > 0 {
				t.Errorf("in the store: %s", found)
			}
			for _, step := range []func() error{func() error { return nil }, func() error { return m.Compact(ctx) }} {
				must(t, step())
				if kind == "pebblekv" {
					if files := tracesOf(t, dir, forms...); len(files) > 0 {
						t.Errorf("in files %q", files)
					}
				}
			}
			if files := tracesOf(t, temp, forms...); len(files) > 0 {
				t.Errorf("in temporary files %q", files)
			}
			for line := range bytes.Lines(w.text.Bytes()) {
				if holds(line, forms) {
					t.Errorf("came out: %.300s", line)
				}
			}
			if got := w.text.String(); !strings.Contains(got, "[REDACTED:github-token]") || !strings.Contains(got, "cannot embed") {
				t.Error("nothing was watched")
			}
			report, err := m.AuditSecrets(ctx, contextforge.AuditOptions{})
			if err != nil || report.Secrets != 0 || report.Entries < 20 {
				t.Errorf("audit: %+v, %v", report, err)
			}
		})
	}
}

// What the test above looks for it would see.
func TestSecretsWouldBeSeen(t *testing.T) {
	for _, c := range credentials() {
		w, pairs := &watch{}, memkv.New()
		cfg := w.config(nil)
		cfg.KV, cfg.Lexicon, cfg.Scrub.Disabled = pairs, lexicon.Composite(boost{w}), true
		m := open(t, cfg)
		save(t, m, "this is "+c.text, contextforge.SaveOptions{ID: c.text, Metadata: []string{c.text}})
		ask(t, m, "this "+c.text, contextforge.QueryOptions{})
		forms := needles([]credential{c})
		// The record, the id, and an index term or several.
		if found := dumpAny(t, pairs, forms); len(found) < 2 || !holds(w.text.Bytes(), forms) {
			t.Errorf("%s: found under %q", c.name, found)
		}
		report, err := m.AuditSecrets(ctx, contextforge.AuditOptions{})
		if err != nil || report.Secrets != 3 || report.Left != 3 {
			t.Errorf("%s: audit %+v, %v", c.name, report, err)
		}
	}
}

// What was read from the store by an embedder later, or left there by another way,
// is redacted before it is embedded.
func TestEmbedderNeverGetsSecrets(t *testing.T) {
	c := credentials()[0]
	pairs := memkv.New()
	m := open(t, contextforge.Config{KV: pairs})
	engine, err := m.Engine()
	must(t, err)
	must(t, engine.Save(ctx, contextforge.Entry{ID: "old", Content: "from before: " + c.text, Timestamp: time.Unix(1, 0)}))
	if found := dumpAny(t, pairs, needles([]credential{c})); len(found) == 0 {
		t.Error("an engine does not write verbatim")
	}
	e := newBag()
	with := open(t, contextforge.Config{Embedder: e})
	low, err := with.Engine()
	must(t, err)
	must(t, low.Save(ctx, contextforge.Entry{ID: "old", Content: "from before: " + c.text, Timestamp: time.Unix(1, 0)}))
	e.answer = func(context.Context, []string) ([][]float32, error) { return nil, errors.New("down") }
	must(t, low.Save(ctx, contextforge.Entry{ID: "later", Content: "waits: " + c.text, Timestamp: time.Unix(1, 0)}))
	e.answer = nil
	_, err = with.BackfillEmbeddings(ctx, 0, nil)
	must(t, err)
	calls := fmt.Sprint(e.take())
	if holds([]byte(calls), needles([]credential{c})) || strings.Count(calls, "[REDACTED:github-token]") < 3 {
		t.Errorf("embedded %s", calls)
	}
}

// dumpAny is dump for a small store.
func dumpAny(t *testing.T, pairs kv.Reader, needles []string) (found []string) {
	t.Helper()
	it, err := pairs.Iter(nil, nil)
	must(t, err)
	for ok := it.First(); ok; ok = it.Next() {
		value, err := it.Value()
		must(t, err)
		if holds(it.Key(), needles) || holds(value, needles) {
			found = append(found, fmt.Sprintf("%q", it.Key()))
		}
	}
	must(t, errors.Join(it.Error(), it.Close()))
	return found
}

func TestRow46And47(t *testing.T) {
	token := githubToken(46)
	text := "deploy with " + token + " from the vault"
	t.Run("row 46: a saved token is never stored raw, its prefix finds nothing", func(t *testing.T) {
		m := open(t, contextforge.Config{})
		id := save(t, m, text, contextforge.SaveOptions{})
		e, err := m.Get(ctx, id)
		if err != nil || e.Content != "deploy with [REDACTED:github-token] from the vault" {
			t.Errorf("stored %q, %v", e.Content, err)
		}
		for _, question := range []string{token, token[:20], token[4:], "ghp_"} {
			if got := ask(t, m, question, contextforge.QueryOptions{}); len(got) > 0 {
				t.Errorf("%d characters of it find %q", len(question), got)
			}
		}
		if got := ask(t, m, "the vault for "+token, contextforge.QueryOptions{}); !slices.Equal(got, []string{id}) {
			t.Errorf("the words beside it find %q", got)
		}
	})
	t.Run("row 47: with scrubbing disabled it is stored verbatim", func(t *testing.T) {
		m := open(t, contextforge.Config{Scrub: contextforge.ScrubConfig{Disabled: true}})
		id := save(t, m, text, contextforge.SaveOptions{Scope: token, SessionID: token, Metadata: token})
		e, err := m.Get(ctx, id)
		if err != nil || e.Content != text || e.Scope != token || string(e.Metadata) != `"`+token+`"` {
			t.Errorf("stored %+v, %v", e, err)
		}
		if got := ask(t, m, token, contextforge.QueryOptions{}); !slices.Equal(got, []string{id}) {
			t.Errorf("it finds %q", got)
		}
	})
}

// TestCaseP18Metadata: the structure stays, KeepMetadata keeps all of it.
func TestCaseP18Metadata(t *testing.T) {
	token := githubToken(18)
	meta := json.RawMessage(`{"n":1.50,"list":[true,null,"see ` + token + `"],"deep":{"` + token + `":"é"},"password":"Xk93-qpTz81"}`)
	for keep, want := range map[bool]string{
		false: `{"n":1.50,"list":[true,null,"see [REDACTED:github-token]"],"deep":{"[REDACTED:github-token]":"é"},"password":"[REDACTED:`,
		true:  string(meta),
	} {
		m := open(t, contextforge.Config{Scrub: contextforge.ScrubConfig{KeepMetadata: keep}})
		id := save(t, m, "x "+token, contextforge.SaveOptions{Metadata: meta})
		e, err := m.Get(ctx, id)
		if err != nil || !strings.HasPrefix(string(e.Metadata), want) || strings.Contains(e.Content, token) {
			t.Errorf("keep %v: %s, %v", keep, e.Metadata, err)
		}
		report, err := m.AuditSecrets(ctx, contextforge.AuditOptions{})
		if err != nil || report.Secrets != 0 {
			t.Errorf("keep %v: audit %+v, %v", keep, report, err)
		}
	}
}

func TestWhatWasRedactedIsReported(t *testing.T) {
	var heard [][]contextforge.Redaction
	m := open(t, contextforge.Config{Hooks: contextforge.Hooks{
		Redacted: func(_ context.Context, r []contextforge.Redaction) { heard = append(heard, r) },
	}})
	a, b := githubToken(1), githubToken(2)
	var first, second []contextforge.Redaction
	ids, err := m.SaveBatch(ctx, []contextforge.Item{
		{Content: a + " and " + b, SaveOptions: contextforge.SaveOptions{ID: "one", Metadata: []string{a}, Redacted: &first}},
		{Content: "nothing", SaveOptions: contextforge.SaveOptions{Redacted: &second}},
		{Content: "x " + a, Kind: b, SaveOptions: contextforge.SaveOptions{ID: "three"}},
	})
	must(t, err)
	of := func(id string, field contextforge.Field, n int) contextforge.Redaction {
		return contextforge.Redaction{Entry: id, Field: field, Label: "github-token", Rule: "github-token", Count: n}
	}
	one := []contextforge.Redaction{of("one", contextforge.FieldContent, 2), of("one", contextforge.FieldMetadata, 1)}
	all := append(slices.Clone(one), of("three", contextforge.FieldContent, 1), of("three", contextforge.FieldKind, 1))
	if !slices.Equal(first, one) || len(second) > 0 || len(heard) != 1 || !slices.Equal(heard[0], all) {
		t.Errorf("first %+v, second %+v, heard %+v", first, second, heard)
	}
	var changed []contextforge.Redaction
	_, err = m.Update(ctx, ids[1], contextforge.Change{Content: &b, Redacted: &changed})
	if want := of(ids[1], contextforge.FieldContent, 1); err != nil || len(changed) != 1 || changed[0] != want || len(heard) != 2 {
		t.Errorf("update: %+v, %v", changed, err)
	}
	ask(t, m, "who has "+a+"?", contextforge.QueryOptions{})
	if want := of("", contextforge.FieldQuestion, 1); len(heard) != 3 || heard[2][0] != want {
		t.Errorf("question: %+v", heard)
	}
	// What isn't saved isn't told of.
	_, err = m.SaveBatch(ctx, []contextforge.Item{{Content: a}, {Content: ""}})
	if err == nil || len(heard) != 3 {
		t.Errorf("refused: %v, %+v", err, heard)
	}
}

// TestCaseW34 checks rules of one's own, and what a configuration may say.
func TestCaseW34RulesOfOnesOwn(t *testing.T) {
	file := filepath.Join(t.TempDir(), "rules.toml")
	must(t, os.WriteFile(file, []byte("[[rule]]\nname = \"badge\"\npattern = 'BDG-[0-9]{6}'\nliterals = [\"BDG-\"]\n"), 0o600))
	token, other := githubToken(3), githubToken(4)
	cfg := contextforge.Config{Scrub: contextforge.ScrubConfig{RulesFiles: []string{file}, Allow: []string{token}, Off: []string{"aws-key"}}}
	m := open(t, cfg)
	key := credentials()[1].text
	e, err := m.Get(ctx, save(t, m, "BDG-123456 "+token+" "+other+" "+key, contextforge.SaveOptions{}))
	if want := "[REDACTED:badge] " + token + " [REDACTED:github-token] " + key; err != nil || e.Content != want {
		t.Errorf("%q, %v", e.Content, err)
	}
	broken := filepath.Join(t.TempDir(), "broken.toml")
	must(t, os.WriteFile(broken, []byte("[[rule]]\nname = 3"), 0o600))
	for name, bad := range map[string]contextforge.ScrubConfig{
		"a file that isn't there":  {RulesFiles: []string{file + ".no"}},
		"a broken file":            {RulesFiles: []string{broken}},
		"a file twice":             {RulesFiles: []string{file, file}},
		"a rule that isn't there":  {Off: []string{"nonsense"}},
		"checked though it is off": {Disabled: true, Off: []string{"nonsense"}},
	} {
		if _, err := contextforge.Open(ctx, contextforge.Config{Scrub: bad}); !errors.Is(err, contextforge.ErrInvalidConfig) {
			t.Errorf("%s: %v", name, err)
		}
	}
	e2 := newBag()
	e2.name = "https://models.example/" + token
	_, err = contextforge.Open(ctx, contextforge.Config{Embedder: e2})
	if !errors.Is(err, contextforge.ErrInvalidConfig) || !errors.Is(err, contextforge.ErrSecretInName) || strings.Contains(err.Error(), token) {
		t.Errorf("a model's name: %v", err)
	}
}
