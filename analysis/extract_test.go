// Rows 159 to 170, terms that stand in the text in another form, and random
// texts against the definition.

package analysis

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// passagesOf shows passages as "text {terms}", sentences separated by /.
func passagesOf(passages []Passage) string {
	var out []string
	for _, p := range passages {
		out = append(out, strings.ReplaceAll(p.Text, "\n", "/")+" {"+strings.Join(p.Terms, ",")+"}")
	}
	return strings.Join(out, " | ")
}

// numbered returns n sentences on lines of their own; those listed have a term.
func numbered(n int, with map[int]string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "s%d %s\n", i, with[i])
	}
	return b.String()
}

func TestExtract(t *testing.T) {
	const four = "One here. Two deploys. Three here. Four here."
	alone := ExtractConfig{Window: -1}
	tests := []struct {
		name    string
		content string
		terms   string // separated by commas
		cfg     ExtractConfig
		want    string
	}{
		{"row 159: empty content", "", "deploy", ExtractConfig{}, ""},
		{"row 159: no match", four, "absent", ExtractConfig{}, ""},
		{"row 159: no terms", four, "", ExtractConfig{}, ""},
		{"row 159: blank terms", four, " ,\t,", ExtractConfig{}, ""},
		{"row 160: single sentence", "We deploy.", "deploy", ExtractConfig{}, "We deploy. {deploy}"},
		{"row 160: in the middle", four, "deploy", ExtractConfig{}, "One here./Two deploys./Three here. {deploy}"},
		{"row 160: at the start", four, "one", ExtractConfig{}, "One here./Two deploys. {one}"},
		{"row 160: at the end", four, "four", ExtractConfig{}, "Three here./Four here. {four}"},
		{"row 161: window 0", four, "deploy", alone, "Two deploys. {deploy}"},
		{"row 161: wide window", four, "deploy", ExtractConfig{Window: math.MaxInt}, "One here./Two deploys./Three here./Four here. {deploy}"},
		{"row 162: overlapping", numbered(5, map[int]string{1: "x", 3: "y"}), "x,y", ExtractConfig{}, "s0/s1 x/s2/s3 y/s4 {x,y}"},
		{"row 162: adjacent", numbered(6, map[int]string{1: "x", 4: "y"}), "x,y", ExtractConfig{}, "s0/s1 x/s2/s3/s4 y/s5 {x,y}"},
		{"row 162: apart", numbered(7, map[int]string{1: "x", 5: "y"}), "x,y", ExtractConfig{}, "s0/s1 x/s2 {x} | s4/s5 y/s6 {y}"},
		{"row 162: adjacent without window", numbered(4, map[int]string{1: "x", 2: "y"}), "x,y", alone, "s1 x/s2 y {x,y}"},
		{"row 164: several terms", "The port of the API. No.", "port,api,absent", alone, "The port of the API. {api,port}"},
		{"row 164: a term often", "port port port", "port,port", ExtractConfig{}, "port port port {port}"},
		{"row 165: run of words", "We use blue green deploys.", "blue green", ExtractConfig{}, "We use blue green deploys. {blue green}"},
		{"row 165: case", "The APIs of ÜBERALL", "api,Über", ExtractConfig{}, "The APIs of ÜBERALL {api,Über}"},
		{"row 165: derived words", "Redeployments. ", "deploy", ExtractConfig{}, "Redeployments. {deploy}"},
		{"row 165: spellings of one term", "api", "API,Api,api", ExtractConfig{}, "api {API,Api,api}"},
		{"row 165: one term in another", "she sells", "he,she,hers,sell,ells,e", ExtractConfig{}, "she sells {e,ells,he,sell,she}"},
		{"stop words between", "Deploy it to the cluster.", "deploy cluster", ExtractConfig{}, "Deploy it to the cluster. {deploy cluster}"},
		{"punctuation between", "A fix-it in v0.3.1, \"blue\"-green", "fixit,v031,bluegreen", ExtractConfig{},
			"A fix-it in v0.3.1, \"blue\"-green {bluegreen,fixit,v031}"},
		{"not over sentences", "Deploy. Cluster", "deploy cluster", ExtractConfig{}, ""},
		{"not from the text to its tokens", "port", "port port,portport", ExtractConfig{}, ""},
		{"decomposed accents", "Cafe\u0301", "café", ExtractConfig{}, "Cafe\u0301 {café}"},
		{"W22: Han and Kana", "本番サーバーを更新", "サーバー,番サー,更新する", ExtractConfig{}, "本番サーバーを更新 {サーバー,番サー}"},
		{"W22: scripts in a row", "API設定", "api 設定", ExtractConfig{}, "API設定 {api 設定}"},
		{"own tokenizer", "Deploy to prod", "deploy prod,deploy to", ExtractConfig{Tokenizer: NewTokenizer(TokenConfig{CustomOnly: true})},
			"Deploy to prod {deploy to}"},
		{"row 168: ten sentences, six and four", numbered(10, map[int]string{0: "x", 3: "x", 6: "x", 9: "x"}), "x", ExtractConfig{},
			"s0 x/s1/s2/s3 x/s4/s5 {x} | s6 x/s7/s8/s9 x {x}"},
		{"row 169: one sentence", numbered(3, map[int]string{0: "x", 2: "x"}), "x", ExtractConfig{MaxSentences: -1}, "s0 x {x} | s2 x {x}"},
		{"row 170: terms of each part", numbered(4, map[int]string{0: "x", 3: "y"}), "x,y", ExtractConfig{MaxSentences: 2}, "s0 x/s1 {x} | s2/s3 y {y}"},
		{"row 170: parts without terms", numbered(3, map[int]string{1: "x"}), "x", ExtractConfig{MaxSentences: -5}, "s1 x {x}"},
		{"huge parts", numbered(3, map[int]string{1: "x"}), "x", ExtractConfig{MaxSentences: math.MaxInt}, "s0/s1 x/s2 {x}"},
		{"NUL and bytes that aren't UTF-8", "a\x00b \xffx", "a\x00b,\xff,b \xffX,\xfe", ExtractConfig{}, "a\x00b \xffx {a\x00b,b \xffX,\xff}"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := Extract([]Source{{Content: tt.content}}, strings.Split(tt.terms, ","), tt.cfg)
			if shown := passagesOf(got); shown != tt.want {
				t.Errorf("%q, want %q", shown, tt.want)
			}
		})
	}
	if got := Extract(nil, []string{"x"}, ExtractConfig{}); got != nil {
		t.Errorf("row 159: no sources: %v", got)
	}
}

