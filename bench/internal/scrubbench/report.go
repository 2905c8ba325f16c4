package scrubbench

// This file decides what a report says.

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Report is a judgement with the speeds and the machine they were measured on.
type Report struct {
	Machine   string
	Rules     int
	Judgement Judgement
	Speeds    []Speed
}

// Text renders the report.
func (r *Report) Text() string {
	var b strings.Builder
	j := &r.Judgement
	var all Format
	for _, f := range j.Formats {
		all.Total, all.Caught, all.Exact, all.Scheme = all.Total+f.Total, all.Caught+f.Caught, all.Exact+f.Exact, all.Scheme+f.Scheme
	}
	negatives, alarms := 0, 0
	for _, c := range j.Categories {
		negatives, alarms = negatives+c.Total, alarms+c.Alarms
	}
	fmt.Fprintf(&b, "Secret scrubbing, %d rules\n%s\n\n", r.Rules, r.Machine)
	fmt.Fprintf(&b, "caught        %d of %d (%s)\n", all.Caught, all.Total, percent(all.Caught, all.Total))
	fmt.Fprintf(&b, "exactly       %d (%s), with its scheme %d\n", all.Exact, percent(all.Exact, all.Total), all.Scheme)
	fmt.Fprintf(&b, "false alarms  %d of %d (%s)\n", alarms, negatives, percent(alarms, negatives))
	fmt.Fprintf(&b, "not idempotent %d\n", j.Changed)
	if len(r.Speeds) > 0 {
		fmt.Fprintf(&b, "\n%-28s MB/s per core  ns/byte\n", "speed on clean text")
		for _, s := range r.Speeds {
			fmt.Fprintf(&b, "%-28s %-14.0f %.2f\n", s.Kind, s.Megabytes, 1000/s.Megabytes)
		}
	}
	fmt.Fprintf(&b, "\n%-28s secrets  caught  exact  scheme  taken for\n", "format")
	for _, f := range j.Formats {
		var as []string
		for _, label := range slices.Sorted(maps.Keys(f.As)) {
			as = append(as, fmt.Sprintf("%s %d", label, f.As[label]))
		}
		fmt.Fprintf(&b, "%-28s %-8d %-7d %-6d %-7d %s\n", f.Label, f.Total, f.Caught, f.Exact, f.Scheme, strings.Join(as, ", "))
	}
	fmt.Fprintf(&b, "\n%-28s texts    false alarms\n", "negatives")
	for _, c := range j.Categories {
		fmt.Fprintf(&b, "%-28s %-8d %d\n", c.Name, c.Total, c.Alarms)
	}
	return b.String()
}

func percent(n, of int) string {
	if of == 0 {
		return "-"
	}
	return fmt.Sprintf("%.1f %%", 100*float64(n)/float64(of))
}
