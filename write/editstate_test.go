package write_test

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"cbkit/board"
	"cbkit/check"
	"cbkit/internal/cbh"
	"cbkit/internal/cbhdb"
	"cbkit/internal/posindex"
	"cbkit/internal/testkit/corpus"
	"cbkit/internal/testkit/crashfs"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/internal/testkit/neighbours"
	"cbkit/internal/testkit/seeds"
	"cbkit/model"
	"cbkit/read"
	"cbkit/search"
	"cbkit/write"

	"pgregory.net/rapid"
)

// ref is a plain model of a database under change: records with the numbers of
// entities in tables, and what is said of references.
type ref struct {
	model.Database
	// idle are the entities that nothing refers to and that stay all the same: nothing
	// has referred to them since they were inserted, or since the editor was opened.
	idle map[string]bool
}

func idle[T comparable](kind string, id model.EntityID, _ *model.Table[T]) string {
	return fmt.Sprint(kind, " ", id)
}

// clone returns an independent copy.
func (r *ref) clone() *ref {
	c := &ref{idle: map[string]bool{}}
	c.Tables = r.Tables.Clone()
	for _, rec := range r.List {
		c.List = append(c.List, rec.Clone())
	}
	for k := range r.idle {
		c.idle[k] = true
	}
	return c
}

// tournamentKey is what makes a tournament the same for a new game.
type tournamentKey struct {
	title, place string
	start        model.Date
}

func keyOf(t model.Tournament) tournamentKey { return tournamentKey{t.Title, t.Place, t.Start} }

// use returns the number of an entity with a value, adding it.
func use[T comparable](table *model.Table[T], v T, old model.EntityID) model.EntityID {
	if old != model.NoEntity && table.Value(old) == v && !table.Slot(old).Deleted {
		return old
	}
	if id, ok := table.Find(v); ok {
		return id
	}
	if t, ok := any(v).(model.Tournament); ok {
		first := model.NoEntity
		for id, s := range table.All() {
			if s.Deleted || keyOf(any(s.Value).(model.Tournament)) != keyOf(t) {
				continue
			}
			if id == old {
				return old
			}
			if first == model.NoEntity {
				first = id
			}
		}
		if first != model.NoEntity {
			return first
		}
	}
	if s, ok := any(v).(model.Publication); ok && s != (model.Publication{}) {
		for id, slot := range table.All() {
			has := any(slot.Value).(model.Publication)
			if slot.Deleted || has.Title != s.Title {
				continue
			}
			table.Set(id, any(agreed(has, s)).(T))
			return id
		}
	}
	return table.Append(model.Slot[T]{Value: v})
}

// agreed is what a source says when another one of the same title has become it.
func agreed(has, other model.Publication) model.Publication {
	if other.Publisher != "" && other.Publisher != has.Publisher {
		has.Publisher = ""
	}
	if (other.Published != model.Date{}) && other.Published != has.Published {
		has.Published = model.Date{}
	}
	if (other.Date != model.Date{}) && other.Date != has.Date {
		has.Date = model.Date{}
	}
	if other.Version != 0 && other.Version != has.Version {
		has.Version = 0
	}
	if other.Quality != 0 && other.Quality != has.Quality {
		has.Quality = 0
	}
	return has
}

// useTeam is use for teams, of which none is none.
func useTeam(table, from *model.Table[model.Team], id, old model.EntityID) model.EntityID {
	v, ok := from.Get(id)
	if !ok {
		return model.NoEntity
	}
	return use(table, v, old)
}

// mapHeader gives a header the numbers of r.
func (r *ref) mapHeader(h, old model.Header, from *model.Entities) model.Header {
	t := &r.Tables
	h.White = use(&t.Players, from.Players.Value(h.White), old.White)
	h.Black = use(&t.Players, from.Players.Value(h.Black), old.Black)
	h.Tournament = use(&t.Tournaments, from.Tournaments.Value(h.Tournament), old.Tournament)
	h.Annotator = use(&t.Annotators, from.Annotators.Value(h.Annotator), old.Annotator)
	h.Source = use(&t.Sources, from.Sources.Value(h.Source), old.Source)
	h.WhiteTeam = useTeam(&t.Teams, &from.Teams, h.WhiteTeam, old.WhiteTeam)
	h.BlackTeam = useTeam(&t.Teams, &from.Teams, h.BlackTeam, old.BlackTeam)
	h.GameTitle = use(&t.GameTitles, from.GameTitles.Value(h.GameTitle), old.GameTitle)
	return h
}

var noHeader = model.Header{White: -1, Black: -1, Tournament: -1, Annotator: -1, Source: -1, WhiteTeam: -1, BlackTeam: -1, GameTitle: -1}

