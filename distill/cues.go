// Words that show what a sentence is good for.

package distill

import (
	"slices"
	"strings"
	"unicode"

	"github.com/contextforge-go/contextforge/analysis"
)

// A cue is a phrase in lower case without apostrophes and punctuation, found
// between words; cues in Han or kana are found anywhere. A "^" asks for the
// beginning of the sentence.

var correctionCues = []string{
	"^actually its", "^actually it", "^actually the", "^actually my", "^actually that", "^actually i", "^actually we", "^correction",
	"thats wrong", "that is wrong", "thats not right", "that is not right", "thats incorrect", "thats not correct", "that is not correct", "thats not true", "that is not true", "that is incorrect", "thats not what",
	"you wrote", "you used", "you said", "you forgot", "you missed", "you got it wrong", "should have been", "not what i asked", "not what i said", "not what i meant", "i said", "i meant", "i misspoke", "you got that wrong", "you are wrong", "youre wrong", "you misunderstood",
	"you mixed up", "i was wrong", "my mistake", "my bad", "my fault", "oops", "^sorry its", "^sorry it", "^sorry the", "scratch that", "should be instead", "not the other way",
	"das stimmt nicht", "das ist falsch", "ich meinte", "cest faux", "je voulais dire", "eso no es correcto",
	"quise decir", "me equivoqué", "está errado", "это неверно", "я имел в виду", "不对", "不是这样", "我的意思是", "違います", "間違って", "ではなくて", "아니요", "틀렸",
}

// denials open corrections unless they answer a question.
var denials = []string{
	"^no that", "^no thats", "^no its", "^no it", "^no i", "^no we", "^no the", "^no not", "^no my", "^no they", "^no he", "^no she", "^no you", "^no use", "^nope",
	"^nein", "^non ce", "^non cest", "^no es", "^no no es", "^não é", "^não não", "^нет",
}

var decisionCues = []string{
	"decided", "decision is", "^decision", "go with", "going with", "went with", "switching to", "going for", "signing up for", "well use", "we will use", "lets use", "lets stick with",
	"we stick with", "sticking with", "settled on", "opted for", "we agreed", "agreed to", "agreed on", "agreed that", "we chose", "i chose", "we picked", "i picked",
	"we are dropping", "were dropping", "dropped the", "we dropped", "i dropped", "ditched", "scrapped", "were not going to", "were not renewing", "made up our minds", "made up my mind",
	"thats final", "that is final", "its settled", "has been decided", "it was agreed", "we voted", "the team voted", "were keeping", "we are keeping", "we keep", "we will keep", "well keep", "well go for",
	"our choice", "my choice", "final answer", "is off the table", "we ruled out", "i ruled out", "we committed to", "were moving ahead", "we are moving ahead", "the plan is to", "made the decision", "signed off on", "approved the",
	"haben uns entschieden", "habe mich entschieden", "haben beschlossen", "wir nehmen", "entschieden", "beschlossen",
	"avons décidé", "a décidé", "ai décidé", "on part sur", "hemos decidido", "decidimos", "decidí", "vamos con", "vamos usar", "решили", "решил", "решила",
	"我们决定", "我决定", "决定用", "決めました", "に決めた", "にしましょう", "結論は", "하기로 했", "결정했",
}

