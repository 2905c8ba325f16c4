package contextforge_test

// Longest sentences: when they get vectors, and what these do to a query.

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/contextforge-go/contextforge"
)

const (
	said     = "Ann: Oh. I drove my new car to Rome last week. Nice!"
	longest  = "Ann: I drove my new car to Rome last week."
	oneThing = "one sentence alone says it"
)

// texts are all that an embedder was asked for since.
func (b *bag) texts() []string { return slices.Concat(b.take()...) }

// sentences checks the figures of a memory.
func sentences(t *testing.T, m *contextforge.Memory, embedded, second, waiting int) {
	t.Helper()
	if st := stats(t, m); st.Embedded != embedded || st.Sentences != second || st.Waiting != waiting {
		t.Errorf("%d embedded, %d sentences, %d waiting, want %d, %d, %d", st.Embedded, st.Sentences, st.Waiting, embedded, second, waiting)
	}
	if err := m.Verify(ctx); err != nil {
		t.Error(err)
	}
}

func TestSentencesAreEmbedded(t *testing.T) {
	for _, c := range []struct {
		name string
		on   bool
		want []string
	}{
		{"on", true, []string{said, longest, oneThing}},
		{"off", false, []string{said, oneThing}},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := newBag()
			m := open(t, contextforge.Config{Embedder: e, SentenceVectors: c.on})
			items := []contextforge.Item{{Content: said}, {Content: oneThing}, {Content: said}}
			if _, err := m.SaveBatch(ctx, items); err != nil {
				t.Fatal(err)
			}
			if got := e.texts(); !slices.Equal(got, c.want) {
				t.Errorf("embedded %q, want %q", got, c.want)
			}
			save(t, m, said, contextforge.SaveOptions{Scope: "elsewhere"})
			if got := e.texts(); len(got) != 0 {
				t.Errorf("known texts were embedded: %q", got)
			}
			second := 0
			if c.on {
				second = 3
			}
			sentences(t, m, 4, second, 0)
		})
	}
}

// What is embedded of a sentence has no secrets, and fits the embedder.
func TestSentencesAreCutAndRedacted(t *testing.T) {
	e := newBag()
	e.tokens = 20
	m := open(t, contextforge.Config{Embedder: e, SentenceVectors: true})
	save(t, m, "Well. The key AKIAIOSFODNN7EXAMPLQ is what "+strings.Repeat("you asked ", 20)+"for.", contextforge.SaveOptions{})
	for _, text := range e.texts() {
		if len(text) > 60 || strings.Contains(text, "AKIA") {
			t.Errorf("embedded %q", text)
		}
	}
	if st := stats(t, m); st.Sentences != 1 || st.Vectors < 4 {
		t.Errorf("stats %+v", st)
	}
}

// Sentences are switched on and off again: a backfill makes those that lack, embeds
// nothing else, and removes them when they are not asked for any more.
func TestSentencesComeAndGo(t *testing.T) {
	e := newBag()
	cfg := contextforge.Config{Embedder: e, Path: filepath.Join(t.TempDir(), "memory")}
	m := open(t, cfg)
	for i := range 10 {
		save(t, m, fmt.Sprintf("Yes. This is number %d.", i), contextforge.SaveOptions{})
		save(t, m, fmt.Sprintf("only %d", i), contextforge.SaveOptions{})
	}
	save(t, m, "Yes. This is number 3.", contextforge.SaveOptions{Scope: "twin"})
	answer := query(t, m, "number 3", all())
	sentences(t, m, 21, 0, 0)
	e.take()

	cfg.SentenceVectors = true
	m = reopen(t, m, cfg)
	sentences(t, m, 21, 0, 0)
	if err := m.Flush(ctx); err != nil || len(e.take()) != 0 {
		t.Errorf("a flush embedded something, %v", err)
	}
	save(t, m, "Yes. This is number 4.", contextforge.SaveOptions{Scope: "twin"})
	if got := e.texts(); !slices.Equal(got, []string{"This is number 4."}) {
		t.Errorf("a text without a sentence so far: embedded %q", got)
	}
	backfill(t, m, 4, 11)
	got := e.texts()
	if slices.ContainsFunc(got, func(text string) bool { return !strings.HasPrefix(text, "This is number ") }) || len(got) != 10 {
		t.Errorf("embedded %q", got) // one of number 3 is that of the other
	}
	sentences(t, m, 22, 12, 0)
	backfill(t, m, 4, 0)
	if _, err := m.Delete(ctx, save(t, m, "Yes. This is number 4.", contextforge.SaveOptions{ID: "gone"})); err != nil {
		t.Fatal(err)
	}
	sentences(t, m, 22, 12, 0)

	cfg.SentenceVectors = false
	m = reopen(t, m, cfg)
	sentences(t, m, 22, 0, 0)
	if st := stats(t, m); len(st.OtherModels) != 0 || len(st.Models) != 1 || st.Models[0].Sentences != 12 {
		t.Errorf("models %v", st.Models)
	}
	e.take()
	backfill(t, m, 4, 0)
	if st, got := stats(t, m), e.texts(); len(st.Models) != 1 || st.Models[0].Sentences != 0 || len(got) != 0 {
		t.Errorf("models %v, embedded %q", st.Models, got)
	}
	again := query(t, m, "number 3", all())
	for i := range min(3, len(again)) {
		if again[i].Content != answer[i].Content {
			t.Errorf("hit %d is %q, was %q", i, again[i].Content, answer[i].Content)
		}
	}
}

