package main

// This file decides how a transcript is distilled into the store: from where, by
// what, and what is said meanwhile.

import (
	"cmp"
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/contextforge-go/contextforge"
	"github.com/contextforge-go/contextforge/distill"
	"github.com/contextforge-go/contextforge/distill/openai"
	"github.com/contextforge-go/contextforge/render"
)

// apiKeyEnv holds the key of an endpoint when --api-key-env names nothing else.
const apiKeyEnv = "CONTEXTFORGE_API_KEY"

// endpointChunk is how many chars of a transcript an endpoint gets at a time: some
// 3,000 tokens, so that small models keep track.
const endpointChunk = 12_000

type distillFlags struct {
	url, model, keyEnv, schema string
	timeout                    time.Duration
	extractive                 bool
	chunk, concurrency         int
	keepGoing                  bool
	scope, session             string
	timestamp, since, until    string
	metadata                   string
	dryRun, json               bool
	given                      func(flag string) bool
	unsupported                []distill.Dropped // of replies
	brokenOff                  int               // replies of which the end is lost
	unsupportedMu              sync.Mutex
}

func (a *app) distillCommand() *cobra.Command {
	var f distillFlags
	cmd := &cobra.Command{
		Use:   "distill [FILE|-]",
		Short: "Make a summary and facts of a transcript and save them",
		Long: `Make a summary and facts of the transcript of a conversation, from FILE or stdin,
and save them in one commit, or nothing if anything fails. Secrets and recalled
memory are cut out of the transcript before anybody sees it.

--url and --model name the model that does it, behind any endpoint that speaks the
protocol of OpenAI, such as http://localhost:11434/v1. Its key, if it wants one, is
read from the variable ` + apiKeyEnv + `, or from that which --api-key-env
names. Without --url sentences are picked by rules, offline: that finds less.

Facts that the scope has already are not saved again, and a state or decision that
is newer takes the place of an older one about the same; query leaves that out
unless --superseded is given. So give older transcripts their time, by --until.

The exit code is 6 when --keep-going left parts of the transcript out.`,
		Args: operands("FILE", 0, 1),
		RunE: runs(func(ctx context.Context, args []string) error { return a.distill(ctx, args, &f) }),
	}
	f.add(cmd.Flags())
	return cmd
}

func (f *distillFlags) add(fs *pflag.FlagSet) {
	fs.StringVar(&f.url, "url", "", "`URL` of an endpoint that speaks the protocol of OpenAI, up to /chat/completions")
	fs.StringVar(&f.model, "model", "", "`name` of the model as the endpoint knows it")
	fs.StringVar(&f.keyEnv, "api-key-env", "", "`variable` of the environment that holds the endpoint's key (default "+apiKeyEnv+")")
	fs.StringVar(&f.schema, "schema", "openai", "how the endpoint is told what to answer: openai (also Ollama, vLLM) or llama-server")
	fs.DurationVar(&f.timeout, "timeout", openai.DefaultTimeout, "how `long` one answer may take")
	fs.BoolVar(&f.extractive, "extractive", false, "pick sentences by rules, offline (default without --url)")
	fs.IntVar(&f.chunk, "chunk", 0, "give at most so many `chars` of the transcript at a time, 0 for all (default 12000 with --url, else all)")
	fs.IntVar(&f.concurrency, "concurrency", 1, "`chunks` at the same time")
	fs.BoolVar(&f.keepGoing, "keep-going", false, "leave out chunks that fail as long as one succeeds")
	fs.StringVar(&f.scope, "scope", "", "scope to save into (default the global one)")
	fs.StringVar(&f.session, "session", "", "session that the transcript is of")
	fs.StringVar(&f.timestamp, "timestamp", "", "`time` when the facts held (Unix seconds, RFC 3339, or a date, UTC; default --until, else now)")
	fs.StringVar(&f.since, "since", "", "`time` when the transcript begins")
	fs.StringVar(&f.until, "until", "", "`time` when it ends")
	fs.StringVar(&f.metadata, "metadata", "", "a `JSON` object to keep with summary and facts")
	fs.BoolVar(&f.dryRun, "dry-run", false, "save nothing, say what would be")
	fs.BoolVar(&f.json, "json", false, "print JSON")
	f.given = fs.Changed
}

