package read

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"cbkit/board"
	"cbkit/internal/cbh2"
	"cbkit/internal/testkit/corpus"
	"cbkit/internal/testkit/must"
	"cbkit/model"
)

// A made record is what a made database says of one of its records.
type made struct {
	ID           int
	Kind         string
	Deleted      bool
	White, Black int64
	SANMoves     string
	Result, Line uint8
	Round        []int
	Date         uint32
	ECO          uint16
	Annotations  [][3]any
	Title        int64
	Bodies       map[string]string
	EndPlacement string
}

type madeEntity struct {
	Last, First, Title, Place, Publisher string
	FIDE                                 int64
}

// What the made databases hold is what their descriptions say.
func TestChessBase2(t *testing.T) {
	for _, name := range []string{"made", "many", "variants/wide", "variants/version3", "variants/UPPER", "variants/empty"} {
		t.Run(name, func(t *testing.T) {
			var want struct {
				Records  []made
				Entities map[string]madeEntity
			}
			text := corpus.Read(t, "2cbh/"+name+".expected.json")
			must.Do(t, json.Unmarshal(text, &want))
			var notes []string
			db, err := Open(strings.TrimSuffix(corpus.Path(t, "2cbh/"+name+".expected.json"), ".expected.json"),
				Options{Warn: func(err error) { notes = append(notes, err.Error()) }, Damage: func(err error) { t.Error(err) }})
			if err != nil {
				t.Fatal(err)
			}
			defer db.Close()
			if db.Count() != len(want.Records) {
				t.Fatalf("%d records, want %d", db.Count(), len(want.Records))
			}
			for key, e := range want.Entities {
				var kind, id int
				fmt.Sscanf(key, "%d/%d", &kind, &id)
				got := ""
				switch tables, id := db.Entities(), model.EntityID(id); cbh2.EntityType(kind) {
				case cbh2.Players:
					if p := tables.Players.Value(id); p != (model.Player{LastName: e.Last, FirstName: e.First}) && !tables.Players.IsDeleted(id) {
						t.Errorf("player %d is %v, want %v", id, p, e)
					}
					continue
				case cbh2.Tournaments:
					got = tables.Tournaments.Value(id).Title
				case cbh2.Sources:
					got = tables.Sources.Value(id).Title
				case cbh2.Teams:
					got = tables.Teams.Value(id).Title
				default:
					continue
				}
				if got != e.Title {
					t.Errorf("entity %s is %q, want %q", key, got, e.Title)
				}
			}
			i := 0
			for rec := range must.All(t, db.Records(t.Context(), 1, model.WantAll)) {
				checkMade(t, &rec, &want.Records[i])
				i++
				if one, err := db.Record(t.Context(), rec.ID, model.WantAll); err != nil || !model.EqualRecords(one, db.Entities(), rec, db.Entities()) {
					t.Errorf("record %d alone is another: %v", rec.ID, err)
				}
			}
			if i != len(want.Records) {
				t.Errorf("%d records came", i)
			}
			if has := slices.ContainsFunc(notes, func(s string) bool { return strings.Contains(s, "version") }); has != strings.Contains(name, "version3") {
				t.Errorf("notes: %q", notes)
			}
		})
	}
}

func checkMade(t *testing.T, rec *model.Record, want *made) {
	t.Helper()
	for _, err := range rec.Faults() {
		t.Errorf("record %d: %v", want.ID, err)
	}
	if int(rec.ID) != want.ID || rec.Deleted != want.Deleted || (rec.Text != nil) != (want.Kind == "text") {
		t.Errorf("record %d is %+v", want.ID, rec)
	}
	if rec.Text != nil {
		for _, text := range rec.Text.Contents {
			if want.Bodies[fmt.Sprint(int(text.Language))] != text.Text {
				t.Errorf("record %d: %v", want.ID, text)
			}
		}
		if len(rec.Text.Contents) != len(want.Bodies) || len(rec.Text.Titles) == 0 {
			t.Errorf("record %d: %+v", want.ID, rec.Text)
		}
		return
	}
	g := rec.Game
	if got := withVariations(g); got != want.SANMoves {
		t.Errorf("record %d:\n%s\nwant\n%s", want.ID, got, want.SANMoves)
	}
	if want.Kind == "game" && (g.White != model.EntityID(want.White) || g.Black != model.EntityID(want.Black) || g.Date != (model.Date{Year: uint16(want.Date >> 9), Month: uint8(want.Date >> 5 & 15), Day: uint8(want.Date & 31)}) ||
		int(g.Round) != want.Round[0] || int(g.Subround) != want.Round[1]) {
		t.Errorf("record %d: %+v, want %+v", want.ID, g.Header, want)
	}
	places := cbh2.Places(nil, &g.Moves)
	var kinds, wantKinds []string
	for _, a := range want.Annotations {
		node := int32(model.NoNode)
		if n := int(a[0].(float64)); n >= 0 {
			node = places[min(n, len(places)-1)]
		}
		wantKinds = append(wantKinds, fmt.Sprintf("%d %s", node, madeKinds[int(a[1].(float64))]))
	}
	for _, a := range g.Annotations {
		kinds = append(kinds, fmt.Sprintf("%d %s", a.Node, a.Value.Kind()))
	}
	slices.Sort(kinds)
	slices.Sort(wantKinds)
	if !slices.Equal(kinds, wantKinds) {
		t.Errorf("record %d: annotations\n%q\nwant\n%q", want.ID, kinds, wantKinds)
	}
}

var madeKinds = map[int]model.Kind{2: model.KindText, 130: model.KindText, 3: model.KindSymbols, 4: model.KindSquares, 5: model.KindArrows, 7: model.KindTimeSpent,
	9: model.KindOpaque, 19: model.KindQuotation, 20: model.KindPawnStructure, 21: model.KindPiecePath, 22: model.KindClock, 23: model.KindClock, 24: model.KindCritical,
	28: model.KindWebLink, 33: model.KindEngine, 34: model.KindMedals, 35: model.KindVariationColor, 36: model.KindTimeControl, 37: model.KindVideoTime, 38: model.KindEvaluations}

// withVariations returns the moves of a game with variations in brackets.
func withVariations(g *model.Game) string {
	san := make([]string, g.Moves.Len())
	for node, p := range board.Walk(g.Start, &g.Moves) {
		san[node] = p.SAN(g.Moves.Move(node))
	}
	var out []string
	var line func(node int)
	line = func(node int) {
		for next := g.Moves.Main(node); next != model.NoNode; next = g.Moves.Main(next) {
			out = append(out, san[next])
			for a := range g.Moves.Alternatives(next) {
				out = append(out, "(", san[a])
				line(a)
				out = append(out, ")")
			}
		}
	}
	line(model.NoNode)
	return strings.Join(out, " ")
}
