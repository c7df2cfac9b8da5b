package stats

import (
	"encoding/json"

	"cbkit/model"
)

// Tally counts results from the view of one player or side.
type Tally struct {
	Wins, Draws, Losses int
	// Unfinished are games without a result.
	Unfinished int

	own, opponents ratings // of all games
	rated          ratings // of the opponents in games that count for a performance
	ratedHalves    int64   // half points won in these
}

// ratings adds up ratings that are known.
type ratings struct{ sum, n int64 }

// add adds one, or takes it away if by is -1.
func (r *ratings) add(elo uint16, by int) {
	if elo != 0 {
		r.sum, r.n = r.sum+int64(by)*int64(elo), r.n+int64(by)
	}
}

// average returns the average to the nearest whole number, 0 if there is none.
func (r *ratings) average() int {
	if r.n == 0 {
		return 0
	}
	return rounded(r.sum, r.n)
}

// Add counts a game. The ratings are 0 if they are not known.
func (t *Tally) Add(r model.Result, as model.Color, own, opponent uint16) {
	t.count(r, as, own, opponent, 1)
}

// count counts a game, or takes it away if by is -1.
func (t *Tally) count(r model.Result, as model.Color, own, opponent uint16, by int) {
	halves := halfPoints(r, as)
	switch halves {
	case 2:
		t.Wins += by
	case 1:
		t.Draws += by
	case 0:
		t.Losses += by
	default:
		t.Unfinished += by
	}
	t.own.add(own, by)
	t.opponents.add(opponent, by)
	if halves >= 0 && opponent != 0 && isPlayed(r) {
		t.rated.add(opponent, by)
		t.ratedHalves += int64(by * halves)
	}
}

// addGame counts a game from the view of a colour.
func (t *Tally) addGame(h *model.Header, as model.Color) { t.countGame(h, as, 1) }

// countGame is addGame, or takes the game away if by is -1.
func (t *Tally) countGame(h *model.Header, as model.Color, by int) {
	if as == model.White {
		t.count(h.Result, as, h.WhiteElo, h.BlackElo, by)
	} else {
		t.count(h.Result, as, h.BlackElo, h.WhiteElo, by)
	}
}

// isPlayed reports whether a game with this result was played at the board.
func isPlayed(r model.Result) bool { return !r.IsForfeit() && r != model.BothLose }

// halfPoints returns what a colour has got for a game, -1 if it has no result.
func halfPoints(r model.Result, c model.Color) int {
	winner, won := r.Winner()
	switch {
	case won && winner == c:
		return 2
	case won, r == model.BothLose:
		return 0
	case r == model.Draw, r == model.DrawByForfeit:
		return 1
	}
	return -1
}

// Games returns how many games were counted.
func (t *Tally) Games() int { return t.Wins + t.Draws + t.Losses + t.Unfinished }

// Points returns the points: one for a win, half for a draw.
func (t *Tally) Points() float64 { return float64(t.Wins) + float64(t.Draws)/2 }

// Percent returns the points won in percent of those that could be won, 0 to
// 100; false if no game has a result.
func (t *Tally) Percent() (float64, bool) {
	n := t.Games() - t.Unfinished
	if n == 0 {
		return 0, false
	}
	return 100 * t.Points() / float64(n), true
}

// AverageElo returns the player's average rating over the games in which he has one; 0 if
// there is none.
func (t *Tally) AverageElo() int { return t.own.average() }

// AverageOpponent returns the average rating of the opponents that have one, 0 if
// none has.
func (t *Tally) AverageOpponent() int { return t.opponents.average() }

// Rated returns how many games count for the performance: those that were played
// against an opponent with a rating.
func (t *Tally) Rated() int { return int(t.rated.n) }

// Performance returns the rating that the games were worth, 0 if no game counts
// for one. The package comment says how.
func (t *Tally) Performance() int {
	if t.rated.n == 0 {
		return 0
	}
	return t.rated.average() + RatingDifference(rounded(100*t.ratedHalves, 2*t.rated.n))
}

// MarshalJSON writes the counts with what follows from them; ratings that are not
// known are left out:
//
//	{"games":12,"wins":5,"draws":6,"losses":1,"unfinished":0,"points":8,"percent":66.7,
//	 "averageElo":2650,"averageOpponent":2600,"performance":2725}
func (t Tally) MarshalJSON() ([]byte, error) {
	percent, _ := t.Percent()
	return json.Marshal(struct {
		Games       int     `json:"games"`
		Wins        int     `json:"wins"`
		Draws       int     `json:"draws"`
		Losses      int     `json:"losses"`
		Unfinished  int     `json:"unfinished"`
		Points      float64 `json:"points"`
		Percent     float64 `json:"percent"`
		Elo         int     `json:"averageElo,omitempty"`
		Opponent    int     `json:"averageOpponent,omitempty"`
		Performance int     `json:"performance,omitempty"`
	}{
		t.Games(), t.Wins, t.Draws, t.Losses, t.Unfinished, t.Points(), float64(int(percent*10+0.5)) / 10,
		t.AverageElo(), t.AverageOpponent(), t.Performance(),
	})
}

// ratingDifference is FIDE's table of what a share of points means in rating, for
// 50 to 100 percent (Handbook B.02, 8.1.1, and B.01, 1.4.9). Below 50 percent it
// is that of the rest to 100, negative.
var ratingDifference = [51]int16{
	0, 7, 14, 21, 29, 36, 43, 50, 57, 65,
	72, 80, 87, 95, 102, 110, 117, 125, 133, 141,
	149, 158, 166, 175, 184, 193, 202, 211, 220, 230,
	240, 251, 262, 273, 284, 296, 309, 322, 336, 351,
	366, 383, 401, 422, 444, 470, 501, 538, 589, 677,
	800,
}

// RatingDifference returns by how much a player who scores a percentage of the
// points, 0 to 100, is stronger than his opponents, by FIDE's table.
func RatingDifference(percent int) int {
	percent = min(max(percent, 0), 100)
	if percent < 50 {
		return -int(ratingDifference[50-percent])
	}
	return int(ratingDifference[percent-50])
}

// Category returns the category of a round robin with an average rating, 0 if it
// has none: 1 is 2251 to 2275, and each of the next takes 25 points more.
func Category(average int) int {
	if average <= 2250 {
		return 0
	}
	return (average-2251)/25 + 1
}

// rounded returns n divided by a positive d, to the nearest whole number, halves
// upwards.
func rounded(n, d int64) int {
	return int((2*n + d) / (2 * d))
}
