package htmltext

import (
	"strings"
	"testing"
)

func TestOf(t *testing.T) {
	const page = "<html><head><title>x</title><style>p {}</style></head><body><h1>A &amp; B</h1>\n<p>one\n  <b>t</b>wo<br>three</p>" +
		"<ul><li>a<li>b</ul><table><tr><td>1<td>2</table><script>no()</script>end"
	if got, want := Of(page), "A & B\none two\nthree\n- a\n- b\n1 2\nend"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// Of a page is kept what is read, without any attribute that could do something.
func TestPieces(t *testing.T) {
	for page, want := range map[string]string{
		`<H2 onclick=x() style="x">A<STRONG>b</STRONG></H2>`:                                             `[h2] A [b] b [/b] [/h2]`,
		`<p align=center>a<center>b</center><hr/>`:                                                       `[p c] a [div c] b [/div] [hr]`,
		`<a href="javascript:x()">a</a><a href=" HTTPS://e.org">b`:                                       `[a] a [/a] [a HTTPS://e.org] b`,
		`<a href="mailto:a@b.c"><a href="java&#10;script:x"><a href=//e.org><a href="data:text/html,x">`: `[a mailto:a@b.c] [a] [a] [a]`,
		`<img src="Games.html/a%20b.png" alt=x onerror=y><img src="C:\x\y.bmp"><img src="https://e.org/t.gif"><img src=data:image/png;x><img src="file:///c/z.gif">`: `[img x a b.png] [img y.bmp] [img] [img] [img z.gif]`,
		`<svg onload=x><circle/>c</svg><form action=x><input>d<base href=x><meta http-equiv=refresh content=0>`:                                                      `c d`,
		`<script>a</script><style>b</style><iframe>c</iframe>d<!-- e --><object data=x>f</object>`:                                                                   `d`,
	} {
		var list []string
		for _, p := range Pieces(page) {
			text := p.Begin
			for _, more := range []string{p.Text, p.Href, p.Src, map[bool]string{true: "c"}[p.Center]} {
				if more != "" {
					text = strings.TrimSpace(text + " " + more)
				}
			}
			if p.End != "" {
				text = "/" + p.End
			}
			if p.Begin+p.End != "" {
				text = "[" + text + "]"
			}
			list = append(list, text)
		}
		if got := strings.Join(list, " "); got != want {
			t.Errorf("%s: %s, want %s", page, got, want)
		}
	}
}

// A page of very many elements does not become more than it is, and keeps its text.
func TestPiecesLimit(t *testing.T) {
	for _, piece := range []string{"<b>", "<b>x</b>", "x</b>", "<br>", "x<p>"} {
		page := strings.Repeat(piece, 1<<20/len(piece))
		pieces, text := Pieces(page), ""
		for _, p := range pieces {
			text += p.Text
		}
		if x := strings.Count(page, "x"); len(pieces) != most+1 || strings.Join(strings.Fields(text), "") != strings.Repeat("x", x) {
			t.Errorf("%s: %d pieces, %d of %d letters", piece, len(pieces), len(text), x)
		}
	}
}
