package write_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cbkit/avl"
	"cbkit/board"
	"cbkit/internal/cbh"
	"cbkit/internal/testkit/corpus"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/model"
	"cbkit/write"
)

// shuffle returns a game of so many plies in which knights go to and fro.
func shuffle(white, black string, plies int) (*model.Database, *model.Game) {
	db := &model.Database{}
	g := &model.Game{Header: model.NewHeader()}
	g.White = db.Tables.Players.Intern(model.Player{LastName: white})
	g.Black = db.Tables.Players.Intern(model.Player{LastName: black})
	moves := [4]model.Move{
		model.NewMove(model.G1, model.F3), model.NewMove(model.G8, model.F6),
		model.NewMove(model.F3, model.G1), model.NewMove(model.F6, model.G8),
	}
	for i := range plies {
		g.Moves.Append(moves[i%4])
	}
	db.AddGame(g)
	return db, g
}

// games returns a database of games with so many plies each.
func games(plies ...int) *model.Database {
	db := &model.Database{}
	for i, n := range plies {
		_, g := shuffle("", "", n)
		g.White = db.Tables.Players.Intern(model.Player{LastName: fmt.Sprint("White ", i+1)})
		g.Black = db.Tables.Players.Intern(model.Player{LastName: "Black"})
		g.Tournament = db.Tables.Tournaments.Intern(model.Tournament{Title: "Match", Start: model.Date{Year: 1990}})
		db.AddGame(g)
	}
	return db
}

// comments returns so many annotations for the first move of a game.
func comment(n int, text string) []model.Annotation {
	list := make([]model.Annotation, 0, n)
	for i := range n {
		list = append(list, model.Annotation{Node: int32(i), Value: model.Text{Text: text}})
	}
	return list
}

// blockHead reads the header of a .cbg or .cba file.
func blockHead(t testing.TB, path, ext string) cbh.BlockHeader {
	t.Helper()
	return must.Get(cbh.DecodeBlockHeader([]byte(filesOf(t, path)[ext])))(t)
}

// copyOf copies a real database.
func copyOf(t testing.TB, name string) string {
	t.Helper()
	dir := gen.Folder(t)
	must.Do(t, os.CopyFS(dir, os.DirFS(corpus.Path(t, "cbh/"+name))))
	list, err := filepath.Glob(filepath.Join(dir, "*.cbh"))
	if err != nil || len(list) != 1 {
		t.Fatal(list, err)
	}
	return list[0]
}

// Ten mixed operations give the same games however they are cut into three
// transactions.
func TestEditInAnyNumberOfTransactions(t *testing.T) {
	start := games(10, 20, 30, 40)
	operations := []func(ed *write.Editor) error{
		func(ed *write.Editor) error {
			return ed.Append(context.Background(), games(12, 14), model.CopyOptions{})
		},
		func(ed *write.Editor) error { return replaceBy(ed, 1, 60) },
		func(ed *write.Editor) error { return rename(ed, "White 2", "Renamed") },
		func(ed *write.Editor) error { return ed.Delete(3) },
		func(ed *write.Editor) error { return ed.SetAnnotations(2, comment(5, "good")) },
		func(ed *write.Editor) error { return merge(ed, "White 4", "Renamed") },
		func(ed *write.Editor) error { return ed.Undelete(3) },
		func(ed *write.Editor) error { return replaceBy(ed, 6, 3) },
		func(ed *write.Editor) error { return ed.SetAnnotations(1, comment(2, "better")) },
		func(ed *write.Editor) error { return ed.Append(context.Background(), games(5), model.CopyOptions{}) },
	}
	var want *model.Database
	for first := 1; first < len(operations)-1; first++ {
		for second := first + 1; second < len(operations); second++ {
			if testing.Short() && (3*first+second)%7 > 0 {
				continue
			}
			path := create(t, start, write.Options{})
			ed := edit(t, path)
			for i, do := range operations {
				if i == first || i == second {
					must.Do(t, ed.Commit())
				}
				must.Do(t, do(ed))
			}
			commit(t, ed)
			sound(t, path)
			got := load(t, path)
			if want == nil {
				want = got
			}
			if !model.Equal(want, got) {
				t.Errorf("cut before %d and %d: %s", first, second, difference(want, got))
			}
		}
	}
}

// replaceBy replaces a game by one of so many plies of the same players.
func replaceBy(ed *write.Editor, id model.RecordID, plies int) error {
	old, err := ed.Game(id)
	if err != nil {
		return err
	}
	_, g := shuffle("", "", plies)
	g.Header = old.Header
	return ed.Replace(id, model.Record{Game: g}, nil)
}

// player finds a player by the last name.
func player(ed *write.Editor, name string) (model.EntityID, error) {
	id, err := ed.Players().Find(model.Player{LastName: name})
	if err == nil && id == model.NoEntity {
		err = fmt.Errorf("there is no %s", name)
	}
	return id, err
}

func rename(ed *write.Editor, from, to string) error {
	id, err := player(ed, from)
	if err != nil {
		return err
	}
	return ed.Players().Change(id, model.Player{LastName: to})
}

func merge(ed *write.Editor, from, into string) error {
	a, err := player(ed, from)
	if err != nil {
		return err
	}
	b, err := player(ed, into)
	if err != nil {
		return err
	}
	return ed.Players().Merge(a, b)
}

// A second editor is refused when it opens, and leaves nothing behind; so is any
// other writer.
func TestEditSecondEditorIsRefused(t *testing.T) {
	path := create(t, games(4), write.Options{})
	ed := edit(t, path)
	before := filesOf(t, path)
	if _, err := write.Edit(context.Background(), path, write.EditOptions{}); !errors.Is(err, model.ErrLocked) {
		t.Errorf("a second editor: %v", err)
	}
	if after := filesOf(t, path); len(before) != len(after) {
		t.Errorf("%d files became %d", len(before), len(after))
	}
	must.Do(t, ed.Close())
	must.Do(t, edit(t, path).Close())
}

