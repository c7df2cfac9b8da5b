package cbh2

import (
	"bytes"
	"fmt"
	"math"
	"slices"

	"cbkit/internal/wire"
	"cbkit/model"
)

// EntityType is a kind of entity in .2lid.
type EntityType int

// The types of entities. Type 3 is not in use.
const (
	Players     EntityType = 0 // annotators and authors too
	Tournaments EntityType = 1
	Sources     EntityType = 2
	Teams       EntityType = 4
	Tags        EntityType = 5 // titles of games, texts and analyses
)

// String returns the word for one entity of the type.
func (t EntityType) String() string {
	return [...]string{"player", "tournament", "source", "entity of type 3", "team", "title"}[t]
}

// Entity reads the data of an entity of a type, and returns what is written of its value
// and the key by which it is sorted first in .2lcd, which is 1 where all is empty.
func Entity(of EntityType, data []byte, foreign func([]byte) string) (again []byte, key uint64, err error) {
	empty := false
	switch of {
	case Players:
		var p Player
		p, err = DecodePlayer(data, foreign)
		again, key, empty = p.Append(nil), OrderKey(nil, p.LastName, true, false), p.LastName+p.FirstName == ""
	case Tournaments:
		var t model.Tournament
		var today model.Nation
		t, today, err = DecodeTournament(data, foreign)
		year := t.Start.Year
		again, key, empty = AppendTournament(nil, t, today), OrderKey([]byte{byte(year >> 8), byte(year)}, t.Title, false, false), t.Title+t.Place == "" && t.Start.IsZero()
	case Sources:
		var p model.Publication
		p, err = DecodeSource(data, foreign)
		again, key, empty = AppendSource(nil, p), OrderKey(nil, p.Title, true, true), p.Title == ""
	case Teams:
		var t model.Team
		t, err = DecodeTeam(data, foreign)
		again, key, empty = AppendTeam(nil, t), OrderKey(nil, t.Title, true, true), t == model.Team{}
	case Tags:
		var t model.GameTitle
		t, _, err = DecodeTag(data, foreign)
		again, empty = AppendTag(nil, t), t == model.GameTitle{}
		for _, title := range guideTitles(t) {
			if title.Text != "" {
				key = OrderKey([]byte{byte(title.Language)}, title.Text, true, true)
				break
			}
		}
	}
	if empty {
		key = 1
	}
	return again, key, err
}

// NumberName returns data of an entity whose name is its number.
func NumberName(of EntityType, id int64) []byte {
	name := fmt.Sprintf("#%d", id)
	switch of {
	case Players:
		return Player{Player: model.Player{LastName: name}}.Append(nil)
	case Tournaments:
		return AppendTournament(nil, model.Tournament{Title: name}, 0)
	case Sources:
		return AppendSource(nil, model.Publication{Title: name})
	case Teams:
		return AppendTeam(nil, model.Team{Title: name})
	}
	return AppendTag(nil, model.GameTitle{Titles: [8]string{name}})
}

// NamesHeader is the header of .2lid, big-endian:
//
//	0  4  size of the header
//	4  4  types; for each: i32 size of its records, i64 entities, i64 first deleted id
//
// and pairs of unknown numbers. The entities with the id i stand together in a block,
// by type: at the size of the header plus i times that of a block.
type NamesHeader struct {
	Size  int64
	Types []NamesType
	Tail  []byte // the pairs
}

// NamesType is a type in the header of .2lid.
type NamesType struct {
	Record       int64 // size of a record, 0 for none
	Offset       int64 // of the record in a block
	Count        int64 // of entities, deleted ones included
	FirstDeleted int64 // -1 for none
}

// The limits of what is believed of the header.
const (
	MaxNamesHeader = 64 << 10
	maxTypes       = 32
	maxNameRecord  = 1 << 20
)

