package pgn

// tag is a tag that has a field in the model, in the order in which a game's
// tags are written. See spec/pgn.md 1.
type tag uint8

const (
	tagEvent tag = iota
	tagSite
	tagDate
	tagRound
	tagWhite
	tagBlack
	tagResult
	tagECO
	tagWhiteElo
	tagBlackElo
	tagAnnotator
	tagSetUp
	tagFEN
	tagVariant
	tagPlyCount
	tagEventDate
	tagEventType
	tagEventRounds
	tagEventCountry
	tagEventCategory
	tagSource
	tagSourceTitle
	tagSourceDate
	tagSourceVersion
	tagSourceVersionDate
	tagSourceQuality
	tagWhiteTeam
	tagBlackTeam
	tagWhiteTeamCountry
	tagBlackTeamCountry
	// tagTermination is written among the tags without a field.
	tagTermination
	numTags
)

var tagNames = [numTags]string{
	tagEvent:             "Event",
	tagSite:              "Site",
	tagDate:              "Date",
	tagRound:             "Round",
	tagWhite:             "White",
	tagBlack:             "Black",
	tagResult:            "Result",
	tagECO:               "ECO",
	tagWhiteElo:          "WhiteElo",
	tagBlackElo:          "BlackElo",
	tagAnnotator:         "Annotator",
	tagSetUp:             "SetUp",
	tagFEN:               "FEN",
	tagVariant:           "Variant",
	tagPlyCount:          "PlyCount",
	tagEventDate:         "EventDate",
	tagEventType:         "EventType",
	tagEventRounds:       "EventRounds",
	tagEventCountry:      "EventCountry",
	tagEventCategory:     "EventCategory",
	tagSource:            "Source",
	tagSourceTitle:       "SourceTitle",
	tagSourceDate:        "SourceDate",
	tagSourceVersion:     "SourceVersion",
	tagSourceVersionDate: "SourceVersionDate",
	tagSourceQuality:     "SourceQuality",
	tagWhiteTeam:         "WhiteTeam",
	tagBlackTeam:         "BlackTeam",
	tagWhiteTeamCountry:  "WhiteTeamCountry",
	tagBlackTeamCountry:  "BlackTeamCountry",
	tagTermination:       "Termination",
}

var tagByName = func() map[string]tag {
	m := make(map[string]tag, numTags)
	for t, name := range tagNames {
		m[name] = tag(t)
	}
	// Spellings of old programs, without which a game cannot be played.
	m["Setup"], m["Fen"] = tagSetUp, tagFEN
	return m
}()

// forfeit is the value of Termination for games decided without play.
const forfeit = "forfeit"

// appendMeaning appends the value that would be written for what a tag's
// value says, and reports whether the value says nothing beyond it. It is for
// the tags of which a part can be understood.
func appendMeaning(dst []byte, t tag, v string) (meaning []byte, whole bool) {
	switch t {
	case tagSite:
		if isURL(v) {
			return append(dst, '?'), false
		}
		return append(dst, v...), true
	case tagDate, tagEventDate, tagSourceDate, tagSourceVersionDate:
		d, ok := parseDate(v)
		return appendDate(dst, t, d), ok
	case tagRound:
		round, subround, ok := parseRound(v)
		return appendRound(dst, round, subround), ok
	case tagECO:
		e, ok := parseECO(v)
		return append(dst, e.String()...), ok
	case tagEventType:
		e, ok := parseEventType(v)
		return appendEventType(dst, e), ok
	case tagEventCountry, tagWhiteTeamCountry, tagBlackTeamCountry:
		n, ok := parseNation(v)
		return append(dst, n.String()...), ok
	case tagVariant:
		return dst, isChess960(v)
	case tagWhiteElo, tagBlackElo:
		n, ok := parseNumber(v, eloLimit)
		return appendNumber(dst, n), ok
	case tagEventRounds, tagEventCategory, tagSourceVersion, tagSourceQuality:
		n, ok := parseNumber(v, byteLimit)
		return appendNumber(dst, n), ok
	}
	return append(dst, v...), true
}
