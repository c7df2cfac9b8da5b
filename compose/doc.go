// Package compose writes games in code as people write them: moves in usual notation,
// comments and symbols after their move, variations as alternatives to the move before
// them.
//
//	g := compose.New(compose.Header{White: "Réti, Richard", Black: "Tartakower, Savielly", Result: "1-0"})
//	g.Play("e4", "c6", "d4", "d5").Comment("The Caro-Kann.")
//	g.Play("Nc3", "dxe4", "Nxe4", "Nf6", "Qd3").Symbol(model.NAGDubious)
//	g.Variation(func(v *compose.Line) { v.Play("Nxf6+", "exf6") })
//	g.Before("Now Black opens the wrong file.").Play("e5").Symbol(model.NAGMistake).Evaluation(1.2, 20)
//	_, err := g.AddTo(db)
//
// [Line.Annotate] adds what has no method of its own, such as the time spent on a move.
//
// Methods return no errors. [Game.AddTo] returns the first mistake, with its move; calls
// after a mistake do nothing.
package compose
