package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	lib "cbkit"
	"cbkit/cmd/internal/viewer"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/model"
)

// formsOfServers are games as Lichess, chess.com, cutechess, fishtest and boards of DGT write them.
const formsOfServers = `[Event "Rated blitz game"]
[Site "https://lichess.org/AbCdEfGh"]
[Date "2024.05.03"]
[White "ada"]
[Black "ben"]
[Result "1-0"]
[UTCDate "2024.05.03"]
[UTCTime "12:00:00"]
[WhiteElo "1500"]
[BlackElo "1720"]
[ECO "C50"]
[Opening "Italian Game"]
[TimeControl "180+2"]
[Termination "Normal"]

1. e4 { [%eval 0.17] [%clk 0:03:00] } 1... e5 { [%eval 0.19] [%clk 0:03:00] } 2. Bc4 { [%eval 0.1] [%clk 0:00:29] } 2... Nc6 { [%eval 0.2] [%clk 0:02:50] } 3. Qh5 { [%eval 0.0] [%clk 0:02:40] } 3... Nf6?? { (0.00 → Mate in 1) Blunder. g6 was best. } { [%eval #1] [%clk 0:02:41] } (3... g6 4. Qf3) 4. Qxf7# { [%clk 0:00:20] } 1-0

[Event "Live Chess"]
[Site "Chess.com"]
[Date "2024.06.01"]
[White "ben"]
[Black "ada"]
[Result "0-1"]
[WhiteElo "1810"]
[BlackElo "1500"]
[TimeControl "60"]
[Termination "ada won on time"]

1. f3 {[%clk 0:00:59.9]} 1... e5 {[%clk 0:00:59.1]} 2. Kf2 {[%clk 0:00:00.4]} 0-1

[Event "?"]
[Date "2024.07.01"]
[Round "1"]
[White "Engine 1.0"]
[Black "Engine 2.0"]
[Result "0-1"]
[TimeControl "40/60"]

1. e4 {book} c5 {book} 2. Nf3 {+0.31/14 0.53s} d6 {+0.22/13 0.61s} 3. Ng5 {-4.90/15 0.4s} Qa5 {+M9/22 1.4s, Black mates} 0-1

[Event "fishtest"]
[Date "2024.08.01"]
[White "New-2f3c1d"]
[Black "Base-9a8b7c"]
[Result "1/2-1/2"]
[TimeControl "10.0+0.1"]

1. d4 {book} Nf6 {+0.09/16 0.216s} 2. Nf3 {+0.25/16 0.331s} Ng8 {-0.00/21 0.119s} 3. Ng1 {0.00/24 0.075s, Draw by adjudication} 1/2-1/2

[Event "Open"]
[Site "Biel SUI"]
[Date "2024.09.01"]
[White "Cleo"]
[Black "Dan"]
[Result "1/2-1/2"]
[TimeControl "40/5400+30:1800+30"]

1. Nf3 {[%clk 1:30:30] [%emt 0:00:03]} Nf6 {[%clk 1:30:10]} 2. Ng1 {[%emt 0:01:00]} Ng8 3. Nf3 Nf6 4. Ng1 Ng8 1/2-1/2
`

// The terms find the same in every format and whatever a database lies in, and so does the
// viewer's search. What a format does not hold is no.
func TestTermsWhereverGamesLie(t *testing.T) {
	here(t)
	save(t, "a.pgn", formsOfServers)
	for _, name := range []string{"a.jsonl", "a.cbh", "a.dci", "a.si4"} {
		mustRun(t, "convert", "-q", "a.pgn", name)
	}
	mustRun(t, "pack", "-q", "a.cbh", "a.cbv")
	src := must.Get(lib.Open("a.pgn", lib.Options{}))(t)
	all := must.Get(model.Load(t.Context(), src))(t)
	must.Do(t, src.Close())
	files := must.Get(gen.ChessBase2(t.Context(), all))(t)
	var newer []string
	for name, f := range files {
		newer = append(newer, "b"+filepath.Ext(name))
		save(t, "b"+filepath.Ext(name), string(f.Data))
	}
	saveZip(t, "b.zip", newer...)
	saveZip(t, "a.zip", "a.pgn")
	names := []string{"a.pgn", "a.jsonl", "a.cbh", "a.dci", "a.si4", "b.2cbh", "a.cbv", "a.zip", "b.zip"}
	tests := []struct{ query, ids, untagged string }{ // "-" is none
		{"winner:ada", "1 2", ""}, {"loser:ben", "1 2", ""}, {"winner:ada opponent-elo:1800..", "2", ""}, {"elo-difference:300..", "2", ""}, {"upset:220", "1 2", ""},
		{"final:mate", "1", ""}, {"final:repetition", "5", ""}, {"wrong-result:yes", "-", ""}, {"move:Qxf7", "1", ""}, {"move:K*", "2", ""}, {"move:Nf3@5..", "5", ""},
		{"time-control:blitz", "1", "-"}, {"time-control:bullet", "2 3 4", "-"}, {"time-control:classical", "5", "-"},
		{"has:evaluation", "1 3 4", ""}, {"has:clock", "1 2 5", ""}, {"has:time-spent", "3 4 5", ""},
		{"blunder:500", "1", ""}, {"blunder:400", "1 3", ""}, {"blunder:ben/900", "1", ""}, {"blunder:ada/500", "-", ""},
		{"clock:20", "1 2", ""}, {"clock:1", "2", ""}, {"clock:ada/20", "1", ""}, {"eco:italian", "1", ""}, {"comment:adjudication", "4", ""},
	}
	servingFor(t, func(address string) {
		for i := range len(tests) * len(names) {
			test, db := tests[i/len(names)], i%len(names)
			name, want := names[db], test.ids
			if test.untagged != "" && strings.Contains("a.cbh a.dci b.2cbh a.cbv b.zip", name) {
				want = test.untagged
			}
			if test.query == "has:time-spent" && name == "a.dci" {
				want = "3 4" // it has no annotation for it
			}
			want = strings.Trim(want, "-")
			if r := mustRun(t, "find", "-q", name, test.query, "--format", "ids"); strings.Join(strings.Fields(r.out), " ") != want {
				t.Errorf("find %s %s: %q, want %q", name, test.query, r.out, want)
			}
			r, err := http.Get(fmt.Sprintf("%scall/list?db=%d&from=0&n=10&where=%s", address, db, url.QueryEscape(test.query)))
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			var answer struct {
				Answer viewer.List
				Error  string
			}
			if err := errors.Join(json.NewDecoder(r.Body).Decode(&answer), r.Body.Close()); err != nil || answer.Error != "" {
				t.Fatalf("%s %s: %v %s", name, test.query, err, answer.Error)
			}
			list := answer.Answer
			var found []string
			for _, row := range list.Rows {
				if found = append(found, fmt.Sprint(row.ID)); !strings.Contains(formsOfServers, fmt.Sprintf("[White %q]\n[Black %q]\n[Result %q]", row.White, row.Black, row.Result)) {
					t.Errorf("%s: %+v", name, row)
				}
			}
			if got := strings.Join(found, " "); got != want || list.Total != len(found) {
				t.Errorf("the viewer's search for %s in %s: %q, want %q", test.query, name, got, want)
			}
		}
	}, append([]string{"serve", "-q"}, names...)...)
}
