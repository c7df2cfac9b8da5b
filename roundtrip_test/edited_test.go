package roundtrip

import (
	"bytes"
	"context"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cbkit/check"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/jsonl"
	"cbkit/model"
	"cbkit/write"

	"pgregory.net/rapid"
)

// object is a JSON object that a program has read without knowing our format.
type object = map[string]any

// edits are what somebody may do to a line of JSON Lines that knows nothing of
// the key "cbh". Each is given a record of its kind.
var (
	gameEdits = []func(*rapid.T, object){cutMoves, cutMoves, dropAlternatives, dropAnnotations, dropAnnotations,
		changeAnnotations, addAnnotation, dropList, changeHeader, changeHeader, startElsewhere, undelete}
	textEdits = []func(*rapid.T, object){changeTexts, changeTexts, undelete}
)

// A database that became JSON Lines, was edited there and became a database
// again has no errors.
func TestEditedJSONLinesAreSound(t *testing.T) {
	dir := gen.Folder(t)
	rapid.Check(t, func(t *rapid.T) {
		db, _ := throughChessBase(t, dir, gen.Database(gen.Config{NoHalfMoves: true}).Draw(t, "database"))
		var text bytes.Buffer
		transfer(t, db, func(model.Report) (model.Sink, error) {
			return jsonl.NewWriter(&text, jsonl.WriterOptions{AcceptLosses: true}), nil
		})
		edited := editLines(t, text.String())
		checkSound(t, dir, jsonl.NewReader(strings.NewReader(edited), jsonl.ReaderOptions{}), edited)
	})
}

// checkSound writes a database and lets check look at it.
func checkSound(t *rapid.T, dir string, src model.Source, text string) {
	path := filepath.Join(dir, "edited.cbh")
	transfer(t, src, func(report model.Report) (model.Sink, error) {
		return write.Create(context.Background(), path, write.Options{Force: true, Report: report, Now: func() time.Time { return time.Unix(1.7e9, 0) }})
	})
	made := check.Database(context.Background(), path, check.Options{})
	for f, err := range made.Findings() {
		if err != nil {
			break // Summary has it
		}
		if f.Severity == check.Error {
			t.Fatalf("%v [%s] of\n%s", f, f.Code, text)
		}
	}
	must.Get(made.Summary())(t)
}

// editLines edits some of the lines.
func editLines(t *rapid.T, text string) string {
	var out strings.Builder
	for line := range strings.Lines(text) {
		var rec object
		d := json.NewDecoder(strings.NewReader(line))
		d.UseNumber()
		must.Do(t, d.Decode(&rec))
		edits := gameEdits
		if rec["kind"] == "text" {
			edits = textEdits
		}
		for range rapid.IntRange(0, 3).Draw(t, "edits") {
			rapid.SampledFrom(edits).Draw(t, "edit")(t, rec)
		}
		b := must.Get(json.Marshal(rec))(t)
		out.Write(append(b, '\n'))
	}
	return out.String()
}

// listOf returns the list under a key.
func listOf(o object, key string) []any {
	list, _ := o[key].([]any)
	return list
}

// anyMove returns one of the moves of the main line, nil if there are none.
func anyMove(t *rapid.T, rec object) object {
	moves := listOf(rec, "moves")
	if len(moves) == 0 {
		return nil
	}
	return moves[rapid.IntRange(0, len(moves)-1).Draw(t, "move")].(object)
}

// anyPlace returns a move, or the game as a whole.
func anyPlace(t *rapid.T, rec object) object {
	if m := anyMove(t, rec); m != nil && rapid.Bool().Draw(t, "at a move") {
		return m
	}
	return rec
}

func cutMoves(t *rapid.T, rec object) {
	moves := listOf(rec, "moves")
	rec["moves"] = moves[:rapid.IntRange(0, len(moves)).Draw(t, "moves left")]
}

func dropAlternatives(t *rapid.T, rec object) { delete(anyMove(t, rec), "alternatives") }

func dropAnnotations(t *rapid.T, rec object) {
	place := anyPlace(t, rec)
	for _, key := range []string{"annotations", "nags", "before", "after", "medals"} {
		delete(place, key)
	}
}

// dropList drops the complete list, so that the readable copies count.
func dropList(t *rapid.T, rec object) { delete(anyPlace(t, rec), "annotations") }

func changeAnnotations(t *rapid.T, rec object) {
	place := anyPlace(t, rec)
	list := listOf(place, "annotations")
	if len(list) == 0 {
		return
	}
	i := rapid.IntRange(0, len(list)-1).Draw(t, "annotation")
	if a := list[i].(object); a["kind"] == "text" && rapid.Bool().Draw(t, "text") {
		a["text"] = strings.Repeat("another text ", rapid.IntRange(1, 30).Draw(t, "length"))
		return
	}
	place["annotations"] = append(list[:i:i], list[i+1:]...)
}

func addAnnotation(t *rapid.T, rec object) {
	place := anyPlace(t, rec)
	place["annotations"] = append(listOf(place, "annotations"), rapid.SampledFrom([]object{
		{"kind": "medals", "medals": []string{"novelty"}}, {"kind": "symbols", "move": 1},
		{"kind": "critical", "phase": "endgame"}, {"kind": "text", "lang": "fr", "text": "x"},
	}).Draw(t, "annotation"))
}

// changeHeader changes or removes something that is known of a game.
func changeHeader(t *rapid.T, rec object) {
	key := rapid.SampledFrom([]string{"white", "black", "event", "site", "annotator", "source", "whiteTeam",
		"blackTeam", "gameTitle", "whiteElo", "eco", "date", "round", "result"}).Draw(t, "key")
	if rapid.Bool().Draw(t, "remove") && key != "result" {
		delete(rec, key)
		return
	}
	switch key {
	case "whiteElo":
		rec[key] = 2700
	case "eco":
		rec[key] = "A00"
	case "date":
		rec[key] = "2001.02.??"
	case "round":
		rec[key] = "3"
	case "result":
		rec[key] = rapid.SampledFrom([]string{"1-0", "*"}).Draw(t, "result")
		delete(rec, "termination")
	default:
		rec[key] = rapid.SampledFrom([]string{"Another", "A, B"}).Draw(t, "name")
	}
}

// startElsewhere puts a game without moves into another position.
func startElsewhere(t *rapid.T, rec object) {
	delete(rec, "moves")
	delete(rec, "variant")
	if delete(rec, "fen"); rapid.Bool().Draw(t, "set up") {
		rec["fen"] = "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1"
	}
}

func undelete(_ *rapid.T, rec object) { delete(rec, "deleted") }

// changeTexts changes, adds or removes a title or a content.
func changeTexts(t *rapid.T, rec object) {
	key := rapid.SampledFrom([]string{"title", "content"}).Draw(t, "key")
	list := listOf(rec, key)
	if len(list) == 0 || rapid.Bool().Draw(t, "add") {
		rec[key] = append(list, object{"lang": "de", "text": "neu"})
		return
	}
	i := rapid.IntRange(0, len(list)-1).Draw(t, "language")
	if rapid.Bool().Draw(t, "remove") {
		rec[key] = append(list[:i:i], list[i+1:]...)
		return
	}
	list[i].(object)["text"] = "changed"
}
