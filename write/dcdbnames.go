package write

import (
	"fmt"
	"math"
	"os"
	"strings"

	"cbkit/internal/cbh"
	"cbkit/internal/dcdb"
	"cbkit/model"
	"cbkit/read"
)

// foreign reads stored bytes that are not UTF-8.
var foreign cbh.CodePage

// nameTable is a file of names in the making.
type nameTable struct {
	records []byte
	places  map[dcdb.Name]uint32 // of the first record of each value
}

// place returns the place of a record, adding it if there is none.
func (t *nameTable) place(n dcdb.Name) (uint32, error) {
	if place, ok := t.places[n]; ok {
		return place, nil
	}
	place := dcdb.MagicSize + int64(len(t.records))
	if place > math.MaxUint32 {
		return 0, fmt.Errorf("%w: more names than a database holds", model.ErrTooLarge)
	}
	t.records = append(t.records, n[:]...)
	t.places[n] = uint32(place)
	return uint32(place), nil
}

// at returns the name at a place as a reader sees it, "" for none; ok is false
// where no record begins.
func (t *nameTable) at(place uint32) (name string, ok bool) {
	if place == 0 {
		return "", true
	}
	n, ok := dcdb.NameNumber(place)
	if !ok || (n+1)*dcdb.NameSize > len(t.records) {
		return "", false
	}
	name, _ = dcdb.DecodeName(t.records[n*dcdb.NameSize:(n+1)*dcdb.NameSize], foreign.Decode)
	if dcdb.IsUnknown(name) {
		name = ""
	}
	return name, true
}

// copyNames takes over the names of a source that is a Simple Chess Database,
// in their order, so that references to them stay.
func (c *SimpleCreator) copyNames() error {
	db, ok := c.src.(*read.SimpleDB)
	if !ok {
		return nil
	}
	c.copying = true
	for _, f := range []struct {
		ext   string
		table *nameTable
	}{{".dcn", &c.players}, {".dcs", &c.sites}, {".dce", &c.events}} {
		if !db.Files().Has(f.ext) {
			continue
		}
		b, err := os.ReadFile(db.Files().Path(f.ext))
		if err != nil {
			return err
		}
		f.table.fill(b[min(len(b), dcdb.MagicSize):])
	}
	return nil
}

// fill takes over the whole records of a file.
func (t *nameTable) fill(records []byte) {
	t.records = records[:len(records)/dcdb.NameSize*dcdb.NameSize]
	for at := 0; at < len(t.records); at += dcdb.NameSize {
		n := dcdb.Name(t.records[at:])
		if _, seen := t.places[n]; !seen {
			t.places[n] = dcdb.MagicSize + uint32(at)
		}
	}
}

// putNames fills the references of the index entry. Was is the stored entry of
// a game whose names are copied; nil if there is none, or nothing in it is
// other than would be written.
func (c *simpleEncoder) putNames(h *model.Header, was *dcdb.Entry) (err error) {
	e := &c.entry
	if was == nil {
		was = &noEntry
	}
	if e.White, err = c.playerPlace(h.White, was.White); err != nil {
		return err
	}
	if e.Black, err = c.playerPlace(h.Black, was.Black); err != nil {
		return err
	}
	places, err := c.tournamentPlaces(h.Tournament, [2]uint32{was.Site, was.Event})
	e.Site, e.Event = places[0], places[1]
	return err
}

// noReference is a reference that leads nowhere.
const noReference = 1

// noEntry is an entry without references.
var noEntry = dcdb.Entry{White: noReference, Black: noReference, Site: noReference, Event: noReference}

// playerPlace returns the place of a player's name: the stored one if it leads
// to the player.
func (c *simpleEncoder) playerPlace(id model.EntityID, stored uint32) (uint32, error) {
	p := c.tables.Players.Value(id)
	if name, ok := c.players.at(stored); ok && dcdb.Player(name) == p {
		return stored, nil
	}
	if place, ok := c.playersSeen[id]; ok {
		return place, nil
	}
	place, back, err := c.namePlace(&c.players, p.String())
	if err != nil {
		return 0, err
	}
	if dcdb.Player(back) != p {
		c.nameChanged("player", p.String(), back)
	}
	c.playersSeen[id] = place
	return place, nil
}

// tournamentPlaces returns the places of a tournament's site and event: the
// stored ones if they lead there. What else is known of it is lost.
func (c *simpleEncoder) tournamentPlaces(id model.EntityID, stored [2]uint32) (places [2]uint32, err error) {
	t := c.tables.Tournaments.Value(id)
	site, okSite := c.sites.at(stored[0])
	event, okEvent := c.events.at(stored[1])
	if okSite && okEvent && t == (model.Tournament{Title: event, Place: site}) {
		return stored, nil
	}
	if places, ok := c.tournamentsSeen[id]; ok {
		return places, nil
	}
	if t != (model.Tournament{Title: t.Title, Place: t.Place}) {
		c.lost(model.LostField, "tournament", "%q: all but its title and place", t.Title)
	}
	for i, f := range []struct {
		table *nameTable
		field string
		name  string
	}{{&c.sites, "site", t.Place}, {&c.events, "event", t.Title}} {
		var back string
		if places[i], back, err = c.namePlace(f.table, f.name); err != nil {
			return places, err
		}
		if back != f.name {
			c.nameChanged(f.field, f.name, back)
		}
	}
	c.tournamentsSeen[id] = places
	return places, nil
}

// namePlace returns the place of a name and how it reads back; what is unknown
// reads as "".
func (c *simpleEncoder) namePlace(t *nameTable, name string) (place uint32, back string, err error) {
	if strings.TrimSpace(name) == "" {
		place, err = t.place(dcdb.EncodeName(dcdb.Unknown))
		return place, "", err
	}
	n := dcdb.EncodeName(name)
	if back, _ = dcdb.DecodeName(n[:], foreign.Decode); dcdb.IsUnknown(back) {
		back = ""
	}
	place, err = t.place(n)
	return place, back, err
}

// nameChanged reports a name that reads back otherwise.
func (c *simpleEncoder) nameChanged(field, name, back string) {
	if len(name) > dcdb.NameSize && back != "" && strings.HasPrefix(strings.TrimSpace(name), back) {
		c.lost(model.LostTextEnd, field, "%q: cut to %d bytes", name, len(back))
		return
	}
	c.lost(model.Changed, field, "%q reads back as %q", name, back)
}