var preferenceCues = []string{
	"i prefer", "we prefer", "id prefer", "i would prefer", "id rather", "i would rather", "we would rather", "i like", "i really like", "i love", "i really love", "i enjoy",
	"i hate", "i really hate", "i dislike", "i dont like", "i do not like", "i cant stand", "i dont want", "i do not want", "i want you to", "i want all", "i want the",
	"i want my", "id like you to", "i would like you to", "my favorite", "my favourite", "please always", "please never", "please dont", "please do not", "please use",
	"please keep", "please stop", "please write", "please answer", "please put", "please send", "please make sure", "please avoid", "please stick", "please only", "please call", "i need you to", "make sure to", "make sure you", "suit me", "suits me", "works for me", "work for me", "at most", "at least", "call me", "from now on", "in the future always", "in future always", "^always", "^never", "^dont ever",
	"i always", "i never", "i usually", "we always", "we never", "i cant eat", "i dont eat", "i dont drink", "im allergic", "i am allergic", "im vegan", "im vegetarian", "i am vegetarian", "i am vegan",
	"^keep", "^use", "^avoid", "^stop", "^dont use", "^do not use", "no more than", "i need it to", "i need them to", "i only want", "id like", "i would like", "if possible i", "i care about", "matters to me", "bothers me", "annoys me",
	"my preferred", "my preference", "rather not", "better not", "i avoid", "i refuse", "im into", "im not a fan", "i am not a fan", "makes me happy", "im a fan of", "i am a fan of", "works best for me", "suits me best", "i tend to",
	"ich mag", "ich bevorzuge", "ich möchte", "ich hätte gern", "ich hätte lieber", "ist mir lieber", "am liebsten", "ich hasse", "bitte immer", "bitte nie", "bitte keine", "ich esse kein",
	"je préfère", "jaime", "jadore", "je déteste", "je naime pas", "je veux que", "je voudrais", "toujours utiliser", "prefiero", "preferimos", "mejor en", "mejor no", "no soporto", "nunca uses", "me gusta", "no me gusta", "me encanta", "odio", "quiero que", "siempre usa",
	"prefiro", "eu gosto", "não gosto", "я предпочитаю", "мне нравится", "мне не нравится", "я люблю", "я не люблю", "всегда используй",
	"我喜欢", "我更喜欢", "我不喜欢", "我讨厌", "我希望", "请不要", "请用", "请始终", "が好き", "の方がいい", "のほうがいい", "が嫌い", "してください", "좋아해", "좋아합니다", "싫어해", "선호해",
}

// stateCues are beside the operators of package analysis.
var stateCues = []string{
	"im writing", "i am writing", "im building", "i am building", "im working on", "i am working on", "were building", "we are building", "were working on", "we are working on", "im learning", "im studying", "i study", "im training",
	"has changed", "have changed", "has moved", "have moved", "has become", "is back", "is gone", "is done", "is finished", "is broken", "is fixed", "was fixed", "works now", "ends on", "ends in", "starts on", "starts in", "begins on",
	"was downgraded", "was upgraded", "was renamed", "was replaced", "was cancelled", "was canceled", "was moved", "was postponed", "were moved", "has started", "had a baby", "is pregnant", "im pregnant", "was hired", "got hired", "got a job",
	"im on", "we are on", "were on", "is on version", "im based in", "is based in", "runs on", "is hosted on", "im using", "we are using", "were using", "the project uses", "we use", "i own", "im retired", "im married", "i turned", "years old",
	"moved to", "moved from", "moving to", "switched to", "switched from", "upgraded to", "downgraded to", "migrated to", "migrated from", "renamed to", "replaced by", "replaced with", "replaced the",
	"changed from", "changed my", "changed the", "went from", "are now", "is now", "now live", "now lives", "now work", "now works", "now runs", "now use", "now have", "now has", "no longer",
	"i live in", "we live in", "i work at", "i work as", "i work for", "i started", "we started", "started a new", "i joined", "i left", "i quit", "i retired", "i graduated", "i became", "i just got", "i got a new", "i got my",
	"got married", "got engaged", "got divorced", "broke up", "got promoted", "was promoted", "i bought", "we bought", "i sold", "we sold", "i adopted", "we adopted", "was born", "passed away", "i have a", "i have two", "i have three",
	"my name is", "my birthday is", "my email is", "my phone", "my wife", "my husband", "my son", "my daughter", "my dog", "my cat", "my new", "is scheduled for", "is due on", "was released", "we released", "we launched", "we shipped", "we deployed",
	"has been merged", "was merged", "is deprecated", "was removed", "i removed", "we removed", "i added", "we added", "lives in", "works at", "works for", "is called",
	"umgezogen", "habe angefangen", "haben angefangen", "habe gekündigt", "habe gekauft", "bin jetzt", "haben jetzt", "habe jetzt", "wir nutzen", "ich nutze", "ich arbeite", "ich schreibe", "ziehe nach", "zog nach", "wohne in", "wohnen in", "arbeite bei", "arbeite als", "ist jetzt", "sind jetzt", "heißt jetzt", "läuft jetzt", "umgestellt auf", "gewechselt",
	"jai déménagé", "jhabite", "nous habitons", "nous avons déménagé", "jai commencé", "jai acheté", "je suis passé", "on est passé", "je travaille", "est maintenant", "est passé à", "sappelle", "me mudé", "nos mudamos", "se mudó", "vivimos en", "ahora trabajo", "ahora vivo", "empecé", "empezó", "terminé", "cambié", "compré", "compramos", "tengo un", "tengo una", "tenemos un", "vivo en", "trabajo en", "ahora es", "ahora está", "ahora usa", "cambiamos a", "mudei", "moro em", "trabalho", "agora é",
	"переехал", "переехала", "живу в", "работаю", "теперь", "перешли на", "搬到", "搬家", "住在", "现在是", "现在用", "改成", "换成", "升级到", "引っ越し", "住んでいます", "働いています", "に変更", "に変わり", "になりました", "이사했", "살고 있", "바뀌었", "변경했",
}

