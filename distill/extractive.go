// Distilling by rules: which sentences become facts and which the summary.

package distill

import (
	"cmp"
	"context"
	"iter"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/contextforge-go/contextforge/analysis"
)

const (
	// DefaultExtractedFacts is how many facts [NewExtractive] picks at most.
	DefaultExtractedFacts = 24
	// DefaultSummaryWords is how many words its summary has at most.
	DefaultSummaryWords = 120
)

// ExtractiveOptions are the settings of [NewExtractive]. The zero value serves.
type ExtractiveOptions struct {
	// MaxFacts is the greatest number of facts; 0 is DefaultExtractedFacts, more
	// than the cap MaxFacts is that, a negative number is none.
	MaxFacts int
	// SummaryWords is the greatest number of words in the summary; 0 is
	// DefaultSummaryWords, more than 149 is 149, a negative number is no summary.
	// Six chars of a text without spaces count as four words.
	SummaryWords int
	// Strip, unless nil, is applied to the transcript before anything else, to take
	// out recalled memory of forms that aren't known here.
	Strip func(transcript string) string
	// Classify are the settings for classifying sentences.
	Classify analysis.ClassifyConfig
}

// NewExtractive returns a distiller that needs no model and no network. It picks
// sentences of the transcript and leaves them as they are.
//
// Facts are sentences that a cue or [analysis.Classify] makes one: corrections
// ("No, it's …" unless it answers a question, "I meant"), decisions ("we decided",
// a choice with a reason), preferences ("I prefer", "please always"), states ("is
// now", "I moved to", "we retired …"). Without a cue the form of a sentence can
// make it one: decisions are what "we'll" do, "let's" do, what an "OK" with a date
// or number agrees to; preferences are instructions with something particular in
// them, "no …", "must …", "he wants …"; states are statements with a number, a day,
// a name, an address or a word for what lasts, what is said of "my …" and "our …",
// and short answers to questions, together with these. What an assistant says
// counts only if it is what it did, decided, or will do, or is about "your …", and
// its preferences and corrections don't. Nor do questions, mere possibilities, and
// states that a later sentence of the transcript replaces. A fact begins with who
// said it ("Ana: I moved to Berlin."); a sentence that points back ("It is now
// 81.", "Make it 81.") takes along the one before, a short correction the one
// behind. When there are more than
// MaxFacts, those with the greatest weight are kept: kinds count in the order
// above, those with a cue more than those without, users more than assistants,
// sentences with frequent words more than others. Facts stand in the order of the transcript.
//
// The summary is made of the most central sentences: those whose words occur in
// the most turns, each word counting half once a chosen sentence has it, and an
// assistant's half from the start.
//
// Code, tool output, system prompts, recalled memory, log lines, and sentences with
// redacted secrets or that say what a password, a PIN, a key or a token is, are left
// out. Cues are there for English, and fewer for German,
// French, Spanish, Portuguese, Russian, Chinese, Japanese and Korean.
//
// It is a fallback for when there is no model. In eight English chats that its rules
// weren't written with, seven in ten of the facts that a reader marked were found,
// and nearly all that was given were facts; in chats about nothing in particular,
// where feelings and events are told, more is given that nobody will ask for. In
// other languages, which have cues but hardly any rules of form, it finds less.
// What it can't do: turn "I" into a name, resolve "yesterday", see irony, find
// facts that no cue announces, or join what several sentences say.
func NewExtractive(o ExtractiveOptions) Distiller {
	o.MaxFacts = min(cmp.Or(o.MaxFacts, DefaultExtractedFacts), MaxFacts)
	o.SummaryWords = min(cmp.Or(o.SummaryWords, DefaultSummaryWords), 149)
	return &extractive{o}
}

type extractive struct{ o ExtractiveOptions }

// sentence is one of the transcript that may be picked.
type sentence struct {
	text    string
	turn    int
	speaks  role
	name    string
	before  int // index of the sentence before in the transcript, -1
	words   []string
	length  int // in words
	central float64
	class   analysis.Classified
}

