package roundtrip

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"cbkit/check"
	"cbkit/internal/scid"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/model"
	"cbkit/read"
	"cbkit/write"
)

// Without its index all games of a database of Scid are found, and what is damaged gives
// at least as many games, and as many moves of each, as reading it does.
func TestScidSalvage(t *testing.T) {
	dir := gen.Folder(t)
	rapid.Check(t, func(t *rapid.T) {
		ctx := context.Background()
		db := gen.Database(gen.Config{NoChess960: true, NoTexts: true, TextBytes: 40, NameBytes: 20}).Draw(t, "db")
		path := filepath.Join(dir, "Games.si4")
		sink := must.Get(write.CreateScid(ctx, path, write.Options{Force: true, AcceptLosses: true}))(t)
		must.Do(t, model.Copy(ctx, sink, db, model.CopyOptions{}))
		n := sink.Written()
		whole := lengths(path)
		ext := rapid.SampledFrom([]string{".si4", ".sg4", ".sn4"}).Draw(t, "file")
		name := strings.TrimSuffix(path, ".si4") + ext
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		gone := rapid.Bool().Draw(t, "gone")
		switch at := rapid.IntRange(0, len(b)).Draw(t, "at"); {
		case gone:
			err = os.Remove(name)
		case rapid.Bool().Draw(t, "cut"):
			err = os.WriteFile(name, b[:at], 0o666)
		default:
			copy(b[at:], rapid.SliceOfN(rapid.Byte(), 1, 20).Draw(t, "bytes"))
			err = os.WriteFile(name, b, 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
		for f, err := range check.Scid(ctx, path, check.Options{}).Findings() {
			_, _ = f, err // no panic
		}
		if games, told := strictly(path); !told && games != n {
			t.Fatalf("%d games of %d, and nobody said a word", games, n)
		}
		readable := lengths(path)
		target := filepath.Join(dir, "New.cbh")
		result, err := write.Salvage(ctx, strings.TrimSuffix(path, ".si4")+".sg4", target, write.SalvageOptions{Force: true})
		if err != nil && (n > 0 && gone || len(readable) > 0) {
			t.Fatal(err)
		}
		if err != nil {
			return
		}
		got := lengths(target)
		if gone && ext != ".sg4" {
			if diff := cmp.Diff(whole, got); diff != "" {
				t.Fatal(diff)
			}
		}
		if len(got) < len(readable) {
			t.Fatalf("salvage gives %d games, reading %d: %+v", len(got), len(readable), result)
		}
		for i := range readable {
			if ext == ".sn4" && got[i] < readable[i] {
				t.Fatalf("salvage gives %v, reading %v", got, readable)
			}
		}
	})
}

// What follows from the moves and from the entries is made true by a repair, and nothing
// else changes; a second one changes nothing.
func TestScidRepair(t *testing.T) {
	dir := gen.Folder(t)
	rapid.Check(t, func(t *rapid.T) {
		ctx := context.Background()
		db := gen.Database(gen.Config{NoChess960: true, NoTexts: true, TextBytes: 40}).Draw(t, "db")
		path := filepath.Join(dir, "Games.si4")
		sink := must.Get(write.CreateScid(ctx, path, write.Options{Force: true, AcceptLosses: true}))(t)
		must.Do(t, model.Copy(ctx, sink, db, model.CopyOptions{}))
		names := must.Get(os.ReadFile(strings.TrimSuffix(path, ".si4") + ".sn4"))(t)
		index := must.Get(os.ReadFile(path))(t)
		stale := slices.Clone(index)
		for at := scid.V4.HeaderSize(); at < len(stale); at += scid.V4.EntrySize() {
			e := scid.V4.DecodeEntry(stale[at:])
			e.Material, e.HomePawns = rapid.Uint32Range(0, 1<<24-1).Draw(t, "material"), rapid.Uint8Range(0, 16).Draw(t, "home pawns")
			e.Flags ^= rapid.Uint32Range(0, 7).Draw(t, "flags")
			copy(stale[at:], scid.V4.AppendEntry(nil, &e))
		}
		list := must.Get(scid.DecodeNames(names))(t)
		for kind := range list.Lists {
			for i := range list.Lists[kind] {
				list.Lists[kind][i].Frequency = uint32(rapid.IntRange(0, 300).Draw(t, "frequency"))
				list.Most[kind] = max(list.Most[kind], list.Lists[kind][i].Frequency)
			}
			rest := list.Lists[kind]
			slices.Reverse(rest[:rapid.IntRange(0, len(rest)).Draw(t, "reversed")])
		}
		must.Do(t, os.WriteFile(path, stale, 0o666), os.WriteFile(strings.TrimSuffix(path, ".si4")+".sn4", list.Append(nil), 0o666))
		for round := range 2 {
			result, err := write.Repair(ctx, path, write.RepairOptions{})
			if err != nil || result.Left.Errors+result.Left.Notes > 0 || round > 0 && len(result.Repaired) > 0 {
				t.Fatal(round, result, err)
			}
		}
		for name, want := range map[string][]byte{".si4": index, ".sn4": names} {
			if got, err := os.ReadFile(strings.TrimSuffix(path, ".si4") + name); err != nil || string(got) != string(want) {
				t.Fatalf("%s is not what it was: %v", name, err)
			}
		}
	})
}

// strictly reads a database, and reports how many games it has and whether anything is
// told that is wrong with it.
func strictly(path string) (games int, told bool) {
	src, err := read.Open(path, read.Options{Damage: func(error) { told = true }})
	if err != nil {
		return 0, true
	}
	defer src.Close()
	for rec, err := range src.Records(context.Background(), 1, model.WantMoves|model.WantAnnotations) {
		if told = told || err != nil || len(rec.Faults()) > 0; err == nil {
			games++
		}
	}
	return games, told
}

// lengths are how many moves the games of a database have, as far as they can be read.
func lengths(path string) (list []int) {
	src, err := read.Open(path, read.Options{KeepGoing: true})
	if err != nil {
		return nil
	}
	defer src.Close()
	for rec, err := range src.Records(context.Background(), 1, model.WantMoves) {
		if err == nil && rec.Game != nil {
			list = append(list, rec.Game.Moves.Len())
		}
	}
	return list
}

// Blanks between blocks, and bytes that begin games without end, take no time out of
// proportion; what is not searched is told.
func TestScidSalvageEnds(t *testing.T) {
	dir := gen.Folder(t)
	record := []byte{0, 0, 0xcf, 0xcf, 0x67, 0x0f} // 1.e4 e5 2.Nf3
	size := 1 << 20
	if testing.Short() {
		size = 1 << 18
	}
	for name, c := range map[string]struct {
		middle string
		games  int
	}{
		"blanks": {strings.Repeat("\x00", size), 2}, "shuffling": {strings.Repeat("\x01", size), 1},
	} {
		path := filepath.Join(dir, name+".sg4")
		must.Do(t, os.WriteFile(path, slices.Concat(record, []byte(c.middle), record), 0o666))
		r, err := write.Salvage(t.Context(), path, filepath.Join(dir, name+".cbh"), write.SalvageOptions{})
		if err != nil || r.Written < c.games {
			t.Errorf("%s: %+v, %v", name, r, err)
		}
	}
}

// A game that refers to a name that is not there can be given another header.
func TestScidEditOfDanglingReference(t *testing.T) {
	path := filepath.Join(gen.Folder(t), "Games.si4")
	db := new(model.Database)
	db.AddGame(model.NewGame())
	sink := must.Get(write.CreateScid(t.Context(), path, write.Options{}))(t)
	must.Do(t, model.Copy(t.Context(), sink, db, model.CopyOptions{}))
	b := must.Get(os.ReadFile(path))(t)
	e := scid.V4.DecodeEntry(b[scid.V4.HeaderSize():])
	e.Event = 77
	must.Do(t, os.WriteFile(path, scid.V4.AppendEntry(b[:scid.V4.HeaderSize()], &e), 0o666))
	ed := must.Get(write.EditScid(t.Context(), path, write.EditOptions{}))(t)
	defer ed.Close()
	h, err := ed.Header(1)
	h.WhiteElo = 2700
	must.Do(t, err, ed.SetHeader(1, h, nil), ed.Commit())
}
