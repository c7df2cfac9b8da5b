package archive

import "time"

// Stamp is the date and time of a file as archives hold them: two decimal
// numbers, in local time (docs/formats/cbv.md 2).
type Stamp struct {
	// Date is yyyymmdd: 20160801 is 1 August 2016.
	Date uint32
	// Time is hhmmsscc, with hundredths of a second: 19172771 is 19:17:27.71.
	Time uint32
}

// hundredth is the unit of time in archives.
const hundredth = 10 * time.Millisecond

// StampOf returns the stamp of a moment, rounded to the nearest hundredth of a
// second, in the zone of t. A moment before the year 1 or after 9999 has the
// zero stamp.
func StampOf(t time.Time) Stamp {
	t = t.Round(hundredth)
	year, month, day := t.Date()
	if year < 1 || year > 9999 {
		return Stamp{}
	}
	hour, minute, second := t.Clock()
	return Stamp{
		Date: uint32(year*10_000 + int(month)*100 + day),
		Time: uint32(hour*1_000_000+minute*10_000+second*100) + uint32(t.Nanosecond()/int(hundredth)),
	}
}

// In returns the moment in a zone; ok is false if the numbers are no date or no
// time, such as 30 February.
func (s Stamp) In(zone *time.Location) (t time.Time, ok bool) {
	year, month, day := int(s.Date/10_000), time.Month(s.Date/100%100), int(s.Date%100)
	hour, minute := int(s.Time/1_000_000), int(s.Time/10_000%100)
	second, part := int(s.Time/100%100), int(s.Time%100)
	if year < 1 || year > 9999 || hour > 23 || minute > 59 || second > 59 {
		return time.Time{}, false
	}
	// The date alone, because a zone may skip an hour of it.
	noon := time.Date(year, month, day, 12, 0, 0, 0, time.UTC)
	if y, m, d := noon.Date(); y != year || m != month || d != day {
		return time.Time{}, false
	}
	return time.Date(year, month, day, hour, minute, second, part*int(hundredth), zone), true
}

// Valid reports whether the numbers are a date and a time.
func (s Stamp) Valid() bool { _, ok := s.In(time.UTC); return ok }
