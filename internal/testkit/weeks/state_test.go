package weeks

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"cbkit"
	"cbkit/board"
	"cbkit/check"
	"cbkit/compose"
	"cbkit/internal/dbfile"
	"cbkit/internal/fsys"
	"cbkit/internal/testkit/crashfs"
	"cbkit/model"
	"cbkit/parquet"
	"cbkit/pgn"
	"cbkit/read"
	"cbkit/search"
)

var ctx = context.Background()

// A game is a line of text, "[x ]White|Black|Event|Year|Round|Result|moves|comment"; an x marks one
// that is deleted. A book is lines too, "moves: games", and of tables there is one more, that says
// how many rows the second has.

// openings are lines none of which comes to the position of another by other moves.
var openings = []string{
	"e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6", "e4 e5 Nf3 Nc6 Bc4 Bc5 c3 Nf6 d3", "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6", "d4 d5 c4 e6 Nc3 Nf6 Bg5 Be7",
	"c4 e5 Nc3 Nf6 g3 d5 cxd5 Nxd5", "b3 e5 Bb2 Nc6 e3 d5 Bb5 Bd6 f4 f6",
}

// newGame makes a line of a number; those of different numbers differ.
func newGame(n uint64) string {
	names := []string{"Adams", "Tal", "Larsen", "Polgar", "Réti", "Müller"}
	pick := func(i, of uint64) uint64 { return n * (2*i + 1) >> i % 31 % of }
	return fmt.Sprintf("%s%d|%s|%s|%d|%d|%s|%s|%s", names[pick(1, 6)], n%50, names[pick(2, 6)], []string{"Linares", "Wijk", "Linares Open"}[pick(3, 3)],
		1950+n%60, 1+n%9, []string{"1-0", "0-1", "1/2-1/2"}[pick(4, 3)], openings[pick(5, uint64(len(openings)))], newComment(n))
}

// newComment makes a comment of a number: none, a short one or a long one.
func newComment(n uint64) string { return strings.Repeat("good", []int{0, 0, 1, 90}[n%4]) }

// movesOf are those of a line.
func movesOf(line string) []string { return strings.Fields(strings.Split(line, "|")[6]) }

// database makes the games of lines.
func database(lines []string) *model.Database {
	db := new(model.Database)
	for _, line := range lines {
		line, deleted := strings.CutPrefix(line, "x ")
		f := strings.Split(line, "|")
		round, _ := strconv.Atoi(f[4])
		g := compose.New(compose.Header{White: f[0], Black: f[1], Event: f[2], Date: f[3] + ".03.05", Round: round, Result: f[5]})
		g.Play(strings.Fields(f[6])...)
		if f[7] != "" {
			g.Comment(f[7])
		}
		if _, err := g.AddTo(db); err != nil {
			panic(err)
		}
		db.List[len(db.List)-1].Deleted = deleted
	}
	return db
}

// lines reads the games or the positions of what is there; it has none, and no error, if
// nothing is there. Between is what is done behind the first.
func lines(name string, between ...func()) (list []string, err error) {
	if isTables(name) {
		return tableLines(name)
	}
	if _, err := (fsys.OS{}).Lstat(name); err != nil {
		if left, _ := leftOf(name); len(left) == 0 || formatOf(name).IsFile() {
			return nil, nil
		}
	}
	if formatOf(name) == cbkit.Book {
		return bookLines(name, between)
	}
	src, err := cbkit.Open(name, cbkit.Options{Jobs: 1})
	if err != nil {
		return nil, err
	}
	list, err = linesOf(src, between)
	if closed := src.Close(); err == nil {
		err = closed
	}
	return list, err
}

// isTables reports whether a target is a part of the tables in a folder.
func isTables(target string) bool { return path.Dir(target) == "tables" }

// ofTables is in the names of all files of a part.
func ofTables(target string) string { return "Games." + path.Base(target) + "-of-2." }

