// This file decides which sentences around recurring terms make a passage.

package analysis

import (
	"slices"
	"strings"
	"time"
)

// The reference implementation's sizes of passages, in sentences.
const (
	DefaultWindow       = 1
	DefaultMaxSentences = 6
)

// ExtractConfig says how large passages are. The zero value is the reference's.
type ExtractConfig struct {
	// Window is the number of sentences that a passage has on each side of one with
	// a term; 0 means DefaultWindow, a negative number none.
	Window int
	// KeepDuplicates keeps passages whose text occurred before.
	KeepDuplicates bool
	// MaxSentences is the number of sentences above which a passage is divided; 0
	// means DefaultMaxSentences, a negative number 1.
	MaxSentences int
	// Tokenizer is the one that made the terms; nil means that of the zero
	// TokenConfig.
	Tokenizer *Tokenizer
}

// Source is an entry to extract passages from.
type Source struct {
	EntryID   string
	SessionID string
	Content   string // prefiltered
	Timestamp time.Time
}

// Extract returns the passages of the sources, in order, in which terms occur.
//
// Every sentence with a term counts with its neighbours; where these groups
// overlap or touch they are one. A group of more than MaxSentences is divided
// from its beginning, and parts without a term are left out. Of passages with
// the same text only the first stays.
//
// A term occurs in a sentence that contains it, in any case, also inside of a
// word: "deploy" occurs in "Redeployment". It also occurs when the tokens of the
// sentence, joined as NGrams joins them, contain it: "deploy cluster" in "deploy
// to the cluster".
//
// Time and memory are linear in the texts, the terms and the occurrences, each
// term counting once a sentence.
func Extract(sources []Source, terms []string, cfg ExtractConfig) []Passage {
	x := newExtractor(terms, cfg)
	if len(x.terms) == 0 {
		return nil
	}
	e := x.extraction()
	var passages []Passage
	for _, source := range sources {
		passages = e.append(passages, source)
	}
	if !cfg.KeepDuplicates {
		passages = withoutDuplicates(passages)
	}
	return passages
}

// withoutDuplicates keeps the first passage of each text, in place.
func withoutDuplicates(passages []Passage) []Passage {
	seen := make(map[string]bool, len(passages))
	return slices.DeleteFunc(passages, func(p Passage) bool {
		duplicate := seen[p.Text]
		seen[p.Text] = true
		return duplicate
	})
}

// extractor is what all sources have in common. It is safe for concurrent use;
// each goroutine has its own extraction.
type extractor struct {
	terms   []string // sorted, each once
	matcher *matcher
	tokens  *Tokenizer
	window  int
	most    int // sentences of a passage
}

func newExtractor(terms []string, cfg ExtractConfig) *extractor {
	x := &extractor{terms: slices.Compact(slices.Sorted(slices.Values(terms))), tokens: cfg.Tokenizer, window: cfg.Window, most: cfg.MaxSentences}
	x.matcher = newMatcher(x.terms)
	if x.tokens == nil {
		x.tokens = NewTokenizer(TokenConfig{})
	}
	if x.window == 0 {
		x.window = DefaultWindow
	}
	if x.most == 0 {
		x.most = DefaultMaxSentences
	}
	x.window, x.most = max(x.window, 0), max(x.most, 1)
	return x
}

// extraction is the work on one source after another.
type extraction struct {
	*extractor
	finder    *finder
	words     words
	sentences []string
	ids       []int32 // of the terms of all sentences
	ends      []int   // where those of a sentence end in ids
	part      []int32 // ids of one passage
}

func (x *extractor) extraction() *extraction {
	return &extraction{extractor: x, finder: x.matcher.finder()}
}

// append appends the passages of a source, duplicates included.
func (e *extraction) append(dst []Passage, source Source) []Passage {
	e.read(source.Content)
	n := len(e.sentences)
	start, end := 0, 0 // of the group
	for i := range n {
		if len(e.idsOf(i, i+1)) == 0 {
			continue
		}
		if from := i - min(e.window, i); from > end {
			dst = e.divide(dst, source, start, end)
			start = from
		}
		end = i + 1 + min(e.window, n-i-1)
	}
	return e.divide(dst, source, start, end)
}

// read cuts a text into sentences and finds the terms of each.
func (e *extraction) read(content string) {
	e.sentences = appendSentences(e.sentences[:0], content)
	e.ids, e.ends = e.ids[:0], e.ends[:0]
	for _, sentence := range e.sentences {
		e.finder.begin()
		e.finder.fold(sentence)
		e.words.reset()
		e.tokens.scan(sentence, &e.words)
		e.finder.find(e.words.text)
		e.ids = append(e.ids, e.finder.found...)
		e.ends = append(e.ends, len(e.ids))
	}
}

// idsOf returns the terms of the sentences from start to end.
func (e *extraction) idsOf(start, end int) []int32 {
	from := 0
	if start > 0 {
		from = e.ends[start-1]
	}
	return e.ids[from:e.ends[end-1]]
}

// divide appends the passages that the sentences from start to end make.
func (e *extraction) divide(dst []Passage, source Source, start, end int) []Passage {
	for ; start < end; start += e.most {
		to := start + min(e.most, end-start)
		ids := e.idsOf(start, to)
		if len(ids) > 0 {
			dst = append(dst, Passage{
				Text: strings.Join(e.sentences[start:to], "\n"), Terms: e.sorted(ids),
				EntryID: source.EntryID, SessionID: source.SessionID, Timestamp: source.Timestamp,
			})
		}
		if to == end {
			break
		}
	}
	return dst
}

// sorted returns the terms of the ids, each once.
func (e *extraction) sorted(ids []int32) []string {
	e.part = append(e.part[:0], ids...)
	slices.Sort(e.part)
	e.part = slices.Compact(e.part)
	terms := make([]string, len(e.part))
	for i, id := range e.part {
		terms[i] = e.terms[id]
	}
	return terms
}
