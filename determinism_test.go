package contextforge_test

// The same entries give the same answers, bit for bit: on every platform (the
// golden files hold the bits of every score), and however the entries came into
// the memory.

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"hash/fnv"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/contextforge-go/contextforge"
	"github.com/contextforge-go/contextforge/lexicon"
)

var update = flag.Bool("update", false, "write the golden files anew")

const (
	goldenQuestions = 40
	goldenHits      = 6 // written out of each answer; all are in its sum
)

// conversationEnd is the "now" of the golden answers.
var conversationEnd = time.Date(2026, time.October, 1, 12, 0, 0, 0, time.UTC)

func readLines[T any](t testing.TB, name string) []T {
	t.Helper()
	f, err := os.ReadFile(filepath.Join("testdata", "conversation", name))
	if err != nil {
		t.Fatal(err)
	}
	var out []T
	d := json.NewDecoder(bytes.NewReader(f))
	for {
		var v T
		if err := d.Decode(&v); err == io.EOF {
			return out
		} else if err != nil {
			t.Fatal(err)
		}
		out = append(out, v)
	}
}

type question struct {
	ID    string `json:"id"`
	Text  string `json:"text"`
	Scope string `json:"scope"`
}

// importance is a scorer whose boosts reach both limits of every ranking.
type importance struct{}

func (importance) Score(e lexicon.Item, _ string) float64 {
	switch {
	case e.Kind != contextforge.KindSnapshot:
		return 2.5
	case len(e.Content)%3 == 0:
		return 0.03125
	case strings.HasPrefix(e.Content, "assistant:"):
		return -1.25
	}
	return 0
}

func conversationConfig() contextforge.Config {
	return contextforge.Config{
		Clock: func() time.Time { return conversationEnd }, Lexicon: lexicon.Only(importance{}), MaxEntries: contextforge.Unlimited,
	}
}

func rankings() map[string]contextforge.Ranking {
	return map[string]contextforge.Ranking{
		"default":     contextforge.RankingDefault(),
		"reference":   contextforge.RankingReference(),
		"reference09": contextforge.RankingReference09(),
	}
}

// answers writes the answers to the questions, every float as its bits.
func answers(t testing.TB, m *contextforge.Memory, r contextforge.Ranking, questions []question) string {
	t.Helper()
	var b strings.Builder
	for _, q := range questions {
		hits, err := m.Query(ctx, q.Text, contextforge.QueryOptions{
			Filter: contextforge.Filter{Scope: q.Scope}, TokenBudget: contextforge.Unlimited, AsOf: conversationEnd, Ranking: &r,
		})
		if err != nil {
			t.Fatal(err)
		}
		sum := fnv.New64a()
		lines := make([]string, len(hits))
		for i, h := range hits {
			lines[i] = fmt.Sprintf("%s %016x %016x %016x %016x\n", h.ID, math.Float64bits(h.Score),
				math.Float64bits(h.Explain.Lexical.Score), math.Float64bits(h.Explain.Decay), math.Float64bits(h.Explain.Multiplier))
			sum.Write([]byte(lines[i]))
		}
		fmt.Fprintf(&b, "%s: %d hits, sum %016x\n", q.ID, len(hits), sum.Sum64())
		for _, line := range lines[:min(goldenHits, len(lines))] {
			b.WriteString("  " + line)
		}
	}
	return b.String()
}

// allAnswers are those of every preset.
func allAnswers(t testing.TB, m *contextforge.Memory) map[string]string {
	t.Helper()
	questions := readLines[question](t, "questions.jsonl")[:goldenQuestions]
	out := map[string]string{}
	for name, r := range rankings() {
		out[name] = answers(t, m, r, questions)
	}
	return out
}

func restore(t testing.TB, m *contextforge.Memory, entries ...contextforge.Entry) {
	t.Helper()
	if n, err := m.Restore(ctx, entries); err != nil || n != len(entries) {
		t.Fatalf("%d of %d entries restored: %v", n, len(entries), err)
	}
}

