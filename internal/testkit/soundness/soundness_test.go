package soundness_test

import (
	"os"
	"strings"
	"testing"

	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/soundness"
	"cbkit/model"
	"cbkit/write"
)

// recorder notes that a test failed.
type recorder struct {
	testing.TB
	failed bool
}

func (r *recorder) Errorf(string, ...any) { r.failed = true }

// A sound database passes; an error that is new fails the test, one that was there does
// not.
func TestBefore(t *testing.T) {
	path := gen.Folder(t) + "/games.cbh"
	sink, err := write.Create(t.Context(), path, write.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var db model.Database
	for range 3 {
		db.AddGame(model.NewGame())
	}
	if err := model.Copy(t.Context(), sink, &db, model.CopyOptions{}); err != nil {
		t.Fatal(err)
	}
	failed := func(between func()) bool {
		r := &recorder{TB: t}
		after := soundness.Before(r, path)
		between()
		after()
		return r.failed
	}
	damage := func() {
		heads, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		copy(heads[46+9:], "\x00\x7f\xff") // the first game's White, who does not exist
		if err := os.WriteFile(path, heads, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if failed(func() {}) {
		t.Error("a sound database fails")
	}
	if !failed(damage) {
		t.Error("damage passes")
	}
	if failed(func() {}) {
		t.Error("old damage fails")
	}
	if failed(func() { soundness.Before(t, strings.TrimSuffix(path, ".cbh")+"2.cbh")() }) {
		t.Error("a database that is not there fails")
	}
}
