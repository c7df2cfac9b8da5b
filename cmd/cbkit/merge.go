package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	lib "cbkit"
	"cbkit/collect"
	"cbkit/internal/codepage"
	"cbkit/model"
	"cbkit/read"
	"cbkit/search"
)

// dedupFlags say which games count as one, and which of them stays.
type dedupFlags struct {
	Prefer string `help:"Which of several equal games stays: best (annotated, longer, more known), first or last. An annotated game is never dropped for a bare one." enum:"best,first,last" default:"best"`
	Unite  bool   `help:"Give the game that stays the comments and variations of those that go, and what its header lacks."`
	Memory count  `help:"Megabytes for what is kept of games to compare them; where 70 bytes a game are more, the games are read more often." default:"256" placeholder:"MB"`
}

// mergeCmd is "cbkit merge".
type mergeCmd struct {
	Paths []string `arg:"" zip:"sources" name:"source… out" help:"What to bring together, of any formats; a folder is all that is in it; and last what to make."`
	Dedup bool     `help:"Leave out games that are there already."`
	dedupFlags
	makeFlags
}

// Run implements the verb.
func (c *mergeCmd) Run(env *environment) error {
	named, out := c.Paths[:len(c.Paths)-1], c.Paths[len(c.Paths)-1]
	sources, several, err := env.inFolders(named, isGames)
	if err != nil {
		return err
	}
	env.reportFolders(named, isGames)
	sources = slices.DeleteFunc(sources, func(path string) bool { // the target of last time
		return filepath.Clean(path) == filepath.Clean(out) && !slices.Contains(named, path)
	})
	if !several || len(sources) == 0 {
		return usageError{errors.New("merge: name two sources or more, or a folder with some in it, and last what to make")}
	}
	if len(sources) != len(named) { // there are folders
		c.named = named
	}
	return c.make(env, "merge", out, sources, func(t *transfer, src *input) error {
		if !c.Dedup {
			return nil
		}
		return t.withoutDuplicates(src, sources, c.dedupFlags)
	})
}

// makeFlags are the flags of verbs that make a target of games from anywhere.
type makeFlags struct {
	pgnFlags
	targetFlags
	transferFlags
	Deleted bool             `help:"Take deleted games too where they are left out: by conditions, and in PGN for others (convert, tree)."`
	roster  bool             // of PGN's tags there are to be seven
	where   search.Condition // what records must meet, nil for all
	named   []string         // the sources that were named, not found in a folder; nil for all
}

// outputs returns what the flags say of the target, which is made of these sources.
// PGN is for people, unless it is made of PGN that reads back as it is. It keeps deleted
// games, marked: what arranges a database takes nothing out of it.
func (f *makeFlags) outputs(paths ...string) outputOptions {
	lossless := f.Lossless || !f.Plain && !slices.ContainsFunc(paths, func(path string) bool { return !isLossless(path) })
	return outputOptions{plain: !lossless, roster: f.roster, pgnFlags: f.pgnFlags, target: f.targetFlags, deleted: true}
}

// losslessMark are the commands and tags that only PGN which reads back has.
var losslessMark = regexp.MustCompile(`\[(%cbraw|%cbtext|CbTag_)`)

// isLossless reports whether the beginning of a file is PGN that reads back as it is.
func isLossless(path string) bool {
	return path != "-" && formatOf(path) == formatPGN && losslessMark.Match((&lib.Place{Name: path}).Beginning(1<<20))
}

// make makes one target of sources, which change changes before.
func (f *makeFlags) make(env *environment, verb, out string, paths []string, change func(*transfer, *input) error) error {
	to, err := parseTarget(out, formatChessBase, formatSimple, formatScid, formatPGN, formatJSONL, formatEPD)
	if err == nil {
		err = env.refuseSources(to, slices.DeleteFunc(slices.Clone(paths), func(path string) bool { return path == "-" })...)
	}
	if err != nil {
		return err
	}
	t := newTransfer(env, f.transferFlags, verb, to)
	t.where, t.named = f.where, f.named
	src, err := t.openAll(paths)
	if err != nil {
		return err
	}
	if err := change(t, src); err != nil {
		return errors.Join(err, src.close())
	}
	return t.run(src, to, f.outputs(paths...))
}

// openAll opens several sources as one. A single one is opened as it is.
func (t *transfer) openAll(paths []string) (*input, error) {
	var parts []model.Source
	var read, pages []string
	union := &input{name: "the sources"}
	for _, path := range paths {
		src, err := t.openInput(path)
		if err != nil && t.named != nil && !slices.Contains(t.named, path) && len(paths) > 1 {
			t.broken(err)
			continue
		}
		if err != nil {
			_ = union.close() // they were only read
			return nil, err
		}
		if len(paths) == 1 {
			return src, nil
		}
		parts, read, pages, union.closers = append(parts, src.Source), append(read, path), append(pages, src.page), append(union.closers, src.close)
	}
	if len(parts) == 0 {
		return nil, fmt.Errorf("%s: none of them can be read", strings.Join(paths, " "))
	}
	if !slices.ContainsFunc(pages, func(other string) bool { return cmp.Or(other, codepage.Default) != cmp.Or(pages[0], codepage.Default) }) {
		union.page = pages[0]
	}
	all := collect.NewUnion(parts...)
	union.Source = all
	t.env.origin = func(id model.RecordID) (string, model.RecordID) {
		part, in := all.Origin(id)
		return read[part], in
	}
	if t.named != nil {
		all.Broken = t.broken
	}
	return union, nil
}

