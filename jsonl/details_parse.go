package jsonl

import (
	"cbkit/internal/jsontext"
	"cbkit/model"
)

// details are what the key "cbh" says.
type details struct {
	start                *model.Position
	white, black         *model.Player // nil if not given
	tournament           model.Tournament
	source               model.Publication
	whiteTeam, blackTeam model.Team
	gameTitles           []string
	lineEvaluation       model.NAG
	elsewhere            []model.Annotation

	movesErr, annotationsErr, contentErr error

	database *model.Leftover
	entities [roleCount]*model.Leftover
	game     model.GameLeftovers
	text     model.TextLeftovers
	sums     sums // of what the leftovers of the game are about
}

// read reads the value of "cbh".
func (d *details) read(s *jsontext.Scanner, annotations bool) {
	s.Members(func(key string) bool {
		switch key {
		case "start":
			p, err := model.ParsePositionJSON(s.Skip())
			s.Fail(err)
			d.start = p
		case "lineEvaluation":
			d.lineEvaluation = model.NAG(s.Uint8())
		case "elsewhere":
			if d.elsewhere = nil; annotations {
				d.elsewhere = parseStrayAnnotations(s, nil)
			} else {
				s.Skip()
			}
		case "undecodable":
			d.readReasons(s)
		case "leftover":
			d.readLeftovers(s)
		case "sums":
			d.sums = parseSums(s)
		default:
			return d.readEntity(s, key)
		}
		return true
	})
}

// readEntity reads the details of an entity.
func (d *details) readEntity(s *jsontext.Scanner, key string) bool {
	switch key {
	case "white":
		d.white = parseExactPlayer(s)
	case "black":
		d.black = parseExactPlayer(s)
	case "tournament":
		d.tournament = parseTournament(s)
	case "source":
		d.source = parsePublication(s)
	case "whiteTeam":
		d.whiteTeam = parseTeam(s)
	case "blackTeam":
		d.blackTeam = parseTeam(s)
	case "gameTitles":
		d.gameTitles = jsontext.Elements(s, s.Text)
	default:
		return false
	}
	return true
}

func (d *details) readReasons(s *jsontext.Scanner) {
	s.Members(func(key string) bool {
		switch key {
		case "moves":
			d.movesErr = parseReason(s)
		case "annotations":
			d.annotationsErr = parseReason(s)
		case "content":
			d.contentErr = parseReason(s)
		default:
			return false
		}
		return true
	})
}

func (d *details) readLeftovers(s *jsontext.Scanner) {
	s.Members(func(key string) bool {
		switch key {
		case "database":
			d.database = parseLeftover(s)
		case "header":
			d.game.Header = parseLeftover(s)
			d.text.Header = d.game.Header
		case "derived":
			d.game.Derived = parseLeftover(s)
		case "moves":
			d.game.Moves = parseLeftover(s)
		case "annotations":
			d.game.Annotations = parseLeftover(s)
		case "content":
			d.text.Content = parseLeftover(s)
		default:
			return d.readEntityLeftover(s, key)
		}
		return true
	})
}

func (d *details) readEntityLeftover(s *jsontext.Scanner, key string) bool {
	for i, name := range roleNames {
		if key == name {
			d.entities[i] = parseLeftover(s)
			return true
		}
	}
	return false
}

func parseExactPlayer(s *jsontext.Scanner) *model.Player {
	var p model.Player
	s.Members(func(key string) bool {
		switch key {
		case "last":
			p.LastName = s.Text()
		case "first":
			p.FirstName = s.Text()
		default:
			return false
		}
		return true
	})
	return &p
}

func parseTournament(s *jsontext.Scanner) (t model.Tournament) {
	s.Members(func(key string) bool {
		switch key {
		case "start":
			t.Start = parseDate(s)
		case "end":
			t.End = parseDate(s)
		case "type":
			var err error
			t.Type, err = model.ParseEventTypeJSON(s.Skip())
			s.Fail(err)
		case "nation":
			t.Nation = jsontext.Word(s, "nation", model.ParseNation)
		case "category":
			t.Category = s.Uint8()
		case "rounds":
			t.Rounds = s.Uint8()
		case "complete":
			t.Complete = s.Bool()
		case "legacyComplete":
			t.LegacyComplete = s.Bool()
		case "boardPoints":
			t.BoardPoints = s.Bool()
		case "threePoints":
			t.ThreePoints = s.Bool()
		case "latitude":
			t.Latitude = s.Float()
		case "longitude":
			t.Longitude = s.Float()
		case "tieBreaks":
			rules := jsontext.Elements(s, s.Uint8)
			if copy(t.TieBreaks[:], rules) < len(rules) {
				s.Failf("%d tie breaks; there are at most %d", len(rules), len(t.TieBreaks))
			}
		default:
			return false
		}
		return true
	})
	return t
}

func parsePublication(s *jsontext.Scanner) (p model.Publication) {
	s.Members(func(key string) bool {
		switch key {
		case "publisher":
			p.Publisher = s.Text()
		case "published":
			p.Published = parseDate(s)
		case "date":
			p.Date = parseDate(s)
		case "version":
			p.Version = s.Uint8()
		case "quality":
			p.Quality = jsontext.Word(s, "quality", model.ParseQuality)
		default:
			return false
		}
		return true
	})
	return p
}

func parseTeam(s *jsontext.Scanner) (t model.Team) {
	s.Members(func(key string) bool {
		switch key {
		case "number":
			t.Number = s.Int32()
		case "season":
			t.Season = s.Bool()
		case "year":
			t.Year = s.Int32()
		case "nation":
			t.Nation = jsontext.Word(s, "nation", model.ParseNation)
		default:
			return false
		}
		return true
	})
	return t
}
