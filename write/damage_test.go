package write

import (
	"bytes"
	"context"
	"encoding/binary"
	"flag"
	"fmt"
	"hash/maphash"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"text/tabwriter"

	"cbkit/internal/cbh"
	"cbkit/internal/testkit/corpus"
	"cbkit/internal/testkit/crashfs"
	"cbkit/internal/testkit/must"
	"cbkit/internal/wire"
	"cbkit/model"
	"cbkit/read"
)

// What repair and salvage make of damage is judged by the undamaged database and by
// what plain reading gives of the damaged one, and by nothing that either of them
// knows: no record may come out worse than plain reading gives it, and what is
// called kept or mended is what it was. Salvage may leave a name out, and says so, where
// nothing proves which record of an entity file is that of an id.

var (
	damageHeaders     = flag.Bool("damage-headers", false, "delete and double every header of the databases of TestHeadersMissingAndDoubled")
	damageCases       = flag.Int("damage", 170, "how many databases TestRecordsMissingDoubledSwapped damages")
	damageAnnotations = flag.Int("damage-notes", 32, "how many databases TestAnnotationsThatNameAnotherGame damages")
	damageCase        = flag.Int("damage-case", -1, "damage this one alone, and tell of everything")
)

// original is an undamaged database.
type original struct {
	name  string
	files map[string][]byte
	records
}

// records are records by value. Those that cannot be read have none.
type records struct {
	games map[int]model.ResolvedGame // by number
	texts map[int]model.ResolvedText
	count int
	keys  map[any][]int // the games with a header, with moves
}

// readAll reads what can be read of a database.
func readAll(t *testing.T, files map[string][]byte) *records {
	t.Helper()
	r := &records{games: map[int]model.ResolvedGame{}, texts: map[int]model.ResolvedText{}, keys: map[any][]int{}}
	folder := fstest.MapFS{}
	for ext, b := range files {
		folder["games"+ext] = &fstest.MapFile{Data: b}
	}
	db, err := read.OpenFS(folder, "games.cbh", read.Options{KeepGoing: true})
	if err != nil {
		return r
	}
	defer db.Close()
	for rec, err := range db.Records(t.Context(), 1, model.WantMoves|model.WantAnnotations) {
		r.count++
		if err == nil {
			r.add(r.count, rec, db.Entities())
		}
	}
	return r
}

// add adds a record.
func (r *records) add(n int, rec model.Record, tables *model.Entities) {
	rec = rec.Clone()
	switch {
	case rec.Game != nil:
		g := rec.Game.Resolve(tables)
		r.games[n] = g
		for _, key := range keysOf(&g) {
			r.keys[key] = append(r.keys[key], n)
		}
	case rec.Text != nil:
		r.texts[n] = rec.Text.Resolve(tables)
	}
}

var movesSeed = maphash.MakeSeed()

// keysOf are what a game can be found by: its header, its moves.
func keysOf(g *model.ResolvedGame) []any {
	type header struct {
		white, black model.Player
		date         model.Date
		round        uint16
	}
	var h maphash.Hash
	h.SetSeed(movesSeed)
	for _, n := range g.Moves {
		maphash.WriteComparable(&h, n)
	}
	return []any{header{g.White, g.Black, g.Date, uint16(g.Round)}, h.Sum64()}
}

// likest returns the game that has the most in common with another, and what
// differs.
func (r *records) likest(g *model.ResolvedGame) (n int, differ []string) {
	n, differ = 0, []string{"all"}
	for _, key := range keysOf(g) {
		for _, m := range r.keys[key] {
			other := r.games[m]
			if d := differences(g, &other); n == 0 || len(d) < len(differ) {
				n, differ = m, d
			}
		}
	}
	return n, differ
}

// hasText reports whether there is such a text.
func (r *records) hasText(text *model.ResolvedText) bool {
	for _, other := range r.texts {
		if text.Equal(other) {
			return true
		}
	}
	return false
}

