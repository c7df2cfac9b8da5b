package search_test

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	lib "cbkit"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/model"
	"cbkit/pgn"
	"cbkit/search"
	"cbkit/write"
)

// playersGames are games with what servers, matches of engines and boards at tournaments
// write, each with a few facts of its own.
const playersGames = `[Event "Rated Blitz game"]
[Date "2024.05.03"]
[White "Ada"]
[Black "Ben"]
[Result "1-0"]
[WhiteElo "1500"]
[BlackElo "1720"]
[ECO "C50"]
[TimeControl "300+3"]

1. e4 { [%eval 0.17] [%clk 0:05:00] } e5 { [%eval 0.19] [%clk 0:04:58] } 2. Qh5?! { [%eval -0.4] [%clk 0:00:31] } Nc6
{ [%eval -0.3] [%clk 0:04:00] } 3. Bc4 { [%eval -0.3] [%clk 0:00:30] } Nf6?? { [%eval #1] [%clk 0:03:00] }
4. Qxf7# { [%clk 0:00:09.5] } 1-0

[Event "Live Chess"]
[Date "2026.11.01"]
[White "Ben"]
[Black "Ada"]
[Result "0-1"]
[WhiteElo "2400"]
[BlackElo "2300"]
[ECO "B90"]
[TimeControl "1/86400"]

1. Nf3 { [%clk 23:00:00][%timestamp 36000] } 1... Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 0-1

[Event "Match of engines"]
[Date "2023.??.??"]
[White "Stockfish"]
[Black "Ada"]
[Result "1-0"]
[ECO "B01"]
[TimeControl "40/60"]

1. e4 {book} d5 {book} 2. exd5 {+0.31/14 0.53s} Qxd5 {+2.10/15 1.1s} 3. Nc3 {+M5/20 1.2s} Qa5 {-M4/20 1.2s, White mates} 1-0

[Event "Board"]
[Date "1999.01.02"]
[White "Cleo"]
[Black "Ben"]
[Result "1-0"]
[FEN "8/P6k/8/8/8/8/8/K7 w - - 98 90"]
[SetUp "1"]
[TimeControl "5400+30"]
[EventType "swiss (rapid)"]

1. a8=N {[%emt 0:00:12]} Kg7 2. Nb6 Kh7 3. Nd5 {(3. Nd7 Kg8 4. Nf6+)} ( 3. Nd7 Kg8 4. Nf6+ ) 3... Kg8 1-0

[Event "Board"]
[Date "1999.01.02"]
[White "Cleo"]
[Black "Dan"]
[Result "0-1"]
[FEN "7k/8/6K1/8/8/8/8/1Q6 w - - 0 1"]
[SetUp "1"]
[EventType "swiss (rapid)"]

1. Qf1 Kg8 2. Qf7+ Kh8 3. Qf8# 0-1

[Event "Board"]
[Date "2025.01.02"]
[White "Dan"]
[Black "Cleo"]
[Result "1-0"]
[ECO "C55"]
[TimeControl "60"]

1. e4 e5 2. Nf3 Nc6 3. Bc4 Nf6 4. O-O Nxe4 5. Nc3 Nxc3 6. Qe1 Be7 7. dxc3 O-O 8. Nd4 d5 9. Bxd5 1-0
`

