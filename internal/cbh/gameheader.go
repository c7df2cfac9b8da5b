package cbh

import (
	"encoding/binary"
	"fmt"

	"cbkit/internal/wire"
	"cbkit/model"
)

// RecordSize is the size of the file header and of every record of a .cbh file:
// record number id begins at id*RecordSize.
const RecordSize = 46

// MaxRecords is the largest number of records: game ids have 24 bits.
const MaxRecords = 1<<24 - 1

// The number of bytes of the file header in use ([FileHeader.Used]), which
// tells the generations of the format apart.
const (
	UsedOld = 36 // before the counter at 40 was added
	UsedNew = 44
)

// FileHeader is the first 46 bytes of a .cbh file, big-endian:
//
//	 0 00 | used u16 | size u16 | version u8 | next u32 | 00 00
//	12 next sound u32 | next picture u32 | next video u32 | 00 × 16
//	40 next u32 again, 0 if used is 36 | 00 00
//
// Source: docs/formats/cbh-entities.md 2.
type FileHeader struct {
	Used    uint16
	Version uint8 // 1; 5 in exports of the newest programs
	// Next is the id of the next record: the number of records plus 1.
	Next                              uint32
	Reserved10                        uint16
	NextSound, NextPicture, NextVideo uint32
	Reserved24                        [16]byte
	// NextAgain repeats Next if Used is UsedNew.
	NextAgain  uint32
	Reserved44 uint16
}

// NewFileHeader returns the header of a file with the given number of records.
func NewFileHeader(records uint32) FileHeader {
	return FileHeader{Used: UsedNew, Version: 1, Next: records + 1, NextAgain: records + 1}
}

// IsFileHeader reports whether a .cbh file that begins so is one.
func IsFileHeader(head []byte) bool {
	_, err := DecodeFileHeader(head[:min(len(head), RecordSize)])
	return err == nil
}

// DecodeFileHeader reads the first 46 bytes of b. It fails with
// model.ErrNotDatabase unless they begin like a .cbh file.
func DecodeFileHeader(b []byte) (FileHeader, error) {
	c := wire.NewCursor(b)
	zero, used, size := c.U8(), c.U16BE(), c.U16BE()
	if c.Err() == nil && (zero != 0 || used != UsedOld && used != UsedNew || size != RecordSize) {
		return FileHeader{}, fail(0, "signature", fmt.Errorf("% x: %w", b[:5], model.ErrNotDatabase))
	}
	h := FileHeader{
		Used: used, Version: c.U8(), Next: c.U32BE(), Reserved10: c.U16BE(),
		NextSound: c.U32BE(), NextPicture: c.U32BE(), NextVideo: c.U32BE(),
	}
	copy(h.Reserved24[:], c.Bytes(len(h.Reserved24)))
	h.NextAgain, h.Reserved44 = c.U32BE(), c.U16BE()
	return h, c.Err()
}

// Append appends the 46 bytes of the header.
func (h *FileHeader) Append(dst []byte) []byte {
	dst = append(dst, 0)
	dst = wire.AppendU16BE(dst, h.Used)
	dst = wire.AppendU16BE(dst, RecordSize)
	dst = append(dst, h.Version)
	dst = wire.AppendU32BE(dst, h.Next)
	dst = wire.AppendU16BE(dst, h.Reserved10)
	dst = wire.AppendU32BE(dst, h.NextSound)
	dst = wire.AppendU32BE(dst, h.NextPicture)
	dst = wire.AppendU32BE(dst, h.NextVideo)
	dst = append(dst, h.Reserved24[:]...)
	dst = wire.AppendU32BE(dst, h.NextAgain)
	return wire.AppendU16BE(dst, h.Reserved44)
}

// SetRecords sets the counters for a file with the given number of records, as
// the generation of the file has them.
func (h *FileHeader) SetRecords(n uint32) {
	h.Next = n + 1
	if h.Used == UsedNew {
		h.NextAgain = n + 1
	}
}

// RecordType is the first byte of a record. Other bits than those below were
// never seen set.
type RecordType uint8

// The bits of a record type.
const (
	TypeInUse   RecordType = 1 << 0
	TypeText    RecordType = 1 << 1
	TypeDeleted RecordType = 1 << 7
)

// IsText reports whether the record is a guiding text, not a game.
func (t RecordType) IsText() bool { return t&TypeText != 0 }

// IsDeleted reports whether the record is marked as deleted.
func (t RecordType) IsDeleted() bool { return t&TypeDeleted != 0 }

