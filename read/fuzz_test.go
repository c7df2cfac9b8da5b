package read_test

import (
	"context"
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"

	"cbkit/internal/cbh"
	"cbkit/internal/testkit/must"
	"cbkit/model"
	"cbkit/read"
)

// pack joins the files of a database: for each of cbh.NewFileExts the length
// in four bytes, then the content.
func pack(t testing.TB, path string) []byte {
	var packed []byte
	for _, ext := range cbh.NewFileExts {
		b := must.Get(os.ReadFile(sibling(path, ext)))(t)
		packed = append(binary.LittleEndian.AppendUint32(packed, uint32(len(b))), b...)
	}
	return packed
}

// unpack writes the files of a packed database; what is missing at the end
// has no file.
func unpack(t testing.TB, packed []byte, path string) {
	for _, ext := range cbh.NewFileExts {
		name := sibling(path, ext)
		if len(packed) < 4 {
			os.Remove(name)
			continue
		}
		n := min(int(binary.LittleEndian.Uint32(packed)), len(packed)-4)
		must.Do(t, os.WriteFile(name, packed[4:4+n], 0o644))
		packed = packed[4+n:]
	}
}

// Whatever the files hold, reading them neither panics nor hangs, and errors
// say where.
func FuzzDatabase(f *testing.F) {
	f.Add(pack(f, newDatabase(f, 0)))
	f.Add(pack(f, newDatabase(f, 3)))
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, packed []byte) {
		path := filepath.Join(dir, "fuzz.cbh")
		unpack(t, packed, path)
		db, err := read.Open(path, read.Options{Jobs: 1})
		if err != nil {
			return
		}
		defer db.Close()
		ctx := context.Background()
		preflight := db.Preflight(ctx)
		if _, err := db.Info(ctx); err != nil {
			return
		}
		for rec, err := range db.Records(ctx, 1, model.WantAll) {
			if err == nil {
				continue
			}
			if preflight == nil {
				t.Fatalf("record %d: %v, but the preflight found nothing", rec.ID, err)
			}
			if rec.ID == 0 {
				return
			}
		}
	})
}
