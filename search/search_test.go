package search_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cbkit/internal/cbh"
	"cbkit/internal/testkit/corpus"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/model"
	"cbkit/read"
	"cbkit/search"
	"cbkit/write"
)

// ask runs a query.
func ask(t testing.TB, s *search.Searcher, query string) search.Result {
	t.Helper()
	c := must.Get(search.Parse(query))(t)
	result, err := s.Find(context.Background(), c)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return result
}

func open(t testing.TB, path string, opt search.Options) *search.Searcher {
	t.Helper()
	s := must.Get(search.Open(path, opt))(t)
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// A database without moves answers all questions about headers, with the lists
// that ChessBase wrote and without them.
func TestRealListsWithoutMoves(t *testing.T) {
	path := corpus.Path(t, "cbh/world-ch/World-ch.cbh")
	with, without := open(t, path, search.Options{}), open(t, path, search.Options{NoBoosters: true})
	for query, boosters := range map[string]string{
		"player:Kasparov":                                   "World-ch.cit World-ch.cib",
		"opponents:Karpov/Kasparov result:1/2":              "World-ch.cit World-ch.cib",
		"player:Kasparov eco:D30..D69 elo:2700..":           "World-ch.cit World-ch.cib",
		"tournament:world*1* or tournament:\"world-ch 2*\"": "World-ch.cit World-ch.cib",
		"title:* and kind:text":                             "",
		"annotator:knaak* has:text":                         "World-ch.cit World-ch.cib",
		"year:1886 moves:..30":                              "",
		"not player:*":                                      "",
	} {
		got, want := ask(t, with, query), ask(t, without, query)
		if !slices.Equal(got.IDs, want.IDs) {
			t.Errorf("%s: %d records with boosters, %d without", query, len(got.IDs), len(want.IDs))
		}
		if len(want.IDs) == 0 && !strings.HasPrefix(query, "not") {
			t.Errorf("%s: nothing found", query)
		}
		if used := strings.Join(got.Plan.Boosters, " "); boosters != "" && used != boosters {
			t.Errorf("%s: used %s, want %s\n%v", query, used, boosters, got.Plan)
		}
		if len(want.Plan.Boosters) > 0 {
			t.Errorf("%s: used %s though told not to", query, want.Plan.Boosters)
		}
	}
	c := must.Get(search.Term("piece", "Nd5"))(t)
	if _, err := with.Find(context.Background(), c); err == nil || !strings.Contains(err.Error(), "World-ch.cbg") {
		t.Errorf("a question about positions: %v", err)
	}
}

// The first game of the matches, by what is known of it.
func TestKnownGame(t *testing.T) {
	s := open(t, corpus.Path(t, "cbh/world-ch/World-ch.cbh"), search.Options{})
	result := ask(t, s, "player:Steinitz player:Zukertort year:1886 moves:46 result:0-1 id:1")
	if len(result.IDs) != 1 || result.IDs[0] != 1 {
		t.Errorf("%v\n%v", result.IDs, result.Plan)
	}
}

// Deleting the boosters and computing them again brings the search back.
func TestSearchIsRestored(t *testing.T) {
	set := must.Get(read.FindFiles(corpus.Path(t, "cbh/hedgehog/Hedgehog.cbh")))(t)
	path := filepath.Join(gen.Folder(t), "Hedgehog.cbh")
	for _, ext := range set.Endings() {
		if slices.Contains(write.BoosterExts(), ext) {
			continue
		}
		b := must.Get(os.ReadFile(set.Path(ext)))(t)
		must.Do(t, os.WriteFile(strings.TrimSuffix(path, ".cbh")+ext, b, 0o644))
	}
	const query = "player:Karpov* and piece:Nd5"
	before := ask(t, open(t, path, search.Options{}), query)
	const position = "piece:Kb8 or piece:kb1 or piece:Qh8"
	beforePosition := ask(t, open(t, path, search.Options{}), position)
	must.Get(write.Boosters(context.Background(), path, write.BoosterOptions{}))(t)
	after := ask(t, open(t, path, search.Options{}), query)
	afterPosition := ask(t, open(t, path, search.Options{}), position)
	if len(before.Plan.Boosters) > 0 || strings.Join(after.Plan.Boosters, " ") != "Hedgehog.cit Hedgehog.cib Hedgehog.cbb" {
		t.Errorf("boosters used before: %v, after: %v", before.Plan.Boosters, after.Plan.Boosters)
	}
	if !slices.Equal(before.IDs, after.IDs) || !slices.Equal(beforePosition.IDs, afterPosition.IDs) {
		t.Errorf("other answers: %v %v, %v %v", before.IDs, after.IDs, beforePosition.IDs, afterPosition.IDs)
	}
	if beforePosition.Plan.Played != 204 || afterPosition.Plan.Played > 50 {
		t.Errorf("%d games were played through before, %d after", beforePosition.Plan.Played, afterPosition.Plan.Played)
	}
}

// Boosters that are sound are used for what they are there for.
func TestEveryBoosterIsUsed(t *testing.T) {
	path := filepath.Join(gen.Folder(t), "games.cbh")
	writeExample(path)
	s := open(t, path, search.Options{})
	for query, want := range map[string]string{
		"player:Xu":               "games.cit games.cib",
		"title:*":                 "games.cit2 games.cib2",
		"title:* or tournament:*": "games.cit2 games.cib2 games.cit games.cib",
		"piece:Qh5":               "games.cbb",
		"player:Xu piece:Qh5":     "games.cit games.cib games.cbb",
		"not player:Xu":           "",
		"balance:0..0":            "",
		"player:Nobody":           "",
		"result:*":                "",
	} {
		if got := ask(t, s, query); strings.Join(got.Plan.Boosters, " ") != want {
			t.Errorf("%s: used %v, want %s\n%v", query, got.Plan.Boosters, want, got.Plan)
		}
	}
}

// A game of a player against himself is found by lists that name it once, and
// by those that name it twice.
func TestPlayerOnBothSides(t *testing.T) {
	db := &model.Database{}
	h := model.NewHeader()
	h.White = db.Tables.Players.Intern(model.Player{LastName: "Cain"})
	h.Black = h.White
	db.AddGame(&model.Game{Header: h})
	path, files := store(t, db)
	const count = cbh.ListHeaderSize + 8 // of the first block, the player's
	if files[".cib"][count] != 2 {
		t.Fatalf("% x", files[".cib"])
	}
	for _, n := range []byte{2, 1} {
		rewrite(t, strings.TrimSuffix(path, ".cbh")+".cib", func(b []byte) []byte {
			b[count] = n
			return b
		})
		result := ask(t, open(t, path, search.Options{}), "both-player:cain")
		if !slices.Equal(result.IDs, []model.RecordID{1}) || len(result.Plan.Boosters) != 2 {
			t.Errorf("listed %d times: %v\n%v", n, result.IDs, result.Plan)
		}
	}
}

// Another format has the same answers, without boosters.
func TestSimpleDatabase(t *testing.T) {
	simple := corpus.Path(t, "dc-sample/ber83.dci")
	db := must.Get(read.Open(simple, read.Options{}))(t)
	defer db.Close()
	path := filepath.Join(gen.Folder(t), "copy.cbh")
	sink := must.Get(write.Create(context.Background(), path, write.Options{AcceptLosses: true}))(t)
	must.Do(t, model.Copy(context.Background(), sink, db, model.CopyOptions{}))
	must.Get(write.Boosters(context.Background(), path, write.BoosterOptions{}))(t)
	one, other := open(t, simple, search.Options{}), open(t, path, search.Options{})
	for _, query := range []string{
		"player:*", "not player:a*", "moves:..5", "result:1-0", "year:1980..1985", "piece:Nd5", "end:K*-K*", "has:variations",
		"has:text or has:symbols", "material:KRP+-KRP+/4", "balance:5..99/6", "medal:novelty", "tournament:* piece:qd8",
	} {
		got, want := ask(t, one, query), ask(t, other, query)
		if !slices.Equal(got.IDs, want.IDs) {
			t.Errorf("%s: %v, as .cbh %v", query, got.IDs, want.IDs)
		}
	}
	if all := ask(t, one, "kind:game"); len(all.IDs) != db.Count() {
		t.Errorf("%d games of %d", len(all.IDs), db.Count())
	}
	if all, err := one.Database(); err != nil || all.Count() != db.Count() {
		t.Errorf("%v", err)
	}
}

// A game whose moves are nowhere is found by its header.
func TestSimpleDatabaseWithDamagedGames(t *testing.T) {
	db := &model.Database{}
	for _, name := range []string{"Carlsen", "Xu", "Carlsen"} {
		h := model.NewHeader()
		h.White = db.Tables.Players.Intern(model.Player{LastName: name})
		h.Date = model.Date{Year: 2013}
		g := &model.Game{Header: h}
		g.Moves.Append(model.NewMove(model.E2, model.E4))
		db.AddGame(g)
	}
	path := filepath.Join(gen.Folder(t), "games.dci")
	sink := must.Get(write.CreateSimple(context.Background(), path, write.Options{AcceptLosses: true}))(t)
	must.Do(t, model.Copy(context.Background(), sink, db, model.CopyOptions{}))
	rewrite(t, path, func(b []byte) []byte {
		size := (len(b) - 11) / 3
		b[11+2*size+1] = 1 // the first byte of the last game's offset
		return b
	})
	s := open(t, path, search.Options{})
	for query, want := range map[string][]model.RecordID{
		"player:Carlsen":                  {1, 3},
		"player:Carlsen and piece:Pe4":    {1},
		"player:Carlsen or piece:Pe4":     {1, 2, 3},
		"year:2013 and not piece:Pe4":     {3},
		"player:Xu or not has:variations": {1, 2, 3},
	} {
		if got := ask(t, s, query); !slices.Equal(got.IDs, want) {
			t.Errorf("%s: %v, want %v", query, got.IDs, want)
		}
	}
}

func TestOpenErrors(t *testing.T) {
	if _, err := search.Open(filepath.Join(gen.Folder(t), "none.cbh"), search.Options{}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v", err)
	}
	path := filepath.Join(gen.Folder(t), "bad.cbh")
	must.Do(t, os.WriteFile(path, []byte("not a database"), 0o644))
	if _, err := search.Open(path, search.Options{}); err == nil {
		t.Error("garbage was opened")
	}
	if _, err := search.Open(corpus.Path(t, "cbh/world-ch/World-ch.cbh"), search.Options{CodePage: "9999"}); err == nil {
		t.Error("an unknown code page was accepted")
	}
}

func TestFindStopsWithTheContext(t *testing.T) {
	s := open(t, corpus.Path(t, "cbh/hedgehog/Hedgehog.cbh"), search.Options{})
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, query := range []string{"result:1-0", "piece:Nd5", "player:Karpov* piece:Nd5"} {
		c := must.Get(search.Parse(query))(t)
		if _, err := s.Find(ctx, c); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", query, err)
		}
	}
}

// TestNilConditions: a condition that is nil, as functions return it with an
// error, is an error of the search wherever it stands, and can be printed.
func TestNilConditions(t *testing.T) {
	path := filepath.Join(gen.Folder(t), "db.cbh")
	writeExample(path)
	s := must.Get(search.Open(path, search.Options{}))(t)
	defer s.Close()
	for _, c := range []search.Condition{
		nil, search.And(nil), search.Or(search.Games(), nil), search.Not(nil), search.And(search.Not(search.Or(nil))),
	} {
		if result, err := s.Find(t.Context(), c); err == nil {
			t.Errorf("%v: found %v", c, result.IDs)
		}
		if c == nil {
			continue
		}
		if back, err := search.Parse(c.String()); err == nil {
			t.Errorf("%q parses as %v", c, back)
		}
	}
}
