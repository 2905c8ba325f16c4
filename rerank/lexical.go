package rerank

// This file decides what the words of a turn and of those around it are worth.

// Terms is what BM25 knows of a question's terms in the entries of a list.
type Terms struct {
	// Weights has the weight of each term: its inverse document frequency times how
	// often the question has it.
	Weights []float64
	// Saturation returns the part of a term's weight that an entry gets which has it
	// tf times among length terms; chat says that it is a turn of a session.
	Saturation func(tf, length uint32, chat bool) float64
	// TF has how often each entry has each term: a row for an entry, which begins with
	// len(Weights) frequencies. Row is its length, 0 for no more than these.
	TF  []uint32
	Row int
}

// Lending says what neighbours lend each other.
type Lending struct {
	// Reach is how many turns before and behind lend their terms. A term of the
	// turn o places away counts Falling^o of what it counts there.
	Reach   int
	Falling float64
	// Answer is the part of a term's worth that the turn behind a question inherits.
	Answer float64
}

// Lexical returns the BM25 score of each entry in which a term counts the most that
// it counts in the entry itself or is lent to it.
func (l *List) Lexical(t Terms, lend Lending) []float64 {
	n := len(l.entries)
	scores := make([]float64, n)
	own, lent := make([]float64, n), make([]float64, n)
	row := max(t.Row, len(t.Weights))
	for k, weight := range t.Weights {
		any := false
		for i := range l.entries {
			e := &l.entries[i]
			own[i] = 0
			if tf := t.TF[i*row+k]; tf > 0 {
				own[i], any = t.Saturation(tf, e.Length, e.Session >= 0), true
			}
		}
		if !any {
			continue
		}
		copy(lent, own)
		l.lend(lent, own, lend)
		for i := range scores {
			scores[i] += float64(weight * lent[i])
		}
	}
	return scores
}

// lend raises what a term is worth in each entry to what its neighbours lend.
func (l *List) lend(lent, own []float64, o Lending) {
	for i := range own {
		if own[i] == 0 {
			continue
		}
		part := own[i]
		before, after := l.before[i], l.after[i]
		if after >= 0 && l.entries[i].Marks&Asks != 0 {
			lent[after] = max(lent[after], float64(o.Answer*own[i]))
		}
		for range o.Reach {
			part = float64(part * o.Falling)
			if before >= 0 {
				lent[before] = max(lent[before], part)
				before = l.before[before]
			}
			if after >= 0 {
				lent[after] = max(lent[after], part)
				after = l.after[after]
			}
		}
	}
}