// Distill implements Distiller. The only error is that of ctx.
func (e *extractive) Distill(ctx context.Context, transcript string) (DistilledMemory, error) {
	if e.o.Strip != nil {
		transcript = e.o.Strip(transcript)
	}
	turns := turnsOf(transcript)
	sentences, err := e.sentences(ctx, turns)
	if err != nil {
		return DistilledMemory{}, err
	}
	weigh(sentences)
	e.classify(sentences)
	m := DistilledMemory{Summary: e.summary(sentences), Facts: e.facts(sentences, settingOf(turns))}
	return Merge(m), ctx.Err()
}

// sentences returns the sentences of the turns that may be picked.
func (e *extractive) sentences(ctx context.Context, turns []turn) ([]sentence, error) {
	var out []sentence
	for t, turn := range turns {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		talk := analysis.Prefilter(turn.text, analysis.PrefilterConfig{KeepMarkers: true, KeepPaths: true})
		for text := range sentencesOf(talk) {
			text = oneLine(unmarked(text))
			if !talks(text) {
				continue
			}
			out = append(out, sentence{
				text: text, turn: t, speaks: turn.role, name: turn.name, before: len(out) - 1,
				words: contentWords(text), length: wordCount(text),
			})
		}
	}
	return out, nil
}

// sentencesOf yields the sentences of a turn. Where it begins with a small letter,
// sentences do in it, too.
func sentencesOf(talk string) iter.Seq[string] {
	first, _ := utf8.DecodeRuneInString(strings.TrimSpace(talk))
	small := unicode.IsLower(first)
	return func(yield func(string) bool) {
		for _, text := range analysis.Sentences(talk) {
			for end := smallEnd(text); small && end > 0; end = smallEnd(text) {
				if !yield(text[:end]) {
					return
				}
				text = strings.TrimLeft(text[end:], " \t")
			}
			if !yield(text) {
				return
			}
		}
	}
}

// smallEnd returns where the first of several sentences in small letters ends, 0
// if there is one only: behind a word of three chars or more, a mark, a blank.
func smallEnd(text string) int {
	for i := 3; i+2 < len(text); i++ {
		if text[i+1] == ' ' && strings.IndexByte(".!?", text[i]) >= 0 && isSmall(text[i-3:i]) && text[i+2] >= 'a' && text[i+2] <= 'z' {
			return i + 1
		}
	}
	return 0
}

func isSmall(chars string) bool {
	switch chars {
	case "etc", "rox", "vol", "min", "max", "inc", "esp":
		return false
	}
	return !strings.ContainsFunc(chars, func(r rune) bool { return !(r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '!' || r == '?') })
}

// unmarked takes the marks of lists, headings and emphasis from a line.
func unmarked(line string) string {
	line = strings.TrimLeft(line, " \t>#*-+•")
	if item := strings.TrimLeft(line, "0123456789"); len(item) < len(line) && (strings.HasPrefix(item, ". ") || strings.HasPrefix(item, ") ")) {
		line = item[2:]
	}
	return strings.ReplaceAll(strings.ReplaceAll(line, "**", ""), "__", "")
}

// longestSentence is the length, in bytes, above which a sentence isn't one.
const longestSentence = 600

// talks reports whether a sentence is language rather than code or a log, and
// holds no redacted secret.
func talks(text string) bool {
	if len(text) > longestSentence || strings.Contains(text, "[REDACTED:") || tellsSecret(text) || !utf8.ValidString(text) {
		return false
	}
	plain, all := 0, 0
	for _, r := range text {
		if unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r) || strings.ContainsRune(` ,.!?'’"，。！？、`, r) {
			plain++
		}
		all++
	}
	if 20*plain < 17*all || all < 4 || strings.ContainsAny(text[len(text)-1:], ";{}") {
		return false
	}
	for _, level := range []string{" ERROR ", " INFO ", " WARN ", " DEBUG ", "Traceback ", "panic: ", "<<<TRANSCRIPT", "TRANSCRIPT>>>", "Recalled memory, quoted"} {
		if strings.Contains(" "+text, level) {
			return false
		}
	}
	return true
}