// A rollback, and a Close without a commit, leave every file as it was; a commit
// after a rollback works.
func TestEditRollback(t *testing.T) {
	path := create(t, games(4, 6, 8), write.Options{})
	before := filesOf(t, path)
	ed := edit(t, path)
	change := func() {
		must.Do(t, ed.Append(context.Background(), games(10), model.CopyOptions{}), ed.Delete(1), replaceBy(ed, 2, 100),
			rename(ed, "White 3", "Third"), ed.SetAnnotations(3, comment(3, "x")))
	}
	change()
	must.Do(t, ed.Rollback())
	change()
	must.Do(t, ed.Close())
	if after := filesOf(t, path); !equalFiles(before, after) {
		t.Error("something was changed")
	}
	ed = edit(t, path)
	change()
	must.Do(t, ed.Rollback(), ed.Delete(2))
	commit(t, ed)
	sound(t, path)
	want := games(4, 6, 8)
	want.List[1].Deleted = true
	if got := load(t, path); !model.Equal(want, got) {
		t.Error(difference(want, got))
	}
}

func equalFiles(a, b map[string]string) bool {
	if len(a) != len(b) {
		return false
	}
	for ext := range a {
		if a[ext] != b[ext] {
			return false
		}
	}
	return true
}

// A rename is seen by games that the same transaction adds later.
func TestEditRenameIsSeenByLaterGames(t *testing.T) {
	path := create(t, games(4), write.Options{})
	ed := edit(t, path)
	must.Do(t, rename(ed, "White 1", "New"))
	add, _ := shuffle("New", "White 1", 3)
	must.Do(t, ed.Append(context.Background(), add, model.CopyOptions{}))
	commit(t, ed)
	sound(t, path)
	db := load(t, path)
	if db.List[1].Game.White != db.List[0].Game.White || db.Tables.Players.Value(db.List[1].Game.Black).LastName != "White 1" {
		t.Errorf("%v", db.Tables.Players)
	}
}

// An entity that is named by its number must be alive, and be there.
func TestEditDeadEntityIsAnError(t *testing.T) {
	path := create(t, games(4, 4), write.Options{})
	ed := edit(t, path)
	must.Do(t, merge(ed, "White 2", "White 1"), ed.Commit())
	h, err := ed.Header(1)
	must.Do(t, err)
	for _, id := range []model.EntityID{2, 77} { // 2 was White 2
		h.White = id
		if err := ed.SetHeader(1, h, nil); !errors.Is(err, model.ErrNoRecord) {
			t.Errorf("player %d: %v", id, err)
		}
		if err := ed.Players().Change(id, model.Player{LastName: "x"}); !errors.Is(err, model.ErrNoRecord) {
			t.Errorf("changing player %d: %v", id, err)
		}
	}
	for _, id := range []model.RecordID{0, 3, -1} {
		if err := ed.Delete(id); !errors.Is(err, model.ErrNoRecord) {
			t.Errorf("record %d: %v", id, err)
		}
	}
	// What was asked for in vain does not cost the rest.
	must.Do(t, ed.Delete(1))
	commit(t, ed)
	sound(t, path)
}

// The hole counter is exact under a thousand random replacements.
func TestEditHolesAreCounted(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	plies := make([]int, 40)
	for i := range plies {
		plies[i] = 1 + r.IntN(60)
	}
	path := create(t, games(plies...), write.Options{})
	ed := edit(t, path)
	for i := range 1000 {
		must.Do(t, replaceBy(ed, model.RecordID(1+r.IntN(len(plies))), 1+r.IntN(60)))
		if r.IntN(4) == 0 {
			must.Do(t, ed.SetAnnotations(model.RecordID(1+r.IntN(len(plies))), comment(min(r.IntN(3), 1), strings.Repeat("x", r.IntN(50)+1))))
		}
		if i%20 == 19 {
			must.Do(t, ed.Commit())
		}
	}
	commit(t, ed)
	sound(t, path) // a wrong counter is a finding
	if h := blockHead(t, path, ".cbg"); h.Unused == 0 {
		t.Error("no holes came")
	}
}

// A game that is replaced twice in one transaction counts once, and one that came
// with the transaction wastes nothing.
func TestEditReplacedTwice(t *testing.T) {
	path := create(t, games(40, 40), write.Options{})
	ed := edit(t, path)
	must.Do(t, replaceBy(ed, 1, 10), replaceBy(ed, 1, 30))
	must.Do(t, ed.Append(context.Background(), games(50, 50), model.CopyOptions{}))
	must.Do(t, replaceBy(ed, 3, 5), replaceBy(ed, 4, 7), replaceBy(ed, 3, 70), replaceBy(ed, 3, 2))
	must.Do(t, ed.SetAnnotations(3, comment(1, "long text")), ed.SetAnnotations(4, comment(1, "y")), ed.SetAnnotations(3, nil))
	commit(t, ed)
	sound(t, path)
	if h := blockHead(t, path, ".cbg"); h.Unused != 10 || int(h.FileSize) != 26+45+45+7+12 {
		t.Errorf("%+v", h)
	}
	if h := blockHead(t, path, ".cba"); h.Unused != 0 {
		t.Errorf("%+v", h)
	}
}

// A record that grows moves all later ones, and what says where they are.
func TestEditGrowthMovesWhatFollows(t *testing.T) {
	start := games(20, 20, 20, 20, 20)
	for i := range start.List {
		start.List[i].Game.Annotations = comment(2, fmt.Sprint("game ", i+1))
	}
	for what, change := range map[string]func(ed *write.Editor) error{
		"150 moves": func(ed *write.Editor) error { return replaceBy(ed, 2, 300) },
		"8000 annotations": func(ed *write.Editor) error {
			return errors.Join(replaceBy(ed, 2, 8000), ed.SetAnnotations(2, comment(8000, "x")))
		},
		"more than is copied at once": func(ed *write.Editor) error {
			return errors.Join(replaceBy(ed, 1, 300_000), replaceBy(ed, 3, 500_000))
		},
		"annotations of one game": func(ed *write.Editor) error {
			return ed.SetAnnotations(1, comment(1, strings.Repeat("x", 60_000)))
		},
	} {
		path := create(t, start, write.Options{})
		must.Get(write.Boosters(context.Background(), path, write.BoosterOptions{Files: []string{"cbgi"}}))(t)
		old := load(t, path)
		ed := edit(t, path)
		must.Do(t, change(ed))
		want := map[model.RecordID]*model.Game{}
		for id := model.RecordID(1); id <= 5; id++ {
			g, err := ed.Game(id)
			must.Do(t, err)
			want[id] = g
		}
		result := func() write.EditResult { r := commit(t, ed); return r }()
		if result.BytesMoved == 0 || len(result.DroppedBoosters) > 0 {
			t.Errorf("%s: %+v", what, result)
		}
		sound(t, path)
		got := load(t, path)
		for i, rec := range got.List {
			g := want[rec.ID]
			if !slices.Equal(g.Moves.Nodes(), rec.Game.Moves.Nodes()) || len(g.Annotations) != len(rec.Game.Annotations) {
				t.Errorf("%s: game %d", what, rec.ID)
			}
			if rec.ID > 3 && !model.EqualRecords(old.List[i], &old.Tables, rec, &got.Tables) {
				t.Errorf("%s: game %d has changed", what, rec.ID)
			}
		}
		if _, there := filesOf(t, path)[".cbgi"]; !there {
			t.Errorf("%s: the .cbgi file is gone", what)
		}
	}
}