// hedges make a decision or state a mere possibility.
var hedges = []string{
	"maybe", "perhaps", "might", "could be", "would be", "if we", "if you", "if i", "if the", "what if", "should we", "should i", "not sure", "i guess", "thinking about", "thinking of", "considering",
	"for example", "imagine", "suppose", "let me know", "feel free", "you can", "you could", "you may", "you might", "you should", "hopefully", "i wonder", "wish i", "vielleicht", "peut être", "quizás", "talvez", "может быть", "也许", "かもしれ",
}

// idle phrases look like preferences but say nothing that lasts.
var idle = []string{
	"i like that idea", "i like it", "i like that", "i like this", "i love it", "i love that", "i love this", "i like your", "i love your", "i like how", "i love how", "i want to know", "id like to know", "like you said",
	"i would like to know", "thank you", "thanks", "good morning", "good night", "see you", "how are you", "never mind", "no problem", "no worries", "you are welcome", "youre welcome", "i got it", "got it",
	"keep it up", "keep up the", "keep going", "keep being", "keep in touch", "keep me posted", "never heard", "never seen", "never thought",
}

// inPerson are words that an assistant's decisions have, as opposed to those that it
// knows of.
var inPerson = []string{"i", "we", "you", "your", "our", "lets", "ive", "weve", "ill", "well", "im", "ich", "wir", "sie", "du", "je", "nous", "vous", "yo", "usted", "hemos", "decidimos", "vamos", "team"}

// cueText is a sentence as cues are looked for in it.
type cueText struct {
	words string // in lower case, each between spaces
	raw   string // as it was
}

func newCueText(sentence string) cueText {
	var b strings.Builder
	b.WriteByte(' ')
	space := true
	for _, r := range sentence {
		switch {
		case isApostrophe(r):
		case unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r):
			b.WriteRune(unicode.ToLower(r))
			space = false
		case !space:
			b.WriteByte(' ')
			space = true
		}
	}
	if !space {
		b.WriteByte(' ')
	}
	return cueText{b.String(), sentence}
}

// hasAny reports whether one of the cues is there.
func (t cueText) hasAny(cues []string) bool {
	for _, cue := range cues {
		if phrase, first := strings.CutPrefix(cue, "^"); first {
			if strings.HasPrefix(t.words[1:], phrase+" ") {
				return true
			}
		} else if i := strings.Index(t.words, cue); i > 0 && t.bounded(cue, i) {
			return true
		}
	}
	return false
}

// bounded reports whether a cue stands between words, at i or later.
func (t cueText) bounded(cue string, i int) bool {
	if strings.ContainsFunc(cue, unspaced) {
		return true
	}
	for {
		if t.words[i-1] == ' ' && t.words[i+len(cue)] == ' ' {
			return true
		}
		next := strings.Index(t.words[i+1:], cue)
		if next < 0 {
			return false
		}
		i += 1 + next
	}
}

