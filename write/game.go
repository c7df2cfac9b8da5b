package write

import (
	"fmt"

	"cbkit/board"
	"cbkit/internal/brief"
	"cbkit/internal/cbh"
	"cbkit/internal/dcdb"
	"cbkit/model"
	"cbkit/moveenc"
)

// scratch is memory for one record at a time.
type scratch struct {
	head, ext []byte
	game      model.Game
}

// putGame writes a game.
func (c *Creator) putGame(rec model.Record) error {
	id := model.RecordID(c.number() + 1)
	g := c.trusted(readable(rec.Game.WithKnownValues(id, c.report)))
	chess960 := chess960Number(g.Start)
	r, ext, stored := headersOf(g, chess960)
	freshGame(&r, &ext)
	setDeleted(&r.Type, rec.Deleted)
	entities, err := c.mapEntities(&g.Header, id)
	if err != nil {
		return err
	}
	r.SetEntities(&ext, entities)
	c.putHeader(&g.Header, &r, id, chess960)
	parts, err := c.encoder.game(g, id)
	if err != nil {
		return err
	}
	r.MovesOffset = uint32(c.moves.size)
	if err := c.appendMoves(parts.moves, &ext); err != nil {
		return err
	}
	if err := c.appendNotes(parts.notes, &r, &ext); err != nil {
		return err
	}
	parts.derived.Put(&r, &ext)
	ext.Checksum = ext.Sum()
	return c.putRecords(r.Append(c.scratch.head[:0]), &ext, stored)
}

// headersOf returns the header records that a game brings along; stored is false if
// it does not, and the records are those of a new game.
func headersOf(g *model.Game, chess960 int) (r cbh.GameRecord, ext cbh.ExtRecord, stored bool) {
	data := g.Leftovers.Header.From(cbh.Format)
	if len(data) >= cbh.RecordSize {
		if r, err := cbh.DecodeGameRecord(data); err == nil && !r.Type.IsText() {
			if g.MovesErr == nil && g.Leftovers.Derived.From(cbh.Format) == nil { // of another start, perhaps
				r.SetChess960(chess960)
			}
			return r, storedExt(data), true
		}
	}
	return cbh.NewGameRecord(chess960), cbh.NewExtRecord(), false
}

// storedExt returns the .cbj record in a header's leftover, where numbers of teams
// and titles that mean nothing are none. Where the original has no record, it has
// nothing to keep either.
func storedExt(data []byte) cbh.ExtRecord {
	ext := cbh.DecodeExtRecord(data[cbh.RecordSize:])
	for _, id := range []*int32{&ext.WhiteTeam, &ext.BlackTeam, &ext.GameTitle} {
		*id = max(*id, cbh.NoLink)
	}
	if len(data) == cbh.RecordSize {
		ext.MovesOffset = 1 // like that of a new record
	}
	return ext
}

// setDeleted sets or clears the mark of deleted records.
func setDeleted(t *cbh.RecordType, deleted bool) {
	*t &^= cbh.TypeDeleted
	if deleted {
		*t |= cbh.TypeDeleted
	}
}

// chess960Number returns the number of a Chess960 starting position, -1 for
// everything else.
func chess960Number(start *model.Position) int {
	if start != nil && start.Chess960 {
		if n, ok := board.Chess960Number(start); ok {
			return n
		}
	}
	return -1
}

// appendMoves writes a record of the .cbg file.
func (c *Creator) appendMoves(record []byte, ext *cbh.ExtRecord) error {
	ext.MovesOffset = uint64(c.moves.size)
	return c.moves.append(record)
}

// appendNotes writes a record of the .cba file, if there is one.
func (c *Creator) appendNotes(record []byte, r *cbh.GameRecord, ext *cbh.ExtRecord) error {
	place := int64(0)
	if len(record) > 0 {
		place = c.annotations.size
	}
	r.AnnotationsOffset = uint32(place)
	ext.SetAnnotationsOffset(uint64(place))
	return c.annotations.append(record)
}

