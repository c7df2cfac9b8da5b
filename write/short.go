package write

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"cbkit/internal/cbh"
	"cbkit/model"
)

// Add adds one game or text and returns its number. Its entities are ids in from; rec.ID
// is ignored. Use [Editor.Append] for many.
func (ed *Editor) Add(rec model.Record, from *model.Entities) (model.RecordID, error) {
	if from == nil {
		return 0, fmt.Errorf("write: %w: the names of a game are numbers in tables: give those that it was made with", model.ErrOption)
	}
	rec.ID = 1
	if err := ed.Append(ed.ctx, &single{rec, from}, model.CopyOptions{}); err != nil {
		return 0, err
	}
	return model.RecordID(ed.Count()), nil
}

// single is a source of one record.
type single struct {
	rec  model.Record
	from *model.Entities
}

func (s *single) Entities() *model.Entities { return s.from }
func (s *single) Count() int                { return 1 }
func (s *single) Leftover() *model.Leftover { return nil }

func (s *single) Records(context.Context, model.RecordID, model.Want) iter.Seq2[model.Record, error] {
	return func(yield func(model.Record, error) bool) { yield(s.rec, nil) }
}

// ChangeHeaders calls change with the header of every game, deleted ones included, in
// which entities are values instead of ids. It stores the headers that change has altered
// and returns their number. New names are added, and names that no record refers to any
// more are removed. An error of change ends the work and is returned; earlier changes
// stay in the transaction.
func (ed *Editor) ChangeHeaders(ctx context.Context, change func(model.RecordID, *model.ResolvedHeader) error) (games int, err error) {
	if err := ed.steps.Open(); err != nil {
		return 0, err
	}
	for n := range model.RecordID(ed.Count()) {
		id := n + 1
		if err := ctx.Err(); err != nil {
			return games, err
		}
		s, err := ed.stored(id)
		if err != nil {
			return games, err
		}
		if s.text != nil {
			continue
		}
		h := s.game.Header(&s.ext)
		was := model.ResolvedHeader{
			Date: h.Date, Result: h.Result, LineEvaluation: h.LineEvaluation, Round: h.Round, Subround: h.Subround,
			WhiteElo: h.WhiteElo, BlackElo: h.BlackElo, ECO: h.ECO,
		}
		for _, f := range ed.named(&h) {
			if err := f.read(&was); err != nil {
				return games, fmt.Errorf("record %d: %w", id, err)
			}
		}
		now := was
		if err := change(id, &now); err != nil {
			return games, err
		}
		if now == was {
			continue
		}
		h.Date, h.Result, h.LineEvaluation, h.Round, h.Subround = now.Date, now.Result, now.LineEvaluation, now.Round, now.Subround
		h.WhiteElo, h.BlackElo, h.ECO = now.WhiteElo, now.BlackElo, now.ECO
		for _, f := range ed.named(&h) {
			if err := f.write(&was, &now, id); err != nil {
				return games, fmt.Errorf("record %d: %w", id, err)
			}
		}
		if err := ed.SetHeader(id, h, nil); err != nil {
			return games, err
		}
		games++
	}
	return games, ctx.Err()
}

// namedField is a field of a header that is a name.
type namedField struct {
	read  func(*model.ResolvedHeader) error
	write func(was, now *model.ResolvedHeader, by model.RecordID) error
}

// named lists the names of a header. The title comes first, since it can be refused.
func (ed *Editor) named(h *model.Header) []namedField {
	t := &ed.tables
	type header = model.ResolvedHeader
	return []namedField{
		fieldOf(&t.gameTitles, &h.GameTitle, func(h *header) *model.GameTitle { return &h.GameTitle }),
		fieldOf(&t.players, &h.White, func(h *header) *model.Player { return &h.White }),
		fieldOf(&t.players, &h.Black, func(h *header) *model.Player { return &h.Black }),
		fieldOf(&t.tournaments, &h.Tournament, func(h *header) *model.Tournament { return &h.Tournament }),
		fieldOf(&t.annotators, &h.Annotator, func(h *header) *model.Annotator { return &h.Annotator }),
		fieldOf(&t.sources, &h.Source, func(h *header) *model.Publication { return &h.Source }),
		fieldOf(&t.teams, &h.WhiteTeam, func(h *header) *model.Team { return &h.WhiteTeam }),
		fieldOf(&t.teams, &h.BlackTeam, func(h *header) *model.Team { return &h.BlackTeam }),
	}
}

// fieldOf is the field of a header with the number at id. A number without an entity is
// no entity, and stays unless the name is changed.
func fieldOf[T comparable](x *EntityEditor[T], id *model.EntityID, in func(*model.ResolvedHeader) *T) namedField {
	return namedField{
		read: func(h *model.ResolvedHeader) error {
			if *id == model.NoEntity {
				return nil
			}
			v, err := x.Value(*id)
			if errors.Is(err, model.ErrNoRecord) {
				return nil
			}
			*in(h) = v
			return err
		},
		write: func(was, now *model.ResolvedHeader, by model.RecordID) error {
			var none T
			v, old := *in(now), *id
			switch {
			case v == *in(was):
				return nil
			case v == none:
				*id = model.NoEntity
				return nil
			case x.codec.Ext == cbh.GameTitles.Ext && !x.ed.db.HasTitles():
				*id = 0 // which is refused
				return nil
			}
			here, err := x.use(v, cbh.EntityID(old), by)
			*id = model.EntityID(here)
			return err
		},
	}
}

// Rename gives an entity another value, also where it is stored twice, and returns the
// number of references. The error wraps [model.ErrNoRecord] if there is no such entity,
// and [fs.ErrExist] if another one has the new value; [EntityEditor.MergeInto] makes them
// one.
func (x *EntityEditor[T]) Rename(old, latest T) (references int, err error) {
	ids, references, err := x.all(old)
	if err != nil {
		return 0, err
	}
	for _, id := range ids {
		if err := x.isNew(latest, id); err != nil {
			return 0, err // before anything was changed
		}
	}
	for _, id := range ids[1:] {
		if err := x.Merge(id, ids[0]); err != nil {
			return 0, err
		}
	}
	return references, x.Change(ids[0], latest)
}

// MergeInto redirects all references from old to into, removes old, and returns the
// number of references. If either does not exist, the error wraps [model.ErrNoRecord].
func (x *EntityEditor[T]) MergeInto(old, into T) (references int, err error) {
	ids, references, err := x.all(old)
	if err != nil {
		return 0, err
	}
	to, _, err := x.all(into)
	if err != nil {
		return 0, err
	}
	for _, id := range ids {
		if err := x.Merge(id, to[0]); err != nil {
			return 0, err
		}
	}
	return references, nil
}

// all returns the ids of an entity, and how often records refer to it.
func (x *EntityEditor[T]) all(v T) (ids []model.EntityID, references int, err error) {
	if ids, err = x.FindAll(v); err != nil {
		return nil, 0, err
	}
	if len(ids) == 0 {
		return nil, 0, fmt.Errorf("%s: there is no %s %q: %w", x.ed.db.Name(x.codec.Ext), x.codec.Name, nameOf(v), model.ErrNoRecord)
	}
	for _, id := range ids {
		n, err := x.file().References(int32(id))
		if err != nil {
			return nil, 0, err
		}
		references += int(n)
	}
	return ids, references, nil
}
