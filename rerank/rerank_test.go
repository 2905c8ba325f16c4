package rerank

// Each step against its definition, and what holds for every list.

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// steps runs every step of a sample, by name.
func (s *sample) steps() map[string][]float64 {
	l := s.list()
	means, known := l.Meaning(s.lending.Falling)
	for i, k := range known {
		if !k {
			means[i] = -9 // so that it is told from a cosine of 0
		}
	}
	return map[string][]float64{
		"Lexical": l.Lexical(s.terms, s.lending), "Meaning": means, "Prior": l.Prior(s.form),
		"Session": l.Session(s.scores, s.lending.Falling), "Newest": l.Newest(s.scores, s.lending.Answer, s.lending.Falling),
	}
}

// oracles is steps by the definitions.
func (s *sample) oracles() map[string][]float64 {
	means, known := s.meaning(s.lending.Falling)
	for i, k := range known {
		if !k {
			means[i] = -9
		}
	}
	return map[string][]float64{
		"Lexical": s.lexical(), "Meaning": means, "Prior": s.prior(),
		"Session": s.session(s.lending.Falling), "Newest": s.newest(s.lending.Answer, s.lending.Falling),
	}
}

// near allows for the order of multiplications alone.
func near(a, b float64) bool { return math.Abs(a-b) <= 1e-12*max(1, math.Abs(a)) }

func (s *sample) check(t *testing.T) {
	t.Helper()
	want := s.oracles()
	for step, got := range s.steps() {
		if len(got) != len(s.entries) {
			t.Fatalf("%s: %d results for %d entries", step, len(got), len(s.entries))
		}
		for i := range got {
			if !near(got[i], want[step][i]) { // NaN is near nothing
				t.Fatalf("%s of entry %d is %v, want %v, in %+v", step, i, got[i], want[step][i], s)
			}
		}
	}
}

func TestStepsAreTheirDefinitions(t *testing.T) {
	lists := 3000
	if testing.Short() {
		lists = 300
	}
	for seed := range lists {
		draw(rand.New(rand.NewPCG(uint64(seed), 1)), 30).check(t)
	}
}

func TestOrderOfEntriesDoesNotMatter(t *testing.T) {
	for seed := range 300 {
		rng := rand.New(rand.NewPCG(uint64(seed), 2))
		s := draw(rng, 30)
		order := rng.Perm(len(s.entries))
		got := s.permuted(order).steps()
		for step, want := range s.steps() {
			for to, from := range order {
				if got[step][to] != want[from] {
					t.Fatalf("%s: %v at another place is %v", step, want[from], got[step][to])
				}
			}
		}
	}
}

// An entry without a session keeps its scores to the bit, whatever else is in the
// list; alone the period that is asked for counts.
func TestEntriesWithoutSessionKeepTheirScores(t *testing.T) {
	for seed := range 300 {
		s := draw(rand.New(rand.NewPCG(uint64(seed), 3)), 30)
		s.form.Within = 0
		got := s.steps()
		for i, e := range s.entries {
			if e.Session >= 0 {
				continue
			}
			plain := 0.0
			for k, weight := range s.terms.Weights {
				plain += float64(weight * s.own(i, k))
			}
			cosine := e.Cosine
			if !e.Alike {
				cosine = -9
			}
			for step, want := range map[string]float64{"Lexical": plain, "Meaning": cosine, "Prior": 1, "Session": s.scores[i]} {
				if got[step][i] != want {
					t.Fatalf("%s is %v, want %v", step, got[step][i], want)
				}
			}
		}
	}
}

// With everything off the steps change nothing, to the bit.
func TestAllOffIsIdentity(t *testing.T) {
	for seed := range 300 {
		s := draw(rand.New(rand.NewPCG(uint64(seed), 4)), 30)
		s.lending, s.form = Lending{}, Form{AsksTime: s.form.AsksTime}
		l := s.list()
		lexical := l.Lexical(s.terms, Lending{})
		means, known := l.Meaning(0)
		prior, session, newest := l.Prior(s.form), l.Session(s.scores, 0), l.Newest(s.scores, 0.3, 0)
		for i, e := range s.entries {
			plain := 0.0
			for k, weight := range s.terms.Weights {
				plain += float64(weight * s.own(i, k))
			}
			if lexical[i] != plain || known[i] != e.Alike || e.Alike && means[i] != e.Cosine || prior[i] != 1 ||
				session[i] != s.scores[i] || newest[i] != s.scores[i] {
				t.Fatalf("entry %d: %v %v %v %v %v", i, lexical[i], means[i], prior[i], session[i], newest[i])
			}
		}
	}
}

