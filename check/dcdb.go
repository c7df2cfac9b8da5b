package check

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"cbkit/internal/dbfile"
	"cbkit/internal/dcdb"
	"cbkit/internal/derive"
	"cbkit/model"
	"cbkit/read"
)

// Simple checks the Simple Chess Database that path names: one of its files, or the name
// without an ending.
//
// Damage of any kind is a finding; an error means that the check could not be
// made, as for [Database]. Of the options all but Files count.
func Simple(ctx context.Context, path string, opt Options) *Check {
	return newCheck(ctx, &opt, func(ctx context.Context, i *inspection) (Report, error) {
		p := simplePass{inspection: i, checks: true, verifies: opt.Verify}
		err := p.run(ctx, path)
		return p.verify.out, err
	})
}

// VerifySimple does for a Simple Chess Database what [Verify] does for a
// ChessBase database. Given to the encoder are the offsets and references of
// entries and their fields for searches.
func VerifySimple(ctx context.Context, path string, opt Options) (Report, error) {
	p := simplePass{inspection: &inspection{opt: &opt}, verifies: true}
	err := p.run(ctx, path)
	return p.verify.out, err
}

// simplePass is one way through a Simple Chess Database, as pass is through one
// of ChessBase.
type simplePass struct {
	*inspection
	checks, verifies bool
	verify           simpleVerifier
	damaged          bool // something was found about the present game
}

// run finds the files, and does the work on them while they stay as they are.
func (p *simplePass) run(ctx context.Context, path string) error {
	set, watch, err := findWatched(nil, path, ".dci")
	if err != nil {
		return err
	}
	if !set.Has(".dci") {
		return fmt.Errorf("%s: %w: there is no %s beside it", path, model.ErrNotDatabase, set.Name(".dci"))
	}
	base := dbfile.StemOf(set.Path(".dci"))
	p.verify.out, p.set = Report{Database: base}, set
	p.begin(Summary{Database: base})
	for _, ext := range dbfile.Simple.Exts() {
		if set.Has(ext) {
			p.out.summary.Files = append(p.out.summary.Files, set.Name(ext))
		}
	}
	return p.settle(watch, p.do(ctx, set))
}

// do opens the database and takes its games, one by one.
func (p *simplePass) do(ctx context.Context, set *read.FileSet) error {
	how := read.Options{CodePage: p.opt.CodePage, Jobs: p.opt.Jobs, Warn: p.warned}
	db, err := read.Open(set.Path(".dci"), how)
	if err != nil {
		p.addReadError(simpleUnreadable, err)
		if p.verifies {
			return err
		}
		return nil
	}
	defer db.Close()
	s, err := openSimpleFiles(set)
	if err != nil {
		return err
	}
	defer s.close()
	p.out.summary.Records, p.damaged = db.Count(), false
	if p.verifies {
		v := &p.verify
		v.s, v.index, v.games = s, newFileReport(s.index.Name(), p.opt), newFileReport(s.games.Name(), p.opt)
		v.encoder.Lost = func(model.LossKind, string, string, ...any) {}
		if v.isDraft() {
			v.index.unsupported("header", -1, 0, int64(len(s.header)), errDraft)
		} else {
			v.index.header(s.header, s.layout.AppendIndexHeader(nil, s.layout.OpenDefault(s.header)), nil, len(s.header))
		}
	}
	for rec, err := range db.Records(ctx, 1, model.WantAll) {
		if rec.ID == 0 {
			return err
		}
		if err := s.read(int64(rec.ID) - 1); err != nil {
			return err
		}
		if p.checks {
			if err != nil {
				p.addReadError(simpleExtent, err)
			} else {
				p.game(rec)
			}
			p.damaged = false
		}
		if p.verifies {
			if err != nil {
				p.verify.index.undecoded("entry", int64(rec.ID), s.entryAt, int64(len(s.entry)), err)
			} else if err := p.verify.record(rec); err != nil {
				return err
			}
		}
		if p.opt.Progress != nil {
			p.opt.Progress(int(rec.ID), db.Count())
		}
	}
	if unused := s.games.Size() - s.used; unused != 0 && s.sound {
		what := "%d bytes that no entry leads to"
		if unused < 0 {
			unused, what = -unused, "%d bytes that several entries lead to"
		}
		p.add(simpleUnused, inFile(".dcg"), what, unused)
	}
	if p.verifies {
		return p.verify.finish(set, p.opt)
	}
	return nil
}

