package pgn

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"cbkit/internal/packed"
	"cbkit/model"
)

// EditOptions configures [Edit].
type EditOptions struct {
	// Reader says how the text is read; its parts mean nothing.
	Reader ReaderOptions
	// EncodeText makes bytes of a text for games that are not UTF-8, as DecodeText of
	// the reader decodes them. If it is nil what is new is UTF-8 everywhere.
	EncodeText func(string) []byte
	// Encode says that EncodeText is also for games that are ASCII.
	Encode bool
	// Plain chooses the form in which moves are written anew, as [WriterOptions].Plain
	// does.
	Plain bool
	// OnError is called for games that cannot be read or changed. If it returns nil they
	// keep their bytes; if OnError is nil the first error ends the work.
	OnError func(model.RecordID, error) error
	// Report is called for what PGN cannot say of what is new.
	Report model.Report
	// Append, if not nil, is called at the end and can add games after the others.
	Append func(put func(model.Record, *model.Entities) error) error
}

// Edit copies the text in src to dst. It calls change with every game that can be read;
// change may alter the game and returns what it altered. The names of a game are ids in
// the tables, to which change may add others.
//
// Games that are not changed keep their bytes, and so does everything between them. In a
// changed game only tags with other values are written anew; new tags go where [Writer]
// puts them, and a new result also replaces the word that ends the moves. Moves are
// written anew, as a whole, only for [model.ChangedGame]. A removed game goes with the
// blanks after it; if the game before it has no result, "*" is added to end that. Code
// page, line ends and compression of the text stay.
//
// The text is read twice at the same time, and the result is read once: if, because of
// damaged tags or comments, it has other games or moves than it should, Edit fails.
// Memory does not depend on the size. Edit returns how many games were rewritten or
// removed.
func Edit(ctx context.Context, dst io.Writer, src io.ReaderAt, opt EditOptions, change func(*model.Record, *model.Entities) (model.Change, error)) (games int, err error) {
	if opt.OnError == nil {
		opt.OnError = func(_ model.RecordID, err error) error { return err }
	}
	raw, form, done, err := packed.NewFormReader(io.NewSectionReader(src, 0, math.MaxInt64), opt.Reader.File)
	if err != nil {
		return 0, inputError(opt.Reader.File, err)
	}
	defer done()
	out, err := form.NewWriter(dst)
	if err != nil {
		return 0, inputError(opt.Reader.File, err)
	}
	begin, _ := raw.Peek(raw.Size()) // it fails where the text is shorter
	text, again := io.Pipe()
	e := editing{opt: &opt, change: change, raw: raw, to: out, again: again, lineEnd: lineEndOf(begin, "\n")}
	e.moves.init(opt.Plain, opt.Report)
	e.names.init(false, nil)
	opt.Reader.Part, opt.Reader.Parts, opt.Reader.outline = 0, 0, false
	// What is written is read while it is written, to see that its games are those.
	counting, counted := opt.Reader, make(chan reading, 1)
	counting.Report = nil
	go func() {
		var all reading
		for rec, err := range NewReader(text, counting).Records(ctx, 1, model.WantMoves) {
			if err == nil {
				all.add(rec.Game)
			}
		}
		_ = text.Close() // which lets the writer go on
		counted <- all
	}()
	defer again.Close()
	opt.Reader.outline = true
	r := NewReader(io.NewSectionReader(src, 0, math.MaxInt64), opt.Reader)
	e.entities = r.Entities()
	for rec, err := range r.Records(ctx, 1, model.WantMoves|model.WantAnnotations) {
		switch {
		case err == nil:
			err = e.game(rec, r.offset, r.outline)
			e.behindError = false
		case rec.ID != 0:
			e.unread++
			e.behindError, e.open, err = true, true, e.opt.OnError(rec.ID, err)
		}
		if err != nil {
			return e.games, err
		}
	}
	if err := errors.Join(e.finish(), out.Close()); err != nil {
		return e.games, err
	}
	_ = again.Close()
	if got := <-counted; got != e.left {
		what := "other moves would be read instead of these"
		if got.games != e.left.games {
			what = fmt.Sprintf("%d games could be read instead of %d", got.games, e.left.games)
		}
		return e.games, fmt.Errorf("%s: %w: with these changes, %s, because tags or comments are damaged; mend them first, or convert the file to another one",
			cmp.Or(opt.Reader.File, "input"), model.ErrCorrupt, what)
	}
	return e.games, nil
}

