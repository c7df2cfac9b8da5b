package search_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"cbkit/internal/testkit/must"
	"cbkit/model"
	"cbkit/pgn"
	"cbkit/search"
)

func TestParse(t *testing.T) {
	for query, want := range map[string]string{
		"player:Carlsen":                       "player:Carlsen",
		" player:Carlsen  and result:1-0 ":     "(player:Carlsen and result:1-0)",
		"player:a result:1-0 or result:*":      "((player:a and result:1-0) or result:*)",
		"player:a (result:1-0 or result:0-1f)": "(player:a and (result:1-0 or result:0-1f))",
		"NOT deleted:yes AND kind:text":        "(not deleted:yes and kind:text)",
		"deleted:no":                           "not deleted:yes",
		`player:"Carlsen, M*"`:                 `player:"Carlsen, M*"`,
		`player:"a \"b\" \\ c"`:                `player:"a \"b\" \\ c"`,
		"not not ((id:5))":                     "not not id:5..5",
		"Player:or":                            "player:or",
		"year:1990-1999":                       "date:1990..1999",
		"date:1997.05..1997.08.15":             "date:1997.05..1997.08.15",
		"date:..1997":                          "date:..1997",
		"eco:c50-C59":                          "eco:C50..C59",
		"eco:B..":                              "eco:B00..E99",
		"eco:B":                                "eco:B00..B99",
		"eco:b2":                               "eco:B20..B29",
		"eco:B2..C":                            "eco:B20..C99",
		"eco:F":                                "",
		"elo:2700..":                           "elo:2700..",
		"white-elo:..2000":                     "white-elo:0..2000",
		"medal:novelty has:text":               "(medal:novelty and has:text)",
		"material:RP+vR/6":                     "material:KRP+-KR/6",
		"material:KQ*-K end:K-K":               "(material:KQ*-K and end:K-K)",
		"balance:-9..-3/6":                     "balance:-9..-3/6",
		"pattern:Pd4,!Pc,!Pe":                  "pattern:Pd4,!Pc,!Pe",
		`pattern:"Pd4 !q/8@20.."`:              "pattern:Pd4,!q/8@20..",
		"pattern:Xd4":                          "", "pattern:Pi": "", "pattern:Pd9": "", "pattern:": "", "pattern:!": "", "pattern:Pd4/0": "",
		"piece:nd5":                           "piece:nd5",
		"opponents:Karpov/Kasparov":           "((white-player:Karpov and black-player:Kasparov) or (white-player:Kasparov and black-player:Karpov))",
		"result:1/2":                          "result:1/2-1/2",
		"pawns:8/pppppppp/8/8/8/8/PPPPPPPP/8": "pawns:8/pppppppp/8/8/8/8/PPPPPPPP/8",
		`fen:"8/8/8/8/8/8/8/K1k5 w - - 3 20"`: `fen:"8/8/8/8/8/8/8/K1k5 w - - 0 1"`,
		"":                                    "",
		" Paul  Morphy ":                      `player:"Paul  Morphy"`,
		"and":                                 "player:and",
		"and :":                               "",
		"player:":                             "",
		"player:a)":                           "",
		"(player:a":                           "",
		"player:a or":                         "",
		`player:"a`:                           "",
		"result:2-0":                          "",
		"year:199x":                           "",
		"year:2000..1990":                     "",
		"elo:-5":                              "elo:0..5",
		"moves:..":                            "",
		"date:1997.13":                        "",
		"piece:d5":                            "",
		"piece:Xd5":                           "",
		"material:KR":                         "",
		"material:KX-K":                       "",
		"material:K-K/0":                      "",
		"balance:5..2":                        "",
		"medal:gold":                          "",
		"has:nothing":                         "",
		"kind:book":                           "",
		"opponents:Karpov":                    "",
		"fen:nonsense":                        "",
		"pawns:KK6/8/8/8/8/8/8/8":             "pawns:8/8/8/8/8/8/8/8",
		strings.Repeat("(", 200):              "",
		strings.Repeat("not ", 200) + "id:1":  "",
		strings.Repeat("(", 50) + "id:1" + strings.Repeat(")", 50): "id:1..1",
	} {
		c, err := search.Parse(query)
		switch {
		case want == "" && err == nil:
			t.Errorf("%q became %v", query, c)
		case want != "" && (err != nil || c.String() != want):
			t.Errorf("%q became %v, %v; want %s", query, c, err, want)
		}
	}
}

