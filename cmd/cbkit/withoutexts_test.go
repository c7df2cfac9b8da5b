package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/model"
	"cbkit/write"
)

// A change of a database whose .cbj file is missing makes none that has nothing to
// say: its references to teams and titles would count as lost.
func TestEditWithoutExts(t *testing.T) {
	for _, args := range [][]string{{"--set", "2.round=7"}, {"--replace", "2=GAME"}} {
		db := newDatabase(t)
		exts := strings.TrimSuffix(db, ".cbh") + ".cbj"
		must.Do(t, os.Remove(exts))
		game := filepath.Join(gen.Folder(t), "game.pgn")
		must.Do(t, os.WriteFile(game, []byte("[White \"A\"]\n\n1. e4 e5 *\n"), 0o644))
		mustRun(t, "check", db)
		mustRun(t, "edit", "-q", db, args[0], strings.Replace(args[1], "GAME", game, 1))
		if r := cbkit(t, "", "check", db); r.status != exitDone {
			t.Errorf("%v: %s", args, r.out)
		}
		if _, err := os.Stat(exts); err == nil {
			t.Errorf("%v: the .cbj file was made", args)
		}
	}
}

// Bytes behind the records of the .cbj file do not become records by appending.
func TestAppendBesideTrailingBytes(t *testing.T) {
	db := newDatabase(t)
	change(t, db, ".cbj", func(b []byte) []byte { return append(b, bytes.Repeat([]byte{0x5A}, 3000)...) })
	games := filepath.Join(filepath.Dir(db), "sample.pgn")
	mustRun(t, "import", "-q", "--append", games, db)
	r := cbkit(t, "", "check", db)
	if strings.Contains(r.out, "[ext-count]") {
		t.Error(r.out)
	}
}

// A purged copy that is checked tells of names that nothing refers to any more.
func TestPurgedCopyTellsOfUnusedNames(t *testing.T) {
	db := newDatabase(t)
	ed, err := write.Edit(context.Background(), db, write.EditOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer ed.Close()
	if _, err = ed.Players().Insert(model.Player{LastName: "Nobody"}); err == nil {
		err = ed.Delete(1)
	}
	if err == nil {
		err = ed.Commit()
	}
	if err != nil {
		t.Fatal(err)
	}
	ed.Close()
	out := filepath.Join(gen.Folder(t), "out.cbh")
	if r := cbkit(t, "", "convert", "-q", "--purge", "--check", db, out); r.status != exitFailed || !strings.Contains(r.out, "[unused-entity]") {
		t.Errorf("%+v", r)
	}
}
