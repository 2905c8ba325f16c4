//go:build !js && !wasip1 && !illumos && !solaris && !aix && !plan9

package contextforge_test

// What older rules let through is found wherever it is, never shown, and with Fix
// in no key, value or file any more, whenever the work was cut off.

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/contextforge-go/contextforge"
	"github.com/contextforge-go/contextforge/kv"
	"github.com/contextforge-go/contextforge/kv/memkv"
	"github.com/contextforge-go/contextforge/kv/pebblekv"
)

// verbatim opens a memory that redacts nothing.
func verbatim(t *testing.T, cfg contextforge.Config) *contextforge.Memory {
	t.Helper()
	cfg.Scrub.Disabled = true
	return open(t, cfg)
}

// leave puts every secret everywhere.
func leave(t *testing.T, m *contextforge.Memory, list []credential) {
	t.Helper()
	for i, c := range list {
		id := fmt.Sprintf("id%d %s", i, c.text)
		o := contextforge.SaveOptions{ID: id, Scope: "scope " + c.text, SessionID: "session " + c.text, Metadata: map[string]any{"k": []string{c.text}}}
		_, err := m.Save(ctx, "first "+c.text+" end", "kind "+c.text, o)
		must(t, err)
		for _, text := range []string{"second " + c.text, "third, without"} {
			rewrite(t, m, id, text)
		}
		save(t, m, "another with "+c.text, contextforge.SaveOptions{Scope: "scope " + c.text, TTL: time.Hour})
	}
	chatter(t, m, 1200)
}

func TestAuditFindsAndRedacts(t *testing.T) {
	list := credentials()
	forms := needles(list)
	for _, kind := range []string{"memkv", "pebblekv"} {
		t.Run(kind, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "store")
			var pairs kv.Store = memkv.New()
			if kind == "pebblekv" {
				var err error
				pairs, err = pebblekv.Open(dir, pebblekv.Options{})
				must(t, err)
			}
			c, e := newClock(), newBag()
			m := verbatim(t, contextforge.Config{KV: pairs, Clock: c.Now, Embedder: e})
			leave(t, m, list)
			must(t, m.Compact(ctx))
			c.Advance(2 * time.Hour) // what has expired is there until it is removed
			if len(dump(t, pairs, forms)) == 0 {
				t.Fatal("nothing was left")
			}
			var found []contextforge.SecretFinding
			report, err := m.AuditSecrets(ctx, contextforge.AuditOptions{Found: func(f contextforge.SecretFinding) { found = append(found, f) }})
			must(t, err)
			checkFindings(t, list, found)
			if report.Secrets != len(found) || report.Left != len(found) || report.Redacted != 0 || report.Entries < 1200+len(list) || report.Versions != 2*len(list) || report.Labels["github-token"] == 0 {
				t.Errorf("%+v for %d findings", report, len(found))
			}
			e.take()
			report, err = m.AuditSecrets(ctx, contextforge.AuditOptions{Fix: true})
			must(t, err)
			if report.Secrets != len(found) || report.Left != 0 || report.Redacted < len(list) || report.Renamed < len(list) {
				t.Errorf("mended: %+v", report)
			}
			if left := dump(t, pairs, forms); len(left) > 0 {
				t.Errorf("left under %s", left)
			}
			if kind == "pebblekv" {
				if files := tracesOf(t, dir, forms...); len(files) > 0 {
					t.Errorf("left in %q", files)
				}
			}
			if holds([]byte(fmt.Sprint(e.take())), forms) {
				t.Error("a secret was embedded")
			}
			must(t, m.Verify(ctx))
			checkMended(t, m, list)
			report, err = m.AuditSecrets(ctx, contextforge.AuditOptions{Fix: true})
			if err != nil || report.Secrets != 0 || report.Redacted != 0 {
				t.Errorf("once more: %+v, %v", report, err)
			}
		})
	}
}

