package marks

import (
	"iter"
	"math"
	"strconv"
	"strings"

	"cbkit/model"
)

// All yields what an annotation of a move says of it: an annotation of a time or a verdict, the
// commands of a text, or a text that is a verdict as matches of engines have it. The player is
// the one who made the move.
func All(v model.Value, player model.Color) iter.Seq[Said] {
	return func(yield func(Said) bool) {
		switch v := v.(type) {
		case model.Text:
			for c, ok := Next(v.Text); ok; c, ok = Next(c.After) {
				if said, ok := c.Said(); ok && !yield(said) {
					return
				}
			}
			verdict, spent := Remark(v.Text, player)
			if verdict.Kind == "" || !yield(verdict) || spent.Kind == "" {
				return
			}
			yield(spent)
		case model.TimeSpent:
			yield(Said{Kind: model.KindTimeSpent, Value: 100 * (int32(v.Hours)*3600 + int32(v.Minutes)*60 + int32(v.Seconds))})
		case model.Engine:
			if v.Type == 0 || v.Type == 1 {
				yield(Said{Kind: model.KindEngine, Value: int32(v.Value), Mate: v.Type == 1, Depth: int32(v.Depth)})
			}
		}
	}
}

// Remark reads a text that is the verdict of the engine that made the move, from its own
// view, with the depth and mostly the time: "+0.31/14 0.53s", "-M5/20 1.2s, Black mates". The
// number behind an M is of plies. What it does not say has no kind.
func Remark(text string, player model.Color) (verdict, spent Said) {
	if text == "" || text[0] > '9' { // as most are
		return Said{}, Said{}
	}
	text, _, _ = strings.Cut(strings.TrimSpace(text), ",")
	score, rest, ok := strings.Cut(text, "/")
	depth, seconds, timed := strings.Cut(rest, " ")
	n, err := strconv.ParseUint(depth, 10, 15)
	if !ok || err != nil {
		return Said{}, Said{}
	}
	said := Said{Kind: model.KindEngine, Depth: int32(n)}
	unsigned := strings.TrimLeft(score, "+-")
	if plies, is := strings.CutPrefix(unsigned, "M"); is {
		n, err := strconv.ParseUint(plies, 10, 15)
		if err != nil {
			return Said{}, Said{}
		}
		said.Value, said.Mate = int32(n+1)/2, true
	} else {
		f, err := strconv.ParseFloat(unsigned, 64)
		if err != nil || !strings.Contains(unsigned, ".") || !(f < 1e6) {
			return Said{}, Said{}
		}
		said.Value = int32(math.Round(100 * f))
	}
	if len(score)-len(unsigned) > 1 {
		return Said{}, Said{}
	}
	if (score[0] == '-') != (player == model.Black) {
		said.Value = -said.Value
	}
	if timed {
		f, err := strconv.ParseFloat(strings.TrimSuffix(seconds, "s"), 64)
		if err != nil || !strings.HasSuffix(seconds, "s") || !(f >= 0 && f < 1e7) {
			return Said{}, Said{}
		}
		spent = Said{Kind: model.KindTimeSpent, Value: int32(math.Round(100 * f))}
	}
	return said, spent
}

// Told is what is said of a move, of each kind what comes first.
type Told struct {
	Player model.Color // who made the move
	// Eval is the verdict behind the move, Clock what is left then; without a kind there is none.
	Eval, Clock Said
}

// MainLine yields what is said of the start, as that of model.NoNode, and of every move of
// the main line.
func MainLine(g *model.Game) iter.Seq2[int, Told] {
	return func(yield func(int, Told) bool) {
		var profile model.Evaluations
		for i := range g.Annotations {
			if v, is := g.Annotations[i].Value.(model.Evaluations); is {
				profile = v
			}
		}
		player, list := g.StartPosition().Turn.Other(), g.Annotations
		for node := model.NoNode; node < g.Moves.MainLen(); node++ {
			t := Told{Player: player}
			for ; len(list) > 0 && int(list[0].Node) <= node; list = list[1:] {
				for said := range All(list[0].Value, player) {
					switch {
					case said.Kind == model.KindEngine && t.Eval.Kind == "":
						t.Eval = said
					case said.Kind == model.KindClock && t.Clock.Kind == "":
						t.Clock = said
					}
				}
			}
			if t.Eval.Kind == "" && node+1 < len(profile) {
				e := profile[node+1]
				if e.Kind == model.Centipawns || e.Kind == model.MateInPlies {
					t.Eval = Said{Kind: model.KindEngine, Value: int32(e.Value), Mate: e.Kind == model.MateInPlies}
				}
			}
			if !yield(node, t) {
				return
			}
			player = player.Other()
		}
	}
}
