// Which sentences give what a value: rows 174 to 176, weakness W24.

package analysis

import (
	"strings"
	"testing"
)

// classifyOne returns the classification of a single text.
func classifyOne(text string, terms ...string) Classified {
	return Classify([]Passage{{Text: text, Terms: terms}}, ClassifyConfig{})[0]
}

// stated returns "entity|value", "" if the text states nothing.
func stated(text string) string {
	c := classifyOne(text)
	if !has(c, Stateful) {
		return c.Entity + c.Value
	}
	return c.Entity + "|" + c.Value
}

func has(c Classified, category Category) bool {
	for _, have := range c.Categories {
		if have == category {
			return true
		}
	}
	return false
}

func TestStateful(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"row 174: set to", "The timeout was set to 30 seconds.", "timeout|30 seconds"},
		{"row 174: changed to", "The region changed to eu-west-1.", "region|eu-west-1"},
		{"row 174: =", "timeout = 30", "timeout|30"},
		{"row 174: is now", "The primary database is now PostgreSQL.", "primary database|PostgreSQL"},
		{"row 174: is set to", "The retry limit is set to 5.", "retry limit|5"},
		{"updated to", "The TLS version has been updated to 1.3", "tls version|1.3"},
		{"now uses", "The gateway now uses gRPC", "gateway|gRPC"},
		{"assignment without blanks", "port=8080", "port|8080"},
		{"port:", "The server port: 8080", "server port|8080"},
		{"IP:", "staging server IP: 10.0.0.7, as before", "staging server ip|10.0.0.7"},
		{"arrow", "retries: 3 -> 5", "retries|5"},
		{"arrow sign", "max connections → 100", "max connections|100"},
		{"colon assignment", "workers := 4", "workers|4"},
		{"upper case", "THE PORT IS SET TO 80", "port|80"},
		{"other blanks", "The port is\u00a0set  to 80", "port|80"},
		{"accents", "Die Größe is set to GROẞ", "die größe|GROẞ"},
		{"Greek", "Η θύρα = 80", "η θύρα|80"},
		{"signs in the value", "CPU quota is set to 80%, discount is $5", "cpu quota|80%"},
		{"negative value", "offset = -1", "offset|-1"},

		{"row 175: bare is", "The port is 80.", ""},
		{"row 175: lone set", "The set of ports was large.", ""},
		{"row 175: reset to", "The counter was reset to 0.", ""},
		{"row 175: part of a word", "The report: fine", ""},
		{"row 176: numeric entity", "42 = 42", ""},
		{"row 176: numeric entity in words", "80 is now 81", ""},
		{"nothing before", "is set to 80", ""},
		{"nothing after", "The port is set to", ""},
		{"nothing but signs after", "The port is set to !!!", ""},
		{"question", "Is the port set to 80?", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := stated(tt.text); got != tt.want {
				t.Errorf("%q: %q, want %q", tt.text, got, tt.want)
			}
		})
	}
}