// addReadError reports an error of the reader.
func (p *simplePass) addReadError(code *Code, err error) {
	p.damaged = true
	p.addStated(code, inFile(".dci"), err)
}

// warned sorts what the reader passes over.
func (p *simplePass) warned(err error) {
	code := simpleGame
	if e, ok := errors.AsType[*model.FormatError](err); ok {
		switch known := simpleFieldCodes[e.Field]; {
		case known != nil:
			code = known
		case dbfile.Is(e.File, ".dci"):
			code = simpleCut
		case !dbfile.Is(e.File, ".dcg"):
			code = simpleCodePage
		}
	}
	p.addReadError(code, err)
}

// simpleFieldCodes are the codes of warnings about a field that has one of its
// own, whatever the file.
var simpleFieldCodes = map[string]*Code{
	"magic": simpleMisprint, "version": simpleLayout, "status": simpleField,
	"white": simpleReference, "black": simpleReference, "site": simpleReference, "event": simpleReference,
	"length": simpleExtent, "text": simpleCodePage,
}

// game looks at a game that could be read, if only its header.
func (p *simplePass) game(rec model.Record) {
	g, id := rec.Game, int64(rec.ID)
	for _, err := range rec.Damage {
		p.warned(err)
	}
	switch {
	case g.MovesErr != nil:
		p.addReadError(simpleGame, g.MovesErr)
	case g.Leftovers.Moves != nil && !p.damaged:
		p.add(simpleForm, inRecord(".dcg", id, -1, ""), "the game is not as it would be written")
	}
	if raw := g.Leftovers.Header.From(dcdb.Format); raw != nil {
		if e := dcdb.V0.DecodeEntry(raw); !e.Plain() {
			p.add(simpleField, inRecord(".dci", id, -1, ""),
				"status %02x, result %d, date %d.%d.%d, ECO %q: not all of them have a meaning",
				e.Status, e.Result, e.Year, e.Month, e.Day, e.ECO)
		}
	}
	if raw := g.Leftovers.Derived.From(dcdb.Format); raw != nil && g.MovesErr == nil && !p.damaged {
		want, err := derive.Search(g.Start, g.Moves.Nodes()[:g.Moves.MainLen()])
		if err == nil && want != dcdb.DecodeSearchFields(raw) {
			p.add(simpleSearch, inRecord(".dci", id, -1, "search fields"),
				"%x is stored, the moves give %x", raw, dcdb.AppendSearchFields(nil, &want))
		}
	}
}

// simpleFiles reads the index and the games of a Simple Chess Database as they
// are stored.
type simpleFiles struct {
	index, games     *dbfile.File
	entries, records *dbfile.Window
	layout           dcdb.Layout
	header           []byte
	sound            bool  // all games lay inside their file so far
	used             int64 // bytes of the games so far, with the head of their file

	// The entry that was read last, and its game without the length before it;
	// one that does not lie inside the file is cut there.
	entry, body     []byte
	stored          dcdb.Entry
	entryAt, bodyAt int64 // of both in their files
	size            int64 // of the game
}

func openSimpleFiles(set *read.FileSet) (s *simpleFiles, err error) {
	s = &simpleFiles{sound: true, used: dcdb.MagicSize}
	if s.index, err = openFile(set, ".dci"); err != nil {
		return nil, err
	}
	if s.games, err = openFile(set, ".dcg"); err != nil {
		return nil, errors.Join(err, s.index.Close())
	}
	s.entries, s.records = newWindow(s.index), newWindow(s.games)
	if s.header, err = s.index.Start(dcdb.ProbeSize); err == nil {
		s.layout, err = dcdb.Detect(s.header, s.index.Size(), s.games.Size())
	}
	if err != nil {
		return nil, errors.Join(err, s.close())
	}
	s.header = s.header[:s.layout.HeaderSize()]
	return s, nil
}

func (s *simpleFiles) close() error { return errors.Join(s.index.Close(), s.games.Close()) }

// read reads an entry, counting from 0, and its game.
func (s *simpleFiles) read(n int64) (err error) {
	size := int64(s.layout.EntrySize())
	s.entryAt = int64(len(s.header)) + n*size
	if s.entry, err = s.entries.At(s.entryAt, size); err != nil {
		return err
	}
	s.stored = s.layout.DecodeEntry(s.entry)
	at, f := int64(s.stored.Offset), s.games
	if s.stored.Offset >= uint64(f.Size()) {
		s.sound = false
		s.body, s.bodyAt, s.size = nil, int64(min(s.stored.Offset, 1<<62)), 0
	} else {
		head, err := s.records.At(at, min(dcdb.MaxLengthSize, f.Size()-at))
		if err != nil {
			return err
		}
		n, digits := dcdb.DecodeLength(head)
		s.bodyAt, s.size = at+int64(digits), int64(n)
		if digits == 0 || s.size > f.Size()-s.bodyAt {
			s.sound = false
			s.size = min(s.size, f.Size()-s.bodyAt)
		}
		if s.body, err = s.records.At(s.bodyAt, s.size); err != nil {
			return err
		}
	}
	s.used += s.bodyAt - at + s.size
	return nil
}

