package contextforge_test

// Reports about systems that do this job, turned into small inputs: each must
// have the outcome named here. The numbers are those of the project's list of
// cases; W numbers are known faults of the reference.

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/contextforge-go/contextforge"
	"github.com/contextforge-go/contextforge/bm25/analyzer"
)

func remember(t *testing.T, texts ...string) (*contextforge.Memory, []string) {
	t.Helper()
	m := open(t, contextforge.Config{})
	var ids []string
	for _, text := range texts {
		ids = append(ids, save(t, m, text, contextforge.SaveOptions{}))
	}
	return m, ids
}

func TestCaseP01ChineseWordsInside(t *testing.T) {
	m, ids := remember(t, "上线前我们在部署会议里确认了用户身份验证流程", "the login page is blue")
	for _, q := range []string{"用户身份", "验证"} {
		if got := ask(t, m, q, contextforge.QueryOptions{}); !slices.Equal(got, ids[:1]) {
			t.Errorf("%s finds %q, want the first of %q", q, got, ids)
		}
	}
}

func TestCaseP02Scripts(t *testing.T) {
	cases := []struct{ text, word string }{
		{"우리는 내일 회의에서 배포를 논의한다", "배포"},
		{"Мы обсудили развёртывание сервера вчера", "развёртывание"},
		{"Η συνάντηση για την ασφάλεια έγινε χθες", "ασφάλεια"},
		{"ناقشنا خطة النشر في الاجتماع", "النشر"},
		{"เราคุยกันเรื่องการปรับใช้ระบบเมื่อวาน", "ระบบ"},
		{"हमने कल बैठक में सुरक्षा पर चर्चा की", "सुरक्षा"},
		{"Le café est servi", "café"},
	}
	var texts []string
	for _, c := range cases {
		texts = append(texts, c.text)
	}
	m, ids := remember(t, texts...)
	for i, c := range cases {
		if got := ask(t, m, c.word, contextforge.QueryOptions{}); !slices.Equal(got, ids[i:i+1]) {
			t.Errorf("%s finds %q, want %q", c.word, got, ids[i])
		}
	}
	for _, form := range []string{"café", "cafe", "cafe\u0301", "CAFÉ"} {
		if got := ask(t, m, form, contextforge.QueryOptions{}); !slices.Equal(got, ids[6:]) {
			t.Errorf("%q finds %q", form, got)
		}
	}
}

func TestCaseP03NoSyntax(t *testing.T) {
	m, ids := remember(t, "what did we discuss about C++ and foo/bar, half a AND x:y b NOT")
	for _, q := range []string{
		"what did we discuss?", "C++", "foo/bar", `"half`, "a AND", "NOT", "x:y", "a\x00b",
		"+discuss zebra", "-discuss", "discuss^3", "content:discuss", "scope:x discuss", "discuss: zebra", "[a TO c]", "foo *", " * discuss",
	} {
		if got := ask(t, m, q, contextforge.QueryOptions{}); !slices.Equal(got, ids) {
			t.Errorf("%q finds %q", q, got)
		}
	}
	for _, q := range []string{"(", "^~*", `"`, "+-"} {
		if got := ask(t, m, q, contextforge.QueryOptions{}); len(got) != 0 {
			t.Errorf("%q finds %q", q, got)
		}
	}
}

func TestCaseW02SyntaxTable(t *testing.T) {
	m, ids := remember(t, "alpha one", "beta two", "env var set in the var and env", "note milk for marco polo", "it is a user hello, don't")
	for q, want := range map[string][]int{
		"alpha AND beta": {0, 1}, "+alpha beta": {0, 1}, "-alpha beta": {0, 1}, "NOT alpha": {0}, `"alpha beta"`: {0, 1},
		"env-var": {2}, "note: milk": {3}, "user: hello": {4}, "marco: polo": {3}, "10:30 milk": {3}, "alpha^3": {0},
		"content:alpha": {0}, "mar*": nil, "scope: IN [alpha beta]": {0, 1}, "don't": {4},
	} {
		var expect []string
		for _, i := range want {
			expect = append(expect, ids[i])
		}
		got := ask(t, m, q, contextforge.QueryOptions{})
		slices.Sort(got)
		slices.Sort(expect)
		if !slices.Equal(got, expect) {
			t.Errorf("%q finds %q, want %v", q, got, want)
		}
	}
}

