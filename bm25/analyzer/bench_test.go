// Benchmarks: memory entries of 45 words with a Zipf vocabulary, prose, and
// scripts that take the slow path.

package analyzer

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// englishText returns n words drawn from a vocabulary of the given size by
// Zipf's law, with capitals and punctuation.
func englishText(rng *rand.Rand, n, vocabulary int) string {
	zipf := rand.NewZipf(rng, 1.07, 2.7, uint64(vocabulary-1))
	var b strings.Builder
	for i := range n {
		w := pseudoWord(zipf.Uint64())
		if i%11 == 0 {
			w = strings.ToUpper(w[:1]) + w[1:]
		}
		b.WriteString(w)
		if i%11 == 10 {
			b.WriteByte('.')
		}
		b.WriteByte(' ')
	}
	return b.String()
}

// pseudoWord returns a pronounceable word for a number; frequent words, the
// small numbers, are short.
func pseudoWord(n uint64) string {
	const consonants, vowels = "tnsrlhdcmfpgwybvk", "eaoiu"
	suffixes := [...]string{"", "s", "ed", "ing", "ly", "ation", "ness", "er"}
	var b strings.Builder
	b.WriteByte(consonants[n%uint64(len(consonants))])
	b.WriteByte(vowels[n/3%uint64(len(vowels))])
	for m := n; m > 0; m /= 85 {
		b.WriteByte(consonants[m%17])
		b.WriteByte(vowels[m/17%5])
	}
	b.WriteString(suffixes[n/7%uint64(len(suffixes))])
	return b.String()
}

func benchTexts(vocabulary int) []string {
	rng := rand.New(rand.NewPCG(1, 2))
	texts := make([]string, 2000)
	for i := range texts {
		texts[i] = englishText(rng, 45, vocabulary)
	}
	return texts
}

func benchDocuments(b *testing.B, a Analyzer, texts []string) {
	b.Helper()
	var size int
	for _, text := range texts {
		size += len(text)
	}
	b.SetBytes(int64(size / len(texts)))
	b.ReportAllocs()
	var dst []string
	for i := 0; b.Loop(); i++ {
		dst = a.Document(dst[:0], texts[i%len(texts)])
	}
}

func BenchmarkTextDocument(b *testing.B) {
	for _, vocabulary := range []int{1000, 20_000, 200_000} {
		b.Run(fmt.Sprintf("45words/vocabulary=%d", vocabulary), func(b *testing.B) {
			benchDocuments(b, NewText(Options{}), benchTexts(vocabulary))
		})
	}
	for _, s := range scriptTexts {
		b.Run(s.lang, func(b *testing.B) {
			benchDocuments(b, NewText(Options{}), []string{s.text})
		})
	}
}

func BenchmarkTextMiss(b *testing.B) {
	a := NewText(Options{})
	words := strings.Fields(englishText(rand.New(rand.NewPCG(3, 4)), 5000, 200_000))
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		a.analyze(words[i%len(words)])
	}
}

func BenchmarkTextQuery(b *testing.B) {
	a := NewText(Options{})
	b.ReportAllocs()
	var dst []string
	for b.Loop() {
		dst = a.Query(dst[:0], "What did the committee say about the release schedule?")
	}
}

func BenchmarkTextParallel(b *testing.B) {
	a, texts := NewText(Options{}), benchTexts(20_000)
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		var dst []string
		for i := 0; pb.Next(); i++ {
			dst = a.Document(dst[:0], texts[i%len(texts)])
		}
	})
}

func BenchmarkStandardDocument(b *testing.B) {
	b.Run("45words/vocabulary=20000", func(b *testing.B) {
		benchDocuments(b, NewStandard(), benchTexts(20_000))
	})
	for _, s := range scriptTexts {
		b.Run(s.lang, func(b *testing.B) {
			benchDocuments(b, NewStandard(), []string{s.text})
		})
	}
}

func BenchmarkStem(b *testing.B) {
	words := strings.Fields(englishText(rand.New(rand.NewPCG(5, 6)), 5000, 200_000))
	buf := make([]byte, 0, 64)
	for i, w := range words {
		words[i] = strings.ToLower(strings.TrimRight(w, "."))
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		stemEnglish(append(buf[:0], words[i%len(words)]...))
	}
}

func BenchmarkNewText(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		NewText(Options{})
	}
}

func BenchmarkBuildClasses(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		buildClasses()
	}
}
