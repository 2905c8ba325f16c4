// Numbers in a text, however they are written.

package distill

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// number is one number in a text.
type number struct {
	text  string
	forms []string // what it may be, without separators and leading zeros
	parts []string // its runs of digits
}

// allParts reports whether every run of digits is in a set.
func (n number) allParts(set map[string]bool) bool {
	for _, part := range n.parts {
		if !set[part] {
			return false
		}
	}
	return true
}

// digitsOf returns the numbers that are written with digits. "10,000" and
// "10k" have 10000 among their forms; a version or date with dots has none, only
// parts.
func digitsOf(text string) []number {
	var numbers []number
	for pos := 0; pos < len(text); {
		r, size := utf8.DecodeRuneInString(text[pos:])
		if _, ok := digit(r); !ok {
			pos += size
			continue
		}
		n, end := numberAt(text, pos)
		numbers = append(numbers, n)
		pos = end
	}
	return numbers
}

// numberAt reads the number at a digit.
func numberAt(text string, start int) (n number, end int) {
	grouped := true // all runs but the first have three digits
	whole := ""
	end = start
	for {
		run, next := digitRun(text, end)
		n.parts = append(n.parts, unpadded(run))
		grouped = grouped && (len(n.parts) == 1 || len(run) == 3)
		whole += run
		end = next
		if end >= len(text) || strings.IndexByte(",._'", text[end]) < 0 {
			break
		}
		r, _ := utf8.DecodeRuneInString(text[end+1:])
		if _, ok := digit(r); !ok {
			break
		}
		end++
	}
	n.text = text[start:end]
	if grouped {
		n.forms = append(n.forms, unpadded(whole))
		if zeros := multiplier(text[end:]); zeros != "" {
			n.forms = append(n.forms, unpadded(whole)+zeros)
		}
	}
	return n, end
}

// digitRun returns the digits from a position on, as ASCII.
func digitRun(text string, pos int) (run string, end int) {
	var b strings.Builder
	for pos < len(text) {
		r, size := utf8.DecodeRuneInString(text[pos:])
		d, ok := digit(r)
		if !ok {
			break
		}
		b.WriteByte('0' + d)
		pos += size
	}
	return b.String(), pos
}

// digit returns the value of a decimal digit of any script. The digits of a
// script stand in a row, from zero on (Unicode, section 4.6).
func digit(r rune) (value byte, ok bool) {
	if r >= '0' && r <= '9' {
		return byte(r - '0'), true
	}
	if r < utf8.RuneSelf || !unicode.IsDigit(r) {
		return 0, false
	}
	for unicode.IsDigit(r - 1) {
		r--
		value = (value + 1) % 10 // the mathematical digits follow each other
	}
	return value, true
}

// multiplier returns the zeros that a unit behind a number stands for.
func multiplier(rest string) string {
	if rest == "" {
		return ""
	}
	next, _ := utf8.DecodeRuneInString(rest[1:])
	if unicode.IsLetter(next) || unicode.IsDigit(next) {
		return ""
	}
	switch rest[0] {
	case 'k', 'K':
		return "000"
	case 'm', 'M':
		return "000000"
	}
	return ""
}

func unpadded(digits string) string {
	if short := strings.TrimLeft(digits, "0"); short != "" {
		return short
	}
	return "0"
}

// counts are the words for small numbers, without those that also mean other
// things, as "one" and "second" do.
var counts = map[string]string{
	"two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8", "nine": "9", "ten": "10",
	"eleven": "11", "twelve": "12", "thirteen": "13", "fourteen": "14", "fifteen": "15", "sixteen": "16", "seventeen": "17",
	"eighteen": "18", "nineteen": "19", "twenty": "20", "thirty": "30", "forty": "40", "fifty": "50", "sixty": "60",
	"seventy": "70", "eighty": "80", "ninety": "90",
	"zwei": "2", "drei": "3", "vier": "4", "funf": "5", "sechs": "6", "sieben": "7", "zehn": "10", "zwolf": "12",
	"deux": "2", "trois": "3", "quatre": "4", "cinq": "5", "huit": "8", "neuf": "9",
	"dos": "2", "tres": "3", "cuatro": "4", "cinco": "5", "seis": "6", "siete": "7", "ocho": "8", "diez": "10",
}

// countWord returns the value of a word that counts.
func countWord(word string) (value string, ok bool) {
	value, ok = counts[word]
	return value, ok
}

// months are words that stand for a number in a date.
var months = map[string]string{
	"january": "1", "jan": "1", "february": "2", "feb": "2", "march": "3", "mar": "3", "april": "4", "apr": "4", "may": "5",
	"june": "6", "jun": "6", "july": "7", "jul": "7", "august": "8", "aug": "8", "september": "9", "sep": "9", "sept": "9",
	"october": "10", "oct": "10", "november": "11", "nov": "11", "december": "12", "dec": "12",
	"januar": "1", "februar": "2", "marz": "3", "mai": "5", "juni": "6", "juli": "7", "oktober": "10", "dezember": "12",
}

// numbersOf returns all that may count as a number of a text.
func numbersOf(text string, words []string) map[string]bool {
	set := map[string]bool{}
	for _, n := range digitsOf(text) {
		for _, form := range append(n.forms, n.parts...) {
			set[form] = true
		}
	}
	for _, word := range words {
		if value, ok := counts[word]; ok {
			set[value] = true
		}
		if value, ok := months[word]; ok {
			set[value] = true
		}
		if word == "one" || word == "first" {
			set["1"] = true
		}
		if word == "second" || word == "twice" {
			set["2"] = true
		}
	}
	return set
}
