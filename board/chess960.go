package board

import "cbkit/model"

// The places of two knights among five squares, by number: Scharnagl's table.
var knightPlaces = [10][2]int{
	{0, 1}, {0, 2}, {0, 3}, {0, 4}, {1, 2}, {1, 3}, {1, 4}, {2, 3}, {2, 4}, {3, 4},
}

// Chess960Start returns the Chess960 starting position number n, from 0 to 959
// by Scharnagl's numbering: 518 is the orthodox one. Other numbers are taken
// modulo 960.
func Chess960Start(n int) model.Position {
	n = (n%960 + 960) % 960
	var row [8]model.PieceType
	row[n%4*2+1] = model.Bishop
	row[n/4%4*2] = model.Bishop
	row[nthEmpty(&row, n/16%6)] = model.Queen
	knights := knightPlaces[n/96]
	second := nthEmpty(&row, knights[1])
	row[nthEmpty(&row, knights[0])] = model.Knight
	row[second] = model.Knight
	p := model.StartPosition()
	p.Chess960 = true
	for i, t := range [3]model.PieceType{model.Rook, model.King, model.Rook} {
		file := nthEmpty(&row, 0)
		row[file] = t
		if t == model.Rook {
			wing := model.Side(1 - i/2)
			p.Rights[0][wing] = model.NewSquare(file, 0)
			p.Rights[1][wing] = model.NewSquare(file, 7)
		}
	}
	for file, t := range row {
		p.Board[model.NewSquare(file, 0)] = model.NewPiece(model.White, t)
		p.Board[model.NewSquare(file, 7)] = model.NewPiece(model.Black, t)
	}
	return p
}

// nthEmpty returns the n-th file, from 0, that has no piece yet. There are
// always enough.
func nthEmpty(row *[8]model.PieceType, n int) int {
	file := 0
	for ; file < 7; file++ {
		if row[file] != model.NoPieceType {
			continue
		}
		if n == 0 {
			break
		}
		n--
	}
	return file
}

// Chess960Number returns the number of a Chess960 starting position, and whether p is
// one. Pieces, rights and side to move must match; the counters and the mark of Chess960
// are ignored.
func Chess960Number(p *model.Position) (int, bool) {
	n := bishopsAndQueen(p)
	if n < 0 {
		return 0, false
	}
	for ; n < 960; n += 96 {
		want := Chess960Start(n)
		want.HalfMoves, want.FullMove, want.Chess960 = p.HalfMoves, p.FullMove, p.Chess960
		if want == *p {
			return n, true
		}
	}
	return 0, false
}

// bishopsAndQueen returns the part of the number below 96, which bishops and
// queen decide, or -1 if they do not stand as in a starting position.
func bishopsAndQueen(p *model.Position) int {
	dark, light, queen, others := -1, -1, -1, 0
	for file := range 8 {
		switch t := p.Board[file].Type(); {
		case t == model.Bishop && file%2 == 0:
			dark = file / 2
		case t == model.Bishop:
			light = file / 2
		case t == model.Queen:
			queen = others
			others++
		default:
			others++
		}
	}
	if dark < 0 || light < 0 || queen < 0 {
		return -1
	}
	return light + 4*dark + 16*queen
}
