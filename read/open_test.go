package read_test

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
	"runtime"
	"strings"
	"testing"
	"time"

	"cbkit/internal/dcdb"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/model"
	"cbkit/read"
	"cbkit/write"

	"github.com/google/go-cmp/cmp"
)

// newDatabase writes a small database with games, variations, annotations, a
// guiding text and a deleted game, and returns its path.
func newDatabase(t testing.TB, games int) string {
	t.Helper()
	db := &model.Database{}
	for i := range games {
		g := &model.Game{Header: model.NewHeader()}
		g.White = db.Tables.Players.Intern(model.Player{LastName: fmt.Sprint("White ", i)})
		g.Black = db.Tables.Players.Intern(model.Player{LastName: "Black", FirstName: "B."})
		g.Date, g.Result = model.Date{Year: uint16(1900 + i%100)}, model.Draw
		b := new(model.TreeBuilder)
		e4 := b.Add(model.NoNode, model.NewMove(model.E2, model.E4))
		b.Add(e4, model.NewMove(model.E7, model.E5))
		b.Add(e4, model.NewMove(model.C7, model.C5))
		g.Moves = b.Tree()
		g.Annotate(e4, model.Text{Text: strings.Repeat("a comment ", 1+i%7)})
		db.AddGame(g)
	}
	text := model.NewGuidingText()
	text.Contents = []model.LocalText{{Language: model.English, Text: "An introduction"}}
	db.AddText(text)
	if games > 1 {
		db.List[1].Deleted = true
	}
	path := filepath.Join(gen.Folder(t), "db.cbh")
	sink := must.Get(write.Create(context.Background(), path, write.Options{AcceptLosses: true}))(t)
	must.Do(t, model.Copy(context.Background(), sink, db, model.CopyOptions{}))
	return path
}

// sibling returns the path of another file of a database.
func sibling(path, ext string) string { return strings.TrimSuffix(path, ".cbh") + ext }

// edit changes the bytes of a file.
func edit(t testing.TB, path string, change func([]byte) []byte) {
	t.Helper()
	b := must.Get(os.ReadFile(path))(t)
	must.Do(t, os.WriteFile(path, change(b), 0o644))
}

// firstError opens a database, checks it and reads it all.
func firstError(path string) error {
	db, err := read.Open(path, read.Options{})
	if err != nil {
		return err
	}
	defer db.Close()
	if err := db.Preflight(context.Background()); err != nil {
		return err
	}
	_, err = model.Load(context.Background(), db)
	return err
}