// mapRecord returns a record with the numbers of r; old is the one in its place.
func (r *ref) mapRecord(rec model.Record, from *model.Entities, old *model.Record) model.Record {
	rec = rec.Clone()
	if g := rec.Game; g != nil {
		was := noHeader
		if old != nil {
			was = old.Game.Header
		}
		g.Header = r.mapHeader(g.Header, was, from)
		return rec
	}
	h, was := noHeader, noHeader
	h.Tournament, h.Annotator, h.Source, h.GameTitle = rec.Text.Tournament, rec.Text.Annotator, rec.Text.Source, rec.Text.GameTitle
	if old != nil {
		o := old.Text
		was.Tournament, was.Annotator, was.Source, was.GameTitle = o.Tournament, o.Annotator, o.Source, o.GameTitle
	}
	t := &r.Tables
	rec.Text.Tournament = use(&t.Tournaments, from.Tournaments.Value(h.Tournament), was.Tournament)
	rec.Text.Annotator = use(&t.Annotators, from.Annotators.Value(h.Annotator), was.Annotator)
	rec.Text.Source = use(&t.Sources, from.Sources.Value(h.Source), was.Source)
	rec.Text.GameTitle = use(&t.GameTitles, from.GameTitles.Value(h.GameTitle), was.GameTitle)
	return rec
}

// references lists who refers to the entities of one kind.
func (r *ref) references(kind string) map[model.EntityID]int {
	n := map[model.EntityID]int{}
	for _, rec := range r.List {
		var ids []model.EntityID
		if g := rec.Game; g != nil {
			ids = map[string][]model.EntityID{
				"player": {g.White, g.Black}, "tournament": {g.Tournament}, "annotator": {g.Annotator},
				"source": {g.Source}, "team": {g.WhiteTeam, g.BlackTeam}, "title": {g.GameTitle},
			}[kind]
		} else {
			t := rec.Text
			ids = map[string][]model.EntityID{
				"tournament": {t.Tournament}, "annotator": {t.Annotator}, "source": {t.Source}, "title": {t.GameTitle},
			}[kind]
		}
		for _, id := range ids {
			n[id]++
		}
	}
	return n
}

// sweep removes the entities that nothing refers to any more.
func sweep[T comparable](r *ref, kind string, table *model.Table[T], all bool) {
	used := r.references(kind)
	for id, s := range table.All() {
		if s.Deleted || used[id] > 0 {
			delete(r.idle, idle(kind, id, table))
			continue
		}
		if all || !r.idle[idle(kind, id, table)] {
			table.Delete(id)
			delete(r.idle, idle(kind, id, table))
		}
	}
}

// use notes which entities something refers to: they go with the last record that does.
func (r *ref) use() {
	for _, kind := range []string{"player", "tournament", "annotator", "source", "team", "title"} {
		for id := range r.references(kind) {
			delete(r.idle, fmt.Sprint(kind, " ", id))
		}
	}
}

// commit does what a commit does.
func (r *ref) commit(all bool) {
	sweep(r, "player", &r.Tables.Players, all)
	sweep(r, "tournament", &r.Tables.Tournaments, all)
	sweep(r, "annotator", &r.Tables.Annotators, all)
	sweep(r, "source", &r.Tables.Sources, all)
	sweep(r, "team", &r.Tables.Teams, all)
	sweep(r, "title", &r.Tables.GameTitles, all)
}

// bare returns a record without leftovers.
func bare(rec model.Record) model.Record {
	rec = rec.Clone()
	if rec.Game != nil {
		rec.Game.Leftovers = model.GameLeftovers{}
		for i := range rec.Game.Annotations {
			rec.Game.Annotations[i].Leftover = nil
		}
		return rec
	}
	rec.Text.Leftovers = model.TextLeftovers{}
	for _, list := range [][]model.LocalText{rec.Text.Titles, rec.Text.Contents} {
		for i := range list {
			list[i].Leftover = nil
		}
	}
	return rec
}

// made writes a database, trip.cbh, in memory.
func made(t *rapid.T, db *model.Database) *write.Memory {
	t.Helper()
	memory := write.NewMemory()
	sink := must.Get(write.Create(context.Background(), "trip.cbh", write.Options{In: memory, Now: clock, AcceptLosses: true}))(t)
	must.Do(t, model.Copy(context.Background(), sink, db, model.CopyOptions{}))
	return memory
}

// inMemory writes a database and reads it.
func inMemory(t *rapid.T, db *model.Database) *model.Database {
	t.Helper()
	in := must.Get(read.OpenFS(made(t, db), "trip.cbh", read.Options{}))(t)
	got, err := model.Load(context.Background(), in)
	must.Do(t, err, in.Close())
	return got
}

// pool returns records that the format holds as they are.
func pool(t *rapid.T, n int, titles bool) *model.Database {
	c := gen.Config{NoTags: true, NoHalfMoves: true, NameBytes: 12, TextBytes: 60, Records: n, Plies: 40}
	once := inMemory(t, gen.Database(c).Draw(t, "records to add"))
	plain := &model.Database{Tables: once.Tables.Clone()}
	for _, rec := range once.List {
		rec = bare(rec)
		if rec.Game != nil && !titles {
			rec.Game.GameTitle = model.NoEntity
		} else if !titles {
			rec.Text.GameTitle = model.NoEntity
		}
		plain.List = append(plain.List, rec)
	}
	again := inMemory(t, plain)
	kept := &model.Database{Tables: plain.Tables}
	for i, rec := range plain.List {
		if model.EqualRecords(rec, &plain.Tables, again.List[i], &again.Tables) {
			rec.ID = model.RecordID(len(kept.List) + 1)
			kept.List = append(kept.List, rec)
		}
	}
	return kept
}

