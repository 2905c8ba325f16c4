// How long reading replies and whole distillations take.

package openai

import (
	"context"
	"fmt"
	"strings"
	"testing"
)

func BenchmarkReply(b *testing.B) {
	facts := strings.Repeat(`{"kind":"state","text":"Ana moved from Hamburg to Berlin in May."},`, 60)
	strict := `{"summary":"` + strings.Repeat("Ana moved. ", 80) + `","facts":[` + strings.TrimSuffix(facts, ",") + `]}`
	for _, bb := range []struct{ name, text string }{
		{"strict", strict},
		{"fenced", "Here it is:\n```json\n" + strict + "\n```\nAnything else?"},
		{"mended", "```json\n" + strings.Replace(strict, `"facts"`, "// facts\n\"facts\"", 1) + "\n```"},
		{"thinking", "<think>" + strings.Repeat("So {maybe} \"this\" or {that}?\n", 2000) + "</think>" + strict},
		{"cut", strict[:len(strict)-30]},
		{"tangled", `{"a":[` + strings.Repeat("\"x{\",//\":[1,\n", 100_000)},
	} {
		b.Run(fmt.Sprintf("%s/%d", bb.name, len(bb.text)), func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(bb.text)))
			for b.Loop() {
				readReply(bb.text, false)
			}
		})
	}
}

func BenchmarkDistill(b *testing.B) {
	for _, n := range []int{1000, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			text := strings.Repeat(transcript, n/len(transcript)+1)[:n]
			c := client(b, Options{BaseURL: "http://model.invalid/v1", Model: "m", Transport: answering(envelopeOf(document, "stop"))})
			b.ReportAllocs()
			for b.Loop() {
				if _, err := c.Distill(context.Background(), text); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkOverHTTP(b *testing.B) {
	f := newFake(b, replies(document))
	c := client(b, f.options())
	b.ReportAllocs()
	for b.Loop() {
		if _, err := c.Distill(context.Background(), transcript); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkBody(b *testing.B) {
	o := &Options{Model: "m"}
	text := strings.Repeat(transcript, DefaultMaxTranscriptChars/len(transcript))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := o.body(text, false); err != nil {
			b.Fatal(err)
		}
	}
}
