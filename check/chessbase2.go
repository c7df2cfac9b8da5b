package check

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"cbkit/avl"
	"cbkit/internal/cbh2"
	"cbkit/internal/dbfile"
	"cbkit/internal/derive"
	"cbkit/internal/jobs"
	"cbkit/model"
	"cbkit/read"
)

// ChessBase2 checks the database of ChessBase 17 or later that path names, as [Database]
// does one of the classic format. A violation of a rule that two descriptions of the
// format give is an error; of a rule that only one gives, a note (docs/formats/2cbh.md).
func ChessBase2(ctx context.Context, path string, opt Options) *Check {
	return newCheck(ctx, &opt, func(ctx context.Context, i *inspection) (Report, error) {
		p := pass2{inspection: i, files: map[string]*dbfile.File{}, verified: map[string]*FileReport{}}
		return p.run(ctx, path)
	})
}

// pass2 is one way through a database of ChessBase 17.
type pass2 struct {
	*inspection
	files    map[string]*dbfile.File
	verified map[string]*FileReport // with Options.Verify
	decode   func([]byte) string
	foreign  int // texts that are no UTF-8

	count int64 // of records
	lid   cbh2.NamesHeader
	dead  [6][]bool         // entities that are deleted or were never made, by type
	keys  [6][]uint64       // by which entities are sorted first
	uses  [cbh2.Roles][]use // of entities in their roles
	// Of .2cbg and .2cba: bytes that records lead to, the furthest end of these, and how
	// many records lead to a place in front of that.
	used, end, back [2]int64
}

// use is the records that name an entity.
type use struct {
	n   int64
	sum uint64 // of their numbers, whatever their order
}

func (u *use) add(id int64) { *u = use{u.n + 1, u.sum + derive.Mix(0, uint64(id))} }

// roleNames are what findings call the roles.
var roleNames = [cbh2.Roles]string{cbh2.RolePlayer: "player", cbh2.RoleTournament: "tournament", cbh2.RoleSource: "source", cbh2.RoleAnnotator: "annotator",
	cbh2.RoleTeam: "team", cbh2.RoleGameTitle: "title", cbh2.RoleTextTitle: "title of a text", cbh2.RoleAnalysisTitle: "title of an analysis"}

// framed are the files of frames.
var framed = [2]string{".2cbg", ".2cba"}

func (p *pass2) run(ctx context.Context, path string) (out Report, err error) {
	if p.selected, err = p.opt.selection("files", dbfile.ChessBase2.Exts()); err != nil {
		return out, err
	}
	if p.decode, err = read.TextDecoder(p.opt.CodePage); err != nil {
		return out, err
	}
	var watch *read.Watch
	if p.set, watch, err = findWatched(p.opt.FS, path, ".2cbh"); err != nil {
		return out, err
	}
	if !slices.ContainsFunc(dbfile.ChessBase2.Exts(), p.set.Has) {
		return out, fmt.Errorf("%s: %w: none of its files is one of a database of ChessBase 17", path, model.ErrNotDatabase)
	}
	out.Database = filepath.Join(p.set.Dir, p.set.Base)
	p.begin(Summary{Database: out.Database})
	defer func() { // they were only read
		for _, f := range p.files {
			_ = f.Close()
		}
	}()
	for _, ext := range dbfile.ChessBase2.Exts(dbfile.Main, dbfile.Part, dbfile.Optional) {
		switch f, err := openFile(p.set, ext); {
		case err == nil:
			p.files[ext] = f
		case p.set.Has(ext):
			p.add(cbh2Unreadable, inFile(ext), "cannot be opened: %v", withoutName(err, p.set.Name(ext)))
			out.Unreadable = append(out.Unreadable, newUnreadable(p.set.Name(ext), err))
		case slices.Contains(dbfile.ChessBase2.Exts(dbfile.Optional), ext):
			p.add(cbh2MissingOptional, inFile(ext), "the file is missing")
		default:
			p.add(cbh2Missing, inFile(ext), "the file is missing; a database is not complete without it")
			out.Missing = append(out.Missing, p.set.Name(ext))
		}
		if f := p.files[ext]; f != nil && p.selected.has(ext) {
			p.out.summary.Files = append(p.out.summary.Files, f.Name())
			if p.opt.Verify && ext != ".2lgd" && ext != ".2lcd" { // which follow from the others
				p.verified[ext] = new(newFileReport(f.Name(), p.opt))
			}
		}
	}
	for ext, f := range p.files {
		p.sample("%s: %d bytes", ext, f.Size())
	}
	slices.Sort(p.out.summary.Sample)
	for _, step := range []func(context.Context) error{p.headers, p.names, p.records, p.lists, p.orders, p.index} {
		if err == nil {
			err = step(ctx)
		}
	}
	if err = oneState(watch, err); err == nil {
		p.addSome(cbh2CodePage, inFile(".2cbh"), p.foreign, "text", "%s in its files are no UTF-8")
		p.out.finish()
	}
	for _, ext := range dbfile.ChessBase2.Exts() {
		if r := p.verified[ext]; r != nil {
			out.Files = append(out.Files, *r)
		}
	}
	return out, err
}

