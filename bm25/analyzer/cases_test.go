// Field cases P01, P02, P03, P05 and P06 at the level of terms: a query finds
// an entry when they share a term.

package analyzer

import (
	"slices"
	"testing"
)

// finds reports whether a query shares a term with a document.
func finds(a Analyzer, doc, query string) bool {
	return overlap(a, doc, query) > 0
}

// overlap counts the distinct query terms that the document holds.
func overlap(a Analyzer, doc, query string) int {
	terms, n := a.Document(nil, doc), 0
	q := a.Query(nil, query)
	slices.Sort(q)
	for _, term := range slices.Compact(q) {
		if slices.Contains(terms, term) {
			n++
		}
	}
	return n
}

func TestP01ChineseInnerWords(t *testing.T) {
	a := NewText(Options{})
	entry := "上线前我们在部署会议里确认了用户身份验证流程"
	for _, q := range []string{"用户身份", "验证", "身份", "流程", "证"} {
		if !finds(a, entry, q) {
			t.Errorf("query %q misses the entry", q)
		}
		if finds(a, "the login page is blue", q) {
			t.Errorf("query %q finds the English entry", q)
		}
	}
}

func TestP02Scripts(t *testing.T) {
	a := NewText(Options{})
	docs := []struct {
		lang, text string
		queries    []string
	}{
		{"Korean", "우리는 어제 도서관에서 책을 읽었다", []string{"도서관", "책", "어제"}},
		{"Russian", "Вчера мы обсуждали расписание поездов", []string{"расписание", "ПОЕЗДОВ"}},
		{"Greek", "Χθες συζητήσαμε το πρόγραμμα της Δευτέρας", []string{"πρόγραμμα", "προγραμμα", "ΠΡΟΓΡΑΜΜΑ"}},
		{"Arabic", "ناقشنا أمس جدول القطارات الجديد", []string{"جدول", "امس", "أمس"}},
		{"Hebrew", "אתמול דנו בלוח הזמנים של הרכבת", []string{"הזמנים", "בְּלוּחַ"}},
		{"Thai", "เมื่อวานเราคุยเรื่องตารางรถไฟ", []string{"ตาราง", "รถไฟ"}},
		{"Hindi", "कल हमने रेलगाड़ी की समय सारणी पर चर्चा की", []string{"सारणी", "चर्चा"}},
		{"Japanese", "昨日は電車の時刻表について話しました", []string{"時刻表", "電車", "話し"}},
		{"French", "Le café est servi", []string{"café", "cafe", "cafe\u0301", "CAFÉ"}},
	}
	for _, d := range docs {
		for _, q := range d.queries {
			if !finds(a, d.text, q) {
				t.Errorf("%s: query %q misses its entry; entry %q, query %q",
					d.lang, q, a.Document(nil, d.text), a.Query(nil, q))
			}
			for _, other := range docs {
				if other.lang != d.lang && finds(a, other.text, q) {
					t.Errorf("%s: query %q finds the %s entry", d.lang, q, other.lang)
				}
			}
		}
	}
	for _, form := range []string{"cafe", "cafe\u0301", "CAFÉ"} {
		if got, want := a.Document(nil, form), a.Document(nil, "café"); !slices.Equal(got, want) {
			t.Errorf("%q gives %q, café gives %q", form, got, want)
		}
	}
}

