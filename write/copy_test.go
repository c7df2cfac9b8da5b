package write_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cbkit/internal/booster"
	"cbkit/internal/cbhdb"
	"cbkit/internal/testkit/corpus"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/model"
	"cbkit/moveenc"
	"cbkit/read"
	"cbkit/write"
)

// realDatabases are those of the corpus that are complete.
var realDatabases = []string{
	"hedgehog/Hedgehog", "mate2/Mate2", "twic1134/twic1134", "small/small",
	"cbh_cbj_test/cbh_cbj_test", "cbh_test/cbh_test",
}

// copyReal copies a real database without a loss.
func copyReal(t *testing.T, name string) (from, to *read.FileSet) {
	t.Helper()
	db := openDatabase(t, corpus.Path(t, "cbh/"+name+".cbh"))
	opt := write.Options{Report: func(l model.Loss) { t.Errorf("loss: %v", l) }}
	return db.Files(), findFiles(t, copied(t, db, opt, model.CopyOptions{}))
}

// openDatabase opens a ChessBase database.
func openDatabase(t *testing.T, path string) *read.ChessBase {
	t.Helper()
	db := must.Get(read.Open(path, read.Options{}))(t)
	t.Cleanup(func() { db.Close() })
	return db.(*read.ChessBase)
}

// copied copies the stored records of a database and returns the path.
func copied(t *testing.T, db *read.ChessBase, opt write.Options, how model.CopyOptions) string {
	t.Helper()
	path := filepath.Join(gen.Folder(t), "new.cbh")
	sink := must.Get(write.CreateCopy(context.Background(), path, db, opt))(t)
	must.Do(t, model.Copy(context.Background(), sink, db, how))
	return path
}

// A copy has the same files with the same bytes, save what follows from
// leaving out holes: where records lie, the sizes that say so, and the
// checksums over those offsets.
func TestCopyOfRealDatabases(t *testing.T) {
	for _, name := range realDatabases {
		t.Run(filepath.Base(name), func(t *testing.T) {
			from, to := copyReal(t, name)
			if a, b := from.Endings(), to.Endings(); len(a) != len(b) {
				t.Errorf("files %v became %v", a, b)
			}
			for _, ext := range from.Endings() {
				a, b := readFile(t, from.Path(ext)), readFile(t, to.Path(ext))
				if ext == ".cbg" || ext == ".cba" {
					continue // compared record by record below
				}
				if blank(ext, a); !bytes.Equal(a, blank(ext, b)) {
					t.Errorf("%s differs", ext)
				}
			}
			compareRecords(t, from, to)
		})
	}
}

// Bits for a promotion where no pawn reaches the last rank (docs/formats/cbg.md 7) are in a
// copy as they were, byte for byte.
func TestCopyKeepsBitsOfNoPromotion(t *testing.T) {
	g := model.NewGame()
	g.Moves.Append(model.NewMove(model.E2, model.E4))
	g.Moves.Append(model.NewMove(model.E7, model.E5))
	form := moveenc.Form{Mode: 5, Bits: []uint32{0<<2 | 2, 1<<2 | 3}}
	record := must.Get(moveenc.Append(nil, nil, &g.Moves, &form))(t)
	g.Leftovers.Moves = &model.Leftover{Format: "cbh", Data: moveenc.AppendForm(nil, &form)}
	db := &model.Database{}
	db.AddGame(g)
	path := filepath.Join(gen.Folder(t), "old.cbh")
	sink := must.Get(write.Create(t.Context(), path, write.Options{}))(t)
	must.Do(t, model.Copy(t.Context(), sink, db, model.CopyOptions{}))
	from := openDatabase(t, path)
	to := findFiles(t, copied(t, from, write.Options{}, model.CopyOptions{}))
	for _, set := range []*read.FileSet{from.Files(), to} {
		if b := readFile(t, set.Path(".cbg")); !bytes.HasSuffix(b, record) {
			t.Errorf("%s: % x, want % x", set.Name(".cbg"), b, record)
		}
	}
	compareRecords(t, from.Files(), to)
}

