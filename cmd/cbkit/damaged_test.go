package main

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"cbkit/internal/brief"
	"cbkit/internal/cbh"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/model"
	"cbkit/moveenc"
	"cbkit/write"
)

// movesAt is where the moves of a game of a new database begin.
func movesAt(t *testing.T, db string, id int) int {
	t.Helper()
	b := must.Get(os.ReadFile(db))(t)
	return int(binary.BigEndian.Uint32(b[id*cbh.RecordSize+1:]))
}

// spoilMoves makes the fourth byte of the moves of a game of a database one that
// means nothing there, so that three moves can be read.
func spoilMoves(t *testing.T, db string, id int) {
	t.Helper()
	at := movesAt(t, db, id)
	change(t, db, ".cbg", func(b []byte) []byte {
		head := must.Get(moveenc.DecodeHead(b[at:]))(t)
		var g moveenc.Game
		must.Do(t, moveenc.Decode(b[at:at+head.Size], &g))
		for v := range 256 {
			b[at+moveenc.HeadSize+3] = byte(v)
			if g.KeepGoing = true; moveenc.Decode(b[at:at+head.Size], &g) != nil && g.Moves.Len() == 3 {
				return b
			}
		}
		t.Fatal("no byte spoils the moves")
		return nil
	})
}

// Moves that do not decode are named with file and record, and mean exit status
// 1, in every verb that reads them, also where their bytes travel whole.
func TestUndecodedMoves(t *testing.T) {
	db := newDatabase(t)
	dir := gen.Folder(t)
	want := mustRun(t, "export", "-q", db, "--games", "2-4", "-").out
	spoilMoves(t, db, 1)
	copied, lines := filepath.Join(dir, "copy.cbh"), filepath.Join(dir, "lines.jsonl")
	const says = "db.cbg: record 1 at "
	for _, args := range [][]string{
		{"show", db, "1"}, {"show", "--json", db, "1"}, {"export", "-q", db, "-"}, {"export", "-q", db, lines},
		{"convert", "-q", db, copied}, {"convert", "-q", "--keep-going", db, filepath.Join(dir, "kept.cbh")},
		{"convert", "-q", db, filepath.Join(dir, "games.dci")},
		{"find", "-q", db, "--piece", "Ke1"}, {"find", "-q", "--format", "pgn", db, "--year", "1851.."},
		{"book", "build", "-q", db, filepath.Join(dir, "book.ctg")},
		{"sort", "-q", "--by", "date", db, filepath.Join(dir, "sorted.cbh")}, {"split", "-q", "--by", "2", db, filepath.Join(dir, "parts")},
		{"merge", "-q", db, db, filepath.Join(dir, "merged.cbh")}, {"dedup", "-q", "--dry-run", db}, {"diff", "-q", db, db},
		{"strip", "-q", "--variations", "--keep-going", db, filepath.Join(dir, "stripped.cbh")},
		{"boosters", "-q", db}, {"boosters", "-q", "--check", db}, {"verify", "-q", db}, {"check", "-q", db},
	} {
		r := cbkit(t, "", args...)
		said := r.errOut
		if args[0] == "check" || args[0] == "verify" {
			said += strings.ReplaceAll(r.out, "unsupported: game 1 at ", says)
			said = strings.ReplaceAll(said, "db.cbg: record 1 at", says)
			said = strings.ReplaceAll(said, "db.cbg: record 1 (moves)", says)
		}
		if r.status != exitFailed || !strings.Contains(said, says) {
			t.Errorf("cbkit %v: status %d, says %q", args, r.status, said)
		}
	}
	// What is sound came through, and the record as it is.
	if r := cbkit(t, "", "export", "-q", copied, "--games", "2-4", "-"); r.status != exitDone || r.out != want {
		t.Errorf("the other games: %+v", r)
	}
	for _, path := range []string{copied, lines} {
		back := filepath.Join(dir, "back"+filepath.Ext(path)+".cbh")
		fails(t, exitFailed, "record 1", "convert", "-q", path, back)
		a := must.Get(os.ReadFile(strings.TrimSuffix(db, ".cbh") + ".cbg"))(t)
		b, err := os.ReadFile(strings.TrimSuffix(back, ".cbh") + ".cbg")
		if err != nil || !bytes.Equal(a, b) {
			t.Errorf("%s: the moves are other bytes now (%v)", path, err)
		}
	}
}