func TestExtractDuplicates(t *testing.T) {
	day := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	sources := []Source{
		{"1", "a", "Use port 81.", day},
		{"2", "b", "Use port 82.", day},
		{"3", "c", "Use port 81.", day.Add(1)},
	}
	passage := func(i int) Passage {
		s := sources[i]
		return Passage{Text: s.Content, Terms: []string{"port"}, EntryID: s.EntryID, SessionID: s.SessionID, Timestamp: s.Timestamp}
	}
	got := Extract(sources, []string{"port"}, ExtractConfig{})
	if want := []Passage{passage(0), passage(1)}; !reflect.DeepEqual(got, want) {
		t.Errorf("row 163: the first is kept: %v, want %v", got, want)
	}
	got = Extract(sources, []string{"port"}, ExtractConfig{KeepDuplicates: true})
	if want := []Passage{passage(0), passage(1), passage(2)}; !reflect.DeepEqual(got, want) {
		t.Errorf("row 163: both are kept: %v, want %v", got, want)
	}
}

// occurs is the definition of an occurrence.
func occurs(tokenizer *Tokenizer, sentence, term string) bool {
	lower := strings.ToLower(term)
	tokens := tokenizer.Tokens(sentence)
	all := strings.Join(NGrams(tokens, len(tokens)), "")
	return strings.TrimSpace(term) != "" && (strings.Contains(strings.ToLower(sentence), lower) || strings.Contains(all, lower))
}

