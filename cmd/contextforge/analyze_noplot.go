//go:build contextforge_noplots

package main

// This file decides what the page shows of a program that was built without the
// plots, which take 3 MB: the figures alone.

import "github.com/contextforge-go/contextforge/analysis"

func plots(*analysis.Report) ([]plot, error) { return nil, nil }