// Wrong input gives one clear line that names the file.
func TestWrongInput(t *testing.T) {
	for name, c := range map[string]struct {
		damage func(t *testing.T, path string) string
		kind   error
		says   string
	}{
		"nothing": {func(*testing.T, string) string { return "no/such/file.cbh" }, fs.ErrNotExist, "no/such/file.cbh"},
		"no such database": {func(_ *testing.T, path string) string {
			return filepath.Join(filepath.Dir(path), "other.cbh")
		}, fs.ErrNotExist, "other.cbh"},
		"folder": {func(_ *testing.T, path string) string { return filepath.Dir(path) }, nil, "is a folder"},
		"empty file": {func(t *testing.T, path string) string {
			edit(t, path, func([]byte) []byte { return nil })
			return path
		}, model.ErrNotDatabase, "db.cbh"},
		"text file": {func(t *testing.T, path string) string {
			edit(t, path, func([]byte) []byte { return []byte(strings.Repeat("Dear diary, today I ", 10)) })
			return path
		}, model.ErrNotDatabase, "db.cbh"},
		"no moves file": {func(t *testing.T, path string) string {
			os.Remove(sibling(path, ".cbg"))
			return path
		}, nil, "db.cbg: the file is missing"},
		"no players": {func(t *testing.T, path string) string {
			os.Remove(sibling(path, ".cbp"))
			return path
		}, nil, "db.cbp: the file is missing"},
		"cut headers": {func(t *testing.T, path string) string {
			edit(t, path, func(b []byte) []byte { return b[:len(b)-1] })
			return path
		}, model.ErrTruncated, "db.cbh"},
		"cut annotations": {func(t *testing.T, path string) string {
			edit(t, sibling(path, ".cba"), func(b []byte) []byte { return b[:len(b)-3] })
			return path
		}, model.ErrCorrupt, "db.cba: record 3 at"},
		"cut annotation header": {func(t *testing.T, path string) string {
			edit(t, sibling(path, ".cba"), func(b []byte) []byte { return b[:12] })
			return path
		}, model.ErrTruncated, "db.cba"},
		"offset past the end": {func(t *testing.T, path string) string {
			edit(t, path, func(b []byte) []byte { binary.BigEndian.PutUint32(b[46+1:], 1<<31); return b })
			return path
		}, model.ErrCorrupt, "db.cbg: record 1 at 0x80000000 (offset)"},
		"offset in the header": {func(t *testing.T, path string) string {
			edit(t, path, func(b []byte) []byte { binary.BigEndian.PutUint32(b[46+1:], 3); return b })
			return path
		}, model.ErrCorrupt, "db.cbg: record 1 at 0x3 (offset)"},
		"record of 16 MB": {func(t *testing.T, path string) string {
			edit(t, sibling(path, ".cbg"), func(b []byte) []byte { copy(b[27:], "\xff\xff\xff"); return b })
			return path
		}, model.ErrCorrupt, "db.cbg: record 1 at 0x1a (size)"},
		"record without a head": {func(t *testing.T, path string) string {
			edit(t, sibling(path, ".cbg"), func(b []byte) []byte { copy(b[27:], "\x00\x00\x03"); return b })
			return path
		}, model.ErrCorrupt, "db.cbg: record 1 at 0x1a (size)"},
		"players of another kind": {func(t *testing.T, path string) string {
			b, _ := os.ReadFile(sibling(path, ".cbt"))
			edit(t, sibling(path, ".cbp"), func([]byte) []byte { return b })
			return path
		}, model.ErrUnsupported, "db.cbp"},
		"text named .cbp": {func(t *testing.T, path string) string {
			edit(t, sibling(path, ".cbp"), func([]byte) []byte { return bytes.Repeat([]byte("player "), 20) })
			return path
		}, model.ErrNotDatabase, "db.cbp"},
	} {
		t.Run(name, func(t *testing.T) {
			err := firstError(c.damage(t, newDatabase(t, 3)))
			if err == nil {
				t.Fatal("no error")
			}
			if c.kind != nil && !errors.Is(err, c.kind) {
				t.Errorf("%v is no %q", err, c.kind)
			}
			if !strings.Contains(err.Error(), c.says) || strings.Contains(err.Error(), "\n") {
				t.Errorf("%q does not say %q in one line", err, c.says)
			}
		})
	}
}

// Preflight finds all bad extents and names the first.
func TestPreflightCounts(t *testing.T) {
	path := newDatabase(t, 5)
	edit(t, path, func(b []byte) []byte {
		for _, id := range []int{2, 4, 5} {
			binary.BigEndian.PutUint32(b[46*id+1:], 1<<30)
		}
		return b
	})
	err := firstError(path)
	if err == nil || !strings.Contains(err.Error(), "record 2 ") || !strings.HasSuffix(err.Error(), "(+2 more)") {
		t.Errorf("%v", err)
	}
}

// Without the preflight, bad records are errors of their own between good
// ones.
func TestBadRecordsAmongGoodOnes(t *testing.T) {
	path := newDatabase(t, 5)
	edit(t, path, func(b []byte) []byte { binary.BigEndian.PutUint32(b[46*3+1:], 1<<30); return b })
	db := open(t, path)
	var good, bad []model.RecordID
	for rec, err := range db.Records(context.Background(), 1, model.WantAll) {
		if err != nil {
			bad = append(bad, rec.ID)
			continue
		}
		good = append(good, rec.ID)
	}
	if cmp.Diff(good, []model.RecordID{1, 2, 4, 5, 6}) != "" || cmp.Diff(bad, []model.RecordID{3}) != "" {
		t.Errorf("good %v, bad %v", good, bad)
	}
}