// index checks the index of positions, where there is one.
func (p *pass2) index(ctx context.Context) error {
	ext := dbfile.Positions2Ext
	if !p.set.Has(".2cbh") || !p.set.Has(ext) || !p.selected.has(ext) {
		return nil
	}
	p.out.summary.Files = append(p.out.summary.Files, p.set.Name(ext))
	b := boosterChecker{opt: p.opt, tolerant: true, perCode: p.out.max}
	b.findings = findings{set: p.set, see: b.keep}
	list, err := b.check(ctx, boosterExts2)
	if err != nil {
		return err
	}
	for _, f := range list[0].Findings {
		p.see(f)
	}
	for kind, n := range b.more {
		p.out.count(kind, n)
	}
	return nil
}

// sample adds a line to the sample.
func (p *pass2) sample(format string, args ...any) {
	p.out.summary.Sample = append(p.out.summary.Sample, fmt.Sprintf(format, args...))
}

// start reads the beginning of a file, and reports a header that is none; nil: there is
// no such file, or it is not of its kind.
func (p *pass2) start(ext string, size int64, decode func([]byte) ([]byte, error)) (b []byte, err error) {
	f := p.files[ext]
	if f == nil {
		return nil, nil
	}
	b, err = f.Start(size)
	if err != nil {
		return nil, err
	}
	again, err := decode(b)
	if err != nil {
		p.addDecodeError(cbh2Header, inHeader(ext, 0, ""), "does not begin as its kind must", err)
		p.verified[ext].unsupported("header", -1, 0, f.Size(), err)
		_ = f.Close()
		delete(p.files, ext)
		return nil, nil
	}
	if r := p.verified[ext]; r != nil {
		b := b[:min(len(again), len(b))]
		r.try(trial{part: "header", record: -1, stored: b, value: again, kept: b, why: meaningless})
	}
	return b, nil
}

// headers reads the headers of the files of records.
func (p *pass2) headers(context.Context) error {
	var head cbh2.Header
	b, err := p.start(".2cbh", cbh2.RecordSize, func(b []byte) ([]byte, error) {
		var err error
		if head, err = cbh2.DecodeHeader(b); err == nil {
			err = head.Check(len(b))
		}
		return head.Append(nil), err
	})
	if err != nil {
		return err
	}
	if b != nil {
		size := p.files[".2cbh"].Size()
		p.count = size/cbh2.RecordSize - 1
		p.sample(".2cbh: word %d, version %d, next id %d, %s", head.Unknown08, head.Version, head.NextID, quantity(p.count, "record"))
		if head.Version != cbh2.Version {
			p.add(cbh2Version, inHeader(".2cbh", 13, "version"), "%d, which is read as %d", head.Version, cbh2.Version)
		}
		if rest := size % cbh2.RecordSize; rest != 0 {
			p.add(cbh2Cut, inFile(".2cbh"), "it ends inside record %d", p.count+1)
		}
		if int64(head.NextID) != p.count+1 {
			p.add(cbh2NextID, inHeader(".2cbh", 16, "next id"), "%d, there are %s", head.NextID, quantity(p.count, "record"))
		}
	}
	p.out.summary.Records = int(p.count)
	for _, ext := range framed {
		var h cbh2.BlobHeader
		b, err := p.start(ext, cbh2.BlobHeaderSize, func(b []byte) (again []byte, err error) {
			h, err = cbh2.DecodeBlobHeader(b)
			return h.Append(nil), err
		})
		if err != nil {
			return err
		}
		if p.sample("%s: %+v", ext, h); b != nil && h.Size != p.files[ext].Size() {
			p.add(cbh2FileSize, inHeader(ext, 0, "size"), "%d bytes, the file has %d", h.Size, p.files[ext].Size())
		}
	}
	return nil
}

