package cbkit

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"maps"
	"math"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"cbkit/internal/brief"
	"cbkit/internal/headerfields"
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
		if name == k.called() || "game "+name == k.called() {
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
// "source", "team" or "title"; an entity is given by its name, followed by the year if
// several have that name, or by its number ("#17"). Rename never guesses: if no entity or
// more than one has the name, the error lists those that can be meant. If another entity
// has the new name, that is an error too; [Editor.Merge] makes one of both.
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

// nearNames are the entities that a name can mean.
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
		if err != nil {
			return nil, err
		}
		return n.kind.table(e), nil
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

// NameChanges are what [Editor.Correct] made of a list of names.
type NameChanges struct {
	Changes []NameChange `json:"changes"`
	// Unknown are names that no entity has. Refused says what could not be decided, and is
	// left as it was.
	Unknown []string `json:"unknown,omitempty"`
	Refused []string `json:"-"`
	// Several are players with games that lack a rating, whose name fits several players
	// of a rating list; they are left as they were.
	Several []string `json:"several,omitempty"`
	// Identified is the number of players whose title or FIDE id is in the list.
	Identified int `json:"-"`
}

// NameChange is a player with a new name. If Into is not nil, another player had that
// name, and has the games now.
type NameChange struct {
	ID   model.EntityID  `json:"id"`
	Old  string          `json:"old"`
	New  string          `json:"new"`
	Into *model.EntityID `json:"into,omitempty"`
}

// correction is a row of a list of names.
type correction struct {
	line     int
	old, new string // new is "" where the name stays
	title    string
	fide     string
	rating   uint16
}

// nameList is a list of corrections.
type nameList struct {
	name string // of the file
	rows []correction
	// key is what of a name counts: of Scid's file not blanks, dots and the like.
	key func(string) string
	// isOfAll says that most names of the list are not meant to be in a database.
	isOfAll bool
	ratings *ratingList // of FIDE, else nil
}

// RatingOptions say which ratings of FIDE's list [Editor.Correct] takes, and for which games.
type RatingOptions struct {
	// Kind chooses "rapid" or "blitz" from a list with all three ratings; "" is the
	// standard rating.
	Kind string
	// Month is the month of the games, for a list whose head line does not give it;
	// AnyDate takes all games.
	Month   model.Date
	AnyDate bool
}

// ratingList is FIDE's list of ratings: text of fixed columns, which the head line names
// and places:
//
//	ID Number      Name                      Fed Sex Tit  …  MAY24 Gms K  B-day Flag
//	1503014        Carlsen, Magnus           NOR M   GM      2830  0   10 1990
//
// The combined list has SRtng, RRtng and BRtng in place of the month.
type ratingList struct {
	opt     RatingOptions
	lines   *bufio.Scanner // behind the head line
	open    bool           // the last line read has no end
	id      [2]int         // where columns begin and end
	name    [2]int
	rating  [2]int
	byID    map[uint64]uint16
	several map[model.EntityID]string
}

// column returns where a column of the head line begins, and where the next one does.
func column(head, title string) (place [2]int, is bool) {
	at := strings.Index(" "+head+" ", " "+title+" ")
	if at < 0 {
		return place, false
	}
	behind := at + len(title)
	return [2]int{at, behind + len(head[behind:]) - len(strings.TrimLeft(head[behind:], " "))}, true
}

// newRatingList reads the head line of a list.
func newRatingList(list io.Reader, opt RatingOptions) (l *ratingList, err error) {
	lines := bufio.NewScanner(list)
	l = &ratingList{opt: opt, lines: lines, byID: map[uint64]uint16{}, several: map[model.EntityID]string{}}
	lines.Split(func(data []byte, atEOF bool) (int, []byte, error) {
		n, line, err := bufio.ScanLines(data, atEOF)
		l.open = n > 0 && data[n-1] != '\n'
		return n, line, err
	})
	lines.Scan()
	head := strings.ToUpper(lines.Text())
	var hasName bool
	l.id, _ = column(head, "ID NUMBER")
	l.name, hasName = column(head, "NAME")
	kind, hasRating := map[string]string{"rapid": "RRTNG", "blitz": "BRTNG"}[opt.Kind], false
	if l.rating, hasRating = column(head, cmp.Or(kind, "SRTNG")); !hasRating {
		for title := range strings.FieldsSeq(head) {
			month, err := time.Parse("Jan06", title)
			if err == nil && len(title) == 5 {
				l.rating, hasRating = column(head, title)
				if l.opt.Month.IsZero() {
					l.opt.Month = model.Date{Year: uint16(month.Year()), Month: uint8(month.Month())}
				}
			}
		}
	}
	switch {
	case !hasName || !hasRating:
		return nil, errors.New("line 1: there must be a column Name, and one of ratings, such as SRtng or MAY24")
	case l.opt.Month.IsZero() && !opt.AnyDate:
		return nil, fmt.Errorf("%w: the head line names no month; --month 2024.05 says whose games get the ratings, --any-date gives them to all", model.ErrOption)
	}
	return l, nil
}

// match finds the ratings of players: each is the player of the list who is called so or,
// if there is none, the only one whose name is near.
func (l *ratingList) match(players iter.Seq2[model.EntityID, model.Player], details map[model.EntityID]correction) error {
	type candidate struct {
		spelt          namepattern.Spelt
		name           string
		exact, near    int // how many of the list have the name, or one that is near
		rating, nearly uint16
		last           int // the line that was counted last
	}
	var ids []model.EntityID
	var all []candidate
	byKey := map[string][]int{}
	for id, p := range players {
		c := candidate{spelt: namepattern.TakeApart(p), name: p.String()}
		if !c.spelt.IsKnown() {
			continue
		}
		c.spelt.Keys(func(key string) { byKey[key] = append(byKey[key], len(all)) })
		ids, all = append(ids, id), append(all, c)
	}
	number := 1
	for l.lines.Scan() {
		number++
		cell, rating, err := l.line()
		if err != nil {
			return fmt.Errorf("line %d: %w", number, err)
		}
		if id, is := headerfields.ParseNumber(cell(l.id), math.MaxUint64); is && rating != 0 {
			l.byID[id] = rating
		}
		p := model.ParsePlayer(cell(l.name))
		spelt := namepattern.TakeApart(p)
		spelt.Keys(func(key string) {
			for _, i := range byKey[key] {
				c := &all[i]
				if c.last == number {
					continue
				}
				c.last = number
				if _, exactly := spelt.Same(&c.spelt); exactly && spelt.IsFull() {
					c.exact, c.rating = c.exact+1, rating
				} else if _, near := spelt.Near(&c.spelt); near {
					c.near, c.nearly = c.near+1, rating
				}
			}
		})
	}
	if err := l.lines.Err(); err != nil {
		return fmt.Errorf("line %d: %w", number+1, err)
	}
	for i, c := range all {
		switch {
		case c.exact == 1 && c.rating != 0:
			details[ids[i]] = correction{rating: c.rating}
		case c.exact > 1 || c.exact == 0 && c.near > 1:
			l.several[ids[i]] = c.name
		case c.exact == 0 && c.near == 1 && c.nearly != 0:
			details[ids[i]] = correction{rating: c.nearly}
		}
	}
	return nil
}

// leastRating is below what FIDE ever gave.
const leastRating = 1000

// line takes a line apart. Columns are places of bytes, or of characters where the list was
// made UTF-8 by a program that knows these: those in which the rating stands by itself.
func (l *ratingList) line() (cell func([2]int) string, rating uint16, err error) {
	text := l.lines.Bytes()
	if l.open && len(text) < l.rating[1] {
		return nil, 0, errors.New("the list ends in the middle of a line: fetch it again, or end its last line")
	}
	ways := []func(int) int{func(n int) int { return min(n, len(text)) }}
	if letters := utf8.RuneCount(text); letters < len(text) && utf8.Valid(text) {
		at := make([]int, 0, letters+1)
		for i := range string(text) {
			at = append(at, i)
		}
		at = append(at, len(text))
		ways = append(ways, func(n int) int { return at[min(n, letters)] })
	}
	read := func(place func(int) int) func([2]int) string {
		return func(p [2]int) string { return string(bytes.TrimSpace(text[place(p[0]):place(p[1])])) }
	}
	blank := func(i int) bool { return i < 0 || i >= len(text) || text[i] == ' ' }
	wrong := ""
	for _, place := range slices.Backward(ways) {
		from, to := place(l.rating[0]), place(l.rating[1])
		digits := read(place)(l.rating)
		n, whole := headerfields.ParseRating(cmp.Or(digits, "0"))
		switch {
		case from < len(text) && !blank(from-1) || to < len(text) && !blank(to-1) || !whole || n != 0 && n < leastRating:
			wrong = digits
		case cell == nil || rating == 0:
			cell, rating = read(place), n
		}
	}
	if cell == nil {
		return nil, 0, fmt.Errorf("%q is no rating that stands in its column", wrong)
	}
	return cell, rating, nil
}

// isOf reports whether a game is one of the list's month.
func (l *ratingList) isOf(h *model.Header) bool {
	return l.opt.AnyDate || h.Date.Year == l.opt.Month.Year && h.Date.Month == l.opt.Month.Month
}

// listColumnNames are the columns of a list, by what people call them.
var listColumnNames = map[string]string{
	"old": "old", "new": "new", "title": "title", "rating": "rating", "elo": "rating",
	"fideid": "fideId", "fide id": "fideId", "fide-id": "fideId", "fide": "fideId",
}

// readCSV reads a list with a header that names the columns; further ones are passed
// over. The header says what stands between cells.
func (l *nameList) readCSV(in *bufio.Reader) error {
	head, _ := in.Peek(256)
	r := csv.NewReader(in)
	r.FieldsPerRecord, r.ReuseRecord = -1, true
	head, _, _ = bytes.Cut(head, []byte("\n"))
	for _, sign := range []rune{';', '\t'} {
		if bytes.ContainsRune(head, sign) && !bytes.ContainsRune(head, ',') {
			r.Comma = sign
		}
	}
	columns := map[string]int{}
	header, err := r.Read()
	if err != nil && err != io.EOF {
		return err
	}
	for i, cell := range header {
		if name := listColumnNames[strings.ToLower(strings.TrimSpace(cell))]; name != "" {
			columns[name] = i
		}
	}
	if _, is := columns["old"]; !is {
		return errors.New(`the first line must name the columns: "old,new"; also title, fideId, rating`)
	}
	seen := map[string]int{}
	for {
		cells, err := r.Read()
		if err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		line, _ := r.FieldPos(0)
		cell := func(column string) string {
			if i, is := columns[column]; is && i < len(cells) {
				return strings.TrimSpace(cells[i])
			}
			return ""
		}
		row := correction{line: line, old: cell("old"), new: cell("new"), title: cell("title"), fide: cell("fideId")}
		for _, text := range cells {
			if !utf8.ValidString(text) {
				return fmt.Errorf("line %d is not UTF-8; save the list as that", line)
			}
		}
		if s := cell("rating"); s != "" {
			var whole bool
			if row.rating, whole = headerfields.ParseRating(s); !whole || row.rating > 4000 {
				return fmt.Errorf("line %d: %q is no rating", line, s)
			}
		}
		switch first := seen[l.key(row.old)]; {
		case row.old == "" && row.new == "":
			continue
		case row.old == "":
			return fmt.Errorf("line %d: there is no old name", line)
		case first != 0:
			return fmt.Errorf("line %d: %q is in line %d too; leave one of them", line, row.old, first)
		}
		seen[l.key(row.old)] = line
		l.rows = append(l.rows, row)
	}
}

// readScid reads the players of Scid's spelling file: a name, and indented behind "=" the
// other ways to spell it. Of a spelling of two players, and of one that is a player's own
// name, it is unknown whose it is.
func (l *nameList) readScid(in *bufio.Reader) error {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 1<<20)
	within, current, ignored := false, "", ""
	line, of := 0, map[string]int{} // places in rows, -1 of what is two players'
	l.key = func(s string) string {
		return strings.Map(func(r rune) rune {
			if strings.ContainsRune(ignored, r) {
				return -1
			}
			return r
		}, s)
	}
	l.isOfAll = true
	add := func(name string, own bool) {
		key := l.key(name)
		at, is := of[key]
		switch {
		case !is:
			of[key] = len(l.rows)
			l.rows = append(l.rows, correction{line: line, old: name, new: current})
		case at >= 0 && l.rows[at].new != current:
			if own || l.key(l.rows[at].new) != key {
				l.rows[at].new = ""
			}
			if own && l.key(l.rows[at].new) != key {
				l.rows[at].new = current
			}
		}
	}
	for lines.Scan() {
		line++
		text := lines.Text()
		if section, is := strings.CutPrefix(text, "@"); is {
			name, signs, _ := strings.Cut(section, " ")
			if within = name == "PLAYER"; within {
				ignored = strings.Trim(strings.TrimSpace(signs), `"`)
			}
			continue
		}
		text, _, _ = strings.Cut(text, "#")
		indented := strings.HasPrefix(text, " ") || strings.HasPrefix(text, "\t")
		text = strings.TrimSpace(text)
		switch other, is := strings.CutPrefix(text, "="); {
		case !within || text == "" || strings.HasPrefix(text, "%"):
		case !indented:
			current = text
			add(current, true)
		case is && current != "":
			add(strings.TrimSpace(other), false)
		}
	}
	if lines.Err() != nil {
		return fmt.Errorf("line %d: %w", line+1, lines.Err())
	}
	l.rows = slices.DeleteFunc(l.rows, func(row correction) bool { return row.new == "" })
	return nil
}

