package write

import (
	"context"
	"fmt"
	"iter"

	"cbkit/model"
)

// Add adds one game or text, whose names are ids in from, and returns its number. The id
// that the record has means nothing. See [Editor.Append] for many.
func (ed *Editor) Add(rec model.Record, from *model.Entities) (model.RecordID, error) {
	rec.ID = 1
	if err := ed.Append(ed.opt.Context, &single{rec, from}, model.CopyOptions{}); err != nil {
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

// Rename gives an entity another value in all records that refer to it, those that are
// stored twice included, and returns how often they do. The error wraps
// [model.ErrNoRecord] if there is no such entity, and [fs.ErrExist] if another one has
// the new value: [EntityEditor.MergeInto] makes them one.
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

// MergeInto makes all records that refer to one entity refer to another, which must be
// there, removes the first, and returns how often they did. The error wraps
// [model.ErrNoRecord] if one of them is not there.
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