// contrasts reports whether a sentence puts one thing in the place of another:
// "It's the 10th, not the 9th.", "From Palau, not Fiji."
func (t cueText) contrasts() bool {
	if i := strings.LastIndex(t.raw, ", not "); i > 0 && len(strings.Fields(t.raw[i:])) <= 5 && !t.hasAny(preferenceCues) {
		return true
	}
	return t.hasAny([]string{"^its", "^it is", "^theyre", "^they are", "^hes", "^shes", "^es ist", "^das ist"}) &&
		(strings.Contains(t.words, " not ") || strings.Contains(t.words, " nicht "))
}

// wantsAlways reports whether a wish is for more than once.
func (t cueText) wantsAlways() bool {
	return t.hasAny([]string{"i want", "i need", "we want", "we need"}) && t.hasAny([]string{"every", "always", "never", "each", "only", "from now on"})
}

// isNow reports whether something is said to be so since lately.
func (t cueText) isNow() bool {
	return strings.HasSuffix(t.words, " now ") && !t.hasAny([]string{"right now", "for now", "by now", "until now", "just now", "^now"}) ||
		t.hasAny(sinceCues)
}

// sinceCues are "since" with a time, which gives no reason.
var sinceCues = []string{
	"since monday", "since tuesday", "since wednesday", "since thursday", "since friday", "since saturday", "since sunday", "since yesterday",
	"since last", "since january", "since february", "since march", "since april", "since may", "since june", "since july", "since august",
	"since september", "since october", "since november", "since december", "ive been", "weve been", "i have been", "we have been",
}

// passing are verbs whose past says nothing that lasts.
var passing = map[string]bool{
	"wanted": true, "liked": true, "loved": true, "enjoyed": true, "tried": true, "asked": true, "looked": true, "needed": true, "hoped": true,
	"wondered": true, "called": true, "noticed": true, "mentioned": true, "talked": true, "checked": true, "laughed": true, "waited": true,
	"missed": true, "used": true, "watched": true, "thanked": true, "guessed": true, "need": true, "listed": true, "walked": true, "realized": true,
	"searched": true, "discussed": true, "indeed": true, "chatted": true, "cried": true, "feed": true, "speed": true, "assumed": true,
}

// happened reports whether a sentence says what "I" or "we" did, in the past of a
// regular verb: "We retired the old nodes."
func (t cueText) happened() bool {
	words := strings.Fields(t.words)
	for i, word := range words[:max(0, len(words)-2)] {
		switch word {
		case "i", "we", "ive", "weve":
		default:
			continue
		}
		verb := words[i+1]
		if verb == "have" || verb == "just" || verb == "finally" || verb == "already" || verb == "also" {
			verb = words[i+2]
		}
		if len(verb) > 4 && strings.HasSuffix(verb, "ed") && !passing[verb] {
			return true
		}
	}
	return false
}

// unspaced reports whether a letter is of a script whose words aren't parted, or
// grow endings.
func unspaced(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul)
}

// kindOf says what sort of fact a sentence is, if it is one. A sentence that a
// newer one of the transcript replaces is none. Assistants neither prefer nor
// correct. answers says that the sentence follows a question.
func kindOf(c analysis.Classified, speaks role, answers bool) (Kind, bool) {
	text := newCueText(c.Text)
	if text.hasAny(idle) || len(c.Superseded) > 0 {
		return "", false
	}
	own := speaks != assistant
	hedged := text.hasAny(hedges)
	has := func(category analysis.Category) bool { return slices.Contains(c.Categories, category) }
	switch {
	case own && (text.hasAny(correctionCues) || text.contrasts() || !answers && text.hasAny(denials)):
		return Correction, true
	case !hedged && text.hasAny(decisionCues) && (own || text.hasAny(inPerson) || !ascii(c.Text)):
		return Decision, true
	case own && (text.hasAny(preferenceCues) || text.wantsAlways()):
		return Preference, true
	case hedged:
		return "", false
	case has(analysis.Decisive) && (own || text.hasAny(inPerson)):
		return Decision, true
	case has(analysis.Stateful), own && (text.hasAny(stateCues) || text.isNow() || text.happened()):
		return State, true
	}
	return "", false
}
