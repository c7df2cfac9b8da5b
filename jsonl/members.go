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
		l.header.Round = parseRound(s)
	case "subround":
		l.header.Subround = parseRound(s)
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

// appendHeader appends the members of the header of a game.
func appendHeader(o *jsontext.Object, g *model.Game, r *resolved) {
	o.Text("white", r.white.String())
	o.Text("black", r.black.String())
	o.Int("whiteElo", int64(g.WhiteElo))
	o.Int("blackElo", int64(g.BlackElo))
	o.Text("event", r.tournament.Title)
	o.Text("site", r.tournament.Place)
	appendExact(o, "date", g.Date)
	appendRound(o, g.Round, g.Subround)
	o.Text("result", resultWord(g.Result))
	if g.Result.IsForfeit() {
		o.Text("termination", "forfeit")
	}
	appendExact(o, "eco", g.ECO)
	o.Text("annotator", r.annotator.Name)
	o.Text("source", r.source.Title)
	o.Text("whiteTeam", r.whiteTeam.Title)
	o.Text("blackTeam", r.blackTeam.Title)
	o.Text("gameTitle", titleName(r.gameTitle))
	appendStrings(o, "medals", g.Medals().Names())
	appendTags(o, g.Tags)
}

// appendRound appends the round and the subround. They are strings, as in
// PGN, where a round can be many things.
func appendRound(o *jsontext.Object, round, subround uint16) {
	appendQuoted(o, "round", round)
	appendQuoted(o, "subround", subround)
}

func appendQuoted(o *jsontext.Object, key string, n uint16) {
	if n != 0 {
		o.Key(key)
		o.Dst = append(strconv.AppendUint(append(o.Dst, '"'), uint64(n), 10), '"')
	}
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
		l.header.WhiteElo = s.Uint16()
	case "blackElo":
		l.header.BlackElo = s.Uint16()
	case "date":
		l.header.Date = parseDate(s)
	case "result":
		l.header.Result = jsontext.Word(s, "result", parseResult)
	case "termination":
		l.forfeit = jsontext.Word(s, `termination; only "forfeit" is`, parseTermination)
	case "eco":
		s.Fail(l.header.ECO.UnmarshalText(s.Bytes()))
	case "whiteTeam":
		l.whiteTeam = d.name()
	case "blackTeam":
		l.blackTeam = d.name()
	case "medals":
		l.medals = parseMedals(s)
	case "tags":
		l.header.Tags = parseTags(s, l.header.Tags[:0])
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

// localText is a text in one language; the comments of moves have its form,
// too.
var localText = jsontext.Shape[model.LocalText]{
	language(func(t *model.LocalText) *model.Language { return &t.Language }),
	jsontext.String("text", func(t *model.LocalText) *string { return &t.Text }),
	leftover("leftover", func(t *model.LocalText) **model.Leftover { return &t.Leftover }),
}

// parseLocalTexts reads a text in several languages.
func parseLocalTexts(s *jsontext.Scanner) []model.LocalText {
	return jsontext.ParseObjects(s, localText)
}
