package pgn

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"pgregory.net/rapid"
)

func TestSplit(t *testing.T) {
	tests := []struct {
		name string
		want []string // the chunks; together they are the text
	}{
		{"two games", []string{"[Event \"a\"]\n\n1. e4 *\n\n", "[Event \"b\"]\n\n1. d4 *\n"}},
		{"no blank lines", []string{"[Event \"a\"]\n1. e4 *\n", "[Event \"b\"]\n1. d4 *\n"}},
		{"CRLF", []string{"[Event \"a\"]\r\n\r\n1. e4 *\r\n\r\n", "[Event \"b\"]\r\n\r\n1. d4 *\r\n"}},
		{"indented tags", []string{"[Event \"a\"]\n\n1. e4 *\n\n  ", "[Event \"b\"]\n  [Site \"x\"]\n\n1. d4 *\n"}},
		{"text in front", []string{"Some games\n\n", "[Event \"a\"]\n\n*"}},
		{"a comment over lines", []string{"[Event \"a\"]\n\n1. e4 {\n[Event \"no\"]\n} *\n\n", "[Event \"b\"]\n\n*"}},
		{"an open comment", []string{"[Event \"a\"]\n\n1. e4 {oops e5 *\n\n", "[Event \"b\"]\n\n1. e4 {x} *\n"}},
		{"a brace in a line comment", []string{"[Event \"a\"]\n\n1. e4 ; {\n*\n\n", "[Date \"b\"]\n\n*\n"}},
		{"a brace in an escaped line", []string{"[Event \"a\"]\n\n1. e4\n% {\n*\n\n", "[Date \"b\"]\n\n*\n"}},
		{"tags with blanks", []string{"[ Event \"a\" ]\n[ Site \"b\" ]\n\n1. e4 *\n\n", "[ Event \"b\" ]\n\n*\n"}},
		{"names of tags", []string{"[Event \"a\"]\n[1st \"b\"]\n[_x \"b\"]\n[Über \"b\"]\n[-x \"b\"]\n[ \"b\"]\n[Site \"s\"]\n\n1. e4 *\n\n", "[_Event \"b\"]\n\n*\n"}},
		{"comments among tags", []string{"[Event \"a\"]\n; x\n[Site \"b\"]\n{[Event \"c\"]\n\n}\n[White \"c\"]\n\n1. e4 *\n\n", "[Event \"b\"]\n{c}\n\n*\n"}},
		{"comments in front", []string{"{a}\n; b\n\n[Event \"a\"]\n\n1. e4 1-0\n\n", "{b}\n\n; c {\n{d}\n[Event \"b\"]\n\n*\n"}},
		{"a comment without a blank line", []string{"[Event \"a\"]\n\n1. e4 1-0\n{b}\n\n", "[Event \"b\"]\n\n*\n"}},
		{"a comment without a result", []string{"[Event \"a\"]\n\n1. e4\n\n{b}\n\n", "[Event \"b\"]\n\n*\n"}},
		{"a comment and more", []string{"[Event \"a\"]\n\n1. e4 1-0\n\n{b}\nand so on\n{c}\n\n", "[Event \"b\"]\n\n*\n"}},
		{"a tag among moves", []string{"[Event \"a\"]\n\n1. e4\n[Annotator \"x\"]\ne5 {\n} *\n\n", "[Event \"b\"]\n\n*\n"}},
		{"a game that begins with another tag", []string{"[Event \"a\"]\n\n1. e4\n\n", "[GameId \"1\"]\n[x \"1\"]\n[Event \"b\"]\n\n1. e4 *\n\n", "[GameId \"2\"]\n\n*\n"}},
		{"an open comment without a blank line", []string{"[Event \"a\"]\n\n1. e4 {oops e5 *\n", "[Event \"b\"]\n[Site \"x\"]\n\n1. e4 {x} *\n"}},
		{"an open comment and a game that begins otherwise", []string{"[Event \"a\"]\n\n1. e4 {oops e5 *\n\n", "[GameId \"b\"]\n[Event \"x\"]\n\n1. e4 {x} *\n"}},
		{"an open comment and no other", []string{"[Event \"a\"]\n\n1. e4 {oops e5 *\n\n", "[Site \"b\"]\n[Date \"x\"]\n\n1. e4 *\n\n", "[Event \"c\"]\n\n*\n"}},
		{"an open comment, a result, and a stray brace", []string{"[Event \"a\"]\n\n1. e4 {oops e5 1/2-1/2\n\n", "[Event \"b\"]\n\n1. e4 } *\n"}},
		{"a comment with a game", []string{"[Event \"a\"]\n\n1. e4 {as in\n\n[Event \"x\"]\n[Site \"b\"]\n\n1. d4 *\n} e5 {\n[%clk 1]} *\n\n", "[Event \"b\"]\n\n*\n"}},
		{"no moves", []string{"[Event \"a\"]\n[Site \"x\"]\n\n", "[Event \"b\"]\n\n*\n"}},
		{"a blank line among tags", []string{"[Event \"a\"]\n\n[Site \"x\"]\n\n*\n\n", "[Event \"b\"]\n\n*\n"}},
		{"a command at a line's start", []string{"[Event \"a\"]\n\n1. e4 {\n[%csl Ge4]} *\n\n", "[Event \"b\"]\n\n*\n"}},
		{"a remark in brackets", []string{"[Event \"a\"]\n\n1. e4\n[sic] e5 *\n\n", "[Event \"b\"]\n\n*\n"}},
		{"nothing", nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			text := strings.Join(test.want, "")
			for name, r := range map[string]io.Reader{
				"at once":        strings.NewReader(text),
				"byte by byte":   iotest.OneByteReader(strings.NewReader(text)),
				"error with EOF": iotest.DataErrReader(strings.NewReader(text)),
			} {
				if got := splitAll(r); !slices.Equal(got, test.want) {
					t.Errorf("%s:\n got %q\nwant %q", name, got, test.want)
				}
			}
		})
	}
}

