package pgn

import (
	"bytes"
	"strings"

	"cbkit/model"
)

// readComment reads a comment. One that holds what looks like the tags of a game
// may have swallowed that game.
func (p *parser) readComment(t token, body string) {
	p.game.comment = t
	if t.kind == tokQuoting {
		p.remark(t.start, "comment", "it holds the tags of a game; is a } missing in front of them?")
	}
	p.comment(body)
}

// comment reads the body of a comment: text and the commands in it. See
// docs/formats/pgn.md 4 and 5.
func (p *parser) comment(body string) {
	if !p.annotations {
		return
	}
	text := p.decode(body)
	text = strings.TrimSuffix(strings.TrimPrefix(text, " "), " ") // which many put at either end
	spaced, lines, bracket := lookOver(text)
	switch {
	case spaced:
		text = normalize(text)
	case lines: // become blanks
		joined := append(p.texts.scratch[:0], text...)
		for rest := joined; ; {
			k := bytes.IndexByte(rest, '\n')
			if k < 0 {
				break
			}
			rest[k] = ' '
			rest = rest[k+1:]
		}
		p.texts.scratch = joined
		b := p.texts.room(len(text), len(p.chunk)-p.i)
		from := b.Len()
		b.Write(joined)
		text = b.String()[from:]
	}
	if !bracket || !mayHoldCommand(text) {
		p.addText(text)
		return
	}
	c := commentReader{parser: p, segment: segment{at: -1}}
	var find commandFinder
	from := 0
	for i := 0; i < len(text); { // from one command that is understood to the next
		k := strings.IndexByte(text[i:], '[')
		if k < 0 {
			break
		}
		i += k
		if strings.HasPrefix(text[i:], diagramMark) {
			c.add(text[from:i])
			c.add(diagram)
			i += len(diagramMark)
			from = i
			continue
		}
		end := find.end(text, i)
		if end < 0 {
			i++
			continue
		}
		cmd := splitCommand(text[i:end])
		if !cmd.known() {
			i = end
			continue
		}
		// A text before a command stands before its value.
		c.add(text[from:i])
		if c.command(cmd) {
			from = end
		} else {
			from = i
		}
		i = end
	}
	c.add(text[from:])
	c.end()
}

// lookOver reports whether the blanks of a comment are not all single blanks or
// line breaks between words, so that it has to be normalized; whether there are
// line breaks; and whether there is a bracket.
func lookOver(text string) (spaced, lines, bracket bool) {
	seen, single := uint8(0), uint8(oddBlank)
	for i := range len(text) {
		class := oddInComment[text[i]]
		seen |= class | class>>1&single
		single = class >> 1 & oddBlank
	}
	return (seen|single)&oddBlank != 0, seen&lineBreak != 0, seen&oddBracket != 0
}

// What oddInComment says of a byte.
const (
	oddBlank    = 1 // a blank that may not stand there
	singleBlank = 2 // a blank that may stand by itself
	oddBracket  = 4
	lineBreak   = 8
)

var oddInComment = byteTable(map[uint8]string{
	oddBlank: oddBlanks, singleBlank: " ", singleBlank | lineBreak: "\n", oddBracket: "[",
})

// textArena makes the texts of a game that are not as they stand in its chunk,
// many in one piece of memory.
type textArena struct {
	made    strings.Builder
	scratch []byte
}

// room returns where n bytes of text can be appended, behind which so many more
// may follow.
func (a *textArena) room(n, behind int) *strings.Builder {
	if a.made.Cap()-a.made.Len() < n {
		a.made = strings.Builder{} // what it made stays as it is
		a.made.Grow(n + behind)
	}
	return &a.made
}

// mayHoldCommand reports whether a comment may hold a command that is
// understood. Most that hold any hold only [%clk] and [%eval] as the servers
// write them, "%eval -0.17]" or "%eval #-3]", which stay in the text: it is quick
// to tell that.
func mayHoldCommand(text string) bool {
	const longest = len("%eval -1000.00]")
	for {
		k := strings.IndexByte(text, '[')
		if k < 0 {
			return false
		}
		text = text[k+1:]
		if strings.HasPrefix(text, "%clk ") {
			continue
		}
		if strings.HasPrefix(text, "%eval ") {
			start := text[:min(len(text), longest)]
			end := strings.IndexByte(start, ']')
			if end >= 0 && strings.IndexByte(start[:end], ',') < 0 { // it has no depth
				continue
			}
		}
		if text != "" && (text[0] == '%' || text[0] == '#') {
			return true
		}
	}
}

