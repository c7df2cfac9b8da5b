package ctg

import (
	"strconv"
	"strings"

	"cbkit/model"
)

// moveTable gives the meaning of every move byte.
var moveTable = func() (table [256]moveCode) {
	kinds := map[string]codeKind{"": portable, "*": extended, "=": alias}
	for i, word := range strings.Fields(moveWords) {
		code := i - i/9 - 1 // a line has nine words
		switch {
		case i%9 == 0 || word == "-":
		case word == "O-O":
			table[code] = moveCode{shortCastling, model.King, 1, 2, 0}
		case word == "O-O-O":
			table[code] = moveCode{longCastling, model.King, 1, -2, 0}
		default:
			right, rest, _ := strings.Cut(word[len("K1("):], ",")
			forward, mark, _ := strings.Cut(rest, ")")
			dx, _ := strconv.ParseInt(right, 10, 8)
			dy, _ := strconv.ParseInt(forward, 10, 8)
			table[code] = moveCode{kinds[mark], model.PieceOf(word[0]).Type(), word[1] - '0', int8(dx), int8(dy)}
		}
	}
	return table
}()

// moveWords are the move bytes as docs/formats/ctg.md 4.1 prints them: eight bytes a line,
// behind the one that begins it; the piece and which of its kind it is (from 1, counting a1,
// a2 … a8, b1 … h8), files to the right and ranks forward, which both may wrap round the
// board's edges; behind that * for extended and = for alias. A - means no move.
const moveWords = `
00  P5(1,1)    N2(-2,-1)  Q3(4,-4)=  Q2(2,0)    P2(0,1)    Q1(0,1)    P4(-1,1)   Q3(7,0)*
08  Q2(4,0)    B2(6,6)    K1(0,-1)   R3(7,0)*   P1(-1,1)   B1(3,3)    R2(3,0)    N1(-2,-1)
10  R3(0,2)*   -          B1(7,7)    K1(0,1)    P8(1,1)    B1(5,5)    B3(6,6)*   Q3(4,0)*
18  P7(0,1)    N3(-2,1)*  Q2(0,6)    B1(7,-7)   -          B2(7,7)    Q3(1,-1)*  -
20  -          R2(7,0)    B2(6,-6)   Q2(6,6)    P8(-1,1)   Q3(1,1)*   B1(1,-1)   P3(-1,1)
28  Q1(5,5)    Q1(6,0)    N2(1,-2)   N3(-1,2)*  Q3(3,-3)*  P6(1,1)    B1(1,1)    Q1(1,0)
30  N2(-1,-2)  Q1(3,0)    B2(5,5)    R3(4,0)*   N1(1,2)    Q3(4,4)*   N1(2,1)    Q1(0,4)
38  Q2(4,4)    Q1(5,0)    B1(6,6)    Q2(3,-3)   B1(3,-3)   N3(-2,-1)* B3(5,5)*   N3(2,1)*
40  R3(2,0)*   Q2(5,5)    Q1(1,-1)   N3(2,-1)*  K1(1,-1)   Q1(3,3)    Q3(5,5)*   Q1(4,-4)=
48  B3(4,-4)=  -          P8(0,2)    Q1(3,-3)   N2(1,2)    Q2(0,1)    Q3(6,6)*   B3(7,7)*
50  R1(0,6)    B3(1,-1)*  R1(6,0)    Q2(4,-4)=  B2(7,-7)   P3(0,1)    -          Q3(0,6)*
58  -          Q3(0,1)*   -          -          P7(1,1)    R3(3,0)*   R3(0,3)*   P5(0,2)
60  N3(1,2)*   Q1(6,6)    P2(0,2)    Q2(1,-1)   Q3(1,0)*   Q3(0,2)*   B1(5,-5)   K1(1,1)
68  B3(4,4)*   R2(0,7)    B1(4,4)    O-O        Q3(2,-2)*  B3(2,2)*   R1(5,0)    Q2(7,7)
70  Q3(5,-5)*  Q3(0,3)*   B2(1,-1)   B3(1,1)*   Q1(2,0)    Q3(6,-6)*  Q3(0,5)*   Q3(5,0)*
78  -          B2(2,-2)   R1(0,3)    R2(0,6)    P3(1,1)    R2(0,1)    Q1(5,-5)   R1(1,0)
80  Q1(2,-2)   R1(0,1)    P6(-1,1)   R3(5,0)*   -          N1(-1,2)   R1(7,0)    R1(0,5)
88  B2(4,-4)=  N3(1,-2)*  N1(1,-2)   P1(1,1)    K1(-1,-1)  -          Q2(6,-6)   Q1(7,0)
90  Q3(6,0)*   -          Q2(1,1)    B3(6,-6)*  Q1(0,3)    R3(0,4)*   P2(1,1)    K1(-1,0)
98  R1(3,0)    R1(0,4)    Q1(0,6)    P3(0,2)    R3(0,5)*   Q1(0,2)    Q3(3,0)*   B2(4,4)
a0  Q2(0,3)    B3(7,-7)*  Q1(2,2)    P8(0,1)    -          R2(0,5)    -          B1(4,-4)=
a8  R3(0,1)*   R2(2,0)    -          Q2(2,-2)   Q3(7,7)*   R2(4,0)    Q2(3,3)    -
b0  Q2(0,4)    P6(0,2)    B1(2,-2)   -          N3(-1,-2)* R2(5,0)    -          Q1(0,5)
b8  B3(3,-3)*  B2(3,3)    Q3(2,2)*   P5(0,1)    Q2(5,0)    Q2(0,2)    K1(1,0)    R3(6,0)*
c0  R3(0,6)*   B1(2,2)    B2(2,2)    B1(6,-6)   R2(1,0)    R2(0,4)    Q2(0,5)    P7(-1,1)
c8  P7(0,2)    Q2(0,7)    B2(5,-5)   P6(0,1)    B2(3,-3)   R1(2,0)    Q3(0,7)*   P4(0,1)
d0  -          P2(-1,1)   N2(2,1)    N2(-2,1)   Q3(2,0)*   Q3(7,-7)*  R3(0,7)*   Q1(7,-7)
d8  R2(6,0)    Q1(6,-6)   N1(-1,-2)  P1(0,2)    Q3(3,3)*   -          P5(-1,1)   K1(-1,1)
e0  N2(2,-1)   R1(0,7)    B3(5,-5)*  R2(0,3)    B3(2,-2)*  Q1(4,0)    P4(0,2)    Q1(4,4)
e8  R1(0,2)    N1(2,-1)   Q3(0,4)*   P4(1,1)    P1(0,1)    Q1(7,7)    Q2(7,-7)   R1(4,0)
f0  Q2(7,0)    Q1(1,1)    R3(1,0)*   N2(-1,2)   R2(0,2)    B2(1,1)    O-O-O      N1(-2,1)
f8  Q2(1,0)    Q2(6,0)*   Q2(3,0)    Q2(2,2)    B3(3,3)*   Q1(0,7)    Q2(5,-5)   -
`
