package lines_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cbkit/board"
	"cbkit/internal/testkit/bulk"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/lines"
	"cbkit/model"
	"cbkit/search"
	"cbkit/write"

	"pgregory.net/rapid"
)

// mixed is a database of games with openings in common, of games from set-up and Chess960
// positions, of texts between them, and of deleted ones.
func mixed(t *rapid.T) *model.Database {
	made := must.Get(model.Load(ctx, bulk.New(bulk.Options{Games: 150, Annotated: 20, Seed: rapid.Uint64().Draw(t, "seed")})))(t)
	db := &model.Database{Tables: made.Tables}
	config := gen.Config{NoTags: true, NoHalfMoves: true, Plies: 90, TextBytes: 10}
	for i, rec := range made.List {
		switch {
		case i%4 == 0:
			db.AddGame(gen.Game(config, &db.Tables).Draw(t, "game"))
		case i%23 == 0:
			db.AddText(gen.GuidingText(config, &db.Tables).Draw(t, "text"))
		}
		db.AddGame(rec.Game)
		db.List[len(db.List)-1].Deleted = i%11 == 0
	}
	return db
}

// changed are games of a database as they are, cut, with another move at the end or on the
// way, with moves in another order, and from where they came to.
func changed(db *model.Database, r *rand.Rand) *model.Database {
	out := &model.Database{Tables: db.Tables}
	for _, rec := range db.List {
		if rec.Game == nil || rec.Game.MovesErr != nil {
			continue
		}
		p, err := board.New(rec.Game.Start)
		if err != nil {
			continue
		}
		var moves []model.Move
		for n := range rec.Game.Moves.Line(model.NoNode) {
			moves = append(moves, rec.Game.Moves.Move(n))
		}
		at := r.IntN(min(len(moves), 60) + 1)
		start := rec.Game.Start
		switch r.IntN(5) {
		case 0: // as it is
		case 1: // cut, and played on
			moves = append(moves[:at:at], model.NullMove, model.NullMove)
		case 2: // another move on the way: what follows is left out where it cannot be
			moves = slices.Insert(slices.Clone(moves), at, model.NullMove)
		case 3: // another order
			if moves = slices.Clone(moves); at+2 < len(moves) {
				moves[at], moves[at+2] = moves[at+2], moves[at]
			}
		case 4:
			for _, m := range moves[:at] {
				p.Make(m)
			}
			from := p.Model()
			start, moves = &from, moves[at:]
		}
		g := model.NewGame()
		var tree model.Tree
		if p, err = board.New(start); err != nil {
			continue
		}
		for _, m := range moves {
			if legal := p.AppendLegal(nil); m == model.NullMove && len(legal) > 0 {
				m = legal[r.IntN(len(legal))]
			}
			if !p.Legal(m) {
				continue
			}
			tree.Append(m)
			p.Make(m)
		}
		g.SetMoves(start, tree)
		out.AddGame(g)
	}
	return out
}

// never is a base of which only single games are read.
type never struct {
	model.Numbered
	read int
}

func (*never) Records(context.Context, model.RecordID, model.Want) iter.Seq2[model.Record, error] {
	return func(yield func(model.Record, error) bool) {
		yield(model.Record{}, errors.New("the whole base is read"))
	}
}

func (n *never) RecordsOf(ctx context.Context, ids iter.Seq[model.RecordID], want model.Want) iter.Seq2[model.Record, error] {
	return func(yield func(model.Record, error) bool) {
		for rec, err := range n.Numbered.RecordsOf(ctx, ids, want) {
			if n.read++; !yield(rec, err) {
				return
			}
		}
	}
}

// novelties returns all of them, as text.
func novelties(t testing.TB, games, base model.Source, opt lines.NoveltyOptions) (list []string) {
	t.Helper()
	for n := range must.All(t, lines.Novelties(ctx, games, base, opt)) {
		list = append(list, fmt.Sprint(n))
	}
	return list
}

// opened opens a database and its index of positions.
func opened(t *testing.T, path string, warn func(error)) (*search.Searcher, model.Numbered) {
	t.Helper()
	s := must.Get(search.Open(path, search.Options{Warn: warn}))(t)
	t.Cleanup(func() { s.Close() })
	db := must.Get(s.Database())(t)
	return s, db.(model.Numbered)
}

// stored writes a database with an index of positions of so many plies.
func stored(t *testing.T, db *model.Database, plies int) (path string) {
	t.Helper()
	path = filepath.Join(gen.Folder(t), "base.cbh")
	sink := must.Get(write.Create(ctx, path, write.Options{AcceptLosses: true}))(t)
	must.Do(t, model.Copy(ctx, sink, db, model.CopyOptions{}))
	must.Get(write.Boosters(ctx, path, write.BoosterOptions{Positions: plies}))(t)
	return path
}

