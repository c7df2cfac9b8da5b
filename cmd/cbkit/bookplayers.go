package main

import (
	"fmt"
	"slices"

	"cbkit/internal/namepattern"
	"cbkit/model"
)

// pickedPlayers are those whose games make a book.
type pickedPlayers struct {
	name, color string // as given; the colour may be ""
	meant       *namepattern.Players
	players     []string // who has games in the book
	// known says that somebody in the sources is meant; similar has those who are
	// not.
	known   bool
	similar *namepattern.Similar
}

// maxPicked is how many players are kept in mind, to be named.
const maxPicked = 100

// keep reports whether a game is one of theirs.
func (p *pickedPlayers) keep(g *model.Game, e *model.Entities) bool {
	white, black := p.color != "black" && p.meant.Has(e, g.White), p.color != "white" && p.meant.Has(e, g.Black)
	if white {
		p.note(e.Players.Value(g.White))
	}
	if black {
		p.note(e.Players.Value(g.Black))
	}
	return white || black
}

func (p *pickedPlayers) note(player model.Player) {
	if len(p.players) == maxPicked {
		return
	}
	if name := player.String(); !slices.Contains(p.players, name) {
		p.players = append(p.players, name)
	}
}

// leave looks at the players of a source that was read, for what to say if no game
// is taken. Nobody was picked if p is nil.
func (p *pickedPlayers) leave(e *model.Entities) {
	if p == nil || len(p.players) > 0 {
		return
	}
	p.known = p.known || isKnown(p.name, e)
	for name := range playersOf(e) {
		p.similar.Add(name)
	}
}

// tell says who they are if there are several, and fails if there is nobody.
func (p *pickedPlayers) tell(w *bookWriter) error {
	switch n := len(p.players); {
	case n == 0 && p.known:
		return fmt.Errorf("--player: %s has no game here%s", p.name, optional(" as ", p.color))
	case n == 0:
		return fmt.Errorf("--player: %s", nobody("player", p.name, p.similar.Names()))
	case n > 1 && !w.flags.Quiet:
		fmt.Fprintf(w.env.stderr, "%q means %s\n", p.name, oneLine(fewNames(p.players, "players")))
	}
	return nil
}
