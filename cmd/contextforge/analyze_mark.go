package main

// This file decides how what matters is noted in the metadata of the entries.

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"slices"

	"github.com/contextforge-go/contextforge"
	"github.com/contextforge-go/contextforge/analysis"
)

const (
	importanceKey = "importance"
	categoriesKey = "categories"
)

// marks are what is noted of an entry.
type marks struct {
	importance float64
	categories []analysis.Category
}

// marksOf returns what the segments say of their entries.
func marksOf(segments []analysis.Segment) map[string]*marks {
	all := map[string]*marks{}
	for id, importance := range analysis.Importance(slices.Values(segments)) {
		// Six digits: the last ones would change with the time of day.
		all[id] = &marks{importance: math.Round(importance*1e6) / 1e6, categories: []analysis.Category{}}
	}
	for _, category := range []analysis.Category{analysis.Corrective, analysis.Stateful, analysis.Decisive, analysis.Reinforcing} {
		for i := range segments {
			m := all[segments[i].EntryID]
			if slices.Contains(segments[i].Categories, category) && !slices.Contains(m.categories, category) {
				m.categories = append(m.categories, category)
			}
		}
	}
	return all
}

// mark notes the marks of the entries that the filter takes, and removes earlier
// ones from those that have none now.
func (a *app) mark(ctx context.Context, m *contextforge.Memory, f contextforge.Filter, segments []analysis.Segment) error {
	all := marksOf(segments)
	changes := map[string]json.RawMessage{}
	var ids []string
	other := 0
	for e, err := range m.List(ctx, f) {
		if err != nil {
			return err
		}
		metadata, ok := marked(e.Metadata, all[e.ID])
		if !ok {
			other++
		} else if !bytes.Equal(metadata, e.Metadata) {
			changes[e.ID] = metadata
			ids = append(ids, e.ID)
		}
	}
	for _, id := range ids {
		if _, err := m.Update(ctx, id, contextforge.Change{Metadata: changes[id], SetMetadata: true}); err != nil {
			return err
		}
	}
	a.note("changed the marks of %s", entries(len(ids)))
	if other > 0 {
		a.note("left %s alone, having metadata that is no object", entries(other))
	}
	return nil
}

// marked returns metadata with the marks, or without any when there are none.
// Other keys stay. ok is false if there is no place for them.
func marked(metadata json.RawMessage, m *marks) (out json.RawMessage, ok bool) {
	fields := map[string]json.RawMessage{}
	if len(metadata) > 0 && json.Unmarshal(metadata, &fields) != nil {
		return metadata, m == nil
	}
	if fields == nil { // null
		fields = map[string]json.RawMessage{}
	}
	switch {
	case m != nil:
		fields[importanceKey], _ = json.Marshal(m.importance) // a number from 0 to 1
		fields[categoriesKey], _ = json.Marshal(m.categories) // words
	case !areMarks(fields):
		return metadata, true
	default:
		delete(fields, importanceKey)
		delete(fields, categoriesKey)
	}
	if len(fields) == 0 {
		return nil, true
	}
	out, err := json.Marshal(fields)
	return out, err == nil
}

// areMarks reports whether metadata has what mark writes: a share and categories.
func areMarks(fields map[string]json.RawMessage) bool {
	var importance float64
	var categories []analysis.Category
	if json.Unmarshal(fields[importanceKey], &importance) != nil || json.Unmarshal(fields[categoriesKey], &categories) != nil {
		return false
	}
	known := []analysis.Category{analysis.Corrective, analysis.Stateful, analysis.Decisive, analysis.Reinforcing}
	unknown := func(c analysis.Category) bool { return !slices.Contains(known, c) }
	return 0 <= importance && importance <= 1 && categories != nil && !slices.ContainsFunc(categories, unknown)
}
