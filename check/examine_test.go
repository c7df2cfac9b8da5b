package check_test

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"cbkit/check"
	"cbkit/internal/testkit/corpus"
	"cbkit/internal/testkit/crashfs"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
)

// One pass tells what both passes tell, of sound and of damaged databases.
func TestExamine(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join(corpus.Path(t, "cbh"), "*", "*.cbh"))
	if err != nil || len(paths) == 0 {
		t.Fatal(paths, err)
	}
	for _, path := range paths {
		if testing.Short() && filepath.Base(path) == "twic1134.cbh" {
			continue // it is large
		}
		t.Run(filepath.Base(path), func(t *testing.T) { testExamine(t, path, check.Options{Max: -1}) })
	}
	t.Run("files", func(t *testing.T) {
		testExamine(t, corpus.Path(t, "cbh/hedgehog/Hedgehog.cbh"), check.Options{Files: []string{"cba", "cbp"}})
	})
	t.Run("damaged", func(t *testing.T) {
		changes := []func(*damaged){}
		for _, o := range oddities {
			changes = append(changes, o.change)
		}
		for _, f := range slices.Concat(contentFaults, annotationFaults, factFaults) {
			changes = append(changes, f.damage)
		}
		for i := range crashfs.Tried(len(changes), 11, 1) {
			d := sample(t)
			changes[i](d)
			testExamine(t, d.save(), check.Options{Max: -1})
		}
	})
}

// The same of a Simple Chess Database, sound and with one byte changed.
func TestExamineSimple(t *testing.T) {
	dir := gen.Folder(t)
	must.Do(t, os.CopyFS(dir, os.DirFS(corpus.Path(t, "dc-sample"))))
	path := filepath.Join(dir, "edge.dci")
	test := func() {
		examineAs(t, path, check.Options{Max: -1}, check.Simple, check.VerifySimple)
	}
	test()
	for _, ext := range []string{".dci", ".dcg", ".dcn"} {
		name := filepath.Join(dir, "edge"+ext)
		sound := must.Get(os.ReadFile(name))(t)
		for at := 40; at < len(sound); at += 61 {
			damaged := bytes.Clone(sound)
			damaged[at] ^= 0x5A
			must.Do(t, os.WriteFile(name, damaged, 0o600))
			test()
		}
		must.Do(t, os.WriteFile(name, sound, 0o600))
	}
}

func testExamine(t *testing.T, path string, opt check.Options) {
	t.Helper()
	examineAs(t, path, opt, check.Database, check.Verify)
}

// examineAs compares what one pass tells with what two tell.
func examineAs[T any](t *testing.T, of T, opt check.Options,
	checks func(context.Context, T, check.Options) *check.Check,
	verifies func(context.Context, T, check.Options) (check.Report, error),
) {
	t.Helper()
	ctx := context.Background()
	findings := func(c *check.Check) (list []check.Finding, summary check.Summary) {
		for f := range must.All(t, c.Findings()) {
			list = append(list, f)
		}
		summary = must.Get(c.Summary())(t)
		return list, summary
	}
	want, summary := findings(checks(ctx, of, opt))
	report := must.Get(verifies(ctx, of, opt))(t)
	opt.Verify = true
	both := checks(ctx, of, opt)
	got, gotSummary := findings(both)
	gotReport := must.Get(both.Report())(t)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("findings:\n%s", diff)
	}
	if diff := cmp.Diff(summary, gotSummary); diff != "" {
		t.Errorf("summary:\n%s", diff)
	}
	if diff := cmp.Diff(report, gotReport, cmpopts.IgnoreUnexported(check.FileReport{})); diff != "" {
		t.Errorf("report:\n%s", diff)
	}
}

// A check ends with the loop that reads its findings, is made once, and needs no loop.
func TestFindingsEndWithTheLoop(t *testing.T) {
	path := sample(t).save()
	must.Do(t, os.Truncate(strings.TrimSuffix(path, ".cbh")+".cbg", 30))
	whole, err := check.Database(t.Context(), path, check.Options{}).Summary()
	if err != nil || whole.Errors < 2 {
		t.Fatalf("%+v, %v", whole, err)
	}
	c, seen := check.Database(t.Context(), path, check.Options{}), 0
	for _, err := range c.Findings() {
		if seen++; err != nil {
			t.Fatal(err)
		}
		break
	}
	if _, err := c.Summary(); seen != 1 || !errors.Is(err, context.Canceled) {
		t.Errorf("%d findings, and %v of a check that was left", seen, err)
	}
	for range c.Findings() {
		t.Error("a check is made twice")
	}
	errs := 0
	for f, err := range check.Database(t.Context(), path+"x", check.Options{}).Findings() {
		if errs++; f.Code != "" || !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%v, %v", f, err)
		}
	}
	if errs != 1 {
		t.Errorf("%d errors of what is not there", errs)
	}
}
