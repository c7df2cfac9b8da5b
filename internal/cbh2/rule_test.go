package cbh2_test

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"cbkit/board"
	"cbkit/internal/cbh2"
	"cbkit/internal/testkit/corpus"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/model"
	"cbkit/read"

	"pgregory.net/rapid"
)

// The words of moves, counted by the rule alone: what stands before a move in the order
// of colours, pieces, squares, targets and captures. Nothing is shared with the decoder.

// rays are the steps of the pieces that are no pawns, in the order K Q N B R.
var rays = [5]string{
	"-1-1 -1+0 -1+1 +0-1 +0+1 +1-1 +1+0 +1+1",
	"-1-1 +1-1 +1+1 -1+1 -1+0 +0-1 +1+0 +0+1",
	"-2-1 -2+1 +2-1 +2+1 -1-2 -1+2 +1-2 +1+2",
	"-1-1 +1-1 +1+1 -1+1",
	"-1+0 +0-1 +1+0 +0+1",
}

var (
	reached [5][64][]int
	pawns   [2][64][]string
)

// targets lists the squares (file*8 + rank) that a piece reaches on an empty board.
func targets(piece, at int) (list []int) {
	if reached[piece][at] != nil {
		return reached[piece][at]
	}
	defer func() { reached[piece][at] = list }()
	for _, ray := range strings.Fields(rays[piece]) {
		var df, dr int
		fmt.Sscanf(ray[:2]+" "+ray[2:], "%d %d", &df, &dr)
		for n := 1; n < 8; n++ {
			f, r := at/8+n*df, at%8+n*dr
			if f < 0 || f > 7 || r < 0 || r > 7 || n > 1 && (piece == 0 || piece == 2) {
				break
			}
			list = append(list, 8*f+r)
		}
	}
	return list
}

// pawnWords lists what a pawn can do, each as "target capture promotion".
func pawnWords(color, file, rank int) (list []string) {
	if known := &pawns[color][8*file+rank]; *known != nil {
		return *known
	}
	defer func() { pawns[color][8*file+rank] = list }()
	up, home, passing := 1, 1, 4
	if color == 1 {
		up, home, passing = -1, 6, 3
	}
	all := func(f, r int, captures string) {
		for _, c := range captures {
			if r != 0 && r != 7 {
				list = append(list, fmt.Sprintf("%d %c -", 8*f+r, c))
				continue
			}
			for _, p := range "QNBR" {
				if c != 'P' {
					list = append(list, fmt.Sprintf("%d %c %c", 8*f+r, c, p))
				}
			}
		}
	}
	if rank == home {
		all(file, rank+2*up, "-")
	}
	all(file, rank+up, "-")
	for _, f := range []int{file - 1, file + 1} {
		if f >= 0 && f <= 7 {
			all(f, rank+up, "QNBRP")
			if rank == passing {
				all(f, rank+up, "e")
			}
		}
	}
	return list
}

// wordByRule counts the word of a move; number is that of the Chess960 position, -1 without.
func wordByRule(p *board.Position, m model.Move, number int) int {
	if m.IsNull() {
		return 0xfffa
	}
	mover := p.PieceAt(m.From())
	black := mover.Color() == model.Black
	side := map[bool]int{true: 1}[black]
	if m.IsCastling() {
		return 0xb129 + 4*(number+1) + 2*side + map[bool]int{true: 1}[m.IsShortCastling()]
	}
	stored := func(s model.Square) int { return int(s)%8*8 + int(s)/8 }
	from, to := stored(m.From()), stored(m.To())
	letter := func(t model.PieceType) string {
		if t == model.NoPieceType {
			return "-"
		}
		return map[model.PieceType]string{model.Queen: "Q", model.Knight: "N", model.Bishop: "B", model.Rook: "R", model.Pawn: "P"}[t]
	}
	captured := letter(p.PieceAt(m.To()).Type())
	word := 1
	if mover.Type() == model.Pawn {
		word = 0xabf1
		if captured == "-" && from/8 != to/8 {
			captured = "e"
		}
		want := fmt.Sprintf("%d %s %s", to, captured, letter(m.Promotion()))
		for color := range side + 1 {
			for at := range 64 {
				if at%8 == 0 || at%8 == 7 {
					continue
				}
				list := pawnWords(color, at/8, at%8)
				if color == side && at == from {
					return word + slices.Index(list, want)
				}
				word += len(list)
			}
		}
	}
	kind := slices.Index([]model.PieceType{model.King, model.Queen, model.Knight, model.Bishop, model.Rook}, mover.Type())
	for color := range side + 1 {
		for piece := range 5 {
			for at := range 64 {
				list := targets(piece, at)
				if color == side && piece == kind && at == from {
					return word + 6*slices.Index(list, to) + strings.Index("-QNBRP", captured)
				}
				word += 6 * len(list)
			}
		}
	}
	return -1
}