// plan is what a list changes of the players of a database.
type plan struct {
	list *nameList
	NameChanges
	details map[model.EntityID]correction // title, FIDE id and rating, by player
	err     error
}

// planNames finds the players whom a list means, exactly or by number, and goes through
// it in its order: what one line made, the next may speak of.
func planNames(list *nameList, players iter.Seq2[model.EntityID, model.Player]) *plan {
	p := &plan{list: list, NameChanges: NameChanges{Changes: []NameChange{}}, details: map[model.EntityID]correction{}}
	if list.ratings != nil {
		p.err = list.ratings.match(players, p.details)
		return p
	}
	ids, names := map[string][]model.EntityID{}, map[model.EntityID]string{}
	numbers := map[model.EntityID]bool{}
	for _, row := range list.rows {
		for _, name := range []string{row.old, row.new} {
			if id, is := namepattern.ParseNumber(name); is {
				numbers[id] = true
			} else {
				ids[list.key(name)] = nil
			}
		}
	}
	for id, v := range players {
		key := list.key(v.String())
		if have, is := ids[key]; is || numbers[id] {
			ids[key], names[id] = append(have, id), v.String()
		}
	}
	bearers := func(name string) []model.EntityID {
		if id, is := namepattern.ParseNumber(name); is {
			if _, there := names[id]; there {
				return []model.EntityID{id}
			}
			return nil
		}
		return ids[list.key(name)]
	}
	for _, row := range list.rows {
		old := bearers(row.old)
		if len(old) == 0 {
			p.Unknown = append(p.Unknown, row.old)
			continue
		}
		var twins []model.EntityID // who have one name
		for _, id := range old {
			if slices.ContainsFunc(old, func(one model.EntityID) bool { return one != id && names[one] == names[id] }) {
				twins = append(twins, id)
			}
		}
		if len(twins) > 0 {
			p.refuse(&row, row.old, twins)
			continue
		}
		for _, id := range slices.Clone(old) {
			to, isNumber := namepattern.ParseNumber(row.new)
			name := model.ParsePlayer(row.new).String()
			var into []model.EntityID
			switch {
			case row.new == "":
			case isNumber && names[to] == "":
				p.Unknown = append(p.Unknown, row.new)
				continue
			case isNumber:
				into, name = []model.EntityID{to}, names[to]
			default:
				into = slices.DeleteFunc(slices.Clone(bearers(row.new)), func(one model.EntityID) bool { return names[one] != name })
			}
			if into = slices.DeleteFunc(into, func(one model.EntityID) bool { return one == id }); len(into) > 1 {
				p.refuse(&row, row.new, into)
				continue
			}
			if key := list.key(names[id]); row.new != "" && (len(into) == 1 || names[id] != name) {
				change := NameChange{ID: id, Old: names[id], New: name}
				if len(into) == 1 {
					change.Into = &into[0]
				}
				p.Changes = append(p.Changes, change)
				ids[key] = slices.DeleteFunc(ids[key], func(one model.EntityID) bool { return one == id })
				if delete(names, id); len(into) == 1 {
					id = into[0]
				} else {
					ids[list.key(name)], names[id] = append(ids[list.key(name)], id), name
				}
			}
			if row.title != "" || row.fide != "" || row.rating != 0 {
				p.details[id] = row
			}
		}
	}
	return p
}