// A hundred random changes keep the bytes of every other record.
func TestEditKeepsOtherRecords(t *testing.T) {
	path := copyOf(t, "hedgehog")
	r := rand.New(rand.NewPCG(2, 2))
	before := withoutHoles(findings(t, path))
	difference := func() int64 {
		return int64(blockHead(t, path, ".cbg").Unused) - holesBetween(t, path)
	}
	was := difference()
	for round := range 10 {
		if testing.Short() && round == 2 {
			break
		}
		stored := storedRecords(t, path)
		ed := edit(t, path)
		changed := map[int]bool{}
		for range 10 {
			id := 1 + r.IntN(len(stored))
			if stored[id-1].text {
				continue
			}
			changed[id] = true
			if r.IntN(2) == 0 {
				must.Do(t, replaceBy(ed, model.RecordID(id), r.IntN(400)))
			} else {
				must.Do(t, ed.SetAnnotations(model.RecordID(id), comment(1, strings.Repeat("x", 1+r.IntN(3000)))))
			}
		}
		commit(t, ed)
		for i, now := range storedRecords(t, path) {
			if !changed[i+1] && (now.moves != stored[i].moves || now.annotations != stored[i].annotations || now.head != stored[i].head || now.ext != stored[i].ext) {
				t.Fatalf("record %d has changed", i+1)
			}
		}
	}
	for _, f := range withoutHoles(findings(t, path)) {
		if !slices.Contains(before, f) {
			t.Error(f)
		}
	}
	// The counter was wrong, and is wrong by as much.
	if now := difference(); now != was || was == 0 {
		t.Errorf("the counter of holes was wrong by %d, and is by %d", was, now)
	}
}

// withoutHoles leaves out what is said of hole counters and code pages.
func withoutHoles(list []string) []string {
	return slices.DeleteFunc(list, func(f string) bool {
		return strings.Contains(f, "unused bytes") || strings.Contains(f, "code page")
	})
}

// holesBetween counts the bytes of a .cbg file that belong to no record.
func holesBetween(t *testing.T, path string) int64 {
	holes := int64(len(filesOf(t, path)[".cbg"])) - int64(blockHead(t, path, ".cbg").Size)
	for _, rec := range storedRecords(t, path) {
		holes -= int64(len(rec.moves))
	}
	return holes
}

// storedBytes are the bytes of a record, places apart.
type storedBytes struct {
	text                          bool
	head, ext, moves, annotations string
}

func storedRecords(t *testing.T, path string) (list []storedBytes) {
	t.Helper()
	files := filesOf(t, path)
	be := binary.BigEndian
	headers, moves, annotations := []byte(files[".cbh"]), []byte(files[".cbg"]), []byte(files[".cba"])
	var extensions []byte
	size := 0
	if x := []byte(files[".cbj"]); len(x) > 32 {
		size, extensions = int(binary.LittleEndian.Uint32(x[4:])), x[32:]
	}
	for at := 46; at+46 <= len(headers); at += 46 {
		head := bytes.Clone(headers[at : at+46])
		s := storedBytes{text: head[0]&2 != 0}
		m := be.Uint32(head[1:])
		s.moves = string(moves[m : m+be.Uint32(moves[m:])&0xFFFFFF])
		clear(head[1:5])
		if n := be.Uint32(head[5:]); n != 0 && !s.text {
			s.annotations = string(annotations[n : n+be.Uint32(annotations[n+10:])])
			clear(head[5:9])
		}
		s.head = string(head)
		if i := len(list) * size; size > 0 && i+size <= len(extensions) {
			ext := bytes.Clone(extensions[i : i+size])
			clear(ext[12:20]) // places, and the sum of one
			clear(ext[28:38])
			s.ext = string(ext)
		}
		list = append(list, s)
	}
	return list
}

// Files with headers of 10 bytes keep them.
func TestEditKeepsShortHeaders(t *testing.T) {
	path := copyOf(t, "mate2")
	before := findings(t, path)
	ed := edit(t, path)
	must.Do(t, replaceBy(ed, 1, 200), ed.SetAnnotations(2, comment(1, strings.Repeat("x", 500))),
		ed.Append(context.Background(), games(10), model.CopyOptions{}))
	commit(t, ed)
	sound(t, path, before...)
	for _, ext := range []string{".cbg", ".cba"} {
		if h := blockHead(t, path, ext); h.Size != cbh.OldBlockHeaderSize || int(h.FileSize) != len(filesOf(t, path)[ext]) {
			t.Errorf("%s: %+v", ext, h)
		}
	}
	head, err := cbh.DecodeFileHeader([]byte(filesOf(t, path)[".cbh"]))
	if err != nil || head.Used != cbh.UsedOld || head.Next != 9 || head.NextAgain != 0 {
		t.Errorf("%+v, %v", head, err)
	}
}

