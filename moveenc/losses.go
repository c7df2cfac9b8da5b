package moveenc

import "cbkit/model"

// Losses says what of a start position a record cannot hold: the half-move
// clock, a move number above 255, castling rights of rooks that could not
// castle. Nil, the standard position, loses nothing. The losses name no record.
func Losses(start *model.Position) []model.Loss {
	if start == nil {
		return nil
	}
	var losses []model.Loss
	report := model.Report(func(l model.Loss) { losses = append(losses, l) })
	if start.HalfMoves != 0 {
		report.Add(model.LostField, 0, "start", "half-move clock %d", start.HalfMoves)
	}
	if start.FullMove > maxMoveNumber {
		report.Add(model.LostField, 0, "start", "move number %d, written as %d", start.FullMove, maxMoveNumber)
	}
	rooks := orthodoxRooks
	if start.Chess960 {
		rooks = chooseRooks(start)
	}
	for c, sides := range start.Rights {
		for side, s := range sides {
			if s != model.NoSquare && s != rooks[c][side] {
				report.Add(model.LostField, 0, "start", "right of %v to castle with %v", model.Color(c), s)
			}
		}
	}
	return losses
}
