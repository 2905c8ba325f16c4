package measure

// These tests decide that the summaries are the ones named, without measuring
// any time that they rely on.

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"
)

func times(ms ...int) Times {
	var t Times
	for _, n := range ms {
		t = append(t, time.Duration(n)*time.Millisecond)
	}
	return t
}

func TestPercentile(t *testing.T) {
	hundred := make([]int, 100)
	for i := range hundred {
		hundred[i] = 100 - i
	}
	for _, tt := range []struct {
		times Times
		p     float64
		want  int
	}{
		{nil, 50, 0},
		{times(7), 50, 7},
		{times(7), 99, 7},
		{times(3, 1, 2), 50, 2},
		{times(4, 1, 3, 2), 50, 2},
		{times(hundred...), 50, 50},
		{times(hundred...), 99, 99},
		{times(hundred...), 100, 100},
		{times(hundred...), 0, 1},
	} {
		if got := tt.times.At(tt.p); got != time.Duration(tt.want)*time.Millisecond {
			t.Errorf("%v at %v: %v, want %d ms", tt.times, tt.p, got, tt.want)
		}
	}
}

func TestMedian(t *testing.T) {
	for _, tt := range []struct {
		values []int
		want   int
	}{{nil, 0}, {[]int{5}, 5}, {[]int{9, 1}, 1}, {[]int{9, 1, 4}, 4}} {
		if got := Median(tt.values); got != tt.want {
			t.Errorf("%v: %d, want %d", tt.values, got, tt.want)
		}
	}
}

// One slow round does not decide.
func TestSeries(t *testing.T) {
	ours := Series{times(2, 2, 2), times(90, 90, 90), times(3, 3, 3)}
	floor := Series{times(1, 1, 1), times(30, 30, 30), times(1, 1, 1)}
	if got := ours.At(50); got != 3*time.Millisecond {
		t.Errorf("p50 is %v", got)
	}
	if got := ours.Ratio(floor, 50); got != 3 {
		t.Errorf("ratio is %v", got)
	}
	if got := ours.Ratio(Series{times(0), times(0), times(0)}, 50); got != 0 {
		t.Errorf("ratio to nothing is %v", got)
	}
}

func TestInTurn(t *testing.T) {
	var order []string
	note := func(name string) func(int) error {
		return func(int) error {
			order = append(order, name)
			return nil
		}
	}
	got, err := InTurn(3, note("a"), note("b"))
	if err != nil || len(got) != 2 || len(got[0]) != 3 || len(got[1]) != 3 {
		t.Fatalf("%v, %v", got, err)
	}
	if want := []string{"a", "b", "b", "a", "a", "b"}; !slices.Equal(order, want) {
		t.Errorf("order %v, want %v", order, want)
	}
	broken := errors.New("broken")
	if _, err := InTurn(2, func(int) error { return broken }); !errors.Is(err, broken) {
		t.Errorf("error %v", err)
	}
}

func TestRounds(t *testing.T) {
	series, err := Rounds(2, func(r int) ([]Times, error) { return []Times{times(r), times(r, r)}, nil })
	if err != nil || len(series) != 2 || len(series[0]) != 2 || len(series[1][1]) != 2 {
		t.Errorf("%v, %v", series, err)
	}
	broken := errors.New("broken")
	if _, err := Rounds(2, func(int) ([]Times, error) { return nil, broken }); !errors.Is(err, broken) {
		t.Errorf("error %v", err)
	}
}

func TestTimed(t *testing.T) {
	few := Timed("k", "what", Series{times(2)}, "floor", Series{times(1)}, "")
	if few.P50 != 2 || few.B50 != 1 || few.Ratio != 2 || few.P99 != 0 || few.B99 != 0 {
		t.Errorf("%+v", few)
	}
	many := make(Times, 50)
	for i := range many {
		many[i] = time.Duration(i+1) * time.Millisecond
	}
	alone := Timed("k", "what", Series{many}, "", nil, "")
	if alone.P50 != 25 || alone.P99 != 50 || alone.Ratio != 0 {
		t.Errorf("%+v", alone)
	}
}

func TestReport(t *testing.T) {
	r := &Report{
		Title: "T", Machine: Machine{Cores: 3, OS: "os", Arch: "arch", Go: "go1"}, Notes: []string{"a note"},
		Tables: []*Table{{Title: "10 entries", Entries: 10}, {Title: "20 entries", Entries: 20}},
	}
	r.Tables[0].Add(Row{Key: "k", What: "save", Unit: "ms", P50: 2})
	r.Tables[1].Add(Row{Key: "k", What: "save", Unit: "ms", P50: 3, P99: 0.25, Beside: "floor", B50: 1500, Ratio: 0.002})
	r.Grow("k", "save", 10, 20, Series{times(2)}, Series{times(3)}, "≤ 1.3")
	want := `# T

CPU unknown, 3 cores, os/arch, go1

- a note

## 10 entries

| what | unit | p50 | p99 | CPU ms | beside | its p50 | its p99 | ratio | target |
|---|---|---:|---:|---:|---|---:|---:|---:|---|
| save | ms | 2.00 |  |  |  |  |  |  |  |

## 20 entries

| what | unit | p50 | p99 | CPU ms | beside | its p50 | its p99 | ratio | target |
|---|---|---:|---:|---:|---|---:|---:|---:|---|
| save | ms | 3.00 | 0.25 |  | floor | 1500 |  | 0.002 |  |

## Growth

The same operation at two sizes, in turn.

| what | entries | p50 ms | entries | p50 ms | ratio | target |
|---|---:|---:|---:|---:|---:|---|
| save | 10 | 2.00 | 20 | 3.00 | 1.50 | ≤ 1.3 |
`
	if got := r.Markdown(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	text, err := json.Marshal(r)
	if err != nil || !strings.Contains(string(text), `"key":"k"`) {
		t.Errorf("%s, %v", text, err)
	}
}

func TestDigits(t *testing.T) {
	for x, want := range map[float64]string{0: "", 0.12345: "0.123", 1.2345: "1.23", 12.345: "12.3", 1234.5: "1234", -2: "-2.00"} {
		if got := Digits(x); got != want {
			t.Errorf("%v: %q, want %q", x, got, want)
		}
	}
}

func TestMachine(t *testing.T) {
	m := ThisMachine()
	if m.Cores < 1 || m.Go == "" || !strings.Contains(m.String(), m.OS) {
		t.Errorf("%+v", m)
	}
	now, own, peak := Resident()
	if own < 0 || now < own || peak < now {
		t.Errorf("resident %d, own %d, peak %d", now, own, peak)
	}
	if CPU() < 0 {
		t.Error("negative processor time")
	}
	if got := field("no such file", "x"); got != "" {
		t.Errorf("field of nothing is %q", got)
	}
}