// alone returns a record with tables of its own that have nothing but its entities, so
// that the numbers of two records mean different ones.
func alone(rec model.Record, from *model.Entities) (model.Record, *model.Entities) {
	own := &model.Entities{}
	rec = rec.Clone()
	if g := rec.Game; g != nil {
		g.White, g.Black = moved(g.White, &from.Players, &own.Players), moved(g.Black, &from.Players, &own.Players)
		g.Tournament, g.Annotator = moved(g.Tournament, &from.Tournaments, &own.Tournaments), moved(g.Annotator, &from.Annotators, &own.Annotators)
		g.Source, g.GameTitle = moved(g.Source, &from.Sources, &own.Sources), moved(g.GameTitle, &from.GameTitles, &own.GameTitles)
		g.WhiteTeam, g.BlackTeam = moved(g.WhiteTeam, &from.Teams, &own.Teams), moved(g.BlackTeam, &from.Teams, &own.Teams)
		return rec, own
	}
	g := rec.Text
	g.Tournament, g.Annotator = moved(g.Tournament, &from.Tournaments, &own.Tournaments), moved(g.Annotator, &from.Annotators, &own.Annotators)
	g.Source, g.GameTitle = moved(g.Source, &from.Sources, &own.Sources), moved(g.GameTitle, &from.GameTitles, &own.GameTitles)
	return rec, own
}

// moved returns the number that an entity gets in another table.
func moved[T comparable](id model.EntityID, from, to *model.Table[T]) model.EntityID {
	v, ok := from.Get(id)
	if !ok {
		return model.NoEntity
	}
	return to.Intern(v)
}

// state is a database under change, with its model.
type state struct {
	t         *rapid.T
	path      string
	page      string
	ed        *write.Editor
	committed *ref
	compared  *ref         // as of the last comparison,
	seen      fstest.MapFS // and the files then
	earlier   *ref         // what a crash can bring back, since the commit was not certain
	now       *ref
	pool      *model.Database
	before    []string                 // what check found at the beginning
	holes     [2]int64                 // by how much the counters of unused bytes were wrong then
	stale     map[*cbh.EntityFile]bool // files whose trees were in no order then
	different int64                    // records whose bytes did not come from their values then
	changes   int
	edits     int
	commits   int
	boosters  []string // endings of those that are there, and stay
	// beside are the neighbours in the folder. A database that is edited on a disk which can
	// crash has others there, near; the folder has what was on the disk when it was read last.
	beside, near *neighbours.Street
	disk         *crashfs.FS
}

func (s *state) open() {
	opt := write.EditOptions{Now: clock, Memory: rapid.SampledFrom([]int{1, 1 << 14, 1 << 20}).Draw(s.t, "memory"), CodePage: s.page}
	path := s.path
	if s.disk != nil {
		opt, path = opt.OnDisk(s.disk, clock), filepath.Base(path)
	}
	ed := must.Get(write.Edit(context.Background(), path, opt))(s.t)
	s.ed, s.now, s.earlier = ed, s.committed.clone(), nil
}

// must ends the test on an error.
func (s *state) must(what string, err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatalf("%s: %v", what, err)
	}
	s.changes++
}

func (s *state) record(label string) (model.RecordID, *model.Record, bool) {
	if len(s.now.List) == 0 {
		return 0, nil, false
	}
	i := rapid.IntRange(0, len(s.now.List)-1).Draw(s.t, label)
	return model.RecordID(i + 1), &s.now.List[i], true
}

func (s *state) fromPool(game bool) (model.Record, bool) {
	var list []model.Record
	for _, rec := range s.pool.List {
		if (rec.Game != nil) == game {
			list = append(list, rec)
		}
	}
	if len(list) == 0 {
		return model.Record{}, false
	}
	return rapid.SampledFrom(list).Draw(s.t, "from the pool"), true
}

func (s *state) append() {
	n := rapid.IntRange(1, 3).Draw(s.t, "to append")
	add := &model.Database{Tables: s.pool.Tables}
	for range n {
		if len(s.pool.List) == 0 {
			return
		}
		rec := rapid.SampledFrom(s.pool.List).Draw(s.t, "appended")
		rec.ID = model.RecordID(len(add.List) + 1)
		add.List = append(add.List, rec)
		now := s.now.mapRecord(rec, &s.pool.Tables, nil)
		now.ID = model.RecordID(len(s.now.List) + 1)
		s.now.List = append(s.now.List, now)
	}
	s.must("append", s.ed.Append(context.Background(), add, model.CopyOptions{}))
}

