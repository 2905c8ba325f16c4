//go:build !noasm && (amd64 || arm64)

package simd

// This file decides the layout that the kernels in assembly want quantised
// matrices in:
//
//	panels  [Outputs/32][Inputs/32][8][32][4]int8   4 inputs of 32 outputs, 8 times a block
//	scales  [Outputs/32][Inputs/32][32]float32
//
// The last panel is filled up with zeros.

import "encoding/binary"

const (
	panelBlockBytes = BlockSize * PanelWidth

	// What the weights are XORed with, four at a time.
	signedWeights   = 0          // they stay int8
	unsignedWeights = 0x80808080 // 128 is added: VPDPBUSD wants them as uint8
)

// packPanels makes the panels from the parts, which aren't needed any more.
func packPanels(m *MatrixQ8, flip uint32) {
	count, blocks := (m.Outputs+PanelWidth-1)/PanelWidth, m.Inputs/BlockSize
	m.panels = make([]byte, count*blocks*panelBlockBytes)
	m.scales = make([]float32, count*blocks*PanelWidth)
	for p := range count {
		var rows [PanelWidth][]byte
		for o := range rows {
			if p*PanelWidth+o < m.Outputs {
				rows[o] = m.row(p*PanelWidth + o)
			}
		}
		for b := range blocks {
			at := p*blocks + b
			packBlock((*[panelBlockBytes]byte)(m.panels[at*panelBlockBytes:]), (*[PanelWidth]float32)(m.scales[at*PanelWidth:]), &rows, b, flip)
		}
	}
	m.parts = nil
}

// packBlock packs block b of 32 outputs, of which the absent are nil and leave
// zeros.
func packBlock(panel *[panelBlockBytes]byte, scales *[PanelWidth]float32, rows *[PanelWidth][]byte, b int, flip uint32) {
	for o, row := range rows {
		if row == nil {
			continue
		}
		block := (*[q8BlockBytes]byte)(row[b*q8BlockBytes:])
		scales[o] = halfScale(block[0], block[1])
		for i := range BlockSize / 4 {
			w := binary.LittleEndian.Uint32(block[2+4*i:])
			binary.LittleEndian.PutUint32(panel[i*4*PanelWidth+4*o:], w^flip)
		}
	}
}
