package weeks

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"cbkit"
	"cbkit/archive"
	"cbkit/board"
	"cbkit/collect"
	"cbkit/ctgwrite"
	"cbkit/internal/atomicset"
	"cbkit/internal/dbfile"
	"cbkit/internal/fsys"
	"cbkit/model"
	"cbkit/parquet"
	"cbkit/read"
	"cbkit/write"
)

// targets are what is in the folder in the beginning, names that begin alike.
var targets = []string{
	"Games.cbh", "Games.2024.cbh", "Games.dci", "games2.pgn", "Games.jsonl", "Games.ctg", "Games.parquet", "Games.cbv", "Games.si4", "Games.2024.si4",
	"tables/1", "tables/2",
}

// action is what a step does: run does it, and apply says what becomes of the content of the
// target, which nothing else changes.
type action struct {
	target  string
	sources []string
	what    string
	run     func() error
	apply   func(old []string) []string
	alone   bool // it is not ours, and nothing goes wrong
	refused bool // it has to be, so that nothing is cleared
}

// errWrong says that something was told that is not so.
var errWrong = errors.New("wrong")

func count(what string, got, want int) error {
	if got != want {
		return fmt.Errorf("%w: %s: %d, want %d", errWrong, what, got, want)
	}
	return nil
}

// now is the clock of stamps.
func now() time.Time { return time.Unix(1_500_000_000, 0) }

// edit is one change of an editor.
type edit struct {
	kind string
	id   int // from 1
	line string
}

// applied is what edits make of games.
func applied(old []string, edits []edit) []string {
	list := slices.Clone(old)
	for _, e := range edits {
		switch at := e.id - 1; e.kind {
		case "append":
			list = append(list, e.line)
		case "delete":
			list[at] = "x " + strings.TrimPrefix(list[at], "x ")
		case "undelete":
			list[at] = strings.TrimPrefix(list[at], "x ")
		case "replace":
			list[at] = e.line
		case "set":
			mark, rest := "", list[at]
			if strings.HasPrefix(rest, "x ") {
				mark, rest = "x ", rest[2:]
			}
			_, rest, _ = strings.Cut(rest, "|")
			list[at] = mark + e.line + "|" + rest
		case "comment":
			list[at] = list[at][:strings.LastIndex(list[at], "|")+1] + e.line
		case "rename":
			for i := range list {
				f := strings.Split(strings.TrimPrefix(list[i], "x "), "|")
				for j := range 2 {
					if f[j] == e.line[:strings.Index(e.line, ">")] {
						f[j] = e.line[strings.Index(e.line, ">")+1:]
					}
				}
				mark := list[i][:len(list[i])-len(strings.TrimPrefix(list[i], "x "))]
				list[i] = mark + strings.Join(f, "|")
			}
		}
	}
	return list
}

// someEdits makes one to three edits of games.
func someEdits(r *rand.Rand, old []string, kinds ...string) (list []edit) {
	games := slices.Clone(old)
	for range 1 + r.IntN(3)*r.IntN(2) {
		e := edit{kind: kinds[r.IntN(len(kinds))], line: newGame(r.Uint64N(1 << 30))}
		if len(games) == 0 {
			e.kind = "append"
		} else {
			e.id = 1 + r.IntN(len(games))
		}
		switch e.kind {
		case "set":
			e.line = fmt.Sprintf("Player%d", r.IntN(40))
		case "comment":
			e.line = newComment(r.Uint64())
		case "rename":
			from, _, _ := strings.Cut(strings.TrimPrefix(games[e.id-1], "x "), "|")
			e.line = fmt.Sprintf("%s>Player%d", from, 100+r.IntN(1000))
		}
		list, games = append(list, e), applied(games, []edit{e})
	}
	return list
}

func (e edit) String() string {
	return fmt.Sprintf("%s %d %s", e.kind, e.id, strings.SplitN(e.line, "|", 2)[0])
}

