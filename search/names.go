package search

import (
	"bytes"
	"errors"
	"slices"

	"cbkit/internal/cbh"
	"cbkit/internal/cbhdb"
	"cbkit/internal/dbfile"
	"cbkit/internal/namepattern"
	"cbkit/model"
)

// nameKind is a kind of entity that conditions name.
type nameKind struct {
	name string // as in conditions
	file *cbh.EntityFile
	pair *cbh.ListFile // the boosters with its lists
	list cbh.ListKind
	// lookup is how the names lie in the tree.
	lookup lookup
	// texts returns the names of an entity: any of them may match.
	texts func(payload []byte, page cbh.CodePage) []string
	// known returns the names of an entity of a database of any format, none
	// if it does not exist.
	known func(e *model.Entities, id int32) []string
	// count returns how many entities such a database has.
	count func(e *model.Entities) int
}

// lookup is how a name is found in the tree of an entity file.
type lookup uint8

const (
	noLookup    lookup = iota // not by its first letters
	nameFirst                 // the name is the first key of the order
	yearFirst                 // the name comes after the year, later years first
	surnameOnly               // like nameFirst, but the key ends at a comma
)

var (
	players = newNameKind("player", &cbh.Players, surnameOnly,
		func(e *model.Entities) *model.Table[model.Player] { return &e.Players }, namepattern.PlayerNames)
	tournaments = newNameKind("tournament", &cbh.Tournaments, yearFirst,
		func(e *model.Entities) *model.Table[model.Tournament] { return &e.Tournaments },
		func(t model.Tournament) []string { return []string{t.Title} })
	annotators = newNameKind("annotator", &cbh.Annotators, nameFirst,
		func(e *model.Entities) *model.Table[model.Annotator] { return &e.Annotators },
		func(a model.Annotator) []string { return []string{a.Name} })
	sources = newNameKind("source", &cbh.Sources, nameFirst,
		func(e *model.Entities) *model.Table[model.Publication] { return &e.Sources },
		func(p model.Publication) []string { return []string{p.Title} })
	teams = newNameKind("team", &cbh.Teams, nameFirst,
		func(e *model.Entities) *model.Table[model.Team] { return &e.Teams },
		func(t model.Team) []string { return []string{t.Title} })
	// Two more names of tournaments.
	places = newNameKind("place", &cbh.Tournaments, noLookup,
		func(e *model.Entities) *model.Table[model.Tournament] { return &e.Tournaments },
		func(t model.Tournament) []string { return []string{t.Place} })
	nations = newNameKind("nation", &cbh.Tournaments, noLookup,
		func(e *model.Entities) *model.Table[model.Tournament] { return &e.Tournaments }, nationNames)
	speeds = newNameKind("time-control", &cbh.Tournaments, noLookup,
		func(e *model.Entities) *model.Table[model.Tournament] { return &e.Tournaments },
		func(t model.Tournament) []string { return []string{t.Type.Speed()} })
	titles = newNameKind("title", &cbh.GameTitles, noLookup,
		func(e *model.Entities) *model.Table[model.GameTitle] { return &e.GameTitles },
		func(t model.GameTitle) []string { return t.Titles[:] })
)

// nationNames are the code and the name of a tournament's country.
func nationNames(t model.Tournament) []string {
	n := t.Country()
	if n == 0 {
		return nil
	}
	return []string{n.Code(), n.String()}
}

func newNameKind[T comparable](name string, codec *cbh.EntityCodec[T], by lookup,
	table func(*model.Entities) *model.Table[T], texts func(T) []string,
) *nameKind {
	pair, list := cbh.ListsOf(&codec.EntityFile)
	return &nameKind{
		name: name, file: &codec.EntityFile, pair: pair, list: list, lookup: by,
		texts: func(payload []byte, page cbh.CodePage) []string { return texts(codec.Decode(payload, page)) },
		known: func(e *model.Entities, id int32) []string {
			if v, ok := table(e).Get(model.EntityID(id)); ok {
				return texts(v)
			}
			return nil
		},
		count: func(e *model.Entities) int { return table(e).Len() },
	}
}

