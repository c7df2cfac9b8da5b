package jsonl

import (
	"encoding"

	"cbkit/internal/jsontext"
	"cbkit/model"
)

// details are what the key "cbh" says: what a full round trip needs beyond the
// neutral keys.
type details struct {
	start                *model.Position // nil if "fen" says all
	white, black         model.Player    // zero if the names say all
	tournament           model.Tournament
	source               model.Publication
	whiteTeam, blackTeam model.Team
	gameTitles           []string // none if there is only the first
	lineEvaluation       model.NAG
	// elsewhere are annotations of places that the game does not have.
	elsewhere []model.Annotation
	// skipElsewhere says that they are not wanted.
	skipElsewhere bool

	movesErr, annotationsErr, contentErr error

	codePage string // of the database as a whole

	database, header, derived, moves, annotations, content *model.Leftover
	entities                                               [roleCount]*model.Leftover
	sums                                                   sums // of what the leftovers of the game are about
}

// detailsShape has their members. Title and place of a tournament, and the
// titles of sources and teams, are neutral keys.
var detailsShape = jsontext.Shape[details]{
	{Key: "start", Append: appendDetailsStart, Parse: func(s *jsontext.Scanner, d *details) { d.start = parsePosition(s) }},
	object("white", func(d *details) *model.Player { return &d.white }, playerShape),
	object("black", func(d *details) *model.Player { return &d.black }, playerShape),
	object("tournament", func(d *details) *model.Tournament { return &d.tournament }, tournamentShape),
	object("source", func(d *details) *model.Publication { return &d.source }, publicationShape),
	object("whiteTeam", func(d *details) *model.Team { return &d.whiteTeam }, teamShape),
	object("blackTeam", func(d *details) *model.Team { return &d.blackTeam }, teamShape),
	{Key: "gameTitles", Append: func(o *jsontext.Object, key string, d *details) { appendStrings(o, key, d.gameTitles) },
		Parse: func(s *jsontext.Scanner, d *details) { d.gameTitles = jsontext.Elements(s, s.Text) }},
	jsontext.Number("lineEvaluation", func(d *details) *model.NAG { return &d.lineEvaluation }),
	{Key: "elsewhere", Append: func(o *jsontext.Object, key string, d *details) { appendElsewhere(o, key, d.elsewhere) },
		Parse: parseElsewhere},
	group("undecodable", jsontext.Shape[details]{
		reason("moves", func(d *details) *error { return &d.movesErr }),
		reason("annotations", func(d *details) *error { return &d.annotationsErr }),
		reason("content", func(d *details) *error { return &d.contentErr }),
	}),
	jsontext.String("codePage", func(d *details) *string { return &d.codePage }),
	group("leftover", leftoversShape()),
	object("sums", func(d *details) *sums { return &d.sums }, jsontext.Shape[sums]{
		jsontext.String("moves", func(s *sums) *string { return &s.moves }),
		jsontext.String("annotations", func(s *sums) *string { return &s.annotations }),
	}),
}

// leftoversShape has the leftovers of the database as a whole, which ride with
// the first record, of the record, and of those entities that no earlier
// record has mentioned.
func leftoversShape() jsontext.Shape[details] {
	shape := jsontext.Shape[details]{
		leftover("database", func(d *details) **model.Leftover { return &d.database }),
		leftover("header", func(d *details) **model.Leftover { return &d.header }),
		leftover("derived", func(d *details) **model.Leftover { return &d.derived }),
		leftover("moves", func(d *details) **model.Leftover { return &d.moves }),
		leftover("annotations", func(d *details) **model.Leftover { return &d.annotations }),
		leftover("content", func(d *details) **model.Leftover { return &d.content }),
	}
	for i, name := range roleNames {
		shape = append(shape, leftover(name, func(d *details) **model.Leftover { return &d.entities[i] }))
	}
	return shape
}

var playerShape = jsontext.Shape[model.Player]{
	jsontext.String("last", func(p *model.Player) *string { return &p.LastName }),
	jsontext.String("first", func(p *model.Player) *string { return &p.FirstName }),
}

var tournamentShape = jsontext.Shape[model.Tournament]{
	exact("start", func(t *model.Tournament) *model.Date { return &t.Start }),
	exact("end", func(t *model.Tournament) *model.Date { return &t.End }),
	eventType("type", func(t *model.Tournament) *model.EventType { return &t.Type }),
	nation(func(t *model.Tournament) *model.Nation { return &t.Nation }),
	jsontext.Number("category", func(t *model.Tournament) *uint8 { return &t.Category }),
	jsontext.Number("rounds", func(t *model.Tournament) *uint8 { return &t.Rounds }),
	jsontext.Flag("complete", func(t *model.Tournament) *bool { return &t.Complete }),
	jsontext.Flag("legacyComplete", func(t *model.Tournament) *bool { return &t.LegacyComplete }),
	jsontext.Flag("boardPoints", func(t *model.Tournament) *bool { return &t.BoardPoints }),
	jsontext.Flag("threePoints", func(t *model.Tournament) *bool { return &t.ThreePoints }),
	jsontext.Float("latitude", func(t *model.Tournament) *float64 { return &t.Latitude }),
	jsontext.Float("longitude", func(t *model.Tournament) *float64 { return &t.Longitude }),
	{Key: "tieBreaks", Append: appendTieBreaks, Parse: parseTieBreaks},
}