// asks reports whether a sentence is a question.
func asks(text string) bool {
	last, _ := utf8.DecodeLastRuneInString(strings.TrimRight(text, `"'”’») `))
	return last == '?' || last == '？' || last == '؟'
}

// wordCount counts words, two for three chars of scripts without spaces.
func wordCount(text string) int {
	wide := 0
	for _, r := range text {
		if unspaced(r) && !unicode.Is(unicode.Hangul, r) {
			wide++
		}
	}
	return len(strings.Fields(text)) + 2*wide/3
}

// weigh sets how central sentences are: the mean of their words' frequencies, a
// frequency being the number of turns with the word, less one.
func weigh(sentences []sentence) {
	frequency := map[string]int{}
	counted := map[string]int{} // the last turn that was, plus one
	for _, s := range sentences {
		for _, word := range s.words {
			if counted[word] != s.turn+1 {
				counted[word] = s.turn + 1
				frequency[word]++
			}
		}
	}
	for i := range sentences {
		s := &sentences[i]
		sum := 0
		for _, word := range s.words {
			sum += frequency[word] - 1
		}
		s.central = float64(sum) / float64(len(s.words)+3) // short sentences aren't preferred
	}
}

// candidate is a fact that may be given.
type candidate struct {
	index  int // of its sentence
	fact   Fact
	weight float64
	form   bool // no cue announces it
	along  bool // the sentence before is in it
}

// candidates returns what may be given, in the order of the transcript.
func (e *extractive) candidates(sentences []sentence, where *setting) (list []candidate) {
	said := map[string]bool{}
	for i := range sentences {
		c := e.candidate(sentences, i, where)
		if c.fact.Kind == "" {
			continue
		}
		var text string
		text, c.along = alone(sentences, i, c.fact.Kind)
		if last := len(list) - 1; c.along && last >= 0 && list[last].index == sentences[i].before && !list[last].along {
			switch before := &list[last]; {
			case c.fact.Kind == Correction || before.form:
				// What is corrected isn't a fact, and what another fact has in it need not be one.
				list = list[:last]
			case c.form && sentences[before.index].turn == sentences[i].turn:
				before.fact.Text, before.along = text, true
				continue
			}
		}
		// A sentence may already stand in the fact that the one before made.
		if !said[text] {
			said[text] = true
			c.fact.Text = text
			list = append(list, c)
		}
	}
	return list
}

// facts returns the best facts in the order of the transcript.
func (e *extractive) facts(sentences []sentence, where setting) []Fact {
	list := e.candidates(sentences, &where)
	slices.SortStableFunc(list, func(a, b candidate) int { return cmp.Compare(b.weight, a.weight) })
	list = list[:min(len(list), max(e.o.MaxFacts, 0))]
	slices.SortFunc(list, func(a, b candidate) int { return cmp.Compare(a.index, b.index) })
	facts := make([]Fact, len(list))
	for i, c := range list {
		facts[i] = c.fact
	}
	return facts
}

// candidate returns what a sentence makes, without its text; the kind is "" if that
// is no fact.
func (e *extractive) candidate(sentences []sentence, i int, where *setting) candidate {
	s := &sentences[i]
	if asks(s.text) {
		return candidate{}
	}
	if s.length >= 3 && (len(s.words) > 0 || pointsBack(s.text)) {
		answers := s.before >= 0 && asks(sentences[s.before].text)
		if kind, ok := kindOf(s.class, s.speaks, answers); ok {
			if signs := signsOf(newCueText(s.text), where); kind == State && s.speaks != assistant && signs.instructs() {
				kind = Preference
			}
			return candidate{index: i, fact: Fact{Kind: kind}, weight: kindWeight(kind, s)}
		}
	}
	answers := answersShortly(sentences, i)
	if s.length < 3 && !answers && !pointsBack(s.text) || s.length > longestByForm {
		return candidate{}
	}
	kind, _ := kindByForm(s.class, s.speaks, answers, where)
	return candidate{index: i, fact: Fact{Kind: kind}, weight: float64(formWeight * kindWeight(kind, s)), form: true}
}

