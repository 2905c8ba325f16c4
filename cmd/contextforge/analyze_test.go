package main

// This file tests what the scripts don't show: the page and its plots, marks, and
// lines in 80 columns.

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"html"
	"io"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/contextforge-go/contextforge/analysis"
)

// hostile is text that tries to act on a page, a plot and a terminal.
const hostile = "</pre><script>alert(1)</script><img src=x onerror=alert(2)> \"' & {{.Text}} ]]>\x1b[31m\x00\u202e\xff"

func hostileSegments() (list []analysis.Segment) {
	for i := range 3 {
		list = append(list, analysis.Segment{
			Text: hostile + "\nsecond line", Importance: 1 / float64(i+1), SessionFrequency: 2, Categories: []analysis.Category{analysis.Corrective},
			Terms: []string{hostile, fmt.Sprint("term", i)}, EntryID: hostile, SessionID: fmt.Sprint(i),
			Timestamp: time.Date(2026, 1, 1+i, 0, 0, 0, 0, time.UTC),
		})
	}
	return list
}

func pageOf(t *testing.T, segments []analysis.Segment) string {
	t.Helper()
	report := analysis.Summary(slices.Values(segments), analysis.SummaryConfig{})
	var b bytes.Buffer
	if err := writePage(&b, segments, &report); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// Nothing of the text is markup, nothing comes from elsewhere, and the same
// segments give the same page.
func TestPageIsHarmless(t *testing.T) {
	page := pageOf(t, hostileSegments())
	tag := regexp.MustCompile(`<(/?[a-z0-9!]+)`)
	for _, m := range tag.FindAllStringSubmatch(page, -1) {
		switch strings.TrimPrefix(m[1], "/") {
		case "!", "html", "head", "meta", "title", "style", "body", "h1", "h2", "p", "img", "ol", "li", "small", "pre", "table", "tr", "th", "td":
		default:
			t.Errorf("the page has a tag %q", m[0])
		}
	}
	if strings.Contains(page, "<script") || strings.Contains(page, "<img src=x") || strings.Contains(page, "http:") || strings.Contains(page, "https:") {
		t.Error("the page has a script, or something from elsewhere")
	}
	if n := strings.Count(page, "&lt;script&gt;"); n != 3*2+1 {
		t.Errorf("%d escaped scripts", n)
	}
	if strings.ContainsAny(page, "\x00\x1b\u202e") || !utf8.ValidString(page) {
		t.Error("the page has characters that act")
	}
	if n := strings.Count(page, "<img src=\"data:image/svg"); n != len(drawnPlots(t)) || strings.Count(page, "<img") != n {
		t.Errorf("%d plots", n)
	}
	if again := pageOf(t, hostileSegments()); again != page {
		t.Error("another page of the same segments")
	}
}

func drawnPlots(t *testing.T) []plot {
	t.Helper()
	report := analysis.Summary(slices.Values(hostileSegments()), analysis.SummaryConfig{})
	drawn, err := plots(&report)
	if err != nil {
		t.Fatal(err)
	}
	return drawn
}

// The plots are well-formed images without anything that acts.
func TestPlotsAreHarmless(t *testing.T) {
	for _, p := range drawnPlots(t) {
		checkSVG(t, p.title, p.svg)
	}
	page := pageOf(t, hostileSegments())
	for _, m := range regexp.MustCompile(`base64,([^"]*)"`).FindAllStringSubmatch(page, -1) {
		svg, err := base64.StdEncoding.DecodeString(html.UnescapeString(m[1]))
		if err != nil {
			t.Error(err)
		}
		checkSVG(t, "in the page", svg)
	}
}

func checkSVG(t *testing.T, title string, svg []byte) {
	t.Helper()
	d := xml.NewDecoder(bytes.NewReader(svg))
	n := 0
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("%s: %v", title, err)
		}
		start, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		n++
		switch start.Name.Local {
		case "svg", "path", "text", "g", "circle":
		default:
			t.Errorf("%s has a %s", title, start.Name.Local)
		}
		for _, a := range start.Attr {
			if strings.HasPrefix(a.Name.Local, "on") || a.Name.Local == "href" {
				t.Errorf("%s has an attribute %s", title, a.Name.Local)
			}
		}
	}
	if n < 5 {
		t.Errorf("%s: %d elements", title, n)
	}
}

func TestPageOfNothing(t *testing.T) {
	if page := pageOf(t, nil); !strings.Contains(page, "0 passages from 0 entries in 0 sessions") || !strings.Contains(page, "</html>") {
		t.Errorf("%s", page)
	}
}