// GameRecord is the 46-byte record of a game in a .cbh file, big-endian:
//
//	 0 type u8 | .cbg offset u32 | .cba offset u32
//	 9 white u24 | black u24 | tournament u24 | annotator u24 | source u24
//	24 date u24 | result u8 | line evaluation u8 | round u8 | subround u8
//	31 white rating u16 | black rating u16 | opening u16 | medals u16
//	39 flags u32 | magnitude u16 | move count u8
//
// Source: docs/formats/cbh-entities.md 3.
type GameRecord struct {
	Type        RecordType
	MovesOffset uint32 // low 32 bits of the place in the .cbg file
	// AnnotationsOffset is the same in the .cba file, 0 if there are none.
	AnnotationsOffset uint32
	// Entities by id, 24 bits each.
	White, Black, Tournament, Annotator, Source uint32

	Date                     uint32 // 24 bits, see UnpackDate
	Result                   uint8  // see UnpackResult
	LineEvaluation           uint8  // NAG, only without a result
	Round, Subround          uint8  // 0: none
	WhiteRating, BlackRating uint16 // 0: none
	Opening                  uint16 // see UnpackOpening
	Medals                   uint16
	Flags                    uint32 // what kinds of annotations there are
	Magnitude                uint16 // how many of them
	MoveCount                uint8  // full moves; 255 stands for more too
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

// DecodeGameRecord reads the first 46 bytes of b.
func DecodeGameRecord(b []byte) (GameRecord, error) {
	if len(b) < RecordSize {
		return GameRecord{}, truncated(b)
	}
	be := binary.BigEndian
	return GameRecord{
		Type:              RecordType(b[0]),
		MovesOffset:       be.Uint32(b[1:]),
		AnnotationsOffset: be.Uint32(b[5:]),
		White:             wire.U24BE(b[9:]),
		Black:             wire.U24BE(b[12:]),
		Tournament:        wire.U24BE(b[15:]),
		Annotator:         wire.U24BE(b[18:]),
		Source:            wire.U24BE(b[21:]),
		Date:              wire.U24BE(b[24:]),
		Result:            b[27],
		LineEvaluation:    b[28],
		Round:             b[29],
		Subround:          b[30],
		WhiteRating:       be.Uint16(b[31:]),
		BlackRating:       be.Uint16(b[33:]),
		Opening:           be.Uint16(b[35:]),
		Medals:            be.Uint16(b[37:]),
		Flags:             be.Uint32(b[39:]),
		Magnitude:         be.Uint16(b[43:]),
		MoveCount:         b[45],
	}, nil
}

// Append appends the 46 bytes of the record.
func (r *GameRecord) Append(dst []byte) []byte {
	dst = append(dst, byte(r.Type))
	dst = wire.AppendU32BE(dst, r.MovesOffset)
	dst = wire.AppendU32BE(dst, r.AnnotationsOffset)
	dst = wire.AppendU24BE(dst, r.White)
	dst = wire.AppendU24BE(dst, r.Black)
	dst = wire.AppendU24BE(dst, r.Tournament)
	dst = wire.AppendU24BE(dst, r.Annotator)
	dst = wire.AppendU24BE(dst, r.Source)
	dst = wire.AppendU24BE(dst, r.Date)
	dst = append(dst, r.Result, r.LineEvaluation, r.Round, r.Subround)
	dst = wire.AppendU16BE(dst, r.WhiteRating)
	dst = wire.AppendU16BE(dst, r.BlackRating)
	dst = wire.AppendU16BE(dst, r.Opening)
	dst = wire.AppendU16BE(dst, r.Medals)
	dst = wire.AppendU32BE(dst, r.Flags)
	dst = wire.AppendU16BE(dst, r.Magnitude)
	return append(dst, r.MoveCount)
}

// TextRecord is the 46-byte record of a guiding text in a .cbh file,
// big-endian:
//
//	 0 type u8 | .cbg offset u32 | 00 00
//	 7 tournament u24 | source u24 | annotator u24
//	16 round u8 | subround u8 | flags u32 | 00 × 24
//
// Source and annotator stand in the other order than in a game. Source:
// docs/formats/cbh-entities.md 4.
type TextRecord struct {
	Type                          RecordType
	Offset                        uint32 // in the .cbg file
	Reserved5                     uint16
	Tournament, Source, Annotator uint32 // ids, 24 bits each
	Round, Subround               uint8
	Flags                         uint32 // the bits of GameRecord.Flags
	Reserved22                    [24]byte
}

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

// DecodeTextRecord reads the first 46 bytes of b.
func DecodeTextRecord(b []byte) (TextRecord, error) {
	c := wire.NewCursor(b)
	r := TextRecord{
		Type: RecordType(c.U8()), Offset: c.U32BE(), Reserved5: c.U16BE(),
		Tournament: c.U24BE(), Source: c.U24BE(), Annotator: c.U24BE(),
		Round: c.U8(), Subround: c.U8(), Flags: c.U32BE(),
	}
	copy(r.Reserved22[:], c.Bytes(len(r.Reserved22)))
	return r, c.Err()
}

// Append appends the 46 bytes of the record.
func (r *TextRecord) Append(dst []byte) []byte {
	dst = append(dst, byte(r.Type))
	dst = wire.AppendU32BE(dst, r.Offset)
	dst = wire.AppendU16BE(dst, r.Reserved5)
	dst = wire.AppendU24BE(dst, r.Tournament)
	dst = wire.AppendU24BE(dst, r.Source)
	dst = wire.AppendU24BE(dst, r.Annotator)
	dst = append(dst, r.Round, r.Subround)
	dst = wire.AppendU32BE(dst, r.Flags)
	return append(dst, r.Reserved22[:]...)
}