// Annotations that are taken away and given back in one transaction are where
// they were.
func TestEditAnnotationsGivenBack(t *testing.T) {
	start := games(10, 10, 10)
	for i := range start.List {
		start.List[i].Game.Annotations = comment(3, fmt.Sprint(i))
	}
	path := create(t, start, write.Options{})
	before := filesOf(t, path)[".cba"]
	ed := edit(t, path)
	must.Do(t, ed.SetAnnotations(2, nil), ed.SetAnnotations(2, start.List[1].Game.Annotations))
	commit(t, ed)
	sound(t, path)
	if after := filesOf(t, path)[".cba"]; after != before {
		t.Error("the file has changed")
	}
}

// Annotations of a game that had none go before those of the next game that has
// some, in whatever order games come, and behind all where no later game has
// any. The head of each record names its game.
func TestEditFirstAnnotationsOfGames(t *testing.T) {
	for _, c := range []struct {
		have, get []int
	}{
		{[]int{1, 5}, []int{3}}, {[]int{1, 5}, []int{2, 3}}, {[]int{1, 5}, []int{3, 2}}, {[]int{1, 5}, []int{4, 2, 3}},
		{[]int{1}, []int{3}}, {[]int{1}, []int{5, 4}}, {nil, []int{2}}, {nil, []int{1, 2, 3, 4, 5}}, {[]int{5}, []int{1}},
	} {
		start := games(10, 10, 10, 10, 10)
		for _, id := range c.have {
			start.List[id-1].Game.Annotations = comment(1, fmt.Sprint("old ", id))
		}
		path := create(t, start, write.Options{})
		ed := edit(t, path)
		for _, id := range c.get {
			list := comment(1, fmt.Sprint("new ", id))
			start.List[id-1].Game.Annotations = list
			must.Do(t, ed.SetAnnotations(model.RecordID(id), list))
		}
		commit(t, ed)
		sound(t, path) // also of descending places, and of heads that name others
		got := load(t, path)
		if !model.Equal(start, got) {
			t.Errorf("%v get some, %v have some: %s", c.get, c.have, difference(start, got))
		}
		for i, rec := range storedRecords(t, path) {
			if rec.annotations != "" && rec.annotations[:3] != string([]byte{0, 0, byte(i + 1)}) {
				t.Errorf("annotations of game %d name % x", i+1, rec.annotations[:3])
			}
		}
	}
}

// A .cbj file that is missing, of version 8, or shorter than the number of games:
// the first edit that needs a record writes those before it, and the checksum is
// the sum of the words whatever the material.
func TestEditExtendedHeaders(t *testing.T) {
	for what, shorten := range map[string]func(files map[string][]byte){
		"missing":   func(files map[string][]byte) { delete(files, ".cbj") },
		"empty":     func(files map[string][]byte) { files[".cbj"] = setRecords(files[".cbj"][:32], 0) },
		"shorter":   func(files map[string][]byte) { files[".cbj"] = setRecords(files[".cbj"][:32+120], 1) },
		"version 8": func(files map[string][]byte) { files[".cbj"] = asVersion8(files[".cbj"]) },
	} {
		start := games(10, 11, 12)
		start.List[1].Game.Annotations = comment(2, "x")
		path := create(t, start, write.Options{})
		files := map[string][]byte{}
		for ext, b := range filesOf(t, path) {
			files[ext] = []byte(b)
		}
		shorten(files)
		for _, ext := range []string{".cbj", ".cbl"} { // old databases have no titles
			must.Do(t, os.Remove(sibling(path, ext)))
		}
		if b, ok := files[".cbj"]; ok {
			must.Do(t, os.WriteFile(sibling(path, ".cbj"), b, 0o666))
		}
		before := findings(t, path)
		ed := edit(t, path)
		must.Do(t, ed.Append(context.Background(), games(13), model.CopyOptions{}), replaceBy(ed, 2, 40))
		commit(t, ed)
		sound(t, path, before...)
		x := []byte(filesOf(t, path)[".cbj"])
		size := int(binary.LittleEndian.Uint32(x[4:]))
		if n := binary.LittleEndian.Uint32(x[8:]); n != 4 || len(x) != 32+4*size || what == "version 8" && size != 78 {
			t.Errorf("%s: %d records of %d bytes in %d", what, n, size, len(x))
		}
		for i := range 4 {
			ext := cbh.DecodeExtRecord(x[32+i*size : 32+(i+1)*size])
			if ext.Checksum != ext.Sum() {
				t.Errorf("%s: record %d has the sum %x, not %x", what, i+1, ext.Checksum, ext.Sum())
			}
		}
	}
}

func setRecords(b []byte, n uint32) []byte {
	binary.LittleEndian.PutUint32(b[8:], n)
	return b
}

// asVersion8 cuts the records of a .cbj file to the 78 bytes they had once.
func asVersion8(b []byte) []byte {
	out := bytes.Clone(b[:32])
	binary.LittleEndian.PutUint32(out, 8)
	binary.LittleEndian.PutUint32(out[4:], 78)
	for at := 32; at+120 <= len(b); at += 120 {
		out = append(out, b[at:at+78]...)
	}
	return out
}

// The material words keep the greater and the lesser side apart, the number of
// moves counts as ChessBase does where Black begins, and the number of a Chess960
// start goes into the header.
func TestEditDerivedNumbers(t *testing.T) {
	path := copyOf(t, "hedgehog")
	game := func(id int) cbh.GameRecord {
		r, err := cbh.DecodeGameRecord([]byte(filesOf(t, path)[".cbh"][46*id:]))
		must.Do(t, err)
		return r
	}
	stored := game(124)
	if stored.MoveCount != 39 {
		t.Fatalf("game 124 has %d moves", stored.MoveCount)
	}
	ed := edit(t, path)
	g, err := ed.Game(124)
	must.Do(t, err, ed.Replace(124, model.Record{Game: g}, nil))
	commit(t, ed)
	now := game(124)
	if now.MoveCount != 39 || now.Flags != stored.Flags || now.Magnitude != stored.Magnitude || now.Medals != stored.Medals {
		t.Errorf("%+v became %+v", stored, now)
	}

	path = create(t, games(4, 4), write.Options{})
	ed = edit(t, path)
	queenless := model.StartPosition()
	queenless.Board[model.D1] = model.NoPiece
	less := &model.Game{Header: model.NewHeader(), Start: &queenless}
	must.Do(t, ed.Replace(1, model.Record{Game: less}, nil))
	first := board.Chess960Start(0)
	fischer := &model.Game{Header: model.NewHeader(), Start: &first}
	must.Do(t, ed.Replace(2, model.Record{Game: fischer}, nil))
	commit(t, ed)
	sound(t, path)
	ext := cbh.DecodeExtRecord([]byte(filesOf(t, path)[".cbj"][32 : 32+120]))
	if ext.Material != [2]uint32{0x8292, 0x8092} {
		t.Errorf("material %x", ext.Material)
	}
	if r := game(2); r.Opening != 64576 || r.Flags&(1<<27) == 0 {
		t.Errorf("the header of the Chess960 game: %+v", r)
	}
}

