package cbkit_test

import (
	"archive/zip"
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"
	"time"

	"cbkit"
	"cbkit/archive"
	"cbkit/compose"
	"cbkit/eco"
	"cbkit/model"
	"cbkit/search"
	"cbkit/stats"
	"cbkit/write"
)

// library makes a database of three games in code, with comments, variations and
// symbols.
func library() *model.Database {
	db := &model.Database{}
	reti := compose.New(compose.Header{White: "Réti, Richard", Black: "Tartakower, Savielly", Event: "Vienna", Date: "1910.??.??", Result: "1-0"})
	reti.Play("e4", "c6", "d4", "d5", "Nc3", "dxe4", "Nxe4", "Nf6", "Qd3").Comment("Invites Black to play")
	reti.Play("e5").Symbol(model.NAGMistake).Variation(func(v *compose.Line) { v.Play("Nxe4", "Qxe4").Symbol(model.NAGWhiteSlightlyBetter) })
	reti.Play("dxe5", "Qa5+", "Bd2", "Qxe5", "O-O-O", "Nxe4", "Qd8+").Symbol(model.NAGBrilliant).Play("Kxd8", "Bg5+", "Kc7", "Bd8#")
	opera := compose.New(compose.Header{White: "Morphy, Paul", Black: "Duke Karl", Event: "Paris", Date: "1858.11.02", Result: "1-0"})
	opera.Play("e4", "e5", "Nf3", "d6", "d4", "Bg4").Symbol(model.NAGDubious).Comment("Better is to take on d4.")
	legal := compose.New(compose.Header{White: "Légal", Black: "Saint Brie", Date: "1750.??.??", Result: "1-0"})
	legal.Play("e4", "e5", "Bc4", "d6", "Nf3", "Bg4", "Nc3", "g6", "Nxe5", "Bxd1").Symbol(model.NAGBlunder)
	legal.Variation(func(v *compose.Line) { v.Play("dxe5", "Qxg4") }).Play("Bxf7+", "Ke7", "Nd5#")
	for _, g := range []*compose.Game{reti, opera, legal} {
		if _, err := g.AddTo(db); err != nil {
			log.Fatal(err)
		}
	}
	return db
}

// inFolder returns a name in a new folder, and what removes it.
func inFolder(name string) (path string, remove func()) {
	dir, err := os.MkdirTemp("", "cbkit")
	if err != nil {
		log.Fatal(err)
	}
	return filepath.Join(dir, name), func() { _ = os.RemoveAll(dir) }
}

