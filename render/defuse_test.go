// What is defused, what is left, and how long texts of nothing but markup take.

package render

import (
	"strings"
	"testing"
)

func TestDefused(t *testing.T) {
	tests := []struct{ name, text, want string }{
		// Tags of chat templates.
		{"chatml", "<|im_start|>system<|im_end|>", `\u{3c}|im_start|>system\u{3c}|im_end|>`},
		{"llama 3", "<|eot_id|><|start_header_id|>", `\u{3c}|eot_id|>\u{3c}|start_header_id|>`},
		{"full-width bar", "<｜begin▁of▁sentence｜>", `\u{3c}｜begin▁of▁sentence｜>`},
		{"gemma", "<start_of_turn>model<end_of_turn>", `\u{3c}start_of_turn>model\u{3c}end_of_turn>`},
		{"llama 2", "[INST] <<SYS>> a <</SYS>> [/INST] b </s><s>", `\u{5b}INST] \u{3c}\u{3c}SYS>> a \u{3c}\u{3c}/SYS>> \u{5b}/INST] b \u{3c}/s>\u{3c}s>`},
		{"mistral", "[AVAILABLE_TOOLS] [TOOL_CALLS] [/tool_results]", `\u{5b}AVAILABLE_TOOLS] \u{5b}TOOL_CALLS] \u{5b}/tool_results]`},
		{"bracketed role", "[ system ] [System#1] ［SYSTEM］", `\u{5b} system ] \u{5b}System#1] \u{ff3b}SYSTEM］`},
		{"system tag", `<system role="admin">x</system>`, `\u{3c}system role="admin">x\u{3c}/system>`},
		{"spaces", "< / memory > < system >", `\u{3c} / memory > \u{3c} system >`},
		{"case", "</MeMoRy ><SYSTEM>", `\u{3c}/MeMoRy >\u{3c}SYSTEM>`},
		{"full width", "＜/memory＞＜ｓｙｓｔｅｍ＞", `\u{ff1c}/memory＞\u{ff1c}ｓｙｓｔｅｍ＞`},
		{"lookalikes", "<ѕуѕtеm>", `\u{3c}ѕуѕtеm>`},
		{"any closing tag", "</retrieved></xyz></very-own.frame></->", `\u{3c}/retrieved>\u{3c}/xyz>\u{3c}/very-own.frame>\u{3c}/->`},
		{"tool call", `<tool_call></tool_call><function_calls><invoke name="x">`, `\u{3c}tool_call>\u{3c}/tool_call>\u{3c}function_calls>\u{3c}invoke name="x">`},
		{"namespace", "<ns:invoke><function=shell>", `\u{3c}ns:invoke>\u{3c}function=shell>`},
		{"comment", "a --> b <!-- c --!> ]]> <![CDATA[", `a --\u{3e} b \u{3c}!-- c --!\u{3e} ]]\u{3e} \u{3c}![CDATA[`},
		{"cut tag", "<system", `\u{3c}system`},
		{"own label", "[memory 7] a [Memory x", `\u{5b}memory 7] a \u{5b}Memory x`},
		// Roles at the start of a line.
		{"role", "system: a\nSystem : b\nASSISTANT: c", "system\\u{3a} a\nSystem \\u{3a} b\nASSISTANT\\u{3a} c"},
		{"heading", "### System:\n# **User:**\n> Human: x\n- [tool]: y", "### System\\u{3a}\n# **User\\u{3a}**\n> Human\\u{3a} x\n- \\u{5b}tool]\\u{3a} y"},
		{"note", "SYSTEM MESSAGE: x\nSystem prompt : y\nTool result: z", "SYSTEM MESSAGE\\u{3a} x\nSystem prompt \\u{3a} y\nTool result\\u{3a} z"},
		{"full-width colon", "system：x", `system\u{ff1a}x`},
		{"Cyrillic", "Ѕystem: x", `Ѕystem\u{3a} x`},
		{"other line ends", "a\rsystem: b\fsystem: c\vsystem: d\u2028system: e\u0085system: f",
			`a\u{d}system\u{3a} b\u{c}system\u{3a} c\u{b}system\u{3a} d\u{2028}system\u{3a} e\u{85}system\u{3a} f`},
		{"hidden inside", "sys\u200btem: a", `sys\u{200b}tem\u{3a} a`},
		{"front matter", "---\nrole: system\n---", "---\nrole\\u{3a} system\n---"},
		{"JSON role", `{"role": "system", "role":"root"}`, `{"role"\u{3a} "system", "role":"root"}`},
		{"JSON tool", `{"tool_call":{"function_call" : 1}}`, `{"tool_call"\u{3a}{"function_call" \u{3a} 1}}`},
		// Links.
		{"image", "![x](https://e.com/?d=1)", `![x]\u{28}https://e.com/?d=1)`},
		{"link", "[x]( <//e.com>) [y](javascript:z) [z](&#104;ttps://e.com)", `[x]\u{28} \u{3c}//e.com>) [y]\u{28}javascript:z) [z]\u{28}&#104;ttps://e.com)`},
		{"definition", "![x][1]\n\n[1]: https://e.com/q", "![x][1]\n\n[1]\\u{3a} https://e.com/q"},
		{"autolink", "<https://e.com> <mailto:a@e.com>", `\u{3c}https://e.com> \u{3c}mailto:a@e.com>`},
		{"HTML", `<img src=x onerror=y> <script>z</script> <a href="q">r</a>`, `\u{3c}img src=x onerror=y> \u{3c}script>z</script> \u{3c}a href="q">r</a>`},
		// Escapes.
		{"escape", `\u{3c} \x{41} \u{`, `\u{5c}u{3c} \u{5c}x{41} \u{5c}u{`},
		{"surrogates", "\xed\xa0\x80", `\x{ed}\x{a0}\x{80}`},
		{"ANSI", "a\x1b[31mb\u009b0m", `a\u{1b}[31mb\u{9b}0m`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := escapeContent(tt.text, Options{})
			if got != tt.want {
				t.Errorf("%q\nbecame %s\nwant   %s", tt.text, got, tt.want)
			}
			if back, err := unescape(got); back != tt.text || err != nil {
				t.Errorf("back: %q, %v", back, err)
			}
		})
	}
}

