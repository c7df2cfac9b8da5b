package collect

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"hash/maphash"
	"iter"
	"slices"

	"cbkit/internal/derive"
	"cbkit/internal/extsort"
	"cbkit/internal/headerfields"
	"cbkit/jsonl"
	"cbkit/model"
)

// Change is a difference between two databases.
type Change struct {
	// Old and New are the ids of the record in both databases, 0 where it does not
	// exist.
	Old model.RecordID `json:"old,omitempty"`
	New model.RecordID `json:"new,omitempty"`
	// Fields are the differing fields of a record that is in both.
	Fields []FieldChange `json:"fields,omitempty"`
}

// Kind returns "added", "removed" or "changed".
func (c *Change) Kind() string {
	switch {
	case c.Old == 0:
		return "added"
	case c.New == 0:
		return "removed"
	}
	return "changed"
}

// FieldChange is a field with its values, as text.
type FieldChange struct {
	Field string `json:"field"`
	Old   string `json:"old"`
	New   string `json:"new"`
}

// Compare says how the second of two databases differs from the first. Records that are
// in both, wherever they stand, are no difference. Two of the others count as one changed
// record if they have the same main moves and players, or the same id and one of these.
// Ids of entities, stamps and the stored form do not matter. Both sources are read at
// once and, if there are changes, once more. Records that are equal under the same id
// take no memory; for each of the rest some 32 bytes are sorted, and those that are in
// one source alone, or have changed, are kept in memory. All options count; Progress is
// called in all readings.
func Compare(ctx context.Context, old, latest model.Source, opt Options) ([]Change, error) {
	d := differences{seed: maphash.MakeSeed(), opt: opt, sorter: opt.sorter()}
	defer func() { _ = d.sorter.Close() }() // temporary files
	err := d.together(ctx, old, latest, func(x, y *model.Record) error {
		if x != nil && y != nil && model.EqualRecords(*x, old.Entities(), *y, latest.Entities()) {
			return nil
		}
		return cmp.Or(d.note(0, x, old.Entities()), d.note(1, y, latest.Entities()))
	})
	if err != nil {
		return nil, err
	}
	a, b, err := d.unmatched()
	if err != nil {
		return nil, err
	}
	changes := pairUp(a, b)
	return changes, d.describe(ctx, changes, old, latest)
}

// digest is what is kept of a record.
type digest struct {
	id                   model.RecordID
	whole, moves, people uint64
}

// differences compares two sources.
type differences struct {
	seed   maphash.Seed
	opt    Options
	sorter *extsort.Sorter
	tables [2]model.Entities // of both, without what formats keep of their own
	line   []byte
}

// together reads two sources side by side, and calls visit with the records of each id,
// nil where a source has none.
func (d *differences) together(ctx context.Context, old, latest model.Source, visit func(x, y *model.Record) error) error {
	var sides [2]struct {
		next func() (model.Record, error, bool)
		rec  model.Record
		has  bool
	}
	advance := func(i int) (err error) {
		s := &sides[i]
		s.rec, err, s.has = s.next()
		return err
	}
	for i, src := range [2]model.Source{old, latest} {
		var stop func()
		sides[i].next, stop = iter.Pull2(d.opt.records(ctx, src, model.WantMoves|model.WantAnnotations))
		defer stop()
		if err := advance(i); err != nil {
			return err
		}
	}
	for sides[0].has || sides[1].has {
		var at [2]*model.Record
		for i := range sides {
			if this, other := &sides[i], &sides[1-i]; this.has && (!other.has || this.rec.ID <= other.rec.ID) {
				at[i] = &this.rec
			}
		}
		if err := visit(at[0], at[1]); err != nil {
			return err
		}
		for i := range sides {
			if at[i] == nil {
				continue
			}
			if err := advance(i); err != nil {
				return err
			}
		}
	}
	return nil
}

// noted is the size of a digest among those that are sorted: whole, side, id, moves,
// people.
const noted = 8 + 1 + 4 + 8 + 8

