package tomledit

// This file decides where a key is, however it is written: under a header, with
// dots, or in an inline table.

// address is a path of one or two names. Those that lead through an array of
// tables have none.
type address struct {
	depth         int
	first, second string
}

// place is where a key is.
type place struct {
	statement *statement // that speaks of it first, or gives it its value
	pair      *pair      // that gives it its value; nil for a table made of several
	holder    *value     // inline table that the pair is in; nil for none
	item      int        // of the pair in holder
}

func (p place) at() int {
	if p.pair != nil {
		return p.pair.start
	}
	return p.statement.start
}

// indexOf finds the places of all keys of the two upper levels.
func indexOf(list []statement) map[address]place {
	index := make(map[address]place, len(list))
	add := func(at address, p place) {
		if old, ok := index[at]; !ok || old.pair == nil && p.pair != nil {
			index[at] = p
		}
	}
	var table []string // whose header came last
	manifold := map[string]bool{}
	for i := range list {
		st := &list[i]
		context := table
		if st.kind != pairStatement {
			table, context = st.key, nil
		}
		full := len(context) + len(st.key)
		first := part(context, st.key, 0)
		add(address{1, first, ""}, placeOf(st, full == 1))
		if st.kind == arrayStatement && full == 1 {
			manifold[first] = true
		}
		if manifold[first] {
			continue
		}
		if full > 1 {
			add(address{2, first, part(context, st.key, 1)}, placeOf(st, full == 2))
			continue
		}
		for j := range st.value.pairs {
			p := place{statement: st, holder: &st.value, item: j}
			if len(st.value.pairs[j].key) == 1 {
				p.pair = &st.value.pairs[j]
			}
			add(address{2, first, st.value.pairs[j].key[0]}, p)
		}
	}
	return index
}

// part returns an element of two lists in a row.
func part(a, b []string, i int) string {
	if i < len(a) {
		return a[i]
	}
	return b[i-len(a)]
}

// placeOf returns the place of a key that a statement speaks of; exact if it is
// all of the statement's key.
func placeOf(st *statement, exact bool) place {
	p := place{statement: st}
	if exact && st.kind == pairStatement {
		p.pair = &st.pair
	}
	return p
}
