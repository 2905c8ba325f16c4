package store

// This file decides which index terms a record has: those of its content, and
// what else it is found by.

import "github.com/contextforge-go/contextforge/bm25"

// Extra is what a record is found by beside its content. It doesn't count in the
// length of the record, so that one with it scores for its content as one without.
type Extra struct {
	Text  string   // analysed as the content is
	Marks []string // terms as they are
}

// analysisName identifies everything that decides the terms of a record.
func (s *Store) analysisName() string {
	if s.opts.Extra == nil {
		return s.opts.Analyzer.Name()
	}
	return s.opts.Analyzer.Name() + "+" + s.opts.ExtraName
}

// termCounter is scratch space for counting the terms of one record.
type termCounter struct {
	terms []string
	place map[string]int
}

// analyze returns the terms of a record with their frequencies, in order of
// first appearance.
func (s *Store) analyze(rec *Record) bm25.TermVector {
	c, _ := s.pool.Get().(*termCounter)
	if c == nil {
		c = &termCounter{place: make(map[string]int, 64)}
	}
	defer func() { s.pool.Put(c) }()
	c.terms = s.opts.Analyzer.Document(c.terms[:0], rec.Content)
	length := uint32(len(c.terms))
	var extra Extra
	if s.opts.Extra != nil {
		if extra = s.opts.Extra(rec); extra.Text != "" {
			c.terms = s.opts.Analyzer.Document(c.terms, extra.Text)
		}
	}
	v := bm25.TermVector{Terms: make([]bm25.Term, 0, len(c.terms)+len(extra.Marks)), Length: length}
	for _, terms := range [2][]string{c.terms, extra.Marks} {
		for _, term := range terms {
			if i, ok := c.place[term]; ok {
				v.Terms[i].TF++
				continue
			}
			c.place[term] = len(v.Terms)
			v.Terms = append(v.Terms, bm25.Term{Text: term, TF: 1})
		}
	}
	if len(c.terms) > 4096 {
		*c = termCounter{place: make(map[string]int, 64)} // don't keep a giant's memory
		return v
	}
	clear(c.place)
	return v
}

// sameTerms reports whether two records have the same terms without looking: all
// that they may depend on is the same.
func (s *Store) sameTerms(a, b *Record) bool {
	if a.Content != b.Content {
		return false
	}
	return s.opts.Extra == nil || a.Timestamp.Equal(b.Timestamp) && a.SessionID == b.SessionID && a.Kind == b.Kind &&
		a.Scope == b.Scope && string(a.Metadata) == string(b.Metadata)
}
