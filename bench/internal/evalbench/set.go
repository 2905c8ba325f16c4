package evalbench

// This file decides what a set is and how it is read.

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/contextforge-go/contextforge"
)

// The files of a set.
const (
	corpusFile  = "corpus.jsonl"
	queriesFile = "queries.jsonl"
	qrelsFile   = "qrels.tsv"
)

// ErrData is the error for files that are no set, for errors.Is.
var ErrData = errors.New("evalbench: not a usable set")

// Set is a collection of documents with questions and what answers them.
type Set struct {
	Name      string // of its folder
	Documents []Document
	Queries   []Query
	// BySession is true when the judgements name sessions: Relevant holds those then.
	BySession bool
	// Textless is the number of documents without text, which are left out.
	Textless int
	// Strays are the judgements of questions that the set doesn't have, which are left
	// out, and of documents that it doesn't have, which count as not found.
	Strays int
}

// Document is a text to be found.
type Document struct {
	ID, Text, Scope, Kind string
	Session               string    // with the scope in front, so that it is unique; "" for none
	Time                  time.Time // zero when the set doesn't say
	Metadata              map[string]json.RawMessage
}

// Query is a question.
type Query struct {
	ID, Text, Scope, Category string
	Time                      time.Time // zero when the set doesn't say
	Relevant                  []string  // ids of documents, or sessions
}

// Find reads the set in a folder or, when it has none, those in its subfolders. corpus,
// unless empty, is the file that is read instead of a set's corpus.jsonl: a path, or the
// name of a file in the folder of the set; of subfolders, those count that have it.
func Find(dir, corpus string) ([]*Set, error) {
	if whole(dir, cmp.Or(corpus, corpusFile)) {
		s, err := Load(dir, corpus)
		return []*Set{s}, err
	}
	below, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrData, err)
	}
	var sets []*Set
	for _, entry := range below {
		if at := filepath.Join(dir, entry.Name()); whole(at, filepath.Base(cmp.Or(corpus, corpusFile))) {
			s, err := Load(at, corpus)
			if err != nil {
				return nil, err
			}
			sets = append(sets, s)
		}
	}
	if len(sets) == 0 {
		return nil, fmt.Errorf("%w: neither the folder nor one in it has %s, %s and %s", ErrData, cmp.Or(corpus, corpusFile), queriesFile, qrelsFile)
	}
	return sets, nil
}

// whole reports whether a folder has a set.
func whole(dir, corpus string) bool {
	for _, path := range []string{corpusOf(dir, corpus), filepath.Join(dir, queriesFile), filepath.Join(dir, qrelsFile)} {
		if info, err := os.Stat(path); err != nil || info.IsDir() {
			return false
		}
	}
	return true
}

// corpusOf returns the path of the documents of the set in a folder.
func corpusOf(dir, corpus string) string {
	if info, err := os.Stat(corpus); err == nil && !info.IsDir() && filepath.Base(corpus) != corpus {
		return corpus
	}
	if inside := filepath.Join(dir, cmp.Or(corpus, corpusFile)); corpus == "" || exists(inside) {
		return inside
	}
	return corpus
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// Load reads the set in a folder; corpus, unless empty, is the file of its documents, a
// path or the name of a file in the folder.
func Load(dir, corpus string) (*Set, error) {
	at, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	s := &Set{Name: filepath.Base(at)}
	r := reader{set: s, documents: map[string]int{}, queries: map[string]int{}, sessions: map[string]bool{}}
	for _, file := range []struct {
		path string
		line func(string) error
	}{{corpusOf(dir, corpus), r.document}, {filepath.Join(dir, queriesFile), r.query}, {filepath.Join(dir, qrelsFile), r.judgement}} {
		if err := eachLine(file.path, file.line); err != nil {
			return nil, fmt.Errorf("%w: %w", ErrData, err)
		}
	}
	if err := r.finish(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrData, err)
	}
	return s, nil
}

// eachLine hands over the lines of a file that aren't empty.
func eachLine(path string, do func(line string) error) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<26)
	for n := 1; lines.Scan(); n++ {
		if strings.TrimSpace(lines.Text()) == "" {
			continue
		}
		if err := do(lines.Text()); err != nil {
			return fmt.Errorf("%s, line %d: %w", filepath.Base(path), n, err)
		}
	}
	return lines.Err()
}

// reader puts a set together.
type reader struct {
	set                *Set
	documents, queries map[string]int // by id, from 0
	sessions           map[string]bool
	lines              int // of judgements
	judged             []judged
}

// judged is a judgement of something relevant.
type judged struct {
	query  int
	target string
}

// object is a line of JSON whose fields are taken out one by one.
type object struct {
	fields map[string]json.RawMessage
	err    error // the first
}

func parse(line string) *object {
	o := &object{}
	o.err = json.Unmarshal([]byte(line), &o.fields)
	return o
}

