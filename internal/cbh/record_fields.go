package cbh

import (
	"encoding/binary"
	"slices"
)

// Class says what a field of a stored record is about, which decides who can
// make it anew.
type Class uint8

const (
	// ClassValue: the model has a word for it.
	ClassValue Class = iota
	// ClassReference: the number of an entity. The model has it too.
	ClassReference
	// ClassSum follows from other fields of the record.
	ClassSum
	// ClassPlace is where a part of the record lies in another file.
	ClassPlace
	// ClassDerived follows from moves and annotations.
	ClassDerived
	// ClassKept: the model has no word for it; it is carried along.
	ClassKept
	// ClassReserved was always zero.
	ClassReserved
)

// IsGiven reports whether whoever encodes a record has to be told the bytes of
// such a field, since the values of the record do not say them.
func (c Class) IsGiven() bool { return c == ClassPlace || c == ClassDerived || c == ClassKept }

// Field is a field at a fixed place of a record.
type Field struct {
	// File is the ending of the file that has the record.
	File string
	// Name is what findings call it.
	Name     string
	At, Size int
	Class    Class
	// Entity is the kind of entities that a reference is to.
	Entity *EntityFile
}

// End is where the next field begins.
func (f *Field) End() int { return f.At + f.Size }

// In reports whether a record, which may be of an older version, has the field.
func (f *Field) In(record []byte) bool { return f.End() <= len(record) }

// bytes returns the field's part of a record.
func (f *Field) bytes(record []byte) []byte { return record[f.At:f.End()] }

// Uint returns the big-endian number in the field, of which a record that is too
// short has none: 0.
func (f *Field) Uint(record []byte) (n uint64) {
	if f.In(record) {
		for _, b := range f.bytes(record) {
			n = n<<8 | uint64(b)
		}
	}
	return n
}

// Put stores the low bytes of a number in the field, which the record must have.
func (f *Field) Put(record []byte, n uint64) {
	b := f.bytes(record)
	for i := len(b) - 1; i >= 0; i-- {
		b[i], n = byte(n), n>>8
	}
}

// Fields are the fields of a record in their order.
type Fields []*Field

// NameAt returns the name of the field that a byte of a record belongs to, "" if
// there is none.
func (l Fields) NameAt(offset int) string {
	for _, f := range l {
		if offset >= f.At && offset < f.End() {
			return f.Name
		}
	}
	return ""
}

// Given returns how many bytes of a record of the given size are not those of
// fields that its values say; see [Class.IsGiven].
func (l Fields) Given(size int) int {
	given := size
	for _, f := range l {
		if f.End() <= size && !f.Class.IsGiven() {
			given -= f.Size
		}
	}
	return given
}

// The fields of the record of a game in the .cbh file, as [GameRecord] has them.
// (docs/formats/cbh-entities.md 3)
var (
	GameType           = Field{".cbh", "type", 0, 1, ClassValue, nil}
	GameMoves          = Field{".cbh", "offset in .cbg", 1, 4, ClassPlace, nil}
	GameNotes          = Field{".cbh", "offset in .cba", 5, 4, ClassPlace, nil}
	GameWhite          = Field{".cbh", "white player", 9, 3, ClassReference, &Players.EntityFile}
	GameBlack          = Field{".cbh", "black player", 12, 3, ClassReference, &Players.EntityFile}
	GameTournament     = Field{".cbh", "tournament", 15, 3, ClassReference, &Tournaments.EntityFile}
	GameAnnotator      = Field{".cbh", "annotator", 18, 3, ClassReference, &Annotators.EntityFile}
	GameSource         = Field{".cbh", "source", 21, 3, ClassReference, &Sources.EntityFile}
	GameDate           = Field{".cbh", "date", 24, 3, ClassValue, nil}
	GameResult         = Field{".cbh", "result", 27, 1, ClassValue, nil}
	GameLineEvaluation = Field{".cbh", "line evaluation", 28, 1, ClassValue, nil}
	GameRound          = Field{".cbh", "round", 29, 1, ClassValue, nil}
	GameSubround       = Field{".cbh", "subround", 30, 1, ClassValue, nil}
	GameWhiteRating    = Field{".cbh", "white rating", 31, 2, ClassValue, nil}
	GameBlackRating    = Field{".cbh", "black rating", 33, 2, ClassValue, nil}
	GameOpening        = Field{".cbh", "opening", 35, 2, ClassValue, nil}
	GameMedals         = Field{".cbh", "medals", 37, 2, ClassDerived, nil}
	GameFlags          = Field{".cbh", "flags", 39, 4, ClassDerived, nil}
	GameMagnitude      = Field{".cbh", "magnitude", 43, 2, ClassDerived, nil}
	GameMoveCount      = Field{".cbh", "move count", 45, 1, ClassDerived, nil}

	GameFields = Fields{
		&GameType, &GameMoves, &GameNotes, &GameWhite, &GameBlack, &GameTournament, &GameAnnotator, &GameSource,
		&GameDate, &GameResult, &GameLineEvaluation, &GameRound, &GameSubround, &GameWhiteRating, &GameBlackRating,
		&GameOpening, &GameMedals, &GameFlags, &GameMagnitude, &GameMoveCount,
	}
)

