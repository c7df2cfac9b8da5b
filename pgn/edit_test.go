package pgn

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"cbkit/internal/packed"
	"cbkit/internal/testkit/corpus"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/model"
)

// changing is what a test does to a game.
type changing = func(*model.Record, *model.Entities) (model.Change, error)

// edited edits a text of which everything can be read.
func edited(t testing.TB, text string, opt EditOptions, change changing) string {
	t.Helper()
	var out bytes.Buffer
	if _, err := Edit(context.Background(), &out, strings.NewReader(text), opt, change); err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return out.String()
}

// toHeader is a change of the header of one game, or of all with 0.
func toHeader(id model.RecordID, set func(*model.Header, *model.Entities)) changing {
	return func(rec *model.Record, e *model.Entities) (model.Change, error) {
		if id != 0 && rec.ID != id {
			return model.Unchanged, nil
		}
		set(&rec.Game.Header, e)
		return model.ChangedHeader, nil
	}
}

func toWhite(id model.RecordID, last, first string) changing {
	return toHeader(id, func(h *model.Header, e *model.Entities) {
		h.White = e.Players.Intern(model.Player{LastName: last, FirstName: first})
	})
}

func toResult(id model.RecordID, r model.Result) changing {
	return toHeader(id, func(h *model.Header, _ *model.Entities) { h.Result = r })
}

func toEvent(id model.RecordID, change func(*model.Tournament)) changing {
	return toHeader(id, func(h *model.Header, e *model.Entities) {
		t := e.Tournaments.Value(h.Tournament)
		change(&t)
		h.Tournament = e.Tournaments.Intern(t)
	})
}

func remove(id model.RecordID) changing {
	return func(rec *model.Record, _ *model.Entities) (model.Change, error) {
		if rec.ID == id {
			return model.Removed, nil
		}
		return model.Unchanged, nil
	}
}

// passing goes on past games that cannot be read.
var passing = EditOptions{OnError: func(model.RecordID, error) error { return nil }}

