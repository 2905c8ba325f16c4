package contextforge

// This file decides what new facts do to stored ones: which say the same, and
// which take the place of which.

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/contextforge-go/contextforge/distill"
	"github.com/contextforge-go/contextforge/internal/store"
	"github.com/contextforge-go/contextforge/internal/twins"
)

const (
	// repeatsConsidered is how many stored facts a new one is compared with to find
	// one that says the same: the most alike by their words.
	repeatsConsidered = 16
	// rivalsConsidered is how many are looked at to find those with its subject.
	rivalsConsidered = 64
)

// claim is what a fact says, in a form that can be compared.
type claim struct {
	text    twins.Statement
	subject distill.Claim // zero if it has none
	value   twins.Statement
}

func claimOf(kind distill.Kind, text string) claim {
	c := claim{text: twins.StatementOf(text)}
	if kind != distill.State && kind != distill.Decision {
		return c
	}
	if subject, ok := distill.ClaimOf(text); ok {
		subject.Entity = strings.Join(strings.Fields(strings.ToLower(subject.Entity)), " ")
		c.subject, c.value = subject, twins.StatementOf(subject.Value)
	}
	return c
}

// contradicts reports whether two claims give one thing different values.
func (c *claim) contradicts(other *claim) bool {
	return c.subject.Rivals(other.subject) && !c.value.Restates(&other.value)
}

// newFact is a fact on its way into the memory.
type newFact struct {
	fact distill.Fact
	Entry
	claim
	metadata json.RawMessage // as long as nothing supersedes it

	same   *newFact // that says it already, an earlier one
	stored *Entry   // that says it already
	newer  *newFact // that supersedes it
	latest *Entry   // that supersedes it
}

// skip reports whether the fact isn't to be saved.
func (f *newFact) skip() bool { return f.same != nil || f.stored != nil }

// superseded reports whether there is a newer fact.
func (f *newFact) superseded() bool { return f.newer != nil || f.latest != nil }

// standsFor returns the entry that says what the fact does.
func (f *newFact) standsFor() *Entry {
	switch {
	case f.stored != nil:
		return f.stored
	case f.same != nil:
		return f.same.standsFor()
	}
	return &f.Entry
}

// retirement is a stored fact whose place a new one takes.
type retirement struct {
	num  uint64 // docNum of what was read
	next Entry  // what it becomes
	by   *newFact
}

// storedFact is a fact found in the memory.
type storedFact struct {
	num uint64
	*Entry
	claim
}

// reconcile compares the facts with each other and with the memory as it is now.
// It returns the docNum from which on records are newer than that. When it is
// called again, what was to be skipped stays so.
func (n *distillation) reconcile(ctx context.Context) (since uint64, err error) {
	n.retired = nil
	for _, f := range n.facts {
		if !f.skip() {
			f.newer, f.latest = nil, nil
			f.Kind, f.Metadata = KindFact, f.metadata
		}
	}
	n.compareNew()
	if n.concerns() != nil {
		if since, err = n.compareStored(ctx); err != nil {
			return 0, err
		}
	}
	return since, n.markSuperseded()
}

// concerns returns what tells the records that a comparison depends on; nil if
// there are none.
func (n *distillation) concerns() func(*record) bool {
	if n.o.KeepDuplicates && n.o.KeepSuperseded || len(n.both()) == 0 {
		return nil
	}
	return func(r *record) bool {
		return r.Scope == n.o.Scope && (r.Kind == KindFact || r.Kind == KindSuperseded || r.Kind == KindSummary)
	}
}

// compareNew compares the facts with each other: the last one of a subject holds,
// and of those that say the same the first one.
func (n *distillation) compareNew() {
	for i, f := range n.facts {
		if f.skip() {
			continue
		}
		if to := lastRival(f, n.facts[i+1:]); to != nil && !n.o.KeepSuperseded && f.contradicts(&to.claim) {
			f.newer = to
		}
		says := func(before *newFact) bool {
			return before.same == nil && before.superseded() == f.superseded() && before.text.Restates(&f.text)
		}
		if at := slices.IndexFunc(n.facts[:i], says); at >= 0 && !n.o.KeepDuplicates {
			f.same = n.facts[at]
		}
	}
}

// lastRival returns the last of some facts that is about what another one is, nil
// for none.
func lastRival(f *newFact, later []*newFact) *newFact {
	for _, to := range slices.Backward(later) {
		if f.subject.Rivals(to.subject) {
			return to
		}
	}
	return nil
}

// compareStored compares the facts with those in the memory.
func (n *distillation) compareStored(ctx context.Context) (since uint64, err error) {
	where := Filter{Scope: n.o.Scope, GlobalOnly: n.o.Scope == ""}
	c := &comparison{n: n, known: map[uint64]*storedFact{}, retired: map[uint64]bool{}}
	if c.filter, err = where.compile(n.m.cfg.Clock()); err != nil {
		return 0, err
	}
	if c.src, since, err = n.m.factSource(ctx, where); err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, c.src.close()) }()
	if s := n.summary; s != nil && !s.skip() {
		alike, err := c.find(ctx, s.Content, repeatsConsidered, KindSummary)
		if err != nil {
			return 0, err
		}
		s.stored = c.saying(s, alike)
	}
	for _, f := range n.facts {
		if f.skip() {
			continue
		}
		if err := c.compare(ctx, f); err != nil {
			return 0, err
		}
	}
	return since, nil
}

