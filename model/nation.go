package model

import (
	"strconv"
	"strings"
)

// Nation is a country or association by ChessBase's index; 0 is none. Its
// three-letter codes are those of [Nation.Code].
type Nation uint8

// Code returns the three-letter code, "" for none or an index without one.
func (n Nation) Code() string { return nationCodes[n] }

// String returns the code, and "#74" for an index that has none.
func (n Nation) String() string {
	if code := nationCodes[n]; code != "" || n == 0 {
		return code
	}
	return "#" + strconv.Itoa(int(n))
}

// ParseNation reads what [Nation.String] returns.
func ParseNation(s string) (Nation, bool) {
	if index, found := strings.CutPrefix(s, "#"); found {
		n, err := strconv.ParseUint(index, 10, 8)
		return Nation(n), err == nil
	}
	n, ok := nationByCode[s]
	return n, ok || s == ""
}

var nationByCode = func() map[string]Nation {
	m := make(map[string]Nation, len(nationCodes))
	for i, code := range nationCodes {
		if _, seen := m[code]; code != "" && !seen {
			m[code] = Nation(i)
		}
	}
	return m
}()
