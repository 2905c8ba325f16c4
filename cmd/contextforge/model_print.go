package main

// This file decides how a model file looks to a person.

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/contextforge-go/contextforge/minilm/gguf"
)

// modelLine is a line of the summary.
type modelLine struct{ name, value string }

func (a *app) printModel(m *modelReport) error {
	lines := []modelLine{
		{"file", visible(m.File)},
		{"format", fmt.Sprintf("GGUF version %d, %d bytes, alignment %d, data from byte %d", m.Version, m.Bytes, m.Alignment, m.DataStart)},
		{"architecture", cut(m.Architecture, false)},
		{"name", cut(m.Name, false)},
		{"dimension", optionalNumber(m.Dimension)},
		{"layers", optionalNumber(m.Layers)},
		{"heads", optionalNumber(m.Heads)},
		{"positions", optionalNumber(m.Positions)},
		{"pooling", m.Pooling},
		{"vocabulary", optionalNumber(m.Vocabulary)},
	}
	for _, f := range append(lines, m.Use.lines()...) {
		if f.value == "" {
			continue
		}
		if err := a.printf("%-13s %s\n", f.name, f.value); err != nil {
			return err
		}
	}
	for _, t := range []table{keyTable(m.Keys), tensorTable(m.Tensors), totalTable(m.Totals)} {
		if err := a.printTable(t); err != nil {
			return err
		}
	}
	return nil
}

func optionalNumber(n uint64) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprint(n)
}

// table is rows of cells under a title. Right has the columns of numbers.
type table struct {
	title string
	right []bool
	rows  [][]string
}

func keyTable(keys []modelKey) table {
	t := table{title: count(len(keys), "key", "keys"), right: make([]bool, 3)}
	for _, k := range keys {
		kind := k.Type
		if k.Count != nil {
			kind = fmt.Sprintf("%s[%d]", k.Elements, *k.Count)
		}
		t.rows = append(t.rows, []string{visible(k.Key), kind, k.text})
	}
	return t
}

func tensorTable(tensors []modelTensor) table {
	t := table{title: count(len(tensors), "tensor", "tensors"), right: []bool{false, false, false, true}}
	for _, tensor := range tensors {
		shape := strings.ReplaceAll(strings.Trim(fmt.Sprint(tensor.Shape), "[]"), " ", " × ")
		t.rows = append(t.rows, []string{visible(tensor.Name), shape, tensor.Type, fmt.Sprint(tensor.Bytes) + " bytes"})
	}
	return t
}

func totalTable(totals []modelTotal) table {
	t := table{title: "total", right: []bool{false, true, true, true}}
	var all modelTotal
	for _, sum := range totals {
		t.rows = append(t.rows, totalRow(sum))
		all = modelTotal{"all", all.Tensors + sum.Tensors, all.Elements + sum.Elements, all.Bytes + sum.Bytes}
	}
	if len(totals) == 0 {
		return table{}
	}
	t.rows = append(t.rows, totalRow(all))
	return t
}

func totalRow(t modelTotal) []string {
	return []string{t.Type, count(t.Tensors, "tensor", "tensors"), fmt.Sprintf("%d elements", t.Elements), fmt.Sprintf("%d bytes", t.Bytes)}
}

// widest is where columns stop to grow: one long name may not push all others off
// the screen.
const widest = 48

// printTable prints nothing for a table without a title. The last column is not
// filled up with blanks on the right.
func (a *app) printTable(t table) error {
	if t.title == "" {
		return nil
	}
	if err := a.printf("\n%s\n", t.title); err != nil {
		return err
	}
	widths := make([]int, len(t.right))
	for _, row := range t.rows {
		for i, cell := range row {
			widths[i] = max(widths[i], min(widest, utf8.RuneCountInString(cell)))
		}
	}
	for _, row := range t.rows {
		var line strings.Builder
		for i, cell := range row {
			blanks := strings.Repeat(" ", max(0, widths[i]-utf8.RuneCountInString(cell)))
			if t.right[i] {
				line.WriteString(blanks + cell + "  ")
			} else {
				line.WriteString(cell + blanks + "  ")
			}
		}
		if err := a.printf("  %s\n", strings.TrimRight(line.String(), " ")); err != nil {
			return err
		}
	}
	return nil
}

// valueText returns a value on one line.
func valueText(v gguf.Value, all bool) string {
	if v.Type == gguf.Array {
		return arrayText(v, all)
	}
	if text, ok := v.Text(); ok {
		return `"` + cut(text, all) + `"`
	}
	return fmt.Sprint(jsonValue(v, all))
}

func arrayText(v gguf.Value, all bool) string {
	var parts []string
	n := shownCount(v, all)
	for i := range n {
		parts = append(parts, valueText(v.At(i), all))
	}
	if n < v.Len() {
		parts = append(parts, "…")
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

// cut returns a string made visible, and only its beginning if it is long.
func cut(s string, all bool) string {
	if all {
		return visible(s)
	}
	return cutTo(s, shownBytes)
}

// cutTo returns a string made visible, and only about most bytes of it.
func cutTo(s string, most int) string {
	if len(s) <= most {
		return visible(s)
	}
	end := most
	for end > most-utf8.UTFMax && !utf8.RuneStart(s[end]) {
		end--
	}
	return fmt.Sprintf("%s… (%d bytes)", visible(s[:end]), len(s))
}
