package search_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"flag"
	"fmt"
	"hash/crc32"
	"math/bits"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"cbkit/board"
	"cbkit/internal/testkit/bulk"
	"cbkit/internal/testkit/corpus"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/internal/testkit/seeds"
	"cbkit/model"
	"cbkit/read"
	"cbkit/search"
	"cbkit/write"

	"pgregory.net/rapid"
)

var positionQuestions = flag.Int("positions", 300, "how many positions are looked up with and without the index")

// indexEnding is that of the index of positions.
const indexEnding = ".cbkit-positions"

// positionsOf returns the positions of a game's main line.
func positionsOf(g *model.Game) (list []board.Position) {
	if g == nil || g.MovesErr != nil {
		return nil
	}
	p, err := board.New(g.Start)
	if err != nil {
		return nil
	}
	list = append(list, p)
	for _, n := range g.Moves.Nodes()[:g.Moves.MainLen()] {
		p.Make(n.Move)
		list = append(list, p)
	}
	return list
}

// diagram is what counts of a position.
type diagram struct {
	board [64]model.Piece
	turn  model.Color
}

func diagramOf(p *board.Position) diagram {
	is := p.Model()
	return diagram{is.Board, is.Turn}
}

// known are the games that reach each position, with the plies before it the first time.
type known map[diagram]map[model.RecordID]int

func knownOf(db *model.Database) known {
	k := known{}
	for _, rec := range db.List {
		for ply, p := range positionsOf(rec.Game) {
			d := diagramOf(&p)
			if k[d] == nil {
				k[d] = map[model.RecordID]int{}
			}
			if _, before := k[d][rec.ID]; !before {
				k[d][rec.ID] = ply
			}
		}
	}
	return k
}

// mixedDatabase is a database of games with openings in common, of games from set-up and
// Chess960 positions, of texts between them, and of deleted ones.
func mixedDatabase(t *rapid.T) *model.Database {
	games := must.Get(model.Load(context.Background(), bulk.New(bulk.Options{Games: 250, Annotated: 20, Seed: rapid.Uint64().Draw(t, "seed")})))(t)
	db := &model.Database{Tables: games.Tables}
	config := gen.Config{NoTags: true, NoHalfMoves: true, Plies: 90, TextBytes: 10}
	for i, rec := range games.List {
		switch {
		case i%4 == 0:
			db.AddGame(gen.Game(config, &db.Tables).Draw(t, "game"))
		case i%23 == 0:
			db.AddText(gen.GuidingText(config, &db.Tables).Draw(t, "text"))
		}
		rec.ID = 0
		db.AddGame(rec.Game)
		db.List[len(db.List)-1].Deleted = i%11 == 0
	}
	return db
}

// A drawn position is one of a game's, or comes by a move that nobody played there.
func drawnPosition(r *rand.Rand, db *model.Database) (board.Position, bool) {
	list := positionsOf(db.List[r.IntN(len(db.List))].Game)
	if len(list) == 0 {
		return board.Position{}, false
	}
	p := list[r.IntN(len(list))]
	if r.IntN(8) == 0 {
		if legal := p.AppendLegal(nil); len(legal) > 0 {
			p.Make(legal[r.IntN(len(legal))])
		}
	}
	return p, true
}

