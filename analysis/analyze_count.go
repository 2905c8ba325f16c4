// This file decides how terms are counted over many sessions at a time.

package analysis

import (
	"context"
	"iter"
)

// termCount is in how many sessions of one worker a term occurs.
type termCount struct {
	term     string
	sessions int32
	last     int32 // the last of these sessions
}

// termCounter counts the terms of one session after another. A session is counted
// by one worker as a whole, so that it is enough to remember which one had a term
// last.
type termCounter struct {
	index  map[string]int32 // place in counts
	counts []termCount
	words  words
}

// add counts each term of the words once. The words are kept as one string.
func (c *termCounter) add(session int32) {
	text := string(c.words.text)
	spans := c.words.spans
	for i, first := range spans {
		for _, last := range spans[i:min(i+maxN, len(spans))] {
			term := text[first.start:last.end]
			at, known := c.index[term]
			switch {
			case !known:
				c.index[term] = int32(len(c.counts))
				c.counts = append(c.counts, termCount{term, 1, session})
			case c.counts[at].last != session:
				c.counts[at].last = session
				c.counts[at].sessions++
			}
		}
	}
}

// countTerms prefilters the entries of the sessions and counts in how many
// sessions each term occurs, as SessionCounts and Recurring do, without keeping a
// map per session. texts[i][k] is the filtered content of entry k of session i.
func countTerms(ctx context.Context, workers int, sessions []Session, t *Tokenizer, cfg PrefilterConfig) (texts [][]string, frequency iter.Seq2[string, int], err error) {
	texts = make([][]string, len(sessions))
	counters := make(chan *termCounter, min(workers, len(sessions))) // one place for each
	err = inParallel(ctx, workers, len(sessions), func() func(int) {
		c := &termCounter{index: map[string]int32{}}
		counters <- c
		return func(i int) {
			texts[i] = make([]string, len(sessions[i].Entries))
			c.words.reset()
			for k := range sessions[i].Entries {
				texts[i][k] = Prefilter(sessions[i].Entries[k].Content, cfg)
				t.scan(texts[i][k], &c.words)
			}
			c.add(int32(i))
		}
	})
	if err != nil {
		return nil, nil, err
	}
	close(counters)
	all, ok := <-counters
	if !ok {
		all = &termCounter{}
	}
	for c := range counters { // in any order: numbers of sessions are added up
		all.join(c)
	}
	return texts, all.frequencies(), ctx.Err()
}

// join adds what another worker counted, in other sessions.
func (c *termCounter) join(other *termCounter) {
	for _, from := range other.counts {
		at, known := c.index[from.term]
		if !known {
			at = int32(len(c.counts))
			c.index[from.term] = at
			c.counts = append(c.counts, termCount{term: from.term})
		}
		c.counts[at].sessions += from.sessions
	}
}

// frequencies yields every term with the number of its sessions.
func (c *termCounter) frequencies() iter.Seq2[string, int] {
	return func(yield func(string, int) bool) {
		for i := range c.counts {
			if !yield(c.counts[i].term, int(c.counts[i].sessions)) {
				return
			}
		}
	}
}
