package scid

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"cbkit/internal/testkit/corpus"
	"cbkit/internal/testkit/must"
	"cbkit/model"
)

// text is a text of a vector, which is {"hex": …} where it is no UTF-8.
type text struct{ bytes []byte }

// UnmarshalJSON implements [json.Unmarshaler].
func (t *text) UnmarshalJSON(b []byte) (err error) {
	var s string
	if json.Unmarshal(b, &s) == nil {
		t.bytes = []byte(s)
		return nil
	}
	var coded struct{ Hex string }
	if err = json.Unmarshal(b, &coded); err == nil {
		t.bytes, err = hex.DecodeString(coded.Hex)
	}
	return err
}

type (
	vectorLine struct {
		Before *text
		Moves  []vectorMove
	}
	vectorMove struct {
		UCI     string
		NAGs    []int
		Comment *text
		Vars    []vectorLine
	}
	vectors struct {
		Records []struct {
			Name, Hex, Verdict, Fen string
			Flags                   byte
			Tags                    [][3]any
			Line                    vectorLine
			Reencodes               bool
			Computed                struct {
				Plies, HomePawnCount, Variations, Comments, Nags int
				Promotion, Underpromotion                        bool
				FinalMaterial, HomePawns                         string
			}
		}
		Entries, SI5Entries []struct {
			Hex     string
			Version int
			Fields  map[string]any
		}
		Names []struct {
			Hex                            string
			MaxFrequency                   []int
			Players, Events, Sites, Rounds []text
			StoredOrderOfPlayers           []text
			FrequenciesOfPlayers           []int
		}
	}
)

func load(t *testing.T) (v vectors) {
	t.Helper()
	must.Do(t, json.Unmarshal(corpus.Read(t, "../spec/si4-vectors.json"), &v))
	return v
}

func uci(m model.Move) string {
	switch {
	case m.IsNull():
		return "0000"
	case m.IsCastling() && m.IsShortCastling():
		return "O-O"
	case m.IsCastling():
		return "O-O-O"
	}
	return m.UCI(false)
}

// lineOf returns the steps from one on as a vector has them, and where they end.
func lineOf(g *Game, at int) (line vectorLine, end int) {
	line.Moves = []vectorMove{}
	for at < len(g.Steps) {
		s := g.Steps[at]
		at++
		last := len(line.Moves) - 1
		switch s.Kind {
		case StepMove:
			line.Moves = append(line.Moves, vectorMove{UCI: uci(s.Move)})
		case StepNAG:
			line.Moves[last].NAGs = append(line.Moves[last].NAGs, int(s.NAG))
		case StepText:
			switch words := (&text{g.Texts[s.Text]}); {
			case s.Hidden:
			case last < 0:
				line.Before = words
			default:
				line.Moves[last].Comment = words
			}
		case StepBegin:
			var v vectorLine
			v, at = lineOf(g, at)
			line.Moves[last].Vars = append(line.Moves[last].Vars, v)
		case StepEnd:
			return line, at
		}
	}
	return line, at
}

func show(v any) string { b, _ := json.Marshal(v); return string(b) }

// MarshalJSON implements [json.Marshaler].
func (t text) MarshalJSON() ([]byte, error) { return json.Marshal(fmt.Sprintf("%q", t.bytes)) }

// illegal are the records of which Scid plays a move that is not legal, and that are
// damaged for that.
var illegal = []string{
	"odd: rook a1 jumps to a5 over pawn (illegal)", "odd: castling at once (rights, but blocked)", "odd: pawn double step from e4",
	"odd: promotion code on 3rd rank", "odd: pawn to 8th rank without promotion code: fen",
}

