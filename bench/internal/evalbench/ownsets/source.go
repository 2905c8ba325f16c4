package ownsets

// This file decides how a source is read.

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// source is what a file says.
type source struct {
	asked   time.Time
	circles map[string][]time.Time // sessions for lines without a date
	stories []*story
}

// story is what is told about one subject.
type story struct {
	name, circle, subject string // circle is "" for notes
	lines                 []line
	questions             []question
}

// line is an entry.
type line struct {
	label, text string
	day         time.Time // zero: any session of the circle
}

// question names the entries that answer it by their labels.
type question struct {
	kind, text string
	answers    []string
}

// sessionsOf is the number of sessions of a circle whose lines have no dates.
const sessionsOf = 8

func parse(text string) (*source, error) {
	s := &source{circles: map[string][]time.Time{}}
	var day time.Time
	for n, row := range strings.Split(text, "\n") {
		if row == "" {
			continue
		}
		if err := s.row(row, &day); err != nil {
			return nil, fmt.Errorf("line %d: %w", n+1, err)
		}
	}
	if s.asked.IsZero() {
		return nil, errors.New("no time at which the questions are asked")
	}
	return s, nil
}

// row takes one line; day is the date that holds for what follows.
func (s *source) row(row string, day *time.Time) (err error) {
	sign, rest, _ := strings.Cut(row, " ")
	switch sign {
	case "!":
		s.asked, err = time.Parse(time.RFC3339, strings.TrimPrefix(rest, "asked "))
		return err
	case "@":
		return s.meet(strings.Fields(rest))
	case "#":
		*day = time.Time{}
		return s.begin(rest)
	}
	if len(s.stories) == 0 {
		return errors.New("no story has begun")
	}
	told := s.stories[len(s.stories)-1]
	if sign == "?" {
		return told.ask(rest)
	}
	at, err := time.Parse(time.DateOnly, sign)
	if err != nil {
		return told.tell(row, *day)
	}
	if rest == "" {
		*day = at
		return nil
	}
	return told.tell(rest, at)
}

// meet gives a circle its sessions.
func (s *source) meet(fields []string) error {
	if len(fields) != 3 {
		return errors.New("want a circle, a date and a number of days")
	}
	first, err := time.Parse(time.DateOnly, fields[1])
	if err != nil {
		return err
	}
	step, err := strconv.Atoi(fields[2])
	if err != nil {
		return err
	}
	for i := range sessionsOf {
		s.circles[fields[0]] = append(s.circles[fields[0]], first.AddDate(0, 0, i*step))
	}
	return nil
}

// begin begins a story.
func (s *source) begin(head string) error {
	head, subject, _ := strings.Cut(head, " | ")
	fields := strings.Fields(head)
	told := &story{subject: subject}
	switch {
	case len(fields) == 3 && fields[1] == "chat":
		told.circle = fields[2]
	case len(fields) != 2 || fields[1] != "note":
		return fmt.Errorf("%q begins neither a chat nor notes", head)
	}
	told.name = fields[0]
	s.stories = append(s.stories, told)
	return nil
}

// tell adds an entry.
func (t *story) tell(row string, day time.Time) error {
	l := line{text: strings.TrimPrefix(row, "- "), day: day}
	if label, rest, ok := strings.Cut(row, "] "); ok && strings.HasPrefix(label, "[") {
		l.label, l.text = label[1:], rest
	}
	if t.circle != "" && !strings.Contains(l.text, ": ") {
		return fmt.Errorf("%q is said by nobody", row)
	}
	t.lines = append(t.lines, l)
	return nil
}

// ask adds a question.
func (t *story) ask(row string) error {
	head, text, ok := strings.Cut(row, " | ")
	fields := strings.Fields(head)
	if !ok || len(fields) < 2 {
		return errors.New("want a category, what answers, and a question")
	}
	for _, label := range fields[1:] {
		found := false
		for _, l := range t.lines {
			found = found || l.label == label
		}
		if !found {
			return fmt.Errorf("no entry is labelled %q", label)
		}
	}
	t.questions = append(t.questions, question{fields[0], text, fields[1:]})
	return nil
}
