package cbkit

import (
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"strings"

	"cbkit/internal/brief"
	"cbkit/internal/namepattern"
	"cbkit/model"
	"cbkit/write"
)

// errNames is the error of changing entities where they are no more than names.
var errNames = unable("a Simple Chess Database has no players and tournaments of their own; --set changes the names of games")

// entityKind is one of the six kinds of entities.
type entityKind interface {
	called() string
	rename(ed *Editor, from, to string) error
	merge(ed *Editor, from, into string) error
	// set gives the field of a header the entity of the name that is set.
	set(s *setting, field *model.EntityID) error
	// load puts the entities of a header of a database into tables, and gives it their ids there.
	load(from *write.Editor, to *model.Entities, h *model.Header) error
}

// kindOf is what the names of a kind are, and where they stand.
type kindOf[T comparable] struct {
	what string
	// whole says that the name is all there is of an entity.
	whole bool
	// name and year are what a person calls an entity by.
	name func(T) string
	year func(T) int
	with func(T, string) T

	table  func(*model.Entities) *model.Table[T]
	stored func(*write.Editor) *write.EntityEditor[T]
	// inGame and inText are the fields that refer to one; inText is nil if texts have none.
	inGame func(*model.Header) []*model.EntityID
	inText func(*model.GuidingText) []*model.EntityID
}

type idFields = []*model.EntityID

func noYear[T any](T) int { return 0 }

// kinds are the kinds of entities.
var kinds = []entityKind{
	&kindOf[model.Player]{"player", true,
		model.Player.String, noYear[model.Player], func(_ model.Player, name string) model.Player { return model.ParsePlayer(name) },
		func(e *model.Entities) *model.Table[model.Player] { return &e.Players }, (*write.Editor).Players,
		func(h *model.Header) idFields { return idFields{&h.White, &h.Black} }, nil},
	&kindOf[model.Tournament]{"tournament", false,
		func(t model.Tournament) string { return t.Title }, func(t model.Tournament) int { return int(t.Start.Year) },
		func(t model.Tournament, name string) model.Tournament { t.Title = name; return t },
		func(e *model.Entities) *model.Table[model.Tournament] { return &e.Tournaments }, (*write.Editor).Tournaments,
		func(h *model.Header) idFields { return idFields{&h.Tournament} }, func(t *model.GuidingText) idFields { return idFields{&t.Tournament} }},
	&kindOf[model.Annotator]{"annotator", true,
		func(a model.Annotator) string { return a.Name }, noYear[model.Annotator], func(_ model.Annotator, name string) model.Annotator { return model.Annotator{Name: name} },
		func(e *model.Entities) *model.Table[model.Annotator] { return &e.Annotators }, (*write.Editor).Annotators,
		func(h *model.Header) idFields { return idFields{&h.Annotator} }, func(t *model.GuidingText) idFields { return idFields{&t.Annotator} }},
	&kindOf[model.Publication]{"source", false,
		func(p model.Publication) string { return p.Title }, func(p model.Publication) int { return int(p.Published.Year) },
		func(p model.Publication, name string) model.Publication { p.Title = name; return p },
		func(e *model.Entities) *model.Table[model.Publication] { return &e.Sources }, (*write.Editor).Sources,
		func(h *model.Header) idFields { return idFields{&h.Source} }, func(t *model.GuidingText) idFields { return idFields{&t.Source} }},
	&kindOf[model.Team]{"team", false,
		func(t model.Team) string { return t.Title }, func(t model.Team) int { return int(t.Year) },
		func(t model.Team, name string) model.Team { t.Title = name; return t },
		func(e *model.Entities) *model.Table[model.Team] { return &e.Teams }, (*write.Editor).Teams,
		func(h *model.Header) idFields { return idFields{&h.WhiteTeam, &h.BlackTeam} }, nil},
	&kindOf[model.GameTitle]{"game title", false,
		func(t model.GameTitle) string { return t.Titles[0] }, noYear[model.GameTitle],
		func(t model.GameTitle, name string) model.GameTitle { t.Titles[0] = name; return t },
		func(e *model.Entities) *model.Table[model.GameTitle] { return &e.GameTitles }, (*write.Editor).GameTitles,
		func(h *model.Header) idFields { return idFields{&h.GameTitle} }, func(t *model.GuidingText) idFields { return idFields{&t.GameTitle} }},
}

// kindNamed returns a kind, nil if there is none of the name.
func kindNamed(name string) entityKind {
	for _, k := range kinds {
		if name != "" && strings.HasSuffix(k.called(), name) {
			return k
		}
	}
	return nil
}

