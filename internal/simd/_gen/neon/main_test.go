package main

// This file tests the instruction words and the files that are made of them.

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func TestEncodings(t *testing.T) {
	for _, e := range encodings {
		word, text := e.form.encode(e.operands...)
		if word != e.word || text != e.text {
			t.Errorf("%s %v: %#08x %s, want %#08x %s", e.form.name, e.operands, word, text, e.word, e.text)
		}
	}
}

var (
	wordLine = regexp.MustCompile(`^\tWORD \$0x([0-9a-f]{8}) // (.*)$`)
	number   = regexp.MustCompile(`\b([vs])\d+|\[\d\]`)
)

// shape is an instruction without the numbers of its registers.
func shape(text string) string { return number.ReplaceAllString(text, "$1") }

// Every word in the files is of a form that the table has.
func TestEveryFormIsInTheTable(t *testing.T) {
	known := []string{}
	for _, e := range encodings {
		known = append(known, shape(e.text))
	}
	for _, f := range files() {
		words := 0
		for line := range strings.Lines(f.text) {
			if !strings.Contains(line, "WORD") {
				continue
			}
			m := wordLine.FindStringSubmatch(strings.TrimSuffix(line, "\n"))
			if m == nil {
				t.Fatalf("%s: %q", f.name, line)
			}
			if words++; !slices.Contains(known, shape(m[2])) {
				t.Errorf("%s: no encoding of %q is tested", f.name, m[2])
			}
		}
		if words == 0 {
			t.Errorf("%s: no instructions", f.name)
		}
	}
}

func TestSameFilesEachTime(t *testing.T) {
	if a, b := fmt.Sprint(files()), fmt.Sprint(files()); a != b {
		t.Error("two runs differ")
	}
}

var (
	vectorRegister = regexp.MustCompile(`\b[FVvs](\d+)\b`)
	register       = regexp.MustCompile(`\bR(\d+)\b`)
)

// No function uses a vector register that doesn't exist, or a general register
// that isn't its own: R18 is the platform's, R26 and R27 the assembler's and
// R28 holds the goroutine.
func TestRegisters(t *testing.T) {
	for _, f := range files() {
		for line := range strings.Lines(f.text) {
			if strings.HasPrefix(line, "//") {
				continue
			}
			for _, m := range vectorRegister.FindAllStringSubmatch(line, -1) {
				if len(m[1]) > 2 || len(m[1]) == 2 && m[1] > "31" {
					t.Errorf("%s: %s", f.name, line)
				}
			}
			for _, m := range register.FindAllStringSubmatch(line, -1) {
				if m[1] == "18" || len(m[1]) == 2 && m[1] > "25" {
					t.Errorf("%s: %s", f.name, line)
				}
			}
		}
	}
}