// What each term finds in these games, in all formats, by all ways to search.
func TestTermsOfPlayers(t *testing.T) {
	now := time.Date(2026, 11, 28, 12, 0, 0, 0, time.UTC)
	tests := []struct{ query, ids, untagged string }{ // of formats without tags, if that is another answer
		{query: "winner:ada", ids: "1 2"}, {query: "loser:ben", ids: "1 2 4"}, {query: "winner:zoe"},
		{query: "not winner:ada", ids: "3 4 5 6"},
		{query: "player:ada opponent-elo:2000..", ids: "2"}, {query: "winner:ada and (opponent-elo:..1800 or eco:B)", ids: "1 2"},
		{query: "loser:ben (opponent-elo:1500 or opponent-elo:2300) year:2024", ids: "1"}, {query: "player:ada opponent-elo:0", ids: "3"},
		{query: "elo-difference:100..", ids: "2"}, {query: "elo-difference:-250..-200", ids: "1"}, {query: "elo-difference:-220", ids: "1"},
		{query: "upset:100", ids: "1 2"}, {query: "upset:101", ids: "1"}, {query: "upset:0", ids: "1 2"},
		{query: "final:mate", ids: "1 5"}, {query: "final:check"}, {query: "final:repetition", ids: "2"}, {query: "final:fivefold"}, {query: "final:fifty"},
		{query: "final:dead", ids: "4"}, {query: "final:stalemate"},
		{query: "wrong-result:yes", ids: "4 5"}, {query: "wrong-result:no", ids: "1 2 3 6"},
		{query: "move:Qxf7", ids: "1"}, {query: "move:Qxf7+"}, {query: "move:*#", ids: "1 5"}, {query: "move:*=N", ids: "4"}, {query: "move:*=Q"},
		{query: "move:0-0", ids: "6"}, {query: "move:O-O@..7", ids: "6"}, {query: "move:O-O@8..", ids: "6"}, {query: "move:O-O-O"}, {query: "move:O-O*@..6"},
		{query: "move:Nf6+@variations", ids: "4"}, {query: "move:Nf6+"}, {query: "move:Nd7@variations", ids: "4"}, {query: "move:bxd5"}, {query: "move:Bxd5", ids: "6"},
		{query: "move:?xd5", ids: "3 6"}, {query: "move:Q?8", ids: "5"}, {query: "move:Nxc3", ids: "6"}, {query: "move:*x*@..3", ids: "3"},
		{query: "time-control:blitz", ids: "1"}, {query: "time-control:correspondence", ids: "2"}, {query: "time-control:classical", ids: "4"},
		{query: "time-control:bullet", ids: "3 6"}, {query: "time-control:rapid", ids: "5", untagged: "4 5"},
		{query: "has:evaluation", ids: "1 3"}, {query: "has:clock", ids: "1 2"}, {query: "has:time-spent", ids: "3 4"}, {query: "has:evaluations not has:clock", ids: "3"},
		{query: "blunder:1000", ids: "1"}, {query: "blunder:1031"}, {query: "blunder:1030", ids: "1"}, {query: "blunder:59", ids: "1"}, {query: "blunder:ada/57", ids: "1"},
		{query: "blunder:ada/241", ids: ""}, {query: "blunder:ada/179"}, {query: "blunder:Ben/1", ids: "1"},
		{query: "clock:30", ids: "1"}, {query: "clock:9"}, {query: "clock:10", ids: "1"}, {query: "clock:ben/60"}, {query: "clock:ada/10", ids: "1"},
		{query: "eco:najdorf", ids: "2"}, {query: "eco:Sicilian", ids: "2"}, {query: `eco:"scandinavian defense"`, ids: "3"}, {query: "eco:Italian", ids: "1 6"}, {query: `eco:"two knights"`, ids: "6"},
		{query: "year:-3..", ids: "1 2 3 6"}, {query: "year:-2..-1", ids: "1 6"}, {query: "year:-27", ids: "4 5"}, {query: "date:-30..", ids: "2"}, {query: "date:-26..", ids: ""}, {query: "date:..-1000", ids: "3 4 5"},
	}
	for i := range tests {
		if tests[i].untagged == "" && strings.HasPrefix(tests[i].query, "time-control") && !strings.Contains(tests[i].query, "rapid") {
			tests[i].untagged = "-"
		}
	}
	ctx := context.Background()
	src := pgn.NewReader(strings.NewReader(playersGames), pgn.ReaderOptions{})
	all := must.Get(model.Load(ctx, src))(t)
	check := func(format string, find func(c search.Condition) ([]model.RecordID, error)) {
		for _, test := range tests {
			want := test.ids
			if tagged := !strings.HasPrefix(format, "cbh") && !strings.HasPrefix(format, "dci") && !strings.HasPrefix(format, "2cbh"); !tagged && test.untagged != "" {
				want = strings.Trim(test.untagged, "-")
			}
			if test.query == "has:time-spent" && strings.HasPrefix(format, "dci") {
				want = "3" // which has no annotation for it
			}
			if test.query == "time-control:rapid" && strings.HasPrefix(format, "dci") {
				want = "" // nor kinds of tournaments
			}
			c, err := search.ParseAt(test.query, now)
			if err != nil {
				t.Errorf("%s: %v", test.query, err)
				continue
			}
			if again, err := search.Parse(c.String()); err != nil || again.String() != c.String() {
				t.Errorf("%s is written as %v, which is read as %v, %v", test.query, c, again, err)
			}
			ids, err := find(c)
			if got := strings.Trim(fmt.Sprint(ids), "[]"); got != want || err != nil {
				t.Errorf("%s: %s: %s, want %s, %v", format, test.query, got, want, err)
			}
		}
	}
	for _, name := range []string{"a.pgn", "a.jsonl"} {
		path := filepath.Join(t.TempDir(), name)
		must.Do(t, lib.Save(ctx, path, all, lib.SaveOptions{}))
		check(name[2:], func(c search.Condition) (ids []model.RecordID, err error) {
			in, err := lib.Open(path, lib.Options{})
			if err != nil {
				return nil, err
			}
			defer in.Close()
			s, err := search.Select(in, c)
			if err != nil {
				return nil, err
			}
			for rec, err := range s.Records(ctx, 1, model.WantHeaders) {
				if err != nil {
					return nil, err
				}
				ids = append(ids, rec.ID)
			}
			return ids, nil
		})
	}
	new17 := must.Get(gen.ChessBase2(ctx, all))(t)
	for _, opt := range []search.Options{{FS: new17}, {FS: new17, NoBoosters: true, Jobs: 1}} {
		s := must.Get(search.Open("Games.2cbh", opt))(t)
		defer s.Close()
		check("2cbh", func(c search.Condition) ([]model.RecordID, error) {
			result, err := s.Find(ctx, c)
			return result.IDs, err
		})
	}
	for _, name := range []string{"a.cbh", "a.dci", "a.si4"} {
		path := filepath.Join(gen.Folder(t), name)
		must.Do(t, lib.Save(ctx, path, all, lib.SaveOptions{AcceptLosses: true}))
		for _, boosters := range []bool{false, true} {
			if boosters && name == "a.cbh" {
				for _, opt := range []write.BoosterOptions{{}, {Positions: 40, Structures: true}} {
					must.Get(write.Boosters(ctx, path, opt))(t)
				}
			}
			for _, without := range []bool{false, true} {
				s := must.Get(search.Open(path, search.Options{NoBoosters: without}))(t)
				check(fmt.Sprint(name[2:], boosters, !without), func(c search.Condition) ([]model.RecordID, error) {
					result, err := s.Find(ctx, c)
					return result.IDs, err
				})
				must.Do(t, s.Close())
			}
		}
	}
}