// differences names what two games have differently.
func differences(a, b *model.ResolvedGame) (list []string) {
	if a.Equal(*b) {
		return nil
	}
	x, y := reflect.ValueOf(a.ResolvedHeader), reflect.ValueOf(b.ResolvedHeader)
	for i := range x.NumField() {
		if !reflect.DeepEqual(x.Field(i).Interface(), y.Field(i).Interface()) {
			list = append(list, x.Type().Field(i).Name)
		}
	}
	if a.Start != b.Start || !slices.Equal(a.Moves, b.Moves) || !bytes.Equal(a.Opaque[0], b.Opaque[0]) {
		list = append(list, "moves")
	}
	if !slices.EqualFunc(a.Annotations, b.Annotations, func(a, b model.Annotation) bool {
		return a.Node == b.Node && a.Value != nil && a.Value.Equal(b.Value)
	}) || !bytes.Equal(a.Opaque[1], b.Opaque[1]) {
		list = append(list, "annotations")
	}
	return list
}

// The damages: what becomes of one record, or of two.
const (
	isMissing = iota
	isDoubled
	areSwapped
)

var damageWords = [...]string{"missing", "doubled", "swapped"}

// damage is one of them.
type damage struct {
	ext        string
	how        int
	one, other int // numbers of records; the other one only where they are swapped
}

func (d damage) String() string {
	s := fmt.Sprintf("%s: record %d %s", d.ext, d.one, damageWords[d.how])
	if d.how == areSwapped {
		s += fmt.Sprintf(" with %d", d.other)
	}
	return s
}

// span returns where a record lies, nothing if there is none.
func (o *original) span(ext string, n int) (from, to int) {
	b := o.files[ext]
	at, size := 0, 0
	switch ext {
	case ".cbh":
		at, size = cbh.RecordSize, cbh.RecordSize
		n--
	case ".cbj":
		at, size = cbh.ExtHeaderSize, int(binary.LittleEndian.Uint32(b[4:]))
		n--
	case ".cba":
		head := o.files[".cbh"][n*cbh.RecordSize:]
		from = int(cbh.GameAnnotations.Uint(head))
		if cbh.RecordType(head[0]).IsText() || from == 0 {
			return 0, 0
		}
		return from, from + int(binary.BigEndian.Uint32(b[from+10:]))
	default:
		if kind, ok := entityKindOf(ext); ok {
			head, _ := cbh.DecodeEntityHeader(b)
			at, size = head.Size(), kind.RecordSize()
		}
	}
	from = at + n*size
	if n < 0 || from+size > len(b) {
		return 0, 0
	}
	return from, from + size
}

// do returns the damaged files, and which record of the original each .cbh record
// now is; nil if there is nothing to damage.
func (o *original) do(d damage) (files map[string][]byte, origin func(int) int) {
	b := o.files[d.ext]
	from, to := o.span(d.ext, d.one)
	if to == 0 {
		return nil, nil
	}
	origin = func(n int) int { return n }
	var out []byte
	switch d.how {
	case isMissing:
		out = slices.Concat(b[:from], b[to:])
	case isDoubled:
		out = slices.Concat(b[:to], b[from:])
	default:
		from2, to2 := o.span(d.ext, d.other)
		if to2 == 0 || from2 < to {
			return nil, nil
		}
		out = slices.Concat(b[:from], b[from2:to2], b[to:from2], b[from:to], b[to2:])
	}
	if bytes.Equal(out, b) {
		return nil, nil
	}
	if d.ext == ".cbh" {
		origin = func(n int) int {
			switch {
			case d.how == isMissing && n >= d.one:
				return n + 1
			case d.how == isDoubled && n > d.one:
				return n - 1
			case d.how == areSwapped && n == d.one:
				return d.other
			case d.how == areSwapped && n == d.other:
				return d.one
			}
			return n
		}
	}
	files = maps.Clone(o.files)
	files[d.ext] = out
	return files, origin
}

