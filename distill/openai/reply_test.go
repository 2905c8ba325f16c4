// Which memory is read out of a model's text.

package openai

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/contextforge-go/contextforge/distill"
)

const fence = "```"

// P32: what local models put around JSON.
func TestP32(t *testing.T) {
	tests := []struct {
		name, reply string
		lost        bool
	}{
		{"P32: fenced JSON", fence + "json\n" + document + "\n" + fence, false},
		{"P32: fence and an explanation after it", fence + "json\n" + document + "\n" + fence + "\nI kept what will matter later, in {kind, text} form.", false},
		{"P32: explanation before", "Sure! Here is the memory you asked for:\n\n" + document, false},
		{"P32: think aloud, then JSON", "<think>\nThe user moved. Maybe {\"summary\":\"draft\",\"facts\":[]}?\n</think>\n\n" + document, false},
		{"P32: plain prose", "Ana moved to Berlin and they will use Postgres.\x1b[0m", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := newFake(t, replies(tt.reply))
			got, err := client(t, f.options()).Distill(context.Background(), transcript)
			if !tt.lost {
				if checkOutcome(t, got, err, nil); len(f.requests()) != 1 {
					t.Errorf("%d requests", len(f.requests()))
				}
				return
			}
			checkOutcome(t, got, err, ErrNoFacts)
			var reply *ReplyError
			if !errors.As(err, &reply) || reply.Start != `Ana moved to Berlin and they will use Postgres.\x1b[0m` {
				t.Errorf("%v", err)
			}
		})
	}
}

// want is a short form of a reply: summary, then facts' texts, then what was
// dropped.
func short(r reply) string {
	out := []string{r.memory.Summary}
	for _, fact := range r.memory.Facts {
		out = append(out, fact.Text)
	}
	for _, d := range r.dropped {
		out = append(out, fmt.Sprintf("-%d:%s", d.Index, d.Reason))
	}
	if r.truncated {
		out = append(out, "truncated")
	}
	return strings.Join(out, "|")
}

