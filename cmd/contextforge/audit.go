package main

// This file decides how the secrets in a store are listed and redacted.

import (
	"context"

	"github.com/contextforge-go/contextforge"
)

// auditStore looks for secrets in the store.
func (a *app) auditStore(ctx context.Context, f *scrubFlags) error {
	cfg, err := a.settings()
	if err != nil {
		return err
	}
	f.applyTo(&cfg.Scrub)
	a.scrubNotes(&cfg.Scrub)
	embedder := a.embedWith
	if !f.fix {
		embedder = nil
	}
	return a.withExisting(ctx, unlimited(cfg), embedder, func(ctx context.Context, m *contextforge.Memory) error {
		o := contextforge.AuditOptions{Fix: f.fix, Found: func(found contextforge.SecretFinding) {
			_ = a.listStored(&found, f.json) // the writer keeps the error
		}}
		report, err := m.AuditSecrets(ctx, o)
		if err != nil {
			return err
		}
		if err := a.printAudit(&report, f); err != nil {
			return err
		}
		if report.Left > 0 {
			return exitCode(exitSecrets)
		}
		return nil
	})
}

func (a *app) listStored(found *contextforge.SecretFinding, asJSON bool) error {
	if asJSON {
		return a.printJSON(found)
	}
	where := visible(found.Entry)
	if found.Entry == "" {
		where = "the store"
	}
	if err := a.printf("%s  %s", where, found.Field); err != nil {
		return err
	}
	if found.Version > 0 {
		if err := a.printf(" of version %d", found.Version); err != nil {
			return err
		}
	}
	return a.printf(", bytes %d to %d: %s\n", found.Start, found.End, kindOf(found.Label, found.Rule))
}

func (a *app) printAudit(r *contextforge.AuditReport, f *scrubFlags) error {
	if f.json {
		return a.printJSON(r)
	}
	err := a.printf("%s in %s and %s\n", count(r.Secrets, "secret", "secrets"), entries(r.Entries),
		count(r.Versions, "earlier version", "earlier versions"))
	if err != nil || !f.fix {
		return err
	}
	return a.printf("redacted %s, %d of them renamed; %d left; compacted\n", entries(r.Redacted), r.Renamed, r.Left)
}
