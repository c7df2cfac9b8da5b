package main

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"cbkit/collect"
	"cbkit/internal/headerfields"
	"cbkit/internal/namepattern"
	"cbkit/model"
	"cbkit/stats"
	"cbkit/write"
)

// namesCmd is "cbkit names".
type namesCmd struct {
	DB      string `arg:"" zip:"reads" name:"db" help:"Database, PGN or JSON Lines file to change with --apply; any that can be read with --suggest."`
	Suggest bool   `help:"Print a list of players whose names may be spellings of one, as CSV, for --apply to take when somebody has looked at it."`
	Apply   string `help:"Change names of players by a list: CSV with the columns old and new, and title, fideId and rating if it likes; or Scid's spelling file; - is standard input." placeholder:"LIST"`
	DryRun  bool   `help:"With --apply: list what would change, and change nothing."`

	Boosters bool `help:"With --apply: rebuild those search boosters that did not fit before; others are kept in step anyway."`
	waitFlag
	askFlags
}

// printsOutcome implements [outcomePrinter].
func (c *namesCmd) printsOutcome() bool { return c.JSON && c.Apply != "" }

// Run implements the verb.
func (c *namesCmd) Run(env *environment) error {
	switch {
	case c.Suggest == (c.Apply != ""):
		return usageError{errors.New("names: say --suggest, which prints a list, or --apply LIST")}
	case c.Suggest && (c.DryRun || c.Boosters):
		return usageError{errors.New("names: --suggest changes nothing; --dry-run and --boosters go with --apply")}
	case c.Apply != "" && c.Where != "":
		return usageError{errors.New("names: --where goes with --suggest; --apply changes names wherever they are")}
	case c.Suggest:
		return env.ask("names", c.DB, c.askFlags, func(src model.Source, opt stats.Options) error {
			list, err := collect.NearNames(env.ctx, src, collect.Options{OnError: opt.OnError})
			if err != nil {
				return err
			}
			return c.print(env, list, src.Entities())
		})
	}
	if err := env.unzipped.refuseChange(); err != nil {
		return err
	}
	list, err := readNames(env, c.Apply)
	if err != nil {
		return err
	}
	return c.apply(env, list)
}

// suggestionJSON is a suggestion as JSON.
type suggestionJSON struct {
	Old      string   `json:"old"`
	New      string   `json:"new"`
	Games    int      `json:"games"`
	NewGames int      `json:"newGames"`
	Why      []string `json:"why"`
}

// print prints the suggestions as a list that can be applied: a player is called by name
// if no other player has the name, and it can be read back, else by number.
func (c *namesCmd) print(env *environment, list []collect.NearName, e *model.Entities) error {
	bearers := map[string]int{}
	for _, n := range list {
		bearers[n.Old], bearers[n.New] = 0, 0
	}
	for _, p := range e.Players.Live() {
		if n, is := bearers[p.String()]; is {
			bearers[p.String()] = n + 1
		}
	}
	called := func(name string, id model.EntityID) string {
		_, number := namepattern.ParseNumber(name)
		if bearers[name] > 1 || number || csvValue(new(column), name) != name || model.ParsePlayer(name).String() != name {
			return fmt.Sprint("#", id)
		}
		return name
	}
	var rows [][]string
	for _, n := range list {
		s := suggestionJSON{called(n.Old, n.ID), called(n.New, n.Into), n.OldGames, n.NewGames, n.Why}
		if c.JSON {
			if err := env.answer(s); err != nil {
				return err
			}
			continue
		}
		rows = append(rows, []string{s.Old, s.New, strconv.Itoa(s.Games), strconv.Itoa(s.NewGames), strings.Join(s.Why, "; ")})
	}
	if !c.JSON {
		s := env.newSheet("", csvFlag{CSV: true}, htmlFlag{})
		if err := s.table([]column{{title: "old"}, {title: "new"}, {title: "games"}, {title: "newGames", key: "newGames"}, {title: "why"}}, rows); err != nil {
			return err
		}
	}
	if !c.Quiet {
		says := fmt.Sprintf("%s that may be spellings of others; look at each before --apply takes the list", plural(len(list), "name"))
		if len(list) == 0 {
			says = "no names that may be spellings of others"
		}
		fmt.Fprintf(env.stderr, "%s: %s\n", c.DB, says)
	}
	return nil
}

// correction is a row of a list of names.
type correction struct {
	line     int
	old, new string // new is "" where the name stays
	title    string
	fide     string
	rating   uint16
}

