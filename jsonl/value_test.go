package jsonl

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/model"
)

// valueForms pairs a value of every kind with its exact JSON form.
var valueForms = []struct {
	value model.Value
	form  string
}{
	{model.Text{}, `{"kind":"text"}`},
	{model.Text{Language: model.English, Before: true, Text: "a \"b\"\n"},
		`{"kind":"text","lang":"en","before":true,"text":"a \"b\"\n"}`},
	{model.Text{Language: 300, Text: "\u2028<&>\x01\ue024\x7f"},
		"{\"kind\":\"text\",\"lang\":\"#300\",\"text\":\"\u2028<&>\\u0001\ue024\\u007f\"}"},
	{model.Text{Text: "\xff"}, `{"kind":"text","text":{"raw":"/w=="}}`},
	{model.Symbols{Move: 1, Position: 16, Prefix: 142, More: []model.NAG{7, 0}},
		`{"kind":"symbols","move":1,"position":16,"prefix":142,"more":[7,0]}`},
	{model.Squares{{Color: model.Green, Square: model.E4}, {Color: 8, Square: model.A1}, {Square: 200}},
		`{"kind":"squares","squares":[{"color":"green","square":"e4"},{"color":"#8","square":"a1"},{"square":"#200"}]}`},
	{model.Arrows{{Color: model.Red, From: model.A1, To: model.H8}},
		`{"kind":"arrows","arrows":[{"color":"red","from":"a1","to":"h8"}]}`},
	{model.TimeSpent{Hours: 1, Minutes: 2, Seconds: 3, Extra: 30},
		`{"kind":"time-spent","hours":1,"minutes":2,"seconds":3,"extra":30}`},
	{model.Training{Seconds: 360, Points: 10,
		Question:  []model.TrainingText{{Language: model.German, Text: "Wie?"}, {}},
		Solutions: []model.Solution{{From: model.C1, To: model.B2, Promotion: 1, Points: 10, Reply: []model.TrainingText{{Text: "x"}}}}},
		`{"kind":"training","seconds":360,"points":10,"question":[{"lang":"de","text":"Wie?"},{}],` +
			`"solutions":[{"from":"c1","to":"b2","promotion":1,"points":10,"reply":[{"text":"x"}]}]}`},
	{model.Quotation{White: "Mårdell,Jimmy", Black: "Carlsen,Magnus", WhiteElo: 2100, BlackElo: 2800,
		ECO: model.NewECO(255, 0), Event: "Test", Date: model.Date{Year: 2001, Month: 13},
		EventType: model.EventType{System: model.Swiss, Rapid: true}, Nation: 53, Round: 2, Subround: 1,
		Result: model.BlackWinsByForfeit, WithMoves: true, Spare: 10,
		Moves: []model.Move{model.NewMove(model.E2, model.E4), model.NullMove,
			model.NewCastling(model.E1, model.H1), model.NewPromotion(model.A7, model.A8, model.Queen), 7 << 12}},
		`{"kind":"quotation","white":"Mårdell,Jimmy","black":"Carlsen,Magnus","whiteElo":2100,"blackElo":2800,` +
			`"eco":"C55","event":"Test","date":"#2001.13.0","eventType":{"system":"swiss","rapid":true},"nation":"GER",` +
			`"round":2,"subround":1,"result":"0-1","forfeit":true,"withMoves":true,"spare":10,` +
			`"moves":["e2e4","0000","e1h1","a7a8q","#28672"],"castling":[2]}`},
	{model.Quotation{ECO: 1, Result: 9, Start: &model.Position{EnPassant: model.NoFile, Rights: model.NoRights()}},
		`{"kind":"quotation","eco":"#1","result":"#9","start":{"board":"8/8/8/8/8/8/8/8","turn":"white"}}`},
	{model.PawnStructure(3), `{"kind":"pawn-structure","structure":3}`},
	{model.PiecePath{Mode: 3, Square: model.H8}, `{"kind":"piece-path","mode":3,"square":"h8"}`},
	{model.Clock{Player: model.Black, Centiseconds: 1<<32 - 1}, `{"kind":"clock","player":"black","centiseconds":4294967295}`},
	{model.CriticalEndgame, `{"kind":"critical","phase":"endgame"}`},
	{model.WebLink{URL: "http://a/?b&c", Caption: "d"}, `{"kind":"web-link","url":"http://a/?b&c","caption":"d"}`},
	{model.Engine{Value: -32768, Type: 3, Depth: 20}, `{"kind":"engine","value":-32768,"type":3,"depth":20}`},
	{model.Medals(1<<31 | 1<<16 | 1<<3 | 1), `{"kind":"medals","medals":["best-game","novelty","#16","#31"]}`},
	{model.VariationColor{Flags: 1, Red: 255, Green: 128, Blue: 64},
		`{"kind":"variation-color","flags":1,"red":255,"green":128,"blue":64}`},
	{model.TimeControl{{Start: 720000, Increment: 3000, Moves: 40, Kind: 1}, {}, {Moves: 1000, Kind: 3}},
		`{"kind":"time-control","stages":[{"startCentiseconds":720000,"incrementCentiseconds":3000,"moves":40,"type":1},{},{"moves":1000,"type":3}]}`},
	{model.VideoTime(53914), `{"kind":"video-time","time":53914}`},
	{model.Evaluations{{Value: 20, Depth: 12}, {Kind: model.MateInPlies, Value: -15}, {Kind: model.NoEvaluation}, {Kind: 7}},
		`{"kind":"evaluations","evaluations":[{"value":20,"depth":12},{"type":"mate","value":-15},{"type":"none"},{"type":"#7"}]}`},
	{model.Opaque{Format: "cbh", Type: 8, Data: []byte{0, 1, 2, 255}}, `{"kind":"opaque","format":"cbh","type":8,"raw":"AAEC/w=="}`},
}

