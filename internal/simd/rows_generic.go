package simd

// This file decides the operations on single rows: softmax, layer
// normalisation, GELU and sums.

import "math"

// Lanes is the number of partial sums of a row.
const Lanes = 16

// Sum returns the sum of x in the order that this package defines: in 16 lanes,
// of which lane l adds the elements l, l+16, …; then lane l adds lane l+8, l+4,
// l+2 and l+1.
func Sum(x []float32) float32 {
	var lanes [Lanes]float32
	whole := len(x) &^ (Lanes - 1)
	for l := 0; l < Lanes && whole > 0; l += halfLanes {
		sumHalf((*[halfLanes]float32)(lanes[l:]), x[l:whole])
	}
	for i, v := range x[whole:] {
		lanes[i] += v
	}
	return sumLanes(&lanes)
}

// halfLanes is how many sums fit into registers.
const halfLanes = Lanes / 2

// sumHalf adds the first 8 of every 16 values to the lanes.
func sumHalf(lanes *[halfLanes]float32, x []float32) {
	s0, s1, s2, s3, s4, s5, s6, s7 := lanes[0], lanes[1], lanes[2], lanes[3], lanes[4], lanes[5], lanes[6], lanes[7]
	for i := 0; i+halfLanes <= len(x); i += Lanes {
		v := (*[halfLanes]float32)(x[i:])
		s0 += v[0]
		s1 += v[1]
		s2 += v[2]
		s3 += v[3]
		s4 += v[4]
		s5 += v[5]
		s6 += v[6]
		s7 += v[7]
	}
	*lanes = [halfLanes]float32{s0, s1, s2, s3, s4, s5, s6, s7}
}

// SumSquares returns the sum of the squares of x, in the order of Sum.
func SumSquares(x []float32) float32 {
	var lanes [Lanes]float32
	whole := len(x) &^ (Lanes - 1)
	for l := 0; l < Lanes && whole > 0; l += halfLanes {
		sumSquaresHalf((*[halfLanes]float32)(lanes[l:]), x[l:whole])
	}
	for i, v := range x[whole:] {
		lanes[i] += float32(v * v)
	}
	return sumLanes(&lanes)
}

// sumSquaresHalf is sumHalf for the squares.
func sumSquaresHalf(lanes *[halfLanes]float32, x []float32) {
	s0, s1, s2, s3, s4, s5, s6, s7 := lanes[0], lanes[1], lanes[2], lanes[3], lanes[4], lanes[5], lanes[6], lanes[7]
	for i := 0; i+halfLanes <= len(x); i += Lanes {
		v := (*[halfLanes]float32)(x[i:])
		s0 += float32(v[0] * v[0])
		s1 += float32(v[1] * v[1])
		s2 += float32(v[2] * v[2])
		s3 += float32(v[3] * v[3])
		s4 += float32(v[4] * v[4])
		s5 += float32(v[5] * v[5])
		s6 += float32(v[6] * v[6])
		s7 += float32(v[7] * v[7])
	}
	*lanes = [halfLanes]float32{s0, s1, s2, s3, s4, s5, s6, s7}
}

func sumLanes(lanes *[Lanes]float32) float32 {
	for half := Lanes / 2; half > 0; half /= 2 {
		for l := range half {
			lanes[l] += lanes[l+half]
		}
	}
	return lanes[0]
}

// Add adds x to dst, element by element.
func (k *Kernels) Add(dst, x []float32) { k.add(dst[:len(x)], x) }

func addGeneric(dst, x []float32) {
	for i, v := range x {
		dst[i] += v
	}
}

// 2^f for |f| <= 1/2: minimax polynomial, relative error 2e-9 before rounding.
const (
	exp0 = 1
	exp1 = 0.6931472
	exp2 = 0.24022646
	exp3 = 0.055503286
	exp4 = 0.009618489
	exp5 = 0.0013399932
	exp6 = 0.00015345808

	log2E    = 1.4426950408889634 // rounded to float32 where it is used
	smallest = -125               // exponent below which a power stays at 2^-125
)

// Softmax turns x into exp(scale·(x - largest x)) and returns the sum of that.
// An element that is -Inf becomes 0. The length is a multiple of 16; fill up
// with -Inf. The relative error of an element is below 1.5e-7 where it is above
// 1/e, and 2e-6 where it is as small as 1e-13. If x holds a NaN, the sum is a
// NaN, and what becomes of the elements is not defined.
func (k *Kernels) Softmax(x []float32, scale float32) float32 {
	if len(x)%Lanes != 0 || len(x) == 0 {
		panic("simd: softmax: the length is no multiple of 16")
	}
	return k.softmax(x, scale)
}

