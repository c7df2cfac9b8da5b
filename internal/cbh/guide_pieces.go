package cbh

import (
	"bytes"
	"cmp"
	"fmt"
	"strings"
	"unicode/utf8"

	"cbkit/board"
	"cbkit/internal/wire"
	"cbkit/model"
)

// A Piece is a stretch of text, or the begin or end of an element.
type Piece struct {
	Text  string `json:"t,omitempty"` // of a picture what it shows
	Begin string `json:"o,omitempty"` // of an element that is shown; "fen" is a diagram
	End   string `json:"e,omitempty"`
	// Style has the letters b, i, u of text that is bold, italic, underlined.
	Style  string `json:"k,omitempty"`
	Size   uint32 `json:"s,omitempty"` // of the letters, in half points
	Center bool   `json:"c,omitempty"`
	Href   string `json:"href,omitempty"` // of a link of the web
	Link   *Link  `json:"link,omitempty"` // of a link of a database
	ID     int    `json:"id,omitempty"`   // of the record that such a link leads to
	Src    string `json:"src,omitempty"`  // the file of a picture, without its folder
	FEN    string `json:"fen,omitempty"`
}

// Link names a game by players, tournament and round, or a text by its title.
type Link struct {
	White string `json:"white,omitempty"`
	Black string `json:"black,omitempty"`
	Event string `json:"event,omitempty"`
	Round string `json:"round,omitempty"`
	Title string `json:"title,omitempty"`
}

// mostPieces is how many pieces a text has at most: what is behind them is one more.
const mostPieces = 50_000

// GuidePieces returns a content of a plain guiding text in pieces: text of one style, in
// which "\n" ends a line, and objects; as one piece what has no formatting, or no longer
// fits it.
func GuidePieces(t model.LocalText, page CodePage) (pieces []Piece) {
	kept, _ := parseGuideContent(t.Leftover.From(Format))
	f, ok := parseFormatting(kept.formatting, kept.version)
	if !ok || !f.fits(kept.text) || (guideCoder{kept.version, page}).decode(kept.text) != t.Text {
		return []Piece{{Text: t.Text}}
	}
	text := func(b []byte) string {
		b = bytes.ReplaceAll(b, []byte{'\r'}, []byte{'\n'})
		if utf8.Valid(kept.text) { // as the whole is read, not each piece
			return string(b)
		}
		return page.page().decode(b)
	}
	objects := map[int][]guideObject{}
	for _, o := range f.objects {
		objects[o.position-1] = append(objects[o.position-1], o)
	}
	styles, at := f.pieceStyles(), 0
	for _, r := range f.runs {
		for end := at + r.length; at < end; {
			if len(pieces) == mostPieces {
				return append(pieces, Piece{Text: text(kept.text[at:])})
			}
			piece := styles[r.style]
			before, _, _ := bytes.Cut(kept.text[at:end], []byte{objectByte})
			piece.Text = text(before)
			if at += len(before); len(before) == 0 {
				for _, o := range objects[at] {
					addObject(&piece, o, page)
				}
				at++
			}
			pieces = append(pieces, piece)
		}
	}
	return pieces
}

// pieceStyles returns an empty piece for each style.
func (f *guideFormatting) pieceStyles() map[uint16]Piece {
	styles := map[uint16]Piece{}
	c := wire.NewCursor(f.styles)
	for n := c.U16LE(); n > 0 && c.Err() == nil; n-- {
		id := c.U16LE()
		var p Piece
		for n := c.U16LE(); n > 0 && c.Err() == nil; n-- {
			key, value := c.U16LE(), wire.NewCursor(c.Bytes(int(c.U16LE())))
			switch {
			case key >= 1 && key <= 3 && value.U8() != 0:
				p.Style += "biu"[key-1 : key]
			case key == 4:
				p.Size = value.U32LE()
			case key == 5:
				p.Center = value.U16LE() == 2
			}
		}
		styles[id] = p
	}
	return styles
}

// addObject adds an object in its form for older programs, or in that for newer ones,
// which says more (docs/formats/cbg.md 8).
func addObject(p *Piece, o guideObject, page CodePage) {
	c := wire.NewCursor(o.data)
	first := c.Bytes(int(c.U16LE()))
	c.Skip(map[uint16]int{25: 6}[o.kind])
	name, more := page.Decode(first), page.Decode(c.Bytes(int(c.U16LE())))
	switch o.kind {
	case 9, 17:
		p.Begin, p.FEN = "fen", guideBoard(first)
	case 2, 26:
		q, _ := decodeQuotation(first, page).(model.Quotation) // of what is none, a link to nothing
		p.Begin, p.Text = "a", cmp.Or(more, p.Text)
		p.Link = &Link{White: q.White, Black: q.Black, Event: q.Event, Round: strings.TrimSuffix(fmt.Sprintf("%d.%d", q.Round, q.Subround), ".0")}
	case 5, 25:
		p.Begin, p.Text, p.Link = "a", cmp.Or(more, p.Text), &Link{Title: name}
	case 6:
		p.Begin, p.Src = "img", cmp.Or(p.Src, name+".bmp")
	case 23:
		p.Begin, p.Src = "img", more
	case 15:
		p.Begin = "hr"
	case 16:
		p.Begin, p.Text, p.Href = "a", name, "mailto:"+name
	}
}

// guideBoard returns the position of a diagram: half a byte for a square, file by file,
// its highest bit for black pieces. What is none has empty squares.
func guideBoard(b []byte) string {
	p := &model.Position{Rights: model.NoRights(), EnPassant: model.NoFile, FullMove: 1}
	for n := range uint8(min(64, 2*len(b))) {
		half := b[n/2] >> (4 - n%2*4) & 15
		if piece := wire.BoardPieces[half&7]; piece != model.NoPieceType {
			p.Board[model.SquareFromFileMajor(n)] = model.NewPiece(model.Color(half>>3), piece)
		}
	}
	return board.FormatFEN(p)
}
