package search

import (
	"context"

	"cbkit/model"
)

// nowhere is where nothing is found: before the start.
const nowhere = model.NoNode - 1

// Places finds where games meet a condition: the place for the first term about moves or
// positions during the game, or for terms joined by "or" the earliest place.
type Places struct{ find placeFinder }

// Spot is where a game meets a condition.
type Spot struct {
	// At is the node before the position, or [model.NoNode] for the start; Move is the
	// node of the move played there, or model.NoNode if there is none.
	At, Move int
	// Term is the name of the condition, such as "blunder".
	Term string
}

type placeFinder func(r *row) Spot

// NewPlaces returns what finds the places of a condition in records of a source, nil if it has
// none.
func NewPlaces(e *model.Entities, c Condition) (*Places, error) {
	s := &session{ctx: context.Background(), opt: &Options{}, entities: e, names: map[nameQuery]*nameSet{}}
	find, err := s.places(c)
	if find == nil {
		return nil, err
	}
	return &Places{find}, err
}

// In returns the first place in a record; for a condition about a move that is the
// position before it. It returns false if there is none.
func (p *Places) In(rec *model.Record) (Spot, bool) {
	if rec.Game == nil || !rec.Game.IsPlayable() {
		return Spot{}, false
	}
	var r row
	r.setRecord(rec)
	r.game, r.loaded = rec.Game, true
	at := p.find(&r)
	return at, at.At != nowhere
}

func (s *session) places(c Condition) (placeFinder, error) {
	ofMove := func(term string, find func(r *row) int) placeFinder {
		return func(r *row) Spot {
			move := find(r)
			if move == model.NoNode {
				return Spot{At: nowhere}
			}
			return Spot{r.game.Moves.Parent(move), move, term}
		}
	}
	var list []Condition
	either := false
	switch c := c.(type) {
	case *positionCondition:
		if c.atEnd {
			return nil, nil
		}
		return func(r *row) Spot {
			at := c.find(r)
			if at == nowhere {
				return Spot{At: nowhere}
			}
			return Spot{at, r.game.Moves.Main(at), c.name}
		}, nil
	case *moveCondition:
		return ofMove("move", c.find), nil
	case *sayingCondition:
		t, err := c.bind(s)
		return ofMove(c.name, func(r *row) int { return c.meets(t.(*sayingTest), r) }), err
	case allOf:
		list = c
	case anyOf:
		list, either = c, true
	}
	var finders []placeFinder
	for _, one := range list {
		find, err := s.places(one)
		if err != nil {
			return nil, err
		}
		if find != nil {
			finders = append(finders, find)
		}
	}
	if len(finders) == 0 {
		return nil, nil
	}
	return func(r *row) Spot {
		first := Spot{At: nowhere}
		for _, find := range finders {
			if at := find(r); at.At != nowhere && (first.At == nowhere || either && at.At < first.At) {
				first = at
			}
		}
		return first
	}, nil
}
