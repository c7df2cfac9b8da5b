package write

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"maps"
	"slices"

	"cbkit/internal/cbh"
	"cbkit/internal/cbhedit"
	"cbkit/model"
)

// entityEditors are the entities of an editor.
type entityEditors struct {
	ed          *Editor
	players     EntityEditor[model.Player]
	tournaments EntityEditor[model.Tournament]
	annotators  EntityEditor[model.Annotator]
	sources     EntityEditor[model.Publication]
	teams       EntityEditor[model.Team]
	gameTitles  EntityEditor[model.GameTitle]
}

func (t *entityEditors) init(ed *Editor) {
	t.ed = ed
	t.players.init(ed, &cbh.Players)
	t.tournaments.init(ed, &cbh.Tournaments)
	t.annotators.init(ed, &cbh.Annotators)
	t.sources.init(ed, &cbh.Sources)
	t.teams.init(ed, &cbh.Teams)
	t.gameTitles.init(ed, &cbh.GameTitles)
}

// Players returns the players of the database.
func (ed *Editor) Players() *EntityEditor[model.Player] { return &ed.tables.players }

// Tournaments returns the tournaments of the database.
func (ed *Editor) Tournaments() *EntityEditor[model.Tournament] { return &ed.tables.tournaments }

// Annotators returns the annotators of the database.
func (ed *Editor) Annotators() *EntityEditor[model.Annotator] { return &ed.tables.annotators }

// Sources returns the sources of the database.
func (ed *Editor) Sources() *EntityEditor[model.Publication] { return &ed.tables.sources }

// Teams returns the teams of the database.
func (ed *Editor) Teams() *EntityEditor[model.Team] { return &ed.tables.teams }

// GameTitles returns the game titles of the database.
func (ed *Editor) GameTitles() *EntityEditor[model.GameTitle] { return &ed.tables.gameTitles }

// EntityEditor changes the entities of one kind in the transaction of an
// [Editor].
type EntityEditor[T comparable] struct {
	ed    *Editor
	codec *cbh.EntityCodec[T]
	found map[T]cbh.EntityID // by value
	// united are the entities that records of the transaction have brought and that
	// have become others of the same key; emptied are what those said before, and how
	// many records refer to them.
	united  map[T]*union
	emptied []emptied[T]
}

// union is what an entity of records has become.
type union struct {
	id      cbh.EntityID
	records []model.RecordID
}

// emptied is an entity of the database whose fields others have denied.
type emptied[T comparable] struct {
	id   cbh.EntityID
	was  T
	refs int
}

func (x *EntityEditor[T]) init(ed *Editor, codec *cbh.EntityCodec[T]) {
	x.ed, x.codec, x.found, x.united = ed, codec, map[T]cbh.EntityID{}, map[T]*union{}
}

func (x *EntityEditor[T]) begin() {
	x.forget()
	clear(x.united)
	x.emptied = nil
}

// forget forgets what was found: an entity has changed, or gone.
func (x *EntityEditor[T]) forget() {
	clear(x.found)
	if o := x.ed.origin; o != nil {
		*o = *newOrigin(o.entities)
	}
}

// keptEntities is how many entities are kept in memory.
const keptEntities = 1 << 16

func (x *EntityEditor[T]) file() *cbhedit.Entities { return x.ed.db.Entities(&x.codec.EntityFile) }

// Value returns the entity with an id. The error wraps [model.ErrNoRecord] if
// it is deleted or does not exist.
func (x *EntityEditor[T]) Value(id model.EntityID) (T, error) {
	payload, err := x.file().Payload(int32(id))
	if err != nil {
		var zero T
		return zero, err
	}
	v := x.codec.Decode(payload, x.ed.encoder.page)
	if t, ok := any(&v).(*model.Tournament); ok {
		extra, err := x.ed.db.Extra(int32(id))
		if err != nil {
			return v, err
		}
		cbh.DecodeTournamentExtra(t, extra)
	}
	return v, nil
}