func TestP03NoQuerySyntax(t *testing.T) {
	docs := `what did we discuss? C++ and foo/bar with "half a AND NOT x:y a b`
	tests := []struct {
		query          string
		text, standard []string
	}{
		{"what did we discuss?", []string{"discuss"}, []string{"what", "did", "we", "discuss"}},
		{"C++", []string{"c", "c++"}, []string{"c"}},
		{"foo/bar", []string{"foo", "bar"}, []string{"foo", "bar"}},
		{`"half`, []string{"half"}, []string{"half"}},
		{"a AND", []string{"a", "and"}, []string{"a", "and"}},
		{"NOT", []string{"not"}, []string{"not"}},
		{"x:y", []string{"x", "y"}, []string{"x", "y"}},
		{"a\x00b", []string{"b"}, []string{"a", "b"}},
		{"+alpha -beta", []string{"alpha", "beta"}, []string{"alpha", "beta"}},
		{"(", nil, nil},
		{"^~*", nil, nil},
		{"*", nil, nil},
		{"???", nil, nil},
		{"   ", nil, nil},
		{"", nil, nil},
	}
	text, standard := NewText(Options{}), NewStandard()
	for _, tt := range tests {
		if got := text.Query(nil, tt.query); !slices.Equal(got, tt.text) {
			t.Errorf("Text.Query(%q) = %q, want %q", tt.query, got, tt.text)
		}
		if got := standard.Query(nil, tt.query); !slices.Equal(got, tt.standard) {
			t.Errorf("Standard.Query(%q) = %q, want %q", tt.query, got, tt.standard)
		}
		if len(tt.text) > 0 && tt.query[0] != '+' && !finds(text, docs, tt.query) {
			t.Errorf("query %q misses the text that holds it", tt.query)
		}
	}
}

func TestP05StopWords(t *testing.T) {
	a := NewText(Options{})
	if !finds(a, "about text about", "about") {
		t.Error(`"about" is not found`)
	}
	doc, query := "to be or not to be, said Ana", "to be or not to be"
	if got := overlap(a, doc, query); got != 4 {
		t.Errorf("%q shares %d terms, want to, be, or, not", query, got)
	}
	got := a.Query(nil, "What did the committee say about it?")
	if want := []string{"committe", "say"}; !slices.Equal(got, want) {
		t.Errorf("stop words stay in a query: %q, want %q", got, want)
	}
	got = NewText(Options{NoStopWords: true, NoStem: true}).Query(nil, "What did the committee say?")
	if want := []string{"what", "did", "the", "committee", "say"}; !slices.Equal(got, want) {
		t.Errorf("NoStopWords, NoStem: %q, want %q", got, want)
	}
}

func TestP06Identifiers(t *testing.T) {
	a := NewText(Options{})
	doc := "ticket LALALA83 by @meir, see cdm-xxc v1.2.3"
	for _, q := range []string{"LALALA83", "lalala83", "meir", "@meir", "cdm-xxc", "xxc", "1.2.3", "v1.2.3"} {
		if !finds(a, doc, q) {
			t.Errorf("query %q misses %q", q, doc)
		}
	}
	if with, without := overlap(a, doc, "LALALA83"), overlap(a, "song lalala by Meir", "LALALA83"); with <= without {
		t.Errorf("LALALA83 shares %d terms with its entry, %d with one of letters only", with, without)
	}
	parts := []struct {
		doc     string
		queries []string
	}{
		{"call parse_http_header twice", []string{"parse_http_header", "http", "header"}},
		{"call getUserName twice", []string{"getUserName", "getusername", "GETUSERNAME", "user name"}},
		{"class HTTPServer", []string{"httpserver", "server", "http"}},
		{"mail ana.lopez@example.org now", []string{"ana.lopez@example.org", "lopez", "example"}},
		{"see https://example.org/docs/index.html?page=12", []string{"docs", "index.html", "12", "example.org"}},
		{"covid19 wave", []string{"covid-19", "covid", "19", "COVID19"}},
		{"COVID-19 wave", []string{"covid19"}},
		{"written in C++ and F#", []string{"c++", "C", "f#"}},
		{"edit src/foo/bar.go", []string{"bar.go", "foo/bar", "foo"}},
		{"id 9f86d081-884c-4d65", []string{"884c", "9f86d081"}},
	}
	for _, p := range parts {
		for _, q := range p.queries {
			if !finds(a, p.doc, q) {
				t.Errorf("query %q misses %q", q, p.doc)
			}
		}
	}
}
