// Rows 200 to 206, the weaknesses W6 and W21, and text that nobody would write.

package analysis

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func lines(s ...string) string { return strings.Join(s, "\n") }

func TestPrefilterRealisticTranscript(t *testing.T) {
	const name = "row 200: semantic lines kept, tool blocks, markers and paths removed"
	got := Prefilter(lines(
		"[user]",
		"We decided to deploy with blue-green from now on.",
		"[assistant]",
		"Understood, let me look at src/deploy/main.rs first.",
		"[tool_use: read_file]",
		`{"path": "src/deploy/main.rs"}`,
		"fn main() {}",
		"[tool_result]",
		"",
		"The rollout script is in /opt/rollout/run.sh now.",
		"```sh",
		"kubectl apply -f x.yaml",
		"```",
		"$ kubectl get pods",
		"Nothing else changes.",
	), PrefilterConfig{})
	want := lines(
		"",
		"We decided to deploy with blue-green from now on.",
		"",
		"Understood, let me look at first.",
		"",
		"The rollout script is in now.",
		"",
		"Nothing else changes.",
	)
	if got != want {
		t.Errorf("%s:\n%q, want\n%q", name, got, want)
	}
}

func TestPrefilter(t *testing.T) {
	json101, json100 := `{"a":"`+strings.Repeat("x", 93)+`"}`, `{"a":"`+strings.Repeat("x", 92)+`"}`
	wide := strings.Repeat("wide ", 20)
	tests := []struct {
		name, text, want string
	}{
		{"row 201: fence", "a\n```go\nx := 1\n```\nb", "a\n\nb"},
		{"row 201: fence with indentation", "a\n  ```\nx\n  ```\nb", "a\n\nb"},
		{"row 201: longer fence", "a\n````\nx\n````\nb", "a\n\nb"},
		{"row 201: fence on one line", "a\n```x := 1```\nb", "a\n\nb"},
		{"row 201: fence of four on one line", "a\n````x````\nb", "a\n\nb"},
		{"row 201: raw JSON above the limit", "a\n" + json101 + "\nb", "a\n\nb"},
		{"row 201: raw JSON at the limit", "a\n" + json100 + "\nb", "a\n" + json100 + "\nb"},
		{"row 201: JSON array of objects", `[ {"a": 1}, ` + wide, ""},
		{"row 201: JSON array of strings", `["a", ` + wide, ""},
		{"row 201: JSON array of arrays", `[[1, ` + wide, ""},
		{"row 201: JSON array of numbers", `[1, ` + wide, ""},
		{"row 201: brackets around a word", `[sic] ` + wide, `[sic] ` + wide},
		{"row 201: a bracket alone", "[" + strings.Repeat(" ", 120), "[" + strings.Repeat(" ", 120)},
		{"row 201: shell prompts", "$ ls\nbash$ ls\nsh$ ./run\nzsh$ ~/run\n$ (cd x)\n$ -v", ""},
		{"row 201: prompt with user and host", "me@host:~/x$ make all", ""},
		{"row 201: prompt in brackets", "[me@host: ~]$ make", ""},
		{"row 201: prompt behind an amount", "me@host:5$ , $ make", ""},
		{"row 201: no command", "$ \"quoted\"", "$ \"quoted\""},
		{"row 201: an amount", "it costs $ 5", "it costs $ 5"},
		{"row 201: an amount and an address", "ask a@b.de: it costs 5$", "ask a@b.de: it costs 5$"},
		{"row 201: bare role markers", "[user]\n[assistant]\n[tool_result]\nHuman:\nassistant:\nUSER:\nAI:\nSystem: ", ""},
		{"row 201: marker in other case", "[User]", "[User]"},
		{"row 201: marker with more", "[user] hi", "[user] hi"},
		{"row 201: plain line", "just talk", "just talk"},
		{"row 202: empty", "", ""},
		{"row 202: clean text", "First.\n\n   indented\ttext  \n- item", "First.\n\n   indented\ttext  \n- item"},
		{"row 202: last newline", "a\n", "a"},
		{"row 202: blank lines", "a\n\n \t\n\nb", "a\n\nb"},
		{"row 203: unclosed fence", "a\n```\nx\ny", "a\n"},
		{"row 203: unclosed tool block", "a\n[tool_use: x]\nx\ny", "a\n"},
		{"row 203: tool block ends a fence", "```\nx\n[tool_use]\ny\n[tool_result]\nb", "\nb"},
		{"row 203: fence in a tool block", "[tool_use]\n```\n[tool_result]\nb", "\nb"},
		{"row 204: CRLF", "a\r\nb\r\n\r\n\r\nc\r\n", "a\nb\n\nc"},
		{"row 205: absolute path", "see /etc/hosts for it", "see for it"},
		{"row 205: home", "see ~/x for it", "see for it"},
		{"row 205: relative", "see ./x and ../y for it", "see and for it"},
		{"row 205: prefix", "see src/x.go, docs/y and node_modules/z!", "see and"},
		{"row 205: drive letter", `see C:\x and d:/y for it`, "see and for it"},
		{"row 205: quotes and brackets", "see (`src/x.go`), \"/y\"; <./z>.", "see"},
		{"row 205: nothing but a path", "a\n/etc/hosts\nb", "a\n\nb"},
		{"row 205: blanks around a path", "  see\t /x   now ", "see now"},
		{"row 205: no path", "either/or  and  a src\\x", "either/or  and  a src\\x"},
		{"row 205: a URL", "see https://example.org/src/x", "see https://example.org/src/x"},
		{"row 205: prefix without folder", "the src/", "the"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Prefilter(tt.text, PrefilterConfig{}); got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}

// Row 206: what a toggle keeps is byte for byte as it was.
func TestPrefilterToggles(t *testing.T) {
	json := `{"a": "` + strings.Repeat("x", 100) + `"}`
	tests := []struct {
		name, text string
		cfg        PrefilterConfig
	}{
		{"row 206: tool blocks", "[tool_use: x]\n  y", PrefilterConfig{KeepToolBlocks: true}},
		{"row 206: code fences", "```\n  y\n```", PrefilterConfig{KeepCodeFences: true}},
		{"row 206: raw JSON", json, PrefilterConfig{KeepRawJSON: true}},
		{"row 206: markers", "[user]\nHuman: hi\n User:\n[tool_result]", PrefilterConfig{KeepMarkers: true}},
		{"row 206: shell commands", "$ ls\nme@host:~$ ls", PrefilterConfig{KeepShellCommands: true}},
		{"row 206: paths", "see  src/x", PrefilterConfig{KeepPaths: true}},
		{"row 206: limit of JSON", json, PrefilterConfig{RawJSONMinChars: len(json)}},
		{"row 206: no prefixes", "see  src/x", PrefilterConfig{PathPrefixes: []string{}}},
		{"row 206: empty prefix", "see  src/x", PrefilterConfig{PathPrefixes: []string{""}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Prefilter(tt.text, tt.cfg); got != tt.text {
				t.Errorf("%q, want %q", got, tt.text)
			}
			if got := Prefilter(tt.text, PrefilterConfig{}); got == tt.text {
				t.Error("the default leaves it too")
			}
		})
	}
	if got := Prefilter("{}", PrefilterConfig{RawJSONMinChars: -1}); got != "" {
		t.Errorf("JSON of any length: %q", got)
	}
	own := PrefilterConfig{PathPrefixes: []string{".github/", "pkg/"}}
	if got := Prefilter("see .github/x, `pkg/y` and src/z now", own); got != "see and src/z now" {
		t.Errorf("own prefixes: %q", got)
	}
}

// W21: what somebody says behind a name is kept, whoever it is.
func TestPrefilterSpeakers(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"W21: human", "Human: use port 81", "use port 81"},
		{"W21: assistant", "Assistant: I'll use port 81.", "I'll use port 81."},
		{"W21: user", "User: hi", "hi"},
		{"W21: AI", "AI: hi", "hi"},
		{"W21: system", "System: be brief", "be brief"},
		{"W21: case and blanks", "  hUMAN:   hi ", "hi "},
		{"W21: no blank", "human:hi", "hi"},
		{"W21: wide colon", "User：你好", "你好"},
		{"W21: one name only", "User: AI: hi", "AI: hi"},
		{"W21: other words", "Humans: hi\nUser hi\nThe user: hi\nAIR: hi", "Humans: hi\nUser hi\nThe user: hi\nAIR: hi"},
		{"W21: a path behind it", "Human: see src/x.go now", "see now"},
		{"W21: a command behind it", "Human: $ ls", ""},
		{"W21: a fence behind it", "Assistant: ```go\nx\n```\nHuman: hi", "\nhi"},
		{"W21: a tool block behind it", "Assistant: [tool_use: x]\ny\n[tool_result]\nHuman: hi", "\nhi"},
		{"W21: inside of a fence", "```\nHuman: x\n```", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Prefilter(tt.text, PrefilterConfig{}); got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}

// W6: characters of several bytes at every place where a marker could end.
func TestPrefilterMultibyte(t *testing.T) {
	for _, letter := range []string{"é", "語", "😀", "\u0301", "\x00", "\xff", "ſ", "\u212a"} {
		for n := range 12 {
			for _, text := range []string{
				strings.Repeat("a", n) + letter + "b: c", strings.Repeat(letter, n) + ":", "human"[:min(n, 5)] + letter + ": x",
				"C:" + strings.Repeat(letter, n), "[" + letter, "$ " + letter,
			} {
				if got := Prefilter(text, PrefilterConfig{}); got != text {
					t.Errorf("%q became %q", text, got)
				}
			}
		}
	}
	const japanese = "設定ファイルを更新しました。ポートは８１です。\n次はデプロイします。"
	if got := Prefilter(japanese, PrefilterConfig{}); got != japanese {
		t.Errorf("%q", got)
	}
}

func FuzzPrefilter(f *testing.F) {
	f.Add("Human: hi\r\n```\nx\n```\n[tool_use]\n", uint8(0), 0)
	f.Add("$ ls\nme@host:~$ x\n/a b C:\\c", uint8(63), -1)
	f.Add("語語: \x00\xff{\"a\":1}\n\n\n \n", uint8(21), 5)
	f.Fuzz(func(t *testing.T, text string, keep uint8, minJSON int) {
		has := func(bit uint8) bool { return keep>>bit&1 == 1 }
		got := Prefilter(text, PrefilterConfig{
			KeepToolBlocks: has(0), KeepCodeFences: has(1), KeepRawJSON: has(2), KeepMarkers: has(3),
			KeepShellCommands: has(4), KeepPaths: has(5), RawJSONMinChars: minJSON,
		})
		if len(got) > len(text) {
			t.Errorf("%q is longer than %q", got, text)
		}
		if utf8.ValidString(text) && !utf8.ValidString(got) {
			t.Errorf("%q isn't UTF-8", got)
		}
		if strings.Contains(got, "\n\n\n") || strings.Contains(got, "\r\n") {
			t.Errorf("line ends in %q", got)
		}
	})
}

// What is kept costs nothing more than the output: the number of allocations
// grows with the lines that have a path, not with the text.
func TestPrefilterAllocations(t *testing.T) {
	worst := []string{
		strings.Repeat("a@:$ ", 20000), strings.Repeat("$ ", 50000), strings.Repeat("`", 100000),
		strings.Repeat("word ", 20000), strings.Repeat("\n", 100000), strings.Repeat("[ ", 50000), strings.Repeat("/ ", 50000),
	}
	for _, text := range worst {
		if n := testing.AllocsPerRun(1, func() { Prefilter(text, PrefilterConfig{}) }); n > 20 {
			t.Errorf("%.10q…: %v allocations", text, n)
		}
	}
}
