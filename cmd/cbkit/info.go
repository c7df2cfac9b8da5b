package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"

	lib "cbkit"
	"cbkit/archive"
	"cbkit/check"
	"cbkit/internal/codepage"
	"cbkit/internal/dbfile"
	"cbkit/model"
	"cbkit/read"

	"github.com/rivo/uniseg"
)

// infoCmd is "cbkit info".
type infoCmd struct {
	Path string   `arg:"" zip:"reads" help:"Database, book, PGN or JSON Lines file; a folder is all that are in it; - is PGN or JSON Lines from standard input."`
	More []string `arg:"" zip:"reads" optional:"" help:"More of them: each gets one line."`
	JSON bool     `name:"json" help:"Print JSON."`
	// Of a database of ChessBase 17.
	Sample bool `help:"What a .2cbh tells of its format, without names and moves: for those who help to prove it."`
	readFlags
}

// particulars are what a message says of one record: numbers, squares, moves, bytes.
var particulars = regexp.MustCompile(`\S*[0-9]\S*|\(\S*\)|\b(?:[ac-f][a-f]|b[a-df])\b`)

// sample prints what proves or disproves the description of the format.
func (c *infoCmd) sample(env *environment) error {
	if formatOf(c.Path) != formatChessBase2 || len(c.More) > 0 {
		return usageError{errors.New("--sample is for one database of ChessBase 17 (.2cbh)")}
	}
	made := check.ChessBase2(env.ctx, c.Path, check.Options{Max: -1})
	counts, examples := map[string]int{}, map[string]string{}
	for f, err := range made.Findings() {
		if err != nil {
			return err
		}
		what := fmt.Sprintf("%s %s %s: %s", dbfile.EndingOf(f.File), f.Code, f.Field, particulars.ReplaceAllString(f.Message, "…"))
		if counts[what]++; slices.Contains([]string{"2cbh-annotation-type", "2cbh-field", "2cbh-version"}, f.Code) && counts[what] <= 20 {
			examples[what] += "\n    " + f.Message
		}
	}
	summary, _ := made.Summary()
	for _, line := range summary.Sample {
		fmt.Fprintln(env.text, line)
	}
	for _, what := range slices.Sorted(maps.Keys(counts)) {
		fmt.Fprintf(env.text, "%d × %s%s\n", counts[what], strings.TrimSpace(what), examples[what])
	}
	return nil
}

// Run implements the verb.
func (c *infoCmd) Run(env *environment) error {
	if c.Sample {
		return c.sample(env)
	}
	named := append([]string{c.Path}, c.More...)
	wanted := func(as format) bool { return as != formatParquet }
	paths, several, err := env.inFolders(named, wanted)
	if err != nil {
		return err
	}
	if several {
		defer env.reportFolders(named, wanted)
		return eachOf(env, paths, func(path string) error {
			one := *c
			one.Path = path
			return one.brief(env)
		})
	}
	if formatOf(c.Path).IsBook() {
		return (&bookInfoCmd{Book: c.Path, JSON: c.JSON}).Run(env)
	}
	if file, inside, is := lib.SplitArchive(c.Path); is && inside == "" {
		return c.archive(env, file)
	}
	t := newTransfer(env, transferFlags{readFlags: c.readFlags}, "info", target{})
	info, err := c.read(t)
	switch {
	case err != nil:
		return err
	case c.JSON:
		return env.answer(info)
	}
	printInfo(env.text, info)
	return nil
}