// encodeByRule writes the words of a game: the main line first, the latest branch next.
func encodeByRule(start *model.Position, tree *model.Tree, section []byte, number int) (content []byte) {
	put := func(w int) { content = append(content, byte(w), byte(w>>8)) }
	if start != nil {
		put(0xfffb)
		content = append(content, section...)
	}
	put(0xfffc)
	words := make([]int, tree.Len())
	for node, pos := range board.Walk(start, tree) {
		words[node] = wordByRule(pos, tree.Move(node), number)
	}
	var line func(node int)
	line = func(parent int) {
		var pending [][2]int
		next := tree.Main(parent)
		for next != model.NoNode {
			put(words[next])
			if other := tree.NextAlternative(next); other != model.NoNode {
				put(0xfffd)
				pending = append(pending, [2]int{other})
			}
			next = tree.Main(next)
		}
		put(0xffff)
		for len(pending) > 0 {
			n := len(pending) - 1
			node := pending[n][0]
			pending = pending[:n]
			put(words[node])
			if other := tree.NextAlternative(node); other != model.NoNode {
				put(0xfffd)
				pending = append(pending, [2]int{other})
			}
			line(node)
		}
	}
	line(model.NoNode)
	return content
}

// The games of real databases, up to 500 of each, come out of the new format as they went
// in: start, moves and annotations; the words are those that the rule counts.
func TestGamesOfTheClassicFormat(t *testing.T) {
	lost := map[string]int{}
	games, notes := 0, 0
	for _, folder := range []string{"cbh", "cbh26"} {
		var names []string
		filepath.WalkDir(corpus.Path(t, folder), func(path string, d fs.DirEntry, err error) error {
			if err == nil && strings.EqualFold(filepath.Ext(path), ".cbh") {
				names = append(names, path)
			}
			return nil
		})
		for _, name := range names {
			db, err := read.Open(name, read.Options{Warn: func(error) {}})
			if err != nil {
				continue // its moves are missing
			}
			for rec, err := range db.Records(t.Context(), 1, model.WantAll) {
				g := rec.Game
				if err != nil || g == nil || g.MovesErr != nil || g.AnnotationsErr != nil {
					continue
				}
				if rec.ID > 500 || t.Failed() {
					break
				}
				games++
				checkGame(t, fmt.Sprintf("%s %d", name, rec.ID), g, lost)
				notes += len(g.Annotations)
			}
			db.Close()
		}
	}
	if len(lost) > 0 || games < 500 || notes < 10000 {
		t.Errorf("%d games, %d annotations; not held: %v", games, notes, lost)
	}
}

