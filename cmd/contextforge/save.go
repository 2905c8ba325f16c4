package main

// This file decides how entries are written and changed.

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/contextforge-go/contextforge"
)

type saveFlags struct {
	kind, scope, session, metadata, timestamp, id, ttl, expires string
	dedup, json                                                 bool
}

func (a *app) saveCommand() *cobra.Command {
	var f saveFlags
	cmd := &cobra.Command{
		Use:   "save [TEXT]",
		Short: "Save a text and print its id",
		Long: `Save a text and print its id. TEXT may be several words; without it, or when it
is "-", the text is read from stdin, whose last line break is left out.`,
		Args: cobra.ArbitraryArgs,
		RunE: runs(func(ctx context.Context, args []string) error { return a.save(ctx, args, &f) }),
	}
	fs := cmd.Flags()
	fs.StringVar(&f.kind, "kind", contextforge.KindManual, "what kind of text it is")
	fs.StringVar(&f.scope, "scope", "", "scope to save into (default the global one)")
	fs.StringVar(&f.session, "session", "", "session it belongs to")
	fs.StringVar(&f.metadata, "metadata", "", "any `JSON` value to keep with it")
	fs.StringVar(&f.timestamp, "timestamp", "", "`time` when it happened (Unix seconds, RFC 3339, or a date, UTC; default now)")
	fs.StringVar(&f.id, "id", "", "id to use; an entry that has it is replaced")
	fs.StringVar(&f.ttl, "ttl", "", "`duration` after which it is forgotten (90m, 12h, 30d, 2w)")
	fs.StringVar(&f.expires, "expires", "", "`time` from which it is forgotten")
	fs.BoolVar(&f.dedup, "dedup", false, "save nothing when the scope has this very text already, and print the id of that")
	fs.BoolVar(&f.json, "json", false, "print JSON")
	return cmd
}

func (a *app) save(ctx context.Context, args []string, f *saveFlags) error {
	o, err := f.options()
	if err != nil {
		return err
	}
	text, err := a.text(ctx, args)
	if err != nil {
		return err
	}
	if text == "" {
		return usagef("the text is empty") // before a store is made for it
	}
	var redacted []contextforge.Redaction
	o.Redacted = &redacted
	return a.withNewStore(ctx, func(ctx context.Context, m *contextforge.Memory) error {
		id, err := m.Save(ctx, text, f.kind, o)
		switch {
		case err != nil:
			return err
		case f.json:
			return a.printJSON(struct {
				ID       string                   `json:"id"`
				Redacted []contextforge.Redaction `json:"redacted,omitempty"`
			}{id, redacted})
		}
		return a.printf("%s\n", visible(id))
	})
}

func (f *saveFlags) options() (o contextforge.SaveOptions, err error) {
	o = contextforge.SaveOptions{Scope: f.scope, SessionID: f.session, ID: f.id, Dedup: f.dedup}
	if o.Metadata, err = metadataFlag(f.metadata); err != nil {
		return o, err
	}
	if o.Timestamp, err = timeFlag("timestamp", f.timestamp); err != nil {
		return o, err
	}
	if o.TTL, err = durationFlag("ttl", f.ttl); err != nil {
		return o, err
	}
	o.ExpiresAt, err = timeFlag("expires", f.expires)
	return o, err
}

type updateFlags struct {
	kind, metadata, session, expires string
	noSession, json                  bool
}

func (a *app) updateCommand() *cobra.Command {
	var f updateFlags
	cmd := &cobra.Command{
		Use:   "update ID [TEXT]",
		Short: "Change an entry; the version before goes to its history",
		Long: `Change an entry in place; the version before goes to its history. TEXT replaces
the content and may be several words; "-", or neither TEXT nor a flag, reads it
from stdin. What isn't given stays as it is.`,
		Args: firstOperand("ID"),
	}
	fs := cmd.Flags()
	fs.StringVar(&f.kind, "kind", "", "new kind")
	fs.StringVar(&f.session, "session", "", "new session")
	fs.BoolVar(&f.noSession, "no-session", false, "no session any more")
	fs.StringVar(&f.metadata, "metadata", "", "new metadata, any `JSON` value; null for none")
	fs.StringVar(&f.expires, "expires", "", "`time` from which it is forgotten; never to keep it")
	fs.BoolVar(&f.json, "json", false, "print the entry as JSON")
	cmd.RunE = runs(func(ctx context.Context, args []string) error {
		c, err := f.change(fs.Changed)
		if err = errors.Join(err, exclusive(fs, "session", "no-session")); err != nil {
			return err
		}
		if len(args) > 1 || !slices.ContainsFunc([]string{"kind", "session", "no-session", "metadata", "expires"}, fs.Changed) {
			text, err := a.text(ctx, args[1:])
			if err != nil {
				return err
			}
			c.Content = &text
		}
		return a.update(ctx, args[0], c, f.json)
	})
	return cmd
}

func (f *updateFlags) change(given func(flag string) bool) (c contextforge.Change, err error) {
	if given("kind") {
		c.Kind = &f.kind
	}
	if given("session") || f.noSession {
		c.SessionID = &f.session
	}
	if given("metadata") {
		c.SetMetadata = true
		if c.Metadata, err = metadataFlag(f.metadata); err != nil {
			return c, err
		}
	}
	if given("expires") {
		var at time.Time
		if f.expires != "never" {
			if at, err = timeFlag("expires", f.expires); err != nil {
				return c, err
			}
		}
		c.ExpiresAt = &at
	}
	return c, nil
}

func (a *app) update(ctx context.Context, id string, c contextforge.Change, asJSON bool) error {
	return a.withFullStore(ctx, func(ctx context.Context, m *contextforge.Memory) error {
		e, err := m.Update(ctx, id, c)
		switch {
		case err != nil:
			return err
		case asJSON:
			return a.printJSON(e)
		}
		return a.printf("updated %s\n", visible(e.ID))
	})
}
