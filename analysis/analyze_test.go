// The whole pipeline: the same at any parallelism, what its stages give by hand,
// ended by its context, weakness W10.

package analysis

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// sample returns talk of about so many bytes, the same for the same seed: of a
// few subjects, with statements, decisions, corrections and confirmations, code
// and lists between them, and some words that nobody says twice.
func sample(seed uint64, size int) string {
	rng := rand.New(rand.NewPCG(seed, 10))
	pick := func(list string) string {
		words := strings.Split(list, "|")
		return words[rng.IntN(len(words))]
	}
	subject := func() string {
		return pick("the deploy pipeline|our payment gateway|the search index|the retry queue|the audit log|the billing worker|" +
			"the login page|the nightly backup|the rate limiter|the cache layer|the message broker|the feature flag|the staging cluster")
	}
	thing := func() string {
		return fmt.Sprintf("%s%d", pick("node|host|ticket|shard|batch|release"), rng.IntN(5000))
	}
	var b strings.Builder
	for b.Len() < size {
		switch rng.IntN(14) {
		case 0:
			fmt.Fprintf(&b, "The port of %s is set to %d. ", subject(), rng.IntN(9000))
		case 1:
			fmt.Fprintf(&b, "We chose %s over %s because %s was slow. ", pick("Redis|Kafka|Postgres"), pick("NATS|MySQL|SQLite"), thing())
		case 2:
			fmt.Fprintf(&b, "No, %s is not on %s any more. ", subject(), thing())
		case 3:
			fmt.Fprintf(&b, "Yes, confirmed: %s works as expected after the change. ", subject())
		case 4:
			fmt.Fprintf(&b, "Could you look at %s and tell me why %s failed? ", subject(), thing())
		case 5:
			fmt.Fprintf(&b, "\n```go\nfunc run%d() { x := 5; y == x }\n```\n", rng.IntN(100))
		case 6:
			fmt.Fprintf(&b, "\n- look at /var/log/%s.log\n- restart %s\n", thing(), thing())
		default:
			fmt.Fprintf(&b, "Then %s %s %s near %s, and the %s of it seemed %s to everybody. ", pick("Ana|Bo|the team|someone"),
				pick("checked|restarted|rewrote|measured|moved"), subject(), thing(), pick("latency|size|output|owner|schedule"),
				pick("fine|odd|too high|too low|unclear"))
		}
	}
	return b.String()[:size]
}

// sampleSessions returns sessions of so many bytes in all, an hour apart, each of
// a few entries.
func sampleSessions(size, sessions int) []Session {
	list := make([]Session, sessions)
	each := size / sessions
	entries := max(1, min(each/2000, 40))
	for i := range list {
		list[i].ID = fmt.Sprintf("s%03d", i)
		for k := range entries {
			list[i].Entries = append(list[i].Entries, Entry{
				ID:        fmt.Sprintf("e%03d-%d", i, k),
				Content:   sample(uint64(i*1000+k), each/entries),
				Timestamp: at(float64(i) + float64(k)/100),
			})
		}
	}
	return list
}

// collect returns all segments, and the error with which they end.
func collect(seq iter.Seq2[Segment, error]) (segments []Segment, err error) {
	for s, e := range seq {
		if err != nil {
			panic("something follows an error")
		}
		if e != nil {
			err = e
			continue
		}
		segments = append(segments, s)
	}
	return segments, err
}

