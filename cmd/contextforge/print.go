package main

// This file decides how entries look to a person, and as JSON.

import (
	"encoding/json"
	"fmt"
	"iter"
	"strings"
	"time"

	"github.com/contextforge-go/contextforge"
)

// shown returns a name on one line, or a placeholder for none.
func shown(name, none string) string {
	if name == "" {
		return none
	}
	return visible(name)
}

func shownTime(t time.Time) string { return t.UTC().Format(time.RFC3339Nano) }

// provenance returns where an entry comes from, on one line.
func provenance(e *contextforge.Entry) string {
	return fmt.Sprintf("%s  %s  %s  %s", shownTime(e.Timestamp), shown(e.Kind, "(no kind)"), shown(e.Scope, "(global)"), visible(e.ID))
}

// printContent prints a text indented, so that no line of it can pass for one
// of ours.
func (a *app) printContent(content string) error {
	for _, line := range block(content) {
		if err := a.printf("%s\n", strings.TrimRight("    "+line, " ")); err != nil {
			return err
		}
	}
	return nil
}

func (a *app) printEntry(e *contextforge.Entry) error {
	if err := a.printf("%s\n", provenance(e)); err != nil {
		return err
	}
	return a.printContent(e.Content)
}

// printDetails prints every field of an entry.
func (a *app) printDetails(e *contextforge.Entry) error {
	for _, f := range []struct{ name, value string }{
		{"id", visible(e.ID)},
		{"time", shownTime(e.Timestamp)},
		{"kind", visible(e.Kind)},
		{"scope", shown(e.Scope, "(global)")},
		{"session", visible(e.SessionID)},
		{"tokens", fmt.Sprint(e.TokenCount)},
		{"metadata", visible(string(e.Metadata))},
		{"created", optionalTime(e.CreatedAt)},
		{"updated", optionalTime(e.UpdatedAt)},
		{"expires", optionalTime(e.ExpiresAt)},
	} {
		if f.value == "" {
			continue
		}
		if err := a.printf("%-9s %s\n", f.name, f.value); err != nil {
			return err
		}
	}
	return a.printContent(e.Content)
}

func optionalTime(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return shownTime(t)
}

// printJSON prints a value as JSON on one line.
func (a *app) printJSON(v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return a.printf("%s\n", harmlessJSON(text))
}

// printArray prints a JSON array, an element a line.
func printArray[T any](a *app, elements iter.Seq2[T, error]) error {
	separator := "["
	for v, err := range elements {
		if err != nil {
			return err
		}
		text, err := json.Marshal(v)
		if err != nil {
			return err
		}
		if err := a.printf("%s\n%s", separator, harmlessJSON(text)); err != nil {
			return err
		}
		separator = ","
	}
	if separator == "[" {
		return a.printf("[]\n")
	}
	return a.printf("\n]\n")
}

// each yields the elements of a slice as printArray takes them.
func each[T any](list []T) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for _, v := range list {
			if !yield(v, nil) {
				return
			}
		}
	}
}

// count returns a number with its noun in the right form.
func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

func entries(n int) string { return count(n, "entry", "entries") }
