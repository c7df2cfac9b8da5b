package cbhsalvage

import (
	"errors"
	"fmt"

	"cbkit/internal/cbh"
	"cbkit/internal/cbhdb"
	"cbkit/internal/dbfile"
	"cbkit/model"
)

// readEntities reads the entity files, with what the .cbtt file adds to
// tournaments.
func (s *Source) readEntities() error {
	extras, size, err := s.readExtras()
	if err != nil {
		return err
	}
	t := &s.tables
	for _, read := range []func() error{
		func() error { return readTable(s, &cbh.Players, &t.Players, nil) },
		func() error {
			return readTable(s, &cbh.Tournaments, &t.Tournaments, func(id int, v *model.Tournament) {
				if size > 0 && (id+1)*size <= len(extras) {
					cbh.DecodeTournamentExtra(v, extras[id*size:(id+1)*size])
				}
			})
		},
		func() error { return readTable(s, &cbh.Annotators, &t.Annotators, nil) },
		func() error { return readTable(s, &cbh.Sources, &t.Sources, nil) },
		func() error { return readTable(s, &cbh.Teams, &t.Teams, nil) },
		func() error { return readTable(s, &cbh.GameTitles, &t.GameTitles, nil) },
	} {
		if err := read(); err != nil {
			return err
		}
	}
	return nil
}

// readTable reads an entity file: whole records of one size behind the header,
// whatever that says. No tree is needed.
func readTable[T comparable](s *Source, codec *cbh.EntityCodec[T], table *model.Table[T], complete func(int, *T)) error {
	f, err := s.open(codec.Ext)
	if f == nil || err != nil {
		return err
	}
	defer f.Close() // it was only read
	size := int64(codec.RecordSize())
	at, err := s.firstEntity(f, &codec.EntityFile)
	if err != nil {
		return err
	}
	count := int(min((f.Size()-at)/size, cbh.MaxRecords))
	if err := s.findDoubtful(&codec.EntityFile, count); err != nil {
		return err
	}
	for id := range count {
		record, err := f.window.At(at+int64(id)*size, size)
		if err != nil {
			return err
		}
		links, err := cbh.DecodeEntityLinks(record)
		if err != nil {
			return err
		}
		v := model.Slot[T]{Value: codec.Decode(record[cbh.EntityLinksSize:], s.page), Deleted: links.IsDeleted()}
		if complete != nil {
			complete(id, &v.Value)
		}
		table.Append(v)
	}
	return nil
}

// entity is one of any kind.
type entity struct {
	kind string
	id   int32
}

// findDoubtful finds out of which of so many records of an entity file it is not certain
// that they stand at their ids; of a file whose header cannot be read they do.
func (s *Source) findDoubtful(kind *cbh.EntityFile, count int) error {
	db := cbhdb.New(s.files)
	defer db.Close() // it was only read
	e, err := db.Entities(kind)
	if err != nil || e == nil || int(e.Count) != count {
		if dbfile.IsDamage(err) || errors.Is(err, model.ErrNotDatabase) {
			err = nil
		}
		return err
	}
	t, err := e.Load()
	if err != nil {
		return err
	}
	ids, err := t.Doubtful(func() (cbhdb.Uses, error) {
		var all cbhdb.References
		all.Begin(kind, e.IDs())
		for id := model.RecordID(1); id <= s.count; id++ {
			h, err := s.header(id)
			if err != nil {
				return cbhdb.Uses{}, err
			}
			all.Add(&h, int(id))
		}
		return all[cbhdb.KindOf(kind)], nil
	})
	for _, id := range ids {
		s.doubtful[entity{kind.Name, id}] = true
	}
	if len(ids) > 0 {
		s.outOfStep = append(s.outOfStep, fmt.Sprintf("nothing proves whose records stand at %d ids of the %s file, from %d on", len(ids), kind.Ext, ids[0]))
	}
	return err
}

// firstEntity is where the records of an entity file begin: where the header says,
// if it is sound; else where whole records lead to the end of the file, behind one
// of the two headers that are usual.
func (s *Source) firstEntity(f *stream, kind *cbh.EntityFile) (int64, error) {
	const usual = 128 // more than any header that was seen
	b, err := f.Start(usual)
	if err != nil {
		return 0, err
	}
	mended, _ := kind.MendHeader(b, f.Size())
	if h, err := cbh.DecodeEntityHeader(mended); err == nil && kind.Check(&h) == nil && len(h.Extension) <= usual {
		return int64(h.Size()), nil
	}
	blank := cbh.NewEntityHeader(kind)
	if at := int64(cbh.EntityHeaderSize); (f.Size()-at)%int64(kind.RecordSize()) == 0 && f.Size() > at {
		return at, nil
	}
	return int64(blank.Size()), nil
}

// readExtras reads the records of the .cbtt file, if they are of a known size.
func (s *Source) readExtras() (records []byte, size int, err error) {
	b, err := s.content(".cbtt")
	if err != nil || len(b) == 0 {
		return nil, 0, err
	}
	if len(b) < cbh.TournamentExtraHeaderSize {
		s.unread = append(s.unread, ".cbtt")
		return nil, 0, nil
	}
	h, err := cbh.DecodeTournamentExtraHeader(b)
	if err != nil || !h.IsKnown() {
		h = cbh.NewTournamentExtraHeader()
		if (len(b)-cbh.TournamentExtraHeaderSize)%int(h.RecordSize) != 0 {
			s.unread = append(s.unread, ".cbtt")
			return nil, 0, nil
		}
	}
	return b[cbh.TournamentExtraHeaderSize:], int(h.RecordSize), nil
}

// readMedia reads the lists of media files.
func (s *Source) readMedia() error {
	s.media = cbh.NewMediaFile()
	b, err := s.content(".cbm")
	if err != nil || len(b) == 0 {
		return err
	}
	if len(b) < cbh.MediaHeaderSize {
		s.unread = append(s.unread, ".cbm")
		return nil
	}
	media, err := cbh.DecodeMediaFile(b)
	if err != nil {
		h := cbh.NewMediaHeader()
		media, err = cbh.DecodeMediaFile(append(h.Append(nil), b[cbh.MediaHeaderSize:]...))
	}
	s.media = media
	return err
}