// ofKind calls do with a kind of entities: "player", "tournament", "annotator", "source", "team"
// or "title".
func (ed *Editor) ofKind(name string, do func(entityKind) error) error {
	k := kindNamed(name)
	switch {
	case ed.closed:
		return fs.ErrClosed
	case k == nil:
		return fmt.Errorf("%w: %q is no kind of names; there are player, tournament, annotator, source, team, title", model.ErrOption, name)
	case ed.as == Simple:
		return errNames
	}
	return do(k)
}

// Rename gives an entity another name. Kind is "player", "tournament", "annotator",
// "source", "team" or "title"; an entity is called by its name, with the year behind it
// where several have it, or by its number ("#17"). A change never guesses: the error of a
// name that none has, or several have, says which can be meant. If another entity has the
// new name, that is an error too, and [Editor.Merge] makes one of both.
func (ed *Editor) Rename(kind, old, latest string) error {
	return ed.ofKind(kind, func(k entityKind) error { return k.rename(ed, old, latest) })
}

// Merge makes one entity of two: the records of the first go to the second.
func (ed *Editor) Merge(kind, from, into string) error {
	return ed.ofKind(kind, func(k entityKind) error { return k.merge(ed, from, into) })
}

// nameStore is what changes the names of one kind.
type nameStore[T comparable] interface {
	Value(id model.EntityID) (T, error)
	FindAll(v T) ([]model.EntityID, error)
	All() iter.Seq2[write.StoredEntity[T], error]
	Change(id model.EntityID, v T) error
	Merge(from, into model.EntityID) error
}

// in returns the names of what is edited, nil where they have no life of their own. A
// change of names that stand in games alone is told as what it is.
func (k *kindOf[T]) in(ed *Editor, what string) nameStore[T] {
	switch store := ed.store.(type) {
	case *write.Editor:
		return k.stored(store)
	case *write.ScidEditor:
		if players, is := any(store.Players()).(nameStore[T]); is {
			return players
		}
		return &gameNames[T]{k, ed, what}
	case *textEditor:
		return &gameNames[T]{k, ed, what}
	}
	return nil
}

func (k *kindOf[T]) called() string { return k.what }

func (k *kindOf[T]) flag() string { return strings.TrimPrefix(k.what, "game ") }

func (k *kindOf[T]) load(from *write.Editor, to *model.Entities, h *model.Header) error {
	for _, id := range k.inGame(h) {
		if *id == model.NoEntity {
			continue
		}
		value, err := k.stored(from).Value(*id)
		if err != nil {
			return err
		}
		*id = k.table(to).Intern(value)
	}
	return nil
}

func (k *kindOf[T]) rename(ed *Editor, from, to string) error {
	in := k.in(ed, fmt.Sprintf("--rename-%s %s=%s", k.flag(), from, to))
	id, err := k.mustFind(in, from)
	if err != nil {
		return err
	}
	v, err := in.Value(id)
	if err != nil {
		return err
	}
	err = in.Change(id, k.with(v, to))
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("the %s %q is there already; --merge-%s %q makes one of both", k.what, to, k.flag(), k.name(v)+"="+to)
	}
	return err
}

func (k *kindOf[T]) merge(ed *Editor, from, into string) error {
	in := k.in(ed, fmt.Sprintf("--merge-%s %s=%s", k.flag(), from, into))
	a, err := k.mustFind(in, from)
	if err != nil {
		return err
	}
	b, err := k.mustFind(in, into)
	if err != nil {
		return err
	}
	return in.Merge(a, b)
}

func (k *kindOf[T]) set(s *setting, field *model.EntityID) error {
	text := s.text
	if text == "" && k.what == "team" { // a game without teams has none
		*field = model.NoEntity
		return nil
	}
	var zero T
	value := k.with(zero, text)
	if stored := k.in(s.ed, ""); stored != nil && text != "" {
		if known, is := s.known[text].(T); is {
			value = known
		} else {
			// One that is there, or a new one, which must be like none that is there
			// unless that is wanted.
			id, near, err := k.find(stored, text)
			switch {
			case err != nil:
			case id != model.NoEntity:
				value, err = stored.Value(id)
			case near.best == notMeant || near.best == canBeMeant && s.ed.opt.NewNames:
			case near.best == canBeMeant:
				err = fmt.Errorf("%w; --new-names makes a new one", near.refusal())
			default:
				err = near.refusal()
			}
			if err != nil {
				return err
			}
			s.known[text] = value
		}
	}
	*field = k.table(s.e).Intern(value)
	return nil
}