// Words that mean nothing are errors that help.
func TestTermsOfPlayersThatAreNone(t *testing.T) {
	for query, want := range map[string]string{
		"move:20": "moves:20", "move:2..5": "moves:2..5", "move:Zf3": "Nxf7", "move:": "", "final:draw": "stalemate", "upset:-1": "points", "upset:": "",
		"elo-difference:5..1": "range", "time-control:fast": "blitz", "wrong-result:maybe": "yes or no", "blunder:x": "hundredths", "blunder:0": "", "blunder:/5": "",
		"clock:": "seconds", "eco:najdrof": "Najdorf", `eco:"fried liver"`: "C57", "eco:sicilian@5": "", "final:mate@..5": "",
	} {
		c, err := search.Parse(query)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, %v, want %q", query, c, err, want)
		}
	}
	for _, query := range []string{"opponent-elo:2400..", "winner:a opponent-elo:1.. loser:b", "player:a or opponent-elo:1..", "not player:a opponent-elo:5..", "white-player:a opponent-elo:5.."} {
		c := must.Get(search.Parse(query))(t)
		if _, err := search.Select(&model.Database{}, c); err == nil || !strings.Contains(err.Error(), "player") {
			t.Errorf("%s: %v", query, err)
		}
	}
	if !slices.ContainsFunc(search.Terms(), func(t search.TermInfo) bool { return t.Name == "wrong-result" }) {
		t.Error("no term wrong-result")
	}
}