func TestValueForms(t *testing.T) {
	seen := map[model.Kind]bool{}
	for _, f := range valueForms {
		seen[f.value.Kind()] = true
		if got := string(AppendValue(nil, f.value)); got != f.form {
			t.Errorf("have %s\nwant %s", got, f.form)
		}
		v, err := ParseValue([]byte(f.form))
		if err != nil || !f.value.Equal(v) {
			t.Errorf("%s reads as %#v, %v", f.form, v, err)
		}
		if !json.Valid([]byte(f.form)) {
			t.Errorf("not JSON: %s", f.form)
		}
	}
	for _, k := range model.Kinds() {
		if !seen[k] {
			t.Errorf("no form of kind %s is tested", k)
		}
	}
}

func TestValueRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := gen.Config{Wild: rapid.Bool().Draw(t, "wild")}
		v := gen.Value(c).Draw(t, "value")
		data := AppendValue([]byte("x"), v)[1:]
		if bytes.ContainsAny(data, "\n\r") || !json.Valid(data) {
			t.Fatalf("not one line of JSON: %s", data)
		}
		got, err := ParseValue(data)
		if err != nil || !v.Equal(got) {
			t.Fatalf("%s reads as %#v, %v", data, got, err)
		}
		if again := AppendValue(nil, got); !bytes.Equal(again, data) {
			t.Fatalf("%s is written again as %s", data, again)
		}
	})
}

// TestValueOrder reads the members sorted by key, as jq -S and Go maps
// write them.
func TestValueOrder(t *testing.T) {
	for _, f := range valueForms {
		var members map[string]any
		d := json.NewDecoder(strings.NewReader(f.form))
		d.UseNumber()
		must.Do(t, d.Decode(&members))
		sorted := must.Get(json.MarshalIndent(members, "", "\t"))(t)
		v, err := ParseValue(sorted)
		if err != nil || !f.value.Equal(v) {
			t.Errorf("%s reads as %#v, %v", sorted, v, err)
		}
	}
}

