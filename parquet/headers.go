package parquet

import (
	"math"
	"slices"
	"strconv"
	"time"

	"cbkit/internal/headerfields"
	"cbkit/model"
)

// siteText returns the place of the tournament; without one the tag, which is
// an address on the web as a rule.
func (g *played) siteText() string {
	if g.site != "" {
		return g.site
	}
	return g.header.Tag("Site")
}

// variant returns the rules that are not those of chess.
func (g *played) variant() string {
	if g.start != nil && g.start.Chess960 {
		return "chess960"
	}
	return ""
}

// tagBefore reports whether an earlier tag has the name of tag number i.
func (g *played) tagBefore(i int) bool {
	name := g.header.Tags[i].Name
	return slices.ContainsFunc(g.header.Tags[:i], func(t model.Tag) bool { return t.Name == name })
}

// inColumn reports whether a column of its own has tag number i to the letter.
func (g *played) inColumn(i int) bool {
	t := g.header.Tags[i]
	if t.Value == "" || g.tagBefore(i) {
		return false
	}
	if t.Name == "Site" {
		return g.site == "" && headerfields.IsAddress(t.Value)
	}
	c := tagColumns[t.Name]
	if c == nil || c.code == nil {
		return c != nil
	}
	n := c.code.parse(t.Value)
	return n != unknown && c.code.format(int32(n)) == t.Value
}

// tagCode is how a tag is stored as a number.
type tagCode struct {
	parse  func(value string) maybe
	format func(n int32) string
	// read returns the number that stands in field i of a file, if there is one.
	read func(d *columnDecoder, i int) (n int32, there bool, err error)
}

var (
	diffCode = tagCode{parseDiff, formatDiff, func(d *columnDecoder, i int) (int32, bool, error) {
		n, err := d.number(i, math.MinInt16, math.MaxInt16)
		return int32(n), n != unknown, err
	}}
	dateCode = tagCode{parseUTCDate, formatDate, func(d *columnDecoder, i int) (int32, bool, error) {
		v, there := d.value(i)
		return v.Int32(), there, nil
	}}
	timeCode = tagCode{parseUTCTime, formatTime, (*columnDecoder).timeOfDay}
)

// parseDiff reads the change of a rating, "+6" or "-4".
func parseDiff(s string) maybe {
	n, err := strconv.ParseInt(s, 10, 16)
	if err != nil {
		return unknown
	}
	return maybe(n)
}

func formatDiff(n int32) string {
	if n < 0 {
		return strconv.Itoa(int(n))
	}
	return "+" + strconv.Itoa(int(n))
}

// daysOf returns the days since 1970-01-01 of a date that is wholly known.
func daysOf(d model.Date) maybe {
	if d.Year == 0 || d.Month == 0 || d.Day == 0 || d.Year > 9999 {
		return unknown
	}
	t := time.Date(int(d.Year), time.Month(d.Month), int(d.Day), 0, 0, 0, 0, time.UTC)
	if t.Day() != int(d.Day) || t.Month() != time.Month(d.Month) {
		return unknown // there is no such day
	}
	return maybe(t.Unix() / secondsPerDay)
}

const secondsPerDay = 24 * 60 * 60

// dateOf returns the date so many days after 1970-01-01.
func dateOf(days int64) model.Date {
	t := time.Unix(days*secondsPerDay, 0).UTC()
	if t.Year() < 1 || t.Year() > 9999 {
		return model.Date{}
	}
	return model.Date{Year: uint16(t.Year()), Month: uint8(t.Month()), Day: uint8(t.Day())}
}

func parseUTCDate(s string) maybe {
	d, ok := model.ParseDate(s)
	if !ok {
		return unknown
	}
	return daysOf(d)
}

func formatDate(days int32) string { return dateOf(int64(days)).String() }

// parseUTCTime reads "09:54:39" as milliseconds since midnight.
func parseUTCTime(s string) maybe {
	if len(s) != 8 || s[2] != ':' || s[5] != ':' {
		return unknown
	}
	total := maybe(0)
	for i, limit := range [...]maybe{24, 60, 60} {
		tens, ones := s[3*i]-'0', s[3*i+1]-'0'
		n := 10*maybe(tens) + maybe(ones)
		if tens > 9 || ones > 9 || n >= limit {
			return unknown
		}
		total = 60*total + n
	}
	return 1000 * total
}

func formatTime(ms int32) string {
	return time.UnixMilli(int64(ms)).UTC().Format("15:04:05")
}

// ecoSub returns the sub-code.
func ecoSub(e model.ECO) int32 {
	if !e.Valid() {
		return 0
	}
	return int32(e.Sub())
}