// nameList is a list of corrections.
type nameList struct {
	name string // of the file
	rows []correction
	// key is what of a name counts: of Scid's file not blanks, dots and the like.
	key func(string) string
	// isOfAll says that most names of the list are not meant to be in a database.
	isOfAll bool
}

// readNames reads a list of either form.
func readNames(env *environment, path string) (*nameList, error) {
	file, name := env.stdin, "standard input"
	if path != "-" {
		f, err := os.Open(path)
		if err != nil {
			return nil, plainError(err)
		}
		defer f.Close()
		file, name = f, path
	}
	in := bufio.NewReader(file)
	if mark, _ := in.Peek(3); bytes.Equal(mark, []byte("\ufeff")) {
		_, _ = in.Discard(3) // what was peeked at is there
	}
	l := &nameList{name: name, key: func(s string) string { return model.ParsePlayer(s).String() }}
	read := l.readCSV
	if first, _ := in.Peek(1); len(first) == 1 && (first[0] == '#' || first[0] == '@') {
		read = l.readScid
	}
	if err := read(in); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if len(l.rows) == 0 {
		return nil, fmt.Errorf("%s: there are no names in the list", name)
	}
	return l, nil
}

// listColumnNames are the columns of a list, by what people call them.
var listColumnNames = map[string]string{
	"old": "old", "new": "new", "title": "title", "rating": "rating", "elo": "rating",
	"fideid": "fideId", "fide id": "fideId", "fide-id": "fideId", "fide": "fideId",
}

// readCSV reads a list with a header that names the columns; further ones are passed
// over. The header says what stands between cells.
func (l *nameList) readCSV(in *bufio.Reader) error {
	head, _ := in.Peek(256)
	r := csv.NewReader(in)
	r.FieldsPerRecord, r.ReuseRecord = -1, true
	head, _, _ = bytes.Cut(head, []byte("\n"))
	for _, sign := range []rune{';', '\t'} {
		if bytes.ContainsRune(head, sign) && !bytes.ContainsRune(head, ',') {
			r.Comma = sign
		}
	}
	columns := map[string]int{}
	header, err := r.Read()
	if err != nil && err != io.EOF {
		return err
	}
	for i, cell := range header {
		if name := listColumnNames[strings.ToLower(strings.TrimSpace(cell))]; name != "" {
			columns[name] = i
		}
	}
	if _, is := columns["old"]; !is {
		return errors.New(`the first line must name the columns: "old,new"; also title, fideId, rating`)
	}
	seen := map[string]int{}
	for {
		cells, err := r.Read()
		if err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		line, _ := r.FieldPos(0)
		cell := func(column string) string {
			if i, is := columns[column]; is && i < len(cells) {
				return strings.TrimSpace(cells[i])
			}
			return ""
		}
		row := correction{line: line, old: cell("old"), new: cell("new"), title: cell("title"), fide: cell("fideId")}
		for _, text := range cells {
			if !utf8.ValidString(text) {
				return fmt.Errorf("line %d is not UTF-8; save the list as that", line)
			}
		}
		if s := cell("rating"); s != "" {
			var whole bool
			if row.rating, whole = headerfields.ParseRating(s); !whole || row.rating > 4000 {
				return fmt.Errorf("line %d: %q is no rating", line, s)
			}
		}
		switch first := seen[l.key(row.old)]; {
		case row.old == "" && row.new == "":
			continue
		case row.old == "":
			return fmt.Errorf("line %d: there is no old name", line)
		case first != 0:
			return fmt.Errorf("line %d: %q is in line %d too; leave one of them", line, row.old, first)
		}
		seen[l.key(row.old)] = line
		l.rows = append(l.rows, row)
	}
}

