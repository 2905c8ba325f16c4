// Tests of distilling by rules: a small evaluation set written for it, what is
// left out, hostile input.

package distill

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func extract(t testing.TB, transcript string, o ExtractiveOptions) DistilledMemory {
	t.Helper()
	m, err := NewExtractive(o).Distill(context.Background(), transcript)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func readFile(t testing.TB, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(string(text), "\r\n", "\n")
}

// wanted is a line of a .want file: the kinds that a fact may be given, parted by
// "|", and words that it has. Instead of a kind a "-" stands for what may be given,
// but needn't.
type wanted struct {
	kinds string
	words string
}

func readWanted(t *testing.T, path string) (out []wanted) {
	t.Helper()
	for line := range strings.Lines(readFile(t, path)) {
		kinds, words, ok := strings.Cut(strings.TrimSpace(line), "\t")
		if !ok {
			t.Fatalf("%s: %q", path, line)
		}
		out = append(out, wanted{kinds, words})
	}
	return out
}

func (w wanted) optional() bool { return w.kinds == "-" }

func (w wanted) met(f Fact) bool {
	return (w.optional() || slices.Contains(strings.Split(w.kinds, "|"), string(f.Kind))) && strings.Contains(f.Text, w.words)
}

// The evaluation sets: *.txt are transcripts, .want what a reader takes for their
// facts, .golden what is made of them. The rules were written with the transcripts
// in testdata/extractive at hand; those in testdata/unseen were written before the
// rules of form, marked by the same hand, and not looked at until these were done.
// Before there were rules of form, 21 of 100 facts were found in them.
func TestExtractiveSets(t *testing.T) {
	for _, set := range []struct {
		dir               string
		recall, precision float64 // at least
	}{{"extractive", 0.85, 0.9}, {"unseen", 0.7, 0.9}} {
		t.Run(set.dir, func(t *testing.T) {
			recall, precision := evaluate(t, "testdata/"+set.dir)
			if recall < set.recall || precision < set.precision {
				t.Errorf("recall %.3f, precision %.3f", recall, precision)
			}
		})
	}
}

// evaluate returns the share of the wanted facts that are found with their kind,
// and the share of the given ones that are wanted, with any kind.
func evaluate(t *testing.T, dir string) (recall, precision float64) {
	files, err := filepath.Glob(dir + "/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	found, want, good, given := 0, 0, 0, 0
	for _, file := range files {
		transcript := readFile(t, file)
		m := extract(t, transcript, ExtractiveOptions{})
		base := strings.TrimSuffix(file, ".txt")
		golden(t, base+".golden", m)
		if _, dropped := Check(m, transcript, CheckOptions{}); len(dropped) > 0 {
			t.Errorf("%s: the check drops %v", file, dropped)
		}
		expected := readWanted(t, base+".want")
		for _, w := range expected {
			switch {
			case w.optional():
				continue
			case slices.ContainsFunc(m.Facts, w.met):
				found++
			default:
				t.Logf("%s: no %s with %q", file, w.kinds, w.words)
			}
			want++
		}
		for _, f := range m.Facts {
			given++
			if slices.ContainsFunc(expected, func(w wanted) bool { return strings.Contains(f.Text, w.words) }) {
				good++
			} else {
				t.Logf("%s: not wanted: %v", file, f)
			}
		}
	}
	recall, precision = float64(found)/float64(want), float64(good)/float64(given)
	t.Logf("%d transcripts, %d facts wanted, %d given: recall %.3f, precision %.3f", len(files), want, given, recall, precision)
	return recall, precision
}

func golden(t *testing.T, path string, m DistilledMemory) {
	t.Helper()
	text, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	got := string(text) + "\n"
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if want := readFile(t, path); got != want {
		t.Errorf("%s differs:\n%s", path, got)
	}
}

func TestExtractiveFacts(t *testing.T) {
	tests := []struct {
		name, transcript string
		want             []Fact
	}{
		{"the speaker is named", "Ana: I moved to Berlin.", []Fact{{State, "Ana: I moved to Berlin."}}},
		{"nobody speaks", "I moved to Berlin.", []Fact{{State, "I moved to Berlin."}}},
		{"points back in the turn", "Ana: The port was taken. It is now 81.", []Fact{{State, "Ana: The port was taken. It is now 81."}}},
		{"points back to another turn", "Ana: The port is 80.\nBen: No, it's 81 now.",
			[]Fact{{Correction, "Ana: The port is 80. Ben: No, it's 81 now."}}},
		{"a short correction", "Ana: You used tabs. Spaces are the rule here.", []Fact{{Correction, "Ana: You used tabs. Spaces are the rule here."}}},
		{"an answer corrects nothing", "Ana: Is the port 80?\nBen: No, it was closed.", nil},
		{"a short answer takes its question along", "Ben: Which branch do you want?\nAna: The one at Elm Square.",
			[]Fact{{State, "Ben: Which branch do you want? Ana: The one at Elm Square."}}},
		{"what leans takes the sentence before along", "Ana: The volume is too small for that. Make it 1 GB.",
			[]Fact{{Preference, "Ana: The volume is too small for that. Make it 1 GB."}}},
		{"what is corrected is no fact", "Ana: The kitchen is 3.10 by 2.40.\nBen: That's wrong, the plan says 2.60.",
			[]Fact{{Correction, "Ana: The kitchen is 3.10 by 2.40. Ben: That's wrong, the plan says 2.60."}}},
		{"what leans on a fact becomes part of it", "Ana: We decided to move to Oslo. That is in Norway.", []Fact{{Decision, "Ana: We decided to move to Oslo. That is in Norway."}}},
		{"no link of a chain is lost", "Ana: The port is 80. It is open on Mondays. It was found by Tom.",
			[]Fact{{State, "Ana: The port is 80. It is open on Mondays."}, {State, "Ana: It is open on Mondays. It was found by Tom."}}},
		{"small letters", "Ana: rain again. my exam is on the 9th", []Fact{{State, "Ana: my exam is on the 9th"}}},
		{"an instruction about something broken", "Ana: Please ring the side door, the bell is broken.",
			[]Fact{{Preference, "Ana: Please ring the side door, the bell is broken."}}},
		{"a customer and a support", "Customer: The export fails.\nSupport: Which plan?\nCustomer: Team, 23 seats.\nSupport: I raised your limit to 900.",
			[]Fact{{State, "Support: Which plan? Customer: Team, 23 seats."}, {State, "Support: I raised your limit to 900."}}},
		{"what an assistant knows", "User: tell me about ports\nAssistant: Port 80 is for HTTP. It was decided in 1991.", nil},
		{"a question", "Ana: Have you moved to Berlin?", nil},
		{"a possibility", "Ana: Maybe I moved to Berlin too early.", nil},
		{"a newer state", "Ana: The API port is set to 80.\nAna: The API port is now 81.", []Fact{{State, "Ana: The API port is now 81."}}},
		{"an assistant doesn't prefer", "User: hello there\nAssistant: I prefer short answers.", nil},
		{"an assistant may decide", "User: go on\nAssistant: We decided to split the parser.", []Fact{{Decision, "Assistant: We decided to split the parser."}}},
		{"twice", "Ana: I prefer green tea.\nBen: Ok.\nAna: I prefer green tea!", []Fact{{Preference, "Ana: I prefer green tea."}}},
		{"redacted", "Ana: My token is now [REDACTED:github-token].", nil},
		{"labels that are none", "User: hello there\nNote: I moved to Berlin.", []Fact{{State, "User: Note: I moved to Berlin."}}},
		{"bold label", "**Ana:** I moved to Berlin.", []Fact{{State, "Ana: I moved to Berlin."}}},
		{"heading", "### User\nI moved to Berlin.\n### Assistant\nNice for you.", []Fact{{State, "User: I moved to Berlin."}}},
		{"chat markup", "<|im_start|>user\nI moved to Berlin.<|im_end|>", []Fact{{State, "User: I moved to Berlin."}}},
		{"time of day", "10:31 Ana: I moved to Berlin.", []Fact{{State, "Ana: I moved to Berlin."}}},
		{"date and time in brackets", "[01/02/24, 10:31:07 PM] Ana Lima: I moved to Berlin.", []Fact{{State, "Ana Lima: I moved to Berlin."}}},
		{"French", "Utilisateur: J’ai déménagé à Lyon. Je préfère le thé vert.",
			[]Fact{{State, "Utilisateur: J’ai déménagé à Lyon."}, {Preference, "Utilisateur: Je préfère le thé vert."}}},
		{"Japanese", "ユーザー：大阪に引っ越しました。コーヒーよりお茶の方がいいです。",
			[]Fact{{State, "ユーザー: 大阪に引っ越しました。"}, {Preference, "ユーザー: コーヒーよりお茶の方がいいです。"}}},
		{"Russian", "Пользователь: Я переехал в Казань. Мы решили использовать Postgres.",
			[]Fact{{State, "Пользователь: Я переехал в Казань."}, {Decision, "Пользователь: Мы решили использовать Postgres."}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := extract(t, tt.transcript, ExtractiveOptions{}); !slices.Equal(got.Facts, tt.want) {
				t.Errorf("got %q", got.Facts)
			}
		})
	}
}

// What isn't talk, or was recalled, yields nothing.
func TestExtractiveLeavesOut(t *testing.T) {
	const fact = "We decided to move the office to Oslo."
	tests := []struct{ name, block string }{
		{"a fence", "```go\n" + fact + "\n```"},
		{"a fence in a quotation", "> ```\n> " + fact + "\n> ```"},
		{"tildes", "~~~~\n" + fact + "\n```\n" + fact + "\n~~~~"},
		{"recalled, in a fence", "```contextforge-recalled\n[memory 1]\n" + fact + "\n```"},
		{"recalled, as an element", "<contextforge-recalled-9f86 note=\"x\">\nUser: " + fact + "\n</contextforge-recalled-9f86>"},
		{"recalled, as JSON", "{\"contextforge-recalled\":1,\"entries\":[\n{\"content\":\"" + fact + "\"}\n]}"},
		{"recalled, by somebody else", "<memories>\n" + fact + "\n</memories>"},
		{"a tool", "[tool_use: bash]\n" + fact + "\n[tool_result]\n" + fact + "\n[user]"},
		{"a tool in JSON", `{"role":"tool","content":"` + fact + `"}` + "\n" + `{"role":"user","content":"hello there"}`},
		{"a system prompt", "System: " + fact + "\nUser: hello there"},
		{"JSON that isn't talk", `{"log":"` + fact + `"}`},
		{"a log", "2024-05-01 12:00:00 ERROR " + fact},
		{"code", "if (state) { we.decided(to.move(office)); }"},
		{"the delimiter", "<<<TRANSCRIPT 1234 we decided"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			transcript := "User: hello there\n" + tt.block + "\nAna went for a walk and I moved to Berlin.\n"
			got := extract(t, transcript, ExtractiveOptions{})
			if text := fmt.Sprint(got); strings.Contains(text, "office") || strings.Contains(text, "decided") {
				t.Errorf("got %v", got)
			}
			if len(got.Facts) != 1 {
				t.Errorf("what follows is lost: %v", got)
			}
		})
	}
	t.Run("an open fence loses nothing", func(t *testing.T) {
		if got := extract(t, "User: look:\n```\n"+fact, ExtractiveOptions{}); len(got.Facts) != 1 {
			t.Errorf("got %v", got)
		}
	})
	t.Run("by the caller", func(t *testing.T) {
		strip := func(text string) string { return strings.ReplaceAll(text, fact, "") }
		if got := extract(t, "User: "+fact, ExtractiveOptions{Strip: strip}); len(got.Facts) > 0 {
			t.Errorf("got %v", got)
		}
	})
}

func TestExtractiveLimits(t *testing.T) {
	var b strings.Builder
	for i := range 300 {
		fmt.Fprintf(&b, "Ana: We decided to rename module%d to part%d because the name was long and unclear to the readers.\n", i, i)
	}
	for _, tt := range []struct{ facts, words, wantFacts, wantWords int }{{0, 0, 24, 120}, {5, 30, 5, 30}, {500, 500, 64, 149}, {-1, -1, 0, 0}} {
		got := extract(t, b.String(), ExtractiveOptions{MaxFacts: tt.facts, SummaryWords: tt.words})
		if words := len(strings.Fields(got.Summary)); len(got.Facts) != tt.wantFacts || words > tt.wantWords || (words == 0) != (tt.wantWords == 0) {
			t.Errorf("%+v: %d facts, %d words", tt, len(got.Facts), words)
		}
	}
}

func TestExtractiveCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := NewExtractive(ExtractiveOptions{}).Distill(ctx, "Ana: I moved to Berlin."); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// Many speakers cost no more than many turns.
func TestManySpeakersLinear(t *testing.T) {
	allocs := func(n int) float64 {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "Speaker%dx: I met Somebody%d at the harbour.\n", i, i)
		}
		turns := turnsOf(b.String())
		where := settingOf(turns)
		if len(where.speakers) > 16*n {
			t.Errorf("%d entries for %d speakers", len(where.speakers), n)
		}
		return testing.AllocsPerRun(1, func() { extract(t, b.String(), ExtractiveOptions{}) })
	}
	if small, large := allocs(500), allocs(4000); large > 12*small {
		t.Errorf("%.0f allocations for 500, %.0f for 4000", small, large)
	}
}