func (s *state) replace() {
	id, rec, ok := s.record("replaced")
	if !ok {
		return
	}
	by, ok := s.fromPool(rec.Game != nil)
	if !ok {
		return
	}
	by, own := alone(by, &s.pool.Tables)
	now := s.now.mapRecord(by, own, rec)
	now.ID, now.Deleted = id, rec.Deleted
	*rec = now
	s.must("replace", s.ed.Replace(id, by, own))
}

func (s *state) mark() {
	id, rec, ok := s.record("marked")
	if !ok {
		return
	}
	rec.Deleted = rapid.Bool().Draw(s.t, "deleted")
	if rec.Deleted {
		s.must("delete", s.ed.Delete(id))
	} else {
		s.must("undelete", s.ed.Undelete(id))
	}
}

func (s *state) setHeader() {
	id, rec, ok := s.record("whose header")
	if !ok {
		return
	}
	by, found := s.fromPool(rec.Game != nil)
	if !found {
		return
	}
	by, own := alone(by, &s.pool.Tables)
	if rec.Game == nil {
		by.Text.Titles, by.Text.Contents, by.Text.Media, by.Text.HTML = rec.Text.Titles, rec.Text.Contents, rec.Text.Media, rec.Text.HTML
		now := s.now.mapRecord(by, own, rec).Text
		t := rec.Text
		t.Tournament, t.Annotator, t.Source, t.GameTitle = now.Tournament, now.Annotator, now.Source, now.GameTitle
		t.Round, t.Subround = now.Round, now.Subround
		s.must("header of a text", s.ed.SetTextHeader(id, by.Text, own))
		return
	}
	h := by.Game.Header
	h.ECO = rec.Game.ECO // of Chess960 there is none
	h.Tags = rec.Game.Tags
	now := s.now.mapHeader(h, rec.Game.Header, own)
	rec.Game.Header = now
	s.must("header", s.ed.SetHeader(id, h, own))
}

func (s *state) setAnnotations() {
	id, rec, ok := s.record("annotated")
	by, found := s.fromPool(true)
	if !ok || rec.Game == nil || rec.Game.MovesErr != nil {
		return
	}
	var list []model.Annotation
	if found && rapid.Bool().Draw(s.t, "some") {
		for _, a := range by.Game.Annotations {
			if int(a.Node) < rec.Game.Moves.Len() {
				list = append(list, a)
			}
		}
	}
	rec.Game.Annotations = list
	rec.Game.AnnotationsErr, rec.Game.Leftovers.Annotations = nil, nil
	s.must("annotations", s.ed.SetAnnotations(id, list))
}

// changeEntity renames, merges or inserts entities of one kind.
func changeEntity[T comparable](s *state, kind string, table *model.Table[T], x *write.EntityEditor[T], from *model.Table[T]) {
	var live []model.EntityID
	var none T
	for id, slot := range table.All() {
		if !slot.Deleted && (kind != "title" || slot.Value != none) { // no title is the empty one or none
			live = append(live, id)
		}
	}
	if len(live) == 0 || from.Len() == 0 {
		return
	}
	id := rapid.SampledFrom(live).Draw(s.t, kind)
	// Numbers may differ: entities are found by their values, which repeat only
	// in real databases.
	here, err := x.Find(table.Value(id))
	if first, _ := table.Find(table.Value(id)); err != nil || here == model.NoEntity || first != id {
		if err != nil || here == model.NoEntity {
			s.t.Fatalf("%s %v: %v, %v", kind, table.Value(id), here, err)
		}
		return
	}
	if got, err := x.Value(here); err != nil || got != table.Value(id) {
		return // a tournament of the same key comes first
	}
	switch rapid.SampledFrom([]string{"change", "merge", "insert"}).Draw(s.t, "what") {
	case "change":
		v := from.Value(model.EntityID(rapid.IntRange(0, from.Len()-1).Draw(s.t, "value")))
		twin := must.Get(x.Find(v))(s.t)
		err := x.Change(here, v)
		if twin != model.NoEntity && twin != here {
			if !errors.Is(err, fs.ErrExist) {
				s.t.Fatalf("%s %v changed to one that is there: %v", kind, v, err)
			}
			return
		}
		s.must("change "+kind, err)
		table.Set(id, v)
	case "merge":
		other := rapid.SampledFrom(live).Draw(s.t, "into")
		if other == id || table.Value(other) == table.Value(id) {
			return
		}
		into, err := x.Find(table.Value(other))
		if got, _ := x.Value(into); err != nil || into == model.NoEntity || into == here || got != table.Value(other) {
			return
		}
		s.must("merge "+kind, x.Merge(here, into))
		s.now.merge(kind, id, other)
		table.Delete(id)
		delete(s.now.idle, idle(kind, id, table))
	case "insert":
		v := from.Value(model.EntityID(rapid.IntRange(0, from.Len()-1).Draw(s.t, "value")))
		twin, err := x.Find(v)
		if err != nil || twin != model.NoEntity {
			return
		}
		_, err = x.Insert(v)
		s.must("insert "+kind, err)
		s.now.idle[idle(kind, table.Append(model.Slot[T]{Value: v}), table)] = true
	}
}

