package write

import (
	"fmt"

	"cbkit/avl"
	"cbkit/internal/cbh"
	"cbkit/model"
)

// entityTables are the six entity files in the making.
type entityTables struct {
	players     entityTable[model.Player]
	tournaments entityTable[model.Tournament]
	annotators  entityTable[model.Annotator]
	sources     entityTable[model.Publication]
	teams       entityTable[model.Team]
	gameTitles  entityTable[model.GameTitle]
}

// begin prepares empty tables.
func (t *entityTables) begin(c *Creator) {
	e := c.src.Entities()
	t.players.init(c, &cbh.Players, &e.Players)
	t.tournaments.init(c, &cbh.Tournaments, &e.Tournaments)
	t.annotators.init(c, &cbh.Annotators, &e.Annotators)
	t.sources.init(c, &cbh.Sources, &e.Sources)
	t.teams.init(c, &cbh.Teams, &e.Teams)
	t.gameTitles.init(c, &cbh.GameTitles, &e.GameTitles)
}

// all lists the tables in the order of cbh.EntityFiles.
func (t *entityTables) all() [6]entityFile {
	return [6]entityFile{&t.players, &t.tournaments, &t.annotators, &t.sources, &t.teams, &t.gameTitles}
}

// entityFile is an entity table whatever its entities are.
type entityFile interface {
	finish() error
}

// entityTable is one entity file in the making.
type entityTable[T comparable] struct {
	c     *Creator
	codec *cbh.EntityCodec[T]
	src   *model.Table[T]

	tree     *avl.Tree
	payloads []byte // codec.Size bytes for each record
	uses     []cbh.EntityUse
	values   []T // of each record

	// ids are the numbers here of the entities there, plus one; 0 is not yet
	// here.
	ids  []int32
	none int32 // the same for the empty entity
	// unites says that entities of one key become one; united are those, of which it
	// is not known yet what they say. It is nil if there are none.
	unites bool
	united map[int32]bool
	said   []statement // where two of one key can say different things
	more   []int32     // references to the entities there that said has no room for
}

// statement is a reference of a record to an entity of the source.
type statement struct {
	there model.EntityID
	by    model.RecordID
}

// mostSaid is how many references are remembered, so that a loss can name its record.
const mostSaid = 1 << 20

func (t *entityTable[T]) init(c *Creator, codec *cbh.EntityCodec[T], src *model.Table[T]) {
	t.c, t.codec, t.src, t.tree = c, codec, src, avl.New()
	t.unites = !c.apart
}

// payload returns the payload of a record.
func (t *entityTable[T]) payload(id int32) []byte {
	size := t.codec.Size
	return t.payloads[int(id)*size : (int(id)+1)*size]
}

// use returns the id under which an entity of the source is stored, adding it
// if need be, and counts the reference from a record.
func (t *entityTable[T]) use(id model.EntityID, by model.RecordID) (cbh.EntityID, error) {
	here, err := t.locate(id, by)
	if err != nil || here < 0 {
		return cbh.EntityID(here), err
	}
	if int(here) < len(t.uses) {
		use := &t.uses[here]
		if use.Count == 0 {
			use.First = int32(by)
		}
		use.Count++
	}
	return cbh.EntityID(here), nil
}

// locate finds or adds an entity.
func (t *entityTable[T]) locate(id model.EntityID, by model.RecordID) (int32, error) {
	v := t.src.Value(id)
	var zero T
	if v == zero {
		return t.intern(&t.none, zero, by)
	}
	if live, ok := t.liveTwin(id, v); ok {
		id = live
	}
	for int(id) >= len(t.ids) {
		t.ids = append(t.ids, 0)
	}
	t.say(id, by)
	return t.intern(&t.ids[id], v, by)
}

// liveTwin finds the live entity that has the value of a deleted one.
func (t *entityTable[T]) liveTwin(id model.EntityID, v T) (model.EntityID, bool) {
	if !t.src.IsDeleted(id) {
		return id, false
	}
	return t.src.Find(v)
}