// brief describes one of several sources, in one line.
func (c *infoCmd) brief(env *environment) error {
	t := newTransfer(env, transferFlags{readFlags: c.readFlags}, "info", target{})
	if as := formatOf(c.Path); c.JSON && as.IsBook() {
		return (&bookInfoCmd{Book: c.Path, JSON: true}).Run(env)
	} else if !c.JSON && (as.IsBook() || as == formatArchive) {
		_, err := os.Stat(c.Path)
		if as.IsBook() {
			var book read.Book
			if book, err = read.OpenBook(env.ctx, c.Path); err == nil {
				_ = book.Close() // it was only read
			}
		}
		if err != nil {
			return plainError(err)
		}
		size := env.sizeOf(c.Path)
		_, err = fmt.Fprintf(env.text, "%s: %s\n", c.Path, joinKnown([]string{as.Title(), optional(thousands(int(size/1024)), " KB")}, ", "))
		return err
	}
	info, err := c.read(t)
	switch {
	case err != nil:
		return err
	case c.JSON:
		return env.answer(info)
	}
	parts := append([]string{thousands(info.Games) + " " + inNumber(info.Games, "game")}, counted([]countedWord{
		{info.Texts, inNumber(info.Texts, "text")}, {info.Deleted, inNumber(info.Deleted, "deleted record")},
	})...)
	if info.FirstDate != "" {
		from, _, _ := strings.Cut(info.FirstDate, ".")
		to, _, _ := strings.Cut(info.LastDate, ".")
		if from != to {
			from += "-" + to
		}
		parts = append(parts, from)
	}
	_, err = fmt.Fprintln(env.text, wrapped(env.text, mainFile(c.Path)+": "+strings.Join(parts, ", ")))
	return err
}

// information is what there is to say.
type information struct {
	read.Info
	// Boosters are the search boosters and the index of positions of a ChessBase database,
	// missing ones included.
	Boosters []check.Booster `json:"boosters,omitempty"`
	// CodePage is the page of names and texts, and what speaks for it.
	CodePage model.PageGuess `json:"codePage,omitzero"`
}

// read collects it.
func (c *infoCmd) read(t *transfer) (info information, err error) {
	t.env.pagesShown = true
	src, err := t.openInput(c.Path)
	if err != nil {
		return info, err
	}
	info.CodePage = src.opened.Guess()
	defer func() { _ = src.close() }() // it was only read
	if db, ok := src.Source.(read.Database); ok {
		info.Info, err = db.Info(t.env.ctx)
		_, is2 := db.(*read.ChessBase2)
		if _, ok := db.(*read.ChessBase); (ok || is2) && err == nil && formatOf(c.Path) != formatArchive {
			info.Boosters, err = check.BoosterStates(t.env.ctx, c.Path, check.Options{Jobs: int(c.Jobs)})
		}
		return info, err
	}
	info.Info, err = read.Summarize(t.env.ctx, src, t.onError)
	info.Path, info.Format = c.Path, src.as.Title()
	return info, err
}

// printInfo writes the readable form.
func printInfo(w io.Writer, info information) {
	row := func(name string, value any) { fmt.Fprintf(w, "%-14s %s\n", name, wrappedAt(w, 15, fmt.Sprint(value))) }
	files := 0
	for _, f := range info.Files {
		files = max(files, uniseg.StringWidth(f.Name))
	}
	row("format", info.Format)
	if info.Version != "" {
		row("version", info.Version)
	}
	row("records", info.Records)
	row("games", info.Games)
	if info.Analyses > 0 {
		row("analyses", info.Analyses)
	}
	row("texts", info.Texts)
	row("deleted", info.Deleted)
	if info.FirstDate != "" {
		row("dates", info.FirstDate+" to "+info.LastDate)
	}
	for _, e := range info.Entities {
		row(e.Name, e.Count)
	}
	if g := info.CodePage; g.Texts > 0 {
		row("code page", g)
	} else if g.Page != "" && g.Page != codepage.Default {
		row("code page", g.Page)
	}
	if info.MoveHoles+info.AnnotationHoles > 0 {
		row("holes", fmt.Sprintf("%s in moves, %d in annotations (as stored)", plural(info.MoveHoles, "byte"), info.AnnotationHoles))
	}
	for _, f := range info.Files {
		fmt.Fprintf(w, "%-14s %-*s %12d  %s\n", "file", files, f.Name, f.Size, f.What)
	}
	if len(info.Missing) > 0 {
		var endings []string
		for _, name := range info.Missing {
			endings = append(endings, dbfile.Spelt(name))
		}
		row("without", strings.Join(endings, " ")+", which older databases lack")
	}
	for i := range info.Boosters {
		if b := &info.Boosters[i]; b.State != check.BoosterMissing {
			fmt.Fprintf(w, "%-14s %-*s  %s\n", "booster", files, b.File, wrappedAt(w, 17+files, boosterState(b)))
		}
	}
}

