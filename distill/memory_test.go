// Tests of the JSON forms, strict and lenient.

package distill

import (
	"encoding/json"
	"errors"
	"reflect"
	"sync"
	"testing"
)

func TestDecode(t *testing.T) {
	one := DistilledMemory{"s", []Fact{{Decision, "t"}}}
	tests := []struct {
		name, json string
		want       DistilledMemory
		ok         bool
	}{
		{"a document", `{"summary":"s","facts":[{"kind":"decision","text":"t"}]}`, one, true},
		{"blanks around", " \n{\"summary\":\"s\",\"facts\":[{\"kind\":\"decision\",\"text\":\"t\"}]}\n ", one, true},
		{"unknown keys", `{"summary":"s","x":1,"facts":[{"kind":"decision","text":"t","y":null}]}`, one, true},
		{"no facts", `{"summary":"s","facts":[]}`, DistilledMemory{Summary: "s"}, true},
		{"empty texts", `{"summary":"","facts":[{"kind":"state","text":""}]}`, DistilledMemory{Facts: []Fact{{State, ""}}}, true},
		{"unknown kind", `{"summary":"s","facts":[{"kind":"opinion","text":"t"}]}`, DistilledMemory{}, false},
		{"kind in capitals", `{"summary":"s","facts":[{"kind":"Decision","text":"t"}]}`, DistilledMemory{}, false},
		{"null summary", `{"summary":null,"facts":[]}`, DistilledMemory{}, false},
		{"no summary", `{"facts":[]}`, DistilledMemory{}, false},
		{"summary in capitals", `{"Summary":"s","facts":[]}`, DistilledMemory{}, false},
		{"no facts key", `{"summary":"s"}`, DistilledMemory{}, false},
		{"null facts", `{"summary":"s","facts":null}`, DistilledMemory{}, false},
		{"null text", `{"summary":"s","facts":[{"kind":"state","text":null}]}`, DistilledMemory{}, false},
		{"no text", `{"summary":"s","facts":[{"kind":"state"}]}`, DistilledMemory{}, false},
		{"no kind", `{"summary":"s","facts":[{"text":"t"}]}`, DistilledMemory{}, false},
		{"a fact that is a string", `{"summary":"s","facts":["t"]}`, DistilledMemory{}, false},
		{"a null fact", `{"summary":"s","facts":[null]}`, DistilledMemory{}, false},
		{"an array", `[]`, DistilledMemory{}, false},
		{"null", `null`, DistilledMemory{}, false},
		{"more behind", `{"summary":"s","facts":[]} x`, DistilledMemory{}, false},
		{"nothing", ``, DistilledMemory{}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Decode([]byte(tt.json))
			if (err == nil) != tt.ok || err != nil && !errors.Is(err, ErrMalformed) || !reflect.DeepEqual(got, tt.want) {
				t.Errorf("got %v, %v", got, err)
			}
			var m DistilledMemory
			if err := json.Unmarshal([]byte(tt.json), &m); (err == nil) != tt.ok || !reflect.DeepEqual(m, tt.want) {
				t.Errorf("Unmarshal: got %v, %v", m, err)
			}
		})
	}
}

func TestDecodeLenient(t *testing.T) {
	const document = `{"summary":"s","facts":[{"kind":"state","text":"a"},{"kind":"opinion","text":"b"},7,{"kind":"state"},{"kind":"decision","text":"c"}]}`
	m, dropped, err := DecodeLenient([]byte(document))
	if want := (DistilledMemory{"s", []Fact{{State, "a"}, {Decision, "c"}}}); err != nil || !reflect.DeepEqual(m, want) {
		t.Errorf("got %v, %v", m, err)
	}
	var got []Dropped
	for _, d := range dropped {
		d.Detail = ""
		got = append(got, d)
	}
	want := []Dropped{{Index: 1, Fact: Fact{"opinion", "b"}, Reason: ReasonKind}, {Index: 2, Reason: ReasonForm}, {Index: 3, Reason: ReasonForm}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("dropped %v", got)
	}
	if _, _, err := DecodeLenient([]byte(`{"summary":3,"facts":[]}`)); !errors.Is(err, ErrMalformed) {
		t.Errorf("a faulty document: %v", err)
	}
}

func TestEncode(t *testing.T) {
	for _, tt := range []struct {
		m    DistilledMemory
		want string
	}{
		{DistilledMemory{}, `{"summary":"","facts":[]}`},
		{DistilledMemory{"s", []Fact{{Preference, "t"}}}, `{"summary":"s","facts":[{"kind":"preference","text":"t"}]}`},
	} {
		got, err := json.Marshal(tt.m)
		if err != nil || string(got) != tt.want {
			t.Errorf("got %s, %v, want %s", got, err, tt.want)
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(`{"summary":"s","facts":[{"kind":"decision","text":"t"},{"kind":"x","text":1}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		m, dropped, err := DecodeLenient(data)
		strict, strictErr := Decode(data)
		if (strictErr == nil) != (err == nil && len(dropped) == 0) || strictErr == nil && !reflect.DeepEqual(m, strict) {
			t.Fatalf("lenient %v %v, strict %v", dropped, err, strictErr)
		}
		if err != nil {
			return
		}
		text, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		if again, err := Decode(text); err != nil || !reflect.DeepEqual(again, m) {
			t.Fatalf("%s: %v, %v", text, again, err)
		}
	})
}

func TestMeter(t *testing.T) {
	var meter Meter
	var wait sync.WaitGroup
	for range 10 {
		wait.Go(func() { meter.Record(Usage{PromptTokens: 3, CompletionTokens: 2, Calls: 1}) })
	}
	wait.Wait()
	if got, want := meter.Usage(), (Usage{30, 20, 10}); got != want {
		t.Errorf("got %v", got)
	}
}