// factSource is where stored facts are found: the built-in index if there is one,
// else the caller's Searcher.
func (m *Memory) factSource(ctx context.Context, f Filter) (source, uint64, error) {
	if m.store == nil {
		src, err := m.source(ctx, f)
		return src, 0, err
	}
	v, err := m.store.SearchView(ctx)
	if err != nil {
		return nil, 0, err
	}
	return viewSource{v}, v.Next(), nil
}

// comparison is new facts against one state of the memory.
type comparison struct {
	n       *distillation
	src     source
	filter  store.Filter
	known   map[uint64]*storedFact
	retired map[uint64]bool
}

// compare compares one fact. One that a later one of the transcript supersedes is
// only looked for.
func (c *comparison) compare(ctx context.Context, f *newFact) error {
	alike, err := c.find(ctx, f.Content, repeatsConsidered, KindFact, KindSuperseded)
	if err != nil {
		return err
	}
	if f.stored = c.saying(f, alike); f.skip() || f.superseded() || f.subject.Entity == "" || c.n.o.KeepSuperseded {
		return nil
	}
	rivals, err := c.find(ctx, f.subject.Entity, rivalsConsidered, KindFact)
	if err != nil {
		return err
	}
	rivals = slices.DeleteFunc(rivals, func(s *storedFact) bool { return !s.contradicts(&f.claim) })
	for _, s := range rivals {
		if s.Timestamp.After(f.Timestamp) && (f.latest == nil || s.Timestamp.After(f.latest.Timestamp)) {
			f.latest = s.Entry
		}
	}
	if f.superseded() {
		f.stored = c.saying(f, alike)
		return nil
	}
	for _, s := range rivals {
		c.retire(s, f)
	}
	return nil
}

// saying returns a stored fact that says what a new one does, nil if there is none.
// One that is superseded counts if the new one is too, or if it isn't the older of
// the two: then the transcript has nothing new to say.
func (c *comparison) saying(f *newFact, alike []*storedFact) *Entry {
	if c.n.o.KeepDuplicates {
		return nil
	}
	for _, s := range alike {
		if (s.Kind != KindSuperseded || f.superseded() || !s.Timestamp.Before(f.Timestamp)) && s.text.Restates(&f.text) {
			return s.Entry
		}
	}
	return nil
}

// retire has a stored fact make room for a new one.
func (c *comparison) retire(s *storedFact, by *newFact) {
	if c.retired[s.num] {
		return
	}
	c.retired[s.num] = true
	r := retirement{num: s.num, next: *s.Entry, by: by}
	r.next.UpdatedAt = c.n.m.cfg.Clock().UTC()
	c.n.retired = append(c.n.retired, r)
}

// find returns the stored facts of some kinds that share words with a text, best
// first.
func (c *comparison) find(ctx context.Context, text string, limit int, kinds ...string) (list []*storedFact, err error) {
	f := c.filter
	if c.src.filters() {
		f.Kinds = kinds
	} else {
		f.GlobalOnly = false
	}
	hits, err := c.src.search(ctx, text, f, limit)
	if err != nil {
		return nil, err
	}
	for _, h := range hits {
		s := c.known[h.num]
		if s == nil {
			e, err := c.src.entry(ctx, h.num)
			if err != nil {
				return nil, err
			}
			s = &storedFact{h.num, e, claimOf(factKind(e), e.Content)}
			c.known[h.num] = s
		}
		if s.Scope == c.n.o.Scope && slices.Contains(kinds, s.Kind) {
			list = append(list, s)
		}
	}
	return list, nil
}

// factKind returns what DistillAndSave noted of a fact.
func factKind(e *Entry) distill.Kind {
	var meta struct {
		FactKind distill.Kind `json:"fact_kind"`
	}
	if json.Unmarshal(e.Metadata, &meta) != nil {
		return "" // somebody else's metadata
	}
	return meta.FactKind
}

// markSuperseded makes entries of superseded facts what they are to be.
func (n *distillation) markSuperseded() error {
	for _, f := range n.facts {
		switch {
		case f.skip() || !f.superseded():
			continue
		case f.latest != nil:
			if err := supersede(&f.Entry, f.latest); err != nil {
				return err
			}
		default:
			if err := supersede(&f.Entry, f.newer.standsFor()); err != nil {
				return err
			}
		}
	}
	for i := range n.retired {
		r := &n.retired[i]
		if err := supersede(&r.next, r.by.standsFor()); err != nil {
			return err
		}
	}
	return nil
}

// supersede gives an entry its new kind, and says in its metadata, which is an
// object, what it was and what has taken its place.
func supersede(e, by *Entry) error {
	var meta map[string]json.RawMessage
	if err := json.Unmarshal(e.Metadata, &meta); err != nil {
		return err
	}
	meta[metaSupersededBy], meta[metaSupersededKind] = jsonString(by.ID), jsonString(e.Kind)
	var err error
	e.Kind = KindSuperseded
	e.Metadata, err = encodeMetadata(meta)
	return err
}
