package main

import (
	"fmt"
	"slices"
	"strings"

	"cbkit/model"
	"cbkit/read"
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
func (f *renameFlags) steps(path string) (list []step, err error) {
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
				if err := flag.do(namer{t, ed, path}, a, b); err != nil {
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
	t    *transfer
	ed   *write.Editor
	path string // of the database, for entities that are more than a name
}

// nameKind is what the names of one kind of entity are.
type nameKind[T comparable] struct {
	what string
	// whole says that the name is all there is of an entity.
	whole bool
	table func(*model.Entities) *model.Table[T]
	// name and year are what a person calls an entity by.
	name func(T) string
	year func(T) int
	with func(T, string) T
}

func noYear[T any](T) int { return 0 }

var (
	players = nameKind[model.Player]{"player", true, func(e *model.Entities) *model.Table[model.Player] { return &e.Players },
		model.Player.String, noYear[model.Player], func(_ model.Player, name string) model.Player { return model.ParsePlayer(name) }}
	tournaments = nameKind[model.Tournament]{"tournament", false, func(e *model.Entities) *model.Table[model.Tournament] { return &e.Tournaments },
		func(t model.Tournament) string { return t.Title }, func(t model.Tournament) int { return int(t.Start.Year) },
		func(t model.Tournament, name string) model.Tournament { t.Title = name; return t }}
	annotators = nameKind[model.Annotator]{"annotator", true, func(e *model.Entities) *model.Table[model.Annotator] { return &e.Annotators },
		func(a model.Annotator) string { return a.Name }, noYear[model.Annotator], func(_ model.Annotator, name string) model.Annotator { return model.Annotator{Name: name} }}
	sources = nameKind[model.Publication]{"source", false, func(e *model.Entities) *model.Table[model.Publication] { return &e.Sources },
		func(p model.Publication) string { return p.Title }, func(p model.Publication) int { return int(p.Published.Year) },
		func(p model.Publication, name string) model.Publication { p.Title = name; return p }}
	teams = nameKind[model.Team]{"team", false, func(e *model.Entities) *model.Table[model.Team] { return &e.Teams },
		func(t model.Team) string { return t.Title }, func(t model.Team) int { return int(t.Year) },
		func(t model.Team, name string) model.Team { t.Title = name; return t }}
	titles = nameKind[model.GameTitle]{"game title", false, func(e *model.Entities) *model.Table[model.GameTitle] { return &e.GameTitles },
		func(t model.GameTitle) string { return t.Titles[0] }, noYear[model.GameTitle],
		func(t model.GameTitle, name string) model.GameTitle { t.Titles[0] = name; return t }}
)

// find returns the entity that a name means.
func find[T comparable](n namer, in *write.EntityEditor[T], kind nameKind[T], name string) (model.EntityID, error) {
	if kind.whole {
		var zero T
		id, err := in.Find(kind.with(zero, name))
		if err == nil && id == model.NoEntity {
			err = fmt.Errorf("there is no %s %q", kind.what, name)
		}
		return id, err
	}
	db, err := read.Open(n.path, read.Options{CodePage: n.t.env.recognise(&place{name: n.path}, n.t.flags.Codepage).Page, Jobs: 1})
	if err != nil {
		return model.NoEntity, err
	}
	defer func() { _ = db.Close() }() // it was only read
	return findByName(kind, kind.table(db.Entities()), name)
}

// findByName returns the entity with a name, or with a name and a year behind it.
func findByName[T comparable](kind nameKind[T], table *model.Table[T], name string) (model.EntityID, error) {
	var exact, dated []model.EntityID
	var years []string
	for id, slot := range table.All() {
		own := kind.name(slot.Value)
		switch {
		case slot.Deleted:
		case own == name:
			exact = append(exact, id)
			years = append(years, fmt.Sprint(kind.year(slot.Value)))
		case kind.year(slot.Value) != 0 && fmt.Sprintf("%s %d", own, kind.year(slot.Value)) == name:
			dated = append(dated, id)
		}
	}
	switch list := slices.Concat(exact, dated); {
	case len(list) == 0:
		return model.NoEntity, fmt.Errorf("there is no %s %q", kind.what, name)
	case len(list) > 1:
		return model.NoEntity, fmt.Errorf("%d have the name %q; name the year too, of %s", len(list), name, strings.Join(years, ", "))
	default:
		return list[0], nil
	}
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
	return in.Change(id, kind.with(v, to))
}

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
