package check

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

	"cbkit/internal/cbh"
	"cbkit/internal/dbfile"
	"cbkit/internal/wire"
	"cbkit/model"
	"cbkit/moveenc"
)

// Report is the result of [Verify].
type Report struct {
	// Database is the path of the database without an ending.
	Database string `json:"database"`
	// Missing are the names of files that every database should have and this one lacks.
	Missing []string `json:"missing,omitempty"`
	// Unreadable are the files that are there but could not be looked at.
	Unreadable []UnreadableFile `json:"unreadable,omitempty"`
	// Files are the files that were looked at.
	Files []FileReport `json:"files"`
}

// UnreadableFile is a file that cannot be opened, or is not of its kind.
type UnreadableFile struct {
	File string `json:"file"`
	// Message says why.
	Message string `json:"message"`
}

func newUnreadable(name string, err error) UnreadableFile {
	return UnreadableFile{name, withoutName(err, name)}
}

// withoutName returns what an error about a file says, without the file's name.
func withoutName(err error, name string) string {
	return strings.TrimPrefix(err.Error(), name+": ")
}

// Failed reports whether files are missing or unreadable, so that the report
// does not cover the whole database.
func (r *Report) Failed() bool { return len(r.Missing)+len(r.Unreadable) > 0 }

// Different returns the number of records whose bytes do not come back.
func (r *Report) Different() (n int64) {
	for i := range r.Files {
		n += r.Files[i].Different
	}
	return n
}

// Undecoded returns the number of records that do not decode.
func (r *Report) Undecoded() (n int64) {
	for i := range r.Files {
		n += r.Files[i].Undecoded
	}
	return n
}

// File returns the report on the file with an ending such as ".cbg", nil if
// there is none.
func (r *Report) File(ext string) *FileReport {
	for i := range r.Files {
		if dbfile.Is(r.Files[i].File, dbfile.ParseEnding(ext)) {
			return &r.Files[i]
		}
	}
	return nil
}

// Verify decodes every record of the ChessBase database that path names and
// encodes it again from the typed value, without the bytes that were kept for
// the purpose, and compares. The package comment says what is counted how.
//
// Damage is counted as unsupported, and of each file up to opt.Max cases of an
// outcome are listed. Errors are those of [Database]; a file that is missing or
// unreadable is none ([Report.Failed]).
func Verify(ctx context.Context, path string, opt Options) (Report, error) {
	d, err := openDatabase(path, &opt, examinedExts)
	if err != nil {
		return Report{}, err
	}
	defer d.close()
	p := &pass{d: d, opt: &opt, verify: newVerifier(d, &opt)}
	if err := p.run(ctx); err != nil {
		return Report{}, err
	}
	return p.verify.report(), nil
}

func newVerifier(d *database, opt *Options) *verifier {
	v := &verifier{d: d, opt: opt, files: map[string]*FileReport{}, unreadable: map[string]error{}}
	for _, ext := range examinedExts {
		if f := d.files[ext]; f != nil && d.selected.has(ext) {
			v.files[ext] = new(newFileReport(f.Name(), opt))
		}
	}
	return v
}

// verifier is what [Verify] compares on a pass.
type verifier struct {
	d     *database
	opt   *Options
	files map[string]*FileReport // of the selected files
	// unreadable are the headers that do not decode, by ending.
	unreadable map[string]error

	moves, annotations *holes
}

// report puts the reports on the files in order.
func (v *verifier) report() Report {
	r := Report{Database: v.d.base(), Files: []FileReport{}}
	for _, ext := range v.d.missing() {
		r.Missing = append(r.Missing, v.d.set.Name(ext))
	}
	for _, ext := range examinedExts {
		err := errors.Join(v.d.unreadable[ext], v.unreadable[ext]) // one of them at most
		if err != nil && v.d.selected.has(ext) {
			r.Unreadable = append(r.Unreadable, newUnreadable(v.d.set.Name(ext), err))
		}
		if f := v.files[ext]; f != nil {
			r.Files = append(r.Files, *f)
		}
	}
	return r
}