// classify has package analysis classify the sentences, each being newer than
// the one before.
func (e *extractive) classify(sentences []sentence) {
	passages := make([]analysis.Passage, len(sentences))
	for i, s := range sentences {
		passages[i] = analysis.Passage{Text: s.text, Terms: slices.Sorted(slices.Values(s.words)), Timestamp: time.Unix(int64(i), 0)}
	}
	for i, c := range analysis.Classify(passages, e.o.Classify) {
		sentences[i].class = c
	}
}

func kindWeight(kind Kind, s *sentence) float64 {
	weight := 1.0
	switch kind {
	case Correction:
		weight = 1.5
	case Decision:
		weight = 1.4
	case Preference:
		weight = 1.3
	case State:
		weight = 1.2
	}
	if s.speaks == assistant {
		weight = float64(weight * 0.6)
	}
	return float64(weight * (1 + s.central))
}

// formWeight is what a fact that no cue announces counts, as opposed to one with
// a cue.
const formWeight = 0.75

// longestByForm is the number of words above which the form of a sentence says
// nothing.
const longestByForm = 45

// pointing are first words that mean something said before.
var pointing = map[string]bool{
	"it": true, "its": true, "it's": true, "that": true, "thats": true, "that's": true, "this": true, "these": true, "those": true, "they": true,
	"he": true, "she": true, "him": true, "her": true, "them": true, "there": true, "both": true, "neither": true,
	"das": true, "es": true, "sie": true, "er": true, "ça": true, "c'est": true, "il": true, "elle": true, "eso": true, "isso": true, "это": true,
}

// pointsBack reports whether a sentence begins with one of them, perhaps behind
// an interjection.
func pointsBack(text string) bool {
	words := strings.Fields(strings.ReplaceAll(fold(text), "’", "'"))
	if len(words) > 1 && (strings.HasSuffix(words[0], ",") || words[0] == "actually" || words[0] == "no") {
		words = words[1:]
	}
	return len(words) > 0 && pointing[strings.TrimRight(words[0], ",.:")]
}

// shortCorrection is the number of words up to which a correction says only that
// something is wrong.
const shortCorrection = 5

// shortSentence is the number of words up to which a sentence is hardly
// understood without the one before, if it points to it or answers it.
const shortSentence = 6

// leans reports whether a sentence is short and is about "it".
func leans(s sentence) bool {
	return s.length <= shortSentence && newCueText(s.text).hasAny([]string{"it", "them", "these", "those"})
}

// answersShortly reports whether a sentence is the short answer to what somebody
// else has just asked.
func answersShortly(sentences []sentence, i int) bool {
	s := &sentences[i]
	if s.before < 0 || s.length > shortSentence {
		return false
	}
	before := &sentences[s.before]
	return before.turn == s.turn-1 && asks(before.text)
}

// alone returns a sentence as it can stand alone: with its speaker, with the
// sentence before if it points back or answers it, and with the one behind if it is
// a correction that can hardly hold what is right. along says that the sentence
// before is in it.
func alone(sentences []sentence, i int, kind Kind) (text string, along bool) {
	s := sentences[i]
	if next := i + 1; kind == Correction && s.length <= shortCorrection && next < len(sentences) && sentences[next].turn == s.turn {
		s.text += " " + sentences[next].text
	}
	if s.before >= 0 && (pointsBack(s.text) || leans(s) || answersShortly(sentences, i)) {
		before := sentences[s.before]
		switch before.turn {
		case s.turn:
			return attributed(s, before.text+" "+s.text), true
		case s.turn - 1:
			return attributed(before, before.text) + " " + attributed(s, s.text), true
		}
	}
	return attributed(s, s.text), false
}

// attributed puts the speaker in front.
func attributed(s sentence, text string) string {
	if s.speaks == nobody || s.name == "" {
		return text
	}
	first, size := utf8.DecodeRuneInString(s.name)
	return string(unicode.ToUpper(first)) + s.name[size:] + ": " + text
}
