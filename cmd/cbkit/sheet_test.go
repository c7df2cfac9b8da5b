package main

import (
	"encoding/csv"
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"
)

// oddNames are games of players whose names mean something to CSV, HTML or a terminal.
const oddNames = `[Event "Open, \"A\" & <b>B</b>"]
[Date "2020.01.01"]
[Round "1"]
[White "O'Neill, \"Red\" <script>"]
[Black "Молодцов-Рождественский, Александр Александрович"]
[Result "1/2-1/2"]
[WhiteElo "2100"]
[ECO "C20"]

1. e4 e5 1/2-1/2

[Event "Open, \"A\" & <b>B</b>"]
[Date "2020.01.02"]
[Round "2"]
[White "Молодцов-Рождественский, Александр Александрович"]
[Black "O'Neill, \"Red\" <script>"]
[Result "1-0"]

1. d4 d5 1-0
`

// tableOf reads CSV, whose lines must be alike.
func tableOf(t *testing.T, text string) (header []string, rows []map[string]string) {
	t.Helper()
	all, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil || len(all) == 0 {
		t.Fatalf("%v in %s", err, text)
	}
	for _, row := range all[1:] {
		values := map[string]string{}
		for i, cell := range row {
			values[all[0][i]] = cell
		}
		rows = append(rows, values)
	}
	return all[0], rows
}

// Tables come as CSV, with all columns, nothing cut and nothing beside them.
func TestCSV(t *testing.T) {
	here(t)
	save(t, "odd.pgn", oddNames)
	mustRun(t, "import", "-q", "odd.pgn", "Odd.cbh")
	mustRun(t, "edit", "-q", "Odd.cbh", "--append", "odd.pgn", "--delete", "4")
	const red, russian = `O'Neill, "Red" <script>`, "Молодцов-Рождес, Александр" // as far as .cbh has room
	for _, c := range []struct {
		args, header string
		rows         int
		has          map[string]string // a row with these values
	}{
		{"list Odd.cbh players", "id player games white black years elo", 2, map[string]string{"id": "0", "player": red, "games": "3", "white": "2", "elo": "2100"}},
		{"list Odd.cbh tournaments", "id tournament games years elo cat type place", 1, map[string]string{"tournament": `Open, "A" & <b>B</b>`, "games": "3"}},
		{"table Odd.cbh #0", "rank player elo 1 2 points games sb wins performance", 2, map[string]string{"player": russian, "points": "2", "1": "x"}},
		{"stats Odd.cbh", "by name games wins draws losses unfinished percent elo opponents performance", 4,
			map[string]string{"by": "year", "name": "2020", "games": "3", "wins": "1", "draws": "2"}},
		{"report Odd.cbh", "move games wins draws losses percent elo performance last bestplayer bestelo typicalline", 2,
			map[string]string{"move": "e4", "games": "2", "draws": "2", "typicalLine": "1.e4 e5"}},
		{"report Odd.cbh --part moves", "move games wins draws losses percent elo performance last bestplayer bestelo typicalline", 2, map[string]string{"move": "e4"}},
		{"report Odd.cbh --part white", "player elo games percent performance", 2, map[string]string{"player": red, "games": "2", "elo": "2100"}},
		{"report Odd.cbh --part black --best 1", "player elo games percent performance", 1, nil},
		{"report Odd.cbh --part games", "id date white whiteelo black blackelo result tournament", 3, map[string]string{"id": "1", "white": red, "result": "1/2-1/2"}},
		{"find Odd.cbh kind:game deleted:yes", "id date white whiteelo black blackelo result eco round tournament deleted ply fen move", 1,
			map[string]string{"id": "4", "white": russian, "round": "2", "deleted": "yes"}},
		{"find odd.pgn year:2020", "id date white whiteelo black blackelo result eco round tournament deleted ply fen move", 2,
			map[string]string{"id": "1", "white": red, "result": "1/2-1/2", "eco": "C20", "deleted": ""}},
		{"find odd.pgn year:1900", "id date white whiteelo black blackelo result eco round tournament deleted ply fen move", 0, nil},
	} {
		r := mustRun(t, append(strings.Fields(c.args), "--csv")...)
		header, rows := tableOf(t, r.out)
		if got := strings.ToLower(strings.Join(header, " ")); got != c.header || len(rows) != c.rows {
			t.Errorf("%s: %d rows of %s", c.args, len(rows), got)
		}
		found := c.has == nil
		for _, row := range rows {
			fits := true
			for key, value := range c.has {
				fits = fits && row[key] == value
			}
			found = found || fits
		}
		if !found {
			t.Errorf("%s: no row has %v:\n%s", c.args, c.has, r.out)
		}
	}
	mustRun(t, "list", "Odd.cbh", "players", "--csv", "--limit", "1").reports(t, "2 players, 1 shown")
	if r := mustRun(t, "report", "Odd.cbh", "--part", "games"); !strings.HasPrefix(r.out, "Id  Last games") {
		t.Errorf("%+v", r)
	}
	for _, args := range [][]string{{"--part", "white", "--json"}, {"--part", "rubbish"}} {
		if r := cbkit(t, "", append([]string{"report", "Odd.cbh"}, args...)...); r.status != exitUsage {
			t.Errorf("%+v", r)
		}
	}
	if r := cbkit(t, "", "list", "Odd.cbh", "players", "--csv", "--json"); r.status != exitUsage {
		t.Errorf("%+v", r)
	}
}

// Tables come as a page in which names are text.
func TestHTML(t *testing.T) {
	here(t)
	save(t, "odd.pgn", oddNames)
	for args, has := range map[string][]string{
		"table odd.pgn #0":  {`Open, "A" & <b>B</b>`, `O'Neill, "Red" <script>`, "½"},
		"report odd.pgn e4": {"King's Pawn", `O'Neill, "Red" <script>`, "1.e4"},
		"report odd.pgn":    {"Молодцов-Рождественский, Александр Александрович"},
	} {
		r := mustRun(t, append(strings.Fields(args), "--html")...)
		text, depth := "", 0
		d := xml.NewDecoder(strings.NewReader(strings.Replace(strings.TrimPrefix(r.out, "<!DOCTYPE html>\n"), `<meta charset="utf-8">`, "", 1)))
		for {
			token, err := d.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatalf("%s: %v in %s", args, err, r.out)
			}
			switch token := token.(type) {
			case xml.StartElement:
				depth++
				if name := token.Name.Local; !strings.Contains(" html head title style body table tr th td p ", " "+name+" ") {
					t.Errorf("%s: there is <%s>", args, name)
				}
			case xml.EndElement:
				depth--
			case xml.CharData:
				text += string(token) + "\n"
			}
		}
		mentions(t, args, text, has...)
		if depth != 0 {
			t.Errorf("%s: %d elements are open", args, depth)
		}
	}
}
