package cbhrepair

import (
	"bytes"
	"context"

	"cbkit/internal/cbh"
	"cbkit/internal/cbhdb"
	"cbkit/internal/dbfile"
	"cbkit/internal/derive"
	"cbkit/internal/wire"
	"cbkit/model"
	"cbkit/moveenc"
)

// content is the pass over moves, texts and annotations.
type content struct {
	*Repair
	headers      *cbhdb.HeaderReader
	moves, notes *cbhdb.BlockReader // nil if the file cannot be read
	others       *cbhdb.BlockReader // reads the annotations of other games

	h          cbhdb.Header // of the record at hand, to be changed
	game       moveenc.Game
	movesBytes []byte // nil if they are not believed
	notesBytes []byte
	// noNotes says that the game is known to have none.
	noNotes bool
}

// mendContent makes true what the headers repeat of moves, texts and annotations.
func (r *Repair) mendContent(ctx context.Context) error {
	if r.heads == nil {
		return nil
	}
	c := &content{Repair: r, headers: r.heads.Headers(r.exts, dbfile.FarAhead)}
	if r.moves.Blocks != nil {
		c.moves = r.moves.Reader(dbfile.FarAhead)
	}
	if r.notes.Blocks != nil {
		c.notes, c.others = r.notes.Reader(dbfile.FarAhead), r.notes.Reader(dbfile.NearAhead)
	}
	for id := model.RecordID(1); id <= r.count(); id++ {
		if id%contextStep == 0 || id == r.count() {
			if err := ctx.Err(); err != nil {
				return err
			}
			if r.step != nil {
				r.step(int(id), int(r.count()))
			}
		}
		if err := c.record(id); err != nil {
			return err
		}
	}
	return nil
}

// record mends one record.
func (c *content) record(id model.RecordID) error {
	stored, err := c.headers.At(id)
	if err != nil {
		return err
	}
	c.h = cbhdb.Header{ID: id, Head: append(c.h.Head[:0], stored.Head...), Ext: append(c.h.Ext[:0], stored.Ext...)}
	if err := c.read(); err != nil {
		return err
	}
	if c.h.Type().IsText() {
		err = c.text()
	} else {
		err = c.gameRecord()
	}
	if err != nil {
		return err
	}
	c.checksum()
	if !bytes.Equal(c.h.Head, stored.Head) {
		if err := c.put(".cbh", c.heads.Offset(id), c.h.Head); err != nil {
			return err
		}
	}
	if !bytes.Equal(c.h.Ext, stored.Ext) {
		return c.put(".cbj", c.exts.Offset(id), c.h.Ext)
	}
	return nil
}

// read reads the parts of the record that can be believed.
func (c *content) read() (err error) {
	c.movesBytes, c.notesBytes, c.noNotes = nil, nil, false
	if c.moves != nil && !c.unbelieved[0].has(c.h.ID) {
		if c.movesBytes, err = readPart(c.moves, c.h.MovesAt(), c.h.ID); err != nil {
			return err
		}
	}
	if c.notes == nil || c.unbelieved[1].has(c.h.ID) || c.h.Type().IsText() {
		return nil
	}
	at := c.h.NotesAt()
	if at == 0 {
		c.noNotes = c.Repair.notes.isSound()
		return nil
	}
	c.notesBytes, err = readPart(c.notes, at, c.h.ID)
	return err
}

// readPart reads a part of a record, nothing if it is not known where it lies.
func readPart(r *cbhdb.BlockReader, at int64, id model.RecordID) ([]byte, error) {
	x, fault, err := r.Locate(at, id)
	if fault != nil || err != nil {
		return nil, err
	}
	return r.Bytes(x)
}

// mend changes a number in the .cbh record.
func (c *content) mend(code string, f *cbh.Field, v uint64) {
	was := f.Uint(c.h.Head)
	if was == v {
		return
	}
	c.change(code, ".cbh", int64(c.h.ID), c.heads.Offset(c.h.ID)+int64(f.At), f.Name, "%0*x, now %0*x", 2*f.Size, was, 2*f.Size, v)
	f.Put(c.h.Head, v)
}

// flagPicture is set in texts that use media files.
const flagPicture = 1 << 17

