package stats

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"cbkit/internal/namepattern"
	"cbkit/model"
)

// Edition is a tournament as people name it: the games of one title and place, of one
// year. A tournament without a date whose games are of several years has an edition for
// each year; one that runs over New Year is one edition.
type Edition struct {
	Title, Place string
	// Tournament is its entity, or the first of several that differ only in details.
	Tournament model.EntityID
	// First and Last are the dates of its games, or of the tournament where games
	// have none.
	First, Last model.Date
	// Games are its games, in the order of the source.
	Games []Pairing

	start model.Date // of the tournament
}

// Event says which tournament an edition is, in the form of JSON. Dates that are
// not known are "".
type Event struct {
	Title string `json:"title"`
	Place string `json:"place,omitempty"`
	First string `json:"firstDate,omitempty"`
	Last  string `json:"lastDate,omitempty"`
	Games int    `json:"games"`
}

// Event returns what the edition is.
func (e *Edition) Event() Event {
	return Event{e.Title, e.Place, dateText(e.First), dateText(e.Last), len(e.Games)}
}

// Dates returns the range of dates, one date or "".
func (e *Event) Dates() string {
	if e.First == e.Last {
		return e.First
	}
	return e.First + " - " + e.Last
}

// Pairing is a game of a tournament.
type Pairing struct {
	ID                 model.RecordID
	White, Black       model.EntityID
	WhiteTeam          model.EntityID // -1 for none, as BlackTeam
	BlackTeam          model.EntityID
	WhiteElo, BlackElo uint16
	Round, Subround    uint16
	Date               model.Date
	Result             model.Result
}

// String returns the title with the year, or years.
func (e *Edition) String() string {
	first, last := int(e.First.Year), int(e.Last.Year)
	year := strconv.Itoa(first)
	if first == 0 || strings.Contains(e.Title, year) {
		return e.Title
	}
	if last != first {
		year += "-" + strconv.Itoa(last)
	}
	return e.Title + " " + year
}

// Editions finds the tournaments that a name means, by title or by title and year:
// "Linares", "Linares 2001". The year is that of the tournament's date or of its games.
// Case, accents and punctuation do not matter. If titles equal the name, titles that only
// contain all of its words are left out. The editions come in the order of their dates.
// It reads headers only, and keeps the games of the tournaments that fit.
func Editions(ctx context.Context, src model.Source, name string, opt Options) ([]Edition, error) {
	f := newEditionFinder(name)
	for rec, err := range opt.records(ctx, src, 0) {
		if err != nil {
			return nil, err
		}
		if rec.Game == nil {
			continue
		}
		if err := f.add(rec.ID, &rec.Game.Header, src.Entities()); err != nil {
			return nil, err
		}
	}
	return f.editions(src.Entities()), nil
}

// fit says how well a title fits a name: the more the better.
type fit uint8

const (
	unknownFit fit = iota
	noFit
	hasWords    // the title has all words of the name but its year
	hasAllWords // and the year too
	isTitle     // the name without its year is the title
	isWhole     // the name is the title
)

// needsYear reports whether the year of the name has to be that of the games.
func (f fit) needsYear() bool { return f == hasWords || f == isTitle }

// editionFinder collects the games of tournaments that fit.
type editionFinder struct {
	whole, bare string // the name, and the name without its year, folded
	year        int    // 0 if there is none
	number      model.EntityID
	isNumber    bool  // the name is the tournament's number
	fits        []fit // by tournament
	best        fit
	kept        int // games
	games       map[model.EntityID][]Pairing
}

func newEditionFinder(name string) *editionFinder {
	f := &editionFinder{whole: namepattern.Fold(name), games: map[model.EntityID][]Pairing{}}
	f.number, f.isNumber = namepattern.ParseNumber(name)
	f.bare = f.whole
	at := strings.LastIndexByte(f.whole, ' ')
	if year, err := strconv.Atoi(f.whole[at+1:]); err == nil && len(f.whole)-at == 5 && at > 0 {
		f.bare, f.year = f.whole[:at], year
	}
	return f
}

// maxKept is how many games of tournaments that fit are kept, some 40 bytes each.
const maxKept = 2_000_000

// ErrTooMany: the name matches tournaments with millions of games in all.
var ErrTooMany = errors.New("the name fits too many tournaments; say more of the title, or the year")

// fit says how well the title of a tournament fits.
func (f *editionFinder) fit(title string) fit {
	title = namepattern.Fold(title)
	switch {
	case title == "" || f.whole == "":
		return noFit
	case title == f.whole:
		return isWhole
	case f.year != 0 && title == f.bare:
		return isTitle
	case containsWords(title, f.whole):
		return hasAllWords
	case f.year != 0 && containsWords(title, f.bare):
		return hasWords
	}
	return noFit
}

// containsWords reports whether a folded title has all words of a folded name.
func containsWords(title, name string) bool {
	for word := range strings.FieldsSeq(name) {
		if !strings.Contains(" "+title+" ", " "+word+" ") {
			return false
		}
	}
	return true
}

