package dbfile

import (
	"slices"
	"strings"
	"testing"

	_ "cbkit/internal/testkit/seeds"

	"pgregory.net/rapid"
)

// What belongs to a main file, in folders with others.
func TestFind(t *testing.T) {
	both := "Games.cbh Games.cbg Games.cbj games.cbh games.cbg"
	for _, c := range []struct {
		what, main, folder string
		want               string // what belongs; "" is a refusal
		new                string // the name of a new .cbs
	}{
		{"exactly the stem", "Games.cbh", "Games.cbh Games.cbp Games.2024.cbh Games.2024.cbp Games.bak.cbh Games.cbh.cbp GamesX.cbp ame.cbp Games", "Games.cbh Games.cbp", "Games.cbs"},
		{"a stem with dots", "Games.2024.cbh", "Games.cbh Games.cbp Games.2024.cbh Games.2024.cbp Games.2024.x.cbp", "Games.2024.cbh Games.2024.cbp", "Games.2024.cbs"},
		{"endings of databases", "Games.cbh", "Games.cbh Games.pgn Games.dci Games.ctg Games.cbv Games.cpx Games.ini Games.cbkit Games.cbkit-lock", "Games.cbh Games.cbkit Games.cpx Games.ini", "Games.cbs"},
		{"another format", "Games.dci", "Games.dci Games.dcn Games.old.dci Games.old.dcn Games.cbh Games.ini", "Games.dci Games.dcn Games.ini", "Games.cbs"},
		{"any spelling", "games.cbh", "GAMES.CBH Games.cbp games.CBT", "GAMES.CBH Games.cbp games.CBT", "GAMES.cbs"},
		{"two sets, one asked for", "games.cbh", both, "games.cbh games.cbg", "games.cbs"},
		{"two sets, the other one", "Games.cbh", both, "Games.cbh Games.cbg Games.cbj", "Games.cbs"},
		{"two sets, neither", "GAMES.cbh", both, "", ""},
		{"one main file, two others", "games.cbh", "Games.cbh Games.cbp games.cbp games.cbt", "Games.cbh Games.cbp", "Games.cbs"},
		{"no main file, two others", "games.cbh", "Games.cbp games.cbp Games.cbt", "games.cbp", "games.cbs"},
		{"nothing decides", "Games.cbh", "Games.cbh Games.CBH", "", ""},
		{"nothing decides for one", "Games.cbh", "Games.cbh Games.cbp Games.CBP", "", ""},
		{"nothing decides for somebody else's", "Games.cbh", "Games.cbh Games.cbp games.cbp games.CBP", "Games.cbh Games.cbp", "Games.cbs"},
		{"a commit has the main file of the other one", "games.cbh", "games.cbh Games.cbh.cbkit-undo Games.cbj", "games.cbh", "games.cbs"},
		{"a commit has the main file", "games.cbh", "Games.cbh.cbkit-undo Games.cbj", "Games.cbj", "Games.cbs"},
		{"a replacement has the main file", "games.cbh", "Games.cbh Games.cbj games.cbh.cbkit-backup", "-", "games.cbs"},
		{"a replacement has another spelling of the ending", "games.cbh", "games.CBH games.cbj games.cbh.cbkit-complete", "games.CBH games.cbj", "games.cbs"},
		{"a commit has files of another one", "Games.cbh", "Games.cbh Games.2024.cbp.cbkit-undo", "Games.cbh", "Games.cbs"},
		{"an ending of more bytes in lower case", "Games.cbh", "Games.cbh Games.cb\u023a", "Games.cbh Games.cb\u023a", "Games.cbs"},
		{"nothing", "Games.cbh", "", "-", "Games.cbs"},
	} {
		n, err := Find("folder/"+c.main, strings.Fields(c.folder), FormatOf(EndingOf(c.main)).Takes)
		if err != nil || c.want == "" {
			if (err == nil) != (c.want != "") {
				t.Errorf("%s: %v", c.what, err)
			} else if !strings.HasPrefix(err.Error(), "folder/") || !strings.Contains(err.Error(), "in upper and lower case alone") {
				t.Errorf("%s: %v", c.what, err)
			}
			continue
		}
		var got []string
		for _, ending := range n.Endings() {
			if got = append(got, n.Name(ending)); !n.Has(ending) {
				t.Errorf("%s: %s is listed and not there", c.what, ending)
			}
		}
		want := strings.Fields(strings.ReplaceAll(c.want, "-", ""))
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) || n.Name(".cbs") != c.new || !strings.EqualFold(n.Main, c.main) {
			t.Errorf("%s: %q with the main file %s, new ones are like %s; want %q and %s", c.what, got, n.Main, n.Name(".cbs"), want, c.new)
		}
	}
}

