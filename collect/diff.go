package collect

import (
	"context"
	"fmt"
	"hash/maphash"
	"slices"

	"cbkit/internal/derive"
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

// Compare says how the second of two databases differs from the first. Records
// that are in both, wherever they stand, are no difference. Of those that are
// left, records are the same with changes if their main moves and players are
// the same, or else their ids and one of these; ids of entities, stamps and how a
// record is stored do not matter. Both sources are read twice, and records that
// have changed are kept in memory. Of the options OnError and
// OnRecord count, and Progress, which is told of all readings.
func Compare(ctx context.Context, old, latest model.Source, opt Options) ([]Change, error) {
	d := differences{seed: maphash.MakeSeed(), opt: opt}
	a, err := d.digests(ctx, old)
	if err != nil {
		return nil, err
	}
	b, err := d.digests(ctx, latest)
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
	seed maphash.Seed
	opt  Options
	line []byte
}

// digests reads all records of a source.
func (d *differences) digests(ctx context.Context, src model.Source) ([]digest, error) {
	var list []digest
	var tables model.Entities
	err := d.each(ctx, src, func(rec model.Record) {
		copyNew(&tables, src.Entities())
		list = append(list, d.digest(rec, &tables))
	})
	return list, err
}

// each calls visit with all records that can be read.
func (d *differences) each(ctx context.Context, src model.Source, visit func(model.Record)) error {
	for rec, err := range model.Readable(ctx, src, model.WantMoves|model.WantAnnotations, d.opt.OnError) {
		if err != nil {
			return err
		}
		if d.opt.OnRecord != nil {
			d.opt.OnRecord(&rec)
		}
		visit(bare(rec))
		if d.opt.Progress != nil {
			d.opt.Progress(rec.ID)
		}
	}
	return nil
}

// bare returns a record without what formats keep of their own.
func bare(rec model.Record) model.Record {
	rec.Damage = nil
	if rec.Game != nil && rec.Game.MovesErr == nil && rec.Game.AnnotationsErr == nil {
		g := *rec.Game.LinksAsTags()
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
func copyNew(to, from *model.Entities) {
	copyNewOf(&to.Players, &from.Players)
	for id := to.Tournaments.Len(); id < from.Tournaments.Len(); id++ {
		to.Tournaments.Append(model.Slot[model.Tournament]{Value: from.Tournaments.Value(model.EntityID(id)).WithCountry()})
	}
	copyNewOf(&to.Annotators, &from.Annotators)
	copyNewOf(&to.Sources, &from.Sources)
	copyNewOf(&to.Teams, &from.Teams)
	copyNewOf(&to.GameTitles, &from.GameTitles)
}

func copyNewOf[T comparable](to, from *model.Table[T]) {
	for id := to.Len(); id < from.Len(); id++ {
		to.Append(model.Slot[T]{Value: from.Value(model.EntityID(id))})
	}
}

func (d *differences) digest(rec model.Record, e *model.Entities) digest {
	id := rec.ID
	rec.ID = 1
	d.line = jsonl.AppendRecord(d.line[:0], rec, e)
	n := digest{id: id, whole: maphash.Bytes(d.seed, d.line)}
	if g := rec.Game; g != nil {
		for _, n.moves = range derive.Beginnings(g) {
		}
		names := e.Players.Value(g.White).String() + "\x00" + e.Players.Value(g.Black).String()
		n.people = maphash.String(d.seed, names)
	}
	return n
}

// pairUp finds out which records of two databases belong together.
func pairUp(a, b []digest) []Change {
	restA, restB := match(a, b, func(d digest) any { return d.whole }, nil)
	var changes []Change
	both := func(x, y digest) { changes = append(changes, Change{Old: x.id, New: y.id}) }
	restA, restB = match(restA, restB, func(d digest) any { return [3]uint64{uint64(d.id), d.moves, d.people} }, both)
	restA, restB = match(restA, restB, func(d digest) any { return [2]uint64{d.moves, d.people} }, both)
	restA, restB = match(restA, restB, func(d digest) any { return [2]uint64{uint64(d.id), d.moves} }, both)
	restA, restB = match(restA, restB, func(d digest) any { return [2]uint64{uint64(d.id), d.people} }, both)
	for _, x := range restA {
		changes = append(changes, Change{Old: x.id})
	}
	for _, y := range restB {
		changes = append(changes, Change{New: y.id})
	}
	slices.SortStableFunc(changes, func(x, y Change) int { return int(max(x.Old, x.New) - max(y.Old, y.New)) })
	return changes
}

// match puts together what has the same key in two lists, in their order, and
// returns what is left of both.
func match(a, b []digest, key func(digest) any, both func(x, y digest)) (restA, restB []digest) {
	waiting := map[any][]digest{}
	for _, x := range a {
		waiting[key(x)] = append(waiting[key(x)], x)
	}
	for _, y := range b {
		list := waiting[key(y)]
		if len(list) == 0 {
			restB = append(restB, y)
			continue
		}
		if both != nil {
			both(list[0], y)
		}
		waiting[key(y)] = list[1:]
	}
	for _, x := range a {
		list := waiting[key(x)]
		if len(list) > 0 && list[0].id == x.id {
			restA = append(restA, x)
			waiting[key(x)] = list[1:]
		}
	}
	return restA, restB
}

// describe says of every record that is in both databases what has changed.
func (d *differences) describe(ctx context.Context, changes []Change, old, latest model.Source) error {
	olds, news := map[model.RecordID]model.Record{}, map[model.RecordID]model.Record{}
	for i := range changes {
		if c := &changes[i]; c.Old != 0 && c.New != 0 {
			olds[c.Old], news[c.New] = model.Record{}, model.Record{}
		}
	}
	if len(olds) == 0 {
		return nil
	}
	quiet := differences{opt: Options{OnError: passOver}}
	for _, side := range []struct {
		src  model.Source
		into map[model.RecordID]model.Record
	}{{old, olds}, {latest, news}} {
		err := quiet.each(ctx, side.src, func(rec model.Record) {
			if _, wanted := side.into[rec.ID]; wanted {
				side.into[rec.ID] = rec.Clone()
			}
		})
		if err != nil {
			return err
		}
	}
	for i := range changes {
		if c := &changes[i]; c.Old != 0 && c.New != 0 {
			c.Fields = fieldChanges(olds[c.Old], old.Entities(), news[c.New], latest.Entities())
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
	add("white", x.White, y.White)
	add("black", x.Black, y.Black)
	add("whiteElo", x.WhiteElo, y.WhiteElo)
	add("blackElo", x.BlackElo, y.BlackElo)
	add("event", x.Tournament.Title, y.Tournament.Title)
	add("site", x.Tournament.Place, y.Tournament.Place)
	for _, f := range tournamentFields(x.Tournament, y.Tournament) {
		add(f.name, f.old, f.new)
	}
	add("date", x.Date, y.Date)
	add("round", x.Round, y.Round)
	add("subround", x.Subround, y.Subround)
	add("result", x.Result, y.Result)
	add("termination", x.Result.IsForfeit(), y.Result.IsForfeit())
	add("lineEvaluation", x.LineEvaluation, y.LineEvaluation)
	add("eco", x.ECO, y.ECO)
	add("annotator", x.Annotator.Name, y.Annotator.Name)
	add("source", x.Source, y.Source)
	add("whiteTeam", x.WhiteTeam, y.WhiteTeam)
	add("blackTeam", x.BlackTeam, y.BlackTeam)
	add("gameTitle", x.GameTitle, y.GameTitle)
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

// field is a field with its values on both sides.
type field struct {
	name     string
	old, new any
}

// tournamentFields are the details of two tournaments.
func tournamentFields(a, b model.Tournament) []field {
	return []field{
		{"eventDate", a.Start, b.Start}, {"eventEnd", a.End, b.End}, {"eventType", a.Type, b.Type},
		{"eventCountry", a.Country(), b.Country()}, {"eventCategory", a.Category, b.Category}, {"eventRounds", a.Rounds, b.Rounds},
		{"eventComplete", a.Complete || a.LegacyComplete, b.Complete || b.LegacyComplete},
		{"eventBoardPoints", a.BoardPoints, b.BoardPoints}, {"eventThreePoints", a.ThreePoints, b.ThreePoints},
		{"eventLatitude", a.Latitude, b.Latitude}, {"eventLongitude", a.Longitude, b.Longitude},
		{"eventTieBreaks", a.TieBreaks, b.TieBreaks},
	}
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