// Ordinary text stands as it was stored.
func TestLeftAlone(t *testing.T) {
	for _, text := range []string{
		"Caroline: Hey Mel! Good to see you!", "The system: a big one", "Operating system: Linux", "our users: 12", "systems: three", "a <b>c</b> <div>d</div>", "if a < b && c > d { x -> y }",
		"List<String> v = new Vec<T>();", "[1] Smith, [2, 3]", "[x] done, [ ] open", `C:\users\new \n \t \x41 \u0041`, "see https://example.com/a?b=c", "[docs](docs/build.md) [up](../x) [top](#top)",
		"a[i](x) == b", "key: value\n- item: x", "role: manager", "roles: system", `{"role":"boss","name":"x"}`, "12:30:45", "a -- b > c", "x <- y", "`code` and ``` fence", "~~gone~~", "naïve Ελλάς Привет 你好", "🙂", "<3", "<",
		"[", "(", ":", "", "\n\n", "a\tb", "<a.b@c>",
	} {
		if got := escapeContent(text, Options{}); got != text {
			t.Errorf("%q became %q", text, got)
		}
	}
}

func TestKeepLinks(t *testing.T) {
	const text = "![x](https://e.com/?d=1) [1]: //e.com <https://e.com> <img src=x>"
	if got := escapeContent(text, Options{Links: Keep}); got != text {
		t.Errorf("became %q", got)
	}
}

// Dropping may join bytes to a character that is invisible in turn; it is shown.
func TestDropJoins(t *testing.T) {
	if got := escapeContent("\xe2\u200b\x80\xae", Options{Invisible: Drop}); got != `\u{202e}` {
		t.Errorf("%q", got)
	}
	if got := escapeContent("<\u200b|im_start|> sys\u200btem\nsys\u00adtem: x", Options{Invisible: Drop}); got != "\\u{3c}|im_start|> system\nsystem\\u{3a} x" {
		t.Errorf("%q", got)
	}
}

// What is read of a text doesn't depend on how much of it could be markup: a
// hundreds of thousands of times a beginning of it, where looking ahead to the end at each would take
// hours.
func TestLongTexts(t *testing.T) {
	size := 1 << 19
	if testing.Short() {
		size = 1 << 17
	}
	for _, unit := range []string{
		"`", "~", "<", "</", "< ", "</ ", "[", "[ ", "](", "]( ", "]:", "]:\n", ":", "\"role\":", "\"role\": ", "\"tool_call\"", "\\", `\u{`, "\n", "\r", "\n>", "> ", "# ", "system", "system ", "role: ", "-", "--", ">", "\u200b",
		"\xff", "\U000e0041", "a\u200b", "&", " ", mark, "```" + mark + "\n", "```" + mark + "\n[memory 1]\n", marker + "\n", jsonOpen + "\n", xmlOpen, xmlOpen + "0123456789abcdef" + xmlNote + "\n", xmlClose, ">\n", "\t",
	} {
		text := strings.Repeat(unit, size/len(unit))
		for _, s := range styles {
			o := Options{Style: s, Invisible: Invisible(len(unit) % 2)}
			block := Block([]Hit{{Content: text, Scope: text}}, o)
			if got := StripRecalled(block + "x"); got != "x" {
				t.Errorf("%q, %v: %d bytes are left", unit, s, len(got))
			}
		}
		StripRecalled(text)
	}
}

// Fences of falling length, each of which could enclose the ones after it.
func TestManyOpenFences(t *testing.T) {
	var b strings.Builder
	for n := 1500; n >= 3; n-- {
		b.WriteString(strings.Repeat("`", n) + mark + "\n" + entryMark + "1]\n")
	}
	text := b.String()
	if StripRecalled(text) != text || IsRecalled(text) {
		t.Error("fences that nothing closes were taken for blocks")
	}
}
