// Facts that no cue announces: what the form of a sentence shows it to be.

package distill

import (
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/contextforge-go/contextforge/analysis"
)

// setting is what is known of the conversation that a sentence is from.
type setting struct {
	names    bool            // capitals inside of a sentence mean names
	speakers map[string]bool // the words of their names, folded, and their beginnings
}

// shortestName is the number of bytes from which on the beginning of a name calls
// somebody: "Mel" for Melanie.
const shortestName = 3

func settingOf(turns []turn) setting {
	s := setting{speakers: map[string]bool{}}
	var words []string
	for _, t := range turns {
		words = append(words, allWords(t.text)...)
		for _, word := range allWords(t.name) {
			for end := min(shortestName, len(word)); end <= len(word); end++ {
				s.speakers[word[:end]] = true
			}
		}
	}
	s.names = !writesNounsLarge(words)
	return s
}

// names reports whether somebody or something is named in a text: more than those
// who speak, who are mostly addressed.
func (s *setting) named(text string) bool {
	return s.names && slices.ContainsFunc(namesOf(text, true), func(name string) bool {
		return slices.ContainsFunc(allWords(name), func(word string) bool { return !s.speakers[word] })
	})
}

// sense is what a word may be good for; a word can be of several senses.
type sense uint16

const (
	calendar  sense = 1 << iota // a day or a month, unless it has another meaning
	lasting                     // says that something is more than a matter of today, or how much of it
	finite                      // makes a statement of words
	directive                   // begins what somebody is told to do
	wishing                     // what the third person does who wants something
	minding                     // what is going on in a head, which is no state of things
	praising                    // an opinion that says nothing else
	agreeing                    // opens an answer that agrees
	reporting                   // opens a report of what was done
	opening                     // may stand before what a sentence really begins with
)

// senses are the words of each sense, in lower case without apostrophes.
var senses = sync.OnceValue(func() map[string]sense {
	all := map[string]sense{}
	for s, list := range map[sense]string{
		calendar: `monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays
			sundays january february april june july august september october november december`,
		lasting: `every each until till since always never only default permanently daily weekly monthly yearly anymore hundred
			thousand million dozen half week weeks month months year years weekend weekends christmas easter summer autumn winter spring
			birthday`,
		finite: `is are was were am im its hes shes theyre were youre isnt arent wasnt werent has have had hasnt havent hadnt ive weve theyve
			do does did dont doesnt didnt can cant cannot will wont must needs need wants want takes take took costs cost runs run ran starts
			start begins begin began ends end opens open closes close arrives arrive leaves leave left gets get got goes go went comes come came
			sits sit stands stand lives live works work uses use returns return reads writes write wrote sends send sent stores holds hold
			keeps keep kept serves contains includes became becomes said says told tells sold sells bought buys made makes make put puts
			paid pays pay met meets won lost found finds gave gives takes ill well theyll itll hell shell happens expires weighs measures
			speaks speak covers reviews owns own belongs belong eats eat drinks drink drives drive drove sleeps flies plays
			ist sind war hat haben kostet wird est sont était coûte son está están era tiene tenemos cuesta são tem sono è`,
		directive: `make put send write use keep drop add leave bring call ring skip include remove move give set start stop avoid format sign
			cite name store return pay order book deliver ship print answer reply treat count replace rename limit run test log ask tell remind
			schedule invite wait dont`,
		wishing: `wants needs prefers likes hates loves dislikes insists expects`,
		minding: `know think mind care see understand remember believe get mean worry feel guess recall wait say blame want hear suppose
			imagine forget doubt wonder`,
		praising: `good great nice fine lovely beautiful awesome amazing cool perfect wonderful bad terrible awful sad happy glad sorry fun funny
			hard easy true right wrong sure okay ok tough rough crazy wild exciting excited impressive unreal so really very too pretty
			quite absolutely such`,
		agreeing: `ok okay fine yes yep yeah deal agreed alright good great perfect sure done right understood noted`,
		reporting: `ok okay fine sure done noted updated corrected fixed changed merged added moved removed sent booked blocked deployed released
			transferred formatted registered renewed refunded ordered scheduled reserved cancelled canceled saved`,
		opening: `ok okay fine yes yep yeah deal agreed alright good great perfect sure done right understood noted so and but then also oh
			hmm ah hey hi hello no actually anyway btw by the way please thanks lol haha one more thing plus though`,
	} {
		for word := range strings.FieldsSeq(list) {
			all[word] |= s
		}
	}
	return all
})

// signs is a sentence, read for its form.
type signs struct {
	cueText
	list     []string // its words, in lower case, without apostrophes
	senses   []sense  // of each
	strong   bool     // a number in digits, a day, an address or a name of a file is in it
	some     bool     // or a number in words or a name
	concrete bool     // or a word for what lasts
}

