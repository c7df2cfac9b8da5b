package cbhedit

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"cbkit/internal/booster"
	"cbkit/internal/cbhdb"
	"cbkit/internal/dbfile"
	"cbkit/internal/journal"
)

// seal is what a transaction knows of the seal of the boosters.
type seal struct {
	known bool // the rest is known
	// fits says that all files that boosters follow from are as they were sealed.
	fits bool
	// states are those of the seal; of boosters that do not fit it says nothing.
	states booster.SealStates
}

// sealed reports whether some boosters are what they were when they were sealed,
// and so is what they follow from.
func (d *DB) sealed(endings ...string) (bool, error) {
	if err := d.readSeal(); err != nil {
		return false, err
	}
	return d.seal.fits && !slices.ContainsFunc(endings, func(ext string) bool { return d.seal.states.Of(ext).Size < 0 }), nil
}

// readSeal compares the seal with the files as they were before the transaction.
// Where sizes agree and change times do not, as after a copy of the files, the
// sums decide; that is done once, since the seal gets the new times then.
func (d *DB) readSeal() error {
	if d.seal.known {
		return nil
	}
	d.seal = seal{known: true}
	states, err := booster.ReadSealStates(oldFiles{files{d}})
	if err == nil {
		err = d.fitSeal(&states, booster.Bases())
	}
	if errors.Is(err, booster.ErrNoSeal) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, ext := range booster.SealedFiles[len(booster.Bases()):] {
		switch err := d.fitSeal(&states, []string{ext}); {
		case errors.Is(err, booster.ErrNoSeal):
			*states.Of(ext) = booster.NoState
		case err != nil:
			return err
		}
	}
	d.seal.fits, d.seal.states = true, states
	return nil
}

// fitSeal returns nil if some files are what they were when they were sealed, and
// notes their change times, also those that a file system has cut: after the
// transaction some have new ones, and all are compared alike.
func (d *DB) fitSeal(states *booster.SealStates, endings []string) error {
	files := oldFiles{files{d}}
	_, err := states.Check(files, endings, booster.ErrNoSeal)
	summed := errors.Is(err, booster.ErrNoSeal)
	if summed {
		var whole booster.Seal
		if whole, err = booster.ReadSeal(files); err == nil {
			err = whole.CheckSums(files, endings)
		}
	}
	if err != nil {
		return err
	}
	now, err := booster.StatesOf(files, endings)
	if err != nil {
		return err
	}
	for _, ext := range endings {
		*states.Of(ext) = *now.Of(ext)
		if summed && now.Of(ext).Size > 0 {
			d.noteOnce("%s has another change time than when its search boosters were made: its bytes were compared, and are the same", d.Name(ext))
		}
	}
	return nil
}

// followSeals makes the seal and the index of positions fit what the files will be, with a
// change time that is later than that of the main file. It comes last.
func (d *DB) followSeals() error {
	if changed, err := d.set.IsChanged(); !changed || err != nil {
		return err
	}
	now := time.Now
	if d.Changed != nil {
		now = d.Changed
	}
	at := now().Truncate(time.Microsecond)
	if f, err := d.file(".cbh"); err == nil && !at.After(f.Changed()) {
		at = f.Changed().Add(time.Millisecond)
	}
	if err := d.followSeal(at); err != nil {
		return err
	}
	return d.putIndex(at)
}

// followSeal makes the seal fit.
func (d *DB) followSeal(at time.Time) error {
	if err := d.readSeal(); err != nil || !d.seal.fits {
		return err
	}
	seal, err := d.file(booster.SealExt)
	if err != nil {
		return err
	}
	states := d.seal.states
	for _, ext := range booster.SealedFiles {
		f, err := d.file(ext)
		if err != nil {
			return err
		}
		state := states.Of(ext)
		if !f.Exists() || state.Size < 0 && !slices.Contains(booster.Bases(), ext) {
			*state = booster.NoState
			continue
		}
		changed, err := f.IsChanged()
		if err == nil && changed {
			if err = booster.Follow(seal, ext, *state, f); err != nil {
				err = fmt.Errorf("%s: %w", f.Name(), err)
			}
		}
		if err == nil {
			err = d.date(ext, state, at)
		}
		if err != nil {
			return err
		}
	}
	if !slices.ContainsFunc(states[len(booster.Bases()):], func(s booster.State) bool { return s.Size >= 0 }) {
		return d.drop(booster.SealExt)
	}
	_, err = seal.WriteAt(states.Append(nil), 0)
	return err
}

// date gives a file that changes its change time, which the main file gets with every
// commit, and its state.
func (d *DB) date(ext string, state *booster.State, at time.Time) error {
	f, err := d.file(ext)
	if err != nil {
		return err
	}
	changed, err := f.IsChanged()
	if changed || ext == ".cbh" {
		f.SetChanged(at)
		*state = booster.NewState(f.Size(), at)
	}
	return err
}

// drop takes boosters away.
func (d *DB) drop(endings ...string) error {
	for _, ext := range endings {
		if !d.has(ext) {
			continue
		}
		f, err := d.file(ext)
		if err == nil {
			err = f.Drop()
		}
		if err != nil {
			return err
		}
		d.did.Dropped = append(d.did.Dropped, f.Name())
	}
	return nil
}

// oldFiles are the files as they were before the transaction, for package cbhdb.
type oldFiles struct{ files }

// Has implements cbhdb.Files.
func (s oldFiles) Has(ext string) bool {
	f, err := s.d.file(ext)
	return err != nil || !f.Changed().IsZero() // opening it returns the error
}

// Open implements cbhdb.Files.
func (s oldFiles) Open(ext string) (*dbfile.File, error) {
	f, err := s.d.file(ext)
	if err != nil {
		return nil, err
	}
	return dbfile.New(oldFile{f}, s.Name(ext)), nil
}

// oldFile is a file as it was before the transaction.
type oldFile struct{ f *journal.File }

// Size implements fsys.ReadFile.
func (o oldFile) Size() int64 { return o.f.OldSize() }

// Close implements io.Closer.
func (o oldFile) Close() error { return nil }

// ReadAt implements io.ReaderAt.
func (o oldFile) ReadAt(b []byte, at int64) (int, error) {
	n := int(min(int64(len(b)), max(o.Size()-at, 0)))
	if err := o.f.ReadOld(b[:n], at); err != nil {
		return 0, err
	}
	if n < len(b) {
		return n, io.EOF
	}
	return n, nil
}

var _ cbhdb.Files = oldFiles{}
