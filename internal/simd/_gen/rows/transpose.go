package main

// This file decides transposition.

// transpose: four columns of eight rows at once. Of the rows 0…3 and 4…7 the
// lower and the upper halves of Y0…Y3 take four values each.
func (t *target) transpose() {
	t.function("transpose", "(panel, data *float32, stride, groups, columns int)", 0, 40)
	t.note("R8: panel, R9: data, both of the group of rows; DX: bytes from row to row, BX: three times that,")
	t.note("CX: groups of eight rows, AX: groups of four columns; DI: panel, SI: row 0, R10: row 4")
	t.op("MOVQ", "panel+0(FP)", "R8")
	t.op("MOVQ", "data+8(FP)", "R9")
	t.op("MOVQ", "stride+16(FP)", "DX")
	t.op("MOVQ", "groups+24(FP)", "CX")
	t.op("SHLQ", "$2", "DX")
	t.op("LEAQ", "(DX)(DX*2)", "BX")
	t.label("group")
	t.op("MOVQ", "R8", "DI")
	t.op("MOVQ", "R9", "SI")
	t.op("LEAQ", "(R9)(DX*4)", "R10")
	t.op("MOVQ", "columns+32(FP)", "AX")
	t.label("four")
	for i, row := range []string{"", "(DX*1)", "(DX*2)", "(BX*1)"} {
		t.op("VMOVUPS", "(SI)"+row, x(i))
		t.op("VINSERTF128", "$1", "(R10)"+row, y(i), y(i))
	}
	t.op("VUNPCKLPS", y(1), y(0), y(4))
	t.op("VUNPCKHPS", y(1), y(0), y(5))
	t.op("VUNPCKLPS", y(3), y(2), y(6))
	t.op("VUNPCKHPS", y(3), y(2), y(7))
	for column := range 4 {
		unpack := []string{"VUNPCKLPD", "VUNPCKHPD"}[column%2]
		from := 4 + column/2
		t.op(unpack, y(from+2), y(from), y(column))
		t.op("VMOVUPS", y(column), at("DI", 128*column))
	}
	t.op("ADDQ", "$16", "SI")
	t.op("ADDQ", "$16", "R10")
	t.op("ADDQ", "$512", "DI")
	t.op("DECQ", "AX")
	t.op("JNZ", "four")
	t.op("LEAQ", "(R9)(DX*8)", "R9")
	t.op("ADDQ", "$32", "R8")
	t.op("DECQ", "CX")
	t.op("JNZ", "group")
	t.end()
}