// simpleVerifier is what [VerifySimple] compares on a pass.
type simpleVerifier struct {
	s            *simpleFiles
	index, games FileReport
	encoder      dcdb.Encoder
	out          Report
}

// isDraft reports whether the layout of the index is an old one, which is only read.
func (v *simpleVerifier) isDraft() bool { return v.s.layout != dcdb.V0 && v.s.layout != dcdb.V1 }

// record takes an entry and its game.
func (v *simpleVerifier) record(rec model.Record) error {
	s, g, id := v.s, rec.Game, int64(rec.ID)
	if v.isDraft() {
		v.index.unsupported("entry", id, s.entryAt, int64(len(s.entry)), errDraft)
	} else {
		h, was := &g.Header, &s.stored
		e := dcdb.Entry{Offset: was.Offset, White: was.White, Black: was.Black, Site: was.Site, Event: was.Event,
			Round: h.Round, WhiteElo: h.WhiteElo, BlackElo: h.BlackElo, Search: was.Search}
		if rec.Deleted {
			e.Status = dcdb.StatusDeleted
		}
		e.SetResult(h.Result)
		e.SetDate(h.Date)
		e.SetOpening(h.ECO)
		given := int64(8 + 4*4)
		if s.layout.HasSearchFields() {
			given += dcdb.SearchFieldsSize
		}
		v.index.try(trial{part: "entry", record: id, offset: s.entryAt, stored: s.entry,
			value: s.layout.AppendEntry(nil, &e), kept: s.layout.AppendEntry(nil, was), given: given})
	}
	if g.MovesErr != nil {
		v.games.undecoded("game", id, s.bodyAt, s.size, g.MovesErr)
		return nil
	}
	t := trial{part: "game", record: id, offset: s.bodyAt, stored: s.body}
	// The numbering of promotions that gives the game back is right.
	for _, p := range []dcdb.Promotions{dcdb.FromOne + dcdb.FromTwo - s.layout.Promotions(), s.layout.Promotions()} {
		v.encoder.Promotions = p
		value, _, err := v.encoder.Encode(g)
		if err != nil {
			return err
		}
		if t.value = bytes.Clone(value); t.isExact() {
			break
		}
	}
	if raw := g.Leftovers.Moves.From(dcdb.Format); len(raw) > 0 {
		t.kept = raw[1:]
	}
	// Damage of the entry was reported with it.
	isOfGame := func(err error) bool {
		e, ok := errors.AsType[*model.FormatError](err)
		return ok && e.File == v.games.File
	}
	if i := slices.IndexFunc(rec.Damage, isOfGame); i >= 0 {
		t.why = because(rec.Damage[i].Error())
		v.games.damaged("game")
	}
	v.games.try(t)
	return nil
}

// finish takes the files of names, and reports on all.
func (v *simpleVerifier) finish(set *read.FileSet, opt *Options) error {
	v.out.Files = []FileReport{v.index, v.games}
	decode, err := read.TextDecoder(opt.CodePage)
	if err != nil {
		return err
	}
	for _, ext := range []string{".dcn", ".dcs", ".dce"} {
		if !set.Has(ext) {
			continue
		}
		f, err := openFile(set, ext)
		if err != nil {
			return err
		}
		b, err := f.All()
		if err = errors.Join(err, f.Close()); err != nil {
			return err
		}
		report := newFileReport(f.Name(), opt)
		for n := 0; dcdb.NamePlace(n) < int64(len(b)); n++ {
			at := dcdb.NamePlace(n)
			stored := b[at:min(at+dcdb.NameSize, int64(len(b)))]
			name, _ := dcdb.DecodeName(stored, decode)
			value := dcdb.EncodeName(name)
			report.try(trial{part: "name", record: int64(n), offset: at, stored: stored, value: value[:], kept: stored})
		}
		v.out.Files = append(v.out.Files, report)
	}
	return nil
}

// errDraft is why entries of old layouts are not encoded.
var errDraft = errors.New("has a layout that is only read")
