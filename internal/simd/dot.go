package simd

// This file decides what the dot product of two rows is.

// Dot returns the sum of the products of a and b, in the order of Sum. The
// slices have the same length.
func Dot(a, b []float32) float32 {
	var lanes [Lanes]float32
	for i, v := range a[:len(b)] {
		lanes[i%Lanes] += float32(v * b[i])
	}
	return sumLanes(&lanes)
}
