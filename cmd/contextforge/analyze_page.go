package main

// This file decides what the page of an analysis looks like.

import (
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"strings"

	"github.com/contextforge-go/contextforge/analysis"
)

// pageText is a whole page: no script, nothing from elsewhere. What is written
// into it is escaped by the template; the plots are images, in which nothing
// acts either.
const pageText = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>What matters</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 50rem; margin: 2rem auto; padding: 0 1rem; color: #222; background: #fff; }
img { max-width: 100%; height: auto; }
table { border-collapse: collapse; }
td, th { padding: .15rem .8rem .15rem 0; text-align: left; font-weight: normal; }
th { color: #666; }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; }
li { margin-bottom: 1.2rem; }
pre { margin: .2rem 0; padding: .5rem .8rem; background: #f4f4f4; white-space: pre-wrap; overflow-wrap: anywhere; font: inherit; }
small { color: #666; overflow-wrap: anywhere; }
</style>
</head>
<body>
<h1>What matters</h1>
<p>{{.Headline}}</p>
{{range .Plots}}<h2>{{.Title}}</h2>
<p><img src="{{.Source}}" width="{{.Width}}" height="{{.Height}}" alt="{{.Title}}; the figures are in the tables below"></p>
{{end}}<h2>Passages</h2>
<ol>
{{range .Segments}}<li><small>importance {{.Importance}} · {{.Categories}} · in {{.Sessions}} · {{.Time}} · {{.Entry}}</small>
<pre>{{.Text}}</pre></li>
{{end}}</ol>
<h2>Figures</h2>
<table><tr><th>category</th><th class="n">passages</th><th class="n">importance</th></tr>
{{range .Categories}}<tr><td>{{.Name}}</td><td class="n">{{.Passages}}</td><td class="n">{{.Importance}}</td></tr>
{{end}}</table>
<table><tr><th>term</th><th class="n">sessions</th><th class="n">passages</th></tr>
{{range .Terms}}<tr><td>{{.Name}}</td><td class="n">{{.Sessions}}</td><td class="n">{{.Passages}}</td></tr>
{{end}}</table>
<table><tr><th>from</th><th class="n">passages</th><th class="n">importance</th></tr>
{{range .Timeline}}<tr><td>{{.Name}}</td><td class="n">{{.Passages}}</td><td class="n">{{.Importance}}</td></tr>
{{end}}</table>
</body>
</html>
`

// page is what the template shows.
type page struct {
	Headline                    string
	Plots                       []pagePlot
	Segments                    []pageSegment
	Categories, Terms, Timeline []pageRow
}

type pagePlot struct {
	Title         string
	Source        template.URL
	Width, Height int
}

type pageSegment struct {
	Importance, Categories, Sessions, Time, Entry, Text string
}

type pageRow struct {
	Name               string
	Sessions, Passages int
	Importance         string
}

// writePage writes the page of some segments and the report on them.
func writePage(w io.Writer, segments []analysis.Segment, r *analysis.Report) error {
	p := page{Headline: headline(r)}
	for i := range segments {
		s := &segments[i]
		p.Segments = append(p.Segments, pageSegment{
			Importance: fmt.Sprintf("%.4f", s.Importance), Categories: categoryNames(s.Categories),
			Sessions: count(s.SessionFrequency, "session", "sessions"), Time: shownTime(s.Timestamp),
			Entry: visible(s.EntryID), Text: strings.Join(block(s.Text), "\n"),
		})
	}
	p.rows(r)
	drawn, err := plots(r)
	if err != nil {
		return err
	}
	for i := range drawn {
		p.Plots = append(p.Plots, drawn[i].onPage())
	}
	t, err := template.New("page").Parse(pageText)
	if err != nil {
		return err
	}
	return t.Execute(w, &p)
}

// rows fills the tables.
func (p *page) rows(r *analysis.Report) {
	for _, c := range r.Categories {
		p.Categories = append(p.Categories, pageRow{
			Name: shown(string(c.Category), noCategory), Passages: c.Segments, Importance: fmt.Sprintf("%.4f", c.Importance),
		})
	}
	for _, t := range r.Terms {
		p.Terms = append(p.Terms, pageRow{Name: visible(t.Text), Sessions: t.Sessions, Passages: t.Segments})
	}
	for _, point := range r.Timeline {
		if point.Segments == 0 {
			continue
		}
		p.Timeline = append(p.Timeline, pageRow{
			Name: shownTime(point.Start), Passages: point.Segments, Importance: fmt.Sprintf("%.4f", point.Importance),
		})
	}
}

// plot is a drawing, without an image if there is nothing to draw.
type plot struct {
	title         string
	svg           []byte
	width, height int
}

// onPage returns the plot as an image within the page.
func (p *plot) onPage() pagePlot {
	return pagePlot{
		Title: p.title, Width: p.width, Height: p.height,
		// What an image holds can't act on the page, and base64 can't end it.
		Source: template.URL("data:image/svg+xml;base64," + base64.StdEncoding.EncodeToString(p.svg)),
	}
}
