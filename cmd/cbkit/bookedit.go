package main

import (
	"cmp"
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
	changeFlags
}

// Run implements the verb.
func (c *bookEditCmd) Run(env *environment) error {
	at, err := parseBookPlace(c.At)
	sign, noSign := parseSign("--mark", c.Mark)
	judgement, noJudgement := parseSign("--comment", c.Comment)
	if err = cmp.Or(err, noSign, noJudgement); err != nil {
		return usageError{err}
	}
	isOfPosition := judgement != nil || c.Recommend != nil || c.Weight != nil
	isMarked := sign != nil || isOfPosition
	switch {
	case c.Weight != nil && (*c.Weight < -125 || *c.Weight > 125):
		return usageError{errors.New("--weight: the weight of a move is from -125 to 125")}
	case !isMarked && !c.Delete:
		return usageError{errors.New("book edit: say what to change, such as --mark '!' or --delete")}
	case isMarked && c.Delete:
		return usageError{errors.New("--delete takes away what the other flags would mark")}
	case sign != nil && !at.hasMove:
		return usageError{errors.New("--mark is a sign of a move; name one behind the position")}
	}
	w, err := env.newBookEditor("book edit", c.Book, c.changeFlags, readFlags{})
	if err != nil {
		return err
	}
	return w.change(c.changeFlags, func(ed *ctgwrite.Editor) error {
		switch {
		case c.Delete && at.hasMove:
			err = ed.DropMove(at.position, at.move)
		case c.Delete:
			err = ed.Remove(env.ctx, at.position)
		default:
			if at.hasMove {
				err = setSign(ed, at, sign)
				at.position.Make(at.move)
			}
			if err == nil && isOfPosition {
				err = c.setJudgement(ed, at.position, judgement)
			}
		}
		if err != nil {
			err = fmt.Errorf("%s: %w", w.to.path, err)
		}
		return err
	})
}

// setSign sets the sign of a move, unless it is nil. The move must be listed.
func setSign(ed *ctgwrite.Editor, at bookPlace, sign *model.NAG) error {
	e, err := ed.Lookup(at.position)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(e.Moves, func(b model.BookMove) bool { return b.Move == at.move })
	switch {
	case i < 0:
		return fmt.Errorf("%w: the book has no %v in %s", model.ErrNoRecord, at.move, at.position.FEN())
	case sign == nil:
		return nil
	}
	e.Moves[i].Annotation = *sign
	return ed.Put(e)
}

// setJudgement sets what belongs to a position. The judgement may be nil.
func (c *bookEditCmd) setJudgement(ed *ctgwrite.Editor, p board.Position, judgement *model.NAG) error {
	e, err := ed.Lookup(p)
	if err != nil {
		return err
	}
	if judgement != nil {
		e.Stats.Commentary = *judgement
	}
	if c.Recommend != nil {
		e.Stats.Recommendation = map[string]model.Recommendation{"main": model.MainMove, "avoid": model.AvoidMove}[*c.Recommend]
	}
	if c.Weight != nil {
		e.Stats.Weight = *c.Weight
	}
	return ed.Put(e)
}

// bookPlace is a position and a move there, if one was given.
type bookPlace struct {
	position board.Position
	move     model.Move
	hasMove  bool
}

// parseBookPlace reads a position and a move from the words of a command line: a FEN,
// with a move or without, or moves from the start, of which the last is the move.
func parseBookPlace(args []string) (at bookPlace, err error) {
	given := strings.Join(args, " ")
	words := strings.Fields(given)
	if !typed.IsFEN(given) {
		if len(words) > 0 && words[0] == "start" {
			words = words[1:]
		}
		l, err := typed.Parse(words...)
		at.position = board.Start()
		if err != nil || len(l.Moves) == 0 {
			return at, err
		}
		last := len(l.Moves) - 1
		for _, m := range l.Moves[:last] {
			at.position.Make(m)
		}
		at.move, at.hasMove = l.Moves[last], true
		return at, nil
	}
	if at.position, err = board.Parse(given); err != nil && len(words) > 1 {
		last := len(words) - 1
		if position, without := board.Parse(strings.Join(words[:last], " ")); without == nil {
			at.position, at.hasMove = position, true
			at.move, err = position.ParseSAN(words[last])
		}
	}
	return at, err
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
