// Package duckdb has no code of its own: its test reads cbkit's tables with a
// real engine and asks it the questions of docs/analysis.md. The engine comes
// from npm and is no dependency of the library.
package duckdb

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"cbkit/internal/testkit/must"
)

// ask runs statements with DuckDB in a folder. Each answer is a table whose
// first row has the names of its columns.
func ask(t *testing.T, dir string, statements []string) [][][]string {
	t.Helper()
	input := must.Get(json.Marshal(statements))(t)
	home := install(t)
	node := exec.CommandContext(t.Context(), "node", filepath.Join(home, "run.js"))
	node.Dir, node.Stdin = dir, bytes.NewReader(input)
	var failed bytes.Buffer
	node.Stderr = &failed
	output, err := node.Output()
	if err != nil {
		t.Fatalf("DuckDB: %v: %s", err, failed.Bytes())
	}
	var tables [][][]string
	must.Do(t, json.Unmarshal(output, &tables))
	return tables
}

// install returns a folder with the engine: this one if it is there, else a new
// one.
func install(t *testing.T) string {
	t.Helper()
	if _, err := exec.LookPath("node"); err != nil {
		missing(t, "node is missing")
	}
	here := must.Get(os.Getwd())(t)
	if _, err := os.Stat("node_modules/@duckdb/node-api"); err == nil {
		return here
	}
	dir := t.TempDir()
	for _, name := range []string{"package.json", "run.js"} {
		data := must.Get(os.ReadFile(name))(t)
		must.Do(t, os.WriteFile(filepath.Join(dir, name), data, 0o600))
	}
	npm := exec.CommandContext(t.Context(), "npm", "install", "--silent", "--no-package-lock", "--no-audit", "--no-fund")
	npm.Dir = dir
	if out, err := npm.CombinedOutput(); err != nil {
		missing(t, "npm install: "+err.Error()+": "+string(out))
	}
	return dir
}

// missing skips the test, or fails where everything must be there.
func missing(t *testing.T, why string) {
	t.Helper()
	if os.Getenv("CI") == "true" {
		t.Fatal("DuckDB is missing: " + why)
	}
	t.Skip("DuckDB is missing: " + why)
}
