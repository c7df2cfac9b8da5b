package write

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"slices"

	"cbkit/internal/dbfile"
	"cbkit/internal/journal"
	"cbkit/internal/scid"
	"cbkit/internal/scidgame"
	"cbkit/internal/wire"
	"cbkit/model"
	"cbkit/pgn"
)

// ScidEditor changes a database of Scid (.si4) in place, in transactions as [Editor]
// does. Scid knows no locks: it must not have the database open.
//
// Unchanged parts of a game keep their bytes. Until [Compact] the file of games only
// grows, and names stay that no game refers to any more.
type ScidEditor struct {
	gamesEditor
	scidDB
	opt     EditOptions
	stored  *scid.Names // as the file of names has them
	told    *pgn.Teller // of what is there, which is no loss
	text    scidgame.Names
	alike   [4]alikeNames
	changed bool // names are, or how many games have them
	record  scid.Game
	builder pgn.Builder
}

var (
	_ model.Sink    = (*ScidEditor)(nil)
	_ model.Counter = (*ScidEditor)(nil)
)

// EditScid opens the database of Scid at path, which names any of its files, for change.
// If a change was interrupted there, it is taken back first.
//
// Errors wrap model.ErrLocked if another process is writing the database, fs.ErrNotExist
// if there is none, model.ErrUnsupported if it is of version 3 or 5, and model.ErrCorrupt
// if its files do not fit.
func EditScid(ctx context.Context, path string, opt EditOptions) (*ScidEditor, error) {
	set, main, err := openToEdit(ctx, path, ".si4", &opt)
	if err != nil {
		return nil, err
	}
	ed := &ScidEditor{opt: opt, told: pgn.NewTeller(nil)}
	ed.of = ed
	ed.opt.Report = ed.init(set, &opt, ed.begin, ed.finish)
	page, guess, err := editedPage(ctx, set, main, &opt)
	ed.guess, ed.text.Foreign = guess, page.Decode
	if err == nil {
		err = ed.open()
	}
	if err == nil {
		err = ed.begin()
	}
	if err != nil {
		return nil, errors.Join(err, set.Close())
	}
	return ed, nil
}

// open finds the files.
func (ed *ScidEditor) open() error {
	files, err := ed.set.Files()
	if err != nil {
		return err
	}
	for i, to := range []**journal.File{&ed.index, &ed.games, &ed.names} {
		name := files.Name(dbfile.Scid[i].Ext)
		if *to, err = ed.set.File(name); err != nil {
			return err
		}
		if !(*to).Exists() {
			return fmt.Errorf("%s: the file is missing; the database cannot be changed without it", name)
		}
	}
	return nil
}

