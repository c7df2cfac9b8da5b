package cbh

import (
	"slices"

	"cbkit/model"
)

// dateBits are the bits of a packed date: year 9-20, month 5-8, day 0-4.
const dateBits = 1<<21 - 1

// UnpackDate returns the date in a packed number (year<<9 | month<<5 | day,
// 0 for unknown parts; docs/formats/cbh-entities.md 6.1). Bits above 20 mean nothing.
func UnpackDate(v uint32) model.Date {
	return model.Date{Year: uint16(v >> 9 & 0xFFF), Month: uint8(v >> 5 & 15), Day: uint8(v & 31)}
}

// PackDate is the inverse of UnpackDate. Parts that do not fit (a year above
// 4095, a month above 15, a day above 31) become unknown; ok says that there
// were none.
func PackDate(d model.Date) (v uint32, ok bool) {
	ok = true
	part := func(value, limit uint32) uint32 {
		if value > limit {
			ok = false
			return 0
		}
		return value
	}
	v = part(uint32(d.Year), 0xFFF)<<9 | part(uint32(d.Month), 15)<<5 | part(uint32(d.Day), 31)
	return v, ok
}

// results are the results by their number in .cbh and .cba files
// (docs/formats/cbh-entities.md 6.2).
var results = [8]model.Result{
	model.BlackWins, model.Draw, model.WhiteWins, model.NoResult,
	model.BlackWinsByForfeit, model.DrawByForfeit, model.WhiteWinsByForfeit, model.BothLose,
}

const noResult = 3 // the number of model.NoResult

// UnpackResult returns the result with the given number, false for a number
// that means nothing.
func UnpackResult(b uint8) (model.Result, bool) {
	if int(b) >= len(results) {
		return model.NoResult, false
	}
	return results[b], true
}

// PackResult returns the number of a result, that of model.NoResult for values
// without one.
func PackResult(r model.Result) uint8 {
	if i := slices.Index(results[:], r); i >= 0 {
		return uint8(i)
	}
	return noResult
}

// chess960Base is the first of the 960 numbers, up to 65535, that are a
// starting position in the place of an opening.
const chess960Base = 0x10000 - 960

// UnpackOpening returns the ECO code in the opening word of a game, or the
// number of the Chess960 starting position (0 to 959, 518 is the orthodox one),
// -1 if there is none (docs/formats/cbh-entities.md 6.3). A word that is neither gives
// no code.
func UnpackOpening(word uint16) (eco model.ECO, chess960 int) {
	if word >= chess960Base {
		return 0, int(word - chess960Base)
	}
	if eco = model.ECO(word); !eco.Valid() {
		eco = 0
	}
	return eco, -1
}

// PackOpening is the inverse of UnpackOpening. With a starting position the
// code has no place.
func PackOpening(eco model.ECO, chess960 int) uint16 {
	if chess960 >= 0 && chess960 < 960 {
		return chess960Base + uint16(chess960)
	}
	if !eco.Valid() {
		return 0
	}
	return uint16(eco)
}
