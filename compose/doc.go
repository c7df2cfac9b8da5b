// Package compose writes games in code as people say them: moves in their own
// notation, comments and symbols behind the move they speak of, variations in
// place of the move before them.
//
//	g := compose.New(compose.Header{White: "Réti, Richard", Black: "Tartakower, Savielly", Result: "1-0"})
//	g.Play("e4", "c6", "d4", "d5").Comment("The Caro-Kann.")
//	g.Play("Nc3", "dxe4", "Nxe4", "Nf6", "Qd3").Symbol(model.NAGDubious)
//	g.Variation(func(v *compose.Line) { v.Play("Nxf6+", "exf6") })
//	g.Before("Now Black opens the wrong file.").Play("e5").Symbol(model.NAGMistake).Evaluation(1.2, 20)
//	_, err := g.AddTo(db)
//
// What has no method of its own, such as time that was spent, is an annotation of package
// model: [Line.Annotate].
//
// Nothing has to be checked on the way: the first mistake is told at the end, with
// the move that it was made at, and what follows it does nothing.
package compose
