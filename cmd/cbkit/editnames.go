package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"strings"

	"cbkit/internal/namepattern"
	"cbkit/model"
	"cbkit/write"
)

// renameFlags change names of entities.
type renameFlags struct {
	RenamePlayer     []string `sep:"none" help:"Give a player another name." placeholder:"OLD=NEW"`
	RenameTournament []string `sep:"none" help:"Give a tournament another title." placeholder:"OLD=NEW"`
	RenameAnnotator  []string `sep:"none" help:"Give an annotator another name." placeholder:"OLD=NEW"`
	RenameSource     []string `sep:"none" help:"Give a source another title." placeholder:"OLD=NEW"`
	RenameTeam       []string `sep:"none" help:"Give a team another title." placeholder:"OLD=NEW"`
	RenameTitle      []string `sep:"none" help:"Give a game title other words." placeholder:"OLD=NEW"`
	MergePlayer      []string `sep:"none" help:"Make one player of two: the games of the first go to the second." placeholder:"A=B"`
	MergeTournament  []string `sep:"none" help:"Make one tournament of two." placeholder:"A=B"`
	MergeAnnotator   []string `sep:"none" help:"Make one annotator of two." placeholder:"A=B"`
	MergeSource      []string `sep:"none" help:"Make one source of two." placeholder:"A=B"`
	MergeTeam        []string `sep:"none" help:"Make one team of two." placeholder:"A=B"`
	MergeTitle       []string `sep:"none" help:"Make one game title of two." placeholder:"A=B"`
}

// steps reads the flags.
func (f *renameFlags) steps() (list []step, err error) {
	for _, flag := range []struct {
		name   string
		values []string
		do     func(ed editor, a, b string) error
	}{
		{"rename-player", f.RenamePlayer, renaming(playerNames, players)},
		{"rename-tournament", f.RenameTournament, renaming(tournamentNames, tournaments)},
		{"rename-annotator", f.RenameAnnotator, renaming(annotatorNames, annotators)},
		{"rename-source", f.RenameSource, renaming(sourceNames, sources)},
		{"rename-team", f.RenameTeam, renaming(teamNames, teams)},
		{"rename-title", f.RenameTitle, renaming(titleNames, titles)},
		{"merge-player", f.MergePlayer, joining(playerNames, players)},
		{"merge-tournament", f.MergeTournament, joining(tournamentNames, tournaments)},
		{"merge-annotator", f.MergeAnnotator, joining(annotatorNames, annotators)},
		{"merge-source", f.MergeSource, joining(sourceNames, sources)},
		{"merge-team", f.MergeTeam, joining(teamNames, teams)},
		{"merge-title", f.MergeTitle, joining(titleNames, titles)},
	} {
		for _, value := range flag.values {
			a, b, ok := strings.Cut(value, "=")
			if !ok || a == "" || strings.TrimSpace(b) == "" {
				return nil, usageError{fmt.Errorf("--%s %s: write two names with = between them", flag.name, value)}
			}
			list = append(list, func(_ context.Context, _ *transfer, ed editor) error {
				if text, is := ed.(*textEditor); is {
					text.flag = fmt.Sprintf("--%s %s", flag.name, value)
				}
				if err := flag.do(ed, a, b); err != nil {
					return fmt.Errorf("--%s %s: %w", flag.name, value, err)
				}
				return nil
			})
		}
	}
	return list, nil
}

// nameStore is what changes the names of one kind.
type nameStore[T comparable] interface {
	Value(id model.EntityID) (T, error)
	FindAll(v T) ([]model.EntityID, error)
	All() iter.Seq2[write.StoredEntity[T], error]
	Change(id model.EntityID, v T) error
	Merge(from, into model.EntityID) error
}

// storesOf are the names of one kind: in the tables of a game that is edited, in a
// ChessBase database, in a text.
type storesOf[T comparable] struct {
	table     func(*model.Entities) *model.Table[T]
	chessBase func(*write.Editor) *write.EntityEditor[T]
	text      func(*textEditor) nameStore[T]
	ofGame    func(*model.Game) []*model.EntityID
}