// refuse notes a name that several players have.
func (p *plan) refuse(row *correction, name string, ids []model.EntityID) {
	if p.list.isOfAll {
		return
	}
	var numbers []string
	for _, id := range ids {
		numbers = append(numbers, fmt.Sprint("#", id))
	}
	p.Refused = append(p.Refused, fmt.Sprintf("%s: line %d: %q is the name of %s; say by its number which one", p.list.name, row.line, name, brief.List(numbers, " and ")))
}

// readNames reads a list of either form.
func readNames(list io.Reader, name string, opt RatingOptions) (l *nameList, err error) {
	in := bufio.NewReader(list)
	if mark, _ := in.Peek(3); bytes.Equal(mark, []byte("\ufeff")) {
		_, _ = in.Discard(3) // what was peeked at is there
	}
	l = &nameList{name: name, key: func(s string) string { return model.ParsePlayer(s).String() }}
	if head, _ := in.Peek(9); strings.ToUpper(string(head)) == "ID NUMBER" {
		l.isOfAll = true
		if l.ratings, err = newRatingList(in, opt); err != nil {
			err = fmt.Errorf("%s: %w", name, err)
		}
		return l, err
	}
	if opt != (RatingOptions{}) {
		return nil, fmt.Errorf("%s: %w: --rating, --month and --any-date are for FIDE's list of ratings, whose head line begins with ID Number", name, model.ErrOption)
	}
	read := l.readCSV
	if first, _ := in.Peek(1); len(first) == 1 && (first[0] == '#' || first[0] == '@') {
		read = l.readScid
	}
	if err := read(in); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if len(l.rows) == 0 {
		return nil, fmt.Errorf("%s: there are no names in the list", name)
	}
	return l, nil
}

