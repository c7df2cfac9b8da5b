package write

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"cbkit/internal/cbhdb"
	"cbkit/internal/dbfile"

	"cbkit/internal/booster"
	"cbkit/internal/cbh"
	"cbkit/internal/derive"
	"cbkit/model"
	"cbkit/read"
)

// boosterBuild is one run of [Boosters].
type boosterBuild struct {
	opt     BoosterOptions
	files   *read.FileSet
	out     *boosterFiles
	db      *cbhdb.DB
	headers *cbhdb.Headers

	lists   []*listBuilder
	offsets *offsetBuilder
	traces  *traceBuilder
	games   read.Database      // what traces are made of, nil without them
	bases   booster.SealStates // of the files that boosters follow from, at the beginning
	result  BoosterResult
	failure error // why the first files were left out
}

func (b *boosterBuild) close() {
	_ = b.db.Close() // it was only read
	if b.games != nil {
		_ = b.games.Close() // it was only read
	}
	b.out.cleanUp()
}

func (b *boosterBuild) run(ctx context.Context) (BoosterResult, error) {
	var err error
	if b.bases, err = booster.StatesOf(b.db.Files(), booster.Bases()); err != nil {
		return b.result, err
	}
	if b.headers, err = b.db.Headers(); err != nil {
		return b.result, err
	}
	if err := b.begin(); err != nil {
		return b.result, err
	}
	switch {
	case b.isIdle():
		return b.result, b.failure
	case b.traces != nil:
		err = b.passWithMoves(ctx)
	default:
		err = b.pass(ctx)
	}
	if err == nil && b.isIdle() {
		err = b.failure
	}
	if err != nil {
		return b.result, err
	}
	if err := b.finish(); err != nil {
		return b.result, err
	}
	b.result.Records = int(b.headers.Count)
	for _, ext := range b.out.ready {
		if ext != booster.SealExt {
			b.result.Files = append(b.result.Files, b.files.Name(ext))
		}
	}
	return b.result, nil
}

// isIdle reports whether there is nothing to write.
func (b *boosterBuild) isIdle() bool { return len(b.lists) == 0 && b.traces == nil && b.offsets == nil }

// skip leaves files out because of what is wrong with the database.
func (b *boosterBuild) skip(reason error, exts ...string) {
	s := SkippedBoosters{Reason: reason.Error()}
	for _, ext := range exts {
		s.Files = append(s.Files, b.files.Name(ext))
	}
	b.result.Skipped = append(b.result.Skipped, s)
	if b.failure == nil {
		b.failure = reason
	}
}

// chosen returns the endings of the files to write.
func (b *boosterBuild) chosen() ([]string, error) {
	if len(b.opt.Files) == 0 {
		return BoosterExts, nil
	}
	var list []string
	for _, name := range b.opt.Files {
		ext := "." + strings.ToLower(strings.TrimPrefix(strings.TrimSpace(name), "."))
		if !slices.Contains(BoosterExts, ext) {
			return nil, fmt.Errorf("%w: %q is no search booster; there are %s", model.ErrOption, name, strings.Join(BoosterExts, " "))
		}
		if (ext == cbh.TitleLists.Table || ext == cbh.TitleLists.Blocks) && !b.headers.HasTitles() {
			return nil, fmt.Errorf("%s: the database has no game titles", b.files.Name(ext))
		}
		list = append(list, ext)
	}
	return list, nil
}

// begin prepares the builders of the chosen files.
func (b *boosterBuild) begin() error {
	chosen, err := b.chosen()
	if err != nil {
		return err
	}
	wants := func(exts ...string) bool {
		return slices.ContainsFunc(exts, func(ext string) bool { return slices.Contains(chosen, ext) })
	}
	memory := b.opt.Memory
	if memory <= 0 {
		memory = defaultBoosterMemory
	}
	for _, pair := range []*cbh.ListFile{&cbh.Lists, &cbh.TitleLists} {
		if !wants(pair.Table, pair.Blocks) || pair == &cbh.TitleLists && !b.headers.HasTitles() {
			continue
		}
		list, err := newListBuilder(b.out, b.db, pair, memory/2)
		if dbfile.IsDamage(err) {
			b.skip(err, pair.Table, pair.Blocks)
			continue
		}
		if err != nil {
			return err
		}
		b.lists = append(b.lists, list)
	}
	if wants(".cbb") {
		if err := b.beginTraces(); err != nil {
			return err
		}
	}
	if wants(offsetsBooster) {
		file, err := b.out.create(offsetsBooster, 0)
		if err != nil {
			return err
		}
		if b.offsets, err = newOffsetBuilder(file, b.headers.Count); err != nil {
			return err
		}
	}
	return nil
}

