package model

import (
	"cmp"
	"strconv"
	"strings"
	"time"
)

// Result is how a game ended.
type Result uint8

// The results. The forfeits are games decided without play.
const (
	NoResult Result = iota
	WhiteWins
	BlackWins
	Draw
	WhiteWinsByForfeit
	BlackWinsByForfeit
	DrawByForfeit
	BothLose
)

// String returns PGN's word: "1-0", "0-1", "1/2-1/2", "0-0" or "*". A forfeit
// has the word of the plain result.
func (r Result) String() string {
	switch r {
	case WhiteWins, WhiteWinsByForfeit:
		return "1-0"
	case BlackWins, BlackWinsByForfeit:
		return "0-1"
	case Draw, DrawByForfeit:
		return "1/2-1/2"
	case BothLose:
		return "0-0"
	}
	return "*"
}

// Winner returns the side that has won, even without play; ok is false if neither has.
func (r Result) Winner() (c Color, ok bool) {
	switch r {
	case WhiteWins, WhiteWinsByForfeit:
		return White, true
	case BlackWins, BlackWinsByForfeit:
		return Black, true
	}
	return 0, false
}

// IsForfeit reports whether the game was decided without play.
func (r Result) IsForfeit() bool { return r >= WhiteWinsByForfeit && r <= DrawByForfeit }

// Forfeit returns the forfeit with the same score; results that have none
// are returned as they are.
func (r Result) Forfeit() Result {
	switch r {
	case WhiteWins:
		return WhiteWinsByForfeit
	case BlackWins:
		return BlackWinsByForfeit
	case Draw:
		return DrawByForfeit
	}
	return r
}

// ParseResult reads PGN's words, and "½-½".
func ParseResult(s string) (Result, bool) {
	switch s {
	case "1-0":
		return WhiteWins, true
	case "0-1":
		return BlackWins, true
	case "1/2-1/2", "1/2", "½-½":
		return Draw, true
	case "0-0":
		return BothLose, true
	case "*":
		return NoResult, true
	}
	return NoResult, false
}

// Date is a calendar date. Any part may be unknown (0).
type Date struct {
	Year       uint16
	Month, Day uint8
}

// IsZero reports whether nothing is known.
func (d Date) IsZero() bool { return d == Date{} }

// String returns PGN's form, "1997.05.??"; an unknown date is "????.??.??".
func (d Date) String() string {
	var buf [len("65535.12.31")]byte
	return string(d.Append(buf[:0]))
}

// Append appends what [Date.String] returns.
func (d Date) Append(dst []byte) []byte {
	switch {
	case d.Year == 0:
		dst = append(dst, "????"...)
	case d.Year < 1000:
		dst = append(dst, '0', '0'+byte(d.Year/100), '0'+byte(d.Year/10%10), '0'+byte(d.Year%10))
	default:
		dst = strconv.AppendUint(dst, uint64(d.Year), 10)
	}
	return appendDatePart(appendDatePart(dst, d.Month), d.Day)
}

// appendDatePart appends a month or a day, of which the last two digits count.
func appendDatePart(dst []byte, n uint8) []byte {
	if n == 0 {
		return append(dst, ".??"...)
	}
	return append(dst, '.', '0'+n/10%10, '0'+n%10)
}

// ParseDate reads PGN's form, 1997.05.11, and 1997-05-11. Parts that are missing, not
// numbers or out of range (month above 12, day above 31, year above 65535) are unknown,
// and so is a year of fewer than four digits; ok says whether all of s was understood.
// From other forms it takes what is certain: "25.12.1998", "12/25/1998" (the month first
// only where the day cannot be), "12.1998", "1998-12-25T14:00"; a day that its month does
// not have is unknown in these.
func ParseDate(s string) (d Date, ok bool) {
	if d, ok = parseDots(s); ok {
		return d, true
	}
	return parseOtherDate(s, d)
}

