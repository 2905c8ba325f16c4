package main

// Which lexicons a query listens to.

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
)

func (r *rig) write(name, text string) string {
	r.t.Helper()
	if err := os.WriteFile(r.path(name), []byte(text), 0o600); err != nil {
		r.t.Fatal(err)
	}
	return r.path(name)
}

func TestQueryLexicons(t *testing.T) {
	r := newRig(t)
	r.must("", "save", "the deploy was confirmed by the harbour master")
	persona := r.write("sail.toml", "[terms]\nharbour = 1.0\n")
	config := r.write("config.json", `{"lexicon":["`+persona+`"]}`)
	bad := r.write("bad.toml", "[terms]\nharbour = 2\n")
	boost := func(args ...string) float64 {
		t.Helper()
		var hits []struct {
			Explain struct{ Boost float64 }
		}
		if err := json.Unmarshal([]byte(r.must("", append([]string{"query", "deploy", "--json"}, args...)...)), &hits); err != nil || len(hits) != 1 {
			t.Fatalf("%d hits, %v", len(hits), err)
		}
		return hits[0].Explain.Boost
	}
	for _, c := range []struct {
		args []string
		want float64
	}{
		{nil, 0.5},
		{[]string{"--lexicon", persona}, 1.5},
		{[]string{"--lexicon", "none"}, 0},
		{[]string{"--lexicon", "none", "--lexicon", persona}, 1},
		{[]string{"--config", config}, 1.5},
		{[]string{"--config", config, "--lexicon", "none"}, 0},
	} {
		if got := boost(c.args...); got != c.want {
			t.Errorf("%q: boost %v, want %v", c.args, got, c.want)
		}
	}
	if out := r.must("", "query", "deploy", "--explain", "--lexicon", persona); !strings.Contains(out, "boost 1.5000: confirmed +0.5, harbour +1") {
		t.Errorf("explained as\n%s", out)
	}
	if o := r.run("", "query", "deploy", "--lexicon", bad); o.code != exitUsage || !strings.Contains(o.err, "bad.toml") || !strings.Contains(o.err, "harbour") {
		t.Errorf("a bad lexicon: exit %d, %s", o.code, o.err)
	}
	r.write("lost.json", `{"lexicon":["`+r.path("nowhere.toml")+`"]}`)
	for _, args := range [][]string{
		{"query", "deploy", "--lexicon", r.path("nowhere.toml")}, {"query", "deploy", "--config", r.path("lost.json")},
		{"lexicon", "explain", "deploy", "--lexicon", r.path("nowhere.toml")}, {"lexicon", "check", r.path("nowhere.toml")},
	} {
		r.fails(exitError, "nowhere.toml", "", args...)
	}
}
