package main

import (
	"bytes"
	"cmp"
	"context"
	"debug/buildinfo"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// component is a part of a program, as CycloneDX names it.
type component struct {
	Type       string              `json:"type"`
	Ref        string              `json:"bom-ref"`
	Name       string              `json:"name"`
	Version    string              `json:"version"`
	URL        string              `json:"purl"`
	Properties []map[string]string `json:"properties,omitempty"`
}

// bill writes what a program is made of, which it says itself.
func (b *build) bill(program, system string) error {
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		return err
	}
	part := func(kind, name, version, sum string) component {
		url := "pkg:golang/" + name + "@" + version
		c := component{Type: kind, Ref: url, Name: name, Version: version, URL: url}
		if sum != "" {
			c.Properties = []map[string]string{{"name": "go.sum", "value": sum}}
		}
		return c
	}
	parts := []component{part("library", "std", strings.TrimPrefix(info.GoVersion, "go"), "")}
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		parts = append(parts, part("library", m.Path, m.Version, m.Sum))
	}
	whole := part("application", info.Main.Path, b.version, "")
	whole.Properties = []map[string]string{{"name": "system", "value": system}, {"name": "commit", "value": b.commit}}
	text, err := json.MarshalIndent(map[string]any{
		"$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json", "bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1,
		"metadata":   map[string]any{"timestamp": b.date.Format(time.RFC3339), "component": whole},
		"components": parts,
	}, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(b.out, b.title(label(system))+".cdx.json"), append(text, '\n'), 0o666)
}

// module is what go list says of the module of a package.
type module struct {
	Path, Version, Dir string
	Main               bool
}

// isNotice recognises the files in which modules say their licences.
var isNotice = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|copyright|patents)([-._].*)?$`)

// notices returns what THIRD_PARTY_LICENSES says: the licences of all modules whose
// packages are in the program for one of the systems, or in the page of the viewer, and
// of what stands in the page besides.
func notices(ctx context.Context, tree string) ([]byte, error) {
	type linked struct {
		module
		dirs map[string]bool // of packages
	}
	modules := map[string]*linked{}
	list := func(system, pkg string) error {
		c := exec.CommandContext(ctx, "go", "list", "-deps", "-json=Dir,Module", pkg)
		goos, goarch, _ := strings.Cut(system, "/")
		c.Dir, c.Env, c.Stderr = tree, append(os.Environ(), "GOOS="+goos, "GOARCH="+goarch, "CGO_ENABLED=0"), os.Stderr
		out, err := c.Output()
		if err != nil {
			return err
		}
		for d := json.NewDecoder(bytes.NewReader(out)); ; {
			var p struct {
				Dir    string
				Module *module
			}
			if err := d.Decode(&p); errors.Is(err, io.EOF) {
				return nil
			} else if err != nil {
				return err
			}
			if m := p.Module; m != nil && !m.Main {
				if modules[m.Path] == nil {
					modules[m.Path] = &linked{*m, map[string]bool{}}
				}
				for dir := p.Dir; len(dir) >= len(m.Dir); dir = filepath.Dir(dir) {
					modules[m.Path].dirs[dir] = true
				}
			}
		}
	}
	for _, system := range systems {
		if err := list(system, "./cmd/cbkit"); err != nil {
			return nil, err
		}
	}
	if err := list("js/wasm", "./cmd/internal/viewwasm"); err != nil {
		return nil, err
	}
	root, err := exec.CommandContext(ctx, "go", "env", "GOROOT").Output()
	if err != nil {
		return nil, err
	}
	goroot := strings.TrimSpace(string(root))
	all := []*linked{
		{module{Path: "Go: standard library, and what loads the reader into the page", Dir: goroot}, map[string]bool{goroot: true}},
		{module{Path: "DejaVu Sans: drawings of pieces", Dir: filepath.Join(tree, "web")}, map[string]bool{filepath.Join(tree, "web"): true}},
	}
	for _, p := range modules {
		all = append(all, p)
	}
	slices.SortFunc(all[2:], func(a, b *linked) int { return cmp.Compare(a.Path, b.Path) })
	var b bytes.Buffer
	b.WriteString("What is in the programs of cbkit besides cbkit itself, and on which terms.\nMade by: go run ./internal/release -notices\n")
	for _, p := range all {
		fmt.Fprintf(&b, "\n%s\n%s\n", strings.Repeat("=", 80), strings.TrimSpace(p.Path+" "+p.Version))
		found := false
		for _, dir := range slices.Sorted(maps.Keys(p.dirs)) {
			entries, err := os.ReadDir(dir)
			if err != nil {
				return nil, err
			}
			for _, e := range entries {
				if e.IsDir() || !isNotice.MatchString(e.Name()) {
					continue
				}
				text, err := os.ReadFile(filepath.Join(dir, e.Name()))
				if err != nil {
					return nil, err
				}
				name, _ := filepath.Rel(p.Dir, filepath.Join(dir, e.Name()))
				text = bytes.TrimSpace(bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")))
				fmt.Fprintf(&b, "\n%s %s\n\n%s\n", strings.Repeat("-", 20), filepath.ToSlash(name), text)
				found = true
			}
		}
		if !found {
			return nil, fmt.Errorf("%s %s: no file says its licence", p.Path, p.Version)
		}
	}
	return b.Bytes(), nil
}
