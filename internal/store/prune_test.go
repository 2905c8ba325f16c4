package store

// What Prune keeps of a salvaged copy, and what it names as lost.

import (
	"strings"
	"testing"

	"github.com/contextforge-go/contextforge/kv"
	"github.com/contextforge-go/contextforge/kv/memkv"
)

func TestPrune(t *testing.T) {
	pairs := memkv.New()
	defer pairs.Close()
	b := pairs.NewBatch()
	defer b.Close()
	rec := appendRecord(nil, &stored{Record: Record{ID: "a", Kind: "note", Content: "text"}})
	b.Set(recordKey(1), rec)
	b.Set(recordKey(2), rec[:2])
	b.Set([]byte{famRecord, 1}, rec)
	b.Set(historyKey("a", 1), rec)
	b.Set(historyKey("a", 2), []byte("nonsense"))
	b.Set(stateKey(), []byte{0xFF})
	if err := pairs.Commit(b, kv.Sync); err != nil {
		t.Fatal(err)
	}
	kept, lost, err := Prune(t.Context(), pairs)
	if err != nil || kept != 1 || len(lost) != 3 {
		t.Fatalf("kept %d, lost %q, %v", kept, lost, err)
	}
	for _, line := range lost {
		if !strings.HasPrefix(line, "record under key 1") || strings.Contains(line, "\n") {
			t.Errorf("line %q", line)
		}
	}
	for _, key := range [][]byte{recordKey(1), historyKey("a", 1), rebuildKey()} {
		if _, err := kv.GetCopy(pairs, nil, key); err != nil {
			t.Errorf("key %x: %v", key, err)
		}
	}
	if kept, lost, err := Prune(t.Context(), pairs); err != nil || kept != 1 || len(lost) != 0 {
		t.Errorf("again: kept %d, lost %q, %v", kept, lost, err)
	}
}