func TestRecordVectors(t *testing.T) {
	for _, v := range load(t).Records {
		t.Run(v.Name, func(t *testing.T) {
			b := must.Get(hex.DecodeString(v.Hex))(t)
			g := &Game{}
			err := g.Decode(b)
			if (err != nil) != (v.Verdict == "refused" || slices.Contains(illegal, v.Name)) {
				t.Fatalf("%s: %v", v.Verdict, err)
			}
			if err != nil {
				return
			}
			if g.Flags != v.Flags || string(g.FEN) != v.Fen || g.Size != len(b) {
				t.Errorf("flags %02x, FEN %q, %d bytes", g.Flags, g.FEN, g.Size)
			}
			for i, want := range v.Tags {
				value, coded := want[1].(string)
				if i >= len(g.Tags) || float64(g.Tags[i].Code) != want[2] || g.Tags[i].Name != "" && g.Tags[i].Name != want[0] || coded && string(g.Tags[i].Value) != value {
					t.Errorf("tag %d of %v, want %v", i, g.Tags, want)
				}
			}
			if len(g.Tags) != len(v.Tags) {
				t.Errorf("tags %v, want %v", g.Tags, v.Tags)
			}
			line, _ := lineOf(g, 0)
			if got, want := show(line), show(v.Line); got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
			var e Entry
			again, err := g.Append(nil, &e)
			if err != nil || v.Reencodes && !bytes.Equal(again, b) {
				t.Errorf("encoded again: %v\n%x\n%x", err, again, b)
			}
			c := v.Computed
			if e.Plies != uint16(c.Plies&1023) || int(e.HomePawns) != c.HomePawnCount || fmt.Sprintf("%06x", e.Material) != c.FinalMaterial || fmt.Sprintf("%x", e.Pawns) != c.HomePawns ||
				e.Flags&FlagPromotion != 0 != c.Promotion || e.Flags&FlagUnderpromotion != 0 != c.Underpromotion ||
				e.Variations != CountCode(c.Variations) || e.Comments != CountCode(c.Comments) || e.NAGs != CountCode(c.Nags) {
				t.Errorf("computed %+v, want %+v", e, c)
			}
		})
	}
}

func TestEntryVectors(t *testing.T) {
	v := load(t)
	for i, one := range append(v.Entries, v.SI5Entries...) {
		version := V4
		if one.Version == 300 {
			version = V3
		} else if i >= len(v.Entries) {
			version = V5
		}
		b, err := hex.DecodeString(one.Hex)
		if err != nil || len(b) != version.EntrySize() {
			t.Fatal(err, len(b))
		}
		e := version.DecodeEntry(b)
		if again := version.AppendEntry(nil, &e); !bytes.Equal(again, b) {
			t.Errorf("%x\n%x", b, again)
		}
		dot := func(d model.Date) string { return d.String() }
		results := [...]string{"*", "1-0", "0-1", "1/2-1/2"}
		got := map[string]any{
			"offset": e.Offset, "length": e.Length, "flags": fmt.Sprintf("%06x", e.Flags), "white": e.White, "black": e.Black, "event": e.Event, "site": e.Site, "round": e.Round,
			"result": results[e.Result&3], "nagsCode": e.NAGs, "commentsCode": e.Comments, "variationsCode": e.Variations, "eco": FormatECO(e.ECO), "ecoCode": e.ECO,
			"date": dot(Day(e.Date)), "eventDate": dot(version.DayOfEvent(&e)), "whiteElo": e.Elo[0], "whiteRatingType": e.RatingType[0], "blackElo": e.Elo[1], "blackRatingType": e.RatingType[1],
			"storedLine": e.Line, "finalMaterial": fmt.Sprintf("%06x", e.Material), "plies": e.Plies, "homePawnCount": e.HomePawns, "homePawns": fmt.Sprintf("%x", e.Pawns),
		}
		for name, want := range one.Fields {
			have, is := got[name]
			if name == "chess960" {
				have, is = map[bool]int{true: 1}[e.Chess960], true
			}
			if !is || fmt.Sprint(have) != fmt.Sprint(want) {
				t.Errorf("entry %d: %s is %v, want %v", i, name, have, want)
			}
		}
		if code := FormatECO(e.ECO); ParseECO(code) != e.ECO {
			t.Errorf("%s is %d, want %d", code, ParseECO(code), e.ECO)
		}
	}
}

