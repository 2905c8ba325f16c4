package ownsets

// This file decides which sets there are and how they are written.

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

//go:embed sources/*.txt
var sources embed.FS

// chatter is text about nothing.
type chatter struct {
	chatFrames, noteFrames, talk, notes []string
}

// Sets makes all sets.
func Sets() ([]*Set, error) {
	text, err := sources.ReadFile("sources/chatter.txt")
	if err != nil {
		return nil, err
	}
	c, err := parseChatter(string(text))
	if err != nil {
		return nil, err
	}
	var out []*Set
	for _, r := range recipes() {
		text, err := sources.ReadFile("sources/" + r.name + ".txt")
		if err != nil {
			return nil, err
		}
		s, err := parse(string(text))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", r.name, err)
		}
		out = append(out, build(r, s, c))
	}
	return out, nil
}

func parseChatter(text string) (*chatter, error) {
	c := &chatter{}
	parts := map[string]*[]string{"frames of chat": &c.chatFrames, "frames of notes": &c.noteFrames, "chat": &c.talk, "notes": &c.notes}
	var part *[]string
	for row := range strings.Lines(text) {
		row = strings.TrimSpace(row)
		title, isTitle := strings.CutPrefix(row, "# ")
		switch {
		case isTitle:
			part = parts[title]
		case part == nil:
			return nil, fmt.Errorf("%q is in no part", row)
		case row != "":
			*part = append(*part, row)
		}
	}
	return c, nil
}

// Files returns the contents of a set's files by name.
func (s *Set) Files() (map[string][]byte, error) {
	var corpus, queries, qrels bytes.Buffer
	documents, questions := json.NewEncoder(&corpus), json.NewEncoder(&queries)
	documents.SetEscapeHTML(false)
	questions.SetEscapeHTML(false)
	for _, d := range s.Documents {
		if err := documents.Encode(d); err != nil {
			return nil, err
		}
	}
	for _, q := range s.Queries {
		if err := questions.Encode(q); err != nil {
			return nil, err
		}
		for _, id := range q.relevant {
			fmt.Fprintf(&qrels, "%s\t%s\t1\n", q.ID, id)
		}
	}
	return map[string][]byte{"corpus.jsonl": corpus.Bytes(), "queries.jsonl": queries.Bytes(), "qrels.tsv": qrels.Bytes()}, nil
}

// Write writes a set into a folder of its name below dir.
func (s *Set) Write(dir string) error {
	files, err := s.Files()
	if err != nil {
		return err
	}
	at := filepath.Join(dir, s.Name)
	if err := os.MkdirAll(at, 0o755); err != nil {
		return err
	}
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(at, name), content, 0o644); err != nil {
			return err
		}
	}
	return nil
}
