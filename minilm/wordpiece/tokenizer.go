// The tokenizer and how it is made from a vocabulary in either notation.

package wordpiece

import (
	"errors"
	"fmt"
)

// ErrVocabulary says that a vocabulary, the ids of its special entries or the
// types of its entries can't be used; the message says what is wrong.
var ErrVocabulary = errors.New("wordpiece: bad vocabulary")

// ErrOptions says that an option is out of its range.
var ErrOptions = errors.New("wordpiece: bad options")

// TypeControl is the type that GGUF's tokenizer.ggml.token_type gives to control
// entries such as [CLS].
const TypeControl = 3

// Special names the entries with a meaning of their own by their ids. Each is also
// a literal: where its text ("[CLS]", in this case and spelling) stands in a raw
// text, it becomes this id. None marks an entry that the vocabulary doesn't have.
type Special struct {
	Unknown int32 // stands for a word that can't be written in pieces: [UNK]
	Begin   int32 // opens an encoded text: [CLS]
	End     int32 // closes an encoded text: [SEP]
	Pad     int32 // fills a batch: [PAD], may be None
	Mask    int32 // a hidden piece: [MASK], may be None
}

// None is the id of a special entry that does not exist.
const None = -1

// Options are the properties of a model's tokenizer. The zero value is that of
// uncased BERT models.
type Options struct {
	// Cased keeps case and accents; else text is decomposed (NFD), stripped of
	// nonspacing marks and lowered. In a GGUF file it is the opposite of
	// tokenizer.ggml.normalizer.lowercase.
	Cased bool

	// MaxWordRunes is the length of the longest word, in characters after
	// normalisation, that is looked up; a longer one is unknown. 0 means 100, the
	// value of all known models; the largest is 255.
	MaxWordRunes int
}

const (
	defaultMaxWordRunes = 100
	largestMaxWordRunes = 255
)

// Tokenizer turns text into the ids of vocabulary entries. It never changes, and
// any number of goroutines may use it at a time.
type Tokenizer struct {
	table    *table
	special  Special
	cased    bool
	maxRunes int
	vocab    int // number of entries

	// plain gives what stands for a byte that is a character of a word by itself,
	// 0 for all other bytes.
	plain [256]byte
	// class gives the class of a one-byte character, or longer for a byte of others;
	// bit opens says that a literal may begin here.
	class [256]byte
	// effects gives what a class comes to: joins, drops, spaces or splits.
	effects [classMask + 1]byte
}

const (
	longer = classMask // no character's class
	opens  = 0x80
)

// New makes a tokenizer of a vocabulary in BERT's own notation, that of vocab.txt:
// "ing" begins a word and "##ing" continues one. The id of an entry is its index;
// of entries with equal text the last is used, as the reference does, but a literal
// always has the id that special gives. The vocabulary is copied.
//
// The error is ErrVocabulary for a vocabulary that is empty, too large (over
// 2^30-1 entries or 2^31-1 bytes) or not UTF-8 and for special ids outside it, and
// ErrOptions for a bad option. Time and space are linear in the size of the vocabulary.
func New(vocab []string, special Special, opts Options) (*Tokenizer, error) {
	return newTokenizer(vocab, special, nil, plainNotation, opts)
}

// NewPhantom makes a tokenizer of a vocabulary in the notation of GGUF files: an
// entry "▁ing" (U+2581) begins a word, "ing" continues one, and control entries
// (those of TypeControl in types, which is as long as vocab) are as in New and are
// literals like those of special. All else is as in New.
func NewPhantom(vocab []string, types []int32, special Special, opts Options) (*Tokenizer, error) {
	if len(types) != len(vocab) {
		return nil, fmt.Errorf("%w: %d types for %d entries", ErrVocabulary, len(types), len(vocab))
	}
	var controls []int32
	for id, t := range types {
		if t == TypeControl {
			controls = append(controls, int32(id))
		}
	}
	return newTokenizer(vocab, special, controls, phantomNotation(types), opts)
}

func newTokenizer(vocab []string, special Special, literals []int32, decode notation, opts Options) (*Tokenizer, error) {
	if opts.MaxWordRunes == 0 {
		opts.MaxWordRunes = defaultMaxWordRunes
	}
	if opts.MaxWordRunes < 1 || opts.MaxWordRunes > largestMaxWordRunes {
		return nil, fmt.Errorf("%w: MaxWordRunes is %d, not in 1..%d", ErrOptions, opts.MaxWordRunes, largestMaxWordRunes)
	}
	named, err := special.ids(len(vocab))
	if err != nil {
		return nil, err
	}
	literals = append(literals, named...) // last, so that they win
	table, err := build(vocab, decode, literals)
	if err != nil {
		return nil, err
	}
	t := &Tokenizer{table: table, special: special, cased: opts.Cased, maxRunes: opts.MaxWordRunes, vocab: len(vocab)}
	t.classify(literals)
	return t, nil
}

// ids checks the special ids against the number of entries and returns those that
// exist.
func (s Special) ids(entries int) (ids []int32, err error) {
	for _, field := range []struct {
		name     string
		id       int32
		optional bool
	}{
		{"Pad", s.Pad, true}, {"Mask", s.Mask, true}, {"Begin", s.Begin, false}, {"End", s.End, false}, {"Unknown", s.Unknown, false},
	} {
		if field.id == None && field.optional {
			continue
		}
		if field.id < 0 || int(field.id) >= entries {
			return nil, fmt.Errorf("%w: id %d of %s is not one of its %d entries", ErrVocabulary, field.id, field.name, entries)
		}
		ids = append(ids, field.id)
	}
	return ids, nil
}

// classify fills the tables by byte and by class.
func (t *Tokenizer) classify(literals []int32) {
	t.effects = [...]byte{joins: joins, drops: drops, marks: drops, spaces: spaces, splits: splits, hangul: joins, overlay: splits, longer: drops}
	if t.cased {
		t.effects[marks], t.effects[overlay] = joins, joins
	}
	for b := range 256 {
		if b >= 0x80 {
			t.class[b] = longer
			continue
		}
		value := property(rune(b))
		t.class[b] = byte(value & classMask)
		if t.class[b] == joins {
			t.plain[b] = byte(b)
		}
		if text := mapped(value); text != "" && !t.cased {
			t.plain[b] = text[0]
		}
	}
	for _, id := range literals {
		first := t.table.entry(id)[0]
		t.plain[first] = 0
		t.class[first] |= opens
	}
}

// Special returns the ids of the special entries.
func (t *Tokenizer) Special() Special { return t.special }

// VocabularySize returns the number of entries; ids are below it.
func (t *Tokenizer) VocabularySize() int { return t.vocab }