// names reads all entities.
func (p *pass2) names(ctx context.Context) error {
	b, err := p.start(".2lid", cbh2.MaxNamesHeader, func(b []byte) (again []byte, err error) {
		if p.lid, err = cbh2.DecodeNamesHeader(b); err == nil {
			again = p.lid.Append(nil)
		}
		return again, err
	})
	if b == nil || err != nil {
		return err
	}
	p.sample(".2lid: header of %d bytes, types %v, pairs % x", p.lid.Size, p.lid.Types, p.lid.Tail)
	f, most := p.files[".2lid"], int64(0)
	for of := range p.dead {
		t := &p.lid.Types[of]
		if fit := max((f.Size()-p.lid.Size-t.Offset+p.lid.Block()-1)/max(p.lid.Block(), 1), 0); t.Record > 0 && t.Count > fit {
			p.add(cbh2Cut, inFile(".2lid"), "it has %d of %d %ss", fit, t.Count, cbh2.EntityType(of))
			t.Count = fit
		}
		p.dead[of], p.keys[of] = make([]bool, t.Count), make([]uint64, t.Count)
		most = max(most, t.Count)
	}
	for role := range p.uses {
		if role > 0 {
			p.uses[role] = make([]use, p.lid.Types[cbh2.TypeOf[role]].Count)
		}
	}
	w := newWindow(f)
	chained := [6]int64{}
	next := [6][]int64{}
	for id := range most {
		for of := range p.dead {
			if id >= p.lid.Types[of].Count {
				continue
			}
			link, err := p.entity(w, cbh2.EntityType(of), id)
			if err != nil {
				return err
			}
			if link != notDeleted {
				next[of] = append(next[of], id, link)
			}
		}
		if id%batchSize == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
	}
	for of, links := range next { // one witness: the chain alone tells
		at, follow := p.lid.Types[of].FirstDeleted, map[int64]int64{}
		for i := 0; i < len(links); i += 2 {
			follow[links[i]] = links[i+1]
		}
		for ; at != -1; chained[of]++ {
			to, is := follow[at]
			if !is || chained[of] == int64(len(follow)) {
				p.add(cbh2Free, inFile(".2lid"), "the list of deleted %ss leads to %d, which is none or was on it", cbh2.EntityType(of), at)
				break
			}
			at = to
		}
		if at == -1 && chained[of] != int64(len(follow)) {
			p.add(cbh2Free, inFile(".2lid"), "%d of %d deleted %ss are on their list", chained[of], len(follow), cbh2.EntityType(of))
		}
	}
	return nil
}

// notDeleted is in the place of what follows on the list of deleted entities.
const notDeleted = -2

// entity reads an entity; link is the deleted one that follows if it is deleted.
func (p *pass2) entity(w *dbfile.Window, of cbh2.EntityType, id int64) (link int64, err error) {
	f, at := p.files[".2lid"], p.lid.Place(of, id)
	record, err := w.At(at, min(p.lid.Types[of].Record, f.Size()-at))
	if err != nil {
		return notDeleted, err
	}
	where := inRecord(".2lid", id, at, "")
	data, next, used, err := cbh2.EntityData(record)
	switch {
	case err != nil:
	case !used || data == nil:
		if p.dead[of][id] = true; used {
			return next, nil
		}
		return notDeleted, nil
	default:
		var value []byte
		if value, p.keys[of][id], err = cbh2.Entity(of, data, p.foreignText); err == nil {
			p.verified[".2lid"].try(trial{part: of.String(), record: id, offset: at + 4, stored: data, value: value, kept: data, why: meaningless})
		}
	}
	if err != nil {
		p.addDecodeError(cbh2Name, where, of.String(), err)
		p.verified[".2lid"].undecoded(of.String(), id, at, int64(len(record)), err)
	}
	return notDeleted, nil
}

