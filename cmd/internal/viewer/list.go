package viewer

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"cbkit/collect"
	"cbkit/eco"
	"cbkit/model"
	"cbkit/read"
	"cbkit/search"
)

// sortNames are the keys that lists are sorted by: those of [collect.ParseOrders]
// that headers know.
var sortNames = []string{"date", "event", "place", "round", "white", "black", "elo", "eco", "result", "white-elo", "black-elo"}

// progressStep is how many records go by between two reports of progress.
const progressStep = 4096

// mostRows is how many rows are answered at once.
const mostRows = 500

// Row is a record in a list.
type Row struct {
	ID       model.RecordID `json:"id"`
	Text     bool           `json:"text,omitempty"`
	Deleted  bool           `json:"deleted,omitempty"`
	White    string         `json:"white,omitempty"`
	Black    string         `json:"black,omitempty"`
	WhiteElo uint16         `json:"whiteElo,omitempty"`
	BlackElo uint16         `json:"blackElo,omitempty"`
	Result   string         `json:"result,omitempty"`
	Date     string         `json:"date,omitempty"`
	Event    string         `json:"event,omitempty"`
	Place    string         `json:"place,omitempty"`
	Round    string         `json:"round,omitempty"`
	ECO      string         `json:"eco,omitempty"`
	Opening  string         `json:"opening,omitempty"` // of a game that is shown, of its moves
	Error    string         `json:"error,omitempty"`
}

// List is a window of a list.
type List struct {
	Total int   `json:"total"`
	From  int   `json:"from"`
	Rows  []Row `json:"rows"`
	// At is where the record of the argument "at" stands, -1 if it does not.
	At int `json:"at"`
	// Texts is how many of all are guiding texts.
	Texts int `json:"texts,omitempty"`
	// Notes say which names nobody has, and what they may have been; and how many
	// records could not be judged.
	Notes []string `json:"notes,omitempty"`
	// Chips are the parts of the search.
	Chips []Chip `json:"chips,omitempty"`
}

func (c *call) list(s *source) (any, error) {
	from, n, at := c.number("from", 1<<30), c.number("n", mostRows), c.number("at", 1<<30)
	if c.wrong != nil {
		return nil, c.wrong
	}
	o, err := s.order(c.ctx, c.args["where"], c.args["sort"], c.progress)
	if err != nil {
		return nil, err
	}
	list := List{Total: o.len(s), From: from, Rows: []Row{}, Notes: o.notes, Chips: o.chips, At: o.find(model.RecordID(at), s), Texts: o.texts}
	for i := from; i < min(from+n, list.Total) && c.ctx.Err() == nil; i++ {
		list.Rows = append(list.Rows, s.row(c.ctx, o.at(i)))
	}
	return list, nil
}

// row makes the row of a record. What cannot be read says so in its row.
func (s *source) row(ctx context.Context, id model.RecordID) Row {
	rec, e, err := s.records.record(ctx, id, model.WantHeaders)
	if err == nil && rec.Text != nil && len(rec.Text.Titles) == 0 {
		rec, e, err = s.records.record(ctx, id, model.WantMoves) // titles stand in the contents
	}
	if err != nil {
		return Row{ID: id, Error: plain(err.Error())}
	}
	return newRow(&rec, e)
}

// newRow makes the row of a record that could be read.
func newRow(rec *model.Record, e *model.Entities) Row {
	row := Row{ID: rec.ID, Deleted: rec.Deleted}
	if t := rec.Text; t != nil {
		row.Text = true
		event := e.Tournaments.Value(t.Tournament)
		row.Event, row.Place = event.Title, event.Place
		if len(t.Titles) > 0 {
			row.White = t.Titles[0].Text
		}
		return row
	}
	h := &rec.Game.Header
	event := e.Tournaments.Value(h.Tournament)
	row.White, row.Black = e.Players.Value(h.White).String(), e.Players.Value(h.Black).String()
	row.WhiteElo, row.BlackElo, row.Result = h.WhiteElo, h.BlackElo, h.Result.String()
	row.Event, row.Place, row.Round, row.ECO = event.Title, event.Place, roundOf(h), h.ECO.String()
	opening, _ := eco.Named(h.ECO)
	row.Opening = opening.Name
	if !h.Date.IsZero() {
		row.Date = h.Date.String()
	}
	return row
}

// roundOf returns round and subround, "" if they are not known.
func roundOf(h *model.Header) string {
	switch {
	case h.Subround != 0:
		return fmt.Sprintf("%d.%d", h.Round, h.Subround)
	case h.Round != 0:
		return fmt.Sprint(h.Round)
	}
	return ""
}

// order is what a list shows, in which order. It does not change once it is made: calls
// have it after it was forgotten.
type order struct {
	where, sort string
	ids         []model.RecordID // nil: all in the order of the database
	texts       int              // how many are guiding texts
	notes       []string
	chips       []Chip
}

