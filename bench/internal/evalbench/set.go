package evalbench

// This file decides what a set is and how it is read.

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
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
// unless empty, is the file that is read instead of a single set's corpus.jsonl.
func Find(dir, corpus string) ([]*Set, error) {
	if corpus != "" || whole(dir) {
		s, err := Load(dir, corpus)
		return []*Set{s}, err
	}
	below, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrData, err)
	}
	var sets []*Set
	for _, entry := range below {
		if at := filepath.Join(dir, entry.Name()); whole(at) {
			s, err := Load(at, "")
			if err != nil {
				return nil, err
			}
			sets = append(sets, s)
		}
	}
	if len(sets) == 0 {
		return nil, fmt.Errorf("%w: neither the folder nor one in it has %s, %s and %s", ErrData, corpusFile, queriesFile, qrelsFile)
	}
	return sets, nil
}

func whole(dir string) bool {
	for _, name := range []string{corpusFile, queriesFile, qrelsFile} {
		if _, err := fs.Stat(os.DirFS(dir), name); err != nil {
			return false
		}
	}
	return true
}

// Load reads the set in a folder; corpus, unless empty, is the file of its documents.
func Load(dir, corpus string) (*Set, error) {
	if corpus == "" {
		corpus = filepath.Join(dir, corpusFile)
	}
	at, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	s := &Set{Name: filepath.Base(at)}
	r := reader{set: s, documents: map[string]int{}, queries: map[string]int{}, sessions: map[string]bool{}}
	for _, file := range []struct {
		path string
		line func(string) error
	}{{corpus, r.document}, {filepath.Join(dir, queriesFile), r.query}, {filepath.Join(dir, qrelsFile), r.judgement}} {
		if err := eachLine(file.path, file.line); err != nil {
			return nil, fmt.Errorf("%w: %w", ErrData, err)
		}
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
	judged             bool // there was a relevant one
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

// time takes a field that is a time, or missing.
func (o *object) time(names ...string) (t time.Time) {
	text := o.take(names...)
	if text == "" {
		return t
	}
	t, err := contextforge.ParseTime(text)
	o.fail(err)
	return t
}

func (o *object) fail(err error) {
	if o.err == nil {
		o.err = err
	}
}

func (r *reader) document(line string) error {
	o := parse(line)
	d := Document{
		ID: o.take("id"), Text: o.take("text"), Scope: o.take("scope"), Session: o.take("session"),
		Kind: cmp.Or(o.take("kind"), contextforge.KindSnapshot), Time: o.time("timestamp"),
	}
	if d.Text == "" {
		o.fail(errors.New("a document without text"))
	}
	o.fail(enter(r.documents, d.ID))
	if d.Session != "" {
		d.Session = sessionOf(d.Scope, d.Session)
		r.sessions[d.Session] = true
	}
	if len(o.fields) > 0 {
		d.Metadata = o.fields
	}
	r.set.Documents = append(r.set.Documents, d)
	return o.err
}

func (r *reader) query(line string) error {
	o := parse(line)
	q := Query{
		ID: o.take("id"), Text: o.take("text"), Scope: o.take("scope"),
		Category: o.take("category", "type"), Time: o.time("timestamp", "date"),
	}
	o.fail(enter(r.queries, q.ID))
	r.set.Queries = append(r.set.Queries, q)
	return o.err
}

func (r *reader) judgement(line string) error {
	columns := strings.Split(line, "\t")
	if len(columns) != 3 {
		return fmt.Errorf("%d columns, want 3", len(columns))
	}
	grade, err := strconv.Atoi(strings.TrimSpace(columns[2]))
	if err != nil {
		return fmt.Errorf("grade: %w", err)
	}
	at, ok := r.queries[columns[0]]
	if !ok {
		return fmt.Errorf("no question has the id %q", columns[0])
	}
	if grade < 1 {
		return nil
	}
	q := &r.set.Queries[at]
	target := columns[1]
	_, known := r.documents[target]
	if !r.judged {
		r.judged = true
		r.set.BySession = !known && r.sessions[sessionOf(q.Scope, target)]
	}
	if r.set.BySession {
		target = sessionOf(q.Scope, target)
		known = r.sessions[target]
	}
	if !known {
		return fmt.Errorf("nothing to be found has the id %q", columns[1])
	}
	q.Relevant = append(q.Relevant, target)
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
