// Words, names and numbers of a text, for comparing two texts.

package distill

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/contextforge-go/contextforge/analysis"
)

// frameWords say that something was said, preferred, decided or changed. They
// stand in facts whatever the transcript's words were.
const frameWords = `user users user's assistant agent bot speaker participant participants person people team conversation transcript chat
	prefers prefer preferred preference preferences likes like wants want wanted wishes would rather always never
	decided decide decision decisions chose choose chosen agreed plans plan planned will
	corrected correct correction corrects clarified clarifies stated states said says mentioned mentions noted asked asks
	changed change changes state status now currently new because reason instead using uses use used
	nutzer benutzer nutzerin bevorzugt möchte mag hat wurde entschieden entscheidung entschied korrigiert sagt sagte statt weil jetzt neu
	der die das ein eine einen dem den und oder nicht ist sind für mit von zu im in auf
	utilisateur préfère veut souhaite décidé décision corrigé dit car maintenant le la les un une des et ou ne pas est pour avec du dans
	usuario prefiere quiere decidió decisión corrigió dijo porque ahora el los las una y o no es para con del en
	usuário prefere quer decidiu decisão corrigiu disse porque agora o os as um uma e não é com do da em
	utente preferisce vuole ha deciso il lo gli di per che si
	пользователь предпочитает хочет решил решила решение исправил сказал потому что теперь и в на не с для
	用户 使用者 喜欢 偏好 决定 希望 ユーザー 好み 決定 希望 사용자 사용자는 선호한다 결정했다`

var contentTokenizer = sync.OnceValue(func() *analysis.Tokenizer {
	return analysis.NewTokenizer(analysis.TokenConfig{ExtraStopWords: []string{spaced(frameWords)}})
})

var wordTokenizer = sync.OnceValue(func() *analysis.Tokenizer {
	return analysis.NewTokenizer(analysis.TokenConfig{CustomOnly: true})
})

// allWords returns the words of a text in order, without case and accents.
func allWords(text string) []string { return unaccented(wordTokenizer().Tokens(spaced(text))) }

// contentWords returns the different words of a text that say what it is about.
func contentWords(text string) []string {
	seen := map[string]bool{}
	var content []string
	for _, word := range unaccented(contentTokenizer().Tokens(spaced(text))) {
		if !seen[word] && !strings.ContainsFunc(word, isHiragana) && !isNumber(word) {
			seen[word] = true
			content = append(content, word)
		}
	}
	return content
}

// isHiragana is true of the signs that Japanese writes its grammar with.
func isHiragana(r rune) bool { return unicode.Is(unicode.Hiragana, r) }

func isNumber(word string) bool {
	return !strings.ContainsFunc(word, func(r rune) bool { return !unicode.IsDigit(r) })
}

// spaced replaces what parts words by spaces, so that "tabs/spaces" are two, and
// drops the possessive s.
func spaced(text string) string {
	var b strings.Builder
	b.Grow(len(text))
	for i, r := range text {
		switch {
		case unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r):
			b.WriteRune(r)
		case isApostrophe(r) && !possessive(text[i+utf8.RuneLen(r):]):
			b.WriteRune(r)
		case isApostrophe(r):
			b.WriteString(" \x00") // the s that follows is taken out below
		default:
			b.WriteByte(' ')
		}
	}
	return possessives.Replace(b.String())
}

var possessives = strings.NewReplacer("\x00s", "", "\x00S", "")

func isApostrophe(r rune) bool { return r == '\'' || r == '’' }

// possessive reports whether a text begins with an s that ends a word.
func possessive(rest string) bool {
	if rest == "" || rest[0] != 's' && rest[0] != 'S' {
		return false
	}
	next, _ := utf8.DecodeRuneInString(rest[1:])
	return !unicode.IsLetter(next) && !unicode.IsMark(next) && !unicode.IsDigit(next)
}

// unaccented takes the accents from words, in place. Marks of scripts in which
// they are vowels stay.
func unaccented(words []string) []string {
	for i, word := range words {
		if ascii(word) {
			continue
		}
		decomposed := norm.NFD.String(word)
		words[i] = norm.NFC.String(strings.Map(func(r rune) rune {
			if r >= 0x300 && r < 0x370 {
				return -1
			}
			return r
		}, decomposed))
	}
	return words
}

func ascii(word string) bool {
	for i := range len(word) {
		if word[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// shortestBeginning returns how many chars two words must share to be taken for
// forms of one: syllables say more than letters.
func shortestBeginning(word string) int {
	first, _ := utf8.DecodeRuneInString(word)
	switch {
	case unicode.Is(unicode.Hangul, first):
		return 2
	case unicode.In(first, unicode.Han, unicode.Hiragana, unicode.Katakana):
		return 3 // more than a pair, which counts as it is
	}
	return 4
}

// writesNounsLarge reports whether words are of a language in which every noun
// has a capital: German, by its most frequent words.
func writesNounsLarge(words []string) bool {
	german, english := 0, 0
	for _, word := range words {
		switch word {
		case "der", "die", "das", "und", "ist", "nicht", "ich", "ein", "eine", "mit", "wir", "auf", "fur", "zu", "es":
			german++
		case "the", "and", "of", "to", "is", "not", "i", "it", "we", "you", "for", "with", "that", "on":
			english++
		}
	}
	return german > english
}

// personal are verbs whose subject is somebody.
var personal = map[string]bool{
	"lives": true, "prefers": true, "likes": true, "loves": true, "hates": true, "wants": true, "decided": true, "said": true,
	"says": true, "thinks": true, "believes": true, "asked": true, "works": true, "joined": true, "corrected": true,
	"moved": true, "bought": true, "agreed": true, "plans": true, "dislikes": true, "studies": true, "married": true,
}

// namesOf returns what is written like a name. Unless capitals mean names, only
// capitals that aren't the first letter count.
func namesOf(text string, capitals bool) []string {
	var names []string
	starts := true // a sentence
	fields := strings.Fields(text)
	for i, field := range fields {
		word := strings.TrimFunc(field, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		first, size := utf8.DecodeRuneInString(word)
		inner := strings.ContainsFunc(word[min(size, len(word)):], unicode.IsUpper)
		large := capitals && unicode.IsUpper(first)
		person := i+1 < len(fields) && personal[strings.ToLower(fields[i+1])]
		if (inner || large && (!starts || person)) && len(contentWords(word)) > 0 {
			names = append(names, word)
		}
		if word != "" {
			last, _ := utf8.DecodeLastRuneInString(strings.TrimRight(field, `"'”’)]»`))
			starts = strings.ContainsRune(".!?:;…", last)
		}
	}
	return names
}
