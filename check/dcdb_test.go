package check_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cbkit/check"
	"cbkit/internal/dcdb"
	"cbkit/internal/testkit/corpus"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/model"
	"cbkit/pgn"
	"cbkit/write"

	"github.com/google/go-cmp/cmp"
)

// simplePGN has what the check looks at: variations, comments, names.
const simplePGN = `[Event "Open"]
[Site "Oslo"]
[White "Tal, Mikhail"]
[Black "?"]
[Result "1-0"]

{game} 1. e4 $1 {best} (1. d4 d5) e5 2. Nf3 1-0

[Event "Open"]
[White "Tal, Mikhail"]
[Black "Keres, Paul"]
[Result "*"]

1. c4 c5 *

`

// newSimple writes a Simple Chess Database of two games.
func newSimple(t *testing.T, layout write.SimpleLayout) string {
	t.Helper()
	path := filepath.Join(gen.Folder(t), "sample.dci")
	sink := must.Get(write.CreateSimple(context.Background(), path, write.Options{Layout: layout}))(t)
	must.Do(t, model.Copy(context.Background(), sink, pgn.NewReader(strings.NewReader(simplePGN), pgn.ReaderOptions{}), model.CopyOptions{}))
	return path
}

// simpleFindings returns the findings as "severity ending record code".
func simpleFindings(t *testing.T, path string) (list []string) {
	t.Helper()
	made := check.Simple(context.Background(), path, check.Options{})
	for f, err := range made.Findings() {
		if err != nil {
			break // Summary has it
		}
		list = append(list, strings.TrimSpace(f.Severity.String()+" "+filepath.Ext(f.File)+" "+f.Code))
	}
	summary := must.Get(made.Summary())(t)
	if summary.Errors+summary.Notes != len(list) {
		t.Errorf("%d errors and %d notes, but %d findings", summary.Errors, summary.Notes, len(list))
	}
	return list
}

// change overwrites bytes of a file beside path; a negative place counts from
// its end.
func change(t *testing.T, path, ext string, at int, b ...byte) {
	t.Helper()
	name := strings.TrimSuffix(path, ".dci") + ext
	content := must.Get(os.ReadFile(name))(t)
	if at < 0 {
		at += len(content)
	}
	content = append(content[:at], append(b, content[min(at+len(b), len(content)):]...)...)
	must.Do(t, os.WriteFile(name, content, 0o600))
}

func TestSimpleFindings(t *testing.T) {
	const entry = 11 // the first entry of layout v1
	for name, v := range map[string]struct {
		damage func(path string)
		want   []string
	}{
		"sound":           {func(string) {}, nil},
		"misprint":        {func(p string) { change(t, p, ".dcg", 2, 0xed) }, []string{"note .dcg simple-misprint"}},
		"other file":      {func(p string) { change(t, p, ".dcg", 0, 'x') }, []string{"error .dcg simple-unreadable"}},
		"missing file":    {func(p string) { os.Remove(strings.TrimSuffix(p, ".dci") + ".dcn") }, []string{"error .dci simple-unreadable"}},
		"no events":       {func(p string) { os.Remove(strings.TrimSuffix(p, ".dci") + ".dce") }, nil},
		"cut entry":       {func(p string) { change(t, p, ".dci", 11+2*61, 1, 2, 3) }, []string{"error .dci simple-cut"}},
		"lost entry":      {func(p string) { must.Do(t, os.Truncate(p, 11+61)) }, []string{"error .dci simple-cut", "note .dcg simple-unused"}},
		"status":          {func(p string) { change(t, p, ".dci", entry, 7) }, []string{"note .dci simple-field", "note .dci simple-field"}},
		"month":           {func(p string) { change(t, p, ".dci", entry+37, 13) }, []string{"note .dci simple-field"}},
		"white outside":   {func(p string) { change(t, p, ".dci", entry+9, 0x7f) }, []string{"error .dci simple-reference"}},
		"white between":   {func(p string) { change(t, p, ".dci", entry+12, 11) }, []string{"error .dci simple-reference"}},
		"search fields":   {func(p string) { change(t, p, ".dci", entry+39, 9) }, []string{"note .dci simple-search-fields"}},
		"offset outside":  {func(p string) { change(t, p, ".dci", entry+61+1, 1) }, []string{"error .dci simple-extent"}},
		"length past end": {func(p string) { change(t, p, ".dcg", -6, 0x30) }, []string{"error .dcg simple-extent"}},
		"no length":       {func(p string) { change(t, p, ".dcg", -6, 0x80) }, []string{"error .dcg simple-extent"}},
		"illegal move":    {func(p string) { change(t, p, ".dcg", -2, 0, 0) }, []string{"error .dcg simple-game"}},
		"bad marker":      {func(p string) { change(t, p, ".dcg", -5, 9) }, []string{"error .dcg simple-game"}},
		"spare bytes":     {func(p string) { change(t, p, ".dcg", -1, 0xa2, 1, 2, 3) }, []string{"note .dcg simple-unused"}},
		"name":            {func(p string) { change(t, p, ".dcs", 10, 0xd8) }, []string{"note .dcs simple-code-page"}},
	} {
		t.Run(name, func(t *testing.T) {
			path := newSimple(t, write.SimpleV1)
			v.damage(path)
			if d := cmp.Diff(v.want, simpleFindings(t, path)); d != "" {
				t.Error(d)
			}
		})
	}
	_, err := check.Simple(context.Background(), filepath.Join(gen.Folder(t), "none.dci"), check.Options{}).Summary()
	if !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no database: %v", err)
	}
}

// Every code that the check uses is in the list, once.
func TestSimpleCodes(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range check.CodesAbout(check.AboutSimple) {
		if seen[c.Code] || c.Meaning == "" || c.Severity == 0 {
			t.Errorf("%+v", c)
		}
		seen[c.Code] = true
	}
}

// The files of the reference encoder are sound, and all of them is encoded
// from its value, but for the name that the reference cut inside a character.
func TestSimpleReferenceFiles(t *testing.T) {
	for name, kept := range map[string]int64{"edge": 1, "ber83": 0} {
		path := corpus.Path(t, "dc-sample/"+name+".dci")
		if list := simpleFindings(t, path); list != nil {
			t.Errorf("%s: %q", name, list)
		}
		report := must.Get(check.VerifySimple(context.Background(), path, check.Options{}))(t)
		var got int64
		for _, f := range report.Files {
			got += f.Kept
			if f.Kept+f.Exact != f.Records || f.Records == 0 {
				t.Errorf("%s: %+v", name, f)
			}
		}
		if got != kept || len(report.Files) != 5 {
			t.Errorf("%s: %d kept in %d files", name, got, len(report.Files))
		}
	}
}

func TestVerifySimple(t *testing.T) {
	for _, layout := range []write.SimpleLayout{write.SimpleV0, write.SimpleV1} {
		path := newSimple(t, layout)
		report := must.Get(check.VerifySimple(context.Background(), path, check.Options{}))(t)
		for _, f := range report.Files {
			if f.Exact != f.Records {
				t.Errorf("%v: %+v", layout, f)
			}
		}
		change(t, path, ".dcg", -2, 0, 0) // an illegal move
		change(t, path, ".dci", dcdb.Layout(layout).HeaderSize(), 7)
		report = must.Get(check.VerifySimple(context.Background(), path, check.Options{}))(t)
		if games, index := report.File(".dcg"), report.File(".dci"); games.Unsupported != 1 || games.Undecoded != 1 || report.Undecoded() != 1 || index.Kept != 1 || report.Different() != 0 {
			t.Errorf("%v: %+v, %+v", layout, games, index)
		}
	}
}
