package main

// This file decides how filters, times and values are written on the command
// line.

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/contextforge-go/contextforge"
)

// filterFlags are the flags that restrict which entries are meant.
type filterFlags struct {
	scope, session, since, until string
	global                       bool
	kinds, metadata              []string
}

func (f *filterFlags) add(fs *pflag.FlagSet) {
	fs.StringVar(&f.scope, "scope", "", "only this scope")
	fs.BoolVar(&f.global, "global", false, "only entries without a scope")
	fs.StringArrayVar(&f.kinds, "kind", nil, "only this kind; give it again for several")
	fs.StringVar(&f.session, "session", "", "only this session")
	fs.StringVar(&f.since, "since", "", "only from this `time` on (Unix seconds, RFC 3339, or a date, UTC)")
	fs.StringVar(&f.until, "until", "", "only before this `time`")
	fs.StringArrayVar(&f.metadata, "metadata", nil, "only with this metadata field, `key=value`; give it again for several")
}

// isZero reports whether nothing is restricted.
func (f *filterFlags) isZero() bool {
	return f.scope+f.session+f.since+f.until == "" && !f.global && len(f.kinds)+len(f.metadata) == 0
}

func (f *filterFlags) filter() (contextforge.Filter, error) {
	out := contextforge.Filter{Scope: f.scope, GlobalOnly: f.global, Kinds: f.kinds, SessionID: f.session}
	if f.global && f.scope != "" {
		return out, usagef("--scope and --global exclude each other")
	}
	var err error
	if out.Since, err = timeFlag("since", f.since); err != nil {
		return out, err
	}
	if out.Until, err = timeFlag("until", f.until); err != nil {
		return out, err
	}
	for _, pair := range f.metadata {
		key, value, ok := strings.Cut(pair, "=")
		if !ok {
			return out, usagef("--metadata %q is not key=value", pair)
		}
		if out.Metadata == nil {
			out.Metadata = map[string]any{}
		}
		out.Metadata[key] = jsonOrText(value)
	}
	return out, nil
}

// jsonOrText takes what is a JSON value as that, anything else as a string.
func jsonOrText(s string) any {
	if json.Valid([]byte(s)) {
		return json.RawMessage(s)
	}
	return s
}

// metadataFlag returns the metadata of a save or an update.
func metadataFlag(s string) (any, error) {
	if s == "" {
		return nil, nil
	}
	if !json.Valid([]byte(s)) {
		return nil, usagef("--metadata is not JSON: %s", s)
	}
	return json.RawMessage(s), nil
}

func timeFlag(name, s string) (time.Time, error) {
	if s == "" {
		return time.Time{}, nil
	}
	if day, err := time.Parse(time.DateOnly, s); err == nil {
		return day, nil
	}
	t, err := contextforge.ParseTime(s)
	if err != nil {
		return t, usagef("--%s: %s", name, timeReason(message(err)+", nor a date such as 2026-03-01"))
	}
	return t, nil
}

// timeReason adds to the reason why a time isn't one what may be behind it.
func timeReason(reason string) string {
	// The complaint about a time of 13 digits.
	if regexp.MustCompile(`\btime "?-?\d{13}(\.\d*)?"? is neither`).MatchString(reason) {
		return reason + "; is it in milliseconds?"
	}
	return reason
}

// durationFlag reads a positive duration; besides Go's units it knows d and w. The
// empty string is 0.
func durationFlag(name, s string) (time.Duration, error) {
	if s == "" {
		return 0, nil
	}
	d, err := time.ParseDuration(s)
	for unit, length := range map[string]time.Duration{"d": 24 * time.Hour, "w": 7 * 24 * time.Hour} {
		number, ok := strings.CutSuffix(s, unit)
		if n, numErr := strconv.ParseFloat(number, 64); ok && numErr == nil && math.Abs(n) < float64(math.MaxInt64/length) {
			d, err = time.Duration(n*float64(length)), nil
		}
	}
	if err != nil || d <= 0 {
		return 0, usagef("--%s %q is not a duration such as 90m, 12h, 30d or 2w", name, s)
	}
	return d, nil
}

// rankingFlag returns a preset, nil for that of the configuration.
func rankingFlag(name string) (*contextforge.Ranking, error) {
	var r contextforge.Ranking
	switch name {
	case "":
		return nil, nil
	case "default":
		r = contextforge.RankingDefault()
	case "reference":
		r = contextforge.RankingReference()
	case "reference09":
		r = contextforge.RankingReference09()
	default:
		return nil, usagef("--ranking %q is not default, reference or reference09", name)
	}
	return &r, nil
}

// maxText is one byte more than the library takes, so that it can say no.
const maxText = 512<<20 + 1

// errNoText says that neither arguments nor stdin have what is needed.
var errNoText = errors.New("no text: give it as an argument or on stdin")

// text returns what the arguments say, or stdin when there are none or they are
// "-". One line break at the end of stdin is not part of it.
func (a *app) text(ctx context.Context, args []string) (string, error) {
	if len(args) > 0 && !(len(args) == 1 && args[0] == "-") {
		return strings.Join(args, " "), nil
	}
	if len(args) == 0 && a.stdinTerminal {
		return "", &usageError{errNoText}
	}
	all, err := io.ReadAll(io.LimitReader(a.interruptible(ctx), maxText))
	s := strings.TrimSuffix(string(all), "\n")
	return strings.TrimSuffix(s, "\r"), err
}