// final are the players that are merged in the end, and those that get other names, in
// the order in which they can have them.
func (p *plan) final() (merged map[model.EntityID]model.EntityID, others []NameChange) {
	merged = map[model.EntityID]model.EntityID{}
	last := map[model.EntityID]int{}
	for i, one := range p.Changes {
		if last[one.ID] = i; one.Into != nil {
			merged[one.ID] = *one.Into
		}
	}
	for i, one := range p.Changes {
		if _, is := merged[one.ID]; !is && last[one.ID] == i {
			others = append(others, one)
		}
	}
	p.follow(func(id model.EntityID) model.EntityID { return endOf(merged, id) })
	return merged, others
}

// follow gives what the list says of players to those whom they become.
func (p *plan) follow(becomes func(model.EntityID) model.EntityID) {
	of := map[model.EntityID]correction{}
	for _, id := range slices.Sorted(maps.Keys(p.details)) {
		if _, is := of[becomes(id)]; !is || becomes(id) == id {
			of[becomes(id)] = p.details[id]
		}
	}
	p.details = of
}

// oneStep returns what becomes of a player.
func oneStep(becomes map[model.EntityID]model.EntityID, id model.EntityID) model.EntityID {
	if to, is := becomes[id]; is {
		return to
	}
	return id
}

