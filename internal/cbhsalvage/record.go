package cbhsalvage

import (
	"bytes"
	"errors"
	"math"

	"cbkit/internal/cbh"
	"cbkit/internal/cbhdb"
	"cbkit/internal/derive"
	"cbkit/model"
	"cbkit/moveenc"
)

// record yields what is left of an id: its headers, and the record of the .cbg
// file at a place, which ends before a limit whatever it says itself.
func (s *Source) record(id model.RecordID, b block, limit int64, yield yielder) error {
	h, err := s.header(id)
	if err != nil {
		return err
	}
	h = cbhdb.Header{ID: id, Head: bytes.Clone(h.Head), Ext: bytes.Clone(h.Ext)}
	s.fate = Fate{ID: id, State: Kept}
	c, err := s.contentAt(&h, b, limit)
	if err != nil {
		return err
	}
	switch {
	case c == nil, c.cut && c.moves.Len() == 0:
		s.fate.Moves = NoMoves
	case c.cut:
		s.fate.Moves = SomeMoves
	}
	if c == nil && (h.Head == nil || h.Type().IsText()) {
		s.fate.State = Lost
		if h.Head != nil {
			s.fate.note("of the text only the header is left")
		}
		s.report(s.fate)
		return nil
	}
	if h.Head == nil {
		s.fate.miss("the header in the .cbh file is lost, and with it names and result")
	}
	if h.Ext == nil && s.shuffled || id > s.extCount && (int64(id) <= s.extSaid || s.extensions != nil && id > s.inHead) {
		s.fate.miss("the record in the .cbj file is lost, and with it teams and title")
	}
	rec := model.Record{ID: id}
	if c != nil && c.isText {
		rec.Text = s.text(&h, c)
	} else if rec.Game, err = s.game(&h, c); err != nil {
		return err
	}
	if h.Head != nil {
		rec.Deleted = h.Type().IsDeleted()
	}
	s.references(&rec)
	if !yield(rec, nil) {
		return errStopped
	}
	return nil
}

// contentAt decodes what is at a place; of none that is known, what is at the
// place that the headers give, as far as it goes. Nil: there is nothing.
func (s *Source) contentAt(h *cbhdb.Header, b block, limit int64) (*content, error) {
	asText := h.Head != nil && h.Type().IsText()
	s.begin = b.at + moveenc.HeadSize
	if s.moves == nil {
		s.fate.miss("the .cbg file with the moves is missing")
		return nil, nil
	}
	if b.size > 0 {
		rec, err := s.bytesOf(b)
		if err != nil {
			return nil, err
		}
		if h.Head == nil {
			asText = isGuideHead(rec)
		}
		if c := s.decode(rec, asText); c.broken == nil {
			s.begin = b.end()
			return &c, nil
		}
	} else if b.at = s.at[h.ID]; b.at == 0 || h.Head == nil {
		s.fate.miss("no moves were found")
		return nil, nil
	}
	if !s.reliable[h.ID] {
		if taken, err := s.insideReliable(b.at); taken || err != nil {
			s.fate.miss("the place of the moves, %d, is another record's", b.at)
			return nil, err
		}
	}
	// Its size is the damage, perhaps.
	mended, err := s.mend(b.at, max(limit, b.end()))
	if err != nil || mended.size == 0 {
		s.fate.miss("the place of the moves, %d, is none", b.at)
		return nil, err
	}
	stated := b
	if stated.size == 0 || stated.end() > limit {
		stated = mended
	}
	for _, try := range []block{mended, stated} {
		rec, err := s.bytesOf(try)
		if err != nil {
			return nil, err
		}
		c := s.decode(rec, asText)
		if c.broken == nil {
			s.begin = try.end()
			if c.cut = c.endless; c.cut { // its size is not believed, and nothing else says that these are all
				s.fate.miss("the moves break off after %d: their end mark is missing", c.moves.Len())
			}
			return &c, nil
		}
		if try != stated {
			continue
		}
		if usual := s.asUsual(h, rec); usual != nil {
			s.begin = try.end()
			return usual, nil
		}
		switch {
		case c.isText && c.raw != nil:
			s.fate.miss("kept as it is, but it does not decode: %v", c.broken)
			c.raw = bytes.Clone(c.raw)
		case c.isText:
			s.fate.miss("the text does not decode: %v", c.broken)
			return nil, nil
		default:
			c.cut, c.raw = true, nil
			s.fate.miss("the moves break off after %d: %v", c.moves.Len(), c.broken)
		}
		return &c, nil
	}
	return nil, nil
}

// asUsual decodes a record as games are usually written, with and without a start
// position: nil if it does not end so, or is not what the headers say of its moves.
func (s *Source) asUsual(h *cbhdb.Header, rec []byte) *content {
	if h.Head == nil || h.Type().IsText() {
		return nil
	}
	r, err := cbh.DecodeGameRecord(h.Head)
	if err != nil {
		return nil
	}
	ext := cbh.DecodeExtRecord(h.Ext)
	for _, head := range [...]byte{0, 0x40} {
		usual := bytes.Clone(rec)
		usual[0] = head
		c := s.decodeAs(usual, false)
		if c.broken != nil || len(s.work.game.Form.Trailer) > 0 {
			continue
		}
		facts, err := derive.Game(c.start, &c.moves, cbh.FactsOf(nil))
		material := [2]uint32{uint32(facts.Material[0]), uint32(facts.Material[1])}
		if err == nil && facts.FullMoves == r.MoveCount && (ext.Material == [2]uint32{} || ext.Material == material) {
			return &c
		}
	}
	return nil
}