// readScid reads the players of Scid's spelling file: a name, and indented behind "=" the
// other ways to spell it. Of a spelling of two players, and of one that is a player's own
// name, it is unknown whose it is.
func (l *nameList) readScid(in *bufio.Reader) error {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 1<<20)
	within, current, ignored := false, "", ""
	line, of := 0, map[string]int{} // places in rows, -1 of what is two players'
	l.key = func(s string) string {
		return strings.Map(func(r rune) rune {
			if strings.ContainsRune(ignored, r) {
				return -1
			}
			return r
		}, s)
	}
	l.isOfAll = true
	add := func(name string, own bool) {
		key := l.key(name)
		at, is := of[key]
		switch {
		case !is:
			of[key] = len(l.rows)
			l.rows = append(l.rows, correction{line: line, old: name, new: current})
		case at >= 0 && l.rows[at].new != current:
			if own || l.key(l.rows[at].new) != key {
				l.rows[at].new = ""
			}
			if own && l.key(l.rows[at].new) != key {
				l.rows[at].new = current
			}
		}
	}
	for lines.Scan() {
		line++
		text := lines.Text()
		if section, is := strings.CutPrefix(text, "@"); is {
			name, signs, _ := strings.Cut(section, " ")
			if within = name == "PLAYER"; within {
				ignored = strings.Trim(strings.TrimSpace(signs), `"`)
			}
			continue
		}
		text, _, _ = strings.Cut(text, "#")
		indented := strings.HasPrefix(text, " ") || strings.HasPrefix(text, "\t")
		text = strings.TrimSpace(text)
		switch other, is := strings.CutPrefix(text, "="); {
		case !within || text == "" || strings.HasPrefix(text, "%"):
		case !indented:
			current = text
			add(current, true)
		case is && current != "":
			add(strings.TrimSpace(other), false)
		}
	}
	if lines.Err() != nil {
		return fmt.Errorf("line %d: %w", line+1, lines.Err())
	}
	l.rows = slices.DeleteFunc(l.rows, func(row correction) bool { return row.new == "" })
	return nil
}

// renamed is what becomes of a player.
type renamed struct {
	id       model.EntityID
	old, new string
	into     model.EntityID // the player who has the new name already, else NoEntity
}

// plan is what a list changes of the players of a database.
type plan struct {
	list    *nameList
	changes []renamed
	details map[model.EntityID]correction // title, FIDE id and rating, by player
	unknown []string
	refused []string // what cannot be decided
}

// planNames finds the players whom a list means, exactly or by number, and goes through
// it in its order: what one line made, the next may speak of.
func planNames(list *nameList, players iter.Seq2[model.EntityID, model.Player]) *plan {
	p := &plan{list: list, details: map[model.EntityID]correction{}}
	ids, names := map[string][]model.EntityID{}, map[model.EntityID]string{}
	numbers := map[model.EntityID]bool{}
	for _, row := range list.rows {
		for _, name := range []string{row.old, row.new} {
			if id, is := namepattern.ParseNumber(name); is {
				numbers[id] = true
			} else {
				ids[list.key(name)] = nil
			}
		}
	}
	for id, v := range players {
		key := list.key(v.String())
		if have, is := ids[key]; is || numbers[id] {
			ids[key], names[id] = append(have, id), v.String()
		}
	}
	bearers := func(name string) []model.EntityID {
		if id, is := namepattern.ParseNumber(name); is {
			if _, there := names[id]; there {
				return []model.EntityID{id}
			}
			return nil
		}
		return ids[list.key(name)]
	}
	for _, row := range list.rows {
		old := bearers(row.old)
		if len(old) == 0 {
			p.unknown = append(p.unknown, row.old)
			continue
		}
		var twins []model.EntityID // who have one name
		for _, id := range old {
			if slices.ContainsFunc(old, func(one model.EntityID) bool { return one != id && names[one] == names[id] }) {
				twins = append(twins, id)
			}
		}
		if len(twins) > 0 {
			p.refuse(&row, row.old, twins)
			continue
		}
		for _, id := range slices.Clone(old) {
			to, isNumber := namepattern.ParseNumber(row.new)
			name := model.ParsePlayer(row.new).String()
			var into []model.EntityID
			switch {
			case row.new == "":
			case isNumber && names[to] == "":
				p.unknown = append(p.unknown, row.new)
				continue
			case isNumber:
				into, name = []model.EntityID{to}, names[to]
			default:
				into = slices.DeleteFunc(slices.Clone(bearers(row.new)), func(one model.EntityID) bool { return names[one] != name })
			}
			if into = slices.DeleteFunc(into, func(one model.EntityID) bool { return one == id }); len(into) > 1 {
				p.refuse(&row, row.new, into)
				continue
			}
			if key := list.key(names[id]); row.new != "" && (len(into) == 1 || names[id] != name) {
				p.changes = append(p.changes, renamed{id, names[id], name, append(into, model.NoEntity)[0]})
				ids[key] = slices.DeleteFunc(ids[key], func(one model.EntityID) bool { return one == id })
				if delete(names, id); len(into) == 1 {
					id = into[0]
				} else {
					ids[list.key(name)], names[id] = append(ids[list.key(name)], id), name
				}
			}
			if row.title != "" || row.fide != "" || row.rating != 0 {
				p.details[id] = row
			}
		}
	}
	return p
}

