package booster

import (
	"cmp"
	"fmt"
	"slices"

	"cbkit/internal/cbhdb"
	"cbkit/internal/dbfile"
	"cbkit/internal/fsys"
)

// CheckSeal returns nil if there is a seal that fits a booster, and all files
// that boosters follow from, by sizes and change times. Errors wrap ErrNoSeal
// and say why, unless a file cannot be read. No file is read but the seal.
func CheckSeal(files cbhdb.Files, ext string) error {
	states, err := ReadSealStates(files)
	if err != nil {
		return err
	}
	return states.Check(files, append(Bases(), ext))
}

// CheckSums is CheckSeal with the sums in the place of the change times: it reads
// the files to their ends.
func CheckSums(files cbhdb.Files, ext string) error {
	seal, err := ReadSeal(files)
	if err != nil {
		return err
	}
	return seal.CheckSums(files, append(Bases(), ext))
}

// ReadSeal reads the seal. Errors wrap ErrNoSeal, unless it cannot be read.
func ReadSeal(files cbhdb.Files) (Seal, error) {
	f, err := openSeal(files)
	if err != nil {
		return Seal{}, err
	}
	defer f.Close() // it was only read
	b, err := f.All()
	if err != nil {
		return Seal{}, err
	}
	seal, err := ParseSeal(b)
	if err != nil {
		err = fmt.Errorf("%s: %w", f.Name(), err)
	}
	return seal, err
}

func openSeal(files cbhdb.Files) (*dbfile.File, error) {
	if !files.Has(SealExt) {
		return nil, fmt.Errorf("%w: there is no %s", ErrNoSeal, files.Name(SealExt))
	}
	return files.Open(SealExt)
}

// ReadSealStates reads the states of a seal. Errors wrap ErrNoSeal, unless it cannot
// be read.
func ReadSealStates(files cbhdb.Files) (SealStates, error) {
	f, err := openSeal(files)
	if err != nil {
		return SealStates{}, err
	}
	defer f.Close() // it was only read
	b, err := f.Start(int64(SealHeadSize))
	if err != nil {
		return SealStates{}, err
	}
	states, err := ParseSealStates(b)
	if err != nil {
		err = fmt.Errorf("%s: %w", f.Name(), err)
	}
	return states, err
}

// Check compares sizes and change times. Errors wrap ErrNoSeal, unless a file cannot
// be looked at.
func (s *SealStates) Check(files cbhdb.Files, exts []string) error {
	now, err := StatesOf(files, exts)
	if err != nil {
		return err
	}
	for _, ext := range exts {
		if err := s.sameSize(files, ext, now.Of(ext)); err != nil {
			return err
		}
	}
	if ext := s.OtherTime(&now, exts); ext != "" {
		return fmt.Errorf("%w: %s has another time of change", ErrNoSeal, files.Name(ext))
	}
	return nil
}

// sameSize returns an error if a file has come, gone, or another size.
func (s *SealStates) sameSize(files cbhdb.Files, ext string, now *State) error {
	was := s.Of(ext)
	switch {
	case (was.Size < 0) != (now.Size < 0):
		return fmt.Errorf("%w: %s has come or gone since", ErrNoSeal, files.Name(ext))
	case was.Size != now.Size:
		return fmt.Errorf("%w: %s has changed since", ErrNoSeal, files.Name(ext))
	}
	return nil
}

// OtherTime returns which of some files was changed since, by its time, "" if none was:
// all have the times of then, or what a file system with a coarser clock keeps of them.
// A single one that is cut was changed, and its time put back.
func (s *SealStates) OtherTime(now *SealStates, exts []string) (first string) {
	for _, clock := range fsys.Clocks {
		i := slices.IndexFunc(exts, func(ext string) bool {
			was := s.Of(ext)
			return was.Size >= 0 && now.Of(ext).Changed != was.Changed-was.Changed%int64(clock)
		})
		if i < 0 {
			return ""
		}
		first = cmp.Or(first, exts[i])
	}
	return first
}

// CheckSums compares sizes, and the sums of all parts.
func (s *Seal) CheckSums(files cbhdb.Files, exts []string) error {
	now, err := StatesOf(files, exts)
	if err != nil {
		return err
	}
	for _, ext := range exts {
		if err := s.States.sameSize(files, ext, now.Of(ext)); err != nil {
			return err
		}
	}
	for _, ext := range exts {
		if now.Of(ext).Size < 0 {
			continue
		}
		is, i := new(Seal), column(ext)
		if err := is.setFrom(files, ext, *now.Of(ext)); err != nil {
			return err
		}
		for n, sum := range is.Sums[i] {
			if sum != s.Sums[i][n] {
				return fmt.Errorf("%w: %s has changed since, at %#x or up to %d bytes behind", ErrNoSeal, files.Name(ext), n*SealChunk, SealChunk-1)
			}
		}
	}
	return nil
}
