package main

// This file decides what a record of an import may look like, and what is said
// of one that can't be an entry.

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"time"

	"github.com/contextforge-go/contextforge"
)

// decode reads a record. Besides the forms of time that an entry's JSON has, it
// takes a date, as the flags do.
func decode(text []byte, e *contextforge.Entry) error {
	err := e.UnmarshalJSON(text)
	if err == nil {
		return nil
	}
	if dated, ok := withoutDates(text); ok {
		return e.UnmarshalJSON(dated)
	}
	return err
}

// withoutDates writes the dates of a record as times, midnight UTC.
func withoutDates(text []byte) ([]byte, bool) {
	var fields map[string]json.RawMessage
	if json.Unmarshal(text, &fields) != nil {
		return nil, false
	}
	found := false
	for _, name := range []string{"timestamp", "created_at", "updated_at", "expires_at"} {
		var date string
		if json.Unmarshal(fields[name], &date) != nil {
			continue
		}
		if day, err := time.Parse(time.DateOnly, date); err == nil {
			fields[name] = json.RawMessage(day.Format(`"` + time.RFC3339 + `"`))
			found = true
		}
	}
	var out bytes.Buffer
	to := json.NewEncoder(&out)
	to.SetEscapeHTML(false) // metadata stays as it is spelled
	if !found || to.Encode(fields) != nil {
		return nil, false
	}
	return out.Bytes(), true
}

func sameJSON(a, b json.RawMessage) bool {
	return len(a) > 0 && len(b) > 0 && reflect.DeepEqual(decoded(a), decoded(b))
}

// decoded returns the value of valid JSON, numbers as they are written.
func decoded(text json.RawMessage) (v any) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if d.Decode(&v) != nil {
		return nil
	}
	return v
}

// hasKind tells an empty kind, which is one like any other, from none.
func hasKind(text []byte) bool {
	var probe struct {
		Kind *string `json:"kind"`
	}
	return json.Unmarshal(text, &probe) == nil && probe.Kind != nil
}

// reasonOf says in the terms of the record why it can't be an entry.
func reasonOf(err error) string {
	text := message(err)
	if _, reason, ok := strings.Cut(text, contextforge.ErrInvalidEntry.Error()+": "); ok {
		return timeReason(reason)
	}
	field, reason, named := strings.Cut(strings.TrimPrefix(text, "field "), ": ")
	var wrong *json.UnmarshalTypeError
	switch {
	case !errors.As(err, &wrong):
		return timeReason(strings.TrimPrefix(text, "field "))
	case wrong.Field != "":
		field = wrong.Field
	case !named || reason == "":
		field = "the record"
	}
	return fmt.Sprintf("%s has the wrong type, %s", field, wrong.Value)
}