// verdict is what became of one damaged database.
type verdict struct {
	damage
	plain          int      // records that plain reading gives as they were
	repaired       int      // that a repair gives so
	kept, salvaged int      // that salvage calls kept, that it gives as they were
	leftOut        int      // names that salvage leaves out
	worse          []string // than plain reading
	wrong          []string // called kept or mended
}

// judge repairs and salvages a damaged database.
func (o *original) judge(t *testing.T, d damage) *verdict {
	t.Helper()
	files, origin := o.do(d)
	if files == nil {
		return nil
	}
	v, _ := o.judgeFiles(t, d, files, origin)
	return v
}

// judgeFiles repairs and salvages damaged files, and returns what the repair makes of
// them.
func (o *original) judgeFiles(t *testing.T, d damage, files map[string][]byte, origin func(int) int) (*verdict, map[string][]byte) {
	t.Helper()
	v := &verdict{damage: d}
	_, isEntity := entityKindOf(d.ext)
	plain := readAll(t, files)
	repaired, changes := o.repair(t, files)
	after := readAll(t, repaired)
	s := salvaged(t, files)
	if s.err != nil {
		t.Fatalf("%s: %v: %v", o.name, d, s.err)
	}
	saved := &records{games: map[int]model.ResolvedGame{}, texts: map[int]model.ResolvedText{}, keys: map[any][]int{}}
	for i, rec := range s.out.List {
		saved.add(i+1, rec, &s.out.Tables)
	}
	for _, n := range slices.Sorted(maps.Keys(plain.games)) {
		has, is := plain.games[n], o.games[origin(n)]
		was := differences(&is, &has)
		if was == nil {
			v.plain++
		}
		after := after.games[n] // a repair moves no record
		now := differences(&is, &after)
		if now == nil {
			v.repaired++
		}
		v.compare("repair", was, now, origin(n), n)
		m, now := saved.likest(&is)
		if now == nil {
			v.salvaged++
		}
		if saved := saved.games[m]; isEntity && d.how != areSwapped {
			left := len(now)
			now = slices.DeleteFunc(now, func(what string) bool { return isLeftOut(&saved, what, s.fates[model.RecordID(n)].Why) })
			v.leftOut += left - len(now)
		}
		v.compare("salvage", was, now, origin(n), m)
	}
	for n := range plain.texts {
		if is := o.texts[origin(n)]; is.Equal(plain.texts[n]) {
			for verb, r := range map[string]*records{"repair": after, "salvage": saved} {
				if !r.hasText(&is) {
					v.worse = append(v.worse, fmt.Sprintf("%s: text %d", verb, origin(n)))
				}
			}
		}
	}
	for _, id := range slices.Sorted(maps.Keys(s.fates)) {
		f := s.fates[id]
		if f.State != SalvageKept {
			continue
		}
		v.kept++
		if wrong := o.foreign(saved, int(f.New)); wrong != nil {
			v.wrong = append(v.wrong, fmt.Sprintf("kept: %v of %d", wrong, id))
		}
	}
	if isEntity && slices.ContainsFunc(changes, func(c Repaired) bool { return filepath.Ext(c.File) == d.ext }) {
		v.wrong = append(v.wrong, o.names(d.ext, repaired)...)
	}
	for _, c := range changes {
		ext := filepath.Ext(c.File)
		switch {
		case c.Record < 0 || (ext == ".cbh" || ext == ".cbj") && int(c.Record) > after.count:
		case slices.Contains([]string{".cbh", ".cbj", ".cbg", ".cba"}, ext):
			wrong := o.foreign(after, int(c.Record))
			if isEntity { // what a header says besides is no word about a name
				wrong = slices.DeleteFunc(wrong, func(what string) bool { return slices.Contains(nameFields, what) })
			}
			if strings.HasPrefix(c.Code, "stale-m") && c.Code != "stale-medals" && c.Code != "stale-magnitude" {
				wrong = slices.DeleteFunc(wrong, func(what string) bool { return what == "annotations" || what == "all" }) // it follows from moves
			}
			if len(wrong) > 0 {
				v.wrong = append(v.wrong, fmt.Sprintf("mended: %v of %d (%s, %s)", wrong, c.Record, c.Code, c.Message))
			}
		}
	}
	return v, repaired
}