// A guiding text among games becomes shorter, and longer than 60 kB.
func TestEditTextAmongGames(t *testing.T) {
	start := games(10, 10)
	text := model.NewGuidingText()
	text.Titles = []model.LocalText{{Text: "Title"}}
	text.Contents = []model.LocalText{{Text: "content"}}
	start.AddText(text)
	_, g := shuffle("", "", 9)
	g.White, g.Black = 0, 1
	start.AddGame(g)
	path := create(t, start, write.Options{})
	ed := edit(t, path)
	for _, content := range []string{"short", strings.Repeat("long ", 20_000), "c"} {
		text.Contents = []model.LocalText{{Text: content}}
		must.Do(t, ed.Replace(3, model.Record{Text: text}, start.Entities()), ed.Commit())
		sound(t, path)
		if got := load(t, path); !model.Equal(start, got) {
			t.Error(difference(start, got))
		}
	}
	if err := ed.Replace(3, model.Record{Game: g}, nil); err == nil {
		t.Error("a game took the place of a text")
	}
	if err := ed.Replace(1, model.Record{Text: text}, nil); err == nil {
		t.Error("a text took the place of a game")
	}
}

// The .flags file grows in steps of 256 games.
func TestEditMarksGrow(t *testing.T) {
	plies := make([]int, 250)
	path := create(t, games(plies...), write.Options{})
	marks := cbh.NewExamined(250)
	marks.Set(7, cbh.TopGame)
	must.Do(t, os.WriteFile(sibling(path, ".flags"), marks.Append(nil), 0o666))
	for _, c := range []struct{ add, words int }{{5, 16}, {1, 32}, {255, 32}, {1, 48}} {
		ed := edit(t, path)
		must.Do(t, ed.Append(context.Background(), games(make([]int, c.add)...), model.CopyOptions{}))
		commit(t, ed)
		sound(t, path)
		b := []byte(filesOf(t, path)[".flags"])
		now, err := cbh.DecodeExamined(b)
		if err != nil || int(now.Words) != c.words || len(b) != 12+4*c.words || now.Get(7) != cbh.TopGame {
			t.Errorf("%d more games: %d words in %d bytes, %v", c.add, now.Words, len(b), err)
		}
	}
}

// A .cbtt file of version 2 becomes one of version 3 when something is to be said
// that it has no room for.
func TestEditTournamentExtras(t *testing.T) {
	path := copyOf(t, "hedgehog")
	before := findings(t, path)
	old := load(t, path)
	ed := edit(t, path)
	tournament, err := ed.Tournaments().Value(9)
	must.Do(t, err)
	tournament.End = model.Date{Year: 2001, Month: 2, Day: 3}
	must.Do(t, ed.Tournaments().Change(9, tournament))
	result := func() write.EditResult { return commit(t, ed) }()
	if len(result.Once) == 0 {
		t.Error("nothing is said of the new version")
	}
	b := []byte(filesOf(t, path)[".cbtt"])
	if v, size := binary.LittleEndian.Uint32(b), binary.LittleEndian.Uint32(b[4:]); v != 3 || size != 65 || len(b) != 32+65*10 {
		t.Errorf("version %d, records of %d bytes, %d bytes", v, size, len(b))
	}
	sound(t, path, before...)
	got := load(t, path)
	for id, slot := range old.Tables.Tournaments.All() {
		if id == 9 {
			slot.Value.End = tournament.End
		}
		if got.Tables.Tournaments.Value(id) != slot.Value {
			t.Errorf("tournament %d: %+v, want %+v", id, got.Tables.Tournaments.Value(id), slot.Value)
		}
	}
}

// entityFile is an entity file, decoded.
type entityFile struct {
	cbh.EntityHeader
	links    []cbh.EntityLinks
	payloads [][]byte
}

func entitiesOf(t testing.TB, path, ext string, size int) (f entityFile) {
	t.Helper()
	b := []byte(filesOf(t, path)[ext])
	h, err := cbh.DecodeEntityHeader(b)
	must.Do(t, err)
	f.EntityHeader = h
	for b = b[h.Size():]; len(b) >= size+9; b = b[size+9:] {
		l, err := cbh.DecodeEntityLinks(b)
		must.Do(t, err)
		f.links, f.payloads = append(f.links, l), append(f.payloads, b[9:size+9])
	}
	return f
}

// An entity that loses its last reference goes: its record is free, and the next
// new entity takes it. One that nothing referred to before stays.
func TestEditUnreferencedEntities(t *testing.T) {
	path := create(t, games(4, 4), write.Options{})
	ed := edit(t, path)
	idle, err := ed.Players().Insert(model.Player{LastName: "Idle"})
	must.Do(t, err)
	commit(t, ed)
	players := func() entityFile { return entitiesOf(t, path, ".cbp", cbh.Players.Size) }
	if f := players(); f.Capacity != 4 || f.Live != 4 || f.FirstDeleted != -1 {
		t.Errorf("%+v", f.EntityHeader)
	}
	// White 2 is number 2. It goes with its game's header.
	ed = edit(t, path)
	h, err := ed.Header(2)
	must.Do(t, err)
	h.White = idle
	must.Do(t, ed.SetHeader(2, h, nil))
	commit(t, ed)
	sound(t, path)
	if f := players(); f.Capacity != 4 || f.Live != 3 || f.FirstDeleted != 2 || !f.links[2].IsDeleted() {
		t.Errorf("%+v", f.EntityHeader)
	}
	ed = edit(t, path)
	add, _ := shuffle("Next", "Black", 3)
	must.Do(t, ed.Append(context.Background(), add, model.CopyOptions{}))
	commit(t, ed)
	sound(t, path)
	if f := players(); f.Capacity != 4 || f.Live != 4 || f.FirstDeleted != -1 || !bytes.HasPrefix(f.payloads[2], []byte("Next\x00")) {
		t.Errorf("%+v", f.EntityHeader)
	}
	// One that comes and goes within a transaction leaves a free record.
	ed = edit(t, path)
	other, _ := shuffle("Guest", "Black", 3)
	must.Do(t, ed.Replace(1, other.List[0], other.Entities()))
	back, _ := shuffle("White 1", "Black", 3)
	must.Do(t, ed.Replace(1, back.List[0], back.Entities()))
	commit(t, ed)
	sound(t, path)
	if f := players(); f.Capacity != 5 || f.Live != 4 || f.FirstDeleted != 4 {
		t.Errorf("%+v", f.EntityHeader)
	}
}

