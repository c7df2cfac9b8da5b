package moveenc_test

import (
	"bytes"
	"encoding/hex"
	"slices"
	"strings"
	"testing"

	"cbkit/board"
	"cbkit/internal/testkit/must"
	"cbkit/model"
	"cbkit/moveenc"

	"github.com/google/go-cmp/cmp"
)

// vector is a record that ChessBase wrote (docs/formats/cbg.md 11, 12).
type vector struct {
	name, hex string
	fen       string // start position, "" for the standard one
	moves     string // in stored order
	parents   []int  // where there are variations
	form      moveenc.Form
}

var vectors = []vector{
	{name: "section 11", hex: `00 00 00 0A FF DD 00 0E DC 0F`,
		moves: "e2e4 e7e5 c7c5", parents: []int{-1, 0, 0}},
	{name: "V1", hex: `0000000CFF00A4E0660C6013`,
		moves: "e2e4 e7e5 f1c4 b8c6 d1h5 g8f6 h5f7"},
	{name: "V2", hex: `0000001AFF85860E3A0C117F457F4BB5B13AC32625E93B7AB51F`,
		moves: "e2e4 e7e6 e4e5 d7d5 e5d6 g8f6 d2d4 f8e7 b1c3 e8g8 c1g5 0000 d1d2 a7a6 e1c1 b7b5 d6e7 g8h8 e7d8n"},
	{name: "V3", hex: `400000230116043501D00000045E191600000000000000000000000000000000F55E0E`,
		fen: "r3k3/8/8/8/4pP2/8/4K3/8 b q f3 0 53", moves: "e4f3 e2f1"},
	{name: "V4", hex: `4000003901000001781978078078002C02C02C882C000000000000000000000029FBA32AAA4E2B65C92C32902DC18E2E7E7B2F85E230B15014`,
		fen: "k7/4PPPP/8/8/8/8/pppp4/7K w - - 0 1", moves: "e7e8n d2d1n f7f8b c2c1b g7g8r b2b1r h7h8q a2a1q"},
	{name: "V5", hex: `400000480100000100449006E41B0243636900D99480000000000000000000005C2A48D02BA709CC2D7AFFC97FE4FC4633BBCADF35BD3136BE34B5C9583AC3CB923CB857CCED1723`,
		fen: "6k1/2Q1n3/2n5/1Q3Qn1/3n4/4Qn2/1K5Q/8 w - - 0 1",
		moves: `c7d7 g5e4 f5f6 e7d5 h2e5 d4f5 b5c5 c6d4 e3b3 d4e6 e5d4 e6d4 f6d4 f3d4 c5d4 f5d4 d7f5 e4d6 b3d5 d6f7
			f5f7 g8h8 d5d4`},
	{name: "V6", hex: `00000011FE08DE100A0B1312047C91CD16`,
		moves: "g1f3 g8f6 f3g5 f6e4 g5f3 e4f6 f3e5 f6d5 e5f3 d5f6", parents: []int{-1, 0, 1, 2, 3, 4, 1, 6, 7, 8}},
	{name: "V8", hex: `000000050C`},
	{name: "V8 set-up", hex: `40000021010000000B7805BC119F006454003DD000B0000000000000000000000C`,
		fen:  "5r2/1p3p2/pPbk4/P1N4P/2K5/8/4R3/8 w - - 0 1",
		form: moveenc.Form{Start: unhex(`010000000B7805BC119F006454003DD000B000000000000000000000`)}},
}

func unhex(s string) []byte {
	b, err := hex.DecodeString(strings.Join(strings.Fields(s), ""))
	if err != nil {
		panic(err)
	}
	return b
}

// tree returns the moves of a vector, each parsed in its position.
func (v vector) tree(t *testing.T) model.Tree {
	t.Helper()
	var tree model.Tree
	for i, uci := range strings.Fields(v.moves) {
		parent := i - 1
		if v.parents != nil {
			parent = v.parents[i]
		}
		p := must.Get(board.After(v.start(t), &tree, parent))(t)
		m, err := p.ParseUCI(uci)
		if err != nil {
			t.Fatalf("%s: %v", uci, err)
		}
		tree.AddStored(parent, m)
	}
	return tree
}

func (v vector) start(t *testing.T) *model.Position {
	t.Helper()
	if v.fen == "" {
		return nil
	}
	start := must.Get(board.ParseModel(v.fen))(t)
	return &start
}