// someEditing is an action that edits a database in place, in one transaction.
func someEditing(r *rand.Rand, target string, old []string) action {
	kinds := []string{"append", "append", "delete", "undelete", "replace", "set", "comment"}
	if formatOf(target) != cbkit.Simple {
		kinds = append(kinds, "rename")
	}
	edits, memory, bulky := someEdits(r, old, kinds...), 0, r.IntN(8) == 0
	if r.IntN(6) == 0 {
		memory = 1
	}
	if bulky {
		for range 30 {
			edits = append(edits, edit{kind: "append", line: newGame(r.Uint64N(1 << 30))})
		}
		if r.IntN(2) == 0 {
			memory = 1
		}
	}
	return editing(target, edits, memory)
}

func editing(target string, edits []edit, memory int) action {
	opt := write.EditOptions{AcceptLosses: true, Now: now, Memory: memory}
	run := func() error { return editChessBase(target, edits, opt) }
	if formatOf(target) == cbkit.Simple {
		run = func() error {
			ed, err := write.EditSimple(ctx, target, opt)
			if err != nil {
				return err
			}
			return editPlain(ed, edits, nil)
		}
	} else if formatOf(target) == cbkit.Scid {
		run = func() error {
			ed, err := write.EditScid(ctx, target, opt)
			if err != nil {
				return err
			}
			return editPlain(ed, edits, func(from, to string) error { return renameInScid(ed.Players(), from, to) })
		}
	}
	return action{target: target, what: fmt.Sprint("edit ", edits[:min(len(edits), 4)]), run: run, apply: func(old []string) []string { return applied(old, edits) }}
}

func editChessBase(target string, edits []edit, opt write.EditOptions) (err error) {
	ed, err := write.Edit(ctx, target, opt)
	if err != nil {
		return err
	}
	appended := 0
	for _, e := range edits {
		id, db := model.RecordID(e.id), database(nil)
		if e.kind == "append" || e.kind == "replace" {
			db = database([]string{e.line})
		}
		switch e.kind {
		case "append":
			err = ed.Append(ctx, db, model.CopyOptions{})
			appended++
		case "delete":
			err = ed.Delete(id)
		case "undelete":
			err = ed.Undelete(id)
		case "replace":
			if err = ed.Replace(id, db.List[0], &db.Tables); err == nil {
				err = ed.Undelete(id)
			}
		case "comment":
			err = ed.SetAnnotations(id, comment(e.line))
		case "set":
			_, err = ed.ChangeHeaders(ctx, func(i model.RecordID, h *model.ResolvedHeader) error {
				if i == id {
					h.White = model.Player{LastName: e.line}
				}
				return nil
			})
		case "rename":
			from, to, _ := strings.Cut(e.line, ">")
			_, err = ed.Players().Rename(model.Player{LastName: from}, model.Player{LastName: to})
		}
		if err != nil {
			break
		}
	}
	if err == nil {
		if err = ed.Commit(); err == nil {
			err = count("appended", ed.Result().Appended, appended)
		}
	}
	return closing(ed, err)
}

// comment are the annotations of a game with a comment.
func comment(text string) []model.Annotation {
	if text == "" {
		return nil
	}
	return []model.Annotation{{Node: 1, Value: model.Text{Text: text}}}
}

// closing closes an editor, whose error counts behind that of the work.
func closing(ed interface{ Close() error }, err error) error {
	if closed := ed.Close(); err == nil {
		if closed != nil && !model.IsDone(closed) {
			closed = fmt.Errorf("%w: %w", errClosing, closed)
		}
		return closed
	}
	return err
}

// closer closes by a function.
type closer func() error

func (c closer) Close() error { return c() }

// errClosing is an error of closing what has been committed.
var errClosing = errors.New("closing")

// plainEditor is an editor of games that say who plays.
type plainEditor interface {
	Append(ctx context.Context, src model.Source, opt model.CopyOptions) error
	Delete(ids ...model.RecordID) error
	Undelete(ids ...model.RecordID) error
	Replace(id model.RecordID, rec model.Record, from *model.Entities) error
	Header(id model.RecordID) (model.Header, error)
	SetHeader(id model.RecordID, h model.Header, from *model.Entities) error
	SetAnnotations(id model.RecordID, list []model.Annotation) error
	Entities() *model.Entities
	Commit() error
	Close() error
}