// What is left of an entity that is inserted, named by a game and then by none does not
// depend on where commits are; one that nothing ever named stays.
func TestEditEntityOfOneTransaction(t *testing.T) {
	for _, commits := range []bool{false, true} {
		for _, used := range []bool{false, true} {
			path := create(t, games(4, 4), write.Options{})
			ed := edit(t, path)
			step := func(errs ...error) {
				must.Do(t, errs...)
				if commits {
					must.Do(t, ed.Commit())
				}
			}
			x := ed.Sources()
			id, err := x.Insert(model.Publication{Title: "Inserted"})
			step(err)
			if h, err := ed.Header(1); used {
				before := h.Source
				h.Source = id
				step(err, ed.SetHeader(1, h, nil))
				h.Source = before
				step(ed.SetHeader(1, h, nil))
			}
			commit(t, ed)
			if used {
				sound(t, path)
			}
			ed = edit(t, path)
			id, err = ed.Sources().Find(model.Publication{Title: "Inserted"})
			if must.Do(t, err, ed.Close()); (id == model.NoEntity) != used {
				t.Errorf("with commits %v, used %v: number %d", commits, used, id)
			}
		}
	}
}

// An entity that counts one reference where there are more does not go with that one:
// the lists of the boosters, sealed or not, tell who refers to it too.
func TestEditKeepsEntitiesInUse(t *testing.T) {
	for _, resealed := range []bool{false, true} {
		path := create(t, games(4, 4, 4), write.Options{})
		ed := edit(t, path)
		other, err := ed.Players().Insert(model.Player{LastName: "Other"})
		must.Do(t, err)
		commit(t, ed)
		boosters := func() {
			_, err := write.Boosters(t.Context(), path, write.BoosterOptions{})
			must.Do(t, err)
		}
		boosters()
		name := strings.TrimSuffix(path, ".cbh") + ".cbp"
		b, err := os.ReadFile(name)
		must.Do(t, err)
		const black = 1 // of all games
		end := cbh.EntityHeaderSize + int(binary.LittleEndian.Uint32(b[24:])) + (black+1)*cbh.Players.RecordSize()
		wrong := cbh.EntityUse{Count: 1, First: 2}
		wrong.Put(b[:end])
		must.Do(t, os.WriteFile(name, b, 0o644))
		if resealed {
			boosters()
		}
		ed = edit(t, path)
		h, err := ed.Header(2)
		must.Do(t, err)
		if h.Black != black {
			t.Fatal(h.Black)
		}
		h.Black = other
		must.Do(t, ed.SetHeader(2, h, nil))
		commit(t, ed)
		sound(t, path)
	}
}

// One player on both sides counts twice and is released twice; the first game of
// an entity moves to the next one that refers to it, also to one of the same
// transaction, with boosters and without.
func TestEditReferencesAndFirstGames(t *testing.T) {
	for _, boosters := range []bool{false, true} {
		start := &model.Database{}
		add := func(white, black string) {
			_, g := shuffle("", "", 4)
			g.White = start.Tables.Players.Intern(model.Player{LastName: white})
			g.Black = start.Tables.Players.Intern(model.Player{LastName: black})
			start.AddGame(g)
		}
		add("A", "A")
		add("B", "A")
		add("C", "B")
		path := create(t, start, write.Options{})
		if boosters {
			_, err := write.Boosters(context.Background(), path, write.BoosterOptions{})
			must.Do(t, err)
		}
		use := func(id int) cbh.EntityUse {
			return cbh.DecodeEntityUse(entitiesOf(t, path, ".cbp", cbh.Players.Size).payloads[id])
		}
		if got := use(0); got != (cbh.EntityUse{Count: 3, First: 1}) {
			t.Fatalf("%+v", got)
		}
		ed := edit(t, path)
		h, err := ed.Header(1)
		must.Do(t, err)
		h.White, h.Black = 2, 2
		must.Do(t, ed.SetHeader(1, h, nil))
		commit(t, ed)
		sound(t, path)
		if a, c := use(0), use(2); a != (cbh.EntityUse{Count: 1, First: 2}) || c != (cbh.EntityUse{Count: 3, First: 1}) {
			t.Errorf("boosters %v: A %+v, C %+v", boosters, a, c)
		}
		// B loses its first game, and a game of the same transaction is its next.
		ed = edit(t, path)
		h, err = ed.Header(2)
		must.Do(t, err)
		h.White = 0
		must.Do(t, ed.SetHeader(2, h, nil))
		if h, err = ed.Header(3); err == nil {
			h.Black = 0
			err = ed.SetHeader(3, h, nil)
		}
		must.Do(t, err)
		last := &model.Database{}
		_, g := shuffle("", "", 2)
		g.White, g.Black = last.Tables.Players.Intern(model.Player{LastName: "B"}), model.NoEntity
		last.AddGame(g)
		must.Do(t, ed.Append(context.Background(), last, model.CopyOptions{}))
		commit(t, ed)
		sound(t, path)
		if b := use(1); b != (cbh.EntityUse{Count: 1, First: 4}) {
			t.Errorf("boosters %v: B %+v", boosters, b)
		}
	}
}