func TestCaseP04NoWordsNoHits(t *testing.T) {
	m, ids := remember(t, "one", "two", "three")
	for _, q := range []string{"???", "   ", "", "...", "\n"} {
		hits, err := m.Query(ctx, q, contextforge.QueryOptions{})
		if err != nil || len(hits) != 0 {
			t.Errorf("%q gives %v, %v", q, hits, err)
		}
	}
	if got := ask(t, m, "*", contextforge.QueryOptions{}); len(got) != len(ids) {
		t.Errorf("* finds %q", got)
	}
}

func TestCaseP05StopWords(t *testing.T) {
	m, ids := remember(t, "about text about", "to be or not to be, said Ana")
	for i, q := range []string{"about", "to be or not to be"} {
		if got := ask(t, m, q, contextforge.QueryOptions{}); !slices.Equal(got, ids[i:i+1]) {
			t.Errorf("%q finds %q, want %q", q, got, ids[i])
		}
	}
}

func TestCaseP06Identifiers(t *testing.T) {
	m, ids := remember(t, "ticket LALALA83 by @meir, see cdm-xxc v1.2.3", "lalala is a song")
	for _, q := range []string{"LALALA83", "meir", "@meir", "cdm-xxc", "1.2.3"} {
		if got := ask(t, m, q, contextforge.QueryOptions{}); len(got) == 0 || got[0] != ids[0] {
			t.Errorf("%q finds %q, want %q first", q, got, ids[0])
		}
	}
}