// renameInScid gives a player another name, or makes him one with who has it.
func renameInScid(players *write.ScidPlayers, from, to string) error {
	was, err := players.FindAll(model.Player{LastName: from})
	if err != nil {
		return err
	}
	is, err := players.FindAll(model.Player{LastName: to})
	switch {
	case err != nil:
		return err
	case len(was) == 0:
		return fmt.Errorf("%w: there is no %s", errWrong, from)
	case len(is) > 0:
		return players.Merge(was[0], is[0])
	}
	return players.Change(was[0], model.Player{LastName: to})
}

func editPlain(ed plainEditor, edits []edit, rename func(from, to string) error) (err error) {
	for _, e := range edits {
		id, db := model.RecordID(e.id), database(nil)
		if e.kind == "append" || e.kind == "replace" {
			db = database([]string{e.line})
		}
		switch e.kind {
		case "append":
			err = ed.Append(ctx, db, model.CopyOptions{})
		case "delete":
			err = ed.Delete(id)
		case "undelete":
			err = ed.Undelete(id)
		case "replace":
			if err = ed.Replace(id, db.List[0], &db.Tables); err == nil {
				err = ed.Undelete(id)
			}
		case "comment":
			err = ed.SetAnnotations(id, comment(e.line))
		case "set":
			var h model.Header
			if h, err = ed.Header(id); err == nil {
				h.White = ed.Entities().Players.Intern(model.Player{LastName: e.line})
				err = ed.SetHeader(id, h, nil)
			}
		case "rename":
			from, to, _ := strings.Cut(e.line, ">")
			err = rename(from, to)
		}
		if err != nil {
			break
		}
	}
	if err == nil {
		err = ed.Commit()
	}
	return closing(ed, err)
}

// editingText is an action that edits a text: at most one header, and games behind the others.
func editingText(r *rand.Rand, target string, old []string) action {
	more := []string{newGame(r.Uint64N(1 << 30))}
	if r.IntN(2) == 0 || len(old) == 0 {
		return appending(target, more)
	}
	e := edit{kind: "set", id: 1 + r.IntN(len(old)), line: fmt.Sprintf("Player%d", r.IntN(40))}
	if r.IntN(3) == 0 {
		if e.kind = "remove"; formatOf(target) == cbkit.JSONLines {
			e.kind = "delete"
		}
	}
	return action{target: target, what: fmt.Sprint(e), apply: func(old []string) []string {
		if e.kind == "remove" {
			return slices.Delete(slices.Clone(old), e.id-1, e.id)
		}
		return applied(old, []edit{e})
	}, run: func() error {
		ed, err := cbkit.Edit(ctx, target, cbkit.EditOptions{NewNames: true, AcceptLosses: true})
		if err != nil {
			return err
		}
		which := cbkit.IDs{From: model.RecordID(e.id), To: model.RecordID(e.id)}
		if e.kind == "set" {
			err = ed.Set("white", e.line, which)
		} else {
			err = ed.Delete(which)
		}
		return closing(ed, cmp.Or(err, ed.Commit()))
	}}
}

// appending is an action that adds a game to a text.
func appending(target string, more []string) action {
	return action{target: target, what: "append", apply: func(old []string) []string { return append(slices.Clone(old), more...) }, run: func() error {
		ed, err := cbkit.Edit(ctx, target, cbkit.EditOptions{AcceptLosses: true})
		if err != nil {
			return err
		}
		err = cmp.Or(ed.Append(ctx, database(more), model.CopyOptions{}), ed.Commit())
		return closing(ed, cmp.Or(err, count("changed", ed.Result().Games, 0)))
	}}
}

// saving makes a target anew of what a function makes of the games of some sources.
func saving(target, what string, sources []string, of func(model.Source) (model.Source, error), apply func() []string, opt cbkit.SaveOptions) action {
	return action{target: target, sources: sources, what: fmt.Sprint(what, " ", sources), apply: func([]string) []string { return apply() }, run: func() (err error) {
		src, err := cbkit.OpenAll(sources, cbkit.Options{Jobs: 1})
		if len(sources) == 1 {
			src, err = cbkit.Open(sources[0], cbkit.Options{Jobs: 1})
		}
		if err != nil {
			return err
		}
		defer src.Close()
		in := model.Source(src)
		if of != nil {
			if in, err = of(src); err != nil {
				return err
			}
			if c, is := in.(interface{ Close() error }); is {
				defer c.Close()
			}
		}
		opt.Force, opt.AcceptLosses, opt.Now, opt.Deleted = true, true, now, true
		return cbkit.Save(ctx, target, in, opt)
	}}
}

