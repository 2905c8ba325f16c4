// This file decides how often a term occurs in a session.

package analysis

// Counts returns how often each token occurs.
func Counts(tokens []string) map[string]int {
	counts := make(map[string]int)
	for _, token := range tokens {
		counts[token]++
	}
	return counts
}

// CountsWithNGrams returns how often each token and each run of two or three
// tokens occurs, joined as NGrams joins them.
func CountsWithNGrams(tokens []string) map[string]int { return joined(tokens).counts() }

// SessionCounts prefilters and tokenises every entry of a session and counts as
// CountsWithNGrams does on all the tokens in a row, so that a run may cross the
// border between two entries. A nil Tokenizer is that of the zero TokenConfig.
func SessionCounts(s Session, t *Tokenizer, cfg PrefilterConfig) map[string]int {
	if t == nil {
		t = NewTokenizer(TokenConfig{})
	}
	var w words
	for _, entry := range s.Entries {
		t.scan(Prefilter(entry.Content, cfg), &w)
	}
	return w.counts()
}

// counts counts the tokens and the runs of two and three.
func (w *words) counts() map[string]int {
	text := string(w.text)
	counts := make(map[string]int, len(w.spans)) // about half of all runs are new
	for i, first := range w.spans {
		for _, last := range w.spans[i:min(i+maxN, len(w.spans))] {
			counts[text[first.start:last.end]]++
		}
	}
	return counts
}
