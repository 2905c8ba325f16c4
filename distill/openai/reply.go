// Which document in a model's text is its answer.

package openai

import (
	"cmp"
	"slices"
	"strings"

	"github.com/contextforge-go/contextforge/distill"
)

const byteOrderMark = "\uFEFF"

// readReply reads the memory in a model's text by the rules of the package's
// documentation. cut says that the model was stopped by its limit of tokens. The
// problem is empty if there is a memory.
func readReply(text string, cut bool) (r reply, problem string) {
	r.text = text
	alone := strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(text), byteOrderMark))
	if alone == "" {
		return r, "the reply is empty"
	}
	if r.decode(alone) {
		return r, r.problem()
	}
	r.recovered = true
	if inner := stringIn([]byte(alone)); inner != "" {
		text = inner // the document was encoded twice
	}
	s := newSearch(text)
	if !s.run() {
		return r, "the reply has too many unfinished objects"
	}
	thoughts, open := thinking(text, s.documents)
	for _, doc := range slices.Backward(s.documents) {
		if thoughts.hold(doc.start) || cut && open >= 0 && open < doc.start {
			continue
		}
		found := text[doc.start:doc.end]
		if r.decode(found) || r.decode(mend(found)) {
			return r, r.problem()
		}
	}
	if u := s.unfinished; u != nil && !thoughts.hold(u.start) && (open < 0 || open > u.start) && r.decodeUnfinished(text, u) {
		return r, r.problem()
	}
	return r, "no JSON object with a summary and facts"
}

// decode reads a document. A template isn't one.
func (r *reply) decode(document string) bool {
	if !strings.HasPrefix(document, "{") {
		return false
	}
	memory, dropped, err := distill.DecodeLenient([]byte(document))
	if err != nil || isTemplate(memory) {
		return false
	}
	r.memory, r.dropped = memory, dropped
	return true
}

// decodeUnfinished reads what is whole of a document that breaks off: a fact at
// least, or all of them.
func (r *reply) decodeUnfinished(text string, u *unfinished) bool {
	whole := u.whole(text)
	if !r.decode(whole) && !r.decode(mend(whole)) || u.open && len(r.memory.Facts) == 0 {
		return false
	}
	r.truncated = true
	if u.lost {
		r.dropped = append(r.dropped, distill.Dropped{
			Index:  len(r.memory.Facts) + len(r.dropped),
			Reason: distill.ReasonForm,
			Detail: "the reply breaks off here",
		})
	}
	return true
}

// problem tells what is wrong with a document that was read: that all of it is
// faulty.
func (r *reply) problem() string {
	if empty(r.memory) && len(r.dropped) > 0 {
		return "none of the facts can be used: " + string(r.dropped[0].Reason)
	}
	return ""
}

// isTemplate reports whether a memory has dots in place of all its texts.
func isTemplate(m distill.DistilledMemory) bool {
	dots := func(text string) bool { return strings.Trim(text, ".… ") == "" }
	for _, fact := range m.Facts {
		if !dots(fact.Text) {
			return false
		}
	}
	return m.Summary != "" && dots(m.Summary)
}

// span is a part of a text.
type span struct{ start, end int }

// spans are parts by ascending start that don't overlap.
type spans []span

// hold reports whether a position is in one of the parts.
func (s spans) hold(pos int) bool {
	i, found := slices.BinarySearchFunc(s, pos, func(part span, pos int) int { return cmp.Compare(part.start, pos) })
	return found || i > 0 && pos < s[i-1].end
}

// tags are those around sections in which models think aloud.
var tags = []string{"<think>", "<thinking>", "<thought>", "<reasoning>", "[think]"}

// tagAt returns the length of the tag that text begins with, 0 for none, and
// whether it closes a section.
func tagAt(text string) (length int, closing bool) {
	for _, tag := range tags {
		if hasPrefixFold(text, tag) {
			return len(tag), false
		}
		if len(text) > 1 && text[1] == '/' && text[0] == tag[0] && hasPrefixFold(text[2:], tag[1:]) {
			return len(tag) + 1, true
		}
	}
	return 0, false
}

func hasPrefixFold(text, prefix string) bool {
	return len(text) >= len(prefix) && strings.EqualFold(text[:len(prefix)], prefix)
}

// thinking returns the sections in which the model thinks aloud, and where one
// begins that isn't closed, -1 if all are. Tags inside of documents are text.
func thinking(text string, documents []span) (sections spans, open int) {
	open = -1
	begin := 0 // of what a closing tag without an opening one ends
	for pos := 0; pos < len(text); pos++ {
		for len(documents) > 0 && documents[0].end <= pos {
			documents = documents[1:]
		}
		if len(documents) > 0 && documents[0].start <= pos {
			pos = documents[0].end - 1
			continue
		}
		if text[pos] != '<' && text[pos] != '[' {
			continue
		}
		length, closing := tagAt(text[pos:])
		switch {
		case length == 0:
			continue
		case closing:
			if open >= 0 {
				begin = open
			}
			sections = append(sections, span{begin, pos + length})
			open, begin = -1, pos+length
		case open < 0:
			open = pos
		}
		pos += length - 1
	}
	return sections, open
}
