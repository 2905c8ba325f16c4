// Speed on texts of several kinds.

package scrub

import (
	"strings"
	"testing"
)

// benchTexts returns clean texts that are full of words near secrets, by kind,
// and one with a secret in every tenth line.
func benchTexts() map[string]string {
	chat := "user: I rotated the token yesterday, but the password reset mail never came. Where is the key stored?\n" +
		"assistant: The access key lives in the vault; your session cookie expires after an hour. Please don't paste the secret here.\n" +
		"user: OK. Should I pass the --token flag, or does it read the API key from the environment? The docs say \"authorization required\".\n" +
		"assistant: Set the variable and run it again. If the credentials are wrong, the server answers 401 and logs the request id.\n"
	code := "func (c *Client) login(ctx context.Context, user, password string) (Token, error) {\n" +
		"\tif password == \"\" {\n\t\treturn Token{}, errors.New(\"no password\")\n\t}\n" +
		"\treq.Header.Set(\"Authorization\", \"Bearer \"+c.token) // see tokenSource\n" +
		"\tkey := cacheKey(user, c.secretName)\n\tfor _, k := range keys {\n\t\tm[k.Name] = k.Value\n\t}\n\treturn c.tokens[key], nil\n}\n"
	prose := "The committee met in the old town hall on a wet Tuesday, and for once nobody was late. Its members had read the report, " +
		"which ran to ninety pages, and agreed that the bridge should be rebuilt in stone rather than in steel. " +
		"Passing over the question of money, they turned to the keynote of the summer festival.\n"
	lock := "    \"node_modules/left-pad\": {\n      \"version\": \"1.3.0\",\n      \"resolved\": \"https://registry.example.org/left-pad/-/left-pad-1.3.0.tgz\",\n" +
		"      \"integrity\": \"sha512-" + filler(86) + "==\",\n      \"license\": \"WTFPL\"\n    },\n"
	russian := "Комитет собрался в старой ратуше в дождливый вторник, и впервые никто не опоздал. Пароль меняют каждый месяц.\n"
	chinese := "委员会在一个下雨的星期二在旧市政厅开会，这一次没有人迟到。密码每个月更换一次，令牌放在保险柜里。\n"
	logs := "2024-05-02T10:11:12.345Z INFO  http: GET /v1/items/25d96f4f-e200-467b-a178-43642fd9fa3c 200 12ms request_id=8e325a53-6737-4a18-9c01-887d5b633ed5 user=anna\n"
	return map[string]string{"chat": chat, "code": code, "prose": prose, "lockfile": lock, "russian": russian, "chinese": chinese, "log": logs,
		"secrets": strings.Repeat(chat, 2) + "export GITHUB_TOKEN=" + githubToken(36) + "\n"}
}

func BenchmarkScrub(b *testing.B) {
	for _, kind := range []string{"chat", "code", "prose", "lockfile", "log", "russian", "chinese", "secrets"} {
		text := benchTexts()[kind]
		text = strings.Repeat(text, 1<<20/len(text)+1)
		b.Run(kind, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				Scrub(text)
			}
		})
	}
}

func BenchmarkShort(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		Scrub("The committee met in the old town hall on a wet Tuesday, and for once nobody was late.")
	}
}

// filler returns n letters and digits without any meaning.
func filler(n int) string {
	return strings.Repeat("aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0z", n/31+1)[:n]
}

func githubToken(n int) string { return "gh" + "p_" + filler(n) }

func BenchmarkJSON(b *testing.B) {
	for name, raw := range map[string]string{"clean": `{"speaker":"Maren","n":3}`, "nested": `{"a":{"b":[1,2,{"tags":["x","y"]}]},"when":"2024-05-02T10:11:12Z"}`, "secret": `{"password":"hunter2Xy!","n":3}`} {
		b.Run(name, func(b *testing.B) {
			var s Scrubber
			b.ReportAllocs()
			raw := []byte(raw)
			for b.Loop() {
				if _, _, err := s.JSON(raw); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
