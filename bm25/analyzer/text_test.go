// Tables of what Text makes of each script and of each rule, and its limits.

package analyzer

import (
	"fmt"
	"hash/fnv"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode"
)

func TestTextTerms(t *testing.T) {
	tests := []struct {
		name, text string
		want       string // terms, joined by one space
	}{
		{"english", "The quick brown foxes jumped", "the quick brown fox jump"},
		{"irregular", "She went and bought books for the children", "she go and buy book for the child"},
		{"possessive", "Ana's dogs' James’s", "ana dog jame"},
		{"contraction", "don't can't won’t I'm they've", "do not can not will not i they"},
		{"elision", "l'avion d’une O'Neil rock'n'roll", "l avion d une o neil rock n roll"},
		{"lone apostrophe", "' 'tis dogs'", "tis dog"},
		{"accents", "Café naïve Ångström résumé", "cafe naiv angstrom resum"},
		{"decomposed", "Cafe\u0301 nai\u0308ve", "cafe naiv"},
		{"german", "Straße STRASSE größer Übung", "strass strass grosser ubung"},
		{"turkish", "İstanbul ıstanbul ISTANBUL istanbul", "istanbul istanbul istanbul istanbul"},
		{"vietnamese", "Đường thử nghiệm", "duong thu nghiem"},
		{"vietnamese, decomposed", "Đươ\u0300ng thư\u0309", "duong thu"},
		{"nordic", "Øre Æble œuvre Łódź þorn", "ore aebl oeuvr lodz thorn"},
		{"russian", "Ёлка ёлка ЕЛКА йод", "елка елка елка йод"},
		{"russian, decomposed", "Е\u0308лка и\u0306од", "елка йод"},
		{"ukrainian", "Їжак ґанок", "їжак ґанок"},
		{"greek", "Οδυσσεύς ΟΔΥΣΣΕΥΣ οδυσσευσ", "οδυσσευσ οδυσσευσ οδυσσευσ"},
		{"arabic", "كَتَبَ أحمد مـدرسة ١٢٣", "كتب احمد مدرسه 123"},
		{"persian", "کتاب می‌خواهم", "كتاب ميخواهم"},
		{"hebrew", "בְּרָכָה צה\"ל צה״ל ג'ירף", "ברכה צהל צהל ג ירף"},
		{"hindi", "हिन्दी में १२", "हिन्दी में 12"},
		{"tamil", "தமிழ் மொழி", "தமிழ் மொழி"},
		{"georgian", "თბილისი ᲗᲑᲘᲚᲘᲡᲘ", "თბილისი თბილისი"},
		{"chinese", "身份验", "身 身份 份 份验 验"},
		{"chinese, one character", "证", "证"},
		{"chinese with latin and digits", "用iPhone拍2024年", "用 iphon i phone 拍 2024 年"},
		{"chinese beyond the basic plane", "𠮷野", "𠮷 𠮷野 野"},
		{"japanese", "食べる", "食 食べ べ べる る"},
		{"katakana, half width", "ｶﾞｽ", "ガ ガス ス"},
		{"katakana, decomposed", "カ\u3099ス", "ガ ガス ス"},
		{"full width", "ＡＢＣ １２", "abc 12"},
		{"korean", "집에서", "집 집에 에 에서 서"},
		{"korean, decomposed", "\u110c\u1175\u11b8", "집"},
		{"thai", "น้ำตก", "น้ํ น้ํา า าต ต ตก ก"},
		{"lao", "ລາວ", "ລ ລາ າ າວ ວ"},
		{"khmer", "ខ្មែរ", "ខ្ ខ្មែ មែ មែរ រ"},
		{"myanmar", "မြန်မာ", "မြ မြန် န် န်မာ မာ"},
		{"mixed letters and digits", "covid19 h1n1 2nd", "covid19 covid 19 h1n1 2nd 2 nd"},
		{"camel case", "getUserName HTTPServer APIs GitHub", "getusernam get user name httpserver http server api github git hub"},
		{"random string", "aBcDeFgHiJkLmNoP", "abcdefghijklmnop"},
		{"snake and kebab", "snake_case cdm-xxc", "snake case cdm xxc"},
		{"signs", "C++ c# F# a+b C++11 #tag", "c c++ c c# f f# a b c 11 tag"},
		{"version", "v1.2.3", "v1 v 1 2 3"},
		{"mail and address", "ana@example.org https://a.example/x?y=1", "ana exampl org https a exampl x y 1"},
		{"compatibility signs", "½ ㎏ ① ™ ℃", "1 2 kg 1 tm c"},
		{"emoji", "🎉🎉 👩‍💻 👍🏽 ❤️", "🎉 🎉 👩 💻 👍 ❤"},
		{"flags", "🇩🇪🇫🇷", "🇩🇪 🇫🇷"},
		{"keycap", "1️⃣", "1"},
		{"soft hyphen, zero-width space", "exam\u00adple zero\u200bwidth", "exampl zero width"},
		{"byte order mark", "\ufeffword", "word"},
		{"nul", "a\x00b", "a b"},
		{"invalid bytes", "a\xff\xfeb \xc3", "a \ufffdfffe b \ufffdc3"},
		{"replacement character", "a\ufffdb", "a \ufffd b"},
		{"private use", "\ue0b0x", "\ue0b0x"},
		{"box drawing", "────┼──", ""},
		{"signs only", "?!... -> ()", ""},
	}
	a := NewText(Options{})
	for _, tt := range tests {
		for range 2 { // cold and warm
			if got := strings.Join(a.Document(nil, tt.text), " "); got != tt.want {
				t.Errorf("%s: %q\n got %s\nwant %s", tt.name, tt.text, got, tt.want)
			}
		}
	}
}

