package roundtrip

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"cbkit"
	"cbkit/board"
	"cbkit/collect"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/model"
	"cbkit/search"
	"cbkit/stats"
)

// A folder has the records of the union of its files, each with its file and number
// there, as often as it is read; a file that cannot be opened is told.
func TestFolder(t *testing.T) {
	ctx := context.Background()
	rapid.Check(t, func(t *rapid.T) {
		dir := must.Get(os.MkdirTemp("", "cbkit-folder-"))(t)
		defer os.RemoveAll(dir)
		var parts []model.Source
		type place struct {
			name string
			id   model.RecordID
		}
		var places []place
		for i := range rapid.IntRange(1, 4).Draw(t, "files") {
			name := fmt.Sprintf("%c.%s", 'a'+i, rapid.SampledFrom([]string{"cbh", "jsonl", "jsonl.gz", "pgn", "si4"}).Draw(t, "format"))
			db := gen.Database(gen.Config{}).Draw(t, "database")
			path := filepath.Join(dir, name)
			err := cbkit.Save(ctx, path, db, cbkit.SaveOptions{AcceptLosses: true, OnError: func(model.RecordID, error) error { return nil }})
			if err != nil {
				t.Skip(err)
			}
			src := must.Get(cbkit.Open(path, cbkit.Options{}))(t)
			defer src.Close()
			parts = append(parts, src)
			for rec, err := range src.Records(ctx, 1, model.WantHeaders) {
				if rec.ID == 0 {
					t.Skip(err)
				}
				places = append(places, place{path, rec.ID})
			}
		}
		broken := rapid.Bool().Draw(t, "broken")
		if broken {
			must.Do(t, os.WriteFile(filepath.Join(dir, "aa.cbh"), []byte("junk"), 0o666))
		}
		told := 0
		folder := must.Get(cbkit.Open(dir, cbkit.Options{Damage: func(error) { told++ }}))(t)
		for pass := range 2 {
			n, all := 0, collect.NewUnion(parts...)
			var want []model.Record
			var wantErr []error
			for rec, err := range all.Records(ctx, 1, model.WantAll) {
				want, wantErr = append(want, rec.Clone()), append(wantErr, err)
			}
			told = 0
			for rec, err := range folder.Records(ctx, 1, model.WantAll) {
				if n >= len(want) || (err != nil) != (wantErr[n] != nil) {
					t.Fatalf("record %d: %v", n+1, err)
				}
				if name, id := folder.Origin(rec.ID); (place{name, id}) != places[n] {
					t.Fatalf("record %d is %s#%d, want %v", n+1, name, id, places[n])
				}
				rec.ID = want[n].ID
				if err == nil && !model.EqualRecords(rec, folder.Entities(), want[n], all.Entities()) {
					t.Fatalf("record %d differs", n+1)
				}
				n++
			}
			if n != len(want) || (told > 0) != broken {
				t.Fatalf("pass %d: %d records of %d, %d errors", pass, n, len(want), told)
			}
		}
		if broken {
			strict := must.Get(cbkit.Open(dir, cbkit.Options{}))(t)
			for rec, err := range strict.Records(ctx, 1, model.WantHeaders) {
				if rec.ID == 0 && !errors.Is(err, model.ErrNotDatabase) {
					t.Fatal(err)
				} else if rec.ID == 0 {
					return
				}
			}
			t.Fatal("the broken file is passed over")
		}
		path := filepath.Join(dir, "merged", "all.jsonl")
		must.Do(t, os.Mkdir(filepath.Dir(path), 0o777))
		if err := cbkit.Save(ctx, path, collect.NewUnion(parts...), cbkit.SaveOptions{AcceptLosses: true}); err != nil {
			t.Skip(err) // a record that cannot be read
		}
		merged := must.Get(cbkit.Open(path, cbkit.Options{}))(t)
		defer merged.Close()
		if a, b := answers(t, folder), answers(t, merged); a != b {
			t.Fatalf("the folder answers\n%s\nand the merge of its files\n%s", a, b)
		}
	})
}

// answers returns what a source answers to questions of each kind, as text.
func answers(t *rapid.T, src *cbkit.Source) string {
	ctx, out := context.Background(), &strings.Builder{}
	for _, query := range []string{"kind:game", "deleted:yes", "result:1-0", "year:1900..2000", "player:*a*", "moves:..10", "piece:Nf3", "has:variations", "final:mate"} {
		condition := must.Get(search.Parse(query))(t)
		found := must.Get(search.Select(src, condition))(t)
		fmt.Fprint(out, query)
		for rec, err := range found.Records(ctx, 1, model.WantHeaders) {
			fmt.Fprint(out, " ", rec.ID, err)
		}
		fmt.Fprintln(out)
	}
	for kind := stats.Players; kind <= stats.Titles; kind++ {
		list := must.Get(stats.List(ctx, src, kind, stats.Options{}))(t)
		for e := range list.All() {
			e.ID = 0 // ids are those of the files, or of the merge
			fmt.Fprintf(out, "%v %+v\n", kind, e)
		}
	}
	report := must.Get(stats.Explore(ctx, src, board.Start(), stats.ExploreOptions{}))(t)
	fmt.Fprintf(out, "%d-%d %+v %d ended\n", report.FirstYear, report.LastYear, report.Score, report.Ended)
	for _, m := range report.Moves { // the best of equal players are those of lower ids
		fmt.Fprintf(out, "%s %+v %d %d %s %d\n", m.SAN, m.Score, m.LastYear, m.Elo, m.Line, m.LineGames)
	}
	return out.String()
}
