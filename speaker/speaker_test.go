// Tables of what is a speaker, and what only looks like one.

package speaker

import (
	"strings"
	"testing"
)

func TestOf(t *testing.T) {
	for _, tt := range []struct{ text, name, rest string }{
		{"Melanie: Hey! How are you?", "Melanie", "Hey! How are you?"}, {"  Ana María:\thola", "Ana María", "hola"},
		{"Dr. Smith: sit down", "Dr. Smith", "sit down"}, {"Vincent van der Berg: hi", "Vincent van der Berg", "hi"},
		{"O'Neil: hi", "O'Neil", "hi"}, {"Jean-Luc Picard: hi", "Jean-Luc Picard", "hi"}, {"J. R. Ewing: hi", "J. R. Ewing", "hi"},
		{"Иван: привет", "Иван", "привет"}, {"Élodie : non", "", ""}, {"Γιώργος: γεια", "Γιώργος", "γεια"}, {"Zoë: hi", "Zoë", "hi"},
		{"user: hi", "user", "hi"}, {"ASSISTANT: yes", "ASSISTANT", "yes"}, {"Speaker 2: yes", "Speaker 2", "yes"}, {"User 12:\nhello", "User 12", "hello"},
		{"**Anna:** hi", "Anna", "hi"}, {"**Anna**: hi", "Anna", "hi"}, {"[Anna]: hi", "Anna", "hi"},
		{"用户：你好", "用户", "你好"}, {"用户: 你好", "用户", "你好"}, {"ユーザー：はい", "ユーザー", "はい"},
		{"Anna: one\nAnna: two", "Anna", "one\nAnna: two"}, {"Anna: one\nthen: two", "Anna", "one\nthen: two"},
		{"Anna: see https://a.example: it", "Anna", "see https://a.example: it"}, {"Ünal: hi", "Ünal", "hi"},
	} {
		name, rest, ok := Of(tt.text)
		if tt.name == "" {
			tt.rest = tt.text
		}
		if name != tt.name || rest != tt.rest || ok != (tt.name != "") {
			t.Errorf("Of(%q) = %q, %q, %v", tt.text, name, rest, ok)
		}
	}
}

func TestNobody(t *testing.T) {
	for _, text := range []string{
		"", ":", ": ", "Anna", "Anna:", "Anna: ", "Anna:hi", "anna: hi", "10:30 we met", "10: 30", "https://a.example", "Note: buy milk",
		"TO" + "DO: fix", "Re: plan", "Subject: hello", "PS: bye", "P.S.: bye", "Fwd: x", "key: value", "Warning: hot", "Question: why", "Q: why", "A: so",
		"Important Note: hi", "Next steps: go", "Next Steps: go", "I said this: no", "The Very Long Name: hi", "URL: x", "HTTP: x", "ANNA: hi",
		"Anna,: hi", "Anna (10:30): hi", "注意：小心", "王芳：你好", "Anna\n: hi", "Anna: hi\nBen: hello", "Anna: hi\nuser: hello", "Milk: 2\nEggs: 3",
		"Anna2: hi", "Anna_B: hi", "van Gogh: hi", "Anna van: hi", "Anna  Bell: hi", strings.Repeat("A", 50) + ": hi",
		"Extraordinarily Longwinded Nameofaperson Here: hi", "{\"Anna\": 1}", "Anna; Ben: hi", "\xff: x", "A\xff: x", "**Anna: hi", "[Anna: hi",
		"User 12345: x", "Anna 2: x", "Step 1: x", "\u200bAnna: x",
	} {
		if name, rest, ok := Of(text); ok || name != "" || rest != text {
			t.Errorf("Of(%q) = %q, %q, %v", text, name, rest, ok)
		}
	}
}

func TestAllocations(t *testing.T) {
	text := "Melanie: hey\n" + strings.Repeat("a line of text\n", 100)
	if n := testing.AllocsPerRun(100, func() { Of(text) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func FuzzOf(f *testing.F) {
	for _, s := range []string{"Anna: hi", "用户：x", "**A:** b", "Anna: a\nBen: b", "Dr. \xff: x", ":\n:", "Speaker 2: x"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		name, rest, ok := Of(text)
		if !ok && (name != "" || rest != text) {
			t.Fatalf("%q %q", name, rest)
		}
		if ok && (len(name) > maxName || rest == "" || !strings.HasSuffix(text, rest) || !strings.Contains(text[:len(text)-len(rest)], name)) {
			t.Fatalf("%q: %q %q", text, name, rest)
		}
	})
}

func BenchmarkOf(b *testing.B) {
	for name, text := range map[string]string{
		"turn": "Melanie: " + strings.Repeat("Hey! Good to see you. ", 10), "none": strings.Repeat("Hey! Good to see you. ", 10),
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Of(text)
			}
		})
	}
}
