package dbfile

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// FoldName returns what is the same for two names of files that are one on some
// system: they differ in case alone, or in how accents are stored.
func FoldName(name string) string {
	return norm.NFC.String(strings.ToLower(strings.ToUpper(norm.NFD.String(name))))
}

// devices are names that Windows gives to devices, whatever their ending.
var devices = map[string]bool{"CON": true, "PRN": true, "AUX": true, "NUL": true, "CONIN$": true, "CONOUT$": true}

// IsDevice reports whether a file of that name would be a device on Windows,
// whatever its ending.
func IsDevice(name string) bool {
	stem, _, _ := strings.Cut(name, ".")
	stem = strings.ToUpper(strings.TrimRight(stem, " "))
	if devices[stem] {
		return true
	}
	number, isPort := strings.CutPrefix(stem, "COM")
	if !isPort {
		number, isPort = strings.CutPrefix(stem, "LPT")
	}
	return isPort && utf8.RuneCountInString(number) == 1 && strings.Contains("0123456789¹²³", number)
}
