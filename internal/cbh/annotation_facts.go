package cbh

import "cbkit/model"

// AnnotationFacts are the numbers that the .cbh record of a game repeats about
// its annotations, taken from the stored record (docs/formats/cba.md 8).
type AnnotationFacts struct {
	// Count is the number of annotations, the counts below those of a type.
	Count                                         int
	Symbols, Squares, Arrows, TimeSpent, Training int
	// TextBytes is the size of all texts in bytes.
	TextBytes int

	flags  uint32
	medals uint32
}

// The magnitude bits of annotations begin at the count or size given.
const (
	manyTextBytes = 201
	manySymbols   = 10
	manySquares   = 10
	manyArrows    = 6
	manyTimeSpent = 11
	manyTraining  = 11
)

// FactsOf scans a record of annotations. A damaged record is scanned as far as
// its sizes lead, an empty one has no facts.
func FactsOf(rec []byte) AnnotationFacts {
	var f AnnotationFacts
	for item, err := range AnnotationItems(rec) {
		if err != nil {
			break
		}
		f.add(item.Type, item.Payload)
	}
	return f
}

func (f *AnnotationFacts) add(typ uint8, payload []byte) {
	f.Count++
	f.flags |= annotationFlag(typ)
	switch typ &^ 0x80 {
	case annotationText:
		f.TextBytes += max(len(payload)-2, 0)
	case annotationSymbols:
		f.Symbols++
	case annotationSquares:
		f.Squares++
	case annotationArrows:
		f.Arrows++
	case annotationTimeSpent:
		f.TimeSpent++
	case annotationTraining:
		f.Training++
	case annotationMedals:
		if m, ok := decodeMedals(payload).(model.Medals); ok {
			f.medals |= uint32(m)
		}
	}
}

// annotationFlag returns the bit of the flags that an annotation sets: the one
// of its type's number. Bits 0, 1 and 27 belong to the moves, 18 and 25 to two
// types beyond the range of bits.
func annotationFlag(typ uint8) uint32 {
	switch typ &= 0x7F; {
	case typ == annotationVideo:
		return 1 << 18
	case typ == annotationCorrespondenceHead:
		return 1 << 25
	case typ < 2 || typ > 31 || typ == 18 || typ == 25 || typ == 27:
		return 0
	}
	return 1 << typ
}

// Flags returns the bits of the flag word that come from annotations.
func (f AnnotationFacts) Flags() uint32 { return f.flags }

// Magnitude returns the bits of the magnitude word that come from annotations:
// bit n is set where there are many of type n.
func (f AnnotationFacts) Magnitude() uint16 {
	var m uint16
	set := func(typ uint8, many bool) {
		if many {
			m |= 1 << typ
		}
	}
	set(annotationText, f.TextBytes >= manyTextBytes)
	set(annotationSymbols, f.Symbols >= manySymbols)
	set(annotationSquares, f.Squares >= manySquares)
	set(annotationArrows, f.Arrows >= manyArrows)
	set(annotationTimeSpent, f.TimeSpent >= manyTimeSpent)
	set(annotationTraining, f.Training >= manyTraining)
	return m
}

// Medals returns the medals of all places together.
func (f AnnotationFacts) Medals() uint16 { return uint16(f.medals) }