// spoilSimpleMoves makes a Simple Chess Database, of which the first game has a
// move that is not legal behind three others.
func spoilSimpleMoves(t *testing.T) string {
	t.Helper()
	db := filepath.Join(gen.Folder(t), "db.dci")
	if r := cbkit(t, "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *\n\n1. d4 d5 *\n", "convert", "-q", "-", db); r.status != exitDone {
		t.Fatalf("%+v", r)
	}
	games := strings.TrimSuffix(db, ".dci") + ".dcg"
	b := must.Get(os.ReadFile(games))(t)
	const head = 10 + 1 + 1 // the mark of the file, the length, the start
	copy(b[head+3*2:], b[head:head+2])
	save(t, games, string(b))
	return db
}

// A copy that removes deleted records names what does not decode, and keeps it.
func TestPurgeNamesDamage(t *testing.T) {
	db := newDatabase(t)
	spoilMoves(t, db, 1)
	simple := spoilSimpleMoves(t)
	for _, args := range [][]string{{"compact", "--purge", db}, {"compact", simple}, {"compact", "--purge", simple}} {
		path := args[len(args)-1]
		mustRun(t, "edit", "-q", path, "--delete", "2")
		for range 2 { // the second one sees what the first one made
			r := cbkit(t, "", args...)
			if want := "cbkit: damaged: " + strings.NewReplacer("cbh", "cbg", "dci", "dcg").Replace(filepath.Base(path)) + ": record 1 at "; r.status != exitFailed || strings.Count(r.errOut, want) != 1 {
				t.Errorf("cbkit %v: status %d, says %q", args, r.status, r.errOut)
			}
		}
	}
	for _, path := range []string{db, simple} {
		if r := cbkit(t, "", "show", path, "1"); !strings.Contains(r.out, "1. e4 e5 2. Nf3") {
			t.Errorf("%s: %s", path, r.out)
		}
	}
	// Names that are cut off.
	change(t, db, ".cbp", func(b []byte) []byte { return b[:100] })
	fails(t, exitFailed, "db.cbp", "compact", "--purge", db)
}

// One rule for all sources and targets: the record is named, the status is 1,
// formats that cannot carry its bytes get the moves before the damage, asked or not,
// and those that can get the bytes.
func TestMovesBeforeDamage(t *testing.T) {
	db := newDatabase(t)
	spoilMoves(t, db, 1)
	const after = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"
	moves := map[string]func(path string) bool{
		".pgn": func(path string) bool {
			return strings.Contains(mustRun(t, "show", path, "1").out, "1. e4 e5 2. Nf3")
		},
		".ctg":     func(path string) bool { return strings.Contains(cbkit(t, "", "book", "probe", path, after).out, "Nf3") },
		".parquet": nil, // carries the bytes in its column of JSON
	}
	moves[".dci"], moves[".cbh"] = moves[".pgn"], moves[".pgn"]
	for _, source := range []string{db, spoilSimpleMoves(t)} {
		for ext, has := range moves {
			for _, keep := range []bool{false, true} {
				out := filepath.Join(gen.Folder(t), "out"+ext)
				args := []string{"convert", "-q", source, out}
				switch ext {
				case ".ctg":
					args = []string{"book", "build", "-q", source, out}
				case ".parquet":
					args = []string{"export", "-q", source, out}
				case filepath.Ext(source):
					continue // it gets the bytes
				}
				if keep {
					args = append(args, "--keep-going")
				}
				r := cbkit(t, "", args...)
				if named := "record 1 at 0x"; r.status != exitFailed || strings.Count(r.errOut, named) != 1 {
					t.Errorf("cbkit %v: status %d, says %q", args, r.status, r.errOut)
				}
				if has != nil && !has(out) {
					t.Errorf("cbkit %v: no moves before the damage", args)
				}
			}
		}
	}
}

// All moves outside their file: nothing that reads them calls that valid.
func TestMovesOutsideTheirFile(t *testing.T) {
	db := newDatabase(t)
	change(t, db, ".cbg", func(b []byte) []byte { return b[:cbh.BlockHeaderSize] })
	for _, args := range [][]string{{"verify", "-q", db}, {"boosters", "-q", db}, {"boosters", "-q", "--check", db}, {"find", "-q", db, "--piece", "Ke1"}, {"check", "-q", db}} {
		if r := cbkit(t, "", args...); r.status != exitFailed || strings.Contains(r.out, "db.cbb           valid") {
			t.Errorf("cbkit %v: %+v", args, r)
		}
	}
	r := cbkit(t, "", "find", "-q", "--json", "--explain", db, "--piece", "Ke1")
	var answer struct{ Unread, Played int }
	if err := json.Unmarshal([]byte(r.out), &answer); err != nil || answer.Unread != 4 || answer.Played != 0 {
		t.Errorf("%+v, %v: %s", answer, err, r.out)
	}
	if !strings.Contains(r.errOut, "4 records could not be read or decoded") || !strings.Contains(r.errOut, "0 games played through") {
		t.Errorf("%s", r.errOut)
	}
}