// text mends a guiding text whose content decodes.
func (c *content) text() error {
	if c.movesBytes == nil {
		return nil
	}
	if _, err := cbh.DecodeGuide(c.movesBytes, c.page); err != nil {
		return nil
	}
	c.inUse()
	if x := cbh.DecodeExtRecord(c.h.Ext); len(c.h.Ext) > 0 && x.Media != cbh.NoMedia {
		c.mend("text-flags", &cbh.TextFlags, cbh.TextFlags.Uint(c.h.Head)|flagPicture)
	}
	const mark = 1 << 7
	if b := c.movesBytes[0]; b&mark == 0 {
		at := c.h.MovesAt()
		c.change("text-mark", ".cbg", int64(c.h.ID), at, "", "not marked as a guiding text; now it is")
		return c.put(".cbg", at, []byte{b | mark})
	}
	return nil
}

// inUse marks a record as in use, as all are.
func (c *content) inUse() {
	c.mend("record-type", &cbh.GameType, uint64(c.h.Type()|cbh.TypeInUse))
}

// gameRecord mends a game.
func (c *content) gameRecord() error {
	hasMoves := c.movesBytes != nil && moveenc.DecodeLegal(c.movesBytes, &c.game) == nil
	if hasMoves {
		c.inUse()
	}
	own, err := c.areOwn(hasMoves)
	if err != nil {
		return err
	}
	hasNotes := c.noNotes || own
	if c.notesBytes != nil && hasNotes {
		if err := c.notesHead(); err != nil {
			return err
		}
	}
	if !hasMoves && !hasNotes {
		return nil
	}
	notes := cbh.FactsOf(c.notesBytes)
	facts := derive.GameFacts{Flags: notes.Flags(), Magnitude: notes.Magnitude(), Medals: notes.Medals()}
	if hasMoves {
		if facts, err = derive.Game(c.game.SetUp(), &c.game.Moves, notes); err != nil {
			return nil // a position that cannot be played
		}
	}
	c.facts(&facts, hasMoves, hasNotes)
	return nil
}

// facts makes true what the headers say of moves and annotations, as far as these
// are known.
func (c *content) facts(f *derive.GameFacts, hasMoves, hasNotes bool) {
	flags, magnitude := uint32(0), uint16(0)
	if hasMoves {
		flags, magnitude = flags|derive.MoveFlags, magnitude|derive.MoveMagnitude
	}
	if hasNotes {
		flags, magnitude = flags|^derive.MoveFlags, magnitude|^derive.MoveMagnitude
		c.mend("stale-medals", &cbh.GameMedals, uint64(f.Medals))
	}
	proven := uint32(cbh.ProvenFlags)
	if f.Flags&derive.FlagUnorthodox != 0 {
		proven &^= derive.FlagSetup // never seen in Chess960
	}
	flags &= proven
	c.mend("stale-flags", &cbh.GameFlags, cbh.GameFlags.Uint(c.h.Head)&^uint64(flags)|uint64(f.Flags&flags))
	c.mend("stale-magnitude", &cbh.GameMagnitude, cbh.GameMagnitude.Uint(c.h.Head)&^uint64(magnitude)|uint64(f.Magnitude&magnitude))
	if hasMoves {
		c.mend("stale-move-count", &cbh.GameMoveCount, uint64(f.FullMoves))
		c.material(f.Material)
	}
}

// material makes the material words true, unless they were never computed.
func (c *content) material(want [2]derive.Material) {
	if !cbh.ExtLesserMaterial.In(c.h.Ext) {
		return
	}
	one, other := &cbh.ExtMaterial, &cbh.ExtLesserMaterial
	was := [2]uint64{one.Uint(c.h.Ext), other.Uint(c.h.Ext)}
	if was == [2]uint64{} || was == [2]uint64{uint64(want[0]), uint64(want[1])} {
		return
	}
	c.change("stale-material", ".cbj", int64(c.h.ID), c.exts.Offset(c.h.ID)+int64(one.At), one.Name,
		"%04x and %04x, now %04x and %04x", was[0], was[1], want[0], want[1])
	right := cbh.HasRightSum(c.h.Ext)
	one.Put(c.h.Ext, uint64(want[0]))
	other.Put(c.h.Ext, uint64(want[1]))
	if right {
		cbh.PutSum(c.h.Ext)
	}
}

