// Tests of merging: the rows, fair shares, invariants.

package distill

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestMerge(t *testing.T) {
	long := strings.Repeat("x", 5000)
	tests := []struct {
		name  string
		parts []DistilledMemory
		want  DistilledMemory
	}{
		{"row 111: no parts", nil, DistilledMemory{}},
		{"row 111: one part", []DistilledMemory{{"s", facts(3)}}, DistilledMemory{"s", facts(3)}},
		{"row 112: facts in order", []DistilledMemory{{"", facts(2)}, {"", []Fact{{Decision, "later"}}}},
			DistilledMemory{"", append(facts(2), Fact{Decision, "later"})}},
		{"row 113: case and blanks", []DistilledMemory{{"", []Fact{{State, "Uses Go."}}}, {"", []Fact{{State, " uses  GO"}, {State, "uses go!"}}}},
			DistilledMemory{"", []Fact{{State, "Uses Go."}}}},
		{"row 114: another kind", []DistilledMemory{{"", []Fact{{State, "Uses Go"}, {Decision, "Uses Go"}}}},
			DistilledMemory{"", []Fact{{State, "Uses Go"}, {Decision, "Uses Go"}}}},
		{"row 115: summaries by a blank line", []DistilledMemory{{"a", nil}, {" ", nil}, {"", nil}, {"b", nil}}, DistilledMemory{"a\n\nb", nil}},
		{"row 115: then capped, in fair shares", []DistilledMemory{{long, nil}, {"short", nil}, {strings.ToUpper(long), nil}},
			DistilledMemory{long[:4091] + "\n\nshort\n\n" + strings.ToUpper(long[:4091]), nil}},
		{"row 116: 64 facts in all", []DistilledMemory{{"", facts(100)}}, DistilledMemory{"", facts(64)}},
		{"empty facts", []DistilledMemory{{"", []Fact{{State, " \t"}, {State, "?!"}}}}, DistilledMemory{"", []Fact{{State, "?!"}}}},
		{"one part over the caps", []DistilledMemory{{strings.Repeat(long, 2), []Fact{{State, long}}}},
			DistilledMemory{strings.Repeat(long, 2)[:8192], []Fact{{State, long[:2048]}}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			before := fmt.Sprint(tt.parts)
			if got := Merge(tt.parts...); !reflect.DeepEqual(got, tt.want) {
				t.Errorf("got  %.300v\nwant %.300v", got, tt.want)
			}
			if fmt.Sprint(tt.parts) != before {
				t.Error("the parts were changed")
			}
		})
	}
}

// partFacts returns n facts that name their part.
func partFacts(part, n int) []Fact {
	out := make([]Fact, n)
	for i := range out {
		out[i] = Fact{State, fmt.Sprintf("part %d fact %d", part, i)}
	}
	return out
}

// W18: the newest chunks keep their facts and their share of the summary.
func TestMergeFairness(t *testing.T) {
	var parts []DistilledMemory
	for i := range 10 {
		parts = append(parts, DistilledMemory{strings.Repeat(fmt.Sprint(i), 3000), partFacts(i, 20)})
	}
	got := Merge(parts...)
	var want []Fact
	for i := range parts {
		n := 6 // six rounds are 60 places, the other four go to the newest
		if i >= 6 {
			n = 7
		}
		want = append(want, partFacts(i, n)...)
	}
	if !reflect.DeepEqual(got.Facts, want) {
		t.Errorf("got %v", got.Facts)
	}
	summaries := strings.Split(got.Summary, "\n\n")
	if len(summaries) != 10 {
		t.Fatalf("%d summaries", len(summaries))
	}
	for i, s := range summaries {
		if len(s) != (8192-18)/10 || s[0] != byte('0'+i) {
			t.Errorf("summary %d has %d chars of %q", i, len(s), s[0])
		}
	}
}