// TestSplitKeepsEverything splits texts of tricky pieces: the chunks are the
// whole text, however it is read.
func TestSplitKeepsEverything(t *testing.T) {
	piece := rapid.SampledFrom([]string{
		"[Event \"a\"]\n", "[Site \"b\"]", "\n", "\r\n", " ", "{", "}", ";", "%", "1. e4 ", "1-0", "\n[Event ", "\n\n",
		"[x \"y\"]", strings.Repeat("x", 100), "\x00", "\n[ x \"y\"]\n", "\n[White \"z\"]\n", " 1-0\n\n{", "\n\n; ", "[ \"",
	})
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOf(piece).Draw(t, "pieces"), "")
		whole := splitAll(strings.NewReader(text))
		if got := strings.Join(whole, ""); got != text {
			t.Fatalf("got %q\nwant %q", got, text)
		}
		if bytewise := splitAll(iotest.OneByteReader(strings.NewReader(text))); !slices.Equal(whole, bytewise) {
			t.Fatalf("%q byte by byte, %q at once", bytewise, whole)
		}
	})
}

func TestSplitBatches(t *testing.T) {
	text := syntheticPGN(200)
	var batches, chunks int
	lines := 1
	var all []byte
	s := splitter{r: bytes.NewReader(text), file: "x.pgn", take: newBatch, give: func(b *batch) bool {
		if b.line != lines {
			t.Errorf("batch %d begins at line %d, want %d", batches, b.line, lines)
		}
		if len(b.text) > 2*batchSize {
			t.Errorf("batch %d has %d bytes", batches, len(b.text))
		}
		lines += bytes.Count(b.text, []byte{'\n'})
		batches++
		chunks += len(b.cuts)
		all = append(all, b.text...)
		return true
	}}
	s.run()
	if batches < 4 || chunks != 200 || !bytes.Equal(all, text) {
		t.Errorf("%d batches, %d chunks, text equal: %t", batches, chunks, bytes.Equal(all, text))
	}
}

func TestSplitEndsWhenNobodyWantsMore(t *testing.T) {
	n := 0
	s := splitter{r: bytes.NewReader(syntheticPGN(200)), take: newBatch, give: func(*batch) bool { n++; return false }}
	s.run()
	if n != 1 {
		t.Errorf("gave %d batches after the first was refused", n-1)
	}
}

