package contextforge

// This file decides what the turns around a candidate in its session do to its
// score.

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/contextforge-go/contextforge/bm25"
	"github.com/contextforge-go/contextforge/fusion"
	"github.com/contextforge-go/contextforge/internal/store"
	"github.com/contextforge-go/contextforge/rerank"
	"github.com/contextforge-go/contextforge/timex"
)

// bestOfEach is how many of the best of each search bring the turns around them
// along.
const bestOfEach = 50

// surroundings is what stands around the candidates.
type surroundings struct {
	list         *rerank.List
	form         rerank.Form
	share        float64 // of the best of a session
	within, gain float64 // of the newest
}

// surround adds the turns around the best candidates to them, and looks up what
// fuse needs to know of all. It does nothing where the ranking doesn't ask for it, or
// the source can't tell.
func (q *query) surround(ctx context.Context, src source, all []*candidate) ([]*candidate, error) {
	q.surroundings = nil
	if q.text == "" || len(all) == 0 || !q.ranking.looksAround() {
		return all, nil
	}
	all, turns, err := q.withNeighbours(ctx, src, all)
	if err != nil || turns == nil {
		return all, err
	}
	nums := make([]uint64, len(all))
	for i, c := range all {
		nums[i] = c.num
	}
	if err := q.hear(ctx, src, all, nums); err != nil {
		return nil, err
	}
	marks, people := q.marks()
	words, err := src.words(ctx, q.words, marks, q.filter, nums)
	if err != nil {
		return nil, err
	}
	q.surroundings = &surroundings{
		list:  rerank.NewList(q.entries(all, turns, words, people)),
		share: q.ranking.SessionShare,
		form: rerank.Form{
			Substance: q.ranking.Substance, Questions: q.ranking.QuestionLoss,
			Times: q.ranking.TimeGain, AsksTime: timex.Asks(q.text),
			Speaker: q.ranking.SpeakerGain, Reply: q.ranking.ReplyGain, Within: q.within,
		},
	}
	if timex.Current(q.text) {
		q.surroundings.within, q.surroundings.gain = q.ranking.CurrentWithin, q.ranking.CurrentGain
	}
	q.lend(all, words)
	q.markUnlike(all)
	return all, nil
}

// withNeighbours returns the candidates, the best first, with the turns around those,
// and the place of each.
func (q *query) withNeighbours(ctx context.Context, src source, all []*candidate) ([]*candidate, []store.Turn, error) {
	best := func(c *candidate) bool {
		return slices.ContainsFunc(c.legs[:], func(l fusion.Leg) bool { return l.Rank > 0 && l.Rank <= bestOfEach })
	}
	ordered := make([]*candidate, 0, len(all))
	for _, wanted := range [2]bool{true, false} {
		for _, c := range all {
			if best(c) == wanted {
				ordered = append(ordered, c)
			}
		}
	}
	nums := make([]uint64, len(ordered))
	extended := 0
	for i, c := range ordered {
		nums[i] = c.num
		if best(c) {
			extended++
		}
	}
	turns, err := src.around(ctx, q.filter, nums, extended, q.ranking.Neighbours)
	if err != nil || turns == nil {
		return all, nil, err
	}
	added := make([]candidate, len(turns)-len(nums))
	for i, t := range turns[len(nums):] {
		added[i].found = foundOf(t.Hit)
		ordered = append(ordered, &added[i])
	}
	return ordered, turns, q.meanings(ctx, src, ordered[len(nums):])
}

// meanings looks up the cosines of candidates that no search found, near enough: they
// are many, and none of them is in the cache of vectors.
func (q *query) meanings(ctx context.Context, src source, added []*candidate) error {
	if q.vector == nil || len(added) == 0 {
		return nil
	}
	nums := make([]uint64, len(added))
	for i, c := range added {
		nums[i] = c.num
	}
	cosines, known, err := src.approximate(ctx, q.vector, nums)
	if err != nil {
		return err
	}
	for i, c := range added {
		leg := &c.legs[semanticLeg]
		if leg.Known = true; known[i] {
			leg.Score = float64(cosines[i])
		} else {
			leg.Score, leg.Known, c.assumed = q.usual, q.usualKnown, q.usualKnown
		}
	}
	return nil
}

// marks returns the marks to be looked up: those of any turn, then those of the
// people whom the question may name.
func (q *query) marks() (marks, people []string) {
	marks = []string{markQuestion, markAsks, markTimes}
	if q.ranking.SpeakerGain > 0 || q.ranking.ReplyGain > 0 {
		for _, word := range namesIn(q.text) {
			people = append(people, markSpeaker+word)
		}
	}
	return append(marks, people...), people
}

// entries brings what is known of the candidates together.
func (q *query) entries(all []*candidate, turns []store.Turn, words *store.Words, people []string) []rerank.Entry {
	terms, marks := len(words.Weights), len(words.MarkDF)
	person := onlyPerson(words.MarkDF[marks-len(people):])
	entries := make([]rerank.Entry, len(all))
	for i, c := range all {
		row := words.TF[i*(terms+marks):][terms : terms+marks]
		e := &entries[i]
		*e = rerank.Entry{
			Session: turns[i].Session, Place: turns[i].Place, Length: words.Length[i], Tokens: c.tokens, Sec: c.time.Sec,
			Cosine: q.meant(c), Alike: c.legs[semanticLeg].Known,
		}
		for k, mark := range [...]rerank.Marks{rerank.Question, rerank.Asks, rerank.Times} {
			if row[k] > 0 {
				e.Marks |= mark
			}
		}
		if q.period.holds(c.time) {
			e.Marks |= rerank.Within
		}
		if person >= 0 && row[marks-len(people)+person] > 0 {
			e.Marks |= rerank.Speaker
		}
	}
	return entries
}

