package write

import (
	"fmt"

	"cbkit/internal/cbh"
)

// Commit implements [model.Sink].
func (c *Creator) Commit() error {
	if err := c.life.Commit(); err != nil {
		return err
	}
	return c.commit(c.finishEntities, c.finishSmallFiles, c.copyOthers, c.finishRecords)
}

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
	examined, ok := c.companions.examined.file(c.number())
	if !ok {
		c.leftBehind(".flags", "cannot be read, and records have other numbers now")
	}
	for _, f := range []struct {
		ext     string
		content []byte
	}{{".cbtt", extras}, {".flags", examined}} {
		if f.content == nil {
			continue
		}
		if err := c.writeFile(f.ext, f.content); err != nil {
			return err
		}
	}
	if err := c.writeMedia(); err != nil {
		return err
	}
	return c.writeSettings(c.companions.settings())
}

// writeMedia writes the lists of media files.
func (c *Creator) writeMedia() error {
	const ext = ".cbm"
	file, err := c.create(ext)
	if err != nil {
		return err
	}
	if _, err := c.media.WriteTo(file); err != nil {
		return fmt.Errorf("%s%s: %w", c.base, ext, err)
	}
	return file.Close()
}

// finishRecords completes the files that grew with the records.
func (c *Creator) finishRecords() error {
	moves, notes := cbh.NewBlockHeader(uint64(c.moves.size), 0), cbh.NewBlockHeader(uint64(c.annotations.size), 0)
	heads, exts := c.companions.newFileHeader(), cbh.NewExtHeader()
	heads.SetRecords(uint32(c.number()))
	exts.Records = int32(c.number())
	for _, f := range []struct {
		file   *blockFile
		header []byte
	}{
		{c.moves, moves.Append(nil)}, {c.annotations, notes.Append(nil)}, {c.exts, exts.Append(nil)}, {c.heads, heads.Append(nil)},
	} {
		if err := f.file.finish(f.header); err != nil {
			return err
		}
	}
	return nil
}
