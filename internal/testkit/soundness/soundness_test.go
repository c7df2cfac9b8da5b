package soundness_test

import (
	"os"
	"strings"
	"testing"

	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
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
	sink := must.Get(write.Create(t.Context(), path, write.Options{}))(t)
	var db model.Database
	for range 3 {
		db.AddGame(model.NewGame())
	}
	must.Do(t, model.Copy(t.Context(), sink, &db, model.CopyOptions{}))
	failed := func(between func()) bool {
		r := &recorder{TB: t}
		after := soundness.Before(r, path)
		between()
		after()
		return r.failed
	}
	damage := func() {
		heads := must.Get(os.ReadFile(path))(t)
		copy(heads[46+9:], "\x00\x7f\xff") // the first game's White, who does not exist
		must.Do(t, os.WriteFile(path, heads, 0o666))
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