// compare notes what a record has worse than plain reading gives it: was and now are how
// each differs from the original one.
func (v *verdict) compare(verb string, was, now []string, of, is int) {
	for _, what := range now {
		if !slices.Contains(was, what) {
			v.worse = append(v.worse, fmt.Sprintf("%s: %s of %d (now %d)", verb, what, of, is))
		}
	}
}

// isLeftOut reports whether a name of a game is left out, as the account says.
func isLeftOut(g *model.ResolvedGame, what string, account []string) bool {
	return slices.Contains(nameFields, what) && reflect.ValueOf(g.ResolvedHeader).FieldByName(what).IsZero() &&
		slices.ContainsFunc(account, func(why string) bool { return strings.Contains(why, "nothing proves which") })
}

// nameFields are the fields of a game that are names.
var nameFields = []string{"White", "Black", "Tournament", "Annotator", "Source", "WhiteTeam", "BlackTeam", "GameTitle"}

// entityKindOf returns the kind of a file of entities.
func entityKindOf(ext string) (*cbh.EntityFile, bool) {
	for _, kind := range cbh.EntityFiles {
		if kind.Ext == ext {
			return kind, true
		}
	}
	return nil, false
}

// names returns which entities of a file that was mended are others than before.
func (o *original) names(ext string, repaired map[string][]byte) (wrong []string) {
	for id := 0; ; id++ {
		from, to := o.span(ext, id)
		if to == 0 {
			return wrong
		}
		if to > len(repaired[ext]) {
			return append(wrong, fmt.Sprintf("mended: %s %d is not there", ext, id))
		}
		was, is := o.files[ext][from:to], repaired[ext][from:to]
		was, is = was[cbh.EntityLinksSize:len(was)-cbh.EntityUseSize], is[cbh.EntityLinksSize:len(is)-cbh.EntityUseSize]
		if !bytes.Equal(was, is) {
			wrong = append(wrong, fmt.Sprintf("mended: %s %d is %.20q, was %.20q", ext, id, is, was))
		}
	}
}

// foreign returns what a record has that is not of the game that it is, nil if all
// of it is.
func (o *original) foreign(r *records, n int) []string {
	if text, ok := r.texts[n]; ok {
		if !o.hasText(&text) {
			return []string{"text"}
		}
		return nil
	}
	g, ok := r.games[n]
	if !ok {
		return []string{"all"}
	}
	_, differ := o.likest(&g)
	return differ
}

// repair returns the files as a repair makes them, and what it tells.
func (o *original) repair(t *testing.T, files map[string][]byte) (map[string][]byte, []Repaired) {
	t.Helper()
	disk := crashfs.New()
	for ext, b := range files {
		disk.WriteFile("games"+ext, b)
	}
	var changes []Repaired
	run := func() {
		changes = nil
		opt := RepairOptions{files: disk, Jobs: 1, Repaired: func(c Repaired) { changes = append(changes, c) }}
		must.Get(Repair(t.Context(), "games.cbh", opt))(t)
	}
	run()
	first, told := disk.Files(), changes
	if run(); len(changes) > 0 || !crashfs.Same(first, disk.Files()) {
		t.Errorf("%s: a second repair makes %d changes: %v", o.name, len(changes), changes[:min(len(changes), 2)])
	}
	after := map[string][]byte{}
	for name, b := range first {
		after[strings.TrimPrefix(name, "games")] = b
	}
	return after, told
}

