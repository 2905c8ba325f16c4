// The words that phrases are made of, and the phrases. Words are in the languages
// named beside them, in the forms that commands have.

package injection

import (
	"strings"
	"sync"
)

// class is a set of roles that a word can have in a phrase.
type class uint64

const (
	verb        class = 1 << iota // sets aside; where English is spoken alike, only as a command
	command                       // sets aside, in a form that is a command by itself
	lastVerb                      // sets aside, at the end of a phrase
	object                        // what is set aside
	qualifier                     // which of them
	leak                          // gives away
	hidden                        // what kind of prompt
	prompt                        // a prompt
	wholePrompt                   // a system prompt in one word
	your
	you
	are
	now
	from
	on
	obey
	answer
	only
	mode
	not
	tell
	user
	admin
	override
	end
	of
	frame
	lead // may stand before a command
	to
	when
	reads
	memory
	systemRole  // speaks when a colon follows at the start of a line
	blockRole   // does so after an empty line
	headingRole // does so in a heading
	foregoing   // all that stands before
	passage     // what can be given away
	what
	told
	were
	changed // a new task
	task
	unbound // what binds a model
	without
	model
	act
	as
	heed
	position // a qualifier that may follow what it qualifies
	note
)

// vocabulary lists the words of each class, folded or not.
var vocabulary = []struct {
	class class
	rot13 bool // look for the words in ROT13 as well
	words string
}{
	{verb, true, "ignore disregard forget override bypass discard overlook pretend"},
	{command, false, "ignoriere ignoriert missachte vergiss vergesst " + // German
		"ignorez oublie oubliez " + "ignora olvida ignoren olvide olviden " + // French, Spanish
		"ignorate dimentica dimenticate " + "ignorem esqueça esqueçam esquece desconsidere " + // Italian, Portuguese
		"игнорируй игнорируйте проигнорируй проигнорируйте забудь забудьте " + // Russian
		"negeer vergeet ignoruj zignoruj zapomnij"}, // Dutch, Polish
	{lastVerb, false, "ignorieren vergessen missachten"},
	{object, true, "instructions instruction rules prompt prompts directions directives directive guidelines guideline commands constraints restrictions " +
		"policies policy safeguards orders programming everything"},
	{object, false, "anweisungen anweisung regeln vorgaben befehle instruktionen richtlinien consignes règles ordres instrucciones reglas órdenes indicaciones " +
		"directrices istruzioni regole direttive ordini comandi instruções regras ordens diretrizes инструкции инструкций указания правила команды " +
		"instructies regels instrukcje polecenia zasady"},
	{qualifier, true, "previous prior above earlier preceding foregoing former past all any every your system original initial existing before"},
	{qualifier, false, "dessus obenstehenden obigen oben sopra suddette arriba acima выше вышестоящие"},
	{qualifier, false, "alle allen vorherigen vorigen bisherigen obigen früheren sämtliche deine toutes tous précédentes précédents antérieures tes vos todas " +
		"anteriores previas tus tutte precedenti tue prévias suas все предыдущие прежние прошлые всех вышеуказанные vorige eerdere wszystkie poprzednie"},
	{leak, true, "repeat reveal print show output display tell expose leak dump recite disclose give share"},
	{leak, false, "zeige verrate wiederhole affiche révèle répète muestra revela repite mostra rivela ripeti revele repita покажи повтори"},
	{hidden, true, "system hidden initial original secret developer"},
	{prompt, true, "prompt prompts instructions"},
	{wholePrompt, false, "systemprompt systemprompts"},
	{your, true, "your"}, {you, false, "you"}, {are, false, "are"}, {now, false, "now"}, {from, false, "from"}, {on, false, "on"},
	{obey, false, "obey ignore disregard pretend"},
	{answer, false, "answer respond reply speak"}, {only, false, "only"},
	{mode, false, "mode unrestricted jailbroken uncensored unfiltered dan root admin administrator"},
	{not, false, "not never dont without"}, {tell, false, "tell inform reveal disclose mention alert notify telling informing mentioning alerting notifying"}, {user, false, "user users"},
	{admin, false, "system admin administrator developer root emergency"}, {override, false, "override"},
	{end, false, "end ende fin fine"}, {of, false, "of the der du de della do"},
	{frame, false, "memory memories context prompt instructions quotation"},
	{lead, false, "please now then and so must should shall will just kindly you also first immediately instead simply always hereby important system assistant ai bitte " +
		"favor plaît пожалуйста"},
	{to, false, "to"}, {when, false, "when once if after whenever"}, {reads, false, "read see retrieve recall"}, {memory, false, "memory entry memories"},
	{position, true, "previous prior above earlier preceding foregoing before"},
	{position, false, "précédentes précédents antérieures anteriores previas precedenti prévias dessus oben sopra suddette arriba acima выше"},
	{foregoing, false, "anterior anteriormente précède precede zuvor vorher выше"},
	{foregoing, true, "foregoing above preceding"}, {passage, false, "everything text words lines content all"}, {what, false, "what whats"},
	{were, false, "were are have is"}, {told, false, "told asked instructed said says wants given"}, {changed, false, "new updated"},
	{task, false, "task instructions instruction directive directives objective orders role"}, {model, false, "ai assistant model bot chatbot llm"},
	{unbound, false, "restrictions limits limitations filters censorship guardrails"}, {without, false, "no without zero pas ne не nicht non não"},
	{act, false, "act behave respond roleplay"}, {as, false, "as like"}, {note, false, "message messages"},
	{heed, false, "attention heed caso cuenta compte внимания conto attenzione"},
	{systemRole, false, "system"}, {blockRole, false, "human assistant"}, {headingRole, false, "human assistant user instruction response"},
}