// foreignText reads a text that is no UTF-8.
func (p *pass2) foreignText(b []byte) string {
	p.foreign++
	return p.decode(b)
}

// records looks at all records, batch by batch in several goroutines.
func (p *pass2) records(ctx context.Context) error {
	if p.files[".2cbh"] == nil {
		return nil
	}
	var kinds [cbh2.AnalysisRecord + 1]int // those that are deleted first
	take := func(number int, w *worker2) error {
		for _, f := range w.list {
			p.out.see(f)
		}
		for _, r := range w.seen {
			if kinds[r.Kind]++; r.Kind == cbh2.TextRecord {
				p.out.summary.Texts++
			}
			if r.Deleted {
				kinds[cbh2.NoRecord]++
			}
			for role, id := range r.References {
				if id >= 0 && id < int64(len(p.uses[role])) {
					p.uses[role][id].add(r.id)
				}
			}
			for i, f := range r.frames {
				if p.used[i] += f.size; f.size > 0 && f.at < p.end[i] {
					p.back[i]++
				}
				p.end[i] = max(p.end[i], f.at+f.size)
			}
		}
		for ext, r := range w.verified {
			p.verified[ext].merge(r)
		}
		p.foreign += w.foreign
		if p.opt.Progress != nil {
			p.opt.Progress(int(min(int64(number+1)*batchSize, p.count)), int(p.count))
		}
		return nil
	}
	err := inOrder(ctx, int((p.count+batchSize-1)/batchSize), jobs.Count(p.opt.Jobs), p.newWorker, func(w *worker2, number int) (*worker2, error) {
		out := *w // the result has lists of its own
		out.list, out.seen, out.foreign, out.verified = nil, nil, 0, map[string]*FileReport{}
		for ext, r := range p.verified {
			out.verified[ext] = new(newFileReport(r.File, p.opt))
		}
		for id := int64(number)*batchSize + 1; id <= min(int64(number+1)*batchSize, p.count); id++ {
			if err := out.record(id); err != nil {
				return nil, err
			}
		}
		w.moves, w.placed, w.places, w.sharing = out.moves, out.placed, out.places, out.sharing
		return &out, nil
	}, take)
	if err != nil {
		return err
	}
	p.sample("records: %d games, %d texts, %d analyses; %d are deleted", kinds[cbh2.GameRecord], kinds[cbh2.TextRecord], kinds[cbh2.AnalysisRecord], kinds[cbh2.NoRecord])
	for i, ext := range framed {
		f := p.files[ext]
		if f == nil {
			continue
		}
		if p.back[i] > 0 {
			p.add(cbh2Unused, inFile(ext), "%s in front of those of earlier numbers, or in their place", quantity(p.back[i], "record"))
		}
		if unused := f.Size() - cbh2.BlobHeaderSize - p.used[i]; unused > 0 {
			p.add(cbh2Unused, inFile(ext), "%s that no record leads to", quantity(unused, "byte"))
		}
	}
	return nil
}

// worker2 looks at records, in a goroutine of its own.
type worker2 struct {
	findings
	p        *pass2
	headers  *dbfile.Window
	frames   [2]*dbfile.Window
	sharing  [2]dbfile.Sharing
	moves    cbh2.Moves
	placed   []cbh2.Placed
	places   []int32
	seen     []seen2
	foreign  int
	verified map[string]*FileReport
}

// seen2 is a record that was looked at.
type seen2 struct {
	id int64
	cbh2.Record
	frames [2]struct{ at, size int64 }
}

func (p *pass2) newWorker() *worker2 {
	w := &worker2{p: p, findings: findings{set: p.set, selected: p.selected}, headers: newWindow(p.files[".2cbh"])}
	for i, ext := range framed {
		if f := p.files[ext]; f != nil {
			w.frames[i] = newWindow(f)
		}
	}
	return w
}

