// How the API key and other secrets are kept out of all that is shown.

package openai

import (
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/url"
	"strconv"
	"strings"

	"github.com/contextforge-go/contextforge/scrub"
)

const (
	redactedKey = "[REDACTED:api_key]"
	// maxQuoted is how many chars of a text of the server's are shown.
	maxQuoted = 200
	// minDistinctKey is the length from which on a key can be told from a word; "ollama"
	// is a customary key where none is needed.
	minDistinctKey = 8
)

// veil hides one key in texts. It holds the key in a closure, since package fmt
// prints unexported fields by reflection.
type veil struct {
	key  func() string
	hide func(string) string
}

func newVeil(key string) veil {
	if key == "" {
		return veil{key: func() string { return "" }, hide: func(text string) string { return text }}
	}
	escaped, _ := json.Marshal(key) // a string can always be marshalled
	var pairs []string
	for _, form := range []string{
		key, strings.Trim(string(escaped), `"`), strings.ReplaceAll(key, "/", `\/`), url.QueryEscape(key), url.PathEscape(key),
	} {
		pairs = append(pairs, form, redactedKey)
	}
	return veil{key: func() string { return key }, hide: strings.NewReplacer(pairs...).Replace}
}

// hideInMemory hides a key in a text of the model's, unless the key is as short as
// words are.
func (v veil) hideInMemory(text string) string {
	if len(v.key()) < minDistinctKey {
		return text
	}
	return v.hide(text)
}

// quote makes a text of the server's fit for messages: no key, no other secrets,
// no control characters, and short. Secrets go before anything is cut.
func (v veil) quote(text string) string {
	text, _ = scrub.Scrub(v.hide(strings.TrimSpace(text)))
	text = hideUserinfo(text)
	short := headChars(text, maxQuoted)
	quoted := strconv.Quote(short)
	quoted = strings.ReplaceAll(quoted[1:len(quoted)-1], `\"`, `"`)
	if len(short) < len(text) {
		quoted += "…"
	}
	return quoted
}

// hideUserinfo hides user and password in the URLs in a text.
func hideUserinfo(text string) string {
	var b strings.Builder
	for {
		before, after, found := strings.Cut(text, "://")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		b.WriteString("://")
		end := strings.IndexAny(after, "/?# \t\r\n\"'<>")
		if end < 0 {
			end = len(after)
		}
		if at := strings.LastIndexByte(after[:end], '@'); at >= 0 {
			b.WriteString("[REDACTED:userinfo]")
			after = after[at:]
		}
		text = after
	}
}

// headChars returns the first n chars of text.
func headChars(text string, n int) string {
	for i := range text {
		if n == 0 {
			return text[:i]
		}
		n--
	}
	return text
}

// shownURL is a URL without user, password, fragment and the values of its query.
func shownURL(text string) string {
	u, err := url.Parse(strings.TrimSpace(text))
	if err != nil || u.Scheme != "http" && u.Scheme != "https" {
		if text == "" {
			return ""
		}
		return "[unreadable]"
	}
	shown := u.Scheme + "://" + u.Host + u.EscapedPath()
	if u.RawQuery != "" {
		shown += "?…"
	}
	return shown
}

// shown is what Options and Client look like when they are printed.
type shown struct {
	BaseURL, Model, APIKey string
}

func (o Options) shown() shown {
	v := newVeil(strings.TrimSpace(o.APIKey))
	s := shown{BaseURL: v.hide(shownURL(o.BaseURL)), Model: v.hide(o.Model)}
	if o.APIKey != "" {
		s.APIKey = redactedKey
	}
	return s
}

func (s shown) text(name string) string {
	return fmt.Sprintf("openai.%s{BaseURL: %q, Model: %q, APIKey: %q}", name, s.BaseURL, s.Model, s.APIKey)
}

func (s shown) log() slog.Value {
	return slog.GroupValue(slog.String("base_url", s.BaseURL), slog.String("model", s.Model), slog.String("api_key", s.APIKey))
}

// String returns endpoint and model. The key is only said to be there.
func (o Options) String() string { return o.shown().text("Options") }

// GoString is String.
func (o Options) GoString() string { return o.String() }

// Format writes String for every verb.
func (o Options) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, o.String()) }

// MarshalJSON writes what String does as an object.
func (o Options) MarshalJSON() ([]byte, error) { return json.Marshal(o.shown()) }

// LogValue logs what String writes.
func (o Options) LogValue() slog.Value { return o.shown().log() }

// String returns endpoint and model. The key is only said to be there.
func (c *Client) String() string { return c.shown.text("Client") }

// GoString is String.
func (c *Client) GoString() string { return c.String() }

// Format writes String for every verb.
func (c *Client) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, c.String()) }

// MarshalJSON writes what String does as an object.
func (c *Client) MarshalJSON() ([]byte, error) { return json.Marshal(c.shown) }

// LogValue logs what String writes.
func (c *Client) LogValue() slog.Value { return c.shown.log() }
