package search_test

import (
	"context"
	"errors"
	"hash/crc32"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"cbkit/internal/booster"
	"cbkit/internal/cbhdb"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/model"
	"cbkit/read"
	"cbkit/search"
	"cbkit/write"

	"pgregory.net/rapid"
)

// names are what the players, teams and so on of generated databases are
// called: alike enough for patterns to find several.
var names = []string{"Carlsen", "carlson", "Caruana", "CARO", "Çelik", "Čech", "Ünal", "Xu", "x", "?", "Ca", "van Foreest", "Car"}

// drawDatabase draws a database with few names.
func drawDatabase(t *rapid.T, records int) *model.Database {
	db := &model.Database{}
	name := rapid.SampledFrom(names)
	for range rapid.IntRange(1, 8).Draw(t, "players") {
		db.Tables.Players.Intern(model.Player{LastName: name.Draw(t, "last"), FirstName: rapid.SampledFrom([]string{"", "Magnus", "M"}).Draw(t, "first")})
	}
	for range rapid.IntRange(1, 6).Draw(t, "others") {
		db.Tables.Tournaments.Intern(model.Tournament{
			Place: name.Draw(t, "place"), Title: name.Draw(t, "tournament"), Start: model.Date{Year: rapid.SampledFrom([]uint16{0, 1990, 2012, 2013}).Draw(t, "year")},
			Type: rapid.SampledFrom([]model.EventType{{}, {System: model.Swiss}, {Blitz: true}, {Rapid: true}, {Correspondence: true, System: model.Match}}).Draw(t, "type"),
		})
		db.Tables.Annotators.Intern(model.Annotator{Name: name.Draw(t, "annotator")})
		db.Tables.Sources.Intern(model.Publication{Title: name.Draw(t, "source")})
		db.Tables.Teams.Intern(model.Team{Title: name.Draw(t, "team")})
		db.Tables.GameTitles.Intern(model.GameTitle{Titles: [8]string{name.Draw(t, "title"), name.Draw(t, "Titel")}})
	}
	config := gen.Config{NoTags: true, NoHalfMoves: true, Plies: 30, TextBytes: 10}
	for range records {
		if rapid.IntRange(0, 9).Draw(t, "text") == 9 {
			db.AddText(gen.GuidingText(config, &db.Tables).Draw(t, "text"))
		} else {
			g := gen.Game(config, &db.Tables).Draw(t, "game")
			drawTold(t, g)
			db.AddGame(g)
		}
		db.List[len(db.List)-1].Deleted = rapid.IntRange(0, 5).Draw(t, "deleted") == 5
	}
	return db
}

// store writes a database with boosters and returns what is in the files.
func store(t testing.TB, db *model.Database) (path string, files map[string][]byte) {
	t.Helper()
	path = filepath.Join(gen.Folder(t), "db.cbh")
	sink := must.Get(write.Create(context.Background(), path, write.Options{AcceptLosses: true}))(t)
	must.Do(t, model.Copy(context.Background(), sink, db, model.CopyOptions{}))
	must.Get(write.Boosters(context.Background(), path, write.BoosterOptions{}))(t)
	files = map[string][]byte{}
	for _, ext := range write.BoosterExts() {
		name := strings.TrimSuffix(path, ".cbh") + ext
		b := must.Get(os.ReadFile(name))(t)
		must.Do(t, setTime(name, b))
		files[ext] = b
	}
	set := must.Get(read.FindFiles(path))(t)
	seal := must.Get(booster.SealOf(cbhdb.FilesOf(set), booster.SealedFiles[:]))(t)
	files[booster.SealExt] = seal.Append(nil)
	return path, files
}

// setTime gives a file a change time that follows from its content, so that seals
// fit what is the same again.
func setTime(name string, content []byte) error {
	changed := time.Unix(int64(crc32.ChecksumIEEE(content)), 0)
	return os.Chtimes(name, changed, changed)
}

var boosterFiles = append(write.BoosterExts(), ".cbkit")

