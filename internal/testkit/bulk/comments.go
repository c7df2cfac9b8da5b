package bulk

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"cbkit/model"
)

var words = strings.Fields(`and the a with is White Black to better now this move threatens pawn bishop knight king
	queen rook wins equal endgame attack on file diagonal after loses time stronger than natural plan counterplay
	centre exchange weak square pressure initiative novelty known from game instead should have been played`)

// comment annotates about every sixth move, in every way that annotators use
// much.
func comment(r *rand.Rand, g *model.Game) {
	for node := range g.Moves.Len() {
		if r.IntN(6) == 0 {
			g.Annotate(node, model.Text{Text: sentence(r)})
		}
		if r.IntN(8) == 0 {
			g.Annotate(node, model.Symbols{Move: model.NAG(1 + r.IntN(6)), Position: model.NAG(10 + r.IntN(10))})
		}
		if r.IntN(40) == 0 {
			from, to := model.Square(r.IntN(64)), model.Square(r.IntN(64))
			g.Annotate(node, model.Squares{{Color: model.Green, Square: to}})
			if from != to {
				g.Annotate(node, model.Arrows{{Color: model.Red, From: from, To: to}})
			}
		}
	}
}

// serve gives every move of the main line an evaluation, of which now and then one falls far,
// and what is left on the clock.
func serve(r *rand.Rand, g *model.Game) {
	value, left := 20, [2]int{600, 600}
	for node := range g.Moves.MainLen() {
		value += r.IntN(61) - 30
		if r.IntN(40) == 0 {
			value += r.IntN(1001) - 500
		}
		clock := &left[node%2]
		*clock -= min(*clock, r.IntN(2+*clock/10))
		g.Annotate(node, model.Text{Text: fmt.Sprintf("[%%eval %.2f] [%%clk 0:%02d:%02d]", float64(value)/100, *clock/60, *clock%60)})
	}
}

func sentence(r *rand.Rand) string {
	var b strings.Builder
	for i := range 3 + r.IntN(12) {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(words[int(float64(len(words))*r.Float64()*r.Float64())])
	}
	b.WriteByte('.')
	return b.String()
}