// compareGames finds games that are the same, or almost.
func compareGames[T any](t *transfer, src *input, flags dedupFlags, find func(context.Context, model.Source, collect.DuplicateOptions) ([]T, error)) ([]T, error) {
	// Most of the memory is what is kept of games: better more collections than that again,
	// and one behind it, before more comes.
	defer debug.SetGCPercent(debug.SetGCPercent(30))
	defer runtime.GC()
	bar := newReadings(t.env.stderr, t.flags.Quiet, "comparing", 2, src)
	defer bar.done()
	opt := t.collectOptions(src.name, bar)
	return find(t.env.ctx, src.Source, collect.DuplicateOptions{
		Prefer: flags.Prefer, Unite: flags.Unite, Memory: int(flags.Memory) << 20, OnError: opt.OnError, OnRecord: opt.OnRecord, Progress: opt.Progress,
	})
}

// withoutDuplicates takes out of a source, which is the paths, the games that
// are there already, and notes how many there are. The games are compared in
// silence: whatever is wrong with them is reported when they are copied.
func (t *transfer) withoutDuplicates(src *input, paths []string, flags dedupFlags) error {
	if i := slices.IndexFunc(paths, isReadOnce); i >= 0 {
		return usageError{fmt.Errorf("%s: duplicates are looked for by reading everything twice, and a pipe can be read once; name a file", paths[i])}
	}
	silent := *t
	silent.mute = muteAll
	again, err := silent.openAll(paths)
	if err != nil {
		return err
	}
	src.closers = append(src.closers, again.close)
	list, err := compareGames(&silent, again, flags, collect.Duplicates)
	if err != nil {
		return err
	}
	var from model.Source
	if flags.Unite {
		from = again.Source
	}
	counts := &duplicateCounts{Duplicates: len(list), Reasons: map[string]int{}}
	t.remark = fmt.Sprintf("%s left out%s", plural(len(list), "duplicate"), byReason(list))
	remark, filled := t.remark, 0
	rest, err := collect.Without(t.env.ctx, src.Source, list, from, func(r *model.Record) { t.judge(src.name, r) }, func(f collect.Filled) {
		filled++
		t.remark = fmt.Sprintf("%s; %s filled", remark, plural(filled, "field"))
		counts.Filled = t.listFilled(counts.Filled, f)
	})
	if err != nil {
		return err
	}
	told := t.env.messages.counts[messageDamaged] + t.env.messages.counts[messageWarning]
	// What is damaged is written anew, and not copied.
	if _, stored := src.Source.(*read.ChessBase); stored && t.to == formatChessBase && !flags.Unite && !silent.faulty && told == 0 {
		rest, t.drop = src.Source, make(map[model.RecordID]bool, len(list))
	}
	for _, d := range list {
		counts.Reasons[d.Reason.String()]++
		if t.drop != nil {
			t.drop[d.Drop] = true
		}
	}
	t.counts = counts
	src.Source, src.opened = rest, nil
	return nil
}

// duplicateCounts are what was left out, and what was filled of it.
type duplicateCounts struct {
	Duplicates int            `json:"duplicates"`
	Reasons    map[string]int `json:"reasons"`
	Filled     []filledField  `json:"filled,omitempty"`
}

// filledField is a field that a game lacked, as JSON.
type filledField struct {
	ID    any    `json:"id"` // a number or, of several sources, a string
	Field string `json:"field"`
	Value string `json:"value"`
	From  any    `json:"from"`
}

// listFilled prints a field that a game has from another one, or adds it to a list for JSON.
func (t *transfer) listFilled(list []filledField, f collect.Filled) []filledField {
	id, from := t.env.labelJSON(f.ID), t.env.labelJSON(f.From)
	switch {
	case t.env.messages.outcome != nil:
		return append(list, filledField{id, f.Field, f.Value, from})
	case !t.flags.Quiet:
		fmt.Fprint(t.env.stderr, wrappedLines(t.env.stderr, fmt.Sprintf("%7v  %s %s (from %v)\n", id, f.Field, oneLine(f.Value), from)))
	}
	return nil
}

// byReason counts duplicates by their reasons, in brackets.
func byReason(list []collect.Duplicate) string {
	if len(list) == 0 {
		return ""
	}
	counts := map[collect.Reason]int{}
	for _, d := range list {
		counts[d.Reason]++
	}
	text := ""
	for r := collect.SameGame; r <= collect.Contained; r++ {
		if counts[r] > 0 {
			text += fmt.Sprintf(", %d %s", counts[r], reasonWords[r])
		}
	}
	return " (" + text[2:] + ")"
}
