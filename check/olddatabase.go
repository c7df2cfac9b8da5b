package check

import "cbkit/internal/cbh"

// findAge finds out whether old programs have written the database, which
// counted and balanced carelessly: there is no .cbj file, or it has no records,
// or none for the games before the newest ones. A newer program that adds a
// game to an old database fills the file up with records of default values.
// (docs/formats/check.md, "Old databases")
func (d *database) findAge() (err error) {
	switch {
	case d.files[".cbj"] == nil:
		d.old = true
	case d.exts != nil:
		d.old, err = d.beginsWithDefaults()
	}
	return err
}

// beginsWithDefaults reports whether the .cbj file has nothing but default
// records up to those of the newest games, or no records at all.
func (d *database) beginsWithDefaults() (bool, error) {
	size := int64(d.exts.Head.RecordSize)
	window := newWindow(d.exts.File)
	for i, newest := int64(0), false; i < d.exts.Stored; i++ {
		b, err := window.At(cbh.ExtHeaderSize+i*size, size)
		if err != nil {
			return false, err
		}
		x := cbh.DecodeExtRecord(b)
		isDefault := x.IsDefault()
		if i == 0 && !isDefault || newest && isDefault {
			return false, nil
		}
		newest = !isDefault
	}
	return true, nil
}
