package roundtrip

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/bits"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cbkit/board"
	"cbkit/check"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/model"
	"cbkit/pgn"
	"cbkit/read"
	"cbkit/write"
	"github.com/google/go-cmp/cmp"
)

// scidRuns is a program of Scid that a script, or the name of a database, is given to.
// Without Scid the test is skipped.
func scidRuns(t *testing.T, program, dir, argument string) []byte {
	t.Helper()
	name := "/usr/games/" + program
	if _, err := os.Stat(name); err != nil {
		t.Skip("Scid is not installed: Debian has it as the package scid")
	}
	if program == "tkscid" {
		script := filepath.Join(dir, "script.tcl")
		must.Do(t, os.WriteFile(script, []byte("proc ::progressCallBack {args} {}\n"+argument), 0o666))
		argument = script
	}
	cmd := exec.Command(name, argument)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "DISPLAY=", "LC_ALL=C.UTF-8", "PATH="+os.Getenv("PATH")+":/usr/games")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v: %s%s", program, err, stderr.Bytes(), out)
	}
	return out
}

// scidGames are 200 games with all that the format holds, in characters that Scid prints
// as they are.
func scidGames(t *testing.T, seed int) *model.Database {
	t.Helper()
	config := gen.Config{NoChess960: true, NoTexts: true, NoDeleted: true, TextBytes: 40, Runes: []rune("abcdéñŁЖ.")}
	db := new(model.Database)
	for ; db.Count() < 200; seed += 10 {
		one := gen.Database(config).Example(seed)
		into := model.NewEntityMap(one.Entities(), db.Entities())
		for rec := range must.All(t, one.Records(t.Context(), 1, model.WantAll)) {
			rec.ID = 0
			db.AddGame(into.Record(rec).Clone().Game)
		}
	}
	return db
}

// valuesOf are the games of a source by value, with those of PGN as Scid has them.
func valuesOf(t *testing.T, src model.Source) (list []model.ResolvedGame) {
	for rec, err := range src.Records(t.Context(), 1, model.WantMoves|model.WantAnnotations) {
		if err != nil || len(rec.Faults()) > 0 {
			t.Fatal(rec.ID, err, rec.Faults())
		}
		g := rec.Clone().Game
		g.Leftovers = model.GameLeftovers{}
		list = append(list, g.Resolve(src.Entities()))
	}
	return list
}

func openScid(t *testing.T, path string) read.Database {
	t.Helper()
	src := must.Get(read.Open(path, read.Options{}))(t)
	t.Cleanup(func() { _ = src.Close() })
	return src
}

var byValue = cmp.AllowUnexported(model.Symbols{})

// What is written Scid opens, prints, finds by position, material and header, changes and
// compacts, and it is read again.
func TestScidTakesWhatIsWritten(t *testing.T) {
	for seed := range 2 {
		dir := gen.Folder(t)
		path := filepath.Join(dir, "Games.si4")
		sink := must.Get(write.CreateScid(t.Context(), path, write.Options{Force: true, AcceptLosses: true}))(t)
		must.Do(t, model.Copy(t.Context(), sink, scidGames(t, seed), model.CopyOptions{}))
		n := sink.Written()
		printed := scidRuns(t, "scidpgn", dir, "Games")
		games := valuesOf(t, openScid(t, path))
		if diff := cmp.Diff(games, valuesOf(t, pgn.NewReader(bytes.NewReader(printed), pgn.ReaderOptions{})), byValue); diff != "" || len(games) != n {
			t.Fatalf("%d games of %d: %s", len(games), n, diff)
		}
		var script, want strings.Builder
		script.WriteString("set b [sc_base open Games]\nsc_base switch $b\n")
		for _, first := range []string{"e3", "a3", "Nf3", "h4"} {
			p := board.Start()
			m := must.Get(p.ParseSAN(first))(t)
			p.Make(m)
			fmt.Fprintf(&script, "sc_game startBoard {%s}\nsc_search board RESET Exact false false\nputs \"[sc_filter count]\"\nsc_game new\n", p.FEN())
			fmt.Fprintln(&want, countGames(games, func(q *board.Position) bool { return q.SameDiagram(&p) && q.Turn() == p.Turn() }))
		}
		for _, queens := range []int{0, 1, 2} {
			fmt.Fprintf(&script, "sc_filter reset $b dbfilter full\nsc_search material -wq {%d %d} -bq {0 9} -wr {0 9} -br {0 9} -wb {0 9} -bb {0 9} -wn {0 9} -bn {0 9} -wp {0 8} -bp {0 8} -wm {0 15} -bm {0 15} -length 1 -range {0 999} -filter RESET\nputs \"[sc_filter count]\"\n", queens, queens)
			fmt.Fprintln(&want, countGames(games, func(q *board.Position) bool { return bits.OnesCount64(q.Pieces(model.White, model.Queen)) == queens }))
		}
		fmt.Fprintln(&want, 1) // who is called New
		script.WriteString("sc_base gameflag $b 2 set delete\nsc_game load 3\nsc_game tags set -white {New, Name}\nsc_game save 3\nsc_search header -white New -filter RESET\nputs \"[sc_filter count]\"\nsc_base compact $b\nsc_base close $b\n")
		out := scidRuns(t, "tkscid", dir, script.String())
		got := strings.Fields(string(out))
		if fmt.Sprint(got[:min(len(got), 8)]) != fmt.Sprint(strings.Fields(want.String())) {
			t.Errorf("Scid finds %v, want %v", got, strings.Fields(want.String()))
		}
		games[2].White = model.ParsePlayer("New, Name")
		if diff := cmp.Diff(slices.Delete(games, 1, 2), valuesOf(t, openScid(t, path)), byValue); diff != "" {
			t.Error("after Scid has edited: ", diff)
		}
	}
}