// What changes is what was asked for, and not a byte more.
func TestEditChangesLittle(t *testing.T) {
	two := "% front\r\n{a comment}\r\n[White  \"A\" ]  [Black \"B\"]\r\n[Result \"1-0\"]\n[TimeControl \"x\"]\r\n\r\n1.e4 {x} e5 ( 1... c5 )  1-0 ; end\r\n\r\n" +
		"% between\n[White \"C\"]\n[White \"D\"]\n\n1. d4 d5 *"
	date := model.Date{Year: 2001, Month: 2, Day: 3}
	setDate := func(h *model.Header, _ *model.Entities) { h.Date = date }
	for name, c := range map[string]struct {
		text     string
		change   changing
		old, new string // the difference
	}{
		"a name":                 {two, toWhite(1, "N", "M"), `[White  "A" ]`, `[White  "N, M" ]`},
		"with quotes":            {two, toWhite(1, `O"\`, ""), `[White  "A" ]`, `[White  "O\"\\" ]`},
		"the first of two":       {two, toWhite(2, "N", ""), `[White "C"]`, `[White "N"]`},
		"taken away":             {two, toWhite(2, "", ""), `[White "C"]`, `[White "?"]`},
		"the result":             {strings.Replace(two, "\"1-0\"", "\"*\"", 1), toResult(1, model.Draw), "", ""},
		"a result without a tag": {"1. e4 e5 1-0\n\n1. d4 d5 0-1\n", toResult(1, model.Draw), "e5 1-0", "e5 1/2-1/2"},
		"a result that the moves cannot say": {"[White \"A\"]\n\n1. e4 1-0\n", toResult(1, model.BothLose),
			"\n\n1. e4 1-0", "\n[Result \"0-0\"]\n\n1. e4 *"},
		"a forfeit":           {"[Result \"1-0\"]\n[X \"y\"]\n\n1-0\n", toResult(1, model.WhiteWinsByForfeit), "[X", "[Termination \"forfeit\"]\n[X"},
		"no forfeit":          {"[Result \"1-0\"]\n[Termination \"forfeit\"]\n\n1-0\n", toResult(1, model.WhiteWins), "[Termination \"forfeit\"]\n", ""},
		"no forfeit in signs": {"[Result \"+--\"]\n\n*\n", toResult(1, model.WhiteWins), "[Result \"+--\"]\n\n*", "[Result \"1-0\"]\n\n1-0"},
		"a new tag behind another": {two, toHeader(1, func(h *model.Header, _ *model.Entities) { h.WhiteElo = 2700 }),
			"[Result \"1-0\"]\n", "[Result \"1-0\"]\n[WhiteElo \"2700\"]\n"},
		"a new tag on a line": {two, toHeader(1, func(h *model.Header, _ *model.Entities) { h.Round = 3; h.Subround = 2 }),
			"[White  ", "[Round \"3.2\"]\r\n[White  "},
		"the line ends of the place": {two, toHeader(1, func(h *model.Header, e *model.Entities) { h.Tags = append(h.Tags, model.Tag{Name: "Zz", Value: "1"}) }),
			"[TimeControl \"x\"]\r\n", "[TimeControl \"x\"]\r\n[Zz \"1\"]\r\n"},
		"a tag goes":           {two, toHeader(1, func(h *model.Header, _ *model.Entities) { h.Tags = nil }), "[TimeControl \"x\"]\r\n", ""},
		"the first tag of all": {"1. e4 *\n", toWhite(1, "A", ""), "1.", "[White \"A\"]\n\n1."},
		"no tag but these": {"1. e4 *\n", toHeader(1, func(h *model.Header, e *model.Entities) {
			h.Round = 1
			h.WhiteElo = 2
			h.White = e.Players.Intern(model.Player{LastName: "A"})
		}), "1. e4", "[Round \"1\"]\n[White \"A\"]\n[WhiteElo \"2\"]\n\n1. e4"},
		"a date":                {"[Event \"E\"]\n[Date \"1999.??.??\"]\n\n*\n", toHeader(1, setDate), "1999.??.??", "2001.02.03"},
		"a date that it is not": {"[Date \"1999.44.??\"]\n[Round \"final\"]\n\n*\n", toHeader(1, setDate), "1999.44.??", "2001.02.03"},
		"the year of the event": {"[Event \"E\"]\n[Date \"1999.??.??\"]\n[EventDate \"1998.??.??\"]\n\n*\n", toHeader(1, setDate), "1999.??.??", "2001.02.03"},
		"an event":              {"[Date \"1999.??.??\"]\n\n*\n", toEvent(1, func(t *model.Tournament) { t.Title = "E" }), "[Date", "[Event \"E\"]\n[Date"},
		"its date":              {"[Event \"E\"]\n[Date \"1999.??.??\"]\n\n*\n", toEvent(1, func(t *model.Tournament) { t.Start = date }), "\n\n", "\n[EventDate \"2001.02.03\"]\n\n"},
		"a source": {"[Source \"S\"]\n\n*\n", toHeader(1, func(h *model.Header, e *model.Entities) {
			p := e.Sources.Value(h.Source)
			p.Title = "T"
			h.Source = e.Sources.Intern(p)
		}), "\"S\"", "\"T\""},
		"the first of two goes": {"[WhiteElo \"2000\"]\n[WhiteElo \"2100\"]\n\n*\n", toHeader(1, func(h *model.Header, _ *model.Entities) { h.WhiteElo = 0 }), "2000", ""},
		"the second stays":      {"[Round \"final\"]\n[Round \"3\"]\n\n*\n", toHeader(1, func(h *model.Header, _ *model.Entities) { h.Round = 1 }), "final", "1"},
		"without quotes":        {"[White A]\n\n*\n", toWhite(1, "N", ""), "[White A]", "[White \"N\"]"},
		"without bracket":       {"[White \"A\"\n[Black \"B\"]\n\n*\n", toWhite(1, "N", ""), "\"A\"", "\"N\"]"},
		"over lines":            {"[White \"A\nB\"]\n\n*\n", toWhite(1, "N", ""), "A\nB", "N"},
		"old line breaks":       {"[White \"A\"]\r\r1. e4\r\r*\r", toHeader(1, func(h *model.Header, _ *model.Entities) { h.WhiteElo = 1 }), "\"A\"]", "\"A\"]\r[WhiteElo \"1\"]"},
		"among moves": {"[White \"A\"]\n\n1. e4\n[Annotator \"x\"]\n1... e5 *\n", toHeader(1, func(h *model.Header, e *model.Entities) {
			h.Annotator = e.Annotators.Intern(model.Annotator{Name: "y"})
		}), "\"x\"", "\"y\""},
		"a game goes":          {two, remove(1), two[len("% front\r\n"):strings.Index(two, "% between")], ""},
		"the last game goes":   {two, remove(2), two[strings.Index(two, "[White \"C"):], ""},
		"a mark at the front":  {"\ufeff[White \"A\"]\n\n*", toWhite(1, "N", ""), "A", "N"},
		"a mark in the middle": {"[White \"A\"]\n\n*\n\n\ufeff[White \"B\"]\n\n*", remove(1), "[White \"A\"]\n\n*\n\n", ""},
		"behind an open game":  {"[Event \"A\"]\n\n[Event \"B\"]\n\n1. e4 *\n\n% x\n[Event \"C\"]\n", remove(2), "[Event \"B\"]\n\n1. e4 *\n\n", "*\n\n"},
		"behind a cut tag":     {"[Event \"A\"]\n\n*\n\n[Event \"B\"]\n[", toWhite(2, "N", ""), "\"B\"]", "\"B\"]\n[White \"N\"]"},
		"behind a broken game": {"1. e5 1-0\n\n[Event \"B\"]\n\n*\n", remove(1), "[Event \"B\"]\n\n*\n", ""},
		"nothing is left":      {"[White \"A\"]\n\n*\n", remove(1), "[White \"A\"]\n\n*\n", noGames},
	} {
		t.Run(name, func(t *testing.T) {
			want := strings.Replace(c.text, c.old, c.new, 1)
			if name == "the result" {
				want = strings.Replace(strings.Replace(c.text, "\"*\"", "\"1/2-1/2\"", 1), " 1-0 ;", " 1/2-1/2 ;", 1)
			}
			if diff := cmp.Diff(strings.SplitAfter(want, "\n"), strings.SplitAfter(edited(t, c.text, passing, c.change), "\n")); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// Games that cannot be read keep their bytes, and the others can be changed.
func TestEditPassesByWhatCannotBeRead(t *testing.T) {
	text := "[White \"A\"]\n\n1. e4 e5 *\n\n[White \"A\"]\n\n1. e5 *\n\n[White \"A\"]\n\n1. d4 *\n"
	var wrong []error
	var out bytes.Buffer
	n, err := Edit(context.Background(), &out, strings.NewReader(text), EditOptions{
		Reader: ReaderOptions{File: "x.pgn"}, OnError: func(_ model.RecordID, err error) error { wrong = append(wrong, err); return nil },
	}, toWhite(0, "N", ""))
	parts := strings.Split(text, "\"A\"")
	if want := parts[0] + "\"N\"" + parts[1] + "\"A\"" + parts[2] + "\"N\"" + parts[3]; err != nil || n != 2 || out.String() != want {
		t.Errorf("%d, %v: %s", n, err, out.String())
	}
	if len(wrong) != 1 || !strings.HasPrefix(wrong[0].Error(), "x.pgn:7: game 2: ") {
		t.Errorf("told: %v", wrong)
	}
	if _, err := Edit(context.Background(), io.Discard, strings.NewReader(text), EditOptions{}, toWhite(0, "N", "")); !errors.As(err, new(*GameError)) {
		t.Errorf("nobody to tell: %v", err)
	}
}

// Text in a code page gets names in that page, as far as it has their letters and they
// are not UTF-8 by chance; other text gets UTF-8.
func TestEditKeepsTheCodePage(t *testing.T) {
	in1252 := func(s string) []byte {
		var b []byte
		for _, r := range s {
			i := slices.Index(windows1252[:], r)
			if i < 0 {
				return []byte(s)
			}
			b = append(b, byte(i))
		}
		return b
	}
	opt := EditOptions{EncodeText: in1252}
	for _, c := range []struct {
		text   string
		encode bool
		name   string
		want   string
	}{
		{"[White \"M\xfcller\"]\n\n*\n", false, "Gr\u00e4f", "[White \"Gr\xe4f\"]\n\n*\n"},
		{"[White \"M\xfcller\"]\n\n*\n", false, "Жуков", "[White \"Жуков\"]\n\n*\n"},
		{"[White \"M\xfcller\"]\n\n*\n", false, "Ã©", "[White \"Ã©\"]\n\n*\n"},
		{"[White \"A\"]\n\n*\n", false, "Gräf", "[White \"Gräf\"]\n\n*\n"},
		{"[White \"A\"]\n\n*\n", true, "Gräf", "[White \"Gr\xe4f\"]\n\n*\n"},
		{"[White \"Müller\"]\n\n*\n", true, "Gräf", "[White \"Gräf\"]\n\n*\n"},
	} {
		opt.Encode = c.encode
		if got := edited(t, c.text, opt, toWhite(0, c.name, "")); got != c.want {
			t.Errorf("%q became %q, want %q", c.text, got, c.want)
		}
	}
}

// Compressed text stays compressed, and UTF-16 what it is.
func TestEditKeepsTheForm(t *testing.T) {
	for _, ending := range []string{packed.Gzip, packed.Zstd} {
		var in bytes.Buffer
		w := must.Get(packed.NewWriter(&in, ending))(t)
		must.Get(io.WriteString(w, twoGames))(t)
		must.Do(t, w.Close())
		out := edited(t, in.String(), EditOptions{}, toWhite(1, "N", ""))
		if !packed.IsPacked([]byte(out)) {
			t.Errorf("%s: is not compressed any more", ending)
		}
		text, done, err := packed.NewReader(strings.NewReader(out), "")
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(text)
		done()
		if want := edited(t, twoGames, EditOptions{}, toWhite(1, "N", "")); err != nil || string(got) != want {
			t.Errorf("%s: %v: %s", ending, err, got)
		}
	}
	wide := "\xff\xfe[\x00W\x00 \x00\"\x00A\x00\"\x00]\x00\n\x00\n\x00*\x00"
	if got := edited(t, wide, EditOptions{}, toHeader(1, func(h *model.Header, _ *model.Entities) { h.Tags[0].Value = "Ж" })); got != strings.Replace(wide, "A\x00", "\x16\x04", 1) {
		t.Errorf("%q", got)
	}
}

// Games are put behind the last one with a blank line between, however the text ends.
func TestEditAppends(t *testing.T) {
	db := readAll(t, []byte("[White \"N\"]\n\n1. c4 *\n"))
	for text, front := range map[string]string{
		"": "", "1. e4 *": "\n\n", "1. e4 *\n": "\n", "1. e4 *\n\n": "", "1. e4 *\r\n": "\r\n", "1. e4 *\n\n\n": "", "[White \"A\"]\r\n\r\n*\r\n": "\r\n",
	} {
		opt := EditOptions{Plain: true, OnError: func(model.RecordID, error) error { return nil }, Append: func(put func(model.Record, *model.Entities) error) error { return put(db.List[0], &db.Tables) }}
		opt.Reader.KeepGoing = true
		got := edited(t, text, opt, toWhite(0, "A", ""))
		want := edited(t, text, EditOptions{OnError: opt.OnError, Reader: opt.Reader}, toWhite(0, "A", ""))
		added := "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"N\"]\n[Black \"?\"]\n[Result \"*\"]\n[PlyCount \"1\"]\n\n1. c4 *\n\n"
		if text == "" {
			want = ""
		}
		if strings.Contains(text, "\r") {
			added = strings.ReplaceAll(added, "\n", "\r\n")
		}
		if want += front + added; got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
	}
}

// Where the moves change too, the tags keep their bytes.
func TestEditWritesMovesAnew(t *testing.T) {
	without := func(rec *model.Record, _ *model.Entities) (model.Change, error) {
		rec.Game.SetAnnotations(nil)
		return model.ChangedGame, nil
	}
	for text, want := range map[string]string{
		"[White  \"A\"]\r\n[X \"y\"]\r\n\r\n{a} 1.e4! {b} e5 ; c\r\n1-0\r\n\r\n1. d4 {x} *": "[White  \"A\"]\r\n[X \"y\"]\r\n\r\n1. e4 e5 1-0\r\n\r\n1. d4 *",
		"1. e4 {a} *":                       "1. e4 *",
		"{a} [White \"A\"] 1. e4 {a} *\n\n": "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"A\"]\n[Black \"?\"]\n[Result \"*\"]\n[PlyCount \"1\"]\n\n1. e4 *\n\n",
	} {
		if got := edited(t, text, EditOptions{Plain: true}, without); got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
	}
}

// A text without tags begins with its first move, whatever is said of that.
func TestMoveTextBeginsWithAnything(t *testing.T) {
	for _, text := range []string{"1. e4 $1 e5 *", "{a} 1. e4 {b} 1... e5 (1... c5) 1-0"} {
		db := readAll(t, []byte(text))
		if got := MoveText(db.List[0].Game); got != text {
			t.Errorf("%q became %q", text, got)
		}
	}
}

// What PGN has no word for is told, and nothing that was so before.
func TestEditTellsLosses(t *testing.T) {
	var told []model.Loss
	opt := EditOptions{Report: func(l model.Loss) { told = append(told, l) }}
	edited(t, twoGames, opt, toWhite(1, "N", ""))
	if len(told) > 0 {
		t.Errorf("told: %v", told)
	}
	edited(t, twoGames, opt, toEvent(1, func(t *model.Tournament) { t.End = model.Date{Year: 2000} }))
	if len(told) != 1 || told[0].Field != "tournament" {
		t.Errorf("told: %v", told)
	}
}

// A function that fails ends the work, and so does one that makes what is no game.
func TestEditRefuses(t *testing.T) {
	wrong := errors.New("wrong")
	for _, c := range []struct {
		change changing
		want   error
	}{
		{func(*model.Record, *model.Entities) (model.Change, error) { return 0, wrong }, wrong},
		{toHeader(1, func(h *model.Header, _ *model.Entities) { h.White = 99 }), model.ErrCorrupt},
		{func(rec *model.Record, _ *model.Entities) (model.Change, error) {
			rec.Game = nil
			return model.ChangedGame, nil
		}, model.ErrOption},
		{func(rec *model.Record, _ *model.Entities) (model.Change, error) {
			rec.Game = new(model.Game)
			return model.ChangedGame, nil
		}, model.ErrNotMade},
	} {
		if _, err := Edit(context.Background(), io.Discard, strings.NewReader(twoGames), EditOptions{}, c.change); !errors.Is(err, c.want) {
			t.Errorf("%v, want %v", err, c.want)
		}
	}
}

// oddPieces are tags and what is around them, as people have them; oddMoves are moves.
var (
	oddTags = []string{
		"[Event \"E\"]\n", "[Site \"S\"]\n", "[Site \"http://x\"]\n", "[Date \"1999.01.02\"]\n", "[Date \"2000.13.32\"]\n", "[Round \"3\"]\n", "[Round \"final\"]\n", "[Round \"?\"]\n",
		"[White \"A\"]\n", "[White \"B, C\"] ", "[White \"A\\\"x\\\\\"]\n", "[Black \"?\"]", "[Result \"1-0\"]\n", "[Result \"*\"]\n", "[Result \"+--\"]\n", "[WhiteElo \"2000\"]\n",
		"[WhiteElo \"?\"]\r\n", "[EventDate \"1999.??.??\"]\n", "[EventDate \"1998.05.??\"]\n", "[ECO \"C50a\"]\n", "[ECO \"B33\"]\r\n", "[PlyCount \"17\"]\n", "[Annotator \"M\xfcller\"]\n",
		"[TimeControl \"300+3\"]\n", "[UTCDate \"1999.01.02\"] ", "[CbTag_White \"x\"]\n", "[a-b \"c\"]\n", "[Source \"S\"]\n", "[SourceTitle \"T\"]\n", "[WhiteTeam \"W\"]\r\n",
		"[Termination \"Normal\"]\n", "[Termination \"forfeit\"]\n", "[Black \"\u00c9\"]\n", "[ Black\n\"x\" ]\n", "[White “y”]\n", "{early}\n", "% escaped\n", "[Fen \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n",
	}
	oddMoves = []string{"1. e4 e5 ", "1.e4 {a} ", "1. e4 (1. e3 e6) e5 {b\nc} ", "", "1. e4 ; x\n", "e3 ", "1. e4 [%clk 1] ", "{first} 1. e3 $1 "}
	oddEnds  = []string{"1-0", "*", "1/2-1/2", "0-1 {said}", "½-½", "", "0-1\n% escaped", "1 - 0"}
	oddGaps  = []string{"\n\n", "\n\n\n", "\r\n\r\n", "\n\n% between\n", "\n\n{lead}\n", "\n\nwords between\n\n", "\r\r"}
)

// oddTag is what makes a piece another one: what a field could not take of its first tag is
// not to be told from what a second one says, where no more is known than the game.
func oddTag(piece string) string {
	for _, t := range []tag{tagRound, tagDate, tagWhiteElo, tagECO, tagResult, tagTermination} {
		if strings.HasPrefix(piece, tagHeads[t]) {
			return tagHeads[t]
		}
	}
	return piece
}

func oddText(t *rapid.T) string {
	var text strings.Builder
	for range rapid.IntRange(1, 4).Draw(t, "games") {
		tags := rapid.SliceOfNDistinct(rapid.SampledFrom(oddTags), 0, 8, oddTag).Draw(t, "tags")
		text.WriteString("[Event \"x\"]\n" + strings.Join(tags, "") + rapid.SampledFrom([]string{"\n", "", "\r\n", "\n\n"}).Draw(t, "gap"))
		text.WriteString(rapid.SampledFrom(oddMoves).Draw(t, "moves") + rapid.SampledFrom(oddEnds).Draw(t, "end") + rapid.SampledFrom(oddGaps).Draw(t, "between"))
	}
	return text.String()
}

// drawChange draws a change of a header, which says the same to each game.
func drawChange(t *rapid.T, i int) func(*model.Header, *model.Entities) {
	draw := func(label string) string { return fmt.Sprint(label, i) }
	name := rapid.SampledFrom([]string{"New", `N "q" \`, "Ünï", "Жук", "", "x] y"}).Draw(t, draw("name"))
	number := uint16(rapid.SampledFrom([]int{0, 1, 3, 2500}).Draw(t, draw("number")))
	result := rapid.SampledFrom([]model.Result{model.NoResult, model.WhiteWins, model.BlackWins, model.Draw, model.BothLose, model.WhiteWinsByForfeit}).Draw(t, draw("result"))
	date := model.Date{Year: number, Month: uint8(min(number, 12))}
	return rapid.SampledFrom([]func(*model.Header, *model.Entities){
		func(h *model.Header, e *model.Entities) { h.White = e.Players.Intern(model.Player{LastName: name}) },
		func(h *model.Header, e *model.Entities) {
			h.Black = e.Players.Intern(model.Player{LastName: name, FirstName: "F"})
		},
		func(h *model.Header, _ *model.Entities) { h.WhiteElo = number },
		func(h *model.Header, _ *model.Entities) { h.Round, h.Subround = number, number },
		func(h *model.Header, _ *model.Entities) { h.Result = result },
		func(h *model.Header, _ *model.Entities) { h.Date = date },
		func(h *model.Header, _ *model.Entities) { h.ECO, _ = model.ParseECO("A40") },
		func(h *model.Header, e *model.Entities) {
			h.Annotator = e.Annotators.Intern(model.Annotator{Name: name})
		},
		func(h *model.Header, e *model.Entities) {
			h.WhiteTeam = e.Teams.Intern(model.Team{Title: name, Nation: model.Nation(number % 3)})
		},
		func(h *model.Header, e *model.Entities) {
			t := e.Tournaments.Value(h.Tournament)
			t.Title = name
			h.Tournament = e.Tournaments.Intern(t)
		},
		func(h *model.Header, e *model.Entities) {
			t := e.Tournaments.Value(h.Tournament)
			t.Start, t.Category = date, uint8(number)
			h.Tournament = e.Tournaments.Intern(t)
		},
		func(h *model.Header, e *model.Entities) {
			h.Source = e.Sources.Intern(model.Publication{Title: name, Publisher: "P"})
		},
		func(h *model.Header, _ *model.Entities) {
			h.Tags = append(slices.DeleteFunc(slices.Clone(h.Tags), func(t model.Tag) bool { return t.Name == "TimeControl" }), model.Tag{Name: "TimeControl", Value: name})
		},
		func(h *model.Header, _ *model.Entities) {
			h.Tags = slices.DeleteFunc(slices.Clone(h.Tags), func(t model.Tag) bool { _, is := tagByName(t.Name); return !is })
		},
	}).Draw(t, draw("change"))
}

// asWritten returns what a changed game says when it is read again: the start of a
// tournament that no tag says follows the date, and what a field could not take goes with
// another value of the field.
func asWritten(was, now model.ResolvedGame, saysStart bool) model.ResolvedGame {
	if !saysStart && now.Tournament.Start == was.Tournament.Start {
		now.Tournament.Start = impliedStart(now.Tournament, now.Date)
	}
	gone := map[tag]string{} // what the tag said that goes
	for t, of := range map[tag]func(*model.ResolvedGame) []byte{
		tagRound:    func(g *model.ResolvedGame) []byte { return appendRound(nil, g.Round, g.Subround) },
		tagDate:     func(g *model.ResolvedGame) []byte { return appendDate(nil, tagDate, g.Date) },
		tagECO:      func(g *model.ResolvedGame) []byte { return []byte(g.ECO.String()) },
		tagWhiteElo: func(g *model.ResolvedGame) []byte { return appendNumber(nil, uint64(g.WhiteElo)) },
	} {
		if said := of(&was); !bytes.Equal(said, of(&now)) {
			gone[t] = string(said)
		}
	}
	toForfeit := now.Result.IsForfeit() && !was.Result.IsForfeit()
	seen := map[tag]bool{}
	now.Tags = slices.DeleteFunc(now.Tags, func(a model.Tag) bool {
		t, known := tagByName(a.Name)
		if !known || seen[t] {
			return false
		}
		seen[t] = true
		said, isGone := gone[t]
		means, whole := appendMeaning(nil, t, a.Value)
		misread := a.Value == forfeit && now.Result.Forfeit() != now.Result
		return t == tagTermination && (toForfeit || misread) || isGone && !whole && string(means) == said
	})
	return now
}

// To edit a text and read it is to read it and edit the games. Games that are not changed
// keep their bytes.
func TestEditIsEditing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := oddText(t)
		changes := map[model.RecordID]func(*model.Header, *model.Entities){}
		for i := range 4 {
			if rapid.Bool().Draw(t, "is changed") {
				changes[model.RecordID(i+1)] = drawChange(t, i)
			}
		}
		checkEdit(t, text, changes)
	})
}

// checkEdit edits some games of a text.
func checkEdit(t rapid.TB, text string, changes map[model.RecordID]func(*model.Header, *model.Entities)) {
	var out bytes.Buffer
	var report []string
	onError := func(id model.RecordID, err error) error {
		if !errors.As(err, new(*GameError)) {
			delete(changes, id) // which was refused
		}
		return nil
	}
	opt := EditOptions{OnError: onError, Report: func(l model.Loss) { report = append(report, l.String()) }}
	_, err := Edit(context.Background(), &out, strings.NewReader(text), opt, func(rec *model.Record, e *model.Entities) (model.Change, error) {
		change := changes[rec.ID]
		if change == nil {
			return model.Unchanged, nil
		}
		change(&rec.Game.Header, e)
		return model.ChangedHeader, nil
	})
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	before, at := gamesIn(text)
	after, then := gamesIn(out.String())
	if len(before.List) != len(after.List) {
		t.Fatalf("%q: %d games became %d in %q", text, len(before.List), len(after.List), out.String())
	}
	for i := range before.List {
		g := before.List[i].Game
		want := g.Resolve(&before.Tables)
		if change := changes[model.RecordID(i+1)]; change != nil {
			t0 := want.Tournament
			saysStart := t0.Start != impliedStart(t0, want.Date) || g.Leftovers.Header != nil
			was := want
			change(&g.Header, &before.Tables)
			want = asWritten(was, g.Resolve(&before.Tables), saysStart)
		} else if text[at[i]:at[i+1]] != out.String()[then[i]:then[i+1]] {
			t.Fatalf("game %d of %q has changed in %q", i+1, text, out.String())
		}
		if got := after.List[i].Game.Resolve(&after.Tables); !got.Equal(want) {
			t.Fatalf("game %d of %q reads otherwise in %q: %s; told: %v", i+1, text, out.String(), cmp.Diff(want, got), report)
		}
	}
}

// gamesIn reads what can be read of a text, and returns with it where games begin, and
// where the text ends.
func gamesIn(text string) (db *model.Database, at []int64) {
	db = &model.Database{}
	r := NewReader(strings.NewReader(text), ReaderOptions{})
	for rec, err := range r.Records(context.Background(), 1, model.WantAll) {
		if err == nil {
			db.List, at = append(db.List, rec.Clone()), append(at, r.Offset())
		}
	}
	db.Tables = *r.Entities()
	return db, append(at, int64(len(text)))
}

// The same with games of any kind, as this package writes them.
func TestEditIsEditingOfAnyGames(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		db := gen.Database(gen.Config{}).Draw(t, "db")
		var out bytes.Buffer
		w := NewWriter(&out, WriterOptions{Deleted: true, AcceptLosses: true})
		must.Do(t, model.Copy(context.Background(), w, db, model.CopyOptions{}))
		text := out.String()
		if rapid.Bool().Draw(t, "other line ends") {
			text = strings.ReplaceAll(text, "\n", "\r\n")
		}
		changes := map[model.RecordID]func(*model.Header, *model.Entities){}
		for i := range len(db.List) {
			if rapid.Bool().Draw(t, "is changed") {
				changes[model.RecordID(i+1)] = drawChange(t, i)
			}
		}
		checkEdit(t, text, changes)
	})
}

// Games go without a trace in the others.
func TestEditRemoves(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := oddText(t)
		id := model.RecordID(rapid.IntRange(1, 4).Draw(t, "id"))
		var out bytes.Buffer
		opt := EditOptions{OnError: func(model.RecordID, error) error { return nil }}
		if _, err := Edit(context.Background(), &out, strings.NewReader(text), opt, remove(id)); err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		before, _ := gamesIn(text)
		after, _ := gamesIn(out.String())
		if int(id) <= len(before.List) {
			before.List = slices.Delete(before.List, int(id)-1, int(id))
		}
		if len(before.List) != len(after.List) {
			t.Fatalf("%d of %q: %d games are left, want %d in %q", id, text, len(after.List), len(before.List), out.String())
		}
		for i := range before.List {
			want, got := before.List[i].Game.Resolve(&before.Tables), after.List[i].Game.Resolve(&after.Tables)
			want.Annotations, got.Annotations = nil, nil // a comment between games may lead the next one, if there is one
			if !got.Equal(want) {
				t.Fatalf("%d of %q: %q: %s", id, text, out.String(), cmp.Diff(want, got))
			}
		}
	})
}

// A game goes with what stands beside its last tag, and where the one in front has nothing
// but a tag its end stands on a line of its own: neither is a game, or damages one.
func TestEditRemovesBesideTags(t *testing.T) {
	for _, c := range []struct {
		text, want string
		id         model.RecordID
	}{
		{"[Event \"x\"]\n[White \"B, C\"] e3 1-0\n\n[Event \"y\"]\n\n1. e4 *\n", "[Event \"y\"]\n\n1. e4 *\n", 1},
		{"[Event \"x\"]\n[White \"B\"] [Event \"E\"]\n\n1. e4 1-0\n\nwords between\n\n[Event \"y\"]\n\n1. d4 *\n",
			"[Event \"x\"]\n[White \"B\"] \n*\n\nwords between\n\n[Event \"y\"]\n\n1. d4 *\n", 2},
		// A comment keeps its blank line.
		{"1. e4 1-0\n1. d4 1-0\n\n{third}\n1. c4 1-0\n", "1. e4 1-0\n\n{third}\n1. c4 1-0\n", 2},
		{"From: bob\n1. e4 1-0\n\n{two}\n1. c4 1-0\n", "From: bob\n\n{two}\n1. c4 1-0\n", 1},
	} {
		if got := edited(t, c.text, EditOptions{}, remove(c.id)); got != c.want {
			t.Errorf("%q without game %d: %q, want %q", c.text, c.id, got, c.want)
		}
	}
}

// A tag of a game without any begins a line, but for blanks.
func TestEditFirstTag(t *testing.T) {
	for text, want := range map[string]string{
		"1. e4 e5 *\n\n  1. d4 *": "1. e4 e5 *\n\n  [White \"New, N\"]\n\n1. d4 *",
		"1. e4 e5 * 1. d4 *":      "1. e4 e5 * \n[White \"New, N\"]\n\n1. d4 *",
	} {
		if got := edited(t, text, EditOptions{}, toWhite(2, "New", "N")); got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
	}
}

// A game behind a comment without an end stays, where else the comment would go on into
// another one: it is not the number of games alone that must be right.
func TestEditOpenComment(t *testing.T) {
	text := "[White \"X\"]\n\n1. e4 {open 1-0\n\n[Event \"Two\"]\n[White \"A\"]\n\n1. c4 c5 1-0\n\n1. d4 {hm} d5 1-0\n\n[White \"C\"]\n\n1. f4 1-0\n"
	var out bytes.Buffer
	opt := EditOptions{OnError: func(model.RecordID, error) error { return nil }}
	if _, err := Edit(context.Background(), &out, strings.NewReader(text), opt, remove(1)); !errors.Is(err, model.ErrCorrupt) {
		t.Errorf("%v: %q", err, out.String())
	}
}

// Where nothing is changed every byte stays, of whatever.
func TestEditCopies(t *testing.T) {
	for _, name := range []string{"pgn/lichess-big.pgn", "pgn/eco.pgn"} {
		text := string(corpus.Read(t, name))
		if got := edited(t, text, EditOptions{OnError: func(model.RecordID, error) error { return nil }}, remove(1<<30)); got != text {
			t.Errorf("%s has changed", name)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		text := usualText(t)
		var out bytes.Buffer
		_, err := Edit(context.Background(), &out, strings.NewReader(text), EditOptions{OnError: func(model.RecordID, error) error { return nil }},
			func(rec *model.Record, e *model.Entities) (model.Change, error) {
				return model.ChangedHeader, nil
			})
		if err == nil && out.String() != text {
			t.Fatalf("%q became %q", text, out.String())
		}
	})
}

// TestEditCountsAgain changes a game whose new tag would end up inside a damaged one of
// the game in front: it is refused, and nothing hangs.
func TestEditCountsAgain(t *testing.T) {
	text := "[0\"\"][0\"\n1. e4 e5[ 0\""
	var out bytes.Buffer
	_, err := Edit(context.Background(), &out, strings.NewReader(text), EditOptions{}, toWhite(0, "New", "N"))
	if !errors.Is(err, model.ErrCorrupt) {
		t.Errorf("%q: %v", out.String(), err)
	}
}

// FuzzEdit changes the white players of any text. Where all of it can be read it has as
// many games as before, and all of them have that player; where nothing is damaged this
// does not fail.
func FuzzEdit(f *testing.F) {
	for _, seed := range []string{"", twoGames, "a4 *0a4 *", "1. e4 *\n\n1. d4 *", "[White A]\n\n*", "[White \"A\"\n\n*", "\xff\xfe[\x00", "[White\n\"y\"\n]{a}[Black “x”]*", "{a}\n[a \"b\"] 1. e4 [White \"x\"] *", "0000000000000000000000000000000000000000000\n["} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var out bytes.Buffer
		n, odd, damaged := 0, false, false
		opt := EditOptions{OnError: func(model.RecordID, error) error { odd = true; return nil }, Reader: ReaderOptions{Report: func(model.Loss) { damaged = true }}}
		_, err := Edit(context.Background(), &out, bytes.NewReader(text), opt, func(rec *model.Record, e *model.Entities) (model.Change, error) {
			n++
			return toWhite(0, "New", "N")(rec, e)
		})
		if err != nil && strings.Contains(err.Error(), "instead of") && !odd && !damaged {
			t.Fatalf("%q, of which all can be read: %v", text, err)
		}
		if err != nil || odd {
			return // what begins where is a guess among what cannot be read
		}
		after, _ := gamesIn(out.String())
		if len(after.List) != n {
			t.Fatalf("%d games became %d in %q", n, len(after.List), out.String())
		}
		for _, rec := range after.List {
			if p := after.Tables.Players.Value(rec.Game.White); p != (model.Player{LastName: "New", FirstName: "N"}) {
				t.Fatalf("game %d has %v in %q", rec.ID, p, out.String())
			}
		}
	})
}
