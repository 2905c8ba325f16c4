// This file decides how the stages follow one another.

package analysis

import (
	"context"
	"iter"
	"time"
)

// Config is how Analyze works. The zero value takes the defaults of every stage.
type Config struct {
	Prefilter  PrefilterConfig
	Tokens     TokenConfig
	Recurrence RecurrenceConfig
	// Extract and Classify use the Tokenizer of Tokens where they name none.
	Extract  ExtractConfig
	Classify ClassifyConfig
	Score    ScoreConfig
	// Budget is how many tokens the segments may have in all, as Pack counts them;
	// 0 and less set no limit.
	Budget int
	// Compactions is how often the context was compacted that the segments are for.
	// From 2 on, ScaleBudget and AdjustWeights apply; the cap of Scale always does.
	Compactions int
	Scale       ScaleConfig
	// Now is the instant from which age counts; zero means the newest timestamp of
	// the entries, so that a result can be had again.
	Now time.Time
	// Parallelism is how many goroutines work at a time; 0 and less mean as many as
	// Go runs at a time, 1 means the caller's alone. The result is the same.
	Parallelism int
}

// Analyze yields what matters in the sessions, the most important first: it
// filters the entries, counts terms, extracts the passages around those that
// recur, classifies and scores them, and packs the budget. With the default
// limits of Recurrence there have to be three sessions at least.
//
// Of passages with the same text only the newest comes out, unless
// Extract.KeepDuplicates is set. All of them count when it is decided what was
// confirmed in several sessions, and which statement is the latest: what was said,
// changed, and then said again stands.
//
// The work begins when the first element is asked for, and done with it no
// goroutine is left. If ctx ends before the last segment is out, its error is the
// last element. There are no other errors. The sessions are only read, and must
// not change meanwhile.
//
// The same arguments give the same segments in the same order, bit for bit, at
// any parallelism and on any platform. Time and memory are linear in the entries'
// size and in the number of times that a sentence holds a term, but see Classify.
func Analyze(ctx context.Context, sessions []Session, cfg Config) iter.Seq2[Segment, error] {
	return func(yield func(Segment, error) bool) {
		segments, err := analyze(ctx, sessions, &cfg)
		for i := range segments {
			if err = ctx.Err(); err != nil {
				break
			}
			if !yield(segments[i], nil) {
				return
			}
		}
		if err != nil {
			yield(Segment{}, err)
		}
	}
}

func analyze(ctx context.Context, sessions []Session, cfg *Config) ([]Segment, error) {
	n := workers(cfg.Parallelism)
	tokenizer := NewTokenizer(cfg.Tokens)
	texts, frequency, err := countTerms(ctx, n, sessions, tokenizer, cfg.Prefilter)
	if err != nil {
		return nil, err
	}
	terms := cfg.Recurrence.choose(frequency, len(sessions))
	extract, classifying := cfg.Extract, cfg.Classify
	for _, t := range []**Tokenizer{&extract.Tokenizer, &classifying.Tokenizer} {
		if *t == nil {
			*t = tokenizer
		}
	}
	passages, err := extractAll(ctx, n, sessions, texts, terms, extract)
	if err != nil {
		return nil, err
	}
	classified, err := classify(ctx, n, passages, classifying)
	if err != nil {
		return nil, err
	}
	if !cfg.Extract.KeepDuplicates {
		classified = newestOfEach(classified)
	}
	now := cfg.Now
	if now.IsZero() {
		now = newest(sessions)
	}
	segments, err := score(ctx, n, classified, terms, now, AdjustWeights(cfg.Score, cfg.Compactions))
	if err != nil {
		return nil, err
	}
	budget := cfg.Budget
	if budget <= 0 {
		budget = -1
	}
	return Pack(segments, ScaleBudget(budget, cfg.Compactions, cfg.Scale)), nil
}

// newest returns the latest timestamp of the entries.
func newest(sessions []Session) (latest time.Time) {
	for _, s := range sessions {
		for i := range s.Entries {
			if t := s.Entries[i].Timestamp; t.After(latest) {
				latest = t
			}
		}
	}
	return latest
}

// extractAll is Extract on the prefiltered texts of the sessions, by several
// workers. Duplicates are kept.
func extractAll(ctx context.Context, workers int, sessions []Session, texts [][]string, terms []Term, cfg ExtractConfig) ([]Passage, error) {
	names := make([]string, len(terms))
	for i := range terms {
		names[i] = terms[i].Text
	}
	x := newExtractor(names, cfg)
	if len(x.terms) == 0 {
		return nil, ctx.Err()
	}
	lists := make([][]Passage, len(sessions))
	err := inParallel(ctx, workers, len(sessions), func() func(int) {
		e := x.extraction()
		return func(i int) {
			for k := range sessions[i].Entries {
				entry := &sessions[i].Entries[k]
				lists[i] = e.append(lists[i], Source{
					EntryID: entry.ID, SessionID: sessions[i].ID, Content: texts[i][k], Timestamp: entry.Timestamp,
				})
			}
			texts[i] = nil // passages that are cut out of it keep it
		}
	})
	if err != nil {
		return nil, err
	}
	size := 0
	for _, list := range lists {
		size += len(list)
	}
	passages := make([]Passage, 0, size)
	for _, list := range lists {
		passages = append(passages, list...)
	}
	return passages, ctx.Err()
}

// newestOfEach keeps of the passages with the same text the newest, of several
// newest ones the last, in place. That is the one which stands if any of them does.
func newestOfEach(passages []Classified) []Classified {
	newest := make(map[string]int, len(passages))
	for i := range passages {
		last, known := newest[passages[i].Text]
		if !known || !passages[i].Timestamp.Before(passages[last].Timestamp) {
			newest[passages[i].Text] = i
		}
	}
	kept := passages[:0]
	for i := range passages {
		if newest[passages[i].Text] == i {
			kept = append(kept, passages[i])
		}
	}
	return kept
}

// Importance returns for every entry the greatest importance of its segments,
// over the greatest of all: 0 to 1, 0 for all if nothing has any. This is what a
// caller feeds back as the importance of an entry.
func Importance(segments iter.Seq[Segment]) map[string]float64 {
	importance := map[string]float64{}
	greatest := 0.0
	for s := range segments {
		importance[s.EntryID] = max(importance[s.EntryID], s.Importance)
		greatest = max(greatest, s.Importance)
	}
	if greatest > 0 {
		for id := range importance {
			importance[id] /= greatest
		}
	}
	return importance
}
