// Neon writes the assembly of internal/simd for arm64: products_arm64.s and
// rows_arm64.s, as plain text. Every size of a tile is the same loop with another
// number of rows.
//
// Run by "go generate" in internal/simd. The flag -dir is the folder to write to.
package main

// This file decides which files are written.

import (
	"flag"
	"log"
	"os"
	"path/filepath"
)

func main() {
	folder := flag.String("dir", ".", "folder to write to")
	flag.Parse()
	for _, f := range files() {
		if err := os.WriteFile(filepath.Join(*folder, f.name), []byte(f.text), 0o644); err != nil {
			log.Fatal(err)
		}
	}
}

type file struct{ name, text string }

func files() []file {
	return []file{
		{"products_arm64.s", products()},
		{"rows_arm64.s", rows()},
	}
}
