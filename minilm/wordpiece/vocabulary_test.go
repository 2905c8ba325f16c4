// Vocabularies: those that are refused, duplicates, both notations, the table
// against a map.

package wordpiece

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// tiny is a vocabulary with all special entries.
func tiny(more ...string) ([]string, Special) {
	vocab := append([]string{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"}, more...)
	return vocab, Special{Pad: 0, Unknown: 1, Begin: 2, End: 3, Mask: 4}
}

func TestBadVocabularies(t *testing.T) {
	vocab, special := tiny("a")
	with := func(change func(*Special)) Special {
		s := special
		change(&s)
		return s
	}
	for _, c := range []struct {
		name    string
		vocab   []string
		special Special
		opts    Options
		want    error
		text    string
	}{
		{"empty", nil, special, Options{}, ErrVocabulary, "id 0 of Pad is not one of its 0 entries"},
		{"empty, none wanted", nil, Special{None, None, None, None, None}, Options{}, ErrVocabulary, "id -1 of Begin"},
		{"no Unknown", vocab, with(func(s *Special) { s.Unknown = None }), Options{}, ErrVocabulary, "id -1 of Unknown"},
		{"no Begin", vocab, with(func(s *Special) { s.Begin = None }), Options{}, ErrVocabulary, "id -1 of Begin"},
		{"no End", vocab, with(func(s *Special) { s.End = None }), Options{}, ErrVocabulary, "id -1 of End"},
		{"Unknown too large", vocab, with(func(s *Special) { s.Unknown = 6 }), Options{}, ErrVocabulary, "id 6 of Unknown is not one of its 6 entries"},
		{"Pad too large", vocab, with(func(s *Special) { s.Pad = math.MaxInt32 }), Options{}, ErrVocabulary, "of Pad"},
		{"Mask negative", vocab, with(func(s *Special) { s.Mask = -2 }), Options{}, ErrVocabulary, "id -2 of Mask"},
		{"Begin the least", vocab, with(func(s *Special) { s.Begin = math.MinInt32 }), Options{}, ErrVocabulary, "of Begin"},
		{"not UTF-8", append(slices.Clone(vocab), "\xC3"), special, Options{}, ErrVocabulary, `entry 6 is not UTF-8: "\xc3"`},
		{"empty literal", append(slices.Clone(vocab), ""), with(func(s *Special) { s.Mask = 6 }), Options{}, ErrVocabulary, "special entry 6 is empty"},
		{"negative length", vocab, special, Options{MaxWordRunes: -1}, ErrOptions, "MaxWordRunes is -1, not in 1..255"},
		{"large length", vocab, special, Options{MaxWordRunes: 256}, ErrOptions, "MaxWordRunes is 256"},
	} {
		t.Run(c.name, func(t *testing.T) {
			tok, err := New(c.vocab, c.special, c.opts)
			if tok != nil || !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.text) {
				t.Errorf("%v, %v; want an error with %q", tok, err, c.text)
			}
			if tok, err := NewPhantom(c.vocab, make([]int32, len(c.vocab)), c.special, c.opts); tok != nil || !errors.Is(err, c.want) {
				t.Errorf("in phantom notation: %v, %v", tok, err)
			}
		})
	}
	if _, err := NewPhantom(vocab, []int32{1}, special, Options{}); !errors.Is(err, ErrVocabulary) || !strings.Contains(err.Error(), "1 types for 6 entries") {
		t.Error(err)
	}
}

// Sizes that can't be made in a test.
func TestSizeLimits(t *testing.T) {
	for _, c := range []struct {
		entries int
		bytes   uint64
		ok      bool
	}{
		{1, 0, true}, {0, 0, false},
		{1<<30 - 1, 1<<31 - 1, true}, {1 << 30, 0, true}, {1<<30 + 1, 0, false}, {math.MaxInt32, 0, false},
		{5, 1 << 31, false}, {5, 1<<33 + 1, false}, // entries may share their bytes, so that these need no memory
	} {
		err := checkSize(c.entries, c.bytes)
		if (err == nil) != c.ok || err != nil && !errors.Is(err, ErrVocabulary) {
			t.Errorf("%d entries of %d bytes: %v", c.entries, c.bytes, err)
		}
	}
}

// Entries made to collide are refused rather than looked up slowly.
func TestCollidingEntries(t *testing.T) {
	vocab, special := tiny()
	for i := 0; len(vocab) < 2*maxChain; i++ {
		entry, hash := fmt.Sprint(i), atStart.seed()
		for j := range len(entry) {
			hash = step(hash, entry[j])
		}
		if hash>>21 == 0 { // the first of 2,048 slots
			vocab = append(vocab, entry)
		}
	}
	if _, err := New(vocab[:maxChain/2], special, Options{}); err != nil {
		t.Error(err)
	}
	if _, err := New(vocab, special, Options{}); !errors.Is(err, ErrVocabulary) || !strings.Contains(err.Error(), "have the hash of entry") {
		t.Error(err)
	}
}

// Of equal entries the last counts; a literal is always the special id.
func TestDuplicateEntries(t *testing.T) {
	vocab, special := tiny("a", "##b", "[MASK]", "a", "##b", "[UNK]")
	tok := mustNew(t, vocab, special, Options{})
	for text, want := range map[string][]int32{
		"a":      {8},
		"ab":     {8, 9},
		"[MASK]": {4},
		"[UNK]":  {1},
		"x":      {1},
	} {
		if got := tok.AppendIDs(nil, text); !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

// Control entries of a GGUF file are literals even if they have no special role,
// and special ids need not be marked as control entries.
func TestPhantomNotation(t *testing.T) {
	tokens := []string{"[PAD]", "[UNK]", "\u2581[CLS]", "[SEP]", "<extra>", "\u2581a", "b", "\u2581", "", "\u2581\u2581", "<extra2>"}
	types := []int32{TypeControl, 2, 1, TypeControl, TypeControl, 1, 1, 1, 1, 1, 4}
	tok, err := NewPhantom(tokens, types, Special{Pad: 0, Unknown: 1, Begin: 2, End: 3, Mask: None}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string][]int32{
		"ab":            {5, 6},
		"b":             {1},
		"a<extra>b":     {5, 4, 1},
		"<Extra>":       {1, 1, 1},
		"[CLS]a[PAD]":   {2, 5, 0},
		"[UNK]":         {1},
		"<extra2>":      {1, 1, 1},
		"\u2581":        {9},
		"\u2581a":       {1},
		" \t":           nil,
		"abb b [SEP] a": {5, 6, 6, 1, 3, 5},
	} {
		if got := tok.AppendIDs(nil, text); !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

// A control entry is written like an entry that begins a word, and is one, too; of
// equal literals the special one counts.
func TestControlEntriesAreWords(t *testing.T) {
	tokens := []string{"[UNK]", "[CLS]", "[SEP]", "mask", "\u2581a", "[CLS]"}
	types := []int32{TypeControl, TypeControl, TypeControl, TypeControl, 1, TypeControl}
	tok, err := NewPhantom(tokens, types, Special{Pad: None, Unknown: 0, Begin: 1, End: 2, Mask: None}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string][]int32{
		"mask":      {3},
		"MASK":      {3}, // a word, after lowering
		"amaska":    {4, 3, 4},
		"aMASKa":    {0},
		"[CLS]":     {1},
		"m\u00E1sk": {3},
	} {
		if got := tok.AppendIDs(nil, text); !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

func TestAccessors(t *testing.T) {
	vocab, special := tiny("a", "b")
	tok := mustNew(t, vocab, special, Options{})
	if tok.Special() != special || tok.VocabularySize() != 7 {
		t.Errorf("%+v, %d", tok.Special(), tok.VocabularySize())
	}
}

// The tokenizer keeps nothing of the slices it was made of.
func TestVocabularyIsCopied(t *testing.T) {
	vocab, special := tiny("a", "##b")
	tokens, types := phantom(vocab, special)
	plain := mustNew(t, vocab, special, Options{})
	other, err := NewPhantom(tokens, types, special, Options{})
	if err != nil {
		t.Fatal(err)
	}
	clear(vocab)
	clear(tokens)
	clear(types)
	for _, tok := range []*Tokenizer{plain, other} {
		if got := tok.AppendIDs(nil, "ab[MASK]"); !slices.Equal(got, []int32{5, 6, 4}) {
			t.Error(got)
		}
	}
}

// The table against a map, for random entries and texts.
func TestTableAgainstMap(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 9))
	word := func() string {
		b := make([]byte, 1+rng.IntN(8))
		for i := range b {
			b[i] = 'a' + byte(rng.IntN(3))
		}
		return string(b)
	}
	for range 50 {
		vocab, model := []string{}, map[string]int32{}
		for id := range 1 + rng.IntN(400) {
			entry := []string{"", "##"}[rng.IntN(2)] + word()
			vocab, model[entry] = append(vocab, entry), int32(id)
		}
		table, err := build(vocab, plainNotation, nil)
		if err != nil {
			t.Fatal(err)
		}
		for range 200 {
			text, k, prefix := word()+word(), atStart, ""
			if rng.IntN(2) == 0 {
				k, prefix = inside, "##"
			}
			wantID, want := int32(0), 0
			for n := 1; n <= len(text); n++ {
				if id, ok := model[prefix+text[:n]]; ok {
					wantID, want = id, n
				}
			}
			if id, n, read := longest(table, k, text); id != wantID || n != want || read < n || read > len(text) {
				t.Fatalf("%q in %q: %d of length %d after %d, want %d of %d", text, vocab, id, n, read, wantID, want)
			}
			if id, n, _ := longest(table, asLiteral, text); n != 0 {
				t.Fatalf("%q is the literal %d", text[:n], id)
			}
		}
	}
}