// The fields of the record of a guiding text in the .cbh file, as [TextRecord]
// has them. (docs/formats/cbh-entities.md 4)
var (
	TextType       = Field{".cbh", "type", 0, 1, ClassValue, nil}
	TextContent    = Field{".cbh", "offset in .cbg", 1, 4, ClassPlace, nil}
	TextReserved   = Field{".cbh", "reserved", 5, 2, ClassReserved, nil}
	TextTournament = Field{".cbh", "tournament", 7, 3, ClassReference, &Tournaments.EntityFile}
	TextSource     = Field{".cbh", "source", 10, 3, ClassReference, &Sources.EntityFile}
	TextAnnotator  = Field{".cbh", "annotator", 13, 3, ClassReference, &Annotators.EntityFile}
	TextRound      = Field{".cbh", "round", 16, 1, ClassValue, nil}
	TextSubround   = Field{".cbh", "subround", 17, 1, ClassValue, nil}
	TextFlags      = Field{".cbh", "flags", 18, 4, ClassDerived, nil}
	TextReserved22 = Field{".cbh", "reserved", 22, 24, ClassReserved, nil}

	TextFields = Fields{
		&TextType, &TextContent, &TextReserved, &TextTournament, &TextSource, &TextAnnotator, &TextRound, &TextSubround,
		&TextFlags, &TextReserved22,
	}
)

// The fields of a record in the .cbj file, as [ExtRecord] has them; older
// versions have the first of them. (docs/formats/cbh-entities.md 5)
var (
	ExtWhiteTeam       = Field{".cbj", "white team", 0, 4, ClassReference, &Teams.EntityFile}
	ExtBlackTeam       = Field{".cbj", "black team", 4, 4, ClassReference, &Teams.EntityFile}
	ExtMedia           = Field{".cbj", "media", 8, 4, ClassPlace, nil}
	ExtNotes           = Field{".cbj", "offset in .cba", 12, 8, ClassPlace, nil}
	ExtMaterial        = Field{".cbj", "material", 20, 4, ClassDerived, nil}
	ExtLesserMaterial  = Field{".cbj", "material", 24, 4, ClassDerived, nil}
	ExtChecksum        = Field{".cbj", "checksum", 28, 2, ClassSum, nil}
	ExtMoves           = Field{".cbj", "offset in .cbg", 30, 8, ClassPlace, nil}
	ExtWhiteRatingType = Field{".cbj", "white rating type", 38, 16, ClassKept, nil}
	ExtBlackRatingType = Field{".cbj", "black rating type", 54, 16, ClassKept, nil}
	ExtUnknown70       = Field{".cbj", "unknown, 70", 70, 4, ClassKept, nil}
	ExtUnknown74       = Field{".cbj", "unknown, 74", 74, 4, ClassKept, nil}
	ExtSaves           = Field{".cbj", "save counter", 78, 2, ClassKept, nil}
	ExtCreated         = Field{".cbj", "creation", 80, 8, ClassKept, nil}
	ExtEndgame         = Field{".cbj", "endgame", 88, 20, ClassKept, nil}
	ExtChanged         = Field{".cbj", "last change", 108, 8, ClassKept, nil}
	ExtGameTitle       = Field{".cbj", "game title", 116, 4, ClassReference, &GameTitles.EntityFile}

	ExtFields = Fields{
		&ExtWhiteTeam, &ExtBlackTeam, &ExtMedia, &ExtNotes, &ExtMaterial, &ExtLesserMaterial, &ExtChecksum, &ExtMoves,
		&ExtWhiteRatingType, &ExtBlackRatingType, &ExtUnknown70, &ExtUnknown74, &ExtSaves, &ExtCreated, &ExtEndgame,
		&ExtChanged, &ExtGameTitle,
	}
)

// The references of games and of texts, which have no teams.
var (
	gameReferences = slices.Concat(GameFields.references(), ExtFields.references())
	textReferences = append(TextFields.references(), &ExtGameTitle)
)

// References returns the fields of a game or guiding text, in both files, that
// refer to entities.
func References(text bool) Fields {
	if text {
		return textReferences
	}
	return gameReferences
}

func (l Fields) references() (refs Fields) {
	for _, f := range l {
		if f.Class == ClassReference {
			refs = append(refs, f)
		}
	}
	return refs
}

// PlaceFields are the two fields that have the place of one part of a record: the
// .cbh file has its low 32 bits, the .cbj file all 64. [Place] says when these
// count.
type PlaceFields struct{ Low, Full *Field }

// Where the moves of a game, or the content of a text, begin in the .cbg file,
// and the annotations of a game in the .cba file.
var (
	MovesPlace = &PlaceFields{&GameMoves, &ExtMoves}
	NotesPlace = &PlaceFields{&GameNotes, &ExtNotes}
)

// Of returns the place in both records of a header, the second of which may be
// too short to have it.
func (p *PlaceFields) Of(head, ext []byte) int64 {
	low := binary.BigEndian.Uint32(head[p.Low.At:])
	if !p.Full.In(ext) {
		return int64(low)
	}
	return Place(low, binary.BigEndian.Uint64(ext[p.Full.At:]))
}

// HasRightSum reports whether a .cbj record has a checksum, and the right one.
func HasRightSum(ext []byte) bool {
	return ExtChecksum.In(ext) && ExtChecksum.Uint(ext) == uint64(SumExt(ext))
}

// PutSum makes the checksum of a .cbj record right, if it has one.
func PutSum(ext []byte) {
	if ExtChecksum.In(ext) {
		ExtChecksum.Put(ext, uint64(SumExt(ext)))
	}
}

// SumExt returns what the checksum of the bytes of a record must be, which must
// have one: the sum, modulo 65536, of the 16-bit words of the fields from Media
// to the checksum. (docs/formats/cbh-entities.md 5.1)
func SumExt(record []byte) (sum uint16) {
	for at := ExtMedia.At; at < ExtChecksum.At; at += 2 {
		sum += binary.BigEndian.Uint16(record[at:])
	}
	return sum
}