// nameSet is the set of entities whose names look like a pattern.
type nameSet struct {
	kind    *nameKind
	pattern pattern
	// person is the name as it is typed, nil for a pattern.
	person *namepattern.Person
	words  namepattern.Words // of a title as it is typed, nil for a pattern
	// number is that of one entity, if isNumber; what it is called does not matter.
	number   model.EntityID
	isNumber bool
	// entities are the tables of a database whose names cannot be looked up
	// beforehand: they may grow as records are read.
	entities *model.Entities
	fitting  []truth // of those entities that were asked for; maybe is not known yet
	// Otherwise ids are the entities that were found, and uses is how often
	// all of them together are referred to, as their own records count it.
	ids  IDSet
	uses int64
	// alike are players whose names may be like that of a person.
	alike []model.RecordID
	// visited is the number of records that were read of total ones.
	visited, total int
	cut            bool // the file announces more records
	// damage says why the tree of the file was not trusted, if it was tried.
	damage error
}

// has reports whether an entity is in the set.
func (s *nameSet) has(id int32) bool {
	if s.entities == nil {
		return s.ids.Has(model.RecordID(id))
	}
	if s.isNumber {
		return id == int32(s.number)
	}
	if id < 0 || int(id) >= s.kind.count(s.entities) { // damaged databases refer to nothing
		return false
	}
	for int(id) >= len(s.fitting) {
		s.fitting = append(s.fitting, maybe)
	}
	if s.fitting[id] == maybe {
		s.fitting[id] = truthOf(s.fits(s.kind.known(s.entities, id)))
	}
	return s.fitting[id] == yes
}

// fits reports whether one of an entity's names looks like the pattern, or has the
// words typed, or its last one, which has all that is known of a player, is like the
// name typed.
func (s *nameSet) fits(names []string) bool {
	switch {
	case s.person != nil:
		return len(names) > 0 && s.person.Matches(model.ParsePlayer(names[len(names)-1]))
	case s.words != nil:
		return slices.ContainsFunc(names, s.words.In)
	}
	return slices.ContainsFunc(names, s.pattern.matches)
}

// prefixLength is how many letters of a pattern are looked up in the tree: for
// each way to write them in upper and lower case once.
const prefixLength = 3

// nameFiles are the files to look names up in.
type nameFiles struct {
	*cbhdb.DB
	page  cbh.CodePage
	whole bool // read all names instead of walking through trees
	// Called for oddities, and for files that count as missing.
	warn, damage func(error)
}

// lookup finds the entities of a kind in their file. Without an optional file
// that can be used there are none; without a mandatory one the search fails.
func (f *nameFiles) lookup(q nameQuery) (*nameSet, error) {
	kind, p := q.kind, q.pattern
	set := q.set()
	file, err := f.open(kind)
	if file == nil {
		return set, err
	}
	if file.Miscount != nil {
		f.warn(file.Miscount)
		set.cut = isCut(file.Miscount)
	}
	if file.Mended != nil {
		f.damage(file.Mended)
	}
	e := file.Lookup()
	set.total = int(e.Count)
	add := func(r cbhdb.EntityRecord) {
		id := model.RecordID(r.ID)
		if !set.ids.Has(id) && (set.isNumber || set.fits(kind.texts(r.Payload, f.page))) {
			set.ids.add(id)
			set.uses += int64(cbh.DecodeEntityUse(r.Payload).Count)
		}
	}
	if set.isNumber {
		if set.number >= model.EntityID(e.Count) {
			return set, nil
		}
		r, err := file.Reader(dbfile.NearAhead).At(int32(set.number))
		if set.visited = 1; err == nil && !r.Links.IsDeleted() {
			add(r)
		}
		return set, err
	}
	if set.person != nil {
		return set, set.readPersons(file.Reader(dbfile.FarAhead), add)
	}
	prefix := ""
	if kind.lookup != noLookup && set.words == nil {
		prefix = p.prefix(prefixLength, kind.lookup == surnameOnly)
	}
	if !f.whole && prefix != "" {
		err := walkPrefix(e, kind.lookup, prefix, add)
		if !errors.Is(err, model.ErrCorrupt) {
			set.visited = e.Visited()
			return set, err
		}
		set.damage = err
	}
	for r, err := range file.Reader(dbfile.FarAhead).Live() {
		if err != nil {
			return nil, err
		}
		if hasPrefixFold(r.Payload, prefix) { // few names have to be decoded
			add(r)
		}
	}
	set.visited = set.total
	return set, nil
}

