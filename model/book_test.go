package model_test

import (
	"fmt"
	"testing"

	"cbkit/model"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func drawStats(t *rapid.T) model.BookStats {
	count := rapid.Uint32Range(0, 1000)
	s := model.BookStats{Wins: count.Draw(t, "wins"), Draws: count.Draw(t, "draws"), Losses: count.Draw(t, "losses")}
	open := count.Draw(t, "without result")
	s.Games = s.Wins + s.Draws + s.Losses + open
	s.Score = 10*s.Wins + 5*s.Draws + rapid.Uint32Range(0, 10*open).Draw(t, "score")
	s.Own = model.BookRatings{Games: count.Draw(t, "own"), Sum: rapid.Uint32().Draw(t, "sum")}
	s.Opponent = model.BookRatings{Games: count.Draw(t, "opponent"), Sum: rapid.Uint32().Draw(t, "sum")}
	return s
}

func TestOtherSideIsItsOwnInverse(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawStats(t)
		o := s.OtherSide()
		if d := cmp.Diff(s, o.OtherSide()); d != "" {
			t.Fatal(d)
		}
		if o.Score+s.Score != 10*s.Games {
			t.Fatalf("the sides score %d and %d in %d games", s.Score, o.Score, s.Games)
		}
		if s.Games > 0 && (s.Percent()+o.Percent() < 99.999 || s.Percent()+o.Percent() > 100.001) {
			t.Fatalf("%v and %v percent", s.Percent(), o.Percent())
		}
	})
}

func TestOtherSideOfNonsense(t *testing.T) {
	s := model.BookStats{Games: 1, Score: 4000000000}
	if got := s.OtherSide().Score; got != 0 {
		t.Errorf("score %d, want 0", got)
	}
}

func TestBookRatingsAverage(t *testing.T) {
	for _, c := range []struct {
		r    model.BookRatings
		want int
	}{
		{model.BookRatings{}, 0},
		{model.BookRatings{Games: 2, Sum: 4801}, 2401},
		{model.BookRatings{Games: 3, Sum: 7201}, 2400},
		{model.BookRatings{Games: 4294967295, Sum: 4294967295}, 1},
	} {
		if got := c.r.Average(); got != c.want {
			t.Errorf("average of %+v = %d, want %d", c.r, got, c.want)
		}
	}
}

func TestRecommendationWords(t *testing.T) {
	for r, want := range map[model.Recommendation]string{
		model.NoRecommendation: "", model.MainMove: "main", model.AvoidMove: "avoid", 3: "",
	} {
		if got := r.String(); got != want {
			t.Errorf("%d is %q, want %q", r, got, want)
		}
	}
}

func TestBookEntryClone(t *testing.T) {
	e := &model.BookEntry{
		Position: model.StartPosition(),
		Moves:    []model.BookMove{{Move: model.NewMove(model.E2, model.E4)}},
		Leftover: &model.Leftover{Format: "ctg", Data: []byte{1}},
	}
	c := e.Clone()
	if d := cmp.Diff(e, c); d != "" {
		t.Fatal(d)
	}
	e.Moves[0].Known, e.Leftover.Data[0] = true, 2
	if c.Moves[0].Known || c.Leftover.Data[0] != 1 {
		t.Error("the clone changed with the original")
	}
}

func ExampleBookStats_OtherSide() {
	white := model.BookStats{
		Games: 10, Wins: 5, Draws: 3, Losses: 2, Score: 65,
		Own: model.BookRatings{Games: 1, Sum: 2600}, Opponent: model.BookRatings{Games: 1, Sum: 2500},
	}
	black := white.OtherSide()
	fmt.Println(black.Wins, black.Draws, black.Losses, black.Percent(), black.Own.Average())
	// Output: 2 3 5 35 2500
}
