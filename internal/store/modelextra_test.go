package store

// The part of the model that has to do with what records are found by beside their
// content, with the turns around them and with the words of a question. The oracles
// look at every record.

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/contextforge-go/contextforge/internal/fmath"
)

// testExtra says what a record is found by, by all that it may depend on; the rules
// differ by version.
func testExtra(version int) func(*Record) Extra {
	return func(r *Record) Extra {
		if r.SessionID == "" {
			return Extra{}
		}
		sec := int(r.Timestamp.Unix()) + version
		return Extra{
			Text:  modelWords[sec%len(modelWords)] + " " + r.Kind + " " + r.Kind + " alpha",
			Marks: []string{"\x01k:" + r.Kind, "\x01s:" + r.SessionID + r.Scope, "\x01m:" + string(r.Metadata), fmt.Sprint("\x01", len(r.Content)%2)},
		}
	}
}

// testMarks are some that testExtra gives, and one that it doesn't.
var testMarks = []string{"\x01k:manual", "\x01s:s1a", "\x01m:{\"n\":1}", "\x011", "\x01none"}

// rules sets the rules of Extra, 0 for none.
func (m *model) rules(version int) {
	m.opts.Extra, m.opts.ExtraName = nil, ""
	if version > 0 {
		m.opts.Extra, m.opts.ExtraName = testExtra(version), fmt.Sprint("test/", version)
	}
}

// extra returns the terms of a record that are not of its content.
func (m *model) extra(r *Record) []string {
	if m.opts.Extra == nil {
		return nil
	}
	e := m.opts.Extra(r)
	return append(m.opts.Analyzer.Document(nil, e.Text), e.Marks...)
}

// some draws numbers of records that a filter takes, in any order.
func (m *model) some(v *View, f Filter) (nums []uint64) {
	for _, e := range m.visible(f) {
		if m.rng.IntN(3) == 0 {
			nums = append(nums, m.num(v, e.ID))
		}
	}
	m.rng.Shuffle(len(nums), func(i, j int) { nums[i], nums[j] = nums[j], nums[i] })
	return nums[:min(len(nums), 20)]
}

func (m *model) compareAround(v *View, f Filter) {
	m.t.Helper()
	var all []turnOf
	for _, id := range m.ids() {
		all = append(all, turnOf{m.num(v, id), &m.entries[id].Record})
	}
	nums := m.some(v, f)
	extended, reach := m.rng.IntN(len(nums)+1), m.rng.IntN(6)
	got, err := v.Around(context.Background(), f, nums, extended, reach)
	m.check(err)
	if problem := checkAround(all, f, nums, extended, reach, got); problem != "" {
		m.t.Fatalf("around %v of %+v, %d of them extended by %d: %s, in %+v", nums, f, extended, reach, problem, got)
	}
}

// turnOf is a record with its number.
type turnOf struct {
	num uint64
	rec *Record
}

// checkAround says what is wrong with the answer of Around by its definition.
func checkAround(all []turnOf, f Filter, nums []uint64, extended, reach int, got []Turn) string {
	slices.SortFunc(all, func(a, b turnOf) int {
		return cmp.Or(TimeOf(a.rec.Timestamp).Compare(TimeOf(b.rec.Timestamp)), cmp.Compare(a.num, b.num))
	})
	byNum := map[uint64]*Record{}
	for _, t := range all {
		byNum[t.num] = t.rec
	}
	o := around{all: all, filter: f, chains: map[string][][]uint64{}, placed: map[uint64]bool{}}
	for i, num := range nums {
		if rec := byNum[num]; rec != nil && rec.SessionID != "" && i < extended && reach > 0 {
			o.extend(rec, num, reach)
		}
	}
	want := len(nums)
	for num := range o.placed {
		if !slices.Contains(nums, num) {
			want++
		}
	}
	if len(got) != want {
		return fmt.Sprintf("%d turns, want %d", len(got), want)
	}
	for i, t := range got {
		rec := byNum[t.Num]
		switch {
		case i < len(nums) && t.Num != nums[i] && rec != nil:
			return fmt.Sprintf("place %d has %d", i, t.Num)
		case rec == nil:
			if i >= len(nums) || t.Session != -1 {
				return fmt.Sprintf("unknown turn %d", i)
			}
		case i >= len(nums) && (!o.placed[t.Num] || slices.Contains(nums, t.Num) || slices.ContainsFunc(got[:i], func(u Turn) bool { return u.Num == t.Num })):
			return fmt.Sprintf("%d is not to be there", t.Num)
		case i >= len(nums) && !f.Match(rec):
			return fmt.Sprintf("%d doesn't match", t.Num)
		case t.ID != rec.ID || t.Scope != rec.Scope || t.Hit.Session != rec.SessionID || t.Kind != rec.Kind || int(t.Cost) != rec.TokenCount || (Time{t.Sec, t.Nsec}) != TimeOf(rec.Timestamp):
			return fmt.Sprintf("%d is described as %+v", t.Num, t)
		case (t.Session < 0) != (rec.SessionID == ""):
			return fmt.Sprintf("%d has session %d", t.Num, t.Session)
		}
	}
	return o.places(got)
}

// around is the oracle of one question.
type around struct {
	all    []turnOf
	filter Filter
	chains map[string][][]uint64 // by scope and session: runs of turns side by side
	placed map[uint64]bool
}

