// Says what a question asks for: a time, the present state, an earlier state.

package timex

// Asks reports whether the question asks for a time: it begins with "when", or
// holds "how long", "what year", "how many days" and the like.
func Asks(query string) bool {
	s := scan(query)
	for s.next() {
		if s.sense(senseAsks) {
			return true
		}
	}
	return false
}

// Current reports whether the question asks for the present state: "now",
// "currently", "at the moment", "latest", "most recent", "still", "these days",
// "as of today", "her current job", or the like in another language. It doesn't
// take "by now", "just now", "now and then", "still life", an electric current,
// or what was "still" so in the past for it. A question may be both Current and
// [Past].
func Current(query string) bool {
	s := scan(query)
	for s.next() {
		if s.sense(senseCurrent) && s.present() {
			return true
		}
	}
	return false
}

// Past reports whether the question asks for an earlier state: "used to",
// "previously", "originally", "at first", "back then", "former", "in 2019", a
// "before" that ends the sentence, or the like in another language. Before an
// event is [Anchor]'s.
func Past(query string) bool {
	s := scan(query)
	for s.next() {
		if s.sense(sensePast) && s.past() || s.inYear() {
			return true
		}
	}
	return false
}

// sense reports whether a phrase of that sense ends in the current word.
func (s *scanner) sense(want sense) bool {
	t := s.back(0)
	if t.entry == nil {
		return false
	}
	for i := range t.entry.ends {
		if p := &t.entry.ends[i]; p.sense&want != 0 && s.holds(p) {
			return true
		}
	}
	return false
}

// holds reports whether the words before the current one are those of the
// phrase.
func (s *scanner) holds(p *phrase) bool {
	for i, e := range p.before {
		if !s.back(i).close() || s.back(i+1).entry != e {
			return false
		}
	}
	switch {
	case p.sense&senseOpens != 0 && !s.back(len(p.before)).first, p.sense&senseAccent != 0 && !s.back(0).accented:
		return false
	case p.sense&senseWeak != 0:
		return s.language()&p.langs != 0
	}
	return true
}

// present judges the words that mean the present only in some company.
func (s *scanner) present() bool {
	t := s.back(0)
	one := s.back(1)
	switch t.entry.word {
	case "now":
		return s.presentNow(t, one)
	case "still":
		return s.presentStill(t, one)
	case "latest":
		return s.back(1).kind != kindThe || s.back(2).entry == nil || s.back(2).entry.word != "at"
	case "current":
		return s.presentCurrent(t, one)
	}
	return true
}

// past judges the words that mean the past only in some company.
func (s *scanner) past() bool {
	t, one := s.back(0), s.back(1)
	switch t.entry.word {
	case "to": // to be used to something, to be used to make something
		if one.is("used") || one.is("use") {
			return s.usedTo()
		}
	case "before":
		next := s.ahead()
		return !next.close() || next.start == next.end || next.is("that") || next.is("this") || next.is("then") || next.kind == kindNow
	case "avant", "antes", "prima": // of an event, unless they end the sentence
		next := s.ahead()
		return next.kind != kindOf && (t.entry.word != "avant" || !next.follows() || next.start == next.end)
	case "beginning":
		return !s.endsBefore("of")
	}
	return true
}

// usedTo tells "he used to smoke" from "he is used to smoke", which ends in the
// current word.
func (s *scanner) usedTo() bool {
	for i := 2; i <= 3 && s.back(i-1).close(); i++ { // is used to, is it used to
		if verb := s.back(i); verb.entry != nil {
			switch verb.entry.word {
			case "am", "is", "are", "was", "were", "be", "been", "being", "get", "gets", "got", "getting", "m", "re":
				return false
			}
		}
	}
	if s.back(1).is("use") && !s.earlier("did") {
		return false
	}
	next := s.ahead()
	return !next.is("it") && !next.is("the") && !next.is("this") && !next.is("that")
}

// endsBefore reports whether that word follows the current one.
func (s *scanner) endsBefore(word string) bool {
	next := s.ahead()
	return next.follows() && next.is(word)
}

// earlier reports whether the word stands before the current one in its
// sentence, not too far away.
func (s *scanner) earlier(word string) bool {
	for i := 1; i < history && !s.back(i-1).first; i++ {
		if s.back(i).is(word) {
			return true
		}
	}
	return false
}

// inYear recognises "in 2019".
func (s *scanner) inYear() bool {
	t := s.back(0)
	return t.isYear() && t.follows() && s.back(1).kind == kindIn
}

// presentNow leaves out "by now", "until now", "just now", "now and then", "now
// that" and the "now," that only opens a sentence.
func (s *scanner) presentNow(t, one *token) bool {
	if t.follows() && one.entry != nil {
		switch one.entry.word {
		case "by", "until", "till", "just", "before", "even":
			return false
		}
	}
	next := s.ahead()
	if t.first && next.gap == ',' {
		return false
	}
	if next.follows() && next.entry != nil {
		switch next.entry.word {
		case "and", "or", "that", "on":
			return next.entry.word == "on" && !(t.follows() && one.kind == kindFrom) || next.entry.word == "and" && !s.nowAndThen()
		}
	}
	return true
}

// nowAndThen reports whether the two words after the current one are those of
// "now and then", "now and again".
func (s *scanner) nowAndThen() bool {
	probe := scanner{lex: s.lex, text: s.text, pos: s.pos, count: s.count}
	s.read += 2
	for range 2 {
		if !probe.next() {
			return false
		}
	}
	return probe.back(0).is("then") || probe.back(0).is("again")
}

// presentStill leaves out the noun and the adjective (a still, still life, to
// stand still) and what was still so in the past.
func (s *scanner) presentStill(t, one *token) bool {
	if t.close() && one.entry != nil {
		switch one.entry.word {
		case "a", "the", "stand", "stands", "stood", "standing", "sit", "sat", "sitting", "hold", "holding", "keep", "kept", "stay",
			"stayed", "lie", "lay":
			return false
		}
	}
	if s.earlier("was") || s.earlier("were") || s.earlier("did") || s.earlier("had") {
		return false
	}
	next := s.ahead()
	if next.close() && next.entry != nil {
		switch next.entry.word {
		case "life", "lifes", "water", "waters", "image", "images", "frame", "frames", "camera", "photo", "photos", "born":
			return false
		}
	}
	return true
}

// presentCurrent takes "current" only as an adjective before its noun.
func (s *scanner) presentCurrent(t, one *token) bool {
	if t.close() && one.entry != nil {
		switch one.entry.word {
		case "electric", "electrical", "ocean", "alternating", "direct", "eddy", "air", "water", "sea", "under":
			return false
		}
	}
	next := s.ahead()
	if !next.follows() {
		return false
	}
	if next.entry != nil {
		switch next.entry.word {
		case "of", "in", "is", "was", "were", "are", "flow", "flows", "flowing", "flowed", "at", "to", "and", "or", "from", "on",
			"that", "through", "density", "transformer", "limiter", "sensor", "probe", "clamp":
			return false
		}
	}
	return true
}
