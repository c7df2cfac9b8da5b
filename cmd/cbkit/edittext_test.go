package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cbkit/internal/fsys"
	"cbkit/internal/lock"
	"cbkit/internal/packed"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
)

const clubGames = "% of the club\r\n[Event \"Club\"]\r\n[White \"Neuman, P\"]\r\n[Black \"M\xfcller\"]\r\n[Round \"final\"]\r\n[X \"y\"]\r\n\r\n1.e4 {good} e5 *\r\n\r\n" +
	"[White \"A\"]  [Black \"Neuman, P\"]\n\n1. d4 d5 1-0 ; end\n\n[White \"Neumann, Petra\"]\n\n1. c4 *"

// What edit does with a database it does with PGN and JSON Lines, and nothing else there
// has other bytes.
func TestEditText(t *testing.T) {
	for _, c := range []struct {
		args []string
		was  []string // old and new parts, in pairs
		said string
	}{
		{[]string{"--rename-player", "Neuman, P=Neuman, Peter"}, []string{"Neuman, P\"", "Neuman, Peter\""}, "1 name changed; 2 records rewritten"},
		{[]string{"--merge-player", "Neuman, P=Neumann, Petra"}, []string{"Neuman, P\"", "Neumann, Petra\""}, "1 name merged into another"},
		{[]string{"--merge-player", "#0=#3"}, []string{"Neuman, P\"", "Neumann, Petra\""}, "1 name merged into another"},
		{[]string{"--rename-tournament", "Club=Club Open"}, []string{"\"Club\"", "\"Club Open\""}, "1 name changed"},
		{[]string{"--set", "1.round=3"}, []string{"\"final\"", "\"3\""}, "1 header changed"},
		{[]string{"--set", "2.result=1/2-1/2"}, []string{"d5 1-0 ;", "d5 1/2-1/2 ;"}, "1 header changed"},
		{[]string{"--set", "1-2.whiteElo=2000"}, []string{"M\xfcller\"]\r\n", "M\xfcller\"]\r\n[WhiteElo \"2000\"]\r\n", "[Black \"Neuman, P\"]\n", "[Black \"Neuman, P\"]\n[WhiteElo \"2000\"]\n"}, "2 headers changed"},
		{[]string{"--set", "1.white=Größe"}, []string{"[White \"Neuman, P", "[White \"Gr\xf6\xdfe"}, "1 header changed"},
		{[]string{"--delete", "3"}, []string{"[White \"Neumann, Petra\"]\n\n1. c4 *", ""}, "1 taken out of the PGN"},
		{[]string{"--drop-annotations", "1"}, []string{"1.e4 {good} e5 *", "1. e4 e5 *"}, "1 annotated"},
		{[]string{"--replace", "3=one.pgn"}, []string{"[White \"Neumann, Petra\"]\n\n1. c4 *", "[White \"N\"]\n\n1. g3 *"}, "1 replaced"},
		{[]string{"--annotate", "3=notes.pgn"}, []string{"1. c4 *", "1. c4 $1 *"}, "1 annotated"},
		{[]string{"--append", "one.pgn"}, []string{"1. c4 *", "1. c4 *\n\n[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"N\"]\n[Black \"?\"]\n[Result \"*\"]\n[PlyCount \"1\"]\n\n1. g3 *\n\n"}, "1 appended"},
	} {
		t.Run(strings.Join(c.args, " "), func(t *testing.T) {
			t.Chdir(gen.Folder(t))
			for name, text := range map[string]string{"g.pgn": clubGames, "one.pgn": "[White \"N\"]\n\n1. g3 *\n", "notes.pgn": "1. c4! *\n", "g.pgn.jsonl": "x", "gg.pgn": "y"} {
				must.Do(t, os.WriteFile(name, []byte(text), 0o640))
			}
			want := clubGames
			for i := 0; i < len(c.was); i += 2 {
				want = strings.ReplaceAll(want, c.was[i], c.was[i+1])
			}
			r := mustRun(t, append([]string{"edit", "g.pgn", "--dry-run"}, c.args...)...)
			if got, err := os.ReadFile("g.pgn"); err != nil || string(got) != clubGames || !strings.Contains(r.errOut, "would change: ") {
				t.Errorf("a dry run: %v, %q, %s", err, got, r.errOut)
			}
			if r = mustRun(t, append([]string{"edit", "g.pgn"}, c.args...)...); !strings.Contains(r.errOut, c.said) {
				t.Errorf("said %q", r.errOut)
			}
			if got, err := os.ReadFile("g.pgn"); err != nil || string(got) != want {
				t.Errorf("%v, %q, want %q", err, got, want)
			}
			if names, err := filepath.Glob("*"); err != nil || len(names) != 5 {
				t.Errorf("%v, %v", names, err)
			}
			if info, err := os.Stat("g.pgn"); err != nil || info.Mode().Perm() != 0o640 {
				t.Errorf("%v, %v", info.Mode(), err)
			}
		})
	}
}

