package dcdb

import (
	"fmt"

	"cbkit/internal/wire"
	"cbkit/model"
)

// StatusDeleted marks a deleted game. Every other status is that of a game
// that is not deleted; 0 is written.
const StatusDeleted = 0xff

// Entry is an index entry as it is stored; see the package comment.
type Entry struct {
	Status             uint8
	Offset             uint64
	White, Black       uint32 // places in the .dcn file
	Round              uint16
	Site, Event        uint32 // places in the .dcs and .dce files
	WhiteElo, BlackElo uint16
	Result             uint8
	ECO                [3]byte
	Year               uint16
	Month, Day         uint8
	// Search exists in layout V1 only.
	Search SearchFields
}

// DecodeEntry reads an entry, for which b must be large enough. Fields that
// the layout does not have are zero.
func (l Layout) DecodeEntry(b []byte) Entry {
	c := wire.NewCursor(b[:l.EntrySize()])
	e := Entry{
		Status: c.U8(), Offset: c.U64BE(), White: c.U32BE(), Black: c.U32BE(),
		Round: c.U16BE(), Site: c.U32BE(),
	}
	if !layouts[l].noEvent {
		e.Event = c.U32BE()
	}
	e.WhiteElo, e.BlackElo, e.Result = c.U16BE(), c.U16BE(), c.U8()
	copy(e.ECO[:], c.Bytes(len(e.ECO)))
	e.Year, e.Month, e.Day = c.U16BE(), c.U8(), c.U8()
	if l == V1 {
		e.Search = DecodeSearchFields(c.Rest())
	}
	return e
}

// AppendEntry appends an entry in layout V0 or V1.
func (l Layout) AppendEntry(dst []byte, e *Entry) []byte {
	dst = wire.AppendU64BE(append(dst, e.Status), e.Offset)
	dst = wire.AppendU32BE(dst, e.White)
	dst = wire.AppendU32BE(dst, e.Black)
	dst = wire.AppendU16BE(dst, e.Round)
	dst = wire.AppendU32BE(dst, e.Site)
	dst = wire.AppendU32BE(dst, e.Event)
	dst = wire.AppendU16BE(dst, e.WhiteElo)
	dst = wire.AppendU16BE(dst, e.BlackElo)
	dst = append(append(dst, e.Result), e.ECO[:]...)
	dst = wire.AppendU16BE(dst, e.Year)
	dst = append(dst, e.Month, e.Day)
	if l == V1 {
		dst = AppendSearchFields(dst, &e.Search)
	}
	return dst
}

// HasSearchFields reports whether entries of the layout have the fields for
// searches.
func (l Layout) HasSearchFields() bool { return l == V1 }

// results are the results by their stored numbers.
var results = [...]model.Result{model.NoResult, model.WhiteWins, model.BlackWins, model.Draw}

// GameResult returns the result; numbers without a meaning are none.
func (e *Entry) GameResult() model.Result {
	if int(e.Result) >= len(results) {
		return model.NoResult
	}
	return results[e.Result]
}

// SetResult stores a result; exact is false if it reads back as another one.
func (e *Entry) SetResult(r model.Result) (exact bool) {
	for n, is := range results {
		switch r {
		case is:
			e.Result = uint8(n)
			return true
		case is.Forfeit():
			e.Result = uint8(n)
		}
	}
	return false
}

// Date returns the date. A month above 12 and a day above 31 are unknown.
func (e *Entry) Date() model.Date {
	d := model.Date{Year: e.Year, Month: e.Month, Day: e.Day}
	if d.Month > 12 {
		d.Month = 0
	}
	if d.Day > 31 {
		d.Day = 0
	}
	return d
}

// SetDate stores a date; exact is false if it reads back as another one.
func (e *Entry) SetDate(d model.Date) (exact bool) {
	e.Year, e.Month, e.Day = d.Year, d.Month, d.Day
	back := e.Date()
	e.Month, e.Day = back.Month, back.Day
	return back == d
}