// add takes a game, if its tournament fits as well as any before it. What fits
// less is forgotten.
func (f *editionFinder) add(id model.RecordID, h *model.Header, e *model.Entities) error {
	if h.Tournament < 0 || int(h.Tournament) >= e.Tournaments.Len() {
		return nil
	}
	if n := int(h.Tournament) + 1 - len(f.fits); n > 0 {
		f.fits = append(f.fits, make([]fit, n)...)
	}
	how := &f.fits[h.Tournament]
	t := e.Tournaments.Value(h.Tournament)
	if *how == unknownFit {
		*how = f.fit(t.Title)
		if f.isNumber {
			if *how = noFit; h.Tournament == f.number {
				*how = isWhole
			}
		}
	}
	if how.needsYear() && int(t.Start.Year) != f.year && int(h.Date.Year) != f.year && !nearNewYear(h.Date, f.year) {
		return nil
	}
	switch {
	case *how == noFit || *how < f.best:
		return nil
	case *how > f.best:
		f.best, f.kept = *how, 0
		clear(f.games)
	case f.kept == maxKept:
		return ErrTooMany
	}
	f.kept++
	f.games[h.Tournament] = append(f.games[h.Tournament], Pairing{
		id, h.White, h.Black, h.WhiteTeam, h.BlackTeam, h.WhiteElo, h.BlackElo, h.Round, h.Subround, h.Date, h.Result,
	})
	return nil
}

// nearNewYear reports whether a date is the December before a year or the January
// after it, so that it can belong to a tournament of that year.
func nearNewYear(d model.Date, year int) bool {
	return int(d.Year) == year-1 && d.Month == 12 || int(d.Year) == year+1 && d.Month == 1
}

// editions takes the games of each tournament apart by years, and joins what is
// one for people.
func (f *editionFinder) editions(e *model.Entities) []Edition {
	var all []Edition
	for id, games := range f.games {
		t := e.Tournaments.Value(id)
		for _, part := range partsOf(t.Start, games) {
			all = append(all, newEdition(id, &t, part))
		}
	}
	slices.SortFunc(all, func(a, b Edition) int {
		return cmp.Or(compareDates(a.First, b.First), strings.Compare(a.Title, b.Title), cmp.Compare(a.Tournament, b.Tournament))
	})
	all = joined(all)
	if f.best.needsYear() {
		all = slices.DeleteFunc(all, func(e Edition) bool {
			return int(e.start.Year) != f.year && int(e.First.Year) != f.year && int(e.Last.Year) != f.year
		})
	}
	return all
}

// partsOf takes the games of a tournament apart by years where it has no date of
// its own. Years that meet at New Year stay together.
func partsOf(start model.Date, games []Pairing) (parts [][]Pairing) {
	if start.Year != 0 && start.Month != 0 {
		return [][]Pairing{games}
	}
	byDate := slices.Clone(games)
	slices.SortStableFunc(byDate, func(a, b Pairing) int { return compareDates(a.Date, b.Date) })
	from := 0
	for i := 1; i < len(byDate); i++ {
		before, next := byDate[i-1].Date, byDate[i].Date
		meet := before.Year == next.Year || before.Month == 12 && next.Month == 1 && next.Year == before.Year+1
		if !meet && before.Year != 0 {
			parts, from = append(parts, byDate[from:i]), i
		}
	}
	return append(parts, byDate[from:])
}

// newEdition makes an edition of games.
func newEdition(id model.EntityID, t *model.Tournament, games []Pairing) Edition {
	e := Edition{Title: t.Title, Place: t.Place, Tournament: id, Games: games, start: t.Start}
	for _, g := range games {
		e.meet(g.Date)
	}
	if e.First.IsZero() {
		e.First, e.Last = t.Start, cmp.Or(t.End, t.Start)
	}
	return e
}

// meet takes the date of a game.
func (e *Edition) meet(d model.Date) {
	if d.Year == 0 {
		return
	}
	if e.First.IsZero() || compareDates(d, e.First) < 0 {
		e.First = d
	}
	if compareDates(d, e.Last) > 0 {
		e.Last = d
	}
}

// joined joins editions with the same title, place and year: entities that differ
// in details only, or one year of a tournament that begins in the December before.
func joined(sorted []Edition) []Edition {
	var all []Edition
	last := map[string]int{} // by title and place: the edition before
	for _, e := range sorted {
		name := namepattern.Fold(e.Title) + "\x00" + namepattern.Fold(e.Place)
		i, is := last[name]
		if !is || !all[i].meets(&e) {
			last[name] = len(all)
			all = append(all, e)
			continue
		}
		o := &all[i]
		o.Games = append(o.Games, e.Games...)
		for _, g := range e.Games {
			o.meet(g.Date)
		}
		slices.SortFunc(o.Games, func(a, b Pairing) int { return cmp.Compare(a.ID, b.ID) })
	}
	return all
}

// meets reports whether two editions with one title can be one.
func (e *Edition) meets(o *Edition) bool {
	if e.start.Month != 0 && o.start.Month != 0 && e.start != o.start {
		return false
	}
	return e.First.Year == o.First.Year || e.Last.Year == o.First.Year ||
		e.Last.Month == 12 && o.First.Month == 1 && o.First.Year == e.Last.Year+1
}

// dateText returns a date, "" if nothing is known of it.
func dateText(d model.Date) string {
	if d.IsZero() {
		return ""
	}
	return d.String()
}

func compareDates(a, b model.Date) int {
	return cmp.Or(cmp.Compare(a.Year, b.Year), cmp.Compare(a.Month, b.Month), cmp.Compare(a.Day, b.Day))
}
