package ctgwrite_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cbkit/board"
	"cbkit/internal/ctg"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/model"
)

// naiveReader knows about books what their public description says: the loop
// between the two bounds, the .cto file, and pages that are searched from the
// beginning. It neither reads the bitmap nor knows that there is one.
type naiveReader struct {
	t             testing.TB
	ctg, cto      []byte
	lower, upper  uint32
	outsideOfFile int // accesses past the end of the .cto file
}

func openNaive(t testing.TB, path string) *naiveReader {
	t.Helper()
	base := strings.TrimSuffix(path, ".ctg")
	read := func(ext string) []byte {
		return must.Get(os.ReadFile(base + ext))(t)
	}
	ctb := read(".ctb")
	return &naiveReader{
		t: t, ctg: read(".ctg"), cto: read(".cto"),
		lower: binary.BigEndian.Uint32(ctb[4:]), upper: binary.BigEndian.Uint32(ctb[8:]),
	}
}

// find returns what follows the key in the book, up to the figures' end.
func (r *naiveReader) find(key []byte) (moves, stats []byte, found bool) {
	hash := ctg.Hash(key)
	for n := uint32(0); n < 0x7fffffff; n = 2*n + 1 {
		c := hash&n + n
		if c < r.lower {
			continue
		}
		if moves, stats, found = r.searchPage(c, key); found || c >= r.upper {
			return moves, stats, found
		}
	}
	return nil, nil, false
}

func (r *naiveReader) searchPage(c uint32, key []byte) (moves, stats []byte, found bool) {
	at := 16 + 4*int(c)
	if at+4 > len(r.cto) {
		r.outsideOfFile++
		return nil, nil, false
	}
	page := int32(binary.BigEndian.Uint32(r.cto[at:]))
	if page < 0 {
		return nil, nil, false
	}
	b := r.ctg[4096*(int(page)+1):][:4096]
	used := int(binary.BigEndian.Uint16(b[2:]))
	for at := 4; at < used; {
		e := b[at:used]
		n := int(e[0] & 31)
		m := int(e[n])
		if bytes.Equal(e[:n], key) {
			return e[n+1 : n+m], e[n+m : n+m+33], true
		}
		at += n + m + 33
	}
	return nil, nil, false
}

// recount counts positions with maps, following docs/formats/ctg.md 6.1 line by line.
type recount struct {
	variations bool
	maxPly     int
	positions  map[ctg.Key]*recounted
	games      int
}

type recounted struct {
	games, wins, losses, draws, score      int
	ownGames, ownSum, theirGames, theirSum int
	moves                                  map[byte]int
	children                               map[byte]ctg.Key
	isTwin                                 bool
}

func newRecount(maxPly int, variations bool) *recount {
	return &recount{maxPly: maxPly, variations: variations, positions: map[ctg.Key]*recounted{}}
}

func (r *recount) add(g *model.Game) {
	r.games++
	var main []model.Move
	for node := range g.Moves.Line(model.NoNode) {
		main = append(main, g.Moves.Move(node))
	}
	r.line(g, main, true, lastSign(g, g.Moves.MainLen()-1))
	seen := map[string]bool{r.cut(slices.Collect(g.Moves.Line(model.NoNode))): true}
	if !r.variations {
		return
	}
	for node := range g.Moves.Len() {
		if g.Moves.Main(node) != model.NoNode || node == g.Moves.MainLen()-1 {
			continue
		}
		var line []model.Move
		var nodes []int
		for n := node; n != model.NoNode; n = g.Moves.Parent(n) {
			line = append([]model.Move{g.Moves.Move(n)}, line...)
			nodes = append([]int{n}, nodes...)
		}
		if seen[r.cut(nodes)] {
			continue
		}
		seen[r.cut(nodes)] = true
		r.line(g, line, false, lastSign(g, node))
	}
}

// cut names what of a line counts.
func (r *recount) cut(nodes []int) string {
	if r.maxPly > 0 && len(nodes) > r.maxPly {
		nodes = nodes[:r.maxPly]
	}
	return fmt.Sprint(nodes)
}

func lastSign(g *model.Game, node int) model.NAG {
	for _, a := range g.AnnotationsAt(node) {
		if s, ok := a.Value.(model.Symbols); ok {
			return s.Position
		}
	}
	return 0
}

