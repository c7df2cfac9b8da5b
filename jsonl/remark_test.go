package jsonl_test

import (
	"bytes"
	"strings"
	"testing"

	"cbkit/internal/testkit/must"
	"cbkit/jsonl"
	"cbkit/model"
	"cbkit/pgn"
)

// What an engine says of its move stands beside the comment, as White sees it, and the comment
// comes back to the letter.
func TestRemarks(t *testing.T) {
	const game = "[Result \"*\"]\n\n1. e4 {+0.31/14 0.53s} 1... e5 {+0.10/9 1s} (1... c5 {-M5/20 1.2s, mates} 2. Nf3 {-M4/7 0.1s}) 2. Nf3 {book} 2... Nc6 {0.00/1} *\n"
	var lines, back bytes.Buffer
	copyTo := func(sink model.Sink, src model.Source) {
		t.Helper()
		must.Do(t, model.Copy(t.Context(), sink, src, model.CopyOptions{}))
	}
	copyTo(jsonl.NewWriter(&lines, jsonl.WriterOptions{}), pgn.NewReader(strings.NewReader(game), pgn.ReaderOptions{}))
	text := lines.String()
	for _, want := range []string{
		`"text":"+0.31/14 0.53s"}],"evaluation":31,"depth":14,"timeSpent":53,`, `"text":"+0.10/9 1s"}],"evaluation":-10,"depth":9,"timeSpent":100,`,
		`"text":"-M5/20 1.2s, mates"}],"mate":3,"depth":20,"timeSpent":120,`, `"text":"-M4/7 0.1s"}],"mate":-2,"depth":7,"timeSpent":10,`,
		`"text":"0.00/1"}],"evaluation":0,"depth":1,"annotations"`, `"text":"book"}],"annotations"`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%s is missing in %s", want, text)
		}
	}
	copyTo(pgn.NewWriter(&back, pgn.WriterOptions{}), jsonl.NewReader(&lines, jsonl.ReaderOptions{}))
	if movetext := back.String()[strings.Index(back.String(), "1. e4"):]; strings.Join(strings.Fields(movetext), " ") != strings.Join(strings.Fields(game[strings.Index(game, "1. e4"):]), " ") {
		t.Errorf("came back as %s", movetext)
	}
}