// naiveExtract is the definition, sentence by sentence and term by term.
func naiveExtract(sources []Source, terms []string, window, most int) (passages []Passage) {
	tokenizer := NewTokenizer(TokenConfig{})
	seen := map[string]bool{}
	for _, source := range sources {
		sentences := Sentences(source.Content)
		inside := make([]bool, len(sentences)+1)
		for i, sentence := range sentences {
			if slices.ContainsFunc(terms, func(term string) bool { return occurs(tokenizer, sentence, term) }) {
				for j := max(0, i-window); j <= min(len(sentences)-1, i+window); j++ {
					inside[j] = true
				}
			}
		}
		for i := 0; i < len(sentences); i++ {
			start := i
			for inside[i] && i-start < most {
				i++
			}
			if i == start {
				continue
			}
			p := Passage{Text: strings.Join(sentences[start:i], "\n"), EntryID: source.EntryID, SessionID: source.SessionID, Timestamp: source.Timestamp}
			i--
			for _, term := range terms {
				if slices.ContainsFunc(sentences[start:i+1], func(s string) bool { return occurs(tokenizer, s, term) }) && !slices.Contains(p.Terms, term) {
					p.Terms = append(p.Terms, term)
				}
			}
			slices.Sort(p.Terms)
			if len(p.Terms) > 0 && !seen[p.Text] {
				seen[p.Text] = true
				passages = append(passages, p)
			}
		}
	}
	return passages
}

func TestExtractAgainstDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(22, 3))
	pool := strings.Split("deploy,deploy cluster,loy,会議室,議題,会議 議題,サーバ,水,é,port 80,80,fixit,redeployment deploy,v12,กิน, ,the,σασ,i,e.g.,dont,cluster deploy cluster", ",")
	for range 400 {
		var sources []Source
		for i := range r.IntN(5) {
			sources = append(sources, Source{EntryID: fmt.Sprint(i), Content: randomText(r, r.IntN(60))})
		}
		var terms []string
		for range r.IntN(6) {
			terms = append(terms, pool[r.IntN(len(pool))])
		}
		window, most := r.IntN(3), 1+r.IntN(4)
		cfg := ExtractConfig{Window: window, MaxSentences: most}
		if window == 0 {
			cfg.Window = -1
		}
		got, want := Extract(sources, terms, cfg), naiveExtract(sources, terms, window, most)
		if len(got)+len(want) > 0 && !reflect.DeepEqual(got, want) {
			t.Fatalf("%q in %v:\n%s, want\n%s", terms, sources, passagesOf(got), passagesOf(want))
		}
	}
}

// Every term that recurs is found in the sessions it was counted in, also when
// stop words or punctuation stand inside of it, unless a sentence ends there.
func TestExtractFindsRecurring(t *testing.T) {
	r := rand.New(rand.NewPCG(22, 4))
	var counts []map[string]int
	var sources []Source
	for range 40 {
		content := strings.Map(func(r rune) rune {
			if strings.ContainsRune(".!\n。", r) {
				return ','
			}
			return r
		}, randomText(r, 30))
		counts = append(counts, SessionCounts(Session{Entries: []Entry{{Content: content}}}, nil, PrefilterConfig{}))
		sources = append(sources, Source{Content: content})
	}
	var terms []string
	for _, term := range Recurring(counts, RecurrenceConfig{}) {
		terms = append(terms, term.Text)
	}
	if len(terms) < 100 {
		t.Fatalf("only %d terms", len(terms))
	}
	passages := Extract(sources, terms, ExtractConfig{KeepDuplicates: true})
	for i, p := range passages {
		for _, term := range terms {
			if counts[i][term] > 0 && !slices.Contains(p.Terms, term) {
				t.Errorf("%q isn't found in %q", term, p.Text)
			}
		}
	}
}

func FuzzExtract(f *testing.F) {
	f.Add("We deploy. To the cluster.\r\nNot now.", "deploy,cluster,会", 1, 6)
	f.Add("会議室。\x00\xff İ", "会議,i,\xff", -1, -1)
	f.Fuzz(func(t *testing.T, text, list string, window, most int) {
		terms := strings.Split(list, ",")
		passages := Extract([]Source{{Content: text}}, terms, ExtractConfig{Window: window, MaxSentences: most})
		for _, p := range passages {
			if len(p.Terms) == 0 || !slices.IsSorted(p.Terms) || utf8.ValidString(text) && !utf8.ValidString(p.Text) {
				t.Errorf("passage %q", p)
			}
			for _, sentence := range strings.Split(p.Text, "\n") {
				if !strings.Contains(text, sentence) {
					t.Errorf("%q isn't in the text", sentence)
				}
			}
		}
	})
}
