// What tokenizing costs: work linear in the text, no more read than is wanted, no
// memory, a small table. All of it is counted, none of it timed.

package wordpiece

import (
	"strings"
	"testing"
	"unsafe"
)

// work tokenizes a text and returns the number of ids and of bytes that were looked
// at in the table.
func work(tok *Tokenizer, text string) (ids, bytes int) {
	s := scanner{text: text}
	n := len(tok.appendIDs(nil, &s, -1))
	return n, s.work
}

// Four times the text is four times the work, and never more than a few looks a byte.
func TestWorkIsLinear(t *testing.T) {
	tok := uncased(t)
	small, large := adversarial(1<<16), adversarial(1<<18)
	for name, text := range small {
		t.Run(name, func(t *testing.T) {
			ids, bytes := work(tok, text)
			ids4, bytes4 := work(tok, large[name])
			if bytes > 4*len(text) || bytes4 > 4*bytes+1000 {
				t.Errorf("%d and %d looks for %d and %d bytes", bytes, bytes4, len(text), len(large[name]))
			}
			if ids > len(text) || ids4 > len(large[name]) {
				t.Errorf("%d and %d ids for %d and %d bytes", ids, ids4, len(text), len(large[name]))
			}
		})
	}
}

// The bound holds for a vocabulary made to be slow too: each byte is looked at no
// more often than the longest entry is long, for pieces and for literals.
func TestWorkIsBoundedByTheLongestEntry(t *testing.T) {
	const long = 60
	runs := strings.Repeat("a", long)
	vocab := []string{"[UNK]", "[CLS]", "[SEP]", strings.Repeat("[", long) + "x", "a", "##a", runs + "b", "##" + runs + "b"}
	tok := mustNew(t, vocab, Special{Unknown: 0, Begin: 1, End: 2, Pad: None, Mask: 3}, Options{})
	for _, unit := range []string{strings.Repeat("a", 99) + " ", "[", runs + " ", "[[a"} {
		text := strings.Repeat(unit, 1<<16/len(unit))
		if _, bytes := work(tok, text); bytes > (long+2)*len(text) {
			t.Errorf("%q: %d looks for %d bytes", unit, bytes, len(text))
		}
	}
}

// The ids of texts made to be slow are right, too.
func TestAdversarialTexts(t *testing.T) {
	for name, text := range adversarial(3000) {
		t.Run(name, func(t *testing.T) {
			for _, p := range pairs(t)[:2] {
				compare(t, p.tok, p.oracle, text)
				compare(t, p.tok, p.oracle, text+" and a word")
			}
		})
	}
}

// Encoding stops with the word that fills the limit.
func TestReadingStops(t *testing.T) {
	tok := uncased(t)
	for _, c := range []struct {
		unit        string
		limit, read int
	}{
		{"the ", 0, 0},
		{"the ", 1, 3},
		{"the ", 254, 254*4 - 1},
		{"[", 10, 10},
		{"[CLS]", 10, 50},
		{"internationalization ", 3, len("internationalization ") + len("internationalization")},
		{"\u6771", 254, 3 * 254},
		{strings.Repeat("a", 1<<16) + " ", 2, 2<<16 + 1},
	} {
		s := scanner{text: strings.Repeat(c.unit, 1000)}
		if got := tok.appendIDs(nil, &s, c.limit); len(got) != c.limit || s.pos != c.read {
			t.Errorf("%.30q: %d ids and %d bytes read, want %d and %d", c.unit, len(got), s.pos, c.limit, c.read)
		}
	}
}

func TestNothingIsAllocated(t *testing.T) {
	tok := uncased(t)
	ids, words := make([]int32, 0, 1<<16), make([]Word, 0, 1<<16)
	var texts []string
	for _, r := range recordings(t) {
		texts = append(texts, r.Text)
	}
	for _, text := range adversarial(1 << 12) {
		texts = append(texts, text)
	}
	for _, text := range texts {
		for name, run := range map[string]func(){
			"AppendIDs":     func() { tok.AppendIDs(ids, text) },
			"AppendEncoded": func() { tok.AppendEncoded(ids, text, 256) },
			"AppendWords":   func() { tok.AppendWords(ids, words, text) },
		} {
			if n := testing.AllocsPerRun(1, run); n != 0 {
				t.Fatalf("%s allocates %v times for %.50q", name, n, text)
			}
		}
	}
}

// The results of earlier calls stay what they were, and the new ones follow them.
func TestAppendKeepsWhatIsThere(t *testing.T) {
	tok := uncased(t)
	ids := tok.AppendIDs([]int32{-7}, "hello")
	ids = tok.AppendEncoded(ids, "hello world", 3)
	ids, words := tok.AppendWords(ids, []Word{{1, 2, 3}}, "my world")
	want := []int32{-7, 7592, 101, 7592, 102, 2026, 2088}
	if len(ids) != len(want) || len(words) != 3 || words[0] != (Word{1, 2, 3}) || words[1] != (Word{0, 2, 5}) || words[2] != (Word{3, 8, 6}) {
		t.Fatalf("%v, %v", ids, words)
	}
	for i := range want {
		if ids[i] != want[i] {
			t.Fatalf("%v, want %v", ids, want)
		}
	}
}

// The table of the reference vocabulary takes less than a megabyte, and its chains
// are short.
func TestTableIsSmall(t *testing.T) {
	table := uncased(t).table
	size := len(table.text) + 4*cap(table.offsets) + int(unsafe.Sizeof(slot{}))*len(table.slots) + 4*len(table.cells)
	if size > 1<<20 {
		t.Errorf("the table takes %d bytes", size)
	}
	longest, chain := 0, 0
	for _, s := range append(table.slots, table.slots...) {
		if chain++; s.ref == 0 {
			chain = 0
		}
		longest = max(longest, chain)
	}
	if longest > maxChain/10 {
		t.Errorf("a chain of %d slots", longest)
	}
}

// TestWordsEqualsAppendWords: the same words, one at a time.
func TestWordsEqualsAppendWords(t *testing.T) {
	tok := uncased(t)
	for _, text := range []string{"", " ", "my world", "unaffable [CLS] \u4e00\u4e8c, a\u0301b\xffc", "\ud55c\uad6d \u200b -- " + strings.Repeat("x", 200)} {
		ids, want := tok.AppendWords(nil, nil, text)
		i := 0
		for w, pieces := range tok.Words(text) {
			next := len(ids)
			if i+1 < len(want) {
				next = want[i+1].First
			}
			if w.Start != want[i].Start || w.End != want[i].End || pieces != next-want[i].First {
				t.Errorf("%q: word %d is %+v with %d pieces, want %+v", text, i, w, pieces, want[i])
			}
			i++
		}
		if i != len(want) {
			t.Errorf("%q: %d words, want %d", text, i, len(want))
		}
		for range tok.Words(text) {
			break
		}
	}
}