// note keeps the digest of a record of one side; nil is none.
func (d *differences) note(side byte, rec *model.Record, e *model.Entities) error {
	if rec == nil {
		return nil
	}
	table := &d.tables[side]
	copyNew(&table.Players, &e.Players)
	for id := table.Tournaments.Len(); id < e.Tournaments.Len(); id++ {
		table.Tournaments.Append(model.Slot[model.Tournament]{Value: e.Tournaments.Value(model.EntityID(id)).WithCountry()})
	}
	copyNew(&table.Annotators, &e.Annotators)
	copyNew(&table.Sources, &e.Sources)
	copyNew(&table.Teams, &e.Teams)
	copyNew(&table.GameTitles, &e.GameTitles)
	kept := bare(*rec)
	kept.ID = 1
	d.line = jsonl.AppendRecord(d.line[:0], kept, table)
	n := digest{id: rec.ID, whole: maphash.Bytes(d.seed, d.line)}
	if g := kept.Game; g != nil {
		for _, n.moves = range derive.Beginnings(g) {
		}
		names := table.Players.Value(g.White).String() + "\x00" + table.Players.Value(g.Black).String()
		n.people = maphash.String(d.seed, names)
	}
	entry := binary.BigEndian.AppendUint64(make([]byte, 0, noted), n.whole)
	entry = binary.BigEndian.AppendUint32(append(entry, side), uint32(n.id))
	entry = binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(entry, n.moves), n.people)
	return d.sorter.Add(entry)
}

// unmatched returns what is in one source alone, of both: of n records that say the same
// on one side, and m on the other, the first ones belong together.
func (d *differences) unmatched() (a, b []digest, err error) {
	var same [2][]digest // that have equal sums
	end := func() {
		n := min(len(same[0]), len(same[1]))
		a, b = append(a, same[0][n:]...), append(b, same[1][n:]...)
		same[0], same[1] = same[0][:0], same[1][:0]
	}
	last := uint64(0)
	for entry, err := range d.sorter.Sorted() {
		if err != nil {
			return nil, nil, err
		}
		n := digest{
			whole: binary.BigEndian.Uint64(entry), id: model.RecordID(binary.BigEndian.Uint32(entry[9:])),
			moves: binary.BigEndian.Uint64(entry[13:]), people: binary.BigEndian.Uint64(entry[21:]),
		}
		if n.whole != last {
			end()
		}
		last, same[entry[8]] = n.whole, append(same[entry[8]], n)
	}
	end()
	return a, b, nil
}

// bare returns a record without what formats keep of their own.
func bare(rec model.Record) model.Record {
	rec.Damage = nil
	if rec.Game != nil && rec.Game.MovesErr == nil && rec.Game.AnnotationsErr == nil {
		g := *rec.Game.LinksAsTags(nil)
		g.Leftovers = model.GameLeftovers{}
		g.Annotations = slices.Clone(g.Annotations)
		for i := range g.Annotations {
			g.Annotations[i].Leftover = nil
		}
		rec.Game = &g
	}
	if rec.Text != nil && rec.Text.ContentErr == nil {
		t := *rec.Text
		t.Leftovers = model.TextLeftovers{}
		t.Titles, t.Contents = bareTexts(t.Titles), bareTexts(t.Contents)
		rec.Text = &t
	}
	return rec
}

func bareTexts(list []model.LocalText) []model.LocalText {
	list = slices.Clone(list)
	for i := range list {
		list[i].Leftover = nil
	}
	return list
}

// copyNew copies the entities that are new in from, without what formats keep of
// their own.
func copyNew[T comparable](to, from *model.Table[T]) {
	for id := to.Len(); id < from.Len(); id++ {
		to.Append(model.Slot[T]{Value: from.Value(model.EntityID(id))})
	}
}

// pairUp finds out which of the records that are in one database alone belong together.
func pairUp(a, b []digest) (changes []Change) {
	for _, key := range []func(digest) [3]uint64{
		func(d digest) [3]uint64 { return [3]uint64{uint64(d.id), d.moves, d.people} },
		func(d digest) [3]uint64 { return [3]uint64{d.moves, d.people} },
		func(d digest) [3]uint64 { return [3]uint64{uint64(d.id), d.moves} },
		func(d digest) [3]uint64 { return [3]uint64{uint64(d.id), d.people} },
	} {
		a, b = match(a, b, key, func(x, y digest) { changes = append(changes, Change{Old: x.id, New: y.id}) })
	}
	for _, x := range a {
		changes = append(changes, Change{Old: x.id})
	}
	for _, y := range b {
		changes = append(changes, Change{New: y.id})
	}
	rank := func(c Change) int { return slices.Index([]string{"changed", "removed", "added"}, c.Kind()) }
	slices.SortFunc(changes, func(x, y Change) int {
		return cmp.Or(cmp.Compare(max(x.Old, x.New), max(y.Old, y.New)), cmp.Compare(rank(x), rank(y)), cmp.Compare(x.Old, y.Old))
	})
	return changes
}

