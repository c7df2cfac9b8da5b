package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"cbkit/board"
	"cbkit/cmd/internal/picture"
	"cbkit/cmd/internal/viewer"
	"cbkit/cmd/internal/viewpage"
	"cbkit/internal/dbfile"
	"cbkit/internal/fsys"
	"cbkit/model"
	"cbkit/pgn"
)

// draw makes a page of games, or diagrams.
func (c *exportCmd) draw(env *environment) error {
	to := target{path: filepath.Clean(c.Out)}
	there, err := os.Stat(c.Out)
	source, failed := os.Stat(c.DB)
	switch flag := c.tableFlags.given(); {
	case flag != "" || c.Lossless || c.Plain && c.Diagrams:
		return usageError{fmt.Errorf("%s: pages have the form of --plain, or the usual one, and diagrams one form", c.Out)}
	case c.Diagrams && (c.Out == "-" || c.Format != ""):
		return usageError{errors.New("--diagrams: OUT is a folder for them")}
	case err == nil && failed == nil && os.SameFile(there, source):
		return usageError{fmt.Errorf("%s: would be written onto itself", c.Out)}
	}
	t, err := c.begin(env, to)
	if err != nil {
		return err
	}
	src, err := t.openInput(c.DB)
	if err != nil {
		return err
	}
	defer func() { _ = src.close() }() // it was only read
	if c.Diagrams {
		err = c.drawDiagrams(t, src)
	} else {
		err = c.drawPage(t, src)
	}
	if err == nil && t.games != nil {
		err = t.games.absent()
	}
	return err
}

// each calls do for every record that is asked for.
func (c *exportCmd) each(t *transfer, src *input, do func(*model.Record, *model.Entities) error) error {
	bar := newSourceProgress(t.env.stderr, t.flags.Quiet, src, t.verb)
	defer bar.done()
	for rec, err := range model.Readable(t.env.ctx, bar.judged(t.env, src), model.WantMoves|model.WantAnnotations, t.onError) {
		switch {
		case err != nil:
			return err
		case t.games != nil && !t.games.take(rec.ID):
			continue
		case rec.Deleted && !c.Deleted:
			t.reportLoss(model.Loss{Kind: model.LostRecord, Record: rec.ID, Field: "game", What: "it is marked as deleted; left out"})
			continue
		}
		if err := do(&rec, src.Entities()); err != nil {
			return err
		}
	}
	return errors.Join(t.env.ctx.Err(), src.Entities().Err())
}

// drawPage makes a page of games.
func (c *exportCmd) drawPage(t *transfer, src *input) error {
	name := filepath.Base(c.DB)
	page := viewpage.NewBook(dbfile.StemOf(name))
	page.Open = c.Plain
	n := 0
	tooLarge := func(err error) error {
		if errors.Is(err, viewpage.ErrTooLarge) {
			return fmt.Errorf("%s: %w: it has at most %d games and %d MB; choose some with --games, or use cbkit serve", c.Out, err, viewpage.MostGames, viewpage.MostBytes>>20)
		}
		return err
	}
	err := c.each(t, src, func(rec *model.Record, e *model.Entities) error {
		n++
		g := viewer.NewGame(rec, e, src.page)
		if rec.Game == nil {
			var text strings.Builder
			if err := showText(&text, *rec, e); err != nil {
				return err
			}
			return page.Add(g, "", text.String())
		}
		plain, _ := pgn.AppendReadable(nil, rec.Game, e)
		return page.Add(g, string(pgn.AppendPlainGame(nil, rec.Game, e)), string(plain))
	})
	if err != nil {
		return tooLarge(err)
	}
	if n == 0 {
		if err := t.env.checkMatches(); err != nil {
			return err
		}
		return nothingRead(c.Out)
	}
	data, err := page.Page()
	if err != nil {
		return tooLarge(err)
	}
	err = t.env.writeOutput(c.Out, t.flags.writeFlags, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
	if err != nil {
		return err
	}
	t.env.made(madeTarget{Path: c.Out, Format: "html", Records: &n, Files: 1, Bytes: int64(len(data))})
	t.summary(c.Out, plural(n, "record"))
	return nil
}

// drawDiagrams makes a folder of the diagrams that games ask for, which appears when
// it is complete.
func (c *exportCmd) drawDiagrams(t *transfer, src *input) error {
	out := filepath.Clean(c.Out)
	if _, err := os.Lstat(out); err == nil {
		return thereError{fmt.Errorf("%s: exists already; choose another name for the folder", out)}
	}
	around, err := os.MkdirTemp(filepath.Dir(out), ".cbkit-diagrams-") // open to no other user
	if err != nil {
		return err
	}
	defer os.RemoveAll(around) // after the folder has its name it is empty
	dir := filepath.Join(around, filepath.Base(out))
	if err := os.Mkdir(dir, 0o777); err != nil {
		return err
	}
	n, size := 0, int64(0)
	err = c.each(t, src, func(rec *model.Record, e *model.Entities) error {
		if rec.Game == nil {
			return nil
		}
		for i, node := range viewer.NewGame(rec, e, src.page).Nodes {
			if !node.Diagram {
				continue
			}
			after, err := board.After(rec.Game.Start, &rec.Game.Moves, i)
			if err != nil {
				return err
			}
			p := after.Model()
			data := picture.SVG(&p, drawing(rec.Game, e, i, false))
			n, size = n+1, size+int64(len(data))
			if err := writeSynced(filepath.Join(dir, fmt.Sprintf("%d-%d.svg", rec.ID, i+1)), data); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil {
		err = fsys.OS{}.SyncDir(dir)
	}
	if err == nil {
		err = os.Rename(dir, out)
	}
	if err == nil {
		err = fsys.OS{}.SyncDir(filepath.Dir(out))
	}
	if err != nil {
		return err
	}
	t.env.made(madeTarget{Path: out, Format: "svg", Files: n, Bytes: size})
	t.summary(out, plural(n, "diagram"))
	return nil
}

// writeSynced writes a new file that is on the disk when it returns.
func writeSynced(name string, data []byte) error {
	f, err := fsys.CreateNew(fsys.OS{}, name, 0o666)
	if err != nil {
		return err
	}
	_, err = f.WriteAt(data, 0)
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

// drawing says how the position behind a node is drawn: with the marks that stand there.
func drawing(g *model.Game, e *model.Entities, node int, flip bool) picture.Options {
	players := fmt.Sprintf("%v – %v", e.Players.Value(g.White), e.Players.Value(g.Black))
	opt := picture.Options{Flip: flip, Title: players + optional(", ", moveAt(g, node))}
	for _, a := range g.AnnotationsAt(node) {
		switch v := a.Value.(type) {
		case model.Squares:
			opt.Squares = v
		case model.Arrows:
			opt.Arrows = v
		}
	}
	return opt
}
