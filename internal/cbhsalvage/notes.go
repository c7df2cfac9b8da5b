package cbhsalvage

import (
	"encoding/binary"

	"cbkit/internal/cbh"
	"cbkit/internal/cbhdb"
	"cbkit/internal/derive"
	"cbkit/internal/wire"
	"cbkit/model"
)

// annotate gives a game its annotations: those at the place that its headers give
// or, where these are gone or wrong, those whose own head names it.
func (s *Source) annotate(g *model.Game, h *cbhdb.Header, c *content) error {
	flags := uint32(0)
	if h.Head != nil && !h.Type().IsText() {
		r, err := cbh.DecodeGameRecord(h.Head)
		if err != nil {
			return err
		}
		flags = r.Flags & cbh.ProvenFlags &^ derive.MoveFlags
	}
	places := placesIn(h, cbh.NotesPlace)
	if h.Head != nil && h.Type().IsText() {
		places = places[1:] // it has other things there
	}
	for _, at := range places {
		done, err := s.annotateFrom(g, h, c, at)
		if done || err != nil {
			return err
		}
	}
	pointed := false
	for _, at := range places {
		pointed = pointed || at != 0
	}
	if flags == 0 && !pointed && h.Head != nil {
		return nil
	}
	if at, err := s.orphan(h.ID); err != nil {
		return err
	} else if at > 0 {
		done, err := s.annotateFrom(g, h, c, at)
		if done || err != nil {
			return err
		}
	}
	if flags != 0 || pointed {
		s.fate.miss("its annotations were not found")
	}
	return nil
}

// annotateFrom gives a game the annotations at a place, if they are its own.
func (s *Source) annotateFrom(g *model.Game, h *cbhdb.Header, c *content, at int64) (done bool, err error) {
	rec, game, err := s.notesAt(at)
	if rec == nil || err != nil || game != 0 && game != h.ID {
		return false, err
	}
	ctx := cbh.AnnotationContext{Game: h.ID, Page: s.page}
	if c != nil && c.broken == nil {
		ctx.Moves = &g.Moves
	}
	notes, err := cbh.DecodeAnnotations(rec, ctx, false)
	if err != nil {
		s.fate.miss("its annotations break off: %v", err)
	}
	for _, a := range notes.List {
		if int(a.Node) < g.Moves.Len() || c != nil && c.raw != nil {
			g.Annotations = append(g.Annotations, a)
		}
	}
	if n := len(notes.List) - len(g.Annotations); n > 0 && s.fate.State == Kept {
		s.fate.miss("%d annotations belong to moves that are not there", n)
	}
	return true, nil
}

// notesAt returns the record of annotations at a place, with the game that it
// names; one whose size is wrong as far as its annotations lead.
func (s *Source) notesAt(at int64) (rec []byte, game model.RecordID, err error) {
	if s.notes == nil || at < beginOf(s.notes) || at+cbh.AnnotationHeadSize > s.notes.Size() {
		return nil, 0, nil
	}
	head, err := s.notes.window.At(at, cbh.AnnotationHeadSize)
	if err != nil {
		return nil, 0, err
	}
	if [4]byte(head[3:]) != cbh.AnnotationConstant {
		return nil, 0, nil
	}
	game = model.RecordID(wire.U24BE(head))
	size := int64(binary.BigEndian.Uint32(head[10:]))
	count := int(wire.U24BE(head[7:])) - 1
	if size >= cbh.AnnotationHeadSize && size <= s.notes.Size()-at {
		if rec, err = s.notes.window.At(at, size); err != nil || walks(rec, count) == size {
			return rec, game, err
		}
	}
	const most = 1 << 20
	all, err := s.notes.window.At(at, min(most, s.notes.Size()-at))
	if err != nil {
		return nil, 0, err
	}
	rec = append([]byte{}, all[:walks(all, count)]...)
	wire.AppendU32BE(rec[:10], uint32(len(rec)))
	return rec, game, nil
}

// walks returns where so many annotations end, or the first ones that have sizes
// that can be.
func walks(rec []byte, count int) int64 {
	end := int64(cbh.AnnotationHeadSize)
	for item, err := range cbh.AnnotationItems(rec) {
		if err != nil || count == 0 {
			break
		}
		count--
		end = item.Offset + int64(item.Size())
	}
	return end
}

// orphan returns where the annotations are that name a game, 0 if there are none
// or several. The first call looks through all of the .cba file.
func (s *Source) orphan(id model.RecordID) (int64, error) {
	if s.orphans == nil {
		if err := s.findOrphans(); err != nil {
			return 0, err
		}
	}
	return s.orphans[id], nil
}

// findOrphans lists the records of annotations by the games they name.
func (s *Source) findOrphans() error {
	s.orphans = map[model.RecordID]int64{}
	if s.notes == nil {
		return nil
	}
	for at := beginOf(s.notes); at+cbh.AnnotationHeadSize <= s.notes.Size(); {
		head, err := s.notes.window.At(at, cbh.AnnotationHeadSize)
		if err != nil {
			return err
		}
		if [4]byte(head[3:]) != cbh.AnnotationConstant {
			at++
			continue
		}
		rec, game, err := s.notesAt(at)
		if err != nil {
			return err
		}
		const several = 0
		if before, known := s.orphans[game]; known && before != at {
			s.orphans[game] = several
		} else if game != 0 {
			s.orphans[game] = at
		}
		at += int64(len(rec))
	}
	return nil
}