// generated returns a database of so many records: games with names, teams and
// annotations of their own, some without, and texts.
func generated(t *testing.T, seed uint64, n int) *original {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 22))
	db := salvageDatabase(r, n)
	for i := range db.List {
		g := db.List[i].Game
		if g == nil {
			continue
		}
		if r.IntN(3) > 0 {
			g.Annotations = nil
			for node := 0; node < g.Moves.Len() && r.IntN(3) > 0; node += 1 + r.IntN(5) {
				switch r.IntN(3) {
				case 0:
					g.Annotate(node, model.Text{Text: strings.Repeat(fmt.Sprint("word ", r.IntN(1000)), r.IntN(40))})
				case 1:
					g.Annotate(node, model.Symbols{Move: model.NAG(1 + r.IntN(6))})
				default:
					g.Annotate(node, model.Squares{{Square: model.Square(r.IntN(64)), Color: model.Green}})
				}
			}
		}
		if g.BlackTeam = g.WhiteTeam; r.IntN(3) == 0 {
			g.WhiteTeam, g.BlackTeam = model.NoEntity, model.NoEntity
		}
		g.Source = db.Tables.Sources.Intern(model.Publication{Title: fmt.Sprint("Source ", r.IntN(9))})
		g.Annotator = db.Tables.Annotators.Intern(model.Annotator{Name: fmt.Sprint("Annotator ", r.IntN(5))})
		g.Black = db.Tables.Players.Intern(model.Player{LastName: fmt.Sprint("Black ", r.IntN(n/3+1))})
	}
	o := &original{name: fmt.Sprint("generated ", seed), files: map[string][]byte{}}
	disk := crashfs.New()
	sink := must.Get(Create(context.Background(), "games.cbh", Options{Now: crashClock, AcceptLosses: true, files: disk}))(t)
	must.Do(t, model.Copy(t.Context(), sink, db, model.CopyOptions{}))
	for name, b := range disk.Files() {
		if strings.HasPrefix(name, "games.") {
			o.files[filepath.Ext(name)] = b
		}
	}
	o.records = *readAll(t, o.files)
	return o
}

// realOriginal returns a real database.
func realOriginal(t *testing.T, name string) *original {
	t.Helper()
	path := corpus.Path(t, "cbh/"+name+".cbh")
	o := &original{name: filepath.Base(name), files: map[string][]byte{}}
	list := must.Get(filepath.Glob(strings.TrimSuffix(path, "cbh") + "*"))(t)
	for _, name := range list {
		b := must.Get(os.ReadFile(name))(t)
		o.files[filepath.Ext(name)] = b
	}
	o.records = *readAll(t, o.files)
	return o
}

// withoutExts is the database as an old program has it, without .cbj file.
func (o *original) withoutExtensions(t *testing.T) *original {
	old := &original{name: o.name + " without .cbj", files: maps.Clone(o.files)}
	delete(old.files, ".cbj")
	old.records = *readAll(t, old.files)
	return old
}

// tally counts verdicts.
type tally struct {
	cases, plain, repaired, kept, salvaged, leftOut int
	worse, wrong                                    int
}

func (a *tally) add(t *testing.T, where string, v *verdict) {
	t.Helper()
	a.cases++
	a.plain += v.plain
	a.repaired += v.repaired
	a.kept += v.kept
	a.salvaged += v.salvaged
	a.leftOut += v.leftOut
	if len(v.worse) > 0 {
		a.worse++
		t.Errorf("%s: %d worse than plain reading: %s", where, len(v.worse), strings.Join(v.worse[:min(len(v.worse), 4)], "; "))
	}
	if len(v.wrong) > 0 {
		a.wrong++
		t.Errorf("%s: %d called right that are not: %s", where, len(v.wrong), strings.Join(v.wrong[:min(len(v.wrong), 4)], "; "))
	}
}

func (a tally) String() string {
	return fmt.Sprintf("%d databases: plain reading gives %d records as they were, repair %d, salvage %d (%d called kept, %d names left out); %d worse, %d called right wrongly",
		a.cases, a.plain, a.repaired, a.salvaged, a.kept, a.leftOut, a.worse, a.wrong)
}

