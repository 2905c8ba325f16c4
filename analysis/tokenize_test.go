// Rows 143 to 147, the weakness W22, and tokens of all scripts.

package analysis

import (
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

func TestTokens(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"row 143: lower case", "Deploy THE Cluster", "deploy cluster"},
		{"row 143: white space", " a1\tb2\r\nc3\vd4\u00a0e5\u3000f6\u2028g7 ", "a1 b2 c3 d4 e5 f6 g7"},
		{"row 145: punctuation", "(deploy), [cluster]! \"prod\"; 50%", "deploy cluster prod 50"},
		{"row 145: no splitting", "fix-it user@host v0.3.1 a_b x/y", "fixit userhost v031 ab xy"},
		{"row 145: contractions", "rock'n'roll o'clock", "rocknroll oclock"},
		{"row 146: empty", "", ""},
		{"row 146: blank", " \n\t ", ""},
		{"row 146: punctuation alone", "... --- !?", ""},
		{"row 146: all stop words", "the and of don't", ""},
		{"W22: accents", "Café ÜBER naïve Señor", "café über naïve señor"},
		{"W22: decomposed accents", "Cafe\u0301 u\u0308ber", "café über"},
		{"W22: Greek and Cyrillic", "ΑΘΗΝΑ Москва", "αθηνα москва"},
		{"W22: Arabic and Hindi with marks", "السلام नमस्ते", "السلام नमस्ते"},
		{"W22: digits", "٣٤ ४५ x²", "٣٤ ४५ x²"},
		{"W22: Korean by words", "서버를 배포했다", "서버를 배포했다"},
		{"W22: Korean in parts", norm.NFD.String("서버를"), "서버를"},
		{"W22: apostrophes", "rock'n o’clock o‘clock oʼclock o′clock o´clock o＇clock", "rockn oclock oclock oclock oclock oclock oclock"},
		{"W22: contractions in all forms", "don't don’t donʼt don′t DON'T dont", ""},
		{"W22: dashes and ellipses", "fast—cheap…good―port e–f", "fast cheap port ef"},
		{"W22: emoji", "deploy🚀 ❤️ 1\ufe0f\u20e3x 👩‍💻", "deploy 1\u20e3x"},
		{"W22: format characters", "de\u00adploy\u200dment zero\u200bwidth \ufeffbom", "deployment zero width bom"},
		{"W22: Han", "会議室を予約", "会議 議室 室を を予 予約"},
		{"W22: one character", "水 火。木", "水 火 木"},
		{"W22: pair", "東京", "東京"},
		{"W22: Kana", "サーバー ﾃﾞﾌﾟﾛｲ", "サー ーバ バー ﾃﾞ ﾞﾌ ﾌﾟ ﾟﾛ ﾛｲ"},
		{"W22: Kana in parts", "か\u3099き\u3099", "がぎ"},
		{"W22: Thai", "ที่นี่", "ที่นี่"},
		{"W22: Thai of three", "กินข้าว", "กิน นข้ ข้า าว"},
		{"W22: Khmer, Lao, Burmese", "ខ្មែរ ລາວ မြန်မာ", "ខ្មែ មែរ ລາ າວ မြန် န်မာ"},
		{"W22: Chinese between Latin", "更新API接口v2版本", "更新 api 接口 v2 版本"},
		{"W22: punctuation ends a run", "会議。議題、東京", "会議 議題 東京"},
		{"W22: rare Han", "𠮷野家 々", "𠮷野 野家 々"},
		{"control characters", "nul\x00byte \x7fdel esc\x1b[0m", "nul byte del esc 0m"},
		{"not UTF-8", "abc\xffdef \xe4\xbd", "abcdef"},
		{"replacement character", "abc\ufffddef", "abcdef"},
	}
	tokenizer := NewTokenizer(TokenConfig{})
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := strings.Join(tokenizer.Tokens(tt.text), " "); got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}