// recovering is an action that puts a target right.
func (w *world) recovering(target string) action {
	return action{target: target, what: "recover", run: func() error { return recovery(target) }, apply: func(old []string) []string { return old }}
}

// another makes what somebody else does with a target: a change that can come before any other one
// and after it.
func (w *world) another(r *rand.Rand, target string) action {
	left, _ := leftOf(target)
	switch format := formatOf(target); {
	case r.IntN(2) == 0 || w.want[target] == nil || len(left) > 0:
	case format == cbkit.ChessBase || format == cbkit.Simple || format == cbkit.Scid:
		return editing(target, []edit{{kind: "append", line: newGame(r.Uint64N(1 << 30))}}, 0)
	case format.IsText():
		return appending(target, []string{newGame(r.Uint64N(1 << 30))})
	case format == cbkit.Book:
		return bookAdding(target, []string{newGame(r.Uint64N(1 << 30))})
	}
	return w.recovering(target)
}

// removing is what a user does who wants a target no more.
func removing(target string) action {
	return action{target: target, alone: true, what: "removed by hand", apply: func([]string) []string { return nil }, run: func() error {
		entries, err := (fsys.OS{}).ReadDir(".")
		for _, e := range entries {
			if is, _ := belongs(e.Name(), target); is && e.Name() != "tmp" && err == nil {
				err = fsys.OS{}.Remove(e.Name())
			}
		}
		return errors.Join(err, fsys.OS{}.SyncDir("."))
	}}
}

// next makes an action of chance: what a user may do now, given what is there.
func (w *world) next(r *rand.Rand) action {
	target := targets[r.IntN(len(targets))]
	format, old := formatOf(target), w.want[target]
	var dbs []string
	for _, name := range targets {
		if format := formatOf(name); format != "" && format != cbkit.Book && format != cbkit.Archive && name != target && w.want[name] != nil {
			dbs = append(dbs, name)
		}
	}
	source := dbs[r.IntN(len(dbs))]
	same := func(old []string) []string { return old }
	switch {
	case r.IntN(12) == 0:
		return w.recovering(target)
	case format == "":
		return tabling(target, source, w.want[source])
	case old == nil && format != cbkit.Book:
		return w.conversion(r, target, source)
	case target != "Games.cbh" && format != cbkit.Archive && r.IntN(20) == 0 && !slices.ContainsFunc(targets, func(name string) bool {
		left, _ := leftOf(name)
		return len(left) > 0
	}):
		return removing(target)
	case format == cbkit.Book:
		return w.booking(r, target, source)
	case format == cbkit.Archive:
		return packing(target, "Games.cbh", w.want["Games.cbh"])
	case r.IntN(5) > 1 && format.IsText():
		return editingText(r, target, old)
	case r.IntN(4) > 0 && (format == cbkit.ChessBase || format == cbkit.Simple || format == cbkit.Scid):
		switch k := r.IntN(10); {
		case k == 0:
			purge := r.IntN(2) == 0
			return action{target: target, what: fmt.Sprint("compact ", purge), run: func() error {
				_, err := write.Compact(ctx, target, write.CompactOptions{Purge: purge})
				return err
			}, apply: func(old []string) []string {
				if !purge {
					return old
				}
				return slices.DeleteFunc(slices.Clone(old), func(line string) bool { return strings.HasPrefix(line, "x ") })
			}}
		case k < 5 && format == cbkit.ChessBase:
			opt := write.BoosterOptions{Jobs: 1}
			if k == 2 {
				opt.Positions = 10
			}
			return action{target: target, what: "boosters", apply: same, run: func() error {
				_, err := write.Boosters(ctx, target, opt)
				return err
			}}
		case k == 5 && format != cbkit.Simple:
			return action{target: target, what: "repair", apply: same, run: func() error {
				_, err := write.Repair(ctx, target, write.RepairOptions{Jobs: 1})
				return err
			}}
		}
		return someEditing(r, target, old)
	}
	return w.conversion(r, target, source)
}

