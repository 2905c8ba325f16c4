// The committed tables are what math/big yields; -update writes them.

package fmath

import (
	"bytes"
	"flag"
	"fmt"
	"go/format"
	"math"
	"math/big"
	"os"
	"testing"
)

var update = flag.Bool("update", false, "write tables.go and the golden hashes anew")

// onGrid rounds x to a multiple of 2^exponent.
func onGrid(x *big.Float, exponent int) float64 {
	scaled, _ := newBig().SetMantExp(x, -exponent).Float64()
	return math.Ldexp(math.RoundToEven(scaled), exponent)
}

// remainder returns x - hi as the nearest float64.
func remainder(x *big.Float, hi float64) float64 {
	lo, _ := newBig().Sub(x, bigFloat(hi)).Float64()
	return lo
}

func tableSource(t *testing.T) []byte {
	t.Helper()
	var b bytes.Buffer
	constant := func(name string, x *big.Float, grid int) {
		hi := onGrid(x, grid)
		fmt.Fprintf(&b, "\t%sHi = %x\n\t%sLo = %x\n", name, hi, name, remainder(x, hi))
	}
	step := newBig().SetMantExp(bigLn2, -tableBits)
	stepsPerUnit, _ := newBig().Quo(bigFloat(1), step).Float64()
	b.WriteString("// Constants and tables, computed from math/big by TestTables.\n\npackage fmath\n\nconst (\n")
	b.WriteString("// ln(2) as a multiple of 2^-42 and the rest.\n")
	constant("ln2", bigLn2, -42)
	b.WriteString("// ln(2)/128 as a multiple of 2^-43 and the rest, and 128/ln(2).\n")
	constant("ln2Step", step, -43)
	fmt.Fprintf(&b, "\tstepsPerUnit = %x\n)\n\n", stepsPerUnit)
	b.WriteString("// logTable has the points 1 + j/128; the last one is 2.\nvar logTable = [tableSize + 1]logPoint{\n")
	for j := range tableSize + 1 {
		c := 1 + float64(j)/tableSize
		reciprocal := math.RoundToEven(4096/c) / 4096
		value := newBig().Sub(newBig(), bigLog(bigFloat(reciprocal)))
		hi := onGrid(value, -42)
		fmt.Fprintf(&b, "\t{%x, %x, %x},\n", reciprocal, hi, remainder(value, hi))
	}
	b.WriteString("}\n\n// powerTable has 2^(j/128).\nvar powerTable = [tableSize]powerPoint{\n")
	for j := range tableSize {
		value := bigExp2(bigFloat(float64(j) / tableSize))
		hi, _ := value.Float64()
		fmt.Fprintf(&b, "\t{%x, %x},\n", hi, remainder(value, hi))
	}
	b.WriteString("}\n")
	source, err := format.Source(b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	return source
}

func TestTables(t *testing.T) {
	want := tableSource(t)
	if *update {
		if err := os.WriteFile("tables.go", want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile("tables.go")
	if err != nil {
		t.Fatal(err)
	}
	if got = bytes.ReplaceAll(got, []byte("\r\n"), []byte("\n")); !bytes.Equal(got, want) {
		t.Error("tables.go differs from what math/big yields; run go test -run TestTables -update")
	}
}
