package check_test

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"

	"cbkit/check"
	"cbkit/internal/testkit/bulk"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/model"
	"cbkit/write"
)

// What checking and verifying allocate for a game, a part of it for the names that
// come with it: small pieces that end with it. The difference of two databases
// leaves out what is there once.
func TestAllocations(t *testing.T) {
	const few, many = 2000, 10000
	paths := map[int]string{}
	for _, games := range []int{few, many} {
		paths[games] = filepath.Join(gen.Folder(t), fmt.Sprint(games, ".cbh"))
		sink := must.Get(write.Create(context.Background(), paths[games], write.Options{}))(t)
		must.Do(t, model.Copy(t.Context(), sink, bulk.New(bulk.Options{Games: games}), model.CopyOptions{}))
	}
	for _, c := range []struct {
		name string
		most float64
		run  func(path string) error
	}{
		{"check", 3, func(path string) error {
			_, err := check.Database(t.Context(), path, check.Options{Jobs: 1}).Summary()
			return err
		}},
		{"verify", 10, func(path string) error {
			_, err := check.Verify(t.Context(), path, check.Options{Jobs: 1})
			return err
		}},
	} {
		if testing.Short() && c.name == "verify" {
			continue
		}
		count := func(games int) float64 {
			return testing.AllocsPerRun(1, func() {
				if err := c.run(paths[games]); err != nil {
					t.Fatal(err)
				}
			})
		}
		if each := (count(many) - count(few)) / (many - few); each > c.most {
			t.Errorf("%s: %.2f allocations for a game, more than %v", c.name, each, c.most)
		}
	}
}
