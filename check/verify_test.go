package check_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"cbkit/check"
	"cbkit/internal/cbh"
	"cbkit/internal/testkit/must"
	"cbkit/model"
	"cbkit/moveenc"

	"github.com/google/go-cmp/cmp"
)

func fraction(part, whole int64) string { return fmt.Sprintf("%d of %d", part, whole) }

func addTally(to *check.Tally, t check.Tally) {
	to.Records, to.Bytes, to.Given = to.Records+t.Records, to.Bytes+t.Bytes, to.Given+t.Given
	to.Exact, to.Kept, to.Trash = to.Exact+t.Exact, to.Kept+t.Kept, to.Trash+t.Trash
	to.Different, to.Unsupported = to.Different+t.Different, to.Unsupported+t.Unsupported
}

// verify encodes the database again.
func (d *damaged) verify(opt check.Options) check.Report {
	d.t.Helper()
	r := must.Get(check.Verify(context.Background(), d.save(), opt))(d.t)
	return r
}

// A database of ours comes from the values alone; every byte is looked at.
func TestVerifySample(t *testing.T) {
	d := sample(t)
	r := d.verify(check.Options{Jobs: 2})
	if len(r.Files) != len(d.files) || len(r.Missing) > 0 {
		t.Errorf("%d of %d files, missing %v", len(r.Files), len(d.files), r.Missing)
	}
	for ext, b := range d.files {
		f := r.File(ext)
		if f == nil {
			t.Errorf("%s was not looked at", ext)
			continue
		}
		if f.Exact != f.Records || f.Bytes != int64(len(b)) || len(f.Listed) > 0 {
			t.Errorf("%s: %+v", ext, f)
		}
	}
}

// outcome is what one change makes of one part of a file.
type outcome struct {
	name    string
	change  func(d *damaged)
	ext     string
	part    string
	outcome check.Outcome
	record  int64 // of the first case
	field   string
}

