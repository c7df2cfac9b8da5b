package headerfields

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"cbkit/model"

	"pgregory.net/rapid"
)

// drawHeader draws a header of which much is not known, and little is said in many ways.
func drawHeader(t *rapid.T, e *model.Entities) *model.Header {
	h := model.NewHeader()
	pick := func(name string, n int) int { return max(0, rapid.IntRange(-n, n).Draw(t, name)) }
	date := func(name string) model.Date {
		return model.Date{Year: uint16(pick(name, 2)) * 1000, Month: uint8(pick(name, 2)), Day: uint8(pick(name, 2))}
	}
	names := []string{"", "Linares", "linares", "Wijk aan Zee NED"}
	tour := model.Tournament{
		Title: names[pick("title", 2)], Place: names[pick("place", 3)], Start: date("start"), End: date("end"), Nation: model.Nation(pick("nation", 2)),
		Type:     model.EventType{System: model.EventSystem(pick("system", 2)), Blitz: pick("blitz", 1) == 1},
		Category: uint8(pick("category", 2)), Rounds: uint8(pick("rounds", 12)), Complete: pick("complete", 1) == 1,
	}
	if pick("tournament", 1) == 0 {
		h.Tournament = e.Tournaments.Intern(tour)
	}
	h.White = e.Players.Intern(model.Player{LastName: "A"})
	if n := pick("annotator", 2); n > 0 {
		h.Annotator = e.Annotators.Intern(model.Annotator{Name: names[n]})
	}
	if n := pick("source", 2); n > 0 {
		h.Source = e.Sources.Intern(model.Publication{Title: names[1], Publisher: names[n]})
	}
	if n := pick("team", 2); n > 0 {
		h.WhiteTeam = e.Teams.Intern(model.Team{Title: names[n]})
	}
	h.Date, h.Result = date("date"), model.Result(pick("result", 7))
	h.Round, h.Subround = uint16(pick("round", 2)), uint16(pick("subround", 2))
	h.WhiteElo, h.BlackElo = uint16(pick("elo", 2))*600, uint16(pick("elo", 2))*600
	h.ECO = []model.ECO{0, model.NewECO(5, 3), model.NewECO(499, 0)}[pick("eco", 2)]
	if h.Result == model.NoResult {
		h.LineEvaluation = model.NAG(pick("verdict", 1) * 14)
	}
	for i, tag := range []string{"Date", "Site", "WhiteElo", "WhiteFideId", "WhiteTitle"} {
		if n := pick("tag", 2); n > 0 {
			h.Tags = append(h.Tags, model.Tag{Name: tag, Value: fmt.Sprint(i, n)})
		}
	}
	return &h
}

// says are the fields and tags of a header that are stated.
func says(h *model.Header, e *model.Entities) map[string]any {
	m := map[string]any{}
	for i := range All {
		if v := All[i].Value(h, e); v != All[i].none {
			m[All[i].Name] = v
		}
	}
	for _, tag := range h.Tags {
		m[tag.Name] = tag.Value
	}
	return m
}