func TestTextQueryTerms(t *testing.T) {
	a := NewText(Options{})
	tests := []struct{ query, want string }{
		{"身份验证", "身份 份验 验证"},
		{"证", "证"},
		{"the 证", "证"},
		{"GitHub", "github"},
		{"github", "github"},
		{"covid19", "covid19 covid 19"},
		{"What's Ana doing?", "ana do"},
		{"don't", "do not"},
		{"IT", "it"},
		{"the the", "the the"},
	}
	for _, tt := range tests {
		if got := strings.Join(a.Query(nil, tt.query), " "); got != tt.want {
			t.Errorf("Query(%q) = %q, want %q", tt.query, got, tt.want)
		}
	}
}

func TestAppendsToDst(t *testing.T) {
	for _, a := range []Analyzer{NewText(Options{}), NewStandard()} {
		dst := []string{"kept"}
		dst = a.Document(dst, "alpha 证")
		dst = a.Query(dst, "the")
		if want := []string{"kept", "alpha", "证", "the"}; !slices.Equal(dst, want) {
			t.Errorf("%s: %q, want %q", a.Name(), dst, want)
		}
	}
}

func TestNames(t *testing.T) {
	seen := map[string]bool{NewStandard().Name(): true}
	for _, o := range []Options{{}, {NoStem: true}, {NoStopWords: true}, {NoStem: true, NoStopWords: true}} {
		name := NewText(o).Name()
		if seen[name] {
			t.Errorf("two analyses are called %q", name)
		}
		seen[name] = true
		if !strings.Contains(name, unicode.Version) {
			t.Errorf("%q doesn't name Unicode %s", name, unicode.Version)
		}
		o.CacheWords = 16
		if got := NewText(o).Name(); got != name {
			t.Errorf("the cache size changes the name from %q to %q", name, got)
		}
	}
}

// TestLongWords: a word of any length has one term, equal words have equal
// terms, and different words have different ones.
func TestLongWords(t *testing.T) {
	for _, a := range []Analyzer{NewText(Options{}), NewStandard()} {
		seen := make(map[string]int)
		for _, n := range []int{39, 40, 48, 49, 254, 255, 256, 257, 1000, 1 << 20} {
			word := strings.Repeat("a", n-1) + "b"
			got := a.Document(nil, "x "+word+" y")
			if len(got) != 3 || len(got[1]) > MaxTermBytes {
				t.Fatalf("%s: %d bytes give %d terms", a.Name(), n, len(got))
			}
			if n <= MaxTermBytes && got[1] != word {
				t.Errorf("%s: word of %d bytes is changed to %q", a.Name(), n, got[1])
			}
			if m, ok := seen[got[1]]; ok {
				t.Errorf("%s: words of %d and %d bytes share a term", a.Name(), m, n)
			}
			seen[got[1]] = n
			if q := a.Query(nil, strings.ToUpper(word)); !slices.Equal(q, got[1:2]) {
				t.Errorf("%s: upper case of %d bytes gives another term", a.Name(), n)
			}
		}
	}
}

