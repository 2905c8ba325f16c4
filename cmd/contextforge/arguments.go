package main

// This file decides which command lines are refused before any work begins, and
// says so in plain words.

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// operands takes from least to most arguments of a name, any number from least
// on when most is negative; none may be empty.
func operands(name string, least, most int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch n := len(args); {
		case n < least:
			return fmt.Errorf("the argument %s is missing", name)
		case most == 0 && n > 0:
			return fmt.Errorf("%s takes no argument, but there is %q", cmd.Name(), args[0])
		case most > 0 && n > most:
			return fmt.Errorf("%s takes one %s, but there are %d arguments", cmd.Name(), name, n)
		case slices.Contains(args, ""):
			return fmt.Errorf("the argument %s is empty", name)
		}
		return nil
	}
}

// noOperands takes no argument.
var noOperands = operands("", 0, 0)

// firstOperand checks the first argument and leaves the others to the command.
func firstOperand(name string) cobra.PositionalArgs {
	check := operands(name, 1, 1)
	return func(cmd *cobra.Command, args []string) error { return check(cmd, args[:min(1, len(args))]) }
}

// onlyCommands refuses a word that is no subcommand.
func onlyCommands(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	hint := ""
	if like := cmd.SuggestionsFor(args[0]); len(like) > 0 {
		hint = "; did you mean " + strings.Join(like, " or ") + "?"
	}
	return fmt.Errorf("there is no command %q%s", args[0], hint)
}

// flagError puts what is wrong with a flag in plain words. What precedes an
// unknown flag of the root may be a mistyped command.
func flagError(cmd *cobra.Command, err error) error {
	if !cmd.HasParent() {
		if err := onlyCommands(cmd, cmd.Flags().Args()); err != nil {
			return err
		}
	}
	var unknown *pflag.NotExistError
	var missing *pflag.ValueRequiredError
	var wrong *pflag.InvalidValueError
	switch {
	case errors.As(err, &unknown) && unknown.GetSpecifiedShortnames() != "":
		return fmt.Errorf("there is no flag -%s", unknown.GetSpecifiedName())
	case errors.As(err, &unknown):
		return fmt.Errorf("there is no flag --%s", unknown.GetSpecifiedName())
	case errors.As(err, &missing):
		return fmt.Errorf("--%s needs a value", missing.GetFlag().Name)
	case errors.As(err, &wrong):
		return fmt.Errorf("--%s %q is not %s", wrong.GetFlag().Name, wrong.GetValue(), valueOf(wrong.GetFlag()))
	}
	return err
}

// valueOf returns what a flag wants, in words.
func valueOf(f *pflag.Flag) string {
	switch f.Value.Type() {
	case "int":
		return "a whole number"
	case "float64":
		return "a number"
	case "bool":
		return "true or false"
	case "duration":
		return "a duration such as 10s or 2m"
	}
	return "a " + f.Value.Type()
}

// noEmptyFlags refuses a flag that was given with an empty value: from a shell
// variable that isn't set, it would mean something else than its writer thinks.
func noEmptyFlags(cmd *cobra.Command, _ []string) (err error) {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if err == nil && isEmpty(f.Value) {
			err = fmt.Errorf("--%s is empty; %s", f.Name, insteadOfEmpty(cmd, f.Name))
		}
	})
	return err
}

func isEmpty(v pflag.Value) bool {
	if list, ok := v.(pflag.SliceValue); ok {
		return slices.Contains(list.GetSlice(), "")
	}
	return v.String() == ""
}

func insteadOfEmpty(cmd *cobra.Command, name string) string {
	switch {
	case name == "scope" && cmd.Flags().Lookup("global") != nil:
		return "use --global for the entries without a scope, or leave it out"
	case name == "scope":
		return "leave it out for the global scope"
	case cmd.Flags().Lookup("no-"+name) != nil:
		return "use --no-" + name + " for none, or leave it out"
	}
	return "give it a value or leave it out"
}

// exclusive refuses flags of which at most one makes sense.
func exclusive(fs *pflag.FlagSet, names ...string) error {
	var given []string
	for _, name := range names {
		if fs.Changed(name) && fs.Lookup(name).Value.String() != "false" {
			given = append(given, "--"+name)
		}
	}
	if len(given) > 1 {
		return usagef("%s exclude each other", strings.Join(given, " and "))
	}
	return nil
}

// helpCommand is the help for a subcommand; an unknown one is a mistake.
func helpCommand() *cobra.Command {
	return &cobra.Command{
		Use:               "help [COMMAND]",
		Short:             "Explain a command",
		PersistentPreRunE: func(*cobra.Command, []string) error { return nil },
		RunE: func(cmd *cobra.Command, args []string) error {
			about, rest, err := cmd.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return onlyCommands(cmd.Root(), args)
			}
			about.InitDefaultHelpFlag()
			return about.Help()
		},
	}
}