// check refuses flags that don't go together.
func (f *distillFlags) check() error {
	switch {
	case f.url != "" && f.extractive:
		return usagef("--url and --extractive exclude each other")
	case f.url != "" && f.model == "":
		return usagef("--url needs --model")
	case f.chunk < 0:
		return usagef("--chunk %d is negative", f.chunk)
	case f.concurrency < 1:
		return usagef("--concurrency %d is not a positive number", f.concurrency)
	case f.timeout <= 0:
		return usagef("--timeout %v is not a positive duration", f.timeout)
	case f.schema != "openai" && f.schema != "llama-server":
		return usagef("--schema %q is not openai or llama-server", f.schema)
	}
	for _, name := range []string{"model", "api-key-env", "schema", "timeout"} {
		if f.url == "" && f.given(name) {
			return usagef("--%s needs --url", name)
		}
	}
	return nil
}

func (f *distillFlags) options() (o contextforge.DistillOptions, err error) {
	o = contextforge.DistillOptions{Scope: f.scope, SessionID: f.session, DryRun: f.dryRun}
	if o.Metadata, err = metadataFlag(f.metadata); err != nil {
		return o, err
	}
	for _, t := range []struct {
		name, value string
		to          *time.Time
	}{{"timestamp", f.timestamp, &o.Timestamp}, {"since", f.since, &o.Since}, {"until", f.until, &o.Until}} {
		if *t.to, err = timeFlag(t.name, t.value); err != nil {
			return o, err
		}
	}
	return o, nil
}

func (a *app) distill(ctx context.Context, args []string, f *distillFlags) error {
	if err := f.check(); err != nil {
		return err
	}
	o, err := f.options()
	if err != nil {
		return err
	}
	transcript, err := a.transcript(ctx, args)
	if err != nil {
		return err
	}
	cfg, err := a.settings()
	if err != nil {
		return err
	}
	p := &chunkProgress{app: a}
	d, err := a.distiller(&cfg, f, p)
	if err != nil {
		return err
	}
	known, err := a.distillAhead(ctx, cfg, transcript, d, o)
	p.clear()
	if err != nil {
		return err
	}
	a.global.wait = max(a.global.wait, distilledWait)
	return a.withStoreToDistill(ctx, cfg, f.dryRun, func(ctx context.Context, m *contextforge.Memory) error {
		res, err := m.DistillAndSave(ctx, transcript, known, o)
		if err != nil {
			return err
		}
		return a.printDistilled(&res, f)
	})
}

// distilledWait is the least time to wait for a store that is in use, once there
// is something to be lost.
const distilledWait = 10 * time.Second

// distillAhead has the transcript distilled, as DistillAndSave would do, without
// holding the store meanwhile, which can be minutes. It returns a distiller that
// gives what came out. That the store can be used is tried before.
func (a *app) distillAhead(ctx context.Context, cfg contextforge.Config, transcript string, d distill.Distiller, o contextforge.DistillOptions) (distill.Distiller, error) {
	err := requireStore(cfg.Path)
	if err == nil && cfg.Path != contextforge.MemoryPath {
		err = a.withMemory(ctx, unlimited(cfg), func(context.Context, *contextforge.Memory) error { return nil })
	}
	if err != nil && !errors.Is(err, errNoStore) {
		return nil, err
	}
	cfg.Path, cfg.Rand, o.DryRun = contextforge.MemoryPath, nil, true
	cfg.Hooks = contextforge.Hooks{} // they are called when it is saved
	var memory distill.DistilledMemory
	var partial error
	noted := distill.DistillerFunc(func(ctx context.Context, text string) (distill.DistilledMemory, error) {
		memory, partial = d.Distill(ctx, text)
		return memory, partial
	})
	err = a.withMemory(ctx, cfg, func(ctx context.Context, m *contextforge.Memory) error {
		_, err := m.DistillAndSave(ctx, transcript, noted, o)
		return err
	})
	return distill.DistillerFunc(func(context.Context, string) (distill.DistilledMemory, error) { return memory, partial }), err
}