// An entity file that is cut is named, and means exit status 1, in every verb
// that reads names.
func TestCutEntityFile(t *testing.T) {
	db := newDatabase(t)
	change(t, db, ".cbp", func(b []byte) []byte { return b[:100] })
	dir := gen.Folder(t)
	for _, args := range [][]string{
		{"info", db}, {"show", db, "2"}, {"export", "-q", db, "-"}, {"convert", "-q", db, filepath.Join(dir, "c.cbh")},
		{"convert", "-q", db, filepath.Join(dir, "c.dci")}, {"find", "-q", db, "--player", "anderssen"},
		{"find", "-q", "--format", "ids", db, "--player", "anderssen"}, {"find", "-q", db, "--year", "1851"},
		{"book", "build", "-q", db, filepath.Join(dir, "b.ctg")}, {"check", "-q", db}, {"boosters", "-q", db},
	} {
		if r := cbkit(t, "", args...); r.status != exitFailed || !strings.Contains(r.errOut+r.out, "db.cbp") {
			t.Errorf("cbkit %v: status %d, says %q", args, r.status, r.errOut)
		}
	}
}

// A header that says wrongly where the records begin is damage, and the names
// come out right.
func TestEntityHeaderLength(t *testing.T) {
	db := newDatabase(t)
	want := mustRun(t, "export", "-q", db, "-").out
	change(t, db, ".cbt", func(b []byte) []byte { b[24] ^= 8; return b })
	for _, args := range [][]string{{"export", "-q", db, "-"}, {"find", "-q", "--format", "pgn", db, "--tournament", "*"}} {
		r := cbkit(t, "", args...)
		if r.status != exitFailed || !strings.Contains(r.errOut, "cbkit: damaged: db.cbt: at 0x18 (extension length): corrupt: 12 bytes; the records begin after 4") {
			t.Errorf("cbkit %v: %+v", args, r)
		}
		if args[0] == "export" && r.out != want {
			t.Errorf("the games are others:\n%s", r.out)
		}
	}
}

// Of many messages of a kind the first twenty are shown, and the rest counted,
// shown or written on request.
func TestManyMessages(t *testing.T) {
	var games strings.Builder
	for i := range 50 {
		fmt.Fprintf(&games, "[Event \"%d\"]\n\n1. e4 e5 2. Ke3 *\n\n", i)
	}
	games.WriteString("[Event \"good\"]\n\n1. e4 *\n")
	dir := gen.Folder(t)
	r := cbkit(t, games.String(), "convert", "-q", "-", filepath.Join(dir, "a.cbh"))
	lines := strings.Split(strings.TrimSpace(r.errOut), "\n")
	if r.status != exitFailed || len(lines) != 21 || lines[20] != "cbkit: skipped: 30 more; --all shows them, --report FILE.jsonl writes them" {
		t.Errorf("status %d, %d lines:\n%s", r.status, len(lines), r.errOut)
	}
	if r := cbkit(t, games.String(), "convert", "-q", "--all", "-", filepath.Join(dir, "b.cbh")); strings.Count(r.errOut, "\n") != 50 {
		t.Errorf("%s", r.errOut)
	}
	report := filepath.Join(dir, "report.jsonl")
	args := []string{"convert", "-q", "--report", report, "-", filepath.Join(dir, "c.cbh")}
	if r := cbkit(t, games.String(), args...); strings.Count(r.errOut, "\n") != 21 {
		t.Errorf("%s", r.errOut)
	}
	b, err := os.ReadFile(report)
	if err != nil || bytes.Count(b, []byte("\n")) != 50 || bytes.Count(b, []byte(`"kind":"skipped"`)) != 50 {
		t.Errorf("%v\n%s", err, b)
	}
	if r := cbkit(t, games.String(), append(args, "--force")...); r.status != exitUsage || !strings.Contains(r.errOut, "exists already") {
		t.Errorf("%+v", r)
	}
}

