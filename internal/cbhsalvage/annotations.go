package cbhsalvage

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"

	"cbkit/internal/cbh"
	"cbkit/internal/cbhdb"
	"cbkit/internal/wire"
	"cbkit/model"
)

// annotationSearch looks for the annotations of one game.
type annotationSearch struct {
	*Source
	h     *cbhdb.Header
	flags uint32 // what the header says of them
	moves int    // how many there are
	why   string // they are missing, or may not be those of the game
}

// own returns the annotations of the game, nil if there are none or they are not
// found. What the header points to comes first; the number inside of the
// annotations is a witness: against it that is believed which is all that the header
// says of annotations, and if nothing decides, n.why says so.
func (n *annotationSearch) own() (rec []byte, err error) {
	at, rec, game, points, err := n.pointed(n.h)
	if err != nil || rec != nil && (game == 0 || game == n.h.ID) {
		return rec, err
	}
	hasHead := n.h.Head != nil
	if n.flags == 0 && !points && hasHead {
		return nil, nil
	}
	named, owner, err := n.named()
	switch {
	case err != nil:
		return nil, err
	case rec != nil && hasHead:
		return n.between(rec, at, game, named, owner)
	case rec != nil:
		n.why = fmt.Sprintf("the annotations at %d name game %d", at, game)
	case !hasHead && !points && (named == nil || owner != 0):
	case named == nil:
		n.why = "its annotations were not found"
	default:
		n.doubt(named, owner)
		return named, nil
	}
	return rec, nil
}

// doubt says why annotations that name the game, and to which it does not point, may not be
// its own; owner points to them.
func (n *annotationSearch) doubt(named []byte, owner model.RecordID) {
	switch {
	case owner != 0 && owner != n.h.ID:
		n.why = fmt.Sprintf("the annotations that name it are those that game %d points to", owner)
	case n.h.Head == nil:
	case cbh.FactsOf(named).Flags()&cbh.ProvenFlags != n.flags:
		n.why = "the annotations that name it are not what its header says"
	default:
		n.why = "the annotations that name it can be another game's"
	}
}

// between decides between annotations that the header points to, which name another game,
// and those that name this one, to which owner points; either may be nil.
func (n *annotationSearch) between(rec []byte, at int64, game model.RecordID, named []byte, owner model.RecordID) ([]byte, error) {
	claim, err := n.claimOf(game, at)
	if err != nil {
		return nil, err
	}
	fits, namedFits := n.fit(n.h, rec), named != nil && n.fit(n.h, named)
	switch {
	case fits && claim == 0 && (!namedFits || owner != 0):
		return rec, nil
	case !fits && claim&claimed == 0 && namedFits && (owner == 0 || claim&crossed != 0):
		return named, nil
	case claim&claimed != 0, !fits && claim&missing != 0:
		n.why = fmt.Sprintf("its annotations were not found: those at %d are those of game %d", at, game)
		return nil, nil
	}
	n.why = fmt.Sprintf("the annotations at %d name game %d", at, game)
	return rec, nil
}

// fit reports whether annotations are what a header says of them, and lie within the
// moves if it is that of the game.
func (n *annotationSearch) fit(h *cbhdb.Header, rec []byte) bool {
	moves := math.MaxInt
	if h.ID == n.h.ID {
		moves = n.moves
	}
	return h.Head != nil && !h.Type().IsText() && cbhdb.AnnotationsFit(h.Head, rec, moves)
}

// pointed returns the annotations that a header points to, with the game that they
// name, and whether it points to any.
func (s *Source) pointed(h *cbhdb.Header) (at int64, rec []byte, game model.RecordID, pointed bool, err error) {
	places := placesIn(h, cbh.AnnotationsPlace)
	if h.Head != nil && h.Type().IsText() {
		places = places[1:] // it has other things there
	}
	for _, at = range places {
		pointed = pointed || at != 0
		if rec, game, err = s.notesAt(at); rec != nil || err != nil {
			return at, bytes.Clone(rec), game, pointed, err
		}
	}
	return 0, nil, 0, pointed, nil
}