func signsOf(text cueText, where *setting) signs {
	s := signs{cueText: text, list: strings.Fields(text.words)}
	s.strong = strings.ContainsFunc(text.raw, unicode.IsDigit) || hasCode(text.raw)
	known := senses()
	for _, word := range s.list {
		_, number := countWord(word)
		kind := known[word]
		s.senses = append(s.senses, kind)
		s.strong = s.strong || kind&calendar != 0
		s.some = s.some || number
		s.concrete = s.concrete || kind&lasting != 0
	}
	s.some = s.some || s.strong || where.named(text.raw)
	s.concrete = s.concrete || s.some
	return s
}

// hasCode reports whether a file, a path, an address or an identifier is in a
// text: a word with a mark in it that words don't have.
func hasCode(text string) bool {
	for word := range strings.FieldsSeq(text) {
		word = strings.TrimFunc(word, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		if i := strings.IndexAny(word, "@/._"); i > 0 && !strings.Contains(word, "..") && utf8.RuneCountInString(word) > 4 && ascii(word) {
			return true
		}
	}
	return false
}

// is reports whether word i is there and of a sense.
func (s *signs) is(i int, kind sense) bool { return i >= 0 && i < len(s.list) && s.senses[i]&kind != 0 }

// says reports whether word i is one of some.
func (s *signs) says(i int, some ...string) bool {
	return i >= 0 && i < len(s.list) && slices.Contains(some, s.list[i])
}

// predicates reports whether there is a verb that makes a statement of the words.
func (s *signs) predicates() bool {
	return slices.ContainsFunc(s.senses, func(kind sense) bool { return kind&finite != 0 })
}

// first returns where the sentence begins behind words like "ok" and "and".
func (s *signs) first() int {
	for i := range s.list {
		if !s.is(i, opening) || i == len(s.list)-1 {
			return i
		}
	}
	return 0
}

// kindByForm returns what sort of fact a sentence that has no cue is by its form.
// answers says that it is a short answer to a question.
func kindByForm(c analysis.Classified, speaks role, answers bool, where *setting) (Kind, bool) {
	text := newCueText(c.Text)
	if text.hasAny(idle) || len(c.Superseded) > 0 || text.hasAny(hedges) {
		return "", false
	}
	s := signsOf(text, where)
	switch {
	case speaks == assistant:
		return s.report()
	case s.setsRight():
		return Correction, true
	case s.settles():
		return Decision, true
	case s.demands():
		return Preference, true
	case s.tells(), answers && s.some:
		return State, true
	}
	return "", false
}

// setsRight: "That should be …", "They shouldn't."
func (s *signs) setsRight() bool {
	return s.hasAny([]string{"that should be", "it should be", "^they shouldnt", "^it shouldnt", "^that shouldnt"})
}

// settles: "Friday it is.", "So we cook ourselves.", "OK, May 20.", "Let's drop
// it.", "We'll take the small one.", "I'm adding one on Monday."
func (s *signs) settles() bool {
	n, at := len(s.list), s.first()
	switch {
	case s.hasAny(idlePlans):
		return false
	case s.concludes(), s.is(0, agreeing) && s.strong && n > at+1 && n-at <= 8:
		return true
	case s.hasAny([]string{"lets", "were going to", "we are going to", "i am going to", "off the table"}):
		return n >= 3
	case s.says(at-1, "so", "then") && s.says(at, "we"), s.hasAny([]string{"so we", "then we"}) && s.predicates():
		return true
	case s.promises() || s.says(at, "we") && s.says(at+1, "take", "start", "go", "do"):
		return s.concrete && n >= 4
	}
	return s.says(at, "im", "were") && s.strong && at+1 < n && strings.HasSuffix(s.list[at+1], "ing")
}

// promises: "We'll …", "I will …"
func (s *signs) promises() bool {
	at := s.first()
	if s.says(at, "i", "we") && s.says(at+1, "will") || s.says(at, "ill") {
		return true
	}
	return s.says(at, "well") && strings.Contains(strings.ReplaceAll(fold(s.raw), "’", "'"), "we'll")
}

// idlePlans are made in every conversation.
var idlePlans = []string{
	"lets see", "lets look", "lets hope", "lets go", "lets talk", "lets catch", "lets meet up", "lets do it", "lets say", "lets keep", "lets chat", "lets try",
}

// concludes: "Friday it is.", "Saturday the 2nd then.", "CDN is out."
func (s *signs) concludes() bool {
	n := len(s.list)
	if n <= 8 && s.says(n-1, "then") && s.some {
		return true
	}
	for i := 1; i < n-1 && i <= 4; i++ {
		switch {
		case s.list[i] == "it" && s.list[i+1] == "is" && (i == n-2 || s.says(i+2, "then")) && !s.hasAny([]string{"^what", "^how", "^as", "^that", "^this"}):
			return true
		case s.list[i] == "is" && s.says(i+1, "out", "in", "off") && (i == n-2 || strings.Contains(fold(s.raw), "is "+s.list[i+1]+",")):
			return true
		}
	}
	return false
}

// demands: "No carpet anywhere.", "Make it 1 GB.", "He wants the window bed.",
// "The button must stay disabled.", "Friday works better for us."
func (s *signs) demands() bool {
	at := s.first()
	switch {
	case s.instructs():
		return true
	case s.says(0, "no") || s.says(at-1, "no"):
		return len(s.list)-at >= 1 && !strings.HasPrefix(fold(s.raw), "no,") && !strings.Contains(fold(s.raw), " no,") && !s.hasAny(idleDenials)
	case s.hasAny([]string{"better for me", "better for us", "works better", "is easier for", "would be better", "please"}):
		return len(s.list) >= 3
	case s.hasAny([]string{"must", "mustnt", "has to", "needs to be", "need to be", "shouldnt be", "should stay"}):
		return !s.says(at, "i", "you", "must") && !s.hasAny([]string{"must be", "must have"}) && len(s.list) >= 4
	case s.hasAny([]string{"always", "never"}) && !s.predicates() && !s.happened():
		return len(s.list) >= 3
	}
	return s.is(at+1, wishing) && !s.says(at, "it", "that", "this", "who", "what")
}

// idleDenials begin with "no" but forbid nothing.
var idleDenials = []string{
	"no problem", "no prob", "no worries", "no idea", "no way", "no one", "no wonder", "no need", "no doubt", "no luck", "no thanks", "no pressure", "no rush", "no kidding",
	"no details", "no clue", "no matter", "no big deal", "no biggie", "no reason", "no sign", "no news", "no answer", "no change", "no longer",
}

// instructs: "Please ring the side door.", "Put that run on Friday."
func (s *signs) instructs() bool {
	n, at := len(s.list), s.first()
	if s.says(0, "please") || s.says(at-1, "please") {
		return n-at >= 2
	}
	return s.is(at, directive) && n-at >= 3 && !s.hasAny([]string{"make sense", "leave me", "wait for me"}) &&
		(s.concrete || s.hasAny([]string{"it", "instead", "rather than", "in the", "to the", "next to"}))
}

// tells: what is concrete, or about "my" things and "our" ways, or what "I" don't
// do.
func (s *signs) tells() bool {
	n, at := len(s.list), s.first()
	switch {
	case n-at < 3, s.says(at, "you", "what", "how", "why"), !s.predicates() && !s.happened() && !(s.strong && n-at >= 5), s.praises():
		return false
	case s.concrete:
		return true
	case s.says(at, "i") && s.says(at+1, "dont", "cant", "wont"):
		return !s.is(at+2, minding)
	}
	return s.says(at, "my", "our") || s.hasAny([]string{"in this project", "in this repo", "in this team", "in our", "at our"})
}

// praises reports whether all that is said, behind the verb, is how something is
// liked, in a few words: "The music was good to listen to."
func (s *signs) praises() bool {
	for i := range s.list {
		if !s.says(i, "is", "are", "was", "were", "its", "be", "been", "im", "looks", "sounds") || !s.is(i+1, praising) || len(s.list)-i > shortSentence {
			continue
		}
		for _, word := range s.list[i+1:] {
			if strings.ContainsAny(word, "0123456789") || senses()[word]&(calendar|lasting) != 0 {
				return false
			}
		}
		return true
	}
	return false
}

// longestReport is the number of words above which an assistant explains rather
// than reports.
const longestReport = 25

// report: what an assistant did or will do, or says of "your" things: "Your
// ticket number is 4821.", "I have raised the limit to 100,000." What it knows is
// no memory.
func (s *signs) report() (Kind, bool) {
	n, at := len(s.list), s.first()
	switch {
	case n < 3 || n > longestReport || s.hasAny([]string{"ive got", "i have some", "here is", "heres", "here are", "id be", "consider"}):
		return "", false
	case s.concludes() && s.strong:
		return Decision, true
	case s.is(0, reporting) && s.strong:
		return State, true
	case s.some && (s.promises() || s.says(at, "im", "were") && s.says(at+1, "sending", "adding", "booking", "moving")):
		return Decision, true
	case s.some && (s.says(at, "ive", "weve", "i", "we") && (s.says(at+1, "have") || s.happened() || s.says(at, "ive", "weve"))), s.strong && s.says(at, "your") && s.predicates():
		return State, true
	}
	return "", false
}