func TestCaseP07CommonTermsScorePositive(t *testing.T) {
	for n := 1; n <= 4; n++ {
		var texts []string
		for i := range 4 {
			texts = append(texts, []string{"filler words", "common filler words"}[btoi(i < n)])
		}
		m, _ := remember(t, texts...)
		g, err := m.Engine()
		if err != nil {
			t.Fatal(err)
		}
		hits, err := g.Search(ctx, "common", "", 10)
		if err != nil || len(hits) != n {
			t.Fatalf("%d of 4: %v, %v", n, hits, err)
		}
		for _, h := range hits {
			if h.Score <= 0 {
				t.Errorf("in %d of 4 documents the term scores %v", n, h.Score)
			}
		}
	}
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

func TestCaseP08CommonWordsKeepOrder(t *testing.T) {
	m, _ := remember(t, "duckdb database lorem", "duckdb database ipsum", "duckdb database ipsum")
	hits, err := m.Query(ctx, "duckdb database lorem", contextforge.QueryOptions{})
	if err != nil || len(hits) != 3 || hits[0].Content != "duckdb database lorem" {
		t.Fatalf("got %+v, %v", hits, err)
	}
	for _, h := range hits {
		if h.Score <= 0 || h.Explain.Lexical.Score <= 0 {
			t.Errorf("%q scores %v", h.Content, h.Score)
		}
	}
}

func TestCaseP09ResavingChangesNoStatistics(t *testing.T) {
	texts := []string{"the quick brown fox jumps", "a lazy dog sleeps all day long"}
	a := open(t, contextforge.Config{Clock: newClock().Now})
	b := open(t, contextforge.Config{Clock: newClock().Now})
	for i, text := range texts {
		for _, m := range []*contextforge.Memory{a, b} {
			save(t, m, text, contextforge.SaveOptions{ID: fmt.Sprint(i)})
		}
	}
	other := "something else entirely"
	for range 5 {
		if _, err := a.Update(ctx, "0", contextforge.Change{Content: &texts[0]}); err != nil {
			t.Fatal(err)
		}
		save(t, a, texts[1], contextforge.SaveOptions{ID: "1"})
		for _, text := range []string{other, texts[0]} {
			if _, err := a.Update(ctx, "0", contextforge.Change{Content: &text}); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, q := range []string{"fox", "lazy quick day", "dog fox"} {
		x, err := a.Query(ctx, q, contextforge.QueryOptions{})
		if err != nil {
			t.Fatal(err)
		}
		y, err := b.Query(ctx, q, contextforge.QueryOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for i := range x {
			if x[i].ID != y[i].ID || x[i].Score != y[i].Score || x[i].Explain.Lexical != y[i].Explain.Lexical {
				t.Errorf("%q: %+v, want %+v", q, x[i].Explain, y[i].Explain)
			}
		}
	}
	x, _ := a.Stats(ctx)
	y, _ := b.Stats(ctx)
	if x.Entries != y.Entries || x.IndexTokens != y.IndexTokens || x.Tokens != y.Tokens {
		t.Errorf("statistics %+v, want %+v", x, y)
	}
}

func TestCaseP10ParallelSaves(t *testing.T) {
	dir := t.TempDir() + "/m"
	m := open(t, contextforge.Config{Path: dir})
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() {
			if _, err := m.Save(ctx, fmt.Sprint("parallel ", i), "", contextforge.SaveOptions{}); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	m = open(t, contextforge.Config{Path: dir})
	if n := count(t, m); n != 20 {
		t.Errorf("%d entries", n)
	}
	if got := ask(t, m, "parallel", contextforge.QueryOptions{}); len(got) != 20 {
		t.Errorf("%d found", len(got))
	}
}

func TestCaseP11SecondOpener(t *testing.T) {
	dir := t.TempDir() + "/m"
	open(t, contextforge.Config{Path: dir})
	_, err := contextforge.Open(ctx, contextforge.Config{Path: dir})
	if !errors.Is(err, contextforge.ErrLocked) || !strings.Contains(err.Error(), dir) {
		t.Errorf("got %v", err)
	}
}

func TestCaseP13StrayFiles(t *testing.T) {
	dir := t.TempDir() + "/m"
	m := open(t, contextforge.Config{Path: dir})
	save(t, m, "still here", contextforge.SaveOptions{})
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	strays := []string{"._x", ".DS_Store", "foo.tmp"}
	for _, name := range strays {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	m = open(t, contextforge.Config{Path: dir})
	if got := ask(t, m, "here", contextforge.QueryOptions{}); len(got) != 1 {
		t.Errorf("found %q", got)
	}
	for _, name := range strays {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestCaseP14NoGhosts(t *testing.T) {
	dir := t.TempDir() + "/m"
	cfg := contextforge.Config{Path: dir, MaxEntries: 12}
	m := open(t, cfg)
	var ids []string
	for i := range 10 {
		ids = append(ids, save(t, m, fmt.Sprintf("ghost story number %d", i), at(int64(100+i))))
	}
	for _, id := range ids[:5] {
		if _, err := m.Delete(ctx, id); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 4 {
		save(t, m, fmt.Sprintf("ghost in a scope %d", i), contextforge.SaveOptions{Scope: "s", Timestamp: time.Unix(int64(200+i), 0)})
	}
	if _, err := m.ClearScope(ctx, "s"); err != nil {
		t.Fatal(err)
	}
	for i := range 8 {
		save(t, m, fmt.Sprintf("late ghost %d", i), at(int64(300+i)))
	}
	check := func(what string) {
		t.Helper()
		for i := range 100 {
			for _, id := range ask(t, m, []string{"ghost", "story", "scope", "late number"}[i%4], contextforge.QueryOptions{}) {
				if _, err := m.Get(ctx, id); err != nil {
					t.Errorf("%s: %v", what, err)
				}
			}
		}
		if n := count(t, m); n != 12 || len(ask(t, m, "ghost", contextforge.QueryOptions{})) != 12 {
			t.Errorf("%s: %d entries, %d found", what, n, len(ask(t, m, "ghost", contextforge.QueryOptions{})))
		}
		if err := m.Verify(ctx); err != nil {
			t.Errorf("%s: %v", what, err)
		}
	}
	check("at first")
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	m = open(t, cfg)
	check("reopened")
	if err := m.Rebuild(ctx); err != nil {
		t.Fatal(err)
	}
	check("rebuilt")
}

func TestCaseW01DeletedEntriesHideNothing(t *testing.T) {
	m := open(t, contextforge.Config{MaxEntries: 100})
	var ids []string
	for i := range 60 {
		ids = append(ids, save(t, m, "needle needle needle", at(int64(1000+i))))
	}
	live := save(t, m, "a haystack with one needle in it", at(500))
	for _, id := range ids {
		if _, err := m.Delete(ctx, id); err != nil {
			t.Fatal(err)
		}
	}
	ref := contextforge.RankingReference()
	for _, r := range []*contextforge.Ranking{nil, &ref} {
		if got := ask(t, m, "needle", contextforge.QueryOptions{Ranking: r}); !slices.Equal(got, []string{live}) {
			t.Errorf("found %q", got)
		}
	}
	small := open(t, contextforge.Config{MaxEntries: 2})
	for i := range 60 {
		save(t, small, "needle again", at(int64(i)))
	}
	if got := ask(t, small, "needle", contextforge.QueryOptions{}); len(got) != 2 {
		t.Errorf("at capacity 2 found %q", got)
	}
	text := "new wording"
	if _, err := m.Update(ctx, live, contextforge.Change{Content: &text}); err != nil {
		t.Fatal(err)
	}
	if got := ask(t, m, "needle", contextforge.QueryOptions{}); len(got) != 0 {
		t.Errorf("the old wording finds %q", got)
	}
}

func TestCaseW03TiesAreStable(t *testing.T) {
	m := open(t, contextforge.Config{Clock: newClock().Now})
	for i := range 100 {
		save(t, m, "tie tie tie", contextforge.SaveOptions{ID: fmt.Sprintf("id-%02d", (i*37)%100), Timestamp: time.Unix(int64(i%3), 0)})
	}
	first := ask(t, m, "tie", contextforge.QueryOptions{})
	for range 100 {
		if got := ask(t, m, "tie", contextforge.QueryOptions{}); !slices.Equal(got, first) {
			t.Fatalf("got %q, before %q", got, first)
		}
	}
	all := ask(t, m, contextforge.MatchAll, contextforge.QueryOptions{})
	if !slices.Equal(first, all) {
		t.Errorf("equal scores are not newest first, then by id: %q, want %q", first, all)
	}
}

func TestCaseW04AndP27OldAnswersStayReachable(t *testing.T) {
	c := newClock()
	m := open(t, contextforge.Config{Clock: c.Now})
	answer := save(t, m, "The vault code of the Lisbon office is kept by Teresa.", contextforge.SaveOptions{Timestamp: c.now.AddDate(0, -8, 0)})
	for i := range 50 {
		save(t, m, fmt.Sprintf("The office plant number %d needs water today.", i), contextforge.SaveOptions{Timestamp: c.now.Add(-time.Duration(i) * time.Minute)})
	}
	got := ask(t, m, "who keeps the vault code of the Lisbon office?", contextforge.QueryOptions{TokenBudget: 200})
	if len(got) == 0 || got[0] != answer {
		t.Errorf("the old answer is not first: %q", got)
	}
	for _, when := range []time.Time{c.now.AddDate(10, 0, 0), time.Unix(0, 0), time.Date(1600, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)} {
		save(t, m, "odd date zanzibar", contextforge.SaveOptions{Timestamp: when})
	}
	hits, err := m.Query(ctx, "zanzibar", contextforge.QueryOptions{})
	if err != nil || len(hits) != 4 {
		t.Fatalf("got %d, %v", len(hits), err)
	}
	for _, h := range hits {
		if math.IsNaN(h.Score) || math.IsInf(h.Score, 0) || h.Score <= 0 || h.Explain.Decay > 1 || h.Explain.Decay < 0.9 {
			t.Errorf("at %v: %+v", h.Timestamp, h.Explain)
		}
		if h.Timestamp.After(c.now) && (h.Explain.AgeSeconds != 0 || h.Explain.Decay != 1) {
			t.Errorf("the future has an age: %+v", h.Explain)
		}
	}
}

func TestCaseP15TokensOfManyScripts(t *testing.T) {
	// The real counts of two byte-pair vocabularies; the estimate itself is
	// tested in package budget.
	m := open(t, contextforge.Config{})
	for text, real := range map[string]int{strings.Repeat("你好世界", 25): 125, strings.Repeat("a ", 509): 509} {
		id := save(t, m, text, contextforge.SaveOptions{})
		e, err := m.Get(ctx, id)
		if err != nil || float64(e.TokenCount) < 0.8*float64(real) {
			t.Errorf("%.12q… counts %d, really %d (%v)", text, e.TokenCount, real, err)
		}
	}
	if got := contents(t, m, contextforge.MatchAll, contextforge.QueryOptions{TokenBudget: 100}); len(got) != 0 {
		t.Errorf("more than the budget: %q", got)
	}
}

func TestCaseP16NotesAreNotCrowdedOut(t *testing.T) {
	m := open(t, contextforge.Config{Clock: newClock().Now})
	for i := range 300 {
		if _, err := m.Save(ctx, fmt.Sprintf("deploy log deploy step %d deploy ok", i), contextforge.KindSnapshot, contextforge.SaveOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 3 {
		save(t, m, fmt.Sprintf("Note %d: we never deploy on a Friday because nobody is there on Saturday to look after it", i), contextforge.SaveOptions{})
	}
	hits, err := m.Query(ctx, "deploy", contextforge.QueryOptions{TokenBudget: 80})
	if err != nil {
		t.Fatal(err)
	}
	notes, sum := 0, 0
	for _, h := range hits {
		sum += h.Explain.Tokens
		if h.Kind == contextforge.KindManual {
			notes++
			if !h.Explain.Reserved {
				t.Errorf("not marked as reserved: %+v", h.Explain)
			}
		}
	}
	if notes == 0 || sum > 80 {
		t.Errorf("%d notes, %d tokens in %d hits", notes, sum, len(hits))
	}
	hits, err = m.Query(ctx, "deploy", contextforge.QueryOptions{Limit: 5})
	if err != nil || len(hits) != 5 || !slices.ContainsFunc(hits, func(h contextforge.Hit) bool { return h.Kind == contextforge.KindManual }) {
		t.Errorf("limit 5: %d hits without a note, %v", len(hits), err)
	}
}

func TestCaseP25LargeLimits(t *testing.T) {
	m := open(t, contextforge.Config{MaxEntries: contextforge.Unlimited})
	items := make([]contextforge.Item, 12_000)
	for i := range items {
		items[i].Content = fmt.Sprint("many word", i)
	}
	if _, err := m.SaveBatch(ctx, items); err != nil {
		t.Fatal(err)
	}
	g, err := m.Engine()
	if err != nil {
		t.Fatal(err)
	}
	for limit, want := range map[int]int{10_000: 10_000, 0: 0, -1: 12_000, math.MaxInt: 12_000} {
		if got, err := g.Search(ctx, "many", "", limit); err != nil || len(got) != want {
			t.Errorf("limit %d: %d, %v", limit, len(got), err)
		}
	}
	for _, limit := range []int{10_000, 0, -1, -5, math.MaxInt} {
		want := 12_000
		if limit == 10_000 {
			want = limit
		}
		for _, q := range []string{"many", contextforge.MatchAll} {
			if got := ask(t, m, q, contextforge.QueryOptions{Limit: limit, TokenBudget: -7}); len(got) != want {
				t.Errorf("%q limit %d: %d", q, limit, len(got))
			}
		}
	}
}

func TestCaseW13CapacityIsExact(t *testing.T) {
	dir := t.TempDir() + "/m"
	var gone []contextforge.Eviction
	hooks := contextforge.Hooks{Evicted: func(_ ctxType, list []contextforge.Eviction) { gone = append(gone, list...) }}
	m := open(t, contextforge.Config{Path: dir, MaxEntries: 3, Hooks: hooks})
	for _, sec := range []int64{10, 20, 30} {
		save(t, m, fmt.Sprint("w", sec), at(sec))
	}
	save(t, m, "older than all", at(5)) // leaves at once instead of pushing a newer one out
	if got := contents(t, m, contextforge.MatchAll, contextforge.QueryOptions{}); !slices.Equal(got, []string{"w30", "w20", "w10"}) {
		t.Errorf("left %q", got)
	}
	if len(gone) != 1 || gone[0].Expired {
		t.Errorf("reported %+v", gone)
	}
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	m = open(t, contextforge.Config{Path: dir, MaxEntries: 1, Hooks: hooks})
	if got := contents(t, m, contextforge.MatchAll, contextforge.QueryOptions{}); !slices.Equal(got, []string{"w30"}) || len(gone) != 3 {
		t.Errorf("after shrinking %q, reported %+v", got, gone)
	}
}

func TestCaseW15OneIndexForAll(t *testing.T) {
	m, _ := remember(t, "first")
	g, err := m.Engine()
	if err != nil {
		t.Fatal(err)
	}
	if err := g.Save(ctx, contextforge.Entry{ID: "x", Content: "written below"}); err != nil {
		t.Fatal(err)
	}
	if got := ask(t, m, "below", contextforge.QueryOptions{}); !slices.Equal(got, []string{"x"}) {
		t.Errorf("found %q", got)
	}
}

func TestCaseW36LongTokens(t *testing.T) {
	for _, a := range []analyzer.Analyzer{nil, analyzer.NewStandard()} {
		m := open(t, contextforge.Config{Analyzer: a})
		hash := strings.Repeat("deadbeef01", 8)
		id := save(t, m, "commit "+hash, contextforge.SaveOptions{})
		if got := ask(t, m, hash, contextforge.QueryOptions{}); !slices.Equal(got, []string{id}) {
			t.Errorf("found %q", got)
		}
	}
}