// match puts together what has the same key in two lists, in the order of ids, and
// returns what is left of both, in their memory.
func match(a, b []digest, key func(digest) [3]uint64, both func(x, y digest)) (restA, restB []digest) {
	byKey := func(x, y digest) int {
		p, q := key(x), key(y)
		return slices.Compare(p[:], q[:])
	}
	for _, list := range [2][]digest{a, b} {
		slices.SortFunc(list, func(x, y digest) int { return cmp.Or(byKey(x, y), cmp.Compare(x.id, y.id)) })
	}
	restA, restB = a[:0], b[:0]
	for len(a) > 0 && len(b) > 0 {
		switch c := byKey(a[0], b[0]); {
		case c < 0:
			restA, a = append(restA, a[0]), a[1:]
		case c > 0:
			restB, b = append(restB, b[0]), b[1:]
		default:
			both(a[0], b[0])
			a, b = a[1:], b[1:]
		}
	}
	return append(restA, a...), append(restB, b...)
}

// describe says of every record that is in both databases what has changed. Those whose
// ids are others are kept in memory.
func (d *differences) describe(ctx context.Context, changes []Change, old, latest model.Source) error {
	there := map[model.RecordID]*Change{}
	moved := [2]map[model.RecordID]model.Record{{}, {}}
	for i := range changes {
		switch c := &changes[i]; {
		case c.Old == 0 || c.New == 0:
		case c.Old == c.New:
			there[c.Old] = c
		default:
			moved[0][c.Old], moved[1][c.New] = model.Record{}, model.Record{}
		}
	}
	if len(there)+len(moved[0]) == 0 {
		return nil
	}
	quiet := differences{opt: Options{OnError: passOver}}
	err := quiet.together(ctx, old, latest, func(x, y *model.Record) error {
		if x != nil && y != nil && there[x.ID] != nil {
			there[x.ID].Fields = fieldChanges(bare(*x), old.Entities(), bare(*y), latest.Entities())
		}
		for i, rec := range [2]*model.Record{x, y} {
			if rec == nil {
				continue
			}
			if _, wanted := moved[i][rec.ID]; wanted {
				moved[i][rec.ID] = bare(rec.Clone())
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	for i := range changes {
		if c := &changes[i]; c.Old != 0 && c.New != 0 && c.Old != c.New {
			c.Fields = fieldChanges(moved[0][c.Old], old.Entities(), moved[1][c.New], latest.Entities())
		}
	}
	return nil
}

// fieldChanges lists the fields in which two records differ.
func fieldChanges(a model.Record, ea *model.Entities, b model.Record, eb *model.Entities) []FieldChange {
	if a.Game == nil || b.Game == nil {
		return []FieldChange{{"text", textLabel(a), textLabel(b)}}
	}
	x, y := a.Game.Resolve(ea), b.Game.Resolve(eb)
	var list []FieldChange
	add := func(field string, old, new any) {
		if o, n := fmt.Sprint(old), fmt.Sprint(new); o != n {
			list = append(list, FieldChange{field, o, n})
		}
	}
	add("deleted", a.Deleted, b.Deleted)
	for i := range headerfields.All {
		f := &headerfields.All[i]
		add(f.Name, f.Value(&a.Game.Header, ea), f.Value(&b.Game.Header, eb))
	}
	add("tags", x.Tags, y.Tags)
	add("start", x.Start, y.Start)
	if !slices.Equal(x.Moves, y.Moves) {
		list = append(list, FieldChange{"moves", countMoves(a.Game), countMoves(b.Game)})
	}
	x.Moves, y.Moves = nil, nil
	if !slices.EqualFunc(x.Annotations, y.Annotations, func(p, q model.Annotation) bool { return p.Node == q.Node && p.Value.Equal(q.Value) }) {
		add("annotations", fmt.Sprintf("%d", len(x.Annotations)), fmt.Sprintf("%d, not the same", len(y.Annotations)))
	}
	return list
}

func countMoves(g *model.Game) string {
	main := g.Moves.MainLen()
	return fmt.Sprintf("%d plies, %d in variations", main, g.Moves.Len()-main)
}

func textLabel(rec model.Record) string {
	switch {
	case rec.Text == nil:
		return "a game"
	case len(rec.Text.Titles) > 0:
		return fmt.Sprintf("%q, %d contents", rec.Text.Titles[0].Text, len(rec.Text.Contents))
	}
	return fmt.Sprintf("a text with %d contents", len(rec.Text.Contents))
}