// runs are the turns of a session that the filter allows, in runs that many others
// in a row of the same session name, in whatever scope, end.
func (o *around) runs(of *Record) [][]uint64 {
	key := fmt.Sprintf("%q %q", of.Scope, of.SessionID)
	if runs, ok := o.chains[key]; ok {
		return runs
	}
	runs := [][]uint64{nil}
	skipped := 0
	for _, t := range o.all {
		switch {
		case t.rec.SessionID != of.SessionID:
		case t.rec.Scope == of.Scope && o.filter.Match(t.rec):
			if skipped >= mostSkipped {
				runs = append(runs, nil)
			}
			runs[len(runs)-1], skipped = append(runs[len(runs)-1], t.num), 0
		default:
			skipped++
		}
	}
	o.chains[key] = runs
	return runs
}

func (o *around) extend(rec *Record, num uint64, reach int) {
	for _, run := range o.runs(rec) {
		if at := slices.Index(run, num); at >= 0 {
			for _, near := range run[max(0, at-reach):min(len(run), at+reach+1)] {
				o.placed[near] = true
			}
		}
	}
}

// places checks that the places say what stands side by side, and nothing else.
func (o *around) places(got []Turn) string {
	for _, a := range got {
		for _, b := range got {
			if a.Session < 0 || b.Session < 0 || a.Num == b.Num {
				continue
			}
			same := a.Scope == b.Scope && a.Hit.Session == b.Hit.Session
			if same != (a.Session == b.Session) {
				return fmt.Sprintf("%d and %d are of sessions %d and %d", a.Num, b.Num, a.Session, b.Session)
			}
			if !same {
				continue
			}
			next := o.placed[a.Num] && o.placed[b.Num] && slices.ContainsFunc(o.runs(&Record{Scope: a.Scope, SessionID: a.Hit.Session}), func(run []uint64) bool {
				at := slices.Index(run, a.Num)
				return at >= 0 && at+1 < len(run) && run[at+1] == b.Num
			})
			if next != (a.Place+1 == b.Place) || a.Place == b.Place {
				return fmt.Sprintf("%d has place %d, %d place %d, next to it: %v", a.Num, a.Place, b.Num, b.Place, next)
			}
		}
	}
	return ""
}

func (m *model) compareWords(v *View, f Filter) {
	m.t.Helper()
	query := m.text()
	if len(query) > 200 {
		query = "alpha 東京 running alpha"
	}
	nums := append(m.some(v, Filter{AsOf: f.AsOf}), 1<<40)
	got, err := v.Words(context.Background(), query, testMarks, f, nums)
	m.check(err)
	if want := m.words(v, query, f, nums); fmt.Sprintf("%+v", *got) != fmt.Sprintf("%+v", want) {
		m.t.Fatalf("words of %q in %v, %+v\n got %+v\nwant %+v", query, nums, f, *got, want)
	}
}

// words counts.
func (m *model) words(v *View, query string, f Filter, nums []uint64) (w Words) {
	terms, qtf := []string{}, map[string]float64{}
	for _, term := range m.opts.Analyzer.Query(nil, query) {
		if qtf[term]++; qtf[term] == 1 {
			terms = append(terms, term)
		}
	}
	all := append(slices.Clone(terms), testMarks...)
	df := map[string]uint64{}
	rows, lengths := map[uint64][]uint32{}, map[uint64]uint32{}
	for _, id := range m.ids() {
		rec, num := &m.entries[id].Record, m.num(v, id)
		row := make([]uint32, len(all))
		content := m.opts.Analyzer.Document(nil, rec.Content)
		lengths[num] = uint32(len(content))
		for _, term := range append(content, m.extra(rec)...) {
			if i := slices.Index(all, term); i >= 0 {
				row[i]++
			}
		}
		rows[num] = row
		if scope, one := f.scope(); one && scope != rec.Scope {
			continue
		}
		w.Docs++
		w.Tokens += uint64(lengths[num])
		for i, n := range row {
			if n > 0 {
				df[all[i]]++
			}
		}
	}
	for _, term := range terms {
		n, d := float64(w.Docs), float64(df[term])
		w.Weights = append(w.Weights, float64(qtf[term]*fmath.Log(1+(n-d+0.5)/(d+0.5)))*(1.2+1))
	}
	for _, mark := range testMarks {
		w.MarkDF = append(w.MarkDF, df[mark])
	}
	for _, num := range nums {
		row := rows[num]
		if row == nil {
			row = make([]uint32, len(all))
		}
		w.TF, w.Length = append(w.TF, row...), append(w.Length, lengths[num])
	}
	return w
}

// surroundings writes what Around and Words say of all records, by ids.
func (m *model) surroundings(b io.Writer, v *View, f Filter) {
	m.t.Helper()
	var nums []uint64
	for i, id := range m.ids() {
		if i%3 == 0 && !m.entries[id].Expired(f.AsOf) {
			nums = append(nums, m.num(v, id))
		}
	}
	turns, err := v.Around(context.Background(), f, nums, len(nums)/2, 2)
	m.check(err)
	for _, t := range turns {
		fmt.Fprint(b, t.ID, " ", t.Session, " ", t.Place, "; ")
	}
	w, err := v.Words(context.Background(), strings.Join(modelWords, " "), testMarks, f, nums)
	m.check(err)
	fmt.Fprintf(b, "%x\n", *w)
}
