package bulk

import (
	"context"
	"errors"
	"iter"
	"math"
	"math/rand/v2"

	"cbkit/model"
)

// Options say what to make.
type Options struct {
	Games int
	Seed  uint64
	// Annotated says that one game in so many has annotations and variations; 0
	// is none.
	Annotated int
	// Served says that one game in so many has evaluations and clocks at every move, as
	// servers write them; 0 is none.
	Served int
}

// Source is a database that is made while it is read. It can be read once.
type Source struct {
	opt      Options
	entities model.Entities
	random   *rand.Rand
	players  *rand.Zipf
	player   playerIDs
	event    event
	play     player
	read     bool
}

// New returns a source of games.
func New(opt Options) *Source {
	random := rand.New(rand.NewPCG(opt.Seed, 1))
	s := &Source{opt: opt, random: random, play: newPlayer()}
	s.players = rand.NewZipf(random, 1.05, 40, playersOf(opt.Games)-1)
	s.player.ids = map[uint64]model.EntityID{}
	return s
}

// playersOf is how many players there are among n games: 1,500 for 3,000 games,
// 350,000 for 12 million.
func playersOf(n int) uint64 { return max(uint64(8.4*math.Pow(float64(n), 0.653)), 2) }

// Entities implements [model.Source].
func (s *Source) Entities() *model.Entities { return &s.entities }

// Count implements [model.Source].
func (s *Source) Count() int { return s.opt.Games }

// Leftover implements [model.Source].
func (s *Source) Leftover() *model.Leftover { return nil }

// LegalMoves implements [model.Referee].
func (s *Source) LegalMoves() bool { return true }

// errAgain is what reading from elsewhere than the beginning gives.
var errAgain = errors.New("bulk: a source is read once, from its first game")

// Records implements [model.Source].
func (s *Source) Records(ctx context.Context, from model.RecordID, _ model.Want) iter.Seq2[model.Record, error] {
	return func(yield func(model.Record, error) bool) {
		if s.read || from != 1 {
			yield(model.Record{}, errAgain)
			return
		}
		s.read = true
		var g model.Game
		for id := 1; id <= s.opt.Games; id++ {
			if err := ctx.Err(); err != nil {
				yield(model.Record{}, err)
				return
			}
			s.game(&g, id)
			if !yield(model.Record{ID: model.RecordID(id), Game: &g}, nil) {
				return
			}
		}
	}
}

// game makes the next game.
func (s *Source) game(g *model.Game, id int) {
	r := s.random
	annotations := g.Annotations[:0]
	*g = model.Game{Header: model.NewHeader(), Moves: g.Moves}
	if s.event.games == 0 {
		s.event = newEvent(r, &s.entities, float64(id)/float64(s.opt.Games))
	}
	s.event.games--
	white := s.players.Uint64()
	black := s.players.Uint64()
	for black == white {
		black = s.players.Uint64()
	}
	g.White, g.Black = s.player.id(&s.entities, white), s.player.id(&s.entities, black)
	g.WhiteElo, g.BlackElo = rating(r, white), rating(r, black)
	g.Tournament, g.Date = s.event.id, s.event.day(r)
	g.Round = uint16(1 + (s.event.size-s.event.games)/10)
	annotated := s.opt.Annotated > 0 && r.IntN(s.opt.Annotated) == 0
	expected := 1 / (1 + math.Pow(10, -float64(int(g.WhiteElo)-int(g.BlackElo)+35)/400))
	g.ECO, g.Result = s.play.game(r, expected, annotated, &g.Moves)
	if annotated {
		g.Annotations = annotations
		comment(r, g)
	}
	if s.opt.Served > 0 && r.IntN(s.opt.Served) == 0 {
		serve(r, g)
	}
}