// record looks at a record.
func (w *worker2) record(id int64) error {
	at := id * cbh2.RecordSize
	raw, err := w.headers.At(at, cbh2.RecordSize)
	if err != nil {
		return err
	}
	var r cbh2.Record
	if err := r.Decode(raw); err != nil {
		w.addDecodeError(cbh2Kind, inRecord(".2cbh", id, at, ""), "cannot be read", err)
		w.verified[".2cbh"].undecoded("record", id, at, cbh2.RecordSize, err)
		return nil
	}
	raw = slices.Clone(raw) // the windows are used again
	w.verified[".2cbh"].try(trial{part: "record", record: id, offset: at, stored: raw, value: r.Append(nil), kept: raw, why: meaningless})
	w.seen = append(w.seen, seen2{id: id, Record: r})
	for role, entity := range r.References {
		dead, what := w.p.dead[cbh2.TypeOf[role]], ""
		switch {
		case w.p.files[".2lid"] == nil:
		case entity < 0 || entity >= int64(len(dead)):
			what = "there are %[2]d"
		case dead[entity]:
			what = "which is deleted, or was never made"
		}
		if what != "" {
			w.add(cbh2Reference, inRecord(".2cbh", id, at, roleNames[role]), "it is number %d; "+what, entity, len(dead))
		}
	}
	if r.Kind == cbh2.GameRecord {
		if _, ok := r.ResultOf(); !ok {
			w.add(cbh2Field, inRecord(".2cbh", id, at, "result"), "%d is no result", r.Result)
		}
		if r.ECO != 0 && r.Opening() == 0 && r.Chess960() < 0 {
			w.add(cbh2Field, inRecord(".2cbh", id, at, "eco"), "%d is no opening", r.ECO)
		}
	}
	moves, err := w.frame(0, id, r.Moves)
	if err != nil {
		return err
	}
	if r.Kind == cbh2.TextRecord {
		if moves.content != nil {
			w.text(id, &moves)
		}
		return nil
	}
	decoded := moves.content != nil && w.game(id, &moves)
	notes, err := w.frame(1, id, r.Annotations)
	if err != nil {
		return err
	}
	whole := notes.content != nil && w.annotations(id, &notes, decoded)
	if r.Kind == cbh2.GameRecord && decoded && (whole || w.frames[1] == nil) {
		w.derived(id, &r)
	}
	return nil
}

// A stored2 is a frame of a record.
type stored2 struct {
	cbh2.FrameHead
	ext     string
	at      int64
	bytes   []byte
	content []byte // nil if the frame cannot be read
}

// in is a place in the content.
func (s *stored2) in(id int64) place { return inRecord(s.ext, id, s.at+cbh2.FrameHeadSize, "") }

// frame reads a frame of a record.
func (w *worker2) frame(n int, id, at int64) (s stored2, err error) {
	s.ext, s.at = framed[n], at
	if w.frames[n] == nil {
		return s, nil
	}
	f := w.p.files[s.ext]
	size, err := int64(cbh2.FrameHeadSize), error(nil)
	if at < cbh2.BlobHeaderSize || at > f.Size()-cbh2.FrameSize {
		w.add(cbh2Frame, inRecord(".2cbh", id, id*cbh2.RecordSize+8, "offset"), "%d is not inside %s, which has %d bytes", at, f.Name(), f.Size())
		return s, nil
	}
	head, err := w.frames[n].At(at, size)
	if err != nil {
		return s, err
	}
	var bad error
	if s.FrameHead, bad = cbh2.DecodeFrameHead(head); bad == nil {
		if size = min(s.Size(), f.Size()-at); !w.sharing[n].Pass(f.Size(), at, size) {
			bad, size = w.sharing[n].Refused(f.Name(), at, size, model.RecordID(id)), 0
		} else if s.bytes, err = w.frames[n].At(at, size); err != nil {
			return s, err
		} else {
			s.FrameHead, s.content, bad = cbh2.DecodeFrame(s.bytes)
		}
		last := &w.seen[len(w.seen)-1].frames[n]
		last.at, last.size = at, size
	}
	if bad != nil {
		s.content = nil
		w.addDecodeError(cbh2Frame, inRecord(s.ext, id, at, ""), "the record cannot be read", bad)
		w.verified[s.ext].undecoded("frame", id, at, size, bad)
	} else if s.content == nil {
		s.content = []byte{}
	}
	return s, nil
}