func (o *order) len(s *source) int {
	if o.ids == nil {
		return s.records.Count()
	}
	return len(o.ids)
}

func (o *order) at(i int) model.RecordID {
	if o.ids == nil {
		return model.RecordID(i + 1)
	}
	return o.ids[i]
}

// find returns the place of a record, -1 if it has none.
func (o *order) find(id model.RecordID, s *source) int {
	if o.ids == nil && int(id) > s.records.Count() {
		return -1
	}
	if o.ids == nil {
		return int(id) - 1
	}
	return slices.Index(o.ids, id)
}

// mostOrders is how many orders of a source are kept.
const mostOrders = 3

// order finds and sorts, or returns what was found and sorted lately.
func (s *source) order(ctx context.Context, where, sort string, progress func(done, total int)) (*order, error) {
	s.listing.Lock()
	defer s.listing.Unlock()
	if err := s.countTexts(ctx); err != nil {
		return nil, err
	}
	if where, sort = strings.TrimSpace(where), strings.TrimSpace(sort); where == "" && sort == "" {
		return &order{texts: len(s.texts)}, nil
	}
	made := func(where, sort string) *order {
		for _, o := range s.orders {
			if o.where == where && o.sort == sort {
				return o
			}
		}
		return nil
	}
	if o := made(where, sort); o != nil {
		return o, nil
	}
	var err error
	o := &order{where: where, sort: sort}
	if found := made(where, ""); where != "" && found != nil {
		o.ids, o.notes, o.chips = found.ids, found.notes, found.chips
	} else if where != "" {
		if err = s.meet(ctx, o, progress); err != nil {
			return nil, err
		}
	}
	if sort != "" {
		if o.ids, err = s.sorted(ctx, o.ids, sort, progress); err != nil {
			return nil, err
		}
	}
	if o.texts = len(s.texts); where != "" && o.texts > 0 {
		o.texts = 0
		for _, id := range o.ids {
			if _, is := slices.BinarySearch(s.texts, id); is {
				o.texts++
			}
		}
	}
	if len(s.orders) == mostOrders {
		s.orders = slices.Delete(s.orders, 0, 1)
	}
	s.orders = append(s.orders, o)
	return o, nil
}

// countTexts finds the guiding texts, which PGN and most formats do not have.
func (s *source) countTexts(ctx context.Context) error {
	if s.counted {
		return nil
	}
	s.texts = nil
	note := func(id model.RecordID, is bool) {
		if is {
			s.texts = append(s.texts, id)
		}
	}
	switch db := s.records.(type) {
	case memory:
		for rec, err := range db.Records(ctx, 1, model.WantHeaders) {
			note(rec.ID, err == nil && rec.Text != nil)
		}
	case database:
		if chess, is := db.Database.(*read.ChessBase); is {
			for h, err := range chess.Headers(ctx, 1) {
				if err != nil {
					break // the list tells of it
				}
				note(h.ID, h.IsText())
			}
		}
	}
	s.counted = ctx.Err() == nil
	return ctx.Err()
}

// meet finds the records that meet the search of an order. Where there are none it says
// what would find some.
func (s *source) meet(ctx context.Context, o *order, progress func(done, total int)) error {
	o.chips = s.understand(ctx, o.where)
	without := func(leave int) (ids []model.RecordID, unknown []search.Unknown, err error) {
		var parts []string
		for i, chip := range o.chips {
			if i != leave {
				parts = append(parts, chip.query)
			}
		}
		condition, err := search.Parse(strings.Join(parts, " "))
		if err != nil {
			return nil, nil, err
		}
		return s.find(ctx, o, condition, progress)
	}
	ids, unknown, err := without(-1)
	if err != nil {
		return err
	}
	o.ids = append([]model.RecordID{}, ids...)
	for i, u := range unknown {
		if slices.ContainsFunc(unknown[:i], func(o search.Unknown) bool { return o.Name == u.Name }) {
			continue
		}
		var kinds, similar []string // of a word that may be several
		for _, o := range unknown[i:] {
			if o.Name == u.Name {
				kinds, similar = append(kinds, o.Kind), append(similar, o.Similar...)
			}
		}
		note := fmt.Sprintf("there is no %s called %q", strings.Join(kinds, " or "), plain(u.Name))
		if len(similar) > 0 {
			note += "; did you mean " + plain(strings.Join(similar, ", ")) + "?"
		}
		o.notes = append(o.notes, note)
	}
	for i, chip := range o.chips {
		if len(o.ids) > 0 || len(o.chips) == 1 || len(o.chips) > 4 || ctx.Err() != nil {
			break
		}
		if ids, _, err := without(i); err == nil && len(ids) > 0 {
			o.notes = append(o.notes, fmt.Sprintf("without %q there are %d", plain(chip.Text), len(ids)))
		}
	}
	return ctx.Err()
}