// conversion makes an action that makes the target anew of other databases.
func (w *world) conversion(r *rand.Rand, target, source string) action {
	list := w.want[source]
	var opt cbkit.SaveOptions
	if formatOf(target) == cbkit.ChessBase && r.IntN(3) == 0 {
		opt.Boosters = &write.BoosterOptions{Jobs: 1}
	}
	switch r.IntN(8) {
	case 0:
		sorted := slices.Clone(list)
		slices.SortStableFunc(sorted, func(a, b string) int { return strings.Compare(strings.Split(a, "|")[3], strings.Split(b, "|")[3]) })
		return saving(target, "sort", []string{source}, func(src model.Source) (model.Source, error) {
			orders, err := collect.ParseOrders("date")
			if err != nil {
				return nil, err
			}
			return collect.Sort(ctx, src, orders, collect.Options{})
		}, func() []string { return sorted }, opt)
	case 1:
		return saving(target, "strip", []string{source}, func(src model.Source) (model.Source, error) {
			return collect.Strip(src, collect.Comments, nil), nil
		}, func() []string {
			list := slices.Clone(list)
			for i := range list {
				list[i] = list[i][:strings.LastIndex(list[i], "|")+1]
			}
			return list
		}, opt)
	case 2:
		return saving(target, "merge", []string{source, source}, func(src model.Source) (model.Source, error) {
			list, err := collect.Duplicates(ctx, src, collect.DuplicateOptions{})
			if err != nil {
				return nil, err
			}
			return collect.Without(ctx, src, list, nil, nil, nil)
		}, func() (rest []string) {
			rest = []string{}
			for _, line := range list {
				if !slices.Contains(rest, line) {
					rest = append(rest, line)
				}
			}
			return rest
		}, opt)
	case 3:
		if formatOf(target).IsFile() {
			break
		}
		if other := "Games.2024.cbh"; other != target && other != source && w.want[other] != nil {
			return saving(target, "merge", []string{source, other}, nil, func() []string { return append(slices.Clone(list), w.want[other]...) }, opt)
		}
	}
	switch r.IntN(8) {
	case 0:
		return splitting(target, source, list[:min(2, len(list))])
	case 1:
		if w.want[target] == nil {
			break
		}
		a := saving(target, "convert without force", []string{source}, nil, nil, opt)
		a.apply, a.refused = func(old []string) []string { return old }, true
		a.run = func() error {
			err := cbkit.Save(ctx, target, database(list), cbkit.SaveOptions{AcceptLosses: true, Now: now})
			if err == nil {
				return fmt.Errorf("%w: what was there is replaced", errWrong)
			}
			if errors.Is(err, os.ErrExist) {
				return nil
			}
			return err
		}
		return a
	case 2:
		if target == "Games.cbh" && w.want["Games.cbv"] != nil {
			return unpacking(target, "Games.cbv", w.want["Games.cbv"])
		}
	}
	return saving(target, "convert", []string{source}, nil, func() []string { return list }, opt)
}

// splitting is an action that makes the first part of a database a target.
func splitting(target, source string, part []string) action {
	return action{target: target, sources: []string{source}, what: "split " + source, apply: func([]string) []string { return part }, run: func() error {
		src, err := cbkit.Open(source, cbkit.Options{Jobs: 1})
		if err != nil {
			return err
		}
		defer src.Close()
		groups, err := collect.Split(ctx, src, "2", collect.Options{})
		if err != nil {
			return err
		}
		defer groups.Close()
		for group, err := range groups.All() {
			if err != nil {
				return err
			}
			return cbkit.Save(ctx, target, group, cbkit.SaveOptions{Force: true, AcceptLosses: true, Now: now, Deleted: true})
		}
		return errWrong
	}}
}

// unpacking is an action that unpacks a database over the one that is there.
func unpacking(target, from string, games []string) action {
	return action{target: target, sources: []string{from}, what: "unpack " + from, apply: func([]string) []string { return games }, run: func() error {
		a, err := archive.Open(from, archive.Options{Jobs: 1})
		if err != nil {
			return err
		}
		defer a.Close()
		return a.Unpack(ctx, ".", archive.UnpackOptions{Force: true})
	}}
}