// refuse notes a name that several players have.
func (p *plan) refuse(row *correction, name string, ids []model.EntityID) {
	if p.list.isOfAll {
		return
	}
	var numbers []string
	for _, id := range ids {
		numbers = append(numbers, fmt.Sprint("#", id))
	}
	p.refused = append(p.refused, fmt.Sprintf("%s: line %d: %q is the name of %s; say by its number which one", p.list.name, row.line, name, joinedBy(numbers, " and ")))
}

// apply changes the database in one transaction.
func (c *namesCmd) apply(env *environment, list *nameList) error {
	t := newTransfer(env, transferFlags{readFlags: c.readFlags}, "names", target{})
	opt := write.EditOptions{Wait: c.duration(), Boosters: c.Boosters, Report: t.env.messages.lost, DryRun: c.DryRun, Now: env.now}
	name := mainFile(c.DB)
	ed, err := openAny(t, c.DB, opt)
	if err != nil {
		return targetError(name, err)
	}
	var p *plan
	err = onceLocked(ed, nil, false, func() (err error) {
		switch ed := ed.(type) {
		case *write.Editor:
			isGame := func(id model.RecordID) bool { _, err := ed.Text(id); return err != nil }
			p, err = changePlayers(env, ed, ed.Players(), list, isGame, nil)
		case *write.ScidEditor:
			p, err = changePlayers(env, ed, ed.Players(), list, func(model.RecordID) bool { return true }, &ed.Entities().Players)
		case *write.SimpleEditor:
			p, err = changeGames(env, ed, list)
		case *textEditor:
			p, err = changeText(ed, list)
		}
		return err
	})
	var result write.EditResult
	if err == nil {
		result, err = finishEdit(ed, c.DryRun)
	}
	count := ed.Count()
	if err = errors.Join(err, env.done(ed.Close())); err != nil {
		return targetError(name, err)
	}
	env.making = ""
	result.MadeBoosters = ed.Result().MadeBoosters
	for _, line := range p.refused {
		env.unread(messageSkipped, errors.New(line))
	}
	return c.printResult(t, p, result, count)
}

// namesResult is what names --apply counts, as JSON.
type namesResult struct {
	write.EditResult
	Changes []nameChangeJSON `json:"changes"`
	Unknown []string         `json:"unknown,omitempty"`
}

// nameChangeJSON is a change of a name.
type nameChangeJSON struct {
	ID   model.EntityID  `json:"id"`
	Old  string          `json:"old"`
	New  string          `json:"new"`
	Into *model.EntityID `json:"into,omitempty"`
}

// printResult says what was done, and which names of the list there are not.
func (c *namesCmd) printResult(t *transfer, p *plan, r write.EditResult, records int) error {
	env := t.env
	if !c.DryRun {
		env.made(madeTarget{Path: mainFile(c.DB), Format: formatOf(c.DB), Records: new(records)})
	}
	full := namesResult{EditResult: r, Changes: []nameChangeJSON{}}
	for _, one := range p.changes {
		change := nameChangeJSON{ID: one.id, Old: one.old, New: one.new}
		if one.into != model.NoEntity {
			change.Into = &one.into
		}
		full.Changes = append(full.Changes, change)
	}
	if !p.list.isOfAll {
		full.Unknown = p.unknown
	}
	if env.setResult(full, c.DryRun) || c.Quiet {
		return nil
	}
	verb := "edited"
	if c.DryRun {
		verb = "would change"
		for _, one := range p.changes {
			into := ""
			if one.into != model.NoEntity {
				into = fmt.Sprintf(", which is there (#%d)", one.into)
			}
			fmt.Fprintln(env.text, oneLine(fmt.Sprintf("%s (#%d) -> %s%s", one.old, one.id, one.new, into)))
		}
	}
	fmt.Fprintf(env.stderr, "%s: %s: %s\n", mainFile(c.DB), verb, describeEdit(r))
	if n := len(full.Unknown); n > 0 {
		few := fewNames(slices.Clone(full.Unknown), "names")
		fmt.Fprintln(env.stderr, oneLine(fmt.Sprintf("not there, so that nothing was changed for %s: %s", map[bool]string{true: "it", false: "them"}[n == 1], few)))
	}
	identified := 0
	for _, row := range p.details {
		if row.title != "" || row.fide != "" {
			identified++
		}
	}
	if identified > 0 && !formatOf(c.DB).IsText() {
		fmt.Fprintf(env.stderr, "titles and FIDE ids of %s have no place in such a database\n", plural(identified, "player"))
	}
	reportDropped(env, r.DroppedBoosters, r.MadeBoosters)
	env.messages.printLosses()
	return nil
}

