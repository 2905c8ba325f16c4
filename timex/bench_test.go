// How fast texts and questions are read.

package timex

import (
	"strings"
	"testing"
)

// chat is a turn of a conversation without any time expression.
const chat = "Thanks, Caroline! It's so good to hear that the kids enjoyed the pottery class, they couldn't stop talking about it on the way " +
	"home. I made a bowl with a dog face on it, it's a bit wobbly but I love it. What about you, any news from the support group? "

func BenchmarkResolve(b *testing.B) {
	for name, text := range map[string]string{"plain": chat, "dates": chat + "We went there yesterday, and last Friday. Two weeks ago it rained."} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(text)))
			var dst []string
			for b.Loop() {
				dst = Resolve(dst[:0], text, monday())
			}
		})
	}
}

func BenchmarkMentions(b *testing.B) {
	for name, text := range map[string]string{"turn": chat, "long": strings.Repeat(chat, 100)} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				Mentions(text)
			}
		})
	}
}

// usual is one of usual length that asks for nothing in particular.
const usual = "What did Melanie paint after the trip to the mountains with her family?"

const dated = "What did Melanie paint with her family between March and May 2022?"

func BenchmarkQuery(b *testing.B) {
	for name, f := range map[string]func(string) bool{
		"Asks": Asks, "Current": Current, "Past": Past,
		"Interval":      func(q string) bool { _, _, ok := Interval(q, monday()); return ok },
		"IntervalDated": func(string) bool { _, _, ok := Interval(dated, monday()); return ok },
		"Anchor":        func(q string) bool { _, _, ok := Anchor(q); return ok },
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				f(usual)
			}
		})
	}
}
