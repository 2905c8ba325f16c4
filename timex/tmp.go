package timex

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
)

var tx = regexp.MustCompile(`(?i)\b(yesterday|today|tonight|tomorrow|last (?:night|week|weekend|month|year|summer|winter|spring|fall|monday|tuesday|wednesday|thursday|friday|saturday|sunday|mon|tues?|wed|thurs?|fri|sat|sun)|(?:next|this) (?:week|weekend|month|year|summer|winter|spring|fall|monday|tuesday|wednesday|thursday|friday|saturday|sunday)|(?:a|an|one|two|three|four|five|six|seven|eight|nine|ten|few|couple of|\d+) (?:days?|weeks?|weekends?|months?|years?|hours?) ago|ago|recently|january|february|march|april|june|july|august|september|october|november|december|(?:19|20)\d\d|monday|tuesday|wednesday|thursday|friday|saturday|sunday|since|(?:the )?other day|for (?:the )?(?:a|an|one|two|three|four|five|six|seven|eight|nine|ten|\d+) (?:days?|weeks?|months?|years?))\b`)
var wq = regexp.MustCompile(`(?i)^\s*when\b|\bhow long\b|\b(?:what|which) (?:date|day|month|year|time)\b|\bhow many (?:days|weeks|months|years)\b`)
var dow = regexp.MustCompile(`\b(last|next) (mon|tue|wed|thu|fri|sat|sun)[a-z]*\b`)
var wkend = regexp.MustCompile(`\bweekend\b`)
var agoRe = regexp.MustCompile(`\b(a|an|one|two|three|four|five|six|seven|eight|nine|ten|few|couple of|\d+) (day|week|month|year)s? ago\b`)

func Own(t time.Time) string       { return fmt.Sprintf("%d %s %d", t.Day(), t.Month(), t.Year()) }
func Mentions(s string) bool       { return tx.MatchString(s) }
func Asks(s string) bool           { return wq.MatchString(s) }
func Speaker(s string) (string, string, bool) {
	n, r, ok := strings.Cut(s, ": ")
	if ok && len(n) < 30 && !strings.Contains(n, " ") {
		return n, r, true
	}
	return "", s, false
}
func addm(d time.Time, n int) string {
	x := d.Year()*12 + int(d.Month()) - 1 + n
	return fmt.Sprintf("%s %d", time.Month(x%12+1), x/12)
}
func Resolve(o []string, text string, d time.Time) []string {
	t := strings.ToLower(text)
	day := func(n int) string { return Own(d.AddDate(0, 0, n)) }
	wd := (int(d.Weekday()) + 6) % 7
	has := func(s string) bool { return strings.Contains(t, s) }
	if has("yesterday") || has("last night") {
		o = append(o, day(-1))
	}
	if has("tomorrow") {
		o = append(o, day(1))
	}
	mod := func(a int) int { return ((a % 7) + 7) % 7 }
	for _, m := range dow.FindAllStringSubmatch(t, -1) {
		k := map[string]int{"mon": 0, "tue": 1, "wed": 2, "thu": 3, "fri": 4, "sat": 5, "sun": 6}[m[2]]
		if m[1] == "last" {
			o = append(o, day(-(mod(wd-k-1) + 1)))
		} else {
			o = append(o, day(mod(k-wd-1)+1))
		}
	}
	if wkend.MatchString(t) && !has("next weekend") {
		o = append(o, day(-(mod(wd-5-1) + 1)))
	}
	if has("next month") {
		o = append(o, addm(d, 1))
	}
	if has("last month") {
		o = append(o, addm(d, -1))
	}
	if has("last year") {
		o = append(o, strconv.Itoa(d.Year()-1))
	}
	if has("next year") {
		o = append(o, strconv.Itoa(d.Year()+1))
	}
	if has("last week") {
		o = append(o, day(-7))
	}
	nw := map[string]int{"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "few": 3, "couple of": 2}
	for _, m := range agoRe.FindAllStringSubmatch(t, -1) {
		n, ok := nw[m[1]]
		if !ok {
			n, _ = strconv.Atoi(m[1])
		}
		if n > 200 {
			continue
		}
		switch m[2] {
		case "day":
			o = append(o, day(-n))
		case "week":
			o = append(o, day(-7*n))
		case "month":
			o = append(o, addm(d, -n))
		case "year":
			o = append(o, strconv.Itoa(d.Year()-n))
		}
	}
	return o
}