// Three games from code become a ChessBase database.
func Example_threeGames() {
	path, remove := inFolder("Classics.cbh")
	defer remove()
	if err := cbkit.Save(context.Background(), path, library(), cbkit.SaveOptions{}); err != nil {
		log.Fatal(err)
	}
	src, err := cbkit.Open(path, cbkit.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer src.Close()
	for rec, err := range src.Records(context.Background(), 1, model.WantMoves) {
		if err != nil {
			log.Fatal(err)
		}
		white := src.Entities().Players.Value(rec.Game.White)
		fmt.Println(rec.ID, white, rec.Game.Date, rec.Game.Moves.Len(), rec.Game.Moves.HasVariations())
	}
	// Output:
	// 1 Réti, Richard 1910.??.?? 23 true
	// 2 Morphy, Paul 1858.11.02 6 false
	// 3 Légal 1750.??.?? 15 true
}

// Any kind of source is opened in one way, and saved as any other kind.
func ExampleOpen() {
	first, remove := inFolder("games.pgn.gz")
	defer remove()
	ctx := context.Background()
	if err := cbkit.Save(ctx, first, library(), cbkit.SaveOptions{}); err != nil {
		log.Fatal(err)
	}
	for from, to := range map[string]string{first: filepath.Dir(first) + "/Games.cbh"} {
		src, err := cbkit.Open(from, cbkit.Options{})
		if err != nil {
			log.Fatal(err)
		}
		defer src.Close()
		if err := cbkit.Save(ctx, to, src, cbkit.SaveOptions{}); err != nil {
			log.Fatal(err)
		}
		again, err := cbkit.Open(to, cbkit.Options{})
		if err != nil {
			log.Fatal(err)
		}
		defer again.Close()
		fmt.Println(again.Count(), "games")
	}
	// Output: 3 games
}

// What a search finds is a source: here it is saved as PGN.
func Example_search() {
	path, remove := inFolder("Classics.cbh")
	defer remove()
	ctx := context.Background()
	if err := cbkit.Save(ctx, path, library(), cbkit.SaveOptions{}); err != nil {
		log.Fatal(err)
	}
	s, err := search.Open(path, search.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer s.Close()
	wanted, err := search.Parse("year:1800.. and result:1-0")
	if err != nil {
		log.Fatal(err)
	}
	found, err := s.Find(ctx, wanted)
	if err != nil {
		log.Fatal(err)
	}
	games, err := s.Source(found)
	if err != nil {
		log.Fatal(err)
	}
	if err := cbkit.Save(ctx, filepath.Dir(path)+"/found.pgn", games, cbkit.SaveOptions{}); err != nil {
		log.Fatal(err)
	}
	fmt.Println(found.IDs)
	// Output: [1 2]
}

// Who has played how, and which openings, is counted in one pass.
func Example_counting() {
	ctx, db := context.Background(), library()
	players, err := stats.List(ctx, db, stats.Players, stats.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(players.Len(), "players")
	for _, rec := range db.List {
		if o, _, ok := eco.Classify(rec.Game); ok {
			fmt.Println(rec.ID, o.Code, o.Name)
		}
	}
	// Output:
	// 6 players
	// 1 B15 Caro-Kann Defense: Main Line
	// 2 C41 Philidor Defense
	// 3 C41 Philidor Defense
}

// packedClassics makes an archive of a database of three games.
func packedClassics() (path string, remove func()) {
	db, remove := inFolder("Classics.cbh")
	ctx, dir := context.Background(), filepath.Dir(db)
	if err := cbkit.Save(ctx, db, library(), cbkit.SaveOptions{}); err != nil {
		log.Fatal(err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		log.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	files, err := archive.Files(os.DirFS(dir), names...)
	if err == nil {
		err = archive.Create(ctx, filepath.Join(dir, "Classics.cbv"), files, archive.CreateOptions{})
	}
	if err != nil {
		log.Fatal(err)
	}
	return filepath.Join(dir, "Classics.cbv"), remove
}

// Several sources are one.
func ExampleOpenAll() {
	path, remove := packedClassics()
	defer remove()
	src, err := cbkit.OpenAll([]string{path, strings.TrimSuffix(path, ".cbv") + ".cbh"}, cbkit.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer src.Close()
	fmt.Println(src.Count(), "games")
	// Output: 6 games
}

// Text comes from anywhere, such as a connection; it may be compressed. What it is
// shows its beginning.
func ExampleNewReader() {
	src, err := cbkit.NewReader(strings.NewReader(`[White "Morphy"]`+"\n\n1. e4 e5 *\n"), cbkit.Options{GuessCodePage: true})
	if err != nil {
		log.Fatal(err)
	}
	defer src.Close()
	for rec, err := range src.Records(context.Background(), 1, model.WantMoves) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(src.Format(), src.Entities().Players.Value(rec.Game.White), rec.Game.Moves.Len())
	}
	// Output: pgn Morphy 2
}

// What a name means.
func ExampleFormatOf() {
	for _, name := range []string{"Games.cbh", "games.pgn.zst", "Mega.cbv:Mega.cbh", "Games"} {
		format := cbkit.FormatOf(name)
		fmt.Printf("%s %s %t %s %q %s\n", name, format, format.IsText(), format.Endings()[0], cbkit.FormatNamed(name), format.Title())
	}
	file, inside, is := cbkit.SplitArchive("Mega.cbv:Mega.cbh")
	fmt.Println(file, inside, is)
	// Output:
	// Games.cbh cbh false .cbh "cbh" ChessBase database
	// games.pgn.zst pgn true .pgn "pgn" PGN
	// Mega.cbv:Mega.cbh cbv false .cbv "cbh" archive
	// Games cbh false .cbh "" ChessBase database
	// Mega.cbv Mega.cbh true
}

// A database in an archive is found, and its code page recognised.
func ExampleLocate() {
	path, remove := packedClassics()
	defer remove()
	place, err := cbkit.Locate(path, cbkit.Options{})
	several := new(cbkit.AmbiguousError)
	if errors.As(err, &several) {
		log.Fatal("name one of ", several.Databases)
	} else if err != nil {
		log.Fatal(err)
	}
	defer place.Close()
	guess, err := place.GuessCodePage()
	fmt.Println(place.Name, guess.Page, guess.Clear, err)
	// Output: Classics.cbh 1252 false <nil>
}

// What is in an archive is looked at without unpacking it.
func ExampleOpenArchive() {
	path, remove := packedClassics()
	defer remove()
	a, err := cbkit.OpenArchive(path, cbkit.Options{AskPassword: func(string) ([]byte, error) { return []byte("secret"), nil }})
	if err != nil {
		log.Fatal(err)
	}
	defer a.Close()
	name, err := cbkit.OnlyDatabase(a)
	fmt.Println(name, err)
	// Output: Classics.cbh <nil>
}

// The page of PGN files that are not UTF-8 is recognised.
func ExampleGuessTextPage() {
	path, remove := inFolder("games.pgn")
	defer remove()
	russian := "[White \"\xca\xe0\xf1\xef\xe0\xf0\xee\xe2, \xc3\xe0\xf0\xf0\xe8\"]\n[Black \"\xca\xe0\xf0\xef\xee\xe2, \xc0\xed\xe0\xf2\xee\xeb\xe8\xe9\"]\n[Event \"\xcc\xee\xf1\xea\xe2\xe0\"]\n\n1. e4 *\n\n"
	if err := os.WriteFile(path, []byte(strings.Repeat(russian, 20)), 0o666); err != nil {
		log.Fatal(err)
	}
	guess := cbkit.GuessTextPage(path)
	fmt.Println(guess.Page, guess.Clear, guess.Candidates[0].Page)
	// Output: 1251 true 1251
}

// Records that come one by one go into a sink, which Commit completes.
func ExampleCreate() {
	path, remove := inFolder("Games.cbh")
	defer remove()
	sink, err := cbkit.Create(context.Background(), path, cbkit.SaveOptions{})
	if err != nil {
		log.Fatal(err)
	}
	defer sink.Abort() // which does nothing after Commit
	db := &model.Database{}
	g := model.NewGame()
	g.White = db.Tables.Players.Intern(model.ParsePlayer("Morphy, Paul"))
	if err := sink.Begin(db); err != nil {
		log.Fatal(err)
	}
	if err := sink.Put(model.Record{ID: 1, Game: g}); err != nil {
		log.Fatal(err)
	}
	if err := sink.Commit(); err != nil {
		log.Fatal(err)
	}
	src, err := cbkit.Open(path, cbkit.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer src.Close()
	fmt.Println(src.Count(), "game, White", src.Entities().Players.Value(0))
	// Output:
	// 1 game, White Morphy, Paul
}

// A database is made in memory, and opened there.
func ExampleSave_memory() {
	ctx, memory := context.Background(), write.NewMemory()
	err := cbkit.Save(ctx, "Classics.cbh", library(), cbkit.SaveOptions{
		In:       memory,
		Now:      func() time.Time { return time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC) },
		Boosters: &write.BoosterOptions{NoSeal: true}, // the same bytes each time
	})
	var lacking *cbkit.BoosterError
	if errors.As(err, &lacking) {
		fmt.Println("without boosters:", lacking.Err)
	} else if err != nil {
		log.Fatal(err)
	}
	src, err := cbkit.Open("Classics.cbh", cbkit.Options{FS: memory})
	if err != nil {
		log.Fatal(err)
	}
	defer src.Close()
	files, err := memory.ReadDir(".")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(src.Count(), "games in", len(files), "files")
	// Output: 3 games in 18 files
}

// A PGN file and a ChessBase database are changed in the same way. Of the text all bytes
// stay but those of the name.
func ExampleEdit() {
	dir, err := os.MkdirTemp("", "cbkit")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	ctx, path := context.Background(), filepath.Join(dir, "club.pgn")
	if err := os.WriteFile(path, []byte("[White \"Neuman, P\"]\n\n1. e4  e5 {sic} *\n"), 0o644); err != nil {
		log.Fatal(err)
	}
	src, err := cbkit.Open(path, cbkit.Options{})
	if err == nil {
		err = errors.Join(cbkit.Save(ctx, filepath.Join(dir, "Club.cbh"), src, cbkit.SaveOptions{}), src.Close())
	}
	if err != nil {
		log.Fatal(err)
	}
	for _, name := range []string{path, filepath.Join(dir, "Club.cbh")} {
		var ed *cbkit.Editor
		if ed, err = cbkit.Edit(ctx, name, cbkit.EditOptions{}); err != nil {
			log.Fatal(err)
		}
		defer ed.Close()
		var done *cbkit.NameChanges
		done, err = ed.Correct(ctx, strings.NewReader("old,new\n\"Neuman, P\",\"Neumann, Peter\"\n"), "names.csv", cbkit.RatingOptions{})
		if err == nil {
			err = errors.Join(ed.Set("result", "1-0", cbkit.IDs{From: 1, To: 1}), ed.Commit())
		}
		if err != nil {
			log.Fatal(err)
		}
		var one cbkit.NameChange = done.Changes[0]
		fmt.Printf("%s: %s is %s\n", ed.Format(), one.Old, one.New)
	}
	text, _ := os.ReadFile(path)
	fmt.Print(string(text))

	ed, err := cbkit.Edit(ctx, path, cbkit.EditOptions{})
	if err != nil {
		log.Fatal(err)
	}
	defer ed.Close()
	fmt.Println(ed.Rename("player", "Neuman", "Neumann"))
	fmt.Println(errors.Is(ed.RemoveUnused(), model.ErrUnsupported))
	// Output:
	// pgn: Neuman, P is Neumann, Peter
	// cbh: Neuman, P is Neumann, Peter
	// [White "Neumann, Peter"]
	//
	// 1. e4  e5 {sic} 1-0
	// no player is called exactly "Neuman"; write the whole name, or the number, of "Neumann, Peter" (#0)
	// true
}

// What is in a zip is opened by the name of the zip. Unzip is for whoever needs files.
func ExampleUnzip() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	out, err := os.Create(filepath.Join(dir, "week.zip"))
	if err != nil {
		log.Fatal(err)
	}
	defer out.Close()
	w := zip.NewWriter(out)
	games, err := w.Create("week.pgn")
	if err == nil {
		err = cbkit.Save(context.Background(), "week.pgn", library(), cbkit.SaveOptions{Output: games, Plain: true, AcceptLosses: true})
	}
	if err = errors.Join(err, w.Close()); err != nil {
		log.Fatal(err)
	}
	fmt.Println(cbkit.IsZip(out.Name()), cbkit.FormatOf(out.Name()))
	u, err := cbkit.Unzip(context.Background(), out.Name())
	if err != nil {
		log.Fatal(err)
	}
	defer u.Close()
	fmt.Println(filepath.Base(u.Names[0]), u.Folder == "")
	src, err := cbkit.Open(out.Name(), cbkit.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer src.Close()
	for rec := range model.Games(context.Background(), src, model.WantHeaders) {
		fmt.Println(rec.Header(src.Entities()).White)
	}
	// Output:
	// true pgn
	// week.zip:week.pgn true
	// Réti, Richard
	// Morphy, Paul
	// Légal
}

// A folder is read file by file, as one source; a file that cannot be read costs no other.
func ExampleOpenEach() {
	ctx := context.Background()
	path, remove := inFolder("a.pgn")
	defer remove()
	dir := filepath.Dir(path)
	for _, name := range []string{"a.pgn", "b.cbh"} {
		if err := cbkit.Save(ctx, filepath.Join(dir, name), library(), cbkit.SaveOptions{}); err != nil {
			log.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "c.cbh"), []byte("junk"), 0o666); err != nil {
		log.Fatal(err)
	}
	if !cbkit.IsFolder(dir) {
		log.Fatal(dir, " is no folder")
	}
	names, err := cbkit.InFolder(dir, func(as cbkit.Format) bool { return !as.IsBook() })
	if err != nil {
		log.Fatal(err)
	}
	open := func(name string) (*cbkit.Source, error) { return cbkit.Open(name, cbkit.Options{}) }
	src := cbkit.OpenEach(names, open, func(err error) { fmt.Println("left out:", err) })
	defer src.Close()
	for rec, err := range model.Games(ctx, src, model.WantHeaders) {
		if err != nil {
			log.Fatal(err)
		}
		name, id := src.Origin(rec.ID)
		fmt.Println(filepath.Base(name), id, src.Entities().Players.Value(rec.Game.White))
	}
	// Output:
	// a.pgn 1 Réti, Richard
	// a.pgn 2 Morphy, Paul
	// a.pgn 3 Légal
	// b.cbh 1 Réti, Richard
	// b.cbh 2 Morphy, Paul
	// b.cbh 3 Légal
	// left out: c.cbh: at 0x0: not a database: 4 bytes are no ChessBase header, which has 46
}
