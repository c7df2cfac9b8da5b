package board_test

import (
	"testing"

	"cbkit/board"
	"cbkit/model"
)

// perPly reports the time of one ply when each iteration does n of them.
func perPly(b *testing.B, n int) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/ply")
	b.ReportMetric(0, "ns/op")
}

// stop is a position of a textbook game with the move played there.
type stop struct {
	p    board.Position
	move model.Move
	san  []byte
}

func stops(b *testing.B) []stop {
	var all []stop
	for _, l := range textbookLines(b) {
		p := board.Start()
		for i, m := range l.moves {
			all = append(all, stop{p, m, l.san[i]})
			p.Make(m)
		}
	}
	return all
}

func BenchmarkMakeUnmake(b *testing.B) {
	lines := textbookLines(b)
	var undo [256]board.Undo
	n := 0
	for _, l := range lines {
		n += len(l.moves)
	}
	b.ReportAllocs()
	for b.Loop() {
		for _, l := range lines {
			p := board.Start()
			for i, m := range l.moves {
				undo[i] = p.Make(m)
			}
			for i := len(l.moves) - 1; i >= 0; i-- {
				p.Unmake(l.moves[i], undo[i])
			}
		}
	}
	perPly(b, n)
}

// each runs a benchmark of f over all positions.
func each(b *testing.B, f func(s *stop)) {
	all := stops(b)
	b.ReportAllocs()
	for b.Loop() {
		for i := range all {
			f(&all[i])
		}
	}
	perPly(b, len(all))
}

func BenchmarkAppendLegal(b *testing.B) {
	var buf [256]model.Move
	each(b, func(s *stop) { s.p.AppendLegal(buf[:0]) })
}

func BenchmarkHasLegalMove(b *testing.B) {
	each(b, func(s *stop) { s.p.HasLegalMove() })
}

func BenchmarkLegal(b *testing.B) {
	each(b, func(s *stop) {
		if !s.p.Legal(s.move) {
			b.Fatal("illegal")
		}
	})
}

func BenchmarkInCheck(b *testing.B) {
	each(b, func(s *stop) { s.p.InCheck() })
}

func BenchmarkAppendSAN(b *testing.B) {
	var buf [16]byte
	each(b, func(s *stop) { s.p.AppendSAN(buf[:0], s.move) })
}

func BenchmarkParseSAN(b *testing.B) {
	each(b, func(s *stop) {
		if m, err := s.p.ParseSANBytes(s.san); m != s.move || err != nil {
			b.Fatal(m, err)
		}
	})
}

func BenchmarkParseUCI(b *testing.B) {
	all := stops(b)
	texts := make([]string, len(all))
	for i := range all {
		texts[i] = all[i].move.UCI(false)
	}
	b.ReportAllocs()
	for b.Loop() {
		for i := range all {
			if m, err := all[i].p.ParseUCI(texts[i]); m != all[i].move || err != nil {
				b.Fatal(m, err)
			}
		}
	}
	perPly(b, len(all))
}

// BenchmarkReplaySAN is what reading PGN costs here: parse and make.
func BenchmarkReplaySAN(b *testing.B) {
	lines := textbookLines(b)
	n := 0
	b.ReportAllocs()
	for b.Loop() {
		n = 0
		for _, l := range lines {
			p := board.Start()
			for _, san := range l.san {
				m, err := p.ParseSANBytes(san)
				if err != nil {
					b.Fatal(err)
				}
				p.Make(m)
				n++
			}
		}
	}
	perPly(b, n)
}

// variations returns a game with a variation of up to 20 plies at every tenth.
func variations(l line) model.Tree {
	b := new(model.TreeBuilder)
	parent := model.NoNode
	p := board.Start()
	for i, m := range l.moves {
		next := b.Add(parent, m)
		if i%10 == 9 {
			q, at := p, parent
			for range 20 {
				legal := q.AppendLegal(nil)
				if len(legal) == 0 {
					break
				}
				other := legal[len(legal)/2]
				at = b.Add(at, other)
				q.Make(other)
			}
		}
		p.Make(m)
		parent = next
	}
	return b.Tree()
}

func benchmarkWalk(b *testing.B, trees []model.Tree) {
	n := 0
	b.ReportAllocs()
	for b.Loop() {
		n = 0
		for i := range trees {
			for range board.Walk(nil, &trees[i]) {
				n++
			}
		}
	}
	perPly(b, n)
}

func BenchmarkWalkLine(b *testing.B) {
	var trees []model.Tree
	for _, l := range textbookLines(b) {
		var tree model.Tree
		for _, m := range l.moves {
			tree.Append(m)
		}
		trees = append(trees, tree)
	}
	benchmarkWalk(b, trees)
}

func BenchmarkWalkVariations(b *testing.B) {
	var trees []model.Tree
	for _, l := range textbookLines(b) {
		trees = append(trees, variations(l))
	}
	benchmarkWalk(b, trees)
}

func BenchmarkPolyglotKey(b *testing.B) { each(b, func(s *stop) { s.p.PolyglotKey() }) }

func BenchmarkBookKey(b *testing.B) { each(b, func(s *stop) { s.p.BookKey() }) }

func BenchmarkFormatFEN(b *testing.B) {
	var buf [96]byte
	each(b, func(s *stop) {
		m := s.p.Model()
		board.AppendFEN(buf[:0], &m)
	})
}

func BenchmarkParseFEN(b *testing.B) {
	for b.Loop() {
		board.ParseModel(kiwipete)
	}
}

func BenchmarkNew(b *testing.B) {
	m := model.StartPosition()
	for b.Loop() {
		board.New(&m)
	}
}

const kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"

func BenchmarkPerft(b *testing.B) {
	p := mustNew(b, kiwipete)
	var nodes uint64
	for b.Loop() {
		nodes += perft(&p, 4)
	}
	b.ReportMetric(float64(nodes)/b.Elapsed().Seconds()/1e6, "Mnodes/s")
}