// readPersons reads all names of players: an accent more or less stands nowhere
// near in a tree. Most names have other letters and are not decoded.
func (s *nameSet) readPersons(e *cbhdb.EntityReader, add func(cbhdb.EntityRecord)) error {
	for r, err := range e.Live() {
		if err != nil {
			return err
		}
		name := cbh.PlayerName(r.Payload)
		if !s.person.CanBegin(name) {
			continue
		}
		s.alike = append(s.alike, model.RecordID(r.ID))
		if s.person.CanMatch(name) {
			add(r)
		}
	}
	s.visited = s.total
	return nil
}

// open opens the file of a kind; it returns nil if there is none to be used.
func (f *nameFiles) open(kind *nameKind) (*cbhdb.Entities, error) {
	optional := kind.file.Optional()
	if !optional && !f.Files().Has(kind.file.Ext) {
		return nil, &dbfile.MissingError{File: f.Files().Name(kind.file.Ext), What: "without it no " + kind.name + " can be found"}
	}
	e, err := f.Entities(kind.file)
	if err == nil || !optional {
		return e, err
	}
	warning, failure := dbfile.PassOver(err)
	switch {
	case failure != nil:
	case errors.Is(warning, model.ErrUnsupported):
		f.warn(warning)
	default:
		f.damage(warning)
	}
	return nil, failure
}