// endOf follows what becomes of a player to the end.
func endOf(becomes map[model.EntityID]model.EntityID, id model.EntityID) model.EntityID {
	for next, more := becomes[id]; more; next, more = becomes[id] {
		id = next
	}
	return id
}

// Correct changes names of players by a list: CSV with the columns old and new and,
// optionally, title, fideId and rating; or Scid's spelling file. Errors call the list by
// name. A player is given by name or number ("#17"); a row may refer to what earlier rows
// made. Games without ratings get them and, in texts, titles and FIDE ids. In a Simple
// Chess Database, games get new names instead.
//
// FIDE's rating list, text in fixed columns, gives ratings to the games of its month, by
// a game's FIDE id or else by the name.
func (ed *Editor) Correct(ctx context.Context, list io.Reader, name string, opt RatingOptions) (*NameChanges, error) {
	if ed.closed {
		return nil, fs.ErrClosed
	}
	l, err := readNames(list, name, opt)
	if err != nil {
		return nil, err
	}
	var p *plan
	switch store := ed.store.(type) {
	case *write.Editor:
		isGame := func(id model.RecordID) bool { _, err := store.Text(id); return err != nil }
		p, err = ed.changePlayers(ctx, store.Players(), l, isGame, nil)
	case *write.ScidEditor:
		p, err = ed.changePlayers(ctx, store.Players(), l, func(model.RecordID) bool { return true }, &store.Entities().Players)
	case *write.SimpleEditor:
		p, err = ed.changeGames(ctx, store, l)
	case *textEditor:
		p, err = ed.changeText(store, l)
	}
	if err != nil && l.ratings != nil {
		err = fmt.Errorf("%s: %w", name, err)
	}
	if err != nil {
		return nil, err
	}
	for _, row := range p.details {
		if row.title != "" || row.fide != "" {
			p.Identified++
		}
	}
	if l.isOfAll {
		p.Unknown = nil
	}
	return &p.NameChanges, nil
}

