package main

// This file decides how texts are scrubbed on their way through the command, and
// how the rules are shown.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/contextforge-go/contextforge"
	"github.com/contextforge-go/contextforge/scrub"
)

// scrubFlags are the flags of scrub.
type scrubFlags struct {
	rules, off, allow             []string
	check, audit, fix, list, json bool
}

func (a *app) scrubCommand() *cobra.Command {
	var f scrubFlags
	cmd := &cobra.Command{
		Use:   "scrub [FILE|-]",
		Short: "Redact the secrets in a text, or find those in the store",
		Long: `Copy FILE or stdin to stdout with every secret replaced by [REDACTED:kind], and
say on stderr how many there were. All other bytes pass as they are, whatever they
are. It works as the text comes, but holds back up to some 300 KB.

With --check nothing is copied: every secret is listed by its place and kind, and
the exit code is 7 if there is one.

With --audit it is the store that is looked at: texts, metadata, names and earlier
versions, for what older rules missed or was saved with --no-scrub. The exit code
is 7 if there is a secret. With --fix too they are redacted, names replaced, and
the store compacted, so that they are nowhere in it any more; it can be stopped
and started again. Copies made before, by export or checkpoint, stay as they are.

Neither shows a secret. The rules are the built-in ones and those of the
configuration, see "scrub" there; --rules, --off and --allow add to them.`,
		Args: operands("FILE", 0, 1),
	}
	f.add(cmd.Flags())
	cmd.RunE = runs(func(ctx context.Context, args []string) error {
		if err := f.validate(cmd.Flags(), args, a.global.noScrub); err != nil {
			return err
		}
		return a.scrub(ctx, args, &f)
	})
	return cmd
}

func (f *scrubFlags) add(fs *pflag.FlagSet) {
	fs.BoolVar(&f.check, "check", false, "list the secrets instead of copying the text")
	fs.BoolVar(&f.audit, "audit", false, "list the secrets in the store")
	fs.BoolVar(&f.fix, "fix", false, "with --audit: redact them")
	fs.BoolVar(&f.list, "list", false, "list the rules")
	fs.StringArrayVar(&f.rules, "rules", nil, "TOML `file` with rules of your own; give it again for several")
	fs.StringArrayVar(&f.off, "off", nil, "`rule` or kind that doesn't apply; give it again for several")
	fs.StringArrayVar(&f.allow, "allow", nil, "`value` that is no secret; give it again for several")
	fs.BoolVar(&f.json, "json", false, "print JSON: what is listed a line each, then the totals; the totals on stderr where stdout has the text")
}

// validate refuses what makes no sense together.
func (f *scrubFlags) validate(fs *pflag.FlagSet, args []string, verbatim bool) error {
	switch err := exclusive(fs, "check", "audit", "list"); {
	case err != nil:
		return err
	case f.fix && !f.audit:
		return usagef("--fix goes with --audit")
	case (f.audit || f.list) && len(args) > 0:
		return usagef("a FILE goes with neither --audit nor --list")
	case verbatim:
		return usagef("--no-scrub leaves nothing to do for scrub")
	}
	return nil
}

func (a *app) scrub(ctx context.Context, args []string, f *scrubFlags) error {
	if f.audit {
		return a.auditStore(ctx, f)
	}
	file, err := readConfig(a.global.config)
	if err != nil {
		return err
	}
	f.applyTo(&file.Scrub)
	s, err := file.Scrub.Scrubber()
	if err != nil {
		return err
	}
	a.notes.scrubBy(s)
	if f.list {
		return a.listRules(s, f.json)
	}
	return a.filter(ctx, s, args, f)
}

// applyTo adds what the flags say to the settings. What is stored verbatim all the
// same can be looked through.
func (f *scrubFlags) applyTo(c *contextforge.ScrubConfig) {
	c.Disabled = false
	c.Off, c.Allow = slices.Concat(c.Off, f.off), slices.Concat(c.Allow, f.allow)
	c.RulesFiles = slices.Concat(c.RulesFiles, f.rules)
}

// scrubTotals are what was found in a text.
type scrubTotals struct {
	Secrets int            `json:"secrets"`
	Labels  map[string]int `json:"labels"`
}

// foundSecret is one secret in a text.
type foundSecret struct {
	Label string `json:"label"`
	Rule  string `json:"rule"`
	Start int    `json:"start"`
	End   int    `json:"end"`
}

// filter copies a text without its secrets, or lists these.
func (a *app) filter(ctx context.Context, s *scrub.Scrubber, args []string, f *scrubFlags) (err error) {
	if len(args) == 0 && a.stdinTerminal {
		return usagef("name a file, or give the text on stdin")
	}
	in := io.NopCloser(a.interruptible(ctx))
	if len(args) > 0 && args[0] != "-" {
		if in, err = os.Open(args[0]); err != nil {
			return err
		}
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	all := scrubTotals{Labels: map[string]int{}}
	r := s.NewReader(untilDone{ctx, in})
	r.Report = func(found scrub.Finding) {
		all.Secrets++
		all.Labels[found.Label]++
		if f.check {
			_ = a.listSecret(found, f.json) // the writer keeps the error
		}
	}
	to := io.Writer(a.out)
	if f.check {
		to = io.Discard
	}
	if _, err := io.Copy(to, r); err != nil {
		return err
	}
	return a.concludeFilter(&all, f)
}

func (a *app) listSecret(found scrub.Finding, asJSON bool) error {
	if asJSON {
		return a.printJSON(foundSecret(found))
	}
	return a.printf("bytes %d to %d: %s\n", found.Start, found.End, kindOf(found.Label, found.Rule))
}

// kindOf names what was found, and the rule if that says more.
func kindOf(label, rule string) string {
	if rule == label {
		return label
	}
	return fmt.Sprintf("%s (%s)", label, rule)
}

// concludeFilter says how much was found.
func (a *app) concludeFilter(all *scrubTotals, f *scrubFlags) error {
	switch {
	case f.check && f.json:
		if err := a.printJSON(all); err != nil {
			return err
		}
	case f.json:
		text, err := json.Marshal(all)
		if err != nil {
			return err
		}
		_, _ = fmt.Fprintf(a.stderr, "%s\n", text) // nobody could be told
	case !f.check:
		a.redacted = all.Labels
	}
	if f.check && all.Secrets > 0 {
		return exitCode(exitSecrets)
	}
	return nil
}

// untilDone is a reader that ends when a context does.
type untilDone struct {
	ctx context.Context
	in  io.Reader
}

// Read implements io.Reader.
func (r untilDone) Read(b []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.in.Read(b)
}

// listRules prints the rules that apply.
func (a *app) listRules(s *scrub.Scrubber, asJSON bool) error {
	for _, r := range s.Rules() {
		var err error
		if asJSON {
			err = a.printJSON(struct {
				Name        string `json:"name"`
				Label       string `json:"label"`
				Description string `json:"description"`
			}{r.Name, r.Label, r.Description})
		} else {
			err = a.printf("%-28s %-22s %s\n", r.Name, r.Label, visible(r.Description))
		}
		if err != nil {
			return err
		}
	}
	return nil
}