// A header that is filled has what it had; what another states of what can be filled is
// stated, once and for all, whatever the order of the others; each field is one that the
// header named has.
func TestFill(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := &model.Entities{}
		before := drawHeader(t, e)
		var others []Head
		for i := range rapid.IntRange(0, 5).Draw(t, "others") {
			others = append(others, Head{model.RecordID(i), *drawHeader(t, e)})
		}
		forAll := rapid.Bool().Draw(t, "for all")
		h := *before
		list := Fill(&h, e, others, forAll)
		was, is := says(before, e), says(&h, e)
		for name, v := range was {
			if d, isDate := v.(model.Date); isDate {
				if now := is[name].(model.Date); known(d, now) != now {
					t.Fatalf("%s was %v and is %v", name, d, now)
				}
			} else if is[name] != v {
				t.Fatalf("%s was %v and is %v", name, v, is[name])
			}
		}
		several, first := map[string]bool{}, map[string]any{} // what they contradict each other in
		for _, rec := range others {
			for name, v := range says(&rec.Header, e) {
				d, isDate := v.(model.Date)
				if was, is := first[name].(model.Date); is && isDate { // which may have parts
					several[name] = several[name] || known(was, d) != known(d, was)
					v = known(was, d)
				} else {
					several[name] = several[name] || first[name] != nil && first[name] != v
				}
				first[name] = v
			}
		}
		for _, rec := range others {
			o := &rec.Header
			for name, v := range says(o, e) {
				i := slices.IndexFunc(All, func(f Field) bool { return f.Name == name || f.Tag == name && is[f.Name] != nil })
				if i >= 0 && (All[i].Set == nil && All[i].ID == nil || is[All[i].Tag] != nil || !forAll && All[i].ForAll) {
					continue
				}
				switch name {
				case "Date", "Site", "WhiteElo", "termination": // beside their fields
					continue
				case "result":
					if h.LineEvaluation != 0 {
						continue
					}
				case "date": // unless it tells games apart
					if several[name] {
						continue
					}
				case "round", "Round":
					if several["round"] || several["Round"] || o.Tag("Round") != "" {
						continue
					}
				case "subround":
					if several[name] || several["round"] || o.Round != h.Round || o.Tag("Round") != "" {
						continue
					}
				}
				if is[name] == nil {
					t.Fatalf("%s, which was %v elsewhere, is not known", name, v)
				}
				if d, isDate := v.(model.Date); isDate && is[name] != v && known(d, is[name].(model.Date)) == known(is[name].(model.Date), d) && known(is[name].(model.Date), d) != is[name] {
					t.Fatalf("%s is %v, and could be %v", name, is[name], d)
				}
			}
		}
		for _, f := range list {
			if v := says(&others[f.From].Header, e)[f.Field]; v == nil || fmt.Sprint(inWords(v)) != f.Value && reflect.TypeOf(v) != reflect.TypeFor[model.Date]() {
				t.Fatalf("%+v, where %v is stated", f, v)
			}
		}
		again := h
		if list := Fill(&again, e, others, forAll); len(list) > 0 || !reflect.DeepEqual(again, h) {
			t.Fatalf("filled again: %+v", list)
		}
		order := rapid.Permutation(others).Draw(t, "order")
		mixed := *before
		if Fill(&mixed, e, order, forAll); !reflect.DeepEqual(mixed, h) {
			t.Fatalf("%+v in another order, and %+v", mixed, h)
		}
	})
}

// What most state counts; of equally many the least; of a tournament what is said of one with
// the same title. A date is filled by parts, by those that do not contradict.
func TestFillElects(t *testing.T) {
	e := &model.Entities{}
	header := func(elo uint16, date, title, place string) Head {
		h := model.NewHeader()
		h.WhiteElo = elo
		h.Date, _ = model.ParseDate(date)
		h.Tournament = e.Tournaments.Intern(model.Tournament{Title: title, Place: place})
		return Head{Header: h}
	}
	h := header(0, "2001.??.??", "Open", "")
	others := []Head{
		header(2500, "2002.07.08", "Other", "Rome"), header(2400, "2001.05.??", "Other", "Rome"), header(900, "2001.05.07", "Open", "Bern"),
		header(2400, "", "", "Oslo"), header(900, "", "", ""),
	}
	for i := range others {
		others[i].ID = model.RecordID(i)
	}
	got := Fill(&h.Header, e, others, true)
	want := []Filled{{"whiteElo", "900", 2}, {"site", "Bern", 2}, {"date", "2001.05.??", 1}, {"date", "2001.05.07", 2}}
	if !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	apart := []Head{header(0, "2001.05.07", "", ""), header(0, "2001.06.01", "", "")} // as two games may be
	if h = header(0, "2001.??.??", "", ""); len(Fill(&h.Header, e, apart, true)) != 0 {
		t.Errorf("%v of days that differ", h.Date)
	}
	apart[0].Round, apart[0].Subround, apart[0].Tags = 1, 2, []model.Tag{{Name: "Round", Value: "1.2.3"}}
	if got := Fill(&h.Header, e, apart[:1], true); h.Tag("Round") != "1.2.3" || !slices.Contains(got, Filled{"round", "1.2.3", 0}) {
		t.Errorf("%v of a round of three parts: %v", got, h.Tags)
	}
	if h = header(0, "", "", ""); len(Fill(&h.Header, e, []Head{header(0, "2001.05.07", "", "")}, true)) != 1 || h.Date.Day != 7 {
		t.Errorf("%v", h.Date)
	}
}