// In the background sentences come with the other vectors.
func TestSentencesInTheBackground(t *testing.T) {
	e := newBag()
	opened := gate(e)
	m := open(t, contextforge.Config{Embedder: e, SentenceVectors: true, EmbedMode: contextforge.EmbedInBackground})
	for i := range 5 {
		save(t, m, fmt.Sprintf("Hm. It was number %d.", i), contextforge.SaveOptions{})
	}
	save(t, m, "Hm. It was number 2.", contextforge.SaveOptions{Scope: "twin"})
	sentences(t, m, 0, 0, 6)
	opened()
	if err := m.Flush(ctx); err != nil {
		t.Fatal(err)
	}
	sentences(t, m, 6, 6, 0)
}

// An embedder that fails on a sentence doesn't cost the entry its other vectors, and
// one that fails on a window leaves all for later.
func TestSentencesThatFail(t *testing.T) {
	for _, c := range []struct {
		name           string
		bad            func(text string) bool
		embedded, kept int // of two entries
	}{
		{"the sentence", func(text string) bool { return text == longest }, 2, 1},
		{"the text", func(text string) bool { return text == said }, 1, 1},
		{"both", func(text string) bool { return strings.HasPrefix(text, "Ann") }, 1, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := newBag()
			e.answer = func(_ context.Context, texts []string) ([][]float32, error) {
				if slices.ContainsFunc(texts, c.bad) {
					return nil, errors.New("can't")
				}
				return nil, nil
			}
			m := open(t, contextforge.Config{Embedder: e, SentenceVectors: true})
			items := []contextforge.Item{{Content: said}, {Content: "Fine. The other one is good."}}
			if _, err := m.SaveBatch(ctx, items); err != nil {
				t.Fatal(err)
			}
			sentences(t, m, c.embedded, c.kept, 1)
			if err := m.Flush(ctx); !errors.Is(err, contextforge.ErrEmbedding) {
				t.Error(err)
			}
			sentences(t, m, c.embedded, c.kept, 1)
			if st := stats(t, m); st.EmbedFailures != 2 {
				t.Errorf("%d failures", st.EmbedFailures)
			}
			e.answer = nil
			e.take()
			if err := m.Flush(ctx); err != nil {
				t.Error(err)
			}
			want := []string{said, longest}
			if c.embedded == 2 {
				want = want[1:]
			}
			if got := e.texts(); !slices.Equal(got, want) {
				t.Errorf("tried again: %q, want %q", got, want)
			}
			sentences(t, m, 2, 2, 0)
		})
	}
}

// A huge text has its sentence after the first round, and it is embedded once.
func TestSentenceOfHugeText(t *testing.T) {
	e := newBag()
	e.tokens = 10
	var text strings.Builder
	text.WriteString("Begin. See ")
	for i := range 700 {
		fmt.Fprintf(&text, "w%d ", i)
	}
	m := open(t, contextforge.Config{Embedder: e, SentenceVectors: true, EmbedMode: contextforge.EmbedInBackground})
	save(t, m, text.String(), contextforge.SaveOptions{})
	if err := m.Flush(ctx); err != nil {
		t.Fatal(err)
	}
	sentences(t, m, 1, 1, 0)
	count := map[string]int{}
	for _, text := range e.texts() {
		if strings.HasPrefix(text, "See w0 ") {
			count["sentence"]++
		} else if strings.HasPrefix(text, "Begin. ") {
			count["window"]++
		}
	}
	if count["sentence"] != 1 || count["window"] != 1 {
		t.Errorf("embedded %v times", count)
	}
}