// W18: what the newest part repeats has a place although it first stood in a part
// that lost places.
func TestMergeRepeatedFact(t *testing.T) {
	parts := []DistilledMemory{{"", partFacts(0, 80)}, {"", append([]Fact{{State, "PART 0 FACT 79."}}, partFacts(1, 80)...)}}
	got := Merge(parts...)
	if last := got.Facts[32]; last.Text != "part 0 fact 79" || len(got.Facts) != 64 {
		t.Errorf("%d facts, the 33rd is %q", len(got.Facts), last.Text)
	}
}

// W18: a thousand summaries leave the newest ones.
func TestMergeManySummaries(t *testing.T) {
	var parts []DistilledMemory
	for i := range 1000 {
		parts = append(parts, DistilledMemory{Summary: fmt.Sprintf("%04d %s", i, strings.Repeat("words ", 20))})
	}
	got := strings.Split(Merge(parts...).Summary, "\n\n")
	if len(got) != 124 || !strings.HasPrefix(got[0], "0876 ") || !strings.HasPrefix(got[123], "0999 ") {
		t.Errorf("%d summaries from %.10q to %.10q", len(got), got[0], got[len(got)-1])
	}
}

// What holds of any merge.
func checkMerge(t *testing.T, parts []DistilledMemory) {
	t.Helper()
	got := Merge(parts...)
	if len(got.Facts) > MaxFacts || utf8.RuneCountInString(got.Summary) > MaxSummaryChars {
		t.Fatal("over the caps")
	}
	seen := map[identity]bool{}
	next, all := 0, Merge().Facts
	for _, part := range parts {
		all = append(all, part.Facts...)
	}
	for _, fact := range got.Facts {
		if seen[identify(fact)] {
			t.Fatalf("twice: %v", fact)
		}
		seen[identify(fact)] = true
		for next < len(all) && (all[next].Kind != fact.Kind || cut(all[next].Text, MaxFactChars) != fact.Text) {
			next++
		}
		if next == len(all) {
			t.Fatalf("%v is out of order or not of the parts", fact)
		}
	}
	if again := Merge(parts...); !reflect.DeepEqual(again, got) {
		t.Fatal("another result")
	}
	// The first fact of each of the newest parts is there.
	for i := max(0, len(parts)-MaxFacts); i < len(parts); i++ {
		for _, fact := range parts[i].Facts {
			if key := identify(fact); key.text != "" {
				if utf8.RuneCountInString(fact.Text) <= MaxFactChars && !seen[key] {
					t.Fatalf("part %d lost its first fact", i)
				}
				break
			}
		}
	}
}

func TestMergeInvariants(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	kinds := Kinds()
	for range 500 {
		parts := make([]DistilledMemory, r.IntN(90))
		for i := range parts {
			parts[i].Summary = strings.Repeat(randomText(r, 10), r.IntN(40))
			for range r.IntN(20) {
				parts[i].Facts = append(parts[i].Facts, Fact{kinds[r.IntN(4)], randomText(r, 4)})
			}
		}
		checkMerge(t, parts)
	}
}

func FuzzMerge(f *testing.F) {
	f.Add("a\x00b\x01c\x00Uses Go.\x01uses go", uint8(3))
	f.Add(strings.Repeat("x\x00y\x01", 200), uint8(40))
	f.Fuzz(func(t *testing.T, text string, n uint8) {
		parts := []DistilledMemory{{}}
		for i, field := range strings.Split(text, "\x00") {
			summary, rest, _ := strings.Cut(field, "\x01")
			part := DistilledMemory{Summary: strings.Repeat(summary, int(n)+1)}
			for _, fact := range strings.Split(rest, "\x01") {
				part.Facts = append(part.Facts, Fact{Kinds()[i%4], fact})
			}
			parts = append(parts, part)
		}
		checkMerge(t, parts)
	})
}

func BenchmarkMerge(b *testing.B) {
	for _, n := range []int{2, 20, 200} {
		parts := make([]DistilledMemory, n)
		for i := range parts {
			parts[i] = DistilledMemory{strings.Repeat("summary ", 60), partFacts(i, 12)}
		}
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Merge(parts...)
			}
		})
	}
}
