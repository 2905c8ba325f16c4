// Of which sort a value is: a date, a size, an address, …

package distill

import (
	"strings"
	"unicode"
)

// sortOf returns the sort of a value, "" if it is none of those that can be told:
// "number", "date", "time", "email", "address", or the kind of its unit.
func sortOf(value string) string {
	words := strings.Fields(fold(value))
	if len(words) < 2 || words[0] != "on" && words[0] != "at" {
		return sortOfWords(words)
	}
	switch sort := sortOfWords(words[1:]); {
	case sort == "date", sort == "time":
		return sort
	case sort == "number" && words[0] == "at":
		return "time"
	}
	return ""
}

func sortOfWords(words []string) string {
	if len(words) > 0 && words[0] == "the" {
		words = words[1:]
	}
	switch {
	case len(words) == 0 || len(words) > 5:
		return ""
	case isDate(words):
		return "date"
	case isTime(words):
		return "time"
	case len(words) == 1 && isAddress(words[0]):
		if strings.Contains(words[0], "@") {
			return "email"
		}
		return "address"
	}
	return sortOfNumber(words)
}

// isDate reports whether words are a date with a number: "May 6", "2026-05-06", "22nd".
func isDate(words []string) bool {
	month, day := false, false
	for _, word := range words {
		word = strings.Trim(word, ".,")
		switch {
		case months[word] != "" || senses()[word]&calendar != 0 || word == "of":
			month = month || months[word] != ""
		case isOrdinal(word), strings.Count(word, "-") == 2 && isDigits(strings.ReplaceAll(word, "-", "")):
			month, day = true, true
		case isDigits(word):
			day = true
		default:
			return false
		}
	}
	return month && day
}

func isOrdinal(word string) bool {
	if len(word) < 3 {
		return false
	}
	switch word[len(word)-2:] {
	case "st", "nd", "rd", "th":
		return isDigits(word[:len(word)-2])
	}
	return false
}

// isTime reports whether words are a time of day: "9:30", "4 pm", "2:15 utc".
func isTime(words []string) bool {
	clock, half := false, false
	for _, word := range words {
		switch word {
		case "am", "pm", "a.m.", "p.m.", "a.m", "p.m", "o'clock", "noon", "midnight":
			half = true
		case "utc", "gmt", "cet", "cest":
		default:
			bare := strings.TrimSuffix(strings.TrimSuffix(word, "am"), "pm")
			if !isDigits(strings.Replace(bare, ":", "", 1)) {
				return false
			}
			clock, half = true, half || bare != word || strings.Contains(bare, ":")
		}
	}
	return half && (clock || len(words) == 1)
}

// isAddress reports whether a word is an address of a mailbox, host, or file.
func isAddress(word string) bool {
	if strings.Contains(word, "://") || strings.HasPrefix(word, "/") && len(word) > 1 {
		return true
	}
	before, after, found := strings.Cut(word, "@")
	if found {
		return before != "" && strings.Contains(after, ".")
	}
	return strings.ContainsAny(strings.Trim(word, "."), "./") && strings.ContainsFunc(word, unicode.IsLetter) && !startsVersion(word) &&
		!strings.ContainsFunc(word, func(r rune) bool {
			return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("./_-:", r)
		})
}

func startsVersion(word string) bool {
	word = strings.TrimPrefix(word, "v")
	return word != "" && isDigitByte(word[0])
}

// sortOfNumber returns the sort of a number with what follows it.
func sortOfNumber(words []string) string {
	unit, numbers := "", 0
	for numbers < len(words) && unit == "" {
		digits, rest := splitNumber(words[numbers])
		if digits == "" {
			break
		}
		unit = rest
		numbers++
	}
	rest := words[numbers:]
	switch {
	case numbers == 0:
		return ""
	case unit != "":
		return sortOfUnit(unit, rest)
	case len(rest) == 0:
		return "number"
	}
	return sortOfUnit(rest[0], rest[1:])
}

// splitNumber parts a word into a number and the unit that follows without a
// blank; the number is "" if the word begins with none.
func splitNumber(word string) (digits, unit string) {
	if _, ok := countWord(word); ok || word == "one" {
		return word, ""
	}
	trimmed := strings.TrimLeft(word, "$€£+-v")
	end := 0
	for end < len(trimmed) && (isDigitByte(trimmed[end]) || end > 0 && strings.IndexByte(".,'", trimmed[end]) >= 0) {
		end++
	}
	if end == 0 {
		return "", ""
	}
	if strings.ContainsAny(word[:len(word)-len(trimmed)], "$€£") {
		return trimmed[:end], "$"
	}
	return trimmed[:end], trimmed[end:]
}

// units are the kinds of units.
var units = map[string]string{
	"%": "share", "percent": "share", "$": "money", "€": "money", "£": "money", "eur": "money", "euro": "money", "usd": "money", "dollar": "money",
	"pound": "money", "chf": "money", "yen": "money", "cent": "money",
	"b": "size", "kb": "size", "mb": "size", "gb": "size", "tb": "size", "ki": "size", "mi": "size", "gi": "size", "kib": "size", "mib": "size", "gib": "size", "byte": "size",
	"ms": "duration", "s": "duration", "sec": "duration", "second": "duration", "min": "duration", "minute": "duration", "h": "duration",
	"hour": "duration", "day": "duration", "week": "duration", "month": "duration", "year": "duration",
	"mm": "length", "cm": "length", "m": "length", "km": "length", "mile": "length", "inch": "length", "feet": "length",
	"g": "weight", "kg": "weight", "mg": "weight", "lb": "weight", "°c": "degrees", "°": "degrees", "degree": "degrees", "k": "number",
}

// sortOfUnit returns the kind of a unit; a plural that isn't known is its own, and
// "a month" makes another one of it.
func sortOfUnit(unit string, rest []string) string {
	kind := unitKind(unit)
	switch {
	case kind == "":
		return ""
	case len(rest) == 0:
		return kind
	case len(rest) == 2 && (rest[0] == "a" || rest[0] == "per" || rest[0] == "an" || rest[0] == "each") && unitKind(rest[1]) == "duration":
		return kind + " a " + rest[1]
	case len(rest) == 1 && kind == "number" && unitKind(rest[0]) != "":
		return unitKind(rest[0])
	}
	return ""
}

func unitKind(unit string) string {
	if kind := units[unit]; kind != "" {
		return kind
	}
	single := strings.TrimSuffix(unit, "s")
	if kind := units[single]; kind != "" {
		return kind
	}
	switch unit {
	case "always", "sometimes", "times", "less", "plus", "minus", "this", "us", "ours", "yours", "is", "was", "afterwards":
		return ""
	}
	if single == unit || len(single) < 3 || strings.ContainsFunc(unit, func(r rune) bool { return !unicode.IsLetter(r) }) {
		return ""
	}
	return unit
}

func isDigits(word string) bool {
	return word != "" && !strings.ContainsFunc(word, func(r rune) bool { return r < '0' || r > '9' })
}
