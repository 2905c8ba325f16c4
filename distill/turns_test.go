// Tests of who says what.

package distill

import (
	"reflect"
	"testing"
)

func TestTurnsOf(t *testing.T) {
	tests := []struct {
		name, transcript string
		want             []turn
	}{
		{"empty", "", nil},
		{"blanks", " \n\n\t", nil},
		{"nobody", "just\ntext", []turn{{nobody, "", "just\ntext"}}},
		{"names", "Ana: hi\nmore\n\nBen: yo", []turn{{named, "Ana", "hi\nmore"}, {named, "Ben", "yo"}}},
		{"roles", "User: hi\nAssistant: yo", []turn{{user, "User", "hi"}, {assistant, "Assistant", "yo"}}},
		{"no name beside roles", "User: hi\nPorto: a town", []turn{{user, "User", "hi\nPorto: a town"}}},
		{"a single name behind talk", "hi there\nPorto: a town", []turn{{nobody, "", "hi there\nPorto: a town"}}},
		{"a role and a name", "Customer: a\nSupport: b\nCustomer: c\nSupport: d",
			[]turn{{user, "Customer", "a"}, {named, "Support", "b"}, {user, "Customer", "c"}, {named, "Support", "d"}}},
		{"both roles, and what looks like a name", "User: a\nAda: b\nAssistant: c\nAda: d", []turn{{user, "User", "a\nAda: b"}, {assistant, "Assistant", "c\nAda: d"}}},
		{"one role, and a word that doesn't come back", "User: a\nRemember: b", []turn{{user, "User", "a\nRemember: b"}}},
		{"names behind talk that come back", "hi there\nAna: a\nBen: b\nAna: c", []turn{{nobody, "", "hi there"}, {named, "Ana", "a\nBen: b"}, {named, "Ana", "c"}}},
		{"CRLF and CR", "Ana: a\r\nBen: b\rAna: c\r\n", []turn{{named, "Ana", "a"}, {named, "Ben", "b"}, {named, "Ana", "c"}}},
		{"tools and systems", "System: s\nUser: u\n[tool_use: x]\ny\n[tool_result]\nz\n[assistant]\na",
			[]turn{{user, "User", "u"}, {assistant, "assistant", "a"}}},
		{"a fence", "Ana: a\n```\nBen: b\n```\nc", []turn{{named, "Ana", "a\n\nc"}}},
		{"a longer fence", "Ana: a\n````\n```\n````\nc", []turn{{named, "Ana", "a\n\nc"}}},
		{"code in a line is no fence", "Ana: a\n```x``` y", []turn{{named, "Ana", "a\n```x``` y"}}},
		{"an open fence", "Ana: a\n```\nBen: b", []turn{{named, "Ana", "a"}, {named, "Ben", "b"}}},
		{"an open element", "Ana: a\n<memory>\nBen: b", []turn{{named, "Ana", "a"}, {named, "Ben", "b"}}},
		{"an element on a line", "Ana: a\n<memory>x</memory>\nb", []turn{{named, "Ana", "a\n\nb"}}},
		{"objects", `{"role":"user","content":"hi"}` + "\n" + `{"role":"assistant","content":[{"type":"text","text":"a"},{"type":"image"},{"type":"text","text":"b"}]}`,
			[]turn{{user, "user", "hi"}, {assistant, "assistant", "a\nb"}}},
		{"objects with names", `{"speaker":"Ana","text":"hi"}` + "\n" + `{"author":"Ben","body":"yo"}`, []turn{{named, "Ana", "hi"}, {named, "Ben", "yo"}}},
		{"nested", `{"type":"x","message":{"role":"user","content":"hi"}}`, []turn{{user, "user", "hi"}}},
		{"a named tool", `{"role":"tool","name":"bash","content":"out"}`, nil},
		{"an object with a fence", `{"role":"user","content":"a\n` + "```" + `\nx\n` + "```" + `\nb"}`, []turn{{user, "user", "a\n\nb"}}},
		{"objects that aren't talk", "Ana: a\n{\"x\":1}\n{\"role\":\"user\"}\n{\"content\":\"c\"}\n{\"broken\":}\nb", []turn{{named, "Ana", "a\n\n\n\n\nb"}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := turnsOf(tt.transcript); !reflect.DeepEqual(got, tt.want) {
				t.Errorf("got  %+v\nwant %+v", got, tt.want)
			}
		})
	}
}

func TestFenceOf(t *testing.T) {
	for line, want := range map[string]string{
		"```": "```", "```go": "```", "`````": "`````", "~~~": "~~~", "~~~ `x`": "~~~",
		"``": "", "```x```": "", "~~x~~": "", "": "", "text ```": "",
	} {
		if got := fenceOf(line); got != want {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
}
