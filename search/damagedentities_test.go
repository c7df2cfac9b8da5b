package search_test

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cbkit/check"
	"cbkit/internal/cbh"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/model"
	"cbkit/search"
)

// exampleFiles writes the database of the examples and returns its path, and
// that of one of its files.
func exampleFiles(t *testing.T, ext string) (path, file string) {
	t.Helper()
	path = filepath.Join(gen.Folder(t), "games.cbh")
	writeExample(path)
	return path, strings.TrimSuffix(path, ".cbh") + ext
}

// rewrite changes the bytes of a file.
func rewrite(t *testing.T, file string, change func([]byte) []byte) {
	t.Helper()
	b := must.Get(os.ReadFile(file))(t)
	must.Do(t, os.WriteFile(file, change(b), 0o644))
}

// Links of the tree that are wrong hide no name, with boosters or without.
func TestWrongTreesHideNobody(t *testing.T) {
	path, file := exampleFiles(t, ".cbp")
	sound := must.Get(os.ReadFile(file))(t)
	head := must.Get(cbh.DecodeEntityHeader(sound))(t)
	links := func(b []byte, id int32) []byte {
		return b[head.Size()+int(id)*cbh.Players.RecordSize():][:cbh.EntityLinksSize]
	}
	damages := map[string]func(b []byte){
		"all links cut": func(b []byte) {
			for id := range head.Capacity {
				cbh.EntityLinks{Left: cbh.NoLink, Right: cbh.NoLink}.Append(links(b, id)[:0])
			}
		},
		"left and right exchanged": func(b []byte) {
			for id := range head.Capacity {
				l := must.Get(cbh.DecodeEntityLinks(links(b, id)))(t)
				cbh.EntityLinks{Left: l.Right, Right: l.Left}.Append(links(b, id)[:0])
			}
		},
		"a link of the root cut": func(b []byte) {
			l := must.Get(cbh.DecodeEntityLinks(links(b, head.Root)))(t)
			cbh.EntityLinks{Left: l.Left, Right: cbh.NoLink, Balance: l.Balance}.Append(links(b, head.Root)[:0])
		},
		"another root": func(b []byte) {
			binary.LittleEndian.PutUint32(b[4:], uint32((head.Root+1)%head.Capacity))
		},
	}
	for _, query := range []string{"player:Xu*", "player:carls*", "player:car*"} {
		rewrite(t, file, func([]byte) []byte { return sound })
		want := ask(t, open(t, path, search.Options{}), query).IDs
		for name, damage := range damages {
			rewrite(t, file, func([]byte) []byte {
				b := slices.Clone(sound)
				damage(b)
				return b
			})
			for _, opt := range []search.Options{{}, {NoBoosters: true}} {
				result := ask(t, open(t, path, opt), query)
				if !slices.Equal(result.IDs, want) {
					t.Errorf("%s, %s, %+v: %v, want %v\n%v", query, name, opt, result.IDs, want, result.Plan)
				}
				if noticed := strings.Contains(result.Plan.String(), "all names are read"); noticed == opt.NoBoosters {
					t.Errorf("%s, %s, %+v:\n%v", query, name, opt, result.Plan)
				}
			}
		}
	}
}

// A name that was overwritten in place fits the links of the tree: a walk passes
// by where the name belongs. Reading all names finds it, and the check of the
// database tells that the tree is out of order.
func TestOverwrittenName(t *testing.T) {
	path, file := exampleFiles(t, ".cbp")
	rewrite(t, file, func(b []byte) []byte { return bytes.Replace(b, []byte("Xu\x00"), []byte("Aa\x00"), 1) })
	result := ask(t, open(t, path, search.Options{NoBoosters: true}), "player:Aa")
	if !slices.Equal(result.IDs, []model.RecordID{1, 3}) {
		t.Errorf("%v\n%v", result.IDs, result.Plan)
	}
	told := false
	made := check.Database(t.Context(), path, check.Options{})
	for f, err := range made.Findings() {
		if err != nil {
			break // Summary has it
		}
		told = told || f.File == "games.cbp" && f.Code == "tree-order"
	}
	_, err := made.Summary()
	if err != nil || !told {
		t.Errorf("told %v, %v", told, err)
	}
}

// Without a mandatory entity file nobody knows who is called so. Of one that is
// cut, which a warning tells, the records that are there are used.
func TestMissingEntityFiles(t *testing.T) {
	for ext, query := range map[string]string{
		".cbp": "player:Xu", ".cbt": "tournament:*", ".cbc": "annotator:a*", ".cbs": "not source:*",
	} {
		path, file := exampleFiles(t, ext)
		rewrite(t, file, func(b []byte) []byte { return b[:len(b)-1] })
		for _, opt := range []search.Options{{}, {NoBoosters: true}} {
			var warnings []string
			opt.Warn = func(err error) { warnings = append(warnings, err.Error()) }
			ask(t, open(t, path, opt), query)
			if len(warnings) != 1 || !strings.Contains(warnings[0], "games"+ext) {
				t.Errorf("%s: warnings %q", ext, warnings)
			}
		}
		must.Do(t, os.Remove(file))
		wantError(t, path, query, "games"+ext, "missing")
		ask(t, open(t, path, search.Options{}), "year:2000") // does not need it
	}
	// Databases without teams and titles have no files for them.
	for ext, query := range map[string]string{".cbe": "team:*", ".cbl": "title:*"} {
		path, file := exampleFiles(t, ext)
		if err := os.Remove(file); err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		if got := ask(t, open(t, path, search.Options{}), query); len(got.IDs) != 0 {
			t.Errorf("%s without %s: %v", query, ext, got.IDs)
		}
	}
}

// A .cbj record with numbers that mean nothing is told where they are asked for, and
// where the damage is.
func TestMeaninglessTeams(t *testing.T) {
	path, file := exampleFiles(t, ".cbj")
	for query, field := range map[string]*cbh.Field{"team:*": &cbh.ExtWhiteTeam, "black-team:*": &cbh.ExtBlackTeam, "title:*": &cbh.ExtGameTitle} {
		rewrite(t, file, func(b []byte) []byte {
			field.Put(b[cbh.ExtHeaderSize:], 0x82920522)
			return b
		})
		var told []string
		opt := search.Options{NoBoosters: true, Unread: func(_ model.RecordID, err error) { told = append(told, err.Error()) }}
		result := ask(t, open(t, path, opt), query)
		if len(told) == 0 || !strings.HasPrefix(told[0], "games.cbj: record 1") || !result.Unread.Has(1) {
			t.Errorf("%s: told %q", query, told)
		}
	}
}

// wantError asks a question that cannot be answered.
func wantError(t *testing.T, path, query string, words ...string) {
	t.Helper()
	c := must.Get(search.Parse(query))(t)
	for _, opt := range []search.Options{{}, {NoBoosters: true}} {
		_, err := open(t, path, opt).Find(t.Context(), c)
		for _, word := range words {
			if err == nil || !strings.Contains(err.Error(), word) {
				t.Errorf("%s, %+v: %v, want %q in it", query, opt, err, word)
			}
		}
	}
}