// reading is how many games can be read, and a sum of their moves.
type reading struct {
	games int
	moves uint64
}

func (r *reading) add(g *model.Game) {
	r.games++
	for _, n := range g.Moves.Nodes() {
		r.moves = (r.moves ^ uint64(n.Move)<<32 ^ uint64(uint32(n.Parent))) * 1099511628211 // as FNV does
	}
	r.moves += uint64(r.games)
}

// editing is one run of [Edit].
type editing struct {
	opt      *EditOptions
	change   func(*model.Record, *model.Entities) (model.Change, error)
	raw      *bufio.Reader // the text as it stands there
	at       int64         // the place of raw in the text
	to       io.Writer
	again    *io.PipeWriter // gets what was written too; it does not fail: what counts is what is read
	tail     []byte         // what was written last
	entities *model.Entities
	lineEnd  string  // the last one in the text, at the beginning the first one
	games    int     // that were changed
	left     reading // that are there at the end
	unread   int     // and those that cannot be read
	// behindError says that what stands in front of the game could not be read, and
	// unsure, that a tag there would not be known to be its own.
	behindError, unsure bool
	// open says that the game in front has no result behind its moves, and might go on
	// with what follows; gone, that a game has gone.
	open, gone bool

	moves, names encoder // of moves, and of tags alone
	tags         []model.Tag
	text         []byte // of the game
	where        *outline
	inText       map[nthTag]*tagSpan
	inPage       bool // what is new of the game is in the code page
	splices      []splice
}

// splice is a part of a text with what takes its place.
type splice struct {
	span
	with []byte
}

// Write writes to the target, and remembers how it ends, and how its last line does.
func (e *editing) Write(p []byte) (int, error) {
	const most = 2 * longestResult
	switch i := bytes.LastIndexAny(p, "\r\n"); {
	case i < 0:
	case p[i] == '\r':
		e.lineEnd = "\r"
	case i > 0 && p[i-1] == '\r', i == 0 && bytes.HasSuffix(e.tail, []byte("\r")):
		e.lineEnd = "\r\n"
	default:
		e.lineEnd = "\n"
	}
	e.tail = append(e.tail, p[max(0, len(p)-most):]...)
	e.tail = append(e.tail[:0], e.tail[max(0, len(e.tail)-most):]...)
	_, _ = e.again.Write(p)
	return e.to.Write(p)
}

