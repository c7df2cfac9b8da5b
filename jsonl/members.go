package jsonl

import (
	"strconv"
	"strings"

	"cbkit/internal/jsontext"
	"cbkit/model"
)

// member reads a member of a record. It returns false for a key that is not
// known.
func (d *decoder) member() bool {
	key := d.s.Key()
	return d.commonMember(string(key)) || d.gameMember(string(key)) || d.textMember(string(key))
}

// commonMember reads what games and texts share.
func (d *decoder) commonMember(key string) bool {
	l, s := &d.line, &d.s
	switch key {
	case "id":
		l.id = model.RecordID(s.Int(1, 1<<31-1))
	case "kind":
		l.kind = d.name()
	case "deleted":
		l.deleted = s.Bool()
	case "event":
		l.event = d.name()
	case "site":
		l.site = d.name()
	case "round":
		l.round = parseRound(s)
	case "subround":
		l.subround = parseRound(s)
	case "annotator":
		l.annotator = d.name()
	case "source":
		l.source = d.name()
	case "gameTitle":
		l.gameTitle = d.name()
	case "cbh":
		l.details.skipElsewhere = !d.wantsAnnotations()
		detailsShape.Parse(s, &l.details)
	default:
		return false
	}
	return true
}

// gameMember reads what only games have.
func (d *decoder) gameMember(key string) bool {
	if !d.headerMember(key) && !d.contentMember(key) {
		return false
	}
	if d.line.gameKey == "" {
		d.line.gameKey = strings.Clone(key)
	}
	return true
}

// headerMember reads a member of the header of a game.
func (d *decoder) headerMember(key string) bool {
	l, s := &d.line, &d.s
	switch key {
	case "white":
		l.white = d.name()
	case "black":
		l.black = d.name()
	case "whiteElo":
		l.whiteElo = s.Uint16()
	case "blackElo":
		l.blackElo = s.Uint16()
	case "date":
		l.date = parseDate(s)
	case "result":
		l.result = jsontext.Word(s, "result", parseResult)
	case "termination":
		l.forfeit = jsontext.Word(s, `termination; only "forfeit" is`, parseTermination)
	case "eco":
		s.Fail(l.eco.UnmarshalText(s.Bytes()))
	case "whiteTeam":
		l.whiteTeam = d.name()
	case "blackTeam":
		l.blackTeam = d.name()
	case "medals":
		l.medals = parseMedals(s)
	case "tags":
		l.tags = parseTags(s, l.tags[:0])
	default:
		return false
	}
	return true
}

// contentMember reads the start, the moves and the annotations of a game.
// Where they are not wanted they are passed over.
func (d *decoder) contentMember(key string) bool {
	l, s := &d.line, &d.s
	switch key {
	case "fen":
		l.fen = s.Text()
	case "variant":
		l.variant = s.Text()
	case "annotations":
		if !d.wantsAnnotations() {
			s.Skip()
			break
		}
		l.hasAnnotations = true
		l.annotations = parseAnnotations(s, l.annotations[:0], model.NoNode)
	case "moves":
		if d.want&(model.WantMoves|model.WantAnnotations|model.WantRaw) == 0 {
			s.Skip()
			break
		}
		d.moves.read(s)
	default:
		return false
	}
	return true
}

// textMember reads what only texts have.
func (d *decoder) textMember(key string) bool {
	l, s := &d.line, &d.s
	switch key {
	case "html":
		l.html = s.Bool()
	case "title":
		l.titles = parseLocalTexts(s)
	case "content":
		l.contents = parseLocalTexts(s)
	case "media":
		l.media = jsontext.Elements(s, s.Text)
	default:
		return false
	}
	if l.textKey == "" {
		l.textKey = strings.Clone(key)
	}
	return true
}

// wantsAnnotations reports whether annotations are wanted, with the moves
// that they belong to.
func (d *decoder) wantsAnnotations() bool { return d.want&(model.WantAnnotations|model.WantRaw) != 0 }

// parseRound reads a number that may stand in quotes.
func parseRound(s *jsontext.Scanner) uint16 {
	if s.Peek() != '"' {
		return s.Uint16()
	}
	text := s.Bytes()
	n, err := strconv.ParseUint(string(text), 10, 16)
	if err != nil && len(text) > 0 {
		s.Failf("%.40q is not a number from 0 to 65535", text)
	}
	return uint16(n)
}

func parseDate(s *jsontext.Scanner) (d model.Date) {
	if text := s.Bytes(); len(text) > 0 {
		s.Fail(d.UnmarshalText(text))
	}
	return d
}

func parseResult(word string) (model.Result, bool) {
	if n, ok := parseNumberWord(word, 8); ok {
		return model.Result(n), true
	}
	return model.ParseResult(word)
}

func parseTermination(word string) (forfeit, ok bool) { return word == "forfeit", word == "forfeit" }

func parseMedals(s *jsontext.Scanner) (all model.Medals) {
	for _, m := range jsontext.Elements(s, func() model.Medals { return jsontext.Word(s, "medal", model.ParseMedal) }) {
		all |= m
	}
	return all
}