// Blocks that never end are looked for once, not once for each beginning.
func TestTurnsLinear(t *testing.T) {
	for _, unit := range []string{"```\n", "~~~\n````\n", "<memory>\n", "{\"contextforge-recalled\":1\n", "[tool_use\n", "{\"a\":}\n", "Ana: \n"} {
		allocs := func(n int) float64 {
			text := strings.Repeat(unit, n)
			return testing.AllocsPerRun(1, func() { turnsOf(text) })
		}
		if small, large := allocs(1000), allocs(8000); large > 12*small+100 {
			t.Errorf("%q: %.0f allocations for 1000, %.0f for 8000", unit, small, large)
		}
		r := turnReader{lines: strings.Split(strings.Repeat(unit, 5000), "\n"), names: func(string) bool { return false }}
		for r.next < len(r.lines) {
			r.read()
		}
		if r.looked > 3*len(r.lines) {
			t.Errorf("%q: %d lines looked at of %d", unit, r.looked, len(r.lines))
		}
	}
}

func FuzzExtractive(f *testing.F) {
	f.Add("Ana: I moved to Berlin. It is now home.\nBen: No, it's Bonn.")
	f.Add("[user]\nalways answer in German\n```\ncode\n```\n<memory>x</memory>\n{\"role\":\"user\",\"content\":\"I prefer tea\"}")
	f.Add("用户：我更喜欢淮扬菜。\xff\n10:31 Ana: \u0301")
	f.Fuzz(func(t *testing.T, transcript string) {
		m := extract(t, transcript, ExtractiveOptions{})
		if again := extract(t, transcript, ExtractiveOptions{}); fmt.Sprint(again) != fmt.Sprint(m) {
			t.Fatal("another result")
		}
		if len(strings.Fields(m.Summary)) >= 150 || utf8.RuneCountInString(m.Summary) > MaxSummaryChars || !utf8.ValidString(m.Summary) {
			t.Fatalf("summary %q", m.Summary)
		}
		for _, fact := range m.Facts {
			if !fact.Kind.Valid() || strings.TrimSpace(fact.Text) == "" || !utf8.ValidString(fact.Text) || len(fact.Text) > 3*longestSentence+4*maxLabel {
				t.Fatalf("fact %q", fact)
			}
		}
	})
}

func BenchmarkExtractive(b *testing.B) {
	seed := readFile(b, "testdata/extractive/backend.txt") + readFile(b, "testdata/extractive/meeting.txt")
	for _, size := range []struct {
		name string
		n    int
	}{{"10KB", 10 << 10}, {"100KB", 100 << 10}, {"1MB", 1 << 20}} {
		var text strings.Builder
		for i := 0; text.Len() < size.n; i++ {
			text.WriteString(strings.ReplaceAll(seed, "staging", fmt.Sprintf("staging%d", i)))
		}
		b.Run(size.name, func(b *testing.B) {
			d := NewExtractive(ExtractiveOptions{})
			b.SetBytes(int64(text.Len()))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := d.Distill(context.Background(), text.String()); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
