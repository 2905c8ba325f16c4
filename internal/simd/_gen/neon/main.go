// Neon writes the assembly of internal/simd for arm64: products_arm64.s and
// rows_arm64.s. It is run in that folder, or with another one as the argument.
package main

// This file decides which files are written.

import (
	"log"
	"os"
	"path/filepath"
)

func main() {
	folder := "."
	if len(os.Args) > 1 {
		folder = os.Args[1]
	}
	for _, f := range files() {
		if err := os.WriteFile(filepath.Join(folder, f.name), []byte(f.text), 0o644); err != nil {
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