// DecodeNamesHeader reads the header, whose size its first four bytes say.
func DecodeNamesHeader(b []byte) (h NamesHeader, err error) {
	c := wire.NewCursor(b)
	h.Size = int64(c.U32BE())
	types := c.I32BE()
	switch {
	case c.Err() != nil:
		return h, c.Err()
	case types < 6 || types > maxTypes:
		return h, wrong(4, "types", model.ErrCorrupt, "%d types of entities", types)
	case h.Size < 8+20*int64(types) || h.Size > MaxNamesHeader || h.Size > int64(len(b)):
		return h, wrong(0, "size", model.ErrCorrupt, "%d bytes are no header of %d types", h.Size, types)
	}
	offset := int64(0)
	for i := range types {
		t := NamesType{Record: int64(c.U32BE()), Offset: offset, Count: int64(c.U64BE()), FirstDeleted: int64(c.U64BE())}
		if t.Record > maxNameRecord || t.Count < 0 || t.Count > math.MaxInt32 || t.Record == 0 && t.Count > 0 {
			return h, wrong(8+20*int(i), "types", model.ErrCorrupt, "%d entities of %d bytes", t.Count, t.Record)
		}
		offset += t.Record
		h.Types = append(h.Types, t)
	}
	h.Tail = bytes.Clone(b[c.Offset():h.Size])
	return h, nil
}

// Append appends the header.
func (h *NamesHeader) Append(dst []byte) []byte {
	dst = wire.AppendU32BE(wire.AppendU32BE(dst, uint32(h.Size)), uint32(len(h.Types)))
	for _, t := range h.Types {
		dst = wire.AppendU64BE(wire.AppendU64BE(wire.AppendU32BE(dst, uint32(t.Record)), uint64(t.Count)), uint64(t.FirstDeleted))
	}
	return append(dst, h.Tail...)
}

// Block returns the size of a block, which holds one record of each type.
func (h *NamesHeader) Block() (n int64) {
	for _, t := range h.Types {
		n += t.Record
	}
	return n
}

// Place returns where the record of an entity stands.
func (h *NamesHeader) Place(t EntityType, id int64) int64 {
	return h.Size + id*h.Block() + h.Types[t].Offset
}

// deletedMark begins the record of a deleted entity; the id of the next one follows.
var deletedMark = []byte{0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88, 0x99}

// EntityData returns the data of an entity from its record, which begins with their
// size. There are none where the entity is deleted (next is the deleted one behind it,
// -1 for none) or was never made (used is false).
func EntityData(record []byte) (data []byte, next int64, used bool, err error) {
	c := wire.NewCursor(record)
	data = sized(&c)
	if c.Err() != nil {
		return nil, 0, false, wrong(0, "size", model.ErrCorrupt, "the entity exceeds its %d bytes", len(record))
	}
	if len(data) == 16 && bytes.Equal(data[:8], deletedMark) {
		d := wire.NewCursor(data[8:])
		return nil, int64(d.U64LE()), true, nil
	}
	return data, 0, len(data) > 0, nil
}

// EntitySize returns the size of the record of an entity, of which the beginning is
// given, with the four bytes that say it.
func EntitySize(b []byte) int64 {
	c := wire.NewCursor(b)
	return int64(c.U32LE()) + 4
}

// AppendDeleted appends the record of a deleted entity.
func AppendDeleted(dst []byte, next int64) []byte {
	return wire.AppendU64LE(append(wire.AppendU32LE(dst, 16), deletedMark...), uint64(next))
}

// Player is a player, an annotator or an author.
type Player struct {
	model.Player
	ID   int32 // in ChessBase's base of players; -1 never looked up, 0 none
	FIDE int64 // the id that FIDE gives; -1 never looked up, 0 none
}

// DecodePlayer reads the data of a player; what follows them is left.
func DecodePlayer(data []byte, foreign func([]byte) string) (p Player, err error) {
	c := wire.NewCursor(data)
	p.LastName, p.FirstName = decodeText(sized(&c), foreign), decodeText(sized(&c), foreign)
	c.Skip(8)
	p.ID = c.I32LE()
	c.Skip(4)
	p.FIDE = int64(c.U64LE())
	return p, c.Err()
}