// endless is a reader of the same byte for ever, up to a limit.
func endless(b byte, limit int64) io.Reader { return io.LimitReader(sameByte(b), limit) }

type sameByte byte

func (s sameByte) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(s)
	}
	return len(p), nil
}

func TestSplitLeavesOutHugeGames(t *testing.T) {
	if testing.Short() {
		t.Skip("reads 130 MB")
	}
	text := io.MultiReader(
		strings.NewReader("[Event \"a\"]\n\n1. e4 *\n\n[Event \"huge\"]\n\n1. e4 {"),
		endless('x', 2*maxGame),
		strings.NewReader("\n\n[Event \"c\"]\n\n1. e4 *\n"),
	)
	var got []string
	s := splitter{r: text, take: newBatch, give: func(b *batch) bool {
		if cap(b.text) > 4*maxGame {
			t.Errorf("a batch takes %d MB", cap(b.text)>>20)
		}
		from := 0
		for _, to := range b.cuts {
			got = append(got, string(b.text[from:to]))
			from = to
		}
		if b.tooLarge != 0 {
			got = append(got, "too large")
			if b.tooLarge != 5 {
				t.Errorf("the huge game begins at line %d, want 5", b.tooLarge)
			}
		}
		return true
	}}
	s.run()
	want := []string{"[Event \"a\"]\n\n1. e4 *\n\n", "too large", "[Event \"c\"]\n\n1. e4 *\n"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}

func TestSplitGamesWithoutTags(t *testing.T) {
	text := strings.Repeat("1. e4 e5 2. Nf3 Nc6 1-0\n\n", 100_000)
	chunks := splitAll(strings.NewReader(text))
	for _, c := range chunks {
		if len(c) > 2*looseChunk {
			t.Fatalf("a chunk has %d bytes", len(c))
		}
	}
	if strings.Join(chunks, "") != text {
		t.Error("the chunks are not the text")
	}
}

// TestSplitOpenCommentInLargeFile has a comment without an end in front of so
// many games without braces that nobody waits for the end of the file.
func TestSplitOpenCommentInLargeFile(t *testing.T) {
	game := "[Event \"b\"]\n[Site \"x\"]\n\n1. e4 e5 *\n\n"
	text := "[Event \"a\"]\n\n1. e4 {oops *\n\n" + strings.Repeat(game, 10_000)
	chunks := splitAll(strings.NewReader(text))
	if len(chunks) != 10_001 || strings.Join(chunks, "") != text {
		t.Errorf("%d chunks", len(chunks))
	}
	// A long comment is just that.
	text = "[Event \"a\"]\n\n1. e4 {" + strings.Repeat("\n[see] words\n", 100_000) + "} *\n\n"
	if chunks := splitAll(strings.NewReader(text + game)); len(chunks) != 2 || chunks[0] != text {
		t.Errorf("%d chunks", len(chunks))
	}
}

// Nothing that makes structure is passed by, and little else stopped at.
func TestStructureAt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.SliceOfN(rapid.SampledFrom([]byte("aaaaaaaaN1. \n%{;[\x1b}]:<>\x00\x80\xa5\xbb\xdb\xfb\xff")), 0, 40).Draw(t, "text")
		i := rapid.IntRange(0, len(s)).Draw(t, "from")
		got, want := structureAt(s, i), i
		for want < len(s) && classes[s[want]] < classPercent && s[want] != 0x1B {
			want++
		}
		if got != want && (got > want || len(s)-got >= 8) {
			t.Fatalf("%q from %d: %d, want %d", s, i, got, want)
		}
	})
}

// Castling with zeros at the end of a line is no result behind which a game begins, in long
// text without tags either.
func TestSplitCastlingAtLineEnd(t *testing.T) {
	text := strings.Repeat("1. Nf3 Nf6 2. g3 g6 3. Bg2 Bg7 4. 0-0 0-0\n5. d4 d5 *\n\n", 40_000)
	if errs, games := errorsOf(text, ReaderOptions{}); len(errs) > 0 || games != 40_000 {
		t.Errorf("%d games, errors %q", games, errs)
	}
}