// find finds the records that meet a condition, and the names in it that nobody has.
func (s *source) find(ctx context.Context, o *order, condition search.Condition, progress func(done, total int)) (ids []model.RecordID, unknown []search.Unknown, err error) {
	if s.search != nil {
		var found search.Result
		err := s.search(progress, func(searcher *search.Searcher) (err error) {
			found, err = searcher.Find(ctx, condition)
			return err
		})
		if n := found.Unread.Len(); n > 0 && err == nil {
			o.notes = append(o.notes, fmt.Sprintf("%d records could not be read or decoded, in whole or in part", n))
		}
		return found.IDs, found.Unknown, err
	}
	selection, err := search.Select(s.watched(progress), condition)
	if err != nil {
		return nil, nil, err
	}
	for rec, err := range selection.Records(ctx, 1, model.WantHeaders) {
		switch {
		case err != nil && rec.ID == 0:
			return nil, nil, err
		case err == nil:
			ids = append(ids, rec.ID)
		}
	}
	if len(ids) == 0 {
		unknown = selection.Unknown()
	}
	return ids, unknown, nil
}

// sorted returns records in the order of the keys, of those with the same keys
// the earlier one first. Without ids it sorts all. A record takes 12 bytes on the
// way, and a name its rank.
func (s *source) sorted(ctx context.Context, ids []model.RecordID, keys string, progress func(done, total int)) ([]model.RecordID, error) {
	orders, err := collect.ParseOrders(keys)
	if err != nil {
		return nil, err
	}
	k := sortKeys{source: s, ids: ids, progress: progress}
	if ids == nil {
		k.ids = make([]model.RecordID, s.records.Count())
		for i := range k.ids {
			k.ids[i] = model.RecordID(i + 1)
		}
	} else {
		k.ids = slices.Clone(ids)
		slices.Sort(k.ids)
	}
	k.packed = make([]uint64, len(k.ids))
	for _, o := range slices.Backward(orders) { // sorting keeps what the later keys did
		if o.Key == "plies" {
			return nil, fmt.Errorf("lists are not sorted by plies: %w", ErrRequest)
		}
		if err := k.sort(ctx, o); err != nil {
			return nil, err
		}
	}
	return k.ids, nil
}

// sortKeys sorts records by one key after the other.
type sortKeys struct {
	source   *source
	ids      []model.RecordID
	packed   []uint64 // of each record its key and its place
	progress func(done, total int)
}

// Keys of records that have no value, and of texts, which come behind them.
const (
	keyNone = 1<<32 - 2
	keyText = 1<<32 - 1
)

// sort sorts by a key.
func (k *sortKeys) sort(ctx context.Context, o collect.Order) error {
	at := make(map[model.RecordID]int32)
	dense := true // place n has record n+1
	for i, id := range k.ids {
		dense = dense && int(id) == i+1
	}
	if !dense {
		for i, id := range k.ids {
			at[id] = int32(i)
		}
	}
	for i := range k.packed {
		k.packed[i] = keyText<<32 | uint64(i)
	}
	err := k.source.keys(ctx, o.Key, k.progress, func(id model.RecordID, key uint32, has bool) {
		place := int32(id) - 1
		if !dense {
			var is bool
			if place, is = at[id]; !is {
				return
			}
		}
		switch {
		case int(place) >= len(k.packed):
			return
		case !has:
			key = keyNone
		case o.Descending:
			key = keyNone - 1 - key
		}
		k.packed[place] = uint64(key)<<32 | uint64(place)
	})
	if err != nil {
		return err
	}
	slices.Sort(k.packed)
	sorted := make([]model.RecordID, len(k.ids))
	for i, p := range k.packed {
		sorted[i] = k.ids[uint32(p)]
	}
	k.ids = sorted
	return ctx.Err()
}

// keys calls each with the key of every game that can be read. Keys of names are
// the ranks of these names in the order of [collect.Sort].
func (s *source) keys(ctx context.Context, by string, progress func(done, total int), each func(model.RecordID, uint32, bool)) error {
	if db, is := s.records.(database); is {
		if chess, is := db.Database.(*read.ChessBase); is {
			return chessKeys(ctx, chess, by, progress, each)
		}
	}
	src := s.watched(progress)
	if isName(by) {
		return s.nameKeys(ctx, src, by, each)
	}
	keyOf := numberKey(by)
	for rec, err := range src.Records(ctx, 1, model.WantHeaders) {
		switch {
		case err != nil && rec.ID == 0:
			return err
		case err == nil && rec.Game != nil:
			key, has := keyOf(&rec.Game.Header)
			each(rec.ID, key, has)
		}
	}
	return ctx.Err()
}

// edition says how often the database was opened again, so that the page sees that its list
// is of an older one. No other answer has it: they are those of a new server.
func (c *call) edition(s *source) (any, error) { return s.edition, nil }