// game gives a game to the function and writes what it became.
func (e *editing) game(rec model.Record, at int64, where *outline) error {
	game, was := rec.Game, *rec.Game
	e.tags = append(e.tags[:0], was.Tags...)
	was.Tags = e.tags
	if rec.Deleted {
		was.Tags = markDeleted(was.Tags)
	}
	what, err := e.change(&rec, e.entities)
	if err != nil || what == model.Unchanged {
		e.left.add(game)
		e.open = where.result.to == 0
		return err
	}
	defer func() { *game, game.Tags = was, nil }() // its memory is the reader's
	if _, err := io.CopyN(e, e.raw, at-e.at); err != nil {
		return e.readError(err)
	}
	e.where, e.text = where, slices.Grow(e.text[:0], where.end)[:where.end]
	if _, err := io.ReadFull(e.raw, e.text); err != nil {
		return e.readError(err)
	}
	e.at = at + int64(where.end)
	if what == model.Removed {
		e.games++
		e.gone = true
		if e.open && !(e.behindError && resultBefore(e.tail, len(e.tail))) {
			// The game in front has no end, and would go on with the next one. That the
			// result is not known is what its absence says.
			// It stands on a line of its own: beside a tag it would be none.
			e.open = false
			if _, err := io.WriteString(e, e.toNewLine()+resultMarker(model.NoResult)+e.lineEnd+e.lineEnd); err != nil {
				return err
			}
		}
		return e.skipBlanks()
	}
	e.open = where.result.to == 0 && what != model.ChangedGame
	if rec.Game == nil {
		return fmt.Errorf("record %d: %w: there is no game any more", rec.ID, model.ErrOption)
	}
	if err := errors.Join(rec.CheckMade(), model.CheckReferences(&rec, e.entities)); err != nil {
		return fmt.Errorf("record %d: %w", rec.ID, err)
	}
	if rec.Deleted {
		rec.Game.Tags = markDeleted(rec.Game.Tags)
	}
	text, left := e.changed(rec, &was, what == model.ChangedGame), rec.Game
	if e.unsure {
		text, left = e.text, &was
		err = e.opt.OnError(rec.ID, fmt.Errorf("%s: record %d: %w: it has no tags, and what stands in front of it cannot be read, so that none can be written there; mend that first",
			cmp.Or(e.opt.Reader.File, "input"), rec.ID, model.ErrCorrupt))
		if err != nil {
			return err
		}
	}
	if e.left.add(left); !bytes.Equal(text, e.text) {
		e.games++
	}
	_, err = e.Write(text)
	return err
}

// readError says that what could be read before cannot be read now.
func (e *editing) readError(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = fmt.Errorf("%w while it was read", model.ErrChanged)
	}
	return inputError(e.opt.Reader.File, err)
}

// skipBlanks leaves out the blanks behind a game that goes. A comment stays behind a blank
// line: else it would belong to the game in front.
func (e *editing) skipBlanks() error {
	for {
		b, err := e.raw.ReadByte()
		switch {
		case err == io.EOF:
			return nil
		case err != nil:
			return e.readError(err)
		case b == '{', b == ';', b == '%' && e.left.games > 0:
			_, err := io.WriteString(e, e.toBlankLine())
			return errors.Join(err, e.raw.UnreadByte())
		case b != ' ' && b != '\t' && b != '\r' && b != '\n':
			return e.raw.UnreadByte()
		}
		e.at++
	}
}

// finish writes the rest of the text, and what is put behind it.
func (e *editing) finish() error {
	if _, err := io.Copy(e, e.raw); err != nil {
		return e.readError(err)
	}
	if e.opt.Append != nil {
		if err := e.opt.Append(e.put); err != nil {
			return err
		}
	}
	if e.left.games+e.unread > 0 || !e.gone {
		return nil
	}
	_, err := io.WriteString(e, e.toNewLine()+noGames)
	return err
}

// toNewLine returns what ends the last line, if there is anything but blanks on it.
func (e *editing) toNewLine() string {
	if n := len(bytes.TrimRight(e.tail, " \t")); n == 0 || e.tail[n-1] == '\n' || e.tail[n-1] == '\r' {
		return ""
	}
	return e.lineEnd
}

// put writes a game behind all others.
func (e *editing) put(rec model.Record, entities *model.Entities) error {
	switch {
	case rec.Text != nil:
		e.opt.Report.Add(model.LostRecord, rec.ID, "text", "PGN has no guiding texts; left out %q", textTitle(rec.Text))
		return nil
	case rec.Deleted:
		e.opt.Report.Add(model.LostRecord, rec.ID, "game", "it is marked as deleted; left out")
		return nil
	}
	if _, err := io.WriteString(e, e.toBlankLine()); err != nil {
		return err
	}
	e.left.add(rec.Game)
	e.moves.record = rec.ID
	model.ReportUnread(rec, entities, "", e.opt.Report)
	_, err := e.Write(e.encode(e.moves.appendGame(nil, rec.Game, entities), e.opt.Encode))
	return err
}

