package roundtrip

import (
	"bytes"
	"context"
	"encoding/binary"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"cbkit/check"
	"cbkit/internal/scid"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/jsonl"
	"cbkit/model"
	"cbkit/pgn"
	"cbkit/read"
	"cbkit/write"
)

// What a database of Scid gives back is what PGN for people gives back, without what it
// has no place for.
func TestScidIsPlain(t *testing.T) {
	dir := gen.Folder(t)
	rapid.Check(t, func(t *rapid.T) {
		ctx := context.Background()
		db := gen.Database(gen.Config{NoChess960: true, TextBytes: 60}).Draw(t, "db")
		path := filepath.Join(dir, "Games.si4")
		var lost []model.RecordID
		sink, err := write.CreateScid(ctx, path, write.Options{Force: true, Report: func(l model.Loss) {
			if l.Kind == model.LostRecord {
				lost = append(lost, l.Record)
			}
		}})
		if err != nil {
			t.Fatal(err)
		}
		must.Do(t, model.Copy(ctx, sink, db, model.CopyOptions{}))
		var text bytes.Buffer
		keep := func(rec model.Record) bool { return !slices.Contains(lost, rec.ID) }
		w := pgn.NewWriter(&text, pgn.WriterOptions{Plain: true, Deleted: true, AcceptLosses: true})
		must.Do(t, model.Copy(ctx, w, db, model.CopyOptions{Keep: keep}))
		src := must.Get(read.Open(path, read.Options{}))(t)
		defer src.Close()
		got, want := plainGames(t, src), plainGames(t, pgn.NewReader(&text, pgn.ReaderOptions{}))
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(model.Symbols{})); diff != "" {
			var lines []byte
			for rec := range db.Records(ctx, 1, model.WantAll) {
				lines = append(jsonl.AppendRecord(lines, rec, db.Entities()), '\n')
			}
			t.Fatalf("%s\n%s", diff, lines)
		}
	})
}

// plainGames are the games of a source by value.
func plainGames(t *rapid.T, src model.Source) (list []model.ResolvedGame) {
	for rec, err := range src.Records(context.Background(), 1, model.WantMoves|model.WantAnnotations) {
		if err != nil || len(rec.Faults()) > 0 {
			t.Fatal(rec.ID, err, rec.Faults())
		}
		g := rec.Clone().Game
		g.Leftovers = model.GameLeftovers{}
		if g.Result == model.BothLose { // which Scid has not
			g.Result = model.NoResult
		}
		if g.Date.Year > 2047 {
			g.Date.Year = 0
		}
		for i, a := range g.Annotations {
			if s, is := a.Value.(model.Symbols); is {
				g.Annotations[i].Value = asScid(s)
			}
		}
		list = append(list, g.Resolve(src.Entities()))
	}
	return list
}

// asScid returns the symbols that Scid has: one that judges the move, in front, and one
// that judges the position.
func asScid(s model.Symbols) model.Value {
	var move, position, rest []model.NAG
	for _, n := range s.NAGs() {
		switch {
		case n >= 1 && n <= 6:
			move = append(move, n)
		case n >= 10 && n <= 21:
			if len(position) == 0 {
				rest = append(rest, n)
			}
			position = append(position, n)
		default:
			rest = append(rest, n)
		}
	}
	var out model.Symbols
	for _, n := range append(move[:min(1, len(move))], rest...) {
		out.Add(n)
	}
	return out.Value()
}

// What a field of an entry cannot say is a tag of the record or told, never dropped.
func TestScidTellsWhatItDrops(t *testing.T) {
	dir := gen.Folder(t)
	text := `[Event "E"]
[Date "about 1850"]
[White "A"]
[Black "B"]
[Result "*"]
[ECO "Sicilian"]
[WhiteElo "2500 FIDE"]
[ScidFlags "WZ!"]
[EventDate "spring"]

1. e4 *
`
	path := filepath.Join(dir, "Games.si4")
	var losses []model.Loss
	sink := must.Get(write.CreateScid(t.Context(), path, write.Options{Report: func(l model.Loss) { losses = append(losses, l) }}))(t)
	must.Do(t, model.Copy(t.Context(), sink, pgn.NewReader(strings.NewReader(text), pgn.ReaderOptions{}), model.CopyOptions{}))
	if len(losses) != 1 || losses[0].Field != "ScidFlags" {
		t.Errorf("%+v", losses)
	}
	db := must.Get(read.Open(path, read.Options{}))(t)
	defer db.Close()
	rec := must.Get(db.Record(t.Context(), 1, model.WantAll))(t)
	tags := map[string]string{}
	for _, tag := range pgn.AppendTags(nil, &rec, db.Entities(), nil) {
		tags[tag.Name] = tag.Value
	}
	for name, want := range map[string]string{"Date": "about 1850", "ECO": "Sicilian", "WhiteElo": "2500 FIDE", "EventDate": "spring", "ScidFlags": "W!"} {
		if tags[name] != want {
			t.Errorf("%s is %q, want %q", name, tags[name], want)
		}
	}
}

// A copy takes stored names over only where a .sn4 can have them, and an entry that refers
// to none is written anew.
func TestScidCopiesOfWhatIsOdd(t *testing.T) {
	long := strings.Repeat("n", 300)
	names5 := func(list ...string) (b []byte) { // a name for each of the kinds, players first
		for i, name := range list {
			b = append(binary.AppendUvarint(b, uint64(len(name))<<3|uint64(max(i-1, 0))), name...)
		}
		return b
	}
	record := []byte{0, 0, 0xcf, 0x0f}
	entry := func(v scid.Version, e scid.Entry) []byte {
		e.Length, e.White, e.Black = uint32(len(record)), 0, 1
		return v.AppendEntry(nil, &e)
	}
	index4 := (&scid.Header{Version: 400, Games: 1}).Append(nil)
	names4 := &scid.Names{}
	names4.Lists[scid.Players] = []scid.Name{{Bytes: []byte("A")}, {ID: 1, Bytes: []byte("B")}}
	for kind := scid.Events; kind <= scid.Rounds; kind++ {
		names4.Lists[kind] = []scid.Name{{Bytes: []byte("?")}}
	}
	for name, files := range map[string]fstest.MapFS{
		"long":    {"O.si5": {Data: entry(scid.V5, scid.Entry{})}, "O.sg5": {Data: record}, "O.sn5": {Data: names5(long, "B", "E", "S", "R")}},
		"twice":   {"O.si5": {Data: entry(scid.V5, scid.Entry{})}, "O.sg5": {Data: record}, "O.sn5": {Data: names5("A", "A", "E", "S", "R")}},
		"missing": {"O.si4": {Data: append(index4, entry(scid.V4, scid.Entry{Event: 7})...)}, "O.sg4": {Data: record}, "O.sn4": {Data: names4.Append(nil)}},
	} {
		main := "O.si5"
		if files[main] == nil {
			main = "O.si4"
		}
		src, err := read.OpenFS(files, main, read.Options{})
		if err != nil {
			t.Fatal(name, err)
		}
		path := filepath.Join(gen.Folder(t), "New.si4")
		sink, err := write.CreateScid(t.Context(), path, write.Options{AcceptLosses: true})
		if err == nil {
			err = model.Copy(t.Context(), sink, src, model.CopyOptions{})
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for f, err := range check.Scid(t.Context(), path, check.Options{}).Findings() {
			t.Errorf("%s: %v, %v", name, f, err)
		}
	}
}