func TestW24SignsInCode(t *testing.T) {
	for _, text := range []string{
		"see https://example.org/search?a=b for more",
		"open example.org/?page=2&size=10 in the browser",
		"curl host:80/x?port=1",
		"if x == 5 we stop", "it holds that a <= b", "only if a >= b", "wherever a != b", "x => y", "total += 5", "a === b",
		"5 x 8 = 40", "x ~= y", "a <- b", "a --> b", "a ->> b",
		"const limit = 5", "let size = compute()", "int n = 3;", "total = sum(values)", "m[key] = value", "x = {a: 1}",
		"func f() -> int", "def area(r) -> float: pass", "head->next is null", "x:=5",
		"run it with --port=80", "export PORT=80", `<a href="x" class=y>`, "$x = 5 in the script",
		"the call `port = 80` is in the file", "SELECT name FROM users WHERE id = 7",
		"user.name=root", "// limit = 5", "key=https://example.org",
	} {
		if got := stated(text); got != "" {
			t.Errorf("%q states %q", text, got)
		}
	}
	for text, want := range map[string]string{
		"`timeout` = 30":                             "timeout|30",
		"`port` is set to `8080`":                    "port|8080",
		"I ran f(x) and the port is set to 80":       "port|80",
		"It is not `a = 1`, but limit = 2":           "limit|2",
		"See https://x.org/?a=b. The limit is now 5": "limit|5",
	} {
		if got := stated(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestW24Entities(t *testing.T) {
	tests := []struct {
		name, want string
		texts      []string
	}{
		{"one entity in many words", "api port", []string{
			"the API port is set to 80", "API port changed to 81", "Our API port is now 82", "Now the API port = 83",
			"Actually, the API port was changed to 84.", "As we agreed the API port has been updated to 85",
			"We talked. The API port is set to 86", "In staging the API port is set to 87", "(the API port is now 88)",
			"the API port has now been changed to 89", "I confirm that our API port is now 90", "So, now our API port is 1 and the API port = 2",
			"Yes - the API port is now 91", "It was slow because the API port was set to 1", "Please note: the API port is now 92",
		}},
		{"a phrase with a preposition", "timeout of gateway", []string{"The timeout of the gateway is set to 30", "timeout of gateway = 30"}},
		{"at most four words", "two three four five", []string{"one two three four five is set to 6"}},
		{"no pronoun", "", []string{"It is now 5", "That is now 5", "We changed to Postgres", "I = 5", "They are now set to fail"}},
		{"no sentence border", "", []string{"I like the port. Is set to 80", "the port\nis set to 80"}},
	}
	for _, tt := range tests {
		for _, text := range tt.texts {
			if got := classifyOne(text); got.Entity != tt.want {
				t.Errorf("%s: %q: entity %q, want %q", tt.name, text, got.Entity, tt.want)
			}
		}
	}
}

func TestW24Values(t *testing.T) {
	tests := []struct{ text, want string }{
		{"The port is set to 80. It works", "80"},
		{"The port is set to 80, which works", "80"},
		{"The port is set to 80 because 79 was taken", "80"},
		{"The port is set to 80 and the host is down", "80"},
		{"The colours are set to red and blue", "red and blue"},
		{"The port is set to 80\nmore", "80"},
		{"The port is set to 80 - finally", "80"},
		{"The port is set to (80)", "80"},
		{"The version is now v1.2.3!", "v1.2.3"},
		{"The plan is now one two three four five six seven", "one two three four five six"},
		{"The path is set to /etc/hosts", "/etc/hosts"},
		{`The name is set to "Ana B."`, "Ana B"},
	}
	for _, tt := range tests {
		if got := classifyOne(tt.text); got.Value != tt.want {
			t.Errorf("%q: value %q, want %q", tt.text, got.Value, tt.want)
		}
	}
}

// The first operator that gives something a value counts, the longer one where
// two begin at one place.
func TestStatefulOrder(t *testing.T) {
	tests := []struct{ text, want string }{
		{"The port is set to 80. The host is set to a.", "port|80"},
		{"It is now 5. The port is set to 80.", "port|80"},
		{"42 = 42, and the port = 80", "port|80"},
		{"The port is now set to 80", "port|set to 80"},
	}
	for _, tt := range tests {
		if got := stated(tt.text); got != tt.want {
			t.Errorf("%q: %q, want %q", tt.text, got, tt.want)
		}
	}
}

// Of what is no language only so much is looked at.
func TestStatefulBounds(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"a long word before", strings.Repeat("x", reach+1) + " = 5", ""},
		{"a word within reach", strings.Repeat("x", reach-1) + " = 5", strings.Repeat("x", reach-1) + "|5"},
		{"a long word after", "port = " + strings.Repeat("x", reach+1), ""},
		{"many words before", strings.Repeat("and so on ", 100) + "the port = 5", "port|5"},
		{"many words after", "port = 5 " + strings.Repeat("or so ", 100), "port|5"},
		{"many operators", strings.Repeat("it = ", maxTries-1) + "it, port = 5", "port|5"},
		{"too many operators", strings.Repeat("it = ", maxTries) + "it, port = 5", ""},
		{"signs alone", strings.Repeat("=", 1<<16), ""},
		{"quotes without end", strings.Repeat("`=", 1<<16), ""},
	} {
		if got := stated(tt.text); got != tt.want {
			t.Errorf("%s: %.60q, want %.60q", tt.name, got, tt.want)
		}
	}
}
