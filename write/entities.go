package write

import (
	"cbkit/internal/cbh"
	"cbkit/internal/cbhedit"
	"cbkit/model"
)

// entityTables say which entities of a new database those of the source have become.
type entityTables struct {
	players     entityTable[model.Player]
	tournaments entityTable[model.Tournament]
	annotators  entityTable[model.Annotator]
	sources     entityTable[model.Publication]
	teams       entityTable[model.Team]
	gameTitles  entityTable[model.GameTitle]
}

// idsOf implements entityMap. New entities of a kind are numbered in the order below.
// (docs/formats/cbh-entities.md 14)
func (t *entityTables) idsOf(h *model.Header, isText bool, by model.RecordID) (here cbh.EntityIDs, err error) {
	here = cbh.NoEntities
	here.Tournament = t.tournaments.use(h.Tournament, by, &err)
	here.Annotator = t.annotators.use(h.Annotator, by, &err)
	here.Source = t.sources.use(h.Source, by, &err)
	here.GameTitle = t.gameTitles.use(h.GameTitle, by, &err)
	if isText {
		return here, err
	}
	here.White = t.players.use(h.White, by, &err)
	here.Black = t.players.use(h.Black, by, &err)
	for _, team := range []struct {
		from model.EntityID
		to   *cbh.EntityID
	}{{h.WhiteTeam, &here.WhiteTeam}, {h.BlackTeam, &here.BlackTeam}} {
		if _, is := t.teams.src.Get(team.from); is { // no team is no entity
			*team.to = t.teams.use(team.from, by, &err)
		}
	}
	return here, err
}

// entityTable are the entities of one kind.
type entityTable[T comparable] struct {
	encoder *encoder
	codec   *cbh.EntityCodec[T]
	file    *cbhedit.Entities
	src     *model.Table[T]
	payload []byte // of the last new one, for its memory

	// ids are the numbers here of the entities there, plus one; 0 is not yet
	// here.
	ids  []int32
	none int32 // the same for the empty entity
	// values are what each entity here says, of kinds that say more than their keys.
	values []T
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
	t.encoder, t.codec, t.file, t.src = &c.encoder, codec, c.db.Entities(&codec.EntityFile), src
	t.unites = !c.apart
}

// use returns the id under which an entity of the source is stored for a record, adding
// it if need be. After an error it does nothing.
func (t *entityTable[T]) use(id model.EntityID, by model.RecordID, err *error) (here cbh.EntityID) {
	if *err != nil {
		return cbh.NoEntity
	}
	known, v := &t.none, t.src.Value(id)
	var zero T
	if v != zero {
		if t.src.IsDeleted(id) {
			if live, ok := t.src.Find(v); ok {
				id = live
			}
		}
		for int(id) >= len(t.ids) {
			t.ids = append(t.ids, 0)
		}
		t.say(id, by)
		known = &t.ids[id]
	}
	if *known == 0 {
		var added int32
		added, *err = t.put(v, by)
		if *err != nil {
			return cbh.NoEntity
		}
		*known = added + 1
	}
	return cbh.EntityID(*known - 1)
}

// put adds an entity, unless it becomes the one that has the same key.
func (t *entityTable[T]) put(v T, by model.RecordID) (int32, error) {
	payload, losses := t.codec.Append(t.payload[:0], v, t.encoder.page)
	t.payload = payload
	t.encoder.loseOf(&t.codec.EntityFile, losses, by)
	if t.unites {
		twins, err := t.file.Find(payload)
		if err != nil {
			return 0, err
		}
		if len(twins) > 0 {
			if t.united == nil {
				t.united = map[int32]bool{}
			}
			t.united[twins[0]] = true
			return twins[0], nil
		}
	}
	id, err := t.file.Insert(payload)
	if err == nil && t.codec.HasDetails() {
		t.values = append(t.values, v)
	}
	return id, err
}

// origins returns the number in the source of each entity; -1 where there is none. The empty entity may have several: it is the
// first.
func (t *entityTable[T]) origins() []int {
	list := make([]int, len(t.values))
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

// settle finds out what united entities say, and reports what of those that they
// were before is lost. Where a record has none, what they became says nothing.
func (t *entityTable[T]) settle() error {
	if t.united == nil {
		return nil
	}
	if id := t.none - 1; t.united[id] {
		var none T
		t.values[id] = none
	}
	for there, here := range t.ids {
		if here != 0 && t.united[here-1] {
			t.values[here-1], _ = t.codec.Unite(t.values[here-1], t.src.Value(model.EntityID(there)), t.encoder.page)
		}
	}
	lost := map[model.EntityID][]string{}
	for there, here := range t.ids {
		if here != 0 && t.united[here-1] {
			id := model.EntityID(there)
			_, lost[id] = t.codec.Unite(t.values[here-1], t.src.Value(id), t.encoder.page)
		}
	}
	for _, s := range t.said {
		loseDenied(t.encoder.report, &t.codec.EntityFile, lost[s.there], t.src.Value(s.there), s.by, 1)
	}
	for there, n := range t.more {
		id := model.EntityID(there)
		loseDenied(t.encoder.report, &t.codec.EntityFile, lost[id], t.src.Value(id), 0, int(n))
	}
	for id := range t.united {
		payload, _ := t.codec.Append(nil, t.values[id], t.encoder.page) // whose losses were told before
		if err := t.file.Change(id, payload); err != nil {
			return err
		}
	}
	return nil
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
