package write

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// Commit implements [model.Sink].
func (c *Creator) Commit() error {
	if err := c.life.Commit(); err != nil {
		return err
	}
	if c.copy != nil && c.number() != int(c.copy.Records) {
		c.copy.changed()
	}
	for _, finish := range []func() error{c.finishEntities, c.finishSmallFiles, c.copyOthers, c.finishRecords, c.life.Lost} {
		if err := c.opt.Context.Err(); err != nil {
			return err
		}
		if err := finish(); err != nil {
			return err
		}
	}
	err := c.commitSet()
	c.tellReplaced()
	return cmp.Or(err, c.claim.Release())
}

// tellReplaced tells what became of the files of an old database, when the search
// boosters are there too.
func (c *Creator) tellReplaced() {
	r := c.replaced
	r.Removed = slices.DeleteFunc(r.Removed, func(name string) bool {
		_, err := c.opt.files.Lstat(filepath.Join(filepath.Dir(c.path), c.base+strings.ToLower(filepath.Ext(name))))
		return err == nil
	})
	if c.opt.OnReplace != nil && len(r.Removed)+len(r.Kept) > 0 {
		c.opt.OnReplace(r)
	}
}

// commitSet puts the database in place, and its boosters beside it.
func (c *Creator) commitSet() error {
	if err := c.set.Commit(); err != nil {
		return err
	}
	c.carried.tell()
	switch {
	case c.opt.Boosters:
		return c.writeBoosters()
	case c.copy.isPure() && c.companions.files != nil && c.companions.files.Has(offsetsBooster):
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
		table.carried()
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
	}{{".cbtt", extras}, {".flags", examined}, {".ini", c.settings()}} {
		if f.content == nil {
			continue
		}
		if err := c.writeFile(f.ext, f.content); err != nil {
			return err
		}
	}
	return c.writeMedia()
}

// writeMedia writes the lists of media files, unless the original has no such
// file.
func (c *Creator) writeMedia() error {
	const ext = ".cbm"
	if c.copy != nil && c.copy.Media == nil && c.media.Header.Records == 0 {
		return nil
	}
	file, err := c.create(ext)
	if err != nil {
		return err
	}
	if _, err := c.media.WriteTo(file); err != nil {
		return fmt.Errorf("%s%s: %w", c.base, ext, err)
	}
	return file.Close()
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
