package pgn

import (
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"cbkit/jsonl"
	"cbkit/model"
)

// Our own commands, for what PGN has no word for. docs/formats/pgn.md
// describes them:
//
//	[%cbraw kind=critical;data=...]    a value as JSON, in base64url
//	[%cbraw type=08;data=...]          stored bytes of an unknown kind
//	[%cbtext next;at=1;lang=de;data=…] the text behind it, up to the end of
//	                                   the comment or the next such command
//	[%cbtext escaped]                  the same, in which \n is a line break
const (
	rawCommand  = "cbraw"
	textCommand = "cbtext"
)

// rawFormat is the format whose types [%cbraw] numbers.
const rawFormat = "cbh"

var encoding = base64.RawURLEncoding

// parseData reads them; once blanks stood in long ones.
func parseData(s string) ([]byte, bool) {
	data, err := encoding.DecodeString(strings.ReplaceAll(s, " ", ""))
	return data, err == nil
}

// arguments returns the "name=value" pairs of a command one by one.
func arguments(args string, each func(name, value string) bool) bool {
	if args == "" {
		return true
	}
	for arg := range strings.SplitSeq(args, ";") {
		name, value, _ := strings.Cut(arg, "=")
		if !each(name, value) {
			return false
		}
	}
	return true
}

// appendRaw appends the command that says exactly v.
func appendRaw(dst []byte, v model.Value) []byte {
	dst = append(dst, "[%"+rawCommand+" "...)
	if o, ok := v.(model.Opaque); ok && o.Format == rawFormat {
		dst = fmt.Appendf(dst, "type=%02x;data=", o.Type)
		dst = encoding.AppendEncode(dst, o.Data)
	} else {
		dst = append(dst, "kind="...)
		dst = append(dst, v.Kind()...)
		dst = append(dst, ";data="...)
		dst = encoding.AppendEncode(dst, jsonl.AppendValue(nil, v))
	}
	return append(dst, ']')
}

// parseRaw reads what appendRaw writes.
func parseRaw(c command) (model.Value, bool) {
	var kind, number string
	var data []byte
	ok := arguments(c.args, func(name, value string) (ok bool) {
		switch name {
		case "kind":
			kind, ok = value, value != ""
		case "type":
			number, ok = value, value != ""
		case "data":
			data, ok = parseData(value)
		}
		return ok
	})
	switch {
	case !ok:
		return nil, false
	case number != "":
		var n uint8
		if _, err := fmt.Sscanf(number, "%02x", &n); err != nil || len(number) != 2 {
			return nil, false
		}
		return model.Opaque{Format: rawFormat, Type: n, Data: data}, true
	}
	v, err := jsonl.ParseValue(data)
	if err != nil || string(v.Kind()) != kind {
		return nil, false
	}
	return v, true
}

// textHead is what [%cbtext] says of the text behind it.
type textHead struct {
	value model.Text // with its text if exact is set
	// exact says that the text behind the command is only a copy; escaped, that its odd
	// blanks are written as signs.
	exact, escaped bool
	textPlace
}

// textPlace is where a text belongs that a command announces.
type textPlace struct {
	// next says that it stands in front of the next move.
	next bool
	// at is its place among the annotations of that move, 0 if it is the one
	// where it stands.
	at int
}

// appendTextHead appends the command that announces t. The text is in it if
// exact is set, and behind it with signs for odd blanks if escaped is.
func appendTextHead(dst []byte, t model.Text, exact, escaped bool, place textPlace) []byte {
	dst = append(dst, "[%"+textCommand...)
	separator := byte(' ')
	argument := func(text string) {
		dst = append(append(dst, separator), text...)
		separator = ';'
	}
	switch {
	case place.next:
		argument("next")
	case t.Before:
		argument("before")
	}
	if place.at > 0 {
		argument("at=" + strconv.Itoa(place.at))
	}
	if t.Language != model.AnyLanguage {
		argument("lang=" + t.Language.String())
	}
	if escaped {
		argument("escaped")
	}
	if exact {
		argument("data=")
		dst = encoding.AppendEncode(dst, []byte(t.Text))
	}
	return append(dst, ']')
}

func parseTextHead(c command) (h textHead, ok bool) {
	ok = arguments(c.args, func(name, value string) (ok bool) {
		switch name {
		case "next":
			h.next, h.value.Before, ok = true, true, true
		case "before":
			h.value.Before, ok = true, true
		case "at":
			var n uint64
			n, ok = parseUint(value, 31)
			h.at = int(n)
		case "lang":
			h.value.Language, ok = model.ParseLanguage(value)
		case "escaped":
			h.escaped, ok = true, true
		case "data":
			var data []byte
			data, ok = parseData(value)
			ok = ok && utf8.Valid(data)
			h.value.Text, h.exact = string(data), true
		}
		return ok
	})
	return h, ok
}

// blankSigns are how odd blanks are written in a text that a command calls escaped: line
// breaks, and blanks that a reader of comments would not keep. A backslash is two.
var blankSigns = strings.NewReplacer(`\`, `\\`, "\n", `\n`, "\r", `\r`, "\t", `\t`)

// escapeBlanks returns a text with signs for its odd blanks.
func escapeBlanks(text string) string {
	text = blankSigns.Replace(text)
	b := make([]byte, 0, len(text)+8)
	for i := range len(text) {
		if text[i] == ' ' && (i == 0 || i == len(text)-1 || text[i-1] == ' ') {
			b = append(b, `\s`...)
		} else {
			b = append(b, text[i])
		}
	}
	return string(b)
}

// plainBlanks makes blanks of the signs again.
var plainBlanks = strings.NewReplacer(`\\`, `\`, `\n`, "\n", `\r`, "\r", `\t`, "\t", `\s`, " ")