var outcomes = []outcome{
	{"tail of a name", func(d *damaged) { d.put(".cbp", d.entity(&cbh.Players.EntityFile, 2)+9+20, 'x') },
		".cbp", "player", "trash", 2, "last name"},
	{"tail of a tournament", func(d *damaged) { d.put(".cbt", d.entity(&cbh.Tournaments.EntityFile, 1)+9+69, 'x') },
		".cbt", "tournament", "trash", 1, "place"},
	{"reserved byte of a tournament", func(d *damaged) { d.put(".cbt", d.entity(&cbh.Tournaments.EntityFile, 1)+9+77, 'x') },
		".cbt", "tournament", "kept", 1, ""},
	{"name in UTF-8 that the page can hold", func(d *damaged) {
		d.put(".cbp", d.entity(&cbh.Players.EntityFile, 3)+9, []byte("Polgár")...)
	}, ".cbp", "player", "kept", 3, "last name"},
	{"garbage in a header", func(d *damaged) { d.put(".cbj", 20, 'x') }, ".cbj", "header", "trash", -1, ""},
	{"garbage in an extension", func(d *damaged) { d.put(".cbc", 28, 'x') }, ".cbc", "header", "trash", -1, ""},
	{"garbage in .cbm", func(d *damaged) { d.put(".cbm", 16, 'x') }, ".cbm", "header", "trash", -1, ""},
	{"unknown word of .cbm", func(d *damaged) { d.put(".cbm", 12, 0) }, ".cbm", "header", "kept", -1, ""},
	{"reserved bytes of .cbh", func(d *damaged) { d.put(".cbh", 10, 1) }, ".cbh", "header", "kept", -1, ""},
	{"date bits", func(d *damaged) { d.put(".cbh", head(3)+24, 0x8F) }, ".cbh", "game", "kept", 3, "date"},
	{"unknown result", func(d *damaged) { d.put(".cbh", head(3)+27, 9) }, ".cbh", "game", "kept", 3, "result"},
	{"type byte", func(d *damaged) { d.put(".cbh", head(3), 0x11) }, ".cbh", "game", "kept", 3, "type"},
	{"reserved bytes of a text", func(d *damaged) { d.put(".cbh", head(5)+22, 1) }, ".cbh", "text", "kept", 5, "reserved"},
	{"checksum", func(d *damaged) { d.put(".cbj", ext(4)+28, 0) }, ".cbj", "game", "kept", 4, "checksum"},
	{"no team", func(d *damaged) { d.put(".cbj", ext(4)+3, 0xFE); d.put(".cbj", ext(4), 0xFF, 0xFF, 0xFF) },
		".cbj", "game", "kept", 4, "white team"},
	{"dummy", withForm(plainGame, moveenc.Form{Dummies: []uint32{1}}), ".cbg", "game", "kept", 3, ""},
	{"unknown mode", func(d *damaged) { d.put(".cbg", d.place(".cbg", 3), 15) }, ".cbg", "game", "unsupported", 3, ""},
	{"moves past the end", func(d *damaged) { d.setPlace(".cbg", 12, 5000) }, ".cbg", "text", "unsupported", 12, ""},
	{"damaged text", func(d *damaged) { d.put(".cbg", d.place(".cbg", 5)+24, 0xFF) }, ".cbg", "text", "unsupported", 5, ""},
	{"older form of a text", func(d *damaged) { d.put(".cbg", d.place(".cbg", 5), 0x81) }, ".cbg", "text", "kept", 5, ""},
	{"unknown annotation", withAnnotations(3, "1252", model.Annotation{Value: model.Opaque{Format: cbh.Format, Type: 8, Data: []byte{1}}}),
		".cba", "opaque 08", "unsupported", 3, ""},
	{"text in UTF-8 that the page can hold", func(d *damaged) {
		text := "für"
		rec := cbh.AppendAnnotations(nil, []model.Annotation{{Value: model.Text{Text: "xxxx"}}}, nil, cbh.AnnotationContext{Game: 3}, nil)
		copy(rec[len(rec)-4:], text)
		d.replace(".cba", 3, rec)
	}, ".cba", "text", "kept", 3, "text"},
	{"another game", func(d *damaged) { d.put(".cba", d.place(".cba", 2)+2, 0) }, ".cba", "record", "kept", 2, ""},
	{"place before the game", func(d *damaged) { d.put(".cba", d.place(".cba", 2)+14, 0xFF, 0xFF, 0xFE) },
		".cba", "text", "kept", 2, "text"},
	{"damaged annotations", func(d *damaged) { d.put(".cba", d.place(".cba", 2)+19, 0xFF) }, ".cba", "record", "unsupported", 2, ""},
	{"hole", func(d *damaged) { d.extend(".cbg", 5) }, ".cbg", "hole", "trash", -1, ""},
	{"bytes behind .cbp", func(d *damaged) { d.extend(".cbp", 5) }, ".cbp", "tail", "unsupported", -1, ""},
	{"bytes behind .cbh", func(d *damaged) { d.extend(".cbh", 5) }, ".cbh", "tail", "unsupported", -1, ""},
	{"bytes behind .cbj", func(d *damaged) { d.extend(".cbj", 5) }, ".cbj", "tail", "unsupported", -1, ""},
	{"bytes behind .cbtt", func(d *damaged) { d.extend(".cbtt", 5) }, ".cbtt", "tail", "unsupported", -1, ""},
	{"bytes behind .cbm", func(d *damaged) { d.extend(".cbm", 5) }, ".cbm", "tail", "unsupported", -1, ""},
	{"pattern of .cbtt", func(d *damaged) { d.put(".cbtt", 32+16, 1) }, ".cbtt", "tournament", "kept", 0, "pattern"},
	{"version of .cbtt", func(d *damaged) { d.put(".cbtt", 0, 5) }, ".cbtt", "tournament", "unsupported", 0, ""},
	{"empty media list", func(d *damaged) { clear(d.files[".cbm"][32:]) }, ".cbm", "list", "kept", 0, ""},
	{"header of .cbtt", func(d *damaged) { d.putLE32(".cbtt", 4, 0) }, ".cbtt", "header", "unsupported", -1, ""},
	{"header of .cbs", func(d *damaged) { d.put(".cbs", 8, 0) }, ".cbs", "header", "unsupported", -1, ""},
	{"header of .cbg", func(d *damaged) { d.put(".cbg", 1, 0) }, ".cbg", "header", "unsupported", -1, ""},
	{"marks", func(d *damaged) { d.files[".flags"] = cbh.NewExamined(12).Append(nil) }, ".flags", "marks", "exact", -1, ""},
}

