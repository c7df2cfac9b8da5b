package bulk

import (
	"fmt"
	"math/rand/v2"

	"cbkit/model"
)

// Parts of names. Players and places are put together of them.
var (
	beginnings = []string{"Al", "Ber", "Ca", "Da", "El", "Fe", "Go", "Hu", "Iva", "Ja", "Ka", "Le", "Mi", "No", "Or", "Pe", "Ra", "Sa", "Ta", "Ul", "Va", "We", "Ya", "Zo"}
	middles    = []string{"", "be", "da", "ko", "li", "ma", "no", "ri", "so", "tu", "vi", "xa"}
	endings    = []string{"ck", "dze", "ev", "feld", "gaard", "ian", "jic", "ksen", "lund", "mann", "nen", "ov", "poulos", "quist", "rez", "ski", "tova", "uri", "vic", "witz"}
	firstNames = []string{"Adam", "Anna", "Boris", "Carla", "David", "Elena", "Frank", "Garry", "Hikaru", "Ivan", "Judit", "Karl", "Laura", "Magnus", "Nona", "Oleg", "Pia", "Ruben", "Sofia", "Tigran", "Ulf", "Vera", "Wolfgang", "Xenia", "Yifan", "Zoltan"}
	places     = []string{"burg", "dorf", "feld", "grad", "ham", "holm", "kirk", "mouth", "stad", "ton", "ville", "wick"}
	occasions  = []string{"Open", "Masters", "Chess Festival", "Championship", "Memorial", "League", "Rapid", "Cup"}
)

// nameOf returns a player by rank; no two ranks have one name.
func nameOf(rank uint64) model.Player {
	pick := func(list []string) string {
		part := list[rank%uint64(len(list))]
		rank /= uint64(len(list))
		return part
	}
	p := model.Player{LastName: pick(beginnings) + pick(middles) + pick(endings), FirstName: pick(firstNames)}
	if rank > 0 {
		p.FirstName = fmt.Sprintf("%s %c%d", p.FirstName, 'A'+rank%26, rank/26)
	}
	return p
}

// playerIDs are the ids of the players that occurred, by rank.
type playerIDs struct{ ids map[uint64]model.EntityID }

func (p *playerIDs) id(e *model.Entities, rank uint64) model.EntityID {
	id, ok := p.ids[rank]
	if !ok {
		id = e.Players.Intern(nameOf(rank))
		p.ids[rank] = id
	}
	return id
}

// rating returns the rating of a player in some game: the first ranks are the
// best, and none is below 1400.
func rating(r *rand.Rand, rank uint64) uint16 {
	best := 2750 - 150*bitLength(rank)/2
	return uint16(max(best, 1400) + r.IntN(61) - 30)
}

func bitLength(n uint64) (bits int) {
	for ; n > 0; n >>= 1 {
		bits++
	}
	return bits
}

// event is the tournament that the next games belong to.
type event struct {
	id          model.EntityID
	start       model.Date
	size, games int // in all, still to come
}

// newEvent makes a tournament; when says how far in time, from 0 to 1.
func newEvent(r *rand.Rand, e *model.Entities, when float64) event {
	n := 10 + int(390*r.Float64()*r.Float64())
	start := model.Date{Year: uint16(1900 + 126*(1-(1-when)*(1-when))), Month: uint8(1 + r.IntN(12)), Day: uint8(1 + r.IntN(19))}
	place := beginnings[r.IntN(len(beginnings))] + middles[r.IntN(len(middles))] + places[r.IntN(len(places))]
	t := model.Tournament{
		Title: place + " " + occasions[r.IntN(len(occasions))], Place: place, Start: start,
		Nation: model.Nation(1 + r.IntN(180)), Rounds: uint8(min(n/10, 255)),
		Type: model.EventType{System: model.Swiss},
	}
	return event{id: e.Tournaments.Intern(t), start: start, size: n, games: n}
}

// day returns a day of the tournament.
func (e *event) day(r *rand.Rand) model.Date {
	d := e.start
	d.Day += uint8(r.IntN(10))
	return d
}
