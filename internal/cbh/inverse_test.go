package cbh

import "time"

// What only tests do: decoding what the library writes alone, and making what it
// copies.

// SetMaterial stores the material of both sides in the order the format wants.
func (r *ExtRecord) SetMaterial(one, other uint16) {
	r.Material = [2]uint32{uint32(max(one, other)), uint32(min(one, other))}
}

// ListName returns the name of the list, such as "FIDE" or "ICCF", empty for
// national ones.
func (t RatingType) ListName(cp CodePage) string { return cp.Decode(beforeNUL(t.Name[:])) }

// AppendField appends s in a field of the given size, at least 1, with a NUL at
// the end and zeros to fill: putField, in a slice of its own.
func (p CodePage) AppendField(dst []byte, s string, size int) (out []byte, cut bool) {
	start := len(dst)
	dst = append(dst, make([]byte, size)...)
	return dst, p.putField(dst[start:], s, size-1)
}

// endOfTime is the first second that is no time any more for Go's printers.
var endOfTime = time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC).Unix()

// CreationTime returns the time of a creation stamp; ok is false for stamps
// beyond the year 9999.
func CreationTime(stamp uint64) (t time.Time, ok bool) {
	return stampTime(stamp, creationEpoch, creationTicks)
}

// ChangeTime returns the time of a last-change stamp; ok is false for 0, which
// means never, and for stamps beyond the year 9999.
func ChangeTime(stamp uint64) (t time.Time, ok bool) {
	if stamp == 0 {
		return time.Time{}, false
	}
	return stampTime(stamp, changeEpoch, changeTicks)
}

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
