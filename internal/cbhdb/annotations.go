package cbhdb

import (
	"slices"

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

// LostAnnotations are games that say that they have annotations, and point to none, and
// the annotations that no game points to, between those of the games before and
// behind them. Records lie in the order of the games.
type LostAnnotations struct {
	Games []int // numbers, ascending
	Named []int // what the heads of the annotations name, in the order of their places
	// Fits reports whether annotations are all that the header of a game says of its
	// own, both by index.
	Fits func(game, annotations int) (bool, error)
	// IsSettled reports whether the game with a number, of none of Games, has annotations
	// of its own, or none.
	IsSettled func(number int) (bool, error)
}

// mostPairs is how many pairs of games and annotations are compared at most.
const mostPairs = 1 << 16

// Pair returns for each game which annotations are proven to be its own, -1 for none.
// Numbers inside of annotations are believed where none of them contradicts the order
// or what a header says; else, or where they name games that miss none, games and
// annotations are paired if they fit in order, or fit nothing else.
func (l *LostAnnotations) Pair() (of []int, err error) {
	of = make([]int, len(l.Games))
	for i := range of {
		of[i] = -1
	}
	if len(l.Games)*len(l.Named) > mostPairs {
		return of, nil
	}
	fits := make([][]bool, len(l.Games)) // of each game
	for i := range fits {
		fits[i] = make([]bool, len(l.Named))
		for k := range fits[i] {
			if fits[i][k], err = l.Fits(i, k); err != nil {
				return of, err
			}
		}
	}
	l.byName(of, fits)
	var free []int // annotations that the games they name do not miss
	var games, annotations []int
	for k, number := range l.Named {
		if slices.Contains(of, k) {
			continue
		}
		annotations = append(annotations, k)
		_, isHere := slices.BinarySearch(l.Games, number)
		settled := false
		if !isHere {
			if settled, err = l.IsSettled(number); err != nil {
				return of, err
			}
		}
		if settled {
			free = append(free, k)
		} else if !isHere {
			return of, nil // perhaps somebody's elsewhere
		}
	}
	for i, k := range of {
		if k < 0 {
			games = append(games, i)
		}
	}
	if inOrder := slices.Clone(of); len(games) == len(annotations) {
		fit := true
		for n, i := range games {
			inOrder[i] = annotations[n]
			fit = fit && fits[i][annotations[n]]
		}
		if fit && slices.IsSorted(inOrder) {
			return inOrder, nil
		}
	}
	for _, i := range games {
		own := -1
		for _, k := range free {
			alone := fits[i][k]
			for _, other := range games {
				alone = alone && (other == i || !fits[other][k])
			}
			for _, other := range annotations {
				alone = alone && (other == k || !fits[i][other])
			}
			if alone && !slices.Contains(l.Named, l.Games[i]) {
				own = k
			}
		}
		of[i] = own
	}
	return of, nil
}

// byName pairs games with the annotations that name them.
func (l *LostAnnotations) byName(of []int, fits [][]bool) {
	last := -1
	for k, number := range l.Named {
		i, isHere := slices.BinarySearch(l.Games, number)
		if !isHere {
			continue
		}
		if !fits[i][k] || i <= last {
			for i := range of {
				of[i] = -1
			}
			return
		}
		of[i], last = k, i
	}
	named := slices.Clone(of)
	for i, k := range named {
		if k < 0 {
			continue
		}
		otherAnnotations, otherGame := false, false
		for other := range l.Named {
			otherAnnotations = otherAnnotations || fits[i][other] && !slices.Contains(named, other)
		}
		for other := range l.Games {
			otherGame = otherGame || fits[other][k] && named[other] < 0
		}
		if otherAnnotations && otherGame {
			of[i] = -1
		}
	}
}
