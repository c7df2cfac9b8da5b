package pgn

import (
	"bufio"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"cbkit/model"
)

func TestLineBreaks(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", ""}, {"a", "a"}, {"\r", "\n"}, {"a\rb", "a\nb"}, {"a\r\rb\r", "a\n\nb\n"},
		{"a\r\nb\r\n\r\nc", "a\r\nb\r\n\r\nc"}, {"a\n\rb\n\r\n\rc", "a\n\rb\n\r\n\rc"},
		{"a\r\r\nb", "a\r\r\nb"}, {"a\nb\rc\r\nd", "a\nb\nc\r\nd"},
	} {
		for name, r := range map[string]io.Reader{
			"at once":      strings.NewReader(c.text),
			"byte by byte": iotest.OneByteReader(strings.NewReader(c.text)),
			"with the end": iotest.DataErrReader(strings.NewReader(c.text)),
		} {
			got, err := io.ReadAll(&lineBreaks{r: bufio.NewReaderSize(r, 16)})
			if string(got) != c.want || err != nil {
				t.Errorf("%s: %q became %q, want %q (%v)", name, c.text, got, c.want, err)
			}
		}
		asked := iotest.OneByteReader(&lineBreaks{r: bufio.NewReaderSize(strings.NewReader(c.text), 16)})
		if got, err := io.ReadAll(asked); string(got) != c.want || err != nil {
			t.Errorf("asked byte by byte: %q became %q, want %q (%v)", c.text, got, c.want, err)
		}
	}
}

// TestCarriageReturns reads the same games with each sort of line break.
func TestCarriageReturns(t *testing.T) {
	const text = "% an escaped line\n[Event \"a\"]\n[White \"Muster, Max\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n" +
		"1. e4 ; a comment\n{b\nc}\n% escaped\n1... Kd7 *\n\n[Event \"c\"]\n\n1. d4 *\n"
	const bad = "[Event \"a\"]\n\n1. e4\ne5\nKe3 *\n\n[Event \"b\"]\n\n*\n"
	want := readAll(t, []byte(text))
	wantErrors, _ := errorsOf(bad, ReaderOptions{})
	for _, line := range []string{"\n", "\r", "\r\n", "\r\r\n"} {
		if got := readAll(t, []byte(strings.ReplaceAll(text, "\n", line))); len(got.List) != 2 || !model.Equal(got, want) {
			t.Errorf("%q: the games read otherwise", line)
		}
		got, games := errorsOf(strings.ReplaceAll(bad, "\n", line), ReaderOptions{})
		if games != 1 || !slices.Equal(got, wantErrors) {
			t.Errorf("%q: %d games, %q", line, games, got)
		}
	}
}