// take returns the first of the named fields that is there, as text: a string as it is,
// a number as it is written, null as "".
func (o *object) take(names ...string) (text string) {
	for _, name := range names {
		raw, ok := o.fields[name]
		if !ok {
			continue
		}
		delete(o.fields, name)
		var err error
		switch {
		case string(raw) == "null":
		case raw[0] == '"':
			err = json.Unmarshal(raw, &text)
		case raw[0] == '{' || raw[0] == '[':
			err = fmt.Errorf("field %s is neither a string nor a number", name)
		default:
			text = string(raw)
		}
		o.fail(err)
		return text
	}
	return ""
}

// time takes the field timestamp, which must be a time if it is there, or else the first
// of others that is one.
func (o *object) time(others ...string) (t time.Time) {
	if text := o.take("timestamp"); text != "" {
		t, err := parseTime(text)
		o.fail(err)
		return t
	}
	for _, name := range others {
		var text string
		if json.Unmarshal(o.fields[name], &text) != nil {
			text = string(o.fields[name])
		}
		if t, err := parseTime(text); err == nil && t.After(earliest) {
			delete(o.fields, name)
			return t
		}
	}
	return t
}

// earliest tells Unix seconds from years, days and other small numbers.
var earliest = time.Date(1973, 1, 1, 0, 0, 0, 0, time.UTC)

// parseTime reads what contextforge.ParseTime does, and dates with a time of day or
// without, which count as UTC.
func parseTime(text string) (time.Time, error) {
	t, err := contextforge.ParseTime(text)
	if err == nil {
		return t, nil
	}
	for _, layout := range []string{
		"2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02 15:04:05", "2006-01-02 15:04", time.DateOnly,
		"2006/01/02 (Mon) 15:04", "2006/01/02 15:04", "2006/01/02",
	} {
		if t, err := time.Parse(layout, text); err == nil {
			return t, nil
		}
	}
	return t, err
}

func (o *object) fail(err error) {
	if o.err == nil {
		o.err = err
	}
}

func (r *reader) document(line string) error {
	o := parse(line)
	d := Document{
		ID: o.take("id", "_id"), Text: o.take("text", "content"), Scope: o.take("scope"), Session: o.take("session", "session_id"),
		Kind: cmp.Or(o.take("kind"), contextforge.KindSnapshot), Time: o.time("time", "date"),
	}
	o.fail(enter(r.documents, d.ID))
	if d.Session != "" {
		d.Session = sessionOf(d.Scope, d.Session)
		r.sessions[d.Session] = true
	}
	if len(o.fields) > 0 {
		d.Metadata = o.fields
	}
	if strings.TrimSpace(d.Text) == "" {
		r.set.Textless++
		return o.err
	}
	r.set.Documents = append(r.set.Documents, d)
	return o.err
}

func (r *reader) query(line string) error {
	o := parse(line)
	q := Query{
		ID: o.take("id", "_id"), Text: o.take("text", "query"), Scope: o.take("scope"),
		Category: o.take("category", "type"), Time: o.time("time", "date"),
	}
	o.fail(enter(r.queries, q.ID))
	r.set.Queries = append(r.set.Queries, q)
	return o.err
}

// judgement reads a line of three columns, or of the four of TREC, whose second means
// nothing. A first line without a grade is a head.
func (r *reader) judgement(line string) error {
	r.lines++
	columns := strings.Split(strings.TrimRight(line, "\r"), "\t")
	if len(columns) == 1 {
		columns = strings.Fields(line)
	}
	if len(columns) == 4 {
		columns = slices.Delete(columns, 1, 2)
	}
	if len(columns) != 3 {
		return fmt.Errorf("%d columns, want 3", len(columns))
	}
	grade, err := strconv.ParseFloat(strings.TrimSpace(columns[2]), 64)
	if err != nil && r.lines == 1 {
		return nil
	}
	if err != nil {
		return fmt.Errorf("grade: %w", err)
	}
	at, ok := r.queries[columns[0]]
	switch {
	case !ok:
		r.set.Strays++
	case grade >= 1:
		r.judged = append(r.judged, judged{at, columns[1]})
	}
	return nil
}

// finish settles whether documents or sessions were judged, and hands the judgements to
// their questions.
func (r *reader) finish() error {
	documents, sessions := 0, 0
	for _, j := range r.judged {
		if _, ok := r.documents[j.target]; ok {
			documents++
		} else if r.sessions[sessionOf(r.set.Queries[j.query].Scope, j.target)] {
			sessions++
		}
	}
	r.set.BySession = sessions > documents
	known := max(documents, sessions)
	r.set.Strays += len(r.judged) - known
	if known == 0 && r.set.Strays > 0 {
		return fmt.Errorf("%s: no judgement names a question and a document of the set", qrelsFile)
	}
	for _, j := range r.judged {
		q, target := &r.set.Queries[j.query], j.target
		if r.set.BySession {
			target = sessionOf(q.Scope, target)
		}
		q.Relevant = append(q.Relevant, target)
	}
	return nil
}

func enter(ids map[string]int, id string) error {
	if id == "" {
		return errors.New("no id")
	}
	if _, taken := ids[id]; taken {
		return fmt.Errorf("the id %q is there already", id)
	}
	ids[id] = len(ids)
	return nil
}

// sessionOf makes the name of a session unique: two scopes may count theirs alike.
func sessionOf(scope, session string) string {
	if scope == "" {
		return session
	}
	return scope + "/" + session
}
