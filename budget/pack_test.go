// Packing: tables, the case of crowded-out notes, and random rankings against
// plain oracles.

package budget

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
)

func TestGreedy(t *testing.T) {
	tests := []struct {
		name   string
		costs  []int
		budget int
		want   []int
	}{
		{"nothing", nil, 10, []int{}},
		{"all fit", []int{1, 2, 3}, 10, []int{0, 1, 2}},
		{"exact fit", []int{7, 3}, 10, []int{0, 1}},
		{"first alone fits exactly", []int{5, 5, 5}, 5, []int{0}},
		{"big one skipped, smaller taken", []int{99, 5}, 10, []int{1}},
		{"skip and continue", []int{6, 6, 4, 1}, 10, []int{0, 2}},
		{"budget 0 takes what is free", []int{1, 0, 2, 0}, 0, []int{1, 3}},
		{"negative cost is free", []int{-5, 10, 1}, 10, []int{0, 1}},
		{"smallest int", []int{math.MinInt, 10}, 10, []int{0, 1}},
		{"huge costs don't wrap", []int{math.MaxInt - 1, math.MaxInt, 1}, math.MaxInt - 1, []int{0}},
		{"largest budget", []int{math.MaxInt, math.MaxInt, 1}, math.MaxInt, []int{0, 1, 2}},
		{"unlimited", []int{math.MaxInt, math.MaxInt}, Unlimited, []int{0, 1}},
		{"any negative budget", []int{5}, -77, []int{0}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Greedy(tt.costs, tt.budget); !slices.Equal(got, tt.want) {
				t.Errorf("got %v, want %v", got, tt.want)
			}
			items := make([]Item, len(tt.costs))
			for i, c := range tt.costs {
				items[i].Cost = c
			}
			if got := Pack(items, tt.budget, Policy{}); !slices.Equal(got, tt.want) {
				t.Errorf("Pack without a policy: got %v, want %v", got, tt.want)
			}
		})
	}
}

// oracle is the reference's loop with its saturating sum.
func oracle(costs []int, budget int) []int {
	out, used := []int{}, 0
	for i, c := range costs {
		sum := used + max(c, 0)
		if sum < used {
			sum = math.MaxInt
		}
		if sum <= budget {
			out, used = append(out, i), sum
		}
	}
	return out
}

func TestGreedyAgainstOracle(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 1))
	sizes := []int{3, 100, math.MaxInt}
	for range 5000 {
		limit := sizes[r.IntN(len(sizes))]
		costs := make([]int, r.IntN(60))
		for i := range costs {
			costs[i] = r.IntN(limit) - limit/20
		}
		budget := r.IntN(limit)
		if r.IntN(10) == 0 {
			budget = math.MaxInt
		}
		if got, want := Greedy(costs, budget), oracle(costs, budget); !slices.Equal(got, want) {
			t.Fatalf("costs %v, budget %d: %v, want %v", costs, budget, got, want)
		}
	}
}

