package cbh

import (
	"encoding/binary"
	"fmt"

	"cbkit/internal/brief"
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
	GameAnnotations    = Field{".cbh", "offset in .cba", 5, 4, ClassPlace, nil}
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
		&GameType, &GameMoves, &GameAnnotations, &GameWhite, &GameBlack, &GameTournament, &GameAnnotator, &GameSource,
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

// none24 is -1 in the 24 bits of an entity id.
const none24 = 1<<24 - 1

// unpack24 returns the id in a 24-bit field.
func unpack24(n uint32) EntityID {
	if n == none24 {
		return NoEntity
	}
	return EntityID(n)
}

// pack24 is the inverse of unpack24.
func pack24(id EntityID) uint32 { return uint32(id) & none24 }

// unpack32 returns the id in a 32-bit field, where every negative number is
// none.
func unpack32(n int32) EntityID { return EntityID(max(n, NoLink)) }

// set32 stores an id in a 32-bit field that does not say it yet.
func set32(field *int32, id EntityID) {
	if unpack32(*field) != id {
		*field = int32(id)
	}
}

// EntityID is the number under which a database has an entity. Those of a source,
// which mean others, are of type [model.EntityID]: only who looks an entity up, or
// knows that the source is this database, makes one of the other.
type EntityID int32

// NoEntity is the id of no entity.
const NoEntity EntityID = -1

// EntityIDs are the entities of a record. Texts have no players and no teams.
type EntityIDs struct {
	White, Black, Tournament, Annotator, Source, WhiteTeam, BlackTeam, GameTitle EntityID
}

// NoEntities are those of a record that is not there yet.
var NoEntities = EntityIDs{NoEntity, NoEntity, NoEntity, NoEntity, NoEntity, NoEntity, NoEntity, NoEntity}

// Entities returns the entities of a game.
func (r *GameRecord) Entities(ext *ExtRecord) EntityIDs {
	return EntityIDs{
		White: unpack24(r.White), Black: unpack24(r.Black),
		Tournament: unpack24(r.Tournament), Annotator: unpack24(r.Annotator), Source: unpack24(r.Source),
		WhiteTeam: unpack32(ext.WhiteTeam), BlackTeam: unpack32(ext.BlackTeam), GameTitle: unpack32(ext.GameTitle),
	}
}

// SetEntities stores the entities of a game. Fields that say so already stay as
// they are.
func (r *GameRecord) SetEntities(ext *ExtRecord, e EntityIDs) {
	r.White, r.Black = pack24(e.White), pack24(e.Black)
	r.Tournament, r.Annotator, r.Source = pack24(e.Tournament), pack24(e.Annotator), pack24(e.Source)
	set32(&ext.WhiteTeam, e.WhiteTeam)
	set32(&ext.BlackTeam, e.BlackTeam)
	set32(&ext.GameTitle, e.GameTitle)
}

// Entities returns the entities of a guiding text.
func (r *TextRecord) Entities(ext *ExtRecord) EntityIDs {
	e := NoEntities
	e.Tournament, e.Annotator, e.Source = unpack24(r.Tournament), unpack24(r.Annotator), unpack24(r.Source)
	e.GameTitle = unpack32(ext.GameTitle)
	return e
}

// SetEntities stores the entities of a guiding text.
func (r *TextRecord) SetEntities(ext *ExtRecord, e EntityIDs) {
	r.Tournament, r.Annotator, r.Source = pack24(e.Tournament), pack24(e.Annotator), pack24(e.Source)
	set32(&ext.GameTitle, e.GameTitle)
}

// NewGameRecord returns the record of a new game, about which nothing is known
// but the number of its Chess960 starting position, -1 if it has none.
func NewGameRecord(chess960 int) GameRecord {
	return GameRecord{Type: TypeInUse, Result: noResult, Opening: PackOpening(0, chess960)}
}

// Header returns what the records of a game say about it, apart from its moves
// and annotations. Numbers without a meaning are read as none.
func (r *GameRecord) Header(ext *ExtRecord) model.Header {
	result, _ := UnpackResult(r.Result)
	eco, _ := UnpackOpening(r.Opening)
	e := r.Entities(ext)
	h := model.NewHeader()
	h.White, h.Black = model.EntityID(e.White), model.EntityID(e.Black)
	h.Tournament, h.Annotator, h.Source = model.EntityID(e.Tournament), model.EntityID(e.Annotator), model.EntityID(e.Source)
	h.WhiteTeam, h.BlackTeam, h.GameTitle = model.EntityID(e.WhiteTeam), model.EntityID(e.BlackTeam), model.EntityID(e.GameTitle)
	h.Date, h.Result, h.ECO = UnpackDate(r.Date), result, eco
	h.Round, h.Subround = uint16(r.Round), uint16(r.Subround)
	h.WhiteElo, h.BlackElo = r.WhiteRating, r.BlackRating
	if result == model.NoResult {
		h.LineEvaluation = model.NAG(r.LineEvaluation)
	}
	return h
}

// AppendUnread appends the fields of a game that are read as none because their
// numbers mean nothing.
func AppendUnread(dst []model.Unread, result uint8, opening uint16) []model.Unread {
	if _, known := UnpackResult(result); !known {
		dst = append(dst, model.Unread{Field: "result", What: fmt.Sprintf("%d is none of the results", result)})
	}
	if eco, chess960 := UnpackOpening(opening); eco == 0 && chess960 < 0 && opening != 0 {
		dst = append(dst, model.Unread{Field: "ECO", What: fmt.Sprintf("%d is no code", opening)})
	}
	return dst
}

// SetHeader stores h, but for its entities ([GameRecord.SetEntities]), in the
// record of a game. What it says already stays as it is, bit for bit. Chess960 is the
// number of the starting position, -1 if it has none. SetHeader returns what
// the record cannot hold, without its number.
func (r *GameRecord) SetHeader(h *model.Header, chess960 int) (losses []model.Loss) {
	lost := func(field, format string, args ...any) {
		losses = append(losses, model.Loss{Kind: model.LostField, Field: field, What: brief.Sprintf(format, args...)})
	}
	if UnpackDate(r.Date) != h.Date {
		packed, ok := PackDate(h.Date)
		if r.Date = packed; !ok {
			lost("date", "%s: a part is out of range", h.Date)
		}
	}
	if result, _ := UnpackResult(r.Result); result != h.Result {
		r.Result, r.LineEvaluation = PackResult(h.Result), 0
		if held, _ := UnpackResult(r.Result); held != h.Result {
			lost("result", "%d is no result", h.Result)
		}
	}
	if h.Result == model.NoResult {
		r.LineEvaluation = uint8(h.LineEvaluation)
	} else if h.LineEvaluation != 0 {
		lost("line evaluation", "$%d: only games without a result have one", h.LineEvaluation)
	}
	losses = setRounds(&r.Round, &r.Subround, h.Round, h.Subround, losses)
	r.WhiteRating, r.BlackRating = h.WhiteElo, h.BlackElo
	if eco, _ := UnpackOpening(r.Opening); eco != h.ECO {
		r.Opening = PackOpening(h.ECO, chess960)
		switch held, _ := UnpackOpening(r.Opening); {
		case held == h.ECO:
		case !h.ECO.Valid():
			lost("ECO", "%d is no code", h.ECO)
		default:
			lost("ECO", "%s: a Chess960 game has its starting position there", h.ECO)
		}
	}
	return losses
}

// SetChess960 makes the number of the Chess960 starting position, -1 if there is
// none, that of the record.
func (r *GameRecord) SetChess960(number int) {
	if eco, stored := UnpackOpening(r.Opening); stored != number {
		r.Opening = PackOpening(eco, number)
	}
}

// SetHeader does the same for a guiding text; only the header fields of t count.
func (r *TextRecord) SetHeader(t *model.GuidingText) []model.Loss {
	return setRounds(&r.Round, &r.Subround, t.Round, t.Subround, nil)
}

// Header returns a guiding text with the fields that its records hold.
func (r *TextRecord) Header(ext *ExtRecord) model.GuidingText {
	e := r.Entities(ext)
	t := *model.NewGuidingText()
	t.Tournament, t.Annotator, t.Source = model.EntityID(e.Tournament), model.EntityID(e.Annotator), model.EntityID(e.Source)
	t.GameTitle = model.EntityID(e.GameTitle)
	t.Round, t.Subround = uint16(r.Round), uint16(r.Subround)
	return t
}

// setRounds stores round and subround, 0 where they do not fit.
func setRounds(round, subround *uint8, r, s uint16, losses []model.Loss) []model.Loss {
	for _, f := range []struct {
		name  string
		field *uint8
		value uint16
	}{{"round", round, r}, {"subround", subround, s}} {
		*f.field = uint8(f.value)
		if f.value > 255 {
			*f.field = 0
			what := fmt.Sprintf("%d: the largest number is 255", f.value)
			losses = append(losses, model.Loss{Kind: model.LostField, Field: f.name, What: what})
		}
	}
	return losses
}

// Place completes an offset: the .cbh file has its low 32 bits, the .cbj file
// all 64, which count only where both agree (docs/formats/cbh-entities.md 10).
func Place(low uint32, full uint64) int64 {
	if uint32(full) != low || full > 1<<62 {
		return int64(low)
	}
	return int64(full)
}

// HeaderView is the stored header of a record, of which every field is decoded when
// it is asked for, for those who pass over millions of headers and look at some
// fields of each.
type HeaderView struct {
	// Head is the record of the .cbh file.
	Head *[RecordSize]byte
}

// Type returns the type of the record.
func (v HeaderView) Type() RecordType { return RecordType(v.Head[0]) }

// entity returns the id at a place.
func (v HeaderView) entity(at int) model.EntityID {
	n := wire.U24BE(v.Head[at:])
	return model.EntityID(int32(n+1)&(1<<24-1)) - 1 // all bits set is none
}

// of returns the id at one of two places, or none where texts have no such.
func (v HeaderView) of(game, text int) model.EntityID {
	switch {
	case !v.Type().IsText():
		return v.entity(game)
	case text == 0:
		return model.NoEntity
	}
	return v.entity(text)
}

// White returns who played White; the other methods speak for themselves. What
// texts do not have is none.
func (v HeaderView) White() model.EntityID { return v.of(GameWhite.At, 0) }

// Black returns who played Black.
func (v HeaderView) Black() model.EntityID { return v.of(GameBlack.At, 0) }

// Tournament returns the tournament.
func (v HeaderView) Tournament() model.EntityID { return v.of(GameTournament.At, TextTournament.At) }

// Annotator returns the annotator.
func (v HeaderView) Annotator() model.EntityID { return v.of(GameAnnotator.At, TextAnnotator.At) }

// Source returns the source.
func (v HeaderView) Source() model.EntityID { return v.of(GameSource.At, TextSource.At) }

// Date returns the date of a game. It and the fields below mean nothing in a text.
func (v HeaderView) Date() model.Date { return UnpackDate(wire.U24BE(v.Head[GameDate.At:])) }

// Result returns the result of a game.
func (v HeaderView) Result() model.Result {
	r, _ := UnpackResult(v.Head[GameResult.At])
	return r
}

// ECO returns the opening of a game.
func (v HeaderView) ECO() model.ECO {
	eco, _ := UnpackOpening(binary.BigEndian.Uint16(v.Head[GameOpening.At:]))
	return eco
}

// AppendUnread is [AppendUnread] for a game.
func (v HeaderView) AppendUnread(dst []model.Unread) []model.Unread {
	return AppendUnread(dst, v.Head[GameResult.At], binary.BigEndian.Uint16(v.Head[GameOpening.At:]))
}

// Elo returns the ratings of a game.
func (v HeaderView) Elo() (white, black uint16) {
	return binary.BigEndian.Uint16(v.Head[GameWhiteRating.At:]), binary.BigEndian.Uint16(v.Head[GameBlackRating.At:])
}

// Round returns the round and the subround.
func (v HeaderView) Round() (round, subround uint16) {
	at := GameRound.At
	if v.Type().IsText() {
		at = TextRound.At
	}
	return uint16(v.Head[at]), uint16(v.Head[at+1])
}

// Content returns what is stored of the content of a game.
func (v HeaderView) Content() (flags uint32, medals model.Medals, moves uint8) {
	return binary.BigEndian.Uint32(v.Head[GameFlags.At:]), model.Medals(binary.BigEndian.Uint16(v.Head[GameMedals.At:])), v.Head[GameMoveCount.At]
}

// HasAnnotations reports whether the .cbh record of a game leads to annotations.
func (v HeaderView) HasAnnotations() bool {
	return binary.BigEndian.Uint32(v.Head[GameAnnotations.At:]) != 0
}

// Game fills the header of a game with what the .cbh record says, and the .cbj
// record, which may be short or nil. It is [GameRecord.Header] without the
// steps between.
func (v HeaderView) Game(h *model.Header, ext []byte) {
	b := v.Head
	*h = model.NewHeader()
	h.White, h.Black = v.entity(GameWhite.At), v.entity(GameBlack.At)
	h.Tournament, h.Annotator, h.Source = v.entity(GameTournament.At), v.entity(GameAnnotator.At), v.entity(GameSource.At)
	h.WhiteTeam, h.BlackTeam, h.GameTitle = extEntity(ext, &ExtWhiteTeam), extEntity(ext, &ExtBlackTeam), extEntity(ext, &ExtGameTitle)
	h.Date, h.Result = v.Date(), v.Result()
	if h.Result == model.NoResult {
		h.LineEvaluation = model.NAG(b[GameLineEvaluation.At])
	}
	h.Round, h.Subround = uint16(b[GameRound.At]), uint16(b[GameSubround.At])
	h.WhiteElo, h.BlackElo = v.Elo()
	h.ECO = v.ECO()
}

// extEntity returns an id of a .cbj record.
func extEntity(ext []byte, f *Field) model.EntityID { return model.EntityID(unpack32(ExtID(ext, f))) }

// ExtID returns an id as a .cbj record has it, none where that is too short; less than
// that for none in damaged ones.
func ExtID(ext []byte, f *Field) int32 {
	if !f.In(ext) {
		return NoLink
	}
	return int32(binary.BigEndian.Uint32(ext[f.At:]))
}

// Meaningless reports whether one of the ids of a .cbj record is below that for
// none.
func Meaningless(ext []byte) bool {
	return min(ExtID(ext, &ExtWhiteTeam), ExtID(ext, &ExtBlackTeam), ExtID(ext, &ExtGameTitle)) < NoLink
}