// final are the players that are merged in the end, and those that get other names, in
// the order in which they can have them.
func (p *plan) final() (merged map[model.EntityID]model.EntityID, others []renamed) {
	merged = map[model.EntityID]model.EntityID{}
	for _, one := range p.changes {
		if one.into != model.NoEntity {
			merged[one.id] = one.into
		}
	}
	last := map[model.EntityID]int{}
	for i, one := range p.changes {
		last[one.id] = i
	}
	for i, one := range p.changes {
		if _, is := merged[one.id]; !is && last[one.id] == i {
			others = append(others, one)
		}
	}
	p.follow(func(id model.EntityID) model.EntityID { return endOf(merged, id) })
	return merged, others
}

// follow gives what the list says of players to those whom they become.
func (p *plan) follow(becomes func(model.EntityID) model.EntityID) {
	of := map[model.EntityID]correction{}
	for _, id := range slices.Sorted(maps.Keys(p.details)) {
		if _, is := of[becomes(id)]; !is || becomes(id) == id {
			of[becomes(id)] = p.details[id]
		}
	}
	p.details = of
}

// oneStep returns what becomes of a player.
func oneStep(becomes map[model.EntityID]model.EntityID, id model.EntityID) model.EntityID {
	if to, is := becomes[id]; is {
		return to
	}
	return id
}

// endOf follows what becomes of a player to the end.
func endOf(becomes map[model.EntityID]model.EntityID, id model.EntityID) model.EntityID {
	for next, more := becomes[id]; more; next, more = becomes[id] {
		id = next
	}
	return id
}

// playerNumbers are players with numbers of their own.
type playerNumbers interface {
	nameStore[model.Player]
	MergeAll(into map[model.EntityID]model.EntityID) error
}

// changePlayers changes players that have numbers. Those of headers are others if they are
// of a table of their own.
func changePlayers(env *environment, ed editor, players playerNumbers, list *nameList, isGame func(model.RecordID) bool,
	own *model.Table[model.Player]) (*plan, error) {
	var failed error
	p := planNames(list, func(yield func(model.EntityID, model.Player) bool) {
		for one, err := range players.All() {
			if failed = err; err != nil || !yield(one.ID, one.Value) {
				return
			}
		}
	})
	if failed != nil {
		return nil, failed
	}
	merged, others := p.final()
	if err := players.MergeAll(merged); err != nil {
		return nil, err
	}
	for _, one := range others {
		if err := players.Change(one.id, model.ParsePlayer(one.new)); err != nil {
			return nil, fmt.Errorf("%q: %w", one.old, err)
		}
	}
	isRated := func(row correction) bool { return row.rating != 0 }
	if !slices.ContainsFunc(slices.Collect(maps.Values(p.details)), isRated) {
		return p, nil
	}
	numbers := map[model.Player]model.EntityID{}
	number := func(own *model.Table[model.Player], id model.EntityID) model.EntityID {
		if v, is := own.Get(id); is {
			if stored, is := numbers[v]; is {
				return stored
			}
		}
		return model.NoEntity
	}
	for one, err := range players.All() {
		if err != nil {
			return nil, err
		}
		numbers[one.Value] = one.ID
	}
	for id := model.RecordID(1); int(id) <= ed.Count(); id++ {
		if err := env.ctx.Err(); err != nil {
			return nil, err
		}
		if !isGame(id) {
			continue
		}
		h, err := ed.Header(id)
		if err != nil {
			return nil, err
		}
		known := h
		if own != nil {
			known.White, known.Black = number(own, h.White), number(own, h.Black)
		}
		if p.complete(&known) {
			h.WhiteElo, h.BlackElo = known.WhiteElo, known.BlackElo
			if err := ed.SetHeader(id, h, nil); err != nil {
				return nil, err
			}
		}
	}
	return p, nil
}

