package main

import (
	"cmp"
	"fmt"
	"strings"

	"cbkit/collect"
	"cbkit/model"
)

// whole is a number of things.
type whole interface{ ~int | ~int64 | ~uint64 }

// plural counts things: "1 game", "2 games", "3 entries".
func plural[N whole](n N, one string) string { return fmt.Sprintf("%d %s", n, inNumber(n, one)) }

// inNumber returns a noun as it stands behind a number. What is said of the thing
// may follow it, behind a stroke: "game| of White" becomes "games of White".
func inNumber[N whole](n N, one string) string {
	noun, rest, _ := strings.Cut(one, "|")
	switch {
	case n == 1:
	case strings.HasSuffix(noun, "y") && !strings.HasSuffix(noun, "ay"):
		noun = noun[:len(noun)-1] + "ies"
	case strings.HasSuffix(noun, "ch"), strings.HasSuffix(noun, "s"), strings.HasSuffix(noun, "x"):
		noun += "es"
	default:
		noun += "s"
	}
	return noun + rest
}

// countedWord is how many there are of what.
type countedWord struct {
	n    int
	what string
}

// counted lists what there is.
func counted(list []countedWord) (words []string) {
	for _, part := range list {
		if part.n > 0 {
			words = append(words, fmt.Sprintf("%d %s", part.n, part.what))
		}
	}
	return words
}

// countedWords lists what there is in one line, "nothing" if there is nothing.
func countedWords(list []countedWord) string {
	return cmp.Or(strings.Join(counted(list), ", "), "nothing")
}

// groupingWords and keyWords are other words for what games are taken apart by, and
// sorted by.
var (
	groupingWords = map[string]string{
		"players": "player", "tournament": "event", "tournaments": "event", "events": "event", "opening": "eco", "openings": "eco",
		"code": "eco", "years": "year", "date": "year",
	}
	keyWords = map[string]string{
		"year": "date", "tournament": "event", "site": "place", "player": "white", "rating": "elo", "opening": "eco", "moves": "plies", "length": "plies",
	}
)

// sameKeys writes keys to sort by, with commas between them, in the words that are
// known.
func sameKeys(keys string) string {
	list := strings.Split(keys, ",")
	for i, key := range list {
		name, descends := strings.CutPrefix(strings.TrimSpace(key), "-")
		if word, ok := keyWords[strings.ToLower(name)]; ok {
			name = word
		}
		if list[i] = name; descends {
			list[i] = "-" + name
		}
	}
	return strings.Join(list, ",")
}

// reasonWords say why two games are taken for one.
var reasonWords = map[collect.Reason]string{
	collect.SameGame: "equal", collect.SameSpelling: "with names spelt otherwise",
	collect.SameDetails: "with another date, round or event", collect.Contained: "part of a longer one",
}

// lossWords say what each kind of loss means to people, and what is lost of it if
// the field says more. A model.CutGame is reported by itself.
var lossWords = map[model.LossKind]string{
	model.LostTag:        "tag| of the game without a field in the target",
	model.LostField:      "detail| that the target cannot hold",
	model.LostTextEnd:    "text| cut for lack of room",
	model.LostAnnotation: "annotation| that the target cannot hold",
	model.LostMoves:      "move| that could not be taken over",
	model.LostRecord:     "record| left out",
	model.LostFile:       "file| left behind",
	model.LostEntity:     "name| that no game refers to",
	model.CutGame:        "game| read in part",
	model.Changed:        "value| written in another form",
	model.ReadOtherwise:  "place| read otherwise than in the source",
}

// recordWords call records that are left out what people call them.
var recordWords = map[string]string{"game": "deleted game", "variant": "game| of Chess960", "text": "guiding text"}

// annotationWords call the kinds of annotations what people call them.
var annotationWords = map[string]string{
	string(model.KindText):           "comment",
	string(model.KindSymbols):        "symbol",
	string(model.KindSquares):        "set| of coloured squares",
	string(model.KindArrows):         "set| of arrows",
	string(model.KindTimeSpent):      "time| spent on a move",
	string(model.KindTraining):       "training question",
	string(model.KindQuotation):      "quoted game",
	string(model.KindPawnStructure):  "drawn pawn structure",
	string(model.KindPiecePath):      "drawn path| of a piece",
	string(model.KindClock):          "time| on a clock",
	string(model.KindCritical):       "mark| of a critical position",
	string(model.KindWebLink):        "link",
	string(model.KindEngine):         "verdict| of an engine",
	string(model.KindMedals):         "medal",
	string(model.KindVariationColor): "colour| of a variation",
	string(model.KindTimeControl):    "time control",
	string(model.KindVideoTime):      "time| in a film",
	string(model.KindEvaluations):    "profile| of evaluations",
	string(model.KindOpaque):         "annotation| of an unknown kind",
	"annotations":                    "annotation",
}

// fieldWords call the other fields of losses what people call them; those that are
// not here are words already.
var fieldWords = map[string]string{
	"tournament":      "detail| of a tournament",
	"team":            "detail| of a team",
	"subround":        "number| of a game within its round",
	"line evaluation": "verdict| at the end of a game",
	"source":          "source| of a game",
	"annotator":       "annotator| of a game",
	"white":           "name| of White",
	"black":           "name| of Black",
	"white team":      "team| of White",
	"black team":      "team| of Black",
}

// lostThing names so many things that were lost.
func lostThing(n int, k lossKey) string {
	var words map[string]string // by fields, for this kind
	switch k.kind {
	case model.LostTag:
		return inNumber(n, "tag")
	case model.LostRecord:
		words = recordWords
	case model.LostAnnotation, model.Changed:
		words = annotationWords
	}
	word := cmp.Or(words[k.field], fieldWords[k.field])
	if word == "" && strings.HasSuffix(k.field, "s") {
		return k.field // as it is said
	}
	return inNumber(n, cmp.Or(word, k.field))
}
