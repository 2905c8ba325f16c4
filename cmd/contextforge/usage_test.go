package main

// This file tests that a command line which may not mean what its writer thinks
// is refused, in plain words.

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// commandsOf yields every command that has work to do, with arguments for it.
func commandsOf(t *testing.T, visit func(cmd *cobra.Command, args []string)) {
	t.Helper()
	a := newRig(t).app(nil, nil, nil)
	operand := map[string]string{"save": "text", "update": "id", "delete": "id", "query": "text", "get": "id", "history": "id", "checkpoint": "dir", "similar": "id"}
	n := 0
	for _, cmd := range a.rootCommand().Commands() {
		if cmd.Name() == "help" || cmd.Name() == "completion" {
			continue
		}
		n++
		args := []string{cmd.Name()}
		if arg := operand[cmd.Name()]; arg != "" {
			args = append(args, arg)
		}
		visit(cmd, args)
	}
	if n < 24 {
		t.Errorf("%d commands", n)
	}
}

// TestEmptyFlags gives every text flag of every command an empty value.
func TestEmptyFlags(t *testing.T) {
	r := newRig(t)
	r.must("", "save", "text", "--kind", "k", "--scope", "s")
	r.must("", "save", "text", "--kind", "k")
	tried := 0
	commandsOf(t, func(cmd *cobra.Command, args []string) {
		check := func(f *pflag.Flag) {
			if kind := f.Value.Type(); kind != "string" && kind != "stringArray" {
				return
			}
			tried++
			for _, form := range [][]string{{"--" + f.Name, ""}, {"--" + f.Name + "="}} {
				r.fails(exitUsage, "--"+f.Name+" is empty; ", "", append(args, form...)...)
			}
		}
		cmd.LocalFlags().VisitAll(check)
		cmd.InheritedFlags().VisitAll(check)
	})
	if tried < 60 {
		t.Errorf("%d flags tried", tried)
	}
	r.fails(exitUsage, "--kind is empty", "", "list", "--kind", "a", "--kind", "")
	r.fails(exitUsage, "--scope is empty; use --global for the entries without a scope, or leave it out", "", "forget", "--scope", "", "--kind", "k", "--yes")
	r.fails(exitUsage, "--scope is empty; leave it out for the global scope", "", "save", "x", "--scope", "")
	r.fails(exitUsage, "--session is empty; use --no-session for none", "", "update", "x", "--session", "")
	r.fails(exitUsage, "clear needs one of", "", "clear", "--all=false", "--yes")
	r.fails(exitUsage, "clear needs one of", "", "clear", "--global=false", "--yes")
	r.fails(exitUsage, "forget needs a filter", "", "forget", "--global=false", "--yes")
	if got := r.must("", "count"); got != "2\n" {
		t.Errorf("left are %s", got)
	}
}

func TestEmptyOperands(t *testing.T) {
	r := newRig(t)
	r.must("", "save", "text", "--id", "x")
	for _, args := range [][]string{{"get", ""}, {"history", ""}, {"update", "", "text"}, {"delete", ""}, {"delete", "x", ""}} {
		r.fails(exitUsage, "ID is empty", "", args...)
	}
	r.fails(exitUsage, "FILE is empty", "", "export", "")
	r.fails(exitUsage, "FILE is empty", "", "import", "")
	r.fails(exitUsage, "DIR is empty", "", "checkpoint", "")
	for _, question := range []string{"", " ", "\n\t"} {
		r.fails(exitUsage, "the question is empty", "", "query", question)
	}
	r.fails(exitUsage, "the question is empty", "", "query")
	if got := r.must("", "count"); got != "1\n" {
		t.Errorf("left are %s", got)
	}
}

// TestPlainWords: no message has the words of the parser.
func TestPlainWords(t *testing.T) {
	r := newRig(t)
	for _, c := range []struct {
		args []string
		say  string
	}{
		{[]string{"lsit"}, `there is no command "lsit"; did you mean list? (see contextforge --help)`},
		{[]string{"qurey", "text", "--scope", "s"}, `there is no command "qurey"; did you mean query?`},
		{[]string{"zzzzzz"}, `there is no command "zzzzzz" (see contextforge --help)`},
		{[]string{"help", "bogus"}, `there is no command "bogus"`},
		{[]string{"help", "lisst"}, `did you mean list?`},
		{[]string{"completion", "csh"}, `there is no command "csh"`},
		{[]string{"get"}, "the argument ID is missing (see contextforge get --help)"},
		{[]string{"get", "a", "b"}, "get takes one ID, but there are 2 arguments"},
		{[]string{"delete"}, "the argument ID is missing"},
		{[]string{"update"}, "the argument ID is missing"},
		{[]string{"list", "extra"}, `list takes no argument, but there is "extra"`},
		{[]string{"list", "--scop", "s"}, "there is no flag --scop"},
		{[]string{"list", "-q"}, "there is no flag -q"},
		{[]string{"list", "--scope"}, "--scope needs a value"},
		{[]string{"list", "--limit", "many"}, `--limit "many" is not a whole number`},
		{[]string{"list", "--limit", "99999999999999999999"}, `is not a whole number`},
		{[]string{"query", "x", "--min-score", "high"}, `--min-score "high" is not a number`},
		{[]string{"list", "--json=maybe"}, `--json "maybe" is not true or false`},
		{[]string{"list", "--wait", "long"}, `--wait "long" is not a duration such as 10s or 2m`},
		{[]string{"list", "--wait", "-1s"}, "--wait is negative"},
		{[]string{"list", "--json", "--jsonl"}, "--json and --jsonl exclude each other"},
		{[]string{"list", "--scope", "s", "--global"}, "--scope and --global exclude each other"},
		{[]string{"clear", "--all", "--global"}, "--global and --all exclude each other"},
		{[]string{"list", "--since", "1767636734000"}, "is it in milliseconds?"},
	} {
		r.fails(exitUsage, c.say, "", c.args...)
		err := r.run("", c.args...).err
		for _, jargon := range []string{"strconv", "arg(s)", "parsing", "group [", "invalid argument"} {
			if strings.Contains(err, jargon) {
				t.Errorf("%q said %q", c.args, err)
			}
		}
	}
}

func TestHelpOfCommand(t *testing.T) {
	r := newRig(t)
	if got := r.must("", "help", "query"); !strings.Contains(got, "--budget") || got != r.must("", "query", "--help") {
		t.Errorf("printed %s", got)
	}
}
