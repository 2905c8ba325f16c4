//go:build !contextforge_noplots

package main

// This file tests what the plots show.

import (
	"strings"
	"testing"

	"github.com/contextforge-go/contextforge/analysis"
)

func TestPlots(t *testing.T) {
	drawn := drawnPlots(t)
	for i, want := range [][]string{
		{"term0", "term2", "&lt;/pre&gt;&lt;script&gt;", ">3<", ">1<"},
		{"corrective", "reinforcing", "(none)", ">3<", ">0<"},
		{"01-01 00:00", "01-03 00:00"},
	} {
		for _, text := range want {
			if !strings.Contains(string(drawn[i].svg), text) {
				t.Errorf("%q lacks %q", drawn[i].title, text)
			}
		}
	}
}

// There is nothing to draw of terms and times without any.
func TestPlotsOfNothing(t *testing.T) {
	for _, draw := range []func(*analysis.Report) (plot, error){termsPlot, timelinePlot, categoriesPlot} {
		if p, err := draw(&analysis.Report{}); err != nil || p.svg != nil {
			t.Errorf("%q: %v, %d bytes", p.title, err, len(p.svg))
		}
	}
}

func TestShortened(t *testing.T) {
	tests := []struct{ text, want string }{
		{"", ""}, {"12345", "12345"}, {"123456", "1234…"}, {"会議室", "会議…"}, {"e\u0301e\u0301e\u0301e\u0301e\u0301e\u0301", "e\u0301e\u0301e\u0301e\u0301…"},
	}
	for _, tt := range tests {
		if got := shortened(tt.text, 5); got != tt.want {
			t.Errorf("%q: %q, want %q", tt.text, got, tt.want)
		}
	}
}