func TestPack(t *testing.T) {
	chat := func(costs ...int) (items []Item) {
		for _, c := range costs {
			items = append(items, Item{c, "chat"})
		}
		return items
	}
	note := func(cost int) Item { return Item{cost, "note"} }
	mixed := append(chat(4, 4, 4, 4), note(3), note(6), note(3)) // notes at 4, 5, 6
	notes := func(entries int, share float64) []Floor { return []Floor{{"note", entries, share}} }
	tests := []struct {
		name   string
		items  []Item
		budget int
		policy Policy
		want   []int
	}{
		{"no floor", mixed, 12, Policy{}, []int{0, 1, 2}},
		{"one note", mixed, 12, Policy{Floors: notes(1, 0)}, []int{0, 1, 4}},
		{"two notes", mixed, 13, Policy{Floors: notes(2, 0)}, []int{0, 4, 5}},
		{"more than there are", mixed, 100, Policy{Floors: notes(9, 0)}, []int{0, 1, 2, 3, 4, 5, 6}},
		{"share alone", mixed, 12, Policy{Floors: notes(0, 0.5)}, []int{0, 4, 6}},
		{"share and number", mixed, 12, Policy{Floors: notes(1, 0.5)}, []int{0, 1, 4}},
		{"share too small", mixed, 12, Policy{Floors: notes(1, 0.1)}, []int{0, 1, 2}},
		{"share above 1", mixed, 12, Policy{Floors: notes(0, 7)}, []int{4, 5, 6}},
		{"share NaN", mixed, 12, Policy{Floors: notes(1, math.NaN())}, []int{0, 1, 4}},
		{"floor off", mixed, 12, Policy{Floors: notes(0, 0)}, []int{0, 1, 2}},
		{"floor negative", mixed, 12, Policy{Floors: notes(-1, -1)}, []int{0, 1, 2}},
		{"kind absent", mixed, 12, Policy{Floors: []Floor{{"fact", 2, 0}}}, []int{0, 1, 2}},
		{"note doesn't fit", mixed, 2, Policy{Floors: notes(1, 0)}, []int{}},
		{"first floor first", append(chat(5), note(5)), 5, Policy{Floors: []Floor{{"note", 1, 0}, {"chat", 1, 0}}}, []int{1}},
		{"the other way", append(chat(5), note(5)), 5, Policy{Floors: []Floor{{"chat", 1, 0}, {"note", 1, 0}}}, []int{0}},
		{"same kind twice", mixed, 12, Policy{Floors: append(notes(1, 0), notes(1, 0)...)}, []int{4, 5, 6}},
		{"unlimited", mixed, Unlimited, Policy{Floors: notes(1, 0.2), MaxShare: 0.2}, []int{0, 1, 2, 3, 4, 5, 6}},
		{"no cap", chat(9, 2, 2), 10, Policy{}, []int{0}},
		{"cap", chat(9, 2, 2), 10, Policy{MaxShare: 0.25}, []int{1, 2}},
		{"cap at its bound", chat(2, 2), 8, Policy{MaxShare: 0.25}, []int{0, 1}},
		{"capped entry takes what is left", chat(6, 2, 2), 10, Policy{MaxShare: 0.25}, []int{0, 1, 2}},
		{"all above the cap", chat(6, 5), 10, Policy{MaxShare: 0.25}, []int{0}},
		{"cap of 1", chat(9, 2, 2), 10, Policy{MaxShare: 1}, []int{0}},
		{"cap NaN", chat(9, 2, 2), 10, Policy{MaxShare: math.NaN()}, []int{0}},
		{"cap holds for floors", append(chat(2, 2), note(5), note(2)), 8, Policy{Floors: notes(1, 0), MaxShare: 0.25}, []int{0, 1, 3}},
		{"budget 0", []Item{note(0), {1, "chat"}}, 0, Policy{Floors: notes(1, 0.5), MaxShare: 0.5}, []int{0}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Pack(tt.items, tt.budget, tt.policy); !slices.Equal(got, tt.want) {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
}

// P16: two hundred chat snapshots rank above three notes, five entries fit; a
// floor of one keeps the best note in.
func TestP16Floor(t *testing.T) {
	var items []Item
	for range 200 {
		items = append(items, Item{40, "snapshot"})
	}
	for range 3 {
		items = append(items, Item{40, "manual"})
	}
	if got := Pack(items, 200, Policy{}); !slices.Equal(got, []int{0, 1, 2, 3, 4}) {
		t.Errorf("without a floor: %v", got)
	}
	policy := Policy{Floors: []Floor{{Kind: "manual", Entries: 1}}}
	if got := Pack(items, 200, policy); !slices.Equal(got, []int{0, 1, 2, 3, 200}) {
		t.Errorf("with a floor: %v", got)
	}
}

func randomItems(r *rand.Rand) []Item {
	items := make([]Item, r.IntN(80))
	for i := range items {
		items[i] = Item{r.IntN(40) - 2, "k" + strconv.Itoa(r.IntN(4))}
	}
	return items
}

func randomPolicy(r *rand.Rand) Policy {
	var p Policy
	for range r.IntN(4) {
		p.Floors = append(p.Floors, Floor{"k" + strconv.Itoa(r.IntN(5)), r.IntN(4) - 1, float64(r.IntN(6)) / 10})
	}
	if r.IntN(2) == 0 {
		p.MaxShare = r.Float64() * 1.2
	}
	return p
}

// Whatever the policy: indexes ascend, the budget holds, nothing that was left
// out would still fit, and every floor is met as far as it can be.
func TestPackProperties(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 2))
	for range 5000 {
		items, policy, budget := randomItems(r), randomPolicy(r), r.IntN(300)
		got := Pack(items, budget, policy)
		used, taken := 0, map[int]bool{}
		for i, index := range got {
			if i > 0 && got[i-1] >= index {
				t.Fatalf("indexes %v", got)
			}
			used += max(items[index].Cost, 0)
			taken[index] = true
		}
		if used > budget {
			t.Fatalf("%d tokens in a budget of %d", used, budget)
		}
		for i, item := range items {
			if !taken[i] && used+max(item.Cost, 0) <= budget {
				t.Fatalf("entry %d of cost %d was left out with %d of %d used", i, item.Cost, used, budget)
			}
		}
		if again := Pack(items, budget, policy); !slices.Equal(got, again) {
			t.Fatal("two runs differ")
		}
		if len(policy.Floors) > 0 && policy.MaxShare == 0 {
			checkFirstFloor(t, items, budget, policy.Floors[0], taken)
		}
	}
}

// checkFirstFloor recomputes what the first floor reserves, which nothing can
// take from it.
func checkFirstFloor(t *testing.T, items []Item, budget int, floor Floor, taken map[int]bool) {
	t.Helper()
	limit := budget
	if floor.Share > 0 {
		limit = int(float64(budget) * floor.Share)
	} else if floor.Entries <= 0 {
		return
	}
	used, count := 0, 0
	for i, item := range items {
		if item.Kind != floor.Kind || used+max(item.Cost, 0) > limit || floor.Entries > 0 && count == floor.Entries {
			continue
		}
		used, count = used+max(item.Cost, 0), count+1
		if !taken[i] {
			t.Fatalf("floor %+v of budget %d: entry %d is missing", floor, budget, i)
		}
	}
}

func FuzzPack(f *testing.F) {
	f.Add([]byte{10, 0, 20, 1, 5, 2}, 25, 1, 0.5, 0.25)
	f.Add([]byte{}, -1, 0, math.NaN(), math.Inf(1))
	f.Add([]byte{255, 0, 0, 0}, math.MaxInt, -1, -0.5, 1e300)
	f.Fuzz(func(t *testing.T, data []byte, budget, entries int, share, maxShare float64) {
		var items []Item
		for i := 0; i+1 < len(data); i += 2 {
			items = append(items, Item{int(data[i]), strconv.Itoa(int(data[i+1]) % 3)})
		}
		got := Pack(items, budget, Policy{[]Floor{{"0", entries, share}, {"1", 1, maxShare}}, maxShare})
		used := 0
		for _, i := range got {
			used += items[i].Cost
		}
		if budget >= 0 && used > budget || budget < 0 && len(got) != len(items) {
			t.Errorf("%d tokens, %d of %d entries in a budget of %d", used, len(got), len(items), budget)
		}
	})
}

func ExamplePack() {
	items := []Item{{40, "snapshot"}, {40, "snapshot"}, {40, "snapshot"}, {25, "manual"}}
	fmt.Println(Pack(items, 120, Policy{}))
	fmt.Println(Pack(items, 120, Policy{Floors: []Floor{{Kind: "manual", Entries: 1}}}))
	// Output:
	// [0 1 2]
	// [0 1 3]
}

func BenchmarkPack(b *testing.B) {
	r := rand.New(rand.NewPCG(15, 3))
	policy := Policy{Floors: []Floor{{"k1", 2, 0.3}}, MaxShare: 0.25}
	for _, n := range []int{50, 1000} {
		items := make([]Item, n)
		for i := range items {
			items[i] = Item{20 + r.IntN(400), "k" + strconv.Itoa(r.IntN(4))}
		}
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Pack(items, 8192, policy)
			}
		})
	}
}

func BenchmarkGreedy(b *testing.B) {
	costs := make([]int, 1000)
	for i := range costs {
		costs[i] = 20 + i%400
	}
	b.ReportAllocs()
	for b.Loop() {
		Greedy(costs, 8192)
	}
}
