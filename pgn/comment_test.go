package pgn

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cbkit/model"
)

// note is an annotation of a test.
type note struct {
	node  int32
	value model.Value
}

func notesOf(t *testing.T, text string) (list []note) {
	t.Helper()
	for _, a := range readAll(t, []byte(text)).List[0].Game.Annotations {
		list = append(list, note{a.Node, a.Value})
	}
	return list
}

func text(s string) model.Text   { return model.Text{Text: s} }
func before(s string) model.Text { return model.Text{Text: s, Before: true} }

func TestComments(t *testing.T) {
	e4, e5 := model.E4, model.E5
	tests := []struct {
		name, text string
		want       []note
	}{
		{"blanks", "1. e4 {  a \r\n b\tc  } *", []note{{0, text("a b c")}}},
		{"empty", "1. e4 {} { } *", nil},
		{"two at a place", "1. e4 {a} {b} ; c\n *", []note{{0, text("a b c")}}},
		{"before the game", "{a} 1. e4 {b} *", []note{{-1, text("a")}, {0, text("b")}}},
		{"in a game without moves", "[Event \"x\"]\n\n{a} *", []note{{-1, text("a")}}},
		{"before a variation's first move", "1. e4 e5 ({a} {b} 1... c5 {c}) *", []note{{2, before("a b")}, {2, text("c")}}},
		{"behind a variation", "1. e4 {a} (1. d4) {b} 1... e5 {c} *", []note{{0, text("a b")}, {1, text("c")}}},
		{"in stored order", "1. e4 (1. d4 {3} d5 {4}) (1. c4 {5}) 1... e5 {1} 2. d4 {2} *",
			[]note{{1, text("1")}, {2, text("2")}, {3, text("3")}, {4, text("4")}, {5, text("5")}}},
		{"in an empty variation", "1. e4 ({a}) e5 *", []note{{0, text("a")}}},
		{"order of signs", "1. e4 {a} $1 {b} *", []note{{0, text("a b")}, {0, model.Symbols{Move: 1}}}},
		{"signs before a variation's first move", "1. e4 ($142 1. d4 $1) *", []note{{1, model.Symbols{Prefix: 142, Move: 1}}}},

		{"clocks stay", "1. e4 { [%eval 0.17] [%clk 0:03:00] } *", []note{{0, text("[%eval 0.17] [%clk 0:03:00]")}}},
		{"verdicts in pawns", "1. e4 {[%eval 0.81,28] [%eval -0.07,1]} *", []note{
			{0, model.Engine{Value: 81, Depth: 28}}, {0, model.Engine{Value: -7, Depth: 1}}}},
		{"a mate", "1. e4 {[%eval #-3,20]} *", []note{{0, model.Engine{Type: 1, Value: -3, Depth: 20}}}},
		{"verdicts that stay", "1. e4 {[%eval 0.8,28] [%eval 1.00,0] [%eval .81,28] [%eval #x,3]} *", []note{
			{0, text("[%eval 0.8,28] [%eval 1.00,0] [%eval .81,28] [%eval #x,3]")}}},
		{"texts of morphy", "1. e4 {[%post:GER gut [so] ] x [%pre:en then] [%pre y]} *", []note{
			{0, model.Text{Language: model.German, Text: "gut [so]"}}, {0, text("x")},
			{0, model.Text{Language: model.English, Before: true, Text: "then"}}, {0, before("y")}}},
		{"texts of morphy at the beginning", "{[%pre:ENG a]} 1. e4 ({[%post b]} 1. d4) *", []note{
			{-1, model.Text{Language: model.English, Text: "a"}}, {1, text("b")}}},
		{"marks of morphy", "1. e4 {[%medal novelty, with_attack] [%crit Endgame] [%varcolor #ff8001 onlymoves] [%varcolor 1,2,3]} *", []note{
			{0, model.Medals(8 | 128)}, {0, model.Critical(model.CriticalEndgame)},
			{0, model.VariationColor{Flags: 2, Red: 255, Green: 128, Blue: 1}}, {0, model.VariationColor{Red: 1, Green: 2, Blue: 3}}}},
		{"nonsense of morphy", "1. e4 {[%post] [%pre:XXX a] [%predict b] [%medal] [%medal gold] [%crit x] [%varcolor 1,2] [%varcolor #1] [%pre [a]} *", []note{
			{0, text("[%post] [%pre:XXX a] [%predict b] [%medal] [%medal gold] [%crit x] [%varcolor 1,2] [%varcolor #1]")}, {0, before("[a")}}},
		{"texts before a side line in their places", "1. e4 ({a [%cbtext next;at=3] b [%cbtext next;at=2;lang=de] c} 1. d4 $1 {[%csl Ge4]}) *", []note{
			{1, before("a")}, {1, model.Symbols{Move: 1}}, {1, model.Text{Language: model.German, Before: true, Text: "c"}},
			{1, before("b")}, {1, model.Squares{{Color: model.Green, Square: e4}}}}},
		{"places beyond the last", "1. e4 ({[%cbtext next;at=9] a} 1. d4 $1) *", []note{{1, model.Symbols{Move: 1}}, {1, before("a")}}},
		{"a place without a move", "1. e4 ({[%cbtext next;at=9] a}) *", []note{{0, text("a")}}},
		{"squares", "1. e4 {[%csl Ge4,Rd5,Ya1,Bh8]} *", []note{{0, model.Squares{
			{Color: model.Green, Square: e4}, {Color: model.Red, Square: model.D5},
			{Color: model.Yellow, Square: model.A1}, {Color: model.Blue, Square: model.H8}}}}},
		{"arrows", "1. e4 {[%cal Ge4e5]} *", []note{{0, model.Arrows{{Color: model.Green, From: e4, To: e5}}}}},
		{"squares, joined", "1. e4 {[%csl Ge4] a} {b [%csl Re5]} *", []note{
			{0, model.Squares{{Color: model.Green, Square: e4}, {Color: model.Red, Square: e5}}}, {0, text("a b")}}},
		{"inside a text", "1. e4 {a [%csl Ge4] b} *", []note{{0, text("a b")}, {0, model.Squares{{Color: model.Green, Square: e4}}}}},
		{"over lines", "1. e4 {[%csl\nGe4]} *", []note{{0, model.Squares{{Color: model.Green, Square: e4}}}}},
		{"not to the letter", "1. e4 {[%csl Ge4, Rd5] [%emt 00:00:01] [%mdl 01]} *", []note{{0, text("[%csl Ge4, Rd5] [%emt 00:00:01] [%mdl 01]")}}},
		{"nonsense", "1. e4 {[%csl] [%csl Gz9] [%cal Ge4] [%foo x] [%] [%csl Ge4} *", []note{{0, text("[%csl] [%csl Gz9] [%cal Ge4] [%foo x] [%] [%csl Ge4")}}},
		{"medals", "{[%mdl 32]} 1. e4 *", []note{{-1, model.Medals(32)}}},
		{"time", "1. e4 {[%emt 0:32:14]} *", []note{{0, model.TimeSpent{Minutes: 32, Seconds: 14}}}},
		{"time with hundredths", "1. e4 {[%emt 0:32:14.96]} *", []note{{0, text("[%emt 0:32:14.96]")}}},
		{"engine", "1. e4 {[%eval 81,28] x} *", []note{{0, model.Engine{Value: 81, Depth: 28}}, {0, text("x")}}},
		{"engine, mates", "1. e4 {[%eval 32764,20] [%eval -32766,3]} *", []note{
			{0, model.Engine{Value: 3, Type: 1, Depth: 20}}, {0, model.Engine{Value: -1, Type: 1, Depth: 3}}}},
		{"evaluations", "{[%evp 2,4,15,32767,-29985]} 1. e4 *", []note{{-1, model.Evaluations{
			{Kind: model.NoEvaluation}, {Kind: model.NoEvaluation}, {Value: 15}, {Kind: model.NoEvaluation},
			{Kind: model.MateInPlies, Value: -15}}}}},
		{"evaluations of far positions", "{[%evp 60000,60000,15]} 1. e4 *", []note{{-1, text("[%evp 60000,60000,15]")}}},
		{"before a variation's first move they stay", "1. e4 ({[%csl Ge4]} 1. d4) *", []note{{1, before("[%csl Ge4]")}}},

		{"language", "1. e4 {[%cbtext lang=de] gut [%cbtext lang=en] good} *", []note{
			{0, model.Text{Language: model.German, Text: "gut"}}, {0, model.Text{Language: model.English, Text: "good"}}}},
		{"text for the next move", "1. e4 {a [%cbtext next] b} (1. d4) 1... e5 *", []note{{0, text("a")}, {1, before("b")}}},
		{"text for a move that does not come", "1. e4 {[%cbtext next] b} *", []note{{0, text("b")}}},
		{"exact text", "1. e4 {[%cbtext data=IGEg] b [%csl Ge4]} *", []note{{0, text(" a ")}, {0, model.Squares{{Color: model.Green, Square: e4}}}}},
		{"raw", "1. e4 {[%cbraw type=08;data=AQID]} *", []note{{0, model.Opaque{Format: "cbh", Type: 8, Data: []byte{1, 2, 3}}}}},
		{"raw, in pieces", "1. e4 {[%cbraw type=08;data=AQ ID]} *", []note{{0, model.Opaque{Format: "cbh", Type: 8, Data: []byte{1, 2, 3}}}}},
		{"raw symbols and their copy", "1. e4 $8 {[%cbraw kind=symbols;data=eyJraW5kIjoic3ltYm9scyIsInBvc2l0aW9uIjo4fQ]} *",
			[]note{{0, model.Symbols{Position: 8}}}},
		{"broken raw", "1. e4 {[%cbraw kind=x] [%cbraw type=8;data=] [%cbraw type=zz] [%cbtext x=y] [%cbtext data=*]} *", []note{
			{0, text("[%cbraw kind=x] [%cbraw type=8;data=] [%cbraw type=zz] [%cbtext x=y] [%cbtext data=*]")}}},
		{"Windows-1252", "1. e4 {gr\xfc\xdfe} e5 {grüße} *", []note{{0, text("grüße")}, {1, text("grüße")}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := notesOf(t, test.text)
			if !slices.EqualFunc(got, test.want, func(a, b note) bool { return a.node == b.node && a.value.Equal(b.value) }) {
				t.Errorf("%s", cmp.Diff(test.want, got, cmp.AllowUnexported(note{})))
			}
		})
	}
}