func TestGoldenAnswers(t *testing.T) {
	m := open(t, conversationConfig())
	restore(t, m, readLines[contextforge.Entry](t, "turns.jsonl")...)
	for name, got := range allAnswers(t, m) {
		file := filepath.Join("testdata", "golden", "answers-"+name+".txt")
		got = "# question: number of hits, sum of all; the best: id, bits of score, BM25, decay, multiplier\n" + got
		if *update {
			if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if line, a, b := firstDifference(got, string(want)); line > 0 {
			t.Errorf("%s, line %d:\n got %s\nwant %s", file, line, a, b)
		}
	}
}

// firstDifference returns the number of the first line that differs, 0 if none
// does, and both versions of it.
func firstDifference(a, b string) (line int, x, y string) {
	as, bs := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range max(len(as), len(bs)) {
		x, y = "", ""
		if i < len(as) {
			x = as[i]
		}
		if i < len(bs) {
			y = bs[i]
		}
		if x != y {
			return i + 1, x, y
		}
	}
	return 0, "", ""
}

func TestDeterminismWhateverTheWay(t *testing.T) {
	turns := readLines[contextforge.Entry](t, "turns.jsonl")
	first := open(t, conversationConfig())
	restore(t, first, turns...)
	want := allAnswers(t, first)
	for name, fill := range ways() {
		t.Run(name, func(t *testing.T) {
			cfg := conversationConfig()
			m := fill(t, cfg, slices.Clone(turns), rand.New(rand.NewPCG(1, 2)))
			for ranking, got := range allAnswers(t, m) {
				if line, a, b := firstDifference(got, want[ranking]); line > 0 {
					t.Errorf("%s, line %d:\n got %s\nwant %s", ranking, line, a, b)
				}
			}
			if err := m.Verify(ctx); err != nil {
				t.Error(err)
			}
		})
	}
}

type way = func(*testing.T, contextforge.Config, []contextforge.Entry, *rand.Rand) *contextforge.Memory

func ways() map[string]way {
	return map[string]way{
		"one by one, shuffled": func(t *testing.T, cfg contextforge.Config, turns []contextforge.Entry, rng *rand.Rand) *contextforge.Memory {
			m := open(t, cfg)
			shuffle(rng, turns)
			for _, e := range turns {
				restore(t, m, e)
			}
			return m
		},
		"batches, backwards, reopened": func(t *testing.T, cfg contextforge.Config, turns []contextforge.Entry, rng *rand.Rand) *contextforge.Memory {
			cfg.Path = filepath.Join(t.TempDir(), "memory")
			slices.Reverse(turns)
			m := open(t, cfg)
			for batch := range slices.Chunk(turns, 97) {
				restore(t, m, batch...)
				m = reopen(t, m, cfg)
			}
			return m
		},
		"among others that are gone, merged": func(t *testing.T, cfg contextforge.Config, turns []contextforge.Entry, rng *rand.Rand) *contextforge.Memory {
			m := open(t, cfg)
			fillAmongNoise(t, m, turns, rng)
			if err := m.Compact(ctx); err != nil {
				t.Fatal(err)
			}
			return m
		},
		"among others that are gone, on disk": func(t *testing.T, cfg contextforge.Config, turns []contextforge.Entry, rng *rand.Rand) *contextforge.Memory {
			cfg.Path = filepath.Join(t.TempDir(), "memory")
			cfg.SmallDevice = true
			m := open(t, cfg)
			fillAmongNoise(t, m, turns, rng)
			return reopen(t, m, cfg)
		},
		"updated back, rebuilt": func(t *testing.T, cfg contextforge.Config, turns []contextforge.Entry, rng *rand.Rand) *contextforge.Memory {
			m := open(t, cfg)
			restore(t, m, turns...)
			for _, e := range turns[:60] {
				other, same := "something else entirely", e.Content
				for _, text := range []*string{&other, &same} {
					if _, err := m.Update(ctx, e.ID, contextforge.Change{Content: text}); err != nil {
						t.Fatal(err)
					}
				}
			}
			if err := m.Rebuild(ctx); err != nil {
				t.Fatal(err)
			}
			return m
		},
	}
}

func reopen(t *testing.T, m *contextforge.Memory, cfg contextforge.Config) *contextforge.Memory {
	t.Helper()
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	return open(t, cfg)
}

func shuffle(rng *rand.Rand, entries []contextforge.Entry) {
	rng.Shuffle(len(entries), func(i, j int) { entries[i], entries[j] = entries[j], entries[i] })
}

// fillAmongNoise saves the turns among thousands of others, enough for the text
// index to seal and merge, and deletes those.
func fillAmongNoise(t *testing.T, m *contextforge.Memory, turns []contextforge.Entry, rng *rand.Rand) {
	t.Helper()
	shuffle(rng, turns)
	for batch := range slices.Chunk(turns, 150) {
		noise := make([]contextforge.Entry, 1500)
		for i := range noise {
			like := turns[rng.IntN(len(turns))]
			noise[i] = like
			noise[i].ID, noise[i].SessionID = fmt.Sprintf("noise-%d-%s", i, batch[0].ID), "noise"
		}
		restore(t, m, append(noise, batch...)...)
	}
	if _, err := m.Forget(ctx, contextforge.Filter{SessionID: "noise"}, false); err != nil {
		t.Fatal(err)
	}
}