// toBlankLine returns what is missing of a blank line at the end; nothing is where that is
// the beginning.
func (e *editing) toBlankLine() string {
	front := strings.Repeat(e.lineEnd, 2)
	for end := e.tail; front != ""; front = front[len(e.lineEnd):] {
		short := bytes.TrimSuffix(bytes.TrimSuffix(end, []byte("\n")), []byte("\r"))
		if len(end) > 0 && len(short) == len(end) {
			break
		}
		end = short
	}
	return front
}

// lineEndOf returns how the first line ends of a text, or, if it has one line alone, what
// is usual.
func lineEndOf(text []byte, usual string) string {
	i := bytes.IndexAny(text, "\r\n")
	switch {
	case i < 0:
		return usual
	case text[i] == '\n':
		return "\n"
	case i+1 < len(text) && text[i+1] == '\n':
		return "\r\n"
	}
	return "\r"
}

// encode returns a text with the line ends of the game, and in the code page if it is to
// be. Where the page has no place for it, or would be taken for UTF-8, it is UTF-8.
func (e *editing) encode(text []byte, inPage bool) []byte {
	if e.lineEnd != "\n" {
		text = bytes.ReplaceAll(text, []byte("\n"), []byte(e.lineEnd))
	}
	if !inPage || e.opt.EncodeText == nil || !utf8.Valid(text) {
		return text
	}
	coded := e.opt.EncodeText(string(text))
	for i := 0; i < len(coded); i++ {
		from := i
		for i < len(coded) && coded[i] >= utf8.RuneSelf {
			i++
		}
		if i > from && utf8.Valid(coded[from:i]) {
			return text
		}
	}
	return coded
}

// changed returns the text of a game that has changed; anew says that its moves are
// written anew.
func (e *editing) changed(rec model.Record, was *model.Game, anew bool) []byte {
	where := e.where
	e.lineEnd = lineEndOf(e.text, e.lineEnd)
	e.inPage = !utf8.Valid(e.text)
	if !e.inPage && e.opt.Encode {
		e.inPage = !slices.ContainsFunc(e.text, func(b byte) bool { return b >= utf8.RuneSelf })
	}
	e.moves.record, e.unsure = rec.ID, false
	if anew && (where.early || where.heads < len(where.tags)) {
		return e.encode(bytes.TrimRight(e.moves.appendGame(nil, rec.Game, e.entities), "\n"), e.inPage)
	}
	e.findTags()
	e.splices = e.splices[:0]
	e.changeTags(rec, was)
	if !anew {
		if rec.Game.Result != was.Result && where.result.to > 0 {
			e.splices = append(e.splices, splice{where.result, []byte(resultMarker(rec.Game.Result))})
		}
		return e.spliced(len(e.text))
	}
	e.moves.g, e.moves.e = rec.Game.WithKnownValues(rec.ID, e.opt.Report), e.entities
	e.moves.out.reset(nil)
	e.moves.writeMoveText()
	end := 0
	if where.heads > 0 {
		end = where.tags[where.heads-1].to
	}
	text := e.spliced(end)
	if where.heads > 0 {
		text = append(text, e.lineEnd+e.lineEnd...)
	}
	return append(text, e.encode(bytes.TrimRight(e.moves.out.dst, "\n"), e.inPage)...)
}

// spliced returns the text up to a place with the splices in it.
func (e *editing) spliced(to int) (text []byte) {
	slices.SortStableFunc(e.splices, func(a, b splice) int { return a.from - b.from })
	at := 0
	for _, s := range e.splices {
		text = append(append(text, e.text[at:max(at, s.from)]...), s.with...)
		at = max(at, s.to)
	}
	return append(text, e.text[at:max(at, to)]...)
}

// nthTag is the name under which a writer writes a tag; of several with one name nth
// is the number.
type nthTag struct {
	name string
	nth  int
}

// writtenTag is a tag as a writer writes it, with quotes in the value escaped.
type writtenTag struct {
	nthTag
	value string
}