// putRecords writes the records of the .cbh and .cbj files.
func (c *Creator) putRecords(head []byte, ext *cbh.ExtRecord, stored bool) error {
	if !stored || ext.Created == 0 {
		ext.Created = c.stamp.take()
	}
	c.stamp.seen(ext.Created)
	c.scratch.head = head
	if err := c.heads.append(head); err != nil {
		return err
	}
	c.scratch.ext = ext.Append(c.scratch.ext[:0], cbh.ExtRecordSize)
	return c.exts.append(c.scratch.ext)
}

// lose passes a loss on.
func (c *Creator) lose(l model.Loss) {
	if c.report != nil {
		c.report(l)
	}
}

// mapEntities returns the entities of a game here; new ones are numbered
// in the order below. (docs/formats/cbh-entities.md 14)
func (c *Creator) mapEntities(h *model.Header, by model.RecordID) (here cbh.EntityIDs, err error) {
	e := &c.entities
	for _, f := range [...]struct {
		from model.EntityID
		to   *cbh.EntityID
		use  func(model.EntityID, model.RecordID) (cbh.EntityID, error)
	}{
		{h.White, &here.White, e.players.use}, {h.Black, &here.Black, e.players.use}, {h.Tournament, &here.Tournament, e.tournaments.use},
		{h.Annotator, &here.Annotator, e.annotators.use}, {h.Source, &here.Source, e.sources.use},
		{h.WhiteTeam, &here.WhiteTeam, c.useTeam}, {h.BlackTeam, &here.BlackTeam, c.useTeam}, {h.GameTitle, &here.GameTitle, e.gameTitles.use},
	} {
		if *f.to, err = f.use(f.from, by); err != nil {
			return here, err
		}
	}
	return here, nil
}

// useTeam is use for teams, where "none" is no entity.
func (c *Creator) useTeam(id model.EntityID, by model.RecordID) (cbh.EntityID, error) {
	if _, ok := c.src.Entities().Teams.Get(id); !ok {
		return cbh.NoEntity, nil
	}
	return c.entities.teams.use(id, by)
}

// putHeader stores the fields of a game's header, but for its entities, and reports
// what they cannot hold.
func (c *Creator) putHeader(h *model.Header, r *cbh.GameRecord, id model.RecordID, chess960 int) {
	for _, l := range r.SetHeader(dated(h), chess960) {
		l.Record = id
		c.lose(l)
	}
	for i := range h.Tags {
		tag := &h.Tags[i]
		c.report.Tell(model.Loss{Kind: model.LostTag, Record: id, Field: brief.Text(tag.Name), What: brief.Quote(tag.Value)})
	}
}

// dated returns a header with the day of its tag UTCDate for its date, if it has none:
// the tag itself has no place in a database.
func dated(h *model.Header) *model.Header {
	if h.Date != (model.Date{}) {
		return h
	}
	for _, t := range h.Tags {
		if d, ok := model.ParseDate(t.Value); ok && t.Name == "UTCDate" {
			c := *h
			c.Date = d
			return &c
		}
	}
	return h
}

// flagPicture is set in texts that use media. (docs/formats/cbh-entities.md 4)
const flagPicture = 1 << 17

// putText writes a guiding text.
func (c *Creator) putText(rec model.Record) error {
	t, id := rec.Text, model.RecordID(c.number()+1)
	r, ext, stored := textHeadersOf(t.Leftovers.Header)
	freshText(&r, &ext)
	setDeleted(&r.Type, rec.Deleted)
	entities, err := c.mapTextEntities(t, id)
	if err != nil {
		return err
	}
	r.SetEntities(&ext, entities)
	for _, l := range r.SetHeader(t) {
		l.Record = id
		c.lose(l)
	}
	c.putMedia(t, &r, &ext, id)

	record, err := c.encoder.text(t, id)
	if err != nil {
		return fmt.Errorf("%s: %w", c.moves.name, err)
	}
	r.Offset = uint32(c.moves.size)
	if err := c.appendMoves(record, &ext); err != nil {
		return err
	}
	return c.putRecords(r.Append(c.scratch.head[:0]), &ext, stored)
}

// textHeadersOf is headersOf for guiding texts.
func textHeadersOf(l *model.Leftover) (r cbh.TextRecord, ext cbh.ExtRecord, stored bool) {
	data := l.From(cbh.Format)
	if len(data) >= cbh.RecordSize {
		if r, err := cbh.DecodeTextRecord(data); err == nil && r.Type.IsText() {
			return r, storedExt(data), true
		}
	}
	return cbh.TextRecord{Type: cbh.TypeInUse | cbh.TypeText}, cbh.DefaultExtRecord(), false
}