// stores returns the names of one kind, which a game has in the fields that ofGame returns,
// and a guiding text in those of ofText, which may be nil.
func stores[T comparable](table func(*model.Entities) *model.Table[T], chessBase func(*write.Editor) *write.EntityEditor[T],
	ofGame func(*model.Game) []*model.EntityID, ofText func(*model.GuidingText) []*model.EntityID) storesOf[T] {
	ids := func(r *model.Record) []*model.EntityID {
		switch {
		case r.Game != nil:
			return ofGame(r.Game)
		case ofText != nil:
			return ofText(r.Text)
		}
		return nil
	}
	return storesOf[T]{table, chessBase, func(x *textEditor) nameStore[T] { return &textNames[T]{x, table, ids} }, ofGame}
}

type idFields = []*model.EntityID

var (
	playerNames = stores(func(e *model.Entities) *model.Table[model.Player] { return &e.Players }, (*write.Editor).Players,
		func(g *model.Game) idFields { return idFields{&g.White, &g.Black} }, nil)
	tournamentNames = stores(func(e *model.Entities) *model.Table[model.Tournament] { return &e.Tournaments }, (*write.Editor).Tournaments,
		func(g *model.Game) idFields { return idFields{&g.Tournament} }, func(t *model.GuidingText) idFields { return idFields{&t.Tournament} })
	annotatorNames = stores(func(e *model.Entities) *model.Table[model.Annotator] { return &e.Annotators }, (*write.Editor).Annotators,
		func(g *model.Game) idFields { return idFields{&g.Annotator} }, func(t *model.GuidingText) idFields { return idFields{&t.Annotator} })
	sourceNames = stores(func(e *model.Entities) *model.Table[model.Publication] { return &e.Sources }, (*write.Editor).Sources,
		func(g *model.Game) idFields { return idFields{&g.Source} }, func(t *model.GuidingText) idFields { return idFields{&t.Source} })
	teamNames = stores(func(e *model.Entities) *model.Table[model.Team] { return &e.Teams }, (*write.Editor).Teams,
		func(g *model.Game) idFields { return idFields{&g.WhiteTeam, &g.BlackTeam} }, nil)
	titleNames = stores(func(e *model.Entities) *model.Table[model.GameTitle] { return &e.GameTitles }, (*write.Editor).GameTitles,
		func(g *model.Game) idFields { return idFields{&g.GameTitle} }, func(t *model.GuidingText) idFields { return idFields{&t.GameTitle} })
)

// in returns the names of what is edited, nil where names have no life of their own.
func (s *storesOf[T]) in(ed editor) nameStore[T] {
	switch ed := ed.(type) {
	case *write.Editor:
		return s.chessBase(ed)
	case *textEditor:
		return s.text(ed)
	case *write.ScidEditor:
		if players, is := any(ed.Players()).(nameStore[T]); is {
			return players
		}
		return write.NewScidNames(ed, s.table, s.ofGame)
	}
	return nil
}

// renaming gives an entity another name.
func renaming[T comparable](of storesOf[T], kind nameKind[T]) func(editor, string, string) error {
	return onNames(of, func(in nameStore[T], from, to string) error {
		id, err := mustFind(in, kind, from)
		if err != nil {
			return err
		}
		v, err := in.Value(id)
		if err != nil {
			return err
		}
		err = in.Change(id, kind.with(v, to))
		if errors.Is(err, fs.ErrExist) {
			flag := "--merge-" + strings.TrimPrefix(kind.what, "game ")
			return fmt.Errorf("the %s %q is there already; %s %q makes one of both", kind.what, to, flag, kind.name(v)+"="+to)
		}
		return err
	})
}

// joining makes one entity of two.
func joining[T comparable](of storesOf[T], kind nameKind[T]) func(editor, string, string) error {
	return onNames(of, func(in nameStore[T], from, into string) error {
		a, err := mustFind(in, kind, from)
		if err != nil {
			return err
		}
		b, err := mustFind(in, kind, into)
		if err != nil {
			return err
		}
		return in.Merge(a, b)
	})
}

func onNames[T comparable](of storesOf[T], do func(nameStore[T], string, string) error) func(editor, string, string) error {
	return func(ed editor, a, b string) error {
		in := of.in(ed)
		if in == nil {
			return usageError{errNames}
		}
		return do(in, a, b)
	}
}

// nameKind is what the names of one kind of entity are.
type nameKind[T comparable] struct {
	what string
	// whole says that the name is all there is of an entity.
	whole bool
	// name and year are what a person calls an entity by.
	name func(T) string
	year func(T) int
	with func(T, string) T
}

func noYear[T any](T) int { return 0 }