// merge makes records refer to another entity.
func (r *ref) merge(kind string, from, into model.EntityID) {
	change := func(ids ...*model.EntityID) {
		for _, id := range ids {
			if *id == from {
				*id = into
			}
		}
	}
	for _, rec := range r.List {
		if g := rec.Game; g != nil {
			switch kind {
			case "player":
				change(&g.White, &g.Black)
			case "tournament":
				change(&g.Tournament)
			case "annotator":
				change(&g.Annotator)
			case "source":
				change(&g.Source)
			case "team":
				change(&g.WhiteTeam, &g.BlackTeam)
			case "title":
				change(&g.GameTitle)
			}
			continue
		}
		t := rec.Text
		switch kind {
		case "tournament":
			change(&t.Tournament)
		case "annotator":
			change(&t.Annotator)
		case "source":
			change(&t.Source)
		case "title":
			change(&t.GameTitle)
		}
	}
}

func (s *state) entities() {
	n, p := &s.now.Tables, &s.pool.Tables
	switch rapid.SampledFrom([]string{"player", "tournament", "annotator", "source", "team", "title"}).Draw(s.t, "kind") {
	case "player":
		changeEntity(s, "player", &n.Players, s.ed.Players(), &p.Players)
	case "tournament":
		changeEntity(s, "tournament", &n.Tournaments, s.ed.Tournaments(), &p.Tournaments)
	case "annotator":
		changeEntity(s, "annotator", &n.Annotators, s.ed.Annotators(), &p.Annotators)
	case "source":
		changeEntity(s, "source", &n.Sources, s.ed.Sources(), &p.Sources)
	case "team":
		changeEntity(s, "team", &n.Teams, s.ed.Teams(), &p.Teams)
	case "title":
		changeEntity(s, "title", &n.GameTitles, s.ed.GameTitles(), &p.GameTitles)
	}
}

func (s *state) removeUnused() {
	_, err := s.ed.RemoveUnused()
	s.must("remove unused", err)
	s.now.commit(true)
}

func (s *state) commitAll() {
	s.commits++
	s.must("commit", s.ed.Commit())
	s.earlier = nil
	s.now.commit(false)
	s.committed = s.now.clone()
	s.compare()
}

func (s *state) rollback() {
	s.must("rollback", s.ed.Rollback())
	s.now = s.committed.clone()
}

func (s *state) reopen() {
	s.must("close", s.ed.Close())
	s.open()
	s.compare()
}

// compare reads the database and compares it with the model, unless both are what they were
// the last time.
func (s *state) compare() {
	s.t.Helper()
	own, path := s.own(), filepath.Base(s.path)
	same := func(a, b *fstest.MapFile) bool { return a.ModTime.Equal(b.ModTime) && bytes.Equal(a.Data, b.Data) }
	if s.compared == s.committed && maps.EqualFunc(s.seen, own, same) {
		return
	}
	s.compared, s.seen = s.committed, own
	got := s.load(own)
	if !model.Equal(&s.committed.Database, got) {
		s.t.Fatalf("after %d changes:\n%s", s.changes, difference(&s.committed.Database, got))
	}
	sameEntities(s.t, "player", &s.committed.Tables.Players, &got.Tables.Players)
	sameEntities(s.t, "tournament", &s.committed.Tables.Tournaments, &got.Tables.Tournaments)
	sameEntities(s.t, "annotator", &s.committed.Tables.Annotators, &got.Tables.Annotators)
	sameEntities(s.t, "source", &s.committed.Tables.Sources, &got.Tables.Sources)
	sameEntities(s.t, "team", &s.committed.Tables.Teams, &got.Tables.Teams)
	s.compareBoosters(own)
	made := check.Database(context.Background(), path, check.Options{CodePage: s.page, Jobs: 1, FS: own})
	for f, err := range made.Findings() {
		if err != nil {
			break // Summary has it
		}
		// Entities that were inserted for nobody are there on purpose.
		if !slices.Contains(s.before, f.String()) && f.Severity == check.Error && f.Code != "unused-entity" {
			s.t.Errorf("after %d changes: %s", s.changes, f)
		}
	}
	must.Get(made.Summary())(s.t)
	db := stored(s.t, own, path)
	defer db.Close()
	if holes := wrongHoles(s.t, db); holes != s.holes {
		s.t.Errorf("after %d changes: the counters of unused bytes are wrong by %d, at the beginning by %d", s.changes, holes, s.holes)
	}
	for _, kind := range cbh.EntityFiles {
		if !isAVL(s.t, db, kind) && !s.stale[kind] {
			s.t.Errorf("after %d changes: %s: no AVL tree", s.changes, kind.Ext)
		}
	}
}

// stored opens the records of a database in a file system.
func stored(t *rapid.T, files fs.FS, name string) *cbhdb.DB {
	set := must.Get(read.FindFilesFS(files, name))(t)
	return cbhdb.New(cbhdb.FilesOf(set))
}

