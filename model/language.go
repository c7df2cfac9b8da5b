package model

import "strconv"

// Language says which language a text is in. Numbers below 256 are those of
// [Nation], as annotations use them; AnyLanguage is a text for every reader.
// Numbers from GuideLanguageBase are languages of guiding texts that have no
// nation: base plus the stored number.
type Language uint16

// The languages with names of their own.
const (
	AnyLanguage Language = 0
	English     Language = 42
	Spanish     Language = 43
	French      Language = 49
	German      Language = 53
	Greek       Language = 55
	Italian     Language = 70
	Dutch       Language = 103
	Polish      Language = 116
	Portuguese  Language = 117

	GuideLanguageBase Language = 256
)

var languageTags = map[Language]string{
	AnyLanguage: "", English: "en", Spanish: "es", French: "fr", German: "de",
	Greek: "el", Italian: "it", Dutch: "nl", Polish: "pl", Portuguese: "pt",
}

// String returns the two-letter code of ISO 639-1, "" for AnyLanguage, and
// "#43"-like numbers for languages without a name here.
func (l Language) String() string {
	if tag, ok := languageTags[l]; ok {
		return tag
	}
	return "#" + strconv.Itoa(int(l))
}

// ParseLanguage reads what [Language.String] returns.
func ParseLanguage(s string) (Language, bool) {
	for l, tag := range languageTags {
		if tag == s {
			return l, true
		}
	}
	if s == "" || s[0] != '#' {
		return 0, false
	}
	n, err := strconv.ParseUint(s[1:], 10, 16)
	return Language(n), err == nil
}
