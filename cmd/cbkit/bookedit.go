package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"cbkit/board"
	"cbkit/ctgwrite"
	"cbkit/internal/typed"
	"cbkit/model"
	"cbkit/pgn"
)

// bookEditCmd is "cbkit book edit".
type bookEditCmd struct {
	Book string   `arg:"" help:"Book to change in place."`
	At   []string `arg:"" name:"position" help:"Moves from the start, such as e4 c5, of which the last is the move that is meant; or a FEN, with a move behind it or without; start is the start of the game. Quotes may be left out."`

	Mark      *string `help:"Sign of the move: ! ? !! ?? !? ?!, or a NAG such as $22; none takes it away." placeholder:"SIGN"`
	Recommend *string `help:"Mark the move, or the position, for programs that play: main is to be played, avoid is not." enum:"main,avoid,none" placeholder:"main|avoid|none"`
	Weight    *int8   `help:"Weight of the move, from -125 (never) to 125 (always); 0 takes it away." placeholder:"N"`
	Comment   *string `help:"Judgement of the position behind the move: = += +- ..., or a NAG; none takes it away." placeholder:"SIGN"`
	Delete    bool    `help:"Take the move away; without a move the position, and all moves that lead there."`
	Unreached bool    `help:"With --delete: remove the positions that no move leads to any more."`
	bookChangeFlags
}

// Run implements the verb.
func (c *bookEditCmd) Run(env *environment) error {
	at, err := parseBookPlace(c.At)
	if err != nil {
		return usageError{err}
	}
	marks, err := c.marks()
	if err == nil {
		err = c.refuse(at, marks)
	}
	if err != nil {
		return usageError{err}
	}
	w, err := env.newBookEditor("book edit", c.Book, c.bookChangeFlags, readFlags{})
	if err != nil {
		return err
	}
	return c.change(w, func(ed *ctgwrite.Editor) error {
		err := c.edit(env, ed, at, marks)
		if err != nil {
			err = fmt.Errorf("%s: %w", w.to.path, err)
		}
		return err
	})
}

// bookPlace is a position and a move there, if one was given.
type bookPlace struct {
	position board.Position
	move     model.Move
	hasMove  bool
}

// parseBookPlace reads a position and a move from the words of a command line: a FEN,
// with a move or without, or moves from the start, of which the last is the move.
func parseBookPlace(args []string) (bookPlace, error) {
	given := strings.Join(args, " ")
	words := strings.Fields(given)
	var rest []string
	if !typed.IsFEN(given) {
		if len(words) > 0 && words[0] == "start" {
			words = words[1:]
		}
		if words = typed.Words(strings.Join(words, " ")); len(words) == 0 {
			return bookPlace{position: board.Start()}, nil
		}
		words, rest = words[:len(words)-1], words[len(words)-1:]
		l, err := typed.Parse(words...)
		at := bookPlace{position: l.End, hasMove: true}
		if err == nil {
			if at.move, err = parseBookMove(&at.position, rest[0]); err != nil {
				_, err = typed.Parse(append(words, rest...)...) // in its words
			}
		}
		return at, err
	}
	at := bookPlace{}
	var err error
	if at.position, err = board.Parse(given); err != nil && len(words) > 1 {
		last := len(words) - 1
		if position, without := board.Parse(strings.Join(words[:last], " ")); without == nil {
			at.position, at.hasMove = position, true
			at.move, err = parseBookMove(&at.position, words[last])
		}
	}
	return at, err
}

// parseBookMove reads a move in SAN or UCI notation.
func parseBookMove(p *board.Position, word string) (model.Move, error) {
	m, err := p.ParseSAN(word)
	if err == nil {
		return m, nil
	}
	if uci, other := p.ParseUCI(word); other == nil {
		return uci, nil
	}
	return m, err
}

// bookMarks are changes of what a user says about a position and a move.
type bookMarks struct {
	annotation, commentary *model.NAG
	recommendation         *model.Recommendation
	weight                 *int8
}