// walkPrefix passes on all records whose names begin with a prefix, in upper or
// lower case.
func walkPrefix(e *cbhdb.Lookup, by lookup, prefix string, add func(cbhdb.EntityRecord)) error {
	// Which of two orders a file follows, its header does not say.
	for _, signed := range []bool{false, true} {
		for _, variant := range caseVariants(prefix) {
			var err error
			if by == yearFirst {
				err = walkYears(e, signed, []byte(variant), add)
			} else {
				err = walkRange(e, signed, []byte(variant), add)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// walkRange passes on the records whose name begins with a prefix.
func walkRange(e *cbhdb.Lookup, signed bool, prefix []byte, add func(cbhdb.EntityRecord)) error {
	before := func(payload []byte) bool { return comesBefore(nameOf(payload), prefix, signed) }
	for r, err := range e.From(before) {
		if err != nil {
			return err
		}
		if !bytes.HasPrefix(nameOf(r.Payload), prefix) {
			break
		}
		add(r)
	}
	return nil
}

// walkYears does the same for every year of the tournaments, from the latest
// on: where the names with the prefix end, it goes on with the next year.
func walkYears(e *cbhdb.Lookup, signed bool, prefix []byte, add func(cbhdb.EntityRecord)) error {
	for year, more := uint16(1<<16-1), true; more; {
		more = false
		before := func(payload []byte) bool {
			y := yearOf(payload)
			return y > year || y == year && comesBefore(nameOf(payload), prefix, signed)
		}
		for r, err := range e.From(before) {
			if err != nil {
				return err
			}
			if y := yearOf(r.Payload); y > year {
				return model.ErrCorrupt // no sound tree is in this order
			} else if y < year {
				year, more = y, true // its names were not looked at yet
				break
			}
			if !bytes.HasPrefix(nameOf(r.Payload), prefix) {
				year, more = year-1, year > 0
				break
			}
			add(r)
		}
	}
	return nil
}

// comesBefore reports whether a name comes before all names with a prefix.
func comesBefore(name, prefix []byte, signed bool) bool {
	return cbh.CompareText(name[:min(len(name), len(prefix))], prefix, signed) < 0
}

// nameOf returns the name at the beginning of a payload; yearOf the year in the
// start date of a tournament.
func nameOf(payload []byte) []byte {
	if i := bytes.IndexByte(payload, 0); i >= 0 {
		return payload[:i]
	}
	return payload
}

func yearOf(payload []byte) uint16 { return cbh.Tournaments.Decode(payload, cbh.CodePage{}).Start.Year }

// titled returns conditions about names: a pattern if it has a '*' or '?', else the words
// that a title has to have, or a player's name as people type it.
func titled(kind *nameKind, side whose) func(name string) Condition {
	return func(name string) Condition {
		return nameCondition{kind: kind, side: side, pattern: pattern(name), typed: !namepattern.IsPattern(name)}
	}
}

// tournamentNamed is a title, or a title and the year of the games.
func tournamentNamed(name string) Condition {
	isTitle := titled(tournaments, anySide)
	bare, year := namepattern.CutYear(name)
	if year == 0 || namepattern.IsPattern(name) {
		return isTitle(name)
	}
	whole := model.Date{Year: uint16(year)}
	return Or(isTitle(name), And(isTitle(bare), dated(whole, whole)))
}

// ofNation is true for games and texts of a tournament in a country, by its
// three-letter code or its name. Where no country is stored, a code at the end of the
// place is one: "Biel SUI".
func ofNation(name string) Condition { return nameCondition{kind: nations, pattern: pattern(name)} }

// nameCondition looks at the entities of a record.
type nameCondition struct {
	kind    *nameKind
	side    whose
	pattern pattern
	typed   bool
	ending  ending // of players
}

// ending is how a game ended for a player.
type ending uint8

const (
	anyEnding ending = iota
	won
	lost
)

// String implements Condition.
func (c nameCondition) String() string {
	return term([]string{c.side.prefix(c.kind.name), "winner", "loser"}[c.ending], string(c.pattern))
}

func (c nameCondition) bind(s *session) (test, error) {
	set, err := s.lookup(nameQuery{c.kind, c.pattern, c.typed})
	return nameTest{set, c.side, c.ending}, err
}

type nameTest struct {
	set    *nameSet
	side   whose
	ending ending
}

// of reports whether White is in question, and Black.
func (t nameTest) of(r *row) (white, black bool) {
	one, other := entitiesOf(r, t.set.kind)
	if ids := &t.set.ids; t.set.entities == nil {
		white, black = ids.Has(model.RecordID(one)), ids.Has(model.RecordID(other))
	} else {
		white, black = t.set.has(one), t.set.has(other)
	}
	if t.ending != anyEnding && (white || black) {
		winner, decided := r.result.Winner()
		whites := (winner == model.White) == (t.ending == won)
		white, black = white && decided && whites, black && decided && !whites
	}
	return white, black
}

func (t nameTest) eval(r *row) truth {
	white, black := t.of(r)
	return truthOf((white || black) && t.side.holds(white, black)) // of most records neither
}

func (t nameTest) bound() *bound {
	if t.set.entities != nil || t.set.cut { // of a cut file the lists cannot be trusted
		return nil
	}
	return &bound{sets: []*nameSet{t.set}}
}

// entitiesOf returns the entities of a kind that a record refers to: of players
// and teams White's and Black's, of the others twice the same.
func entitiesOf(r *row, kind *nameKind) (one, other int32) {
	switch kind {
	case players:
		return r.refs.White, r.refs.Black
	case teams:
		return r.refs.WhiteTeam, r.refs.BlackTeam
	case tournaments, places, nations, speeds:
		one = r.refs.Tournament
	case annotators:
		one = r.refs.Annotator
	case sources:
		one = r.refs.Source
	case titles:
		one = r.refs.Title
	}
	return one, one
}