// Content that cannot be decoded is no error: the record travels whole, and a
// copy has the same bytes.
func TestUndecodableContentTravels(t *testing.T) {
	path := newDatabase(t, 2)
	edit(t, sibling(path, ".cbg"), func(b []byte) []byte { b[26] |= 63; return b })
	edit(t, sibling(path, ".cba"), func(b []byte) []byte { b[26+14+5] = 2; return b })
	db := open(t, path)
	rec := must.Get(db.Record(context.Background(), 1, model.WantAll))(t)
	if !errors.Is(rec.Game.MovesErr, model.ErrUnsupported) || !strings.Contains(rec.Game.MovesErr.Error(), "db.cbg: record 1") {
		t.Errorf("moves: %v", rec.Game.MovesErr)
	}
	if !errors.Is(rec.Game.AnnotationsErr, model.ErrCorrupt) || !strings.Contains(rec.Game.AnnotationsErr.Error(), "db.cba: record 1") {
		t.Errorf("annotations: %v", rec.Game.AnnotationsErr)
	}
	target := filepath.Join(gen.Folder(t), "copy.cbh")
	sink := must.Get(write.Create(context.Background(), target, write.Options{AcceptLosses: true}))(t)
	must.Do(t, model.Copy(context.Background(), sink, db, model.CopyOptions{}))
	for _, ext := range []string{".cbg", ".cba", ".cbh", ".cbj"} {
		a, _ := os.ReadFile(sibling(path, ext))
		b, _ := os.ReadFile(sibling(target, ext))
		if !bytes.Equal(a, b) {
			t.Errorf("%s differs", ext)
		}
	}
}

func open(t testing.TB, path string) read.Database {
	t.Helper()
	db := must.Get(read.Open(path, read.Options{}))(t)
	t.Cleanup(func() { db.Close() })
	return db
}

