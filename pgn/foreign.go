package pgn

import (
	"slices"
	"strconv"
	"strings"

	"cbkit/model"
)

// Commands that morphy writes for annotations of ChessBase
// (docs/formats/pgn.md 5). They are read and never written:
//
//	[%post:GER gut]          a text behind its move, and its language
//	[%pre:GER besser war]    one in front of it
//	[%medal novelty,tactics] medals by name
//	[%crit endgame]          a critical position
//	[%varcolor #FF0000]      the colour of a line

// foreignText returns the text that a command says, which is one behind the
// move or in front of it.
func foreignText(c command) (t model.Text, ok bool) {
	name, language, _ := strings.Cut(c.name, ":")
	if name != "pre" && name != "post" {
		return t, false
	}
	t = model.Text{Before: name == "pre", Text: trimBlanks(c.args)}
	if t.Language, ok = model.ParseLanguage(strings.ToLower(language)); !ok {
		var nation model.Nation
		nation, ok = model.ParseNation(strings.ToUpper(language))
		t.Language = model.Language(nation)
	}
	return t, ok && t.Text != ""
}

// parseForeign reads the other commands.
func parseForeign(c command) (v model.Value, ok bool) {
	switch c.name {
	case "medal":
		return parseMedals(c.args)
	case "crit":
		phase := slices.Index([]string{"", "opening", "middlegame", "endgame"}, strings.ToLower(c.args))
		return model.Critical(max(phase, 0)), phase > 0
	case "varcolor":
		return parseVariationColor(c.args)
	}
	return nil, false
}

// foreignWords cuts the arguments of a command into words in small letters.
func foreignWords(args string) []string {
	return strings.FieldsFunc(strings.ToLower(args), func(r rune) bool { return strings.ContainsRune(",;| ", r) })
}

func parseMedals(args string) (model.Value, bool) {
	var medals model.Medals
	words := foreignWords(args)
	for _, word := range words {
		bit := slices.Index(model.MedalNames[:], strings.ReplaceAll(word, "_", "-"))
		if bit < 0 {
			return nil, false
		}
		medals |= 1 << bit
	}
	return medals, len(words) > 0
}

// parseVariationColor reads a colour as #RRGGBB, or as three numbers, and what
// it is for.
func parseVariationColor(args string) (model.Value, bool) {
	var color model.VariationColor
	var parts []uint8
	for _, word := range foreignWords(args) {
		switch word {
		case "mainline", "onlymainline":
			color.Flags |= 1
			continue
		case "moves", "onlymoves":
			color.Flags |= 2
			continue
		}
		if hex, isHex := strings.CutPrefix(word, "#"); isHex && len(hex) == 6 {
			n, err := strconv.ParseUint(hex, 16, 32)
			if err != nil {
				return nil, false
			}
			parts = append(parts, uint8(n>>16), uint8(n>>8), uint8(n))
			continue
		}
		n, ok := parseUint(word, 8)
		if !ok {
			return nil, false
		}
		parts = append(parts, uint8(n))
	}
	if len(parts) != 3 {
		return nil, false
	}
	color.Red, color.Green, color.Blue = parts[0], parts[1], parts[2]
	return color, true
}
