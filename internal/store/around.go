package store

// This file decides which records stand around others in their sessions.

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/contextforge-go/contextforge/bm25"
	"github.com/contextforge-go/contextforge/kv"
)

// Turn is a record in its session.
type Turn struct {
	bm25.Hit
	// Session numbers the sessions of a result, −1 for a record without one; a session
	// belongs to its scope. Records of one session whose Places differ by one stand
	// side by side, in the order of time, those of one instant in the order of saves.
	Session, Place int
}

// Around returns the records of nums, in their order, and behind them those that
// stand up to reach places before or behind one of the first extended ones in its
// session and that the filter allows. What the filter doesn't allow takes no place.
// Of the other records the place is known that stand so near as well.
func (v *View) Around(ctx context.Context, f Filter, nums []uint64, extended, reach int) ([]Turn, error) {
	hits, known, err := v.Describe(ctx, nums)
	if err != nil {
		return nil, err
	}
	w := &walker{
		v: v, ctx: ctx, filter: f.reduced(ctx, v), reach: reach, it: sessionCursor{v: v},
		turns: make([]Turn, len(hits), 2*len(hits)), index: make(map[uint64]int, len(hits)), admits: map[string]func(uint64) (bool, error){},
	}
	sessions := map[sessionName]*sessionTurns{}
	var order []*sessionTurns
	for i, h := range hits {
		w.turns[i] = Turn{Hit: h, Session: -1}
		if !known[i] || h.Session == "" {
			continue
		}
		w.index[h.Num] = i
		name := sessionName{h.Scope, h.Session}
		s := sessions[name]
		if s == nil {
			s = &sessionTurns{name: name, number: len(order)}
			sessions[name], order = s, append(order, s)
		}
		if i < extended && reach > 0 {
			s.from = append(s.from, i)
		} else {
			s.others = append(s.others, i)
		}
	}
	if err := w.walk(order); err != nil {
		return nil, err
	}
	return w.turns, v.describeRest(ctx, w.turns, len(hits))
}

// sessionTurns is a session with the indexes of its turns: those to go out from, and
// the others.
type sessionTurns struct {
	name         sessionName
	number       int
	from, others []int
}

type sessionName struct{ scope, session string }

// describeRest fills in what is known of the turns from the first on.
func (v *View) describeRest(ctx context.Context, turns []Turn, first int) error {
	nums := make([]uint64, len(turns)-first)
	for i := range nums {
		nums[i] = turns[first+i].Num
	}
	hits, _, err := v.Describe(ctx, nums)
	for i := range hits {
		turns[first+i].Hit = hits[i]
	}
	return err
}

// walker goes through sessions in the order of their keys.
type walker struct {
	v      *View
	ctx    context.Context
	filter Filter
	reach  int
	turns  []Turn
	index  map[uint64]int // of the records that were asked for
	it     sessionCursor
	admits map[string]func(uint64) (bool, error) // by scope

	at     *sessionTurns // the session at hand
	takes  func(num uint64) (bool, error)
	place  int
	last   []byte // key of the record with that place
	sought []byte // key of a turn
	before []uint64
}

// walk places the turns of sessions.
func (w *walker) walk(sessions []*sessionTurns) (err error) {
	defer func() { err = errors.Join(err, w.it.close()) }()
	for _, s := range sessions {
		if err := w.session(s); err != nil {
			return err
		}
	}
	return errors.Join(w.ctx.Err(), w.it.err())
}

// mostSkipped bounds the records in a row that the filter doesn't allow and that are
// passed on the way to a neighbour: in a session of other scopes, or of one kind
// among thousands, the search for it ends there.
const mostSkipped = 64

