package check_test

import (
	"context"
	"encoding/binary"
	"hash/crc32"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cbkit/check"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/model"
	"cbkit/write"
)

// withIndex writes a database of three games of so many plies, with an index of positions.
func withIndex(t *testing.T, main string, plies int) (path, index string) {
	t.Helper()
	path = filepath.Join(gen.Folder(t), "db"+main)
	db := &model.Database{}
	moves := []model.Move{
		model.NewMove(model.G1, model.F3), model.NewMove(model.G8, model.F6), model.NewMove(model.F3, model.G1), model.NewMove(model.F6, model.G8),
	}
	for n := range 3 {
		g := model.NewGame()
		for i := range plies + n {
			g.Moves.Append(moves[i%4])
		}
		db.AddGame(g)
	}
	files, err := gen.ChessBase2(context.Background(), db)
	for name, f := range files {
		if err == nil && main == ".2cbh" {
			err = os.WriteFile(strings.TrimSuffix(path, main)+filepath.Ext(name), f.Data, 0o644)
		}
	}
	if err == nil && main == ".cbh" {
		var sink model.Sink
		if sink, err = write.Create(context.Background(), path, write.Options{}); err == nil {
			err = model.Copy(context.Background(), sink, db, model.CopyOptions{})
		}
	}
	if err == nil {
		_, err = write.Boosters(context.Background(), path, write.BoosterOptions{Positions: 10})
	}
	if err != nil {
		t.Fatal(err)
	}
	return path, strings.TrimSuffix(path, main) + ".cbkit-positions" + strings.TrimSuffix(main[1:], "cbh")
}

// An index is compared with the games that it must list, if it fits; and damage is found.
func TestPositionIndexIsCompared(t *testing.T) {
	t.Run(".cbh", func(t *testing.T) { compared(t, ".cbh", 6) })
	t.Run(".2cbh", func(t *testing.T) { compared(t, ".2cbh", 0) })
}

// compared compares the index of a database with so many boosters besides.
func compared(t *testing.T, main string, boosters int) {
	path, index := withIndex(t, main, 3)
	_, other := withIndex(t, main, 2)
	ending := filepath.Ext(index)
	sound := must.Get(os.ReadFile(index))(t)
	foreign := must.Get(os.ReadFile(other))(t)
	// As if it had been made of this database.
	taken := append([]byte{}, foreign...)
	copy(taken[40:92], sound[40:92])
	older := append([]byte{}, sound...) // of another version
	older[20]--
	for _, b := range [][]byte{taken, older} {
		binary.LittleEndian.PutUint32(b[16:], crc32.Checksum(b[20:4096], crc32.MakeTable(crc32.Castagnoli)))
	}
	flipped := append([]byte{}, sound...)
	flipped[4096+20] ^= 1
	for name, c := range map[string]struct {
		content []byte
		state   check.BoosterState
		finding string
		whole   string // of the check of the database
	}{
		"sound":   {sound, check.BoosterValid, "", ""},
		"foreign": {foreign, check.BoosterUnsealed, "booster-unsealed", "note booster-unsealed"},
		"older":   {older, check.BoosterUnsealed, "booster-unsealed", "note booster-unsealed"},
		"taken":   {taken, check.BoosterWrong, "booster-content", "error booster-content"},
		"flipped": {flipped, check.BoosterWrong, "booster-header", "error booster-header"},
		"cut":     {sound[:len(sound)-1], check.BoosterWrong, "booster-header", "error booster-header"},
		"empty":   {nil, check.BoosterWrong, "booster-header", "error booster-header"},
	} {
		must.Do(t, os.WriteFile(index, c.content, 0o644))
		list, err := check.Boosters(context.Background(), path, check.Options{})
		if err != nil || len(list) != boosters+1 {
			t.Fatalf("%s: %v, %v", name, list, err)
		}
		b := list[boosters]
		if b.State != c.state || (len(b.Findings) > 0) != (c.finding != "") || c.finding != "" && b.Findings[0].Code != c.finding {
			t.Errorf("%s: %+v", name, b)
		}
		got, _, _ := findingsOf(t, path, ending[1:])
		if want := ending + " " + c.whole; (len(got) > 0) != (c.whole != "") || c.whole != "" && got[0] != want {
			t.Errorf("%s: %q", name, got)
		}
	}
	must.Do(t, os.Remove(index))
	if list, err := check.Boosters(context.Background(), path, check.Options{}); err != nil || len(list) != max(boosters, 1) {
		t.Errorf("without: %v, %v", list, err)
	}
	list, err := check.Boosters(context.Background(), path, check.Options{Files: []string{ending[1:]}})
	if err != nil || len(list) != 1 || list[0].State != check.BoosterMissing {
		t.Errorf("asked for: %v, %v", list, err)
	}
}

// Without a file that it is not of, an index cannot be compared, which is said of the index.
func TestPositionIndexWithoutFile(t *testing.T) {
	for _, missing := range []string{".cba", ".cbp"} {
		path, index := withIndex(t, ".cbh", 3)
		must.Do(t, os.Remove(strings.TrimSuffix(path, ".cbh")+missing))
		list, err := check.Boosters(context.Background(), path, check.Options{Files: []string{".cbkit-positions"}})
		if err != nil || len(list) != 1 || list[0].File != filepath.Base(index) || list[0].State != "unknown" || len(list[0].Findings) != 1 {
			t.Errorf("without %s: %+v, %v", missing, list, err)
		}
	}
}
