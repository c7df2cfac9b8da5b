package roundtrip

import (
	"bytes"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"cbkit/internal/testkit/gen"
	"cbkit/model"
	"cbkit/pgn"
)

// leaves lists what is said in a value, by its path; what is zero says nothing.
func leaves(v reflect.Value, path string, list map[string]string) {
	switch v.Kind() {
	case reflect.Struct:
		if _, whole := v.Interface().(model.Date); whole {
			break
		}
		for i := range v.NumField() {
			leaves(v.Field(i), path+"."+v.Type().Field(i).Name, list)
		}
		return
	case reflect.Array:
		for i := range v.Len() {
			leaves(v.Index(i), fmt.Sprintf("%s[%d]", path, i), list)
		}
		return
	}
	if !v.IsZero() && (v.Kind() != reflect.Slice || v.Len() > 0) {
		list[path] = fmt.Sprint(v.Interface())
	}
}

// said lists what the header of a game says.
func said(g *model.Game, e *model.Entities) map[string]string {
	list := map[string]string{}
	leaves(reflect.ValueOf(g.Resolve(e).ResolvedHeader), "", list)
	for i, t := range g.Tags {
		list[fmt.Sprintf(".Tags[%d]", i)] = t.Name + " " + t.Value
	}
	return list
}

// Each field set alone comes back through every pair of formats, or is reported as a
// loss by one of them; and nothing appears that was not there, be it reported or
// not. No rule derives a field.
func TestFieldsThroughPairsOfFormats(t *testing.T) {
	db, fields := fieldDatabase()
	for _, first := range fieldFormats {
		one, lost := first.trip(t, gen.Folder(t), db)
		for _, second := range fieldFormats {
			two, lostThen := second.trip(t, gen.Folder(t), one)
			if len(two.List) != len(fields) {
				t.Fatalf("%s to %s: %d games of %d", first.name, second.name, len(two.List), len(fields))
			}
			reported := map[model.RecordID]bool{}
			for _, l := range append(slices.Clone(lost), lostThen...) {
				reported[l.Record] = true
			}
			for i, path := range fields {
				was, is := said(db.List[i].Game, &db.Tables), said(two.List[i].Game, &two.Tables)
				for _, field := range slices.Sorted(maps.Keys(was)) {
					if is[field] != was[field] && !reported[db.List[i].ID] {
						t.Errorf("%s to %s: %s: %s was %s and is %q, and nothing is reported", first.name, second.name, path, field, was[field], is[field])
					}
				}
				for _, field := range slices.Sorted(maps.Keys(is)) {
					// A row without the column game has one title, which counts as the first.
					inRow := field == ".GameTitle.Titles[0]" && (first.name == withoutGame || second.name == withoutGame) && reported[db.List[i].ID]
					if _, was := was[field]; !was && !inRow {
						t.Errorf("%s to %s: %s: %s appears, %q", first.name, second.name, path, field, is[field])
					}
				}
			}
		}
	}
}

// rosterOfSeven are the tags that every game in PGN has, and what they say where
// nothing is known; PlyCount is computed.
var rosterOfSeven = []string{
	`[Event "?"]`, `[Site "?"]`, `[Date "????.??.??"]`, `[Round "?"]`, `[White "?"]`, `[Black "?"]`, `[Result "*"]`, `[PlyCount "0"]`,
}

