package gen

import (
	"cmp"
	"context"
	"slices"
	"testing/fstest"

	"cbkit/board"
	"cbkit/internal/cbh2"
	"cbkit/internal/wire"
	"cbkit/model"
)

// EmptyChessBase2 returns the files of a database of ChessBase 17 without records, which
// is called Games.
func EmptyChessBase2() fstest.MapFS {
	files, err := ChessBase2(context.Background(), &model.Database{})
	if err != nil {
		panic(err) // there is nothing to say
	}
	return files
}

// chessBase2 is a database in the making.
type chessBase2 struct {
	headers, moves, annotations []byte
	tables                      model.Entities // annotators are players
}

// ChessBase2 returns the files of a database of ChessBase 17 called Games that holds what
// its format can say of a source. Entities keep their ids where the source knows them
// before its records; those that records do not name are empty ones.
func ChessBase2(ctx context.Context, src model.Source) (fstest.MapFS, error) {
	w := &chessBase2{}
	from := src.Entities()
	copySlots(&w.tables.Players, &from.Players)
	copySlots(&w.tables.Tournaments, &from.Tournaments)
	copySlots(&w.tables.Sources, &from.Sources)
	copySlots(&w.tables.Teams, &from.Teams)
	copySlots(&w.tables.GameTitles, &from.GameTitles)
	w.headers = make([]byte, cbh2.RecordSize)
	w.moves, w.annotations = make([]byte, cbh2.BlobHeaderSize), make([]byte, cbh2.BlobHeaderSize)
	for rec, err := range src.Records(ctx, 1, model.WantMoves|model.WantAnnotations) {
		if err == nil {
			err = w.add(&rec, src.Entities())
		}
		if err != nil {
			return nil, err
		}
	}
	records := len(w.headers)/cbh2.RecordSize - 1
	copy(w.headers, cbh2.Header{Unknown08: 38, RecordSize: cbh2.RecordSize, Version: cbh2.Version, NextID: int32(records + 1)}.Append(nil))
	head := cbh2.BlobHeader{Size: int64(len(w.moves)), Head: cbh2.BlobHeaderSize, Version: cbh2.Version}
	if records == 0 {
		head.Empty, head.Version = 1, 0
	}
	copy(w.moves, head.Append(nil))
	copy(w.annotations, cbh2.BlobHeader{Size: int64(len(w.annotations)), Head: cbh2.BlobHeaderSize}.Append(nil))
	return fstest.MapFS{"Games.2cbh": {Data: w.headers}, "Games.2cbg": {Data: w.moves}, "Games.2cba": {Data: w.annotations}, "Games.2lid": {Data: w.names()}}, nil
}

func copySlots[T comparable](to, from *model.Table[T]) {
	for _, slot := range from.All() {
		to.Append(model.Slot[T]{Value: slot.Value, Deleted: slot.Deleted})
	}
}

// put returns the id of a value that is referred to, the empty one for none.
func put[T comparable](to, from *model.Table[T], id model.EntityID) int64 {
	var v T
	if id != model.NoEntity {
		v = from.Value(id)
	}
	return int64(to.Intern(v))
}

// person returns the id of an annotator, who is a player.
func (w *chessBase2) person(from *model.Entities, id model.EntityID) int64 {
	var p model.Player
	if id != model.NoEntity {
		p = model.ParsePlayer(from.Annotators.Value(id).Name)
	}
	return int64(w.tables.Players.Intern(p))
}

// team returns the id of a team, or that of none.
func (w *chessBase2) team(from *model.Entities, id model.EntityID) int64 {
	if id == model.NoEntity {
		return cbh2.NoID
	}
	return put(&w.tables.Teams, &from.Teams, id)
}