// intern adds an entity unless known says where it is.
func (t *entityTable[T]) intern(known *int32, v T, by model.RecordID) (int32, error) {
	if *known != 0 {
		return *known - 1, nil
	}
	payload, losses := t.codec.Append(nil, v, t.c.page)
	for _, l := range losses {
		l.Record, l.Field = by, t.codec.Name+" "+l.Field
		t.c.lose(l)
	}
	if id, ok := t.twin(payload); ok {
		*known = id + 1
		return id, nil
	}
	id, err := t.insert(payload)
	if err != nil {
		return 0, fmt.Errorf("%s%s: %w", t.c.base, t.codec.Ext, err)
	}
	*known = id + 1
	t.values = append(t.values, v)
	return id, nil
}

// origins returns the number in the source of each entity; -1 where there is none. The empty entity may have several: it is the
// first.
func (t *entityTable[T]) origins() []int {
	list := make([]int, len(t.tree.Nodes))
	for here := range list {
		list[here] = -1
	}
	for there, here := range t.ids {
		if here != 0 {
			list[here-1] = there
		}
	}
	var zero T
	for there, v := range t.src.Live() {
		if t.none != 0 && v == zero {
			list[t.none-1] = int(there)
			break
		}
	}
	return list
}

// comparing returns a comparison with a payload.
func (t *entityTable[T]) comparing(payload []byte) avl.Compare {
	return func(id int32) int { return t.codec.Compare(payload, t.payload(id), t.codec.DefaultSigned) }
}

// say remembers that a record refers to an entity of the source that may become one
// with others.
func (t *entityTable[T]) say(there model.EntityID, by model.RecordID) {
	if !t.unites || !t.codec.HasDetails() {
		return
	}
	if len(t.said) < mostSaid {
		t.said = append(t.said, statement{there, by})
		return
	}
	for int(there) >= len(t.more) {
		t.more = append(t.more, 0)
	}
	t.more[there]++
}

// twin finds the entity of the same key that a new one becomes.
func (t *entityTable[T]) twin(payload []byte) (int32, bool) {
	if !t.unites {
		return 0, false
	}
	for id := range t.tree.Equal(t.comparing(payload)) {
		if t.united == nil {
			t.united = map[int32]bool{}
		}
		t.united[id] = true
		return id, true
	}
	return 0, false
}

// settle finds out what united entities say, and reports what of those that they
// were before is lost. Where a record has none, what they became says nothing.
func (t *entityTable[T]) settle() {
	if t.united == nil {
		return
	}
	if id := t.none - 1; t.united[id] {
		var none T
		t.values[id] = none
	}
	for there, here := range t.ids {
		if here != 0 && t.united[here-1] {
			t.values[here-1], _ = t.codec.Unite(t.values[here-1], t.src.Value(model.EntityID(there)), t.c.page)
		}
	}
	lost := map[model.EntityID][]string{}
	for there, here := range t.ids {
		if here != 0 && t.united[here-1] {
			id := model.EntityID(there)
			_, lost[id] = t.codec.Unite(t.values[here-1], t.src.Value(id), t.c.page)
		}
	}
	for _, s := range t.said {
		loseDenied(t.c.lose, &t.codec.EntityFile, lost[s.there], t.src.Value(s.there), s.by, 1)
	}
	for there, n := range t.more {
		id := model.EntityID(there)
		loseDenied(t.c.lose, &t.codec.EntityFile, lost[id], t.src.Value(id), 0, int(n))
	}
	for id := range t.united {
		payload, _ := t.codec.Append(nil, t.values[id], t.c.page) // whose losses were told before
		copy(t.payload(id), payload)
	}
}

// loseDenied reports what a record, or several if it is 0, says of an entity that has
// become one with others of its key, and that these do not say.
func loseDenied(report model.Report, kind *cbh.EntityFile, fields []string, v any, by model.RecordID, records int) {
	for _, field := range fields {
		switch {
		case by != 0:
			report.Add(model.LostField, by, kind.Name+" "+field, "%q: others of the same %s say something else", nameOf(v), kind.Name)
		case records > 0:
			report.Add(model.LostField, 0, kind.Name+" "+field, "%q: what %d records say; others of the same %s say something else", nameOf(v), records, kind.Name)
		}
	}
}

// insert puts a new record into the tree.
func (t *entityTable[T]) insert(payload []byte) (int32, error) {
	id, err := t.tree.Add(t.comparing(payload))
	if err != nil {
		return 0, err
	}
	t.payloads = append(t.payloads, payload...)
	t.uses = append(t.uses, cbh.EntityUse{First: -1})
	return id, nil
}

