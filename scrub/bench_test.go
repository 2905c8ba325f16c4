// Benchmarks: text without secrets, which is nearly all text, and text with.

package scrub

import (
	"fmt"
	"strings"
	"testing"
)

const prose = "We moved the release to Thursday because Ana's tests were still failing on Windows, and nobody wanted to wait. " +
	"Maria noted that the Node build needs 4 GB; see docs/build.md and https://example.org/wiki/Main_Page for the steps.\n"

const code = "func (s *Server) Get(ctx context.Context, id string) (*User, error) {\n\tif id == \"\" { return nil, ErrNotFound }\n" +
	"\tMAX_BYTES := 1 << 20 // see sk-1 and x-request-id: 9c2f1d84-e07b-5a66\n}\n"

func BenchmarkScrub(b *testing.B) {
	secrets := prose + awsKey(16) + " " + githubToken(36) + " Bearer " + webToken() + "\n" + pem("RSA ", "\n") + "\n"
	for _, in := range []struct{ name, text string }{
		{"prose", prose}, {"code", code}, {"secrets", secrets},
		{"chinese", "上线前我们在部署会议里确认了用户身份验证流程。"}, {"dashes", "----------------"},
	} {
		for _, size := range []int{240, 64 << 10} {
			text := strings.Repeat(in.text, size/len(in.text)+1)
			b.Run(fmt.Sprintf("%s/%d", in.name, size), func(b *testing.B) {
				b.SetBytes(int64(len(text)))
				b.ReportAllocs()
				for b.Loop() {
					Scrub(text)
				}
			})
		}
	}
}