// named returns the annotations that name the game, nil if there are none or
// several, and the game that points to them, 0 if there is none. The first call looks
// through all of the .cba file.
func (n *annotationSearch) named() (rec []byte, owner model.RecordID, err error) {
	if n.orphans == nil {
		if err := n.findOrphans(); err != nil {
			return nil, 0, err
		}
	}
	at := n.orphans[n.h.ID]
	if at == 0 {
		return nil, 0, nil
	}
	rec, _, err = n.notesAt(at)
	return bytes.Clone(rec), n.owners[at], err
}

// claims are what a game has to do with annotations that name it, and to which another points.
type claims uint8

const (
	missing claims = 1 << iota // it says that it has some, and points to none that can be its own
	crossed                    // it points to those that name the other game
	claimed                    // it points to them, too
)

// claimOf returns what a game has to do with the annotations at a place, which name it.
func (n *annotationSearch) claimOf(game model.RecordID, at int64) (claims, error) {
	h, err := n.header(game)
	if err != nil || h.Head == nil || h.Type().IsText() || cbhdb.NoteFlags(h.Head) == 0 {
		return 0, err
	}
	h.Head, h.Ext = bytes.Clone(h.Head), bytes.Clone(h.Ext)
	place, rec, other, _, err := n.pointed(&h)
	if rec == nil || err != nil {
		return missing, err
	}
	var c claims
	if other == game && place == at {
		c = claimed
	}
	if other == n.h.ID {
		c |= crossed
	}
	if other != game && !n.fit(&h, rec) {
		c |= missing
	}
	return c, nil
}

// notesAt returns the record of annotations at a place, with the game that it
// names; one whose size is wrong as far as its annotations lead.
func (s *Source) notesAt(at int64) (rec []byte, game model.RecordID, err error) {
	if s.annotations == nil || at < beginOf(s.annotations) || at+cbh.AnnotationHeadSize > s.annotations.Size() {
		return nil, 0, nil
	}
	head, err := s.annotations.window.At(at, cbh.AnnotationHeadSize)
	if err != nil {
		return nil, 0, err
	}
	if [4]byte(head[3:]) != cbh.AnnotationConstant {
		return nil, 0, nil
	}
	game = model.RecordID(wire.U24BE(head))
	size := int64(binary.BigEndian.Uint32(head[10:]))
	if size >= cbh.AnnotationHeadSize && size <= s.annotations.Size()-at {
		if rec, err = s.annotations.window.At(at, size); err != nil {
			return rec, game, err
		}
		if end, _ := cbh.AnnotationsEnd(rec); end == size {
			return rec, game, nil
		}
	}
	const most = 1 << 20
	all, err := s.annotations.window.At(at, min(most, s.annotations.Size()-at))
	if err != nil {
		return nil, 0, err
	}
	end, _ := cbh.AnnotationsEnd(all)
	rec = bytes.Clone(all[:end])
	wire.AppendU32BE(rec[:10], uint32(len(rec)))
	return rec, game, nil
}

// findOrphans lists the records of annotations by the games they name, and the games
// that point to them.
func (s *Source) findOrphans() error {
	s.orphans, s.owners = map[model.RecordID]int64{}, map[int64]model.RecordID{}
	if s.annotations == nil {
		return nil
	}
	for id := model.RecordID(1); id <= s.count; id++ {
		h, err := s.header(id)
		if err != nil {
			return err
		}
		if h.Head != nil && h.AnnotationsAt() != 0 {
			s.owners[h.AnnotationsAt()] = id
		}
	}
	for at := beginOf(s.annotations); at+cbh.AnnotationHeadSize <= s.annotations.Size(); {
		head, err := s.annotations.window.At(at, cbh.AnnotationHeadSize)
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
