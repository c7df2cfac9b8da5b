package check_test

import (
	"context"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"cbkit/check"
	"cbkit/internal/corpus"
)

// One pass tells what both passes tell, of sound and of damaged databases.
func TestExamine(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join(corpus.Path(t, "cbh"), "*", "*.cbh"))
	if err != nil || len(paths) == 0 {
		t.Fatal(paths, err)
	}
	for _, path := range paths {
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
		for _, change := range changes {
			d := sample(t)
			change(d)
			testExamine(t, d.save(), check.Options{Max: -1})
		}
	})
}

func testExamine(t *testing.T, path string, opt check.Options) {
	t.Helper()
	ctx := context.Background()
	var want, got []check.Finding
	summary, err := check.Database(ctx, path, opt, func(f check.Finding) { want = append(want, f) })
	if err != nil {
		t.Fatal(err)
	}
	report, err := check.Verify(ctx, path, opt)
	if err != nil {
		t.Fatal(err)
	}
	gotSummary, gotReport, err := check.Examine(ctx, path, opt, func(f check.Finding) { got = append(got, f) })
	if err != nil {
		t.Fatal(err)
	}
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
