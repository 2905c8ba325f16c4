// What each stage before classification costs. The corpora are conversations of
// words drawn by Zipf's law, of a total size, divided into sessions.

package analysis

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// conversation returns n sessions of one text each, of size bytes together.
func conversation(size, n int) []Session {
	r := rand.New(rand.NewPCG(2026, uint64(size)))
	zipf := rand.NewZipf(r, 1.2, 4, 20000)
	vocabulary := make([]string, 20001)
	grammar := strings.Fields("the to of and a in is it that for you we on this be with as have not are")
	for i := range vocabulary {
		if vocabulary[i] = fmt.Sprintf("%c%c%x", 'g'+i%20, 'g'+i*7%20, i); i < len(grammar) {
			vocabulary[i] = grammar[i]
		}
	}
	sessions := make([]Session, n)
	for i := range sessions {
		var b strings.Builder
		for b.Len() < size/n {
			b.WriteString("We ")
			for range 4 + r.IntN(12) {
				b.WriteString(vocabulary[zipf.Uint64()])
				b.WriteByte(' ')
			}
			b.WriteString("don't.\n"[:5+r.IntN(3)])
			if r.IntN(8) == 0 {
				b.WriteString("\nsee src/main.go\n$ ls -l\n")
			}
		}
		sessions[i] = Session{ID: fmt.Sprint(i), Entries: []Entry{{ID: fmt.Sprint(i), Content: b.String()}}}
	}
	return sessions
}

type corpusSize struct {
	name     string
	size     int
	sessions int
}

func corpusSizes() []corpusSize {
	return []corpusSize{{"10KB/5", 10 << 10, 5}, {"100KB/50", 100 << 10, 50}, {"1MB/500", 1 << 20, 500}}
}

func allText(sessions []Session) string {
	var b strings.Builder
	for _, s := range sessions {
		for _, e := range s.Entries {
			b.WriteString(e.Content)
		}
	}
	return b.String()
}

func benchText(b *testing.B, text string, do func(string) int) {
	b.Helper()
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	total := 0
	for b.Loop() {
		total += do(text)
	}
	if total == 0 {
		b.Fatal("nothing")
	}
}

func BenchmarkPrefilter(b *testing.B) {
	for _, c := range corpusSizes() {
		text := allText(conversation(c.size, c.sessions))
		b.Run(c.name, func(b *testing.B) {
			benchText(b, text, func(text string) int { return len(Prefilter(text, PrefilterConfig{})) })
		})
	}
}

func BenchmarkTokens(b *testing.B) {
	tokenizer := NewTokenizer(TokenConfig{})
	for name, text := range map[string]string{
		"English/1MB":  allText(conversation(1<<20, 1)),
		"Japanese/1MB": strings.Repeat("設定ファイルを更新しました。次はサーバーをデプロイします。\n", (1<<20)/90),
		"Russian/1MB":  strings.Repeat("Обновили настройки, теперь порт восемьдесят один. ", (1<<20)/90),
	} {
		b.Run(name, func(b *testing.B) {
			benchText(b, text, func(text string) int { return len(tokenizer.Tokens(text)) })
		})
	}
}

func BenchmarkSentences(b *testing.B) {
	text := allText(conversation(1<<20, 1))
	b.Run("1MB", func(b *testing.B) { benchText(b, text, func(text string) int { return len(Sentences(text)) }) })
}

func countsOf(sessions []Session) []map[string]int {
	tokenizer := NewTokenizer(TokenConfig{})
	counts := make([]map[string]int, len(sessions))
	for i, s := range sessions {
		counts[i] = SessionCounts(s, tokenizer, PrefilterConfig{})
	}
	return counts
}

func BenchmarkSessionCounts(b *testing.B) {
	for _, c := range corpusSizes() {
		sessions := conversation(c.size, c.sessions)
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(c.size))
			b.ReportAllocs()
			for b.Loop() {
				countsOf(sessions)
			}
		})
	}
}

func BenchmarkRecurring(b *testing.B) {
	for _, c := range corpusSizes() {
		counts := countsOf(conversation(c.size, c.sessions))
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(c.size))
			b.ReportAllocs()
			n := 0
			for b.Loop() {
				n = len(Recurring(counts, RecurrenceConfig{}))
			}
			b.ReportMetric(float64(n), "terms")
		})
	}
}

// The number of terms is that which the corpus itself has.
func BenchmarkExtract(b *testing.B) {
	for _, c := range corpusSizes() {
		sessions := conversation(c.size, c.sessions)
		var terms []string
		for _, term := range Recurring(countsOf(sessions), RecurrenceConfig{}) {
			terms = append(terms, term.Text)
		}
		var sources []Source
		for _, s := range sessions {
			sources = append(sources, Source{Content: Prefilter(s.Entries[0].Content, PrefilterConfig{})})
		}
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(c.size))
			b.ReportAllocs()
			for b.Loop() {
				Extract(sources, terms, ExtractConfig{})
			}
			b.ReportMetric(float64(len(terms)), "terms")
		})
	}
}

func BenchmarkNewMatcher(b *testing.B) {
	r := rand.New(rand.NewPCG(22, 7))
	terms := make([]string, 100000)
	for i := range terms {
		terms[i] = fmt.Sprintf("%x %x", r.IntN(5000), r.IntN(5000))
	}
	b.Run("100000", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			newMatcher(terms)
		}
	})
}