// playerNumbers are players with numbers of their own.
type playerNumbers interface {
	nameStore[model.Player]
	MergeAll(into map[model.EntityID]model.EntityID) error
}

// changePlayers changes players that have numbers. Those of headers are others if they are
// of a table of their own.
func (ed *Editor) changePlayers(ctx context.Context, players playerNumbers, list *nameList, isGame func(model.RecordID) bool,
	own *model.Table[model.Player]) (*plan, error) {
	var failed error
	p := planNames(list, func(yield func(model.EntityID, model.Player) bool) {
		for one, err := range players.All() {
			if failed = err; err != nil || !yield(one.ID, one.Value) {
				return
			}
		}
	})
	if failed = cmp.Or(failed, p.err); failed != nil {
		return nil, failed
	}
	merged, others := p.final()
	if err := players.MergeAll(merged); err != nil {
		return nil, err
	}
	for _, one := range others {
		if err := players.Change(one.ID, model.ParsePlayer(one.New)); err != nil {
			return nil, fmt.Errorf("%q: %w", one.Old, err)
		}
	}
	isRated := func(row correction) bool { return row.rating != 0 }
	if !slices.ContainsFunc(slices.Collect(maps.Values(p.details)), isRated) {
		return p, nil
	}
	numbers := map[model.Player]model.EntityID{}
	number := func(own *model.Table[model.Player], id model.EntityID) model.EntityID {
		if v, is := own.Get(id); is {
			if stored, is := numbers[v]; is {
				return stored
			}
		}
		return model.NoEntity
	}
	for one, err := range players.All() {
		if err != nil {
			return nil, err
		}
		numbers[one.Value] = one.ID
	}
	for id := model.RecordID(1); int(id) <= ed.Count(); id++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if !isGame(id) {
			continue
		}
		h, err := ed.store.Header(id)
		if err != nil {
			return nil, err
		}
		known := h
		if own != nil {
			known.White, known.Black = number(own, h.White), number(own, h.Black)
		}
		if p.complete(&known) {
			h.WhiteElo, h.BlackElo = known.WhiteElo, known.BlackElo
			if err := ed.store.SetHeader(id, h, nil); err != nil {
				return nil, err
			}
		}
	}
	return p, nil
}

// changeGames changes the names in all games that have them.
func (ed *Editor) changeGames(ctx context.Context, db *write.SimpleEditor, list *nameList) (*plan, error) {
	headers := func(do func(model.RecordID, *model.Header) error) error {
		for id := model.RecordID(1); int(id) <= db.Count(); id++ {
			h, err := db.Header(id)
			if err := cmp.Or(ctx.Err(), err); err != nil {
				return err
			}
			if err := do(id, &h); err != nil {
				return err
			}
		}
		return nil
	}
	if err := headers(func(model.RecordID, *model.Header) error { return nil }); err != nil { // then the table has all
		return nil, err
	}
	players := &db.Entities().Players
	p := planNames(list, players.Live())
	if p.err != nil {
		return nil, p.err
	}
	becomes := p.inOneStep(players, new(write.EditResult))
	return p, headers(func(id model.RecordID, h *model.Header) error {
		white, black := h.White, h.Black
		h.White, h.Black = oneStep(becomes, white), oneStep(becomes, black)
		if !p.complete(h) && h.White == white && h.Black == black {
			return nil
		}
		return db.SetHeader(id, *h, db.Entities())
	})
}