// countGames counts the games that have a position on the main line.
func countGames(games []model.ResolvedGame, is func(*board.Position) bool) (n int) {
	for _, g := range games {
		p, err := board.New(&g.Start)
		if err != nil {
			panic(err)
		}
		found := is(&p)
		for at := range g.Moves { // the main line comes first, each move behind the one before
			if found || int(g.Moves[at].Parent) != at-1 {
				break
			}
			p.Make(g.Moves[at].Move)
			found = is(&p)
		}
		if found {
			n++
		}
	}
	return n
}

// What Scid has made of PGN is edited in place a hundred times, and Scid prints what a
// model of the edits says.
func TestScidPrintsWhatIsEdited(t *testing.T) {
	dir := gen.Folder(t)
	ctx := context.Background()
	var text bytes.Buffer
	w := pgn.NewWriter(&text, pgn.WriterOptions{Plain: true, AcceptLosses: true})
	must.Do(t, model.Copy(ctx, w, scidGames(t, 7), model.CopyOptions{}))
	must.Do(t, os.WriteFile(filepath.Join(dir, "games.pgn"), text.Bytes(), 0o666))
	scidRuns(t, "tkscid", dir, "set b [sc_base create SCID4 Games]\nsc_base import $b games.pgn\nsc_base close $b\n")
	path := filepath.Join(dir, "Games.si4")
	want := valuesOf(t, openScid(t, path))
	r := rand.New(rand.NewPCG(11, 43))
	ed, err := write.EditScid(ctx, path, write.EditOptions{AcceptLosses: true})
	if err != nil {
		t.Fatal(err)
	}
	defer ed.Close()
	deleted := map[int]bool{}
	for i := range 100 {
		at := r.IntN(len(want))
		id, g := model.RecordID(at+1), &want[at]
		switch r.IntN(6) {
		case 0:
			deleted[at] = true
			err = ed.Delete(id)
		case 1:
			delete(deleted, at)
			err = ed.Undelete(id)
		case 2:
			var h model.Header
			if h, err = ed.Header(id); err == nil {
				g.White, g.Round = model.ParsePlayer(fmt.Sprint("White, ", i)), uint16(1+r.IntN(20))
				g.Subround, g.Tags = 0, slices.DeleteFunc(g.Tags, func(t model.Tag) bool { return t.Name == "Round" })
				h.White, h.Round, h.Subround, h.Tags = ed.Entities().Players.Intern(g.White), g.Round, 0, g.Tags
				err = ed.SetHeader(id, h, nil)
			}
		case 3:
			g.Annotations = nil
			err = ed.SetAnnotations(id, nil)
		case 4:
			is := model.ParsePlayer(fmt.Sprint("Renamed, ", i))
			var all []write.StoredEntity[model.Player]
			for e, failed := range ed.Players().All() {
				if err = errors.Join(err, failed); failed == nil {
					all = append(all, e)
				}
			}
			if len(all) == 0 {
				break
			}
			e := all[r.IntN(len(all))]
			if err = ed.Players().Change(e.ID, is); errors.Is(err, fs.ErrExist) {
				t.Fatal(err)
			}
			for i := range want {
				for _, side := range []*model.Player{&want[i].White, &want[i].Black} {
					if *side == e.Value {
						*side = is
					}
				}
			}
		default:
			err = ed.Commit()
		}
		if err != nil {
			t.Fatal(i, err)
		}
	}
	must.Do(t, ed.Commit(), ed.Close())
	printed := scidRuns(t, "tkscid", dir, "set b [sc_base open Games]\nsc_base switch $b\nfor {set i 1} {$i <= [sc_base numGames $b]} {incr i} {\nsc_game load $i\nputs \"[sc_game pgn -width 0]\\n\"\n}\nsc_base close $b\n")
	got := valuesOf(t, pgn.NewReader(bytes.NewReader(printed), pgn.ReaderOptions{}))
	if diff := cmp.Diff(want, got, byValue); diff != "" {
		t.Error(diff)
	}
	for rec, err := range openScid(t, path).Records(ctx, 1, model.WantHeaders) {
		if err != nil || rec.Deleted != deleted[int(rec.ID)-1] {
			t.Errorf("record %d: deleted %v, %v", rec.ID, rec.Deleted, err)
		}
	}
	for f, err := range check.Scid(ctx, path, check.Options{}).Findings() {
		if err != nil || f.Code != "scid-unused" {
			t.Error(f, err)
		}
	}
}