func TestNameVectors(t *testing.T) {
	for i, v := range load(t).Names {
		b := must.Get(hex.DecodeString(v.Hex))(t)
		n := must.Get(DecodeNames(b))(t)
		if again := n.Append(nil); !bytes.Equal(again, b) {
			t.Errorf("file %d: %x\n%x", i, b, again)
		}
		for k, want := range [kinds][]text{v.Players, v.Events, v.Sites, v.Rounds} {
			if want == nil {
				continue
			}
			got := make([]text, len(n.Lists[k]))
			for _, name := range n.Lists[k] {
				got[name.ID] = text{name.Bytes}
			}
			if show(got) != show(want) {
				t.Errorf("file %d: %s: %s\nwant %s", i, kindNames[k], show(got), show(want))
			}
			if !slices.IsSortedFunc(n.Lists[k], func(a, b Name) int {
				if Less(b.Bytes, a.Bytes) {
					return 1
				}
				return -1
			}) {
				t.Errorf("file %d: %s are in another order", i, kindNames[k])
			}
		}
		if got := [kinds]uint32(n.Most); !reflect.DeepEqual(fmt.Sprint(got), fmt.Sprint(v.MaxFrequency)) {
			t.Errorf("file %d: %v, want %v", i, got, v.MaxFrequency)
		}
	}
}

// Every file of a real database decodes, and encodes back to its bytes.
func TestCorpus(t *testing.T) {
	for _, base := range []string{"own-edge/own-edge", "five/five", "endings/endings", "tactics/tactics", "BlackRep/BlackRep", "scntest/scntest"} {
		index := corpus.Read(t, "si4/"+base+".si4")
		h, version, err := DecodeHeader(index)
		if err != nil || !bytes.Equal(h.Append(nil), index[:version.HeaderSize()]) {
			t.Fatal(base, err)
		}
		names := corpus.Read(t, "si4/"+base+".sn4")
		if n, err := DecodeNames(names); err != nil || !bytes.Equal(n.Append(nil), names) {
			t.Errorf("%s: names: %v", base, err)
		}
		games := corpus.Read(t, "si4/"+base+".sg4")
		g := &Game{}
		for at := version.HeaderSize(); at < len(index); at += version.EntrySize() {
			e := version.DecodeEntry(index[at:])
			if again := version.AppendEntry(nil, &e); !bytes.Equal(again, index[at:at+version.EntrySize()]) {
				t.Fatalf("%s: entry at %d", base, at)
			}
			record := games[e.Offset:][:e.Length]
			err := g.Decode(record)
			again, failed := g.Append(nil, &Entry{})
			if err != nil || failed != nil || !bytes.Equal(again, record) {
				t.Errorf("%s: record at %d: %v, %v", base, e.Offset, err, failed)
			}
		}
	}
	for _, base := range []string{"edge", "five", "c960"} {
		n, h, err := DecodeNames5(corpus.Read(t, "si4/si5/"+base+".sn5"))
		if err != nil {
			t.Fatal(base, err, h)
		}
		games := corpus.Read(t, "si4/si5/"+base+".sg5")
		for entries := corpus.Read(t, "si4/si5/"+base+".si5"); len(entries) > 0; entries = entries[V5.EntrySize():] {
			e := V5.DecodeEntry(entries)
			g := &Game{Chess960: e.Chess960}
			record := games[e.Offset:][:e.Length]
			err := g.Decode(record)
			again, failed := g.Append(nil, &Entry{})
			if err != nil || failed != nil || !bytes.Equal(again, record) || int(e.White) >= len(n.Lists[Players]) {
				t.Errorf("%s: record at %d: %v, %v", base, e.Offset, err, failed)
			}
		}
	}
}