// A neighbour more, with the terms or without, takes nothing from the words of the
// others.
func TestNeighboursOnlyLend(t *testing.T) {
	for seed := range 500 {
		rng := rand.New(rand.NewPCG(uint64(seed), 5))
		s := draw(rng, 30)
		if len(s.entries) == 0 {
			continue
		}
		e := s.entries[rng.IntN(len(s.entries))]
		if e.Place += 1 - 2*rng.IntN(2); e.Session < 0 || s.at(e.Session, e.Place) >= 0 {
			continue
		}
		before := s.list().Lexical(s.terms, s.lending)
		s.entries = append(s.entries, e)
		for range s.terms.Weights {
			s.terms.TF = append(s.terms.TF, rng.Uint32N(3))
		}
		for i, got := range s.list().Lexical(s.terms, s.lending)[:len(before)] {
			if got < before[i] {
				t.Fatalf("entry %d falls from %v to %v", i, before[i], got)
			}
		}
	}
}

// More of what is good is worth more: a larger cosine of a neighbour, a better best
// score of the session, more tokens.
func TestMonotone(t *testing.T) {
	for seed := range 300 {
		rng := rand.New(rand.NewPCG(uint64(seed), 6))
		s := draw(rng, 30)
		if len(s.entries) == 0 {
			continue
		}
		before := s.steps()
		i := rng.IntN(len(s.entries))
		s.entries[i].Cosine += 0.1
		s.entries[i].Tokens += 5
		s.scores[i] += 0.1
		after := s.steps()
		for _, step := range []string{"Meaning", "Prior", "Session"} {
			for k := range s.entries {
				if after[step][k] < before[step][k] {
					t.Fatalf("%s of %d falls from %v to %v", step, k, before[step][k], after[step][k])
				}
			}
		}
	}
}

// What a step returns stays on the scale of what it was given.
func TestScales(t *testing.T) {
	for seed := range 300 {
		s := draw(rand.New(rand.NewPCG(uint64(seed), 7)), 30)
		got := s.steps()
		most := 0.0
		for _, weight := range s.terms.Weights {
			most += weight
		}
		for i, e := range s.entries {
			best := slices.Max(s.scores)
			switch {
			case got["Lexical"][i] < 0 || got["Lexical"][i] > most+1e-9,
				e.Alike && math.Abs(got["Meaning"][i]) > 1,
				got["Prior"][i] < 0,
				got["Session"][i] < s.scores[i]/(1+s.lending.Falling)-1e-12 || got["Session"][i] > best+1e-12,
				got["Newest"][i] < s.scores[i]/(1+s.lending.Falling)-1e-12 || got["Newest"][i] > best+1e-12:
				t.Fatalf("entry %d of %+v: %v", i, s, got)
			}
		}
	}
}

func TestStepsChangeNothingTheyAreGiven(t *testing.T) {
	s := draw(rand.New(rand.NewPCG(9, 8)), 200)
	scores, entries, tf := slices.Clone(s.scores), slices.Clone(s.entries), slices.Clone(s.terms.TF)
	l := NewList(s.entries)
	l.Lexical(s.terms, s.lending)
	l.Meaning(1)
	l.Prior(s.form)
	l.Session(s.scores, 1)
	l.Newest(s.scores, 1, 1)
	if !slices.Equal(scores, s.scores) || !slices.Equal(entries, s.entries) || !slices.Equal(tf, s.terms.TF) {
		t.Error("changed")
	}
}

func TestEmptyList(t *testing.T) {
	for name, l := range map[string]*List{"nil": NewList(nil), "empty": NewList([]Entry{})} {
		means, known := l.Meaning(1)
		n := len(l.Lexical(Terms{Weights: []float64{1}}, Lending{Reach: 3})) + len(means) + len(known) +
			len(l.Prior(Form{})) + len(l.Session(nil, 1)) + len(l.Newest(nil, 1, 1))
		if n != 0 || l.Len() != 0 {
			t.Errorf("%s: %d results", name, n)
		}
	}
}

