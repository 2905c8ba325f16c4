// Tests of what counts as the beginning of a turn.

package distill

import (
	"strings"
	"testing"
)

func TestLabelOf(t *testing.T) {
	tests := []struct {
		line, name, body string
		role             role
	}{
		{"Ana: hi", "Ana", " hi", named},
		{"Ana Lima: hi", "Ana Lima", " hi", named},
		{"Ana:", "Ana", "", named},
		{"Ana:\thi", "Ana", "\thi", named},
		{"  > Ana: hi", "Ana", " hi", named},
		{"Dr. O'Neil-Smith: hi", "Dr. O'Neil-Smith", " hi", named},
		{"@ana_92: hi", "@ana_92", " hi", named},
		{"Zoë: hi", "Zoë", " hi", named},
		{"李雷：你好", "李雷", "你好", named},
		{"user: hi", "user", " hi", user},
		{"USER: hi", "USER", " hi", user},
		{"Human: hi", "Human", " hi", user},
		{"Nutzer: hallo", "Nutzer", " hallo", user},
		{"用户：你好", "用户", "你好", user},
		{"AI: hi", "AI", " hi", assistant},
		{"System: hi", "System", " hi", system},
		{"Tool: hi", "Tool", " hi", tool},
		{"**Ana:** hi", "Ana", " hi", named},
		{"**Ana**: hi", "Ana", " hi", named},
		{"__user__: hi", "user", " hi", user},
		{"[user] hi", "user", " hi", user},
		{"[assistant]", "assistant", "", assistant},
		{"[tool_use: bash]", "tool_use", "", tool},
		{"[tool_use id=1 name=some", "tool_use", "", tool},
		{"[tool_result]", "tool_result", "", tool},
		{"<user> hi", "user", " hi", user},
		{"<|im_start|>assistant", "assistant", "", assistant},
		{"### User", "User", "", user},
		{"## Assistant:", "Assistant", "", assistant},
		{"10:31 Ana: hi", "Ana", " hi", named},
		{"10:31 AM Ana: hi", "Ana", " hi", named},
		{"[10:31] Ana: hi", "Ana", " hi", named},
		{"[2024-05-01T10:31:00Z] Ana: hi", "Ana", " hi", named},
		{"12/05/2024, 10:32 - Ana: hi", "Ana", " hi", named},
		{"(10:32) user: hi", "user", " hi", user},
		{"[01/02/24, 10:31:07 PM] Ana: hi", "Ana", " hi", named},

		{"", "", "", nobody},
		{"hi", "", "", nobody},
		{": hi", "", "", nobody},
		{"**: hi", "", "", nobody},
		{"ana: hi", "", "", nobody}, // a name has a capital
		{"Ana:hi", "", "", nobody},
		{"https://example.org", "", "", nobody},
		{"Note: hi", "", "", nobody},
		{"The plan: hi", "", "", nobody},
		{"Step 3: hi", "", "", nobody},
		{"I said it to five people: hi", "", "", nobody},
		{"f(x): hi", "", "", nobody},
		{"Time is 10:30", "", "", nobody},
		{"[link] hi", "", "", nobody},
		{"[user hi", "", "", nobody},
		{"<b> hi", "", "", nobody},
		{"### Plan", "", "", nobody},
		{"# user of the month", "", "", nobody},
		{"10:31", "", "", nobody},
		{strings.Repeat("A", 70) + ": hi", "", "", nobody},
		{"\xff\xfe: hi", "", "", nobody},
	}
	for _, tt := range tests {
		got := labelOf(tt.line)
		if got.role != tt.role || got.name != tt.name || tt.role != nobody && tt.line[got.body:] != tt.body {
			t.Errorf("%q: role %d, name %q, body %q", tt.line, got.role, got.name, tt.line[got.body:])
		}
	}
}

func TestStampLength(t *testing.T) {
	for text, want := range map[string]string{
		"10:31 Ana":                "10:31 ",
		"10:31:02 PM - Ana":        "10:31:02 PM - ",
		"[2024-05-01 10:31] Ana":   "[2024-05-01 10:31] ",
		"2024-05-01T10:31:00Z Tom": "2024-05-01T10:31:00Z ",
		"1.5.2024, 9:01 - Zed":     "1.5.2024, 9:01 - ",
		"42 Ana":                   "",
		"- Ana":                    "",
		"[Ana":                     "",
		"":                         "",
	} {
		if got := text[:stampLength(text)]; got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func FuzzLabel(f *testing.F) {
	for _, line := range []string{"10:31 **Ana:** hi", "[tool_use", "<|im_start|>user", "### 用户：", "[1:1]PM: \xff"} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		l := labelOf(line)
		if l.body < 0 || l.body > min(len(line), maxLabel) {
			t.Fatalf("%q: the words begin at %d", line, l.body)
		}
		if (l.role == nobody) != (l.name == "") {
			t.Fatalf("%q: role %d of %q", line, l.role, l.name)
		}
		// Nothing behind maxLabel plays a part.
		if len(line) > maxLabel && labelOf(line[:maxLabel]+"\x00"+line[maxLabel:]) != l {
			t.Fatalf("%q: read too far", line)
		}
	})
}