// Whatever lies in a folder, two sets have no file in common, each takes what is
// its own, and no name belongs to one that leads elsewhere.
func TestNoFileBelongsToTwo(t *testing.T) {
	name := rapid.Custom(func(t *rapid.T) string {
		stem := rapid.SampledFrom([]string{"a", "A", "a.b", "A.b", "a.B", "aa", "a.cbh", "\u017f", "s"}).Draw(t, "stem")
		ending := rapid.SampledFrom([]string{".cbh", ".CBH", ".cbp", ".Cbp", ".cbj"}).Draw(t, "ending")
		return stem + ending + rapid.SampledFrom([]string{"", "", "", SuffixUndo, SuffixDrop, SuffixEdit + "1", SuffixLock}).Draw(t, "suffix")
	})
	rapid.Check(t, func(t *rapid.T) {
		names := rapid.SliceOfNDistinct(name, 0, 12, rapid.ID).Draw(t, "names")
		slices.Sort(names)
		owner := map[string]string{}
		for _, main := range names {
			if EndingOf(main) != ".cbh" {
				continue
			}
			n, err := Find(main, names, ChessBase.Takes)
			if err != nil {
				continue
			}
			if n.Main != main || !n.Has(".cbh") || !n.Belongs(main) {
				t.Fatalf("asked for %s: %s", main, n.Main)
			}
			for _, name := range names {
				of, working := n.WorksOn(name)
				if !n.Belongs(name) && !working {
					continue
				}
				if owner[name] != "" {
					t.Fatalf("%s belongs to %s and %s", name, owner[name], main)
				}
				if owner[name] = main; working && !n.Belongs(of) {
					t.Fatalf("%s works on %s, which is not in the set of %s", name, of, main)
				}
			}
			if n.Belongs("../"+main) || n.Belongs(`..\`+main) || n.Belongs("x/"+main) || n.Belongs("") {
				t.Fatal("what lies elsewhere belongs to the set")
			}
		}
	})
}

// Our own names are told from all others.
func TestOurOwn(t *testing.T) {
	for name, want := range map[string][2]string{
		"a.cbkit-journal": {"a", SuffixJournal}, "a.cbkit-journal-new": {"a", SuffixJournalNew}, "a.b.cbkit-scratch": {"a.b", SuffixScratch},
		"a.cbh.cbkit-edit-12": {"a.cbh", SuffixEdit}, "a.cbp.cbkit-undo": {"a.cbp", SuffixUndo}, "a.cbp.cbkit-drop": {"a.cbp", SuffixDrop},
		"a.cbh.cbkit-lock": {"a.cbh", SuffixLock}, "a.cbit.cbkit-new-17-0": {"a.cbit", SuffixNew}, "a.cbh.cbkit-kept-2": {"a.cbh", SuffixKept},
		"a.cbh.cbkit-backup": {"a.cbh", SuffixBackup}, "a.cbkit-undo.cbkit-undo": {"a.cbkit-undo", SuffixUndo},
	} {
		if of, suffix := OurOwn(name); of != want[0] || suffix != want[1] {
			t.Errorf("%s: %q, %q", name, of, suffix)
		}
	}
	for _, name := range []string{
		"a.cbkit", ".cbkit-journal", "a.cbh.cbkit-edit-", "a.cbh.cbkit-edit-1x", "a.cbh.cbkit-new-1", "a.cbh.cbkit-new-1-", "a.cbh.cbkit-undone",
		"a.cbkit-journal.bak", "a.cbkit-notes", "a.cbh.cbkit-kept-", "a.CBKIT-journal",
	} {
		if of, suffix := OurOwn(name); of != name || suffix != "" {
			t.Errorf("%s: %q, %q", name, of, suffix)
		}
	}
}