// tried compares the frame with what is encoded again, of the values alone and with what
// was kept.
func (w *worker2) tried(s *stored2, id int64, value, kept []byte, why string) {
	if r := w.verified[s.ext]; r != nil {
		r.try(trial{part: "frame", record: id, offset: s.at, stored: s.bytes, value: cbh2.AppendFrame(nil, s.Tag, value, s.Spare),
			kept: cbh2.AppendFrame(nil, s.Tag, kept, s.Spare), why: because(why)})
	}
}

// foreignText reads a text that is no UTF-8.
func (w *worker2) foreignText(b []byte) string {
	w.foreign++
	return w.p.decode(b)
}

// text looks at a guiding text.
func (w *worker2) text(id int64, s *stored2) {
	texts, err := cbh2.DecodeText(s.content, w.foreignText)
	if err == nil && s.Tag != cbh2.TagText {
		err = fmt.Errorf("the tag %04x is not that of a text", s.Tag)
	}
	if err != nil {
		w.addDecodeError(cbh2Text, s.in(id), "the text cannot be read", err)
		w.verified[s.ext].undecoded("frame", id, s.at, s.Size(), err)
		return
	}
	w.tried(s, id, cbh2.AppendText(nil, texts), s.content, "languages that the text has not, or a text that is no UTF-8")
}

// game looks at moves, and reports whether they can be read.
func (w *worker2) game(id int64, s *stored2) bool {
	if err := w.moves.Decode(s.Tag, s.content); err != nil {
		w.addDecodeError(cbh2Moves, s.in(id), "the moves cannot be read", err)
		w.verified[s.ext].undecoded("frame", id, s.at, s.Size(), err)
		return false
	}
	if w.moves.SetUp[2] != 0 {
		w.add(cbh2Field, s.in(id), "the words of the set-up are %04x; the third is read as the file of en passant, after one witness", w.moves.SetUp)
	}
	if w.verified[s.ext] != nil {
		plain := w.moves
		plain.Section = nil
		value, _, err := cbh2.AppendMoves(nil, &plain)
		kept, _, err2 := cbh2.AppendMoves(nil, &w.moves)
		if err == nil && err2 == nil {
			w.tried(s, id, value, kept, "other words of the set-up than its position gives")
		} else {
			w.tried(s, id, nil, nil, "")
		}
	}
	return true
}

// annotations looks at annotations, and reports whether all of them can be read.
func (w *worker2) annotations(id int64, s *stored2, placed bool) bool {
	var err error
	w.placed, err = cbh2.DecodeAnnotations(w.placed[:0], s.content, w.foreignText)
	if err == nil && s.Tag != cbh2.TagAnnotations {
		err = fmt.Errorf("the tag %04x is not that of annotations", s.Tag)
	}
	var stop *cbh2.StopError
	switch {
	case errors.As(err, &stop):
		w.add(cbh2Type, s.in(id), "type %02x has no known length; %s from there on are not read: % x", stop.Type, quantity(len(stop.Rest), "byte"), masked(stop.Rest))
		w.verified[s.ext].unsupported("frame", id, s.at, s.Size(), err)
		return false
	case err != nil:
		w.addDecodeError(cbh2Annotations, s.in(id), "the annotations cannot be read", err)
		w.verified[s.ext].undecoded("frame", id, s.at, s.Size(), err)
		return false
	}
	if n := len(w.placed); placed && n > 0 && int(w.placed[n-1].Place) >= w.moves.Tree.Len() {
		w.add(cbh2Place, s.in(id), "annotations of move %d, the game has %s", w.placed[n-1].Place+1, quantity(w.moves.Tree.Len(), "move"))
	}
	if w.verified[s.ext] != nil {
		value, err := cbh2.AppendAnnotations(nil, w.placed)
		if err == nil {
			w.tried(s, id, value, s.content, "a text that is no UTF-8, or an opaque part of an annotation")
		} else {
			w.verified[s.ext].unsupported("frame", id, s.at, s.Size(), err)
		}
	}
	return true
}

