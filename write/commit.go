package write

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"cbkit/internal/cbh"
	"cbkit/model"
	"cbkit/read"
)

// Commit implements [model.Sink].
func (c *Creator) Commit() error {
	if c.src == nil {
		return errors.New("write: Commit without Begin")
	}
	if c.copy != nil && c.number() != int(c.copy.Games.Next)-1 {
		c.copy.changed()
	}
	for _, finish := range []func() error{c.finishEntities, c.finishSmallFiles, c.copyOthers, c.finishBlocks} {
		if err := finish(); err != nil {
			return err
		}
	}
	if err := c.set.Commit(); err != nil {
		return err
	}
	switch {
	case c.opt.Boosters:
		return c.writeBoosters()
	case c.copy.isPure() && slices.Contains(c.copy.Others, offsetsBooster):
		return c.writeBoosters(offsetsBooster)
	}
	return nil
}

// offsetsBooster holds the places of all records. A copy has its own, since
// leaving out holes moves them.
const offsetsBooster = ".cbgi"

// finishEntities writes the entity files.
func (c *Creator) finishEntities() error {
	for _, table := range c.entities.all() {
		if err := table.finish(); err != nil {
			return err
		}
	}
	return nil
}

// finishSmallFiles writes the files that are kept in memory.
func (c *Creator) finishSmallFiles() error {
	extras, err := c.tournamentExtras()
	if err != nil {
		return err
	}
	media := c.media.Append(nil)
	var examined, settings []byte
	if c.copy != nil {
		examined, settings = c.copy.Examined, c.copy.Settings
		if c.copy.Media == nil && c.media.Header.Records == 0 {
			media = nil // the original has no such file
		}
	}
	for _, f := range []struct {
		ext     string
		content []byte
	}{{".cbtt", extras}, {".cbm", media}, {".flags", examined}, {".ini", settings}} {
		if f.content == nil {
			continue
		}
		if err := c.writeFile(f.ext, f.content); err != nil {
			return err
		}
	}
	return nil
}

// writeFile writes a whole file of the set.
func (c *Creator) writeFile(ext string, content []byte) error {
	file, err := c.create(ext)
	if err != nil {
		return err
	}
	if _, err := file.Write(content); err != nil {
		return fmt.Errorf("%s%s: %w", c.base, ext, err)
	}
	return file.Close()
}

// finishBlocks writes the headers of the files that grew with the records.
func (c *Creator) finishBlocks() error {
	moves, annotations := cbh.NewBlockHeader(0, 0), cbh.NewBlockHeader(0, 0)
	head, ext := cbh.NewFileHeader(0), cbh.NewExtHeader()
	if c.copy != nil {
		moves, annotations, head = *c.copy.Moves, *c.copy.Annotations, *c.copy.Games
		if c.copy.Ext != nil {
			ext = *c.copy.Ext
		}
	}
	// What was a hole in the original is gone.
	moves.SetSizes(uint64(c.moves.size), 0)
	annotations.SetSizes(uint64(c.annotations.size), 0)
	head.SetRecords(uint32(c.number()))
	ext.Records = int32(c.extras)
	err := errors.Join(c.moves.finish(moves.Append(nil)), c.annotations.finish(annotations.Append(nil)))
	if err == nil && c.exts != nil {
		err = c.exts.finish(ext.Append(nil))
	}
	if err == nil {
		err = c.heads.finish(head.Append(nil))
	}
	return err
}

// copyOthers copies the files that belong to the original although nothing is
// known of their content, and its folders of media. A copy with changes goes
// without boosters and opening keys: they would be stale.
func (c *Creator) copyOthers() error {
	db, ok := c.src.(*read.ChessBase)
	if !ok || c.copy == nil {
		return nil
	}
	set := db.Files()
	if c.copy.isPure() {
		for _, ext := range c.copy.Others {
			if ext == offsetsBooster {
				continue
			}
			if err := c.copyFile(set.Path(ext), c.base+ext); err != nil {
				return err
			}
		}
	}
	for _, folder := range set.Folders() {
		if err := c.copyFolder(filepath.Join(set.Dir, folder), c.base+filepath.Ext(folder)); err != nil {
			return err
		}
	}
	return nil
}

// copyFolder copies a folder with all that is in it.
func (c *Creator) copyFolder(from, to string) error {
	return fs.WalkDir(os.DirFS(from), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		target := to
		if name != "." {
			target += "/" + name
		}
		switch {
		case d.IsDir():
			return c.set.MkdirAll(target)
		case d.Type().IsRegular():
			return c.copyFile(filepath.Join(from, filepath.FromSlash(name)), target)
		}
		model.Report(c.opt.Report).Add(model.LostField, 0, "media", "%s: not a regular file", name)
		return nil
	})
}

// copyFile copies one file into the set.
func (c *Creator) copyFile(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := c.set.Create(to)
	if err != nil {
		return err
	}
	if _, err := io.Copy(out, in); err != nil {
		return fmt.Errorf("%s: %w", to, err)
	}
	return out.Close()
}