func softmaxGeneric(x []float32, scale float32) float32 {
	scale = float32(scale * log2E)
	largest := x[0]
	for _, v := range x {
		if v > largest {
			largest = v
		}
	}
	var lanes [Lanes]float32
	for ; len(x) >= Lanes; x = x[Lanes:] {
		part := (*[Lanes]float32)(x)
		for l, v := range part {
			if math.Float32bits(v) == infinityBits|^uint32(absBits) { // -Inf
				part[l] = 0
				continue
			}
			part[l] = power2(float32((v - largest) * scale))
			lanes[l] += part[l]
		}
	}
	return sumLanes(&lanes)
}

// power2 returns 2^t for t <= 0.
func power2(t float32) float32 {
	if t < smallest {
		t = smallest
	}
	shifted := t + rounder
	f := t - (shifted - rounder)
	p := float32(exp6*f) + exp5
	p = float32(p*f) + exp4
	p = float32(p*f) + exp3
	p = float32(p*f) + exp2
	p = float32(p*f) + exp1
	p = float32(p*f) + exp0
	return float32(p * math.Float32frombits((math.Float32bits(shifted)-rounderBits+127)<<23))
}

// LayerNorm adds residual to x and normalises every row of len(gamma) values:
// (x - mean)/√(variance + epsilon)·gamma + beta.
func (k *Kernels) LayerNorm(x, residual, gamma, beta []float32, epsilon float32) {
	if len(gamma) == 0 || len(beta) != len(gamma) || len(x)%len(gamma) != 0 {
		panic("simd: layer norm: shapes don't fit")
	}
	if len(x) > 0 {
		k.layerNorm(x, residual[:len(x)], gamma, beta, epsilon)
	}
}

func layerNormGeneric(x, residual, gamma, beta []float32, epsilon float32) {
	n := len(gamma)
	for at := 0; at < len(x); at += n {
		row := x[at:][:n]
		addGeneric(row, residual[at:][:n])
		mean := Sum(row) / float32(n)
		for i := range row {
			row[i] -= mean
		}
		variance := SumSquares(row) / float32(n)
		inverse := 1 / float32(math.Sqrt(float64(variance+epsilon)))
		for i, v := range row {
			row[i] = float32(float32(v*inverse)*gamma[i]) + beta[i]
		}
	}
}

// Φ(x), the normal distribution function, for |x| <= 5.2: 1/2 + x·P(s), with
// s = x²·2/5.2² - 1 and P the polynomial that makes the largest error of x·Φ(x)
// smallest.
const (
	phiBound = 5.2
	phiScale = 0.0739645 // 2/phiBound²

	phi0  = 0.13594994
	phi1  = -0.067743406
	phi2  = 0.05003017
	phi3  = -0.0399413
	phi4  = 0.03190726
	phi5  = -0.024593418
	phi6  = 0.018387172
	phi7  = -0.01310331
	phi8  = 0.007557805
	phi9  = -0.0035057543
	phi10 = 0.002853643
	phi11 = -0.0025037006
	phi12 = 0.0008587525
)

// GELU replaces every x by x·Φ(x) = x/2·(1 + erf(x/√2)) (Hendrycks and Gimpel,
// "Gaussian Error Linear Units", 2016, the exact form). The absolute error is
// below 1.3e-6; from ±5.2 on the result is x and 0.
func (k *Kernels) GELU(x []float32) { k.gelu(x) }

func geluGeneric(x []float32) {
	for i, v := range x {
		x[i] = gelu(v)
	}
}

func gelu(x float32) float32 {
	u := x
	if u > phiBound {
		u = phiBound
	}
	if u < -phiBound {
		u = -phiBound
	}
	s := float32(float32(u*u)*phiScale) - 1
	p := float32(phi12*s) + phi11
	p = float32(p*s) + phi10
	p = float32(p*s) + phi9
	p = float32(p*s) + phi8
	p = float32(p*s) + phi7
	p = float32(p*s) + phi6
	p = float32(p*s) + phi5
	p = float32(p*s) + phi4
	p = float32(p*s) + phi3
	p = float32(p*s) + phi2
	p = float32(p*s) + phi1
	p = float32(p*s) + phi0
	p = float32(p*u) + 0.5
	return float32(x * p)
}