// badHeader counts a file whose header does not decode.
func (v *verifier) badHeader(ext string, err error) {
	f := v.d.files[ext]
	err = wire.Locate(err, f.Name(), 0, -1)
	v.unreadable[ext] = err
	v.files[ext].unsupported("header", -1, 0, f.Size(), err)
}

// trial is a record that was decoded and encoded again.
type trial struct {
	part   string
	record int64
	offset int64 // of the record in the file
	stored []byte
	// value is what the typed value gives, kept what it gives together with
	// the bytes that were kept.
	value, kept []byte
	// given is how many bytes were given to the encoder.
	given int64
	// clear, if not nil, overwrites the bytes that mean nothing with zeros.
	clear func([]byte)
	// field, if not nil, names the field of a byte.
	field func(offset int) string
	// trash says why the bytes that mean nothing differ, and why says of the
	// first different byte why it has to be kept; nil: that is not known.
	trash string
	why   func(offset int) string
}

// because is the reason of a trial that has one only.
func because(reason string) func(int) string { return func(int) string { return reason } }

// meaningless is the reason of most trials.
var meaningless = because(reasonMeaning)

// isExact reports whether the typed value alone gives the stored bytes; then
// kept need not be known.
func (t *trial) isExact() bool { return bytes.Equal(t.value, t.stored) }

// judge compares what was encoded with what is stored.
func (t *trial) judge() Case {
	c := Case{Outcome: outcomeExact, Part: t.part, Record: t.record, Offset: t.offset}
	if t.isExact() {
		return c
	}
	isTrash := false // nothing but bytes without a meaning differ
	if t.clear != nil {
		a, b := slices.Clone(t.value), slices.Clone(t.stored)
		t.clear(a)
		t.clear(b)
		isTrash = bytes.Equal(a, b)
	}
	wrong := t.value
	switch {
	case isTrash:
		c.Outcome = outcomeTrash
	case t.kept != nil && bytes.Equal(t.kept, t.stored):
		c.Outcome = outcomeKept
	default:
		c.Outcome, wrong = outcomeDifferent, t.kept
	}
	at := 0 // the first difference
	for at < min(len(wrong), len(t.stored)) && wrong[at] == t.stored[at] {
		at++
	}
	c.Offset += int64(at)
	if t.field != nil {
		c.Field = t.field(at)
	}
	switch {
	case c.Outcome == outcomeTrash:
		c.Message = t.trash
	case c.Outcome == outcomeKept && t.why != nil:
		c.Message = t.why(at)
	}
	return c
}

// try counts a trial.
func (r *FileReport) try(t trial) {
	if r != nil {
		r.add(t.judge(), int64(len(t.stored)), t.given)
	}
}

// undecoded counts a record that should decode and does not.
func (r *FileReport) undecoded(part string, record, offset, bytes int64, err error) {
	if r == nil {
		return
	}
	r.unsupported(part, record, offset, bytes, err)
	r.damaged(part)
}

// damaged counts that a record is damaged.
func (r *FileReport) damaged(part string) {
	r.Undecoded++
	r.part(part).Undecoded++
}

// unsupported counts a record that is not understood.
func (r *FileReport) unsupported(part string, record, offset, bytes int64, err error) {
	if r != nil {
		r.add(Case{outcomeUnsupported, part, record, offset, "", err.Error()}, bytes, 0)
	}
}

