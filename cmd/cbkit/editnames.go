package main

import (
	"errors"
	"fmt"
	"io/fs"
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
func (f *renameFlags) steps(quiet bool) (list []step, err error) {
	for _, flag := range []struct {
		name   string
		values []string
		do     func(n namer, a, b string) error
	}{
		{"rename-player", f.RenamePlayer, func(n namer, a, b string) error { return rename(n, n.ed.Players(), players, a, b) }},
		{"rename-tournament", f.RenameTournament, func(n namer, a, b string) error { return rename(n, n.ed.Tournaments(), tournaments, a, b) }},
		{"rename-annotator", f.RenameAnnotator, func(n namer, a, b string) error { return rename(n, n.ed.Annotators(), annotators, a, b) }},
		{"rename-source", f.RenameSource, func(n namer, a, b string) error { return rename(n, n.ed.Sources(), sources, a, b) }},
		{"rename-team", f.RenameTeam, func(n namer, a, b string) error { return rename(n, n.ed.Teams(), teams, a, b) }},
		{"rename-title", f.RenameTitle, func(n namer, a, b string) error { return rename(n, n.ed.GameTitles(), titles, a, b) }},
		{"merge-player", f.MergePlayer, func(n namer, a, b string) error { return join(n, n.ed.Players(), players, a, b) }},
		{"merge-tournament", f.MergeTournament, func(n namer, a, b string) error { return join(n, n.ed.Tournaments(), tournaments, a, b) }},
		{"merge-annotator", f.MergeAnnotator, func(n namer, a, b string) error { return join(n, n.ed.Annotators(), annotators, a, b) }},
		{"merge-source", f.MergeSource, func(n namer, a, b string) error { return join(n, n.ed.Sources(), sources, a, b) }},
		{"merge-team", f.MergeTeam, func(n namer, a, b string) error { return join(n, n.ed.Teams(), teams, a, b) }},
		{"merge-title", f.MergeTitle, func(n namer, a, b string) error { return join(n, n.ed.GameTitles(), titles, a, b) }},
	} {
		for _, value := range flag.values {
			a, b, ok := strings.Cut(value, "=")
			if !ok || a == "" {
				return nil, usageError{fmt.Errorf("--%s %s: write two names with = between them", flag.name, value)}
			}
			list = append(list, ofChessBase(flag.name, func(t *transfer, ed *write.Editor) error {
				if err := flag.do(namer{t, ed, quiet}, a, b); err != nil {
					return fmt.Errorf("--%s %s: %w", flag.name, value, err)
				}
				return nil
			}))
		}
	}
	return list, nil
}

// namer finds entities by their names.
type namer struct {
	t     *transfer
	ed    *write.Editor
	quiet bool // says nothing of what a name was taken for
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

// find returns the entity that a name means: the one that is called so, or the only
// one that somebody can mean by it.
func find[T comparable](n namer, in *write.EntityEditor[T], kind nameKind[T], name string) (model.EntityID, error) {
	if kind.whole {
		var zero T
		if id, err := in.Find(kind.with(zero, name)); err != nil || id != model.NoEntity {
			return id, err
		}
	}
	var best meaning
	var list []model.EntityID
	var names []string
	similar := namepattern.NewSimilar(name)
	typed := namepattern.ParseName(name)
	for e, err := range in.All() {
		if err != nil {
			return model.NoEntity, err
		}
		switch how := kind.means(typed, name, e.Value); {
		case how == notMeant:
			similar.Add(kind.name(e.Value))
			continue
		case how < best:
			continue
		case how > best:
			best, list, names = how, list[:0], names[:0]
		}
		list, names = append(list, e.ID), append(names, kind.dated(e.Value))
	}
	switch len(list) {
	case 0:
		return model.NoEntity, errors.New(nobody(kind.what, name, similar.Names()))
	case 1:
		if best == canBeMeant && !n.quiet {
			fmt.Fprintf(n.t.env.stderr, "%q means %s\n", name, oneLine(names[0]))
		}
		return list[0], nil
	}
	return model.NoEntity, fmt.Errorf("%q fits %d %ss; say which: %s", name, len(list), kind.what, quotedList(names[:min(len(names), shownMessages)]))
}

// meaning says how well a name fits an entity, the more the better.
type meaning uint8

const (
	notMeant meaning = iota
	canBeMeant
	isDated // it is the name with the year behind it
	isNamed // it is the name
)

// means tells whether a name means an entity.
func (k nameKind[T]) means(typed namepattern.Name, name string, v T) meaning {
	own := k.name(v)
	switch {
	case own == name:
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

// rename gives an entity another name.
func rename[T comparable](n namer, in *write.EntityEditor[T], kind nameKind[T], from, to string) error {
	id, err := find(n, in, kind, from)
	if err != nil {
		return err
	}
	v, err := in.Value(id)
	if err != nil {
		return err
	}
	err = in.Change(id, kind.with(v, to))
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("the %s %q is there already; --merge-%s %q makes one of both", kind.what, to, kind.flag(), kind.name(v)+"="+to)
	}
	return err
}

// flag is what flags call the kind.
func (k nameKind[T]) flag() string { return strings.TrimPrefix(k.what, "game ") }

// join makes one entity of two.
func join[T comparable](n namer, in *write.EntityEditor[T], kind nameKind[T], from, into string) error {
	a, err := find(n, in, kind, from)
	if err != nil {
		return err
	}
	b, err := find(n, in, kind, into)
	if err != nil {
		return err
	}
	return in.Merge(a, b)
}
