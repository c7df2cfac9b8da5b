package pgn

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cbkit/model"
)

// headerOf reads tags and returns what they say.
func headerOf(t *testing.T, tags string, opt ReaderOptions) model.ResolvedGame {
	t.Helper()
	db, err := model.Load(context.Background(), NewReader(strings.NewReader(tags+"\n\n*\n"), opt))
	if err != nil || len(db.List) != 1 {
		t.Fatalf("%q: %v", tags, err)
	}
	return db.List[0].Game.Resolve(&db.Tables)
}

func TestTags(t *testing.T) {
	year := model.Date{Year: 1997}
	tests := []struct {
		name, tags string
		want       func(*model.ResolvedGame)
	}{
		{"nothing known", `[Event "?"][Site "?"][Date "????.??.??"][Round "?"][White "?"][Black "?"][Result "*"]`, func(g *model.ResolvedGame) {}},
		{"names", `[White "Carlsen, Magnus"][Black "Deep Blue"]`, func(g *model.ResolvedGame) {
			g.White, g.Black = model.Player{LastName: "Carlsen", FirstName: "Magnus"}, model.Player{LastName: "Deep Blue"}
		}},
		{"names, odd", `[White " Carlsen ,Magnus, Jr. "][Black ", X"]`, func(g *model.ResolvedGame) {
			g.White, g.Black = model.Player{LastName: "Carlsen", FirstName: "Magnus, Jr."}, model.Player{FirstName: "X"}
		}},
		{"event", `[Event "Wch"][Site "Sofia"][Date "1997.05.??"]`, func(g *model.ResolvedGame) {
			g.Tournament = model.Tournament{Title: "Wch", Place: "Sofia", Start: year}
			g.Date = model.Date{Year: 1997, Month: 5}
		}},
		{"event with all", `[Event "Wch"][EventDate "1996.12.30"][Date "1997.01.02"][EventType "team-swiss (rapid)"]` +
			`[EventRounds "11"][EventCountry "BUL"][EventCategory "19"]`, func(g *model.ResolvedGame) {
			g.Date = model.Date{Year: 1997, Month: 1, Day: 2}
			g.Tournament = model.Tournament{
				Title: "Wch", Start: model.Date{Year: 1996, Month: 12, Day: 30}, Rounds: 11, Nation: 26, Category: 19,
				Type: model.EventType{System: model.Swiss, Rapid: true, Team: true},
			}
		}},
		{"no event, no year", `[Date "1997.01.02"]`, func(g *model.ResolvedGame) { g.Date = model.Date{Year: 1997, Month: 1, Day: 2} }},
		{"a date too much", `[Date "2000.13.32"]`, func(g *model.ResolvedGame) {
			g.Date = model.Date{Year: 2000}
			g.Tags = []model.Tag{{Name: "Date", Value: "2000.13.32"}}
		}},
		{"a date with strokes", `[Date "2001/02/03"]`, func(g *model.ResolvedGame) {
			g.Date = model.Date{Year: 2001, Month: 2, Day: 3}
			g.Tags = []model.Tag{{Name: "Date", Value: "2001/02/03"}}
		}},
		{"a date with hyphens", `[Date "2001-02-??"]`, func(g *model.ResolvedGame) {
			g.Date = model.Date{Year: 2001, Month: 2}
			g.Tags = []model.Tag{{Name: "Date", Value: "2001-02-??"}}
		}},
		{"a date with the day first", `[Date "03.02.2001"][EventDate "3/2/2001"]`, func(g *model.ResolvedGame) {
			g.Date = model.Date{Year: 2001, Month: 2, Day: 3}
			g.Tournament.Start = g.Date
			g.Tags = []model.Tag{{Name: "Date", Value: "03.02.2001"}, {Name: "EventDate", Value: "3/2/2001"}}
		}},
		{"a date with the month first", `[Date "02/13/2001"]`, func(g *model.ResolvedGame) {
			g.Date = model.Date{Year: 2001, Month: 2, Day: 13}
			g.Tags = []model.Tag{{Name: "Date", Value: "02/13/2001"}}
		}},
		{"half a year", `[Date "01.02.99"]`, func(g *model.ResolvedGame) {
			g.Tags = []model.Tag{{Name: "Date", Value: "01.02.99"}}
		}},
		{"a year of long ago", `[Date "0003.02.01"]`, func(g *model.ResolvedGame) { g.Date = model.Date{Year: 3, Month: 2, Day: 1} }},
		{"a URL for a site", `[Event "x"][Site "https://example.org/1"]`, func(g *model.ResolvedGame) {
			g.Tournament.Title = "x"
			g.Tags = []model.Tag{{Name: "Site", Value: "https://example.org/1"}}
		}},
		{"round", `[Round "3"]`, func(g *model.ResolvedGame) { g.Round = 3 }},
		{"subround", `[Round "3.2"]`, func(g *model.ResolvedGame) { g.Round, g.Subround = 3, 2 }},
		{"subround in brackets", `[Round "3(2)"]`, func(g *model.ResolvedGame) { g.Round, g.Subround = 3, 2 }},
		{"round, large", `[Round "65535"]`, func(g *model.ResolvedGame) { g.Round = 65535 }},
		{"round, too large", `[Round "70000"]`, func(g *model.ResolvedGame) { g.Tags = []model.Tag{{Name: "Round", Value: "70000"}} }},
		{"round 0", `[Round "0"]`, func(g *model.ResolvedGame) { g.Tags = []model.Tag{{Name: "Round", Value: "0"}} }},
		{"subround 0", `[Round "3.0"]`, func(g *model.ResolvedGame) {
			g.Round = 3
			g.Tags = []model.Tag{{Name: "Round", Value: "3.0"}}
		}},
		{"round 0, subround", `[Round "0.2"]`, func(g *model.ResolvedGame) { g.Subround = 2 }},
		{"round, final", `[Round "final"]`, func(g *model.ResolvedGame) { g.Tags = []model.Tag{{Name: "Round", Value: "final"}} }},
		{"ratings", `[WhiteElo "2655"][BlackElo "-"]`, func(g *model.ResolvedGame) { g.WhiteElo = 2655 }},
		{"ratings, odd", `[WhiteElo "2655?"][BlackElo "0"]`, func(g *model.ResolvedGame) {
			g.WhiteElo = 2655
			g.Tags = []model.Tag{{Name: "WhiteElo", Value: "2655?"}}
		}},
		{"understood in part", `[Date "12.1998"][Round "4.1.2"][WhiteElo "1850/12"][BlackElo "2300/2400"][EventDate "1998-12-25T14:00:00Z"]`, func(g *model.ResolvedGame) {
			g.Date, g.Round, g.Subround, g.WhiteElo = model.Date{Year: 1998, Month: 12}, 4, 1, 1850
			g.Tournament.Start = model.Date{Year: 1998, Month: 12, Day: 25}
			g.Tags = []model.Tag{{Name: "BlackElo", Value: "2300/2400"}, {Name: "Date", Value: "12.1998"}, {Name: "EventDate", Value: "1998-12-25T14:00:00Z"},
				{Name: "Round", Value: "4.1.2"}, {Name: "WhiteElo", Value: "1850/12"}}
		}},
		{"ECO", `[ECO "C50/08"]`, func(g *model.ResolvedGame) { g.ECO = model.NewECO(250, 8) }},
		{"ECO, too much", `[ECO "C50a"]`, func(g *model.ResolvedGame) {
			g.ECO = model.NewECO(250, 0)
			g.Tags = []model.Tag{{Name: "ECO", Value: "C50a"}}
		}},
		{"result", `[Result "1-0"]`, func(g *model.ResolvedGame) { g.Result = model.WhiteWins }},
		{"result, odd", `[Result "1-0 ff"]`, func(g *model.ResolvedGame) { g.Tags = []model.Tag{{Name: "Result", Value: "1-0 ff"}} }},
		{"forfeit", `[Result "0-1"][Termination "forfeit"]`, func(g *model.ResolvedGame) { g.Result = model.BlackWinsByForfeit }},
		{"termination", `[Result "0-1"][Termination "Time forfeit"]`, func(g *model.ResolvedGame) {
			g.Result = model.BlackWins
			g.Tags = []model.Tag{{Name: "Termination", Value: "Time forfeit"}}
		}},
		{"forfeit of nothing", `[Termination "forfeit"]`, func(g *model.ResolvedGame) {
			g.Tags = []model.Tag{{Name: "Termination", Value: "forfeit"}}
		}},
		{"source", `[Source "CB"]`, func(g *model.ResolvedGame) { g.Source = model.Publication{Title: "CB", Publisher: "CB"} }},
		{"source with all", `[Source "CB"][SourceTitle "Mega"][SourceDate "2020.01.01"][SourceVersion "3"][SourceVersionDate "2021.??.??"][SourceQuality "1"]`,
			func(g *model.ResolvedGame) {
				g.Source = model.Publication{
					Title: "Mega", Publisher: "CB", Published: model.Date{Year: 2020, Month: 1, Day: 1},
					Date: model.Date{Year: 2021}, Version: 3, Quality: model.QualityHigh,
				}
			}},
		{"source without a title", `[Source "CB"][SourceTitle ""]`, func(g *model.ResolvedGame) { g.Source.Publisher = "CB" }},
		{"teams", `[WhiteTeam "Lyon"][WhiteTeamCountry "FRA"][BlackTeam "Köln"]`, func(g *model.ResolvedGame) {
			g.WhiteTeam, g.BlackTeam = model.Team{Title: "Lyon", Nation: 49}, model.Team{Title: "Köln"}
		}},
		{"no start", `[Variant "Standard"][SetUp "0"][PlyCount "12"]`, func(g *model.ResolvedGame) {
			g.Tags = []model.Tag{{Name: "Variant", Value: "Standard"}}
		}},
		{"start", `[FEN "7k/8/8/8/8/8/8/K7 b - - 3 40"]`, func(g *model.ResolvedGame) {
			g.Start = model.Position{Turn: model.Black, Rights: model.NoRights(), EnPassant: model.NoFile, HalfMoves: 3, FullMove: 40}
			g.Start.Board[model.A1], g.Start.Board[model.H8] = model.WhiteKing, model.BlackKing
		}},
		{"start, pieces and side", `[FEN "7k/8/8/8/8/8/8/K7 b"]`, func(g *model.ResolvedGame) {
			g.Start = model.Position{Turn: model.Black, Rights: model.NoRights(), EnPassant: model.NoFile, FullMove: 1}
			g.Start.Board[model.A1], g.Start.Board[model.H8] = model.WhiteKing, model.BlackKing
		}},
		{"Chess960", `[Variant "Fischerandom"][FEN "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"]`, func(g *model.ResolvedGame) {
			g.Start.Chess960 = true
		}},
		{"Chess960 without a start", `[Variant "Chess960"]`, func(g *model.ResolvedGame) {
			g.Tags = []model.Tag{{Name: "Variant", Value: "Chess960"}}
		}},
		{"others, by name", `[Zeta "z"][Alpha "b"][Alpha "a"]`, func(g *model.ResolvedGame) {
			g.Tags = []model.Tag{{Name: "Alpha", Value: "b"}, {Name: "Alpha", Value: "a"}, {Name: "Zeta", Value: "z"}}
		}},
		{"a tag twice", `[White "A"][White "B"]`, func(g *model.ResolvedGame) {
			g.White.LastName = "A"
			g.Tags = []model.Tag{{Name: "White", Value: "B"}}
		}},
		{"names of tags", "[ White \"A\" ]\n[1stRound \"a\"]\n[_x \"b\"]\n[Über \"c\"]\n[\tBlack \"B\"]\n[-x \"d\"]", func(g *model.ResolvedGame) {
			g.White.LastName, g.Black.LastName = "A", "B"
			g.Tags = []model.Tag{{Name: "-x", Value: "d"}, {Name: "1stRound", Value: "a"}, {Name: "_x", Value: "b"}, {Name: "Über", Value: "c"}}
		}},
		{"names of our own", `[CbTag_White "A"][CbTag_a_2Db "b"][CbTag_a_2d "c"][CbTag_CbTag_5Fx "d"]`, func(g *model.ResolvedGame) {
			g.Tags = []model.Tag{{Name: "CbTag_a_2d", Value: "c"}, {Name: "CbTag_x", Value: "d"}, {Name: "White", Value: "A"}, {Name: "a-b", Value: "b"}}
		}},
		{"a tag three times", `[Date "x"][Date "y"][Date "z"]`, func(g *model.ResolvedGame) {
			g.Tags = []model.Tag{{Name: "Date", Value: "x"}, {Name: "Date", Value: "y"}, {Name: "Date", Value: "z"}}
		}},
		{"escapes", `[Event "a \"b\" \\ c:\d"]`, func(g *model.ResolvedGame) { g.Tournament.Title = `a "b" \ c:\d` }},
		{"quotes inside", `[Event "The "Big" Open"]`, func(g *model.ResolvedGame) { g.Tournament.Title = `The "Big" Open` }},
		{"no quotes", "[Event \"x\"]\n[Opening Ruy Lopez]", func(g *model.ResolvedGame) {
			g.Tournament.Title = "x"
			g.Tags = []model.Tag{{Name: "Opening", Value: "Ruy Lopez"}}
		}},
		{"no closing quote", "[Event \"x]\n[White \"y\"\n[Black \"z\n", func(g *model.ResolvedGame) {
			g.Tournament.Title, g.White.LastName, g.Black.LastName = "x", "y", "z"
		}},
		{"Windows-1252", "[White \"M\xfcller\"][Black \"M\xc3\xbcller\"][Opening \"\x81\x80\"]", func(g *model.ResolvedGame) {
			g.White.LastName, g.Black.LastName = "Müller", "Müller"
			g.Tags = []model.Tag{{Name: "Opening", Value: "\u0081€"}}
		}},
		{"control characters", "[White \"a\x00b\tc\"]", func(g *model.ResolvedGame) { g.White.LastName = "a b c" }},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var e model.Entities
			want := (&model.Game{Header: model.NewHeader()}).Resolve(&e)
			test.want(&want)
			got := headerOf(t, test.tags, ReaderOptions{})
			if !got.Equal(want) {
				t.Errorf("%s", cmp.Diff(want, got))
			}
		})
	}
}

