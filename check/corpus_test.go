package check_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cbkit/check"
	"cbkit/internal/testkit/corpus"
	"cbkit/internal/testkit/must"

	"github.com/google/go-cmp/cmp"
)

// corpusDatabases are the real databases, with the number of their games.
var corpusDatabases = map[string]int{
	"hedgehog/Hedgehog": 204, "mate2/Mate2": 7, "twic1134/twic1134": 6117, "small/small": 0,
	"cbh_cbj_test/cbh_cbj_test": 4, "cbh_test/cbh_test": 4, "world-ch/World-ch": 1025,
}

// checkReal checks a database of the corpus.
func checkReal(t *testing.T, name string, opt check.Options) (check.Summary, []check.Finding) {
	t.Helper()
	var list []check.Finding
	made := check.Database(context.Background(), corpus.Path(t, "cbh/"+name+".cbh"), opt)
	for f, err := range made.Findings() {
		if err != nil {
			break // Summary has it
		}
		list = append(list, f)
	}
	s := must.Get(made.Summary())(t)
	return s, list
}

// Real databases have no errors, but for a file that is missing.
// (docs/formats/real-databases.md)
func TestCorpusHasNoErrors(t *testing.T) {
	for name := range corpusDatabases {
		t.Run(filepath.Base(name), func(t *testing.T) {
			_, list := checkReal(t, name, check.Options{})
			var got []string
			for _, f := range list {
				t.Logf("%v: %v [%s]", f.Severity, f, f.Code)
				if f.Severity == check.Error {
					got = append(got, f.File+" "+f.Code)
				}
			}
			var want []string
			if name == "world-ch/World-ch" {
				want = []string{"World-ch.cbg missing-file"}
			}
			if !cmp.Equal(got, want) {
				t.Errorf("errors: %s", cmp.Diff(want, got))
			}
		})
	}
}

// The oddities that the reference tells of are noted.
func TestCorpusNotes(t *testing.T) {
	for name, want := range map[string]map[string]int{
		"hedgehog/Hedgehog":         {"hole-count": 1, "code-page": 2, "stale-material": 14, "booster-missing": 1}, // it has .cit and .cib
		"mate2/Mate2":               {"live-count": 3, "move-dummy": 1},
		"cbh_test/cbh_test":         {"reference-count": 2}, // of teams and titles: its .cbj file is gone
		"twic1134/twic1134":         {},
		"small/small":               {},
		"cbh_cbj_test/cbh_cbj_test": {},
		"world-ch/World-ch":         {"missing-file": 1, "text-utf8": 1, "booster-missing": 1}, // it has all but .cbb
	} {
		if s, _ := checkReal(t, name, check.Options{}); !cmp.Equal(s.Codes, want) {
			t.Errorf("%s: %s", name, cmp.Diff(want, s.Codes))
		}
	}
}

// With the right code page, and for the files that are there, nothing is left
// to say but that some texts are UTF-8 without need.
func TestCorpusSelected(t *testing.T) {
	s, _ := checkReal(t, "hedgehog/Hedgehog", check.Options{CodePage: "1251", Files: []string{"cba", ".CBP"}})
	if s.Errors+s.Notes > 0 || !cmp.Equal(s.Files, []string{"Hedgehog.cba", "Hedgehog.cbp"}) {
		t.Errorf("%+v", s)
	}
	files := strings.Fields("cbh cbj cba cbp cbt cbc cbs cbe cbl cbtt cbm")
	if s, _ := checkReal(t, "world-ch/World-ch", check.Options{Files: files}); !cmp.Equal(s.Codes, map[string]int{"text-utf8": 1}) || len(s.Files) != len(files) {
		t.Errorf("%+v", s)
	}
}

// staleMaterial are the games of Hedgehog whose material words are not those of
// the end of the main line: the words were not refreshed when the games were
// edited or cut (docs/formats/cbh-entities.md 5.1). In 9 of them the position they
// describe is nowhere in the game any more.
const staleMaterial = "5 8 12 15 16 17 18 37 61 62 107 123 125 148"

