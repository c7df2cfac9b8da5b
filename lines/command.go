package lines

import (
	"cmp"
	"fmt"
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"

	"cbkit/model"
	"cbkit/pgn"
)

// What is said of a game at the end of its line is a command in the text there, and words
// for people behind it (docs/formats/pgn.md 6):
//
//	[%cbgame White=Tal, Mikhail;Black=Smyslov, Vasily;Result=1-0] Tal, Mikhail - Smyslov, Vasily 1-0
//
// The command has the tags of PGN that the game has. In values all but letters, digits
// and a few signs are % and two hexadecimal digits for each byte, so that no format that
// holds texts changes them. A line that ends because its position stands elsewhere has
// [%cbsee] and where.
const (
	gameCommand = "[%cbgame "
	seeCommand  = "[%cbsee]"
)

// endText is what is said of a game at its end: in words, and in a command with what PGN
// can say of it.
func endText(rec *model.Record, e *model.Entities, command bool, report model.Report) string {
	h := &rec.Game.Header
	if !command {
		return describe(h, e)
	}
	var b strings.Builder
	b.WriteString(gameCommand)
	for i, t := range pgn.AppendTags(nil, rec, e, report) {
		if i > 0 {
			b.WriteByte(';')
		}
		b.WriteString(escape(t.Name))
		b.WriteByte('=')
		b.WriteString(escape(t.Value))
	}
	b.WriteString("] " + describe(h, e))
	return b.String()
}

// isPlain reports whether a character stands for itself in the value of a command, and in
// words that every format holds.
func isPlain(r rune) bool {
	return unicode.IsLetter(r) || r >= '0' && r <= '9' || strings.ContainsRune(" .,-+/:!()'&*@_?", r)
}

// escape writes the value of an argument, which [url.PathUnescape] reads.
func escape(s string) string {
	if strings.IndexFunc(s, func(r rune) bool { return !isPlain(r) || r == ' ' }) < 0 {
		return s
	}
	var b strings.Builder
	for at := 0; at < len(s); {
		r, size := utf8.DecodeRuneInString(s[at:])
		next := at + size
		// One blank between words is safe; others are not.
		blank := r == ' ' && (at == 0 || next == len(s) || s[next] == ' ')
		if isPlain(r) && !blank {
			b.WriteRune(r)
		} else {
			for _, c := range []byte(s[at:next]) {
				fmt.Fprintf(&b, "%%%02X", c)
			}
		}
		at = next
	}
	return b.String()
}

// parseGame reads the arguments of a command of a game.
func parseGame(args string) (tags []model.Tag, ok bool) {
	for arg := range strings.SplitSeq(args, ";") {
		if args == "" {
			break
		}
		name, value, _ := strings.Cut(arg, "=")
		name, badName := url.PathUnescape(strings.TrimSpace(name))
		value, badValue := url.PathUnescape(value)
		if name == "" || badName != nil || badValue != nil {
			return nil, false
		}
		tags = append(tags, model.Tag{Name: name, Value: value})
	}
	return tags, true
}

// describe says who played, how it ended, where and when: "Tal, Mikhail 2700 - Smyslov,
// Vasily 1-0, Bled 1959.09.25".
func describe(h *model.Header, e *model.Entities) string {
	player := func(id model.EntityID, elo uint16) string {
		name := cmp.Or(plain(e.Players.Value(id).String()), "?")
		if elo != 0 {
			name += fmt.Sprintf(" %d", elo)
		}
		return name
	}
	text := fmt.Sprintf("%s - %s %v", player(h.White, h.WhiteElo), player(h.Black, h.BlackElo), h.Result)
	if event := plain(e.Tournaments.Value(h.Tournament).Title); event != "" {
		text += ", " + event
	}
	if !h.Date.IsZero() {
		text += ", " + strings.TrimSuffix(strings.TrimSuffix(h.Date.String(), ".??"), ".??")
	}
	return text
}

// plain returns a text as words that every format holds.
func plain(s string) string {
	return strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		if isPlain(r) {
			return r
		}
		return ' '
	}, s)), " ")
}