// mapTextEntities is mapEntities for guiding texts.
func (c *Creator) mapTextEntities(t *model.GuidingText, by model.RecordID) (here cbh.EntityIDs, err error) {
	e := &c.entities
	here = cbh.NoEntities
	for _, f := range [...]struct {
		from model.EntityID
		to   *cbh.EntityID
		use  func(model.EntityID, model.RecordID) (cbh.EntityID, error)
	}{
		{t.Tournament, &here.Tournament, e.tournaments.use}, {t.Annotator, &here.Annotator, e.annotators.use},
		{t.Source, &here.Source, e.sources.use}, {t.GameTitle, &here.GameTitle, e.gameTitles.use},
	} {
		if *f.to, err = f.use(f.from, by); err != nil {
			return here, err
		}
	}
	return here, nil
}

// putMedia adds the list of the text's media files and stores where it is.
func (c *Creator) putMedia(t *model.GuidingText, r *cbh.TextRecord, ext *cbh.ExtRecord, id model.RecordID) {
	place := cbh.NoMedia
	if len(t.Media) > 0 {
		var err error
		if place, err = c.media.Add(t.Media, c.page); err != nil {
			c.encoder.lost(id, "media", "%v", err)
		} else {
			r.Flags |= flagPicture
		}
	}
	ext.SetMedia(place)
}

// What a record brings along of its stored form may come from a file of JSON
// Lines that anybody has written. Only a copy of a database that is there takes
// from it where bytes are, how many, or whether a record is in use; and what
// is said not to decode is looked at.

// trusted returns a game without what it says about its own moves and
// annotations, unless they cannot be read.
func (c *Creator) trusted(g *model.Game) *model.Game {
	if g.MovesErr != nil || g.Leftovers.Derived == nil {
		return g
	}
	c.scratch.game = *g
	c.scratch.game.Leftovers.Derived = nil
	return &c.scratch.game
}

// freshGame makes the stored headers of a game those of a database that is
// written afresh.
func freshGame(r *cbh.GameRecord, ext *cbh.ExtRecord) {
	r.Type = cbh.TypeInUse
	ext.Media = cbh.NoMedia // games have none
	freshExt(ext)
}

// freshText is the same for guiding texts.
func freshText(r *cbh.TextRecord, ext *cbh.ExtRecord) {
	r.Type = cbh.TypeInUse | cbh.TypeText
	ext.WhiteTeam, ext.BlackTeam = cbh.NoLink, cbh.NoLink // texts have none
	freshExt(ext)
}

// freshExt forgets all places and makes the checksum right: a checksum that is
// right stays so.
func freshExt(ext *cbh.ExtRecord) {
	ext.MovesOffset, ext.AnnotationsOffset = 1, 0
	ext.Checksum = ext.Sum()
}

// readable returns a game whose moves are said not to decode, with its moves if
// they do.
func readable(g *model.Game) *model.Game {
	if g.MovesErr == nil {
		return g
	}
	var stored moveenc.Game
	if err := moveenc.Decode(g.Leftovers.Moves.From(cbh.Format), &stored); err != nil {
		return g
	}
	return withMoves(g, stored.SetUp(), stored.Moves)
}

// readableSimple is readable for a record of a Simple Chess Database. Where all
// of it cannot be read it stays as it is.
func readableSimple(g *model.Game, d *dcdb.Decoder) *model.Game {
	raw := g.Leftovers.Moves.From(dcdb.Format)
	if g.MovesErr == nil || len(raw) == 0 {
		return g
	}
	var stored dcdb.Decoded
	d.Promotions, d.Foreign = dcdb.Promotions(raw[0]), foreign.Decode
	if err := d.Decode(raw[1:], &stored); err != nil {
		return g
	}
	return withMoves(g, stored.Start, stored.Moves)
}

// withMoves returns a copy of a game with other moves.
func withMoves(g *model.Game, start *model.Position, moves model.Tree) *model.Game {
	with := *g
	with.SetMoves(start, moves)
	return &with
}