// References returns how many records refer to an entity, with the changes of the
// transaction.
func (x *EntityEditor[T]) References(id model.EntityID) (int, error) {
	stored, err := x.exists(id)
	if err != nil {
		return 0, err
	}
	n, err := x.file().References(int32(stored))
	return int(n), err
}

// Find returns the id of the entity with a value, compared as the file can
// store it, or [model.NoEntity]. Of several it returns the smallest id.
func (x *EntityEditor[T]) Find(v T) (model.EntityID, error) {
	ids, err := x.FindAll(v)
	if err != nil || len(ids) == 0 {
		return model.NoEntity, err
	}
	return ids[0], nil
}

// FindAll returns the ids of all entities with a value, compared as the file can
// store it, the smallest first. There is more than one where another program stored
// an entity twice.
func (x *EntityEditor[T]) FindAll(v T) (list []model.EntityID, err error) {
	payload, _ := x.codec.Append(nil, v, x.ed.encoder.page)
	ids, err := x.file().Find(payload)
	if err != nil {
		return nil, err
	}
	want := x.codec.Decode(payload, x.ed.encoder.page)
	for _, id := range ids {
		stored, err := x.file().Payload(id)
		if err != nil {
			return nil, err
		}
		if x.codec.Decode(stored, x.ed.encoder.page) == want {
			list = append(list, model.EntityID(id))
		}
	}
	slices.Sort(list)
	return list, nil
}

// StoredEntity is an entity with its number.
type StoredEntity[T comparable] struct {
	ID    model.EntityID
	Value T
}

// All yields all entities that are not deleted, in the order of their numbers. For
// tournaments it does not read the coordinates and tie-breaks in the .cbtt file;
// [EntityEditor.Value] does. An error is the last thing that is yielded.
func (x *EntityEditor[T]) All() iter.Seq2[StoredEntity[T], error] {
	return func(yield func(StoredEntity[T], error) bool) {
		for r, err := range x.file().Live() {
			if err != nil {
				yield(StoredEntity[T]{}, err)
				return
			}
			if !yield(StoredEntity[T]{model.EntityID(r.ID), x.codec.Decode(r.Payload, x.ed.encoder.page)}, nil) {
				return
			}
		}
	}
}

// Insert adds an entity. It stays even if no record ever refers to it, but goes with its
// last reference. If it exists already, the error wraps [fs.ErrExist].
func (x *EntityEditor[T]) Insert(v T) (model.EntityID, error) {
	if err := x.isNew(v, model.NoEntity); err != nil {
		return model.NoEntity, err
	}
	return x.insert(v, 0)
}

// isNew returns an error if another entity has the value.
func (x *EntityEditor[T]) isNew(v T, but model.EntityID) error {
	id, err := x.Find(v)
	if err == nil && id != model.NoEntity && id != but {
		err = fmt.Errorf("%s: the %s %q is there already, as number %d: %w; merge them instead",
			x.ed.db.Name(x.codec.Ext), x.codec.Name, nameOf(v), id, fs.ErrExist)
	}
	return err
}

// insert adds an entity, for a record or for none.
func (x *EntityEditor[T]) insert(v T, by model.RecordID) (model.EntityID, error) {
	payload, losses := x.codec.Append(nil, v, x.ed.encoder.page)
	x.lost(losses, by)
	id, err := x.file().Insert(payload)
	if err != nil {
		return model.NoEntity, err
	}
	return model.EntityID(id), x.putExtra(model.EntityID(id), v, nil, by)
}

// lost reports what of an entity cannot be held.
func (x *EntityEditor[T]) lost(losses []model.Loss, by model.RecordID) {
	x.ed.encoder.loseOf(&x.codec.EntityFile, losses, by)
}

// putExtra stores what is known of a tournament besides its record.
func (x *EntityEditor[T]) putExtra(id model.EntityID, v T, old []byte, by model.RecordID) error {
	t, ok := any(v).(model.Tournament)
	if !ok {
		return nil
	}
	losses, err := x.ed.db.PutExtra(int32(id), t, old)
	x.lost(losses, by)
	return err
}

