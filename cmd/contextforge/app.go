package main

// This file decides what the command is made of and how one run of it goes.

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/contextforge-go/contextforge/scrub"
)

// app is one run of the command with everything it may touch.
type app struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	env            func(string) string
	clock          func() time.Time
	random         io.Reader // feeds new ids; nil for the system's randomness
	goos           string
	stdinTerminal  bool // a person can be asked
	stderrTerminal bool // a person watches

	global   globalFlags
	out      *bufio.Writer  // stdout
	outErr   error          // why stdout takes no more
	path     string         // the store's folder, once it is known
	notes    *notes         // stderr, once there is a run
	redacted map[string]int // labels of the secrets that were cut out
	evicted  int            // entries that left over the capacity
	model    storeModel     // of the store's texts, once the settings are known
	lexicons []string       // files of the configuration that say what matters
	failed   int            // entries that could not be embedded
	failure  error          // why the first of them couldn't
}

const longHelp = `contextforge keeps a memory for applications of language models: save texts, ask
in plain language, get back the few entries worth their tokens.

The store is a folder: --store, or else CONTEXTFORGE_STORE, or else the user's
data folder. Only save, distill and import create it. ":memory:" keeps nothing.

Texts are found by their words and, with the vectors that a built-in model gives
them, by their meaning. --embedder chooses another model or none.

Exit codes:
  0    done
  1    error
  2    wrong usage or input
  3    nothing found: no hit that fits the budget, no entry with this id
  4    the store is in use by another process
  5    the store is damaged
  6    imported, embedded or distilled, but something was left out
  7    secrets were found and are still there (scrub --check, scrub --audit)
  130  interrupted`

// run executes the command line and returns the exit code.
func (a *app) run(ctx context.Context, args []string) int {
	a.open()
	root := a.rootCommand()
	root.SetArgs(args)
	root.SetIn(a.stdin)
	root.SetOut(a.out)
	root.SetErr(a.stderr)
	cmd, err := root.ExecuteContextC(ctx)
	if flushErr := a.out.Flush(); flushErr != nil && err == nil {
		err = &runError{flushErr}
	}
	a.reportSideEffects()
	return a.conclude(ctx, cmd.CommandPath(), err)
}

// open puts a buffer before stdout, and a lock and the redaction before stderr.
func (a *app) open() {
	a.out = bufio.NewWriterSize(writerFunc(a.writeOut), 64<<10)
	a.notes = &notes{w: a.stderr, secrets: new(scrub.Scrubber)}
	a.stderr = a.notes
}

func (a *app) writeOut(b []byte) (int, error) {
	n, err := a.stdout.Write(b)
	if err != nil {
		a.outErr = fmt.Errorf("writing the output: %w", err)
	}
	return n, a.outErr
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(b []byte) (int, error) { return f(b) }

func (a *app) rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:           "contextforge",
		Short:         "A local, persistent memory for applications of language models",
		Long:          longHelp,
		Version:       version(),
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          onlyCommands,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },

		PersistentPreRunE:          noEmptyFlags,
		SuggestionsMinimumDistance: 2,
	}
	root.SetFlagErrorFunc(flagError)
	root.SetHelpCommand(helpCommand())
	root.SetVersionTemplate("{{.Version}}\n")
	a.global.add(root.PersistentFlags())
	groups := []struct {
		title    string
		commands []*cobra.Command
	}{
		{"Write", []*cobra.Command{a.saveCommand(), a.distillCommand(), a.updateCommand(), a.deleteCommand(), a.forgetCommand(), a.clearCommand()}},
		{"Read", []*cobra.Command{a.queryCommand(), a.similarCommand(), a.analyzeCommand(), a.listCommand(), a.getCommand(), a.historyCommand(), a.countCommand(), a.scopesCommand(), a.statsCommand()}},
		{"Move", []*cobra.Command{a.importCommand(), a.exportCommand(), a.checkpointCommand()}},
		{"Maintain", []*cobra.Command{a.backfillCommand(), a.verifyCommand(), a.rebuildCommand(), a.compactCommand(), a.recoverCommand(), a.scrubCommand()}},
		{"Models", []*cobra.Command{a.embedCommand(), a.similarityCommand(), a.tokenizeCommand(), a.modelCommand()}},
		{"Lexicons", []*cobra.Command{a.lexiconCommand()}},
	}
	for _, g := range groups {
		root.AddGroup(&cobra.Group{ID: g.title, Title: g.title + ":"})
		for _, c := range g.commands {
			c.GroupID = g.title
			root.AddCommand(c)
		}
	}
	root.AddCommand(a.versionCommand())
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		if c.Name() == "completion" {
			c.Args, c.RunE = onlyCommands, func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
		}
	}
	return root
}

// runFunc does the work of a subcommand.
type runFunc func(ctx context.Context, args []string) error

// runs adapts f to cobra; what f returns is told from wrong usage by its type.
func runs(f runFunc) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		if err := f(cmd.Context(), args); err != nil {
			return &runError{err}
		}
		return nil
	}
}

// printf writes to stdout. An error stays in the writer and ends the run.
func (a *app) printf(format string, args ...any) error {
	_, err := fmt.Fprintf(a.out, format, args...)
	return err
}

// note writes a line for the person who watches, apart from the output.
func (a *app) note(format string, args ...any) {
	// There is nowhere to report that stderr is gone.
	_, _ = fmt.Fprintf(a.stderr, "contextforge: "+format+"\n", args...)
}