// tagsOf returns the tags of a game as a writer writes them.
func (e *editing) tagsOf(g *model.Game, report model.Report) (list []writtenTag) {
	enc := &e.names
	enc.report, enc.g, enc.e = report, g, e.entities
	enc.isJudged, enc.reported = false, nil
	enc.out.reset(nil)
	enc.writeTags()
	seen := map[string]int{}
	for line := range strings.Lines(string(enc.out.dst)) {
		name, value, _ := strings.Cut(line[1:], ` "`)
		list = append(list, writtenTag{nthTag{name, seen[name]}, strings.TrimSuffix(value, "\"]\n")})
		seen[name]++
	}
	return list
}

// changeTags makes the splices for the tags of a game that say something else than
// before.
func (e *editing) changeTags(rec model.Record, was *model.Game) {
	g, where := rec.Game, e.where
	// The publisher of a source follows its title, where the tag Source says both.
	source, sourceWas := e.entities.Sources.Value(g.Source), e.entities.Sources.Value(was.Source)
	one := sourceWas.Title == sourceWas.Publisher && e.inText[nthTag{name: tagNames[tagSourceTitle]}] == nil
	if one && source.Title != sourceWas.Title && source.Publisher == sourceWas.Publisher {
		source.Publisher = source.Title
		g.Source = e.entities.Sources.Intern(source)
	}
	var before, after []model.Loss
	e.names.record = rec.ID
	said := map[nthTag]string{}
	for _, t := range e.tagsOf(was, func(l model.Loss) { before = append(before, l) }) {
		said[t.nthTag] = t.value
	}
	now := e.tagsOf(g, func(l model.Loss) { after = append(after, l) })
	for _, l := range after {
		if !slices.Contains(before, l) {
			e.opt.Report.Tell(l)
		}
	}

	// What the text does not say of the start of a tournament follows from other tags,
	// which may have changed.
	sameStart := e.entities.Tournaments.Value(was.Tournament).Start == e.entities.Tournaments.Value(g.Tournament).Start
	sameTags := slices.Equal(was.Tags, g.Tags)
	newResult := was.Result != g.Result
	for i, t := range now {
		old, had := said[t.nthTag]
		delete(said, t.nthTag)
		place, isResult := e.inText[t.nthTag], newResult && t.name == tagNames[tagResult]
		switch {
		case had && old == t.value && !isResult, sameStart && t.name == tagNames[tagEventDate], sameTags && isOwn(t.nthTag):
		case place != nil:
			e.rewrite(place, t.value)
		case t.name == tagNames[tagPlyCount]:
		case isResult && where.result.to > 0 && resultMarker(g.Result) == t.value: // the moves say it
		default:
			e.insert(now, i)
		}
	}
	for name := range said {
		place := e.inText[name]
		switch {
		case place == nil, sameStart && name.name == tagNames[tagEventDate], sameTags && isOwn(name):
		case e.inText[nthTag{name: ownPrefix + name.name}] != nil: // which would count in its place
			e.rewrite(place, "")
		default:
			e.remove(place)
		}
	}
}

// isOwn reports whether a tag repeats another one or has a name of our own: it belongs to
// no field. What a field could not take of its own tag becomes such a one for writers
// when the field gets another value.
func isOwn(t nthTag) bool { return strings.HasPrefix(t.name, ownPrefix) }

// findTags finds the tags of the text by the names that a writer gives them.
func (e *editing) findTags() {
	e.inText = make(map[nthTag]*tagSpan, len(e.where.tags))
	var fields [numTags]bool
	seen, others := map[string]int{}, map[string]bool{}
	for i := range e.where.tags {
		p := &e.where.tags[i]
		coded := e.text[p.name.from:p.name.to]
		name := string(coded)
		switch {
		case utf8.ValidString(name):
		case e.opt.Reader.DecodeText != nil:
			name = e.opt.Reader.DecodeText(coded)
		default:
			name = decodeWindows1252(coded)
		}
		t, isField := tagByName(name)
		if isField && !fields[t] {
			fields[t], name = true, tagNames[t]
		} else {
			if isField {
				name = tagNames[t]
			} else if own, ok := parseOwnName(name); ok {
				name = own
			}
			_, isField = tagByName(name)
			repeated := others[name]
			if others[name] = true; isField || repeated || !isPlainName(name) {
				name = string(appendOwnName(nil, name))
			}
		}
		e.inText[nthTag{name, seen[name]}] = p
		seen[name]++
	}
}

