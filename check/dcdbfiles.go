package check

import (
	"errors"

	"cbkit/internal/dbfile"
	"cbkit/internal/dcdb"
	"cbkit/read"
)

// simpleFiles reads the index and the games of a Simple Chess Database as they
// are stored.
type simpleFiles struct {
	index, games     *dbfile.File
	entries, records *dbfile.Window
	layout           dcdb.Layout
	header           []byte
	count            int64
	sound            bool // all games lay inside their file so far
	stored           dcdb.Entry
}

func openSimpleFiles(set *read.FileSet) (s *simpleFiles, err error) {
	s = &simpleFiles{sound: true}
	if s.index, err = openFile(set, ".dci"); err != nil {
		return nil, err
	}
	if s.games, err = openFile(set, ".dcg"); err != nil {
		return nil, errors.Join(err, s.index.Close())
	}
	s.entries, s.records = newWindow(s.index), newWindow(s.games)
	if s.header, err = s.index.Start(dcdb.ProbeSize); err == nil {
		s.layout, err = dcdb.Detect(s.header, s.index.Size(), s.games.Size())
	}
	if err != nil {
		return nil, errors.Join(err, s.close())
	}
	s.header = s.header[:s.layout.HeaderSize()]
	s.count = (s.index.Size() - int64(len(s.header))) / int64(s.layout.EntrySize())
	return s, nil
}

func (s *simpleFiles) close() error { return errors.Join(s.index.Close(), s.games.Close()) }

// entry returns the bytes of an entry, counting from 0, and decodes them.
func (s *simpleFiles) entry(n int64) ([]byte, error) {
	b, err := s.entries.At(s.entryPlace(n), int64(s.layout.EntrySize()))
	if err == nil {
		s.stored = s.layout.DecodeEntry(b)
	}
	return b, err
}

func (s *simpleFiles) entryPlace(n int64) int64 {
	return int64(len(s.header)) + n*int64(s.layout.EntrySize())
}

// game returns the bytes of the entry's game without its length, and where
// they are. A game that does not lie inside the file is cut there.
func (s *simpleFiles) game() (body []byte, place, size int64, err error) {
	f := s.games
	if s.stored.Offset >= uint64(f.Size()) {
		s.sound = false
		return nil, int64(min(s.stored.Offset, 1<<62)), 0, nil
	}
	at := int64(s.stored.Offset)
	head, err := s.records.At(at, min(dcdb.MaxLengthSize, f.Size()-at))
	if err != nil {
		return nil, at, 0, err
	}
	n, digits := dcdb.DecodeLength(head)
	place, size = at+int64(digits), int64(n)
	if digits == 0 || size > f.Size()-place {
		s.sound = false
		size = min(size, f.Size()-place)
	}
	body, err = s.records.At(place, size)
	return body, place, size, err
}
