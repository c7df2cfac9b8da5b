package pgn

import (
	"fmt"
	"slices"

	"cbkit/model"
)

// stream hands the games of batches to a loop over [Reader.Records].
type stream struct {
	reader *Reader
	yield  func(model.Record, error) bool
	from   model.RecordID
	last   model.RecordID // id of the last game
	game   int            // number of the last game in its file
	// foundGame reports whether a game with a tag or a move was found in the file. Until
	// then errors and remarks are held back: a file without any is refused as a
	// whole.
	foundGame bool
	errors    []*GameError
	left      []remark
	// refused reports whether the rest of the file is skipped.
	refused bool
}

// mostErrors is how many unreadable games without a tag or a move may stand at
// the beginning of a file before it is refused.
const mostErrors = 1000

// batch yields the games of b. It returns false when the loop is to end.
func (s *stream) batch(b *batch) bool {
	if s.refused {
		s.refused = !b.last
		return true
	}
	s.foundGame = s.foundGame || b.within
	left := b.left
	for i := range b.games.len() {
		for len(left) > 0 && left[0].games <= i {
			s.passedBy(b.file, &left[0])
			left = left[1:]
		}
		s.game++
		if !s.take(b, b.games.at(i)) {
			return false
		}
		b.games.done(i)
		if s.refused {
			s.refused = !b.last
			return true
		}
	}
	for i := range left {
		s.passedBy(b.file, &left[i])
	}
	if b.tooLarge != 0 {
		s.game++
		err := &GameError{File: b.file, Line: b.tooLarge, Game: s.game, Err: errTooLarge}
		if !s.foundGame {
			s.errors = append(s.errors, err)
		} else if !s.fail(err) {
			return false
		}
	}
	if !b.last {
		return true
	}
	// What is wrong with the file as a whole.
	err := b.err
	switch {
	case err != nil:
		if !s.begin(b.file) {
			return false
		}
	case s.foundGame || b.content == escapes:
	case b.content == blanks && s.reader.opt.Parts > 1: // its games are in the others
	case b.content == blanks:
		err = errEmpty
	default:
		err = errNoGames
	}
	s.reset()
	return err == nil || s.fileError(b, err)
}

// take yields a game or its error.
func (s *stream) take(b *batch, g *parsed) bool {
	if g.err != nil {
		g.err.Game = s.game
	}
	if !s.foundGame {
		// What cannot be read and has neither a tag nor a move may be no game. Among
		// bytes that are no text there may be a move by chance.
		err := g.err
		if err == nil && len(g.cuts) > 0 {
			err = g.cuts[0].err
		}
		if err == nil && g.game.Moves.Len() == 0 {
			err = &GameError{File: b.file, Line: b.line, Err: errNothing}
		}
		if err != nil && !g.headed && (!g.isGame || isBinary(b.text)) {
			err.Game = s.game
			if s.errors = append(s.errors, err); len(s.errors) > mostErrors {
				s.refused = true
				s.reset()
				return s.fileError(b, errNoGames)
			}
			return true
		}
		if !s.begin(b.file) {
			return false
		}
	}
	if g.err != nil {
		return s.fail(g.err)
	}
	if s.last == maxRecords {
		s.yield(model.Record{}, fmt.Errorf("more than %d games: %w", maxRecords, model.ErrTooLarge))
		return false
	}
	s.last++
	if s.last < s.from {
		return true
	}
	for i := range g.cuts {
		cut, field := &g.cuts[i], "moves"
		if cut.err.Err == errOpenTag {
			field = "tags"
		}
		cut.err.Game = s.game
		s.reader.opt.Report.Tell(model.Loss{Kind: model.CutGame, Record: s.last, Field: field, What: fmt.Sprintf("%v; %s", cut.err, cut.what)})
	}
	for i := range g.remarks {
		s.reportRemark(b.file, s.last, &g.remarks[i])
	}
	g.names.intern(&g.game.Header, s.reader.entities)
	s.reader.offset, s.reader.outline = g.at, g.outline
	rec := model.Record{ID: s.last, Game: &g.game}
	g.game.Tags, rec.Deleted = takeDeleted(g.game.Tags)
	return s.yield(rec, nil)
}

// isBinary reports whether there are bytes that no text has.
func isBinary(text []byte) bool {
	return slices.ContainsFunc(text, func(b byte) bool { return b < ' ' && !isBlank(b) && b != 0x1A && b != 0x1B })
}

// begin says what has waited for the first game of a file.
func (s *stream) begin(file string) bool {
	s.foundGame = true
	for i := range s.left {
		s.reportRemark(file, 0, &s.left[i])
	}
	for _, err := range s.errors {
		if !s.fail(err) {
			return false
		}
	}
	s.left, s.errors = nil, nil
	return true
}

// passedBy takes note of text that belongs to no game.
func (s *stream) passedBy(file string, r *remark) {
	switch {
	case s.last+1 < s.from:
	case s.foundGame:
		s.reportRemark(file, 0, r)
	case len(s.left) < mostErrors:
		s.left = append(s.left, *r)
	}
}

// maxRecords is how many ids there are.
const maxRecords = 1<<31 - 1

// fail yields the error of a game.
func (s *stream) fail(err *GameError) bool {
	if s.last+1 < s.from {
		return true
	}
	return s.yield(model.Record{ID: s.last + 1}, err)
}

// reset makes ready for the next file.
func (s *stream) reset() { s.game, s.foundGame, s.left, s.errors = 0, false, nil, nil }

// fileError yields what is wrong with a file as a whole. With KeepGoing it is
// not the end of the reading.
func (s *stream) fileError(b *batch, err error) bool {
	err = inputError(b.file, err)
	if s.reader.opt.KeepGoing {
		return s.yield(model.Record{ID: s.last + 1}, err)
	}
	s.yield(model.Record{}, err)
	return false
}