// Change gives an entity another value. The id and all references to it stay.
// If another entity has that value already, the error wraps [fs.ErrExist];
// [EntityEditor.Merge] makes them one.
func (x *EntityEditor[T]) Change(id model.EntityID, v T) error {
	old, err := x.file().Payload(int32(id))
	if err != nil {
		return err
	}
	if err := x.isNew(v, id); err != nil {
		return err
	}
	payload, losses := x.codec.Merge(nil, v, old, x.ed.encoder.page)
	x.lost(losses, 0)
	if err := x.file().Change(int32(id), payload); err != nil {
		return err
	}
	x.forget()
	x.ed.result.EntitiesChanged++
	extra, err := x.ed.db.Extra(int32(id))
	if err != nil {
		return err
	}
	return x.putExtra(id, v, extra, 0)
}

// Merge redirects all references from one entity to another, and removes the
// first.
func (x *EntityEditor[T]) Merge(from, into model.EntityID) error {
	return x.MergeAll(map[model.EntityID]model.EntityID{from: into})
}

// MergeAll merges each key of the map into its value, reading the headers of records only
// once. A value may be a key too, but the map must have no cycle.
func (x *EntityEditor[T]) MergeAll(pairs map[model.EntityID]model.EntityID) error {
	if len(pairs) == 0 {
		for _, err := range x.file().Live() {
			return err // of an editor that is closed
		}
	}
	into := make(map[int32]int32, len(pairs))
	for _, from := range slices.Sorted(maps.Keys(pairs)) {
		to, steps := pairs[from], 0
		for next, more := pairs[to]; more && steps < len(pairs); next, more = pairs[to] {
			to, steps = next, steps+1
		}
		for _, id := range []model.EntityID{from, to} {
			if _, err := x.file().Payload(int32(id)); err != nil {
				return err
			}
		}
		if from == to || steps == len(pairs) {
			return fmt.Errorf("%s: %s %d cannot be merged with itself", x.ed.db.Name(x.codec.Ext), x.codec.Name, from)
		}
		into[int32(from)] = int32(to)
	}
	if err := x.ed.db.Merge(&x.codec.EntityFile, into); err != nil {
		return err
	}
	x.forget()
	x.ed.result.EntitiesMerged += len(into)
	return nil
}

// RemoveUnused removes the entities that no record refers to, including those
// inserted earlier in the transaction, and returns their number. It reads the
// headers of all records.
func (x *EntityEditor[T]) RemoveUnused() (int, error) {
	ids, err := x.ed.db.Unused(&x.codec.EntityFile)
	if err != nil {
		return 0, err
	}
	for _, id := range ids {
		if err := x.file().Remove(id); err != nil {
			return 0, err
		}
	}
	x.forget()
	return len(ids), nil
}

// RemoveUnused removes the entities of all kinds that no record refers to.
func (ed *Editor) RemoveUnused() (n int, err error) {
	t := &ed.tables
	for _, remove := range []func() (int, error){
		t.players.RemoveUnused, t.tournaments.RemoveUnused, t.annotators.RemoveUnused,
		t.sources.RemoveUnused, t.teams.RemoveUnused, t.gameTitles.RemoveUnused,
	} {
		removed, err := remove()
		if err != nil {
			return n, err
		}
		n += removed
	}
	return n, nil
}