// tagCases are games in PGN of which one thing is said, or two that belong together.
// Becomes is what stands for it after a trip through any format that has fields, by
// a rule of docs/formats/pgn.md; it is as it was where that is "".
var tagCases = []struct{ tags, becomes, rule string }{
	{`[Event "Open"]`, "", ""},
	{`[Site "Lyon"]`, "", ""},
	{`[Site "https://example.org/1"]`, "", ""},
	{`[Date "1997.05.03"]`, "", ""},
	{`[Date "1997.??.??"]`, "", ""},
	{`[Date "1997.13.03"]`, "", ""},
	{`[UTCDate "2020.01.02"]`, `[Date "2020.01.02"]`, "1: UTCDate is the date of a game without one, where it has no place itself"},
	{`[UTCDate "2020-01-02T10:00:00Z"]`, `[Date "2020.01.02"]`, "1: UTCDate is the date of a game without one, where it has no place itself"},
	{`[UTCDate "2020.13.02"]`, "", ""},
	{"[Date \"1997.05.03\"]\n[UTCDate \"2020.01.02\"]", "", ""},
	{`[Round "3"]`, "", ""},
	{`[Round "3.2"]`, "", ""},
	{`[Round "?.1"]`, "", ""},
	{`[Round "-.1"]`, "", ""},
	{`[Round ".1"]`, "", ""},
	{`[Round "0.1"]`, "", ""},
	{`[Round "0"]`, "", ""},
	{`[Round "3.0"]`, "", ""},
	{`[Round "3(2)"]`, `[Round "3.2"]`, "1: Round reads 3, 3.2 and 3(2)"},
	{`[Round "final"]`, "", ""},
	{`[Round "4.1.2"]`, "", ""},
	{`[Round "Runde 6"]`, "", ""},
	{`[WhiteElo "2500*"]`, "", ""},
	{`[Date "12.1998"]`, "", ""},
	{`[Date "31.12.1999, 14h"]`, "", ""},
	{`[White "Carlsen, Magnus"]`, "", ""},
	{`[White "Carlsen,Magnus"]`, `[White "Carlsen, Magnus"]`, "1: players, split at the first comma"},
	{`[Black "Anand"]`, "", ""},
	{`[Result "1-0"]`, "", ""},
	{`[Result "0-0"]`, "", ""},
	{`[Result "White"]`, `[CbTag_Result "White"]`, "1: a tag of which nothing can be understood is kept, a game has every tag once"},
	{"[Result \"1-0\"]\n[Termination \"forfeit\"]", "", ""},
	{`[Termination "normal"]`, "", ""},
	{`[ECO "C50"]`, "", ""},
	{`[ECO "C50/08"]`, "", ""},
	{`[ECO "C50a"]`, "", ""},
	{`[WhiteElo "2500"]`, "", ""},
	{`[BlackElo "2500"]`, "", ""},
	{`[WhiteElo "many"]`, "", ""},
	{`[Annotator "Baker"]`, "", ""},
	{`[EventDate "1997.05.03"]`, "", ""},
	{`[EventDate "1997.??.??"]`, "", ""},
	{`[EventDate "12.1998"]`, `[CbTag_EventDate "12.1998"]`, "1: a kept tag beside a field that says something else, as where the field was reported lost"},
	{"[Event \"Open\"]\n[Date \"1997.05.03\"]", "", ""},
	{"[Event \"Open\"]\n[Date \"1997.05.03\"]\n[EventDate \"1997.05.01\"]", "", ""},
	{"[Event \"Open\"]\n[Date \"1997.05.03\"]\n[EventDate \"1997.??.??\"]", "[Event \"Open\"]\n[Date \"1997.05.03\"]",
		"1: without EventDate a tournament begins in the year of the game"},
	{"[Event \"Open\"]\n[Date \"1997.05.03\"]\n[EventDate \"????.??.??\"]", "", ""},
	{`[EventType "swiss"]`, "", ""},
	{`[EventType "blitz"]`, "", ""},
	{`[EventRounds "9"]`, "", ""},
	{`[EventCountry "FRA"]`, "", ""},
	{"[Site \"Biel SUI\"]", "", ""},
	{"[Site \"Biel SUI\"]\n[EventCountry \"FRA\"]", "", ""},
	{"[Site \"Biel SUI\"]\n[EventCountry \"SUI\"]", "[Site \"Biel SUI\"]", "1: EventCountry only where the site does not say it"},
	{`[EventCategory "12"]`, "", ""},
	{`[Source "CB"]`, "", ""},
	{`[SourceTitle "Mega"]`, "", ""},
	{"[Source \"CB\"]\n[SourceTitle \"Mega\"]", "", ""},
	{"[Source \"CB\"]\n[SourceTitle \"\"]", "", ""},
	{"[Source \"CB\"]\n[SourceTitle \"CB\"]", `[Source "CB"]`, "1: SourceTitle only where it differs from Source"},
	{`[SourceDate "2020.01.01"]`, "", ""},
	{`[SourceVersion "3"]`, "", ""},
	{`[SourceVersionDate "2021.??.??"]`, "", ""},
	{`[SourceQuality "1"]`, "", ""},
	{`[WhiteTeam "Lyon"]`, "", ""},
	{`[BlackTeam "Paris"]`, "", ""},
	{"[WhiteTeam \"Lyon\"]\n[WhiteTeamCountry \"FRA\"]", "", ""},
	{"[BlackTeam \"Lyon\"]\n[BlackTeamCountry \"FRA\"]", "", ""},
	{`[Site "https://lichess.org/abcd1234"]`, "", ""},
	{`[Link "https://www.chess.com/game/live/1?tab=x&y=(1)"]`, "", ""},
	{`[GameUrl "http://x.org/1"]`, "", ""},
	{"[Site \"Chess.com\"]\n[Link \"https://x.org/1\"]\n[URL \"https://x.org/2\"]", "", ""},
	{`[Opening "Ruy Lopez"]`, "", ""},
	{"[Event \"Open\"]\n[a-b \"x\"]", "[Event \"Open\"]\n[CbTag_a_2Db \"x\"]", "1: names have letters, digits and underscores only"},
}