// begin starts a transaction with what is in the files.
func (ed *ScidEditor) begin() error {
	ed.transaction.begin()
	ed.own = model.Entities{}
	ed.entities = nil
	ed.encoder, ed.alike, ed.changed = scidEncoder{}, [4]alikeNames{}, false
	ed.encoder.init(ed.opt.Report)
	head := make([]byte, scid.V4.HeaderSize())
	n, err := ed.index.ReadAt(head, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	h, version, err := scid.DecodeHeader(head[:n])
	if err != nil {
		return wire.Locate(err, ed.index.Name(), 0, -1)
	}
	if version != scid.V4 {
		return fmt.Errorf("%s: %w: version %d is only read; convert the database to .si4", ed.index.Name(), model.ErrUnsupported, h.Version)
	}
	if want := ed.place(model.RecordID(h.Games) + 1); ed.index.Size() != want {
		return &model.FormatError{File: ed.index.Name(), Offset: ed.index.Size(), Record: -1, Field: "games",
			Err: fmt.Errorf("%w: its %d games end at %d, the file has %d bytes; write the database anew with convert --keep-going", model.ErrCorrupt, h.Games, want, ed.index.Size())}
	}
	ed.header, ed.count = h, model.RecordID(h.Games)
	b := make([]byte, ed.names.Size())
	if _, err := ed.names.ReadAt(b, 0); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if ed.stored, err = scid.DecodeNames(b); err != nil {
		return wire.Locate(err, ed.names.Name(), 0, -1)
	}
	if !ed.encoder.names.fill(ed.stored) {
		return fmt.Errorf("%s: %w: a name is there twice; write the database anew with convert", ed.names.Name(), model.ErrCorrupt)
	}
	for kind, list := range ed.stored.Lists {
		for _, name := range list {
			ed.encoder.names.list[kind][name.ID].Frequency = name.Frequency
		}
	}
	ed.encoder.names.like = ed.nameLike
	ed.text.Fill(ed.stored)
	return nil
}

// entryOf reads an entry.
func (ed *ScidEditor) entryOf(id model.RecordID) (scid.Entry, error) {
	if id < 1 || id > ed.count {
		return scid.Entry{}, fmt.Errorf("%s: record %d: %w; there are %d", ed.index.Name(), id, model.ErrNoRecord, ed.count)
	}
	raw := make([]byte, scid.V4.EntrySize())
	if _, err := ed.index.ReadAt(raw, ed.place(id)); err != nil {
		return scid.Entry{}, err
	}
	return scid.V4.DecodeEntry(raw), nil
}

// bodyOf reads the record of a game.
func (ed *ScidEditor) bodyOf(id model.RecordID, e *scid.Entry) ([]byte, error) {
	if size := uint64(ed.games.Size()); e.Length == 0 || e.Offset > size || uint64(e.Length) > size-e.Offset {
		return nil, &model.FormatError{File: ed.games.Name(), Offset: int64(e.Offset), Record: int64(id), Field: "game",
			Err: fmt.Errorf("%w: %d bytes are not inside the file, which has %d", model.ErrCorrupt, e.Length, size)}
	}
	body := make([]byte, e.Length)
	_, err := ed.games.ReadAt(body, int64(e.Offset))
	return body, err
}

// setBody gives a game another record, unless it is the one that is there.
func (ed *ScidEditor) setBody(id model.RecordID, e *scid.Entry, body []byte) error {
	if was, err := ed.bodyOf(id, e); err == nil && string(was) == string(body) {
		return nil
	}
	if len(body) > scid.MaxRecord {
		return &model.RecordError{Record: id, Err: fmt.Errorf("%w: a record of %d bytes; there may be %d", model.ErrTooLarge, len(body), scid.MaxRecord)}
	}
	return ed.putBody(id, e, body)
}

// Begin implements [model.Sink]: the games that come refer to the entities of src. It may
// be called more than once in a transaction.
func (ed *ScidEditor) Begin(src model.Source) error {
	if err := ed.beginSource(src); err != nil {
		return err
	}
	ed.entities = src.Entities()
	return ed.lifecycle.Begun(nil)
}

// Put implements [model.Sink]: it adds a game at the end.
func (ed *ScidEditor) Put(rec model.Record) error {
	if err := ed.take(&rec); err != nil {
		return err
	}
	ok, err := ed.add(rec, false)
	ed.changed = ed.changed || ok
	if ok && err == nil {
		ed.result.Appended++
	}
	return err
}

// Replace replaces a game by another one. The deletion mark stays. The entities of rec are
// ids in from.
func (ed *ScidEditor) Replace(id model.RecordID, rec model.Record, from *model.Entities) error {
	old, err := ed.entryOf(id)
	if err == nil {
		err = replaces(id, &rec, "a database of Scid")
	}
	if err != nil {
		return err
	}
	rec.ID, rec.Deleted = id, old.Flags&scid.FlagDeleted != 0
	body, ok, err := ed.encoder.encode(rec, ed.tablesOf(from), false)
	if err != nil {
		return err
	}
	if !ok {
		return fmt.Errorf("record %d: %w: the format has no such game", id, model.ErrUnsupported)
	}
	e := ed.encoder.entry
	e.Offset, e.Length = old.Offset, old.Length
	if err := ed.setBody(id, &e, body); err != nil {
		return err
	}
	ed.leave(&old)
	ed.result.Replaced++
	return ed.putEntry(id, &e)
}

// leave counts that a game refers no more to names.
func (ed *ScidEditor) leave(e *scid.Entry) {
	ed.changed = true
	for _, ref := range referencesOf(e) {
		if list := ed.encoder.names.list[ref.kind]; int64(*ref.id) < int64(len(list)) && list[*ref.id].Frequency > 0 {
			list[*ref.id].Frequency--
		}
	}
}

// mark implements gameFormat.
func (ed *ScidEditor) mark(id model.RecordID, deleted bool) (changed bool, err error) {
	e, err := ed.entryOf(id)
	if err != nil || (e.Flags&scid.FlagDeleted != 0) == deleted {
		return false, err
	}
	e.Flags ^= scid.FlagDeleted
	return true, ed.putEntry(id, &e)
}

// lastID implements gameFormat.
func (ed *ScidEditor) lastID() model.RecordID { return ed.count }

// storedScid is a game as it is in the files: its entry, its record, and where its tags end,
// which are those of ScidEditor.record.
type storedScid struct {
	entry scid.Entry
	body  []byte
	tags  int
}

// load reads a game and its tags.
func (ed *ScidEditor) load(id model.RecordID) (s storedScid, err error) {
	if s.entry, err = ed.entryOf(id); err != nil {
		return s, err
	}
	if s.body, err = ed.bodyOf(id, &s.entry); err != nil {
		return s, err
	}
	if s.tags, err = ed.record.DecodeTags(s.body); err != nil {
		err = wire.Locate(err, ed.games.Name(), int64(s.entry.Offset), int64(id))
	}
	return s, err
}

// headerOf returns the header of a game that was loaded.
func (ed *ScidEditor) headerOf(e *scid.Entry) model.Header {
	ed.readNames()
	return ed.text.Header(ed.text.AppendTags(nil, scid.V4, e, &ed.record, func(string, uint32, int) string { return "" }), e, &ed.own)
}

// readNames makes texts of the names that have come.
func (ed *ScidEditor) readNames() {
	for kind, list := range ed.encoder.names.list {
		for id := len(ed.text.Lists[kind]); id < len(list); id++ {
			ed.text.Lists[kind] = append(ed.text.Lists[kind], ed.text.Text(list[id].Bytes))
		}
	}
}

// Header returns the header of a game. Its ids are those of [ScidEditor.Entities].
func (ed *ScidEditor) Header(id model.RecordID) (model.Header, error) {
	s, err := ed.load(id)
	if err != nil {
		return model.Header{}, err
	}
	return ed.headerOf(&s.entry), nil
}

// SetHeader replaces the header of a game. The entities of h are ids in from, or in
// [ScidEditor.Entities] if from is nil. Fields that stay the same keep their bytes.
func (ed *ScidEditor) SetHeader(id model.RecordID, h model.Header, from *model.Entities) error {
	s, err := ed.load(id)
	if err != nil {
		return err
	}
	rec, err := ed.headed(id, h, from)
	if err != nil {
		return err
	}
	c := &ed.encoder
	before := model.Record{ID: id, Game: &model.Game{Header: ed.headerOf(&s.entry)}}
	report := c.report
	c.report = nil // of what is there
	was, wasTags, wasNamed := c.head(ed.told, &before, &ed.own)
	c.report = report
	is, tags, _ := c.head(c.teller, &rec, ed.tablesOf(from))
	c.entry = s.entry
	merge(&c.entry, &was, &is)
	ed.leave(&s.entry)
	if err := c.putNames(wasNamed); err != nil {
		return fmt.Errorf("record %d: %w", id, err)
	}
	c.names.count(&c.entry)
	e := c.entry
	if isOther := otherTags(wasTags, tags); len(isOther) > 0 {
		gone := func(t scid.Tag) bool { return slices.Contains(isOther, t.Name) }
		stored := slices.DeleteFunc(ed.record.Tags, gone)
		for _, t := range c.game.Tags {
			if gone(t) {
				stored = append(stored, t)
			}
		}
		body, err := scid.AppendTags(nil, stored)
		if err != nil {
			return fmt.Errorf("record %d: %w", id, err)
		}
		if err := ed.setBody(id, &e, append(body, s.body[s.tags:]...)); err != nil {
			return err
		}
	}
	ed.result.Set++
	return ed.putEntry(id, &e)
}

// head encodes a header: into an entry, its tags as they are told, and what it refers to.
func (c *scidEncoder) head(teller *pgn.Teller, rec *model.Record, e *model.Entities) (scid.Entry, []model.Tag, [5]string) {
	c.begin(rec.ID)
	tags := slices.Clone(teller.Tell(rec, e, c))
	c.putTags(tags, rec.Game, e)
	return c.entry, tags, c.named
}

// merge gives an entry what differs between two that were made of headers, but for names.
func merge(e, was, is *scid.Entry) {
	e.Flags = e.Flags&^(was.Flags&^is.Flags) | is.Flags&^was.Flags
	if is.Result != was.Result {
		e.Result = is.Result
	}
	if is.ECO != was.ECO {
		e.ECO = is.ECO
	}
	if is.Date != was.Date || is.EventDate != was.EventDate { // which is counted from the other
		e.Date, e.EventDate = is.Date, is.EventDate
	}
	for i := range is.Elo {
		if is.Elo[i] != was.Elo[i] || is.RatingType[i] != was.RatingType[i] {
			e.Elo[i], e.RatingType[i] = is.Elo[i], is.RatingType[i]
		}
	}
}

// otherTags returns the names of tags that differ.
func otherTags(was, is []model.Tag) (names []string) {
	for _, pair := range [2][2][]model.Tag{{was, is}, {is, was}} {
		for _, t := range pair[0] {
			if !slices.Contains(pair[1], t) {
				names = append(names, t.Name)
			}
		}
	}
	return names
}

// Game returns a game. The ids of its header are those of [ScidEditor.Entities].
func (ed *ScidEditor) Game(id model.RecordID) (*model.Game, error) {
	s, err := ed.load(id)
	if err != nil {
		return nil, err
	}
	g := &model.Game{Header: ed.headerOf(&s.entry)}
	if err := ed.record.Decode(s.body); err != nil {
		return nil, wire.Locate(err, ed.games.Name(), int64(s.entry.Offset), int64(id))
	}
	ed.text.Build(&ed.builder, g, &ed.record, true)
	return g.Clone(), nil
}

// annotate writes the moves of a game anew, but neither its header nor its tags.
func (ed *ScidEditor) annotate(id model.RecordID, g *model.Game) error {
	s, err := ed.load(id)
	if err != nil {
		return err
	}
	if err := ed.record.Decode(s.body); err != nil {
		return wire.Locate(err, ed.games.Name(), int64(s.entry.Offset), int64(id))
	}
	if ed.record.Chess960 {
		return fmt.Errorf("record %d: %w: a game of Chess960 is not written", id, model.ErrUnsupported)
	}
	g.Header = model.NewHeader()
	c, rec := &ed.encoder, model.Record{ID: id, Game: g}
	model.ReportUnread(rec, &ed.own, "", c.report)
	c.begin(id)
	c.teller.Tell(&rec, &ed.own, c)
	c.game.Tags, c.game.FEN, c.game.Start, c.game.Flags = slices.Clone(ed.record.Tags), ed.record.FEN, ed.record.Start, ed.record.Flags
	e := s.entry
	body, err := c.game.Append(nil, &e)
	if err != nil {
		return fmt.Errorf("record %d: %w", id, err)
	}
	e.Line = s.entry.Line // the main line is the same
	if err := ed.setBody(id, &e, body); err != nil {
		return err
	}
	ed.result.Annotated++
	return ed.putEntry(id, &e)
}

// finish completes the files and the result.
func (ed *ScidEditor) finish(bool) error {
	if err := ed.lacking(); err != nil {
		return err
	}
	if h := ed.header; h.Games != uint32(ed.count) {
		h.Games = uint32(ed.count)
		if _, err := ed.index.WriteAt(h.Append(nil), 0); err != nil {
			return err
		}
	}
	if !ed.changed {
		return nil
	}
	for kind, list := range ed.encoder.names.list {
		ed.result.EntitiesAdded += len(list) - len(ed.stored.Lists[kind])
	}
	names := ed.encoder.names.file()
	names.Stamp, names.Rest = ed.stored.Stamp, ed.stored.Rest
	content := names.Append(nil)
	if int64(len(content)) == ed.names.Size() {
		was := make([]byte, len(content))
		if _, err := ed.names.ReadAt(was, 0); err == nil && string(was) == string(content) {
			return nil
		}
	}
	return ed.names.Fill(content)
}

// meaningOf returns what tells names of a kind apart: of players not how blanks stand.
func meaningOf(kind int, name string) string {
	if kind == scid.Players {
		return model.ParsePlayer(name).String()
	}
	return name
}

// alikeNames are ids of names by what they mean.
type alikeNames struct {
	ids   map[string]uint32
	known int // of how many names
}

// nameLike returns the id of a name that is there already in other bytes.
func (ed *ScidEditor) nameLike(kind int, name string) (uint32, bool) {
	ed.readNames()
	alike, list := &ed.alike[kind], ed.text.Lists[kind]
	if alike.ids == nil {
		alike.ids = map[string]uint32{}
	}
	for ; alike.known < len(list); alike.known++ {
		text := meaningOf(kind, list[alike.known])
		if _, is := alike.ids[text]; !is && text != "" {
			alike.ids[text] = uint32(alike.known)
		}
	}
	id, is := alike.ids[meaningOf(kind, name)]
	return id, is
}

// ScidPlayers are the players of a database of Scid, by the ids of their names.
type ScidPlayers struct{ ed *ScidEditor }

// Players returns the players of the database.
func (ed *ScidEditor) Players() *ScidPlayers { return &ScidPlayers{ed} }

// Value returns a player.
func (p *ScidPlayers) Value(id model.EntityID) (model.Player, error) {
	if err := p.ed.steps.Open(); err != nil {
		return model.Player{}, err
	}
	p.ed.readNames()
	if list := p.ed.text.Lists[scid.Players]; id >= 0 && int(id) < len(list) {
		return model.ParsePlayer(list[id]), nil
	}
	return model.Player{}, fmt.Errorf("player %d: %w", id, model.ErrNoRecord)
}

// FindAll returns the ids of a player, which are several if several names mean him.
func (p *ScidPlayers) FindAll(v model.Player) (ids []model.EntityID, err error) {
	for e, err := range p.All() {
		if err != nil {
			return nil, err
		}
		if e.Value == v {
			ids = append(ids, e.ID)
		}
	}
	return ids, nil
}

// All yields the players of games in the order of their ids, except names that mean no
// player. An error is yielded last.
func (p *ScidPlayers) All() iter.Seq2[StoredEntity[model.Player], error] {
	return func(yield func(StoredEntity[model.Player], error) bool) {
		if err := p.ed.steps.Open(); err != nil {
			yield(StoredEntity[model.Player]{}, err)
			return
		}
		p.ed.readNames()
		used := make([]bool, len(p.ed.text.Lists[scid.Players]))
		err := p.ed.entries(func(_ model.RecordID, e scid.Entry) error {
			for _, id := range [2]uint32{e.White, e.Black} {
				if int64(id) < int64(len(used)) {
					used[id] = true
				}
			}
			return nil
		})
		if err != nil {
			yield(StoredEntity[model.Player]{}, err)
			return
		}
		for id, name := range p.ed.text.Lists[scid.Players] {
			v := model.ParsePlayer(name)
			if used[id] && v != (model.Player{}) && name != "?" && !yield(StoredEntity[model.Player]{model.EntityID(id), v}, nil) {
				return
			}
		}
	}
}

// entries calls do with the entries of all games.
func (ed *ScidEditor) entries(do func(model.RecordID, scid.Entry) error) error {
	const atOnce = 1 << 11
	size := scid.V4.EntrySize()
	buf := make([]byte, atOnce*size)
	for id := model.RecordID(1); id <= ed.count; {
		n := min(atOnce, int(ed.count-id)+1)
		if _, err := ed.index.ReadAt(buf[:n*size], ed.place(id)); err != nil {
			return err
		}
		for i := range n {
			if err := do(id, scid.V4.DecodeEntry(buf[i*size:])); err != nil {
				return err
			}
			id++
		}
	}
	return nil
}

// Change gives a player another name. If another player has it already, the error wraps
// fs.ErrExist.
func (p *ScidPlayers) Change(id model.EntityID, v model.Player) error {
	old, err := p.Value(id)
	if err != nil || old == v {
		return err
	}
	same, err := p.FindAll(v)
	if err != nil {
		return err
	}
	if len(same) > 0 {
		return fmt.Errorf("player %d: %w", id, fs.ErrExist)
	}
	names, name := &p.ed.encoder.names, v.String()
	if len(name) > maxScidName || name == "" {
		return fmt.Errorf("player %d: %w: a name has 1 to %d bytes", id, model.ErrTooLarge, maxScidName)
	}
	p.ed.result.EntitiesChanged++
	if unused, is := names.ids[scid.Players][name]; is { // no two names are equal
		_, err := p.moveTo(map[model.EntityID]model.EntityID{id: model.EntityID(unused)})
		return err
	}
	stored := &names.list[scid.Players][id]
	delete(names.ids[scid.Players], string(stored.Bytes))
	stored.Bytes, names.ids[scid.Players][name] = []byte(name), uint32(id)
	p.ed.text.Lists[scid.Players][id] = name
	p.ed.alike[scid.Players], p.ed.changed = alikeNames{}, true
	return nil
}

// Merge gives the games of one player to another one.
func (p *ScidPlayers) Merge(from, into model.EntityID) error {
	return p.MergeAll(map[model.EntityID]model.EntityID{from: into})
}

// MergeAll gives the games of each player that is a key to the one that is its value, in
// one pass.
func (p *ScidPlayers) MergeAll(into map[model.EntityID]model.EntityID) error {
	if err := p.ed.steps.Open(); err != nil {
		return err
	}
	for from, to := range into {
		if _, err := p.Value(from); err != nil {
			return err
		}
		if _, err := p.Value(to); err != nil {
			return err
		}
		if _, is := into[to]; is && from != to {
			return fmt.Errorf("%w: player %d is merged and merged into", model.ErrOption, to)
		}
	}
	n, err := p.moveTo(into)
	p.ed.result.EntitiesMerged += n
	return err
}

// moveTo gives the games of players to others, and returns how many players lost theirs.
func (p *ScidPlayers) moveTo(into map[model.EntityID]model.EntityID) (n int, err error) {
	moved := map[model.EntityID]bool{}
	names := p.ed.encoder.names.list[scid.Players]
	err = p.ed.entries(func(record model.RecordID, e scid.Entry) error {
		is := e
		for _, id := range [2]*uint32{&e.White, &e.Black} {
			to, has := into[model.EntityID(*id)]
			if !has || uint32(to) == *id {
				continue
			}
			moved[model.EntityID(*id)] = true
			names[*id].Frequency = max(1, names[*id].Frequency) - 1
			names[to].Frequency++
			*id = uint32(to)
		}
		if e == is {
			return nil
		}
		return p.ed.putEntry(record, &e)
	})
	p.ed.changed = true
	return len(moved), err
}
