package write_test

import (
	"context"
	"encoding/binary"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cbkit/internal/testkit/must"
	"cbkit/model"
	"cbkit/read"
	"cbkit/write"
)

// Compacting a real database makes its hole counters 0 and changes no game; doing
// it again changes no byte.
func TestCompactRealDatabase(t *testing.T) {
	main := copyOf(t, "hedgehog")
	before := load(t, main)
	foreseen, err := write.Compact(context.Background(), main, write.CompactOptions{DryRun: true})
	if err != nil || foreseen.Holes == 0 {
		t.Fatalf("%+v, %v", foreseen, err)
	}
	result, err := write.Compact(context.Background(), main, write.CompactOptions{})
	if err != nil || result.After >= result.Before || result.Records != len(before.List) {
		t.Fatalf("%+v, %v", result, err)
	}
	if !model.Equal(before, load(t, main)) {
		t.Error("the games are not the same")
	}
	db := must.Get(read.Open(main, read.Options{}))(t)
	info, err := db.Info(context.Background())
	if err != nil || info.MoveHoles != 0 || info.AnnotationHoles != 0 {
		t.Errorf("%d, %d unused bytes, %v", info.MoveHoles, info.AnnotationHoles, err)
	}
	must.Do(t, db.Close())
	once := filesOf(t, main)
	must.Get(write.Compact(context.Background(), main, write.CompactOptions{}))(t)
	twice := filesOf(t, main)
	for name := range once {
		if once[name] != twice[name] {
			t.Errorf("%s changed with the second time", name)
		}
	}
	if len(once) != len(twice) {
		t.Errorf("%d files, then %d", len(once), len(twice))
	}
}

// Purging is the same as making the database anew of the records that remain.
func TestCompactPurges(t *testing.T) {
	main := copyOf(t, "twic1134")
	ed := edit(t, main)
	for id := model.RecordID(1); id < 6000; id += 120 {
		must.Do(t, ed.Delete(id))
	}
	commit(t, ed)
	want := load(t, main)
	var rest []model.Record
	for _, rec := range want.List {
		if !rec.Deleted {
			rest = append(rest, rec)
		}
	}
	want.List = rest
	result, err := write.Compact(context.Background(), main, write.CompactOptions{Purge: true})
	if err != nil || result.Purged != 50 || result.Records != len(rest) {
		t.Fatalf("%+v, %v", result, err)
	}
	if !model.Equal(want, load(t, main)) {
		t.Error("not the games that remain")
	}
	if list := findings(t, main); len(list) > 0 {
		t.Errorf("check: %v", list)
	}
}

// A counter of unused bytes that is wrong becomes true, also where there are no
// holes, and what lies behind the last record goes.
func TestCompactMakesCountersTrue(t *testing.T) {
	main := create(t, oneGame("somebody"), write.Options{})
	base := strings.TrimSuffix(main, ".cbh")
	want := filesOf(t, main)
	moves := []byte(want[".cbg"])
	binary.BigEndian.PutUint32(moves[6:], 77) // counted as unused
	must.Do(t, os.WriteFile(base+".cbg", moves, 0o600), os.WriteFile(base+".cba", []byte(want[".cba"]+"behind"), 0o600))
	must.Get(write.Compact(context.Background(), main, write.CompactOptions{}))(t)
	for _, ext := range []string{".cbg", ".cba"} {
		if got := filesOf(t, main)[ext]; got != want[ext] {
			t.Errorf("%s: %x, want %x", ext, got, want[ext])
		}
	}
}

// Purging takes what nothing refers to: entities that were unused before too, and
// lists of media. Opening keys, which go by the numbers of games, are moved aside
// and named.
func TestCompactPurgesWhatNobodyRefersTo(t *testing.T) {
	db := oneGame("first")
	for _, name := range []string{"second", "third"} {
		text := model.NewGuidingText()
		text.Titles = []model.LocalText{{Text: name}}
		text.Media = []string{name + ".bmp"}
		db.AddText(text)
	}
	main := create(t, db, write.Options{})
	base := strings.TrimSuffix(main, ".cbh")
	ed := edit(t, main)
	must.Get(ed.Players().Insert(model.Player{LastName: "Nobody"}))(t)
	must.Do(t, ed.Delete(2))
	commit(t, ed)
	for _, ext := range []string{".cko", ".cpn"} {
		must.Do(t, os.WriteFile(base+ext, []byte("key"), 0o600))
	}
	var moved model.Replacement
	result, err := write.Compact(context.Background(), main, write.CompactOptions{
		Purge: true, OnReplace: func(r model.Replacement) { moved = r },
	})
	if err != nil || result.Records != 2 || result.Purged != 1 {
		t.Fatalf("%+v, %v", result, err)
	}
	if !slices.Equal(moved.Kept, []string{"new.cko", "new.cpn"}) {
		t.Errorf("moved aside: %+v", moved)
	}
	if key, err := os.ReadFile(filepath.Join(moved.Folder, "new.cko")); string(key) != "key" {
		t.Errorf("the key is %q, %v", key, err)
	}
	got := load(t, main)
	for id, slot := range got.Tables.Players.All() {
		if slot.Value.LastName == "Nobody" && !slot.Deleted {
			t.Errorf("player %d is still there", id)
		}
	}
	if list := got.List[1].Text.Media; !slices.Equal(list, []string{"third.bmp"}) {
		t.Errorf("the media are %v", list)
	}
	if media := string(readFile(t, base+".cbm")); len(media) != 32+1024 || strings.Contains(media, "second") {
		t.Errorf(".cbm has %d bytes", len(media))
	}
	if list := findings(t, main); len(list) > 0 {
		t.Errorf("check: %v", list)
	}
}

// Links in texts cannot follow where games get other numbers, which is said.
func TestCompactTellsOfLinks(t *testing.T) {
	main := copyOf(t, "hedgehog")
	ed := edit(t, main)
	must.Do(t, ed.Delete(2))
	commit(t, ed)
	var losses []model.Loss
	_, err := write.Compact(context.Background(), main, write.CompactOptions{
		Purge: true, Report: func(l model.Loss) { losses = append(losses, l) },
	})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(losses, func(l model.Loss) bool { return strings.Contains(l.What, "links in guiding texts") }) {
		t.Errorf("%v", losses)
	}
}
