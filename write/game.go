package write

import (
	"fmt"
	"slices"
	"strings"

	"cbkit/board"
	"cbkit/internal/brief"
	"cbkit/internal/cbh"
	"cbkit/internal/cbhdb"
	"cbkit/internal/cbhedit"
	"cbkit/internal/dcdb"
	"cbkit/internal/scid"
	"cbkit/model"
	"cbkit/moveenc"
)

// appender adds records behind all others: to a new database, or to one that is edited.
type appender struct {
	encoder encoder
	db      *cbhedit.DB
	stamp   stamps
	// head and ext are the headers of the last record, for their memory.
	head, ext []byte
}

// entityMap says which entities of the database a record that is added refers to; a text has
// the header of textNames.
type entityMap interface {
	idsOf(h *model.Header, isText bool, by model.RecordID) (cbh.EntityIDs, error)
}

// textNames returns a header with the names of a text, whose kinds games have too.
func textNames(t *model.GuidingText) *model.Header {
	return &model.Header{Tournament: t.Tournament, Annotator: t.Annotator, Source: t.Source, GameTitle: t.GameTitle}
}

// add adds a game or text. One that cannot be encoded brings no entities.
func (a *appender) add(rec model.Record, entities entityMap) error {
	if rec.Text != nil {
		return a.addText(rec, entities)
	}
	id := a.db.Count() + 1
	g := a.encoder.withoutDerived(readable(rec.Game.WithKnownValues(id, a.encoder.report)).LinksAsNotes(&a.encoder.scratch.links))
	g = marksAsMedals(g)
	parts, err := a.encoder.game(g, id)
	if err != nil {
		return err
	}
	chess960 := chess960Number(g.Start)
	r, ext, stored := headersOf(g, chess960)
	r.Type, ext.Media = cbh.TypeInUse, cbh.NoMedia // games have none
	freshExt(&ext)
	setDeleted(&r.Type, rec.Deleted)
	here, err := entities.idsOf(&g.Header, false, id)
	if err != nil {
		return err
	}
	r.SetEntities(&ext, here)
	a.encoder.header(&g.Header, &r, id, chess960)
	parts.derived.Put(&r, &ext)
	return a.append(r.Append(a.head[:0]), &ext, stored, parts.moves, parts.annotations)
}

// addText adds a guiding text.
func (a *appender) addText(rec model.Record, entities entityMap) error {
	t, id := rec.Text, a.db.Count()+1
	record, err := a.encoder.text(t, id)
	if err != nil {
		return fmt.Errorf("%s: %w", a.db.Name(".cbg"), err)
	}
	r, ext, stored := textHeadersOf(t.Leftovers.Header)
	r.Type = cbh.TypeInUse | cbh.TypeText
	ext.WhiteTeam, ext.BlackTeam, ext.Media = cbh.NoLink, cbh.NoLink, cbh.NoMedia // texts have no teams
	freshExt(&ext)
	setDeleted(&r.Type, rec.Deleted)
	here, err := entities.idsOf(textNames(t), true, id)
	if err == nil {
		err = a.textHeader(t, &r, &ext, id, here)
	}
	if err != nil {
		return err
	}
	return a.append(r.Append(a.head[:0]), &ext, stored, record, nil)
}

// append adds the parts of a record. One that brings no stamp gets a new one.
func (a *appender) append(head []byte, ext *cbh.ExtRecord, stored bool, moves, annotations []byte) error {
	if !stored || ext.Created == 0 {
		ext.Created = a.stamp.take()
	}
	a.stamp.seen(ext.Created)
	ext.Checksum = ext.Sum()
	a.head, a.ext = head, ext.Append(a.ext[:0], a.db.ExtSize())
	_, err := a.db.Append(cbhdb.Header{Head: a.head, Ext: a.ext}, moves, annotations)
	return err
}

// stamps gives creation stamps to new games: each is later than all before
// it, so that a stamp is also the identity of its game.
// (docs/formats/cbh-entities.md 5.3)
type stamps struct {
	next uint64
}

// take returns a new stamp.
func (s *stamps) take() uint64 {
	s.next++
	return s.next - 1
}

// seen notes a stamp that a game has brought along.
func (s *stamps) seen(stamp uint64) {
	if stamp >= s.next && stamp < 1<<62 {
		s.next = stamp + 1
	}
}