// Append appends the data of the player.
func (p Player) Append(dst []byte) []byte {
	dst = wire.AppendZeros(appendSized(appendSized(dst, p.LastName), p.FirstName), 8)
	dst = wire.AppendU32LE(wire.AppendI32LE(dst, p.ID), 8)
	return wire.AppendU64LE(dst, uint64(p.FIDE))
}

// DecodeSource reads the data of a source.
func DecodeSource(data []byte, foreign func([]byte) string) (s model.Publication, err error) {
	c := wire.NewCursor(data)
	s.Title, s.Publisher = decodeText(sized(&c), foreign), decodeText(sized(&c), foreign)
	s.Published, s.Date = date(c.U32LE()), date(c.U32LE())
	s.Version, s.Quality = uint8(c.U16LE()), model.Quality(c.U16LE())
	return s, c.Err()
}

// AppendSource appends the data of a source.
func AppendSource(dst []byte, s model.Publication) []byte {
	dst = appendSized(appendSized(dst, s.Title), s.Publisher)
	dst = wire.AppendU32LE(wire.AppendU32LE(dst, storedDate(s.Published)), storedDate(s.Date))
	return wire.AppendU16LE(wire.AppendU16LE(dst, uint16(s.Version)), uint16(s.Quality))
}

// DecodeTeam reads the data of a team.
func DecodeTeam(data []byte, foreign func([]byte) string) (t model.Team, err error) {
	c := wire.NewCursor(data)
	t.Title = decodeText(sized(&c), foreign)
	t.Number, t.Season, t.Year, t.Nation = int32(c.U8()), c.U8()&1 != 0, int32(c.U16LE()), model.Nation(c.U8())
	return t, c.Err()
}

// AppendTeam appends the data of a team.
func AppendTeam(dst []byte, t model.Team) []byte {
	season := byte(0)
	if t.Season {
		season = 1
	}
	dst = append(appendSized(dst, t.Title), byte(t.Number), season)
	return append(wire.AppendU16LE(dst, uint16(t.Year)), byte(t.Nation))
}

// titleOrder are the languages of titles in the model's order; the eighth has no number.
var titleOrder = [...]model.Language{model.English, model.German, model.French, model.Spanish, model.Italian, model.Dutch, model.Portuguese}

// LocalTitles returns the titles that there are with their languages.
func LocalTitles(t model.GameTitle) (titles []model.LocalText) {
	for i, language := range titleOrder {
		if t.Titles[i] != "" {
			titles = append(titles, model.LocalText{Language: language, Text: t.Titles[i]})
		}
	}
	return titles
}

// DecodeTag reads the data of a title. Those in other languages than the seven that
// ChessBase offers are counted in others.
func DecodeTag(data []byte, foreign func([]byte) string) (t model.GameTitle, others int, err error) {
	c := wire.NewCursor(data)
	texts, err := localTexts(&c, foreign)
	for _, text := range texts {
		if i := slices.Index(titleOrder[:], text.Language); i >= 0 {
			t.Titles[i] = text.Text
		} else {
			others++
		}
	}
	return t, others, err
}

// AppendTag appends the data of a title; that of an empty one has no languages.
func AppendTag(dst []byte, t model.GameTitle) []byte {
	if t == (model.GameTitle{}) {
		return wire.AppendU32LE(dst, 0)
	}
	return appendLocalTexts(dst, guideTitles(t))
}

// guideTitles returns the titles in the order in which they are stored.
func guideTitles(t model.GameTitle) (texts []model.LocalText) {
	for _, language := range guideLanguages {
		texts = append(texts, model.LocalText{Language: language, Text: t.Titles[slices.Index(titleOrder[:], language)]})
	}
	return texts
}