// commentReader takes a comment apart.
type commentReader struct {
	*parser
	segment
}

// segment is a text that is being collected from pieces of a comment.
type segment struct {
	// at is the index of the annotation that the text becomes, or -1 if it
	// does not have one: before its first word, or when it is a part of the
	// text that the place has already.
	at    int32
	value model.Text // all but the text
	// explicit says that a command began it; copy, that the command has the
	// exact text, so that what follows is only to be read by people.
	explicit, copy bool
	escaped        bool // its odd blanks are written as signs
	// order is its place among the annotations of the next move, 0 if it is
	// the one where it stands.
	order int

	piece  string // the only piece so far
	pieces []byte // the pieces, if there are several
}

// add adds a piece of text to the segment.
func (c *commentReader) add(piece string) {
	if c.copy || piece == "" {
		return
	}
	if c.at < 0 && !c.explicit && c.game.line.text < 0 && trimBlanks(piece) != "" {
		c.value = model.Text{Before: c.game.beforeFirstMove()}
		c.at = c.annotate(nil) // its place; end gives it the value
		c.game.line.text = c.at
	}
	switch {
	case c.pieces != nil:
		c.pieces = append(c.pieces, piece...)
	case c.piece == "":
		c.piece = piece
	default:
		c.pieces = append(append(c.pieces, c.piece...), piece...)
	}
}

// end completes the segment.
func (c *commentReader) end() {
	text := trimBlanks(c.piece)
	if c.pieces != nil {
		text = normalize(string(c.pieces))
	}
	if c.escaped {
		text = plainBlanks.Replace(text)
	}
	switch {
	case c.at >= 0:
		if !c.copy {
			c.value.Text = text
		}
		c.game.annotations.list[c.at].Value = c.value
		if c.order > 0 {
			c.game.annotations.list[c.at].Value = orderedText{c.value, c.order}
			c.game.annotations.ordered = true
		}
	case text != "":
		c.addText(text)
	}
	c.segment = segment{at: -1}
}

// command reads a command. It returns false if it is to stay in the text.
func (c *commentReader) command(cmd command) bool {
	g := &c.game
	switch cmd.name {
	case textCommand: // which begins a text
		head, ok := parseTextHead(cmd)
		if !ok {
			return false
		}
		c.end()
		c.explicit, c.value = true, head.value
		if head.next || g.beforeFirstMove() {
			c.value.Before, c.order = true, head.at
			c.at = g.annotations.wait(g.line.node, nil)
		} else {
			c.at = g.annotations.add(g.line.node, nil)
		}
		c.copy, c.escaped = head.exact, head.escaped
		return true
	case rawCommand:
		v, ok := parseRaw(cmd)
		if ok {
			g.annotations.raw = append(g.annotations.raw, c.annotate(v))
		}
		return ok
	case "tqu":
		t, ok := parseTraining(cmd.args)
		if ok = ok && cmd.is(appendTraining(nil, t)); ok {
			g.annotations.wait(g.line.node, t)
		}
		return ok
	}
	if t, ok := foreignText(cmd); ok {
		t.Before = t.Before && (g.line.node >= 0 || g.beforeFirstMove())
		c.annotate(t)
		return true
	}
	if g.beforeFirstMove() {
		// Typed values belong to a position after a move.
		return false
	}
	v, ok := cmd.value()
	if !ok {
		return false
	}
	switch v := v.(type) {
	case model.Squares:
		join(c, &g.line.squares, v)
	case model.Arrows:
		join(c, &g.line.arrows, v)
	default:
		c.annotate(v)
	}
	return true
}

// join adds squares or arrows to those that the place has, which are at an index of the
// annotations, or -1.
func join[L interface {
	model.Value
	~[]E
}, E any](c *commentReader, at *int32, v L) {
	if *at < 0 {
		*at = c.annotate(v)
		return
	}
	a := &c.game.annotations.list[*at]
	a.Value = append(a.Value.(L), v...)
}