// headersOf returns the header records that a game brings along; stored is false if
// it does not, and the records are those of a new game.
func headersOf(g *model.Game, chess960 int) (r cbh.GameRecord, ext cbh.ExtRecord, stored bool) {
	data := g.Leftovers.Header.From(cbh.Format)
	if len(data) >= cbh.RecordSize {
		if r, err := cbh.DecodeGameRecord(data); err == nil && !r.Type.IsText() {
			if g.MovesErr == nil && g.Leftovers.Derived.From(cbh.Format) == nil { // of another start, perhaps
				if _, stored := cbh.UnpackOpening(r.Opening); chess960 >= 0 || stored < 0 || !mayHaveBegun(g.Start, stored) {
					r.SetChess960(chess960)
				}
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

// mayHaveBegun reports whether a game of Chess960 may have begun with the starting
// position of a number: the one that it is read with is no other of them.
func mayHaveBegun(start *model.Position, number int) bool {
	if start == nil || !start.Chess960 {
		return false
	}
	for n := range 960 {
		if board.Chess960Start(n).Board == start.Board {
			return n == number
		}
	}
	return true
}

// scidMedals are the medals that marks of Scid are like.
var scidMedals = map[rune]string{
	'N': "novelty", 'P': "pawn-structure", 'T': "tactics", 'E': "endgame", '?': "tactical-blunder", '!': "best-game", 'U': "user",
}

// marksAsMedals returns the game with the medals that its marks of Scid are like, in a copy
// if there are such; the tag keeps the others.
func marksAsMedals(g *model.Game) *model.Game {
	at := slices.IndexFunc(g.Tags, func(t model.Tag) bool { return t.Name == scid.FlagsTag })
	if at < 0 || g.MovesErr != nil || g.AnnotationsErr != nil {
		return g
	}
	var medals model.Medals
	rest := strings.Map(func(r rune) rune {
		medal, is := model.ParseMedal(scidMedals[r])
		if !is {
			return r
		}
		medals |= medal
		return -1
	}, g.Tags[at].Value)
	if medals == 0 {
		return g
	}
	c := *g
	c.Tags = slices.Clone(g.Tags)
	if c.Tags[at].Value = rest; rest == "" {
		c.Tags = slices.Delete(c.Tags, at, at+1)
	}
	c.Annotations = slices.Clone(g.Annotations)
	front := len(g.AnnotationsAt(model.NoNode))
	for i := range c.Annotations[:front] {
		if has, is := c.Annotations[i].Value.(model.Medals); is {
			c.Annotations[i].Value, medals = has|medals, 0
		}
	}
	if medals != 0 {
		c.Annotations = slices.Insert(c.Annotations, front, model.Annotation{Node: model.NoNode, Value: medals})
	}
	c.Forget(model.AnnotationsPart)
	return &c
}

// header stores the fields of a game's header, but for its entities, and reports
// what they cannot hold.
func (e *encoder) header(h *model.Header, r *cbh.GameRecord, id model.RecordID, chess960 int) {
	e.lose(r.SetHeader(dated(h), chess960), id)
	for i := range h.Tags {
		tag := &h.Tags[i]
		e.report.Tell(model.Loss{Kind: model.LostTag, Record: id, Field: brief.Text(tag.Name), What: brief.Quote(tag.Value)})
	}
}

// lose reports what of a record cannot be held.
func (e *encoder) lose(losses []model.Loss, id model.RecordID) {
	for _, l := range losses {
		l.Record = id
		e.report.Tell(l)
	}
}

// loseOf is lose for an entity that a record brings.
func (e *encoder) loseOf(kind *cbh.EntityFile, losses []model.Loss, by model.RecordID) {
	for i := range losses {
		losses[i].Field = kind.Name + " " + losses[i].Field
	}
	e.lose(losses, by)
}

// dated returns a header with the day of its tag UTCDate for its date, if it has none:
// the tag itself has no place in a database.
func dated(h *model.Header) *model.Header {
	if h.Date != (model.Date{}) {
		return h
	}
	for _, t := range h.Tags {
		if t.Name != "UTCDate" {
			continue
		}
		if d, ok := model.ParseDate(t.Value); ok || d.Month != 0 && d.Day != 0 {
			c := *h
			c.Date = d
			return &c
		}
	}
	return h
}

// flagPicture is set in texts that use media. (docs/formats/cbh-entities.md 4)
const flagPicture = 1 << 17

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

// textHeader stores the header fields of a text, its entities and where the list of its
// media files is, which is added if it has become another one.
func (a *appender) textHeader(t *model.GuidingText, r *cbh.TextRecord, ext *cbh.ExtRecord, id model.RecordID, here cbh.EntityIDs) error {
	r.SetEntities(ext, here)
	a.encoder.lose(r.SetHeader(t), id)
	old, err := a.db.Media(ext.Media, a.encoder.page)
	if err != nil || slices.Equal(old, t.Media) {
		return err
	}
	place := cbh.NoMedia
	r.Flags &^= flagPicture
	if len(t.Media) > 0 {
		if place, err = a.db.AddMedia(t.Media, a.encoder.page); err != nil {
			a.encoder.lost(id, "media", "%v", err)
			place = cbh.NoMedia
		} else {
			r.Flags |= flagPicture
		}
	}
	ext.SetMedia(place)
	return nil
}

// What a record brings along of its stored form may come from a file of JSON
// Lines of any origin. Only a copy of a database that is there takes
// from it where bytes are, how many, or whether a record is in use; and what
// is said not to decode is looked at.

// withoutDerived returns a game without what it says about its own moves and
// annotations, which is computed then, unless they cannot be read. It is valid until the
// next call.
func (e *encoder) withoutDerived(g *model.Game) *model.Game {
	if g.MovesErr != nil || g.Leftovers.Derived == nil {
		return g
	}
	e.scratch.game = *g
	e.scratch.game.Leftovers.Derived = nil
	return &e.scratch.game
}

// freshExt forgets all places.
func freshExt(ext *cbh.ExtRecord) { ext.MovesOffset, ext.AnnotationsOffset = 1, 0 }

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
