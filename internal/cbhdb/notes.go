package cbhdb

import (
	"cbkit/internal/cbh"
	"cbkit/internal/derive"
)

// NoteFlags are the proven flags of a game's header that follow from annotations.
func NoteFlags(head []byte) uint32 {
	return uint32(cbh.GameFlags.Uint(head)) & cbh.ProvenFlags &^ derive.MoveFlags
}

// NotesFit reports whether a record of annotations is all that the header of a game
// says of its own: flags, magnitude, medals; and whether none of it is behind the
// last of the game's moves.
func NotesFit(head, rec []byte, moves int) bool {
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