// noEventDate appears where a format does not hold when a tournament began, by
// docs/formats/pgn.md 1: "EventDate "????.??.??" says that it has no date".
const noEventDate = `[EventDate "????.??.??"]`

// holdsNoEventDate says of a format that it does not.
func holdsNoEventDate(format string) bool {
	return strings.HasPrefix(format, "dci") || format == withoutGame
}

// withoutGame is a table whose rows have of a source its title, and of a game one.
const withoutGame = "parquet without the column game"

// tagLine is a tag on its line.
var tagLine = regexp.MustCompile(`(?m)^\[(\w+(?:-\w+)?) "(.*)"\]$`)

// tagsOf returns the tags of a game in PGN by their names.
func tagsOf(text string) map[string]string {
	tags := map[string]string{}
	for _, m := range tagLine.FindAllStringSubmatch(text, -1) {
		tags[m[1]] = m[0]
	}
	return tags
}

// Each tag set alone comes back through PGN, and through any other format and PGN
// again, or is reported as a loss; and nothing appears but the roster of seven.
func TestTagsThroughPairsOfFormats(t *testing.T) {
	for _, through := range fieldFormats {
		for i, c := range tagCases {
			if testing.Short() && i%3 > 0 {
				continue
			}
			t.Run(through.name+" "+c.tags, func(t *testing.T) {
				src := pgn.NewReader(strings.NewReader(c.tags+"\n\n*\n"), pgn.ReaderOptions{File: "x.pgn"})
				var losses []model.Loss
				var last model.Source = src
				if through.name != "pgn" {
					last, losses = through.trip(t, gen.Folder(t), src)
				}
				var out bytes.Buffer
				losses = append(losses, transfer(t, last, func(report model.Report) (model.Sink, error) {
					return pgn.NewWriter(&out, pgn.WriterOptions{Report: report}), nil
				})...)
				want, got := tagsOf(c.tags), tagsOf(out.String())
				other := tagsOf(c.becomes)
				for name, line := range want {
					became := c.becomes != "" && (other[name] == got[name] || got[name] == `[Result "*"]`)
					for name, line := range other {
						became = became && got[name] == line
					}
					// ChessBase gives sources without a title a date that says nothing.
					isNone := name == "SourceDate" && c.tags == line && through.name == "pgn for people"
					if got[name] == line || len(losses) > 0 || became || isNone {
						continue
					}
					t.Errorf("%s: %s became %q, and nothing is reported", through.name, line, got[name])
				}
				for name, line := range got {
					if want[name] == "" && other[name] != line && !slices.Contains(rosterOfSeven, line) &&
						!(line == noEventDate && holdsNoEventDate(through.name)) && !(name == "SourceTitle" && through.name == withoutGame && len(losses) > 0) {
						t.Errorf("%s: %s: %s appears", through.name, c.tags, line)
					}
				}
			})
		}
	}
}