// Names with control characters reach no terminal as they are, and begin no line,
// in no verb, be it for people or as JSON; PGN keeps them, and JSON as escape
// sequences.
func TestControlCharacters(t *testing.T) {
	const bad = "Evil\x1b[31m\x07\u009b2J\u202eliam\x7f"
	const forged = "\n!"
	src := &model.Database{}
	for range 2 {
		g := model.NewGame()
		g.White = src.Tables.Players.Intern(model.Player{LastName: bad + forged})
		g.Black = src.Tables.Players.Intern(model.Player{LastName: "Black" + bad})
		g.Tournament = src.Tables.Tournaments.Intern(model.Tournament{Title: bad + forged, Place: bad})
		g.Annotator = src.Tables.Annotators.Intern(model.Annotator{Name: bad + forged})
		g.Date = model.Date{Year: 1999, Month: 1, Day: 1}
		for _, m := range []model.Move{
			model.NewMove(model.E2, model.E4), model.NewMove(model.E7, model.E5), model.NewMove(model.G1, model.F3), model.NewMove(model.B8, model.C6),
			model.NewMove(model.F1, model.B5), model.NewMove(model.A7, model.A6), model.NewMove(model.B5, model.A4), model.NewMove(model.G8, model.F6),
		} {
			g.Moves.Append(m)
		}
		g.Annotate(0, model.Text{Text: bad})
		src.AddGame(g)
	}
	text := model.NewGuidingText()
	text.Contents = []model.LocalText{{Language: model.English, Text: bad}}
	src.AddText(text)
	dir := gen.Folder(t)
	at := func(ending string) string { return filepath.Join(dir, bad+ending) }
	db, other := at(".cbh"), filepath.Join(dir, "other"+bad+".cbh")
	create(t, db, src, write.Options{AcceptLosses: true})
	mustRun(t, "convert", "-q", db, other)
	mustRun(t, "edit", "-q", other, "--new-names", "--set", "1.white="+bad+"2")
	lines := at(".jsonl")
	mustRun(t, "convert", "-q", db, lines)
	walked := map[string]bool{}
	for i, args := range [][]string{
		{"show", db, "1"}, {"show", db, "2"}, {"show", db, "3"}, {"show", db, "4"}, {"show", lines, "1"},
		{"find", db, "--year", "1999"}, {"find", db, "--player", "evil*"}, {"find", lines, "--year", "1999"},
		{"find", db, "no" + bad + ":x"}, {"find", db, "-o", at("found.pgn")}, {"find", db, "--player", "Nobody" + bad}, {"find", db, "--year", "1999", "--format", "epd"},
		{"info", db}, {"info", lines}, {"check", db}, {"check", "--repair", db}, {"verify", db}, {"boosters", db}, {"boosters", "--check", db},
		{"export", db, at(".pgn")}, {"export", db, at(".pgn")}, {"export", db, at(".parquet")}, {"export", db, filepath.Join(dir, bad, "tables"), "--format", "parquet"},
		{"convert", db, at("")}, {"convert", db, at(".dci")}, {"import", at(".pgn"), at("2.cbh")}, {"import", at("none.pgn"), at("3.cbh")},
		{"import", "--append", at(".pgn"), other}, {"recover", db}, {"recover", at(".dci")}, {"compact", other}, {"compact", "--purge", other},
		{"edit", other, "--delete", "1"}, {"edit", other, "--rename-player", bad + "=" + bad}, {"edit", other, "--rename-player", "Black" + bad + "=New" + bad},
		{"edit", other, "--set", "1." + bad + "=x"}, {"edit", "--dry-run", "--new-names", other, "--set", "1.white=" + bad}, {"edit", "--dry-run", other, "--merge-player", bad + "=" + bad},
		{"merge", db, lines, at("merged.cbh")}, {"merge", "--dedup", db, lines, at("merged2.cbh")}, {"dedup", "--dry-run", db}, {"dedup", db, at("dedup.cbh")},
		{"split", "--by", "event", db, filepath.Join(dir, bad+"parts")}, {"split", "--by", "white", db, filepath.Join(dir, "parts"), "--format", "pgn"},
		{"sort", "--by", "white", db, at("sorted.cbh")}, {"diff", db, other}, {"strip", "--comments", db, at("strip.pgn")}, {"salvage", db, at("salvaged.cbh")},
		{"tree", db, at("tree.pgn")}, {"tree", db, lines, at("tree.cbh"), "--by", "eco"}, {"tree", db, "--forks"}, {"tree", db, "--novelties", lines}, {"tree", db, at("none.pgn"), "--player", "nobody" + bad},
		{"untangle", at("tree.pgn"), at("untangled.pgn")}, {"find", db, "--leaves", lines}, {"find", db, "--in", at("none.pgn")},
		{"list", db, "players"}, {"list", db, "tournaments"}, {"list", db, "annotators"}, {"list", lines, "players"}, {"names", db, "--suggest"},
		{"stats", db}, {"stats", db, "--player", "evil*"}, {"stats", db, "--player", "nobody" + bad}, {"stats", lines},
		{"table", db, "Evil*"}, {"table", db, bad + forged}, {"table", db, "no such" + bad}, {"report", db}, {"report", db, "e4"}, {"report", db, bad},
		{"prepare", db, "evil*", "--color", "white", "--repertoire", lines}, {"prepare", db, "evil*", "--color", "white", "-o", at("p.html")}, {"prepare", db, "evil*", "--color", "white", "-o", at("p.md")},
		{"prepare", db, "nobody" + bad, "--color", "black"}, {"prepare", db, "evil*", "--color", "white", "-o", at("p.pgn")},
		{"eco", db, at("eco.cbh")}, {"eco", db, at("eco.cbh")}, {"pack", db, at(".cbv")}, {"pack", db, filepath.Join(dir, "x.cbv")}, {"info", at(".cbv")}, {"check", at(".cbv")}, {"unpack", at(".cbv"), filepath.Join(dir, "unpacked"+bad)},
		{"book", "build", db, at(".ctg")}, {"book", "build", "--player", bad, db, at("p.ctg")}, {"book", "info", at(".ctg")}, {"book", "probe", at(".ctg")},
		{"book", "probe", at(".ctg"), bad}, {"book", "check", at(".ctg")}, {"book", "add", at(".ctg"), lines}, {"book", "edit", at(".ctg"), "start", "e4", "--weight", "5"},
		{"book", "edit", at(".ctg"), "start", bad}, {"book", "export", at(".ctg"), at("book.jsonl")}, {"book", "merge", at(".ctg"), at(".ctg"), at("m.ctg")},
		{"book", "prune", "--min-games", "1", at(".ctg"), at("pruned.ctg")}, {bad}, {"help", bad}, {"serve", at("none.cbh")}, {"export", db, at(".html")}, {"export", db, filepath.Join(dir, "diagrams"+bad), "--diagrams"}, {"version"}, {"completion", bad}, {"demo", "--out", at("demo.pgn")},
		{"convert", db, at("all.pgn"), "--all"}, {"convert", db, at("report.pgn"), "--report", at("report")},
	} {
		verb := args[0]
		if verb == "book" {
			verb += " " + args[1]
		}
		walked[verb] = true
		r := cbkit(t, "", args...)
		said := r.out + r.errOut
		if i := strings.IndexFunc(said, isControl); i >= 0 {
			t.Errorf("cbkit %q: %q", args, said[i:])
		}
		if strings.Contains("\n"+said, forged) {
			t.Errorf("cbkit %q: a name makes a line: %q", args, said)
		}
		if !isTried(i, 5) {
			continue
		}
		r = cbkit(t, "", append(args, "--json")...)
		if said := r.out + r.errOut; strings.ContainsFunc(said, isControl) {
			t.Errorf("cbkit %q --json: %q", args, said[strings.IndexFunc(said, isControl):])
		}
	}
	if report, err := os.ReadFile(at("report")); err != nil || len(report) == 0 || strings.ContainsFunc(string(report), isControl) {
		t.Errorf("%q, %v", report, err)
	}
	parser := must.Get(kong.New(&cli{}, kong.Name("cbkit")))(t)
	for _, v := range verbsOf(parser.Model.Node) {
		if !walked[v.path] && v.path != "book" && v.path != "" {
			t.Errorf("%q was not run", v.path)
		}
	}
	if r := cbkit(t, "", "show", db, "1"); !strings.Contains(r.out, `Evil [31m \u009b2J\u202eliam`) {
		t.Errorf("%q", r.out)
	}
	if r := mustRun(t, "export", "-q", db, "--format", "jsonl", "-"); !strings.Contains(r.out, `\u009b2J\u202eliam`) || strings.ContainsFunc(r.out, isControl) {
		t.Errorf("%q", r.out)
	}
}