// blank zeroes the bytes of a file that may differ.
func blank(ext string, b []byte) []byte {
	switch ext {
	case ".cbh":
		for at := 46; at < len(b); at += 46 {
			clear(b[at+1 : at+5]) // offset in .cbg
			if b[at]&2 == 0 {
				clear(b[at+5 : at+9]) // offset in .cba, games only
			}
		}
	case ".cbj":
		size := int(binary.LittleEndian.Uint32(b[4:]))
		for at := 32; at < len(b); at += size {
			clear(b[at+12 : at+20]) // offset in .cba
			clear(b[at+28 : at+30]) // checksum over it
			clear(b[at+30 : at+38]) // offset in .cbg
		}
	}
	return b
}

// compareRecords compares the records of the .cbg and .cba files one by one,
// and checks that the copy has nothing else.
func compareRecords(t *testing.T, from, to *read.FileSet) {
	t.Helper()
	headsA, headsB := readFile(t, from.Path(".cbh")), readFile(t, to.Path(".cbh"))
	for _, ext := range []string{".cbg", ".cba"} {
		a, b := readFile(t, from.Path(ext)), readFile(t, to.Path(ext))
		used := int(binary.BigEndian.Uint16(b))
		for at := 46; at < len(headsA); at += 46 {
			ra, rb := storedRecord(ext, headsA[at:at+46], a), storedRecord(ext, headsB[at:at+46], b)
			if !bytes.Equal(ra, rb) {
				t.Errorf("%s of record %d differs", ext, at/46)
			}
			used += len(rb)
		}
		if used != len(b) {
			t.Errorf("%s: %d bytes, the records have %d", ext, len(b), used)
		}
		if a[0] != b[0] || a[1] != b[1] {
			t.Errorf("%s: header of %d bytes became %d", ext, a[1], b[1])
		}
	}
}

// storedRecord finds a record by its .cbh record.
func storedRecord(ext string, head, file []byte) []byte {
	if ext == ".cbg" {
		at := binary.BigEndian.Uint32(head[1:])
		return file[at : at+binary.BigEndian.Uint32(file[at:])&0xFFFFFF]
	}
	at := binary.BigEndian.Uint32(head[5:])
	if head[0]&2 != 0 || at == 0 {
		return nil
	}
	return file[at : at+binary.BigEndian.Uint32(file[at+10:])]
}

func readFile(t *testing.T, path string) []byte {
	t.Helper()
	return must.Get(os.ReadFile(path))(t)
}

// Written afresh, real databases say the same, and what was stored about
// their moves and annotations is what we compute.
func TestFreshCopyOfRealDatabases(t *testing.T) {
	for _, name := range realDatabases {
		t.Run(filepath.Base(name), func(t *testing.T) {
			db := must.Get(read.Open(corpus.Path(t, "cbh/"+name+".cbh"), read.Options{}))(t)
			defer db.Close()
			original := must.Get(model.Load(context.Background(), db))(t)
			stored := make([]*model.Leftover, len(original.List))
			for i, r := range original.List {
				if r.Game != nil {
					stored[i] = r.Game.Leftovers.Derived
					r.Game.Leftovers.Derived = nil
				}
			}
			again, losses := trip(t, gen.Folder(t), original, write.Options{})
			if len(losses) > 0 {
				t.Errorf("losses: %v", losses)
			}
			if !model.Equal(original, again) {
				t.Errorf("the copy differs:\n%s", difference(original, again))
			}
			compareDerived(t, name, stored, again)
		})
	}
}

// staleMaterial is the number of games in which the stored material is not
// that of the last position: edited and cut games of which ChessBase did not
// refresh it (docs/formats/cbh-entities.md 5.1). Zero, not computed, does not count.
var staleMaterial = map[string]int{"hedgehog/Hedgehog": 14}