// Opening returns the ECO code; anything but A00 to E99 is unknown.
func (e *Entry) Opening() model.ECO {
	letter, tens, ones := e.ECO[0]-'A', e.ECO[1]-'0', e.ECO[2]-'0'
	if letter > 4 || tens > 9 || ones > 9 {
		return 0
	}
	return model.NewECO(int(letter)*100+int(tens)*10+int(ones), 0)
}

// SetOpening stores an ECO code; exact is false if it reads back as another
// one, because sub-codes and impossible codes have no place.
func (e *Entry) SetOpening(eco model.ECO) (exact bool) {
	e.ECO = [3]byte{}
	if eco.Valid() && eco.Index() >= 0 {
		n := eco.Index()
		e.ECO = [3]byte{'A' + byte(n/100), '0' + byte(n/10%10), '0' + byte(n%10)}
	}
	return e.Opening() == eco
}

// AppendUnread appends the fields that are read as none because what is stored
// means nothing.
func (e *Entry) AppendUnread(dst []model.Unread) []model.Unread {
	unread := func(field, format string, args ...any) {
		dst = append(dst, model.Unread{Field: field, What: fmt.Sprintf(format, args...)})
	}
	if int(e.Result) >= len(results) {
		unread("result", "%d is none of the results", e.Result)
	}
	if d := e.Date(); d.Month != e.Month || d.Day != e.Day {
		unread("date", "%d.%d.%d is no date", e.Year, e.Month, e.Day)
	}
	if e.ECO != [3]byte{} && e.Opening() == 0 {
		unread("ECO", "%q is no code", e.ECO[:])
	}
	return dst
}

// Plain reports whether the entry's status, result, date and opening are what
// would be written for what they mean.
func (e *Entry) Plain() bool {
	canon := Entry{}
	canon.SetResult(e.GameResult())
	canon.SetDate(e.Date())
	canon.SetOpening(e.Opening())
	return (e.Status == 0 || e.Status == StatusDeleted) && canon.Result == e.Result &&
		canon.Month == e.Month && canon.Day == e.Day && canon.ECO == e.ECO
}

// SearchFields is what an index entry of layout V1 holds of a game's main
// line, so that a search can pass games over without replaying them.
// (docs/formats/dcdb.md 2.2)
type SearchFields struct {
	// HalfMoves is the number of plies, null moves included, at most 65535.
	HalfMoves uint16
	// FinalMaterial counts the pieces of the final position: bit 31 says that
	// the others hold; then, from the highest bit of each field, black pawns
	// 30-28, knights 27-26, bishops 25-24, rooks 23-22, queens 21-20, white
	// pawns 14-12, knights 11-10, bishops 9-8, rooks 7-6, queens 5-4. It is 0
	// if a number is too large for its field, as in the starting position.
	FinalMaterial uint32
	// PawnMoves lists the pawns that left their squares in the order of their
	// first moves: 0-7 for White's a- to h-pawn, 8-15 for Black's, and
	// NoPawnMove to the end. Games that do not begin in the standard position
	// have none.
	PawnMoves [16]uint8
}

// NoPawnMove fills the end of [SearchFields].PawnMoves.
const NoPawnMove = 0x10

// SearchFieldsSize is their size in an entry.
const SearchFieldsSize = 2 + 4 + 16

// DecodeSearchFields reads the fields; what is missing is zero.
func DecodeSearchFields(b []byte) SearchFields {
	c := wire.NewCursor(b)
	f := SearchFields{HalfMoves: c.U16BE(), FinalMaterial: c.U32BE()}
	copy(f.PawnMoves[:], c.Bytes(len(f.PawnMoves)))
	return f
}

// AppendSearchFields appends the fields.
func AppendSearchFields(dst []byte, f *SearchFields) []byte {
	dst = wire.AppendU16BE(dst, f.HalfMoves)
	dst = wire.AppendU32BE(dst, f.FinalMaterial)
	return append(dst, f.PawnMoves[:]...)
}
