package main

// This file measures commands from their arguments to their output, the opening
// and closing of the store included.

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/contextforge-go/contextforge"
)

func (r *rig) mustRun(b *testing.B, stdin string, args ...string) {
	var errs strings.Builder
	if code := r.app(strings.NewReader(stdin), io.Discard, &errs).run(b.Context(), args); code != exitOK {
		b.Fatalf("%q: exit %d: %s", args, code, errs.String())
	}
}

func benchRig(b *testing.B) *rig {
	return &rig{dir: b.TempDir(), env: map[string]string{storeEnv: b.TempDir() + "/store", embedderEnv: noEmbedder}}
}

func BenchmarkImport(b *testing.B) {
	for _, n := range []int{1000, 20_000} {
		in := manyLines(n)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			r := benchRig(b)
			b.ReportAllocs()
			b.SetBytes(int64(len(in)))
			for b.Loop() {
				r.mustRun(b, in, "import", "--store", contextforge.MemoryPath)
			}
		})
	}
}

func BenchmarkQuery(b *testing.B) {
	for _, n := range []int{1000, 20_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			r := benchRig(b)
			r.mustRun(b, manyLines(n), "import")
			b.ReportAllocs()
			for b.Loop() {
				r.mustRun(b, "", "query", "sails and databases 17", "--limit", "5")
			}
		})
	}
}

func BenchmarkExport(b *testing.B) {
	for _, n := range []int{1000, 20_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			r := benchRig(b)
			r.mustRun(b, manyLines(n), "import")
			b.ReportAllocs()
			for b.Loop() {
				r.mustRun(b, "", "export")
			}
		})
	}
}

func BenchmarkVersion(b *testing.B) {
	r := benchRig(b)
	b.ReportAllocs()
	for b.Loop() {
		r.mustRun(b, "", "--version")
	}
}