// compareDerived compares what was stored about games with what was computed:
// flags, magnitude, medals and move count in the first nine bytes, material in
// the other eight.
func compareDerived(t *testing.T, name string, stored []*model.Leftover, again *model.Database) {
	t.Helper()
	stale := 0
	for i, r := range again.List {
		if r.Game == nil {
			continue
		}
		was, is := stored[i].From("cbh"), r.Game.Leftovers.Derived.From("cbh")
		if !bytes.Equal(was[:9], is[:9]) {
			t.Errorf("record %d: stored %x, computed %x", r.ID, was[:9], is[:9])
		}
		if !bytes.Equal(was[9:], is[9:]) && !bytes.Equal(was[9:], make([]byte, 8)) {
			stale++
		}
	}
	if stale != staleMaterial[name] {
		t.Errorf("the material of %d games is stale, %d are known", stale, staleMaterial[name])
	}
}

// A copy leaves out holes, and its .cbgi file says where records are then. Boosters that
// were sealed are sealed in the copy.
func TestCopyMovesOffsetsBooster(t *testing.T) {
	db := oneGame("first")
	db.AddGame(db.List[0].Game)
	path := withBoosters(t, create(t, db, write.Options{}))
	const hole = 7
	moves, heads, exts := sibling(path, ".cbg"), path, sibling(path, ".cbj")
	b := readFile(t, moves)
	at := binary.BigEndian.Uint32(readFile(t, heads)[2*46+1:])
	replace(t, moves, append(append(bytes.Clone(b[:at]), make([]byte, hole)...), b[at:]...))
	b = readFile(t, heads)
	binary.BigEndian.PutUint32(b[2*46+1:], at+hole)
	replace(t, heads, b)
	b = readFile(t, exts)
	binary.BigEndian.PutUint64(b[32+120+30:], uint64(at+hole))
	replace(t, exts, b)

	unsealed := copied(t, openDatabase(t, path), write.Options{}, model.CopyOptions{})
	if _, err := os.Stat(sibling(unsealed, ".cbkit")); err == nil {
		t.Error("a seal that does not hold was copied")
	}
	withBoosters(t, path)
	copied := copied(t, openDatabase(t, path), write.Options{}, model.CopyOptions{})
	for _, ext := range write.BoosterExts() {
		files := cbhdb.FilesOf(findFiles(t, copied))
		if err := errors.Join(booster.CheckSeal(files, ext), booster.CheckSums(files, ext)); err != nil {
			t.Error(err)
		}
	}
	offsets, heads2 := readFile(t, sibling(copied, ".cbgi")), readFile(t, copied)
	for id := 1; id <= 2; id++ {
		want := binary.BigEndian.Uint32(heads2[46*id+1:])
		if got := binary.LittleEndian.Uint32(offsets[4*id:]); got != want {
			t.Errorf("record %d: .cbgi says %d, .cbh %d", id, got, want)
		}
	}
}

func sibling(path, ext string) string { return strings.TrimSuffix(path, ".cbh") + ext }

func replace(t *testing.T, path string, content []byte) {
	t.Helper()
	must.Do(t, os.WriteFile(path, content, 0o644))
}

// A guiding text that cannot be decoded and does not fit its own size is
// written empty, so that the records behind it keep their places.
func TestTextThatDoesNotFitItself(t *testing.T) {
	for _, raw := range [][]byte{
		{1, 0x80, 0xFF, 0xFF, 0xFF, 1, 2, 3}, // a record of another size
		{7, 7, 7},                            // no record at all
		nil,
	} {
		db := &model.Database{}
		text := model.NewGuidingText()
		text.ContentErr = model.ErrCorrupt
		text.Leftovers.Content = &model.Leftover{Format: "cbh", Data: raw}
		db.AddText(text)
		again, losses := trip(t, gen.Folder(t), db, write.Options{})
		if len(losses) != 1 || losses[0].Field != "content" {
			t.Errorf("losses: %v", losses)
		}
		if len(again.List) != 1 || again.List[0].Text == nil || again.List[0].Text.ContentErr != nil {
			t.Errorf("%+v", again.List)
		}
	}
}