// A tournament that is there keeps its data when a game brings more of it, which is a
// loss for that game.
func TestEditTournamentKeepsItsData(t *testing.T) {
	path := create(t, games(4), write.Options{})
	more := games(6)
	more.Tables.Tournaments.Set(0, model.Tournament{Title: "Match", Start: model.Date{Year: 1990}, Category: 20, Nation: 7, Latitude: 5})
	var losses []string
	ed, err := write.Edit(context.Background(), path, write.EditOptions{Now: clock, Report: func(l model.Loss) { losses = append(losses, fmt.Sprint(l.Record, " ", l.Field)) }})
	must.Do(t, err)
	must.Do(t, ed.Append(context.Background(), more, model.CopyOptions{}))
	commit(t, ed)
	slices.Sort(losses)
	if !slices.Equal(losses, []string{"2 tournament category", "2 tournament latitude", "2 tournament nation"}) {
		t.Errorf("losses: %q", losses)
	}
	sound(t, path)
	db := load(t, path)
	if db.Tables.Tournaments.Len() != 1 || db.Tables.Tournaments.Value(0).Category != 0 {
		t.Errorf("%+v", db.Tables.Tournaments)
	}
	ed = edit(t, path)
	must.Do(t, ed.Tournaments().Change(0, more.Tables.Tournaments.Value(0)))
	commit(t, ed)
	sound(t, path)
	if got := load(t, path).Tables.Tournaments.Value(0); got != more.Tables.Tournaments.Value(0) {
		t.Errorf("%+v", got)
	}
}

// A name that another entity has already is an error that points to merging.
func TestEditNameThatIsThere(t *testing.T) {
	path := create(t, games(4, 4), write.Options{})
	ed := edit(t, path)
	err := rename(ed, "White 1", "White 2")
	if !errors.Is(err, fs.ErrExist) || !strings.Contains(err.Error(), "merge") {
		t.Errorf("%v", err)
	}
	must.Do(t, merge(ed, "White 1", "White 2"))
	commit(t, ed)
	sound(t, path)
	if f := entitiesOf(t, path, ".cbp", cbh.Players.Size); f.Live != 2 {
		t.Errorf("%d players", f.Live)
	}
}

// In the tree: values whose keys move, equal keys of which one goes, hundreds of
// insertions over few keys and deletions by number, renames with rotations.
func TestEditTrees(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	path := create(t, games(4), write.Options{})
	ed := edit(t, path)
	sources := ed.Sources()
	var ids []model.EntityID
	for i := range 200 {
		// The title alone is the key.
		id, err := sources.Insert(model.Publication{Title: fmt.Sprint("Key ", i%5), Publisher: fmt.Sprint(i)})
		must.Do(t, err)
		ids = append(ids, id)
	}
	must.Do(t, ed.Commit())
	isSoundTree(t, path, ".cbs", &cbh.Sources.EntityFile)
	for range 120 {
		i := r.IntN(len(ids))
		into, err := sources.Find(model.Publication{})
		must.Do(t, err, sources.Merge(ids[i], into))
		ids = slices.Delete(ids, i, i+1)
	}
	must.Do(t, ed.Commit())
	isSoundTree(t, path, ".cbs", &cbh.Sources.EntityFile)
	for i := range 95 {
		id := ids[r.IntN(len(ids))]
		must.Do(t, sources.Change(id, model.Publication{Title: fmt.Sprint("Renamed ", r.IntN(1000)), Version: uint8(i)}))
	}
	for _, id := range ids {
		if _, err := sources.Value(id); err != nil {
			t.Errorf("source %d: %v", id, err)
		}
	}
	commit(t, ed)
	isSoundTree(t, path, ".cbs", &cbh.Sources.EntityFile)
	if f := entitiesOf(t, path, ".cbs", cbh.Sources.Size); int(f.Live) != len(ids)+1 {
		t.Errorf("%d sources, want %d", f.Live, len(ids)+1)
	}
}

// isSoundTree verifies the tree of an entity file.
func isSoundTree(t testing.TB, path, ext string, kind *cbh.EntityFile) {
	t.Helper()
	f := entitiesOf(t, path, ext, kind.Size)
	tree := &avl.Tree{Root: f.Root, Free: f.FirstDeleted, Live: f.Live}
	for _, l := range f.links {
		tree.Nodes = append(tree.Nodes, avl.Node{Left: l.Left, Right: l.Right, Balance: l.Balance})
	}
	for _, finding := range tree.Verify(func(a, b int32) int {
		return kind.Compare(f.payloads[a], f.payloads[b], kind.DefaultSigned)
	}) {
		t.Errorf("%s: %v", ext, finding)
	}
}

// Names with bytes above 7F go where the order of the file wants them: that of
// new files, or that of a file which has the other one.
func TestEditOrderOfNames(t *testing.T) {
	names := []string{"Moo", "Åäö", "Zoo", "Lund", "Lundén", "Émile", "Abc", "Blo", "Blö"}
	for _, foreign := range []bool{false, true} {
		start := &model.Database{}
		for _, name := range names[:6] {
			_, g := shuffle("", "", 2)
			g.White = start.Tables.Players.Intern(model.Player{LastName: name})
			g.Annotator = start.Tables.Annotators.Intern(model.Annotator{Name: name})
			start.AddGame(g)
		}
		path := create(t, start, write.Options{})
		signed := map[string]bool{".cbp": false, ".cbc": true}
		kinds := map[string]*cbh.EntityFile{".cbp": &cbh.Players.EntityFile, ".cbc": &cbh.Annotators.EntityFile}
		if foreign {
			for ext, kind := range kinds {
				signed[ext] = !signed[ext]
				reorder(t, path, kind, signed[ext])
			}
		}
		ed := edit(t, path)
		for _, name := range names[6:] {
			_, err := ed.Players().Insert(model.Player{LastName: name})
			must.Do(t, err)
			_, err = ed.Annotators().Insert(model.Annotator{Name: name})
			must.Do(t, err)
		}
		commit(t, ed)
		for ext, kind := range kinds {
			order := *kind
			order.DefaultSigned = signed[ext]
			isSoundTree(t, path, ext, &order)
		}
		if result := ed.Result(); len(result.Once) > 0 {
			t.Errorf("a tree was built anew: %v", result.Once)
		}
	}
}

