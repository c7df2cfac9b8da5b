package check

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"cbkit/internal/dbfile"
	"cbkit/internal/scid"
	"cbkit/internal/wire"
	"cbkit/model"
	"cbkit/read"
)

// Scid checks the database of Scid that path names, as [Database] does one of ChessBase.
// Faults that keep Scid from opening the database or a game are errors; wrong values that
// Scid computes itself, which real databases often have, are notes (docs/formats/si4.md).
// With Options.Verify every entry, record and name is encoded again and compared.
func Scid(ctx context.Context, path string, opt Options) *Check {
	return newCheck(ctx, &opt, func(ctx context.Context, i *inspection) (Report, error) {
		p := scidPass{inspection: i}
		return p.run(ctx, path)
	})
}

// scidPass is one way through a database of Scid.
type scidPass struct {
	*inspection
	of                  dbfile.Format
	index, games, names *dbfile.File
	verified            [3]FileReport // of the files in the order of their format
	version             scid.Version
	count               int64
	list                *scid.Names
	uses                [4][]uint32

	whole      bool  // all entries that are announced are there
	used       int64 // bytes that entries lead to
	recognised bool
}

func (p *scidPass) run(ctx context.Context, path string) (out Report, err error) {
	if p.set, err = read.FindFilesFS(p.opt.FS, path); err != nil {
		return out, err
	}
	for _, of := range []dbfile.Format{dbfile.Scid, dbfile.Scid3, dbfile.Scid5} {
		if p.set.Has(of[0].Ext) && (p.of == nil || of.Has(dbfile.EndingOf(path))) {
			p.of = of
		}
	}
	if p.of == nil {
		return out, fmt.Errorf("%s: %w: none of its files is the index of a database of Scid", path, model.ErrNotDatabase)
	}
	if p.selected, err = p.opt.selection("files", p.of.Exts()); err != nil {
		return out, err
	}
	set, watch, err := p.set.Watch(p.of[0].Ext)
	if err != nil {
		return out, err
	}
	p.set, out.Database = set, filepath.Join(set.Dir, set.Base)
	p.begin(Summary{Database: out.Database})
	for i, to := range []**dbfile.File{&p.index, &p.games, &p.names} {
		ext := p.of[i].Ext
		f, err := openFile(set, ext)
		switch {
		case err == nil:
			defer f.Close() // it was only read
			*to, p.verified[i] = f, newFileReport(f.Name(), p.opt)
			p.out.summary.Files = append(p.out.summary.Files, f.Name())
		case set.Has(ext):
			p.add(scidUnreadable, inFile(ext), "cannot be opened: %v", withoutName(err, set.Name(ext)))
			out.Unreadable = append(out.Unreadable, newUnreadable(set.Name(ext), err))
		default:
			p.add(scidMissing, inFile(ext), "the file is missing; Scid does not open the database without it")
			out.Missing = append(out.Missing, set.Name(ext))
		}
	}
	if p.index != nil {
		err = p.readNames()
		if err == nil {
			err = p.readIndex(ctx)
		}
	}
	err = p.settle(watch, err)
	if p.opt.Verify {
		for i, f := range []*dbfile.File{p.index, p.games, p.names} {
			if f != nil && p.selected.has(p.of[i].Ext) {
				out.Files = append(out.Files, p.verified[i])
			}
		}
	}
	return out, err
}

// ext are the endings of the three files.
func (p *scidPass) ext() (index, games, names string) { return p.of[0].Ext, p.of[1].Ext, p.of[2].Ext }

// readNames looks at the names: each has one id, and no two are equal.
func (p *scidPass) readNames() error {
	_, _, ext := p.ext()
	if p.names == nil {
		return nil
	}
	b, err := p.names.All()
	if err != nil {
		return err
	}
	is5 := dbfile.Is(ext, dbfile.Scid5.Exts(dbfile.Part)...)
	if is5 {
		p.version = scid.V5
		p.list, _, err = scid.DecodeNames5(b)
	} else {
		p.list, err = scid.DecodeNames(b)
	}
	if err != nil {
		p.addDecodeError(scidNames, place{File: ext, Record: -1}, "names", err)
		p.verified[2].undecoded("names", -1, 0, int64(len(b)), err)
		p.list = nil
		return nil
	}
	for kind, names := range p.list.Lists {
		p.uses[kind] = make([]uint32, len(names))
		seen := make(map[string]uint32, len(names))
		for i, n := range names {
			if first, is := seen[string(n.Bytes)]; is {
				p.add(scidNames, inRecord(ext, int64(n.ID), -1, "name"), "%q is the name of id %d too", n.Bytes, first)
			}
			seen[string(n.Bytes)] = n.ID
			if i > 0 && !is5 && !scid.Less(names[i-1].Bytes, n.Bytes) && !p.recognised {
				p.recognised = true
				if p.opt.Fixes {
					continue // finish mends it, if it can
				}
				p.add(scidNameOrder, inRecord(ext, int64(n.ID), -1, "name"), "%q stands behind %q; earlier versions of Scid refuse that", n.Bytes, names[i-1].Bytes)
			}
		}
	}
	if len(p.list.Rest) > 0 {
		p.add(scidUnused, inFile(ext), "%d bytes stand behind the names", len(p.list.Rest))
	}
	if !is5 {
		p.verified[2].try(trial{part: "names", record: -1, stored: b, value: p.list.Append(nil), kept: b})
	}
	return nil
}