// inOneStep returns what becomes of players whose names stand in games alone: a name that
// one has lost another may have got. It counts the names.
func (p *plan) inOneStep(players *model.Table[model.Player], count *write.EditResult) map[model.EntityID]model.EntityID {
	merged, others := p.final()
	count.EntitiesMerged, count.EntitiesChanged = len(merged), len(others)
	becomes := map[model.EntityID]model.EntityID{}
	for _, one := range others {
		becomes[one.ID] = players.Intern(model.ParsePlayer(one.New))
	}
	p.follow(func(id model.EntityID) model.EntityID { return oneStep(becomes, id) })
	for from := range merged {
		becomes[from] = oneStep(becomes, endOf(merged, from))
	}
	return becomes
}

// changeText changes the names in all games of a text that have them.
func (ed *Editor) changeText(x *textEditor, list *nameList) (*plan, error) {
	e, err := x.known()
	if err != nil {
		return nil, err
	}
	p := planNames(list, e.Players.Live())
	becomes := p.inOneStep(&e.Players, &ed.more)
	if p.err != nil {
		return nil, p.err
	}
	return p, x.later(nil, "", func(model.RecordID) error {
		if x.rec.Game == nil {
			return nil
		}
		h := &x.rec.Game.Header
		known := *h // with the ids of e
		for _, side := range []struct{ here, there *model.EntityID }{{&h.White, &known.White}, {&h.Black, &known.Black}} {
			if *side.here == model.NoEntity {
				continue
			}
			was, _ := e.Players.Find(x.entities.Players.Value(*side.here))
			if *side.there = oneStep(becomes, was); *side.there != was {
				*side.here = x.entities.Players.Intern(e.Players.Value(*side.there))
				x.what = max(x.what, model.ChangedHeader)
			}
		}
		if completed := p.complete(&known); p.identify(&known) || completed {
			h.WhiteElo, h.BlackElo, h.Tags = known.WhiteElo, known.BlackElo, known.Tags
			x.what = max(x.what, model.ChangedHeader)
			x.result.Set++
		}
		return nil
	})
}

// identify gives a game the titles and FIDE ids of its players that the list has, as tags
// where it has none.
func (p *plan) identify(h *model.Header) (changed bool) {
	for _, side := range []struct {
		name string
		id   model.EntityID
	}{{"White", h.White}, {"Black", h.Black}} {
		row := p.details[side.id]
		for _, tag := range []model.Tag{{Name: side.name + "Title", Value: row.title}, {Name: side.name + "FideId", Value: row.fide}} {
			if tag.Value != "" && !slices.ContainsFunc(h.Tags, func(t model.Tag) bool { return t.Name == tag.Name }) {
				h.Tags, changed = append(slices.Clone(h.Tags), tag), true
			}
		}
	}
	if changed {
		slices.SortStableFunc(h.Tags, func(a, b model.Tag) int { return strings.Compare(a.Name, b.Name) })
	}
	return changed
}

// complete gives a game the ratings of its players that the list has, where it has none.
func (p *plan) complete(h *model.Header) (changed bool) {
	for _, side := range []struct {
		id  model.EntityID
		elo *uint16
		tag string
	}{{h.White, &h.WhiteElo, "WhiteFideId"}, {h.Black, &h.BlackElo, "BlackFideId"}} {
		row, is := p.details[side.id]
		if l := p.list.ratings; l != nil && *side.elo == 0 {
			if fide := h.Tag(side.tag); !l.isOf(h) {
				continue
			} else if id, known := headerfields.ParseNumber(fide, math.MaxUint64); known && id != 0 {
				row.rating, is = l.byID[id]
			} else if name, are := l.several[side.id]; are {
				p.Several = append(p.Several, name)
				delete(l.several, side.id)
			}
		}
		if is && *side.elo == 0 && row.rating != 0 {
			*side.elo, changed = row.rating, true
		}
	}
	return changed
}
