package ctg

// MaxRatingSum keeps sums of ratings in the range of the signed 32-bit numbers
// that programs read them into. (docs/formats/ctg.md 6.2)
const MaxRatingSum = 1<<31 - 1

// Totals are figures that are being added up and may exceed what an entry can
// hold.
type Totals struct {
	Games, Wins, Losses, Draws uint64
	Score                      uint64
	OwnGames, OwnSum           uint64
	OpponentGames, OpponentSum uint64
}

// Add adds the figures of an entry.
func (t *Totals) Add(s *Stats) {
	t.Games += uint64(s.Games)
	t.Wins += uint64(s.Wins)
	t.Losses += uint64(s.Losses)
	t.Draws += uint64(s.Draws)
	t.Score += uint64(s.Score)
	t.OwnGames += uint64(s.OwnGames)
	t.OwnSum += uint64(s.OwnSum)
	t.OpponentGames += uint64(s.OpponentGames)
	t.OpponentSum += uint64(s.OpponentSum)
}

// Stats returns the figures as an entry holds them. Where they are too large
// the games, wins, losses, draws and the score are halved together as often as
// it takes, and so are the number and the sum of a side's ratings.
func (t Totals) Stats() Stats {
	for t.Games > MaxCount || t.Wins > MaxCount || t.Losses > MaxCount || t.Draws > MaxCount || t.Score > 1<<32-1 {
		t.Games, t.Wins, t.Losses, t.Draws, t.Score = t.Games/2, t.Wins/2, t.Losses/2, t.Draws/2, t.Score/2
		// Rounding down may leave a point more than the games allow.
		if most := 10*t.Games - min(10*t.Games, 10*t.Losses+5*t.Draws); t.Score > most {
			t.Score = most
		}
	}
	s := Stats{
		Games: uint32(t.Games), Wins: uint32(t.Wins), Losses: uint32(t.Losses), Draws: uint32(t.Draws),
		Score: uint32(t.Score),
	}
	s.OwnGames, s.OwnSum = fitRatings(t.OwnGames, t.OwnSum)
	s.OpponentGames, s.OpponentSum = fitRatings(t.OpponentGames, t.OpponentSum)
	return s
}

func fitRatings(games, sum uint64) (uint32, uint32) {
	for games > MaxCount || sum > MaxRatingSum {
		games, sum = games/2, sum/2
	}
	if games == 0 {
		return 0, 0
	}
	return uint32(games), uint32(sum)
}