// readIndex takes the header, and entry by entry with its record.
func (p *scidPass) readIndex(ctx context.Context) error {
	ext, _, _ := p.ext()
	f := p.index
	games := int64(-1)
	if p.version != scid.V5 {
		b, err := f.Start(int64(scid.V4.HeaderSize()))
		if err != nil {
			return err
		}
		var h scid.Header
		if h, p.version, err = scid.DecodeHeader(b); err != nil {
			p.addDecodeError(scidHeader, place{File: ext, Record: -1}, "header", err)
			return nil
		}
		b, games = b[:p.version.HeaderSize()], int64(h.Games)
		p.verified[0].try(trial{part: "header", record: -1, stored: b, value: h.Append(nil), kept: b})
	}
	size, head := int64(p.version.EntrySize()), int64(p.version.HeaderSize())
	p.count = max(0, (f.Size()-head)/size)
	if rest := (f.Size() - head) % size; rest != 0 {
		p.add(scidCut, inRecord(ext, p.count+1, f.Size()-rest, ""), "the file ends inside an entry, of which it has %d bytes of %d", rest, size)
	}
	switch {
	case games < 0 || games == p.count:
		p.whole = (f.Size()-head)%size == 0
	case games > p.count:
		p.add(scidCut, inHeader(ext, 14, "games"), "%d games, there are %d entries", games, p.count)
	default:
		p.add(scidBehind, inHeader(ext, 14, "games"), "%d games; Scid does not open a database that has %d entries more", games, p.count-games)
		p.count = games
	}
	p.out.summary.Records = int(p.count)
	entries := newWindow(f)
	var records *dbfile.Window
	if p.games != nil {
		records = newWindow(p.games)
	}
	g := &scid.Game{}
	for id := int64(1); id <= p.count; id++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		at := head + (id-1)*size
		b, err := entries.At(at, size)
		if err != nil {
			return err
		}
		e := p.version.DecodeEntry(b)
		p.verified[0].try(trial{part: "entry", record: id, offset: at, stored: b, value: p.version.AppendEntry(nil, &e), kept: b})
		p.entry(id, at, &e)
		if records != nil {
			if err := p.record(id, at, &e, records, g); err != nil {
				return err
			}
		}
		if p.opt.Progress != nil {
			p.opt.Progress(int(id), int(p.count))
		}
	}
	p.finish()
	return nil
}

// entry looks at the references of an entry.
func (p *scidPass) entry(id, at int64, e *scid.Entry) {
	ext, _, _ := p.ext()
	if p.list == nil {
		return
	}
	for _, ref := range []struct {
		field string
		kind  int
		id    uint32
	}{{"white", scid.Players, e.White}, {"black", scid.Players, e.Black}, {"event", scid.Events, e.Event}, {"site", scid.Sites, e.Site}, {"round", scid.Rounds, e.Round}} {
		if int64(ref.id) >= int64(len(p.uses[ref.kind])) {
			p.add(scidReference, inRecord(ext, id, at, ref.field), "there is no name %d, only %d", ref.id, len(p.uses[ref.kind]))
			continue
		}
		p.uses[ref.kind][ref.id]++
	}
}