// TestTagsStay writes what was read from the tags of TestTags's kind: every
// tag comes back as it was, in its place.
func TestTagsStay(t *testing.T) {
	const text = `[Event "a \"b\" \\"]
[Site "https://example.org/1"]
[Date "2000.13.32"]
[Round "final"]
[White "Carlsen, Magnus"]
[Black "?"]
[Result "1-0"]
[ECO "C50a"]
[WhiteElo "2655?"]
[BlackElo "2700"]
[Annotator "me"]
[SetUp "1"]
[FEN "7k/8/8/8/8/8/8/K7 w - - 0 1"]
[Variant "From Position"]
[PlyCount "0"]
[EventDate "x"]
[EventType "blitz"]
[EventRounds "many"]
[EventCountry "XXX"]
[EventCategory "300"]
[Source "CB"]
[SourceDate "2020.??.??"]
[SourceVersion "v2"]
[SourceVersionDate "today"]
[SourceQuality "good"]
[WhiteTeam "Lyon"]
[WhiteTeamCountry "FRANCE"]
[BlackTeamCountry "GER"]
[CbTag_Black "another one"]
[CbTag_Result "White wins"]
[Termination "forfeit"]
[CbTag_x_2Dy "z"]
[x_y "z"]

1-0

`
	db := readAll(t, []byte(text))
	got, losses := writeAll(t, db, WriterOptions{})
	if diff := cmp.Diff(text, string(got)); diff != "" || len(losses) != 0 {
		t.Errorf("%s\n%v", diff, losses)
	}
}

