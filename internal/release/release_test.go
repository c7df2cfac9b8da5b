package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cbkit/internal/testkit/must"
)

// THIRD_PARTY_LICENSES has the terms of everything that is linked, and nothing else.
func TestNotices(t *testing.T) {
	if testing.Short() {
		t.Skip("looks for the licences of all modules")
	}
	want := must.Get(notices(t.Context(), "../.."))(t)
	got, err := os.ReadFile("../../THIRD_PARTY_LICENSES")
	if err != nil || string(got) != string(want) {
		t.Fatalf("THIRD_PARTY_LICENSES is not what is linked (%v); go run ./internal/release -notices writes it", err)
	}
}

// Two folders with the same files of other dates, and made at other times, give the
// same archives; the list of components names the modules of a program.
func TestArchivesAreReproducible(t *testing.T) {
	program := must.Get(os.Executable())(t) // it knows its modules as any other
	var results []string
	for i := range 2 {
		dir := t.TempDir()
		b := build{ctx: t.Context(), out: dir, version: "v1.2.3", commit: "0123", date: time.Unix(1_700_000_000, 0).UTC()}
		text := filepath.Join(t.TempDir(), "text")
		must.Do(t, os.WriteFile(text, []byte("text\n"), 0o666))
		must.Do(t, os.Chtimes(text, time.Time{}, time.Unix(int64(i+1)*1_000_000, 0)))
		for _, system := range []string{"darwin/arm64", "windows/amd64"} {
			must.Do(t, b.archive(text, system, []file{{"man/cbkit.1", text, 0o644}}))
			must.Do(t, b.bill(program, system))
		}
		lines := must.Get(sums(dir))(t)
		results = append(results, lines)
		var bill struct {
			Format     string      `json:"bomFormat"`
			Components []component `json:"components"`
		}
		text = filepath.Join(dir, "cbkit-v1.2.3-macos-arm64.cdx.json")
		if data, err := os.ReadFile(text); err != nil || json.Unmarshal(data, &bill) != nil || bill.Format != "CycloneDX" ||
			len(bill.Components) == 0 || !strings.HasPrefix(bill.Components[0].URL, "pkg:golang/std@1.") {
			t.Errorf("%v, %+v", err, bill)
		}
	}
	if strings.Count(results[0], "\n") != 4 || results[0] != results[1] {
		t.Errorf("%s\n%s", results[0], results[1])
	}
}

// A tree with changes, and a folder that is there, are refused before anything is built.
func TestRefusals(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, args := range [][]string{{"init", "-q"}, {"-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "--allow-empty", "-m", "nothing"}} {
		if out, err := exec.Command("git", args...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	must.Do(t, os.WriteFile("changed.go", nil, 0o666))
	for _, c := range []struct{ out, system, version, says string }{
		{".", "linux/amd64", "", "exists already"}, {"dist", "linux/amd64", "", "changed.go"}, {"dist", "linux", "", "none of the systems"},
	} {
		if err := release(t.Context(), c.out, []string{c.system}, c.version, false); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%+v: %v", c, err)
		}
	}
	must.Do(t, os.Remove("changed.go"))
	for _, version := range []string{"1.0.0", "v1.0", "v1.0.0 -X main.commit=x", "v1.0.0/../x"} {
		if err := release(t.Context(), "dist", nil, version, false); err == nil || !strings.Contains(err.Error(), "no version") {
			t.Errorf("%s: %v", version, err)
		}
	}
	b := build{ctx: t.Context(), tree: "."}
	if err := b.identify(); err != nil || !strings.HasPrefix(b.version, "v0.0.0-2") {
		t.Errorf("%q, %v", b.version, err)
	}
	if out, err := exec.Command("git", "tag", "v1.0.0-rc.1").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	b.version = ""
	if err := b.identify(); err != nil || b.version != "v1.0.0-rc.1" {
		t.Errorf("%q, %v", b.version, err)
	}
}
