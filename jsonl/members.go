package jsonl

import (
	"slices"
	"strconv"
	"unicode/utf8"

	"cbkit/internal/jsontext"
	"cbkit/model"
)

// line is a record as its line has it: while it is written, and while it is read,
// before it is known what that means.
type line struct {
	id      model.RecordID // 0 if there is none
	kind    string
	deleted bool
	// gameKey and textKey are keys that were read and that only games or only texts
	// have.
	gameKey, textKey string

	header               model.Header // without entities
	forfeit              bool
	white, black         string
	event, site          string
	annotator, source    string
	whiteTeam, blackTeam string
	gameTitle            string
	medals               model.Medals
	fen, variant         string
	annotations          []model.Annotation
	hasAnnotations       bool
	moves                *model.Game // that are written, nil for none

	html             bool
	titles, contents []model.LocalText
	media            []string

	details details

	in  *decoder // that reads it
	out *encoder // that writes it
}

// kinds of records, as "kind" has them.
const (
	gameRecord = "game"
	textRecord = "text"
)

// recordShape has the members of all records. Their order is part of the format.
var recordShape = jsontext.Shape[line]{
	{Key: "id", Append: func(o *jsontext.Object, key string, l *line) { o.Int(key, int64(l.id)) },
		Parse: func(s *jsontext.Scanner, l *line) { l.id = model.RecordID(s.Int(1, 1<<31-1)) }},
	name("kind", func(l *line) *string { return &l.kind }),
	jsontext.Flag("deleted", func(l *line) *bool { return &l.deleted }),
	ofGame(name("white", func(l *line) *string { return &l.white })),
	ofGame(name("black", func(l *line) *string { return &l.black })),
	ofGame(jsontext.Number("whiteElo", func(l *line) *uint16 { return &l.header.WhiteElo })),
	ofGame(jsontext.Number("blackElo", func(l *line) *uint16 { return &l.header.BlackElo })),
	name("event", func(l *line) *string { return &l.event }),
	name("site", func(l *line) *string { return &l.site }),
	ofGame(exact("date", func(l *line) *model.Date { return &l.header.Date })),
	round("round", func(l *line) *uint16 { return &l.header.Round }),
	round("subround", func(l *line) *uint16 { return &l.header.Subround }),
	ofGame(jsontext.Named("result", "result", func(l *line) *model.Result { return &l.header.Result }, resultWord, parseResult)),
	ofGame(jsontext.Named("termination", `termination; only "forfeit" is`, func(l *line) *bool { return &l.forfeit },
		terminationWord, parseTermination)),
	ofGame(exact("eco", func(l *line) *model.ECO { return &l.header.ECO })),
	name("annotator", func(l *line) *string { return &l.annotator }),
	name("source", func(l *line) *string { return &l.source }),
	ofGame(name("whiteTeam", func(l *line) *string { return &l.whiteTeam })),
	ofGame(name("blackTeam", func(l *line) *string { return &l.blackTeam })),
	name("gameTitle", func(l *line) *string { return &l.gameTitle }),
	ofGame(medals("medals", func(l *line) *model.Medals { return &l.medals })),
	ofGame(jsontext.Member[line]{Key: "tags", Append: func(o *jsontext.Object, _ string, l *line) { appendTags(o, l.header.Tags) },
		Parse: func(s *jsontext.Scanner, l *line) { l.header.Tags = parseTags(s, l.header.Tags[:0]) }}),
	ofText(jsontext.Flag("html", func(l *line) *bool { return &l.html })),
	ofText(jsontext.Objects("title", func(l *line) *[]model.LocalText { return &l.titles }, localText)),
	ofText(jsontext.Objects("content", func(l *line) *[]model.LocalText { return &l.contents }, localText)),
	ofText(jsontext.Member[line]{Key: "media", Append: func(o *jsontext.Object, key string, l *line) { appendStrings(o, key, l.media) },
		Parse: func(s *jsontext.Scanner, l *line) { l.media = jsontext.Elements(s, s.Text) }}),
	ofGame(jsontext.String("fen", func(l *line) *string { return &l.fen })),
	ofGame(jsontext.String("variant", func(l *line) *string { return &l.variant })),
	ofGame(jsontext.Member[line]{Key: "annotations", Parse: readAnnotations,
		Append: func(o *jsontext.Object, _ string, l *line) { appendAnnotations(o, l.annotations) }}),
	ofGame(jsontext.Member[line]{Key: "moves", Append: writeMoves, Parse: readMoves}),
	{Key: "cbh", Append: func(o *jsontext.Object, key string, l *line) {
		o.Object(key, func(o *jsontext.Object) { detailsShape.Append(o, &l.details) })
	}, Parse: func(s *jsontext.Scanner, l *line) {
		l.details.skipElsewhere = !l.in.wantsAnnotations()
		detailsShape.Parse(s, &l.details)
	}},
}

