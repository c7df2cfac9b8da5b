package cbh

import (
	"math/bits"
	"time"
)

// Stamps of .cbj records (docs/formats/cbh-entities.md 5.3): the creation stamp counts
// 1/1024 seconds since 2008-12-01, the last change 100 nanoseconds since
// 1582-10-15, both from midnight, taken as UTC here. (Stored creation stamps
// are off by an hour in summer.)
var (
	creationEpoch = time.Date(2008, 12, 1, 0, 0, 0, 0, time.UTC).Unix()
	changeEpoch   = time.Date(1582, 10, 15, 0, 0, 0, 0, time.UTC).Unix()
	// endOfTime is the first second that is no time any more for Go's printers.
	endOfTime = time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC).Unix()
)

const (
	creationTicks = 1024       // per second
	changeTicks   = 10_000_000 // per second
)

// CreationTime returns the time of a creation stamp; ok is false for stamps
// beyond the year 9999.
func CreationTime(stamp uint64) (t time.Time, ok bool) {
	return stampTime(stamp, creationEpoch, creationTicks)
}

// CreationStamp returns the creation stamp of t, rounded down, and 0 for times
// before the epoch and beyond 64 bits.
func CreationStamp(t time.Time) uint64 { return timeStamp(t, creationEpoch, creationTicks) }

// ChangeTime returns the time of a last-change stamp; ok is false for 0, which
// means never, and for stamps beyond the year 9999.
func ChangeTime(stamp uint64) (t time.Time, ok bool) {
	if stamp == 0 {
		return time.Time{}, false
	}
	return stampTime(stamp, changeEpoch, changeTicks)
}

// ChangeStamp returns the last-change stamp of t, rounded down, and 0 for times
// before the epoch and beyond 64 bits.
func ChangeStamp(t time.Time) uint64 { return timeStamp(t, changeEpoch, changeTicks) }

// stampTime rounds up to a nanosecond so that timeStamp, which rounds down,
// gives the stamp again.
func stampTime(stamp uint64, epoch int64, ticks uint64) (time.Time, bool) {
	seconds := stamp / ticks
	if seconds >= uint64(endOfTime-epoch) {
		return time.Time{}, false
	}
	nanos := (stamp%ticks*1_000_000_000 + ticks - 1) / ticks
	return time.Unix(epoch+int64(seconds), int64(nanos)).UTC(), true
}

func timeStamp(t time.Time, epoch int64, ticks uint64) uint64 {
	if t.Unix() < epoch {
		return 0
	}
	high, whole := bits.Mul64(uint64(t.Unix()-epoch), ticks)
	if high != 0 {
		return 0
	}
	return whole + uint64(t.Nanosecond())*ticks/1_000_000_000
}
