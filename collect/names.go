package collect

import "cbkit/internal/namepattern"

// Fold returns a text in small letters without accents, with the letters that
// are no letter with an accent spelt out (ø o, ł l, ß ss), and with single
// blanks in place of everything that is neither letter nor digit.
func Fold(s string) string { return namepattern.Fold(s) }