// find returns the entity that is called so, or has the number: "#17". A change never
// guesses: if there is none, or more than one, those that can be meant are returned.
func (k *kindOf[T]) find(in nameStore[T], name string) (model.EntityID, *nearNames[T], error) {
	if id, is := namepattern.ParseNumber(name); is {
		if _, err := in.Value(id); err != nil {
			return model.NoEntity, nil, fmt.Errorf("there is no %s with the number %d", k.what, id)
		}
		return id, nil, nil
	}
	if k.whole {
		var zero T
		ids, err := in.FindAll(k.with(zero, name))
		if err != nil {
			return model.NoEntity, nil, err
		}
		if len(ids) == 1 {
			if v, err := in.Value(ids[0]); err != nil || v == k.with(zero, name) { // else it is longer than the file can store
				return ids[0], nil, err
			}
		}
	}
	near := &nearNames[T]{kind: k, name: name, typed: namepattern.ParseName(name), similar: namepattern.NewSimilar(name)}
	for e, err := range in.All() {
		if err != nil {
			return model.NoEntity, nil, err
		}
		how := k.means(near.typed, name, e.Value)
		if how > near.best { // only those that fit best are kept
			near.best, near.list = how, near.list[:0]
		}
		switch {
		case how == notMeant:
			near.similar.Add(k.name(e.Value))
		case how == near.best:
			near.list = append(near.list, nearName{e.ID, k.dated(e.Value)})
		}
	}
	if len(near.list) == 1 && near.best >= isDated {
		return near.list[0].id, nil, nil
	}
	return model.NoEntity, near, nil
}

// mustFind is find for an entity that has to be there.
func (k *kindOf[T]) mustFind(in nameStore[T], name string) (model.EntityID, error) {
	id, near, err := k.find(in, name)
	if err == nil && near != nil {
		err = near.refusal()
	}
	return id, err
}

// meaning says how well a name fits an entity, the more the better.
type meaning uint8

const (
	notMeant meaning = iota
	canBeMeant
	isDated // it is the name with the year behind it
	isNamed // it is the name
)

// nearNames are the entities that somebody can mean by a name.
type nearNames[T comparable] struct {
	kind    *kindOf[T]
	name    string
	typed   namepattern.Name
	similar *namepattern.Similar
	best    meaning
	list    []nearName
}

// nearName is one of them.
type nearName struct {
	id    model.EntityID
	dated string
}

// shownNames is how many names an error lists.
const shownNames = 20

// refusal says why the name is not taken, and what can be written in its place.
func (n *nearNames[T]) refusal() error {
	var list []string
	for _, one := range n.list[:min(len(n.list), shownNames)] {
		list = append(list, fmt.Sprintf("%q (#%d)", one.dated, one.id))
	}
	if more := len(n.list) - len(list); more > 0 {
		list = append(list, fmt.Sprintf("%d more", more))
	}
	switch {
	case len(list) == 0:
		return fmt.Errorf("no %s is called %q%s", n.kind.what, n.name, namepattern.DidYouMean(n.similar.Names()))
	case n.best >= isDated:
		return fmt.Errorf("%ss of the name %q: %s; say by its number which one", n.kind.what, n.name, brief.List(list, " and "))
	}
	return fmt.Errorf("no %s is called exactly %q; write the whole name, or the number, of %s", n.kind.what, n.name, brief.List(list, " or "))
}

// means returns how well a name means an entity.
func (k *kindOf[T]) means(typed namepattern.Name, name string, v T) meaning {
	own := k.name(v)
	var zero T
	switch {
	case own == name || k.whole && k.with(zero, name) == v:
		return isNamed
	case k.year(v) != 0 && k.dated(v) == name:
		return isDated
	}
	is := typed.IsTitle(own)
	if p, ok := any(v).(model.Player); ok {
		is = typed.IsPlayer(p)
	}
	if is {
		return canBeMeant
	}
	return notMeant
}

// dated returns the name with the year behind it, if there is one.
func (k *kindOf[T]) dated(v T) string {
	if year := k.year(v); year != 0 {
		return fmt.Sprintf("%s %d", k.name(v), year)
	}
	return k.name(v)
}

// gameNames are names that stand in games alone: those of a text, and most of Scid.
type gameNames[T comparable] struct {
	kind *kindOf[T]
	ed   *Editor
	what string // changes them
}

