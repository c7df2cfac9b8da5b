package board_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"cbkit/board"
	"cbkit/model"

	"pgregory.net/rapid"
)

// drawStart draws a Chess960 starting position, often the orthodox one.
func drawStart(t *rapid.T) model.Position {
	if rapid.Bool().Draw(t, "orthodox") {
		return model.StartPosition()
	}
	return board.Chess960Start(rapid.IntRange(0, 959).Draw(t, "number"))
}

// pick chooses a number from 0 to n-1.
type pick func(n int) int

// drawn lets rapid choose: small numbers and simple positions, that shrink.
func drawn(t *rapid.T) pick {
	return func(n int) int { return rapid.IntRange(0, n-1).Draw(t, "choice") }
}

// setup returns a position that nobody has reached by playing: any pieces
// anywhere, pawns on the last ranks, kings missing or side by side, rights and
// en passant files that mean nothing. New accepts it.
func setup(choose pick) model.Position {
	p := model.Position{
		Turn:      model.Color(choose(2)),
		Rights:    model.NoRights(),
		EnPassant: model.NoFile,
		HalfMoves: uint16(choose(1 << 16)),
		FullMove:  uint16(1 + choose(1<<16-1)),
		Chess960:  choose(2) == 1,
	}
	castling := choose(2) == 1
	for c := model.White; c <= model.Black; c++ {
		switch s := choose(64); {
		case castling:
			setCastling(choose, &p, c)
		case p.Board[s] == model.NoPiece && choose(10) > 0:
			p.Board[s] = model.NewPiece(c, model.King)
		}
	}
	kinds := []model.PieceType{model.Pawn, model.Pawn, model.Pawn, model.Knight, model.Bishop, model.Rook, model.Queen}
	for range choose(24) {
		if s := choose(64); p.Board[s] == model.NoPiece {
			p.Board[s] = model.NewPiece(model.Color(choose(2)), kinds[choose(len(kinds))])
		}
	}
	if choose(2) == 1 {
		setEnPassant(choose, &p)
	}
	if choose(10) == 0 {
		for c := range p.Rights {
			for wing := range p.Rights[c] {
				p.Rights[c][wing] = model.Square(choose(65))
			}
		}
	}
	return p
}

// setCastling puts king and rooks where they may castle.
func setCastling(choose pick, p *model.Position, c model.Color) {
	home := int(c) * 56
	king, rooks := 4, [2]int{7, 0}
	if p.Chess960 {
		king = 1 + choose(6)
		rooks = [2]int{king + 1 + choose(7-king), choose(king)}
	}
	p.Board[home+king] = model.NewPiece(c, model.King)
	for wing, rook := range rooks {
		if choose(4) > 0 {
			p.Board[home+rook] = model.NewPiece(c, model.Rook)
			p.Rights[c][wing] = model.Square(home + rook)
		}
	}
}

// setEnPassant names an en passant file, mostly one that has the pawns.
func setEnPassant(choose pick, p *model.Position) {
	file, rank := choose(8), 4-int(p.Turn)
	p.EnPassant = int8(file)
	for _, d := range []int{-1, 0, 1} {
		f := file + d
		if f < 0 || f > 7 || choose(4) == 0 || p.Board[rank*8+f].Type() == model.King {
			continue
		}
		c := p.Turn
		if d == 0 {
			c = c.Other()
		}
		p.Board[rank*8+f] = model.NewPiece(c, model.Pawn)
	}
}

// open returns the position to play on.
func open(t rapid.TB, m *model.Position) board.Position {
	p, err := board.New(m)
	if err != nil {
		t.Fatalf("%v in %s", err, board.FormatFEN(m))
	}
	return p
}

// play plays random legal moves, castling whenever it can, and shows every
// position on the way.
func play(p board.Position, seed uint64, plies int, show func(p *board.Position)) {
	r := rand.New(rand.NewPCG(seed, 0))
	for range plies {
		show(&p)
		moves := p.AppendLegal(nil)
		if len(moves) == 0 {
			return
		}
		m := moves[r.IntN(len(moves))]
		if i := slices.IndexFunc(moves, model.Move.IsCastling); i >= 0 {
			m = moves[i]
		}
		p.Make(m)
	}
}

// everyPosition runs f on positions of random games and on random set-ups.
// The position that f gets is its own.
func everyPosition(t *testing.T, f func(t *rapid.T, p board.Position)) {
	t.Run("games", rapid.MakeCheck(func(t *rapid.T) {
		m := drawStart(t)
		seed := rapid.Uint64().Draw(t, "seed")
		play(open(t, &m), seed, 120, func(p *board.Position) { f(t, *p) })
	}))
	t.Run("set-ups", rapid.MakeCheck(func(t *rapid.T) {
		for range 10 {
			m := setup(drawn(t))
			f(t, open(t, &m))
		}
	}))
	t.Run("crowded set-ups", rapid.MakeCheck(func(t *rapid.T) {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		for range 50 {
			m := setup(r.IntN)
			f(t, open(t, &m))
		}
	}))
}