// table shows tallies by what was damaged.
func table(sums map[string]*tally) string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(w, "\n\tdatabases\tright by plain reading\tafter repair\tafter salvage\tcalled kept\tnames left out\tworse\tcalled right wrongly\t\n")
	for _, key := range slices.Sorted(maps.Keys(sums)) {
		a := sums[key]
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t\n", key, a.cases, a.plain, a.repaired, a.salvaged, a.kept, a.leftOut, a.worse, a.wrong)
	}
	_ = w.Flush()
	return b.String()
}

// TestHeadersMissingAndDoubled deletes and doubles headers: with -damage-headers
// every one of generated databases and of a real one, every 97th of a larger one.
func TestHeadersMissingAndDoubled(t *testing.T) {
	if testing.Short() {
		t.Skip("damages large databases")
	}
	for _, o := range []*original{
		generated(t, 1, 300), generated(t, 1, 300).withoutExtensions(t),
		realOriginal(t, "hedgehog/Hedgehog"), realOriginal(t, "twic1134/twic1134"),
	} {
		step, first := 1, 1
		switch {
		case !*damageHeaders:
			step, first = o.count/2, o.count/5
		case o.count > 1000:
			step, first = 97, 97
		}
		for how := range areSwapped {
			var sum tally
			for n := first; n < o.count; n += step {
				d := damage{ext: ".cbh", how: how, one: n}
				sum.add(t, fmt.Sprint(o.name, ": ", d), o.judge(t, d))
			}
			last := damage{ext: ".cbh", how: how, one: o.count}
			sum.add(t, fmt.Sprint(o.name, ": ", last), o.judge(t, last))
			t.Logf("%s, headers %s: %v", o.name, damageWords[how], sum)
		}
	}
}

// TestRecordsMissingDoubledSwapped damages databases in all ways, one record or two
// in each.
func TestRecordsMissingDoubledSwapped(t *testing.T) {
	exts := []string{".cbh", ".cbj", ".cba"}
	for _, kind := range cbh.EntityFiles {
		exts = append(exts, kind.Ext)
	}
	makers := []func() *original{
		func() *original { return generated(t, 2, 80) }, func() *original { return generated(t, 3, 300) },
		func() *original { return generated(t, 4, 40).withoutExtensions(t) },
	}
	for _, name := range damagedReal {
		makers = append(makers, func() *original { return realOriginal(t, name) })
	}
	originals := make([]*original, len(makers))
	sums := map[string]*tally{}
	cases := max(*damageCases, *damageCase+1)
	step := 1
	if testing.Short() {
		step, cases = 13, min(cases, 54)
	}
	for i := 0; i < cases; i += step {
		if *damageCase >= 0 && i != *damageCase {
			continue
		}
		r := rand.New(rand.NewPCG(uint64(i), 97))
		ways := len(exts) * len(damageWords)
		d := damage{ext: exts[i%len(exts)], how: i / len(exts) % len(damageWords)}
		var v *verdict
		var o *original
		for k := 0; k < len(makers) && v == nil; k++ { // the first one that has such records
			which := (i + 2*(i/ways) + k) % len(makers)
			if originals[which] == nil {
				originals[which] = makers[which]()
			}
			o = originals[which]
			v = o.judgeAny(t, r, d)
		}
		if v == nil {
			continue
		}
		key := d.ext + " " + damageWords[d.how]
		if sums[key] == nil {
			sums[key] = &tally{}
		}
		sums[key].add(t, fmt.Sprintf("case %d, %s: %v", i, o.name, v.damage), v)
	}
	t.Log(table(sums))
}

// damagedReal are the smaller real databases.
var damagedReal = []string{
	"hedgehog/Hedgehog", "mate2/Mate2", "cbh_test/cbh_test", "cbh_cbj_test/cbh_cbj_test",
}