// boosterState says what a booster is worth.
func boosterState(b *check.Booster) string {
	switch b.State {
	case check.BoosterStale:
		return fmt.Sprintf("%s: it ends at record %d", b.State, b.Covers)
	case check.BoosterUnsealed:
		return fmt.Sprintf("%s: not used by searches until cbkit boosters rebuilds it", b.State)
	case check.BoosterWrong:
		return fmt.Sprintf("%s: not used by searches; cbkit boosters --check says where", b.State)
	}
	return string(b.State)
}

// archiveInformation is what there is to say about an archive.
type archiveInformation struct {
	Path       string              `json:"path"`
	Format     string              `json:"format"`
	Enciphered bool                `json:"enciphered,omitempty"`
	Size       int64               `json:"size"`   // of all files
	Packed     int64               `json:"packed"` // of all streams
	Databases  []string            `json:"databases"`
	Files      []memberInformation `json:"files"`
}

// memberInformation is what there is to say about a file in it.
type memberInformation struct {
	Name     string `json:"name"`
	Size     int64  `json:"size"`
	Packed   int64  `json:"packed"`
	Modified string `json:"modified,omitempty"` // local time
	// Blocks are how many there are of each mode.
	Blocks  blockCounts `json:"blocks"`
	Problem string      `json:"problem,omitempty"`
}

// blockCounts counts blocks by mode.
type blockCounts struct {
	Stored    int `json:"stored,omitempty"`
	LZ        int `json:"lz,omitempty"`
	Huffman   int `json:"huffman,omitempty"`
	LZHuffman int `json:"lzHuffman,omitempty"`
}

// archive is the verb for an archive. With --keep-going problems of files are said with them.
func (c *infoCmd) archive(env *environment, file string) error {
	a, err := env.openArchive(file, c.passwordFlag, c.Codepage, c.Jobs, c.KeepGoing)
	if err != nil {
		return err
	}
	defer a.Close()
	info := archiveInformation{Path: file, Format: "ChessBase archive", Enciphered: a.Enciphered(), Databases: a.Databases()}
	if info.Databases == nil {
		info.Databases = []string{}
	}
	for i, m := range a.Members() {
		modes, err := a.Modes(i)
		if err != nil && !c.KeepGoing {
			return err
		}
		f := memberInformation{Name: m.Name, Size: m.Size, Packed: m.Packed, Blocks: blockCounts{
			modes[archive.Stored], modes[archive.LZ], modes[archive.Huffman], modes[archive.LZHuffman],
		}}
		if when, ok := m.Stamp.In(time.Local); ok {
			f.Modified = when.Format("2006-01-02 15:04:05.00")
		}
		if err != nil {
			f.Problem = err.Error()
		} else {
			info.Size += m.Size
			info.Packed += m.Packed
		}
		info.Files = append(info.Files, f)
	}
	hasProblem := slices.ContainsFunc(info.Files, func(f memberInformation) bool { return f.Problem != "" })
	if c.JSON {
		err = env.answer(info)
	} else {
		env.row("format", info.Format+map[bool]string{true: ", enciphered"}[info.Enciphered])
		env.row("files", len(info.Files))
		env.row("size", fmt.Sprintf("%s, packed %d", plural(info.Size, "byte"), info.Packed))
		for _, name := range info.Databases {
			env.row("database", name)
		}
		fmt.Fprintf(env.text, "\n%-28s %12s %12s  %-22s  %s\n", "file", "size", "packed", "changed", "blocks")
		for _, f := range info.Files {
			fmt.Fprintf(env.text, "%-28s %12d %12d  %-22s  %s\n", f.Name, f.Size, f.Packed, f.Modified, cmp.Or(f.Problem, f.Blocks.String()))
		}
	}
	return cmp.Or(err, reportedIf(hasProblem))
}

// String says how many blocks there are of each mode.
func (b blockCounts) String() string {
	return strings.Join(counted([]countedWord{{b.Stored, "stored"}, {b.LZ, "LZ"}, {b.Huffman, "Huffman"}, {b.LZHuffman, "LZ and Huffman"}}), ", ")
}
