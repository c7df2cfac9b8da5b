package collect_test

import (
	"strings"
	"testing"

	"cbkit/collect"
	"cbkit/internal/namepattern"
	"cbkit/internal/testkit/corpus"
	"cbkit/internal/testkit/must"
	"cbkit/model"
	"cbkit/pgn"
	"cbkit/read"
)

// Copies of a game are found though no name is written as in the other, whichever is first.
func TestCopiesWithOtherNames(t *testing.T) {
	const moves = "\n1. Nf3 d5 2. g3 g6 3. d4 Bg7 4. c4 c6 5. b3 Nf6 6. Bb2 O-O 7. Bg2 Bf5 8. O-O Nbd7 9. Nc3 Ne4 10. Nxe4 Bxe4 11. Ne5 1-0\n\n"
	game := func(white, black string) string {
		return "[White \"" + white + "\"]\n[Black \"" + black + "\"]\n[Date \"2001.01.12\"]\n[Round \"1\"]\n[Result \"1-0\"]\n" + moves
	}
	reader := func(text string) model.Source { return pgn.NewReader(strings.NewReader(text), pgn.ReaderOptions{}) }
	for _, c := range []struct {
		a, b [2]string
		want int
	}{
		{[2]string{"Gukesh D", "Ding Liren"}, [2]string{"Gukesh, D", "Ding, L"}, 1},
		{[2]string{"Le Quang Liem", "Wiel, John van der"}, [2]string{"Le, Quang Liem", "Van der Wiel, J"}, 1},
		{[2]string{"Ding Liren", "Nguyen Thai Dai Van"}, [2]string{"Ding, Liren", "Nguyen, Thai Dai Van"}, 1},
		{[2]string{"GM Carlsen, Magnus", "Im, Hong"}, [2]string{"Carlsen, M", "Im Hong"}, 1},
		{[2]string{"De la Riva, Oscar", "Villa, Jesus de la"}, [2]string{"Riva, Oscar de la", "De la Villa, Jesus"}, 1},
		{[2]string{"Van der Sterren, P", "De Firmian, N"}, [2]string{"Vandersterren, P", "Defirmian, N"}, 1},
		{[2]string{"Du Yuxin", "Gukesh D"}, [2]string{"Du, Yuxin", "D Gukesh"}, 1},
		{[2]string{"Ding Liren", "Wang Yue"}, [2]string{"Ding, Liren", "Wang, Hao"}, 0},
		{[2]string{"Wiel, John van der", "Karpov, A"}, [2]string{"Van der Berg, John", "Karpov, A"}, 0},
		{[2]string{"Van Beek, John", "Karpov, A"}, [2]string{"Van Berg, John", "Karpov, A"}, 0},
		{[2]string{"Van der Wiel, John", "Karpov, A"}, [2]string{"Van der Zwaag, J", "Karpov, A"}, 0},
		{[2]string{"Karpov, A", "Le Quang Liem"}, [2]string{"Karpov, A", "Le, Quang Minh"}, 0},
		{[2]string{"Karpov, A", "Nguyen Van An"}, [2]string{"Karpov, A", "Nguyen, Van Binh"}, 0},
	} {
		for _, pair := range [][2][2]string{{c.a, c.b}, {c.b, c.a}} {
			first, second := game(pair[0][0], pair[0][1]), game(pair[1][0], pair[1][1])
			sets, err := collect.Duplicates(t.Context(), load(t, reader(first+second)), collect.DuplicateOptions{})
			if err != nil || len(sets) != c.want {
				t.Errorf("%v: %d sets, %v", pair, len(sets), err)
			}
			base := load(t, reader(first))
			var line []collect.MainLine
			other := load(t, reader(second))
			for _, rec := range other.List {
				g := rec.Game.Resolve(&other.Tables)
				var moves []model.Move
				for _, n := range rec.Game.Moves.Nodes() {
					moves = append(moves, n.Move)
				}
				line = append(line, collect.MainLine{White: g.White, Black: g.Black, Moves: moves})
			}
			found, err := collect.Scan(base)(t.Context(), line)
			if err != nil || c.want > 0 && len(found) != c.want {
				t.Errorf("%v: candidates %v, %v", pair, found, err)
			}
		}
	}
}

// No two players of a real database become one: none are written the same once their
// names are in order, and a name without a comma is alike to none with another surname. With the same particle
// in front of both surnames, or behind one's first name, two are as alike as without.
func TestPersonsStayApart(t *testing.T) {
	for _, name := range []string{"cbh/twic1134/twic1134.cbh", "cbh/hedgehog/Hedgehog.cbh"} {
		db := must.Get(read.Open(corpus.Path(t, name), read.Options{}))(t)
		defer db.Close()
		var players []model.Player
		var spelt, front, behind []namepattern.Spelt // as they are, and with a particle
		for _, p := range db.Entities().Players.Live() {
			players, spelt = append(players, p), append(spelt, namepattern.TakeApart(p))
			front = append(front, namepattern.TakeApart(model.Player{LastName: "Van der " + p.LastName, FirstName: p.FirstName}))
			behind = append(behind, namepattern.TakeApart(model.Player{LastName: p.LastName, FirstName: p.FirstName + " van der"}))
		}
		for i, p := range players {
			if testing.Short() && i%5 > 0 {
				continue
			}
			for j, q := range players[:i] {
				same, exactly := spelt[i].Same(&spelt[j])
				if p.FirstName != "" && q.FirstName != "" && p.LastName[:1] == q.LastName[:1] && !strings.Contains(p.LastName+q.LastName, " ") {
					if with, _ := front[i].Same(&front[j]); with != same {
						t.Errorf("%s: %v and %v: alike %v, behind a particle %v", name, p, q, same, with)
					}
					if with, _ := front[i].Same(&behind[j]); with != same {
						t.Errorf("%s: %v and %v: alike %v, with particles in both places %v", name, p, q, same, with)
					}
				}
				folded := func(p model.Player) string { return namepattern.Fold(p.LastName + " " + p.FirstName) }
				switch {
				case exactly && folded(p) != folded(q):
					t.Errorf("%s: %v and %v are written the same", name, p, q)
				case same && (p.FirstName == "") != (q.FirstName == "") && !strings.Contains(folded(p), namepattern.Fold(q.LastName)) && !strings.Contains(folded(q), namepattern.Fold(p.LastName)) && !spelt[i].SoundsLike(&spelt[j]):
					t.Errorf("%s: %v and %v are alike", name, p, q)
				}
			}
		}
	}
}
