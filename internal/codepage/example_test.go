package codepage_test

import (
	"fmt"

	"cbkit/internal/codepage"
)

// Names as a Russian database stores them.
func Example() {
	var d codepage.Detector
	for _, name := range []string{
		"\xca\xe0\xf1\xef\xe0\xf0\xee\xe2, \xc3\xe0\xf0\xf0\xe8", "\xca\xe0\xf0\xef\xee\xe2", "\xd2\xe0\xeb\xfc, \xcc\xe8\xf5\xe0\xe8\xeb",
	} {
		d.Add([]byte(name))
	}
	guess := d.Guess()
	fmt.Println(guess.Page, guess.Language, guess.Clear)
	// Output: 1251 Russian true
}
