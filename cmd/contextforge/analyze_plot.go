//go:build !contextforge_noplots

package main

// This file decides how the figures of an analysis are drawn.

import (
	"fmt"
	"strconv"
	"time"

	"github.com/go-analyze/charts"
	"github.com/rivo/uniseg"

	"github.com/contextforge-go/contextforge/analysis"
)

const (
	plotWidth  = 760
	plotHeight = 300
	barHeight  = 26 // of a term
	labelWidth = 32 // columns, of a term
)

// plots draws the figures of a report.
func plots(r *analysis.Report) (drawn []plot, err error) {
	for _, draw := range []func(*analysis.Report) (plot, error){termsPlot, categoriesPlot, timelinePlot} {
		p, err := draw(r)
		if err != nil {
			return nil, fmt.Errorf("drawing %q: %w", p.title, err)
		}
		if p.svg != nil {
			drawn = append(drawn, p)
		}
	}
	return drawn, nil
}

// bars draws numbers with their names.
func bars(title string, height int, names []string, numbers []float64, change func(*charts.BarChartOption)) (plot, error) {
	p := plot{title: title, width: plotWidth, height: height}
	if len(numbers) == 0 {
		return p, nil
	}
	o := charts.NewBarChartOptionWithData([][]float64{numbers})
	o.CategoryAxis.Labels = names
	o.Legend.Show = charts.Ptr(false)
	o.ValueAxis = []charts.ValueAxisOption{{Min: charts.Ptr(0.0)}}
	change(&o)
	painter := charts.NewPainter(charts.PainterOptions{OutputFormat: charts.ChartOutputSVG, Width: p.width, Height: p.height})
	err := painter.BarChart(o)
	if err != nil {
		return p, err
	}
	p.svg, err = painter.Bytes()
	return p, err
}

// labelled writes whole numbers at the bars, in place of an axis that would count
// in fractions.
func labelled(o *charts.BarChartOption) {
	o.ValueAxis[0].Show = charts.Ptr(false)
	for i := range o.SeriesList {
		o.SeriesList[i].Label = charts.SeriesLabel{
			Show: charts.Ptr(true), ValueFormatter: func(v float64) string { return strconv.Itoa(int(v)) },
		}
	}
}

// termsPlot draws in how many sessions the first terms come back, the first on
// top.
func termsPlot(r *analysis.Report) (plot, error) {
	n := len(r.Terms)
	names, numbers := make([]string, n), make([]float64, n)
	for i, t := range r.Terms {
		names[n-1-i], numbers[n-1-i] = shortened(visible(t.Text), labelWidth), float64(t.Sessions)
	}
	return bars("Terms by the sessions that have them", 80+barHeight*n, names, numbers, func(o *charts.BarChartOption) {
		o.Horizontal = true
		labelled(o)
	})
}

func categoriesPlot(r *analysis.Report) (plot, error) {
	var names []string
	var numbers []float64
	for _, c := range r.Categories {
		names = append(names, shown(string(c.Category), noCategory))
		numbers = append(numbers, float64(c.Segments))
	}
	return bars("Passages by category", plotHeight, names, numbers, labelled)
}

func timelinePlot(r *analysis.Report) (plot, error) {
	layout := time.DateOnly
	if r.Interval < 24*time.Hour {
		layout = "01-02 15:04"
	}
	var names []string
	var numbers []float64
	for _, p := range r.Timeline {
		names = append(names, p.Start.Format(layout))
		numbers = append(numbers, p.Importance)
	}
	return bars("Importance over time", plotHeight, names, numbers, func(o *charts.BarChartOption) { o.CategoryAxis.LabelCount = 4 })
}

// shortened cuts a text after so many columns.
func shortened(s string, width int) string {
	if uniseg.StringWidth(s) <= width {
		return s
	}
	cut, used := 0, 0
	for g := uniseg.NewGraphemes(s); g.Next(); {
		if used += g.Width(); used > width-1 {
			break
		}
		_, cut = g.Positions()
	}
	return s[:cut] + "…"
}