// What is added has the line ends of the text.
func TestAppendKeepsLineEnds(t *testing.T) {
	t.Chdir(gen.Folder(t))
	for _, end := range []string{"\r\n", "\n"} {
		written(t, ".", "g.pgn", strings.ReplaceAll("[White \"A\"]\n\n1. e4 *\n\n", "\n", end))
		written(t, ".", "one.pgn", "[White \"B\"]\n\n1. d4 *\n")
		if r := mustRun(t, "edit", "g.pgn", "--append", "one.pgn"); !strings.HasSuffix(r.errOut, "edited: 1 appended, all else as it was\n") {
			t.Errorf("%q", r.errOut)
		}
		got, err := os.ReadFile("g.pgn")
		if n := bytes.Count(got, []byte("\n")); err != nil || n < 10 || bytes.Count(got, []byte("\r\n")) != n*strings.Count(end, "\r") {
			t.Errorf("%v, %q", err, got)
		}
	}
}

// Of JSON Lines the members concerned change, and there deleted records are marked.
func TestEditLines(t *testing.T) {
	t.Chdir(gen.Folder(t))
	lines := `{"id": 1, "white": "A", "event": "E"}` + "\n\n" + `{"id": 5, "kind": "text", "event": "E"}` + "\n"
	written(t, ".", "g.jsonl", lines)
	mustRun(t, "edit", "-q", "g.jsonl", "--set", "1.result=1-0", "--set", "5.annotator=B", "--delete", "5", "--rename-tournament", "E=F")
	want := `{"id": 1, "white": "A", "event": "F", "result": "1-0"}` + "\n\n" + `{"id": 5, "kind": "text", "deleted": true, "event": "F", "annotator": "B"}` + "\n"
	if got, err := os.ReadFile("g.jsonl"); err != nil || string(got) != want {
		t.Errorf("%v, %s", err, got)
	}
	mustRun(t, "edit", "-q", "g.jsonl", "--undelete", "5")
	if got, err := os.ReadFile("g.jsonl"); err != nil || string(got) != strings.Replace(want, ` "deleted": true,`, "", 1) {
		t.Errorf("%v, %s", err, got)
	}
	says(t, cbkit(t, "", "edit", "g.jsonl", "--set", "5.white=A"), exitFailed, "guiding text, which has no white")
	says(t, cbkit(t, "", "edit", "g.jsonl", "--drop-annotations", "5"), exitFailed, "is a guiding text, not a game")
}

// A text that is compressed stays so.
func TestEditPackedText(t *testing.T) {
	t.Chdir(gen.Folder(t))
	written(t, ".", "g.pgn", "[White \"A\"]\n\n1. e4 *\n")
	mustRun(t, "convert", "-q", "g.pgn", "p.pgn.zst")
	mustRun(t, "edit", "-q", "p.pgn.zst", "--rename-player", "A=B")
	data, err := os.ReadFile("p.pgn.zst")
	if err != nil || !packed.IsPacked(data) {
		t.Errorf("not compressed: %v", err)
	}
	if r := mustRun(t, "export", "p.pgn.zst", "-"); !strings.Contains(r.out, `[White "B"]`) {
		t.Error(r.out)
	}
}

