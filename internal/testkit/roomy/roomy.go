// Package roomy is test support: it runs the tests of a package with room for garbage,
// and notes where memory is taken only if a profile of it is asked for.
// What tests hold is little, and a collector that keeps the heap as small takes a third
// of their time. Packages whose tests measure the heap do without.
package roomy

import (
	"flag"
	"os"
	"runtime"
	"runtime/debug"
	"testing"

	_ "cbkit/internal/testkit/seeds"
)

// Run runs tests and returns their exit status. Benchmarks run as they would without it,
// and GOGC, if it is set, stays as it is.
func Run(m *testing.M) int {
	flag.Parse()
	if flag.Lookup("test.memprofile").Value.String() == "" {
		runtime.MemProfileRate = 0
	}
	if os.Getenv("GOGC") == "" && flag.Lookup("test.bench").Value.String() == "" {
		debug.SetGCPercent(400)
	}
	return m.Run()
}
