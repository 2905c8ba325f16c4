package contextforge_test

// What conversations are found by: the words around a turn, dates, who speaks.

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/contextforge-go/contextforge"
)

var mayDay = time.Date(2023, 5, 8, 18, 0, 0, 0, time.UTC)

// say saves turns of a session, a minute apart; their ids are the session with the
// number of the turn, from 1.
func say(t testing.TB, m *contextforge.Memory, session string, at time.Time, texts ...string) {
	t.Helper()
	var items []contextforge.Item
	for i, text := range texts {
		items = append(items, contextforge.Item{Content: text, Kind: "turn", SaveOptions: contextforge.SaveOptions{
			ID: fmt.Sprint(session, i+1), SessionID: session, Timestamp: at.Add(time.Duration(i) * time.Minute),
		}})
	}
	if _, err := m.SaveBatch(ctx, items); err != nil {
		t.Fatal(err)
	}
}

func fine(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// ranked are options with a changed default ranking, and no bounds.
func ranked(change func(*contextforge.Ranking)) contextforge.QueryOptions {
	r := withRanking(change)
	o := all()
	o.Ranking = &r
	return o
}

// hitsByID returns the hits by their ids.
func hitsByID(hits []contextforge.Hit) map[string]contextforge.Hit {
	out := map[string]contextforge.Hit{}
	for _, h := range hits {
		out[h.ID] = h
	}
	return out
}

// pottery is a memory with a conversation in which one turn names its subject.
func pottery(t *testing.T, cfg contextforge.Config) *contextforge.Memory {
	t.Helper()
	m := open(t, cfg)
	say(t, m, "s", mayDay, "Good evening to you.", "Nice weather lately.", "Indeed, sunny.", "The children liked the clay.",
		"We all went to the pottery workshop.", "Everybody made a cup.", "Mine broke, sadly.", "Next one will hold.", "See you around.", "Bye then.")
	say(t, m, "other", mayDay, "Something else entirely.", "Still nothing of note.")
	return m
}

func TestTurnsAreFoundByTheirNeighboursWords(t *testing.T) {
	m := pottery(t, contextforge.Config{})
	for reach := range 5 {
		o := ranked(func(r *contextforge.Ranking) { r.Neighbours = reach })
		hits := query(t, m, "pottery", o)
		want := []string{}
		for i := 5 - reach; i <= 5+reach; i++ {
			want = append(want, fmt.Sprint("s", i))
		}
		got := ids(hits)
		if slices.Sort(got); !slices.Equal(got, want) {
			t.Errorf("reach %d: %q, want %q", reach, got, want)
		}
		if hits[0].ID != "s5" {
			t.Errorf("reach %d: the first is %s", reach, hits[0].ID)
		}
		words := hits[0].Explain.Words
		for _, h := range hits {
			n := h.ID[1] - '5'
			if h.ID[1] < '5' {
				n = '5' - h.ID[1]
			}
			if want := words * math.Exp2(-float64(n)); h.Explain.Words != want || (h.Explain.Lexical.Rank > 0) != (n == 0) {
				t.Errorf("reach %d, %s: %v, want words of %v", reach, h.ID, h.Explain, want)
			}
		}
	}
	if got := ask(t, m, "pottery", contextforge.QueryOptions{Ranking: searchesAlone()}); !slices.Equal(got, []string{"s5"}) {
		t.Errorf("the searches alone find %q", got)
	}
}

// Two subjects together are told about in the turn that has one and stands beside
// the other.
func TestWordsOfNeighboursAddUp(t *testing.T) {
	m := open(t, contextforge.Config{})
	say(t, m, "a", mayDay, "Nora plays the violin in an orchestra.", "It was a gift.")
	say(t, m, "b", mayDay, "Such a fine violin there.", "Who knows.", "Not me.", "Nor I.", "A gift came by mail.")
	if got := ask(t, m, "violin gift", all()); !slices.Contains(got[:2], "a1") || !slices.Contains(got[:2], "a2") {
		t.Errorf("found %q", got)
	}
}

func TestAnswersInheritTheirQuestion(t *testing.T) {
	m := open(t, contextforge.Config{})
	say(t, m, "s", mayDay, "Hm.", "Where did you buy the accordion?", "In a small shop behind the station, from an old man.", "Hm.")
	say(t, m, "t", mayDay, "Hm.", "Somebody sold the accordion.", "In a small shop behind the station, from an old woman.", "Hm.")
	score := func(o contextforge.QueryOptions, id string) contextforge.Explanation {
		return hitsByID(query(t, m, "accordion", o))[id].Explain
	}
	on, off := all(), ranked(func(r *contextforge.Ranking) { r.AnswerTerms = 0 })
	if on, off := score(on, "s3").Words, score(off, "s3").Words; math.Abs(on/off-0.8/0.5) > 1e-12 {
		t.Errorf("the answer has words of %v, as any neighbour of %v", on, off)
	}
	for _, id := range []string{"s1", "t3", "t1"} { // what isn't an answer
		if on, off := score(on, id).Words, score(off, id).Words; on != off || on == 0 {
			t.Errorf("%s has words of %v and %v", id, on, off)
		}
	}
	if got := ask(t, m, "accordion", all()); slices.Index(got, "s3") > slices.Index(got, "t3") {
		t.Errorf("order %q", got)
	}
}

func TestTurnsAreFoundByTheirDates(t *testing.T) {
	m := open(t, contextforge.Config{})
	for day := range 20 {
		say(t, m, fmt.Sprint("day", day, "-"), time.Date(2023, 5, 1+day, 9, 0, 0, 0, time.UTC), "We met the neighbours.", "They have a dog.")
	}
	say(t, m, "told", mayDay, "I planted the apple tree yesterday.", "Well done.")
	save(t, m, "Bread and milk and eggs.", contextforge.SaveOptions{ID: "note", Timestamp: time.Date(2023, 5, 7, 9, 0, 0, 0, time.UTC)})
	for _, question := range []string{"What happened on 7 May 2023?", "7 May 2023", "what was said on May 7, 2023"} {
		got := ask(t, m, question, contextforge.QueryOptions{Limit: 3})
		slices.Sort(got)
		if !slices.Equal(got, []string{"day6-1", "day6-2", "told1"}) {
			t.Errorf("%s: %q", question, got)
		}
	}
	if got := ask(t, m, "the apple tree of 7 May 2023", contextforge.QueryOptions{Limit: 1}); !slices.Equal(got, []string{"told1"}) {
		t.Errorf("found %q", got)
	}
	plain := open(t, contextforge.Config{TextOnly: true})
	say(t, plain, "told", mayDay, "I planted the apple tree yesterday.", "Well done.")
	if got := ask(t, plain, "7 May 2023", all()); len(got) != 0 {
		t.Errorf("with the text alone: %q", got)
	}
}

// The day is that of the instant in UTC, whatever the zone of the time that was given,
// so that what is indexed can be taken out again.
func TestDatesKeepNoZone(t *testing.T) {
	m := open(t, contextforge.Config{})
	say(t, m, "s", time.Date(2023, 5, 7, 23, 30, 0, 0, time.FixedZone("", -5*3600)), "It began to rain.")
	for question, want := range map[string]int{"8 May 2023": 1, "rain": 1} {
		if got := ask(t, m, question, contextforge.QueryOptions{}); len(got) != want {
			t.Errorf("%s: %q", question, got)
		}
	}
	fine(t, m.Verify(ctx))
	text := "It ended."
	if _, err := m.Update(ctx, "s1", contextforge.Change{Content: &text}); err != nil {
		t.Fatal(err)
	}
	fine(t, m.Verify(ctx))
	if _, err := m.Delete(ctx, "s1"); err != nil {
		t.Fatal(err)
	}
	fine(t, m.Verify(ctx))
}

func TestQuestionsAboutATimePreferTimes(t *testing.T) {
	m := open(t, contextforge.Config{})
	say(t, m, "a", mayDay, "We visited the lighthouse with a dozen cousins.")
	say(t, m, "b", mayDay, "We visited the lighthouse with friends last week.")
	for _, c := range []struct {
		question string
		gain     float64
		factor   float64
	}{
		{"When did you visit the lighthouse?", 0.3, 1.3}, {"When did you visit the lighthouse?", 0, 1}, {"Who visited the lighthouse?", 0.3, 1},
	} {
		hits := hitsByID(query(t, m, c.question, ranked(func(r *contextforge.Ranking) { r.TimeGain, r.Substance = c.gain, 0 })))
		if a, b := hits["a1"].Explain.Prior, hits["b1"].Explain.Prior; a != 1 || b != c.factor {
			t.Errorf("%s, gain %v: %v without a time, %v with one", c.question, c.gain, a, b)
		}
	}
	if got := ask(t, m, "When did you visit the lighthouse?", all()); !slices.Equal(got, []string{"b1", "a1"}) {
		t.Errorf("order %q", got)
	}
}

func TestShortTurnsAndQuestionsCountLess(t *testing.T) {
	m := open(t, contextforge.Config{})
	say(t, m, "a", mayDay, "Kayak?")
	say(t, m, "b", mayDay, "Kayak.")
	say(t, m, "c", mayDay, "Kayak "+strings.Repeat("over the long river ", 40))
	hits := hitsByID(query(t, m, "kayak", ranked(func(r *contextforge.Ranking) { r.Substance, r.QuestionLoss = 0.5, 0.25 })))
	if a, b, c := hits["a1"].Explain.Prior, hits["b1"].Explain.Prior, hits["c1"].Explain.Prior; c != 1 ||
		math.Abs(b-math.Sqrt(float64(hits["b1"].TokenCount)/60)) > 1e-12 || math.Abs(a-0.75*math.Sqrt(float64(hits["a1"].TokenCount)/60)) > 1e-12 {
		t.Errorf("%v, %v, %v", a, b, c)
	}
}

func TestSpeakers(t *testing.T) {
	texts := map[string]string{
		"ann1": "I went to the harbour festival.", "ann2": "Did you go to the harbour festival?", "ann3": "Sure, the festival was loud.",
	}
	for _, way := range []string{"speaker", "author", "from", "name", "text"} {
		m := open(t, contextforge.Config{})
		for i, who := range []string{"Ann", "Ann", "Bob"} {
			o := contextforge.SaveOptions{ID: fmt.Sprint("ann", i+1), SessionID: "s", Timestamp: mayDay.Add(time.Duration(i) * time.Minute)}
			text := texts[o.ID]
			if way == "text" {
				text = who + ": " + text
			} else {
				o.Metadata = map[string]string{way: who}
			}
			save(t, m, text, o)
		}
		o := ranked(func(r *contextforge.Ranking) {
			r.SpeakerGain, r.ReplyGain, r.Substance, r.QuestionLoss = 0.5, 0.25, 0, 0
		})
		for question, want := range map[string][3]float64{
			"Was Ann at the harbour festival?":         {1.5, 1.5, 1.25}, // the last answers her
			"What did ANN say of the harbour":          {1.5, 1.5, 1.25},
			"Was Bob at the harbour festival?":         {1, 1, 1.5},
			"Were Ann and Bob at the harbour festival": {1, 1, 1},
			"Who was at the harbour festival?":         {1, 1, 1},
			"Was Carl at the harbour festival?":        {1, 1, 1},
		} {
			hits := hitsByID(query(t, m, question, o))
			got := [3]float64{hits["ann1"].Explain.Prior, hits["ann2"].Explain.Prior, hits["ann3"].Explain.Prior}
			if got != want {
				t.Errorf("by %s: %s has %v, want %v", way, question, got, want)
			}
		}
		for _, h := range query(t, m, "Was Ann at the harbour festival?", ranked(func(r *contextforge.Ranking) { r.Substance, r.QuestionLoss = 0, 0 })) {
			if h.Explain.Prior != 1 {
				t.Errorf("by %s, switched off: %v", way, h.Explain)
			}
		}
	}
}

// A session that answers well lifts all of its turns.
func TestSessionsShareTheirBest(t *testing.T) {
	m := open(t, contextforge.Config{})
	say(t, m, "a", mayDay, "Saxophone and trumpet and drums.", "x", "x", "x", "x", "Saxophone maybe.")
	say(t, m, "b", mayDay, "y", "y", "y", "y", "y", "Saxophone maybe.")
	share := func(share float64) map[string]contextforge.Hit {
		return hitsByID(query(t, m, "saxophone trumpet drums", ranked(func(r *contextforge.Ranking) { r.SessionShare, r.Neighbours = share, 0 })))
	}
	off, on := share(0), share(0.5)
	if off["a6"].Explain.Fused != off["b6"].Explain.Fused || on["a6"].Explain.Fused <= on["b6"].Explain.Fused {
		t.Errorf("off %v %v, on %v %v", off["a6"].Explain, off["b6"].Explain, on["a6"].Explain, on["b6"].Explain)
	}
	if want := (off["a6"].Explain.Fused + 0.5*off["a1"].Explain.Fused) / 1.5; math.Abs(on["a6"].Explain.Fused-want) > 1e-12 {
		t.Errorf("%v, want %v", on["a6"].Explain, want)
	}
	if math.Abs(on["b6"].Explain.Fused-off["b6"].Explain.Fused) > 1e-12 || math.Abs(on["a1"].Explain.Fused-off["a1"].Explain.Fused) > 1e-12 {
		t.Errorf("the best of a session is %v, was %v", on["b6"].Explain, off["b6"].Explain)
	}
}

func TestSessionsOfOneNameInTwoScopesAreTwo(t *testing.T) {
	m := open(t, contextforge.Config{})
	for i, scope := range []string{"a", "b", "a", "b", "a"} {
		text := []string{"Who brings the telescope?", "Nobody here.", "I do.", "Not me.", "Fine."}[i]
		save(t, m, text, contextforge.SaveOptions{ID: fmt.Sprint(scope, i), Scope: scope, SessionID: "s", Timestamp: mayDay.Add(time.Duration(i) * time.Minute)})
	}
	for _, o := range []contextforge.QueryOptions{all(), {Filter: contextforge.Filter{Scope: "a"}}} {
		got := ask(t, m, "telescope", o)
		if slices.Sort(got); !slices.Equal(got, []string{"a0", "a2", "a4"}) {
			t.Errorf("found %q", got)
		}
	}
}

func TestMeaningsOfNeighboursCount(t *testing.T) {
	m := open(t, contextforge.Config{Embedder: plane{}})
	say(t, m, "a", mayDay, "pad @0.9", "pad @0.5", "pad @0.9")
	say(t, m, "b", mayDay, "pad @0.1", "pad @0.5", "pad @0.1")
	say(t, m, "c", mayDay, "pad @0.5")
	hits := hitsByID(query(t, m, "zzz @1", ranked(func(r *contextforge.Ranking) { r.NeighbourMeaning = 0.5 })))
	for id, want := range map[string]float64{"a2": 0.7, "b2": 0.3, "c1": 0.5, "a1": (0.9 + 0.5*1.4) / 2, "b3": 0.1 + 0.25*0.4} {
		if got := hits[id].Explain.Meaning; math.Abs(got-want) > 1e-6 {
			t.Errorf("%s means %v, want %v", id, got, want)
		}
	}
}

// What nothing is known of stays unfound, with conversations too.
func TestQuestionsThatConversationsDoNotAnswer(t *testing.T) {
	m := pottery(t, contextforge.Config{})
	for _, question := range []string{"", "  ", "?!", "zeppelin", "\x01?", "\x01q", "\x01s:ann", "\x01"} {
		if got := ask(t, m, question, all()); len(got) != 0 {
			t.Errorf("%q finds %q", question, got)
		}
	}
}
