// Which categories a passage has: rows 171 to 173, 177 to 180 and 185.

package analysis

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// at returns an instant so many hours after an arbitrary one.
func at(hours float64) time.Time {
	return time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(hours * float64(time.Hour)))
}

func TestClassifyNothing(t *testing.T) {
	t.Run("row 171: no passages", func(t *testing.T) {
		if got := Classify(nil, ClassifyConfig{}); len(got) != 0 {
			t.Errorf("%v", got)
		}
	})
	t.Run("row 171: neutral passage", func(t *testing.T) {
		p := Passage{Text: "The database holds the entries.", Terms: []string{"database"}, EntryID: "e", SessionID: "s", Timestamp: at(1)}
		if got, want := Classify([]Passage{p}, ClassifyConfig{}), []Classified{{Passage: p}}; !reflect.DeepEqual(got, want) {
			t.Errorf("%+v", got)
		}
	})
}

func TestCorrective(t *testing.T) {
	tests := []struct {
		name, text string
		terms      []string
		want       bool
	}{
		{"row 172: negation near a term", "The database is not reachable", []string{"database"}, true},
		{"row 172: negation before", "Do not use the database", []string{"database"}, true},
		{"row 172: question", "Is the database not reachable?", []string{"database"}, false},
		{"row 172: quoted question", "He asked: “is the database not reachable?” ", []string{"database"}, false},
		{"row 172: question in brackets", "(the database is not reachable?)\n", []string{"database"}, false},
		{"row 172: full-width question", "the database 不 not reachable？", []string{"database"}, false},
		{"question within", "Why? The database is not reachable.", []string{"database"}, true},
		{"no negation", "The database is reachable", []string{"database"}, false},
		{"no term", "The network is not reachable", []string{"database"}, false},
		{"no terms", "The network is not reachable", nil, false},
		{"far away", "not one two three four five database", []string{"database"}, false},
		{"at the border", "not one two three four database", []string{"database"}, true},
		{"contraction", "The database isn't reachable", []string{"database"}, true},
		{"typographic apostrophe", "The database isn’t reachable", []string{"database"}, true},
		{"capitals", "NEVER touch the DATABASE", []string{"database"}, true},
		{"phrase", "The database is no longer used", []string{"database"}, true},
		{"term of several words", "Do not start the job queue", []string{"job queue"}, true},
		{"term with another word between", "Do not start the job red queue", []string{"job queue"}, false},
		{"term with stop words between", "Do not start the job in the queue", []string{"job queue"}, true},
		{"part of a word", "The database is notable", []string{"database"}, false},
		{"derived word", "Not the databases", []string{"database"}, false},
		{"punctuation around", "*not* (database)", []string{"database"}, true},
		{"punctuation within", "Not v0.3.1", []string{"v031"}, true},
		{"accents", "nicht mehr: no CAFÉ here", []string{"café"}, true},
		{"decomposed accents", "no cafe\u0301 here", []string{"café"}, true},
		{"second term", "We have no queue", []string{"database", "queue"}, true},
		{"second place", "database a b c d e f g h not the database", []string{"database"}, true},
		{"second negation", "not a b c d e f g h i database never", []string{"database"}, true},
		{"term at the end", "it is not job", []string{"job queue"}, false},
		{"empty term", "it is not so", []string{"", "!"}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := has(classifyOne(tt.text, tt.terms...), Corrective); got != tt.want {
				t.Errorf("%q: %v", tt.text, got)
			}
		})
	}
}

func TestProximity(t *testing.T) {
	tests := []struct {
		name      string
		proximity int
		between   int // words
		want      bool
	}{
		{"row 173: three", 3, 2, true},
		{"row 173: four", 3, 3, false},
		{"default five", 0, 4, true},
		{"default six", 0, 5, false},
		{"negative", -1, 0, false},
		{"without limit", int(^uint(0) >> 1), 50, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			filler := strings.Repeat("so ", tt.between)
			for _, text := range []string{"no " + filler + "database", "database " + filler + "no"} {
				got := Classify([]Passage{{Text: text, Terms: []string{"database"}}}, ClassifyConfig{Proximity: tt.proximity})[0]
				if has(got, Corrective) != tt.want {
					t.Errorf("%q: %v", text, got.Categories)
				}
			}
		})
	}
	got := Classify([]Passage{{Text: "it is none", Terms: []string{"none"}}}, ClassifyConfig{Proximity: -1})[0]
	if !has(got, Corrective) {
		t.Error("a term that negates is not 0 words away from itself")
	}
}