// onlyPerson returns the index of the only one of some people who ever speaks, or -1.
func onlyPerson(turns []uint64) int {
	only := -1
	for i, n := range turns {
		if n == 0 {
			continue
		}
		if only >= 0 {
			return -1
		}
		only = i
	}
	return only
}

// lend fills in what the searches would say of the candidates with what the turns
// around them lend.
func (q *query) lend(all []*candidate, words *store.Words) {
	terms := len(words.Weights)
	note := bm25.NewScorer(q.bm25, words.Docs, words.Tokens)
	turn := note
	if b := q.ranking.SessionB; b > 0 {
		turn = bm25.NewScorer(bm25.Params{K1: q.bm25.K1, B: b}, words.Docs, words.Tokens)
	}
	scores := q.surroundings.list.Lexical(rerank.Terms{
		Weights: words.Weights, TF: words.TF, Row: terms + len(words.MarkDF),
		Saturation: func(tf, length uint32, chat bool) float64 {
			if chat {
				return turn.Saturation(tf, length)
			}
			return note.Saturation(tf, length)
		},
	}, rerank.Lending{Reach: q.ranking.Neighbours, Falling: q.ranking.NeighbourTerms, Answer: q.ranking.AnswerTerms})
	meanings, known := q.surroundings.list.Meaning(q.ranking.NeighbourMeaning)
	for i, c := range all {
		c.around = [2]fusion.Leg{{Score: scores[i], Known: scores[i] > 0}, {Score: meanings[i], Known: known[i]}}
		c.explain.Words, c.explain.Meaning = scores[i], meanings[i]
	}
}

// markUnlike marks the added turns that are like the question neither in words, lent
// ones included, nor in meaning.
func (q *query) markUnlike(all []*candidate) {
	for _, c := range all {
		meant := c.legs[semanticLeg]
		like := meant.Known && !c.assumed && q.alike(c) >= q.similar
		c.unlike = c.legs[lexicalLeg].Rank == 0 && meant.Rank == 0 && c.around[lexicalLeg].Score == 0 && !like
	}
}

// weigh multiplies fused scores by what each turn is worth for its form, and adds the
// share of the best of its session. No score is above 1: where forms have lifted the
// best over it, all are brought back by the same factor.
func (s *surroundings) weigh(scores []float64, all []*candidate) []float64 {
	for i, factor := range s.list.Prior(s.form) {
		all[i].explain.Prior = factor
		scores[i] = float64(scores[i] * factor)
	}
	scores = s.list.Newest(s.list.Session(scores, s.share), s.within, s.gain)
	if most := slices.Max(scores); most > 1 { // there is a candidate, else nothing surrounds it
		for i := range scores {
			scores[i] /= most
		}
	}
	return scores
}

// period is a part of time, from an instant up to before another; the zero value
// holds none.
type period struct{ from, to store.Time }

func (p period) holds(t store.Time) bool { return p.from.Compare(t) <= 0 && t.Compare(p.to) < 0 }

// periodOf returns the period that a question restricts itself to, and the question
// with the words of the dates in it, which turns are found by.
func periodOf(text string, asOf time.Time) (period, string) {
	from, to, ok := timex.Interval(text, asOf)
	if !ok {
		return period{}, text
	}
	words := text
	asked := strings.Fields(strings.ToLower(text))
	for _, word := range strings.Fields(datesOf(from, to)) {
		if !slices.Contains(asked, strings.ToLower(word)) {
			words += " " + word
		}
	}
	return period{store.TimeOf(from), store.TimeOf(to)}, words
}

// anchor finds the period that a question tells by an event, "before the move": from
// the time of the entry that the event's words find first.
func (q *query) anchor(ctx context.Context, src source) error {
	if q.period != (period{}) || !q.ranking.looksAround() || q.ranking.EventGain <= 0 {
		return nil
	}
	offset, event, ok := timex.Anchor(q.text)
	if !ok || offset.N == 0 && offset.Side >= 0 {
		return nil
	}
	hits, err := src.search(ctx, event, q.filter, 1)
	if err != nil || len(hits) == 0 {
		return err
	}
	if from, to := offset.From(hits[0].time.Std()); from.Before(to) {
		q.period, q.within = period{store.TimeOf(from), store.TimeOf(to)}, q.ranking.EventGain
	}
	return nil
}

// datesOf returns a period as turns are found by: a day, a month, a year; "" for any
// other one.
func datesOf(from, to time.Time) string {
	day := timex.Own(from)
	_, month, _ := strings.Cut(day, " ")
	_, year, _ := strings.Cut(month, " ")
	switch to {
	case from.AddDate(0, 0, 1):
		return day
	case from.AddDate(0, 1, 0):
		return month
	case from.AddDate(1, 0, 0):
		return year
	}
	return ""
}