func TestTermsAreComplete(t *testing.T) {
	seen := map[string]bool{}
	for _, term := range search.Terms() {
		if seen[term.Name] || term.Name == "" || term.Value == "" || term.Help == "" {
			t.Errorf("%+v", term)
		}
		seen[term.Name] = true
	}
	if _, err := search.Term("colour", "red"); err == nil {
		t.Error("an unknown term was accepted")
	}
}

// TestZero asks for what is 0 or not known, which is no open end.
func TestZero(t *testing.T) {
	const bare = "[Event \"a\"]\n\n*\n\n"
	const full = "[Date \"2001.01.01\"]\n[Round \"1\"]\n[White \"A\"]\n[Black \"B\"]\n[WhiteElo \"2000\"]\n\n1. e4 *\n"
	for query, want := range map[string][]model.RecordID{
		"moves:0": {1}, "moves:..0": {1}, "moves:<1": {1}, "moves:0..": {1, 2}, "year:0": {1}, "round:0": {1}, "id:0": nil,
		"white-elo:0": {1}, "black-elo:0": {1, 2}, "elo:0": {1, 2}, "both-elo:0": {1}, "not elo:0": nil, "moves:0..0 year:0": {1},
	} {
		c, err := search.Parse(query)
		if err != nil {
			t.Fatalf("%s: %v", query, err)
		}
		var got []model.RecordID
		src := must.Get(search.Select(pgn.NewReader(strings.NewReader(bare+full), pgn.ReaderOptions{}), c))(t)
		for rec := range must.All(t, src.Records(context.Background(), 1, model.WantMoves)) {
			got = append(got, rec.ID)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", query, got, want)
		}
	}
	if _, err := search.Parse("fen:e4@0"); err == nil {
		t.Error("plies up to 0 were taken for all")
	}
}

func TestConditionsOutOfRange(t *testing.T) {
	if _, err := search.Term("fen", "4k3/8/8/8/4K3/8/8/4K3 w - - 0 1"); err == nil {
		t.Error("two kings were accepted")
	}
}

// FuzzParse: what is accepted is written as it is read.
func FuzzParse(f *testing.F) {
	for _, query := range []string{
		"player:carl* and (eco:C50..C59 or not year:2013) result:1-0", `player:"a \" b"`, "opponents:a/b", "material:KRP+-KR*/3", "material:KR[P]-K[BNP]",
		"balance:-9..-3/6", `fen:"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"`, "pawns:8/p7/8/8/8/8/P7/8", "date:1997.05..1998.01.01",
		"medal:novelty has:text elo:2500..2700 id:1..5 deleted:no kind:text end:K-K piece:Nd5 moves:3.. tag:A=b*",
	} {
		f.Add(query)
	}
	f.Fuzz(func(t *testing.T, query string) {
		c, err := search.Parse(query)
		if err != nil {
			if strings.Contains(err.Error(), "\n") && !strings.Contains(query, "\n") {
				t.Fatalf("%q: more than one line: %v", query, err)
			}
			return
		}
		again, err := search.Parse(c.String())
		if err != nil || again.String() != c.String() {
			t.Fatalf("%q became %v, then %v, %v", query, c, again, err)
		}
	})
}

// TestMaterialInBrackets takes any number of what stands in brackets, or none.
func TestMaterialInBrackets(t *testing.T) {
	for text, want := range map[string]string{
		"R[P]-B[P]": "KR[P]-KB[P]", "KR[PP][P]-K": "KR[P]-K", "KRP[P]-K": "KRP+-K", "KR[QBNP]-K*": "KR*-K*", "KR[P]*-K": "KR*-K", "K[P]+-K": "", "K[P-K": "", "KP]-K": "", "K[[P]]-K": "",
	} {
		m, err := search.ParseMaterial(text)
		if (err == nil) != (want != "") || err == nil && m.String() != want {
			t.Errorf("%s: %v, %v; want %s", text, m, err, want)
		}
	}
	games := ""
	for _, fen := range []string{"4k3/8/8/3b4/8/8/8/3RK3", "4k3/3p4/8/3b4/8/8/PPP5/3RK3", "4k3/3n4/8/3b4/8/8/8/3RK3"} {
		games += "[FEN \"" + fen + " w - - 0 1\"]\n\n*\n\n"
	}
	c := must.Get(search.Term("material", "R[P]-B[P]"))(t)
	src := must.Get(search.Select(pgn.NewReader(strings.NewReader(games), pgn.ReaderOptions{}), c))(t)
	found := 0
	for rec, err := range src.Records(context.Background(), 1, model.WantMoves) {
		if found++; err != nil || rec.ID > 2 {
			t.Errorf("record %d, %v", rec.ID, err)
		}
	}
	if found != 2 {
		t.Errorf("%d found", found)
	}
}