var publicationShape = jsontext.Shape[model.Publication]{
	jsontext.String("publisher", func(p *model.Publication) *string { return &p.Publisher }),
	exact("published", func(p *model.Publication) *model.Date { return &p.Published }),
	exact("date", func(p *model.Publication) *model.Date { return &p.Date }),
	jsontext.Number("version", func(p *model.Publication) *uint8 { return &p.Version }),
	jsontext.Named("quality", "quality", func(p *model.Publication) *model.Quality { return &p.Quality },
		model.Quality.String, model.ParseQuality),
}

var teamShape = jsontext.Shape[model.Team]{
	jsontext.Number("number", func(t *model.Team) *int32 { return &t.Number }),
	jsontext.Flag("season", func(t *model.Team) *bool { return &t.Season }),
	jsontext.Number("year", func(t *model.Team) *int32 { return &t.Year }),
	nation(func(t *model.Team) *model.Nation { return &t.Nation }),
}

var eventTypeShape = jsontext.Shape[model.EventType]{
	jsontext.Named("system", "system of play", func(t *model.EventType) *model.EventSystem { return &t.System },
		model.EventSystem.String, model.ParseEventSystem),
	jsontext.Flag("blitz", func(t *model.EventType) *bool { return &t.Blitz }),
	jsontext.Flag("rapid", func(t *model.EventType) *bool { return &t.Rapid }),
	jsontext.Flag("correspondence", func(t *model.EventType) *bool { return &t.Correspondence }),
	jsontext.Flag("team", func(t *model.EventType) *bool { return &t.Team }),
}

// commonDetails returns what the neutral keys that games and texts have do not say.
func (e *encoder) commonDetails(r *resolved) details {
	titles := r.gameTitle.Titles[:]
	for len(titles) > 0 && titles[len(titles)-1] == "" {
		titles = titles[:len(titles)-1]
	}
	if len(titles) < 2 {
		titles = nil // "gameTitle" says all
	}
	d := details{tournament: r.tournament, source: r.source, gameTitles: titles,
		database: e.database, codePage: e.codePage, entities: r.leftovers}
	e.database, e.codePage = nil, ""
	return d
}

func appendDetailsStart(o *jsontext.Object, key string, d *details) {
	if d.start != nil {
		o.Key(key)
		o.Dst = appendPosition(o.Dst, d.start)
	}
}

// inexactPlayer returns a player whose parts cannot be told from the name as a
// whole.
func inexactPlayer(p model.Player) model.Player {
	if model.ParsePlayer(p.String()) == p {
		return model.Player{}
	}
	return p
}

// appendTieBreaks appends the rules up to the last that is not 0.
func appendTieBreaks(o *jsontext.Object, key string, t *model.Tournament) {
	n := len(t.TieBreaks)
	for n > 0 && t.TieBreaks[n-1] == 0 {
		n--
	}
	jsontext.AppendList(o, key, t.TieBreaks[:n], appendNumber)
}

func parseTieBreaks(s *jsontext.Scanner, t *model.Tournament) {
	rules := jsontext.Elements(s, s.Uint8)
	if copy(t.TieBreaks[:], rules) < len(rules) {
		s.Failf("%d tie breaks; there are at most %d", len(rules), len(t.TieBreaks))
	}
}

// group is a member with an object that holds some members of the same value; it
// is absent when empty.
func group[T any](key string, shape jsontext.Shape[T]) jsontext.Member[T] {
	return jsontext.Member[T]{Key: key,
		Append: func(o *jsontext.Object, key string, v *T) {
			o.Object(key, func(o *jsontext.Object) { shape.Append(o, v) })
		},
		Parse: shape.Parse}
}

// object is a member with an object of its own, which is absent when empty. Of
// one that occurs twice nothing but the last counts.
func object[T, U any](key string, at func(*T) *U, shape jsontext.Shape[U]) jsontext.Member[T] {
	return jsontext.Member[T]{Key: key,
		Append: func(o *jsontext.Object, key string, v *T) {
			o.Object(key, func(o *jsontext.Object) { shape.Append(o, at(v)) })
		},
		Parse: func(s *jsontext.Scanner, v *T) {
			var u U
			shape.Parse(s, &u)
			*at(v) = u
		}}
}

func eventType[T any](key string, at func(*T) *model.EventType) jsontext.Member[T] {
	return object(key, at, eventTypeShape)
}

// exact is a member with a date or a code in the form that says all of it; it
// is absent when zero.
func exact[T any, E interface {
	comparable
	encoding.TextAppender
}, P interface {
	*E
	encoding.TextUnmarshaler
}](key string, at func(*T) P) jsontext.Member[T] {
	return jsontext.Member[T]{Key: key,
		Append: func(o *jsontext.Object, key string, v *T) {
			var zero E
			if e := *(*E)(at(v)); e != zero {
				o.Key(key)
				o.Dst, _ = e.AppendText(append(o.Dst, '"'))
				o.Dst = append(o.Dst, '"')
			}
		},
		Parse: func(s *jsontext.Scanner, v *T) {
			if text := s.Bytes(); len(text) > 0 {
				s.Fail(at(v).UnmarshalText(text))
			}
		}}
}
