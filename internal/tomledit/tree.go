package tomledit

// This file decides whether the scanner and the decoder saw the same document,
// and when two trees are equal.

import (
	"math"
	"slices"
	"time"
)

// node is what the scanner takes a key for: a table, an array of tables or
// values, or, if all are nil, a scalar.
type node struct {
	children map[string]*node
	tables   []*node
	elements []*node // not nil for an array
}

func newTable() *node { return &node{children: map[string]*node{}} }

// skeleton builds the tree of the statements without the scalars' values. A nil
// tree stands for one that makes no sense.
func skeleton(list []statement) *node {
	root := newTable()
	at := root
	for i := range list {
		st := &list[i]
		switch st.kind {
		case pairStatement:
			if !at.insert(&st.pair) {
				return nil
			}
		case tableStatement:
			at = root.descend(st.key)
		case arrayStatement:
			at = root.descend(st.key[:len(st.key)-1]).push(st.key[len(st.key)-1])
		}
		if at == nil {
			return nil
		}
	}
	return root
}

// descend goes down to a table, which it makes if need be; of an array of tables
// it takes the last.
func (n *node) descend(path []string) *node {
	for _, name := range path {
		if n == nil || n.children == nil {
			return nil
		}
		child := n.children[name]
		switch {
		case child == nil:
			child = newTable()
			n.children[name] = child
		case len(child.tables) > 0:
			child = child.tables[len(child.tables)-1]
		}
		n = child
	}
	return n
}

// push adds a table to an array of tables.
func (n *node) push(name string) *node {
	if n == nil || n.children == nil {
		return nil
	}
	if n.children[name] == nil {
		n.children[name] = &node{}
	}
	table := newTable()
	n.children[name].tables = append(n.children[name].tables, table)
	return table
}

func (n *node) insert(p *pair) bool {
	last := len(p.key) - 1
	parent := n.descend(p.key[:last])
	if parent == nil || parent.children == nil || parent.children[p.key[last]] != nil {
		return false
	}
	child := nodeOf(&p.value)
	parent.children[p.key[last]] = child
	return child != nil
}

// nodeOf returns the tree of a value, nil if it makes no sense.
func nodeOf(v *value) *node {
	switch v.kind {
	case array:
		n := &node{elements: []*node{}}
		for i := range v.elements {
			n.elements = append(n.elements, nodeOf(&v.elements[i]))
		}
		return n
	case inlineTable:
		n := newTable()
		for i := range v.pairs {
			if !n.insert(&v.pairs[i]) {
				return nil
			}
		}
		return n
	}
	return &node{}
}

// matches reports whether a decoded value has the same shape.
func (n *node) matches(v any) bool {
	if n == nil {
		return false
	}
	switch v := v.(type) {
	case map[string]any:
		if n.children == nil || len(n.children) != len(v) {
			return false
		}
		for name, child := range n.children {
			if inner, ok := v[name]; !ok || !child.matches(inner) {
				return false
			}
		}
		return true
	case []map[string]any:
		return allMatch(slices.Concat(n.tables, n.elements), v)
	case []any:
		return n.elements != nil && allMatch(n.elements, v)
	}
	return n.children == nil && n.tables == nil && n.elements == nil
}

func allMatch[T any](nodes []*node, values []T) bool {
	if len(nodes) != len(values) {
		return false
	}
	for i, n := range nodes {
		if !n.matches(any(values[i])) {
			return false
		}
	}
	return true
}

// equal reports whether two decoded values are the same; NaN equals NaN.
func equal(a, b any) bool {
	switch a := a.(type) {
	case map[string]any:
		b, ok := b.(map[string]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for name, v := range a {
			if w, ok := b[name]; !ok || !equal(v, w) {
				return false
			}
		}
		return true
	case []map[string]any:
		b, ok := b.([]map[string]any)
		return ok && allEqual(a, b)
	case []any:
		b, ok := b.([]any)
		return ok && allEqual(a, b)
	case float64:
		b, ok := b.(float64)
		return ok && (a == b || math.IsNaN(a) && math.IsNaN(b))
	case time.Time:
		b, ok := b.(time.Time)
		return ok && a.Equal(b) && a.Location().String() == b.Location().String()
	}
	return a == b
}

func allEqual[T any](a, b []T) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !equal(any(a[i]), any(b[i])) {
			return false
		}
	}
	return true
}
