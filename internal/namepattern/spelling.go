package namepattern

import "strings"

// cyrillic spells Cyrillic letters as FIDE and most newspapers do: what Fold makes of
// them, so that names in both scripts meet.
var cyrillic = map[rune]string{
	'а': "a", 'б': "b", 'в': "v", 'г': "g", 'д': "d", 'е': "e", 'ж': "zh", 'з': "z", 'и': "i", 'к': "k", 'л': "l", 'м': "m",
	'н': "n", 'о': "o", 'п': "p", 'р': "r", 'с': "s", 'т': "t", 'у': "u", 'ф': "f", 'х': "kh", 'ц': "ts", 'ч': "ch", 'ш': "sh",
	'щ': "shch", 'ъ': "", 'ы': "y", 'ь': "", 'э': "e", 'ю': "yu", 'я': "ya",
	'і': "i", 'є': "ye", 'ґ': "g", 'ђ': "dj", 'ј': "j", 'љ': "lj", 'њ': "nj", 'ћ': "c", 'џ': "dz",
}

// languages are groups of letters that languages write differently for one sound.
var languages = strings.NewReplacer(
	"schtsch", "s", "shch", "s", "chtch", "s", "tsch", "c", "tch", "c", "cz", "c", "ch", "c", "sch", "s", "sh", "s", "zh", "z",
	"kh", "h", "tz", "z", "ts", "z", "ks", "x", "ck", "k", "ph", "f", "w", "v", "y", "i", "j", "i",
)

// voiced are letters that say no more of a sound than others do, for soundOf.
var voiced = strings.NewReplacer("th", "t", "gh", "g", "q", "k", "dj", "j", "dz", "z")

// spelling returns what the spellings of a folded name have in common: Kortschnoj and
// Korchnoi, Jussupow and Yusupov, Petrosyan and Petrosian, Mueller and Müller.
func spelling(folded string) string {
	s := languages.Replace(folded)
	for i := 1; i < len(s); i++ {
		if s[i] == s[i-1] || isUmlaut(s, i) {
			return shortened(s)
		}
	}
	return s
}

// shortened leaves out letters that follow themselves, and the e of ä, ö and ü.
func shortened(s string) string {
	var b strings.Builder
	for i, r := range s {
		if i == 0 || s[i] != s[i-1] && !isUmlaut(s, i) || r >= 0x80 {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// isUmlaut reports whether the letter at i is an e that makes ä, ö or ü of the one in
// front of it: inside a word, so that Xue is not Xu.
func isUmlaut(s string, i int) bool {
	return s[i] == 'e' && strings.IndexByte("aou", s[i-1]) >= 0 && i+1 < len(s) && s[i+1] != ' '
}

// beginOf returns a bit for the letters that one sound at the beginning of a word can
// be written with.
func beginOf(c byte) uint32 {
	switch {
	case strings.IndexByte("ckqstzhx", c) >= 0:
		return 1
	case c == 'v' || c == 'w':
		return 2
	case c == 'i' || c == 'j' || c == 'y':
		return 4
	case c == 'f' || c == 'p':
		return 8
	case 'a' <= c && c <= 'z':
		return 1 << (c - 'a' + 4)
	}
	return 1 << 31
}