// transcript reads the file or stdin.
func (a *app) transcript(ctx context.Context, args []string) (text string, err error) {
	in := a.interruptible(ctx)
	switch {
	case len(args) == 0 && a.stdinTerminal:
		return "", usagef("name a file, or give the transcript on stdin")
	case len(args) > 0 && args[0] != "-":
		file, err := os.Open(args[0])
		if err != nil {
			return "", err
		}
		defer func() { err = errors.Join(err, file.Close()) }()
		in = file
	}
	all, err := io.ReadAll(io.LimitReader(in, maxText))
	switch {
	case err != nil:
		return "", err
	case len(all) == maxText:
		return "", usagef("the transcript is longer than 512 MiB")
	case strings.TrimSpace(string(all)) == "":
		return "", usagef("the transcript is empty")
	}
	return string(all), nil
}

// withStoreToDistill opens the store for what is distilled; a dry run makes none
// and changes none.
func (a *app) withStoreToDistill(ctx context.Context, cfg contextforge.Config, dry bool, use useFunc) error {
	if !dry {
		if err := a.embedWith(&cfg); err != nil {
			return err
		}
		return a.withMemory(ctx, cfg, use)
	}
	if errors.Is(requireStore(cfg.Path), errNoStore) {
		cfg.Path = contextforge.MemoryPath
	}
	return a.withMemory(ctx, unlimited(cfg), use)
}

// distiller returns what distills, in chunks if that is asked for.
func (a *app) distiller(cfg *contextforge.Config, f *distillFlags, p *chunkProgress) (distill.Distiller, error) {
	d := distill.NewExtractive(distill.ExtractiveOptions{Strip: render.StripRecalled})
	chunk := f.chunk
	if f.url != "" {
		client, err := a.endpoint(f)
		if err != nil {
			return nil, err
		}
		d = client
		if !f.given("chunk") {
			chunk = endpointChunk
		}
	}
	if chunk == 0 {
		return d, nil
	}
	secrets, err := cfg.Scrub.Scrubber()
	if err != nil {
		return nil, err
	}
	clean := func(text string) string {
		text, _ = secrets.Scrub(text)
		return text
	}
	o := distill.ChunkOptions{Concurrency: f.concurrency, Progress: p.show, Scrub: clean}
	if f.keepGoing {
		o.Policy = distill.KeepSucceeded
	}
	return distill.Chunking(d, chunk, o), nil
}

// endpoint returns the client of an endpoint.
func (a *app) endpoint(f *distillFlags) (distill.Distiller, error) {
	key := a.env(cmp.Or(f.keyEnv, apiKeyEnv))
	if f.keyEnv != "" && key == "" {
		return nil, usagef("the variable %s, which --api-key-env names, is not set", f.keyEnv)
	}
	o := openai.Options{
		BaseURL: f.url, Model: f.model, APIKey: key, Timeout: f.timeout, Proxy: http.ProxyFromEnvironment,
		MaxTranscriptChars: -1, OnReport: f.report,
	}
	if a.global.verbose {
		o.Logger = a.logger() // without, noteLosses says it in short
	}
	if f.schema == "llama-server" {
		o.Schema = openai.SchemaLlamaServer
	}
	client, err := openai.New(o)
	if err != nil {
		return nil, &usageError{err}
	}
	return client, nil
}

// report notes what a client left out of a reply.
func (f *distillFlags) report(r openai.Report) {
	f.unsupportedMu.Lock()
	defer f.unsupportedMu.Unlock()
	f.unsupported = append(f.unsupported, r.Dropped...)
	if r.Truncated {
		f.brokenOff++
	}
}

// chunkProgress shows how many chunks are distilled: a bar for a person who
// watches, else a line at every tenth of them.
type chunkProgress struct {
	app    *app
	bar    *progressbar.ProgressBar
	tenths int // that were said
}

func (p *chunkProgress) show(done, total int) {
	if p.app.stderrTerminal {
		p.draw(done, total)
		return
	}
	if tenths := done * 10 / max(total, 1); tenths > p.tenths && done < total {
		p.tenths = tenths
		p.app.note("distilled %d of %s", done, count(total, "chunk", "chunks"))
	}
}

