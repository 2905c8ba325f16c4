package tomledit

// This file decides where values end: strings of four kinds, arrays, inline
// tables, and everything else.

import "bytes"

// value reads the value that begins here.
func (s *scanner) value() (v value, err error) {
	v.start = s.pos
	switch c := s.peek(); c {
	case '[', '{':
		if s.depth++; s.depth > maxNesting {
			return v, s.exceed("nested deeper than %d levels", maxNesting)
		}
		v.kind = array
		if c == '{' {
			v.kind = inlineTable
			if err = s.makeTables(1); err != nil {
				return v, err
			}
		}
		s.pos++
		err = s.items(&v)
		s.depth--
	case '"', '\'':
		if s.ahead(string([]byte{c, c, c})) {
			err = s.passLongString(c)
		} else {
			err = s.passString()
		}
	default:
		err = s.passPlain()
	}
	v.end = s.pos
	return v, err
}

// items reads what is inside an array or inline table, and the closing bracket.
// Line ends and comments are taken in both, as TOML 1.1 does.
func (s *scanner) items(v *value) error {
	closing := byte(']')
	if v.kind == inlineTable {
		closing = '}'
	}
	for s.pos < len(s.text) {
		start := s.pos
		kind := itemToken
		switch s.text[s.pos] {
		case ' ', '\t', '\r', '\n':
			s.pos++
			continue
		case closing:
			s.pos++
			return nil
		case '#':
			v.tokens = append(v.tokens, token{s.passComment(), commentToken})
			continue
		case ',':
			s.pos++
			kind = commaToken
		default:
			if err := s.item(v); err != nil {
				return err
			}
		}
		v.tokens = append(v.tokens, token{span{start, s.pos}, kind})
	}
	return s.fail("expected %c", closing)
}

func (s *scanner) item(v *value) error {
	if v.kind == array {
		element, err := s.value()
		v.elements = append(v.elements, element)
		return err
	}
	p, err := s.pair()
	v.pairs = append(v.pairs, p)
	return err
}

// passString passes a string on one line.
func (s *scanner) passString() error {
	quote := s.text[s.pos]
	for i := s.pos + 1; i < len(s.text); i++ {
		switch c := s.text[i]; {
		case c == quote:
			s.pos = i + 1
			return nil
		case c == '\n':
			return s.fail("the string doesn't end on its line")
		case c == '\\' && quote == '"':
			i++
		}
	}
	return s.fail("the string doesn't end")
}

// passLongString passes a string between three quotes. One or two more may stand
// before the closing ones.
func (s *scanner) passLongString(quote byte) error {
	run := 0
	for i := s.pos + 3; i < len(s.text); i++ {
		switch c := s.text[i]; {
		case c == quote:
			run++
			if next := i + 1; run >= 3 && (run == 5 || next >= len(s.text) || s.text[next] != quote) {
				s.pos = next
				return nil
			}
			continue
		case c == '\\' && quote == '"':
			i++
		}
		run = 0
	}
	return s.fail("the string doesn't end")
}

// passPlain passes a number, a boolean or a date. A blank may stand in a date.
func (s *scanner) passPlain() error {
	n := bytes.IndexAny(s.text[s.pos:], ",]}#\r\n")
	if n < 0 {
		n = len(s.text) - s.pos
	}
	plain := bytes.TrimRight(s.text[s.pos:s.pos+n], " \t")
	if len(plain) == 0 {
		return s.fail("expected a value")
	}
	s.pos += len(plain)
	return nil
}
