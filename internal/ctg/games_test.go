package ctg

import (
	"math/rand/v2"
	"strings"
	"testing"

	"cbkit/board"
	"cbkit/internal/testkit/must"
	_ "cbkit/internal/testkit/seeds"
	"cbkit/model"

	"pgregory.net/rapid"
)

// setups are starting points of random games that reach what the usual one
// seldom does: many queens, no castling, en passant soon.
var setups = []string{
	"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
	"r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R b KQkq - 0 1",
	"2k5/PPPP4/8/8/8/8/pppp4/2K5 w - - 0 1",
	"4k3/1p1p1p1p/8/P1P1P1P1/1p1p1p1p/8/P1P1P1P1/4K3 w - - 0 1",
	"QQQ1k3/8/8/8/8/8/qqqq4/K6R b - - 0 1",
	"RRRNk3/NN6/BBB5/8/8/1b6/bbnn4/K5rr w - - 0 1",
	"r3k2r/8/8/8/8/8/8/R3K2R w Qk - 0 1",
}

// walk plays a random game and calls visit with every position.
func walk(seed uint64, plies int, visit func(p *board.Position)) {
	rng := rand.New(rand.NewPCG(seed, 0))
	start, err := board.ParseModel(setups[rng.IntN(len(setups))])
	if err != nil {
		panic(err)
	}
	p, err := board.New(&start)
	if err != nil {
		panic(err)
	}
	var moves []model.Move
	for range plies {
		visit(&p)
		if moves = p.AppendLegal(moves[:0]); len(moves) == 0 {
			return
		}
		p.Make(moves[rng.IntN(len(moves))])
	}
}

// naiveKey follows the words of docs/formats/ctg.md 5 step by step, on strings.
func naiveKey(p *board.Position) []byte {
	m := p.Model()
	if m.Turn == model.Black {
		m = flipped(m)
	}
	for c, home := range model.AllRights() {
		for side, square := range home {
			king := m.Board[square&^7|model.E1]
			if m.Rights[c][side] != square || m.Board[square] != model.NewPiece(model.Color(c), model.Rook) ||
				king != model.NewPiece(model.Color(c), model.King) {
				m.Rights[c][side] = model.NoSquare
			}
		}
	}
	if k := m.KingSquare(model.White); !m.Rights.Any() && k != model.NoSquare && k.File() <= 3 {
		m = mirrored(m)
	}
	bits := ""
	words := map[model.Piece]string{
		model.NoPiece: "0", model.WhitePawn: "110", model.WhiteRook: "10110", model.WhiteBishop: "10100",
		model.WhiteKnight: "10010", model.WhiteQueen: "100010", model.WhiteKing: "100000",
	}
	for file := range 8 {
		for rank := range 8 {
			piece := m.Board[model.NewSquare(file, rank)]
			word := words[model.NewPiece(model.White, piece.Type())]
			if piece.Color() == model.Black {
				word = word[:len(word)-1] + "1"
			}
			bits += word
		}
	}
	header, tail := byte(0), ""
	if m.EnPassant != model.NoFile && enPassantAttacked(&m) {
		header |= 0x20
		for bit := 4; bit > 0; bit /= 2 {
			tail += string('0' + rune(int(m.EnPassant)/bit%2))
		}
	}
	if m.Rights.Any() {
		header |= 0x40
		for _, r := range []model.Square{m.Rights[1][0], m.Rights[1][1], m.Rights[0][0], m.Rights[0][1]} {
			if r == model.NoSquare {
				tail += "0"
			} else {
				tail += "1"
			}
		}
	}
	if tail == "" {
		bits += "0"
	}
	for (len(bits)+len(tail))%8 != 0 {
		bits += "0"
	}
	bits += tail
	key := []byte{header | byte(1+len(bits)/8)}
	for i := 0; i < len(bits); i += 8 {
		b := byte(0)
		for _, c := range bits[i : i+8] {
			b = b<<1 | byte(c-'0')
		}
		key = append(key, b)
	}
	return key
}

