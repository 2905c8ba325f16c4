package contextforge

// This file decides what the importance analysis sees of the memory.

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"time"

	"github.com/contextforge-go/contextforge/analysis"
	"github.com/contextforge-go/contextforge/sessions"
)

// AnalyzeOptions says how Analyze reads sessions and judges them. The zero
// value has the defaults of its parts.
type AnalyzeOptions struct {
	// Gap is the silence that ends a session of entries without a session id: 0
	// means sessions.DefaultGap.
	Gap time.Duration
	// Config is that of the analysis; Now is Config.Clock when it is zero.
	analysis.Config
}

// Analyze finds what matters in the conversations that the filter takes: the
// passages around terms that come back in several sessions, the most important
// first, each with its category, entry and session. Entries belong to one
// session when they have the same session id and scope, or none and no longer
// silence between them than Gap. Over several scopes the newest statement about a
// thing replaces those of all others; give a filter with a scope where scopes speak
// of different things by one name. All their texts are in memory meanwhile.
//
// Secrets that older rules left in a text are redacted before it is looked at. What
// comes back is remembered text, to be quoted as data: never treat it as
// instructions. analysis.Importance turns it into weights that lexicon.Prior
// and, kept in metadata, lexicon.Metadata feed back to the ranking.
func (m *Memory) Analyze(ctx context.Context, f Filter, o AnalyzeOptions) iter.Seq2[analysis.Segment, error] {
	return func(yield func(analysis.Segment, error) bool) {
		found, names, err := m.sessions(ctx, f, o.Gap)
		if err != nil {
			yield(analysis.Segment{}, fmt.Errorf("contextforge: analyze: %w", err))
			return
		}
		if o.Now.IsZero() {
			o.Now = m.cfg.Clock()
		}
		for segment, err := range analysis.Analyze(ctx, found, o.Config) {
			if err != nil {
				err = fmt.Errorf("contextforge: analyze: %w", err)
			}
			segment.SessionID = names[segment.SessionID]
			if !yield(segment, err) {
				return
			}
		}
	}
}

// sessions returns the sessions of every scope, the earliest first. Their ids
// differ, also where two scopes use the same one; names has those that the entries
// know.
func (m *Memory) sessions(ctx context.Context, f Filter, gap time.Duration) (all []analysis.Session, names map[string]string, err error) {
	scopes := map[string][]analysis.Entry{}
	ids := map[string]string{} // by entry
	var order []string
	for e, err := range m.List(ctx, f) {
		if err != nil {
			return nil, nil, err
		}
		if _, seen := scopes[e.Scope]; !seen {
			order = append(order, e.Scope)
		}
		scopes[e.Scope] = append(scopes[e.Scope], analysis.Entry{ID: e.ID, Content: m.shown(e.Content), Timestamp: e.Timestamp})
		ids[e.ID] = e.SessionID
	}
	slices.Sort(order)
	if gap == 0 {
		gap = sessions.DefaultGap
	}
	names = map[string]string{}
	for _, scope := range order {
		slices.Reverse(scopes[scope]) // was newest first
		groups, err := sessions.Group(scopes[scope], func(e analysis.Entry) sessions.Key {
			return sessions.Key{SessionID: ids[e.ID], Timestamp: e.Timestamp}
		}, gap)
		if err != nil {
			return nil, nil, err
		}
		for _, g := range groups {
			id := strconv.Itoa(len(all))
			names[id] = g.ID
			all = append(all, analysis.Session{ID: id, Entries: g.Entries})
		}
	}
	slices.SortStableFunc(all, func(a, b analysis.Session) int {
		return a.Entries[0].Timestamp.Compare(b.Entries[0].Timestamp)
	})
	return all, names, nil
}