// wrongHoles returns by how much the .cbg and .cba files count more bytes as unused
// than lie between and behind their records.
func wrongHoles(t *rapid.T, db *cbhdb.DB) (wrong [2]int64) {
	r := must.Get(db.Reader(1 << 16))(t)
	var used [2][]cbhdb.Extent
	for id := model.RecordID(1); id <= r.Count(); id++ {
		moves, annotations, err := r.Extents(id)
		if err != nil {
			t.Fatal(err)
		}
		used[0], used[1] = append(used[0], moves), append(used[1], annotations)
	}
	for i, b := range []*cbhdb.Blocks{r.Moves.Blocks, r.Annotations.Blocks} {
		slices.SortFunc(used[i], func(x, y cbhdb.Extent) int { return int(x.At - y.At) })
		between := b.Between()
		for _, x := range used[i] {
			if x.Size > 0 {
				between.Pass(x)
			}
		}
		wrong[i] = b.DeclaredHoles() - between.Holes - (b.Size() - between.End)
	}
	return wrong
}

// isAVL reports whether an entity file has a sound, balanced tree in one of the
// two orders.
func isAVL(t *rapid.T, db *cbhdb.DB, kind *cbh.EntityFile) bool {
	e := must.Get(db.Entities(kind))(t)
	if e == nil {
		return true
	}
	table := must.Get(e.Load())(t)
	faults, _ := table.Verify()
	return len(faults) == 0
}

// verified returns how many records' bytes do not come from their values, or do
// not decode.
func (s *state) verified(own fs.FS) int64 {
	r := must.Get(check.Verify(context.Background(), filepath.Base(s.path), check.Options{CodePage: s.page, Jobs: 1, FS: own}))(s.t)
	return r.Different() + r.Undecoded()
}

// compareBoosters compares the boosters with what they would be if they were made
// anew, and asks questions with them and without.
func (s *state) compareBoosters(own fs.FS) {
	s.t.Helper()
	look := check.BoosterStates
	if slices.Contains(s.boosters, ".cbb") || slices.Contains(s.boosters, posindex.Ext) {
		look = check.Boosters
	}
	list := must.Get(look(context.Background(), filepath.Base(s.path), check.Options{CodePage: s.page, Jobs: 1, FS: own}))(s.t)
	for _, b := range list {
		there := b.State != check.BoosterMissing && b.State != check.BoosterInapplicable
		if there != slices.Contains(s.boosters, filepath.Ext(b.File)) || there && b.State != check.BoosterValid {
			s.t.Fatalf("after %d changes: %s: %s, %v", s.changes, b.File, b.State, b.Findings)
		}
		for _, f := range b.Findings {
			if f.Code == "booster-unsealed" || f.Code == "booster-count" && !slices.ContainsFunc(s.before, func(old string) bool { return strings.Contains(old, "booster-count") }) {
				s.t.Fatalf("after %d changes: %v", s.changes, f)
			}
		}
	}
	if len(s.boosters) > 0 {
		s.ask(own)
	}
}

// ask asks questions with boosters and without.
func (s *state) ask(own fs.FS) {
	s.t.Helper()
	var both [2]*search.Searcher
	for i := range both {
		both[i] = must.Get(search.Open(filepath.Base(s.path), search.Options{NoBoosters: i == 1, Jobs: 1, CodePage: s.page, FS: own}))(s.t)
		defer both[i].Close()
	}
	name := "nobody"
	if n := s.committed.Tables.Players.Len(); n > 0 {
		name = s.committed.Tables.Players.Value(model.EntityID(n - 1)).String()
	}
	player, err := search.Term("player", cmp.Or(name, "nobody"))
	s.must("a question", err)
	team, err := search.Term("team", "?*")
	s.must("a question", err)
	pieces, err := search.Parse("piece:Ne4 or piece:pd5 or piece:Qd4")
	s.must("a question", err)
	titled, err := search.Parse("tournament:*a*")
	s.must("a question", err)
	from, err := search.Parse("source:a*")
	s.must("a question", err)
	annotated, err := search.Parse("annotator:*")
	s.must("a question", err)
	for _, c := range []search.Condition{
		player, titled, from, annotated,
		search.Reached(board.Start()), team, search.Not(player), pieces, search.Not(pieces),
	} {
		var ids [2][]model.RecordID
		for i, searcher := range both {
			result := must.Get(searcher.Find(context.Background(), c))(s.t)
			ids[i] = result.IDs
		}
		if !slices.Equal(ids[0], ids[1]) {
			s.t.Fatalf("after %d changes, %v: %v, without boosters %v", s.changes, c, ids[0], ids[1])
		}
	}
}

// sameEntities compares the values of all live entities.
func sameEntities[T comparable](t *rapid.T, kind string, want, got *model.Table[T]) {
	t.Helper()
	for v, n := range missing(want, got) {
		t.Fatalf("%s %v: %d times too few", kind, v, n)
	}
}