// phrase is a sequence of classes. Before slot i stand at most gaps[i] other words.
type phrase struct {
	slots     []class
	gaps      []int
	commanded bool // the first word must be a command, or begin something
	reason    Reason
	detail    string
}

var phrases = []phrase{
	{[]class{verb, qualifier, object}, []int{0, 3, 3}, true, OverridePhrase, "sets instructions aside"},
	{[]class{verb, object, position}, []int{0, 3, 2}, true, OverridePhrase, "sets instructions aside"},
	{[]class{command, qualifier, object}, []int{0, 3, 3}, false, OverridePhrase, "sets instructions aside"},
	{[]class{command, object, position}, []int{0, 3, 2}, false, OverridePhrase, "sets instructions aside"},
	{[]class{qualifier, object, lastVerb}, []int{0, 2, 3}, false, OverridePhrase, "sets instructions aside"},
	{[]class{you, are, now, mode}, []int{0, 0, 0, 4}, false, OverridePhrase, "changes the mode"},
	{[]class{from, now, on, obey}, []int{0, 0, 0, 3}, true, OverridePhrase, "changes the role"},
	{[]class{from, now, on, answer, only}, []int{0, 0, 0, 3, 1}, true, OverridePhrase, "changes the answers"},
	{[]class{not, tell, user}, []int{0, 0, 5}, false, OverridePhrase, "keeps something from the user"},
	{[]class{admin, override}, []int{0, 0}, true, OverridePhrase, "claims an override"},
	{[]class{when, you, reads, memory}, []int{0, 0, 0, 1}, false, OverridePhrase, "speaks to the reader of a memory"},
	{[]class{verb, foregoing}, []int{0, 1}, true, OverridePhrase, "sets aside what stands before"},
	{[]class{command, foregoing}, []int{0, 4}, false, OverridePhrase, "sets aside what stands before"},
	{[]class{verb, systemRole, note}, []int{0, 1, 0}, true, OverridePhrase, "sets instructions aside"},
	{[]class{verb, what, user, told}, []int{0, 0, 1, 1}, true, OverridePhrase, "sets the user aside"},
	{[]class{verb, you, were, told}, []int{0, 2, 0, 1}, true, OverridePhrase, "sets aside what was said before"},
	{[]class{without, heed, you, were, told}, []int{0, 2, 2, 0, 1}, false, OverridePhrase, "sets aside what was said before"},
	{[]class{without, heed, qualifier, object}, []int{0, 2, 4, 2}, false, OverridePhrase, "sets instructions aside"},
	{[]class{without, heed, object, position}, []int{0, 2, 4, 1}, false, OverridePhrase, "sets instructions aside"},
	{[]class{your, changed, task, to}, []int{0, 0, 0, 1}, true, OverridePhrase, "gives another task"},
	{[]class{model, without, unbound}, []int{0, 2, 1}, false, OverridePhrase, "changes the mode"},
	{[]class{act, as, mode}, []int{0, 0, 2}, true, OverridePhrase, "changes the mode"},
	{[]class{what, your, hidden, prompt}, []int{0, 6, 0, 0}, false, PromptLeak, "asks for the prompt"},
	{[]class{leak, passage, foregoing}, []int{0, 2, 0}, true, PromptLeak, "asks for what stands before"},
	{[]class{leak, systemRole, note}, []int{0, 3, 0}, true, PromptLeak, "asks for the prompt"},
	{[]class{leak, hidden, prompt}, []int{0, 4, 1}, true, PromptLeak, "asks for the prompt"},
	{[]class{leak, your, prompt}, []int{0, 3, 0}, true, PromptLeak, "asks for the prompt"},
	{[]class{leak, wholePrompt}, []int{0, 4}, true, PromptLeak, "asks for the prompt"},
	{[]class{end, of, frame}, []int{0, 0, 2}, true, DelimiterBreak, "announces the end of the frame"},
}

// lexeme is what the lexicon knows of a word.
type lexeme struct {
	class class
	rot13 class // the classes of the word that it is in ROT13
}

// lexicon finds words by their hash.
type lexicon struct {
	table  [tableSize]slot // open addressing, linear probing
	finals class           // what a phrase can end with
}

// slot is free when its lexeme is the zero value.
type slot struct {
	hash uint64
	lexeme
}

// tableSize is a power of two, a few times the number of words, so that most lookups of other words see a free slot.
const tableSize = 1 << 12

var compiled = sync.OnceValue(func() *lexicon {
	l := new(lexicon)
	for _, v := range vocabulary {
		for _, word := range strings.Fields(v.words) {
			l.add(word, lexeme{class: v.class})
			if v.rot13 {
				l.add(strings.Map(rotate, word), lexeme{rot13: v.class})
			}
		}
	}
	for _, p := range phrases {
		l.finals |= p.slots[len(p.slots)-1]
	}
	return l
})

func (l *lexicon) add(word string, x lexeme) {
	h := hashOf(word)
	s := l.slot(h)
	s.hash = h
	s.class |= x.class
	s.rot13 |= x.rot13
}

// slot returns where the word with the hash is, or would be.
func (l *lexicon) slot(h uint64) *slot {
	for i := h >> 40; ; i++ {
		s := &l.table[i%tableSize]
		if s.hash == h || s.lexeme == (lexeme{}) {
			return s
		}
	}
}

func (l *lexicon) find(h uint64) (x lexeme, found bool) {
	x = l.slot(h).lexeme
	return x, x != lexeme{}
}

func rotate(r rune) rune {
	if 'a' <= r && r <= 'z' {
		return 'a' + (r-'a'+13)%26
	}
	return r
}