// checkGame writes a game in the new format and reads it again; what that has no form for
// is counted in lost.
func checkGame(t rapid.TB, name string, g *model.Game, lost map[string]int) {
	t.Helper()
	in := cbh2.Moves{HasStart: g.Start != nil, Tree: g.Moves}
	number := -1
	if g.Start != nil {
		in.Start = *g.Start
		if n, ok := board.Chess960Number(g.Start); ok && g.Start.Chess960 {
			number = n
		}
	}
	content, tag, err := cbh2.AppendMoves(nil, &in)
	if err != nil {
		lost["moves: "+strings.SplitN(err.Error(), ":", 3)[1]]++
		return
	}
	var out cbh2.Moves
	if err := out.Decode(tag, content); err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	if byRule := encodeByRule(g.Start, &g.Moves, out.Section, number); !slices.Equal(byRule, content) {
		t.Errorf("%s: the words are\n% x\nby the rule\n% x", name, content, byRule)
	}
	if !slices.Equal(out.Tree.Nodes(), g.Moves.Nodes()) || out.HasStart != (g.Start != nil) {
		t.Errorf("%s: other moves", name)
	}
	if g.Start != nil && (out.Start.Board != g.Start.Board || out.Start.Turn != g.Start.Turn || out.Start.Rights != g.Start.Rights) {
		t.Errorf("%s: starts with %+v, not %+v", name, out.Start, *g.Start)
	}
	places := make([]int32, g.Moves.Len())
	order := cbh2.Places(nil, &g.Moves)
	for place, node := range order {
		places[node] = int32(place)
	}
	var placed []cbh2.Placed
	for _, a := range g.Annotations {
		p := cbh2.Placed{Place: -1, Value: a.Value}
		if a.Node >= 0 {
			p.Place = places[a.Node]
		}
		if _, ok := cbh2.AppendValue(nil, a.Value); !ok {
			lost[string(a.Value.Kind())]++
			continue
		}
		placed = append(placed, p)
	}
	slices.SortStableFunc(placed, func(a, b cbh2.Placed) int { return int(a.Place - b.Place) })
	stored := must.Get(cbh2.AppendAnnotations(nil, placed))(t)
	again, err := cbh2.DecodeAnnotations(nil, stored, nil)
	if err != nil || len(again) != len(placed) {
		t.Errorf("%s: %d of %d annotations, %v", name, len(again), len(placed), err)
		return
	}
	for i := range again {
		if again[i].Place == placed[i].Place && reflect.DeepEqual(again[i].Value, placed[i].Value) {
			continue
		}
		why := noForm(placed[i].Value, again[i].Value)
		if lost[why]++; why == "" || again[i].Place != placed[i].Place {
			t.Errorf("%s: %#v becomes %#v", name, placed[i].Value, again[i].Value)
		}
	}
}

// noForm says what of an annotation the format has no place for, "" if it has one for all.
func noForm(value, again model.Value) string {
	numbered := []model.Language{model.English, model.German, model.French, model.Spanish, model.Italian, model.Dutch, model.Portuguese, model.AnyLanguage, model.Polish, model.Greek}
	switch v := value.(type) {
	case model.Text:
		if !slices.Contains(numbered, v.Language) {
			return "the language of a text"
		}
	case model.Training:
		lists := [][]model.TrainingText{v.Question, v.WrongReply, v.FirstHint, v.SecondHint}
		for _, s := range v.Solutions {
			lists = append(lists, s.Reply)
		}
		for _, text := range slices.Concat(lists...) {
			if !slices.Contains(numbered, text.Language) && (text.Language < model.GuideLanguageBase+8 || text.Language == model.GuideLanguageBase+12 || text.Language == model.GuideLanguageBase+18) {
				return "the language of a training text"
			}
		}
	case model.Quotation:
		q, is := again.(model.Quotation)
		for _, name := range []string{v.White, v.Black} {
			if strings.Contains(name, ",") || strings.TrimSpace(name) != name { // first and last names are apart
				return "a name with a comma, or blanks at its ends"
			}
		}
		if v.Category = 0; is && reflect.DeepEqual(q, v) {
			return "the category of a quotation"
		}
	}
	return ""
}

// Random games are read as they were written by the rule.
func TestRandomGames(t *testing.T) {
	lost := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		g := gen.Game(gen.Config{NoHalfMoves: true}, &model.Entities{}).Draw(t, "game")
		checkGame(t, "it", g, lost)
	})
	t.Log(lost)
}
