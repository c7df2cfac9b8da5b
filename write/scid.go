package write

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"cbkit/board"
	"cbkit/internal/atomicset"
	"cbkit/internal/dbfile"
	"cbkit/internal/fsys"
	"cbkit/internal/journal"
	"cbkit/internal/scid"
	"cbkit/internal/wire"
	"cbkit/model"
	"cbkit/pgn"
	"cbkit/read"
)

// ScidCreator writes a new database of Scid (.si4). It is a [model.Sink].
//
// Games are written as PGN for people has them, in the words that Scid knows. A copy of
// a database of Scid keeps its records, names and entries as they are stored.
type ScidCreator struct {
	making
	scidDB
	src    model.Source
	copied bool // the names of the source are taken over
}

// scidDB are the files of a database of Scid to which games are added: of a new one, or of
// one that is edited.
type scidDB struct {
	encoder             scidEncoder
	header              scid.Header
	index, games, names *journal.File
	count               model.RecordID
	entities            *model.Entities // of the games that come
	entry               []byte          // memory
}

var (
	_ model.Sink    = (*ScidCreator)(nil)
	_ model.Counter = (*ScidCreator)(nil)
)

// The limits of databases of Scid.
const (
	maxScidGames = 1<<24 - 2
	maxScidBytes = math.MaxUint32
	maxScidName  = 255
	maxScidTag   = 240
	maxScidWord  = 1023 // a longer one ends Scid
	maxScidNAGs  = 7
	maxScidElo   = 4000
	scidAutoload = 1
)

// maxScidNames are how many players, events, sites and rounds there may be.
var maxScidNames = [4]int{1<<20 - 1, 1<<19 - 1, 1<<19 - 1, 1<<18 - 1}

// scidSet are the files of a database of Scid.
var scidSet = atomicset.Options{Extensions: dbfile.Scid.Data(), Proves: func(head []byte) bool {
	_, version, err := scid.DecodeHeader(head)
	return err == nil && version == scid.V4
}}

// scidMain returns the name of a database's .si4 file.
func scidMain(path string) string { return atomicset.MainFile(path, "si4", scidSet.Extensions) }

// RecoverScid does for a database of Scid what [Recover] does for a ChessBase database.
func RecoverScid(path string, opt model.RecoverOptions) (model.Recovery, error) {
	return recoverSet(fsys.OS{}, scidMain(path), opt)
}

// CreateScid begins a new database of Scid. Path names any of its files, or is the name
// without an ending. Nothing is visible there before [ScidCreator.Commit]. Errors are those
// of [Create].
func CreateScid(ctx context.Context, path string, opt Options) (*ScidCreator, error) {
	c := new(ScidCreator)
	if err := c.init(ctx, path, scidMain(path), scidSet, opt); err != nil {
		return nil, err
	}
	c.encoder.init(c.opt.Report)
	return c, nil
}

// Begin implements [model.Sink].
func (c *ScidCreator) Begin(src model.Source) error {
	if err := c.lifecycle.Begin(src); err != nil {
		return err
	}
	c.src, c.entities = src, src.Entities()
	return c.lifecycle.Begun(c.open())
}

// Wants implements [model.Wanter]. Stored records are wanted only for a copy; whether it
// is one is known after Begin.
func (c *ScidCreator) Wants() model.Want {
	want := model.WantMoves | model.WantAnnotations
	if c.copied || c.src == nil {
		want |= model.WantRaw
	}
	return want
}

