package cbhdb

import (
	"cbkit/internal/cbh"
	"cbkit/internal/dbfile"
	"cbkit/internal/derive"
	"cbkit/internal/wire"
	"cbkit/model"
)

// NoteFlags are the proven flags of a game's header that follow from annotations.
func NoteFlags(head []byte) uint32 {
	return uint32(cbh.GameFlags.Uint(head)) & cbh.ProvenFlags &^ derive.MoveFlags
}

// AnnotationsFit reports whether a record of annotations is all that the header of a game
// says of its own: flags, magnitude, medals; and whether none of it is behind the
// last of the game's moves.
func AnnotationsFit(head, rec []byte, moves int) bool {
	if len(rec) <= cbh.AnnotationHeadSize {
		return false
	}
	for item, err := range cbh.AnnotationItems(rec) {
		if err != nil || int(item.Position) >= moves {
			return false
		}
	}
	f := cbh.FactsOf(rec)
	magnitude := f.Magnitude() ^ uint16(cbh.GameMagnitude.Uint(head))
	return f.Flags()&cbh.ProvenFlags == NoteFlags(head) && magnitude&^derive.MoveMagnitude == 0 &&
		uint64(f.Medals()) == cbh.GameMedals.Uint(head)
}

// MovesFit reports whether the header of a game says of its moves what they are: how many
// there are, and whether there are variations.
func MovesFit(head []byte, start *model.Position, moves *model.Tree) bool {
	r, err := cbh.DecodeGameRecord(head)
	if err != nil {
		return false
	}
	f, err := derive.Moves(start, moves)
	return err == nil && f.FullMoves == r.MoveCount && (f.Flags^r.Flags)&derive.FlagVariations == 0
}

// MissesAnnotations reports whether a game says that it has annotations, and points to none.
func (h *Header) MissesAnnotations() bool {
	return !h.Type().IsText() && h.AnnotationsAt() == 0 && NoteFlags(h.Head) != 0
}

// NextAnnotations returns where the first record of annotations begins in a part of the .cba
// file that no game points to, or the end of the part; it may be cut.
func (b *Blocks) NextAnnotations(w *dbfile.Window, x Extent) (int64, error) {
	for at := x.At; at+cbh.AnnotationHeadSize <= x.End(); at++ {
		head, err := w.At(at, cbh.AnnotationHeadSize)
		if err != nil {
			return 0, wire.Locate(err, b.Name(), 0, -1)
		}
		if [4]byte(head[3:]) == cbh.AnnotationConstant {
			return at, nil
		}
	}
	return x.End(), nil
}