// A database is found by any of its files, whatever the case of their names.
func TestNames(t *testing.T) {
	path := newDatabase(t, 1)
	dir := filepath.Dir(path)
	for _, ext := range []string{".cbg", ".cbp", ".cbj"} {
		must.Do(t, os.Rename(sibling(path, ext), filepath.Join(dir, "DB"+strings.ToUpper(ext))))
	}
	for _, name := range []string{"db", "db.cbh", "DB.CBH", "db.cbg", "Db.Cbp"} {
		db, err := read.Open(filepath.Join(dir, name), read.Options{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		db.Close()
	}
}

// Optional files may be missing; then what they hold has default values.
func TestOptionalFiles(t *testing.T) {
	path := newDatabase(t, 2)
	for _, ext := range []string{".cbj", ".cbe", ".cbl", ".cbtt", ".cbm"} {
		must.Do(t, os.Remove(sibling(path, ext)))
	}
	db := open(t, path)
	info := must.Get(db.Info(context.Background()))(t)
	if len(info.Missing) != 5 || info.Games != 2 || info.Texts != 1 || info.Deleted != 1 {
		t.Errorf("%+v", info)
	}
	rec, err := db.Record(context.Background(), 1, model.WantAll)
	if err != nil || rec.Game.WhiteTeam != model.NoEntity || rec.Game.GameTitle != model.NoEntity {
		t.Errorf("%+v, %v", rec.Game, err)
	}
}

// All ways to read give the same records.
func TestWaysToRead(t *testing.T) {
	path := newDatabase(t, 300)
	db := open(t, path)
	ctx := context.Background()
	all := must.Get(model.Load(ctx, db))(t)
	if len(all.List) != 301 || db.Count() != 301 {
		t.Fatalf("%d records, Count says %d", len(all.List), db.Count())
	}
	single := must.Get(read.Open(path, read.Options{Jobs: 1}))(t)
	defer single.Close()
	here, err := model.Load(ctx, single)
	if err != nil || !model.Identical(all, here) {
		t.Errorf("one job reads something else (%v)", err)
	}
	for _, id := range []model.RecordID{1, 2, 128, 129, 301} {
		rec, err := db.Record(ctx, id, model.WantAll)
		if err != nil || !model.EqualRecords(rec, db.Entities(), all.List[id-1], &all.Tables) {
			t.Errorf("record %d alone is another (%v)", id, err)
		}
	}
	for _, id := range []model.RecordID{-1, 0, 302} {
		if _, err := db.Record(ctx, id, model.WantAll); !errors.Is(err, model.ErrNoRecord) {
			t.Errorf("record %d: %v", id, err)
		}
	}
	next := model.RecordID(290)
	for rec, err := range db.Records(ctx, next, model.WantHeaders) {
		if err != nil || rec.ID != next || rec.Game != nil && (rec.Game.Moves.Len() != 0 || rec.Game.White < 0) {
			t.Errorf("headers of %d: %+v, %v", next, rec, err)
		}
		next++
	}
	if next != 302 {
		t.Errorf("headers ended before %d", next)
	}
}

// Records come by their numbers, in any order, as they come from beginning to end.
func TestRecordsOf(t *testing.T) {
	path := newDatabase(t, 300)
	edit(t, path, func(b []byte) []byte { binary.BigEndian.PutUint32(b[46*3+1:], 1<<30); return b })
	for _, jobs := range []int{0, 1} {
		db := must.Get(read.Open(path, read.Options{Jobs: jobs}))(t)
		defer db.Close()
		order := rand.New(rand.NewPCG(1, 2)).Perm(303) // 0 and 302 do not exist, 3 cannot be read
		ids := func(yield func(model.RecordID) bool) {
			for _, id := range order {
				if !yield(model.RecordID(id)) {
					return
				}
			}
		}
		n := 0
		for rec, err := range db.(model.Numbered).RecordsOf(t.Context(), ids, model.WantAll) {
			want, wantErr := db.Record(t.Context(), model.RecordID(order[n]), model.WantAll)
			if rec.ID != want.ID || fmt.Sprint(err) != fmt.Sprint(wantErr) || err == nil && !model.EqualRecords(rec, db.Entities(), want, db.Entities()) {
				t.Fatalf("record %d: %v, want %v", order[n], err, wantErr)
			}
			n++
		}
		if n != len(order) {
			t.Errorf("%d records of %d", n, len(order))
		}
	}
}

// Breaking off, or cancelling, leaves no goroutine behind.
func TestBreakingOff(t *testing.T) {
	db := open(t, newDatabase(t, 2000))
	before := runtime.NumGoroutine()
	for range 20 {
		for rec := range db.Records(context.Background(), 1, model.WantAll) {
			if rec.ID == 5 {
				break
			}
		}
		ctx, cancel := context.WithCancel(context.Background())
		var last error
		for rec, err := range db.Records(ctx, 1, model.WantAll) {
			if rec.ID == 200 {
				cancel()
			}
			last = err
		}
		cancel()
		if !errors.Is(last, context.Canceled) {
			t.Fatalf("after cancelling: %v", last)
		}
	}
	for deadline := time.Now().Add(5 * time.Second); runtime.NumGoroutine() > before; {
		if time.Now().After(deadline) {
			t.Fatalf("%d goroutines, %d before", runtime.NumGoroutine(), before)
		}
		time.Sleep(time.Millisecond)
	}
}

// With an error there is no database, not one that is nil inside.
func TestOpenGivesNothingWithAnError(t *testing.T) {
	for _, name := range []string{"x.cbh", "x.dci"} {
		path := filepath.Join(gen.Folder(t), name)
		must.Do(t, os.WriteFile(path, []byte("no database"), 0o600))
		if db, err := read.Open(path, read.Options{}); db != nil || err == nil {
			t.Errorf("%s: %v, %v", name, db, err)
		}
	}
}

// A number of jobs that makes no sense is not an error, and not a panic.
func TestJobsOutOfRange(t *testing.T) {
	for _, path := range []string{newDatabase(t, 5), newSimple(dcdb.V1, []byte{}, []byte{}).save(t, gen.Folder(t))} {
		for _, n := range []int{-3, 2_000_000_000} {
			db := must.Get(read.Open(path, read.Options{Jobs: n}))(t)
			games := 0
			for range must.All(t, db.Records(t.Context(), 1, model.WantAll)) {
				games++
			}
			if games != db.Count() {
				t.Errorf("%s, %d jobs: %d of %d records", path, n, games, db.Count())
			}
			if err := db.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}