// use returns the entity here that has a value, adding it if there is none, for a
// record that has referred to old so far. If that has the value it stays.
func (x *EntityEditor[T]) use(v T, old cbh.EntityID, by model.RecordID) (cbh.EntityID, error) {
	if old != cbh.NoEntity {
		if was, err := x.Value(model.EntityID(old)); err == nil && was == v {
			return old, nil
		} else if err != nil && !errors.Is(err, model.ErrNoRecord) {
			return old, err
		}
	}
	if id, ok := x.found[v]; ok {
		return id, nil
	}
	if u := x.united[v]; u != nil {
		u.records = append(u.records, by)
		return u.id, nil
	}
	exact, err := x.Find(v)
	id := cbh.EntityID(exact)
	switch any(v).(type) {
	case model.Tournament, model.Publication:
		// One of the same title, place and date will do whatever else is known of it, first
		// of all the old one of a record.
		if err != nil || id != cbh.NoEntity {
			break
		}
		payload, _ := x.codec.Append(nil, v, x.ed.encoder.page)
		var ids []int32
		if ids, err = x.file().Find(payload); slices.Contains(ids, int32(old)) {
			id = old
		} else if len(ids) > 0 {
			id = cbh.EntityID(slices.Min(ids))
		}
	}
	switch {
	case err != nil:
	case id == cbh.NoEntity:
		var added model.EntityID
		added, err = x.insert(v, by)
		id = cbh.EntityID(added)
	default:
		err = x.unite(id, old, v, by)
	}
	if err != nil || x.united[v] != nil {
		return id, err
	}
	if len(x.found) >= keptEntities {
		clear(x.found)
	}
	x.found[v] = id
	return id, nil
}

// unite makes an entity that a record brings one that is there and has the same key. A
// source to which only that record refers becomes what it brings.
func (x *EntityEditor[T]) unite(id, old cbh.EntityID, v T, by model.RecordID) error {
	has, err := x.Value(model.EntityID(id))
	if err != nil || has == v {
		return err
	}
	says, fields := x.codec.Unite(has, v, x.ed.encoder.page)
	if says == has && len(fields) == 0 {
		return nil
	}
	if _, ok := any(v).(model.Publication); ok {
		refs, err := x.file().References(int32(id))
		if err != nil {
			return err
		}
		if id == old && refs == 1 {
			return x.say(id, v)
		}
		if says != has {
			x.emptied = append(x.emptied, emptied[T]{id, has, int(refs)})
		}
		if err := x.say(id, says); err != nil {
			return err
		}
	}
	x.united[v] = &union{id, []model.RecordID{by}}
	return nil
}

// say makes an entity to which records refer say something else of the same key.
func (x *EntityEditor[T]) say(id cbh.EntityID, v T) error {
	payload, err := x.file().Payload(int32(id))
	if err != nil {
		return err
	}
	merged, losses := x.codec.Merge(nil, v, payload, x.ed.encoder.page)
	x.lost(losses, 0)
	x.forget()
	return x.file().Change(int32(id), merged)
}

// reportUnited reports what of united entities is lost.
func (x *EntityEditor[T]) reportUnited() error {
	denied := func(id cbh.EntityID, v T) ([]string, error) {
		now, err := x.Value(model.EntityID(id))
		if errors.Is(err, model.ErrNoRecord) {
			return nil, nil // no record refers to it any more
		}
		_, fields := x.codec.Unite(now, v, x.ed.encoder.page)
		return fields, err
	}
	kind := &x.codec.EntityFile
	for _, e := range x.emptied {
		fields, err := denied(e.id, e.was)
		if err != nil {
			return err
		}
		loseDenied(x.ed.opt.Report, kind, fields, e.was, 0, e.refs)
	}
	order := slices.SortedFunc(maps.Keys(x.united), func(v, w T) int { return cmp.Compare(x.united[v].records[0], x.united[w].records[0]) })
	for _, v := range order {
		u := x.united[v]
		fields, err := denied(u.id, v)
		if err != nil {
			return err
		}
		for _, by := range u.records {
			loseDenied(x.ed.opt.Report, kind, fields, v, by, 1)
		}
	}
	return nil
}

// exists returns an entity of this database if it is alive.
func (x *EntityEditor[T]) exists(id model.EntityID) (cbh.EntityID, error) {
	_, err := x.file().Payload(int32(id))
	return cbh.EntityID(id), err
}

// nameOf returns what an entity is called.
func nameOf(v any) string {
	switch v := v.(type) {
	case model.Player:
		return v.String()
	case model.Tournament:
		return v.Title
	case model.Annotator:
		return v.Name
	case model.Publication:
		return v.Title
	case model.Team:
		return v.Title
	case model.GameTitle:
		return v.String()
	}
	return ""
}