// Flags that are given twice all hold.
func TestFlagsTwice(t *testing.T) {
	db := newDatabase(t)
	one := mustRun(t, "find", "-q", "--format", "ids", db, "--player", "morphy").out
	both := mustRun(t, "find", "-q", "--format", "ids", db, "--player", "morphy", "--player", "anderssen").out
	asked := mustRun(t, "find", "-q", "--format", "ids", db, "player:morphy and player:anderssen").out
	if one == "" || both != asked || both == one {
		t.Errorf("%q, %q, %q", one, both, asked)
	}
	// The example of the help.
	mustRun(t, "find", "-q", db, "white-player:tal and (eco:B or result:1-0)")
}

// Half a book is told, with the file that is really damaged, in every verb, and
// taken for a whole one by none.
func TestCutBook(t *testing.T) {
	dir := gen.Folder(t)
	book := filepath.Join(dir, "book.ctg")
	// Enough positions for several pages.
	var games strings.Builder
	for _, first := range []string{"e4", "d4", "c4", "Nf3", "b3", "g3", "a3", "h3"} {
		for _, second := range []string{"e5", "c5", "d5", "Nf6", "g6", "b6", "a6", "h6"} {
			for _, third := range []string{"Nc3", "a4", "h4", "b4"} {
				fmt.Fprintf(&games, "[Event \"x\"]\n\n1. %s %s 2. %s *\n\n", first, second, third)
			}
		}
	}
	if r := cbkit(t, games.String(), "book", "build", "-q", "-", book); r.status != exitDone {
		t.Fatalf("%+v", r)
	}
	whole := must.Get(os.ReadFile(book))(t)
	for name, size := range map[string]int{"at a page": len(whole) / 2 &^ 4095, "inside a page": len(whole)/2&^4095 + 100} {
		must.Do(t, os.WriteFile(book, whole[:size], 0o644))
		out := filepath.Join(dir, fmt.Sprint("out", size))
		for _, args := range [][]string{
			{"book", "info", book}, {"book", "check", book}, {"book", "probe", book},
			{"book", "export", "-q", book, out + ".jsonl"}, {"book", "export", "-q", book, out + ".bin"},
			{"book", "prune", "-q", "--min-games", "1", book, out + ".ctg"}, {"book", "merge", "-q", book, book, out + "m.ctg"},
		} {
			r := cbkit(t, "", args...)
			if r.status != exitFailed || !strings.Contains(r.errOut+r.out, "book.ctg: ") {
				t.Errorf("%s: cbkit %v: %+v", name, args, r)
			}
			target := args[len(args)-1]
			if _, err := os.Stat(target); target != book && err == nil {
				t.Errorf("%s: cbkit %v made %s", name, args, target)
			}
			if target != book {
				r = cbkit(t, "", append(args, "--keep-going")...)
				if _, err := os.Stat(target); r.status != exitFailed || err != nil || strings.Count(r.errOut, "book.ctg: ") == 0 {
					t.Errorf("%s: cbkit %v --keep-going: %+v, %v", name, args, r, err)
				}
			}
		}
	}
}