// flipped returns the position with the colours exchanged.
func flipped(m model.Position) model.Position {
	f := m
	f.Turn = m.Turn.Other()
	for s, piece := range m.Board {
		if piece != model.NoPiece {
			piece ^= 8
		}
		f.Board[model.Square(s).Mirror()] = piece
	}
	for c := range f.Rights {
		for side := range f.Rights[c] {
			f.Rights[c][side] = m.Rights[1-c][side]
			if s := f.Rights[c][side]; s != model.NoSquare {
				f.Rights[c][side] = s.Mirror()
			}
		}
	}
	return f
}

// mirrored returns the position, in which nobody can castle, with the files
// exchanged.
func mirrored(m model.Position) model.Position {
	f := m
	for s, piece := range m.Board {
		f.Board[s^7] = piece
	}
	if m.EnPassant != model.NoFile {
		f.EnPassant = 7 - m.EnPassant
	}
	return f
}

func TestEncodeEqualsTheWords(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		walk(rapid.Uint64().Draw(t, "seed"), 100, func(p *board.Position) {
			key, _ := Encode(p)
			if got, want := string(key.Bytes()), string(naiveKey(p)); got != want {
				t.Fatalf("%s:\nkey  %x\nwant %x", p.FEN(), got, want)
			}
		})
	})
}

func TestKeyRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		walk(rapid.Uint64().Draw(t, "seed"), 100, func(p *board.Position) {
			key, _ := Encode(p)
			if same, ok := keyOf(key.Bytes()); !ok || same != key {
				t.Fatalf("%s: the bytes of %s are the key %s", p.FEN(), &key, &same)
			}
			m, err := key.Position()
			if err != nil {
				t.Fatalf("%s: %s: %v", p.FEN(), &key, err)
			}
			q := must.Get(board.New(&m))(t)
			back, view := Encode(&q)
			if back != key || view != 0 {
				t.Fatalf("%s: decoded as %s, which has key %s and view %d, want %s", p.FEN(), q.FEN(), &back, view, &key)
			}
		})
	})
}

func TestKeySymmetries(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		walk(rapid.Uint64().Draw(t, "seed"), 60, func(p *board.Position) {
			key, _ := Encode(p)
			images := []model.Position{flipped(p.Model())}
			if r := p.Rights(); !r.Any() {
				images = append(images, mirrored(p.Model()))
			}
			for _, image := range images {
				q := must.Get(board.New(&image))(t)
				// A king on the d- or e-file is mirrored into the other half,
				// so both images have one canonical form.
				if other, _ := Encode(&q); other != key {
					t.Fatalf("%s and %s have keys %s and %s", p.FEN(), q.FEN(), &key, &other)
				}
			}
		})
	})
}

func TestMovesRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		walk(rapid.Uint64().Draw(t, "seed"), 80, func(p *board.Position) {
			_, view := Encode(p)
			seen := map[byte]model.Move{}
			for _, m := range p.AppendLegal(nil) {
				code, ok := EncodeMove(p, view, m, AllCodes)
				if !ok {
					if why := reasonForNoCode(p, m); why == "" {
						t.Fatalf("%s: %v has no code", p.FEN(), m)
					}
					continue
				}
				if other, twice := seen[code]; twice {
					t.Fatalf("%s: %v and %v have the code %02x", p.FEN(), m, other, code)
				}
				seen[code] = m
				if back, ok := DecodeMove(p, view, code); !ok || back != m {
					t.Fatalf("%s: %v = %02x, decoded as %v (%v)", p.FEN(), m, code, back, ok)
				}
				if portable, ok := EncodeMove(p, view, m, PortableCodes); ok != IsPortable(code) || ok && portable != code {
					t.Fatalf("%s: %v = %02x is portable: %v, IsPortable: %v", p.FEN(), m, code, ok, IsPortable(code))
				}
			}
		})
	})
}

// reasonForNoCode says why the format has no byte for a legal move.
func reasonForNoCode(p *board.Position, m model.Move) string {
	piece := p.PieceAt(m.From()).Type()
	n := 0
	for s := model.A1; s <= model.H8; s++ {
		if p.PieceAt(s) == model.NewPiece(p.Turn(), piece) {
			n++
		}
	}
	switch {
	case m.Promotion() != model.NoPieceType && m.Promotion() != model.Queen:
		return "underpromotion"
	case strings.ContainsRune("NBRQ", rune(piece.Letter())) && n > 3:
		return "fourth piece"
	}
	return ""
}