func TestTokenConfig(t *testing.T) {
	tests := []struct {
		name string
		cfg  TokenConfig
		want string
	}{
		{"row 144: built-in list", TokenConfig{}, "deploy cluster"},
		{"row 144: extra word", TokenConfig{ExtraStopWords: []string{"DEPLOY"}}, "cluster"},
		{"row 144: extra phrase", TokenConfig{ExtraStopWords: []string{"de-ploy, cluster"}}, ""},
		{"row 144: custom only", TokenConfig{CustomOnly: true}, "ill deploy to the cluster"},
		{"row 144: custom only with a word", TokenConfig{CustomOnly: true, ExtraStopWords: []string{"The", "I'll"}}, "deploy to cluster"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := strings.Join(NewTokenizer(tt.cfg).Tokens("I'll deploy to the cluster"), " "); got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
	kana := NewTokenizer(TokenConfig{ExtraStopWords: []string{"です"}})
	if got := kana.Tokens("会議です"); !slices.Equal(got, []string{"会議", "議で"}) {
		t.Errorf("extra pair: %q", got)
	}
}

func TestIsStopWord(t *testing.T) {
	tokenizer := NewTokenizer(TokenConfig{ExtraStopWords: []string{"foo", "会議室"}})
	for word, want := range map[string]bool{
		"the": true, "THE": true, "don't": true, "don’t": true, "dont": true, // row 147: built-in
		"foo": true, "Foo!": true, "会議室": true, // row 147: custom
		"deploy": false, "café": false, "": false, "...": false, "the deploy": false, "the foo": true, // row 147: unknown
		"she'll": true, "shell": false, "I’d": true, "id": false, "we're": true, "I'll": true, "ill": false,
	} {
		if got := tokenizer.IsStopWord(word); got != want {
			t.Errorf("row 147: %q: %v", word, got)
		}
	}
}

// W22: the list holds no noun of anybody's trade.
func TestStopWordsKeepNouns(t *testing.T) {
	tokenizer := NewTokenizer(TokenConfig{})
	nouns := `system test work home problem point fix value page important state order computer information
		api bug build case change class client code config customer data database date day deploy design device error
		event file function group host id image index key language list log member memory message method model module name
		network node number object office part patient people person place port process product program project prompt
		query question reason release report request result room rule script second section server service session shell
		shop side state store student table task team term time token tool type user version web week word world year
		python rust java line open close run start stop set change water money family food doctor car school`
	for noun := range strings.FieldsSeq(nouns) {
		if tokenizer.IsStopWord(noun) {
			t.Errorf("W22: %q is a stop word", noun)
		}
	}
}

// Every entry of the list can match, and it is of the promised size.
func TestStopWordList(t *testing.T) {
	everything := NewTokenizer(TokenConfig{CustomOnly: true})
	words := map[string]bool{}
	for _, list := range append(stopWordLists(), contractionsWithOtherMeaning) {
		own := map[string]bool{}
		for word := range strings.FieldsSeq(list) {
			if got := everything.Tokens(word); len(got) != 1 || got[0] != word {
				t.Errorf("%q is read as %q", word, got)
			}
			if own[word] {
				t.Errorf("%q twice", word)
			}
			own[word], words[word] = true, true
		}
	}
	if len(words) < 300 || len(words) > 900 {
		t.Errorf("%d words", len(words))
	}
}

func TestTokenizerConcurrently(t *testing.T) {
	tokenizer := NewTokenizer(TokenConfig{})
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() {
			for range 100 {
				if got := tokenizer.Tokens("Deploy the 会議室"); len(got) != 3 {
					t.Error(got)
				}
			}
		})
	}
	wait.Wait()
}

func FuzzTokens(f *testing.F) {
	f.Add("Don’t deploy the v0.3.1 会議室, กินข้าว—e\u0301 👩‍💻")
	f.Add("\x00\xff\xfe が\u3099\u3099 \ufe0f\u0301x")
	tokenizer, everything := NewTokenizer(TokenConfig{}), NewTokenizer(TokenConfig{CustomOnly: true})
	f.Fuzz(func(t *testing.T, text string) {
		all := everything.Tokens(text)
		for _, token := range all {
			r, _ := utf8.DecodeRuneInString(token)
			if !utf8.ValidString(token) || !unicode.IsLetter(r) && !unicode.IsNumber(r) {
				t.Errorf("token %q", token)
			}
		}
		kept := tokenizer.Tokens(text)
		if len(kept) > len(all) {
			t.Errorf("%d tokens of %d", len(kept), len(all))
		}
		for _, token := range kept {
			if !slices.Contains(all, token) {
				t.Errorf("%q of %q", token, all)
			}
		}
	})
}

// Tokens are found by one pass: neither a long word nor a long run takes more
// than buffers that double.
func TestTokensAllocations(t *testing.T) {
	tokenizer := NewTokenizer(TokenConfig{})
	for _, unit := range []string{"a", "a ", "a'", "会", "会 ", "e\u0301", "ก่", "the "} {
		few := testing.AllocsPerRun(1, func() { tokenizer.Tokens(strings.Repeat(unit, 1000)) })
		many := testing.AllocsPerRun(1, func() { tokenizer.Tokens(strings.Repeat(unit, 64000)) })
		if many > few+120 {
			t.Errorf("%q: %v allocations, then %v", unit, few, many)
		}
	}
}
