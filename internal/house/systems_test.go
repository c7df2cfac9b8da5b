package house

import (
	"flag"
	"os"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
)

var otherSystems = flag.Bool("systems", false, "let TestOtherSystems type-check the module for each system")

// The module is correct Go for systems that the tests do not run on: each file of it
// and of what it imports is type-checked as that system has it, which takes a tenth
// of compiling it.
func TestOtherSystems(t *testing.T) {
	if !*otherSystems {
		t.Skip("type-checks the module and its modules six times; with -systems it does, as in CI")
	}
	for _, system := range []string{"windows/amd64", "js/wasm", "darwin/arm64", "linux/arm64", "linux/386", "wasip1/wasm"} {
		t.Run(system, func(t *testing.T) {
			goos, goarch, _ := strings.Cut(system, "/")
			list, err := packages.Load(&packages.Config{
				Mode: packages.NeedName | packages.NeedImports | packages.NeedDeps | packages.NeedTypes | packages.NeedTypesSizes | packages.NeedSyntax,
				Env:  append(os.Environ(), "GOOS="+goos, "GOARCH="+goarch, "CGO_ENABLED=0"),
			}, "./...")
			if err != nil || len(list) < 60 {
				t.Fatalf("%d packages, %v", len(list), err)
			}
			packages.Visit(list, nil, func(p *packages.Package) {
				for _, err := range p.Errors {
					t.Errorf("%s: %v", p.PkgPath, err)
				}
			})
		})
	}
}
