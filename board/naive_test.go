package board_test

import (
	"slices"

	"cbkit/model"
)

// A second move generator, to judge the first: a mailbox, coordinates, one
// rule after the other, every move tried out. It shares no code and no idea
// with the package.

type naive model.Position

func (p *naive) at(file, rank int) model.Piece {
	return p.Board[rank*8+file]
}

func onBoard(file, rank int) bool { return file >= 0 && file < 8 && rank >= 0 && rank < 8 }

// reach returns the squares a piece other than a pawn attacks.
func (p *naive) reach(s model.Square) []model.Square {
	var out []model.Square
	ride := func(df, dr, most int) {
		file, rank := s.File()+df, s.Rank()+dr
		for n := 0; n < most && onBoard(file, rank); n++ {
			out = append(out, model.NewSquare(file, rank))
			if p.at(file, rank) != model.NoPiece {
				return
			}
			file, rank = file+df, rank+dr
		}
	}
	for df := -2; df <= 2; df++ {
		for dr := -2; dr <= 2; dr++ {
			long, even, both := df*df+dr*dr, df == 0 || dr == 0, df*df == dr*dr
			king := long == 1 || long == 2
			switch p.Board[s].Type() {
			case model.Knight:
				if long == 5 {
					ride(df, dr, 1)
				}
			case model.Bishop:
				if king && both {
					ride(df, dr, 8)
				}
			case model.Rook:
				if king && even {
					ride(df, dr, 8)
				}
			case model.Queen:
				if king {
					ride(df, dr, 8)
				}
			case model.King:
				if king {
					ride(df, dr, 1)
				}
			}
		}
	}
	return out
}

// pawnDir returns the direction of a colour's pawns in ranks.
func pawnDir(c model.Color) int {
	if c == model.White {
		return 1
	}
	return -1
}

func (p *naive) attacked(target model.Square, by model.Color) bool {
	for i, piece := range p.Board {
		s := model.Square(i)
		if piece == model.NoPiece || piece.Color() != by {
			continue
		}
		if piece.Type() == model.Pawn {
			df := target.File() - s.File()
			if target.Rank()-s.Rank() == pawnDir(by) && (df == 1 || df == -1) {
				return true
			}
			continue
		}
		if slices.Contains(p.reach(s), target) {
			return true
		}
	}
	return false
}

func (p *naive) king(c model.Color) model.Square {
	return (*model.Position)(p).KingSquare(c)
}

func (p *naive) inCheck(c model.Color) bool {
	k := p.king(c)
	return k != model.NoSquare && p.attacked(k, c.Other())
}

// moves returns the legal moves, sorted.
func (p *naive) moves() []model.Move {
	var out []model.Move
	try := func(m model.Move) {
		if target := p.Board[m.To()]; !m.IsCastling() && target != model.NoPiece &&
			(target.Color() == p.Turn || target.Type() == model.King) {
			return
		}
		if after := p.play(m); !after.inCheck(p.Turn) {
			out = append(out, m)
		}
	}
	for i, piece := range p.Board {
		s := model.Square(i)
		switch {
		case piece == model.NoPiece || piece.Color() != p.Turn:
		case piece.Type() == model.Pawn:
			p.pawnMoves(s, try)
		default:
			for _, to := range p.reach(s) {
				try(model.NewMove(s, to))
			}
			if piece.Type() == model.King {
				p.castlings(s, try)
			}
		}
	}
	slices.Sort(out)
	return out
}

func (p *naive) pawnMoves(s model.Square, try func(model.Move)) {
	dir := pawnDir(p.Turn)
	rank := s.Rank() + dir
	if !onBoard(0, rank) {
		return
	}
	add := func(to model.Square) {
		if to.Rank() != 0 && to.Rank() != 7 || to.Rank() == 0 && dir > 0 || to.Rank() == 7 && dir < 0 {
			try(model.NewMove(s, to))
			return
		}
		for _, t := range []model.PieceType{model.Knight, model.Bishop, model.Rook, model.Queen} {
			try(model.NewPromotion(s, to, t))
		}
	}
	if p.at(s.File(), rank) == model.NoPiece {
		add(model.NewSquare(s.File(), rank))
		second := 1
		if dir < 0 {
			second = 6
		}
		if s.Rank() == second && p.at(s.File(), rank+dir) == model.NoPiece {
			add(model.NewSquare(s.File(), rank+dir))
		}
	}
	for _, df := range []int{-1, 1} {
		file := s.File() + df
		if !onBoard(file, rank) {
			continue
		}
		target := p.at(file, rank)
		fifth := 4
		if dir < 0 {
			fifth = 3
		}
		switch {
		case target != model.NoPiece:
			add(model.NewSquare(file, rank))
		case p.EnPassant == int8(file) && s.Rank() == fifth &&
			p.at(file, fifth) == model.NewPiece(p.Turn.Other(), model.Pawn):
			add(model.NewSquare(file, rank))
		}
	}
}