// byHand calls the stages one by one: what Analyze has to give.
func byHand(sessions []Session, cfg Config) []Segment {
	tokenizer := NewTokenizer(cfg.Tokens)
	var counts []map[string]int
	var sources []Source
	now := cfg.Now
	for _, s := range sessions {
		counts = append(counts, SessionCounts(s, tokenizer, cfg.Prefilter))
		for _, e := range s.Entries {
			sources = append(sources, Source{EntryID: e.ID, SessionID: s.ID, Content: Prefilter(e.Content, cfg.Prefilter), Timestamp: e.Timestamp})
			if cfg.Now.IsZero() && e.Timestamp.After(now) {
				now = e.Timestamp
			}
		}
	}
	terms := Recurring(counts, cfg.Recurrence)
	var names []string
	for _, term := range terms {
		names = append(names, term.Text)
	}
	cfg.Extract.Tokenizer, cfg.Classify.Tokenizer = tokenizer, tokenizer
	once := !cfg.Extract.KeepDuplicates
	cfg.Extract.KeepDuplicates = true
	classified := Classify(Extract(sources, names, cfg.Extract), cfg.Classify)
	if once {
		all := slices.Clone(classified)
		classified = slices.DeleteFunc(classified, func(c Classified) bool {
			return slices.ContainsFunc(all, func(o Classified) bool { return o.Text == c.Text && o.Timestamp.After(c.Timestamp) })
		})
	}
	segments := Score(classified, terms, now, AdjustWeights(cfg.Score, cfg.Compactions))
	if cfg.Budget <= 0 {
		cfg.Budget = -1
	}
	return Pack(segments, ScaleBudget(cfg.Budget, cfg.Compactions, cfg.Scale))
}

func TestAnalyzeIsTheStages(t *testing.T) {
	sessions := sampleSessions(60_000, 12)
	configs := map[string]Config{
		"defaults":    {},
		"budget":      {Budget: 500},
		"compactions": {Budget: 500, Compactions: 3, Scale: ScaleConfig{Factor: 0.5, Cap: 800}},
		"now":         {Now: at(24 * 365)},
		"all settings": {
			Prefilter: PrefilterConfig{KeepCodeFences: true}, Tokens: TokenConfig{ExtraStopWords: []string{"queue", "node1"}},
			Recurrence: RecurrenceConfig{MinSessions: 3, MaxRatio: 0.9, Blocklist: []string{"Audit  Log"}},
			Extract:    ExtractConfig{Window: -1, KeepDuplicates: true, MaxSentences: 2},
			Classify:   ClassifyConfig{Proximity: 2, ReinforcingSessions: 2, ReinforcingOverlap: 0.4},
			Score:      ScoreConfig{Decisive: 3, HalfLife: time.Hour},
		},
	}
	for name, cfg := range configs {
		t.Run(name, func(t *testing.T) {
			want := byHand(sessions, cfg)
			got, err := collect(Analyze(t.Context(), sessions, cfg))
			if err != nil || len(got) == 0 || !reflect.DeepEqual(got, want) {
				t.Errorf("%v; %d segments, want %d", err, len(got), len(want))
			}
		})
	}
}

// TestAnalyzeRepetitions says things again, word by word.
func TestAnalyzeRepetitions(t *testing.T) {
	says := func(texts ...string) []Session {
		var list []Session
		for i, text := range append(texts, "Lunch.", "A walk.") {
			list = append(list, Session{ID: fmt.Sprint("s", i), Entries: []Entry{{ID: fmt.Sprint("e", i), Content: text, Timestamp: at(float64(i))}}})
		}
		return list
	}
	const eighty, eightyOne = "The gateway port is now 80.", "The gateway port is now 81."
	const confirmed = "Yes, correct, the gateway cluster uses Postgres."
	for _, tt := range []struct {
		name     string
		sessions []Session
		text     string
		category Category
		entry    string
	}{
		{"what was set back stands", says(eighty, eightyOne, eighty), eighty, Stateful, "e2"},
		{"what was changed doesn't", says(eighty, eighty, eightyOne), eightyOne, Stateful, "e2"},
		{"the same confirmed thrice", says(confirmed, confirmed, confirmed), confirmed, Reinforcing, "e2"},
	} {
		got, err := collect(Analyze(t.Context(), tt.sessions, Config{}))
		if err != nil || len(got) != 1 || got[0].Text != tt.text || !slices.Equal(got[0].Categories, []Category{tt.category}) || got[0].EntryID != tt.entry {
			t.Errorf("%s: %v, %+v", tt.name, err, got)
		}
	}
	got, err := collect(Analyze(t.Context(), says(confirmed, confirmed), Config{Extract: ExtractConfig{KeepDuplicates: true}}))
	if err != nil || len(got) != 2 {
		t.Errorf("duplicates kept: %v, %+v", err, got)
	}
}

