// This file decides which statements newer ones replace.

package analysis

import (
	"slices"
	"strings"
)

// subject is what a passage makes a statement about, in a category.
type subject struct {
	category Category
	a, b     string // the entity; or the pair, the lesser first
}

// supersede sets Superseded. Of the passages with one subject the newest stands,
// of several newest ones the last.
func supersede(passages []Classified) {
	newest := map[subject]int{}
	for i := range passages {
		for _, s := range subjects(&passages[i]) {
			last, known := newest[s]
			if known && passages[i].Timestamp.Before(passages[last].Timestamp) {
				passages[i].supersede(s.category)
				continue
			}
			if known {
				passages[last].supersede(s.category)
			}
			newest[s] = i
		}
	}
}

// subjects returns what a passage makes statements about, in the order of the
// categories.
func subjects(p *Classified) []subject {
	var list []subject
	if entity := foldName(p.Entity); entity != "" && slices.Contains(p.Categories, Stateful) {
		list = append(list, subject{category: Stateful, a: entity})
	}
	a, b := foldName(p.Pair[0]), foldName(p.Pair[1])
	if a != "" && b != "" && slices.Contains(p.Categories, Decisive) {
		list = append(list, subject{category: Decisive, a: min(a, b), b: max(a, b)})
	}
	return list
}

func foldName(name string) string { return strings.ToLower(strings.TrimSpace(name)) }

// supersede notes that something newer replaces the passage in a category.
func (c *Classified) supersede(category Category) {
	c.Superseded = append(c.Superseded, category)
	if len(c.Superseded) > 1 && c.Superseded[0] == Decisive {
		slices.Reverse(c.Superseded) // in the order of the categories
	}
}

// standing returns the categories of a passage in which nothing replaces it.
func (c *Classified) standing() []Category {
	list := make([]Category, 0, len(c.Categories))
	for _, category := range c.Categories {
		if !slices.Contains(c.Superseded, category) {
			list = append(list, category)
		}
	}
	return list
}
