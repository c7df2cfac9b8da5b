package cbhedit

import (
	"errors"

	"cbkit/internal/cbhdb"
)

// Finish makes all files agree with what was changed, so that the transaction can
// be committed, and tells what that takes. With dry it only tells; then the
// transaction can only be rolled back.
func (d *DB) Finish(dry bool) (Work, error) {
	if err := d.check(); err != nil {
		return Work{}, err
	}
	err := d.finish(dry)
	return d.did, d.fail(err)
}

func (d *DB) finish(dry bool) (err error) {
	for _, e := range d.entities {
		if err := e.spill(); err != nil {
			return err
		}
	}
	if err := d.finishUses(); err != nil {
		return err
	}
	moves, err := d.plan(d.moves, (*cbhdb.Header).MovesAt)
	if err != nil {
		return err
	}
	notes, err := d.plan(d.notes, (*cbhdb.Header).NotesAt)
	if err != nil {
		return err
	}
	if d.grown {
		// Records behind the last one that was needed would be missing still.
		if err := d.padExts(d.heads.Count + 1); err != nil {
			return err
		}
	}
	p := &places{d: d, moves: moves, notes: notes}
	d.foretell(p)
	if err := d.followBoosters(moves.moved() > 0); err != nil {
		return err
	}
	if err := d.followIndex(dry); err != nil || dry {
		return err
	}
	defer func() { err = errors.Join(err, d.index.close()) }()
	for _, do := range []func() error{
		d.growMarks, d.putExtras, d.growOffsets, p.apply,
		func() error { return d.apply(d.moves, moves) }, func() error { return d.apply(d.notes, notes) },
		d.moves.putHead, d.notes.putHead, d.putHeads, d.followSeals,
	} {
		if err := do(); err != nil {
			return err
		}
	}
	return nil
}

// foretell notes what is going to move.
func (d *DB) foretell(p *places) {
	for _, f := range []struct {
		b *blocks
		l *layout
	}{{d.moves, p.moves}, {d.notes, p.notes}} {
		moved := f.l.moved()
		d.did.Moved += moved
		if d.isMost(moved, f.b.Size()) {
			d.did.Rewritten = append(d.did.Rewritten, f.b.Name())
		}
	}
	if p.isMost(p.shifted()) {
		d.did.Rewritten = append(d.did.Rewritten, d.heads.Name())
		if d.exts != nil {
			d.did.Rewritten = append(d.did.Rewritten, d.exts.Name())
		}
	}
}

// putHeads writes the headers that count records.
func (d *DB) putHeads() error {
	for _, e := range d.entities {
		if err := e.putHead(); err != nil {
			return err
		}
	}
	if err := d.putExtHead(); err != nil {
		return err
	}
	if d.heads.Count == d.before {
		return nil
	}
	d.heads.Head.SetRecords(uint32(d.heads.Count))
	return d.heads.PutHead()
}

// putExtHead makes the header of the .cbj file count its records, if there are
// more of them now. What lies behind the record of the last game is none.
func (d *DB) putExtHead() error {
	if d.exts == nil || !d.grown && d.heads.Count == d.before {
		return nil
	}
	records := int32(min(d.exts.Stored, int64(d.heads.Count)))
	if d.exts.Head.Records == records {
		return nil
	}
	d.exts.Head.Records = records
	return d.exts.PutHead()
}
