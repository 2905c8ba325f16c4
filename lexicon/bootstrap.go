// This file decides which part of a model's answer is the lexicon.

package lexicon

import (
	"errors"
	"fmt"
	"strings"
)

// MaxAnswerBytes is the longest answer that ParseBootstrap reads, in bytes.
const MaxAnswerBytes = 1 << 20

// ErrNoLexicon says that a model's answer holds no lexicon.
var ErrNoLexicon = errors.New("lexicon: no lexicon in the answer")

// AnswerError says why a model's answer can't be used. It matches ErrNoLexicon,
// and what is wrong with a block that isn't a valid lexicon, for instance a
// *WeightError.
type AnswerError struct {
	Start string // of the answer, to recognise it
	Err   error  // what is wrong
}

// Error implements error.
func (e *AnswerError) Error() string { return fmt.Sprintf("%v, in the answer %q", e.Err, e.Start) }

// Unwrap returns what is wrong.
func (e *AnswerError) Unwrap() error { return e.Err }

// Is makes errors.Is(err, ErrNoLexicon) true.
func (e *AnswerError) Is(target error) bool { return target == ErrNoLexicon }

// ParseBootstrap returns the lexicon in a model's answer to BootstrapPrompt, as
// text to be written to a file and compiled under the name "bootstrap".
//
// It looks for blocks between fences of three or more backticks or tildes that say
// "toml" or nothing behind the opening ones, and takes the last block that is a
// valid lexicon with at least one term or pattern: what comes before it is a draft
// or thinking aloud. A fence that opens a block of TOML ends one that is open. A
// block without an end isn't taken; if it is one of TOML, nothing else is either,
// since the answer was probably cut off, and what it holds before that is a draft.
// An answer without any fence is taken if it is a lexicon as a whole.
//
// Errors are *AnswerError. The time is linear in the answer.
func ParseBootstrap(answer string) (text string, scorer *ConfigScorer, err error) {
	if len(answer) > MaxAnswerBytes {
		return "", nil, &AnswerError{answerStart(answer), fmt.Errorf("it is longer than %d bytes", MaxAnswerBytes)}
	}
	blocks, fences := findBlocks(answer)
	if !fences {
		blocks = []block{{text: answer, closed: true}}
	}
	var reason error // why the last block isn't one
	for i := len(blocks) - 1; i >= 0; i-- {
		scorer, err := blocks[i].parse()
		if err == nil {
			return blocks[i].text, scorer, nil
		}
		if reason == nil {
			reason = err
		}
		if blocks[i].cutOff() {
			break
		}
	}
	if reason == nil || !fences {
		reason = errors.New("there is no fenced block of TOML")
	}
	return "", nil, &AnswerError{answerStart(answer), reason}
}

// answerStart returns the first words of an answer.
func answerStart(answer string) string {
	const most = 200 // enough for what is shown in the end
	start := strings.TrimSpace(answer)
	return shortened(strings.ToValidUTF8(start[:min(len(start), most)], ""))
}

// block is what stands between two fences.
type block struct {
	text   string
	closed bool
	named  bool // the opening fence says that it is TOML
}

// cutOff reports the beginning of a lexicon: what ends in the middle, and isn't
// just a fence too many.
func (b block) cutOff() bool {
	return !b.closed && b.named && strings.TrimSpace(b.text) != ""
}

func (b block) parse() (*ConfigScorer, error) {
	if !b.closed {
		return nil, errors.New("the last block isn't closed; the answer was probably cut off")
	}
	empty := errors.New("the block has no terms and no patterns")
	if !strings.Contains(b.text, "=") {
		return nil, empty // most of what isn't TOML
	}
	s, err := Parse("bootstrap", b.text)
	if err == nil && s.Len() == 0 {
		err = empty
	}
	return s, err
}

// findBlocks returns the blocks that may be TOML, and whether there are any fences.
func findBlocks(answer string) (blocks []block, fences bool) {
	open := ""      // the fence of the current block
	start := 0      // of its text
	wanted := false // it may be TOML
	named := false  // it says so
	at := 0
	for line := range strings.SplitAfterSeq(answer, "\n") {
		next := at + len(line)
		marks, info := fenceOf(line)
		opens := marks != "" && (open == "" || info == "toml")
		switch {
		case opens:
			open, start, fences = marks, next, true
			named = info == "toml"
			wanted = named || info == ""
		case open != "" && info == "" && strings.HasPrefix(marks, open):
			if wanted {
				blocks = append(blocks, block{answer[start:at], true, named})
			}
			open = ""
		}
		at = next
	}
	if open != "" && wanted {
		blocks = append(blocks, block{answer[start:], false, named})
	}
	return blocks, fences
}

// fenceOf returns the marks that a line begins with if it is a fence, and the first
// word behind them in lower case.
func fenceOf(line string) (marks, info string) {
	line = strings.TrimSpace(line)
	if !strings.HasPrefix(line, "```") && !strings.HasPrefix(line, "~~~") {
		return "", ""
	}
	rest := strings.TrimLeft(line, line[:1])
	marks = line[:len(line)-len(rest)]
	if line[0] == '`' && strings.Contains(rest, "`") {
		return "", "" // code within a sentence
	}
	if words := strings.Fields(rest); len(words) > 0 {
		info = strings.ToLower(words[0])
	}
	return marks, info
}