// askPositions compares answers with the index, without it, and those of a plain look at
// every game.
func askPositions(t *testing.T, path string, db *model.Database, r *rand.Rand, questions int) {
	with, err := search.Open(path, search.Options{Warn: func(err error) {
		if !strings.Contains(err.Error(), "third word of the set-up") { // a word of a .2cbh that is told wherever it is read
			t.Error(err)
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer with.Close()
	without := must.Get(search.Open(path, search.Options{NoBoosters: true}))(t)
	defer without.Close()
	ctx := context.Background()
	found, used, games := 0, 0, knownOf(db)
	for asked := 0; asked < questions; asked++ {
		p, ok := drawnPosition(r, db)
		if !ok {
			continue
		}
		reached := games[diagramOf(&p)]
		condition, naive := search.Reached(p), func(rec *model.Record) bool { _, is := reached[rec.ID]; return is }
		switch r.IntN(6) {
		case 0:
			condition = search.And(condition, search.Not(search.Deleted()))
			only := naive
			naive = func(rec *model.Record) bool { return only(rec) && !rec.Deleted }
		case 1:
			condition = search.Not(condition)
			not := naive
			naive = func(rec *model.Record) bool { return !not(rec) }
		case 2:
			q, _ := drawnPosition(r, db)
			condition = search.Or(condition, search.Reached(q))
			one, others := naive, games[diagramOf(&q)]
			naive = func(rec *model.Record) bool { _, is := others[rec.ID]; return is || one(rec) }
		case 3:
			last := r.IntN(60)
			condition = must.Get(search.During(0, last, condition))(t)
			naive = func(rec *model.Record) bool {
				ply, is := reached[rec.ID]
				return is && (ply <= last || last == 0)
			}
		}
		if deep, err := search.InVariations(condition); err == nil && r.IntN(8) == 0 {
			if a, b := finds(t, with, deep), finds(t, without, deep); !slices.Equal(a, b) {
				t.Fatalf("%v: %v, want %v", deep, a, b)
			}
		}
		var want []model.RecordID
		for i := range db.List {
			if naive(&db.List[i]) {
				want = append(want, db.List[i].ID)
			}
		}
		found += len(want)
		for _, s := range []*search.Searcher{with, without} {
			all, err := s.Find(ctx, condition)
			if err != nil || !slices.Equal(all.IDs, want) || all.More {
				t.Fatalf("%v: %v, want %v, %v\n%v", condition, all.IDs, want, err, all.Plan)
			}
			used += strings.Count(strings.Join(all.Plan.Boosters, " "), indexEnding)
			n, err := s.Count(ctx, condition)
			if err != nil || len(n.IDs) != len(want) {
				t.Fatalf("%v: %d, want %d, %v\n%v", condition, len(n.IDs), len(want), err, n.Plan)
			}
			limit := 1 + r.IntN(30)
			first, err := s.First(ctx, condition, limit)
			if err != nil || !slices.Equal(first.IDs, want[:min(limit, len(want))]) || first.More != (len(first.IDs) == limit) {
				t.Fatalf("first %d of %v: %v, want %v, %v\n%v", limit, condition, first.IDs, want, err, first.Plan)
			}
		}
	}
	askStructures(t, with, without, db, r, questions/2)
	if used == 0 && questions > 0 {
		t.Error("the index was never used")
	}
	t.Logf("%d questions, %d records found, the index used %d times", questions, found, used)
}

// askStructures compares answers about material and pawns with and without the index.
func askStructures(t *testing.T, with, without *search.Searcher, db *model.Database, r *rand.Rand, questions int) {
	found, used := 0, 0
	for range questions {
		p, ok := drawnPosition(r, db)
		if !ok {
			continue
		}
		m := must.Get(search.ParseMaterial(materialText(&p, r)))(t)
		c := [...]func() search.Condition{
			func() search.Condition { return search.Pawns(p) },
			func() search.Condition { return search.Material(m, 1+r.IntN(2)*r.IntN(4)) },
			func() search.Condition { return search.MaterialAtEnd(m) },
			func() search.Condition { return search.Or(search.Material(m, 1), search.MaterialAtEnd(m)) },
			func() search.Condition { return search.Not(search.Pawns(p)) },
			func() search.Condition { return search.And(search.Material(m, 1), search.Pawns(p)) },
		}[r.IntN(6)]()
		if limited, err := search.During(r.IntN(20), r.IntN(80), c); err == nil && r.IntN(4) == 0 {
			c = limited
		}
		want := finds(t, without, c)
		all, err := with.Find(context.Background(), c)
		if err != nil || !slices.Equal(all.IDs, want) {
			t.Fatalf("%v: %v, want %v, %v\n%v", c, all.IDs, want, err, all.Plan)
		}
		n, err := with.Count(context.Background(), c)
		if err != nil || len(n.IDs) != len(want) {
			t.Fatalf("%v: %d, want %d, %v\n%v", c, len(n.IDs), len(want), err, n.Plan)
		}
		found += len(want)
		used += strings.Count(strings.Join(all.Plan.Boosters, " "), indexEnding)
	}
	t.Logf("%d questions about structures, %d records found, the index used %d times", questions, found, used)
}

// materialText is what is on the board, with more of some kinds or any number of them.
func materialText(p *board.Position, r *rand.Rand) string {
	var b strings.Builder
	for c := range model.Color(2) {
		b.WriteString([...]string{"K", "-K"}[c])
		for t := model.Pawn; t < model.King; t++ {
			letter, n := t.Letter(), bits.OnesCount64(p.Pieces(c, t))
			switch {
			case r.IntN(8) == 0:
				fmt.Fprintf(&b, "[%c]", letter)
			case n > 0:
				b.WriteString(strings.Repeat(string(letter), n))
				if r.IntN(8) == 0 {
					b.WriteByte('+')
				}
			}
		}
	}
	return b.String()
}

// finds returns what is found.
func finds(t *testing.T, s *search.Searcher, c search.Condition) []model.RecordID {
	t.Helper()
	r := must.Get(s.Find(context.Background(), c))(t)
	return r.IDs
}

// makeIndex makes the index of positions.
func makeIndex(t testing.TB, path string, plies int) {
	t.Helper()
	must.Get(write.Boosters(context.Background(), path, write.BoosterOptions{Positions: plies, Structures: plies%2 == 0, Memory: 1}))(t)
}

// Answers with the index are those without.
func TestPositionIndexNeverChangesAnAnswer(t *testing.T) {
	questions := *positionQuestions / 5
	if testing.Short() {
		questions /= 10
	} else if !seeds.InCI {
		questions /= 2
	}
	for seed, plies := range []int{1, 6, 15, 40, 300} {
		if testing.Short() && seed%2 == 0 {
			continue
		}
		db := rapid.Custom(mixedDatabase).Example(seed)
		path, _ := store(t, db)
		for _, path := range []string{path, beside(t, path, load(t, path))} {
			makeIndex(t, path, plies)
			askPositions(t, path, load(t, path), rand.New(rand.NewPCG(uint64(seed), 7)), questions)
		}
	}
}

// beside writes a database of ChessBase 17 beside a .cbh and by its name.
func beside(t testing.TB, path string, db *model.Database) string {
	t.Helper()
	files := must.Get(gen.ChessBase2(context.Background(), db))(t)
	for name, f := range files {
		must.Do(t, os.WriteFile(strings.TrimSuffix(path, ".cbh")+filepath.Ext(name), f.Data, 0o644))
	}
	return strings.TrimSuffix(path, ".cbh") + ".2cbh"
}

// copied copies the files of a database into a folder of its own.
func copied(t testing.TB, path string) string {
	t.Helper()
	set := must.Get(read.FindFiles(path))(t)
	folder := gen.Folder(t)
	for _, ext := range set.Endings() {
		b := must.Get(os.ReadFile(set.Path(ext)))(t)
		must.Do(t, os.WriteFile(filepath.Join(folder, set.Name(ext)), b, 0o644))
	}
	return filepath.Join(folder, filepath.Base(path))
}

// It is so on real databases.
func TestPositionIndexOfRealDatabases(t *testing.T) {
	questions := *positionQuestions / 50
	if testing.Short() {
		questions /= 3
	}
	for seed, name := range []string{"cbh/hedgehog/Hedgehog.cbh", "cbh/twic1134/twic1134.cbh"} {
		if testing.Short() && seed == 1 {
			break // it is large
		}
		path := copied(t, corpus.Path(t, name))
		makeIndex(t, path, 12+10*seed)
		db := must.Get(read.Open(path, read.Options{}))(t)
		all, err := model.Load(context.Background(), db)
		db.Close()
		if err != nil {
			t.Fatal(err)
		}
		askPositions(t, path, all, rand.New(rand.NewPCG(uint64(seed), 8)), questions)
	}
}

// An index that is damaged, or was made of another state or another database, is not used,
// and one line says so.
func TestPositionIndexThatDoesNotFit(t *testing.T) {
	db, other := rapid.Custom(mixedDatabase).Example(3), rapid.Custom(mixedDatabase).Example(4)
	path, _ := store(t, db)
	foreign, _ := store(t, other)
	stem := strings.TrimSuffix(path, ".cbh")
	newer := beside(t, path, load(t, path))
	makeIndex(t, path, 20)
	before := must.Get(os.ReadFile(stem + indexEnding))(t)
	makeIndex(t, newer, 20)
	if now, err := os.ReadFile(stem + indexEnding); err != nil || !bytes.Equal(now, before) {
		t.Errorf("the index of one database of a name was changed by the other: %v", err)
	}
	misfits(t, path, stem+indexEnding, foreign, stem+indexEnding+"2")
	misfits(t, newer, stem+indexEnding+"2", beside(t, foreign, other), stem+indexEnding)
}

// misfits puts in the place of an index what is none of its database: that of another
// database, or of the one of the same name, and damaged ones.
func misfits(t *testing.T, path, name, other, twin string) {
	makeIndex(t, other, 20)
	sound := must.Get(os.ReadFile(name))(t)
	foreign := must.Get(os.ReadFile(strings.TrimSuffix(other, filepath.Ext(other)) + strings.TrimPrefix(name, strings.TrimSuffix(path, filepath.Ext(path)))))(t)
	twins := must.Get(os.ReadFile(twin))(t)
	flipped := slices.Clone(sound)
	for at := 4096; at+2000 < len(flipped); at += 4096 {
		flipped[at+2000] ^= 1
	}
	older := slices.Clone(sound)
	older[20] = 2 // the version before, docs/formats/positions.md 2
	binary.LittleEndian.PutUint32(older[16:], crc32.Checksum(older[20:4096], crc32.MakeTable(crc32.Castagnoli)))
	p := board.Start()
	ask := func() (warned []string, used bool) {
		result := find(t, path, search.Reached(p), search.Options{Warn: func(err error) { warned = append(warned, err.Error()) }})
		if want := find(t, path, search.Reached(p), search.Options{NoBoosters: true}); !slices.Equal(result.IDs, want.IDs) {
			t.Errorf("%v, want %v", result.IDs, want.IDs)
		}
		return warned, slices.Contains(result.Plan.Boosters, filepath.Base(name))
	}
	for what, content := range map[string][]byte{
		"foreign": foreign, "that of the other of its name": twins, "older": older, "flipped": flipped, "cut": sound[:len(sound)-1], "empty": nil, "garbage": []byte("cbkit positions\nx"),
	} {
		must.Do(t, os.WriteFile(name, content, 0o644))
		warned, used := ask()
		if used || len(warned) != 1 || !strings.Contains(warned[0], filepath.Base(name)) ||
			!strings.Contains(warned[0], "cbkit boosters --positions") || strings.Contains(warned[0], "\n") {
			t.Errorf("%s: used %v, told %q", what, used, warned)
		}
	}
	must.Do(t, os.WriteFile(name, sound, 0o644))
	if warned, used := ask(); !used || warned != nil {
		t.Errorf("sound: used %v, told %q", used, warned)
	}
	at := time.Now().Add(time.Hour)
	must.Do(t, os.Chtimes(path, at, at))
	if warned, used := ask(); used || len(warned) != 1 || !strings.Contains(warned[0], "another time of change") {
		t.Errorf("touched: used %v, told %q", used, warned)
	}
}