// open makes the files of a database without games.
func (c *ScidCreator) open() (err error) {
	c.header = scid.Header{Version: 400, Autoload: scidAutoload}
	if db, ok := c.src.(*read.Scid); ok && !c.opt.Fresh {
		if raw := db.Leftover().From(scid.Format); len(raw) > 0 {
			h, _, err := scid.DecodeHeader(raw)
			if err != nil {
				return err
			}
			h.Version = 400
			c.header = h
			if err := c.copyNames(db); err != nil {
				return err
			}
		}
	}
	files, err := c.staged.Files()
	if err != nil {
		return err
	}
	for i, to := range []**journal.File{&c.index, &c.games, &c.names} {
		if *to, err = c.staged.File(files.Name(dbfile.Scid[i].Ext)); err == nil && to != &c.names {
			var head []byte
			if to == &c.index {
				head = c.header.Append(nil)
			}
			err = (*to).Fill(head)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// copyNames takes over the names of the source with their ids.
func (c *ScidCreator) copyNames(db *read.Scid) error {
	ext := ".sn" + db.Version()
	file, err := db.Files().Open(ext)
	if err != nil {
		return err
	}
	defer file.Close() // it was only read
	b := make([]byte, file.Size())
	if _, err := io.ReadFull(io.NewSectionReader(file, 0, file.Size()), b); err != nil {
		return fmt.Errorf("%s: %w", db.Files().Name(ext), err)
	}
	names, err := scid.DecodeNames(b)
	if dbfile.Is(ext, dbfile.Scid5.Exts(dbfile.Part)...) {
		names, _, err = scid.DecodeNames5(b)
		c.encoder.no960 = true
	}
	if err != nil {
		return wire.Locate(err, db.Files().Name(ext), 0, -1)
	}
	if c.encoder.from != nil {
		c.copied = c.encoder.from.fill(names)
	} else {
		c.copied = c.encoder.names.fill(names)
	}
	return nil
}

// Put implements [model.Sink]. Games are numbered from 1 in the order in which they come.
func (c *ScidCreator) Put(rec model.Record) error {
	if err := c.begin(&rec); err != nil {
		return err
	}
	_, err := c.add(rec, c.copied)
	return err
}

// add adds a game at the end, unless the format has no such game.
func (db *scidDB) add(rec model.Record, copied bool) (ok bool, err error) {
	body, ok, err := db.encoder.encode(rec, db.entities, copied)
	if err != nil || !ok {
		return false, err
	}
	if db.count == maxScidGames {
		return true, fmt.Errorf("record %d: %w: more than %d games", rec.ID, model.ErrTooLarge, maxScidGames)
	}
	e := db.encoder.entry
	if err := db.putBody(rec.ID, &e, body); err != nil {
		return true, err
	}
	db.count++
	return true, db.putEntry(db.count, &e)
}

// putBody adds a record and notes its place.
func (db *scidDB) putBody(id model.RecordID, e *scid.Entry, body []byte) error {
	at, err := placeScid(db.games.Size(), len(body))
	if err != nil {
		return fmt.Errorf("record %d: %w", id, err)
	}
	if _, err := db.games.WriteAt(body, at); err != nil { // a gap becomes zero
		return err
	}
	e.Offset, e.Length = uint64(at), uint32(len(body))
	return nil
}

// place is where an entry begins.
func (db *scidDB) place(id model.RecordID) int64 {
	return int64(scid.V4.HeaderSize()) + int64(id-1)*int64(scid.V4.EntrySize())
}

// putEntry writes an entry.
func (db *scidDB) putEntry(id model.RecordID, e *scid.Entry) error {
	db.entry = scid.V4.AppendEntry(db.entry[:0], e)
	_, err := db.index.WriteAt(db.entry, db.place(id))
	return err
}

// placeScid returns where a record goes behind so many bytes: at their end, or in the next
// block if it would cross into that.
func placeScid(size int64, length int) (int64, error) {
	if rest := scid.BlockSize - size%scid.BlockSize; int64(length) > rest {
		size += rest
	}
	if size+int64(length) > maxScidBytes {
		return 0, fmt.Errorf("%w: games of more than 4 GiB", model.ErrTooLarge)
	}
	return size, nil
}

// Commit implements [model.Sink].
func (c *ScidCreator) Commit() error {
	return c.finish(func() error {
		c.header.Games = uint32(c.count)
		if _, err := c.index.WriteAt(c.header.Append(nil), 0); err != nil {
			return err
		}
		return c.names.Fill(c.encoder.names.file().Append(nil))
	})
}

// Written implements [model.Counter].
func (c *ScidCreator) Written() int { return int(c.count) }

// scidNames are the names of a database in the making, by kind and id.
type scidNames struct {
	list [4][]scid.Name
	ids  [4]map[string]uint32
	// like, if not nil, returns the id of a name that means the same as a new one.
	like func(kind int, name string) (id uint32, is bool)
}

// fill takes over names as they are stored, unless a .sn4 cannot have them so: .sn5 has
// longer ones, more of them, and the same one twice. Then it takes none.
func (n *scidNames) fill(from *scid.Names) bool {
	for kind, list := range from.Lists {
		seen := make(map[string]bool, len(list))
		for _, name := range list {
			if seen[string(name.Bytes)] || len(name.Bytes) > maxScidName || len(list) > maxScidNames[kind] {
				return false
			}
			seen[string(name.Bytes)] = true
		}
	}
	for kind, list := range from.Lists {
		n.ids[kind] = make(map[string]uint32, len(list))
		n.list[kind] = make([]scid.Name, len(list))
		for _, name := range list {
			name.Frequency = 0
			n.list[kind][name.ID] = name
			n.ids[kind][string(name.Bytes)] = name.ID
		}
	}
	return true
}

// id returns the id of a name, which is new if there is none like it.
func (n *scidNames) id(kind int, name string) (uint32, error) {
	id, is := n.ids[kind][name]
	if !is && n.like != nil {
		id, is = n.like(kind, name)
	}
	if !is {
		if len(n.list[kind]) > maxScidNames[kind] {
			return 0, fmt.Errorf("%w: more names of a kind than a database of Scid holds", model.ErrTooLarge)
		}
		if n.ids[kind] == nil {
			n.ids[kind] = map[string]uint32{}
		}
		id = uint32(len(n.list[kind]))
		n.ids[kind][name] = id
		n.list[kind] = append(n.list[kind], scid.Name{ID: id, Bytes: []byte(name)})
	}
	return id, nil
}

// scidReferences are the tags of the names that an entry refers to.
var scidReferences = [5]string{"Event", "Site", "Round", "White", "Black"}

// scidReference is a name that an entry refers to.
type scidReference struct {
	kind int
	id   *uint32
}

// referencesOf returns those of an entry, in the order of scidReferences.
func referencesOf(e *scid.Entry) [5]scidReference {
	return [5]scidReference{{scid.Events, &e.Event}, {scid.Sites, &e.Site}, {scid.Rounds, &e.Round}, {scid.Players, &e.White}, {scid.Players, &e.Black}}
}

// has reports whether all names that an entry refers to are there.
func (n *scidNames) has(e *scid.Entry) bool {
	for _, ref := range referencesOf(e) {
		if int64(*ref.id) >= int64(len(n.list[ref.kind])) {
			return false
		}
	}
	return true
}

// count counts what a game refers to.
func (n *scidNames) count(e *scid.Entry) {
	for _, ref := range referencesOf(e) {
		if list := n.list[ref.kind]; int64(*ref.id) < int64(len(list)) { // else it leads nowhere
			list[*ref.id].Frequency++
		}
	}
}

// file returns the file of names, in Scid's order.
func (n *scidNames) file() *scid.Names {
	out := &scid.Names{}
	for kind, list := range n.list {
		out.Lists[kind] = slices.Clone(list)
	}
	out.Sort()
	return out
}

// scidEncoder makes records and entries of games. It is a [pgn.Notation].
type scidEncoder struct {
	report  model.Report
	teller  *pgn.Teller
	names   scidNames
	entry   scid.Entry
	writing model.RecordID

	from   *scidNames // of the source of a copy that takes over only those that games have
	no960  bool       // also in a copy, since .si5 has them and .si4 not
	game   scid.Game
	named  [5]string // what the game refers to
	nags   []byte    // of the last move
	noMove bool      // the line has none yet
	levels []bool
	buf    []byte
	values []byte // of tags and texts
}

func (c *scidEncoder) init(report model.Report) {
	c.report = report
	c.teller = pgn.NewTeller(report)
}

// lost reports a loss of the record that is being written.
func (c *scidEncoder) lost(kind model.LossKind, field, format string, args ...any) {
	c.report.Add(kind, c.writing, field, format, args...)
}

// encode returns the record of a game and sets its entry, but for its place; ok is false
// for what the format does not have. In a copy stored records and entries stay.
func (c *scidEncoder) encode(rec model.Record, e *model.Entities, copying bool) (record []byte, ok bool, err error) {
	c.writing = rec.ID
	switch {
	case rec.Text != nil:
		c.lost(model.LostRecord, "text", "the format has no guiding texts")
		return nil, false, nil
	case rec.Game.Start != nil && rec.Game.Start.Chess960 && (!copying || c.no960):
		c.lost(model.LostRecord, "variant", "the format excludes Chess960")
		return nil, false, nil
	}
	g := rec.Game
	if head, body := g.Leftovers.Header.From(scid.Format), g.Leftovers.Moves.From(scid.Format); copying && len(head) > 0 && len(body) > 0 {
		// One that refers to a name that is not there, which was told, is written anew.
		names := &c.names
		if c.from != nil {
			names = c.from
		}
		if c.entry = scid.V4.DecodeEntry(head); names.has(&c.entry) {
			for _, ref := range referencesOf(&c.entry) {
				if c.from == nil {
					break
				}
				if *ref.id, err = c.names.id(ref.kind, string(names.list[ref.kind][*ref.id].Bytes)); err != nil {
					return nil, false, fmt.Errorf("record %d: %w", rec.ID, err)
				}
			}
			c.mark(rec.Deleted)
			c.names.count(&c.entry)
			return body, true, nil
		}
	}
	model.ReportUnread(rec, e, "", c.report)
	start := g.Start
	if start != nil && *start == model.StartPosition() {
		start = nil
	}
	c.begin(rec.ID)
	tags := c.teller.Tell(&rec, e, c)
	if start != nil {
		fen := board.FormatFEN(start)
		if err := scid.CheckFEN(fen); err != nil {
			c.lost(model.LostRecord, "FEN", "%v", err)
			return nil, false, nil
		}
		c.game.FEN, c.game.Start = []byte(fen), start
		c.game.Flags |= scid.FlagStart
	}
	c.putTags(tags, g, e)
	if err := c.putNames([5]string{}); err != nil {
		return nil, false, fmt.Errorf("record %d: %w", rec.ID, err)
	}
	c.mark(rec.Deleted)
	if c.buf, err = c.game.Append(c.buf[:0], &c.entry); err != nil {
		return nil, false, fmt.Errorf("record %d: %w", rec.ID, err)
	}
	if len(c.buf) > scid.MaxRecord {
		return nil, false, &model.RecordError{Record: rec.ID, Err: fmt.Errorf("%w: a record of %d bytes; there may be %d", model.ErrTooLarge, len(c.buf), scid.MaxRecord)}
	}
	c.names.count(&c.entry)
	return c.buf, true, nil
}

// begin begins a game.
func (c *scidEncoder) begin(id model.RecordID) {
	c.writing, c.entry = id, scid.Entry{}
	c.game.Reset()
	c.nags, c.noMove, c.levels, c.values = c.nags[:0], true, c.levels[:0], c.values[:0]
}

// mark marks the entry as deleted or not.
func (c *scidEncoder) mark(deleted bool) {
	if c.entry.Flags &^= scid.FlagDeleted; deleted {
		c.entry.Flags |= scid.FlagDeleted
	}
}

// Play implements [pgn.Notation].
func (c *scidEncoder) Play(m model.Move) {
	c.game.Steps = append(c.game.Steps, scid.Step{Kind: scid.StepMove, Move: m})
	c.nags, c.noMove = c.nags[:0], false
	if len(c.levels) == 0 {
		c.game.Flags |= scid.PromotionFlags(m)
	}
}

// Symbol implements [pgn.Notation]. Scid keeps one that judges the move and one that judges
// the position, and refuses games with more than 7 at a move.
func (c *scidEncoder) Symbol(n model.NAG) {
	if c.noMove {
		return
	}
	same := func(other byte) bool {
		return scid.JudgesMove(byte(n)) && scid.JudgesMove(other) || scid.JudgesPosition(byte(n)) && scid.JudgesPosition(other)
	}
	if len(c.nags) == maxScidNAGs || slices.ContainsFunc(c.nags, same) {
		c.lost(model.LostAnnotation, "symbols", "$%d: Scid has one that judges the move, one that judges the position, and %d at most", n, maxScidNAGs)
		return
	}
	c.nags = append(c.nags, byte(n))
	c.game.Steps = append(c.game.Steps, scid.Step{Kind: scid.StepNAG, NAG: byte(n)})
}

// Comment implements [pgn.Notation]. A text behind another one at a place is joined to it.
func (c *scidEncoder) Comment(text string) {
	if words := breakWords(text); len(words) != len(text) {
		c.lost(model.Changed, "text", "a word of more than %d bytes is broken, which would end Scid", maxScidWord)
		text = words
	}
	if n := len(c.game.Steps) - 1; n >= 0 && c.game.Steps[n].Kind == scid.StepText {
		at := c.game.Steps[n].Text
		c.game.Texts[at] = append(append(c.game.Texts[at], ' '), c.value(text)...)
		return
	}
	c.game.Steps = append(c.game.Steps, scid.Step{Kind: scid.StepText, Text: int32(len(c.game.Texts))})
	c.game.Texts = append(c.game.Texts, c.value(text))
}

// value returns a copy of the value of a tag or a text that is valid until the next game,
// without the bytes that would end it.
func (c *scidEncoder) value(text string) []byte {
	from := len(c.values)
	c.values = append(c.values, text...)
	value := c.values[from:len(c.values):len(c.values)]
	for i := bytes.IndexByte(value, 0); i >= 0; i = bytes.IndexByte(value, 0) {
		value[i] = ' '
	}
	return value
}

// Enter implements [pgn.Notation].
func (c *scidEncoder) Enter() {
	c.game.Steps = append(c.game.Steps, scid.Step{Kind: scid.StepBegin})
	c.levels, c.noMove = append(c.levels, c.noMove), true
}

// Leave implements [pgn.Notation].
func (c *scidEncoder) Leave() {
	c.game.Steps = append(c.game.Steps, scid.Step{Kind: scid.StepEnd})
	n := len(c.levels) - 1
	c.noMove, c.levels = c.levels[n], c.levels[:n]
}

// breakWords puts blanks into words that are too long.
func breakWords(text string) string {
	if len(text) <= maxScidWord {
		return text
	}
	var out strings.Builder
	run := 0
	for _, r := range text {
		if r == ' ' || r == '\n' {
			run = 0
		} else if run+utf8.RuneLen(r) > maxScidWord {
			out.WriteByte(' ')
			run = 0
		}
		out.WriteRune(r)
		if r != ' ' && r != '\n' {
			run += utf8.RuneLen(r)
		}
	}
	return out.String()
}

// putTags fills the entry with the tags that it has fields for, and the record with the
// others.
func (c *scidEncoder) putTags(tags []model.Tag, g *model.Game, tables *model.Entities) {
	e := &c.entry
	c.named = [5]string{}
	rated := [2]bool{}
	for _, t := range tags {
		own := true
		switch t.Name {
		case "Event", "Site", "Round", "White", "Black":
			c.named[slices.Index(scidReferences[:], t.Name)] = t.Value
		case "Result":
			n := slices.Index([]string{"*", "1-0", "0-1", "1/2-1/2"}, t.Value)
			e.Result = uint8(max(0, n))
			if own = n >= 0 || g.Result == model.BothLose; n < 0 && own {
				c.lost(model.LostField, "result", "lost by both: the format has no such result")
			}
		case "Date":
			if e.Date = scid.StoredDay(g.Date); scid.Day(e.Date) != g.Date {
				c.lost(model.LostField, "date", "%v: the last year is 2047", g.Date)
			}
			own = t.Value == g.Date.String() // else it says more, and is a tag beside
		case "ECO":
			e.ECO = scid.ParseECO(t.Value)
			own = e.ECO != 0
		case "EventDate":
			d := tables.Tournaments.Value(g.Tournament).Start
			e.EventDate = scid.StoredEvent(d, e.Date)
			own = e.EventDate != 0 && scid.V4.DayOfEvent(e) == d
			if !own {
				e.EventDate = 0
			}
		case scid.FlagsTag:
			for _, letter := range t.Value {
				if i := strings.IndexRune(scid.FlagLetters, letter); i > 2 {
					e.Flags |= 1 << i
				} else if i < 0 {
					c.lost(model.LostTag, t.Name, "%q is no flag of Scid", letter)
				}
			}
		case "FEN", "Variant", "PlyCount":
		default:
			own = c.rating(t, &rated)
		}
		if own {
			continue
		}
		if len(t.Name) > maxScidTag || len(t.Value) > maxScidName {
			c.lost(model.LostTag, t.Name, "%d bytes: there may be %d", len(t.Value), maxScidName)
			continue
		}
		c.game.Tags = append(c.game.Tags, scid.NewTag(t.Name, c.value(t.Value)))
	}
	for i, name := range c.named {
		c.named[i] = cmp.Or(strings.ReplaceAll(name, "\x00", " "), "?")
	}
}

// putNames lets the entry refer to the names of the game that are not those it has.
func (c *scidEncoder) putNames(has [5]string) error {
	for i, name := range c.named {
		if name == has[i] {
			continue
		}
		if len(name) > maxScidName {
			end := maxScidName
			for !utf8.RuneStart(name[end]) {
				end--
			}
			c.lost(model.LostTextEnd, strings.ToLower(scidReferences[i]), "%q: cut to %d bytes", name, end)
			name = name[:end]
		}
		ref := referencesOf(&c.entry)[i]
		var err error
		if *ref.id, err = c.names.id(ref.kind, name); err != nil {
			return err
		}
	}
	return nil
}

// rating puts the first rating of a player into the entry, with its kind.
func (c *scidEncoder) rating(t model.Tag, rated *[2]bool) bool {
	for i, color := range [2]string{"White", "Black"} {
		word, is := strings.CutPrefix(t.Name, color)
		kind := slices.Index(scid.RatingTypes[:], word)
		if !is || kind < 0 || rated[i] {
			continue
		}
		n, err := strconv.Atoi(t.Value)
		if err != nil || n < 1 || n > maxScidElo {
			continue
		}
		c.entry.Elo[i], c.entry.RatingType[i], rated[i] = uint16(n), uint8(kind), true
		return true
	}
	return false
}