// ofGame is a member that only games have.
func ofGame(m jsontext.Member[line]) jsontext.Member[line] {
	return ofKind(m, gameRecord, func(l *line) *string { return &l.gameKey })
}

// ofText is a member that only texts have.
func ofText(m jsontext.Member[line]) jsontext.Member[line] {
	return ofKind(m, textRecord, func(l *line) *string { return &l.textKey })
}

// ofKind is a member of one kind of records; the first that is read is noted.
func ofKind(m jsontext.Member[line], kind string, first func(*line) *string) jsontext.Member[line] {
	return jsontext.Member[line]{Key: m.Key,
		Append: func(o *jsontext.Object, key string, l *line) {
			if l.kind == kind {
				m.Append(o, key, l)
			}
		},
		Parse: func(s *jsontext.Scanner, l *line) {
			m.Parse(s, l)
			if key := first(l); *key == "" {
				*key = m.Key
			}
		}}
}

// name is a member with a name, of which there is one copy in memory.
func name(key string, at func(*line) *string) jsontext.Member[line] {
	m := jsontext.String(key, at)
	m.Parse = func(s *jsontext.Scanner, l *line) {
		if s.Peek() != '"' {
			*at(l) = s.Text()
			return
		}
		text := s.Bytes()
		name, ok := l.in.names[string(text)]
		if !ok {
			name = string(text)
			l.in.names[name] = name
		}
		*at(l) = name
	}
	return m
}

// round is a member with a number that is written as a string, as in PGN, where a
// round can be many things, and read with quotes or without.
func round(key string, at func(*line) *uint16) jsontext.Member[line] {
	return jsontext.Member[line]{Key: key,
		Append: func(o *jsontext.Object, key string, l *line) {
			if n := *at(l); n != 0 {
				o.Key(key)
				o.Dst = append(strconv.AppendUint(append(o.Dst, '"'), uint64(n), 10), '"')
			}
		},
		Parse: func(s *jsontext.Scanner, l *line) {
			if s.Peek() != '"' {
				*at(l) = jsontext.WholeNumber[uint16](s)
				return
			}
			text := s.Bytes()
			n, err := strconv.ParseUint(string(text), 10, 16)
			if err != nil && len(text) > 0 {
				s.Failf("%.40q is not a number from 0 to 65535", text)
			}
			*at(l) = uint16(n)
		}}
}

// readAnnotations and readMoves pass over what is not wanted.
func readAnnotations(s *jsontext.Scanner, l *line) {
	if !l.in.wantsAnnotations() {
		s.Skip()
		return
	}
	l.hasAnnotations = true
	l.annotations = parseAnnotations(s, l.annotations[:0], model.NoNode)
}

func readMoves(s *jsontext.Scanner, l *line) {
	if l.in.want&(model.WantMoves|model.WantAnnotations|model.WantRaw) == 0 {
		s.Skip()
		return
	}
	l.in.moves.read(s)
}

