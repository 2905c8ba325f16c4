package scrubbench

// This file decides on which texts speed is measured, and how.

import (
	"runtime"
	"strings"

	"github.com/contextforge-go/contextforge/bench/internal/measure"
	"github.com/contextforge-go/contextforge/scrub"
)

// Speed is how fast a kind of text is scrubbed.
type Speed struct {
	Kind      string
	Bytes     int
	Megabytes float64 // per second and core, 10^6 bytes
}

// kinds returns texts without a secret: what memories are made of, full of the
// words that stand beside secrets, and others.
func kinds() []struct{ name, text string } {
	return []struct{ name, text string }{
		{"prose", "The committee met in the old town hall on a wet Tuesday, and for once nobody was late. Its members had read the report, " +
			"which ran to ninety pages, and agreed that the bridge should be rebuilt in stone rather than in steel. " +
			"Passing over the question of money, they turned to the keynote of the summer festival.\n"},
		{"chat about secrets", "user: I rotated the token yesterday, but the password reset mail never came. Where is the key stored? I looked in the wiki and asked Anna, no luck.\n" +
			"assistant: The access key lives in the vault, in the folder of the billing team; your session expires after an hour, so log in again before you start. Please don't paste the secret here.\n" +
			"user: OK. Then I'll run the migration on staging first, wait for the report, and ask you again when something looks odd.\n" +
			"assistant: Good. If the credentials are wrong, the server answers 401 and logs the request id, and the run stops before it touches a table.\n"},
		{"code", "func (c *Client) login(ctx context.Context, user, password string) (Token, error) {\n" +
			"\tif password == \"\" {\n\t\treturn Token{}, errors.New(\"no password\")\n\t}\n" +
			"\treq, err := http.NewRequestWithContext(ctx, http.MethodPost, c.base+\"/login\", body(user, password))\n\tif err != nil {\n\t\treturn Token{}, fmt.Errorf(\"login: %w\", err)\n\t}\n" +
			"\treq.Header.Set(\"Accept\", \"application/json\")\n\tfor _, k := range keys {\n\t\tm[k.Name] = append(m[k.Name], k.Value)\n\t}\n\treturn c.decode(req)\n}\n"},
		{"lock file", "    \"node_modules/left-pad\": {\n      \"version\": \"1.3.0\",\n      \"resolved\": \"https://packages.example.org/left-pad/-/left-pad-1.3.0.tgz\",\n" +
			"      \"integrity\": \"sha512-XI5MPzVNApjAyhQzphX8BkmKsKUxD4LdyK24iZeQGinBN9yTQT3bFlCBy/aVx2HrNcqQGsdot8ghrjyrvMCoEA==\",\n      \"license\": \"MIT\"\n    },\n"},
		{"log", "2024-05-02T10:11:12.345Z INFO  http: GET /v1/items/25d96f4f-e200-467b-a178-43642fd9fa3c 200 12ms request_id=8e325a53-6737-4a18-9c01-887d5b633ed5 user=anna\n"},
		{"Russian", "Комитет собрался в старой ратуше в дождливый вторник, и впервые никто не опоздал. Все прочли доклад и решили строить мост из камня.\n"},
		{"Chinese", "委员会在一个下雨的星期二在旧市政厅开会，这一次没有人迟到。大家都读过报告，同意用石头重建大桥。\n"},
	}
}

// Speeds measures every kind of text, size bytes of it, the best of rounds.
func Speeds(s *scrub.Scrubber, size, rounds int) (out []Speed) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for _, k := range kinds() {
		text := strings.Repeat(k.text, size/len(k.text)+1)
		best := 0.0
		for range rounds {
			before := measure.ThreadTime()
			s.Scrub(text)
			if taken := (measure.ThreadTime() - before).Seconds(); taken > 0 {
				best = max(best, float64(len(text))/taken/1e6)
			}
		}
		out = append(out, Speed{k.name, len(text), best})
	}
	return out
}