// tableLines reads a part of tables, of which the manifest must be true.
func tableLines(target string) (list []string, err error) {
	if list, err = lines("tables/games/" + ofTables(target) + "0001.parquet"); list == nil {
		return nil, cmp.Or(err, fs.ErrNotExist)
	}
	disk := fsys.Under(fsys.OS{}).(*crashfs.FS).Files()
	for line := range strings.Lines(string(disk["tables/_manifest."+ofTables(target)+"jsonl"])) {
		var e parquet.ManifestEntry
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			return nil, err
		}
		if content := disk["tables/"+e.File]; e.SHA256 != fmt.Sprintf("%x", sha256.Sum256(content)) {
			return nil, fmt.Errorf("the manifest says %s, which is not what is there", line)
		}
		if e.Table == parquet.Positions {
			list = append(list, fmt.Sprintf("%d positions", e.Rows))
		}
	}
	return list, nil
}

func linesOf(src model.Source, between []func()) (list []string, err error) {
	list = []string{}
	for rec, err := range src.Records(ctx, 1, model.WantMoves|model.WantAnnotations) {
		if err != nil {
			return nil, err
		}
		h := rec.Header(src.Entities())
		mark := ""
		if rec.Deleted {
			mark = "x "
		}
		comment, game := "", *rec.Game
		for _, a := range game.Annotations {
			if text, is := a.Value.(model.Text); is {
				comment += text.Text
			}
		}
		game.Annotations = nil
		moves := slices.DeleteFunc(strings.Fields(pgn.MoveText(&game)), func(w string) bool { return strings.ContainsAny(w, "./-*") && !strings.Contains(w, "O-O") })
		list = append(list, fmt.Sprintf("%s%s|%s|%s|%d|%d|%s|%s|%s", mark, h.White.LastName, h.Black.LastName, h.Tournament.Title, h.Date.Year, h.Round,
			h.Result, strings.Join(moves, " "), comment))
		if len(list) == 1 {
			for _, do := range between {
				do()
			}
		}
	}
	return list, nil
}

func bookLines(name string, between []func()) (list []string, err error) {
	b, err := read.OpenBook(ctx, name)
	if err != nil {
		return nil, err
	}
	defer b.Close()
	list = []string{}
	var walk func(p board.Position, path string) error
	walk = func(p board.Position, path string) error {
		var e model.BookEntry
		there, err := b.Find(p.Model(), &e)
		if !there || err != nil {
			return err
		}
		if err := b.Figures(&e); err != nil {
			return err
		}
		for _, m := range slices.Clone(e.Moves) {
			next, to := p, strings.TrimPrefix(path+" "+string(p.AppendSAN(nil, m.Move)), " ")
			next.Make(m.Move)
			list = append(list, fmt.Sprintf("%s: %d", to, m.Stats.Games))
			if len(list) == 1 {
				for _, do := range between {
					do()
				}
			}
			if err := walk(next, to); err != nil {
				return err
			}
		}
		return nil
	}
	err = walk(board.Start(), "")
	slices.Sort(list)
	return list, err
}

// bookPlies is how deep books are.
const bookPlies = 4

// added are the lines of a book with more games.
func added(book, games []string) (list []string) {
	counts := map[string]int{}
	for _, line := range book {
		moves, n, _ := strings.Cut(line, ": ")
		counts[moves], _ = strconv.Atoi(n)
	}
	for _, line := range games {
		if strings.HasPrefix(line, "x ") {
			continue
		}
		moves := movesOf(line)
		for i := range min(len(moves), bookPlies) {
			counts[strings.Join(moves[:i+1], " ")]++
		}
	}
	list = []string{}
	for moves, n := range counts {
		list = append(list, fmt.Sprintf("%s: %d", moves, n))
	}
	slices.Sort(list)
	return list
}

func formatOf(name string) cbkit.Format { return cbkit.FormatNamed(name) }

// endings are those of the files of a format.
var endings = map[cbkit.Format][]string{
	cbkit.ChessBase: strings.Fields(".cbh .cbg .cba .cbj .cbtt .cbp .cbt .cbc .cbs .cbe .cbl .cbm .cbgi .cbb .cit .cib .cit2 .cib2 .cbkit .cbkit-positions .ini"),
	cbkit.Simple:    strings.Fields(".dci .dcg .dcn .dcs .dce"), cbkit.Scid: strings.Fields(".si4 .sg4 .sn4"), cbkit.Book: strings.Fields(".ctg .ctb .cto"),
}

