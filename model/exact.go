package model

import (
	"fmt"
	"strconv"
	"strings"
)

// AppendText appends the date exactly: as [Date.String] does where that says
// everything, else as "#1997.13.40". It implements [encoding.TextAppender];
// the error is nil.
func (d Date) AppendText(dst []byte) ([]byte, error) {
	if d.Month <= 12 && d.Day <= 31 {
		return append(dst, d.String()...), nil
	}
	return fmt.Appendf(dst, "#%d.%d.%d", d.Year, d.Month, d.Day), nil
}

// UnmarshalText reads what [Date.AppendText] writes.
func (d *Date) UnmarshalText(text []byte) error {
	var ok bool
	if numbers, found := strings.CutPrefix(string(text), "#"); found {
		*d, ok = parseDateNumbers(numbers)
	} else {
		*d, ok = ParseDate(string(text))
	}
	if !ok {
		return fmt.Errorf("%.40q is not a date such as \"1997.05.??\"", text)
	}
	return nil
}

func parseDateNumbers(s string) (d Date, ok bool) {
	part := strings.Split(s, ".")
	if len(part) != 3 {
		return d, false
	}
	year, err1 := strconv.ParseUint(part[0], 10, 16)
	month, err2 := strconv.ParseUint(part[1], 10, 8)
	day, err3 := strconv.ParseUint(part[2], 10, 8)
	return Date{uint16(year), uint8(month), uint8(day)}, err1 == nil && err2 == nil && err3 == nil
}

// AppendText appends the code exactly: as [ECO.String] does for valid codes
// and for none, else as "#65535". It implements [encoding.TextAppender]; the
// error is nil.
func (e ECO) AppendText(dst []byte) ([]byte, error) {
	if e == 0 || e.Valid() {
		return e.appendCode(dst), nil
	}
	return strconv.AppendUint(append(dst, '#'), uint64(e), 10), nil
}

// UnmarshalText reads what [ECO.AppendText] writes.
func (e *ECO) UnmarshalText(text []byte) error {
	s := string(text)
	if number, found := strings.CutPrefix(s, "#"); found {
		n, err := strconv.ParseUint(number, 10, 16)
		*e = ECO(n)
		if err == nil {
			return nil
		}
	} else if code, ok := ParseECO(s); ok || s == "" {
		*e = code
		return nil
	}
	return fmt.Errorf("%.40q is not an ECO code such as \"C50\" or \"C50/08\"", text)
}
