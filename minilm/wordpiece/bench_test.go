// Benchmarks: building, ordinary text, and text made to be slow.

package wordpiece

import (
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
)

// adversarial are texts of a megabyte or so that a careless tokenizer would spend
// quadratic time on. Size scales them.
func adversarial(size int) map[string]string {
	fill := func(unit string) string { return strings.Repeat(unit, size/len(unit)) }
	return map[string]string{
		"letter":      fill("a"),
		"letters99":   fill(strings.Repeat("a", 99) + " "),
		"marks":       fill("\u0301"),
		"letterMarks": "a" + fill("\u0301") + "b",
		"brackets":    fill("["),
		"literalCut":  fill("[CLS"),
		"literalNear": fill("[MASK[UNK[SEP[PAD"),
		"literals":    fill("[MASK]"),
		"ideographs":  fill("\u6771\u4EAC"),
		"hangul":      fill("\uD55C\uAE00"),
		"hangulWords": fill("\uD55C\uAD6D\uC5B4 "),
		"replacement": fill("\uFFFD"),
		"badBytes":    fill("\xC3"),
		"word":        fill("internationalization"),
		"words":       fill("internationalization "),
		"unknown":     fill(strings.Repeat("a", 98) + "\u2603 "),
		"spaces":      fill(" "),
		"nulls":       fill("\x00"),
		"cyrillic":    fill("\u043F\u0440\u0438\u0432\u0435\u0442 "),
	}
}

// prose joins the recorded texts of a category, shuffled and repeated, to size
// bytes or a little more.
func prose(tb testing.TB, size int, categories ...string) string {
	var texts []string
	for _, r := range recordings(tb) {
		for _, c := range categories {
			if r.Category == c {
				texts = append(texts, r.Text)
			}
		}
	}
	rng := rand.New(rand.NewPCG(1, 2))
	var b strings.Builder
	for b.Len() < size {
		b.WriteString(texts[rng.IntN(len(texts))])
		b.WriteByte('\n')
	}
	return b.String()
}

func benchmarkIDs(b *testing.B, text string) {
	tok := uncased(b)
	dst := tok.AppendIDs(nil, text)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		dst = tok.AppendIDs(dst[:0], text)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(text)), "ns/byte")
}

func BenchmarkAppendIDs(b *testing.B) {
	for _, bench := range []struct {
		name       string
		categories []string
	}{
		{"english", []string{"english"}},
		{"code", []string{"code"}},
		{"scripts", []string{"script", "multilingual"}},
		{"cjk", []string{"cjk"}},
		{"all", []string{"english", "code", "script", "accents", "accents_nfd", "punct", "number", "emoji", "cjk", "fuzz", "special", "case"}},
	} {
		b.Run(bench.name, func(b *testing.B) { benchmarkIDs(b, prose(b, 1<<20, bench.categories...)) })
	}
}

func BenchmarkAdversarial(b *testing.B) {
	for name, text := range adversarial(1 << 20) {
		b.Run(name, func(b *testing.B) { benchmarkIDs(b, text) })
	}
}

func BenchmarkAppendWords(b *testing.B) {
	tok, text := uncased(b), prose(b, 1<<20, "english")
	ids, words := tok.AppendWords(nil, nil, text)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		ids, words = tok.AppendWords(ids[:0], words[:0], text)
	}
}

// A query, a long note, and the beginning of a megabyte.
func BenchmarkAppendEncoded(b *testing.B) {
	tok := uncased(b)
	text := prose(b, 1<<20, "english")
	for _, bench := range []struct {
		name string
		size int
	}{{"40", 40}, {"1000", 1000}, {"1000000", 1000000}} {
		b.Run(bench.name, func(b *testing.B) {
			dst := tok.AppendEncoded(nil, text[:bench.size], 256)
			b.ReportAllocs()
			for b.Loop() {
				dst = tok.AppendEncoded(dst[:0], text[:bench.size], 256)
			}
		})
	}
}

func BenchmarkNew(b *testing.B) {
	vocab := vocabulary(b)
	b.Run("30522", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			mustNew(b, vocab, uncasedSpecial(), Options{})
		}
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		tok := mustNew(b, vocab, uncasedSpecial(), Options{})
		runtime.GC()
		runtime.ReadMemStats(&after)
		b.ReportMetric(float64(after.HeapAlloc)-float64(before.HeapAlloc), "heap-bytes")
		runtime.KeepAlive(tok)
	})
}

func BenchmarkNewPhantom(b *testing.B) {
	tokens, types := phantom(vocabulary(b), uncasedSpecial())
	b.Run("30522", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := NewPhantom(tokens, types, uncasedSpecial(), Options{}); err != nil {
				b.Fatal(err)
			}
		}
	})
}
