package timex

import (
	"strings"
	"time"
)

func Speaker(s string) (string, string, bool) {
	n, r, ok := strings.Cut(s, ": ")
	if ok && len(n) < 30 && !strings.Contains(n, " ") {
		return n, r, true
	}
	return "", s, false
}
func Interval(q string, now time.Time) (a, b time.Time, ok bool) { return }