// draw moves the bar; that it can't be drawn is no reason to stop.
func (p *chunkProgress) draw(done, total int) {
	if p.bar == nil {
		p.bar = progressbar.NewOptions(total,
			progressbar.OptionSetWriter(p.app.stderr),
			progressbar.OptionSetDescription("distilling"),
			progressbar.OptionShowCount(),
			progressbar.OptionClearOnFinish(),
			progressbar.OptionThrottle(barInterval),
		)
	}
	_ = p.bar.Set(done)
}

func (p *chunkProgress) clear() {
	if p.bar != nil {
		_ = p.bar.Clear()
	}
}

// distilled is the outcome as JSON.
type distilled struct {
	contextforge.DistillResult
	DryRun      bool `json:"dry_run"`
	Failed      int  `json:"failed_chunks"`
	Unsupported int  `json:"unsupported"` // parts of replies that were left out
}

// printDistilled says what was saved, or would be, and what wasn't.
func (a *app) printDistilled(res *contextforge.DistillResult, f *distillFlags) error {
	a.noteLosses(res, f)
	out := distilled{DistillResult: *res, DryRun: f.dryRun, Unsupported: len(f.unsupported)}
	if res.Partial != nil {
		out.Failed = len(res.Partial.Failed)
	}
	var err error
	if f.json {
		err = a.printJSON(out)
	} else {
		err = a.printDistilledText(res, f.dryRun)
	}
	if err == nil && out.Failed > 0 {
		return exitCode(exitPartial)
	}
	return err
}

func (a *app) printDistilledText(res *contextforge.DistillResult, dry bool) error {
	ids := slices.Clone(res.IDs)
	line := func(what, id, text string) error {
		return a.printf("%-10s  %s  %s\n", what, shown(id, "-"), visible(strings.Join(strings.Fields(text), " ")))
	}
	next := func() (id string) {
		if len(ids) > 0 {
			id, ids = ids[0], ids[1:]
		}
		return id
	}
	var err error
	switch {
	case res.StoredSummary != "":
		err = line("skipped", res.StoredSummary, res.Summary+" (stored)")
	case res.Summary != "":
		err = line("summary", next(), res.Summary)
	}
	for _, fact := range res.Facts {
		err = errors.Join(err, line(string(fact.Kind), next(), fact.Text))
	}
	for _, s := range res.Skipped {
		err = errors.Join(err, line("skipped", s.ID, s.Fact.Text+" ("+string(s.Reason)+")"))
	}
	for _, s := range res.Superseded {
		err = errors.Join(err, line("superseded", s.ID, s.Content+" → "+s.ByContent))
	}
	saved, skipped := len(res.Facts), len(res.Skipped)
	switch {
	case res.StoredSummary != "":
		skipped++
	case res.Summary != "":
		saved++
	}
	verb := "saved"
	if dry {
		verb = "would save"
	}
	return errors.Join(err, a.printf("%s %s, skipped %d, superseded %d\n", verb, entries(saved), skipped, len(res.Superseded)))
}

// noteLosses says what of the transcript, or of what a model made of it, isn't in
// the result.
func (a *app) noteLosses(res *contextforge.DistillResult, f *distillFlags) {
	if res.Partial != nil {
		for _, c := range res.Partial.Failed {
			a.note("chunk %d of %d is left out: %s", c.Index+1, res.Partial.Total, oneLine(message(c.Err)))
		}
	}
	if f.brokenOff > 0 {
		a.note("%s broke off, and what would have followed is lost; a smaller --chunk may help", count(f.brokenOff, "reply", "replies"))
	}
	if n := len(f.unsupported); n > 0 && !a.global.verbose {
		a.note("%s left out, as faulty or not in the transcript; -v says which", count(n, "part of the model's replies is", "parts of the model's replies are"))
	}
	for _, d := range f.unsupported {
		if a.global.verbose {
			a.note("left out (%s): %s", d.Reason, oneLine(d.Fact.Text))
		}
	}
}
