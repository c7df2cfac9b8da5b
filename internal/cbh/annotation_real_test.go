package cbh

import (
	"bytes"
	"encoding/binary"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/notnil/chess"

	"cbkit/internal/testkit/must"
	"cbkit/model"
)

// realRecord is the record of one annotated game.
type realRecord struct {
	database string
	game     model.RecordID
	header   GameRecord
	rec      []byte // nil: no annotations
}

// realAnnotations reads the records of all games in the corpus.
func realAnnotations(t *testing.T) []realRecord {
	t.Helper()
	blocks := map[string][]byte{}
	for _, f := range realFiles(t, ".cba", 7) {
		blocks[filepath.Dir(f.name)] = f.data
	}
	var list []realRecord
	for _, f := range realFiles(t, ".cbh", 7) {
		database := filepath.Dir(f.name)
		block := blocks[database]
		for id, b := range records(t, f.name, f.data, RecordSize)[1:] {
			if RecordType(b[0]).IsText() {
				continue
			}
			h := must.Get(DecodeGameRecord(b))(t)
			r := realRecord{database: database, game: model.RecordID(id + 1), header: h}
			if at := h.AnnotationsOffset; at != 0 {
				head, err := DecodeAnnotationHead(block[at:])
				if err != nil {
					t.Fatalf("%s: game %d: %v", f.name, id+1, err)
				}
				r.rec = block[at : at+head.Size]
			}
			list = append(list, r)
		}
	}
	return list
}

// pageOf returns the code page of the texts in a database.
func pageOf(t *testing.T, database string) CodePage {
	if database == "hedgehog" {
		return mustPage(t, "1251")
	}
	return CodePage{}
}

func TestRealAnnotationRecords(t *testing.T) {
	count, kept := 0, 0
	for _, r := range realAnnotations(t) {
		if r.rec == nil {
			continue
		}
		// A wrong code page must not change bytes either.
		for _, page := range []CodePage{pageOf(t, r.database), mustPage(t, "1250"), {}} {
			ctx := AnnotationContext{Game: r.game, Page: page}
			got, err := DecodeAnnotations(r.rec, ctx, true)
			if err != nil {
				t.Fatalf("%s: game %d: %v", r.database, r.game, err)
			}
			if got.Leftover != nil || int(got.StoredGame) != int(r.game) {
				kept++
			}
			out := AppendAnnotations(nil, got.List, got.Leftover, ctx, failOnLoss(t))
			same(t, r.database, int(r.game), out, r.rec, nil)
		}
		count++
	}
	t.Logf("%d records, %d of them kept whole", count, kept)
	if count != 835 || kept != 0 {
		t.Errorf("%d records, %d of them kept whole", count, kept)
	}
}

func failOnLoss(t *testing.T) model.Report {
	return func(l model.Loss) { t.Errorf("loss: %v", l) }
}

// TestRealPayloads counts how many payloads come from their values alone.
func TestRealPayloads(t *testing.T) {
	type tally struct{ all, exact int }
	kinds := map[model.Kind]*tally{}
	for _, r := range realAnnotations(t) {
		page := pageOf(t, r.database)
		for typ, payload := range payloads(r.rec) {
			v := DecodePayload(typ, payload, page)
			n := kinds[v.Kind()]
			if n == nil {
				n = new(tally)
				kinds[v.Kind()] = n
			}
			n.all++
			out, gotTyp, err := AppendPayload(nil, v, page)
			if err != nil || gotTyp != typ {
				t.Fatalf("%s: game %d: type %02x becomes %02x: %v", r.database, r.game, typ, gotTyp, err)
			}
			if again := DecodePayload(typ, out, page); !again.Equal(v) {
				t.Errorf("%s: game %d: %+v reads back as %+v", r.database, r.game, v, again)
			}
			if v.Kind() == model.KindQuotation {
				clearQuotationMemory(out, payload)
			}
			switch {
			case bytes.Equal(out, payload):
				n.exact++
			case v.Kind() == model.KindText && utf8.Valid(payload[2:]) && !isASCII(payload[2:]):
				// UTF-8 that the code page could hold too
			default:
				t.Errorf("%s: game %d: % x, not % x", r.database, r.game, out, payload)
			}
		}
	}
	total := 0
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		n := kinds[kind]
		t.Logf("%-16s %6d, %6d exact", kind, n.all, n.exact)
		if 100*n.exact < 99*n.all {
			t.Errorf("%s: %d of %d exact", kind, n.exact, n.all)
		}
		total += n.all
	}
	if total != 60438 || kinds[model.KindOpaque] != nil {
		t.Errorf("%d annotations, opaque: %v", total, kinds[model.KindOpaque])
	}
}