// An entry's cosine is the mean of its own and its longest sentence's, if it has one,
// whether a search found it or its neighbours did.
func TestSentencesCount(t *testing.T) {
	e := newBag()
	e.dim = 1024
	cfg := contextforge.Config{Embedder: e, SentenceVectors: true, Clock: newClock().Now}
	m := open(t, cfg)
	const asked = "vehicle to rome last week"
	for i, text := range []string{said, oneThing, "What? I can't hear what you say about the car.", "And so on, and so on"} {
		save(t, m, text, contextforge.SaveOptions{ID: fmt.Sprint(i), SessionID: fmt.Sprint("s", i/2)})
	}
	save(t, m, "The report. A vehicle with four wheels stood in the yard.", contextforge.SaveOptions{ID: "note"})
	own := map[string]string{said: longest, "What? I can't hear what you say about the car.": "I can't hear what you say about the car.",
		"The report. A vehicle with four wheels stood in the yard.": "A vehicle with four wheels stood in the yard."}
	r := contextforge.RankingDefault()
	r.NeighbourMeaning = 0
	for _, share := range []float64{0, 0.25, 0.5, 1} {
		r.SentenceShare = share
		o := all()
		o.Ranking = &r
		hits := query(t, m, asked, o)
		if len(hits) != 5 {
			t.Fatalf("%d hits", len(hits))
		}
		for _, h := range hits {
			cos := cosine(e.vector(asked), e.vector(h.Content))
			want := cos
			if s := own[h.Content]; s != "" {
				want = (1-share)*cos + share*cosine(e.vector(asked), e.vector(s))
			}
			if math.Abs(h.Explain.Meaning-want) > 0.005 || math.Abs(h.Explain.Semantic.Score-cos) > 1e-6 {
				t.Errorf("share %v, %q: counts %v, cosine %v, want %v, %v", share, h.Content, h.Explain.Meaning, h.Explain.Semantic.Score, want, cos)
			}
		}
	}
	meaning := func(r *contextforge.Ranking) float64 {
		o := all()
		o.Ranking = r
		return hitOf(t, query(t, m, asked, o), "note").Explain.Meaning
	}
	half, none := contextforge.RankingDefault(), contextforge.RankingDefault()
	half.SentenceShare = 0.5
	if meaning(nil) != meaning(&half) || meaning(nil) == meaning(&none) {
		t.Errorf("sentences don't count half without a ranking: %v, %v, %v", meaning(nil), meaning(&half), meaning(&none))
	}
}

// Without sentences a share of theirs changes nothing.
func TestSentenceShareWithoutSentences(t *testing.T) {
	m := open(t, contextforge.Config{Embedder: newBag(), Clock: newClock().Now})
	for i, text := range []string{said, oneThing, "What? I can't hear you."} {
		save(t, m, text, contextforge.SaveOptions{ID: fmt.Sprint(i), SessionID: "s"})
	}
	r := contextforge.RankingDefault()
	r.SentenceShare = 0.5
	o := all()
	without := query(t, m, "vehicle to rome", o)
	o.Ranking = &r
	for i, h := range query(t, m, "vehicle to rome", o) {
		if h.ID != without[i].ID || h.Score != without[i].Score {
			t.Errorf("hit %d is %s with %v, want %s with %v", i, h.ID, h.Score, without[i].ID, without[i].Score)
		}
	}
	words := open(t, contextforge.Config{SentenceVectors: true}) // nothing to embed with
	save(t, words, said, contextforge.SaveOptions{})
	if hits := query(t, words, "rome", all()); len(hits) != 1 {
		t.Errorf("%d hits by words", len(hits))
	}
}

// hitOf returns the hit of an entry.
func hitOf(t *testing.T, hits []contextforge.Hit, id string) contextforge.Hit {
	t.Helper()
	i := slices.IndexFunc(hits, func(h contextforge.Hit) bool { return h.ID == id })
	if i < 0 {
		t.Fatalf("%q is not among %d hits", id, len(hits))
	}
	return hits[i]
}

// Sentences of another model are counted with it, and go with it.
func TestSentencesOfAnotherModel(t *testing.T) {
	cfg := contextforge.Config{Embedder: newBag(), SentenceVectors: true, Path: filepath.Join(t.TempDir(), "memory")}
	m := open(t, cfg)
	save(t, m, said, contextforge.SaveOptions{})
	e := newBag()
	e.name = "another"
	cfg.Embedder = e
	m = reopen(t, m, cfg)
	sentences(t, m, 0, 0, 0)
	old := contextforge.ModelStats{ID: "bag", Dimension: 64, Entries: 1, Vectors: 1, Sentences: 1}
	if st := stats(t, m); !slices.Equal(st.OtherModels, []string{"bag"}) || len(st.Models) != 2 || st.Models[1] != old {
		t.Errorf("stats %+v", st)
	}
	backfill(t, m, 0, 1)
	sentences(t, m, 1, 1, 0)
	if st := stats(t, m); len(st.OtherModels) != 0 || len(st.Models) != 1 {
		t.Errorf("stats %+v", st)
	}
}