func TestValueErrors(t *testing.T) {
	for _, c := range []struct{ text, message string }{
		{``, "the text ends"},
		{`null`, "want '{'"},
		{`{}`, `no "kind"`},
		{`{"kind":"txet"}`, `unknown kind "txet"`},
		{`{"kind":3}`, "want"},
		{`{"kind":"text","txet":"a"}`, `unknown key "txet"`},
		{`{"kind":"text","Text":"a"}`, `unknown key "Text"`},
		{`{"kind":"text","text":3}`, "want"},
		{`{"kind":"text","text":"a"`, "the text ends"},
		{`{"kind":"text","text":"a",}`, "comma"},
		{`{"kind":"text" "text":"a"}`, "comma"},
		{`{"kind":"text"} {}`, "after the end"},
		{`{"kind":"text","text":"\ud800"}`, "surrogate"},
		{`{"kind":"text","text":"` + "\xff" + `"}`, "UTF-8"},
		{`{"kind":"text","text":"\n` + "\n" + `"}`, "control character"},
		{`{"kind":"text","lang":"xx"}`, `"xx" is not a language`},
		{`{"kind":"text","before":1}`, "true or false"},
		{`{"kind":"symbols","move":256}`, "256 is not between 0 and 255"},
		{`{"kind":"symbols","move":-1}`, "-1 is not between"},
		{`{"kind":"symbols","move":1.5}`, "not a whole number"},
		{`{"kind":"symbols","move":01}`, "want a number"},
		{`{"kind":"symbols","move":99999999999999999999}`, "not between"},
		{`{"kind":"squares","squares":[{"square":"i9"}]}`, `"i9" is not a square`},
		{`{"kind":"squares","squares":[{"square":"e4"},]}`, "comma"},
		{`{"kind":"arrows","arrows":{}}`, "want '['"},
		{`{"kind":"medals","medals":["gold"]}`, `"gold" is not a medal`},
		{`{"kind":"medals","medals":["#32"]}`, "not a medal"},
		{`{"kind":"critical","phase":"late"}`, "not a phase"},
		{`{"kind":"time-control","stages":[{},{},{},{}]}`, "4 stages"},
		{`{"kind":"quotation","moves":["e2e9"]}`, `"e2e9" is not a move`},
		{`{"kind":"quotation","moves":["e2e4"],"castling":[1]}`, "castling 1"},
		{`{"kind":"quotation","date":"yesterday"}`, "not a date"},
		{`{"kind":"quotation","eco":"F00"}`, "not an ECO code"},
		{`{"kind":"quotation","start":{"board":"8/8"}}`, "2 ranks"},
		{`{"kind":"quotation","start":{"board":"9/8/8/8/8/8/8/8"}}`, "letter '9'"},
		{`{"kind":"quotation","start":{"board":"88/8/8/8/8/8/8/8"}}`, "16 squares"},
		{`{"kind":"quotation","start":{"rooks":["h1"]}}`, "1 rooks"},
		{`{"kind":"opaque","raw":"AA"}`, "not base64"},
	} {
		v, err := ParseValue([]byte(c.text))
		if err == nil || !strings.Contains(err.Error(), c.message) {
			t.Errorf("%s: have %#v, %v; want %q", c.text, v, err, c.message)
		}
	}
}

func FuzzParseValue(f *testing.F) {
	for _, form := range valueForms {
		f.Add([]byte(form.form))
	}
	f.Add([]byte(`{"text":[{"a":"\ud83d\ude00"}],"kind":"text"}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		v, err := ParseValue(data)
		if err != nil {
			return
		}
		written := AppendValue(nil, v)
		again, err := ParseValue(written)
		if err != nil || !v.Equal(again) {
			t.Fatalf("%s is written as %s, which reads as %#v, %v", data, written, again, err)
		}
	})
}

// Of an object that occurs twice nothing but the last counts.
func TestLastObjectCounts(t *testing.T) {
	v, err := ParseValue([]byte(`{"kind":"quotation","eventType":{"rapid":true},"eventType":{"system":"swiss"}}`))
	want := model.Quotation{EventType: model.EventType{System: model.Swiss}}
	if err != nil || !want.Equal(v) {
		t.Errorf("have %+v, %v; want %+v", v, err, want)
	}
}

// A pointer to a value is written as what it points to, and what is no value
// of the model as null.
func TestValuesNotOfTheModel(t *testing.T) {
	medals := model.Medals(3)
	for _, c := range []struct {
		given model.Value
		want  string
	}{
		{&model.Text{Text: "pointer"}, `{"kind":"text","text":"pointer"}`},
		{&medals, `{"kind":"medals","medals":["best-game","decided-tournament"]}`},
		{nil, "null"}, {(*model.Text)(nil), "null"}, {foreign{}, "null"}, {&foreign{}, "null"},
	} {
		if got := string(AppendValue(nil, c.given)); got != c.want {
			t.Errorf("AppendValue(%T) = %s, want %s", c.given, got, c.want)
		}
	}
}

// foreign is a value of a type that no format knows.
type foreign struct{}

func (foreign) Kind() model.Kind       { return model.KindText }
func (foreign) Equal(model.Value) bool { return false }