func TestDecisive(t *testing.T) {
	tests := []struct {
		name, text string
		terms      []string
		want       bool
		pair       [2]string
	}{
		{"row 179: both", "We chose Redis over Kafka because it is small", nil, true, [2]string{"Redis", "Kafka"}},
		{"row 179: comparison alone", "We chose Redis over Kafka", nil, false, [2]string{}},
		{"row 179: cause alone", "It failed because Redis was down", nil, false, [2]string{}},
		{"phrases", "We went with Redis as a result of Kafka", nil, true, [2]string{"Redis", "Kafka"}},
		{"phrases in capitals", "it Went With a, So That it works", nil, true, [2]string{}},
		{"no names", "this is better because simple", []string{"queue", "job"}, true, [2]string{"queue", "job"}},
		{"one name", "in Redis it is better because simple", []string{"queue"}, true, [2]string{}},
		{"one name twice", "in Redis and REDIS it is better because simple", []string{"a", "b"}, true, [2]string{"a", "b"}},
		{"W24: I is no name", "so I chose Redis and I am happy because I can", []string{"a", "b"}, true, [2]string{"a", "b"}},
		{"W24: nor are its contractions", "so I'm sure I’ve chosen better as I'd say because I'll stay", nil, true, [2]string{}},
		{"W24: the first word of a sentence", "Using Redis is better because it works. Kafka fails", nil, true, [2]string{}},
		{"W24: unless it is a name elsewhere", "Redis is better than Kafka because Redis works", nil, true, [2]string{"Redis", "Kafka"}},
		{"item of a list", "1. Use Redis\n- Take Kafka\nbetter because of Go", nil, true, [2]string{"Redis", "Kafka"}},
		{"after a colon", "my view: Prefer Redis over Kafka because", nil, true, [2]string{"Redis", "Kafka"}},
		{"possessive", "we prefer Redis's way to Kafka’s because", nil, true, [2]string{"Redis", "Kafka"}},
		{"signs in names", "we prefer C++ over C# because", nil, true, [2]string{"C++", "C#"}},
		{"accents", "we prefer Émile to Öst because", nil, true, [2]string{"Émile", "Öst"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := classifyOne(tt.text, tt.terms...)
			if has(got, Decisive) != tt.want || got.Pair != tt.pair {
				t.Errorf("%q: %v %q, want %v %q", tt.text, got.Categories, got.Pair, tt.want, tt.pair)
			}
		})
	}
}

func TestSeveralCategories(t *testing.T) {
	t.Run("row 185: corrective and decisive", func(t *testing.T) {
		got := classifyOne("We chose Redis instead of Kafka because Kafka is not small", "kafka")
		if want := []Category{Corrective, Decisive}; !slices.Equal(got.Categories, want) {
			t.Errorf("%v", got.Categories)
		}
	})
	t.Run("all, in order", func(t *testing.T) {
		var passages []Passage
		for i := range 3 {
			passages = append(passages, Passage{
				Text:  "Yes, the queue is set to Redis instead of Kafka because Kafka is not small",
				Terms: []string{"queue", "kafka"}, SessionID: fmt.Sprint(i), Timestamp: at(float64(i)),
			})
		}
		for _, got := range Classify(passages, ClassifyConfig{}) {
			if want := []Category{Corrective, Stateful, Decisive, Reinforcing}; !slices.Equal(got.Categories, want) {
				t.Errorf("%v", got.Categories)
			}
		}
	})
}

func TestClassifyKeepsPassages(t *testing.T) {
	passages := []Passage{{Text: "b", EntryID: "1"}, {Text: "a", EntryID: "2"}, {Text: "the port is now 80", Terms: []string{"z", "a"}}}
	before := slices.Clone(passages)
	got := Classify(passages, ClassifyConfig{})
	for i := range got {
		if !reflect.DeepEqual(got[i].Passage, before[i]) || !reflect.DeepEqual(passages[i], before[i]) {
			t.Errorf("passage %d became %+v", i, got[i])
		}
	}
}

