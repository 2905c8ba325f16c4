package ownsets

// This file decides what stands in which entry, and in which order.

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"
)

// Set is a set as package evalbench reads it.
type Set struct {
	Name      string
	Documents []Document
	Queries   []Query
}

// Document is an entry.
type Document struct {
	ID        string    `json:"id"`
	Text      string    `json:"text"`
	Session   string    `json:"session,omitempty"`
	Timestamp time.Time `json:"timestamp"`
}

// Query is a question.
type Query struct {
	ID        string    `json:"id"`
	Text      string    `json:"text"`
	Category  string    `json:"category"`
	Timestamp time.Time `json:"timestamp"`

	relevant []string // ids of documents
}

// recipe says how a set is filled up.
type recipe struct {
	name   string
	frames int // sentences about each subject that say nothing
	notes  int // entries without a subject or a session
	talk   int // turns of small talk at the beginning of each session
}

func recipes() []recipe {
	return []recipe{
		{name: "current", frames: 3, notes: 24, talk: 2},
		{name: "persona", frames: 2, notes: 20, talk: 1},
		{name: "when", frames: 8, notes: 30, talk: 1},
	}
}

// entry is a document that hasn't got its place yet.
type entry struct {
	key    string // story and label, for questions
	text   string
	circle string
	day    time.Time
}

// builder puts a set together.
type builder struct {
	recipe
	source   *source
	chatter  *chatter
	random   *rand.Rand
	sessions map[string][]time.Time // of circles
	entries  []entry
}

func build(r recipe, s *source, c *chatter) *Set {
	b := &builder{recipe: r, source: s, chatter: c, random: rand.New(rand.NewPCG(7, uint64(len(r.name)))), sessions: map[string][]time.Time{}}
	b.meet()
	for _, t := range s.stories {
		b.tell(t)
	}
	for _, t := range s.stories {
		b.mention(t)
	}
	b.smallTalk()
	return b.set()
}

// meet collects the sessions of every circle, sorted.
func (b *builder) meet() {
	for circle, days := range b.source.circles {
		b.sessions[circle] = slices.Clone(days)
	}
	for _, t := range b.source.stories {
		for _, l := range t.lines {
			if t.circle != "" && !l.day.IsZero() && !slices.Contains(b.sessions[t.circle], l.day) {
				b.sessions[t.circle] = append(b.sessions[t.circle], l.day)
			}
		}
	}
	for _, days := range b.sessions {
		slices.SortFunc(days, time.Time.Compare)
	}
}

// tell adds what was written about a subject.
func (b *builder) tell(t *story) {
	for _, l := range t.lines {
		day := l.day
		if day.IsZero() {
			day = b.anyDay(t.circle, time.Time{})
		}
		key := ""
		if l.label != "" {
			key = t.name + "/" + l.label
		}
		b.entries = append(b.entries, entry{key, l.text, t.circle, day})
	}
}

// anyDay returns a day of a session, or of the year before the questions, that isn't
// before another.
func (b *builder) anyDay(circle string, from time.Time) time.Time {
	var days []time.Time
	for _, day := range b.sessions[circle] {
		if !day.Before(from) {
			days = append(days, day)
		}
	}
	if len(days) > 0 {
		return days[b.random.IntN(len(days))]
	}
	last := b.source.asked.Truncate(24 * time.Hour)
	if start := last.AddDate(-1, 0, 0); from.Before(start) {
		from = start
	}
	span := int(last.Sub(from) / (24 * time.Hour))
	return from.AddDate(0, 0, 1+b.random.IntN(max(1, span-1)))
}

// mention adds sentences about a subject that say nothing about it, after it was
// spoken of first.
func (b *builder) mention(t *story) {
	if t.subject == "" {
		return
	}
	frames := b.chatter.noteFrames
	if t.circle != "" {
		frames = b.chatter.chatFrames
	}
	for _, i := range b.random.Perm(len(frames))[:b.frames] {
		text := strings.ReplaceAll(frames[i], "{x}", t.subject)
		text = strings.ReplaceAll(text, "{X}", strings.ToUpper(t.subject[:1])+t.subject[1:])
		if t.circle != "" {
			text = b.speaker(t) + ": " + text
		}
		b.entries = append(b.entries, entry{"", text, t.circle, b.anyDay(t.circle, t.lines[0].day)})
	}
}

// speaker returns somebody who speaks in a story.
func (b *builder) speaker(t *story) string {
	name, _, _ := strings.Cut(t.lines[b.random.IntN(len(t.lines))].text, ": ")
	return name
}

// smallTalk opens every session, and adds notes about nothing.
func (b *builder) smallTalk() {
	talk := b.random.Perm(len(b.chatter.talk))
	next := 0
	var opening []entry
	for _, circle := range b.circles() {
		teller := b.source.stories[slices.IndexFunc(b.source.stories, func(t *story) bool { return t.circle == circle })]
		for _, day := range b.sessions[circle] {
			for range b.talk {
				text := b.chatter.talk[talk[next%len(talk)]]
				opening = append(opening, entry{"", b.speaker(teller) + ": " + text, circle, day})
				next++
			}
		}
	}
	b.entries = append(opening, b.entries...)
	for _, i := range b.random.Perm(len(b.chatter.notes))[:b.notes] {
		b.entries = append(b.entries, entry{"", b.chatter.notes[i], "", b.anyDay("", time.Time{})})
	}
}

// circles returns the names of the circles, sorted.
func (b *builder) circles() (names []string) {
	for circle := range b.sessions {
		names = append(names, circle)
	}
	slices.Sort(names)
	return names
}

// set orders the entries by time and names them.
func (b *builder) set() *Set {
	slices.SortStableFunc(b.entries, func(x, y entry) int {
		return cmp.Or(x.day.Compare(y.day), cmp.Compare(x.circle, y.circle))
	})
	s := &Set{Name: b.name}
	ids := map[string]string{}
	circles := b.circles()
	within := 0 // place in the session, or on the day
	for i, e := range b.entries {
		if i == 0 || !e.day.Equal(b.entries[i-1].day) || e.circle != b.entries[i-1].circle {
			within = 0
		}
		d := Document{ID: fmt.Sprintf("%c%03d", b.name[0], i+1), Text: e.text, Timestamp: e.day.Add(9*time.Hour + time.Duration(within)*7*time.Minute)}
		if e.circle != "" {
			d.Session = e.circle + " " + e.day.Format(time.DateOnly)
			evening := time.Duration(16+slices.Index(circles, e.circle)) * time.Hour
			d.Timestamp = e.day.Add(evening + time.Duration(within)*20*time.Second)
		}
		within++
		s.Documents = append(s.Documents, d)
		if e.key != "" {
			ids[e.key] = d.ID
		}
	}
	for _, t := range b.source.stories {
		for _, q := range t.questions {
			made := Query{ID: fmt.Sprintf("q%02d", len(s.Queries)+1), Text: q.text, Category: q.kind, Timestamp: b.source.asked}
			for _, label := range q.answers {
				made.relevant = append(made.relevant, ids[t.name+"/"+label])
			}
			s.Queries = append(s.Queries, made)
		}
	}
	return s
}