// tabling is an action that writes a part of tables in a folder.
func tabling(target, source string, games []string) action {
	return action{target: target, sources: []string{source, "tables/1", "tables/2"}, what: "tables of " + source, apply: func([]string) []string { return tabled(games) }, run: func() error {
		src, err := cbkit.Open(source, cbkit.Options{Jobs: 1})
		if err != nil {
			return err
		}
		defer src.Close()
		w, err := tablesWriter(target)
		if err != nil {
			return err
		}
		return model.Copy(ctx, w, src, model.CopyOptions{})
	}}
}

// tablesWriter begins to write a part of tables.
func tablesWriter(target string) (*parquet.Writer, error) {
	part, _ := strconv.Atoi(path.Base(target))
	return parquet.Create(ctx, "tables", parquet.Options{
		Database: "Games", Tables: []parquet.Table{parquet.Games, parquet.Positions}, Part: part, Parts: 2, Force: true, Jobs: 1,
	})
}

// tabled are the lines of tables of games.
func tabled(games []string) []string {
	positions := 0
	for _, line := range games {
		positions += 1 + len(movesOf(line))
	}
	return append(slices.Clone(games), fmt.Sprintf("%d positions", positions))
}

// booking makes an action with a book.
func (w *world) booking(r *rand.Rand, target, source string) action {
	n := r.Uint64N(1 << 30)
	games := []string{newGame(n), newGame(r.Uint64N(1 << 30))}
	k := r.IntN(5)
	if w.want[target] == nil {
		k = 0
	}
	switch k {
	case 0:
		return building(target, source, w.want[source])
	case 1:
		return action{target: target, what: "merged with itself", apply: func(old []string) []string {
			var list []string
			for _, line := range old {
				moves, n, _ := strings.Cut(line, ": ")
				list = append(list, fmt.Sprintf("%s: %s", moves, doubled(n)))
			}
			return list
		}, run: func() (err error) {
			opt := ctgwrite.Options{Force: true, AcceptLosses: true}
			if opt.Claim, err = ctgwrite.NewClaim(ctx, target, opt); err != nil { // what is read stays so
				return err
			}
			defer func() { err = closing(closer(opt.Claim.Release), err) }()
			b, err := read.OpenBook(ctx, target)
			if err != nil {
				return err
			}
			defer b.Close()
			_, err = ctgwrite.Merge(ctx, target, []model.Book{b, b}, opt)
			return err
		}}
	case 2:
		return action{target: target, what: "mark", apply: func(old []string) []string { return old }, run: func() error {
			ed, err := ctgwrite.Edit(ctx, target, ctgwrite.EditOptions{AcceptLosses: true})
			if err != nil {
				return err
			}
			e, err := ed.Lookup(board.Start())
			if err == nil {
				e.Stats.Weight = int8(r.IntN(100))
				err = ed.Put(e)
			}
			if err == nil {
				err = ed.Commit()
			}
			return closing(ed, err)
		}}
	case 3:
		if lines := w.want[target]; len(lines) > 0 {
			line, _, _ := strings.Cut(lines[n%uint64(len(lines))], ": ")
			return bookCutting(target, strings.Fields(line), n&1 == 0)
		}
	}
	return bookAdding(target, games)
}

// bookCutting is an action that takes a line and all behind it out of a book.
func bookCutting(target string, line []string, drops bool) action {
	last, before := board.Start(), board.Start()
	var m model.Move
	for _, san := range line {
		m, _ = last.ParseSAN(san)
		before = last
		last.Make(m)
	}
	return action{target: target, what: fmt.Sprint("cut ", line, drops), apply: func(old []string) []string {
		return slices.DeleteFunc(slices.Clone(old), func(one string) bool {
			moves, _, _ := strings.Cut(one, ": ")
			return slices.Equal(strings.Fields(moves)[:min(len(line), len(strings.Fields(moves)))], line)
		})
	}, run: func() error {
		ed, err := ctgwrite.Edit(ctx, target, ctgwrite.EditOptions{AcceptLosses: true})
		if err != nil {
			return err
		}
		var gone []board.Position
		var take func(p board.Position) error
		take = func(p board.Position) error {
			e, err := ed.Lookup(p)
			if err != nil {
				return err
			}
			gone = append(gone, p)
			for _, move := range e.Moves {
				child := p
				child.Make(move.Move)
				if err := take(child); err != nil && !errors.Is(err, model.ErrNoRecord) {
					return err
				}
			}
			return nil
		}
		err = take(last)
		if err == nil && drops {
			err = ed.DropMove(before, m)
		}
		if err == nil {
			err = ed.Remove(ctx, gone...)
		}
		if err == nil {
			err = ed.Commit()
		} else if errors.Is(err, model.ErrNoRecord) { // another one took it
			err = nil
		}
		return closing(ed, err)
	}}
}