// game makes a game of its headers, moves and annotations; no moves are none.
func (s *Source) game(h *cbhdb.Header, c *content) (*model.Game, error) {
	g := model.NewGame()
	ext := cbh.DecodeExtRecord(h.Ext)
	if h.Head != nil && !h.Type().IsText() {
		r, err := cbh.DecodeGameRecord(h.Head)
		if err != nil {
			return nil, err
		}
		g.Header = r.Header(&ext)
		g.Leftovers.Header = leftover(cbh.AppendGameLeftover(nil, r, ext, len(h.Ext)))
	} else if len(h.Ext) > 0 { // teams and title are there still
		r := cbh.NewGameRecord(-1)
		fresh := r.Header(&ext)
		g.Header.WhiteTeam, g.Header.BlackTeam, g.Header.GameTitle = fresh.WhiteTeam, fresh.BlackTeam, fresh.GameTitle
	}
	if c != nil {
		g.Start, g.Moves = c.start, c.moves
		if c.raw != nil {
			g.MovesErr, g.Leftovers.Moves = c.broken, leftover(c.raw)
		}
	}
	// Its annotations are those at the place that the headers give or, where these are
	// gone, wrong or another game's, those whose own head names it.
	n := annotationSearch{Source: s, h: h, moves: g.Moves.Len()}
	if h.Head != nil && !h.Type().IsText() {
		n.flags = cbhdb.NoteFlags(h.Head)
	}
	if c == nil || c.raw != nil {
		n.moves = math.MaxInt
	}
	rec, err := n.own()
	if err != nil {
		return g, err
	}
	cut := func() *model.Game { // says where
		switch {
		case c == nil || !c.cut:
			return g
		case c.broken == nil:
			return g.WithCut(errors.New("their end mark is missing"))
		}
		return g.WithCut(c.broken)
	}
	if n.why != "" {
		s.fate.miss("%s", n.why)
	}
	if rec == nil {
		return cut(), nil
	}
	ctx := cbh.AnnotationContext{Game: h.ID, Page: s.page}
	if c != nil && c.broken == nil {
		ctx.Moves = &g.Moves
	}
	list, err := cbh.DecodeAnnotations(rec, ctx, false)
	if err != nil {
		s.fate.miss("its annotations break off: %v", err)
	}
	for _, a := range list.List {
		if int(a.Node) < g.Moves.Len() || c != nil && c.raw != nil {
			g.Annotations = append(g.Annotations, a)
		}
	}
	if n := len(list.List) - len(g.Annotations); n > 0 && s.fate.State == Kept {
		s.fate.miss("%d annotations belong to moves that are not there", n)
	}
	return cut(), nil
}

func leftover(data []byte) *model.Leftover { return &model.Leftover{Format: cbh.Format, Data: data} }

// text makes a guiding text.
func (s *Source) text(h *cbhdb.Header, c *content) *model.GuidingText {
	t := model.NewGuidingText()
	ext := cbh.DecodeExtRecord(h.Ext)
	if h.Head != nil && h.Type().IsText() {
		if r, err := cbh.DecodeTextRecord(h.Head); err == nil {
			*t = r.Header(&ext)
			t.Leftovers.Header = leftover(cbh.AppendTextLeftover(nil, r, ext, len(h.Ext)))
		}
	}
	t.HTML, t.Titles, t.Contents, t.Leftovers.Content = c.guide.HTML, c.guide.Titles, c.guide.Contents, c.guide.Leftover
	t.ContentErr = c.broken
	if ext.Media != cbh.NoMedia && len(h.Ext) > 0 {
		if t.Media = s.media.Names(ext.Media, s.page); t.Media == nil {
			s.fate.miss("its list of media is lost")
		}
	}
	return t
}

// references takes the references away that lead nowhere, and notes the names that
// are lost with them.
func (s *Source) references(rec *model.Record) {
	var ids []*model.EntityID // in the order of AppendReferences
	if g := rec.Game; g != nil {
		ids = []*model.EntityID{
			&g.White, &g.Black, &g.Tournament, &g.Annotator, &g.Source, &g.WhiteTeam, &g.BlackTeam, &g.GameTitle,
		}
	} else {
		t := rec.Text
		ids = []*model.EntityID{&t.Tournament, &t.Annotator, &t.Source, &t.GameTitle}
	}
	for i, r := range rec.AppendReferences(nil, &s.tables) {
		switch {
		case !r.Valid():
			s.fate.miss("%s is lost: %v", r.Field, r)
		case s.doubtful[entity{r.Kind, int32(r.ID)}]:
			s.fate.miss("%s is lost: records of its file are out of step, and nothing proves which is that of %s %d", r.Field, r.Kind, r.ID)
		default:
			continue
		}
		*ids[i] = model.NoEntity
	}
}

// foundRecord yields a record that fits no id.
func (s *Source) foundRecord(id model.RecordID, b block, yield yielder) error {
	rec, err := s.bytesOf(b)
	if err != nil {
		return err
	}
	c := s.decode(rec, isGuideHead(rec))
	s.fate = Fate{ID: id, State: Found}
	s.fate.note("at %d of the .cbg file, with no header", b.at)
	out := model.Record{ID: id}
	if c.isText {
		out.Text = s.text(&cbhdb.Header{ID: id}, &c)
	} else {
		// Where nothing is missing before it, the number is its own.
		h := cbhdb.Header{ID: id}
		s.known = s.known && b.follows
		if !s.known {
			h.ID = 0
		}
		if out.Game, err = s.game(&h, &c); err != nil {
			return err
		}
	}
	if !yield(out, nil) {
		return errStopped
	}
	return nil
}
