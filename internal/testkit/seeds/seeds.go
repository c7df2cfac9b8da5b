// Package seeds is test support: it makes tests with random input the same every time. Who
// imports it has
//
//	-rapid.seed 1    by default, and no files of failures, which a later run would begin with
//	-fresh           a seed of this run alone, which is printed
//
// and -rapid.checks says how many inputs are tried: 40 by default, and 100 in CI. The packages
// gen and roomy import it for all who import them.
package seeds

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// InCI is true where tests take their whole time, with CI=true. Elsewhere tests of many cases
// alike run some of them.
var InCI = os.Getenv("CI") == "true"

// Often is how often a test repeats what it does by chance: half as often outside CI.
func Often(n int) int {
	if InCI {
		return n
	}
	return n / 2
}

func init() {
	defaults := [][3]string{{"rapid.seed", "RAPID_SEED", "1"}, {"rapid.nofailfile", "RAPID_NOFAILFILE", "true"}}
	if !InCI {
		defaults = append(defaults, [3]string{"rapid.checks", "RAPID_CHECKS", "40"})
	}
	for _, d := range defaults {
		if _, given := os.LookupEnv(d[1]); !given {
			set(d[0], d[2])
		}
	}
	flag.BoolFunc("fresh", "random tests: take a fresh seed, and print it", func(string) error {
		seed := fmt.Sprint(rand.Uint64())
		fmt.Printf("-rapid.seed %s\n", seed)
		set("rapid.seed", seed)
		return nil
	})
	if old, _ := filepath.Glob("testdata/rapid/*/*.fail"); len(old) > 0 {
		fmt.Printf("random tests begin with the failures of earlier runs: %s\n", strings.Join(old, " "))
	}
}

// set sets a flag of package rapid.
func set(name, value string) {
	if err := flag.Set(name, value); err != nil {
		panic(err)
	}
}

// The most that a brief test prints.
const (
	lines = 30
	width = 200
)

// Brief returns a test for rapid.Check that prints at most 40 lines: of what was drawn the
// last 30, none longer than 200 bytes.
func Brief(t testing.TB) rapid.TB {
	b := &brief{TB: t}
	t.Cleanup(func() {
		if t.Failed() {
			t.Log(strings.Join(b.last, "\n"))
		}
	})
	return b
}

type brief struct {
	testing.TB
	last []string
}

// Logf implements [rapid.TB].
func (b *brief) Logf(format string, args ...any) {
	line := strings.ReplaceAll(fmt.Sprintf(format, args...), "\n", " ")
	b.last = append(b.last[max(0, len(b.last)+1-lines):], line[:min(len(line), width)])
}

// Log implements [rapid.TB].
func (b *brief) Log(args ...any) { b.Logf("%s", fmt.Sprint(args...)) }

// Errorf implements [rapid.TB].
func (b *brief) Errorf(format string, args ...any) {
	b.Helper()
	all := strings.Split(fmt.Sprintf(format, args...), "\n")
	for i, line := range all {
		all[i] = line[:min(len(line), width)]
	}
	b.TB.Error(strings.Join(all[:min(len(all), 8)], "\n"))
}