func TestReadReply(t *testing.T) {
	const (
		a = `{"summary":"a","facts":[]}`
		b = `{"summary":"b","facts":[{"kind":"state","text":"x"}]}`
	)
	tests := []struct {
		name, text string
		want       string // "" for none
	}{
		{"bare", a, "a"},
		{"blanks around", " \n" + a + "\t\n", "a"},
		{"byte-order mark", byteOrderMark + a, "a"},
		{"blanks and a byte-order mark", "\n" + byteOrderMark + "\n" + a, "a"},
		{"row 133: json fence", fence + "json\n" + a + "\n" + fence, "a"},
		{"row 133: plain fence", fence + "\n" + a + "\n" + fence, "a"},
		{"row 133: no fence", a, "a"},
		{"longer fence", fence + "``json\n" + a + "\n" + fence + "``", "a"},
		{"tildes", "~~~json\n" + a + "\n~~~", "a"},
		{"fence that isn't closed", fence + "json\n" + a, "a"},
		{"fence on one line", fence + a + fence, "a"},
		{"fence in a fact", `{"summary":"a","facts":[{"kind":"state","text":"` + fence + `json {} ` + fence + `"}]}`, "a|" + fence + "json {} " + fence},
		{"prose with brackets around", "In {braces} and {\"quotes\": see] below\n" + a + "\n{that} was {\"it", "a"},
		{"prose with an apostrophe and a quote", `He said "{"` + a, "a"},
		{"prose with an open quote in a brace", `{"oops: here is ` + a, "a"},
		{"the last one counts", a + "\nBetter:\n" + b, "b|x"},
		{"the last that fits counts", b + "\n" + `{"summary":1,"facts":[]} {"facts":[]} {"summary":"c"} {"summary":"d","facts":{}} {}`, "b|x"},
		{"keys in another order", `{"facts":[{"text":"x","kind":"state"}],"more":{"k":[1,-2.5e3,null,true]},"summary":"b"}`, "b|x"},
		{"keys in another case don't count", `x {"Summary":"a","Facts":[]}`, ""},
		{"in an object", `{"distilled_memory":` + b + `}`, "b|x"},
		{"in an array", `[` + b + `]`, "b|x"},
		{"in an array after another", `[` + a + `,` + b + `]`, "b|x"},
		{"encoded twice", quoted(b), "b|x"},
		{"encoded twice, with a fence", quoted("```json\n" + b + "\n```"), "b|x"},
		{"encoded three times", quoted(quoted(b)), ""},
		{"outer one counts", `{"summary":"out","facts":[],"inner":` + b + `}`, "out"},
		{"schema before", schemaText + "\n" + a, "a"},
		{"schema after", a + "\n" + schemaText, "a"},
		{"only the schema", schemaText, ""},
		{"template after", b + ` I used the form {"summary": "...", "facts": [{"kind": "decision", "text": "..."}]}.`, "b|x"},
		{"only a template", `{"summary": "...", "facts": [{"kind": "decision", "text": "…"}]}`, ""},
		{"nothing to keep isn't a template", `{"summary": "", "facts": []}`, " "},

		{"thinking", "<think>hm</think>" + a, "a"},
		{"thinking with a draft", "<think>" + b + "</think>" + a, "a"},
		{"thinking with a draft, then prose", "<think>" + b + "</think>I won't.", ""},
		{"thinking afterwards", b + "<think>was " + a + " better?</think>", "b|x"},
		{"thinking without an opening tag", "first " + b + " hm\n</think>\n" + a, "a"},
		{"thinking without an opening tag, then prose", "first " + b + "\n</think>\nsorry", ""},
		{"thinking without a closing tag", "<think>hm\n" + b, "b|x"},
		{"thinking twice", "<think>1</think><thinking>" + b + "</thinking>" + a + "<reasoning>" + b + "</reasoning>", "a"},
		{"thinking nested", "<think>x<think>" + b + "</think>" + a, "a"},
		{"thinking in capitals", "<THINK>" + b + "</Think>" + a, "a"},
		{"thinking in brackets", "[THINK]" + b + "[/THINK]" + a, "a"},
		{"thinking with a brace", "<think>{ \"x</think>" + a, "a"},
		{"thinking with an open quote", `<think>a {"key: </think>` + a, "a"},
		{"a tag in a fact", `so: {"summary":"a </think> b","facts":[{"kind":"state","text":"<think>"}]} ok`, "a </think> b|<think>"},
		{"not tags", "<b> </thin <thinker> [x] </ [/ < [" + a, "a"},

		{"comma at the end of an array", `{"summary":"b","facts":[{"kind":"state","text":"x"},]}`, "b|x"},
		{"comma at the end of an object", `{"summary":"b","facts":[{"kind":"state","text":"x",},],}`, "b|x"},
		{"comma in a string stays", `{"summary":"b ,]","facts":[],}`, "b ,]"},
		{"two commas", `{"summary":"b","facts":[],,}`, ""},
		{"only a comma", `{"summary":"b","facts":[,]}`, ""},
		{"no comma", `{"summary":"b" "facts":[]}`, ""},
		{"comments", "{// one\n\"summary\"/* , } */:\"b\",\n// \"facts\"\n\"facts\":[/**/] /* end */}", "b"},
		{"comment after a comma", "{\"summary\":\"b\",\"facts\":[], // done\n}", "b"},
		{"comment in a string stays", `{"summary":"http://b /* c */","facts":[],}`, "http://b /* c */"},
		{"comment without an end", `{"summary":"b","facts":[] /* }`, "b|truncated"},
		{"line breaks in strings", "{\"summary\":\"a\nb\tc\r\n\",\"facts\":[]}", "a\nb\tc\r\n"},
		{"other controls in strings", "{\"summary\":\"a\x00\",\"facts\":[]}", ""},
		{"escaped apostrophe", `{"summary":"Ana\'s \\' \"","facts":[]}`, `Ana's \' "`},
		{"other wrong escapes", `{"summary":"\q","facts":[]}`, ""},
		{"single quotes", `{'summary':'a','facts':[]}`, ""},
		{"typographic quotes", `{“summary”:“a”,“facts”:[]}`, ""},
		{"typographic quotes in a text", `{"summary":"“a”","facts":[]}`, "“a”"},
		{"bare keys", `{summary:"a",facts:[]}`, ""},
		{"quotes in a string", `{"summary":"the "best" one","facts":[]}`, ""},
		{"number that isn't one", `{"summary":"a","n":01x,"facts":[]}`, ""},
		{"not objects", `"summary facts" [] 1 null`, ""},
		{"empty", "", ""},
		{"blank", " \n", ""},
		{"a number for a summary", `{"summary":3,"facts":[]}`, ""},
		{"too deep for one object", strings.Repeat(`{"a":[`, 10) + a + strings.Repeat(`]}`, 10), "a"},
		{"deep in arrays", strings.Repeat(`[`, 100) + a + strings.Repeat(`]`, 100), "a"},
		{"deep", strings.Repeat(`{"a":[`, 5) + a + strings.Repeat(`]}`, 5), "a"},

		{"faulty facts", `{"summary":"b","facts":[1,{"kind":"idea","text":"i"},{"kind":"state","text":"x"},{"kind":"state"},{"kind":"state","text":null}]}`, "b|x|-0:form|-1:kind|-3:form|-4:form"},
		{"faulty facts and nothing else", `{"summary":" ","facts":[{"kind":"idea","text":"i"}]}`, ""},
		{"faulty facts and nothing else, in prose", `x {"summary":" ","facts":[{"kind":"idea","text":"i"}]}`, ""},

		{"cut in a fact", `{"summary":"b","facts":[{"kind":"state","text":"x"},{"kind":"sta`, "b|x|-1:form|truncated"},
		{"cut in a key", `{"summary":"b","facts":[{"kind":"state","text":"x"},{"ki`, "b|x|-1:form|truncated"},
		{"cut in an escape", `{"summary":"b","facts":[{"kind":"state","text":"x"},{"kind":"state","text":"\`, "b|x|-1:form|truncated"},
		{"cut behind a colon", `{"summary":"b","facts":[{"kind":"state","text":"x"},{"kind":`, "b|x|-1:form|truncated"},
		{"cut behind a fact", `{"summary":"b","facts":[{"kind":"state","text":"x"}`, "b|x|truncated"},
		{"cut behind a comma", `{"summary":"b","facts":[{"kind":"state","text":"x"}, ` + "\n", "b|x|truncated"},
		{"cut behind the facts", `{"summary":"b","facts":[{"kind":"state","text":"x"}]`, "b|x|truncated"},
		{"cut behind no facts", `{"summary":"b","facts":[]`, "b|truncated"},
		{"cut in another key", `{"summary":"b","facts":[],"more":"y`, "b|truncated"},
		{"cut in the first fact", `{"summary":"b","facts":[{"kind":"sta`, ""},
		{"cut in the summary", `{"summary":"b`, ""},
		{"cut before the facts", `{"summary":"b","fac`, ""},
		{"cut before the summary", `{"facts":[{"kind":"state","text":"x"}],"summary":"b`, ""},
		{"cut with faulty facts", `{"summary":"b","facts":[{"kind":"idea","text":"i"},{"kind":"state","text":"x"},{"k`, "b|x|-0:kind|-2:form|truncated"},
		{"cut with commas to mend", `{"summary":"b","facts":[{"kind":"state","text":"x",},{"k`, "b|x|-1:form|truncated"},
		{"cut at the fence", fence + "json\n" + `{"summary":"b","facts":[{"kind":"state","text":"x"}]` + "\n" + fence + "\nDone.", "b|x|truncated"},
		{"cut in an object around", `{"memory":{"summary":"b","facts":[{"kind":"state","text":"x"},{"ki`, "b|x|-1:form|truncated"},
		{"cut, but one is whole", b + "\n" + `{"summary":"c","facts":[{"kind":"state","text":"y"},{"ki`, "b|x"},
		{"cut while thinking", "<think>" + `{"summary":"b","facts":[{"kind":"state","text":"x"},{"ki`, ""},
		{"cut after thinking", "<think>hm</think>" + `{"summary":"b","facts":[{"kind":"state","text":"x"},{"ki`, "b|x|-1:form|truncated"},
		{"broken in the middle", `{"summary":"b","facts":[{"kind":"state","text":"x"},{kind} and so on`, ""},
	}
	for _, tt := range tests {
		r, problem := readReply(tt.text, false)
		got := short(r)
		if problem != "" {
			got = ""
		} else if got == "" {
			got = " "
		}
		if got != tt.want {
			t.Errorf("%s: %q, want %q (%s)", tt.name, got, tt.want, problem)
		}
	}
}

// A reply that its limit of tokens cut off.
func TestCutReply(t *testing.T) {
	const b = `{"summary":"b","facts":[{"kind":"state","text":"x"}]}`
	for text, want := range map[string]bool{
		b:                             true,
		"prose " + b:                  true,
		"<think>draft " + b:           false,
		"<think>hm</think>" + b:       true,
		b + "<think>still going":      true,
		"<think>draft " + b[:50]:      false,
		"<think>a</think>" + b[:51]:   true,
		"<think>a</think><think>" + b: false,
	} {
		if _, problem := readReply(text, true); (problem == "") != want {
			t.Errorf("%s: %q", text, problem)
		}
	}
}

// quoted returns a text as a JSON string.
func quoted(text string) string { out, _ := json.Marshal(text); return string(out) }

func TestReadAnswer(t *testing.T) {
	doc := quoted(document)
	envelope := func(message, finish string) string {
		return `{"choices":[{"message":` + message + `,"finish_reason":` + finish + `}]}`
	}
	tests := []struct {
		name, body string
		problem    string
		kind       error
	}{
		{"string", envelope(`{"content":`+doc+`}`, `"stop"`), "", nil},
		{"no finish reason", `{"choices":[{"message":{"content":` + doc + `}}]}`, "", nil},
		{"null everywhere else", envelope(`{"content":`+doc+`,"refusal":null,"reasoning":null,"reasoning_content":null}`, `null`), "", nil},
		{"a finish reason of another type", envelope(`{"content":`+doc+`}`, `1`), "", nil},
		{"a refusal of another type", envelope(`{"content":`+doc+`,"refusal":false}`, `"stop"`), "", nil},
		{"a refusal that is an object", envelope(`{"content":`+doc+`,"refusal":{}}`, `{}`), "", nil},
		{"byte-order mark", byteOrderMark + envelope(`{"content":`+doc+`}`, `"stop"`), "", nil},
		{"parts", envelope(`{"content":[{"type":"thinking","text":"{"},{"type":"text","text":`+quoted(document[:9])+`},{"type":"text","text":`+quoted(document[9:])+`}]}`, `"stop"`), "", nil},
		{"parts without types", envelope(`{"content":[{"text":`+doc+`}]}`, `"stop"`), "", nil},
		{"parts with thoughts of another shape", envelope(`{"content":[{"type":"thinking","thinking":[{"type":"text","text":"{"}]},{"type":"text","text":`+doc+`}]}`, `"stop"`), "", nil},
		{"object", envelope(`{"content":`+document+`}`, `"stop"`), "", nil},
		{"reasoning beside", envelope(`{"content":`+doc+`,"reasoning_content":"{\"summary\":\"no\",\"facts\":[]}"}`, `"stop"`), "", nil},
		{"reasoning in parts beside", envelope(`{"content":`+doc+`,"reasoning":{"text":["x"]}}`, `"stop"`), "", nil},
		{"only reasoning_content", envelope(`{"content":"","reasoning_content":`+doc+`}`, `"stop"`), "", nil},
		{"only reasoning", envelope(`{"content":null,"reasoning":`+quoted("So: "+document)+`}`, `"stop"`), "", nil},
		{"reasoning that was cut off", envelope(`{"content":"","reasoning":`+doc+`}`, `"length"`), "cut off", ErrTruncated},
		{"reasoning that breaks off", envelope(`{"content":"","reasoning":`+quoted(document[:len(document)-2])+`}`, `"stop"`), "no message content", nil},
		{"refusal", envelope(`{"refusal":"no"}`, `"stop"`), "refused", ErrRefused},
		{"refusal in parts", envelope(`{"content":[{"type":"refusal","refusal":"no"}]}`, `"stop"`), "refused", ErrRefused},
		{"refusal beside a memory", envelope(`{"content":`+doc+`,"refusal":"no"}`, `"stop"`), "", nil},
		{"filter", envelope(`{"content":""}`, `"content_filter"`), "filter", ErrRefused},
		{"filter, but there is a memory", envelope(`{"content":`+doc+`}`, `"content_filter"`), "", nil},
		{"length", envelope(`{"content":"{\"summ"}`, `"length"`), "cut off", ErrTruncated},
		{"length, but there is a memory", envelope(`{"content":`+doc+`}`, `"length"`), "", nil},
		{"null content", envelope(`{"content":null}`, `"stop"`), "no message content", nil},
		{"no content", envelope(`{}`, `"stop"`), "no message content", nil},
		{"no message", `{"choices":[{}]}`, "no message content", nil},
		{"null message", `{"choices":[{"message":null}]}`, "no message content", nil},
		{"content is a number", envelope(`{"content":5}`, `"stop"`), "no message content", nil},
		{"parts aren't objects", envelope(`{"content":[1]}`, `"stop"`), "no message content", nil},
		{"prose", envelope(`{"content":"Hello"}`, `"stop"`), "no JSON object", nil},
		{"no choices", `{"choices":[]}`, "no choices", nil},
		{"null choices", `{"choices":null}`, "no choices", nil},
		{"another object", `{}`, "no choices", nil},
		{"null", `null`, "no choices", nil},
		{"error", `{"error":{"message":"busy"}}`, "is an error", nil},
		{"error text", `{"error":"busy"}`, "is an error", nil},
		{"error of another shape", `{"error":[1]}`, "is an error", nil},
		{"HTML", `<html></html>`, "invalid response envelope: not JSON from byte 1", nil},
		{"empty", ``, "invalid response envelope", nil},
		{"cut", `{"choices":[`, "invalid response envelope", nil},
		{"array", `[]`, "invalid response envelope", nil},
		{"choices of another type", `{"choices":{}}`, "choices is of the wrong type", nil},
		{"stream", "data: {\"choices\":[]}\n\n", "invalid response envelope", nil},
	}
	for _, tt := range tests {
		r, usage, flaw := readAnswer([]byte(tt.body))
		switch {
		case usage != distill.Usage{Calls: 1}:
			t.Errorf("%s: usage %+v", tt.name, usage)
		case tt.problem == "" && (flaw != nil || !reflect.DeepEqual(r.memory, wanted())):
			t.Errorf("%s: %+v, %+v", tt.name, r.memory, flaw)
		case tt.problem != "" && (flaw == nil || !strings.Contains(flaw.problem, tt.problem) || flaw.kind != tt.kind):
			t.Errorf("%s: %+v", tt.name, flaw)
		}
	}
}

func TestUsage(t *testing.T) {
	for raw, want := range map[string][2]int{
		`{"prompt_tokens":5,"completion_tokens":7}`:      {5, 7},
		`{"prompt_tokens":-5,"completion_tokens":1e99}`:  {0, 0},
		`{"prompt_tokens":"5","completion_tokens":null}`: {0, 0},
		`{"prompt_tokens":5}`:                            {5, 0},
		`null`:                                           {0, 0},
		`"x"`:                                            {0, 0},
	} {
		if prompt, completion := tokens([]byte(raw)); [2]int{prompt, completion} != want {
			t.Errorf("%s: %d, %d", raw, prompt, completion)
		}
	}
}

// randomDocument writes a memory as a model might, with what may be mended.
func randomDocument(rng *rand.Rand, m distill.DistilledMemory) string {
	blank := func() string {
		return []string{"", " ", "\n", "\t", "/* {\"x */", "// \"}\n", "\r\n  "}[rng.IntN(7)]
	}
	str := func(text string) string {
		out, _ := json.Marshal(text)
		if rng.IntN(2) == 0 {
			return strings.ReplaceAll(strings.ReplaceAll(string(out), `\n`, "\n"), `'`, `\'`)
		}
		return string(out)
	}
	end := func() string { return []string{"", blank() + ","}[rng.IntN(2)] + blank() }
	var facts []string
	for _, fact := range m.Facts {
		facts = append(facts, "{"+blank()+`"kind"`+blank()+":"+blank()+str(string(fact.Kind))+blank()+","+blank()+`"text":`+str(fact.Text)+end()+"}")
	}
	array := "[" + strings.Join(facts, blank()+","+blank()) + "]"
	if len(facts) > 0 {
		array = array[:len(array)-1] + end() + "]"
	}
	members := []string{`"summary"` + blank() + ":" + str(m.Summary), `"facts":` + blank() + array, `"extra":{"a":[1,{"b":null}],"c":"}"}`}
	rng.Shuffle(len(members), func(i, j int) { members[i], members[j] = members[j], members[i] })
	return "{" + blank() + strings.Join(members, blank()+","+blank()) + end() + "}"
}

// randomText makes texts out of what parsers trip over.
func randomText(rng *rand.Rand) string {
	pieces := []string{"{", "}", "[", "]", `"`, `\`, ",", ":", "//", "/*", "*/", "\n", " ", "a", "ü", fence, "<think>", "</think>", "'", "summary", "…x", "😀", "x"}
	var b strings.Builder
	for range rng.IntN(8) {
		b.WriteString(pieces[rng.IntN(len(pieces))])
	}
	return b.String()
}

// Whatever a model writes by these rules, the memory comes back as it was.
func TestRandomDocuments(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	prose := []string{"", "Here it is: ", fence + "json\n", "In {braces}: ", `A "quote" and {"a": 1}. `, "<think>{\"summary\":\"no\",\"facts\":[]} so</think>", byteOrderMark, `{"broken": [1, `}
	rounds := 20000
	if testing.Short() {
		rounds = 2000
	}
	for range rounds {
		m := distill.DistilledMemory{Summary: "S" + randomText(rng)}
		for range rng.IntN(4) {
			m.Facts = append(m.Facts, distill.Fact{Kind: distill.Kinds()[rng.IntN(4)], Text: randomText(rng)})
		}
		text := prose[rng.IntN(len(prose))] + randomDocument(rng, m) + []string{"", "\n" + fence, " That's {all}.", "\n```\n{\"x\": 1}"}[rng.IntN(4)]
		r, problem := readReply(text, false)
		if problem != "" || !reflect.DeepEqual(r.memory, m) || r.truncated {
			t.Fatalf("%s\n%s\n%+v\n%+v", problem, text, r.memory, m)
		}
	}
}

// A document that breaks off anywhere yields facts that are in it, in order, or
// none.
func TestEveryCut(t *testing.T) {
	full := wanted()
	for n := range len(document) {
		r, problem := readReply("Well:\n"+document[:n], true)
		if problem != "" {
			continue
		}
		count := len(r.memory.Facts)
		if !r.truncated || r.memory.Summary != full.Summary || count == 0 || !reflect.DeepEqual(r.memory.Facts, full.Facts[:count]) {
			t.Errorf("cut at %d: %+v", n, r)
		}
		if whole := strings.Count(document[:n], "}"); count != whole {
			t.Errorf("cut at %d: %d of %d facts", n, count, whole)
		}
	}
}

// Texts that are made to be slow are looked at a bounded number of times, and
// ordinary ones twice at most.
func TestLinearTime(t *testing.T) {
	const n = 20000
	tests := []struct {
		name, text string
		looks      int // per byte
		through    bool
	}{
		{"braces", strings.Repeat("{", n), 1, true},
		{"objects that nest", strings.Repeat(`{"a":`, n), 2, true},
		{"arrays that nest", strings.Repeat(`{"a":[`, n), 2, true},
		{"quotes", strings.Repeat(`{"`, n), 2, true},
		{"documents that nest", strings.Repeat(`{"summary":"a","facts":[`, n), 2, true},
		{"documents", strings.Repeat(document, n/100), 1, true},
		{"comments", strings.Repeat(`{"/*":`, n), 2, true},
		{"comment without an end", `{` + strings.Repeat(`/*{`, n), maxLooks + 1, false},
		{"strings with braces", `{"a":"` + strings.Repeat(`{`, n), 3, true},
		{"in step through comments", `{"a":[` + strings.Repeat("\"x{\",//\":[1,\n", n), maxLooks + 1, false},
		{"prose", strings.Repeat("In {braces} he said \"{no}\".\n", n), 1, true},
	}
	for _, tt := range tests {
		s := newSearch(tt.text)
		if through := s.run(); through != tt.through || s.looks > tt.looks*len(tt.text) {
			t.Errorf("%s: %v, %.2f looks per byte", tt.name, through, float64(s.looks)/float64(len(tt.text)))
		}
		if _, problem := readReply(tt.text, false); !tt.through && !strings.Contains(problem, "too many unfinished") {
			t.Errorf("%s: %q", tt.name, problem)
		}
	}
}

func FuzzReply(f *testing.F) {
	for _, text := range []string{
		document, fence + "json\n" + document + "\n" + fence, "<think>{</think>" + document, `{"summary":"b","facts":[{"kind":"state","text":"x"},{"ki`,
		"{\"summary\":\"a\nb\",\"facts\":[],}", "{// x\n\"summary\":\"\\'\",\"facts\":[/**/]}", `[{"a":{"summary":"","facts":[1]}}]`, `{"a":["x{",//":[1,`,
		"</think>" + document + "<think>", `{"summary":"...","facts":[]}`, "\ufeff{}", "{\"summary\":\"\xff\",\"facts\":[]}",
	} {
		f.Add(text, false)
		f.Add(text, true)
	}
	f.Fuzz(func(t *testing.T, text string, cut bool) {
		r, problem := readReply(text, cut)
		if again, same := readReply(text, cut); !reflect.DeepEqual(r, again) || problem != same {
			t.Fatal("two readings differ")
		}
		s := newSearch(text)
		if s.run(); s.looks > (maxLooks+1)*len(text) {
			t.Errorf("%d looks at %d bytes", s.looks, len(text))
		}
		if problem != "" {
			return
		}
		for _, fact := range r.memory.Facts {
			if !fact.Kind.Valid() {
				t.Errorf("kind %q", fact.Kind)
			}
		}
		if places := r.places(); len(places) != len(r.memory.Facts) {
			t.Errorf("places %v", places)
		}
		// Written as JSON, it is read as it is, also between other things.
		plain, err := json.Marshal(r.memory)
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range []string{string(plain), "Well:\n" + fence + "json\n" + string(plain) + "\n" + fence} {
			if back, problem := readReply(text, cut); problem != "" || !reflect.DeepEqual(back.memory, r.memory) {
				t.Errorf("%q: %+v, %s", text, back.memory, problem)
			}
		}
	})
}

func FuzzAnswer(f *testing.F) {
	f.Add([]byte(envelopeOf(document, "stop")))
	f.Add([]byte(`{"choices":[{"message":{"content":[{"type":"text","text":"{}"}],"refusal":"x"}}],"usage":{"prompt_tokens":1}}`))
	f.Add([]byte(`{"choices":[{"message":{"content":{"summary":"a","facts":[]}},"finish_reason":"length"}],"error":"x"}`))
	f.Add([]byte(`<html>`))
	f.Fuzz(func(t *testing.T, body []byte) {
		r, usage, flaw := readAnswer(body)
		if usage.Calls != 1 || usage.PromptTokens < 0 || usage.CompletionTokens < 0 {
			t.Errorf("usage %+v", usage)
		}
		if flaw != nil && (flaw.problem == "" || !empty(r.memory)) {
			t.Errorf("%+v, %+v", flaw, r)
		}
		message, _ := errorIn(body)
		if quoted := newVeil(testKey).quote(message); strings.ContainsAny(quoted, "\x00\x1b\r\n") || len([]rune(quoted)) > 10*maxQuoted+1 {
			t.Errorf("%q", quoted)
		}
	})
}
