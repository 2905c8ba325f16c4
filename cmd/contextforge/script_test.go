package main

// This file tests every command against scripts of what a person would see.
// A script in testdata/script holds commands ("$ "), their stdin ("< ") and
// what follows: stdout ("| "), stderr ("! ") and the code of exit, unless it is
// 0. go test -update writes these anew.

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write what the scripts expect anew")

func TestScripts(t *testing.T) {
	files, err := filepath.Glob("testdata/script/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	for _, name := range files {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txt"), func(t *testing.T) {
			script, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			got := play(newRig(t), string(script))
			if *update {
				if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			} else if got != string(script) {
				t.Errorf("%s: got\n%s", name, got)
			}
		})
	}
}

// play runs the commands of a script and returns it with what they print.
func play(r *rig, script string) string {
	var out strings.Builder
	lines := strings.Split(script, "\n")
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		if strings.HasPrefix(line, "| ") || strings.HasPrefix(line, "! ") || strings.HasPrefix(line, "exit ") || line == "|" {
			continue
		}
		out.WriteString(line)
		if i < len(lines)-1 {
			out.WriteByte('\n')
		}
		command, ok := strings.CutPrefix(line, "$ ")
		if !ok {
			continue
		}
		var stdin strings.Builder
		for i+1 < len(lines) && strings.HasPrefix(lines[i+1], "< ") {
			i++
			out.WriteString(lines[i] + "\n")
			stdin.WriteString(lines[i][2:] + "\n")
		}
		out.WriteString(r.play(words(command), stdin.String()))
	}
	return out.String()
}

// play runs one command. Besides those of the program there is "write FILE".
func (r *rig) play(args []string, stdin string) string {
	for i, arg := range args {
		args[i] = strings.ReplaceAll(arg, "$DIR", r.dir)
	}
	if args[0] == "write" {
		if err := os.WriteFile(r.path(args[1]), []byte(strings.ReplaceAll(stdin, "$DIR", r.dir)), 0o600); err != nil {
			r.t.Fatal(err)
		}
		return ""
	}
	o := r.run(stdin, args...)
	text := prefixed("| ", o.out) + prefixed("! ", o.err)
	if o.code != 0 {
		text += fmt.Sprintf("exit %d\n", o.code)
	}
	return strings.ReplaceAll(text, r.dir, "$DIR")
}

func prefixed(prefix, text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString(strings.TrimRight(prefix+strings.TrimSuffix(line, "\n"), " ") + "\n")
	}
	return b.String()
}

// words splits a command at blanks; what is in double quotes is a Go string.
func words(s string) (out []string) {
	for {
		s = strings.TrimLeft(s, " ")
		if s == "" {
			return out
		}
		if quoted, err := strconv.QuotedPrefix(s); err == nil {
			word, _ := strconv.Unquote(quoted)
			out, s = append(out, word), s[len(quoted):]
			continue
		}
		word, rest, _ := strings.Cut(s, " ")
		out, s = append(out, word), rest
	}
}