// Why stored bytes are not those that their value gives, in a few words.
const (
	reasonUTF8       = "stored as UTF-8 though the code page holds it"
	reasonCut        = "a character cut by the end of its field"
	reasonNUL        = "bytes behind the NUL of a string"
	reasonHeaderTail = "bytes at the end of a header that mean nothing"
	reasonMeaning    = "bits or bytes that mean nothing known"
	reasonChecksum   = "not the sum of the record"
	reasonHole       = "bytes between the records"
	reasonZeros      = "a record of zeros"
	reasonList       = "not a list as it is written now"
	reasonFormatting = "formatting of a guiding text"
	reasonFrame      = "an older form of a guiding text, or bytes behind it"
	reasonHead       = "the head names another game, or is not the usual one"
	reasonCount      = "the head counts other annotations than a place can have"
	reasonNoSymbol   = "symbols without any symbol"
	reasonOrder      = "behind an annotation of a later move"
	reasonPlace      = "belongs to a move that the game does not have"
)

// annotationForms are the ways in which annotations are stored that are not
// those of their values. The first that fits is the reason.
var annotationForms = []struct {
	reason string
	kind   model.Kind // "": any
	fits   func(stored, value []byte) bool
}{
	{"the first byte of a text is not 0", model.KindText, func(stored, _ []byte) bool { return stored[0] != 0 }},
	{reasonUTF8, model.KindText, func(stored, value []byte) bool { return utf8.Valid(stored[textAt:]) && !utf8.Valid(value[textAt:]) }},
	{reasonNoSymbol, model.KindSymbols, func(stored, _ []byte) bool { return len(stored) == 0 }},
	{"zeros at the end of symbols", model.KindSymbols, func(stored, _ []byte) bool { return stored[len(stored)-1] == 0 }},
	{"a symbol for which another is written", model.KindSymbols, always},
	{"other bytes than the value gives", "", always},
}

func always(_, _ []byte) bool { return true }

// textAt is where the text of an annotation begins, behind a zero and the
// language (docs/formats/cba.md 6).
const textAt = 2

// annotationForm returns why the payload of an annotation is not the one that
// its value gives.
func annotationForm(kind model.Kind, stored, value []byte) string {
	for _, form := range annotationForms {
		if (form.kind == "" || form.kind == kind) && form.fits(stored, value) {
			return form.reason
		}
	}
	return ""
}

// moveForms are the ways in which moves are stored that are not ours.
var moveForms = []struct {
	reason string
	fits   func(*moveenc.Form) bool
}{
	{"a dummy in the moves", func(f *moveenc.Form) bool { return len(f.Dummies) > 0 }},
	{"another mode", func(f *moveenc.Form) bool { return f.Mode != 0 }},
	{"the mark of guiding texts", func(f *moveenc.Form) bool { return f.Bit7 }},
	{"other bytes in the start position", func(f *moveenc.Form) bool { return len(f.Start) > 0 }},
	{"moves in two bytes that have a code of one", func(f *moveenc.Form) bool { return len(f.Words) > 0 }},
	{"moves in the second of two codes", func(f *moveenc.Form) bool { return len(f.Twins) > 0 }},
	{"bits for a promotion that is none", func(f *moveenc.Form) bool { return len(f.Bits) > 0 }},
	{"no mark of the end", func(f *moveenc.Form) bool { return f.NoEnd }},
	{"bytes behind the end of the moves", func(f *moveenc.Form) bool { return len(f.Trailer) > 0 }},
}

// moveForm returns why a record of moves is not the one that its game gives.
func moveForm(f *moveenc.Form) string {
	var reasons []string
	for _, form := range moveForms {
		if form.fits(f) {
			reasons = append(reasons, form.reason)
		}
	}
	return strings.Join(reasons, ", ")
}

// guideForm returns why the record of a guiding text is not the one that its
// texts give.
func guideForm(g *cbh.Guide) string {
	for _, t := range g.Contents {
		if t.Leftover != nil {
			return reasonFormatting
		}
	}
	for _, t := range g.Titles {
		if t.Leftover != nil {
			return reasonUTF8
		}
	}
	return reasonFrame
}

// extFieldAt names the field of a byte of a .cbj record.
func extFieldAt(offset int) string {
	if offset >= cbh.ExtRecordSize {
		return "tail"
	}
	return cbh.ExtFields.NameAt(offset)
}