// edited deletes, replaces and adds games of a stored database.
func edited(t *testing.T, path string, db *model.Database, r *rand.Rand, other *model.Database) {
	t.Helper()
	ed, err := write.Edit(ctx, path, write.EditOptions{AcceptLosses: true})
	if err != nil {
		t.Fatal(err)
	}
	for range 10 {
		err = errors.Join(err, ed.Delete(model.RecordID(1+r.IntN(100))))
		rec, at := other.List[r.IntN(len(other.List))], db.List[r.IntN(100)]
		if at.Game != nil {
			err = errors.Join(err, ed.Replace(at.ID, rec, &other.Tables))
		}
	}
	few := &model.Database{Tables: other.Tables}
	for _, rec := range other.List[:20] {
		few.AddGame(rec.Game)
	}
	must.Do(t, err, ed.Append(ctx, few, model.CopyOptions{}), ed.Commit(), ed.Close())
}

// Novelties by an index of positions are those that reading the whole base gives, which is
// not read then.
func TestNoveltiesByAnIndex(t *testing.T) {
	found, of, read := 0, 0, 0
	for seed, plies := range []int{1, 6, 15, 40, 300} {
		if testing.Short() && seed%2 > 0 {
			continue
		}
		r := rand.New(rand.NewPCG(uint64(seed), 9))
		db := rapid.Custom(mixed).Example(seed)
		path := stored(t, db, plies)
		for edits := range 3 {
			if edits > 0 {
				edited(t, path, db, r, changed(db, r))
			}
			s, base := opened(t, path, func(err error) { t.Error(err) })
			newer := changed(db, r)
			for _, opt := range []lines.NoveltyOptions{{}, {MaxPly: plies}, {MaxPly: 1 + r.IntN(60), Memory: 20_000}} {
				want := novelties(t, newer, base, opt)
				opt.Reaching = s.Reaching
				only := &never{Numbered: base}
				if got := novelties(t, newer, only, opt); !slices.Equal(got, want) {
					t.Fatalf("%d plies, %+v: %v, want %v", plies, opt, got, want)
				}
				found, of, read = found+len(want), of+len(newer.List), read+only.read
			}
		}
	}
	t.Logf("%d novelties in %d games, %d games of the base read", found, of, read)
	if found == 0 || found == of {
		t.Error("every game has one, or none")
	}
}

// Where a game would need very many games of the base, all are read.
func TestNoveltiesThatTheWholeBaseIsReadFor(t *testing.T) {
	base := parse(t, strings.Repeat("1. e4 e5 *\n\n", 1500))
	path := stored(t, base, 40)
	s, db := opened(t, path, func(err error) { t.Error(err) })
	for moves, whole := range map[string]bool{"1. a3 *": true, "1. e4 e5 *": false, "1. e4 e5 2. Nf3 *": true} {
		newer := parse(t, moves)
		want := novelties(t, newer, db, lines.NoveltyOptions{})
		asked, only := 0, &never{Numbered: db}
		reaching := func(p board.Position, others bool) ([]model.RecordID, error) {
			asked++
			return s.Reaching(p, others)
		}
		if got := novelties(t, newer, db, lines.NoveltyOptions{Reaching: reaching}); !slices.Equal(got, want) || asked == 0 {
			t.Errorf("%s: %v, want %v, asked %d times", moves, got, want, asked)
		}
		var failed error
		for _, err := range lines.Novelties(ctx, newer, only, lines.NoveltyOptions{Reaching: reaching}) {
			failed = err
		}
		if (failed != nil) != whole {
			t.Errorf("%s: %v", moves, failed)
		}
	}
}

// An index that is damaged, or of another database, is told of once and not used.
func TestNoveltiesWithoutAnIndexThatFits(t *testing.T) {
	db := rapid.Custom(mixed).Example(3)
	path, other := stored(t, db, 20), stored(t, rapid.Custom(mixed).Example(4), 20)
	name := strings.TrimSuffix(path, ".cbh") + ".cbkit-positions"
	sound := must.Get(os.ReadFile(name))(t)
	foreign := must.Get(os.ReadFile(strings.TrimSuffix(other, ".cbh") + ".cbkit-positions"))(t)
	flipped := slices.Clone(sound)
	for at := 4096; at+2000 < len(flipped); at += 4096 {
		flipped[at+2000] ^= 1
	}
	newer := changed(db, rand.New(rand.NewPCG(5, 9)))
	for what, content := range map[string][]byte{"foreign": foreign, "flipped": flipped, "cut": sound[:len(sound)-1], "empty": nil} {
		must.Do(t, os.WriteFile(name, content, 0o644))
		var told []string
		s, base := opened(t, path, func(err error) { told = append(told, err.Error()) })
		want := novelties(t, newer, base, lines.NoveltyOptions{})
		for range 2 {
			if got := novelties(t, newer, base, lines.NoveltyOptions{Reaching: s.Reaching, Memory: 20_000}); !slices.Equal(got, want) {
				t.Errorf("%s: %v, want %v", what, got, want)
			}
		}
		if len(told) != 1 || !strings.Contains(told[0], filepath.Base(name)) || !strings.Contains(told[0], "not used") {
			t.Errorf("%s: told %q", what, told)
		}
		if _, err := s.Reaching(board.Start(), true); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v", what, err)
		}
	}
}