func FuzzClassify(f *testing.F) {
	for _, text := range []string{
		"", "The port is set to 80, not 81", "We chose Redis over Kafka because I said so", "yes = no", "数据库不可用", "\xff=\xfe",
		"e\u0301 → ä", "`a` = 1; b := 2", strings.Repeat("is now ", 50), "İ is now I", "?", "port:", "a\x00=\x00b",
	} {
		f.Add(text, "port", uint8(3))
	}
	f.Fuzz(func(t *testing.T, text, term string, n uint8) {
		if len(text) > 1<<12 {
			return
		}
		var passages []Passage
		for i := range n % 5 {
			passages = append(passages, Passage{Text: text, Terms: []string{term}, SessionID: string(rune('a' + i)), Timestamp: at(float64(n ^ i))})
		}
		got := Classify(passages, ClassifyConfig{})
		if len(got) != len(passages) {
			t.Fatalf("%d of %d passages", len(got), len(passages))
		}
		for i := range got {
			checkClassified(t, &got[i], passages[i])
		}
		if again := Classify(passages, ClassifyConfig{}); !reflect.DeepEqual(got, again) {
			t.Errorf("%+v, then %+v", got, again)
		}
		for _, s := range Score(got, []Term{{Text: term, Recurrence: 0.5, SessionFrequency: 2}}, at(1000), ScoreConfig{}) {
			if !(s.Importance >= 0 && s.Importance <= 0.75) {
				t.Errorf("importance %v", s.Importance)
			}
		}
	})
}

// checkClassified checks what holds of every classification.
func checkClassified(t *testing.T, c *Classified, p Passage) {
	t.Helper()
	if !reflect.DeepEqual(c.Passage, p) {
		t.Errorf("%+v became %+v", p, c.Passage)
	}
	order := []Category{Corrective, Stateful, Decisive, Reinforcing}
	for _, list := range [][]Category{c.Categories, c.Superseded} {
		for i := range list {
			if i > 0 && slices.Index(order, list[i]) <= slices.Index(order, list[i-1]) {
				t.Errorf("the order of %v", list)
			}
			if !slices.Contains(c.Categories, list[i]) {
				t.Errorf("%v of %v", c.Superseded, c.Categories)
			}
		}
	}
	stateful := slices.Contains(c.Categories, Stateful)
	if stateful != (c.Entity != "") || stateful != (c.Value != "") || len(strings.Fields(c.Entity)) > entityWords {
		t.Errorf("%v of %q: %q, %q", c.Categories, p.Text, c.Entity, c.Value)
	}
	if utf8.ValidString(p.Text) && !(utf8.ValidString(c.Entity) && utf8.ValidString(c.Value) && utf8.ValidString(c.Pair[0])) {
		t.Errorf("%q: %q %q %q are no text", p.Text, c.Entity, c.Value, c.Pair)
	}
}

// TestNearTermsStayLinear has as many terms that begin with one word as places
// near a negation with that word.
func TestNearTermsStayLinear(t *testing.T) {
	work := func(n int) int {
		var text strings.Builder
		var terms []string
		for i := range n {
			fmt.Fprintf(&text, "not port u%d ", i)
			terms = append(terms, fmt.Sprintf("port w%d", i))
		}
		text.WriteString("a1 a2 a3 a4 a5 a6 a7 a8 a9 ")
		for i := range n {
			fmt.Fprintf(&text, "port w%d ", i)
		}
		c := classifier{voc: newVocabulary(nil), tokenizer: NewTokenizer(TokenConfig{}), proximity: 5}
		if got, _ := c.classify(&Passage{Text: text.String(), Terms: terms}); len(got.Categories) > 0 {
			t.Fatalf("categories %v", got.Categories)
		}
		return c.tree.work
	}
	if small, large := work(500), work(5000); large > 11*small {
		t.Errorf("%d steps for 500 terms, %d for 5000", small, large)
	}
}

// TestTermsWithStopWords has terms that hold stop words themselves, which
// tokenizers with another list make.
func TestTermsWithStopWords(t *testing.T) {
	for _, tt := range []struct {
		text, term string
		want       bool
	}{
		{"not port of call", "port of call", true},
		{"not port of the call", "port of call", true},
		{"not port of of call", "port of call", true},
		{"not port the call", "port of call", false},
		{"not port of call", "port call", true},
		{"not port of", "port of call", false},
		{"not of port", "of port", true},
		{"not of the port", "port", true},
	} {
		got := Classify([]Passage{{Text: tt.text, Terms: []string{"port side", tt.term, "port of origin"}}}, ClassifyConfig{})
		if found := slices.Contains(got[0].Categories, Corrective); found != tt.want {
			t.Errorf("%q in %q: %v", tt.term, tt.text, found)
		}
	}
}
