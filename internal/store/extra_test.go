package store

// What records are found by beside their content: it follows all that it depends on,
// and the store is indexed anew when its rules change.

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// search returns the ids that a term finds, and their scores.
func (w *ward) search(query string) (ids []string, scores []float64) {
	w.Helper()
	w.view(func(v *View) {
		hits, err := v.Search(w.Context(), query, Filter{}, -1)
		w.must(err)
		for _, h := range hits {
			ids, scores = append(ids, h.ID), append(scores, h.Score)
		}
	})
	return ids, scores
}

// marked returns the ids of records that have a mark.
func (w *ward) marked(mark string) (ids []string) {
	w.Helper()
	w.view(func(v *View) {
		var nums []uint64
		var all []string
		for rec, err := range v.List(Filter{}) {
			w.must(err)
			num, err := v.Num(rec.ID)
			w.must(err)
			nums, all = append(nums, num), append(all, rec.ID)
		}
		words, err := v.Words(w.Context(), "", []string{mark}, Filter{}, nums)
		w.must(err)
		for i, tf := range words.TF {
			if tf > 0 {
				ids = append(ids, all[i])
			}
		}
		if words.MarkDF[0] != uint64(len(ids)) {
			w.Errorf("%q: %d counted, %q found", mark, words.MarkDF[0], ids)
		}
	})
	slices.Sort(ids)
	return ids
}

// tells is an Extra that tells every field that it may look at.
func tells(r *Record) Extra {
	word := func(s string) string { return strings.Map(onlyLetters, s) }
	return Extra{
		Text:  fmt.Sprintf("%s kind%s scope%s session%s meta%s", second(r.Timestamp), word(r.Kind), word(r.Scope), word(r.SessionID), word(string(r.Metadata))),
		Marks: []string{"\x01" + r.Kind},
	}
}

// second is a word for a second of some.
func second(t time.Time) string { return "sec" + string(rune('a'+t.Unix()%26)) }

func onlyLetters(r rune) rune {
	if r >= 'a' && r <= 'z' {
		return r
	}
	return -1
}

func TestRulesOfExtraChange(t *testing.T) {
	w := withTurns(t, turn("a", "", "s", 0), turn("b", "x", "s", 1))
	_, plain := w.search("text")
	rebuilds := func() byte { return w.get(stateKey())[1] }
	for _, c := range []struct {
		name  string
		extra func(*Record) Extra
		finds map[string]int
		again bool
	}{
		{"", nil, map[string]int{"kindturn": 0, "scopex": 0, "text": 2}, false},
		{"one", tells, map[string]int{"kindturn": 2, "scopex": 1, "text": 2}, true},
		{"one", tells, map[string]int{"kindturn": 2, "scopex": 1, "text": 2}, false},
		{"two", func(r *Record) Extra { return Extra{Text: "other"} }, map[string]int{"kindturn": 0, "other": 2, "text": 2}, true},
		{"", nil, map[string]int{"other": 0, "text": 2}, true},
	} {
		before := rebuilds()
		w.close()
		w.opts.Extra, w.opts.ExtraName = c.extra, c.name
		w.open()
		w.must(w.s.Verify(t.Context()))
		if again := rebuilds() != before; again != c.again {
			t.Errorf("rules %q: indexed anew %v", c.name, again)
		}
		for query, want := range c.finds {
			ids, scores := w.search(query)
			if len(ids) != want {
				t.Errorf("rules %q: %s finds %q", c.name, query, ids)
			}
			if query == "text" && !slices.Equal(scores, plain) {
				t.Errorf("rules %q: a text scores %v for itself, without any %v", c.name, scores, plain)
			}
		}
	}
}