func TestAnalyzeParallel(t *testing.T) {
	processors := runtime.GOMAXPROCS(0)
	for _, size := range [][2]int{{40_000, 5}, {60_000, 60}} {
		sessions := sampleSessions(size[0], size[1])
		want, err := collect(Analyze(t.Context(), sessions, Config{Parallelism: 1}))
		if err != nil || len(want) == 0 {
			t.Fatal(len(want), err)
		}
		// Row 207: a bound, none, whatever the machine has.
		for _, n := range []int{2, 3, 8, 1000, 0, -1} {
			got, err := collect(Analyze(t.Context(), sessions, Config{Parallelism: n}))
			if err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%d sessions, parallelism %d: %v; %d segments, want %d", size[1], n, err, len(got), len(want))
			}
		}
	}
	if runtime.GOMAXPROCS(0) != processors {
		t.Error("row 207: GOMAXPROCS was changed")
	}
}

// Row 207: never more workers than asked for, each piece once, those of one
// worker in turn.
func TestInParallel(t *testing.T) {
	for _, tt := range []struct{ workers, n, started int }{{2, 100, 2}, {1, 100, 1}, {8, 3, 3}, {5, 0, 0}, {3, 1, 1}} {
		started := make(chan bool, 100)
		done := make([]int, tt.n)
		err := inParallel(t.Context(), tt.workers, tt.n, func() func(int) {
			started <- true
			return func(i int) { done[i]++ }
		})
		if err != nil || len(started) > tt.started || slices.ContainsFunc(done, func(n int) bool { return n != 1 }) {
			t.Errorf("%+v: %v, %d workers, %v", tt, err, len(started), done)
		}
	}
	if got := workers(2); got != 2 {
		t.Errorf("%d workers instead of 2", got)
	}
	if got := workers(0); got != runtime.GOMAXPROCS(0) {
		t.Errorf("%d workers by default", got)
	}
}

func TestInParallelEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	done := 0
	err := inParallel(ctx, 1, 100, func() func(int) {
		return func(i int) {
			if done++; i == 9 {
				cancel()
			}
		}
	})
	if !errors.Is(err, context.Canceled) || done != 10 {
		t.Errorf("%v after %d pieces", err, done)
	}
}