// belongs reports whether a file on the disk is one of a target, and whether it is one of ours
// that is there for a while.
func belongs(name, target string) (is, working bool) {
	if isTables(target) && name != "tmp" && !strings.HasPrefix(name, "tmp/") {
		is = strings.HasPrefix(name, "tables") && strings.Contains(name, ofTables(target))
		return is, is && strings.Contains(name, ".cbkit-")
	}
	name, _, _ = strings.Cut(name, "/")
	f, ending := formatOf(target), filepath.Ext(target)
	stem := strings.TrimSuffix(target, ending)
	if name == "tmp" || dbfile.IsScratch(name) {
		return true, false
	}
	if f.IsFile() {
		working = strings.HasPrefix(name, target+".cbkit-")
		return name == target || working, working
	}
	if slices.Contains(neighbours, name) {
		return false, false
	}
	rest, in := strings.CutPrefix(name, stem)
	if !in {
		return false, false
	}
	if slices.Contains(endings[f], rest) {
		return true, false
	}
	if more, is := strings.CutPrefix(rest, ".cbkit-positions"); is { // beside a .cbh alone
		return f == cbkit.ChessBase, f == cbkit.ChessBase && more != ""
	}
	ending, _, working = strings.Cut(rest, ".cbkit-")
	is = working && (ending == "" || slices.Contains(endings[f], ending))
	return is, is
}

// leftOf are the working files of a target.
func leftOf(target string) (list []string, err error) {
	dirs := []string{"."}
	if isTables(target) {
		dirs = []string{"tables", "tables/games", "tables/positions"}
	}
	for _, dir := range dirs {
		entries, failed := (fsys.OS{}).ReadDir(dir)
		err = errors.Join(err, failed)
		for _, e := range entries {
			name := path.Join(dir, e.Name())
			// Whatever is left of one part of tables, none of them can be read.
			if _, working := belongs(name, target); working || isTables(target) && strings.Contains(name, ".cbkit-") {
				list = append(list, name)
			}
		}
	}
	return list, err
}

// unsound says what check finds wrong with a target, or that a search finds other games with
// boosters than without, "" if nothing.
func unsound(name string) string {
	var c *check.Check
	if list, err := lines(name); list == nil && (err == nil || errors.Is(err, fs.ErrNotExist)) {
		return "" // it is not there
	}
	switch formatOf(name) {
	case cbkit.ChessBase:
		c = check.Database(ctx, name, check.Options{Jobs: 1})
	case cbkit.Simple:
		c = check.Simple(ctx, name, check.Options{Jobs: 1})
	case cbkit.Scid:
		c = check.Scid(ctx, name, check.Options{Jobs: 1})
	case cbkit.Book:
		c = check.Book(ctx, name, check.Options{Jobs: 1})
	default:
		return ""
	}
	for f := range c.Findings() {
		if f.Severity == check.Error {
			return "check: " + f.String()
		}
	}
	if _, err := c.Summary(); err != nil {
		return "check: " + err.Error()
	}
	if formatOf(name) != cbkit.ChessBase {
		return ""
	}
	return searches(name)
}

// searches compares answers.
func searches(name string) string {
	p := board.Start()
	m, err := p.ParseSAN("e4")
	if err != nil {
		panic(err)
	}
	p.Make(m)
	player, err := search.Parse("white-player:Tal*")
	if err != nil {
		panic(err)
	}
	for _, c := range []search.Condition{search.Reached(p), player} {
		var answers [2]string
		for i := range answers {
			s, err := search.Open(name, search.Options{Jobs: 1, NoBoosters: i == 1})
			if err != nil {
				return "search: " + err.Error()
			}
			r, err := s.Find(ctx, c)
			if err != nil {
				return "search: " + err.Error()
			}
			answers[i] = fmt.Sprint(r.IDs)
			if err := s.Close(); err != nil {
				return "search: " + err.Error()
			}
		}
		if answers[0] != answers[1] {
			return fmt.Sprintf("search: %s with boosters, %s without", answers[0], answers[1])
		}
	}
	return ""
}
