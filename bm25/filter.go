// This file decides which documents a search may return: filters work inside
// the search on the segment's columns, never on a finished result.

package bm25

import (
	"slices"

	"github.com/contextforge-go/contextforge/kv"
)

// Filter restricts a search; the zero value lets every document pass.
type Filter struct {
	// Scope, unless nil, is the only scope searched; a pointer to "" means the
	// global one.
	Scope *string
	// GlobalOnly is the same as Scope pointing to "", and wins over Scope.
	GlobalOnly bool
	// Kinds, unless empty, lists the kinds that pass.
	Kinds []string
	// NotKinds lists kinds that don't pass. It costs nothing in segments that hold
	// none of them.
	NotKinds []string
	// Session, unless nil, is the only session that passes.
	Session *string
	// Documents pass with a time in [Since, Until); nil is open.
	Since, Until *Time
	// AsOf, unless nil, hides documents whose expiry is at or before it.
	AsOf *Time
	// Accept has the last word; it is asked about a document only if it would
	// enter the result as known so far. It must answer the same each time.
	Accept func(num uint64) (bool, error)
}

// scope returns the only scope to be searched.
func (f *Filter) scope() (name string, only bool) {
	if f.Scope != nil && !f.GlobalOnly {
		return *f.Scope, true
	}
	return "", f.GlobalOnly
}

// admission is a filter bound to one segment.
type admission struct {
	dead    deadSet
	rows    *rowTable
	exp     *expiryColumns // nil if expiry doesn't matter
	asOf    Time
	pass    []bool // by kind, nil if all pass
	session int64  // the only one that passes, -1 if all do
	since   *Time
	until   *Time
	active  bool // some document may be refused
}

// bind prepares the filter for a segment; none means that no document passes.
func (f *Filter) bind(r kv.Reader, s *segment, dead deadSet) (a admission, none bool, err error) {
	a = admission{dead: dead, since: f.Since, until: f.Until, session: -1}
	a.active = dead.place != nil || f.Since != nil || f.Until != nil
	if a.rows, err = s.getRows(r); err != nil {
		return a, false, err
	}
	if f.AsOf != nil && s.expiry {
		a.asOf, a.active = *f.AsOf, true
		if a.exp, err = s.getExpiries(r); err != nil {
			return a, false, err
		}
	}
	if len(f.Kinds) > 0 || holdsAny(a.rows.kinds, f.NotKinds) {
		a.active = true
		any := false
		a.pass = make([]bool, len(a.rows.kinds))
		for i, name := range a.rows.kinds {
			a.pass[i] = f.takesKind(name)
			any = any || a.pass[i]
		}
		if !any {
			return a, true, nil
		}
	}
	if f.Session != nil {
		a.active = true
		a.session = int64(slices.Index(a.rows.sessions, *f.Session))
		if a.session < 0 {
			return a, true, nil
		}
	}
	return a, false, nil
}

// takesKind reports whether documents of a kind pass.
func (f *Filter) takesKind(kind string) bool {
	return (len(f.Kinds) == 0 || slices.Contains(f.Kinds, kind)) && !slices.Contains(f.NotKinds, kind)
}

// holdsAny reports whether a list has one of some kinds.
func holdsAny(list, kinds []string) bool {
	return slices.ContainsFunc(kinds, func(kind string) bool { return slices.Contains(list, kind) })
}

// admits reports whether a document passes all but Accept.
func (a *admission) admits(i uint32) bool {
	if !a.active {
		return true
	}
	if a.dead.has(i) || a.session >= 0 && a.rows.at(rowSession, i) != uint64(a.session) || a.pass != nil && !a.pass[a.rows.at(rowKind, i)] {
		return false
	}
	if a.since != nil || a.until != nil {
		t := a.rows.time(i)
		if a.since != nil && t.Before(*a.since) || a.until != nil && !t.Before(*a.until) {
			return false
		}
	}
	if a.exp != nil && a.exp.expires.at(i) != 0 {
		return a.asOf.Before(Time{int64(a.exp.sec.at(i) ^ signBit), uint32(a.exp.nsec.at(i))})
	}
	return true
}

// admitsDoc is admits for a document of the tail, scope included.
func (f *Filter) admitsDoc(d *Doc) bool {
	if scope, only := f.scope(); only && d.Scope != scope {
		return false
	}
	if f.Session != nil && d.Session != *f.Session || !f.takesKind(d.Kind) {
		return false
	}
	t := Time{d.Sec, d.Nsec}
	if f.Since != nil && t.Before(*f.Since) || f.Until != nil && !t.Before(*f.Until) {
		return false
	}
	return f.AsOf == nil || !d.Expires || f.AsOf.Before(Time{d.ExpSec, d.ExpNsec})
}