func TestVectors(t *testing.T) {
	for _, v := range vectors {
		t.Run(v.name, func(t *testing.T) {
			rec, want := unhex(v.hex), v.tree(t)
			var g moveenc.Game
			must.Do(t, moveenc.Decode(rec, &g))
			if !g.Moves.Equal(&want) {
				t.Errorf("moves %v\nwant %v", g.Moves.Nodes(), want.Nodes())
			}
			if diff := cmp.Diff(v.start(t), g.SetUp()); diff != "" {
				t.Error("start", diff)
			}
			if got, want := moveenc.AppendForm(nil, &g.Form), moveenc.AppendForm(nil, &v.form); !bytes.Equal(got, want) {
				t.Errorf("form %+v, want %+v", g.Form, v.form)
			}
			if err := board.Validate(g.SetUp(), &g.Moves); err != nil {
				t.Error(err)
			}
			got, err := moveenc.Append(nil, v.start(t), &want, &v.form)
			if err != nil || !bytes.Equal(got, rec) {
				t.Errorf("encoded %v\n got %x\nwant %x", err, got, rec)
			}
		})
	}
}

// V7 is Chess960, with a wrong start number and a dummy at offset 53.
const vector7 = `4A00007B01000F01A583DC9D83DB9583DAAD83DD9D83DBA583DC8D83D9AD83DD303738183F1F031173ADF37DF4C31A85E23473D4F499AE1F
	7A5921CCF34C94DDB2D57DB21A6D2A6BDD150178F6E077071A97C0C367FD9874B24D97588FDD5B2181F6AD084DD55D15C32A095C97B8EEACE01114DF6902156AE18969`

func TestVector7(t *testing.T) {
	rec := unhex(vector7)
	var g moveenc.Game
	must.Do(t, moveenc.Decode(rec, &g))
	if got, want := board.FormatFEN(&g.Start), "bnqrnbkr/pppppppp/8/8/8/8/PPPPPPPP/BNQRNBKR w KQkq - 0 1"; got != want {
		t.Errorf("start %s, want %s", got, want)
	}
	if number, ok := board.Chess960Number(&g.Start); number != 114 || !ok || !g.Start.Chess960 {
		t.Errorf("start number %d, %v", number, ok)
	}
	var moves []string
	for n := range g.Moves.Line(model.NoNode) {
		moves = append(moves, g.Moves.Move(n).UCI(false))
	}
	want := `c2c4 c7c5 b2b3 b7b6 e1f3 e7e6 d2d4 c5d4 f3d4 b8c6 d4f3 f8e7 b1c3 g8g8 g2g3 e8f6 f1g2 c6b4 g1g1 d7d5`
	if got := strings.Join(moves[:20], " "); got != want {
		t.Errorf("moves %s\nwant %s", got, want)
	}
	if len(moves) != 77 || moves[76] != "g7c3" {
		t.Errorf("%d plies, last %s", len(moves), moves[len(moves)-1])
	}
	if !slices.Equal(g.Form.Dummies, []uint32{13}) || g.Form.Mode != 0 {
		t.Errorf("form %+v", g.Form)
	}
	if got, err := moveenc.Append(nil, g.SetUp(), &g.Moves, &g.Form); err != nil || !bytes.Equal(got, rec) {
		t.Errorf("encoded %v\n got %x\nwant %x", err, got, rec)
	}
	// Without a form: no dummy, and the true number in the start position.
	ours := slices.Delete(slices.Clone(rec), 53, 54)
	ours[3]--
	ours[38], ours[39] = 0, 114
	if got, err := moveenc.Append(nil, g.SetUp(), &g.Moves, nil); err != nil || !bytes.Equal(got, ours) {
		t.Errorf("encoded without form %v\n got %x\nwant %x", err, got, ours)
	}
}

// V9, mode 5, of which only the beginning is printed.
func TestVector9(t *testing.T) {
	head, err := moveenc.DecodeHead(unhex(`850000D0`))
	if want := (moveenc.Head{Mode: 5, Bit7: true, Size: 208}); err != nil || head != want {
		t.Fatalf("head %+v, %v, want %+v", head, err, want)
	}
	moves := vector{moves: "g1f3 f7f5 d2d4 e7e6"}.tree(t)
	form := moveenc.Form{Mode: 5, Bit7: true, NoEnd: true}
	want := unhex(`8500000C F4D0 FBE1 56EF FB34`)
	if got, err := moveenc.Append(nil, nil, &moves, &form); err != nil || !bytes.Equal(got, want) {
		t.Errorf("encoded %v\n got %x\nwant %x", err, got, want)
	}
	var g moveenc.Game
	if err := moveenc.Decode(want, &g); err != nil || !g.Moves.Equal(&moves) {
		t.Errorf("decoded %v, %v", g.Moves.Nodes(), err)
	}
}
