package read_test

import (
	"context"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cbkit/internal/cbhdb"
	"cbkit/internal/testkit/corpus"
	"cbkit/internal/testkit/must"
	"cbkit/model"
	"cbkit/read"
)

// warned opens a database and returns its warnings.
func warned(t *testing.T, path string) (read.Database, []error) {
	t.Helper()
	var warnings []error
	db := must.Get(read.Open(path, read.Options{Warn: func(err error) { warnings = append(warnings, err) }}))(t)
	t.Cleanup(func() { db.Close() })
	return db, warnings
}

// Of a cut .cbh file the whole records are read; only who wants all of them is
// told that there were more.
func TestCutHeaders(t *testing.T) {
	path := newDatabase(t, 5)
	edit(t, path, func(b []byte) []byte { return b[:5*46-3] }) // 3 of 6 records
	db, warnings := warned(t, path)
	const says = "db.cbh: at 0x6 (next game id): truncated: 6 records are announced, the file has 3 whole ones"
	if len(warnings) != 1 || !strings.HasPrefix(warnings[0].Error(), says) || !errors.Is(warnings[0], model.ErrTruncated) {
		t.Errorf("warnings: %v", warnings)
	}
	info, err := db.Info(context.Background())
	if err != nil || info.Games != 3 || db.Count() != 3 {
		t.Errorf("%+v, %v", info, err)
	}
	if _, err := db.Record(context.Background(), 3, model.WantAll); err != nil {
		t.Error(err)
	}
	if _, err := db.Record(context.Background(), 4, model.WantAll); !errors.Is(err, model.ErrNoRecord) {
		t.Errorf("record 4: %v", err)
	}
	if err := db.Preflight(context.Background()); err == nil || !strings.HasPrefix(err.Error(), says) || strings.Contains(err.Error(), "\n") {
		t.Errorf("preflight: %v", err)
	}

	edit(t, path, func(b []byte) []byte { binary.BigEndian.PutUint32(b[46*2+1:], 1<<30); return b })
	db, _ = warned(t, path)
	if err := db.Preflight(context.Background()); err == nil || !strings.HasPrefix(err.Error(), says) || !strings.HasSuffix(err.Error(), "(+1 more)") {
		t.Errorf("preflight: %v", err)
	}
}

// Without somebody to tell, odd headers and damaged optional files are read all
// the same.
func TestNobodyToWarn(t *testing.T) {
	path := newDatabase(t, 2)
	edit(t, path, func(b []byte) []byte { binary.BigEndian.PutUint32(b[6:], 2); return b })
	edit(t, sibling(path, ".cbp"), func(b []byte) []byte { clear(b[:4]); return b })
	edit(t, sibling(path, ".cbe"), func([]byte) []byte { return nil })
	db := must.Get(read.Open(path, read.Options{}))(t)
	defer db.Close()
	if all, err := model.Load(context.Background(), db); err != nil || len(all.List) != 3 || all.Tables.Players.Len() == 0 {
		t.Errorf("%+v, %v", all, err)
	}
}

// ends returns what tells where the records of a file end.
func ends(db read.Database) func(context.Context, string) (int64, error) {
	return cbhdb.New(cbhdb.FilesOf(db.(*read.ChessBase).Files())).End
}

// The records of real files end with the files.
func TestRecordsEndOfRealDatabases(t *testing.T) {
	endings := []string{".cbh", ".cbj", ".cbg", ".cba", ".cbp", ".cbt", ".cbc", ".cbs", ".cbe", ".cbl"}
	for _, name := range []string{"hedgehog/Hedgehog", "mate2/Mate2", "twic1134/twic1134", "small/small", "cbh_cbj_test/cbh_cbj_test"} {
		db, warnings := warned(t, corpus.Path(t, "cbh/"+name+".cbh"))
		if len(warnings) > 0 {
			t.Errorf("%s: %v", name, warnings)
		}
		set := db.(*read.ChessBase).Files()
		for _, ext := range endings {
			if !set.Has(ext) {
				continue
			}
			end, err := ends(db)(context.Background(), ext)
			if stat, statErr := os.Stat(set.Path(ext)); err != nil || statErr != nil || end != stat.Size() {
				t.Errorf("%s: records end after %d bytes, %v", filepath.Base(set.Path(ext)), end, err)
			}
		}
	}
}

// Where the header declares less than there is, the records are looked at.
func TestRecordsEndByTheRecords(t *testing.T) {
	path := newDatabase(t, 3)
	moves := sibling(path, ".cbg")
	stat := must.Get(os.Stat(moves))(t)
	edit(t, moves, func(b []byte) []byte {
		binary.BigEndian.PutUint32(b[2:], 40)
		return append(b, "stale"...)
	})
	// A record that leads nowhere does not count.
	edit(t, path, func(b []byte) []byte { binary.BigEndian.PutUint32(b[46+1:], 1<<30); return b })
	db, _ := warned(t, path)
	end, err := ends(db)(context.Background(), ".cbg")
	if err != nil || end != stat.Size() {
		t.Errorf("%d, %v; want %d", end, err, stat.Size())
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := ends(db)(ctx, ".cba"); err != nil {
		t.Errorf("the header of the .cba file is right: %v", err)
	}
}