// Each change is counted as what it is, in the part of the file where it is,
// and listed with its place.
func TestVerifyOutcomes(t *testing.T) {
	for _, o := range outcomes {
		t.Run(o.name, func(t *testing.T) {
			d := sample(t)
			o.change(d)
			r := d.verify(check.Options{Files: []string{o.ext}})
			if len(r.Files) != 1 || r.Different() != 0 {
				t.Fatalf("%+v", r)
			}
			f := r.Files[0]
			if got, want := outcomeOf(f, o.part), o.outcome; got != want {
				t.Errorf("%s, want %s: %+v", got, want, f)
			}
			if o.outcome == "exact" {
				return
			}
			c := f.Listed[0]
			if c.Outcome != o.outcome || c.Part != o.part || c.Record != o.record || c.Field != o.field {
				t.Errorf("listed as %+v", c)
			}
		})
	}
}

// outcomeOf returns the outcome of a part that is not the usual one.
func outcomeOf(f check.FileReport, name string) check.Outcome {
	for _, p := range f.Parts {
		if p.Name != name {
			continue
		}
		for outcome, n := range map[check.Outcome]int64{
			"kept": p.Kept, "trash": p.Trash, "different": p.Different, "unsupported": p.Unsupported,
		} {
			if n > 0 {
				return outcome
			}
		}
		return "exact"
	}
	return ""
}

func TestVerifyListsSome(t *testing.T) {
	d := sample(t)
	for id := range 10 {
		at := d.entity(&cbh.Players.EntityFile, id)
		d.put(".cbp", at+9+20, 'x')
	}
	for range 2 { // forty records are enough
		d.files[".cbp"] = append(d.files[".cbp"], d.files[".cbp"][32:]...)
	}
	d.putLE32(".cbp", 0, 40)
	d.extend(".cbp", 5)
	r := d.verify(check.Options{Files: []string{"cbp"}})
	f := r.File(".cbp")
	if f.Trash != 40 || f.Unlisted != 20 || len(f.Listed) != 21 { // and one for the rest of the file
		t.Errorf("%d trash, %d listed, %d not: %+v", f.Trash, len(f.Listed), f.Unlisted, f.Tally)
	}
}

// All cases are listed on request, and so are few.
func TestVerifyListsAsManyAsAsked(t *testing.T) {
	for limit, want := range map[int]int{-1: 40, 0: 20, 3: 3} {
		d := sample(t)
		d.multiply(4)
		for id := 1; id <= 40; id++ {
			if id%sampleRecords == mediaText || id%sampleRecords == 0 {
				d.put(".cbh", head(id)+22, 1)
			} else {
				d.put(".cbh", head(id)+27, 9)
			}
		}
		f := d.verify(check.Options{Files: []string{"cbh"}, Max: limit, Jobs: 2}).Files[0]
		if f.Kept != 40 || len(f.Listed) != want || f.Unlisted != int64(40-want) {
			t.Errorf("Max %d: %d kept, %d listed, %d not", limit, f.Kept, len(f.Listed), f.Unlisted)
		}
	}
}