func TestAnalyzeNothing(t *testing.T) {
	entry := []Entry{{ID: "e", Content: "the same words", Timestamp: at(0)}}
	for name, sessions := range map[string][]Session{
		"no sessions":    nil,
		"no entries":     {{ID: "a"}, {ID: "b"}, {ID: "c"}},
		"one session":    {{ID: "a", Entries: entry}},
		"empty contents": {{Entries: []Entry{{}}}, {Entries: []Entry{{}}}, {Entries: []Entry{{}}}},
	} {
		if got, err := collect(Analyze(t.Context(), sessions, Config{})); err != nil || len(got) > 0 {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
}

// W10: from entries to segments in one call.
func TestW10(t *testing.T) {
	var sessions []Session
	for i, text := range []string{
		"The deploy port is set to 80.\nUnrelated chatter.", "We talked about lunch.", "The deploy port is now 81.", "Weather.", "Who knows.",
	} {
		id := fmt.Sprint(i)
		sessions = append(sessions, Session{ID: "s" + id, Entries: []Entry{{ID: "e" + id, Content: text, Timestamp: at(float64(i * 24))}}})
	}
	got, err := collect(Analyze(t.Context(), sessions, Config{}))
	if err != nil || len(got) != 1 {
		t.Fatalf("%+v, %v", got, err)
	}
	s := got[0]
	if s.Text != "The deploy port is now 81." || s.EntryID != "e2" || s.SessionID != "s2" || !slices.Equal(s.Categories, []Category{Stateful}) ||
		s.SessionFrequency != 2 || s.Recurrence != 0.4 || s.CategoryWeight != 1.2 || !slices.Contains(s.Terms, "deploy port") {
		t.Errorf("%+v", s)
	}
}

func TestAnalyzeEnds(t *testing.T) {
	sessions := sampleSessions(40_000, 10)
	before := runtime.NumGoroutine()
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for _, n := range []int{1, 4} {
		if got, err := collect(Analyze(ended, sessions, Config{Parallelism: n})); !errors.Is(err, context.Canceled) || len(got) > 0 {
			t.Errorf("%d segments, %v", len(got), err)
		}
		if got, err := collect(Analyze(ended, nil, Config{Parallelism: n})); !errors.Is(err, context.Canceled) || len(got) > 0 {
			t.Errorf("nothing to analyse: %d segments, %v", len(got), err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	n := 0
	var last error
	for _, err := range Analyze(ctx, sessions, Config{}) {
		if last = err; err == nil {
			if n++; n == 3 {
				cancel()
			}
		}
	}
	if n != 3 || !errors.Is(last, context.Canceled) {
		t.Errorf("%d segments, %v", n, last)
	}
	for range Analyze(t.Context(), sessions, Config{}) {
		break
	}
	// The result is there only when all goroutines have done their work, but one of
	// them may still be about to vanish.
	for i := 0; runtime.NumGoroutine() > before && i < 1000; i++ {
		time.Sleep(time.Millisecond)
	}
	if after := runtime.NumGoroutine(); after > before {
		t.Errorf("%d goroutines, %d before", after, before)
	}
}

// endsAfter is a context that ends when it was asked so many times.
type endsAfter struct {
	context.Context
	left int
}

func (c *endsAfter) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

// Wherever the context ends, its error is the last element.
func TestAnalyzeEndsAnywhere(t *testing.T) {
	sessions := sampleSessions(12_000, 6)
	whole, err := collect(Analyze(t.Context(), sessions, Config{Parallelism: 1}))
	if err != nil {
		t.Fatal(err)
	}
	for left := 0; ; left++ {
		got, err := collect(Analyze(&endsAfter{t.Context(), left}, sessions, Config{Parallelism: 1}))
		if err == nil {
			if !reflect.DeepEqual(got, whole) {
				t.Errorf("%d segments of %d without an error", len(got), len(whole))
			}
			break
		}
		if !errors.Is(err, context.Canceled) || len(got) >= len(whole) || !reflect.DeepEqual(got, whole[:len(got):len(got)]) && len(got) > 0 {
			t.Fatalf("after %d: %d segments, %v", left, len(got), err)
		}
	}
}

func TestImportance(t *testing.T) {
	tests := []struct {
		name string
		in   []Segment
		want map[string]float64
	}{
		{"none", nil, map[string]float64{}},
		{"the greatest of each, scaled", []Segment{{EntryID: "a", Importance: 0.5}, {EntryID: "b", Importance: 2}, {EntryID: "a", Importance: 1}}, map[string]float64{"a": 0.5, "b": 1}},
		{"nothing has any", []Segment{{EntryID: "a"}, {EntryID: "b"}}, map[string]float64{"a": 0, "b": 0}},
		{"tiny", []Segment{{EntryID: "a", Importance: 5e-324}}, map[string]float64{"a": 1}},
	}
	for _, tt := range tests {
		if got := Importance(slices.Values(tt.in)); !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

func BenchmarkAnalyze(b *testing.B) {
	for _, size := range []struct {
		name  string
		bytes int
	}{{"10KB", 10_000}, {"100KB", 100_000}, {"1MB", 1_000_000}} {
		for _, n := range []int{5, 50, 500} {
			sessions := sampleSessions(size.bytes, n)
			for _, mode := range []struct {
				name        string
				parallelism int
			}{{"serial", 1}, {"parallel", 0}} {
				b.Run(fmt.Sprintf("%s/%d/%s", size.name, n, mode.name), func(b *testing.B) {
					b.SetBytes(int64(size.bytes))
					b.ReportAllocs()
					for b.Loop() {
						for _, err := range Analyze(b.Context(), sessions, Config{Parallelism: mode.parallelism}) {
							if err != nil {
								b.Fatal(err)
							}
						}
					}
				})
			}
		}
	}
}

func BenchmarkClassify(b *testing.B) {
	for _, n := range []int{100, 1000} {
		var passages []Passage
		for i := range n {
			passages = append(passages, Passage{
				Text: sample(uint64(i), 500), Terms: []string{"deploy pipeline", "payment gateway", "retry queue", "staging cluster"}, SessionID: fmt.Sprint(i % 20),
			})
		}
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.SetBytes(int64(n * 500))
			b.ReportAllocs()
			for b.Loop() {
				Classify(passages, ClassifyConfig{})
			}
		})
	}
}