func (b *boosterBuild) beginTraces() (err error) {
	games, err := read.OpenFiles(b.files, read.Options{Jobs: b.opt.Jobs})
	if err != nil {
		b.skip(err, ".cbb")
		return nil
	}
	b.games = games
	if b.traces, err = newTraceBuilder(b.out, b.headers.Count); err != nil {
		return err
	}
	b.traces.undecoded = func(id model.RecordID, err error) { b.tell(id, fmt.Errorf("left out of .cbb: %w", err)) }
	return nil
}

// tell tells what is wrong with a record.
func (b *boosterBuild) tell(id model.RecordID, err error) {
	b.result.Undecoded++
	if b.opt.Undecoded != nil {
		b.opt.Undecoded(id, err)
	}
}

// pass reads all headers.
func (b *boosterBuild) pass(ctx context.Context) error {
	r := b.headers.Reader(dbfile.FarAhead)
	for id := model.RecordID(1); id <= b.headers.Count; id++ {
		if _, err := b.add(ctx, r, id); err != nil {
			return err
		}
	}
	return nil
}

// passWithMoves reads all records.
func (b *boosterBuild) passWithMoves(ctx context.Context) error {
	r := b.headers.Reader(dbfile.FarAhead)
	for rec, err := range b.games.Records(ctx, 1, model.WantMoves) {
		if err != nil && rec.ID == 0 {
			return err
		}
		refs, failed := b.add(ctx, r, rec.ID)
		if failed == nil && refs.Text {
			failed = b.traces.addText()
		} else if failed == nil {
			failed = b.traces.addGame(rec, err)
		}
		if failed != nil {
			return failed
		}
	}
	return nil
}

// boosterStep is how many records go by between two looks at the context.
const boosterStep = 256

// add passes the header of the next record to the builders, and returns what
// it refers to.
func (b *boosterBuild) add(ctx context.Context, r *cbhdb.HeaderReader, id model.RecordID) (derive.References, error) {
	if id%boosterStep == 0 || id == b.headers.Count {
		if err := ctx.Err(); err != nil {
			return derive.References{}, err
		}
		if b.opt.Progress != nil {
			b.opt.Progress(int(id), int(b.headers.Count))
		}
	}
	head, err := r.At(id)
	if err != nil {
		return derive.References{}, err
	}
	refs, err := derive.ReferencesOf(head.Head, head.Ext)
	if err != nil {
		return refs, err
	}
	if err := cbhdb.NotInUse(b.files.Name(".cbh"), id, head.Type()); err != nil {
		b.tell(id, err)
	}
	for i := 0; i < len(b.lists); i++ {
		list := b.lists[i]
		if err := list.add(id, &refs); dbfile.IsDamage(err) {
			b.skip(err, list.pair.Table, list.pair.Blocks)
			b.lists = slices.Delete(b.lists, i, i+1)
			i--
		} else if err != nil {
			return refs, err
		}
	}
	if b.offsets != nil {
		err = b.offsets.add(id, head.Head)
	}
	return refs, err
}

// finish completes the files and puts them in place.
func (b *boosterBuild) finish() error {
	for _, list := range b.lists {
		if err := list.finish(); err != nil {
			return err
		}
	}
	if b.offsets != nil {
		if err := b.offsets.finish(b.headers.Count); err != nil {
			return err
		}
	}
	if b.traces != nil {
		if err := b.traces.finish(); err != nil {
			return err
		}
	}
	seal, err := b.seal()
	if err != nil {
		return err
	}
	return b.out.place(seal)
}

// seal returns the seal for the files that boosters follow from, and for the
// boosters that were there before, fit, and stay.
func (b *boosterBuild) seal() (*booster.Seal, error) {
	files := b.db.Files()
	seal, err := booster.SealOf(files, booster.Bases())
	if err != nil {
		return nil, err
	}
	now, err := booster.StatesOf(files, booster.Bases())
	if err != nil {
		return nil, err
	}
	if now != b.bases || now != seal.States {
		return nil, fmt.Errorf("%s was changed meanwhile; compute the boosters again", b.files.Name(".cbh"))
	}
	old, err := booster.ReadSeal(files)
	if errors.Is(err, booster.ErrNoSeal) {
		return seal, nil
	}
	if err != nil {
		return nil, err
	}
	for _, ext := range without(BoosterExts, b.out.ready) {
		if !files.Has(ext) {
			continue
		}
		if err := seal.TakeOver(&old, files, ext); err != nil {
			return nil, err
		}
	}
	return seal, nil
}
