package cbhedit

import (
	"errors"

	"cbkit/internal/jobs"
)

// Finish makes all files agree with what was changed, so that the transaction can
// be committed, and tells what that takes. With dry it only tells; then the
// transaction can only be rolled back.
func (d *DB) Finish(dry bool) (did Work, err error) {
	if err := d.check(); err != nil {
		return Work{}, err
	}
	defer func() { did, err = d.did, d.fail(err) }()
	for _, e := range d.entities {
		if err := e.spill(); err != nil {
			return did, err
		}
	}
	if err := d.finishUses(); err != nil {
		return did, err
	}
	moves, err := d.plan(d.moves)
	if err != nil {
		return did, err
	}
	annotations, err := d.plan(d.annotations)
	if err != nil {
		return did, err
	}
	if d.extsGrown {
		// Records behind the last one that was needed would be missing still.
		if err := d.padExtensions(d.headers.Count + 1); err != nil {
			return did, err
		}
	}
	p := &headerUpdate{d: d, moves: moves, annotations: annotations}
	for _, f := range []struct {
		b *blocks
		l *layout
	}{{d.moves, moves}, {d.annotations, annotations}} {
		moved := f.l.moved()
		d.did.Moved += moved
		if d.isMost(moved, f.b.Size()) {
			d.did.Rewritten = append(d.did.Rewritten, f.b.Name())
		}
	}
	if p.isMost(p.firstMoved()) {
		d.did.Rewritten = append(d.did.Rewritten, d.headers.Name())
		if d.extensions != nil {
			d.did.Rewritten = append(d.did.Rewritten, d.extensions.Name())
		}
	}
	if err := d.followBoosters(moves.moved() > 0); err != nil {
		return did, err
	}
	if err := d.followIndex(dry); err != nil || dry {
		return did, err
	}
	defer func() { err = errors.Join(err, d.index.Close()) }()
	return did, jobs.InTurn(d.growMarks, d.putExtras, d.growOffsets, p.apply,
		func() error { return d.apply(d.moves, moves) }, func() error { return d.apply(d.annotations, annotations) },
		d.moves.putHead, d.annotations.putHead, d.putHeaders, d.followSeals)
}

// putHeaders writes the headers that count records.
func (d *DB) putHeaders() error {
	for _, e := range d.entities {
		if e.changed {
			if err := e.f.PutHead(); err != nil {
				return err
			}
		}
	}
	// What lies behind the record of the last game in the .cbj file is none.
	if x := d.extensions; x != nil && (d.extsGrown || d.headers.Count > d.before) {
		if records := int32(min(x.Stored, int64(d.headers.Count))); x.Head.Records != records {
			x.Head.Records = records
			if err := x.PutHead(); err != nil {
				return err
			}
		}
	}
	if d.headers.Count == d.before {
		return nil
	}
	d.headers.Head.SetRecords(uint32(d.headers.Count))
	return d.headers.PutHead()
}
