package roundtrip

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"cbkit"
	"cbkit/board"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/model"
)

// drawEPD draws a text of positions, each a few moves after the start.
func drawEPD(t *rapid.T) string {
	word := rapid.StringMatching(`[a-zA-Z0-9ü.,;:()\[\] -]{0,60}`)
	var b strings.Builder
	for range rapid.IntRange(1, 5).Draw(t, "lines") {
		p := board.Start()
		for range rapid.IntRange(0, 60).Draw(t, "plies") {
			if legal := p.AppendLegal(nil); len(legal) > 0 {
				p.Make(rapid.SampledFrom(legal).Draw(t, "move"))
			}
		}
		b.WriteString(strings.Join(strings.Fields(p.FEN())[:4], " "))
		if rapid.Bool().Draw(t, "counters") {
			fmt.Fprintf(&b, " %d %d", p.HalfMoves(), p.FullMove())
		}
		for _, code := range rapid.SliceOfN(rapid.SampledFrom([]string{"bm", "am", "pv", "id", "c0", "c1", "c9", "ce", "acd", "dm", "hmvc", "fmvn", "acn", "noop", "D1", "Xyz"}), 0, 8).Draw(t, "codes") {
			legal := p.AppendLegal(nil)
			switch code {
			case "bm", "am", "pv":
				if len(legal) > 0 {
					fmt.Fprintf(&b, " %s %s;", code, p.SAN(rapid.SampledFrom(legal).Draw(t, "answer")))
				}
			case "id", "c0", "c1", "c9":
				fmt.Fprintf(&b, " %s %q;", code, strings.Join(strings.Fields(word.Draw(t, "text")), " "))
			default:
				fmt.Fprintf(&b, " %s %d;", code, rapid.IntRange(0, 500).Draw(t, "number"))
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// A text of positions comes back word by word from every format.
func TestEPD(t *testing.T) {
	dir := gen.Folder(t)
	ctx := context.Background()
	rapid.Check(t, func(t *rapid.T) {
		text := drawEPD(t)
		path := func(name string) string { return filepath.Join(dir, name) }
		must.Do(t, os.WriteFile(path("in.epd"), []byte(text), 0o666))
		if src, err := cbkit.NewReader(strings.NewReader(text), cbkit.Options{}); err != nil || src.Format() != cbkit.EPD {
			t.Fatalf("%v is not seen to be EPD: %v", src, err)
		}
		copyTo := func(from, to string, plain bool) {
			src := must.Get(cbkit.Open(path(from), cbkit.Options{}))(t)
			defer src.Close()
			err := cbkit.Save(ctx, path(to), src, cbkit.SaveOptions{Force: true, Plain: plain, Report: func(l model.Loss) {
				if strings.HasSuffix(from, ".epd") && to != "trip.dci" && to != "trip.si4" && !plain && l.Field != "start" && l.Kind != model.LostTextEnd {
					t.Errorf("%s to %s: %v\n%s", from, to, l, text)
				}
			}})
			if err != nil {
				t.Fatalf("%s to %s: %v\n%s", from, to, err, text)
			}
		}
		for _, to := range []string{"trip.epd.gz", "trip.jsonl", "trip.pgn", "plain.pgn", "trip.cbh", "trip.si4", "trip.dci"} {
			copyTo("in.epd", to, to == "plain.pgn")
			copyTo(to, "out.epd", false)
			if out, err := os.ReadFile(path("out.epd")); err != nil || string(out) != text {
				t.Fatalf("%s: %v\n%s\nis not\n%s", to, err, out, text)
			}
		}
	})
}
