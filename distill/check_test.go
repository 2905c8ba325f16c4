// Tests of the check: each reason, paraphrases, other languages, measures.

package distill

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

const meeting = "Ana: I moved to Berlin on May 3, 2024 with my two cats.\n" +
	"Ben: Nice! We migrated the billing service from MySQL to Postgres 16 because of JSON support.\n" +
	"Ana: I'd rather use tabs, not spaces. The budget is 10k euros. My sister's name is José-María.\n" +
	"Ben: The deployment happens every Friday at 15:30. Don't ever page me at night.\n"

func TestCheckReasons(t *testing.T) {
	tests := []struct {
		name   string
		fact   Fact
		reason Reason
	}{
		{"as it was said", Fact{State, "Ana moved to Berlin on May 3, 2024."}, ""},
		{"a date in digits", Fact{State, "Ana moved to Berlin on 2024-05-03."}, ""},
		{"a count in digits", Fact{State, "Ana has 2 cats."}, ""},
		{"a count in words", Fact{State, "Ana has two cats."}, ""},
		{"thousands", Fact{State, "The budget is 10,000 euros."}, ""},
		{"tabs", Fact{Preference, "The user prefers tabs over spaces."}, ""},
		{"another form of a word", Fact{State, "Deployments are on Fridays at 15:30."}, ""},
		{"without accents", Fact{State, "Ana's sister is called Jose-Maria."}, ""},
		{"a shorter word", Fact{Decision, "Ben's team did the migration of billing to Postgres because it supports JSON."}, ""},
		{"an order", Fact{Preference, "Ben doesn't want to be paged at night."}, ""},
		{"unknown kind", Fact{"opinion", "Ana moved to Berlin."}, ReasonKind},
		{"empty", Fact{State, " \n"}, ReasonEmpty},
		{"babble", Fact{State, strings.Repeat("Ana moved to Berlin. ", 500)}, ReasonSize},
		{"long, to be cut later", Fact{State, strings.Repeat("Ana moved to Berlin. ", 200)}, ""},
		{"echo", Fact{Preference, "How the user wants things to be or to be done."}, ReasonEcho},
		{"delimiter", Fact{State, "Ana moved to Berlin. TRANSCRIPT>>>"}, ReasonEcho},
		{"the code", Fact{State, "Ana moved to Berlin " + codeFor(meeting)}, ReasonEcho},
		{"schema", Fact{State, "one two three four five six seven"}, ReasonEcho},
		{"another number", Fact{State, "Ana moved to Berlin on May 4, 2024."}, ReasonNumber},
		{"another count", Fact{State, "Ana has seven cats."}, ReasonNumber},
		{"another amount", Fact{State, "The budget is 10,500 euros."}, ReasonNumber},
		{"another name", Fact{State, "Ana moved to Paris with her cats."}, ReasonName},
		{"another person", Fact{State, "Bob moved to Berlin with cats."}, ReasonName},
		{"another acronym", Fact{Decision, "Billing moved to Postgres because of SQL support."}, ReasonName},
		{"made up", Fact{Preference, "The user enjoys sailing and mountain hiking."}, ReasonWords},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			o := CheckOptions{Prompts: []string{"one two three four five six seven eight"}}
			kept, dropped := Check(DistilledMemory{Facts: []Fact{tt.fact}}, meeting, o)
			switch {
			case tt.reason == "" && (len(dropped) > 0 || len(kept.Facts) != 1):
				t.Errorf("dropped %v", dropped)
			case tt.reason != "" && (len(kept.Facts) > 0 || len(dropped) != 1 || dropped[0].Reason != tt.reason || dropped[0].Fact != tt.fact || dropped[0].Index != 0):
				t.Errorf("kept %v, dropped %v", kept.Facts, dropped)
			}
		})
	}
}