// changeGames changes the names in all games that have them.
func changeGames(env *environment, ed *write.SimpleEditor, list *nameList) (*plan, error) {
	headers := func(do func(model.RecordID, *model.Header) error) error {
		for id := model.RecordID(1); int(id) <= ed.Count(); id++ {
			h, err := ed.Header(id)
			if err := cmp.Or(env.ctx.Err(), err); err != nil {
				return err
			}
			if err := do(id, &h); err != nil {
				return err
			}
		}
		return nil
	}
	if err := headers(func(model.RecordID, *model.Header) error { return nil }); err != nil { // then the table has all
		return nil, err
	}
	players := &ed.Entities().Players
	p := planNames(list, players.Live())
	becomes := p.inOneStep(players, new(write.EditResult))
	return p, headers(func(id model.RecordID, h *model.Header) error {
		white, black := h.White, h.Black
		h.White, h.Black = oneStep(becomes, white), oneStep(becomes, black)
		if !p.complete(h) && h.White == white && h.Black == black {
			return nil
		}
		return ed.SetHeader(id, *h, ed.Entities())
	})
}

// inOneStep returns what becomes of players whose names stand in games alone: a name that
// one has lost another may have got. It counts the names.
func (p *plan) inOneStep(players *model.Table[model.Player], count *write.EditResult) map[model.EntityID]model.EntityID {
	merged, others := p.final()
	count.EntitiesMerged, count.EntitiesChanged = len(merged), len(others)
	becomes := map[model.EntityID]model.EntityID{}
	for _, one := range others {
		becomes[one.id] = players.Intern(model.ParsePlayer(one.new))
	}
	p.follow(func(id model.EntityID) model.EntityID { return oneStep(becomes, id) })
	for from := range merged {
		becomes[from] = oneStep(becomes, endOf(merged, from))
	}
	return becomes
}

// changeText changes the names in all games of a text that have them.
func changeText(x *textEditor, list *nameList) (*plan, error) {
	e, err := x.known()
	if err != nil {
		return nil, err
	}
	p := planNames(list, e.Players.Live())
	becomes := p.inOneStep(&e.Players, &x.result.EditResult)
	x.later(nil, func(model.RecordID) error {
		if x.rec.Game == nil {
			return nil
		}
		h := &x.rec.Game.Header
		known := *h // with the ids of e
		for _, side := range []struct{ here, there *model.EntityID }{{&h.White, &known.White}, {&h.Black, &known.Black}} {
			if *side.here == model.NoEntity {
				continue
			}
			was, _ := e.Players.Find(x.entities.Players.Value(*side.here))
			if *side.there = oneStep(becomes, was); *side.there != was {
				*side.here = x.entities.Players.Intern(e.Players.Value(*side.there))
				x.what = max(x.what, model.ChangedHeader)
			}
		}
		if completed := p.complete(&known); p.identify(&known) || completed {
			h.WhiteElo, h.BlackElo, h.Tags = known.WhiteElo, known.BlackElo, known.Tags
			x.what = max(x.what, model.ChangedHeader)
			x.result.Set++
		}
		return nil
	})
	return p, nil
}

// identify gives a game the titles and FIDE ids of its players that the list has, as tags
// where it has none.
func (p *plan) identify(h *model.Header) (changed bool) {
	for _, side := range []struct {
		name string
		id   model.EntityID
	}{{"White", h.White}, {"Black", h.Black}} {
		row := p.details[side.id]
		for _, tag := range []model.Tag{{Name: side.name + "Title", Value: row.title}, {Name: side.name + "FideId", Value: row.fide}} {
			if tag.Value != "" && !slices.ContainsFunc(h.Tags, func(t model.Tag) bool { return t.Name == tag.Name }) {
				h.Tags, changed = append(slices.Clone(h.Tags), tag), true
			}
		}
	}
	if changed {
		slices.SortStableFunc(h.Tags, func(a, b model.Tag) int { return strings.Compare(a.Name, b.Name) })
	}
	return changed
}

// complete gives a game the ratings of its players that the list has, where it has none.
func (p *plan) complete(h *model.Header) (changed bool) {
	for _, side := range []struct {
		id  model.EntityID
		elo *uint16
	}{{h.White, &h.WhiteElo}, {h.Black, &h.BlackElo}} {
		row, is := p.details[side.id]
		if is && *side.elo == 0 && row.rating != 0 {
			*side.elo, changed = row.rating, true
		}
	}
	return changed
}
