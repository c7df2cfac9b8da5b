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
	s := folded
	for i := range len(s) {
		if c := s[i]; c == 'w' || c == 'y' || c == 'j' || i > 0 && strings.IndexByte("hzsk", c) >= 0 && strings.IndexByte("ctszkp", s[i-1]) >= 0 {
			s = languages.Replace(s)
			break
		}
	}
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

// signOf returns what all spellings of a word have in common: how it begins, and which letters
// it has that no language writes with others.
func signOf[T string | []byte](word T) uint64 {
	return uint64(sounds[word[0]])<<32 | uint64(lettersOf(word))
}

func lettersOf[T string | []byte](name T) (letters uint32) {
	for i := range len(name) {
		letters |= sounds[name[i]]
	}
	return letters &^ (1 | sounds['e'])
}

// sounds have a bit for the letters that one sound at the beginning of a word can be written
// with; none are what stands between words.
var sounds = func() (bits [256]uint32) {
	for c := range bits {
		switch low := c | ' '; {
		case c >= 0x80 || c >= '0' && c <= '9':
			bits[c] = 1 << 31
		case low < 'a' || low > 'z' || c < 'A':
		case strings.IndexByte("ckqstzhx", byte(low)) >= 0:
			bits[c] = 1
		case low == 'v' || low == 'w':
			bits[c] = 2
		case low == 'i' || low == 'j' || low == 'y':
			bits[c] = 4
		case low == 'f' || low == 'p':
			bits[c] = 8
		default:
			bits[c] = 1 << (low - 'a' + 4)
		}
	}
	return bits
}()