// What cannot be done leaves everything as it was.
func TestEditTextRefuses(t *testing.T) {
	t.Chdir(gen.Folder(t))
	written(t, ".", "g.pgn", clubGames)
	written(t, ".", "broken.pgn", "[White \"A\"]\n\n1. e5 *\n\n[White \"A\"]\n\n1. e4 *\n")
	for _, c := range []struct {
		status int
		said   string
		args   []string
	}{
		{exitFailed, `no player is called exactly "Neuman"; write the whole name, or the number, of "Neuman, P" (#0)`, []string{"--rename-player", "Neuman=X"}},
		{exitFailed, "is there already; --merge-player", []string{"--rename-player", "Neuman, P=A"}},
		{exitFailed, "no player with the number 17", []string{"--set", "1.white=#17"}},
		{exitFailed, "--new-names makes a new one", []string{"--set", "1.white=Neuman"}},
		{exitFailed, "no such record; the last one is 3", []string{"--set", "1.round=1", "--delete", "9"}},
		{exitFailed, "from ply 1 on its main line", []string{"--annotate", "1=g1.pgn"}},
		{exitUsage, "is not marked as deleted", []string{"--undelete", "1"}},
		{exitUsage, "names of a text stand in its games alone", []string{"--remove-unused"}},
		{exitUsage, "only ChessBase databases have search boosters", []string{"--boosters", "--delete", "1"}},
	} {
		written(t, ".", "g1.pgn", "1. a3 *")
		r := cbkit(t, "", append([]string{"edit", "g.pgn"}, c.args...)...)
		if r.status != c.status || !strings.Contains(r.errOut, c.said) {
			t.Errorf("%q: %+v", c.args, r)
		}
		if got, err := os.ReadFile("g.pgn"); err != nil || string(got) != clubGames {
			t.Fatalf("%q changed it: %v", c.args, err)
		}
	}
	written(t, ".", "empty.pgn", "")
	written(t, ".", "junk.pgn", "x")
	written(t, ".", "junk.jsonl", "x")
	must.Do(t, os.Mkdir("folder.pgn", 0o777))
	for name, said := range map[string]string{
		"empty.pgn": "empty.pgn: the file is empty", "junk.pgn": "junk.pgn: there is no game in it", "junk.jsonl": "it is not JSON Lines",
		"folder.pgn": "folder.pgn: is a folder", "nowhere.pgn": "nowhere.pgn: no such file or directory",
	} {
		says(t, cbkit(t, "", "edit", name, "--set", "1.round=1"), exitFailed, said)
	}
	if left, err := filepath.Glob("*.cbkit*"); len(left) > 0 || err != nil {
		t.Errorf("left: %v, %v", left, err)
	}
	says(t, cbkit(t, "x", "edit", "-", "--delete", "1"), exitUsage, "standard input cannot be changed in place")
	r := cbkit(t, "", "edit", "broken.pgn", "--rename-player", "A=B")
	if got, err := os.ReadFile("broken.pgn"); r.status != exitFailed || !strings.Contains(r.errOut, "broken.pgn:3: game 1: ") || err != nil ||
		string(got) != "[White \"A\"]\n\n1. e5 *\n\n[White \"B\"]\n\n1. e4 *\n" {
		t.Errorf("%+v, %v, %s", r, err, got)
	}
	if err := os.Link("g.pgn", "h.pgn"); err != nil {
		t.Skip(err)
	}
	says(t, cbkit(t, "", "edit", "g.pgn", "--delete", "1"), exitFailed, "has another name (a hard link)")
	must.Do(t, os.Chmod("broken.pgn", 0o444))
	if r := cbkit(t, "", "edit", "broken.pgn", "--delete", "1"); r.status != exitFailed || !strings.HasPrefix(r.errOut, "cbkit: broken.pgn: ") || !strings.Contains(r.errOut, "read-only") {
		t.Errorf("exit %d: %s", r.status, r.errOut)
	}
	must.Do(t, os.Remove("h.pgn"))
	held := must.Get(lock.Acquire(t.Context(), fsys.OS{}, "g.pgn", lock.Writer, 0))(t)
	defer held.Release()
	says(t, cbkit(t, "", "edit", "g.pgn", "--delete", "1"), exitFailed, "; --wait 10s waits for it to end")
	if got, err := os.ReadFile("g.pgn"); err != nil || !bytes.Equal(got, []byte(clubGames)) {
		t.Errorf("it has changed: %v", err)
	}
}