// add appends a record.
func (w *chessBase2) add(rec *model.Record, from *model.Entities) error {
	r := cbh2.Record{Kind: cbh2.GameRecord, Deleted: rec.Deleted, Version: 1, Moves: int64(len(w.moves)), Annotations: int64(len(w.annotations))}
	if text := rec.Text; text != nil {
		r.Kind = cbh2.TextRecord
		r.Tournament, r.Source = put(&w.tables.Tournaments, &from.Tournaments, text.Tournament), put(&w.tables.Sources, &from.Sources, text.Source)
		r.Annotator, r.Tag = w.person(from, text.Annotator), int64(w.tables.GameTitles.Intern(titleOf(text.Titles)))
		w.moves = cbh2.AppendFrame(w.moves, cbh2.TagText, cbh2.AppendText(nil, text.Contents), 0)
		w.headers = r.Append(w.headers)
		return nil
	}
	g := rec.Game
	r.White, r.Black = put(&w.tables.Players, &from.Players, g.White), put(&w.tables.Players, &from.Players, g.Black)
	r.WhiteTeam, r.BlackTeam = w.team(from, g.WhiteTeam), w.team(from, g.BlackTeam)
	r.Tournament, r.Source = put(&w.tables.Tournaments, &from.Tournaments, g.Tournament), put(&w.tables.Sources, &from.Sources, g.Source)
	r.Annotator, r.Tag = w.person(from, g.Annotator), put(&w.tables.GameTitles, &from.GameTitles, g.GameTitle)
	for result, ok := r.ResultOf(); ok && result != g.Result; result, ok = r.ResultOf() {
		r.Result++
	}
	r.Line, r.ECO, r.Date = uint8(g.LineEvaluation), uint16(g.ECO), uint32(g.Date.Year)<<9|uint32(g.Date.Month)<<5|uint32(g.Date.Day)
	r.Round, r.Sub, r.WhiteElo, r.BlackElo = int16(g.Round), int16(g.Subround), int16(g.WhiteElo), int16(g.BlackElo)
	in := cbh2.Moves{HasStart: g.Start != nil, Tree: g.Moves}
	if g.Start != nil {
		in.Start = *g.Start
		if n, ok := board.Chess960Number(g.Start); ok && g.Start.Chess960 {
			r.ECO = cbh2.Chess960ECO + uint16(n)
		}
	}
	content, tag, err := cbh2.AppendMoves(nil, &in)
	if err != nil {
		return err
	}
	w.moves = cbh2.AppendFrame(w.moves, tag, content, 0)
	places := make([]int32, g.Moves.Len())
	for place, node := range cbh2.Places(nil, &g.Moves) {
		places[node] = int32(place)
	}
	var placed []cbh2.Placed
	for _, a := range g.Annotations {
		p := cbh2.Placed{Place: -1, Value: a.Value}
		if a.Node >= 0 {
			p.Place = places[a.Node]
		}
		if _, has := cbh2.AppendValue(nil, a.Value); has {
			placed = append(placed, p)
		}
	}
	slices.SortStableFunc(placed, func(a, b cbh2.Placed) int { return cmp.Compare(a.Place, b.Place) })
	if content, err = cbh2.AppendAnnotations(nil, placed); err != nil {
		return err
	}
	w.annotations = cbh2.AppendFrame(w.annotations, cbh2.TagAnnotations, content, 0)
	w.headers = r.Append(w.headers)
	return nil
}

// titleOf returns titles with languages as a title of games.
func titleOf(titles []model.LocalText) (title model.GameTitle) {
	for i := range title.Titles {
		one := model.GameTitle{}
		one.Titles[i] = "x"
		for _, language := range cbh2.LocalTitles(one) {
			for _, t := range titles {
				if t.Language == language.Language {
					title.Titles[i] = t.Text
				}
			}
		}
	}
	return title
}

// names returns the file of names.
func (w *chessBase2) names() []byte {
	none := func(int) (b []byte, deleted bool) { panic("gen: there are none of this type") }
	t := &w.tables
	types := [6]struct {
		n, size int
		data    func(id int) (data []byte, deleted bool)
	}{
		cbh2.Players:     {t.Players.Len(), 1024, data(&t.Players, func(p model.Player) []byte { return cbh2.Player{Player: p}.Append(nil) })},
		cbh2.Tournaments: {t.Tournaments.Len(), 1120, data(&t.Tournaments, func(v model.Tournament) []byte { return cbh2.AppendTournament(nil, v, 0) })},
		cbh2.Sources:     {t.Sources.Len(), 220, data(&t.Sources, func(p model.Publication) []byte { return cbh2.AppendSource(nil, p) })},
		3:                {0, 1024, none},
		cbh2.Teams:       {t.Teams.Len(), 314, data(&t.Teams, func(v model.Team) []byte { return cbh2.AppendTeam(nil, v) })},
		cbh2.Tags:        {t.GameTitles.Len(), 532, data(&t.GameTitles, func(v model.GameTitle) []byte { return cbh2.AppendTag(nil, v) })},
	}
	h := cbh2.NamesHeader{Size: 8 + 6*20, Types: make([]cbh2.NamesType, len(types))}
	most := 0
	for of, t := range types {
		size, first := t.size, int64(cbh2.NoID)
		for id := range t.n {
			b, deleted := t.data(id)
			if size = max(size, 4+len(b)); deleted {
				first = int64(id)
			}
		}
		h.Types[of] = cbh2.NamesType{Record: int64(size), Count: int64(t.n), FirstDeleted: first}
		most = max(most, t.n)
	}
	b := h.Append(nil)
	h, err := cbh2.DecodeNamesHeader(b) // now with the places of the types
	if err != nil {
		panic(err)
	}
	b = append(b, make([]byte, int64(most)*h.Block())...)
	for of, t := range types {
		next := int64(cbh2.NoID)
		for id := range t.n {
			place := b[h.Place(cbh2.EntityType(of), int64(id)):]
			if data, deleted := t.data(id); deleted {
				copy(place, cbh2.AppendDeleted(nil, next))
				next = int64(id)
			} else {
				copy(place, wire.AppendU32LE(nil, uint32(len(data))))
				copy(place[4:], data)
			}
		}
	}
	return b
}

// data returns the function that returns the stored data of an entity of a table.
func data[T comparable](table *model.Table[T], encode func(T) []byte) func(int) ([]byte, bool) {
	return func(id int) ([]byte, bool) {
		return encode(table.Value(model.EntityID(id))), table.IsDeleted(model.EntityID(id))
	}
}