// record looks at the record of an entry.
func (p *scidPass) record(id, at int64, e *scid.Entry, records *dbfile.Window, g *scid.Game) error {
	index, ext, _ := p.ext()
	size := uint64(p.games.Size())
	if e.Length == 0 || e.Offset > size || uint64(e.Length) > size-e.Offset {
		p.add(scidExtent, inRecord(index, id, at, "offset"), "%d bytes from %d on are not inside %s, which has %d", e.Length, e.Offset, p.games.Name(), size)
		return nil
	}
	place, block := int64(e.Offset), p.version.Block()
	p.used += int64(e.Length)
	if place/block != (place+int64(e.Length)-1)/block {
		p.add(scidBlock, inRecord(ext, id, place, ""), "the record crosses a multiple of %d bytes, which earlier versions of Scid refuse", block)
	}
	b, err := records.At(place, int64(e.Length))
	if err != nil {
		return err
	}
	g.Chess960 = e.Chess960
	if err := g.Decode(b); err != nil {
		code := scidRecord
		if g.InTexts {
			code = scidTexts
		}
		p.addStated(code, inRecord(ext, id, place, ""), wire.Locate(err, p.games.Name(), place, id))
		p.verified[1].undecoded("record", id, place, int64(len(b)), err)
		return nil
	}
	want := *e
	value, err := g.Append(nil, &want)
	if err != nil {
		return err
	}
	p.verified[1].try(trial{part: "record", record: id, offset: place, stored: b, value: value, kept: b})
	if !bytes.Equal(value, b) {
		p.add(scidForm, inRecord(ext, id, place, ""), "the record is not as Scid writes it")
	}
	const flags = scid.FlagStart | scid.FlagPromotion | scid.FlagUnderpromotion
	for _, f := range []struct {
		field     string
		have, get uint64
	}{
		{"flags", uint64(e.Flags & flags), uint64(want.Flags & flags)}, {"material", uint64(e.Material), uint64(want.Material)}, {"plies", uint64(e.Plies), uint64(want.Plies)},
		{"home pawns", uint64(e.HomePawns), uint64(want.HomePawns)}, {"variations", uint64(e.Variations), uint64(want.Variations)},
		{"comments", uint64(e.Comments), uint64(want.Comments)}, {"NAGs", uint64(e.NAGs), uint64(want.NAGs)},
	} {
		if f.have != f.get {
			p.derived(inRecord(index, id, at, f.field), p.entryOf(&want, e), "%x is stored, the moves give %x", f.have, f.get)
		}
	}
	if e.Pawns != want.Pawns {
		p.derived(inRecord(index, id, at, "home pawns"), p.entryOf(&want, e), "%x is stored, the moves give %x", e.Pawns, want.Pawns)
	}
	return nil
}

// entryOf returns an entry as it is stored, with what is derived as it is in another one.
func (p *scidPass) entryOf(derived, e *scid.Entry) []byte {
	is := *derived
	is.Line = e.Line // which nothing derives
	return p.version.AppendEntry(nil, &is)
}

// derived adds a finding about a field of an entry, with the entry as it is to be.
func (p *scidPass) derived(in place, entry []byte, format string, args ...any) {
	if !p.opt.Fixes {
		p.add(scidDerived, in, format, args...)
		return
	}
	p.fix(scidDerived, in, Edit{File: p.set.Name(in.File), At: in.Offset, New: entry}, format, args...)
}

// fix reports a finding with what makes it true.
func (p *scidPass) fix(code *Code, in place, edit Edit, format string, args ...any) {
	p.out.fix(p.finding(code.Severity, code, in, format, args...), slices.Values([]Edit{edit}))
}

// finish looks at what the entries together say.
func (p *scidPass) finish() {
	_, games, names := p.ext()
	if p.games != nil {
		if rest := p.games.Size() - p.used; rest > 0 {
			p.add(scidUnused, inFile(games), "%d bytes that no entry leads to: records of earlier states of games", rest)
		} else if rest < 0 {
			p.add(scidUnused, inFile(games), "%d bytes that several entries lead to", -rest)
		}
	}
	if p.list == nil || p.version == scid.V5 {
		return
	}
	wrong := 0
	var first error
	for kind, list := range p.list.Lists {
		for _, n := range list {
			if p.uses[kind][n.ID] != n.Frequency {
				wrong++
				first = cmp.Or(first, fmt.Errorf("%q: %d, games refer to it %d times", n.Bytes, n.Frequency, p.uses[kind][n.ID]))
			}
		}
	}
	if (wrong > 0 || p.recognised) && p.opt.Fixes && p.whole {
		for kind, list := range p.list.Lists {
			for i := range list {
				list[i].Frequency = p.uses[kind][list[i].ID]
			}
		}
		p.list.Sort()
		b := p.list.Append(nil)
		p.fix(scidFrequency, inFile(names), Edit{File: p.set.Name(names), New: b, Whole: true}, "%s with another frequency than games refer to them, or not in order: %v", quantity(wrong, "name"), first)
		return
	}
	if wrong > 0 {
		p.add(scidFrequency, inFile(names), "%s have another frequency than games refer to them: %v", quantity(wrong, "name"), first)
	}
}