func TestCheckOptions(t *testing.T) {
	made := DistilledMemory{"All about sailing on lakes.", []Fact{{State, "Somebody sails in Norway with 7 boats."}, {"x", "y"}, {State, "Ana has cats and boats."}}}
	for _, tt := range []struct {
		name          string
		o             CheckOptions
		facts         int
		keptSummary   bool
		droppedReason []Reason
	}{
		{"default", CheckOptions{}, 1, false, []Reason{ReasonWords, ReasonNumber, ReasonKind}},
		{"off", CheckOptions{Off: true}, 3, true, nil},
		{"unsupported", CheckOptions{KeepUnsupported: true}, 2, true, []Reason{ReasonKind}},
		{"all words", CheckOptions{MinOverlap: 1}, 0, false, []Reason{ReasonWords, ReasonNumber, ReasonKind, ReasonWords}},
		{"no share", CheckOptions{MinOverlap: -1}, 1, true, []Reason{ReasonNumber, ReasonKind}},
	} {
		kept, dropped := Check(made, meeting, tt.o)
		var reasons []Reason
		for _, d := range dropped {
			reasons = append(reasons, d.Reason)
		}
		if len(kept.Facts) != tt.facts || (kept.Summary != "") != tt.keptSummary || !slices.Equal(reasons, tt.droppedReason) {
			t.Errorf("%s: kept %v, dropped %v", tt.name, kept, dropped)
		}
	}
	many := DistilledMemory{Facts: slices.Repeat([]Fact{{State, "Ana has cats."}}, 70)}
	if kept, dropped := Check(many, meeting, CheckOptions{}); len(kept.Facts) != 64 || len(dropped) != 6 || dropped[0].Reason != ReasonSize {
		t.Errorf("%d kept, %d dropped", len(kept.Facts), len(dropped))
	}
	if kept, dropped := Check(DistilledMemory{Summary: "Ana told Ben about Berlin; they spoke of billing."}, meeting, CheckOptions{}); kept.Summary == "" {
		t.Errorf("summary: %v", dropped)
	}
	// Instructions that the transcript itself quotes are no echo.
	quoted := meeting + "Ana: the prompt says: how the user wants things to be or to be done.\n"
	fact := Fact{State, "The prompt says how the user wants things to be or to be done."}
	if _, dropped := Check(DistilledMemory{Facts: []Fact{fact}}, quoted, CheckOptions{}); len(dropped) > 0 {
		t.Errorf("quoted: %v", dropped)
	}
}

// checkExample is a fact beside the words it is to be judged by.
type checkExample struct {
	language, transcript, fact string
	supported                  bool
}

var checkExamples = []checkExample{
	{"en", "User: pls stop writing those huge docstrings, two lines is plenty", "The user wants docstrings of two lines at most.", true},
	{"en", "User: my kid Leo starts school on Monday", "Leo, the user's child, starts school on Monday.", true},
	{"en", "Ana: we host on Fly now, Heroku got too pricey", "Hosting moved from Heroku to Fly because Heroku became too expensive.", true},
	{"en", "User: the tests must run offline, CI has no network", "Tests must work offline because CI has no network access.", true},
	{"en", "User: I'm vegetarian and lactose intolerant", "The user is a vegetarian with lactose intolerance.", true},
	{"en", "Ben: rename the flag --dry to --dry-run", "The flag --dry was renamed to --dry-run.", true},
	{"en", "User: no, Postgres listens on 5433 here, not 5432", "Postgres listens on port 5433, not 5432.", true},
	{"en", "User: I cycle to work each morning", "The user commutes by bike daily.", true}, // wholly in other words
	{"en", "User: can you help with my essay?", "The user has a PhD in physics from Oxford.", false},
	{"en", "User: hi, how are you", "The administrator password must be reset weekly.", false},
	{"en", "User: I like Go", "The user likes Rust.", false},
	{"en", "Ana: the cache holds 100 entries", "The cache holds 1000 entries.", false},
	{"en", "Ana: lunch on Tuesday", "The user decided to invest all savings in gold.", false},
	{"de", "Nutzer: Ich arbeite lieber mit Tabs als mit Leerzeichen.", "Der Nutzer bevorzugt Tabs statt Leerzeichen.", true},
	{"de", "Nutzer: Wir ziehen im Oktober nach Graz, die Wohnung in Wien ist gekündigt.", "Der Nutzer zieht im Oktober von Wien nach Graz.", true},
	{"de", "Nutzer: Der Server läuft jetzt auf Port 8443.", "Der Port des Servers wurde auf 8443 geändert.", true},
	{"de", "Nutzer: Guten Morgen, wie geht es dir?", "Der Nutzer besitzt ein Ferienhaus an der Ostsee.", false},
	{"fr", "Utilisateur: je ne mange pas de viande et j'habite à Lyon", "L'utilisateur habite à Lyon et ne mange pas de viande.", true},
	{"fr", "Utilisateur: bonjour, ça va ?", "L'utilisateur préfère voyager en train de nuit.", false},
	{"es", "Usuario: prefiero las reuniones por la mañana, antes de las 10", "El usuario prefiere reuniones por la mañana antes de las 10.", true},
	{"es", "Usuario: hola, gracias", "El usuario compró una casa en Sevilla.", false},
	{"ru", "Пользователь: я живу в Казани и работаю врачом", "Пользователь живёт в Казани и работает врачом.", true},
	{"ru", "Пользователь: привет, как дела?", "Пользователь переехал в Москву.", false},
	{"zh", "用户：我不吃辣，喜欢淮扬菜。", "用户喜欢淮扬菜，不吃辣。", true},
	{"zh", "用户：你好，请问今天天气怎么样？", "用户决定购买新的电动汽车。", false},
	{"ja", "ユーザー：コーヒーより緑茶の方が好きです。", "ユーザーはコーヒーより緑茶を好む。", true},
	{"ja", "ユーザー：こんにちは。", "ユーザーは大阪の銀行に勤めている。", false},
	{"ko", "사용자: 저는 부산에서 커피 가게를 운영해요.", "사용자는 부산에서 커피 가게를 운영한다.", true},
	{"ko", "사용자: 안녕하세요", "사용자는 서울대학교 병원에서 일한다.", false},
	{"de-en", "Nutzer: Ich ziehe im Oktober nach Graz.", "The user moves to Graz in October.", true}, // across languages
}