// Random questions have the same answer with all boosters, without any, and
// with whatever is made of them; and it is the answer of a plain look at every
// record.
func TestBoostersNeverChangeAnAnswer(t *testing.T) {
	used := map[string]int{}
	for seed := range 6 {
		pair := rapid.Custom(func(t *rapid.T) [2]*model.Database {
			db := drawDatabase(t, rapid.IntRange(0, 45).Draw(t, "records"))
			return [2]*model.Database{db, changed(t, db)}
		}).Example(seed)
		path, files := store(t, pair[0])
		_, stale := store(t, pair[1])
		stored := load(t, path)
		// A few records are enough to make the usual thresholds meaningless.
		rapid.Check(t, func(t *rapid.T) {
			q := drawQuestion(t, stored, 2)
			want := answer(stored, q)
			damaged := damage(t, files, stale)
			putFiles(t, path, damaged)
			for _, opt := range []search.Options{{NoBoosters: true}, {Jobs: 1}} {
				result := find(t, path, q.condition, opt)
				if !slices.Equal(result.IDs, want) {
					t.Fatalf("%v\n%+v: %v, want %v\n%v", q.condition, opt, result.IDs, want, result.Plan)
				}
				for _, name := range result.Plan.Boosters {
					used[filepath.Ext(name)]++
				}
			}
			if got := selected(t, stored, q.condition); !slices.Equal(got, want) {
				t.Fatalf("%v, record by record: %v, want %v", q.condition, got, want)
			}
			again, err := search.Parse(q.condition.String())
			if err != nil || again.String() != q.condition.String() {
				t.Fatalf("%v was read as %v, %v", q.condition, again, err)
			}
		})
	}
	t.Logf("boosters used: %v", used)
}

// changed is another state of a database: some records are others, some are
// missing or new.
func changed(t *rapid.T, db *model.Database) *model.Database {
	other := &model.Database{Tables: db.Tables.Clone()}
	for _, rec := range db.List {
		switch rapid.IntRange(0, 9).Draw(t, "change") {
		case 0:
			if rec.Game != nil {
				rec.Game = gen.Game(gen.Config{NoTags: true, NoHalfMoves: true, Plies: 10}, &other.Tables).Draw(t, "game")
			}
		case 1:
			continue
		}
		rec = rec.Clone()
		rec.ID = model.RecordID(len(other.List) + 1)
		other.List = append(other.List, rec)
	}
	return other
}

// damage makes something else of the boosters: some are cut, missing, changed
// or those of the database in another state.
func damage(t *rapid.T, files, stale map[string][]byte) map[string][]byte {
	result := maps.Clone(files)
	if rapid.Bool().Draw(t, "sound") {
		return result
	}
	if rapid.IntRange(0, 4).Draw(t, "all stale") == 4 {
		return maps.Clone(stale)
	}
	for _, ext := range boosterFiles {
		b := files[ext]
		switch rapid.IntRange(0, 7).Draw(t, ext) {
		case 3:
			delete(result, ext)
		case 4:
			result[ext] = b[:rapid.IntRange(0, len(b)).Draw(t, "cut")]
		case 5:
			result[ext] = stale[ext]
		case 6:
			b = slices.Clone(b)
			for range rapid.IntRange(1, 4).Draw(t, "changes") {
				at := rapid.IntRange(0, min(len(b), 4096)-1).Draw(t, "at")
				b[at] = rapid.OneOf(rapid.Byte(), rapid.SampledFrom([]byte{0, 1, 2, 0xFF, b[at] + 1, b[at] ^ 1})).Draw(t, "byte")
			}
			result[ext] = b
		case 7:
			result[ext] = rapid.SliceOfN(rapid.Byte(), 0, 200).Draw(t, "garbage")
		}
	}
	return result
}

// putFiles makes the given boosters those of a database.
func putFiles(t *rapid.T, path string, files map[string][]byte) {
	for _, ext := range boosterFiles {
		name := strings.TrimSuffix(path, ".cbh") + ext
		b, ok := files[ext]
		var err error
		if ok {
			err = errors.Join(os.WriteFile(name, b, 0o644), setTime(name, b))
		} else if err = os.Remove(name); os.IsNotExist(err) {
			err = nil
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

func find(t must.TB, path string, c search.Condition, opt search.Options) search.Result {
	t.Helper()
	s := must.Get(search.Open(path, opt))(t)
	defer s.Close()
	return must.Get(s.Find(context.Background(), c))(t)
}

// selected judges the records of a source one by one.
func selected(t *rapid.T, src model.Source, c search.Condition) (ids []model.RecordID) {
	s := must.Get(search.Select(src, c))(t)
	for rec := range must.All(t, s.Records(context.Background(), 1, model.WantHeaders)) {
		ids = append(ids, rec.ID)
	}
	return ids
}

// load reads a database as it was stored.
func load(t testing.TB, path string) *model.Database {
	t.Helper()
	db := must.Get(read.Open(path, read.Options{}))(t)
	defer db.Close()
	return must.Get(model.Load(context.Background(), db))(t)
}

// answer looks at every record.
func answer(db *model.Database, q question) []model.RecordID {
	var ids []model.RecordID
	for _, rec := range db.List {
		if q.naive(rec) {
			ids = append(ids, rec.ID)
		}
	}
	return ids
}