// masked returns the first sixteen bytes, without those of three letters or more.
func masked(b []byte) []byte {
	b = slices.Clone(b[:min(len(b), 16)])
	run := 0
	for i, c := range b {
		if run++; c < ' ' || c == 0x7f {
			run = 0
		} else if run >= 3 {
			copy(b[i-run+1:i+1], "................")
		}
	}
	return b
}

// derived compares what a header says of moves and annotations with them.
func (w *worker2) derived(id int64, r *cbh2.Record) {
	facts, err := derive.Moves(w.moves.Position(), &w.moves.Tree)
	if err != nil {
		return
	}
	tell := func(field string, stored, want any) {
		w.add(cbh2Derived, inRecord(".2cbh", id, id*cbh2.RecordSize, field), "%v; the game gives %v", stored, want)
	}
	plies := w.moves.Tree.MainLen() + 1
	if start := w.moves.Position(); start != nil && start.Turn == model.Black {
		plies++
	}
	if want := plies / 2; int(r.FullMoves) != want {
		tell("full moves", r.FullMoves, want)
	}
	known, want := derive.MoveFlags, facts.Flags
	if w.frames[1] != nil {
		known |= cbh2.AnnotationFlags
		want |= cbh2.FlagsOf(w.placed)
	}
	if r.Flags&known != want {
		tell("flags", fmt.Sprintf("%08x", r.Flags&known), fmt.Sprintf("%08x", want))
	}
	first, second := derive.Sorted(facts.Material)
	if m := [2]uint32{uint32(first), uint32(second)}; r.Material != m {
		tell("material", fmt.Sprintf("%04x", r.Material), fmt.Sprintf("%04x", m))
	}
}