// TestLongestTerm: nothing that is added to a word makes a term too long.
func TestLongestTerm(t *testing.T) {
	a := NewText(Options{})
	for n := 250; n < 260; n++ {
		for _, text := range []string{
			strings.Repeat("a", n) + "++", strings.Repeat("é", n/2) + "#", strings.Repeat("\xff", n/2),
			"か" + strings.Repeat("\u093c", n), strings.Repeat("ß", n/2) + "1",
		} {
			for _, term := range a.Document(nil, text) {
				if len(term) > MaxTermBytes {
					t.Errorf("a term of %d bytes", len(term))
				}
			}
		}
	}
}

func TestLongTermForm(t *testing.T) {
	a := NewText(Options{})
	h := fnv.New64a()
	h.Write([]byte(strings.Repeat("a", 300)))
	got := a.Document(nil, strings.Repeat("a", 300))
	if want := fmt.Sprintf("%s…%016x", strings.Repeat("a", longPrefix), h.Sum64()); len(got) != 1 || got[0] != want {
		t.Errorf("got %q", got)
	}
	// The cut falls between characters.
	got = a.Document(nil, "a"+strings.Repeat("ж", 300))
	if want := "a" + strings.Repeat("ж", 99) + "…"; len(got) != 1 || !strings.HasPrefix(got[0], want) {
		t.Errorf("got %q", got)
	}
}

// TestAdversarial runs inputs that punish quadratic work.
func TestAdversarial(t *testing.T) {
	const n = 1 << 20
	tests := []struct {
		name, text string
		terms      int
	}{
		{"one letter", strings.Repeat("a", n), 1},
		{"accents", strings.Repeat("\u0301", n/2), 0},
		{"letter and accents", "e" + strings.Repeat("\u0301", n/2), 1},
		{"mixed accents", "e" + strings.Repeat("\u0301\u0323", n/4), 1},
		{"virama", "क" + strings.Repeat("\u094d", n/3), 1},
		{"apostrophes", strings.Repeat("a'", n/2), n / 2},
		{"apostrophes only", strings.Repeat("'", n), 0},
		{"case changes", strings.Repeat("aB", n/2), 1},
		{"plus signs", strings.Repeat("a+", n/2), n / 2},
		{"one ideograph", strings.Repeat("中", n/3), 2*(n/3) - 1},
		{"hangul jamo", strings.Repeat("\u1100", n/3), 2*(n/3) - 1},
		{"kana marks", "か" + strings.Repeat("\u3099", n/3), -1},
		{"joiners", strings.Repeat("\u200d", n/3), 0},
		{"invalid bytes", strings.Repeat("\xff", n), 1},
		{"nul", strings.Repeat("\x00", n), 0},
		{"emoji", strings.Repeat("🎉", n/4), n / 4},
		{"quotes in hebrew", strings.Repeat("א\"", n/3), 1},
		{"expanding", strings.Repeat("ﷺ", n/3), -1},
	}
	text, standard := NewText(Options{}), NewStandard()
	for _, tt := range tests {
		got := text.Document(nil, tt.text)
		if tt.terms >= 0 && len(got) != tt.terms {
			t.Errorf("%s: %d terms, want %d", tt.name, len(got), tt.terms)
		}
		text.Query(nil, tt.text)
		standard.Document(nil, tt.text)
	}
}

// TestConcurrent lets many goroutines share one analyzer whose small cache
// makes them overwrite each other's entries.
func TestConcurrent(t *testing.T) {
	shared := NewText(Options{CacheWords: 8})
	want := make([][]string, len(scriptTexts))
	for i, s := range scriptTexts {
		want[i] = NewText(Options{}).Document(nil, s.text)
	}
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			var dst []string
			for i := range 400 {
				k := (i*7 + g) % len(scriptTexts)
				if dst = shared.Document(dst[:0], scriptTexts[k].text); !slices.Equal(dst, want[k]) {
					t.Errorf("%s: %q", scriptTexts[k].lang, dst)
					return
				}
			}
		})
	}
	wg.Wait()
}

// TestNoAllocationWhenWarm: remembered words cost no memory.
func TestNoAllocationWhenWarm(t *testing.T) {
	a := NewText(Options{})
	text := "We moved the release to Thursday because Ana's tests were failing, naïve as that is."
	dst := a.Document(nil, text)
	if n := testing.AllocsPerRun(100, func() { dst = a.Document(dst[:0], text) }); n > 0 {
		t.Errorf("%v allocations for remembered words", n)
	}
}

func ExampleText() {
	a := NewText(Options{})
	fmt.Printf("%q\n", a.Document(nil, "The café's running late"))
	fmt.Printf("%q\n", a.Query(nil, "When does the CAFE run?"))
	// Output:
	// ["the" "cafe" "run" "late"]
	// ["cafe" "run"]
}