// table returns the table that has all names.
func (n *gameNames[T]) table() (*model.Table[T], error) {
	if text, is := n.ed.store.(*textEditor); is {
		e, err := text.known()
		return n.kind.table(e), err
	}
	return n.kind.table(n.ed.store.(*write.ScidEditor).Entities()), nil
}

// Value implements [nameStore].
func (n *gameNames[T]) Value(id model.EntityID) (v T, err error) {
	table, err := n.table()
	if err != nil {
		return v, err
	}
	v, is := table.Get(id)
	if !is || table.IsDeleted(id) {
		err = model.ErrNoRecord
	}
	return v, err
}

// FindAll implements [nameStore].
func (n *gameNames[T]) FindAll(v T) (ids []model.EntityID, err error) {
	for e, err := range n.All() {
		if err != nil {
			return nil, err
		}
		if e.Value == v {
			ids = append(ids, e.ID)
		}
	}
	return ids, nil
}

// All implements [nameStore]. Of Scid it yields the names that games have.
func (n *gameNames[T]) All() iter.Seq2[write.StoredEntity[T], error] {
	return func(yield func(write.StoredEntity[T], error) bool) {
		table, err := n.table()
		used := map[model.EntityID]bool{}
		scid, isScid := n.ed.store.(*write.ScidEditor)
		if isScid {
			err = n.each(scid, func(_ model.RecordID, _ *model.Header, ids idFields) error {
				for _, id := range ids {
					used[*id] = true
				}
				return nil
			})
		}
		if err != nil {
			yield(write.StoredEntity[T]{}, err)
			return
		}
		for id, v := range table.Live() {
			if (used[id] || !isScid) && !yield(write.StoredEntity[T]{ID: id, Value: v}, nil) {
				return
			}
		}
	}
}

// each calls do with the header of every game of Scid. One whose tags cannot be read is
// passed over.
func (n *gameNames[T]) each(scid *write.ScidEditor, do func(model.RecordID, *model.Header, idFields) error) error {
	for id := model.RecordID(1); int(id) <= scid.Count(); id++ {
		h, err := scid.Header(id)
		if errors.As(err, new(*model.FormatError)) {
			continue
		}
		if err == nil {
			err = do(id, &h, n.kind.inGame(&h))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Change implements [nameStore].
func (n *gameNames[T]) Change(id model.EntityID, v T) error {
	old, err := n.Value(id)
	if err != nil || old == v {
		return err
	}
	if same, err := n.FindAll(v); err != nil {
		return err
	} else if len(same) > 0 {
		return fs.ErrExist
	}
	n.ed.more.EntitiesChanged++
	if text, is := n.ed.store.(*textEditor); is {
		n.kind.table(text.names).Set(id, v)
	}
	return n.replace(id, old, v)
}

// Merge implements [nameStore].
func (n *gameNames[T]) Merge(from, into model.EntityID) error {
	a, err := n.Value(from)
	if err != nil {
		return err
	}
	b, err := n.Value(into)
	if err != nil || from == into {
		return err
	}
	n.ed.more.EntitiesMerged++
	if text, is := n.ed.store.(*textEditor); is {
		n.kind.table(text.names).Delete(from)
	}
	return n.replace(from, a, b)
}

// replace makes one name another in all records.
func (n *gameNames[T]) replace(from model.EntityID, old, latest T) error {
	scid, is := n.ed.store.(*write.ScidEditor)
	if !is {
		text := n.ed.store.(*textEditor)
		return text.later(nil, n.what, func(model.RecordID) error { return n.inText(text, old, latest) })
	}
	into := n.kind.table(scid.Entities()).Intern(latest)
	return n.each(scid, func(record model.RecordID, h *model.Header, ids idFields) error {
		has := false
		for _, id := range ids {
			if *id == from {
				*id, has = into, true
			}
		}
		if !has {
			return nil
		}
		n.ed.more.Set-- // the header counts as a name
		return scid.SetHeader(record, *h, nil)
	})
}

// inText makes one name another in the record whose turn it is.
func (n *gameNames[T]) inText(x *textEditor, old, latest T) error {
	var ids idFields
	if x.rec.Game != nil {
		ids = n.kind.inGame(&x.rec.Game.Header)
	} else if n.kind.inText != nil {
		ids = n.kind.inText(x.rec.Text)
	}
	table := n.kind.table(x.entities)
	for _, id := range ids {
		if *id != model.NoEntity && table.Value(*id) == old {
			x.found = x.found || x.what != model.Removed
			*id, x.what = table.Intern(latest), max(x.what, model.ChangedHeader)
		}
	}
	return nil
}