// checkFindings checks the places of the first secret, and that none shows one.
func checkFindings(t *testing.T, list []credential, found []contextforge.SecretFinding) {
	t.Helper()
	token := list[0]
	at := func(version int, field contextforge.Field, start int) contextforge.SecretFinding {
		return contextforge.SecretFinding{
			Entry: "id0 [REDACTED:github-token]", Version: version, Field: field,
			Label: "github-token", Rule: "github-token", Start: start, End: start + len(token.text),
		}
	}
	want := []contextforge.SecretFinding{at(0, contextforge.FieldID, 4)}
	for version, content := range []int{-1, 6, 7} { // the third text is clean
		want = append(want, at(version, contextforge.FieldScope, 6), at(version, contextforge.FieldSession, 8))
		if content >= 0 {
			want = append(want, at(version, contextforge.FieldContent, content))
		}
		want = append(want, at(version, contextforge.FieldKind, 5), at(version, contextforge.FieldMetadata, len(`{"k":["`)))
	}
	var got []contextforge.SecretFinding
	for _, f := range found {
		if strings.HasPrefix(f.Entry, "id0 ") {
			got = append(got, f)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("found\n%+v, want\n%+v", got, want)
	}
	if holds([]byte(fmt.Sprint(found)), needles(list)) {
		t.Error("a finding shows a secret")
	}
}

// checkMended checks that all but the secrets is as it was.
func checkMended(t *testing.T, m *contextforge.Memory, list []credential) {
	t.Helper()
	scopes, err := m.Scopes(ctx)
	must(t, err)
	if len(scopes) != len(list)+1 {
		t.Errorf("scopes %+v", scopes)
	}
	n := 0
	for e, err := range m.List(ctx, contextforge.Filter{}) {
		must(t, err)
		if !strings.HasPrefix(e.ID, "id") {
			continue
		}
		n++
		history, err := m.History(ctx, e.ID)
		must(t, err)
		if e.Content != "third, without" || len(history) != 2 || !strings.HasPrefix(history[1].Content, "second ") || history[0].ID != e.ID {
			t.Errorf("%+v with %+v", e, history)
		}
		if !strings.HasPrefix(e.Scope, "scope ") || !strings.Contains(e.Scope, "]~") || history[0].Scope != e.Scope {
			t.Errorf("scope %q, before %q", e.Scope, history[0].Scope)
		}
	}
	if st := stats(t, m); n != len(list) || st.Waiting > 0 || st.Embedded != st.Entries {
		t.Errorf("%d entries, %+v", n, st)
	}
}

// A scope whose name holds a secret stays one scope, different ones stay different,
// also when the audit is cut off and taken up by another process.
func TestAuditIsTakenUp(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "store")
	m := verbatim(t, contextforge.Config{Path: dir})
	const each = 700
	var items []contextforge.Item
	for i := range 2 * each {
		items = append(items, contextforge.Item{Content: fmt.Sprint("number ", i), SaveOptions: contextforge.SaveOptions{Scope: githubToken(uint64(i % 2))}})
	}
	_, err := m.SaveBatch(ctx, items)
	must(t, err)
	cut := 0
	for range 10 {
		must(t, m.Close())
		m = open(t, contextforge.Config{Path: dir})
		until, cancel := context.WithCancel(ctx)
		seen := 0
		_, err := m.AuditSecrets(until, contextforge.AuditOptions{Fix: true, Found: func(contextforge.SecretFinding) {
			if seen++; seen == 300 { // behind the first batch
				cancel()
			}
		}})
		cancel()
		if errors.Is(err, context.Canceled) {
			cut++
		} else {
			must(t, err)
		}
	}
	_, err = m.AuditSecrets(ctx, contextforge.AuditOptions{Fix: true})
	must(t, err)
	scopes, err := m.Scopes(ctx)
	must(t, err)
	if len(scopes) != 2 || scopes[0].Entries != each || scopes[1].Entries != each || cut < 2 {
		t.Errorf("%+v after %d cuts", scopes, cut)
	}
	forms := needles([]credential{{core: githubToken(0)[4:]}, {core: githubToken(1)[4:]}})
	if files := tracesOf(t, dir, forms...); len(files) > 0 {
		t.Errorf("left in %q", files)
	}
	must(t, m.Verify(ctx))
}

// Others go on meanwhile, and audits that mend wait for each other.
func TestAuditBesidesEverything(t *testing.T) {
	m := verbatim(t, contextforge.Config{MaxEntries: contextforge.Unlimited})
	for i := range 600 {
		save(t, m, fmt.Sprint("text ", i, " ", githubToken(uint64(i))), contextforge.SaveOptions{ID: fmt.Sprint("e", i), Scope: githubToken(uint64(i % 2))})
	}
	var done sync.WaitGroup
	for range 2 {
		done.Go(func() {
			if _, err := m.AuditSecrets(ctx, contextforge.AuditOptions{Fix: true}); err != nil {
				t.Error(err)
			}
		})
	}
	for i := range 600 {
		id, text := fmt.Sprint("e", 599-i), "changed"
		switch i % 3 {
		case 0:
			if _, err := m.Update(ctx, id, contextforge.Change{Content: &text}); err != nil {
				t.Error(err)
			}
		case 1:
			if _, err := m.Delete(ctx, id); err != nil {
				t.Error(err)
			}
		}
	}
	done.Wait()
	report, err := m.AuditSecrets(ctx, contextforge.AuditOptions{})
	if scopes, serr := m.Scopes(ctx); err != nil || serr != nil || report.Secrets != 0 || report.Entries != 400 || len(scopes) != 2 {
		t.Errorf("%+v, %v; %+v, %v", report, err, scopes, serr)
	}
	must(t, m.Verify(ctx))
}

func TestAuditRefuses(t *testing.T) {
	m := verbatim(t, contextforge.Config{})
	save(t, m, githubToken(1), contextforge.SaveOptions{})
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := m.AuditSecrets(cancelled, contextforge.AuditOptions{Fix: true}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	must(t, m.Close())
	if _, err := m.AuditSecrets(ctx, contextforge.AuditOptions{}); !errors.Is(err, contextforge.ErrClosed) {
		t.Error(err)
	}
	engine, err := open(t, contextforge.Config{}).Engine()
	must(t, err)
	plugged := open(t, contextforge.Config{Storage: engine})
	if _, err := plugged.AuditSecrets(ctx, contextforge.AuditOptions{}); !errors.Is(err, contextforge.ErrUnsupported) {
		t.Error(err)
	}
}
