package main

import (
	"fmt"
	"slices"
	"strings"

	"cbkit/board"
	"cbkit/model"
)

// appendEPD appends the positions of a record's training questions, each as a
// line of Extended Position Description (the PGN standard, 16.2): four fields of
// the position, the best moves, where it is from, and the question as comment 0.
// A question without a solution that can be played asks for the move of the game.
func appendEPD(dst []byte, rec *model.Record, e *model.Entities) []byte {
	g := rec.Game
	if g == nil || g.MovesErr != nil {
		return dst
	}
	questions := map[int][]model.Training{}
	for _, a := range g.Annotations {
		if v, ok := a.Value.(model.Training); ok && a.Node >= 0 {
			questions[int(a.Node)] = append(questions[int(a.Node)], v)
		}
	}
	if len(questions) == 0 {
		return dst
	}
	for node, p := range board.Walk(g.Start, &g.Moves) {
		for _, q := range questions[node] {
			dst = appendQuestion(dst, p, g.Moves.Move(node), &q)
			dst = fmt.Appendf(dst, " id %s;", epdText(epdSource(rec, e)))
			if text := questionText(q.Question); text != "" {
				dst = fmt.Appendf(dst, " c0 %s;", epdText(text))
			}
			dst = append(dst, '\n')
		}
	}
	return dst
}

// appendQuestion appends the position and the moves that solve it.
func appendQuestion(dst []byte, p *board.Position, played model.Move, q *model.Training) []byte {
	fields := strings.Fields(p.FEN())
	dst = append(append(dst, strings.Join(fields[:4], " ")...), " bm"...)
	var best []model.Move
	for _, s := range q.Solutions {
		if m, ok := solution(p, s); ok {
			best = append(best, m)
		}
	}
	if len(best) == 0 {
		best = append(best, played)
	}
	for i, m := range best {
		if !slices.Contains(best[:i], m) {
			dst = p.AppendSAN(append(dst, ' '), m)
		}
	}
	return append(dst, ';')
}

// solution returns the move of a solution; a pawn becomes a queen unless it says
// otherwise.
func solution(p *board.Position, s model.Solution) (model.Move, bool) {
	text := s.From.String() + s.To.String()
	for _, promotion := range []string{"", "q"} {
		if m, err := p.ParseUCI(text + promotion); err == nil {
			return m, true
		}
	}
	return 0, false
}

// epdSource says which game a position is from.
func epdSource(rec *model.Record, e *model.Entities) string {
	g := rec.Game
	names := []string{e.Players.Value(g.White).String() + " - " + e.Players.Value(g.Black).String()}
	for _, s := range []string{e.Tournaments.Value(g.Tournament).Title, yearText(g.Date)} {
		if s != "" {
			names = append(names, s)
		}
	}
	return fmt.Sprintf("%s, game %d", strings.Join(names, ", "), rec.ID)
}

// yearText returns the year of a date, "" if it is not known.
func yearText(d model.Date) string { return orBlank(int(d.Year)) }

// questionText returns a text in English, else in the first language there is.
func questionText(list []model.TrainingText) string {
	for _, t := range list {
		if t.Language == model.English {
			return t.Text
		}
	}
	if len(list) > 0 {
		return list[0].Text
	}
	return ""
}

// epdText writes a string operand, which cannot have quotes or line breaks.
func epdText(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	return `"` + plainText(strings.ReplaceAll(s, `"`, "'")) + `"`
}