// unpack puts a database into the machine's folder, in the place of the one that is there.
func unpack(t *rapid.T, memory *write.Memory, path string, beside *neighbours.Street) {
	t.Helper()
	s := &state{t: t, path: path, beside: beside, seen: fstest.MapFS{}}
	err := fs.WalkDir(memory, ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		info, err := e.Info()
		b, read := fs.ReadFile(memory, name)
		if err := errors.Join(err, read); err != nil {
			return err
		}
		s.seen[name] = &fstest.MapFile{Data: b, Mode: 0o600, ModTime: info.ModTime()}
		return nil
	})
	s.must("start", err)
	s.lay(s.seen)
}

// begin makes a state of a database that is there, to be edited in its folder or on a disk
// that can crash.
func begin(t *rapid.T, path, page string, records *model.Database, beside *neighbours.Street, onDisk bool) *state {
	s := &state{t: t, path: path, page: page, pool: records, beside: beside}
	own, name := s.own(), filepath.Base(path)
	loaded := s.load(own)
	s.keepApart(&loaded.Tables)
	s.committed = &ref{Database: *loaded, idle: map[string]bool{}}
	remember(s.committed, "player", &loaded.Tables.Players)
	remember(s.committed, "tournament", &loaded.Tables.Tournaments)
	remember(s.committed, "annotator", &loaded.Tables.Annotators)
	remember(s.committed, "source", &loaded.Tables.Sources)
	remember(s.committed, "team", &loaded.Tables.Teams)
	remember(s.committed, "title", &loaded.Tables.GameTitles)
	made := check.Database(context.Background(), name, check.Options{CodePage: page, Jobs: 1, FS: own})
	for f, err := range made.Findings() {
		if err != nil {
			break // Summary has it
		}
		s.before = append(s.before, f.String())
	}
	must.Get(made.Summary())(t)
	rows := stored(t, own, name)
	defer rows.Close()
	s.holes, s.different, s.stale = wrongHoles(t, rows), s.verified(own), map[*cbh.EntityFile]bool{}
	for _, kind := range cbh.EntityFiles {
		s.stale[kind] = !isAVL(t, rows, kind)
	}
	for _, ext := range append(write.BoosterExts(), posindex.Ext) {
		if own[strings.TrimSuffix(name, ".cbh")+ext] != nil {
			s.boosters = append(s.boosters, ext)
		}
	}
	if onDisk {
		s.toDisk(own)
	}
	s.open()
	return s
}

// keepApart gives other titles to the tournaments and sources of the pool which have
// the key of one of the database and say something else: they would become one, with
// losses, as TestNamesOfOneKeyBecomeOne has it.
func (s *state) keepApart(tables *model.Entities) {
	for id, v := range s.pool.Tables.Tournaments.Live() {
		for _, other := range tables.Tournaments.Live() {
			if v != other && v.Title == other.Title && v.Place == other.Place && v.Start == other.Start {
				v.Title = fmt.Sprint("apart ", id)
				s.pool.Tables.Tournaments.Set(id, v)
			}
		}
	}
	for id, v := range s.pool.Tables.Sources.Live() {
		for _, other := range tables.Sources.Live() {
			if v != other && v.Title == other.Title {
				v.Title = fmt.Sprint("apart ", id)
				s.pool.Tables.Sources.Set(id, v)
			}
		}
	}
}

// remember notes the entities that nothing refers to from the beginning.
func remember[T comparable](r *ref, kind string, table *model.Table[T]) {
	used := r.references(kind)
	for id, s := range table.All() {
		if !s.Deleted && used[id] == 0 {
			r.idle[idle(kind, id, table)] = true
		}
	}
}

// edit makes a random change, if what it takes is there.
func (s *state) edit() {
	before := s.changes
	switch rapid.SampledFrom([]string{
		"append", "append", "replace", "replace", "replace", "mark", "header", "header", "annotations", "annotations",
		"entities", "entities", "unused",
	}).Draw(s.t, "edit") {
	case "append":
		s.append()
	case "replace":
		s.replace()
	case "mark":
		s.mark()
	case "header":
		s.setHeader()
	case "annotations":
		s.setAnnotations()
	case "entities":
		s.entities()
	case "unused":
		s.removeUnused()
	}
	if s.changes > before {
		s.edits++
	}
	s.now.use()
}

// play makes random changes, on a disk that can crash if it has one.
func (s *state) play(steps int) {
	choice := []string{"edit", "edit", "edit", "edit", "edit", "edit", "commit", "rollback", "reopen"}
	if s.disk != nil {
		choice = append(choice, "edit", "edit", "fail", "fail", "crash", "crash", "compact", "purge", "repair", "boosters")
	}
	for range rapid.IntRange(1, steps).Draw(s.t, "steps") {
		switch rapid.SampledFrom(choice).Draw(s.t, "step") {
		case "edit":
			s.edit()
		case "commit":
			s.commitAll()
		case "rollback":
			s.rollback()
		case "reopen":
			s.reopen()
			s.now = s.committed.clone()
		case "fail":
			s.fail()
		case "crash":
			s.crash()
		case "compact":
			s.compact()
		case "purge":
			s.purge()
		case "repair":
			s.repair()
		case "boosters":
			s.changeBoosters()
		}
	}
	s.end()
}

