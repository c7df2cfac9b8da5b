// Command release makes everything that is published for a commit, twice, and compares
// the results:
//
//	go run ./internal/release                          all systems
//	go run ./internal/release -systems linux/amd64     one of them
//	go run ./internal/release -notices                 THIRD_PARTY_LICENSES of this tree
//
// It works on what is committed, in two folders of its own, and refuses a tree with
// changes. In the folder that it makes (-o) are an archive for each system, packages
// for Debian and RPM systems, the static page of the viewer, a list of components
// (CycloneDX) for each program, and SHA256SUMS. It needs Go, git, tar and the proxy of
// Go modules.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
)

// systems are those that a release is for.
var systems = []string{"linux/amd64", "linux/arm64", "darwin/amd64", "darwin/arm64", "windows/amd64", "windows/arm64"}

func main() {
	out := flag.String("o", "dist", "the `folder` to make")
	only := flag.String("systems", strings.Join(systems, ","), "which `systems`")
	version := flag.String("version", "", "the version; of a commit with a tag it is the tag, else one made of its date")
	warm := flag.Bool("warm", false, "let the second build use what the first has compiled: quick, but it compares no compiling")
	list := flag.Bool("notices", false, "write THIRD_PARTY_LICENSES of this tree and stop")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	var err error
	if *list {
		var text []byte
		if text, err = notices(ctx, "."); err == nil {
			err = os.WriteFile("THIRD_PARTY_LICENSES", text, 0o666)
		}
	} else {
		err = release(ctx, *out, strings.Split(*only, ","), *version, *warm)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// A build makes one release.
type build struct {
	ctx     context.Context
	tree    string // the source
	out     string // what is made
	work    string // what is not published
	cache   string // of the compiler, "" for the usual one
	version string
	commit  string
	date    time.Time // of the commit: there is no other date in what is made
}

// isVersion recognises what Go and packages take for a version.
var isVersion = regexp.MustCompile(`^v\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$`)

// release makes one release twice, and leaves it if both are equal.
func release(ctx context.Context, out string, only []string, version string, warm bool) error {
	b := build{ctx: ctx, tree: ".", version: version}
	if _, err := os.Stat(out); err == nil {
		return fmt.Errorf("%s: exists already", out)
	}
	for _, system := range only {
		if !slices.Contains(systems, system) {
			return fmt.Errorf("%q is none of the systems: %s", system, strings.Join(systems, ","))
		}
	}
	changes, err := b.run(nil, "git", "status", "--porcelain")
	if err == nil && changes != "" {
		err = fmt.Errorf("the tree has changes that are not committed:\n%s", changes)
	}
	if err == nil {
		err = b.identify()
	}
	if err == nil && !isVersion.MatchString(b.version) {
		err = fmt.Errorf("%q is no version such as v1.2.3 or v1.2.3-rc.1", b.version)
	}
	if err != nil {
		return err
	}
	temp, err := os.MkdirTemp("", "cbkit-release-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	var results []string
	for i, folder := range []string{"a", "another-folder"} {
		b.tree, b.work = filepath.Join(temp, folder, "cbkit"), filepath.Join(temp, folder, "work")
		b.out = filepath.Join(temp, folder, "dist")
		if i > 0 && !warm {
			b.cache = filepath.Join(temp, folder, "cache")
		}
		if err := b.all(only); err != nil {
			return err
		}
		sums, err := sums(b.out)
		if err != nil {
			return err
		}
		results = append(results, sums)
	}
	if results[0] != results[1] {
		return fmt.Errorf("two builds of %s differ:\n%s\n%s", b.commit, results[0], results[1])
	}
	if err := os.CopyFS(out, os.DirFS(b.out)); err != nil {
		return err
	}
	fmt.Printf("%scbkit %s: built twice, the same bytes\n", results[0], b.version)
	return nil
}

// identify finds out what is built: the commit, its date, and its version.
func (b *build) identify() error {
	head, err := b.run(nil, "git", "show", "-s", "--format=%H %ct", "HEAD")
	if err != nil {
		return err
	}
	commit, seconds, _ := strings.Cut(head, " ")
	stamp, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil {
		return err
	}
	b.commit, b.date = commit, time.Unix(stamp, 0).UTC()
	if b.version == "" {
		b.version, err = b.run(nil, "git", "describe", "--tags", "--exact-match", "--match", "v[0-9]*", "HEAD")
	}
	if err != nil { // no tag: what Go calls such a commit
		b.version = "v0.0.0-" + b.date.Format("20060102150405") + "-" + commit[:12]
	}
	return nil
}

// all makes the release in b.out.
func (b *build) all(systems []string) error {
	for _, dir := range []string{b.tree, b.work, b.out} {
		if err := os.MkdirAll(dir, 0o777); err != nil {
			return err
		}
	}
	packed := filepath.Join(b.work, "tree.tar")
	if err := exec.CommandContext(b.ctx, "git", "archive", "-o", packed, b.commit).Run(); err != nil {
		return fmt.Errorf("git archive: %w", err)
	}
	if _, err := b.run(nil, "tar", "-x", "-f", packed); err != nil {
		return err
	}
	host, err := b.compile(runtime.GOOS + "/" + runtime.GOARCH)
	if err != nil {
		return err
	}
	var common []file // what goes with a program, with the manual and the completions that it prints
	for _, name := range []string{"LICENSE", "THIRD_PARTY_LICENSES", "README.md", "CHANGELOG.md", "SECURITY.md"} {
		common = append(common, file{name, filepath.Join(b.tree, name), 0o644})
	}
	printed := func(name string, args ...string) {
		text, failed := b.run(nil, host, args...)
		from := filepath.Join(b.work, filepath.FromSlash(name))
		err = errors.Join(err, failed, os.MkdirAll(filepath.Dir(from), 0o777), os.WriteFile(from, []byte(text+"\n"), 0o666))
		common = append(common, file{name, from, 0o644})
	}
	verbs, err := b.run(nil, host, "help", "--markdown")
	for _, verb := range regexp.MustCompile(`(?m)^## (cbkit.*)$`).FindAllStringSubmatch(verbs, -1) {
		words := strings.Fields(verb[1])
		printed("man/"+strings.Join(words, "-")+".1", append([]string{"help", "--man"}, words[1:]...)...)
	}
	printed("completions/cbkit.bash", "completion", "bash")
	printed("completions/_cbkit", "completion", "zsh")
	printed("completions/cbkit.fish", "completion", "fish")
	if err != nil {
		return err
	}
	for _, system := range systems {
		fmt.Println(b.tree, system)
		program, err := b.compile(system)
		if err != nil {
			return err
		}
		if err := b.bill(program, system); err != nil {
			return err
		}
		if err := b.archive(program, system, common); err != nil {
			return err
		}
		if arch, is := strings.CutPrefix(system, "linux/"); is {
			if err := b.packages(program, arch, common); err != nil {
				return err
			}
		}
	}
	viewer := filepath.Join(b.work, "viewer")
	if _, err := b.run(nil, "go", "run", "./cmd/internal/viewsite", viewer); err != nil {
		return err
	}
	var files []file
	for _, name := range []string{"LICENSE", "THIRD_PARTY_LICENSES"} {
		files = append(files, file{name, filepath.Join(b.tree, name), 0o644})
	}
	entries, err := os.ReadDir(viewer)
	if err != nil {
		return err
	}
	for _, e := range entries {
		files = append(files, file{e.Name(), filepath.Join(viewer, e.Name()), 0o644})
	}
	if err := b.zip("viewer", files); err != nil {
		return err
	}
	sums, err := sums(b.out)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(b.out, "SHA256SUMS"), []byte(sums), 0o666)
}

// compile builds the program for a system and returns its name.
func (b *build) compile(system string) (string, error) {
	goos, goarch, _ := strings.Cut(system, "/")
	program := filepath.Join(b.work, goos+"-"+goarch, "cbkit")
	if goos == "windows" {
		program += ".exe"
	}
	set := fmt.Sprintf("-s -w -X main.version=%s -X main.commit=%s -X main.date=%s", b.version, b.commit, b.date.Format(time.RFC3339))
	_, err := b.run([]string{"GOOS=" + goos, "GOARCH=" + goarch}, "go", "build", "-ldflags", set, "-o", program, "./cmd/cbkit")
	return program, err
}

// run runs a command in the tree and returns what it prints.
func (b *build) run(env []string, name string, args ...string) (string, error) {
	var out, complaints bytes.Buffer
	c := exec.CommandContext(b.ctx, name, args...)
	c.Dir, c.Stdout, c.Stderr = b.tree, &out, &complaints
	c.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=-trimpath -buildvcs=false", "GOWORK=off", "GOAMD64=v1", "GOARM64=v8.0", "GOEXPERIMENT=", fmt.Sprint("SOURCE_DATE_EPOCH=", b.date.Unix()))
	if b.cache != "" {
		c.Env = append(c.Env, "GOCACHE="+b.cache)
	}
	c.Env = append(c.Env, env...)
	if err := c.Run(); err != nil {
		return "", fmt.Errorf("%s: %w\n%s", strings.Join(c.Args, " "), err, &complaints)
	}
	return strings.TrimSpace(out.String()), nil
}