// checksum makes the checksum of the .cbj record true.
func (c *content) checksum() {
	f := &cbh.ExtChecksum
	if !f.In(c.h.Ext) || cbh.HasRightSum(c.h.Ext) {
		return
	}
	c.change(badChecksum, ".cbj", int64(c.h.ID), c.exts.Offset(c.h.ID)+int64(f.At), f.Name, "%04x, now %04x", f.Uint(c.h.Ext), cbh.SumExt(c.h.Ext))
	cbh.PutSum(c.h.Ext)
}

// areOwn reports whether the annotations at hand are whole, and those of the game:
// they name it, or no game at all; or another one, which has some that name it, while
// these are all that the header of the game says of its own.
func (c *content) areOwn(hasMoves bool) (bool, error) {
	if c.notesBytes == nil || !isWholeNotes(c.notesBytes) {
		return false, nil
	}
	named := int64(wire.U24BE(c.notesBytes))
	if c.given.has(c.h.ID) || named == c.number(c.h.ID) || named == 0 || named > max(c.number(c.count()), int64(c.heads.Head.Next)-1) {
		return true, nil
	}
	if !hasMoves || !cbhdb.NotesFit(c.h.Head, c.notesBytes, c.game.Moves.Len()) {
		return false, nil
	}
	if others, err := c.named(); err != nil || others.has(c.h.ID) {
		return false, err
	}
	return c.hasNamed(c.others, named)
}

// named returns the games that annotations name, whoever points to them. It is called
// where some name another game than the one that points to them.
func (r *Repair) named() (bitSet, error) {
	if r.namedGames != nil {
		return r.namedGames, nil
	}
	s := newBitSet(r.count())
	b := dbfile.NewWindow(r.notes.File, dbfile.FarAhead)
	for at := int64(r.notes.Head.Size); at+cbh.AnnotationHeadSize <= r.notes.Size(); at++ {
		head, err := b.At(at, cbh.AnnotationHeadSize)
		if err != nil {
			return nil, err
		}
		if [4]byte(head[3:]) != cbh.AnnotationConstant {
			continue
		}
		id := model.RecordID(r.rows.Heads.Slot(int(wire.U24BE(head))))
		if id > 0 && id <= r.count() {
			s.add(id)
		}
	}
	r.namedGames = s
	return s, nil
}

// hasNamed reports whether the game with a number points to annotations that name
// it.
func (r *Repair) hasNamed(notes *cbhdb.BlockReader, number int64) (bool, error) {
	id := model.RecordID(r.rows.Heads.Slot(int(number)))
	if id < 1 || id > r.count() {
		return false, nil
	}
	h, err := r.heads.Headers(nil, dbfile.NearAhead).At(id)
	if err != nil || h.NotesAt() == 0 {
		return false, err
	}
	b, err := readPart(notes, h.NotesAt(), id)
	return b != nil && int64(wire.U24BE(b)) == number, err
}

// notesHead makes the head of the annotations true: the game that they belong
// to, the bytes that all heads have, and their number.
func (c *content) notesHead() error {
	const countAt, size = 7, 10
	facts := cbh.FactsOf(c.notesBytes)
	want := append(wire.AppendU24BE(nil, uint32(c.number(c.h.ID))), cbh.AnnotationConstant[:]...)
	want = wire.AppendU24BE(want, uint32(facts.Count)+1)
	have := c.notesBytes[:size]
	if bytes.Equal(have, want) {
		return nil
	}
	at := c.h.NotesAt()
	if !bytes.Equal(have[:countAt], want[:countAt]) {
		c.change("annotation-head", ".cba", int64(c.h.ID), at, "head", "% x, now % x", have[:countAt], want[:countAt])
	}
	if !bytes.Equal(have[countAt:], want[countAt:]) {
		c.change("annotation-count", ".cba", int64(c.h.ID), at+countAt, "count", "%d, now %d", wire.U24BE(have[countAt:]), facts.Count+1)
	}
	return c.put(".cba", at, want)
}
