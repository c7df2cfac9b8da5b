package ctgwrite

import (
	"fmt"
	"io"
	"text/tabwriter"

	"cbkit/board"
	"cbkit/model"
)

// moveNAGs are the signs of annotations that books have.
var moveNAGs = map[model.NAG]string{1: "!", 2: "?", 3: "!!", 4: "??", 5: "!?", 6: "?!", 8: "only", 22: "zugzwang"}

// WriteTable writes an entry, with the figures of its moves, as a table:
//
//	Move  Games  Score  Win  Draw  Loss    Av  Perf  Fact
//	 e4!     10  70.0%    6     2     2  2244  2430     5  main
//	 all    499  47.5%  176   122   201  2244  2266     -
//
// The figures of a move are those of the player who makes it: Av is the average rating of
// the players who made it, Perf their performance, Fact the user's weight. The last line
// is the position itself, seen by the side to move. For an entry that is Weighed the
// table has the weight of each move and the chance that gives it:
//
//	Move  Weight  Chance  Learn
//	  e4     120   60.0%      7
//	 all     200
func WriteTable(w io.Writer, e *model.BookEntry) error {
	p, err := board.New(&e.Position)
	if err != nil {
		return err
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	if e.Weighed {
		fmt.Fprintln(t, "Move\tWeight\tChance\tLearn\t")
		sum := e.MoveWeights()
		for i := range e.Moves {
			m := &e.Moves[i]
			chance := 100 * float64(m.MoveWeight) / float64(max(sum, 1))
			fmt.Fprintf(t, "%s\t%d\t%.1f%%\t%s\t\n", p.SAN(m.Move), m.MoveWeight, chance, orDash(int(m.Learn)))
		}
		fmt.Fprintf(t, "all\t%d\t\t\t\n", sum)
		return t.Flush()
	}
	fmt.Fprintln(t, "Move\tGames\tScore\tWin\tDraw\tLoss\tAv\tPerf\tFact\t")
	for i := range e.Moves {
		m := &e.Moves[i]
		name := p.SAN(m.Move) + moveNAGs[m.Annotation]
		if !m.Known {
			fmt.Fprintf(t, "%s\t-\t-\t-\t-\t-\t-\t-\t-\t\n", name)
			continue
		}
		row(t, name, &m.Stats)
	}
	row(t, "all", &e.Stats)
	return t.Flush()
}

func row(w io.Writer, name string, s *model.BookStats) {
	fmt.Fprintf(w, "%s\t%d\t%.1f%%\t%d\t%d\t%d\t%s\t%s\t%s\t", name, s.Games, s.Percent(), s.Wins, s.Draws, s.Losses,
		orDash(s.Own.Average()), orDash(performance(s)), orDash(int(s.Weight)))
	if r := s.Recommendation.String(); r != "" {
		fmt.Fprint(w, "  "+r)
	}
	fmt.Fprintln(w)
}

func orDash(n int) string {
	if n == 0 {
		return "-"
	}
	return fmt.Sprint(n)
}