// What is stored about a game is what we compute from its content. Of World-ch,
// whose moves are missing, the annotations tell nearly all flags and the medals.
func TestCorpusFacts(t *testing.T) {
	for name, games := range corpusDatabases {
		facts := []string{"stale-flags", "stale-other-flags", "stale-magnitude", "stale-medals", "stale-move-count", "stale-material"}
		if name == "world-ch/World-ch" {
			facts = facts[:4]
		}
		s, list := checkReal(t, name, check.Options{})
		var stale []string
		for _, f := range list {
			if strings.HasPrefix(f.Code, "stale-") {
				t.Logf("%v", f)
			}
			if f.Code == "stale-material" {
				stale = append(stale, f.String()[len("Hedgehog.cbj: record "):strings.Index(f.String(), " (")])
			}
		}
		for _, code := range facts {
			wrong := s.Codes[code]
			right := 100.0
			if games > 0 {
				right = 100 * float64(games-wrong) / float64(games)
			}
			t.Logf("%s: %s: %d of %d, %.2f %% right", name, code, wrong, games, right)
			if name == "hedgehog/Hedgehog" && code == "stale-material" {
				if got := strings.Join(stale, " "); got != staleMaterial {
					t.Errorf("games with stale material: %s", got)
				}
				continue
			}
			if right < 99.9 {
				t.Errorf("%s: %s: only %.2f %% right", name, code, right)
			}
		}
	}
}

// verifyReal encodes a database of the corpus again.
func verifyReal(t *testing.T, name string, opt check.Options) check.Report {
	t.Helper()
	return must.Get(check.Verify(context.Background(), corpus.Path(t, "cbh/"+name+".cbh"), opt))(t)
}

// notFromValue are the parts of real databases of which less than 99 in 100
// come from the typed value: the formatting of old guiding texts is kept as it
// is (docs/formats/cbg.md 8), as is the record of zeros among the media lists of
// World-ch (docs/formats/cbh-entities.md 12). One of the seven games of Mate2 has a dummy.
var notFromValue = map[string]string{
	"Hedgehog.cbg text": "kept 27 of 27",
	"World-ch.cbm list": "kept 1 of 11",
	"Mate2.cbg game":    "kept 1 of 7",
}

// Every byte of every real file is looked at and comes back, and nearly all
// from the typed values.
func TestCorpusComesBack(t *testing.T) {
	total := map[string]*check.Tally{} // by part
	for name := range corpusDatabases {
		r := verifyReal(t, name, check.Options{})
		for _, f := range r.Files {
			path := corpus.Path(t, filepath.ToSlash(filepath.Join("cbh", filepath.Dir(name), f.File)))
			info := must.Get(os.Stat(path))(t)
			if f.Bytes != info.Size() {
				t.Errorf("%s: %d of %d bytes were looked at", f.File, f.Bytes, info.Size())
			}
			if f.Different+f.Unsupported > 0 {
				t.Errorf("%s: %+v", f.File, f.Tally)
			}
			for _, p := range f.Parts {
				checkReport(t, f, p)
				key := strings.TrimPrefix(filepath.Ext(f.File), ".") + " " + p.Name
				if total[key] == nil {
					total[key] = &check.Tally{}
				}
				addTally(total[key], p.Tally)
			}
		}
		if got := strings.Join(r.Missing, " "); (got == "World-ch.cbg") != (name == "world-ch/World-ch") {
			t.Errorf("%s: missing %q", name, got)
		}
	}
	for key, tally := range total {
		t.Logf("%-24s %+v", key, *tally)
	}
}

// checkReport compares a part with what is expected of it.
func checkReport(t *testing.T, f check.FileReport, p check.Part) {
	t.Helper()
	key := f.File + " " + p.Name
	if want := notFromValue[key]; want != "" {
		if got := "kept " + fraction(p.Kept, p.Records); got != want {
			t.Errorf("%s: %s, want %s", key, got, want)
		}
		return
	}
	if p.FromValue()*100 < p.Records*99 {
		t.Errorf("%s: only %s from the value", key, fraction(p.FromValue(), p.Records))
	}
}

// The games, entities, moves and annotations of twic1134 come from the values
// alone, so that a database of ours is as good as the original.
func TestCorpusOfOneGeneration(t *testing.T) {
	for _, f := range verifyReal(t, "twic1134/twic1134", check.Options{}).Files {
		if f.FromValue() != f.Records {
			t.Errorf("%s: %+v", f.File, f.Tally)
		}
	}
}
