package simd

// This file decides which code transposes.

// Transpose writes up to 32 rows as one panel, [Width][32], like the function of
// this name.
func (k *Kernels) Transpose(panel []float32, a Rows) {
	if a.Count > PanelWidth || a.Stride < a.Width {
		panic("simd: transpose: shapes don't fit")
	}
	if a.Count > 0 && a.Width > 0 {
		k.transpose(panel[:(a.Width-1)*PanelWidth+a.Count], a)
	}
}