// bookAdding is an action that adds games to a book.
func bookAdding(target string, games []string) action {
	return action{target: target, what: "add", apply: func(old []string) []string { return added(old, games) }, run: func() error {
		ed, err := ctgwrite.Edit(ctx, target, ctgwrite.EditOptions{AcceptLosses: true})
		if err != nil {
			return err
		}
		b := ed.NewBuilder(ctgwrite.BuilderOptions{MaxPly: bookPlies, Jobs: 1})
		defer b.Close()
		if err = b.Add(ctx, database(games)); err == nil {
			err = ed.Add(ctx, b)
		}
		if err == nil {
			err = ed.Commit()
		}
		return closing(ed, err)
	}}
}

// building makes an action that makes a book of games.
func building(target, source string, games []string) action {
	return action{target: target, sources: []string{source}, what: "build of " + source, apply: func([]string) []string { return added(nil, games) }, run: func() error {
		src, err := cbkit.Open(source, cbkit.Options{Jobs: 1})
		if err != nil {
			return err
		}
		defer src.Close()
		b := ctgwrite.NewBuilder(ctgwrite.BuilderOptions{MaxPly: bookPlies, Jobs: 1, Options: ctgwrite.Options{Force: true, AcceptLosses: true, Memory: 1 << 20}})
		defer b.Close()
		if err := b.Add(ctx, src); err != nil {
			return err
		}
		_, err = b.Write(ctx, target)
		return err
	}}
}

func doubled(n string) string {
	i := 0
	fmt.Sscan(n, &i)
	return fmt.Sprint(2 * i)
}

// packing makes an action that packs a database, or unpacks one over it.
func packing(target, db string, games []string) action {
	return action{target: target, sources: []string{db}, what: "pack " + db, apply: func([]string) []string { return games }, run: func() error {
		set, err := read.FindFiles(db)
		if err != nil {
			return err
		}
		var names []string
		for _, ext := range set.Endings() {
			if name := set.Name(ext); archive.Packs(name) {
				names = append(names, name)
			}
		}
		files, err := archive.Files(fsys.Under(fsys.OS{}).(fsys.Disk), names...)
		if err != nil {
			return err
		}
		return archive.Create(ctx, target, files, archive.CreateOptions{Force: true, WriterOptions: archive.WriterOptions{Jobs: 1}})
	}}
}

// recoveries puts right all that has the name of a target.
func recoveries(target string) error {
	for _, other := range targets {
		if other == target || !formatOf(other).IsFile() && dbfile.StemOf(other) == dbfile.StemOf(target) {
			if err := recovery(other); err != nil {
				return err
			}
		}
	}
	return nil
}

// recovery puts a target right.
func recovery(target string) (err error) {
	switch formatOf(target) {
	case cbkit.ChessBase:
		_, err = write.Recover(target, model.RecoverOptions{})
	case cbkit.Simple:
		_, err = write.RecoverSimple(target, model.RecoverOptions{})
	case cbkit.Scid:
		_, err = write.RecoverScid(target, model.RecoverOptions{})
	case cbkit.Book:
		_, err = ctgwrite.Recover(target, model.RecoverOptions{})
	case "": // tables, which the next writer puts right
		for _, part := range []string{"tables/1", "tables/2"} {
			w, failed := tablesWriter(part)
			if failed == nil {
				failed = w.Abort()
			}
			err = cmp.Or(err, failed)
		}
	default:
		_, err = atomicset.RecoverFile(target, atomicset.Options{})
	}
	if errors.Is(err, os.ErrNotExist) {
		err = nil
	}
	return err
}
