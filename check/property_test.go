package check_test

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"cbkit/check"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/model"
	"cbkit/write"

	"pgregory.net/rapid"
)

// writtenAnnotations are what can be noted about a database of ours: annotations that
// came as bytes that are not understood.
var writtenAnnotations = map[string]bool{"annotation-opaque": true}

// What we write has no errors, and comes back, from its values alone if nothing
// was cut: a name that was cut among UTF-8 can fit into the code page.
func TestWrittenDatabasesAreSound(t *testing.T) {
	dir := gen.Folder(t)
	rapid.Check(t, func(t *rapid.T) {
		db := gen.Database(gen.Config{NoTags: true, NoHalfMoves: true, NameBytes: 60}).Draw(t, "database")
		page := rapid.SampledFrom([]string{"1252", "1251", "koi8-r"}).Draw(t, "code page")
		path := filepath.Join(dir, "written.cbh")
		losses := 0
		sink, err := write.Create(context.Background(), path, write.Options{
			CodePage: page, Force: true, Now: time.Now, Report: func(model.Loss) { losses++ },
		})
		if err != nil {
			t.Fatal(err)
		}
		must.Do(t, model.Copy(context.Background(), sink, db, model.CopyOptions{}))
		opt := check.Options{CodePage: page}
		made := check.Database(context.Background(), path, opt)
		for f, err := range made.Findings() {
			if err != nil {
				break // Summary has it
			}
			if f.Severity == check.Error || !writtenAnnotations[f.Code] {
				t.Errorf("%v: %v [%s]", f.Severity, f, f.Code)
			}
		}
		must.Get(made.Summary())(t)
		r := must.Get(check.Verify(context.Background(), path, opt))(t)
		for _, f := range r.Files {
			if f.Different > 0 || losses == 0 && f.Exact+f.Unsupported != f.Records {
				t.Errorf("%s: %+v: %+v", f.File, f.Tally, f.Listed)
			}
			for _, c := range f.Listed {
				if c.Outcome == "unsupported" && c.Part[:min(6, len(c.Part))] != "opaque" {
					t.Errorf("%s: %+v", f.File, c)
				}
			}
		}
	})
}