// parseOtherDate reads a date in another form than PGN's; d is what there is of that.
func parseOtherDate(s string, d Date) (_ Date, ok bool) {
	if len(s) == len("1997-05-11") && s[4] == '-' && s[7] == '-' { // as ISO 8601 has it
		d, ok = parseDots(strings.ReplaceAll(s, "-", "."))
		known := d.withoutFalseDay()
		return known, ok && known == d && d.Day != 0
	}
	s = strings.ReplaceAll(strings.TrimSpace(s), ". ", ".")
	day := s // without the time behind it, or a remark
	if i := strings.IndexAny(s, " \t,;(T"); i > 0 && strings.IndexAny(strings.TrimLeft(s[i:], " \t,;"), "-–—/&+") != 0 {
		day = s[:i]
	}
	part := strings.FieldsFunc(day, func(r rune) bool { return r == '.' || r == '/' || r == '-' })
	isYear := func(s string) bool { n, ok := parseDatePart(s); return ok && len(s) == 4 && n > 0 }
	month := func(s string) int { n, _ := parseDatePart(s); return n }
	switch {
	case len(part) == 2 && len(part[0]) <= 2 && isYear(part[1]):
		part[0], part[1] = part[1], part[0]
	case len(part) == 2 && isYear(part[0]) && len(part[1]) <= 2 && 0 < month(part[1]) && month(part[1]) <= 12:
	case len(part) == 3 && isYear(part[0]):
	case len(part) == 3 && len(part[0]) <= 2 && isYear(part[2]):
		part[0], part[2] = part[2], part[0]
		if first := month(part[2]); month(part[1]) > 12 && month(part[1]) <= 31 && 0 < first && first <= 12 {
			part[1], part[2] = part[2], part[1]
		}
		if month(part[1]) > 12 {
			part = part[:1] // it is not known whose day this is
		}
	default:
		if first, _, _ := strings.Cut(s, "."); len(first) < 4 && month(first) > 0 {
			return Date{}, false // any part may be the year
		}
		return d, false
	}
	d, _ = parseDots(strings.Join(part, "."))
	return d.withoutFalseDay(), false
}

// withoutFalseDay returns a date without a day that its month does not have.
func (d Date) withoutFalseDay() Date {
	year := cmp.Or(int(d.Year), 2000) // 29 February may be if the year is not known
	if d.Month != 0 && int(d.Day) > time.Date(year, time.Month(d.Month)+1, 0, 0, 0, 0, 0, time.UTC).Day() {
		d.Day = 0
	}
	return d
}

// parseDots reads a date in PGN's form.
func parseDots(s string) (d Date, ok bool) {
	var part [3]int
	limit := [3]int{65535, 12, 31}
	ok = s != ""
	for i := range part {
		word, rest, _ := strings.Cut(s, ".")
		s = rest
		n, good := parseDatePart(word)
		if good && n <= limit[i] && (i > 0 || len(word) >= 4 || strings.Trim(word, "?") == "") {
			part[i] = n
		} else {
			ok = false
		}
	}
	return Date{uint16(part[0]), uint8(part[1]), uint8(part[2])}, ok && s == ""
}

func parseDatePart(word string) (n int, ok bool) {
	if strings.Trim(word, "?") == "" {
		return 0, true
	}
	for _, c := range []byte(word) {
		if c < '0' || c > '9' || n > 99999 {
			return 0, false
		}
		n = n*10 + int(c-'0')
	}
	return n, true
}

// ECO is a code of the Encyclopaedia of Chess Openings with a sub-code:
// 128*(1 + index) + sub, where index counts A00 as 0 and E99 as 499, and sub
// is 0 to 99. 0 is no code.
type ECO uint16

// NewECO returns the code with the given index (0-499) and sub-code (0-99).
func NewECO(index, sub int) ECO { return ECO((index+1)<<7 | sub&127) }

// Index returns 0 for A00 to 499 for E99, -1 for no code.
func (e ECO) Index() int { return int(e>>7) - 1 }

// Sub returns the sub-code, 0 if there is none.
func (e ECO) Sub() int { return int(e & 127) }

// Valid reports whether the code is one of A00 to E99 with a sub-code up to
// 99.
func (e ECO) Valid() bool { return e.Index() >= 0 && e.Index() < 500 && e.Sub() < 100 }

// String returns "C50", with a sub-code "C50/08", and "" if not [ECO.Valid].
func (e ECO) String() string {
	var buf [6]byte
	return string(e.appendCode(buf[:0]))
}

// appendCode appends what String returns.
func (e ECO) appendCode(dst []byte) []byte {
	if !e.Valid() {
		return dst
	}
	i := e.Index()
	dst = append(dst, 'A'+byte(i/100), '0'+byte(i/10%10), '0'+byte(i%10))
	if s := e.Sub(); s != 0 {
		dst = append(dst, '/', '0'+byte(s/10), '0'+byte(s%10))
	}
	return dst
}

// ParseECO reads "C50" and "C50/08".
func ParseECO(s string) (ECO, bool) {
	if len(s) != 3 && (len(s) != 6 || s[3] != '/') {
		return 0, false
	}
	digit := func(i int) int { return int(s[i]) - '0' }
	if s[0] < 'A' || s[0] > 'E' || !isDigits(s[1:3]) {
		return 0, false
	}
	sub := 0
	if len(s) == 6 {
		if !isDigits(s[4:]) {
			return 0, false
		}
		sub = digit(4)*10 + digit(5)
	}
	return NewECO(int(s[0]-'A')*100+digit(1)*10+digit(2), sub), true
}

func isDigits(s string) bool {
	for _, c := range []byte(s) {
		if c < '0' || c > '9' {
			return false
		}
	}
	return true
}

// NAG is a Numeric Annotation Glyph of PGN, the number after '$'. 0 is none.
type NAG uint8