// rewrite gives a tag another value.
func (e *editing) rewrite(p *tagSpan, value string) {
	coded := e.encode([]byte(value), e.inPage)
	s, v := e.text, p.value
	usual := p.quoted && p.closed && s[v.from-1] == '"' && s[v.to] == '"' && !bytes.ContainsAny(s[v.from:v.to], "\r\n")
	if usual {
		e.splices = append(e.splices, splice{v, coded})
		return
	}
	e.splices = append(e.splices, splice{p.span, fmt.Appendf(nil, "[%s \"%s\"]", s[p.name.from:p.name.to], coded)})
}

// headTag returns the place of a tag if it stands in front of the moves, else nil.
func (e *editing) headTag(t writtenTag) *tagSpan {
	p := e.inText[t.nthTag]
	if p == nil || e.where.heads == 0 || p.from > e.where.tags[e.where.heads-1].from {
		return nil
	}
	return p
}

// insert writes a tag that was not there: behind the one in front of it in the order of
// writers, or else in front of the next one.
func (e *editing) insert(all []writtenTag, i int) {
	line := fmt.Sprintf("[%s \"%s\"]", all[i].name, e.encode([]byte(all[i].value), e.inPage))
	for k := i - 1; k >= 0; k-- {
		if p := e.headTag(all[k]); p != nil {
			if end, is := e.lineEndAt(p.to); is {
				line = end + line
			} else {
				line = " " + line
			}
			e.splices = append(e.splices, splice{span{p.to, p.to}, []byte(line)})
			return
		}
	}
	for _, t := range all[i+1:] {
		if p := e.headTag(t); p != nil {
			line += e.lineEnd
			if p.from > 0 && e.text[p.from-1] != '\n' && e.text[p.from-1] != '\r' {
				line = strings.TrimSuffix(line, e.lineEnd) + " "
			}
			e.splices = append(e.splices, splice{span{p.from, p.from}, []byte(line)})
			return
		}
	}
	line += e.lineEnd
	if e.where.heads == 0 {
		e.unsure = e.behindError
		// The last one has the blank line behind it.
		if n := len(e.splices); n > 0 && e.splices[n-1].span == (span{}) {
			e.splices[n-1].with = bytes.TrimSuffix(e.splices[n-1].with, []byte(e.lineEnd))
		} else {
			line = e.toNewLine() + line // on that of the game in front its moves would stand beside a tag
		}
		line += e.lineEnd
	}
	e.splices = append(e.splices, splice{span{}, []byte(line)})
}

// lineEndAt returns how the line ends at a place, and whether it does end there.
func (e *editing) lineEndAt(i int) (end string, is bool) {
	rest := bytes.TrimLeft(e.text[i:], " \t")
	switch {
	case len(rest) == 0:
		return e.lineEnd, true
	case rest[0] == '\r' || rest[0] == '\n':
		return lineEndOf(rest, e.lineEnd), true
	}
	return "", false
}

// remove takes a tag away, with its line if there is nothing else on it.
func (e *editing) remove(p *tagSpan) {
	s := p.span
	for s.from > 0 && isSpace(e.text[s.from-1]) {
		s.from--
	}
	begins := s.from == 0 || e.text[s.from-1] == '\n' || e.text[s.from-1] == '\r'
	end, ends := e.lineEndAt(s.to)
	switch {
	case begins && ends:
		s.to = min(len(e.text), skipSpaces(e.text, s.to)+len(end))
	case begins:
		s.from, s.to = p.from, skipSpaces(e.text, s.to)
	}
	e.splices = append(e.splices, splice{s, nil})
}