func (r *recount) line(g *model.Game, moves []model.Move, main bool, sign model.NAG) {
	start := g.StartPosition()
	p, err := board.New(&start)
	if err != nil {
		panic(err)
	}
	seen := map[ctg.Key]bool{}
	for ply := 0; ; ply++ {
		last := ply == len(moves) || r.maxPly > 0 && ply == r.maxPly
		keys := []ctg.Key{}
		key, view := ctg.Encode(&p)
		keys = append(keys, key)
		if twin, ok := ctg.EncodeTwin(&p); ok {
			keys = append(keys, twin)
		}
		for i, key := range keys {
			n := r.positions[key]
			if n == nil {
				n = &recounted{moves: map[byte]int{}, children: map[byte]ctg.Key{}, isTwin: i > 0}
				r.positions[key] = n
			}
			if !seen[key] {
				seen[key] = true
				n.count(g, p.Turn(), main, sign)
			}
			if last {
				continue
			}
			if code, ok := ctg.EncodeMove(&p, view, moves[ply], ctg.PortableCodes); ok {
				n.moves[code]++
				after := p
				after.Make(moves[ply])
				n.children[code], _ = ctg.Encode(&after)
			}
		}
		if last {
			return
		}
		p.Make(moves[ply])
	}
}

func (n *recounted) count(g *model.Game, turn model.Color, main bool, sign model.NAG) {
	n.games++
	points := map[model.NAG]int{14: 6, 15: 4, 16: 7, 17: 3, 18: 9, 19: 1}
	white, ok := points[sign]
	if !ok {
		white = 5
	}
	black := 10 - white
	own, theirs := 0, 0
	if main {
		own, theirs = int(g.WhiteElo), int(g.BlackElo)
		if g.Result == model.NoResult && g.LineEvaluation != 0 {
			if white, ok = points[g.LineEvaluation]; !ok {
				white = 5
			}
			black = 10 - white
		}
		switch g.Result.String() {
		case "1-0":
			white, black = 10, 0
		case "0-1":
			white, black = 0, 10
		case "1/2-1/2":
			white, black = 5, 5
			n.draws++
		case "0-0":
			white, black = 0, 0
		}
		whiteWon, blackWon := g.Result.String() == "1-0", g.Result.String() == "0-1"
		if whiteWon && turn == model.White || blackWon && turn == model.Black {
			n.wins++
		} else if whiteWon || blackWon {
			n.losses++
		}
	}
	if turn == model.White {
		n.score += white
	} else {
		n.score += black
		own, theirs = theirs, own
	}
	if own > 0 {
		n.ownGames++
		n.ownSum += own
	}
	if theirs > 0 {
		n.theirGames++
		n.theirSum += theirs
	}
}

// checkBook compares a book with the recount, through the naive reader and
// the directory's own one.
func (r *recount) checkBook(t testing.TB, path string, minGames int) {
	t.Helper()
	naive := openNaive(t, path)
	stored := 0
	for key, want := range r.positions {
		moves, stats, found := naive.find(key.Bytes())
		if want.games < minGames {
			if found {
				t.Fatalf("%s has %d games and is in the book", &key, want.games)
			}
			continue
		}
		stored++
		if !found {
			t.Fatalf("%s was not found", &key)
		}
		u24 := func(i int) int { return int(stats[i])<<16 | int(stats[i+1])<<8 | int(stats[i+2]) }
		u32 := func(i int) int { return int(binary.BigEndian.Uint32(stats[i:])) }
		got := [...]int{u24(0), u24(3), u24(6), u24(9), u32(12), u24(16), u32(19), u24(23), u32(26)}
		wanted := [...]int{want.games, want.wins, want.losses, want.draws, want.score, want.ownGames, want.ownSum, want.theirGames, want.theirSum}
		if got != wanted {
			t.Fatalf("%s: figures %v, want %v", &key, got, wanted)
		}
		listed := map[byte]bool{}
		for i := 0; i < len(moves); i += 2 {
			if listed[moves[i]] || want.moves[moves[i]] == 0 {
				t.Fatalf("%s: %02x is listed twice, or was not played", &key, moves[i])
			}
			if i > 0 && want.moves[moves[i]] > want.moves[moves[i-2]] {
				t.Fatalf("%s: %02x was played more often than the move before it", &key, moves[i])
			}
			listed[moves[i]] = true
		}
		for code := range want.moves {
			child := want.children[code]
			if should := r.positions[child].games >= minGames; listed[code] != should {
				t.Fatalf("%s: %02x is listed: %v, should be: %v", &key, code, listed[code], should)
			}
		}
	}
	if naive.outsideOfFile > 0 {
		t.Errorf("%d times a reader looked past the end of the .cto file", naive.outsideOfFile)
	}
	h := must.Get(ctg.DecodeHeader(naive.ctg))(t)
	if int(h.Positions()) != stored || int(h.Games()) != r.games || int(h.Pages()) != len(naive.ctg)/4096-1 {
		t.Errorf("the header counts %d positions, %d games, %d pages; want %d, %d, %d",
			h.Positions(), h.Games(), h.Pages(), stored, r.games, len(naive.ctg)/4096-1)
	}
}

func bookPath(t testing.TB) string { return filepath.Join(gen.Folder(t), "book.ctg") }
