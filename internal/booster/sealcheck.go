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
	_, err = states.Check(files, append(Bases(), ext), ErrNoSeal)
	return err
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
	return readSeal(files, (*dbfile.File).All, ParseSeal)
}

// ReadSealStates reads the states of a seal. Errors wrap ErrNoSeal, unless it cannot
// be read.
func ReadSealStates(files cbhdb.Files) (SealStates, error) {
	head := func(f *dbfile.File) ([]byte, error) { return f.Start(int64(SealHeadSize)) }
	return readSeal(files, head, ParseSealStates)
}

// readSeal reads the seal, or what is wanted of it, and parses that.
func readSeal[T any](files cbhdb.Files, read func(*dbfile.File) ([]byte, error), parse func([]byte) (T, error)) (content T, err error) {
	if !files.Has(SealExt) {
		return content, fmt.Errorf("%w: there is no %s", ErrNoSeal, files.Name(SealExt))
	}
	f, err := files.Open(SealExt)
	if err != nil {
		return content, err
	}
	defer f.Close() // it was only read
	b, err := read(f)
	if err != nil {
		return content, err
	}
	if content, err = parse(b); err != nil {
		err = fmt.Errorf("%s: %w", f.Name(), err)
	}
	return content, err
}

// Check compares sizes and change times, and returns those of now. Errors are of a kind, unless a
// file cannot be looked at.
func (s *SealStates) Check(files cbhdb.Files, exts []string, kind error) (now SealStates, err error) {
	if now, err = s.sameSizes(files, exts, kind); err != nil {
		return now, err
	}
	if ext := s.OtherTime(&now, exts); ext != "" {
		return now, fmt.Errorf("%w: %s has another time of change", kind, files.Name(ext))
	}
	return now, nil
}

// sameSizes returns the states of files, or an error of a kind if one has come, gone, or another
// size.
func (s *SealStates) sameSizes(files cbhdb.Files, exts []string, kind error) (now SealStates, err error) {
	if now, err = StatesOf(files, exts); err != nil {
		return now, err
	}
	for _, ext := range exts {
		switch was, is := s.Of(ext).Size, now.Of(ext).Size; {
		case (was < 0) != (is < 0):
			return now, fmt.Errorf("%w: %s has come or gone since", kind, files.Name(ext))
		case was != is:
			return now, fmt.Errorf("%w: %s has changed since", kind, files.Name(ext))
		}
	}
	return now, nil
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
	now, err := s.States.sameSizes(files, exts, ErrNoSeal)
	if err != nil {
		return err
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