// clearQuotationMemory makes equal the two bytes that ChessBase leaves to
// chance.
func clearQuotationMemory(payloads ...[]byte) {
	for _, p := range payloads {
		clear(p[quotationMovesAt(p)-2:][:2])
	}
}

// quotationMovesAt returns where the moves of a quotation from the standard
// position begin.
func quotationMovesAt(p []byte) int {
	at := 6
	for range 2 {
		at += int(p[at]) + 2
	}
	at += 6
	for range 2 {
		at += int(p[at]) + 2
	}
	return at + 17
}

// payloads yields types and payloads of a record, nil included.
func payloads(rec []byte) func(yield func(uint8, []byte) bool) {
	return func(yield func(uint8, []byte) bool) {
		for at := AnnotationHeadSize; at < len(rec); {
			end := at + int(binary.BigEndian.Uint16(rec[at+4:]))
			if !yield(rec[at+3], slices.Clone(rec[at+6:end])) {
				return
			}
			at = end
		}
	}
}

func TestRealFacts(t *testing.T) {
	const fromMoves = 1<<0 | 1<<1 | 1<<27
	counts := map[string]int{}
	for _, r := range realAnnotations(t) {
		f := FactsOf(r.rec)
		if got, want := f.Flags(), r.header.Flags&^fromMoves; got != want {
			t.Errorf("%s: game %d: flags %08x, not %08x", r.database, r.game, got, want)
		}
		if got, want := f.Magnitude(), r.header.Magnitude&^3; got != want {
			t.Errorf("%s: game %d: magnitude %04x, not %04x", r.database, r.game, got, want)
		}
		if got, want := f.Medals(), r.header.Medals; got != want {
			t.Errorf("%s: game %d: medals %04x, not %04x", r.database, r.game, got, want)
		}
		counts[r.database]++
	}
	t.Logf("games: %v", counts)
	if counts["world-ch"] != 1025 || counts["hedgehog"] != 204 {
		t.Errorf("games: %v", counts)
	}
}

// TestRealQuotations replays the quoted games.
func TestRealQuotations(t *testing.T) {
	games, plies := 0, 0
	for _, r := range realAnnotations(t) {
		for typ, payload := range payloads(r.rec) {
			q, ok := DecodePayload(typ, payload, CodePage{}).(model.Quotation)
			if !ok {
				continue
			}
			if q.WithMoves != (len(q.Moves) > 0) {
				t.Errorf("%s: game %d: %d moves in mode %v", r.database, r.game, len(q.Moves), q.WithMoves)
			}
			if q.White == "" || q.Event == "" || !q.ECO.Valid() || q.Date.Year < 1900 {
				t.Errorf("%s: game %d: %+v", r.database, r.game, q)
			}
			games++
			plies += len(q.Moves)
			checkReplay(t, q)
		}
	}
	t.Logf("%d quotations, %d plies", games, plies)
	if games != 12 || plies != 463 {
		t.Errorf("%d quotations, %d plies", games, plies)
	}
}

// checkReplay plays a quoted game by the rules of another library.
func checkReplay(t *testing.T, q model.Quotation) {
	t.Helper()
	game := chess.NewGame(chess.UseNotation(chess.UCINotation{}))
	for i, m := range q.Moves {
		if err := game.MoveStr(m.UCI(false)); err != nil {
			t.Fatalf("%s - %s: ply %d: %v", q.White, q.Black, i, err)
		}
	}
}

// TestRealSymbolTexts proves that figurines come out as such.
func TestRealSymbolTexts(t *testing.T) {
	figurines := 0
	for _, r := range realAnnotations(t) {
		if r.database != "world-ch" {
			continue
		}
		for typ, payload := range payloads(r.rec) {
			text, ok := DecodePayload(typ, payload, CodePage{}).(model.Text)
			if ok && strings.ContainsAny(text.Text, "\uE024\uE025\uE026\uE027\uE028\uE029") {
				figurines++
			}
		}
	}
	t.Logf("%d texts with figurines", figurines)
	if figurines < 1000 {
		t.Errorf("%d texts with figurines", figurines)
	}
}