func (p *naive) castlings(king model.Square, try func(model.Move)) {
	home := 0
	if p.Turn == model.Black {
		home = 7
	}
	if king.Rank() != home || p.inCheck(p.Turn) {
		return
	}
	for wing, rook := range p.Rights[p.Turn] {
		if rook == model.NoSquare || rook.Rank() != home || p.Board[rook] != model.NewPiece(p.Turn, model.Rook) {
			continue
		}
		kingFile, rookFile := 6, 5
		if model.Side(wing) == model.QueenSide {
			kingFile, rookFile = 2, 3
		}
		if (rook > king) != (kingFile == 6) {
			continue
		}
		if !p.Chess960 && (king.File() != 4 || rook.File() != 0 && rook.File() != 7) {
			continue
		}
		files := []int{king.File(), rook.File(), kingFile, rookFile}
		clear := true
		for f := slices.Min(files); f <= slices.Max(files); f++ {
			s := model.NewSquare(f, home)
			inKingPath := f >= min(king.File(), kingFile) && f <= max(king.File(), kingFile)
			inRookPath := f >= min(rook.File(), rookFile) && f <= max(rook.File(), rookFile)
			if s != king && s != rook && (inKingPath || inRookPath) && p.Board[s] != model.NoPiece {
				clear = false
			}
			if inKingPath && clear && s != rook {
				moved := *p
				moved.Board[king] = model.NoPiece
				moved.Board[s] = model.NewPiece(p.Turn, model.King)
				if moved.inCheck(p.Turn) {
					clear = false
				}
			}
			if inKingPath && s == rook {
				moved := *p
				moved.Board[king] = model.NoPiece
				if moved.attacked(s, p.Turn.Other()) {
					clear = false
				}
			}
		}
		if clear {
			try(model.NewCastling(king, rook))
		}
	}
}

// play returns the position after a legal move.
func (p *naive) play(m model.Move) naive {
	q := *p
	from, to := m.From(), m.To()
	piece := p.Board[from]
	capture := p.Board[to] != model.NoPiece
	q.Board[from] = model.NoPiece
	q.EnPassant = model.NoFile
	switch {
	case m.IsCastling():
		q.Board[to] = model.NoPiece
		q.Board[m.KingTarget()] = piece
		q.Board[m.RookTarget()] = p.Board[to]
		capture = false
	case m.Promotion() != model.NoPieceType:
		q.Board[to] = model.NewPiece(p.Turn, m.Promotion())
	default:
		q.Board[to] = piece
	}
	if piece.Type() == model.Pawn {
		if from.File() != to.File() && !capture {
			q.Board[model.NewSquare(to.File(), from.Rank())] = model.NoPiece
		}
		if d := to.Rank() - from.Rank(); d == 2 || d == -2 {
			q.EnPassant = int8(to.File())
		}
	}
	for c := range q.Rights {
		for wing, rook := range q.Rights[c] {
			if rook == from || rook == to || piece == model.NewPiece(model.Color(c), model.King) {
				q.Rights[c][wing] = model.NoSquare
			}
		}
	}
	q.HalfMoves++
	if capture || piece.Type() == model.Pawn {
		q.HalfMoves = 0
	}
	if p.Turn == model.Black {
		q.FullMove++
	}
	q.Turn = p.Turn.Other()
	return q
}

func (p *naive) perft(depth int) uint64 {
	moves := p.moves()
	if depth == 1 {
		return uint64(len(moves))
	}
	var n uint64
	for _, m := range moves {
		q := p.play(m)
		n += q.perft(depth - 1)
	}
	return n
}

// san returns the standard algebraic notation of a legal move.
func (p *naive) san(m model.Move) string {
	after := p.play(m)
	suffix := ""
	if after.inCheck(after.Turn) {
		suffix = "+"
		if len(after.moves()) == 0 {
			suffix = "#"
		}
	}
	if m.IsCastling() {
		if m.IsShortCastling() {
			return "O-O" + suffix
		}
		return "O-O-O" + suffix
	}
	piece, from, to := p.Board[m.From()], m.From().String(), m.To().String()
	takes := ""
	if p.Board[m.To()] != model.NoPiece || piece.Type() == model.Pawn && m.From().File() != m.To().File() {
		takes = "x"
	}
	if piece.Type() == model.Pawn {
		text := to
		if takes != "" {
			text = from[:1] + "x" + to
		}
		if m.Promotion() != model.NoPieceType {
			text += "=" + string(rune(m.Promotion().Letter()))
		}
		return text + suffix
	}
	return string(rune(piece.Type().Letter())) + p.origin(m) + takes + to + suffix
}

// origin returns the shortest text that tells a piece's move from all others.
func (p *naive) origin(m model.Move) string {
	var rivals []string
	for _, other := range p.moves() {
		if other.To() == m.To() && other != m && !other.IsCastling() && p.Board[other.From()] == p.Board[m.From()] {
			rivals = append(rivals, other.From().String())
		}
	}
	from := m.From().String()
	if len(rivals) == 0 {
		return ""
	}
	for i := range 2 {
		if !slices.ContainsFunc(rivals, func(r string) bool { return r[i] == from[i] }) {
			return from[i : i+1]
		}
	}
	return from
}