// session places the turns of a session.
func (w *walker) session(s *sessionTurns) error {
	if err := w.ctx.Err(); err != nil {
		return err
	}
	slices.SortFunc(s.from, func(a, b int) int {
		x, y := &w.turns[a], &w.turns[b]
		if x.Sec != y.Sec {
			return cmp.Compare(x.Sec, y.Sec)
		}
		return cmp.Or(cmp.Compare(x.Nsec, y.Nsec), cmp.Compare(x.Num, y.Num))
	})
	w.at, w.place, w.last = s, 0, w.last[:0]
	if len(s.from) > 0 {
		var err error
		if w.takes, err = w.admitter(s.name.scope); err != nil {
			return err
		}
		if err := w.it.enter(s.name.session); err != nil {
			return err
		}
	}
	for from := s.from; len(from) > 0; {
		before, touches, err := w.back(&w.turns[from[0]])
		if err != nil {
			return err
		}
		if !touches {
			w.place++ // a gap
		}
		for _, num := range slices.Backward(before) {
			w.put(num)
		}
		rest, err := w.forward(from)
		if err != nil {
			return err
		}
		if len(rest) == len(from) {
			return fmt.Errorf("%w: record %d is missing in the order of its session: run Rebuild", kv.ErrCorrupt, w.turns[from[0]].Num)
		}
		from = rest
	}
	for _, i := range s.others {
		if w.turns[i].Session < 0 {
			w.place += 2
			w.turns[i].Session, w.turns[i].Place = s.number, w.place
		}
	}
	return nil
}

// put places a record behind the last one.
func (w *walker) put(num uint64) {
	w.place++
	i, asked := w.index[num]
	if !asked {
		i = len(w.turns)
		w.turns = append(w.turns, Turn{Hit: bm25.Hit{Num: num}})
	}
	w.turns[i].Session, w.turns[i].Place = w.at.number, w.place
}

// back returns the records before a turn, the nearest first, and whether the one
// before them is the last that has a place.
func (w *walker) back(turn *Turn) (before []uint64, touches bool, err error) {
	skipped := 0
	w.before = w.before[:0]
	for ok := w.it.seekLT(w.key(turn)); ok && skipped < mostSkipped; ok = w.it.prev() {
		key := w.it.key()
		if bytes.Equal(key, w.last) {
			return w.before, true, nil
		}
		_, num, err := parseTimeNum(key)
		if err != nil {
			return nil, false, err
		}
		allowed, err := w.takes(num)
		if err != nil {
			return nil, false, err
		}
		if allowed && len(w.before) == w.reach {
			break
		}
		if allowed {
			w.before, skipped = append(w.before, num), 0
		} else {
			skipped++
		}
	}
	return w.before, false, w.it.err()
}

// forward places the turns at some indexes, the first of which comes next, as far as
// they are within reach of each other, and what stands between and behind them. It
// returns the indexes that are left.
func (w *walker) forward(from []int) (rest []int, err error) {
	left, skipped := 0, 0
	for ok := w.it.seekGE(w.key(&w.turns[from[0]])); ok; ok = w.it.next() {
		key := w.it.key()
		_, num, err := parseTimeNum(key)
		if err != nil {
			return nil, err
		}
		if len(from) > 0 && w.turns[from[0]].Num == num {
			from, left = from[1:], w.reach
		} else {
			allowed, err := w.takes(num)
			switch {
			case err != nil:
				return nil, err
			case !allowed:
				if skipped++; skipped == mostSkipped {
					return from, nil
				}
				continue
			case left == 0:
				return from, nil
			}
			left--
		}
		w.put(num)
		skipped = 0
		w.last = append(w.last[:0], key...)
	}
	return from, w.it.err()
}

// key is what a turn stands under in its session, until the next one is made.
func (w *walker) key(t *Turn) []byte {
	w.sought = appendTimeNum(w.sought[:0], Time{t.Sec, t.Nsec}, t.Num)
	return w.sought
}

// admitter returns what tells whether the filter allows a record of a scope.
func (w *walker) admitter(scope string) (func(num uint64) (bool, error), error) {
	if admits := w.admits[scope]; admits != nil {
		return admits, nil
	}
	f := w.filter.text(w.v)
	f.Scope = &scope
	admits, err := w.v.state.index.Admitter(w.ctx, w.v.state.snap, f)
	if err != nil {
		return nil, err
	}
	if inIndex := admits; f.Accept != nil {
		admits = func(num uint64) (bool, error) {
			ok, err := inIndex(num)
			if !ok || err != nil {
				return false, err
			}
			return f.Accept(num)
		}
	}
	w.admits[scope] = admits
	return admits, nil
}
