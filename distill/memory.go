// What distillation yields, and its JSON.

package distill

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
)

// Kind says what sort of thing a fact is. Kinds are compared as they are spelled.
type Kind string

// The kinds. No others are valid.
const (
	Decision   Kind = "decision"   // something decided, with its reason where known
	Correction Kind = "correction" // the user set something right
	Preference Kind = "preference" // how the user wants things
	State      Kind = "state"      // something got a value, or a new one
)

// Kinds returns the valid kinds in the order in which they are declared.
func Kinds() []Kind { return []Kind{Decision, Correction, Preference, State} }

// Valid reports whether k is one of Kinds.
func (k Kind) Valid() bool {
	switch k {
	case Decision, Correction, Preference, State:
		return true
	}
	return false
}

// Fact is one thing worth knowing in later conversations, in a sentence that
// makes sense without the conversation it comes from.
type Fact struct {
	Kind Kind   `json:"kind"`
	Text string `json:"text"`
}

// DistilledMemory is what a conversation leaves. Its JSON is
//
//	{"summary": "…", "facts": [{"kind": "decision", "text": "…"}]}
//
// and json.Unmarshal applies the strict rules of [Decode].
type DistilledMemory struct {
	Summary string `json:"summary"`
	Facts   []Fact `json:"facts"`
}

// ErrMalformed is matched by every error of [Decode] and [DecodeLenient].
var ErrMalformed = errors.New("distill: malformed memory")

// MarshalJSON writes both keys; no facts are an empty array.
func (m DistilledMemory) MarshalJSON() ([]byte, error) {
	type plain DistilledMemory
	if m.Facts == nil {
		m.Facts = []Fact{}
	}
	return json.Marshal(plain(m))
}

// UnmarshalJSON reads a document by the rules of [Decode].
func (m *DistilledMemory) UnmarshalJSON(data []byte) error {
	decoded, err := Decode(data)
	if err == nil {
		*m = decoded
	}
	return err
}

// Decode reads one JSON document. Summary and facts must be there, a string and
// an array; every fact must have a valid kind and a text, both strings. Keys and
// kinds are compared as they are spelled; other keys are ignored. Nothing but
// blanks may surround the document. Any fault rejects all of it.
func Decode(data []byte) (DistilledMemory, error) {
	m, dropped, err := DecodeLenient(data)
	if err == nil && len(dropped) > 0 {
		err = fmt.Errorf("%w: fact %d: %s", ErrMalformed, dropped[0].Index, dropped[0].Detail)
	}
	if err != nil {
		return DistilledMemory{}, err
	}
	return m, nil
}

// DecodeLenient is Decode but for facts that are faulty: they are left out and
// reported, with [ReasonKind] for an invalid kind and [ReasonForm] for anything
// else. The order of the others stays.
func DecodeLenient(data []byte) (DistilledMemory, []Dropped, error) {
	document, err := object(data)
	if err != nil {
		return DistilledMemory{}, nil, fmt.Errorf("%w: %w", ErrMalformed, err)
	}
	var m DistilledMemory
	if m.Summary, err = stringAt(document, "summary"); err != nil {
		return DistilledMemory{}, nil, fmt.Errorf("%w: %w", ErrMalformed, err)
	}
	var facts []json.RawMessage
	if err := json.Unmarshal(document["facts"], &facts); err != nil || facts == nil {
		return DistilledMemory{}, nil, fmt.Errorf("%w: facts is not an array", ErrMalformed)
	}
	var dropped []Dropped
	for i, raw := range facts {
		fact, reason, err := decodeFact(raw)
		if err != nil {
			dropped = append(dropped, Dropped{Index: i, Fact: fact, Reason: reason, Detail: err.Error()})
			continue
		}
		m.Facts = append(m.Facts, fact)
	}
	return m, dropped, nil
}

func decodeFact(raw []byte) (Fact, Reason, error) {
	var fact Fact
	fields, err := object(raw)
	if err != nil {
		return fact, ReasonForm, err
	}
	if fact.Text, err = stringAt(fields, "text"); err != nil {
		return fact, ReasonForm, err
	}
	kind, err := stringAt(fields, "kind")
	if err != nil {
		return fact, ReasonForm, err
	}
	if fact.Kind = Kind(kind); !fact.Kind.Valid() {
		return fact, ReasonKind, fmt.Errorf("%.40q is not a kind", kind)
	}
	return fact, "", nil
}

// object reads a JSON object by its keys as they are spelled; decoding into a
// struct would accept them in any case.
func object(data []byte) (map[string]json.RawMessage, error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(data, &fields); err != nil {
		return nil, err
	}
	if fields == nil {
		return nil, errors.New("null is not an object")
	}
	return fields, nil
}

// stringAt returns the string at a key that must be there.
func stringAt(fields map[string]json.RawMessage, key string) (string, error) {
	raw, ok := fields[key]
	if !ok {
		return "", fmt.Errorf("%s is missing", key)
	}
	var s string
	if err := json.Unmarshal(raw, &s); err != nil || bytes.Equal(raw, []byte("null")) {
		return "", fmt.Errorf("%s is not a string", key)
	}
	return s, nil
}