// reorder gives the tree of an entity file another order.
func reorder(t testing.TB, path string, kind *cbh.EntityFile, signed bool) {
	t.Helper()
	f := entitiesOf(t, path, kind.Ext, kind.Size)
	tree := avl.New()
	for id := range f.payloads {
		_, err := tree.Add(func(other int32) int { return kind.Compare(f.payloads[id], f.payloads[other], signed) })
		must.Do(t, err)
	}
	f.Root = tree.Root
	b := f.EntityHeader.Append(nil)
	for id, n := range tree.Nodes {
		b = cbh.EntityLinks{Left: n.Left, Right: n.Right, Balance: n.Balance}.Append(b)
		b = append(b, f.payloads[id]...)
	}
	must.Do(t, os.WriteFile(sibling(path, kind.Ext), b, 0o666))
}

// The tree of an old program that is out of balance is built anew before its
// first change, which is said.
func TestEditStaleTree(t *testing.T) {
	path := create(t, games(make([]int, 12)...), write.Options{})
	f := entitiesOf(t, path, ".cbp", cbh.Players.Size)
	order := make([]int, len(f.payloads))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cbh.Players.Compare(f.payloads[a], f.payloads[b], false) })
	f.Root = int32(order[0])
	b := f.EntityHeader.Append(nil)
	next := map[int]int32{order[len(order)-1]: -1}
	for i, id := range order[:len(order)-1] {
		next[id] = int32(order[i+1])
	}
	for id, payload := range f.payloads {
		b = cbh.EntityLinks{Left: -1, Right: next[id]}.Append(b)
		b = append(b, payload...)
	}
	must.Do(t, os.WriteFile(sibling(path, ".cbp"), b, 0o666))
	ed := edit(t, path)
	must.Do(t, rename(ed, "White 3", "Another"))
	result := func() write.EditResult { return commit(t, ed) }()
	if len(result.Once) != 1 || !strings.Contains(result.Once[0], ".cbp") {
		t.Errorf("%v", result.Once)
	}
	sound(t, path)
}

// A field that is full keeps its last byte 0, but teams fill all of theirs.
func TestEditFullFields(t *testing.T) {
	long := strings.Repeat("x", 60)
	path := create(t, games(4), write.Options{})
	var losses []model.Loss
	ed, err := write.Edit(context.Background(), path, write.EditOptions{Now: clock, Report: func(l model.Loss) { losses = append(losses, l) }})
	must.Do(t, err)
	defer ed.Close()
	add := &model.Database{}
	_, g := shuffle("", "", 3)
	g.White = add.Tables.Players.Intern(model.Player{LastName: long, FirstName: long})
	g.WhiteTeam = add.Tables.Teams.Intern(model.Team{Title: long})
	add.AddGame(g)
	must.Do(t, ed.Append(context.Background(), add, model.CopyOptions{}), ed.Commit(), ed.Close())
	if len(losses) != 3 {
		t.Errorf("%d losses: %v", len(losses), losses)
	}
	sound(t, path)
	db := load(t, path)
	p, team := db.Tables.Players.Value(db.List[1].Game.White), db.Tables.Teams.Value(db.List[1].Game.WhiteTeam)
	if len(p.LastName) != 29 || len(p.FirstName) != 19 || len(team.Title) != 45 {
		t.Errorf("%d, %d, %d", len(p.LastName), len(p.FirstName), len(team.Title))
	}
}

// Without a report of losses a commit fails, and nothing has changed.
func TestEditLossesAreErrors(t *testing.T) {
	path := create(t, games(4), write.Options{})
	before := filesOf(t, path)
	ed := edit(t, path)
	add, _ := shuffle(strings.Repeat("x", 60), "y", 3)
	must.Do(t, ed.Append(context.Background(), add, model.CopyOptions{}))
	if err := ed.Commit(); !errors.As(err, new(*model.LossError)) {
		t.Errorf("%v", err)
	}
	if !equalFiles(before, withoutLocks(filesOf(t, path))) {
		t.Error("something was changed")
	}
}

func withoutLocks(files map[string]string) map[string]string {
	for ext := range files {
		if strings.Contains(ext, ".cbkit-") {
			delete(files, ext)
		}
	}
	return files
}

// Changes keep the boosters in step: they are what they would be if they were made
// anew, and sealed.
func TestEditBoosters(t *testing.T) {
	for what, change := range map[string]func(ed *write.Editor) error{
		"a mark":      func(ed *write.Editor) error { return ed.Delete(2) },
		"annotations": func(ed *write.Editor) error { return ed.SetAnnotations(2, comment(1, "x")) },
		"a rename":    func(ed *write.Editor) error { return rename(ed, "White 2", "x") },
		"more moves":  func(ed *write.Editor) error { return replaceBy(ed, 1, 99) },
		"fewer moves": func(ed *write.Editor) error { return replaceBy(ed, 2, 1) },
		"a merge":     func(ed *write.Editor) error { return merge(ed, "White 2", "White 3") },
		"a new player": func(ed *write.Editor) error {
			_, err := ed.Players().Insert(model.Player{LastName: "x"})
			return err
		},
		"a new game": func(ed *write.Editor) error {
			return ed.Append(context.Background(), games(7), model.CopyOptions{})
		},
		"new games": func(ed *write.Editor) error {
			return ed.Append(context.Background(), games(7, 8, 9), model.CopyOptions{})
		},
		"nobody": func(ed *write.Editor) error { _, err := ed.RemoveUnused(); return err },
	} {
		path := withBoosters(t, create(t, games(10, 12, 14), write.Options{}))
		ed := edit(t, path)
		must.Do(t, change(ed))
		if result := commit(t, ed); len(result.DroppedBoosters) > 0 {
			t.Errorf("%s: said to be dropped: %v", what, result.DroppedBoosters)
		}
		for _, f := range findings(t, path) {
			if !strings.Contains(f, "White") && !strings.Contains(f, "no record refers") {
				t.Errorf("%s: %s", what, f)
			}
		}
		inStep(t, path)
	}
}
