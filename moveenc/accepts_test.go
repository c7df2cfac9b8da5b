package moveenc

import (
	"testing"

	"cbkit/board"
	"cbkit/internal/replay"
	"cbkit/internal/testkit/must"
	_ "cbkit/internal/testkit/seeds"
	"cbkit/model"

	"pgregory.net/rapid"
)

// acceptsFENs are positions with something special about them.
var acceptsFENs = []string{
	"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
	"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
	"4k3/2p1p1p1/8/1P1P1P1P/p1p1p1p1/8/1P1P1P1P/4K3 b - - 0 1", // en passant
	"1n1n3k/2P1P3/8/8/8/8/2p1p3/1N1N3K w - - 0 1",              // promotions
	"P6p/8/8/2k5/8/8/8/p2R3P b - - 0 1",                        // pawns where none can be, a king missing
	"4k3/8/8/3P1p2/4P3/8/8/4K3 w - e6 0 1",                     // an en passant file without its pawn
	"4k3/8/8/3PpP2/8/8/8/4K3 w - - 0 1",                        // a pawn without its file
	"4k3/8/8/8/8/8/8/K3R3 w - - 0 1",                           // a king that could be taken
	"nrnk1nrn/pppp1ppp/8/8/8/4r3/PP3PPP/1R1K2R1 w GBgb - 0 1",  // Chess960
	"1r2k2r/8/8/8/8/8/8/RR2K1RR w - - 0 1",                     // several rooks, no rights
}

// open returns the position of a FEN.
func open(t rapid.TB, fen string) board.Position {
	m := must.Get(board.ParseModel(fen))(t)
	return must.Get(board.New(&m))(t)
}

func TestAcceptsAgainstBoard(t *testing.T) {
	for _, fen := range acceptsFENs {
		p := open(t, fen)
		checkAccepts(t, p)
	}
	rapid.Check(t, func(t *rapid.T) {
		p := open(t, rapid.SampledFrom(acceptsFENs).Draw(t, "fen"))
		var legal []model.Move
		for range rapid.IntRange(0, 30).Draw(t, "plies") {
			if legal = p.AppendLegal(legal[:0]); len(legal) == 0 {
				break
			}
			p.Make(rapid.SampledFrom(legal).Draw(t, "move"))
		}
		checkAccepts(t, p)
	})
}

// checkAccepts asks about all moves: what is accepted beyond what board finds
// legal leaves the own king in check, and nothing legal is refused. With
// castling both agree.
func checkAccepts(t rapid.TB, p board.Position) {
	t.Helper()
	var b replay.Board
	b.Set(&p, false)
	kingless := withoutKing(t, p)
	for i := range 1 << 16 {
		m := model.Move(i)
		want := p.LegalLoose(m)
		switch {
		case m.IsCastling():
		case m.From() == p.KingSquare(p.Turn()):
			want = want || kingStep(&p, m)
		default:
			want = want || kingless.LegalLoose(m)
		}
		if _, got := b.Accept(m); got != want {
			t.Fatalf("%v (promotion %d) in %s: accepted %v", m, m.Promotion(), p.FEN(), got)
		}
	}
}

// withoutKing returns the position with the mover's king, if there is one,
// replaced by a knight: whatever else is legal there may leave it in check.
func withoutKing(t rapid.TB, p board.Position) board.Position {
	king := p.KingSquare(p.Turn())
	if king == model.NoSquare {
		return p
	}
	data := p.Model()
	data.Board[king] = model.NewPiece(p.Turn(), model.Knight)
	return must.Get(board.New(&data))(t)
}

// kingStep reports whether a move is a king's step onto a square that is free
// or has an enemy other than the king.
func kingStep(p *board.Position, m model.Move) bool {
	from, to := m.From(), m.To()
	file, rank := from.File()-to.File(), from.Rank()-to.Rank()
	target := p.PieceAt(to)
	return m.Promotion() == model.NoPieceType && from != to && file*file <= 1 && rank*rank <= 1 &&
		(target == model.NoPiece || target.Color() != p.Turn() && target.Type() != model.King)
}