func TestPageFile(t *testing.T) {
	r := newRig(t)
	r.must(`{"content":"the login page","session_id":"1"}`+"\n"+`{"content":"a login page","session_id":"2"}`+"\n"+`{"content":"else","session_id":"3"}`+"\n", "import")
	r.must("", "analyze", "--html", r.path("a.html"))
	text, err := os.ReadFile(r.path("a.html"))
	if err != nil || !bytes.Contains(text, []byte("2 passages from 2 entries in 2 sessions")) || !bytes.Contains(text, []byte("login page")) {
		t.Errorf("%v: %s", err, text)
	}
}

func TestMarked(t *testing.T) {
	some := &marks{importance: 0.25, categories: []analysis.Category{analysis.Stateful}}
	const written = `{"categories":["stateful"],"importance":0.25}`
	tests := []struct {
		name, metadata string
		marks          *marks
		want           string
		ok             bool
	}{
		{"none", ``, some, written, true},
		{"null", `null`, some, written, true},
		{"empty", `{}`, some, written, true},
		{"other keys", `{"z":[1,{"a":null}],"n":12345678901234567890}`, some, `{"categories":["stateful"],"importance":0.25,"n":12345678901234567890,"z":[1,{"a":null}]}`, true},
		{"earlier marks", `{"importance":1,"categories":[],"k":1}`, some, `{"categories":["stateful"],"importance":0.25,"k":1}`, true},
		{"no categories", `{}`, &marks{categories: []analysis.Category{}}, `{"categories":[],"importance":0}`, true},
		{"a list", `[1]`, some, `[1]`, false},
		{"a string", `"a"`, some, `"a"`, false},
		{"nothing to mark", `{"a":1}`, nil, `{"a":1}`, true},
		{"nothing to mark on a list", `[1]`, nil, `[1]`, true},
		{"marks to remove", `{"a":1,"importance":0.5,"categories":["corrective"]}`, nil, `{"a":1}`, true},
		{"only marks to remove", `{"importance":0,"categories":[]}`, nil, ``, true},
		{"somebody's own importance", `{"importance":0.5}`, nil, `{"importance":0.5}`, true},
		{"too great a one", `{"importance":7,"categories":[]}`, nil, `{"importance":7,"categories":[]}`, true},
		{"other categories", `{"importance":0.5,"categories":["bug"]}`, nil, `{"importance":0.5,"categories":["bug"]}`, true},
		{"no list of categories", `{"importance":0.5,"categories":null}`, nil, `{"importance":0.5,"categories":null}`, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, ok := marked(json.RawMessage(tt.metadata), tt.marks)
			if string(got) != tt.want || ok != tt.ok {
				t.Errorf("%s, %v", got, ok)
			}
		})
	}
}

func TestMarksOf(t *testing.T) {
	got := marksOf([]analysis.Segment{
		{EntryID: "a", Importance: 2, Categories: []analysis.Category{analysis.Decisive}},
		{EntryID: "a", Importance: 1, Categories: []analysis.Category{analysis.Corrective, analysis.Decisive}},
		{EntryID: "b", Importance: 1},
	})
	want := map[string]*marks{
		"a": {1, []analysis.Category{analysis.Corrective, analysis.Decisive}},
		"b": {0.5, []analysis.Category{}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %+v", got["a"], got["b"])
	}
}

func TestWrapped(t *testing.T) {
	tests := []struct{ text, want string }{
		{"", ""},
		{"  a  line ", "  a  line "},
		{"one two three four", "one two\nthree four"},
		{"1234567890123 a b", "1234567890123\na b"},
		{"会議室の 会議室", "会議室の\n会議室"},
		{"a\none two three four\n", "a\none two\nthree four\n"},
	}
	for _, tt := range tests {
		if got := wrapped(tt.text, 10); got != tt.want {
			t.Errorf("%q: %q, want %q", tt.text, got, tt.want)
		}
	}
}

func TestShares(t *testing.T) {
	in := []analysis.Segment{{Importance: 0.5}, {Importance: 0.125}}
	if got := shares(in); got[0].Importance != 1 || got[1].Importance != 0.25 || in[0].Importance != 0.5 {
		t.Errorf("%+v of %+v", got, in)
	}
	if got := shares([]analysis.Segment{{}}); got[0].Importance != 0 {
		t.Errorf("%+v", got)
	}
}