// end commits what is left, and closes the database.
func (s *state) end() {
	s.commitAll()
	s.must("close", s.ed.Close())
	if n := s.verified(s.own()); n > s.different {
		s.t.Errorf("verify: %d records differ, %d did before", n, s.different)
	}
}

// Random scripts of all operations, on generated databases: after every commit the
// database is what a plain model says, and check finds nothing; after a call that failed
// in a commit, or a crash there, it is what it was before or what it was to become.
func TestEditScripts(t *testing.T) {
	room, fewest := posindex.MostChanged, posindex.FewestSummarized
	defer func() { posindex.MostChanged, posindex.FewestSummarized = room, fewest }()
	posindex.FewestSummarized = 1
	dir := gen.Folder(t)
	near := neighbours.Lay(t, filepath.Join(dir, "trip.cbh"), true)
	rapid.Check(seeds.Brief(t), func(t *rapid.T) {
		c := gen.Config{NoTags: true, NoHalfMoves: true, NameBytes: 12, TextBytes: 60, Records: 8, Plies: 40}
		records := pool(t, 8, true)
		memory := made(t, gen.Database(c).Draw(t, "database"))
		path := filepath.Join(dir, "trip.cbh")
		if rapid.Bool().Draw(t, "with boosters") {
			must.Get(write.Boosters(context.Background(), "trip.cbh", write.BoosterOptions{Jobs: 1, Memory: 1 << 16, In: memory}))(t)
		}
		if rapid.Bool().Draw(t, "with an index") {
			posindex.MostChanged = rapid.SampledFrom([]int64{0, 500, 8000, room}).Draw(t, "room for changes")
			must.Get(write.Boosters(context.Background(), "trip.cbh", write.BoosterOptions{Jobs: 1, Memory: 1 << 16, Positions: 6, In: memory}))(t)
		}
		unpack(t, memory, path, near)
		s := begin(t, path, "", records, near, rapid.Bool().Draw(t, "on a disk that can crash"))
		defer func() { _ = s.ed.Close() }()
		s.play(25)
	})
	near.Check(t, dir)
}

var realScripts = flag.Int("edit.real", 10, "`number` of random scripts on each real database; of large ones it is a tenth")

// The same on copies of real databases, with the search boosters that they have or with
// all, but for what renumbers records: findings that were there before name them.
func TestEditScriptsOnRealDatabases(t *testing.T) {
	for _, base := range []struct {
		name, page string
		titles     bool // its records have room for game titles
		steps      int
	}{
		{"hedgehog", "1251", false, 15}, {"mate2", "", true, 15}, {"small", "", false, 40}, {"cbh_test", "", true, 40},
		{"cbh_cbj_test", "", true, 40}, {"twic1134", "", true, 6},
	} {
		t.Run(base.name, func(outer *testing.T) {
			t := outer
			from := corpus.Path(t, "cbh/"+base.name)
			dir := gen.Folder(t)
			n, runs := 0, *realScripts
			if base.name == "twic1134" {
				runs = max(runs/10, 1) // it is large
			}
			if testing.Short() {
				if runs = 1; base.name == "hedgehog" || base.name == "twic1134" {
					t.Skip("it is larger")
				}
			}
			rapid.Check(seeds.Brief(t), func(t *rapid.T) {
				if n++; n > runs {
					return // reading a real database again and again takes its time
				}
				records := pool(t, 8, base.titles)
				sub := filepath.Join(dir, fmt.Sprint(n))
				must.Do(t, os.CopyFS(sub, os.DirFS(from)))
				list, err := filepath.Glob(filepath.Join(sub, "*.cbh"))
				if err != nil || len(list) != 1 {
					t.Fatal(list, err)
				}
				if _, err := os.Stat(strings.TrimSuffix(list[0], ".cbh") + ".cbj"); err != nil {
					complete(t, list[0])
				}
				if rapid.Bool().Draw(t, "with boosters") {
					must.Get(write.Boosters(context.Background(), list[0], write.BoosterOptions{Jobs: 1}))(t)
				}
				near := neighbours.Lay(outer, list[0], true)
				s := begin(t, list[0], base.page, records, near, false)
				defer func() { _ = s.ed.Close() }()
				s.play(base.steps)
				if wrong := near.Wrong(sub); wrong != "" {
					t.Fatal(wrong)
				}
			})
		})
	}
}

// complete adds a game to a database without a .cbj file, which it gets by that; teams
// to which the file that is gone referred go too, of which the model knows nothing; so
// may details of a source without a title, which the game has not.
func complete(t *rapid.T, path string) {
	ed := must.Get(write.Edit(context.Background(), path, write.EditOptions{Now: clock, AcceptLosses: true}))(t)
	must.Do(t, appendAll(ed, oneGame("Nobody")))
	must.Do(t, errors.Join(ed.Commit(), ed.Close()))
}