// Whatever changes a record changes what it is found by, and what is replaced or
// removed is not found any more.
func TestExtraFollowsTheRecord(t *testing.T) {
	w := withTurns(t)
	w.close()
	w.opts.Extra, w.opts.ExtraName = tells, "tells"
	w.open()
	a := turn("a", "", "s", 0)
	a.Metadata = json.RawMessage(`{"who":"ann"}`)
	w.must(w.s.Save(t.Context(), drafts(a, turn("b", "", "t", 1))))
	update := func(content *string, change func(*Record)) {
		t.Helper()
		_, err := w.s.Update(t.Context(), "a", content, Embedding{}, func(r *Record) error {
			change(r)
			return nil
		})
		w.must(err)
	}
	text := "another text"
	for _, c := range []struct {
		name       string
		do         func()
		gone, here string
	}{
		{"saved", func() {}, "metawhobea", "metawhoann"},
		{"metadata", func() { update(nil, func(r *Record) { r.Metadata = json.RawMessage(`{"who":"bea"}`) }) }, "metawhoann", "metawhobea"},
		{"time", func() { update(nil, func(r *Record) { r.Timestamp = r.Timestamp.Add(time.Minute) }) }, second(conversationStart), second(conversationStart.Add(time.Minute))},
		{"session", func() { update(nil, func(r *Record) { r.SessionID = "new" }) }, "sessions", "sessionnew"},
		{"kind", func() { update(nil, func(r *Record) { r.Kind = "fact" }) }, "", "kindfact"},
		{"scope", func() { update(nil, func(r *Record) { r.Scope = "work" }) }, "", "scopework"},
		{"content and kind", func() { update(&text, func(r *Record) { r.Kind = "other" }) }, "kindfact", "kindother"},
		{"a kept version", func() {
			r := turn("a", "work", "kept", 0)
			r.Content = text
			w.must(w.s.Save(t.Context(), []Draft{{Record: r, KeepVersion: true}}))
		}, "sessionnew", "sessionkept"},
		{"replaced", func() { w.must(w.s.Save(t.Context(), drafts(turn("a", "work", "replaced", 0)))) }, "sessionkept", "sessionreplaced"},
		{"restored", func() {
			_, err := w.s.Restore(t.Context(), drafts(turn("a", "work", "restored", 0)))
			w.must(err)
		}, "sessionreplaced", "sessionrestored"},
		{"redacted metadata", func() {
			_, err := w.s.Redact(t.Context(), "a", false, func(r *Record) (bool, error) {
				r.Metadata = json.RawMessage(`{"who":"gone"}`)
				return true, nil
			})
			w.must(err)
		}, "metawhobea", "metawhogone"},
		{"sealed", func() {
			_, err := w.s.Maintain(t.Context())
			w.must(err)
		}, "metawhobea", "metawhogone"},
		{"changed where it is sealed", func() { update(nil, func(r *Record) { r.SessionID = "sealed" }) }, "sessionrestored", "sessionsealed"},
		{"rebuilt", func() { w.must(w.s.Rebuild(t.Context())) }, "sessionrestored", "sessionsealed"},
		{"reopened", func() { w.close(); w.open() }, "sessionrestored", "sessionsealed"},
		{"compacted", func() { w.must(w.s.Compact(t.Context())) }, "sessionrestored", "sessionsealed"},
	} {
		c.do()
		w.must(w.s.Verify(t.Context()))
		if ids, _ := w.search(c.here); !slices.Equal(ids, []string{"a"}) {
			t.Errorf("%s: %s finds %q", c.name, c.here, ids)
		}
		if ids, _ := w.search(c.gone); len(ids) != 0 {
			t.Errorf("%s: %s finds %q", c.name, c.gone, ids)
		}
	}
	if got := w.marked("\x01turn"); !slices.Equal(got, []string{"a", "b"}) {
		t.Errorf("marked: %q", got)
	}
	_, err := w.s.Delete(t.Context(), "a")
	w.must(err)
	w.must(w.s.Verify(t.Context()))
	if got := w.marked("\x01turn"); !slices.Equal(got, []string{"b"}) {
		t.Errorf("marked after a deletion: %q", got)
	}
}

// No text has a mark, and no question finds one.
func TestMarksAreNoWords(t *testing.T) {
	w := withTurns(t)
	w.close()
	w.opts.Extra, w.opts.ExtraName = tells, "tells"
	w.open()
	r := turn("liar", "", "s", 0)
	r.Kind, r.Content = "note", "\x01turn \x01 turn? \x01turn"
	w.must(w.s.Save(t.Context(), drafts(r, turn("b", "", "s", 0))))
	if got := w.marked("\x01turn"); !slices.Equal(got, []string{"b"}) {
		t.Errorf("marked: %q", got)
	}
	if ids, _ := w.search("\x01note"); len(ids) != 0 {
		t.Errorf("a question finds the mark of %q", ids)
	}
}
