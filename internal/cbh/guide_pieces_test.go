package cbh

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cbkit/internal/testkit/must"
	"cbkit/internal/wire"
	"cbkit/model"
)

// styledGuide makes a content whose runs change between two styles, the second of which is
// bold and centred.
func styledGuide(text []byte, page CodePage, runs []int, objects ...guideObject) model.LocalText {
	f := guideFormatting{mark: [2]uint16{formattingMark, 0}, objects: objects, styles: wire.AppendU16LE(nil, 2)}
	for id, style := range []textStyle{{halfPoints: 24}, {halfPoints: 40, bold: true, underline: true, alignment: 2}} {
		f.styles = style.append(wire.AppendU16LE(f.styles, uint16(id)))
	}
	for i, n := range runs {
		f.runs = append(f.runs, guideRun{length: n, style: uint16(i % 2)})
	}
	for i := range otherStyles {
		f.rest = otherStyles[i].append(f.rest)
	}
	kept := guideContent{version: guidePlain, text: text, formatting: f.append(nil, guidePlain)}
	return model.LocalText{Text: guideCoder{guidePlain, page}.decode(text), Leftover: &model.Leftover{Format: Format, Data: kept.append(nil)}}
}

// sized returns bytes with their size before them, as objects have them.
func sized(texts ...string) (b []byte) {
	for _, text := range texts {
		b = append(wire.AppendU16LE(b, uint16(len(text))), text...)
	}
	return b
}

func TestGuidePieces(t *testing.T) {
	page := must.Get(ParseCodePage("1251"))(t)
	board := make([]byte, 32)
	board[0], board[31] = 0x10, 0x09 // K on a1, k on h8
	quoted, _ := appendQuotation(nil, model.Quotation{White: "A,B", Black: "C", Event: "E", Round: 3, Subround: 2}, page)
	objects := []guideObject{
		{17, 3, append(sized(string(board)), 1, 0, 1)}, {9, 3, sized(string(board))}, {2, 4, sized(string(quoted))}, {26, 4, sized(string(quoted), "\xcf")},
		{25, 5, append(append(sized("\xd0"), 0, 0, 0, 0, 0, 0), sized("label")...)}, {5, 5, append(sized("\xd0"), 0, 0, 0, 0, 0, 0)}, {23, 6, sized("7", "x.bmp")}, {6, 6, sized("7")}, {6, 7, sized("8")}, {15, 8, sized("0123456789")}, {16, 9, sized("a@b.c")},
		{10, 10, sized("??")}, {26, 11, sized("bad")},
	}
	style := func(p Piece) Piece {
		p.Style, p.Size, p.Center = "bu", 40, true
		return p
	}
	want := []Piece{
		{Text: "Ж\n", Size: 24}, {Begin: "fen", FEN: "7k/8/8/8/8/8/8/K7 w - - 0 1", Size: 24},
		style(Piece{Begin: "a", Text: "П", Link: &Link{White: "A,B", Black: "C", Event: "E", Round: "3.2"}}),
		style(Piece{Begin: "a", Text: "label", Link: &Link{Title: "Р"}}), style(Piece{Begin: "img", Src: "x.bmp"}), style(Piece{Begin: "img", Src: "8.bmp"}),
		style(Piece{Begin: "hr"}), style(Piece{Begin: "a", Text: "a@b.c", Href: "mailto:a@b.c"}), style(Piece{}),
		style(Piece{Begin: "a", Link: &Link{Round: "0"}}), style(Piece{Text: "z"}),
	}
	content := styledGuide([]byte("\xc6\r\x04\x04\x04\x04\x04\x04\x04\x04\x04z"), page, []int{3, 9}, objects...)
	if diff := cmp.Diff(want, GuidePieces(content, page)); diff != "" {
		t.Error(diff)
	}

	// A text in UTF-8 is read so in each piece; one that was edited has its text alone.
	utf := styledGuide([]byte("Жъ"), page, []int{1, 3})
	if got := GuidePieces(utf, page); len(got) != 2 || got[0].Text+got[1].Text != "Жъ" {
		t.Errorf("%+v", got)
	}
	content.Text = "new"
	if diff := cmp.Diff([]Piece{{Text: "new"}}, GuidePieces(content, page)); diff != "" {
		t.Error(diff)
	}
	long := strings.Repeat("ab", mostPieces)[:60_000] // in runs of one byte
	runs := make([]int, len(long))
	for i := range runs {
		runs[i] = 1
	}
	got := GuidePieces(styledGuide([]byte(long), page, runs), page)
	if len(got) != mostPieces+1 || got[mostPieces].Text != long[mostPieces:] {
		t.Errorf("%d pieces", len(got))
	}
}