// A player whom nobody knows is an error; names are written as in find.
func TestBookOfAPlayer(t *testing.T) {
	db := newDatabase(t)
	dir := gen.Folder(t)
	for name, want := range map[string]int{"nobody": exitFailed, "Morphy, P": exitDone, "Morphy, Q": exitFailed, "mor*": exitDone, "M?rphy, Paul": exitDone} {
		book := filepath.Join(dir, strings.NewReplacer("*", "s", "?", "q", ",", "", " ", "").Replace(name)+".ctg")
		r := cbkit(t, "", "book", "build", "-q", "--player", name, db, book)
		if _, err := os.Stat(book); r.status != want || (err == nil) != (want == exitDone) {
			t.Errorf("%s: %+v, %v", name, r, err)
		}
		if want == exitFailed && !strings.Contains(r.errOut, "no player is called") {
			t.Errorf("%s: %s", name, r.errOut)
		}
	}
}

// Damage to annotations that a copy takes over is told in a line: it costs no
// word, and writing afresh mends it. (A campaign found it.)
func TestAnnotationsOutOfOrder(t *testing.T) {
	var db model.Database
	g := model.NewGame()
	g.Moves.Append(model.NewMove(model.E2, model.E4))
	g.Moves.Append(model.NewMove(model.E7, model.E5))
	g.Annotate(0, model.Text{Text: "one"})
	g.Annotate(1, model.Text{Text: "two"})
	db.AddGame(g)
	dir := gen.Folder(t)
	path := filepath.Join(dir, "db.cbh")
	create(t, path, &db, write.Options{})
	change(t, path, ".cba", func(b []byte) []byte {
		copy(b[cbh.BlockHeaderSize+cbh.AnnotationHeadSize:], []byte{0, 0, 1}) // the first one behind the second
		copy(b[len(b)-11:], []byte{0, 0, 0})
		return b
	})
	if r := cbkit(t, "", "check", path); !strings.Contains(r.out, "annotation-order") {
		t.Fatalf("%s", r.out)
	}
	if r := cbkit(t, "", "convert", "-q", "--keep-going", "--check", path, filepath.Join(dir, "copy.cbh")); r.status != exitFailed || !strings.Contains(r.out, "[annotation-order]") {
		t.Errorf("%+v", r)
	}
	fresh := filepath.Join(dir, "fresh.cbh")
	mustRun(t, "convert", "-q", "--fresh", path, fresh)
	mustRun(t, "check", fresh)
	mustRun(t, "export", "-q", fresh, "--format", "jsonl", "-").prints(t, "one", "two")
}