// finish writes the file.
func (t *entityTable[T]) finish() error {
	t.settle()
	head := cbh.NewEntityHeader(&t.codec.EntityFile)
	head.Root, head.FirstDeleted, head.Live = t.tree.Root, t.tree.Free, t.tree.Live
	head.Capacity = int32(len(t.tree.Nodes))
	t.putUses()
	out, err := t.c.createBlocks(t.codec.Ext, head.Size())
	if err != nil {
		return err
	}
	var record []byte
	for id, node := range t.tree.Nodes {
		links := cbh.EntityLinks{Left: node.Left, Right: node.Right, Balance: node.Balance}
		record = append(links.Append(record[:0]), t.payload(int32(id))...)
		if err := out.append(record); err != nil {
			return err
		}
	}
	return out.finish(head.Append(nil))
}

// putUses writes the counted references into the payloads of live records.
func (t *entityTable[T]) putUses() {
	for id, node := range t.tree.Nodes {
		if node.Live() {
			t.uses[id].Put(t.payload(int32(id)))
		}
	}
}

// extraFile is the .cbtt file in the making.
type extraFile struct {
	head    cbh.TournamentExtraHeader
	records []byte // whole ones
	// raw are the records of the source by its numbers of tournaments, if
	// nothing is known of them and they must go along as they are.
	raw []byte
}

// storedExtras returns the file of a source whose records nobody understands, or
// an empty one.
func (c *Creator) storedExtras() (extraFile, error) {
	f := extraFile{head: cbh.NewTournamentExtraHeader()}
	if c.companions.files == nil || c.companions.stored.TournamentExtras == nil {
		return f, nil
	}
	stored := c.companions.stored.TournamentExtras
	head, err := cbh.DecodeTournamentExtraHeader(stored)
	if err != nil || head.IsKnown() { // the tournaments know what it says
		return f, err
	}
	b := stored[cbh.TournamentExtraHeaderSize:]
	whole := len(b) - len(b)%int(head.RecordSize)
	if whole < len(b) {
		c.leftBehind(".cbtt", "%d bytes behind the last whole record", len(b)-whole)
	}
	head.Highest = 0
	return extraFile{head: head, raw: b[:whole]}, nil
}

// putRaw gives a tournament the record that it has in the source, if it has
// one.
func (f *extraFile) putRaw(id, there int) {
	size := int(f.head.RecordSize)
	if there >= 0 && there < len(f.raw)/size {
		f.reach(id)
		copy(f.records[id*size:], f.raw[there*size:(there+1)*size])
	}
}

// reach adds records that say nothing until there is one for a tournament.
func (f *extraFile) reach(id int) {
	size := int(f.head.RecordSize)
	for len(f.records) < (id+1)*size {
		f.records, _ = cbh.AppendTournamentExtra(f.records, model.Tournament{}, size) // nothing to lose
	}
	f.head.Highest = max(f.head.Highest, int32(id))
}

// put stores what a record can say of a tournament. Records reach as far as
// the last tournament that needs one.
func (f *extraFile) put(id int, t model.Tournament) []model.Loss {
	size := int(f.head.RecordSize)
	if (id+1)*size > len(f.records) {
		if !cbh.HasTournamentExtra(t) {
			return nil
		}
		f.reach(id)
	}
	record := f.records[id*size : (id+1)*size]
	merged, losses := cbh.MergeTournamentExtra(nil, t, record)
	copy(record, merged)
	return losses
}

// tournamentExtras returns the bytes of the .cbtt file.
func (c *Creator) tournamentExtras() ([]byte, error) {
	f, err := c.storedExtras()
	if err != nil {
		return nil, err
	}
	tournaments := &c.entities.tournaments
	if f.raw != nil {
		for id, there := range tournaments.origins() {
			f.putRaw(id, there)
		}
	}
	for id := range tournaments.tree.Nodes {
		for _, l := range f.put(id, tournaments.values[id]) {
			l.Field = "tournament " + l.Field
			c.lose(l)
		}
	}
	f.reach(0) // ChessBase always writes the first record
	return append(f.head.Append(nil), f.records...), nil
}