// lists compares the lists of .2lgd with the references of the records: their numbers,
// and what they have without regard to its order, which must ascend.
func (p *pass2) lists(ctx context.Context) error {
	blocks := int32(0)
	b, err := p.start(".2lgd", cbh2.ListsHeaderSize, func(b []byte) (again []byte, err error) {
		blocks, err = cbh2.DecodeListsHeader(b)
		return nil, err
	})
	if b == nil || err != nil || p.files[".2cbh"] == nil {
		return err
	}
	f := p.files[".2lgd"]
	heads, chains := newWindow(f), newWindow(f)
	slots := (f.Size() - cbh2.ListsHeaderSize) / cbh2.ListsRecordSize
	var failed error
	block := func(n int64) (ids []int64, next int64, ok bool) {
		if n < 0 || n >= min(slots, int64(blocks)) {
			return nil, 0, false
		}
		b, err := chains.At(cbh2.ListsHeaderSize+n*cbh2.ListsRecordSize+cbh2.ListBlockAt, cbh2.ListsRecordSize-cbh2.ListBlockAt)
		if failed = err; err != nil {
			return nil, 0, false
		}
		return cbh2.DecodeListBlock(b)
	}
	most := 0
	for of := range p.dead {
		most = max(most, len(p.dead[of]))
	}
	for id := range int64(most) {
		at := cbh2.ListsHeaderSize + id*cbh2.ListsRecordSize
		var lists [cbh2.Roles]cbh2.List
		if id < slots {
			b, err := heads.At(at, cbh2.ListsRecordSize)
			if err != nil {
				return err
			}
			lists = cbh2.DecodeLists(b)
		} else {
			for role := range lists {
				lists[role] = cbh2.List{First: -1, Last: -1}
			}
		}
		for role := range lists {
			if id >= int64(len(p.uses[role])) {
				continue
			}
			want, got, last, sorted := p.uses[role][id], use{}, int64(0), true
			where := inRecord(".2lgd", id, at, roleNames[role])
			if lists[role].Count != want.n {
				p.add(cbh2List, where, "counts %s, there are %d", quantity(lists[role].Count, "record"), want.n)
				continue
			}
			whole := lists[role].Records(block, func(id int64) {
				got.add(id)
				sorted = sorted && id >= last
				last = id
			})
			switch {
			case failed != nil:
				return failed
			case !whole:
				p.add(cbh2List, where, "the list of its records breaks off")
			case got != want:
				p.add(cbh2List, where, "the list has other records than name it")
			case !sorted:
				p.add(cbh2List, where, "the list of its records is out of order")
			}
		}
		if id%batchSize == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return nil
}

// orders judges the trees of .2lcd.
func (p *pass2) orders(ctx context.Context) error {
	var orders []cbh2.Order
	b, err := p.start(".2lcd", 2*cbh2.OrderPageSize, func(b []byte) (again []byte, err error) {
		orders, err = cbh2.DecodeOrders(b)
		return nil, err
	})
	if b == nil || err != nil || p.files[".2cbh"] == nil || p.files[".2lid"] == nil {
		return err
	}
	for role := cbh2.RolePlayer; role < cbh2.Roles; role++ {
		i := slices.IndexFunc(orders, func(o cbh2.Order) bool { return o.Role == role })
		if i < 0 {
			p.add(cbh2Order, inFile(".2lcd"), "there is no order of each %s", roleNames[role])
			continue
		}
		if err := p.order(ctx, &orders[i]); err != nil {
			return err
		}
	}
	return nil
}

// order judges the tree of the entities with a role.
func (p *pass2) order(ctx context.Context, o *cbh2.Order) error {
	f, uses := p.files[".2lcd"], p.uses[o.Role]
	nodes, pages := newWindow(f), newWindow(f)
	where := func(id int64) place { return inRecord(".2lcd", id, -1, roleNames[o.Role]) }
	var members []int64
	dense := make([]int32, len(uses)) // numbers of those without records are none
	for id := range uses {
		if dense[id] = -2; uses[id].n > 0 {
			dense[id] = int32(len(members))
			members = append(members, int64(id))
		}
	}
	link := func(id int64) int32 {
		switch {
		case id == -1:
			return avl.None
		case id < 0 || id >= int64(len(dense)):
			return int32(len(members))
		}
		return dense[id]
	}
	tree := avl.Tree{Root: link(o.Root), Free: avl.None, Live: int32(min(o.Count, 1<<31-1)), Nodes: make([]avl.Node, len(members))}
	keys, parents := make([]uint64, len(members)), make([]int32, len(members))
	for i, id := range members {
		at, err := o.Node(id, func(offset int64) (int32, error) {
			if offset < 0 || offset > f.Size()-4 {
				return -1, nil
			}
			b, err := pages.At(offset, 4)
			if err != nil {
				return -1, err
			}
			return int32(uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16 | uint32(b[3])<<24), nil
		})
		if err != nil {
			return err
		}
		if at < 2*cbh2.OrderPageSize || at > f.Size()-cbh2.OrderNodeSize {
			p.add(cbh2Order, where(id), "it has no place in the file")
			return nil
		}
		b, err := nodes.At(at, cbh2.OrderNodeSize)
		if err != nil {
			return err
		}
		n, err := cbh2.DecodeOrderNode(b)
		if err != nil {
			return err
		}
		tree.Nodes[i] = avl.Node{Left: link(n.Left), Right: link(n.Right), Balance: int8(max(min(n.Balance, 100), -100))}
		keys[i], parents[i] = n.Key, link(n.Parent)
		if want := p.keys[cbh2.TypeOf[o.Role]][id]; n.Key != want && !p.dead[cbh2.TypeOf[o.Role]][id] {
			p.add(cbh2Order, where(id), "the key is %016x, its name gives %016x", n.Key, want)
		}
		if i%batchSize == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
	}
	faults := tree.Verify(func(a, b int32) int {
		if keys[a] > 1 && keys[b] > 1 && keys[a] > keys[b] { // those without a key are sorted by more than is known
			return 1
		}
		return -1
	})
	for _, fault := range faults {
		at := inHeader(".2lcd", -1, roleNames[o.Role])
		if fault.ID != avl.None {
			at = where(members[fault.ID])
		}
		p.add(cbh2Order, at, "the %s in the tree is wrong", fault.Field)
	}
	if len(faults) == 0 {
		for i := range members {
			for _, child := range []int32{tree.Nodes[i].Left, tree.Nodes[i].Right} {
				if child >= 0 && parents[child] != int32(i) {
					p.add(cbh2Order, where(members[child]), "its parent is another node than the one that leads to it")
				}
			}
		}
	}
	return nil
}
