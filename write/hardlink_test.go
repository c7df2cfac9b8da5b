package write_test

import (
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cbkit/internal/fsys"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/model"
	"cbkit/write"
)

// backup gives all files of a database a second name in another folder, as cp -al
// does, and returns its main file there.
func backup(t *testing.T, path string) string {
	t.Helper()
	dir := filepath.Join(filepath.Dir(path), "backup")
	must.Do(t, os.Mkdir(dir, 0o777))
	stem := strings.TrimSuffix(path, filepath.Ext(path))
	for ext := range filesOf(t, path) {
		if err := os.Link(stem+ext, filepath.Join(dir, filepath.Base(stem)+ext)); err != nil {
			t.Skip("no hard links here:", err)
		}
	}
	return filepath.Join(dir, filepath.Base(path))
}

// unlinked puts copies into the places of the files of a database, as the refusal says.
func unlinked(t *testing.T, path string) {
	t.Helper()
	stem := strings.TrimSuffix(path, filepath.Ext(path))
	for ext, content := range filesOf(t, path) {
		must.Do(t, os.WriteFile(stem+".copy", []byte(content), 0o666), os.Rename(stem+".copy", stem+ext))
	}
}

// Whatever changes a database whose files have other names leaves those their bytes: it
// is refused with nothing changed, or files are replaced. With copies in the places of
// the files it works.
func TestHardLinksKeepTheirBytes(t *testing.T) {
	type verb struct {
		do       func(path string) error
		replaces bool // it works all the same
	}
	edited := func(do func(*write.Editor) error) verb {
		return verb{do: func(path string) error {
			ed, err := write.Edit(context.Background(), path, write.EditOptions{Now: clock, AcceptLosses: true})
			if err != nil {
				return err
			}
			return errors.Join(do(ed), ed.Commit(), ed.Close())
		}}
	}
	simple := func(do func(*write.SimpleEditor) error) verb {
		return verb{do: func(path string) error {
			ed, err := write.EditSimple(context.Background(), path, write.EditOptions{AcceptLosses: true})
			if err != nil {
				return err
			}
			return errors.Join(do(ed), ed.Commit(), ed.Close())
		}}
	}
	ctx := context.Background()
	second := oneGame("second")
	for ending, verbs := range map[string]map[string]verb{
		".cbh": {
			"append": edited(func(ed *write.Editor) error { return ed.Append(ctx, second, model.CopyOptions{}) }),
			"dry run": {do: func(path string) error {
				ed, err := write.Edit(context.Background(), path, write.EditOptions{Now: clock, DryRun: true})
				if err != nil {
					return err
				}
				err = ed.Append(ctx, second, model.CopyOptions{})
				_, dry := ed.DryRun()
				return errors.Join(err, dry, ed.Close())
			}},
			"set": edited(func(ed *write.Editor) error {
				h, err := ed.Header(1)
				h.Date = model.Date{Year: 1999}
				return errors.Join(err, ed.SetHeader(1, h, nil))
			}),
			"rename": edited(func(ed *write.Editor) error { return ed.Players().Change(0, model.Player{LastName: "other"}) }),
			"delete": edited(func(ed *write.Editor) error { return ed.Delete(1) }),
			"replace": edited(func(ed *write.Editor) error {
				return ed.Replace(1, model.Record{Game: second.List[0].Game}, &second.Tables)
			}),
			"annotate": edited(func(ed *write.Editor) error {
				return ed.SetAnnotations(1, []model.Annotation{{Value: model.Text{Text: "a comment"}}})
			}),
			"compact": {do: func(path string) error { _, err := write.Compact(ctx, path, write.CompactOptions{}); return err }},
			"purge": {replaces: true, do: func(path string) error {
				_, err := write.Compact(ctx, path, write.CompactOptions{Purge: true})
				return err
			}},
			"repair": {do: func(path string) error { _, err := write.Repair(ctx, path, write.RepairOptions{}); return err }},
			"boosters": {replaces: true, do: func(path string) error {
				_, err := write.Boosters(ctx, path, write.BoosterOptions{})
				return err
			}},
			"force": {replaces: true, do: func(path string) error {
				return copyInto(ctx, path, oneGame("other"), write.Options{Force: true, Now: clock})
			}},
		},
		".dci": {
			"append": simple(func(ed *write.SimpleEditor) error { return ed.Append(ctx, second, model.CopyOptions{}) }),
			"set": simple(func(ed *write.SimpleEditor) error {
				h, err := ed.Header(1)
				h.Date = model.Date{Year: 1999}
				return errors.Join(err, ed.SetHeader(1, h, nil))
			}),
			"delete": simple(func(ed *write.SimpleEditor) error { return ed.Delete(1) }),
			"replace": simple(func(ed *write.SimpleEditor) error {
				return ed.Replace(1, model.Record{Game: second.List[0].Game}, &second.Tables)
			}),
			"compact": {replaces: true, do: func(path string) error { _, err := write.Compact(ctx, path, write.CompactOptions{}); return err }},
		},
	} {
		for what, v := range verbs {
			t.Run(ending+" "+what, func(t *testing.T) {
				path := filepath.Join(gen.Folder(t), "Games"+ending)
				if ending == ".dci" {
					writeSimple(t, path, oneGame("first"), write.Options{})
				} else if err := copyInto(ctx, path, oneGame("first"), write.Options{Now: clock}); err != nil {
					t.Fatal(err)
				}
				if ending == ".cbh" && (what == "repair" || what == "compact") {
					damageFile(t, path, ".cbg", func(b []byte) []byte { b[9]++; return b }) // unused bytes
				}
				other := backup(t, path)
				old, before := filesOf(t, other), filesOf(t, path)
				err := v.do(path)
				if now := filesOf(t, other); !maps.Equal(now, old) {
					t.Error("the other names have other bytes")
				}
				if v.replaces {
					if err != nil {
						t.Error(err)
					}
					return
				}
				if !errors.Is(err, fsys.ErrLinked) || !strings.Contains(err.Error(), "Games.") {
					t.Errorf("refused with %v", err)
				}
				if now := filesOf(t, path); !maps.Equal(now, before) {
					t.Error("something has changed")
				}
				unlinked(t, path)
				if err := v.do(path); err != nil {
					t.Error(err)
				}
				if now := filesOf(t, other); !maps.Equal(now, old) {
					t.Error("the other names have other bytes after all")
				}
			})
		}
	}
}