// marks reads the flags.
func (c *bookEditCmd) marks() (m bookMarks, err error) {
	if m.annotation, err = parseSign("--mark", c.Mark); err != nil {
		return m, err
	}
	if m.commentary, err = parseSign("--comment", c.Comment); err != nil {
		return m, err
	}
	if c.Recommend != nil {
		r := map[string]model.Recommendation{"main": model.MainMove, "avoid": model.AvoidMove}[*c.Recommend]
		m.recommendation = &r
	}
	if m.weight = c.Weight; c.Weight != nil && (*c.Weight < -125 || *c.Weight > 125) {
		return m, errors.New("--weight: the weight of a move is from -125 to 125")
	}
	return m, nil
}

// parseSign reads the value of a flag that is a sign; nil stands for none given.
func parseSign(flag string, value *string) (*model.NAG, error) {
	if value == nil {
		return nil, nil
	}
	n, ok := pgn.ParseNAG(*value)
	if !ok && *value != "none" {
		return nil, fmt.Errorf("%s %s: is no sign; write it like ! or $1, or none", flag, *value)
	}
	return &n, nil
}

// ofPosition reports whether something belongs to a position.
func (m *bookMarks) ofPosition() bool {
	return m.commentary != nil || m.recommendation != nil || m.weight != nil
}

// refuse returns an error if the flags say nothing, or contradict each other.
func (c *bookEditCmd) refuse(at bookPlace, m bookMarks) error {
	marks := m.annotation != nil || m.ofPosition()
	switch {
	case !marks && !c.Delete:
		return errors.New("book edit: say what to change, such as --mark '!' or --delete")
	case marks && c.Delete:
		return errors.New("--delete takes away what the other flags would mark")
	case c.Unreached && !c.Delete:
		return errors.New("--unreached goes with --delete")
	case m.annotation != nil && !at.hasMove:
		return errors.New("--mark is a sign of a move; name one behind the position")
	}
	return nil
}

// edit makes the changes.
func (c *bookEditCmd) edit(env *environment, ed *ctgwrite.Editor, at bookPlace, m bookMarks) error {
	switch {
	case c.Delete && at.hasMove:
		if err := ed.DropMove(at.position, at.move); err != nil {
			return err
		}
	case c.Delete:
		if err := ed.Remove(env.ctx, at.position); err != nil {
			return err
		}
	default:
		return m.set(ed, at)
	}
	if !c.Unreached {
		return nil
	}
	_, err := ed.RemoveUnreached(env.ctx)
	return err
}

// set sets the marks of a place.
func (m *bookMarks) set(ed *ctgwrite.Editor, at bookPlace) error {
	if at.hasMove {
		if err := m.setMove(ed, at.position, at.move); err != nil || !m.ofPosition() {
			return err
		}
		at.position.Make(at.move)
	}
	e, err := ed.Lookup(at.position)
	if err != nil {
		return err
	}
	m.mark(&e.Stats)
	return ed.Put(e)
}

// setMove sets the sign of a move, which must be listed.
func (m *bookMarks) setMove(ed *ctgwrite.Editor, p board.Position, move model.Move) error {
	e, err := ed.Lookup(p)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(e.Moves, func(b model.BookMove) bool { return b.Move == move })
	switch {
	case i < 0:
		return fmt.Errorf("%w: the book has no %v in %s", model.ErrNoRecord, move, p.FEN())
	case m.annotation == nil:
		return nil
	}
	e.Moves[i].Annotation = *m.annotation
	return ed.Put(e)
}

// mark sets what belongs to a position.
func (m *bookMarks) mark(s *model.BookStats) {
	if m.commentary != nil {
		s.Commentary = *m.commentary
	}
	if m.recommendation != nil {
		s.Recommendation = *m.recommendation
	}
	if m.weight != nil {
		s.Weight = *m.weight
	}
}
