package main

import (
	"errors"
	"fmt"

	"cbkit/lines"
	"cbkit/model"
	"cbkit/search"
)

// leavingColumns stand behind those of a game with --leaves.
var leavingColumns = []column{text("leaves", 0)}

// leavingJSON is the move with which a game leaves a repertoire.
type leavingJSON struct {
	ID   model.RecordID `json:"id"`
	Ply  int            `json:"ply"`
	Move string         `json:"move"`
}

// ask adds to a condition what is asked of a repertoire.
func (f *finding) ask(condition search.Condition) (search.Condition, error) {
	path := f.In + f.Leaves
	switch {
	case path == "":
		return condition, nil
	case path == "-" && f.DB == "-":
		return nil, usageError{errors.New("find: the games and the repertoire cannot both be standard input; name a file")}
	}
	t := newTransfer(f.env, f.transferFlags, "find", target{})
	src, err := t.openInput(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = src.close() }() // it was only read
	f.lines = lines.NewRepertoire()
	for rec, err := range model.Readable(f.env.ctx, src.Source, model.WantMoves, t.onError) {
		if err != nil {
			return nil, err
		}
		if rec.Game != nil && !rec.Deleted {
			f.lines.Add(rec.Game)
		}
	}
	if f.lines.Len() < 2 {
		return nil, fmt.Errorf("%s: has no moves to stay in", path)
	}
	if f.In != "" {
		return search.And(condition, search.Func("--in "+path, func(g *model.Game) bool {
			_, leaves := f.lines.Leaves(g)
			return !leaves
		})), nil
	}
	return search.And(condition, search.Func("--leaves "+path, func(g *model.Game) bool {
		node, leaves := f.lines.Leaves(g)
		return leaves && node != model.NoNode
	})), nil
}

// leave returns the move with which a game leaves the repertoire, if that was asked for.
func (f *finding) leave(rec *model.Record) (l leavingJSON, ok bool) {
	if f.Leaves == "" || rec.Game == nil {
		return l, false
	}
	node, _ := f.lines.Leaves(rec.Game)
	return leavingJSON{rec.ID, node + 1, moveAt(rec.Game, node)}, true
}

// addLeaving notes the move for the answer.
func (f *finding) addLeaving(rec *model.Record) {
	if l, ok := f.leave(rec); ok {
		f.left = append(f.left, l)
	}
}

// leaving notes the moves of all games of a source.
func (f *finding) leaving(src model.Source) error {
	if f.Leaves == "" {
		return nil
	}
	for rec, err := range model.Readable(f.env.ctx, src, model.WantMoves, f.unread) {
		if err != nil {
			return err
		}
		f.addLeaving(&rec)
	}
	return nil
}

// leaves returns the cell of the move.
func (f *finding) leaves(rec *model.Record) []string {
	if l, ok := f.leave(rec); ok {
		return []string{l.Move}
	}
	return nil
}
