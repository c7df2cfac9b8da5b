package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"cbkit/internal/jsontext"
)

// plainText makes control characters visible: those below the blank but tab and
// newline, DEL and the 32 behind it, characters that turn the direction of
// writing, and bytes that are no characters. Names and texts of a database can
// hold them; a terminal would obey them, and a person would read something else
// than is there. All text for people goes through here.
func plainText(s string) string {
	if utf8.ValidString(s) && strings.IndexFunc(s, isControl) < 0 {
		return s
	}
	var b strings.Builder
	for len(s) > 0 {
		r, size := utf8.DecodeRuneInString(s)
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, s[0])
		case !isControl(r):
			b.WriteString(s[:size])
		case r < utf8.RuneSelf:
			fmt.Fprintf(&b, `\x%02x`, r)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
		s = s[size:]
	}
	return b.String()
}

// isControl reports whether a character must not reach a terminal.
func isControl(r rune) bool { return r != '\t' && r != '\n' && jsontext.IsControl(r) }

// jsonEncoder returns what writes JSON to a stream, in which the same characters
// are escape sequences.
func jsonEncoder(to io.Writer, zips *unzipped) *json.Encoder {
	return json.NewEncoder(jsonWriter{to, zips})
}

// jsonWriter writes JSON. Every Write must end between characters.
type jsonWriter struct {
	to   io.Writer
	zips *unzipped
}

// Write implements io.Writer.
func (w jsonWriter) Write(p []byte) (int, error) {
	if _, err := w.to.Write(jsontext.AppendEscaped(nil, w.zips.named(p, func(name string) []byte {
		quoted, _ := json.Marshal(name) // any text can be
		return quoted[1 : len(quoted)-1]
	}))); err != nil {
		return 0, err
	}
	return len(p), nil
}

// plainWriter writes text for people. Every Write must end between characters.
type plainWriter struct {
	to     io.Writer
	screen *screen // has a bar that goes before anything is written
	zips   *unzipped
	// messages says that every Write has whole lines of words.
	messages bool
}

// Write implements io.Writer.
func (w plainWriter) Write(p []byte) (int, error) {
	w.screen.clear()
	size := len(p)
	text := plainText(string(w.zips.named(p, func(name string) []byte { return []byte(name) })))
	if w.messages {
		text = wrappedLines(w.to, text)
	}
	if _, err := io.WriteString(w.to, text); err != nil {
		return 0, err
	}
	return size, nil
}

// behind returns what a stream of the program writes to.
func behind(w io.Writer) io.Writer {
	if plain, ok := w.(plainWriter); ok {
		w = plain.to
	}
	if checked, ok := w.(*checkedWriter); ok {
		w = checked.to
	}
	return w
}
