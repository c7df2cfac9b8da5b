package journal

import "cbkit/internal/fsys"

// Stage returns a set of new files in the making: create makes one of a name beside the
// main file, and the one that asks for the set puts them in place when [Set.Complete] has
// closed them. Nothing is there to be locked or taken back, and there is no commit.
func Stage(files fsys.FS, main string, create func(name string) (fsys.File, error)) (*Set, error) {
	p, err := findPlace(files, main)
	if err != nil {
		return nil, err
	}
	s := &Set{place: p, stage: create}
	s.pool = pool{set: s, limit: defaultMemory / pageSize}
	return s, nil
}

// Complete writes what was collected of new files and closes them.
func (s *Set) Complete() error {
	for _, f := range s.files {
		if err := f.flush(); err != nil {
			return err
		}
		if err := f.close(); err != nil {
			return err
		}
	}
	return nil
}