// judgeAny damages a database at a place where there is something to damage, nil if
// there is none.
func (o *original) judgeAny(t *testing.T, r *rand.Rand, d damage) *verdict {
	t.Helper()
	if o.files[d.ext] == nil {
		return nil
	}
	first, count := 1, o.count
	if kind, ok := entityKindOf(d.ext); ok {
		first, count = 0, len(o.files[d.ext])/kind.RecordSize()
	}
	for range 200 {
		d.one, d.other = first+r.IntN(max(count, 1)), first+r.IntN(max(count, 1))
		if d.how == areSwapped && r.IntN(3) == 0 {
			d.other = d.one + 1 // neighbours
		}
		if d.one > d.other {
			d.one, d.other = d.other, d.one
		}
		if v := o.judge(t, d); v != nil {
			return v
		}
	}
	return nil
}

// TestAnnotationsThatNameAnotherGame takes games their annotations, whose heads name
// another game then, as a program leaves them that copies the number with the record:
// both stay, flags and annotations, and are called neither stale nor a hole.
func TestAnnotationsThatNameAnotherGame(t *testing.T) {
	o := generated(t, 5, 60)
	sum := tally{}
	for i := range *damageAnnotations {
		if testing.Short() && i%7 > 0 {
			continue
		}
		r := rand.New(rand.NewPCG(uint64(i), 29))
		files := maps.Clone(o.files)
		for _, ext := range []string{".cbh", ".cbj", ".cba"} {
			files[ext] = bytes.Clone(files[ext])
		}
		var games []int
		first := 1 + r.IntN(o.count)
		for n := first; n <= o.count && len(games) < 1+i%4; n++ {
			if from, _ := o.span(".cba", n); from > 0 {
				games = append(games, n)
			}
		}
		for k, n := range games {
			from, _ := o.span(".cba", n)
			head, ext := files[".cbh"][n*cbh.RecordSize:], files[".cbj"][cbh.ExtHeaderSize+(n-1)*cbh.ExtRecordSize:][:cbh.ExtRecordSize]
			cbh.GameAnnotations.Put(head, 0)
			cbh.ExtAnnotations.Put(ext, 0)
			cbh.PutSum(ext)
			names := []int{games[(k+1)%len(games)], 1 + r.IntN(o.count), n - 1, o.count + 1}[i/4%4]
			wire.AppendU24BE(files[".cba"][from:from], uint32(names))
		}
		wiped := 0 // nothing is left of its annotations
		if len(games) > 1 && i%5 == 0 {
			wiped = games[r.IntN(len(games))]
			from, to := o.span(".cba", wiped)
			clear(files[".cba"][from:to])
		}
		v, repaired := o.judgeFiles(t, damage{}, files, func(n int) int { return n })
		v.wrong = slices.DeleteFunc(v.wrong, func(what string) bool { // what is said of annotations that are nowhere
			return strings.HasPrefix(what, fmt.Sprintf("mended: [annotations] of %d (stale-", wiped))
		})
		for _, n := range games {
			if n == wiped {
				continue
			}
			from, to := o.span(".cba", n)
			was, is := files[".cbh"][n*cbh.RecordSize:], repaired[".cbh"][n*cbh.RecordSize:]
			if cbh.GameFlags.Uint(was) != cbh.GameFlags.Uint(is) || cbh.GameMagnitude.Uint(was) != cbh.GameMagnitude.Uint(is) ||
				cbh.GameMedals.Uint(was) != cbh.GameMedals.Uint(is) || !bytes.Equal(files[".cba"][from:to], repaired[".cba"][from:to]) {
				t.Errorf("case %d, games %v: what %d says of its annotations has changed", i, games, n)
			}
			if !bytes.Equal(files[".cba"][:cbh.BlockHeaderSize], repaired[".cba"][:cbh.BlockHeaderSize]) {
				t.Errorf("case %d, games %v: the annotations of %d count as a hole", i, games, n)
			}
		}
		sum.add(t, fmt.Sprintf("case %d, games %v", i, games), v)
	}
	t.Log(sum)
}