// A record that is not marked as one, an id below the number for none and a place
// where no list of media is mean exit status 1 where they are read.
func TestDamagedHeaders(t *testing.T) {
	for name, damage := range map[string]func(t *testing.T, db string){
		"not marked": func(t *testing.T, db string) {
			change(t, db, ".cbh", func(b []byte) []byte { b[cbh.RecordSize] &^= 1; return b })
		},
		"a team below none": func(t *testing.T, db string) {
			change(t, db, ".cbj", func(b []byte) []byte { copy(b[cbh.ExtHeaderSize:], []byte{0xff, 0xff, 0, 0}); return b })
		},
	} {
		t.Run(name, func(t *testing.T) {
			db := newDatabase(t)
			damage(t, db)
			list := [][]string{
				{"export", "-q", db, "-"}, {"convert", "-q", db, filepath.Join(gen.Folder(t), "copy.cbh")},
				{"sort", "-q", "--by", "date", db, filepath.Join(gen.Folder(t), "sorted.cbh")}, {"check", db},
			}
			if name == "not marked" {
				list = append(list, []string{"find", "-q", "--no-boosters", db, "--year", "1800.."}, []string{"boosters", "-q", db})
			}
			for _, args := range list {
				if r := cbkit(t, "", args...); r.status != exitFailed || !strings.Contains(r.out+r.errOut, "record 1") {
					t.Errorf("cbkit %v: status %d, says %q", args, r.status, r.errOut)
				}
			}
		})
	}
}

// However long a value is, 60 characters of it are in a message.
func TestMessagesAreShort(t *testing.T) {
	long := strings.Repeat("x", 1<<18)
	for name, text := range map[string]string{
		"name.jsonl":    `{"id":1,"kind":"game","white":"` + long + `","moves":[{"uci":"e2e4"}]}`,
		"tags.jsonl":    `{"id":1,"kind":"game","white":"a","tags":{"` + long + `":"v","B":"` + long + `"},"moves":[{"uci":"e2e4"}]}`,
		"key.jsonl":     `{"id":1,"kind":"game","` + long + `":1}`,
		"move.jsonl":    `{"id":1,"kind":"game","moves":[{"uci":"` + long + `"}]}`,
		"name.pgn":      "[Event \"a\"]\n[White \"" + long + "\"]\n\n1. e4 1-0\n",
		"tag.pgn":       "[Event \"a\"]\n[" + long + " \"v\"]\n[Round \"" + long + "\"]\n[Variant \"" + long + "\"]\n\n1. e4 1-0\n",
		"move.pgn":      "[Event \"a\"]\n\n1. e4 " + long + " e5 1-0\n",
		"no-tag.pgn":    "[Event \"a\"]\n[Event " + long + "]\n\n1. e4 1-0\n",
		"no-end.pgn":    "[Event \"a\"]\n\n1. e4 {" + long,
		"evaluated.pgn": "[Event \"a\"]\n\n1. e4 {[%eval " + long + "] [%clk " + long + "]} 1-0\n",
	} {
		dir := gen.Folder(t)
		source, report := filepath.Join(dir, name), filepath.Join(dir, "report.jsonl")
		must.Do(t, os.WriteFile(source, []byte(text), 0o644))
		for i, to := range []string{"out.cbh", "out.dci", "out.pgn", "out.jsonl"} {
			if !isTried(i+len(name), 3) {
				continue
			}
			_ = os.Remove(report) // of the run before
			r := cbkit(t, "", "convert", "--keep-going", "--report", report, source, filepath.Join(dir, to))
			told := must.Get(os.ReadFile(report))(t)
			for line := range strings.Lines(r.errOut + string(told)) {
				if strings.Count(line, "x") > 4*brief.Characters {
					t.Errorf("%s to %s: a line of %d bytes: %.300s", name, to, len(line), line)
				}
			}
		}
	}
}