func writeMoves(o *jsontext.Object, _ string, l *line) {
	if l.moves != nil {
		l.out.depth = l.out.line.appendMoves(o, l.moves)
	}
}

// wantsAnnotations reports whether annotations are wanted, with the moves
// that they belong to.
func (d *decoder) wantsAnnotations() bool { return d.want&(model.WantAnnotations|model.WantRaw) != 0 }

func parseResult(word string) (model.Result, bool) {
	if n, ok := parseNumberWord(word, 8); ok {
		return model.Result(n), true
	}
	return model.ParseResult(word)
}

func terminationWord(forfeit bool) string {
	if forfeit {
		return "forfeit"
	}
	return ""
}

func parseTermination(word string) (forfeit, ok bool) { return word == "forfeit", word == "forfeit" }

// medals is a member with the names of medals.
func medals[T any](key string, at func(*T) *model.Medals) jsontext.Member[T] {
	return jsontext.Member[T]{Key: key,
		Append: func(o *jsontext.Object, key string, v *T) { appendStrings(o, key, at(v).Names()) },
		Parse: func(s *jsontext.Scanner, v *T) {
			*at(v) = 0
			for _, m := range jsontext.Elements(s, func() model.Medals { return jsontext.Word(s, "medal", model.ParseMedal) }) {
				*at(v) |= m
			}
		}}
}

// localText is a text in one language; the comments of moves have its form,
// too.
var localText = jsontext.Shape[model.LocalText]{
	language(func(t *model.LocalText) *model.Language { return &t.Language }),
	jsontext.String("text", func(t *model.LocalText) *string { return &t.Text }),
	leftover("leftover", func(t *model.LocalText) **model.Leftover { return &t.Leftover }),
}

// appendTags appends "tags" as an object. A list of tags that no JSON object
// can hold, because a name occurs twice or is not UTF-8, becomes an array of
// pairs: [["Board","1"],["Board","2"]].
func appendTags(o *jsontext.Object, tags []model.Tag) {
	if !fitObject(tags) {
		jsontext.AppendList(o, "tags", tags, func(dst []byte, tag model.Tag) []byte {
			dst = jsontext.AppendText(append(dst, '['), tag.Name)
			return append(jsontext.AppendText(append(dst, ','), tag.Value), ']')
		})
		return
	}
	o.Object("tags", func(o *jsontext.Object) {
		for _, tag := range tags {
			o.Key(tag.Name)
			o.Dst = jsontext.AppendText(o.Dst, tag.Value)
		}
	})
}

// fewTags is how many names are compared with each other; more are looked up.
const fewTags = 16

func fitObject(tags []model.Tag) bool {
	var seen map[string]struct{}
	if len(tags) > fewTags {
		seen = make(map[string]struct{}, len(tags))
	}
	for i, tag := range tags {
		if !utf8.ValidString(tag.Name) {
			return false
		}
		if seen == nil {
			if slices.ContainsFunc(tags[:i], func(t model.Tag) bool { return t.Name == tag.Name }) {
				return false
			}
			continue
		}
		if _, twice := seen[tag.Name]; twice {
			return false
		}
		seen[tag.Name] = struct{}{}
	}
	return true
}

// parseTags reads what appendTags writes.
func parseTags(s *jsontext.Scanner, tags []model.Tag) []model.Tag {
	if s.Peek() == '[' {
		s.BeginArray()
		for s.NextElement() {
			pair := jsontext.Elements(s, s.Text)
			if len(pair) != 2 {
				s.Failf("a tag of %d parts; want name and value", len(pair))
				break
			}
			tags = append(tags, model.Tag{Name: pair[0], Value: pair[1]})
		}
		return tags
	}
	s.BeginObject()
	for s.NextKey() {
		name := string(s.Key())
		s.Take()
		tags = append(tags, model.Tag{Name: name, Value: s.Text()})
	}
	return tags
}