// chat is a session of turns whose only term is held by those with a tf.
func chat(marks Marks, tf ...uint32) (*List, Terms) {
	var entries []Entry
	for i := range tf {
		entries = append(entries, Entry{Session: 0, Place: i, Marks: marks})
	}
	return NewList(entries), Terms{Weights: []float64{2}, TF: tf, Saturation: func(tf, _ uint32, _ bool) float64 { return float64(tf) / 8 }}
}

func TestLexicalByHand(t *testing.T) {
	for _, c := range []struct {
		name  string
		marks Marks
		lend  Lending
		tf    []uint32
		want  []float64
	}{
		{"alone", 0, Lending{Reach: 3, Falling: 0.5}, []uint32{4}, []float64{1}},
		{"both sides", 0, Lending{Reach: 2, Falling: 0.5}, []uint32{0, 0, 0, 4, 0, 0, 0}, []float64{0, 0.25, 0.5, 1, 0.5, 0.25, 0}},
		{"the most counts, not the sum", 0, Lending{Reach: 1, Falling: 0.5}, []uint32{4, 0, 8}, []float64{1, 1, 2}},
		{"own is not lowered", 0, Lending{Reach: 1, Falling: 1}, []uint32{1, 8}, []float64{2, 2}},
		{"answers inherit", Asks, Lending{Answer: 0.8}, []uint32{0, 8, 0, 0}, []float64{0, 2, 1.6, 0}},
		{"what is lent isn't lent on", Asks, Lending{Reach: 1, Falling: 0.5, Answer: 0.8}, []uint32{8, 0, 0}, []float64{2, 1.6, 0}},
		{"no reach", 0, Lending{Falling: 0.5}, []uint32{8, 0}, []float64{2, 0}},
		{"no falling", 0, Lending{Reach: 3}, []uint32{8, 0}, []float64{2, 0}},
		{"beyond the ends", 0, Lending{Reach: 16, Falling: 1}, []uint32{0, 0, 8}, []float64{2, 2, 2}},
		{"nobody has it", Asks, Lending{Reach: 3, Falling: 1, Answer: 1}, []uint32{0, 0}, []float64{0, 0}},
	} {
		l, terms := chat(c.marks, c.tf...)
		if got := l.Lexical(terms, c.lend); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// A question inherits nothing from its answer, a text that only ends in the mark of
// a question is none for the answer.
func TestOnlyQuestionsAreInherited(t *testing.T) {
	l, terms := chat(Question, 8, 0)
	if got := l.Lexical(terms, Lending{Answer: 1}); got[1] != 0 {
		t.Errorf("%v", got)
	}
	l, terms = chat(Asks, 0, 8)
	if got := l.Lexical(terms, Lending{Answer: 1}); got[0] != 0 {
		t.Errorf("%v", got)
	}
}

// Gaps and borders of sessions keep neighbours apart.
func TestNeighboursAreOfOneSessionSideBySide(t *testing.T) {
	entries := []Entry{{Session: 0, Place: 1}, {Session: 0, Place: 3}, {Session: 1, Place: 2}, {Session: -1, Place: 2}, {Session: -1, Place: 3}, {Session: 0, Place: 4}}
	l := NewList(entries)
	if !slices.Equal(l.before, []int32{-1, -1, -1, -1, -1, 1}) || !slices.Equal(l.after, []int32{-1, 5, -1, -1, -1, -1}) {
		t.Errorf("before %v, after %v", l.before, l.after)
	}
	if l.Len() != 6 {
		t.Error("sessions")
	}
}

func TestPriorByHand(t *testing.T) {
	entries := []Entry{
		{Session: -1, Tokens: 1, Marks: Question | Asks | Times | Speaker},
		{Session: 0, Place: 0, Tokens: 60},
		{Session: 0, Place: 1, Tokens: 15, Marks: Question | Asks | Speaker},
		{Session: 0, Place: 2, Tokens: 600, Marks: Times},
		{Session: 1, Place: 3, Tokens: 0, Marks: Times | Speaker},
		{Session: 1, Place: 4, Tokens: -7, Marks: Within},
		{Session: -1, Marks: Within},
	}
	for _, c := range []struct {
		name string
		form Form
		want []float64
	}{
		{"off", Form{}, []float64{1, 1, 1, 1, 1, 1, 1}},
		{"substance", Form{Substance: 0.5}, []float64{1, 1, 0.5, 1, math.Sqrt(1.0 / 60), math.Sqrt(1.0 / 60), 1}},
		{"questions", Form{Questions: 0.25}, []float64{1, 1, 0.75, 1, 1, 1, 1}},
		{"times, not asked for", Form{Times: 0.5}, []float64{1, 1, 1, 1, 1, 1, 1}},
		{"times", Form{Times: 0.5, AsksTime: true}, []float64{1, 1, 1, 1.5, 1.5, 1, 1}},
		{"speaker", Form{Speaker: 0.5}, []float64{1, 1, 1.5, 1, 1.5, 1, 1}},
		{"reply", Form{Reply: 0.5}, []float64{1, 1, 1, 1.5, 1, 1, 1}},
		{"within", Form{Within: 0.5}, []float64{1, 1, 1, 1, 1, 1.5, 1.5}},
		{"all", Form{0.5, 0.25, 0.5, true, 0.5, 0.5, 0.5}, []float64{1, 1, 0.5625, 2.25, 2.25 * math.Sqrt(1.0/60), 1.5 * math.Sqrt(1.0/60), 1.5}},
	} {
		for i, got := range NewList(entries).Prior(c.form) {
			if !near(got, c.want[i]) {
				t.Errorf("%s: entry %d has %v, want %v", c.name, i, got, c.want[i])
			}
		}
	}
}

func TestNewestByHand(t *testing.T) {
	for _, c := range []struct {
		name         string
		secs         []int64
		scores, want []float64
		within, gain float64
	}{
		{"the best is the newest", []int64{3, 2, 1, 0}, []float64{1, 0.9, 0.5, 0.5}, []float64{1, 0.9 / 1.25, 0.5 / 1.25, 0.5 / 1.25}, 0.5, 0.5},
		{"a newer one is about as good", []int64{1, 2, 9, 9}, []float64{1, 0.9, 0.5, 0.5}, []float64{1 / 1.15, 1, 0.5 / 1.15, 0.5 / 1.15}, 0.5, 0.5},
		{"but gains too little", []int64{1, 2, 9, 9}, []float64{1, 0.9, 0.5, 0.5}, []float64{1, 0.95, 0.5, 0.5}, 0.5, 0.1},
		{"three of four, two the newest", []int64{10, 30, 30, 20, 99, 0}, []float64{1, 1, 1, 1, 0.5, 0.5}, []float64{1, 1, 1, 1, 0.5, 0.5}, 0.5, 0.5}, // the median is the best
		{"no rival", []int64{1, 2, 3}, []float64{1, 0.1, 0.1}, []float64{1, 0.1, 0.1}, 0.5, 0.5},
		{"all of one time", []int64{5, 5, 5, 5}, []float64{1, 0.9, 0.8, 0.1}, []float64{1, 0.9, 0.8, 0.1}, 1, 1},
		{"all alike", []int64{1, 2, 3}, []float64{0.4, 0.4, 0.4}, []float64{0.4, 0.4, 0.4}, 1, 1},
		{"all nothing", []int64{1, 2}, []float64{0, 0}, []float64{0, 0}, 1, 1},
		{"one", []int64{1}, []float64{0.7}, []float64{0.7}, 1, 1},
	} {
		entries := make([]Entry, len(c.secs))
		for i, sec := range c.secs {
			entries[i] = Entry{Session: -1, Sec: sec}
		}
		for i, got := range NewList(entries).Newest(c.scores, c.within, c.gain) {
			if !near(got, c.want[i]) {
				t.Errorf("%s: entry %d has %v, want %v", c.name, i, got, c.want[i])
			}
		}
	}
}

// Same list, same bits, on every platform.
func TestGoldenBits(t *testing.T) {
	s := draw(rand.New(rand.NewPCG(11, 12)), 40)
	steps := s.steps()
	var b strings.Builder
	for _, step := range []string{"Lexical", "Meaning", "Prior", "Session", "Newest"} {
		sum := uint64(14695981039346656037)
		for _, x := range steps[step] {
			sum = (sum ^ math.Float64bits(x)) * 1099511628211
		}
		fmt.Fprintf(&b, "%s %d %016x\n", step, len(steps[step]), sum)
	}
	if got := b.String(); got != golden {
		t.Errorf("got\n%s", got)
	}
}

const golden = `Lexical 28 17d9c15239d081d5
Meaning 28 bd3b9c80ab4caf72
Prior 28 8e01bd8136d1f63a
Session 28 4e137e50bddc4fc7
Newest 28 990c3e30f44c1027
`
