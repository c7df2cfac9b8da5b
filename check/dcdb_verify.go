package check

import (
	"bytes"
	"errors"
	"slices"

	"cbkit/internal/dcdb"
	"cbkit/model"
	"cbkit/read"
)

// simpleVerifier is what [VerifySimple] compares on a pass.
type simpleVerifier struct {
	s            *simpleFiles
	index, games FileReport
	encoder      dcdb.Encoder
	out          Report
}

// begin prepares for the records.
func (v *simpleVerifier) begin(s *simpleFiles, opt *Options) {
	v.s, v.index, v.games = s, newFileReport(s.index.Name(), opt), newFileReport(s.games.Name(), opt)
	v.encoder.Lost = func(model.LossKind, string, string, ...any) {}
	if v.isDraft() {
		v.index.unsupported("header", -1, 0, int64(len(s.header)), errDraft)
		return
	}
	v.index.header(s.header, s.layout.AppendIndexHeader(nil, s.layout.OpenDefault(s.header)), nil, len(s.header))
}

// isDraft reports whether the layout of the index is an old one, which is only read.
func (v *simpleVerifier) isDraft() bool { return v.s.layout != dcdb.V0 && v.s.layout != dcdb.V1 }

// record takes an entry and its game.
func (v *simpleVerifier) record(rec model.Record) error {
	s, g, id := v.s, rec.Game, int64(rec.ID)
	if v.isDraft() {
		v.index.unsupported("entry", id, s.at, int64(len(s.entry)), errDraft)
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
		v.index.try(trial{part: "entry", record: id, offset: s.at, stored: s.entry,
			value: s.layout.AppendEntry(nil, &e), kept: s.layout.AppendEntry(nil, was), given: given})
	}
	if g.MovesErr != nil {
		v.games.undecoded("game", id, s.place, s.size, g.MovesErr)
		return nil
	}
	t := trial{part: "game", record: id, offset: s.place, stored: s.body}
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
		var e *model.FormatError
		return errors.As(err, &e) && e.File == v.games.File
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
