package write_test

import (
	"context"
	"testing"

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
	db, err := read.Open(main, read.Options{})
	if err != nil {
		t.Fatal(err)
	}
	info, err := db.Info(context.Background())
	if err != nil || info.MoveHoles != 0 || info.AnnotationHoles != 0 {
		t.Errorf("%d, %d unused bytes, %v", info.MoveHoles, info.AnnotationHoles, err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	once := filesOf(t, main)
	if _, err := write.Compact(context.Background(), main, write.CompactOptions{}); err != nil {
		t.Fatal(err)
	}
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
		if err := ed.Delete(id); err != nil {
			t.Fatal(err)
		}
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
