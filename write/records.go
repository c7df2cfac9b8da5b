package write

import (
	"context"
	"io"
	"math"
	"os"

	"cbkit/internal/cbh"
	"cbkit/read"
)

// finishRecords completes the files that grew with the records. A pure copy
// has the headers of the original, right or wrong, and what lies behind the
// records there.
func (c *Creator) finishRecords() error {
	moves, annotations := cbh.NewBlockHeader(0, 0), cbh.NewBlockHeader(0, 0)
	if c.copy != nil {
		moves, annotations = *c.copy.Moves, *c.copy.Annotations
	}
	for _, f := range []struct {
		file   *blockFile
		ext    string
		header func(end int64) []byte // end is that of the original's records
	}{
		{c.moves, ".cbg", func(end int64) []byte { return c.blockHeader(moves, c.moves, end) }},
		{c.annotations, ".cba", func(end int64) []byte { return c.blockHeader(annotations, c.annotations, end) }},
		{c.exts, ".cbj", c.extHeader},
		{c.heads, ".cbh", c.fileHeader},
	} {
		if f.file == nil {
			continue // the original has no such file
		}
		end, err := c.recordsEnd(f.ext)
		if err != nil {
			return err
		}
		header := f.header(end)
		if err := c.copyTail(f.file, f.ext, end); err != nil {
			return err
		}
		c.carriedHeader(f.ext, header, f.file.size)
		if err := f.file.finish(header); err != nil {
			return err
		}
	}
	return nil
}

// fileHeader returns the header of the .cbh file.
func (c *Creator) fileHeader(int64) []byte {
	h := c.companions.newFileHeader()
	if c.copy != nil {
		h = *c.copy.Games
	}
	if !c.copy.isPure() {
		h.SetRecords(uint32(c.number()))
	}
	return h.Append(nil)
}

// extHeader returns the header of the .cbj file.
func (c *Creator) extHeader(int64) []byte {
	h := cbh.NewExtHeader()
	if c.copy != nil {
		h = *c.copy.Ext
	}
	if !c.copy.isPure() {
		h.Records = int32(c.extras)
	}
	return h.Append(nil)
}

// blockHeader makes the header of the .cbg or .cba file of the original's.
// Where holes were left out its sizes are those of the new file.
func (c *Creator) blockHeader(h cbh.BlockHeader, file *blockFile, end int64) []byte {
	if !c.copy.isPure() || file.size != end {
		h.SetSizes(uint64(file.size), 0)
	}
	return h.Append(nil)
}

// recordsEnd returns where the records of a file of the original end. Of a
// source that is not files only the headers are at hand.
func (c *Creator) recordsEnd(ext string) (int64, error) {
	if db, ok := c.src.(*read.ChessBase); ok && c.copy.isPure() {
		return db.RecordsEnd(context.Background(), ext)
	}
	switch {
	case c.copy != nil && ext == ".cbg":
		return c.copy.Moves.End(math.MaxInt64), nil
	case c.copy != nil && ext == ".cba":
		return c.copy.Annotations.End(math.MaxInt64), nil
	}
	return 0, nil
}

// copyTail appends what lies behind the records of a file of the original.
func (c *Creator) copyTail(to *blockFile, ext string, end int64) error {
	db, ok := c.src.(*read.ChessBase)
	if !ok || !c.copy.isPure() {
		return nil
	}
	from, err := os.Open(db.Files().Path(ext))
	if err != nil {
		return err
	}
	defer from.Close()
	_, err = io.Copy(to, io.NewSectionReader(from, end, math.MaxInt64-end))
	return err
}