func TestKeepSite(t *testing.T) {
	got := headerOf(t, `[Site "https://example.org/1"]`, ReaderOptions{KeepSite: true})
	if got.Tournament.Place != "https://example.org/1" || len(got.Tags) != 0 {
		t.Errorf("place %q, tags %v", got.Tournament.Place, got.Tags)
	}
}

func TestCodePage(t *testing.T) {
	upper := func(b []byte) string { return "<" + string(bytes.ToUpper(b[:1])) + ">" }
	got := headerOf(t, "[White \"a\xff\"][Black \"ä\"]", ReaderOptions{DecodeText: upper})
	if got.White.LastName != "<A>" || got.Black.LastName != "ä" {
		t.Errorf("%v, %v", got.White, got.Black)
	}
}

func TestResultOfMoves(t *testing.T) {
	tests := []struct {
		text string
		want model.Result
	}{
		{"[Event \"x\"]\n\n1. e4 1-0", model.WhiteWins},
		{"[Result \"*\"]\n\n1. e4 1-0", model.WhiteWins},
		{"[Result \"?\"]\n\n1. e4 1-0", model.WhiteWins},
		{"[Result \"0-1\"]\n\n1. e4 1-0", model.BlackWins},
		{"[Result \"0-1\"]\n\n1. e4 *", model.BlackWins},
		{"[Result \"1/2-1/2\"]\n[Termination \"forfeit\"]\n\n1/2-1/2", model.DrawByForfeit},
		{"[Result \"0-0\"]\n\n0-0", model.BothLose},
		{"[Event \"x\"]\n\n1. e4 0-0", model.BothLose},
		{"[Result \"0-0\"]\n\n1. e4 *", model.BothLose},
		{"[Result \"1:0\"]\n\n1. e4 *", model.WhiteWins},
		{"[Result \"White wins\"]\n\n1. e4 1/2-1/2", model.Draw},
	}
	for _, test := range tests {
		if db := readAll(t, []byte(test.text)); db.List[0].Game.Result != test.want {
			t.Errorf("%q: %d, want %d", test.text, db.List[0].Game.Result, test.want)
		}
	}
}