func TestTrainingCommand(t *testing.T) {
	const command = `[%tqu "En","Why?","","look at ]","e7e5","yes",6,("c7c5","",2),"De","Warum?","","schau","e7e5","ja",6,("c7c5","",2)]`
	en, de := model.English, model.German
	want := model.Training{
		Points:     6,
		Question:   []model.TrainingText{{Language: en, Text: "Why?"}, {Language: de, Text: "Warum?"}},
		SecondHint: []model.TrainingText{{Language: en, Text: "look at ]"}, {Language: de, Text: "schau"}},
		Solutions: []model.Solution{
			{From: model.E7, To: model.E5, Points: 6, Reply: []model.TrainingText{{Language: en, Text: "yes"}, {Language: de, Text: "ja"}}},
			{From: model.C7, To: model.C5, Points: 2},
		},
	}
	got := notesOf(t, "1. e4 {"+command+"} 1... e5 *")
	if len(got) != 1 || got[0].node != 1 || !got[0].value.Equal(want) {
		t.Errorf("%s", cmp.Diff([]note{{1, want}}, got, cmp.AllowUnexported(note{})))
	}
	if moves := movesOf(t, "1. e4 {"+command+"} 1... e5 *"); moves != "1. e4 {"+command+"} 1... e5 *" {
		t.Errorf("written as %s", moves)
	}
	// There is no move that the question could be about.
	got = notesOf(t, "1. e4 {"+command+"} *")
	if len(got) != 1 || got[0] != (note{0, text(command)}) {
		t.Errorf("without a move: %v", got)
	}
	// These are not to the letter what would be written.
	for _, odd := range []string{`[%tqu]`, `[%tqu "En"]`, `[%tqu "En","","","","e7e5","",6,]`, `[%tqu "Xx","","","","e7e5","",6]`, `[%tqu "En"`} {
		if got := notesOf(t, "1. e4 {"+odd+"} 1... e5 *"); len(got) != 1 || got[0] != (note{0, text(odd)}) {
			t.Errorf("%s: %v", odd, got)
		}
	}
}

// TestManyPieces reads and writes places with very many pieces. It takes long
// if every bracket is searched an end for, or every annotation looks at all
// others.
func TestManyPieces(t *testing.T) {
	if testing.Short() {
		t.Skip("reads games of megabytes")
	}
	for _, piece := range []string{"[%a", "[%tqu \"", "[%csl Ge4] ", "[#]", "[%cbtext] a ", "[[", "[%eval ", "[%mdl 1]", "[%eval 1,2]", "[%cbraw type=08;data=AQID]", "[%tqu \"En\",\"\",\"\",\"\",\"a1a2\",\"\",1]", "{a}", "[%pre ", "[%post a]", "[%cbtext next;at=7] a"} {
		body := strings.Repeat(piece, 60_000)
		text := "1. e4 {" + body + "} *"
		if piece == "{a}" {
			text = "1. e4 " + body + " *"
		}
		db := readAll(t, []byte(text))
		if len(db.List[0].Game.Annotations) == 0 {
			t.Errorf("nothing came of %q", piece)
		}
		if again := readAll(t, AppendGame(nil, db.List[0].Game, &db.Tables)); !model.Equal(db, again) {
			t.Errorf("%q reads back otherwise", piece)
		}
	}
}
