//go:build !noasm

package simd

// This file tests how rows become tiles.

import "testing"

// Every row is in one tile, and there are no more tiles than necessary.
func TestDivide(t *testing.T) {
	for most := 1; most <= 12; most++ {
		for rows := 1; rows <= 60; rows++ {
			const from = 7
			next, tiles := from, 0
			for _, g := range divide(from, rows, most) {
				if g.tiles == 0 {
					continue
				}
				if g.from != next || g.height < 1 || g.height > most || g.tiles < 0 {
					t.Fatalf("%d rows, at most %d: %+v", rows, most, g)
				}
				next, tiles = next+g.tiles*g.height, tiles+g.tiles
			}
			if next != from+rows || tiles != (rows+most-1)/most {
				t.Fatalf("%d rows, at most %d: %d tiles to %d", rows, most, tiles, next)
			}
		}
	}
}

func TestOutputMask(t *testing.T) {
	for count, want := range map[int]uint32{1: 1, 5: 0x1f, 31: 0x7fffffff, 32: 0xffffffff, 33: 0xffffffff, 1000: 0xffffffff} {
		if got := outputMask(count); got != want {
			t.Errorf("%d: %#x, want %#x", count, got, want)
		}
	}
}

// The packed weights are where the kernels look for them, and the file is not
// kept.
func TestPackPanels(t *testing.T) {
	const inputs, outputs = 64, 33
	file := make([]byte, 0, outputs*inputs/BlockSize*q8BlockBytes)
	for o := range outputs {
		for b := range inputs / BlockSize {
			file = append(file, 0x00, 0x3c)
			for i := range BlockSize {
				file = append(file, byte(o*7+b*50+i))
			}
		}
	}
	for _, flip := range []uint32{signedWeights, unsignedWeights} {
		m := &MatrixQ8{Outputs: outputs, Inputs: inputs, parts: [][]byte{file}}
		packPanels(m, flip)
		if m.parts != nil || len(m.panels) != 2*inputs*PanelWidth || len(m.scales) != 2*inputs/BlockSize*PanelWidth {
			t.Fatal(len(m.parts), len(m.panels), len(m.scales))
		}
		for o := range 2 * PanelWidth {
			for i := range inputs {
				b := o/PanelWidth*(inputs/BlockSize) + i/BlockSize
				got, want := m.panels[b*panelBlockBytes+i%BlockSize/4*4*PanelWidth+o%PanelWidth*4+i%4], byte(0)
				scale := float32(0)
				if o < outputs {
					want, scale = byte(o*7+i/BlockSize*50+i%BlockSize)^byte(flip), 1
				}
				if got != want || m.scales[b*PanelWidth+o%PanelWidth] != scale {
					t.Fatalf("output %d, input %d: %d·%v, want %d·%v", o, i, got, m.scales[b*PanelWidth+o%PanelWidth], want, scale)
				}
			}
		}
	}
}
