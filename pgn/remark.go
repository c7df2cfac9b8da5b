package pgn

import (
	"fmt"
	"strings"

	"cbkit/model"
)

// remark says that something in the text was left out, or read otherwise than
// it stands there.
type remark struct {
	field string
	line  int
	text  string
	// games is how many games of the batch end before the place, for text
	// that belongs to none.
	games int
}

// remark takes note of what was done at a place of the game under way, of which
// the first hundred must do.
func (p *parser) remark(at int, field, format string, args ...any) {
	const most = 100
	if len(p.out.remarks) == most {
		return
	}
	line := p.b.lineAt(p.offset + at)
	p.out.remarks = append(p.out.remarks, remark{field: field, line: line, text: fmt.Sprintf(format, args...)})
}

// leaveOut takes note of text between games, which is not read.
func (p *parser) leaveOut(from, to int) {
	text := quote(p.decode(p.text[from:to]))
	if text == "" {
		return
	}
	p.b.left = append(p.b.left, remark{
		field: "text", line: p.b.lineAt(p.offset + from), games: len(p.b.games),
		text: fmt.Sprintf("%q belongs to no game; left out", text),
	})
}

// quote returns the beginning of a text on one line, without control
// characters.
func quote(text string) string {
	const most = 60
	text = normalize(strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7F {
			return ' '
		}
		return r
	}, text[:min(len(text), 10*most)]))
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "…"
	}
	return text
}

// tell reports a remark about a game, or with id 0 about text between games.
func (s *stream) tell(file string, id model.RecordID, r *remark) {
	place := fmt.Sprintf("line %d", r.line)
	if file != "" {
		place = fmt.Sprintf("%s:%d", file, r.line)
	}
	s.reader.opt.Report.Add(model.ReadOtherwise, id, r.field, "%s: %s", place, r.text)
}
