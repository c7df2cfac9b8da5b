package write

import (
	"errors"
	"fmt"
	"slices"

	"cbkit/internal/cbh"
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
	if c.copy != nil && c.copy.Media == nil && c.media.Header.Records == 0 {
		media = nil // the original has no such file
	}
	examined, ok := c.companions.examined.file(c.number())
	if !ok {
		c.leftBehind(".flags", "cannot be read, and records have other numbers now")
	}
	for _, f := range []struct {
		ext     string
		content []byte
	}{{".cbtt", extras}, {".cbm", media}, {".flags", examined}, {".ini", c.companions.settings()}} {
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
	head, ext := c.companions.newFileHeader(), cbh.NewExtHeader()
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
