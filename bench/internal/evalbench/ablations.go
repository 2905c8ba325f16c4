package evalbench

// This file decides which steps of the default ranking have a row without them, and
// which options one with them.

import "github.com/contextforge-go/contextforge"

// ablations are the default with one thing changed: a row for each.
func ablations() []Pipeline {
	type ranked = contextforge.Ranking
	return []Pipeline{
		changed("plain-hybrid", "nothing around a turn and no time in the question counts, turns are found by their text alone", alone, textOnly),
		changed("text-only", "turns are found by their text alone: no dates, no times, no speakers", func(*ranked) {}, textOnly),
		changed("no-neighbours", "the turns around a candidate neither come along nor lend anything", func(r *ranked) { r.Neighbours, r.NeighbourTerms, r.NeighbourMeaning = 0, 0, 0 }),
		changed("no-neighbour-words", "turns don't lend each other words", func(r *ranked) { r.NeighbourTerms = 0 }),
		changed("no-neighbour-meaning", "turns don't lend each other meaning", func(r *ranked) { r.NeighbourMeaning = 0 }),
		changed("no-answers", "an answer gets no words of its question", func(r *ranked) { r.AnswerTerms = 0 }),
		changed("no-session-max", "the best turn of a session lends the others nothing", func(r *ranked) { r.SessionShare = 0 }),
		changed("no-substance", "short turns lose nothing", func(r *ranked) { r.Substance = 0 }),
		changed("no-question-loss", "questions lose nothing", func(r *ranked) { r.QuestionLoss = 0 }),
		changed("no-times", "turns with a time win nothing when a time is asked for", func(r *ranked) { r.TimeGain = 0 }),
		changed("no-periods", "entries of the period that a question names win nothing", func(r *ranked) { r.PeriodGain = 0 }),
		changed("no-events", "entries of a time told by an event win nothing", func(r *ranked) { r.EventGain = 0 }),
		changed("no-current", "the newest wins nothing when the present state is asked for", func(r *ranked) { r.CurrentGain = 0 }),
		changed("b075", "b = 0.75 for turns of sessions, too", func(r *ranked) { r.SessionB = 0.75 }),
		changed("boost-whole", "a match of the lexicon counts as much in a long text", func(r *ranked) { r.BoostSize = 0 }),
		changed("alpha-0.2", "words weigh 0.2", func(r *ranked) { r.LexicalShare = 0.2 }),
		changed("alpha-0.3", "words weigh 0.3", func(r *ranked) { r.LexicalShare = 0.3 }),
		changed("alpha-0.4", "words weigh 0.4", func(r *ranked) { r.LexicalShare = 0.4 }),
		changed("speaker", "option: turns of the one person named in the question win a twentieth", func(r *ranked) { r.SpeakerGain, r.ReplyGain = 0.05, 0.05 }),
		changed("speaker-alone", "the same without the answers of others to that person", func(r *ranked) { r.SpeakerGain = 0.05 }),
	}
}

// alone takes away all that looks at what stands around an entry.
func alone(r *contextforge.Ranking) {
	r.Neighbours, r.NeighbourTerms, r.AnswerTerms, r.NeighbourMeaning, r.SessionShare, r.SessionB = 0, 0, 0, 0, 0, 0
	r.PeriodGain, r.CurrentGain = 0, 0
	r.Substance, r.QuestionLoss, r.TimeGain, r.SpeakerGain, r.ReplyGain = 0, 0, 0, 0, 0
}

func textOnly(c *contextforge.Config) { c.TextOnly = true }

// changed is the default with another ranking and, if need be, other settings.
func changed(name, what string, change func(*contextforge.Ranking), also ...func(*contextforge.Config)) Pipeline {
	return Pipeline{Name: name, What: what, Configure: func(c *contextforge.Config) {
		ranking(change)(c)
		for _, setting := range also {
			setting(c)
		}
	}}
}
