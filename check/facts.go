package check

import (
	"math/bits"
	"strconv"
	"strings"

	"cbkit/internal/cbh"
	"cbkit/internal/derive"
)

// contentFacts is what is known of the content of a game.
type contentFacts struct {
	hasMoves, hasNotes bool
	notes              cbh.AnnotationFacts
}

// flagNames names the bits of the flag word.
var flagNames = map[int]string{
	0: "starting position", 1: "variations", 2: "texts", 3: "symbols", 4: "squares", 5: "arrows", 7: "time spent",
	9: "training", 16: "sound", 17: "pictures", 18: "video", 19: "quotations", 20: "pawn structure", 21: "piece path",
	22: "white clock", 23: "black clock", 24: "critical positions", 25: "correspondence", 26: "media stream",
	27: "Chess960", 28: "web links",
}

// nameFlags lists the names of bits.
func nameFlags(word uint32) string {
	var names []string
	for ; word != 0; word &= word - 1 {
		bit := bits.TrailingZeros32(word)
		name := flagNames[bit]
		if name == "" {
			name = "bit " + strconv.Itoa(bit)
		}
		names = append(names, name)
	}
	return strings.Join(names, ", ")
}

// checkFacts compares what the .cbh and .cbj records say about the moves and
// the annotations with the content.
func (w *recordChecker) checkFacts(rec *record) {
	if !w.facts.hasMoves && !w.facts.hasNotes {
		return
	}
	var facts derive.GameFacts
	if w.facts.hasMoves {
		var err error
		if facts, err = derive.Game(w.moves.SetUp(), &w.moves.Moves, w.facts.notes); err != nil {
			w.facts.hasMoves = false // a position that cannot be played
		}
	}
	if !w.facts.hasMoves {
		facts = derive.GameFacts{
			Flags: w.facts.notes.Flags(), Magnitude: w.facts.notes.Magnitude(), Medals: w.facts.notes.Medals(),
		}
	}
	w.compareFlags(rec, facts.Flags)
	w.compareMagnitude(rec, facts.Magnitude)
	if stored := rec.game.Medals; w.facts.hasNotes && stored != facts.Medals {
		w.add(codeStaleMedals, rec.in(37, "medals"), "are %04x, the annotations have %04x", stored, facts.Medals)
	}
	if !w.facts.hasMoves {
		return
	}
	if stored := rec.game.MoveCount; stored != facts.FullMoves {
		w.add(codeStaleMoveCount, rec.in(45, "move count"), "is %d, the main line has %d", stored, facts.FullMoves)
	}
	w.compareMaterial(rec, facts.Material)
}

// compareFlags compares the flag word.
func (w *recordChecker) compareFlags(rec *record, want uint32) {
	stored := rec.game.Flags
	known := uint32(0)
	if w.facts.hasMoves {
		known |= derive.MoveFlags
	}
	if w.facts.hasNotes {
		known |= ^derive.MoveFlags
	}
	wrong := (stored ^ want) & known
	proven := uint32(cbh.ProvenFlags)
	if want&derive.FlagUnorthodox != 0 {
		proven &^= derive.FlagSetup // never seen in Chess960
	}
	for _, part := range []struct {
		code string
		bits uint32
	}{{codeStaleFlags, wrong & proven}, {codeStaleOtherFlags, wrong &^ proven}} {
		if set := part.bits & stored; set != 0 {
			w.add(part.code, rec.in(39, "flags"), "set, but not in the content: %s", nameFlags(set))
		}
		if missing := part.bits &^ stored; missing != 0 {
			w.add(part.code, rec.in(39, "flags"), "in the content, but not set: %s", nameFlags(missing))
		}
	}
}

// compareMagnitude compares the magnitude word.
func (w *recordChecker) compareMagnitude(rec *record, want uint16) {
	known := uint16(0)
	if w.facts.hasMoves {
		known |= derive.MoveMagnitude
	}
	if w.facts.hasNotes {
		known |= ^derive.MoveMagnitude
	}
	if stored := rec.game.Magnitude; (stored^want)&known != 0 {
		w.add(codeStaleMagnitude, rec.in(43, "magnitude"), "is %04x, the content makes it %04x", stored&known, want&known)
	}
}

// compareMaterial compares the material words, of which two zeros say that
// they were not computed.
func (w *recordChecker) compareMaterial(rec *record, want [2]derive.Material) {
	stored := rec.extValues.Material
	if len(rec.ext) < 28 || !w.d.knowsExts() || stored == [2]uint32{} {
		return
	}
	if stored != [2]uint32{uint32(want[0]), uint32(want[1])} {
		w.add(codeStaleMaterial, w.inExt(rec, 20, "material"), "is %04x and %04x, the main line ends with %04x and %04x",
			stored[0], stored[1], want[0], want[1])
	}
}