// Of many damaged records every verb shows the first twenty and counts the rest, or
// tells all on request.
func TestManyMessagesOfEveryVerb(t *testing.T) {
	dir := gen.Folder(t)
	db := filepath.Join(dir, "db.cbh")
	const damaged = 30
	games := strings.Repeat("[White \"A\"]\n[Event \"T\"]\n[Date \"1999.01.01\"]\n\n1. e4 e5 2. Nf3 Nc6 *\n\n", damaged)
	if r := cbkit(t, games, "import", "-q", "-", db); r.status != exitDone {
		t.Fatalf("%+v", r)
	}
	for id := 1; id <= damaged; id++ {
		spoilMoves(t, db, id)
	}
	for i, verb := range []string{
		"export IN OUT.pgn", "export IN OUT.parquet", "convert IN OUT.cbh", "convert IN OUT.jsonl", "convert --keep-going IN OUT.dci", "convert --fresh IN OUT.cbh",
		"find IN piece:Nf3", "find IN piece:Nf3 -o OUT.pgn", "boosters IN", "boosters --check IN", "book build IN OUT.ctg",
		"merge IN IN OUT.cbh", "merge --dedup IN IN OUT.pgn", "dedup IN OUT.cbh", "dedup --dry-run IN", "sort --by date IN OUT.cbh", "split --by 100 IN OUT",
		"strip --variations --keep-going IN OUT.cbh", "diff IN IN", "eco IN OUT.cbh", "report IN e4", "compact --purge IN",
	} {
		if !isTried(i, 4) && verb != "boosters IN" { // the next one checks them
			continue
		}
		args := strings.Fields(strings.NewReplacer("IN", db, "OUT", filepath.Join(dir, fmt.Sprint(i, "out"))).Replace(verb))
		args = append(args, "--force", "-q")
		if words := strings.Fields(verb); words[0] == "compact" || words[0] == "boosters" || words[0] == "diff" || words[0] == "report" || strings.HasSuffix(verb, "IN piece:Nf3") || strings.Contains(verb, "dry-run") {
			args = slices.Delete(args, len(args)-2, len(args)-1)
		}
		r := cbkit(t, "", args...)
		lines := strings.Count(r.errOut, "cbkit: damaged: ")
		if r.status != exitFailed || lines > shownMessages+1 || !strings.Contains(r.errOut, "--all shows them") {
			t.Errorf("cbkit %s: status %d, %d lines: %.600s", verb, r.status, lines, r.errOut)
		}
		report := filepath.Join(dir, fmt.Sprint("report", i))
		args[len(args)-1] = "--all"
		for j := range args {
			args[j] = strings.Replace(args[j], "out", "again", 1)
		}
		r = cbkit(t, "", append(args, "--report", report)...)
		b, err := os.ReadFile(report)
		if lines := strings.Count(r.errOut, "cbkit: damaged: "); lines < damaged || err != nil || bytes.Count(b, []byte(`"kind":"damaged"`)) != lines {
			t.Errorf("cbkit %s --all: status %d, %d lines, %v: %.600s", verb, r.status, lines, err, r.errOut)
		}
	}
}

// A small file of tournament data that claims records of 2 GB is named, and nobody
// makes such records.
func TestClaimedRecordSize(t *testing.T) {
	unread := newDatabase(t)
	change(t, unread, ".cbtt", func(b []byte) []byte { b[4]++; return append(b, 1, 2, 3) })
	if r := cbkit(t, "", "salvage", unread, unread+"2.cbh"); r.status != exitFailed || !strings.Contains(r.out, "lost  db.cbtt: nothing of it can be read\n") {
		t.Errorf("%+v", r)
	}
	for _, verb := range []string{"convert IN OUT.cbh", "convert --fresh IN OUT.cbh", "sort --by date IN OUT.cbh", "edit IN --set 2.event=New", "compact --purge IN", "salvage IN OUT.cbh"} {
		db := newDatabase(t)
		change(t, db, ".cbtt", func([]byte) []byte {
			b := binary.LittleEndian.AppendUint32(nil, 3)
			b = binary.LittleEndian.AppendUint32(b, 2_000_000_000)
			return append(binary.LittleEndian.AppendUint32(b, 2), make([]byte, 20)...)
		})
		before := allocated()
		r := cbkit(t, "", strings.Fields(strings.NewReplacer("IN", db, "OUT", filepath.Join(filepath.Dir(db), "out")).Replace(verb))...)
		if used := allocated() - before; used > 64<<20 {
			t.Errorf("cbkit %s: %d MiB", verb, used>>20)
		}
		reads := !strings.HasPrefix(verb, "edit") && !strings.HasPrefix(verb, "salvage") // what an editor does not touch stays; there is nothing to be saved
		if reads && (r.status != exitFailed || !strings.Contains(r.errOut, "db.cbtt: at 0x4 (record size): 2000000000")) {
			t.Errorf("cbkit %s: %+v", verb, r)
		}
		entries := must.Get(os.ReadDir(filepath.Dir(db)))(t)
		for _, e := range entries {
			if info, err := e.Info(); err != nil || info.Size() > 1<<20 {
				t.Errorf("cbkit %s: %s is large, %v", verb, e.Name(), err)
			}
		}
	}
}
