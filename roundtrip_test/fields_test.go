package roundtrip

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"cbkit/internal/testkit/gen"
	"cbkit/model"
)

// eachLeaf gives every part of v that has no parts a value of its own, one at a
// time, and calls check with its path.
func eachLeaf(v reflect.Value, path string, check func(path string)) {
	switch word := v.Addr().Interface().(type) {
	case *model.Date:
		*word = model.Date{Year: 2001, Month: 2, Day: 3}
	case *model.EntityID:
		*word = 0
	case *model.ECO:
		for _, code := range []model.ECO{model.NewECO(5, 0), 1, model.NewECO(5, 0) | 127, 65535} { // all but the first are none
			*word = code
			check(fmt.Sprintf("%s %d", path, code))
		}
		*word = 0
		return
	case *model.Result:
		for r := model.WhiteWins; r < model.BothLose+2; r++ {
			*word = r
			check(fmt.Sprintf("%s %d", path, r))
		}
		*word = model.Result(255) // none either
	case *[]model.Tag:
		*word = []model.Tag{{Name: "Mode", Value: "OTB"}}
	case *[10]uint8: // tie-breaks, which end with the first 0
		*word = [10]uint8{2}
	default:
		switch v.Kind() {
		case reflect.Struct:
			for i := range v.NumField() {
				eachLeaf(v.Field(i), path+"."+v.Type().Field(i).Name, check)
			}
			return
		case reflect.Array: // the titles of a game
			for i := range v.Len() {
				eachLeaf(v.Index(i), fmt.Sprintf("%s[%d]", path, i), check)
			}
			return
		case reflect.String:
			v.SetString("Zoe")
		case reflect.Bool:
			v.SetBool(true)
		case reflect.Int32:
			v.SetInt(2)
		case reflect.Float64:
			v.SetFloat(2)
		default:
			v.SetUint(2)
		}
	}
	check(path)
	v.SetZero()
}

// fieldDatabase has a game for every field of a header, and for every field of an
// entity, in which that alone is set; fields are their paths.
func fieldDatabase() (db *model.Database, fields []string) {
	db = &model.Database{}
	e := &db.Tables
	e.Players.Intern(model.Player{LastName: "Adams"})
	e.Tournaments.Intern(model.Tournament{Title: "Open"})
	e.Annotators.Intern(model.Annotator{Name: "Baker"})
	e.Sources.Intern(model.Publication{Title: "Book"})
	e.Teams.Intern(model.Team{Title: "Club"})
	e.GameTitles.Intern(model.GameTitle{Titles: [8]string{"Gem"}})
	add := func(path string, h model.Header) {
		g := model.NewGame()
		g.Header = h
		db.AddGame(g)
		fields = append(fields, path)
	}
	var h model.Header
	header := reflect.ValueOf(&h).Elem()
	for i := range header.NumField() {
		if !header.Type().Field(i).IsExported() {
			continue // the mark of a made game
		}
		h = model.NewHeader()
		eachLeaf(header.Field(i), header.Type().Field(i).Name, func(path string) { add(path, h) })
	}
	var values struct {
		Player     model.Player
		Tournament model.Tournament
		Annotator  model.Annotator
		Source     model.Publication
		Team       model.Team
		GameTitle  model.GameTitle
	}
	eachLeaf(reflect.ValueOf(&values).Elem(), "", func(path string) {
		h := model.NewHeader()
		h.White, h.Tournament = e.Players.Intern(values.Player), e.Tournaments.Intern(values.Tournament)
		h.Annotator, h.Source = e.Annotators.Intern(values.Annotator), e.Sources.Intern(values.Source)
		h.WhiteTeam, h.GameTitle = e.Teams.Intern(values.Team), e.GameTitles.Intern(values.GameTitle)
		add(path[1:], h)
	})
	return db, fields
}

// What every format does not give back of a game of which one thing is known, it
// reports, whatever the field of the header or of an entity.
func TestNoFieldIsLostInSilence(t *testing.T) {
	db, fields := fieldDatabase()
	if len(fields) < 50 {
		t.Errorf("only %d fields were tried", len(fields))
	}
	for _, f := range fieldFormats {
		back, losses := f.trip(t, gen.Folder(t), db)
		if len(back.List) != len(fields) {
			t.Fatalf("%s: %d games of %d came back", f.name, len(back.List), len(fields))
		}
		reported := map[model.RecordID]bool{}
		for _, l := range losses {
			reported[l.Record] = true
			if l.Field == "" || strings.Trim(l.What, " :") != l.What || l.What == "" {
				t.Errorf("%s: %s: a loss that says nothing: %q, %q", f.name, fields[l.Record-1], l.Field, l.What)
			}
		}
		for i, path := range fields {
			d := recordDifference(db.List[i], &db.Tables, back.List[i], &back.Tables)
			if d != "" && !reported[db.List[i].ID] {
				t.Errorf("%s: %s is not what it was, and nothing is reported:\n%s", f.name, path, d)
			}
		}
	}
}
