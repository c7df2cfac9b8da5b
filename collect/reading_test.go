package collect_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"testing"

	"cbkit/collect"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/jsonl"
	"cbkit/model"
	"cbkit/read"
	"cbkit/write"

	"pgregory.net/rapid"
)

// stored writes a database and opens it.
func stored(t must.TB, db *model.Database) model.Numbered {
	mem := write.NewMemory()
	sink := must.Get(write.Create(ctx, "Games.cbh", write.Options{AcceptLosses: true, In: mem}))(t)
	must.Do(t, model.Copy(ctx, sink, db, model.CopyOptions{}))
	src := must.Get(read.OpenFS(mem, "Games.cbh", read.Options{}))(t)
	return src.(model.Numbered)
}

// Groups of a source that is read by numbers are those that come through a temporary file,
// with all that is in their records, whichever of them are read, and how far.
func TestGroupsByNumber(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := stored(t, gen.Database(gen.Config{}).Draw(t, "db"))
		by, err := collect.ParseGrouping(rapid.SampledFrom([]string{"white", "player", "event", "eco", "year", "1", "3"}).Draw(t, "by"))
		if err != nil {
			t.Fatal(err)
		}
		limits := rapid.SliceOfN(rapid.SampledFrom([]int{1 << 30, 1 << 30, 0, 1, 2}), 1, 5).Draw(t, "how far each group is read")
		var ways [2][]string
		for i, s := range []model.Source{src, struct{ model.Source }{src}} {
			groups := must.Get(collect.Split(ctx, s, by, collect.Options{}))(t)
			for range 2 { // all groups once more
				n := 0
				for group := range must.All(t, groups.All()) {
					text, left := group.Name+":", limits[n%len(limits)]
					n++
					if left > 0 {
						for rec := range must.All(t, group.Records(ctx, 1, model.WantAll)) {
							text += string(jsonl.AppendRecord(nil, rec, group.Entities()))
							if left--; left == 0 {
								break
							}
						}
					}
					ways[i] = append(ways[i], text)
				}
			}
			must.Do(t, groups.Close())
			for _, err := range groups.All() {
				if !errors.Is(err, fs.ErrClosed) {
					t.Fatalf("closed: %v", err)
				}
			}
		}
		if !slices.Equal(ways[0], ways[1]) {
			t.Fatalf("by number\n%s\nby a file\n%s", ways[0], ways[1])
		}
	})
}

// One part can be read with another context and for other things than the one before; an
// ended context ends reading, and the next part is whole.
func TestGroupsAreReadApart(t *testing.T) {
	db := &model.Database{}
	for i := range 600 {
		g := model.NewGame()
		g.WhiteElo = uint16(1000 + i)
		g.Moves.Append(model.NewMove(model.E2, model.E4))
		db.AddGame(g)
	}
	groups := must.Get(collect.Split(ctx, stored(t, db), "100", collect.Options{}))(t)
	defer groups.Close()
	part := 0
	for group := range must.All(t, groups.All()) {
		part++
		own, cancel := context.WithCancel(ctx)
		n, want := 0, []model.Want{model.WantHeaders, model.WantAll}[part%2]
		var failed error
		for rec, err := range group.Records(own, 1, want) {
			if err != nil {
				failed = err
				break
			}
			n++
			if elo := 1000 + (part-1)*100 + n - 1; int(rec.Game.WhiteElo) != elo || int(rec.ID) != n || want == model.WantAll && rec.Game.Moves.Len() != 1 {
				t.Fatalf("part %d: record %d, id %d: %+v", part, n, rec.ID, rec.Game)
			}
			if part == 3 && n == 50 {
				cancel()
			}
		}
		cancel()
		if part == 3 {
			if !errors.Is(failed, context.Canceled) {
				t.Errorf("ended after %d records with %v", n, failed)
			}
		} else if n != 100 || failed != nil {
			t.Errorf("part %d: %s, %v", part, fmt.Sprint(n, " records"), failed)
		}
	}
	if part != 6 {
		t.Errorf("%d parts", part)
	}
}