var (
	players = nameKind[model.Player]{"player", true,
		model.Player.String, noYear[model.Player], func(_ model.Player, name string) model.Player { return model.ParsePlayer(name) }}
	tournaments = nameKind[model.Tournament]{"tournament", false,
		func(t model.Tournament) string { return t.Title }, func(t model.Tournament) int { return int(t.Start.Year) },
		func(t model.Tournament, name string) model.Tournament { t.Title = name; return t }}
	annotators = nameKind[model.Annotator]{"annotator", true,
		func(a model.Annotator) string { return a.Name }, noYear[model.Annotator], func(_ model.Annotator, name string) model.Annotator { return model.Annotator{Name: name} }}
	sources = nameKind[model.Publication]{"source", false,
		func(p model.Publication) string { return p.Title }, func(p model.Publication) int { return int(p.Published.Year) },
		func(p model.Publication, name string) model.Publication { p.Title = name; return p }}
	teams = nameKind[model.Team]{"team", false,
		func(t model.Team) string { return t.Title }, func(t model.Team) int { return int(t.Year) },
		func(t model.Team, name string) model.Team { t.Title = name; return t }}
	titles = nameKind[model.GameTitle]{"game title", false,
		func(t model.GameTitle) string { return t.Titles[0] }, noYear[model.GameTitle],
		func(t model.GameTitle, name string) model.GameTitle { t.Titles[0] = name; return t }}
)

// find returns the entity that is called so, or has the number: "#17". A change never
// guesses: if there is none, or more than one, those that can be meant are returned.
func find[T comparable](in nameStore[T], kind nameKind[T], name string) (model.EntityID, *nearNames[T], error) {
	if id, is := namepattern.ParseNumber(name); is {
		if _, err := in.Value(id); err != nil {
			return model.NoEntity, nil, fmt.Errorf("there is no %s with the number %d", kind.what, id)
		}
		return id, nil, nil
	}
	if kind.whole {
		var zero T
		ids, err := in.FindAll(kind.with(zero, name))
		if err != nil {
			return model.NoEntity, nil, err
		}
		if len(ids) == 1 {
			if v, err := in.Value(ids[0]); err != nil || v == kind.with(zero, name) { // else it is longer than the file can store
				return ids[0], nil, err
			}
		}
	}
	near := &nearNames[T]{kind: kind, name: name, typed: namepattern.ParseName(name), similar: namepattern.NewSimilar(name)}
	for e, err := range in.All() {
		if err != nil {
			return model.NoEntity, nil, err
		}
		how := kind.means(near.typed, name, e.Value)
		if how > near.best { // only those that fit best are kept
			near.best, near.list = how, near.list[:0]
		}
		switch {
		case how == notMeant:
			near.similar.Add(kind.name(e.Value))
		case how == near.best:
			near.list = append(near.list, nearName{e.ID, kind.dated(e.Value)})
		}
	}
	if len(near.list) == 1 && near.best >= isDated {
		return near.list[0].id, nil, nil
	}
	return model.NoEntity, near, nil
}

// mustFind is find for an entity that has to be there.
func mustFind[T comparable](in nameStore[T], kind nameKind[T], name string) (model.EntityID, error) {
	id, near, err := find(in, kind, name)
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
	kind    nameKind[T]
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

// refusal says why the name is not taken, and what can be written in its place.
func (n *nearNames[T]) refusal() error {
	var list []string
	for _, one := range n.list[:min(len(n.list), shownMessages)] {
		list = append(list, fmt.Sprintf("%q (#%d)", one.dated, one.id))
	}
	if more := len(n.list) - len(list); more > 0 {
		list = append(list, fmt.Sprintf("%d more", more))
	}
	switch {
	case len(list) == 0:
		return errors.New(noSuchName(n.kind.what, n.name, n.similar.Names()))
	case n.best >= isDated:
		return fmt.Errorf("%ss of the name %q: %s; say by its number which one", n.kind.what, n.name, joinedBy(list, " and "))
	}
	return fmt.Errorf("no %s is called exactly %q; write the whole name, or the number, of %s", n.kind.what, n.name, joinedBy(list, " or "))
}

// means returns how well a name means an entity.
func (k nameKind[T]) means(typed namepattern.Name, name string, v T) meaning {
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
func (k nameKind[T]) dated(v T) string {
	if year := k.year(v); year != 0 {
		return fmt.Sprintf("%s %d", k.name(v), year)
	}
	return k.name(v)
}
