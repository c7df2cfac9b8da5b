package main

import (
	"os"
	"strings"
	"testing"

	"cbkit/internal/testkit/must"
)

// A Simple Chess Database changes in place by the verbs of others, in both layouts.
func TestEditSimple(t *testing.T) {
	for _, layout := range []string{"v0", "v1"} {
		t.Run(layout, func(t *testing.T) {
			here(t)
			written(t, ".", "old.pgn", "[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n1. e4 e5 1-0\n\n[White \"C\"]\n[Black \"A\"]\n[Result \"0-1\"]\n\n1. d4 d5 0-1\n")
			written(t, ".", "new.pgn", "[White \"B\"]\n[Black \"D\"]\n[Result \"1/2-1/2\"]\n\n1. c4 {English} c5 1/2-1/2\n")
			mustRun(t, "convert", "-q", "old.pgn", "Games.dci", "--layout", layout)
			names := must.Get(os.ReadFile("Games.dcn"))(t)
			r := mustRun(t, "edit", "Games.dci", "--append", "new.pgn", "--delete", "2", "--set", "1.event=Linares", "--set", "1.white=Tal, Mikhail", "--replace", "1=new.pgn")
			mentions(t, "edit", r.errOut, "1 appended", "1 replaced", "1 deleted", "2 headers changed")
			now, err := os.ReadFile("Games.dcn")
			if err != nil || string(now[:len(names)]) != string(names) {
				t.Errorf("names have moved: %v", err)
			}
			out := mustRun(t, "export", "Games.dci", "-", "--deleted").out
			for want, n := range map[string]int{`[Event "Linares"]`: 1, `[White "Tal, Mikhail"]`: 1, "English": 2, `[White "C"]`: 1} {
				if strings.Count(out, want) != n {
					t.Errorf("%d times %s, want %d:\n%s", strings.Count(out, want), want, n, out)
				}
			}
			mustRun(t, "check", "Games.dci")
			mustRun(t, "verify", "Games.dci")
			mustRun(t, "import", "--append", "new.pgn", "Games.dci").reports(t, "1 appended")
			was := folder(t)
			if r := cbkit(t, "", "edit", "Games.dci", "--delete", "1", "--rename-player", "A=B"); r.status != exitUsage || !strings.Contains(r.errOut, "--set") {
				t.Errorf("renaming: %+v", r)
			}
			mustRun(t, "edit", "Games.dci", "--drop-annotations", "1", "--dry-run", "--json").prints(t, `"annotated":1`)
			mustRun(t, "compact", "Games.dci", "--purge", "--dry-run", "--json").prints(t, `"purged":1`)
			unchanged(t, "what was refused or tried", was)
			if r := mustRun(t, "compact", "Games.dci", "--purge", "--json"); !strings.Contains(r.out, `"records":3,"purged":1`) && !strings.Contains(r.out, `"records":2,"purged":1`) {
				t.Errorf("compact: %s", r.out)
			}
			mustRun(t, "check", "Games.dci")
			mustRun(t, "verify", "Games.dci")
		})
	}
}

// A journal that is left is reported, and played back by recover.
func TestRecoverSimpleEdit(t *testing.T) {
	here(t)
	mustRun(t, "convert", "-q", "games.pgn", "Games.dci")
	was := folder(t)
	interruptCommit(t, "Games.dci")
	fails(t, exitFailed, "cbkit recover", "info", "Games.dci")
	mustRun(t, "recover", "Games.dci")
	unchanged(t, "a change that was taken back", was)
}