// A file that is missing or unreadable is named; of files that are selected,
// the others do not matter.
func TestVerifyNamesWhatItCannotRead(t *testing.T) {
	for name, c := range map[string]struct {
		change              func(d *damaged)
		missing, unreadable string
	}{
		"no .cba":             {func(d *damaged) { delete(d.files, ".cba") }, "sample.cba", ""},
		"no .cbh":             {func(d *damaged) { delete(d.files, ".cbh") }, "sample.cbh", ""},
		"empty .cba":          {func(d *damaged) { d.files[".cba"] = []byte{} }, "", "sample.cba"},
		"empty .cbh":          {func(d *damaged) { d.files[".cbh"] = []byte{} }, "", "sample.cbh"},
		"header size of .cba": {func(d *damaged) { d.put(".cba", 1, 12) }, "", "sample.cba"},
		"header of .cbs":      {func(d *damaged) { d.put(".cbs", 8, 0) }, "", "sample.cbs"},
		"header of .cbtt":     {func(d *damaged) { d.putLE32(".cbtt", 4, 0) }, "", "sample.cbtt"},
		"a link to nowhere":   {func(d *damaged) { delete(d.files, ".cbt"); d.links = map[string]string{".cbt": "gone"} }, "", "sample.cbt"},
		"no .cbe":             {func(d *damaged) { delete(d.files, ".cbe") }, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			d := sample(t)
			c.change(d)
			r := d.verify(check.Options{})
			unreadable := ""
			for _, u := range r.Unreadable {
				unreadable += u.File
				if u.Message == "" || strings.HasPrefix(u.Message, u.File) {
					t.Errorf("%s: message %q", u.File, u.Message)
				}
			}
			if got := strings.Join(r.Missing, " "); got != c.missing || unreadable != c.unreadable || r.Failed() != (c.missing+c.unreadable != "") {
				t.Errorf("missing %q, unreadable %q, failed %v", got, unreadable, r.Failed())
			}
			if r = d.verify(check.Options{Files: []string{"cbp"}}); r.Failed() || len(r.Files) != 1 {
				t.Errorf("of the players: %+v", r)
			}
		})
	}
}

// An annotation is compared with its own value wherever it stands: of two that
// changed places, the one behind is kept for its place alone.
func TestVerifyAnnotationsInAnyOrder(t *testing.T) {
	d := sample(t)
	rec := d.stored(".cba", 1)
	size := func(at int) int { return int(rec[at+4])<<8 | int(rec[at+5]) }
	first := cbh.AnnotationHeadSize
	second := first + size(first)
	end := second + size(second)
	swapped := slices.Concat(rec[:first], rec[second:end], rec[first:second], rec[end:])
	d.replace(".cba", 1, swapped)

	f := d.verify(check.Options{Files: []string{"cba"}}).Files[0]
	want := []check.Case{{
		Outcome: "kept", Part: "text", Record: 1, Offset: int64(d.place(".cba", 1) + first + end - second), Field: "text",
		Message: "behind an annotation of a later move",
	}}
	if !cmp.Equal(f.Listed, want) {
		t.Error(cmp.Diff(want, f.Listed))
	}
}

func TestReportAsJSON(t *testing.T) {
	d := sample(t)
	d.put(".cbh", head(3)+27, 9)
	b := must.Get(json.Marshal(d.verify(check.Options{Files: []string{"cbh"}})))(t)
	for _, want := range []string{
		`"files":[{"file":"sample.cbh","records":13,"bytes":598,"exact":12,"kept":1,"trash":0,"different":0,"unsupported":0,"given":`,
		`"parts":[{"name":"header","records":1,`, `"listed":[{"outcome":"kept","part":"game","record":3,"offset":165,"field":"result","message":"bits or bytes that mean nothing known"}]`,
	} {
		if !strings.Contains(string(b), want) {
			t.Errorf("%s\nhas no %s", b, want)
		}
	}
}

func TestVerifyErrors(t *testing.T) {
	d := sample(t)
	path := d.save()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for name, c := range map[string]struct {
		ctx  context.Context
		path string
		opt  check.Options
		want error
	}{
		"no database": {context.Background(), path + "x/y.cbh", check.Options{}, fs.ErrNotExist},
		"cancelled":   {ctx, path, check.Options{}, context.Canceled},
	} {
		if _, err := check.Verify(c.ctx, c.path, c.opt); !errors.Is(err, c.want) {
			t.Errorf("Verify, %s: %v", name, err)
		}
		if _, err := check.Database(c.ctx, c.path, c.opt).Summary(); !errors.Is(err, c.want) {
			t.Errorf("Database, %s: %v", name, err)
		}
	}
	for _, opt := range []check.Options{{Files: []string{"cbx"}}, {CodePage: "1234"}} {
		if _, err := check.Verify(context.Background(), path, opt); err == nil {
			t.Errorf("%+v is accepted", opt)
		}
	}
	other := &damaged{t: t, files: map[string][]byte{".pgn": []byte("*")}}
	if _, err := check.Database(context.Background(), strings.TrimSuffix(other.save(), ".cbh")+".pgn", check.Options{}).Summary(); !errors.Is(err, model.ErrNotDatabase) {
		t.Errorf("PGN: %v", err)
	}
}