// tieBreaks are the rules for ties of the classic format by their new numbers.
var tieBreaks = map[uint16]uint8{0: 2, 1: 10, 2: 11, 3: 12, 4: 13, 5: 14, 11: 201, 12: 202, 13: 203, 14: 204, 16: 21, 17: 22, 18: 23, 19: 200, 21: 206}

// The data of a tournament behind its two names:
//
//	0  4  start           10  1  rounds               60  2k  rules for ties
//	4  1  type            11  1  0                    60+2k  4  end
//	5  1  bit 0 team      12  4  latitude, float      64+2k 44  0
//	6  1  nation          16  4  longitude
//	7  1  0               20  1  nation today
//	8  1  category        21 37  0, but 7 at 34, 45, 56
//	9  1  marks           58  2  k, rules for ties
const (
	markLegacyComplete = 1 << iota
	markComplete
	markBoardPoints
	markThreePoints
)

// DecodeTournament reads the data of a tournament; today is the nation in which its
// place lies now.
func DecodeTournament(data []byte, foreign func([]byte) string) (t model.Tournament, today model.Nation, err error) {
	c := wire.NewCursor(data)
	t.Place, t.Title = decodeText(sized(&c), foreign), decodeText(sized(&c), foreign)
	t.Start = date(c.U32LE())
	t.Type = wire.EventType(c.U16LE())
	t.Nation = model.Nation(c.U8())
	c.Skip(1)
	t.Category = c.U8()
	marks := c.U8()
	t.Complete, t.LegacyComplete, t.BoardPoints, t.ThreePoints = marks&markComplete != 0, marks&markLegacyComplete != 0, marks&markBoardPoints != 0, marks&markThreePoints != 0
	t.Rounds = c.U8()
	c.Skip(1)
	t.Latitude, t.Longitude = float64(math.Float32frombits(c.U32LE())), float64(math.Float32frombits(c.U32LE()))
	today = model.Nation(c.U8())
	c.Skip(37)
	rules := c.Bytes(2 * int(c.U16LE()))
	for i := 0; i < len(rules) && i/2 < len(t.TieBreaks); i += 2 {
		rule := uint16(rules[i]) | uint16(rules[i+1])<<8
		if t.TieBreaks[i/2] = tieBreaks[rule]; t.TieBreaks[i/2] == 0 {
			t.TieBreaks[i/2] = uint8(rule)
		}
	}
	t.End = date(c.U32LE())
	return t, today, c.Err()
}

// AppendTournament appends the data of a tournament.
func AppendTournament(dst []byte, t model.Tournament, today model.Nation) []byte {
	dst = wire.AppendU32LE(appendSized(appendSized(dst, t.Place), t.Title), storedDate(t.Start))
	dst = append(wire.AppendU16LE(dst, wire.EventNumber(t.Type)), byte(t.Nation), 0, t.Category)
	marks := byte(0)
	for i, set := range [4]bool{t.LegacyComplete, t.Complete, t.BoardPoints, t.ThreePoints} {
		if set {
			marks |= 1 << i
		}
	}
	dst = append(dst, marks, t.Rounds, 0)
	dst = wire.AppendU32LE(wire.AppendU32LE(dst, math.Float32bits(float32(t.Latitude))), math.Float32bits(float32(t.Longitude)))
	begin := len(dst)
	dst = wire.AppendZeros(append(dst, byte(today)), 37)
	for _, at := range [3]int{34, 45, 56} {
		dst[begin+at-20] = 7
	}
	n := slices.Index(t.TieBreaks[:], 0)
	if n < 0 {
		n = len(t.TieBreaks)
	}
	dst = wire.AppendU16LE(dst, uint16(n))
	for _, rule := range t.TieBreaks[:n] {
		stored := uint16(rule)
		for number, classic := range tieBreaks {
			if classic == rule {
				stored = number
			}
		}
		dst = wire.AppendU16LE(dst, stored)
	}
	return wire.AppendZeros(wire.AppendU32LE(dst, storedDate(t.End)), 44)
}