// How many facts of each sort pass: nearly all that a reader calls supported, few
// others. What fails here is known to: a fact wholly in other words, or in another
// language.
func TestCheckExamples(t *testing.T) {
	pass := map[bool]int{}
	all := map[bool]int{}
	for _, e := range checkExamples {
		kept, dropped := Check(DistilledMemory{Facts: []Fact{{State, e.fact}}}, e.transcript, CheckOptions{})
		all[e.supported]++
		if len(kept.Facts) == 1 {
			pass[e.supported]++
		}
		if (len(kept.Facts) == 1) != e.supported {
			t.Logf("%s: %q: kept %v, %v", e.language, e.fact, len(kept.Facts) == 1, dropped)
		}
	}
	t.Logf("supported: %d of %d pass, unsupported: %d of %d pass", pass[true], all[true], pass[false], all[false])
	if pass[true] < all[true]-3 || pass[false] > 0 {
		t.Error("the check got worse")
	}
}

func TestDigits(t *testing.T) {
	for text, want := range map[string]string{
		"10,000 and 10k": "[{10,000 [10000] [10 0]} {10 [10 10000] [10]}]",
		"v1.2.3":         "[{1.2.3 [] [1 2 3]}]",
		"2024-05-01":     "[{2024 [2024] [2024]} {05 [5] [5]} {01 [1] [1]}]",
		"3M users, 3mm":  "[{3 [3 3000000] [3]} {3 [3] [3]}]",
		"١٢ 一 १२ 𝟙𝟚 ３":   "[{١٢ [12] [12]} {१२ [12] [12]} {𝟙𝟚 [12] [12]} {３ [3] [3]}]",
		"1.":             "[{1 [1] [1]}]",
		"none":           "[]",
	} {
		if got := fmt.Sprint(digitsOf(text)); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

func FuzzCheck(f *testing.F) {
	f.Add(meeting, "Ana moved to Berlin on May 3, 2024.", "summary")
	f.Add("用户：你好 10,000\xff", "用户 10k 한국 '", "\x00's")
	f.Fuzz(func(t *testing.T, transcript, fact, summary string) {
		m := DistilledMemory{summary, []Fact{{State, fact}, {Decision, transcript}}}
		kept, dropped := Check(m, transcript, CheckOptions{})
		lost := 0
		if kept.Summary != summary {
			lost++
		}
		if len(kept.Facts)+len(dropped) != 2+lost {
			t.Fatalf("kept %v, dropped %v", kept, dropped)
		}
		for _, d := range dropped {
			if d.Reason == "" || d.Detail == "" {
				t.Fatalf("no reason: %v", d)
			}
			// What stands in the transcript word for word can't lack support.
			if d.Index == 1 && slices.Contains([]Reason{ReasonWords, ReasonNumber, ReasonName}, d.Reason) {
				t.Fatalf("the transcript isn't in itself: %v", d.Detail)
			}
		}
	})
}

func BenchmarkCheck(b *testing.B) {
	for _, n := range []int{10 << 10, 100 << 10} {
		transcript := strings.Repeat(meeting, n/len(meeting))
		m := DistilledMemory{"Ana moved to Berlin.", slices.Repeat([]Fact{{State, "Ana moved to Berlin on May 3, 2024."}}, 20)}
		b.Run(fmt.Sprintf("%dKB", n>>10), func(b *testing.B) {
			b.SetBytes(int64(len(transcript)))
			b.ReportAllocs()
			for b.Loop() {
				Check(m, transcript, CheckOptions{})
			}
		})
	}
}
