package check

import (
	"cbkit/internal/cbh"
	"cbkit/model"
)

// The kinds of entities, as indices into entityKinds.
const (
	players = iota
	tournaments
	annotators
	sources
	teams
	gameTitles
)

// entityKinds are the six kinds of entity files.
var entityKinds = [...]entityKind{
	players: kindOf(&cbh.Players, func(p *model.Player, v *entityValue) {
		v.texts(p.LastName, p.FirstName)
	}),
	tournaments: kindOf(&cbh.Tournaments, func(t *model.Tournament, v *entityValue) {
		v.texts(t.Title, t.Place)
		v.date("start date", t.Start)
	}),
	annotators: kindOf(&cbh.Annotators, func(a *model.Annotator, v *entityValue) {
		v.texts(a.Name)
	}),
	sources: kindOf(&cbh.Sources, func(s *model.Publication, v *entityValue) {
		v.texts(s.Title, s.Publisher)
		v.date("publication date", s.Published)
		v.date("date", s.Date)
	}),
	teams: kindOf(&cbh.Teams, func(t *model.Team, v *entityValue) {
		v.texts(t.Title)
	}),
	gameTitles: kindOf(&cbh.GameTitles, func(t *model.GameTitle, v *entityValue) {
		v.texts(t.Titles[:]...)
	}),
}

// entityExts are the endings of the entity files.
var entityExts = func() (exts []string) {
	for _, kind := range entityKinds {
		exts = append(exts, kind.Ext)
	}
	return exts
}()

// entityKind is a kind of entities whatever its values are.
type entityKind struct {
	*cbh.EntityFile
	// inspect decodes a payload.
	inspect func(payload []byte, page cbh.CodePage) entityValue
	// isEmpty reports whether the value of a payload is that of no entity.
	isEmpty func(payload []byte, page cbh.CodePage) bool
	// encode decodes a payload and encodes the record again: from the value,
	// and as a change of the payload.
	encode func(links cbh.EntityLinks, payload []byte, page cbh.CodePage) (value, kept []byte)
	// fieldAt names the field of a byte of a payload.
	fieldAt func(offset int) string
}

// entityValue is what is checked of the value of an entity.
type entityValue struct {
	foreign  bool   // a text is in another code page
	badDate  string // the field of a date that does not exist
	badMonth uint8
}

func kindOf[T comparable](codec *cbh.EntityCodec[T], look func(*T, *entityValue)) entityKind {
	return entityKind{
		EntityFile: &codec.EntityFile,
		inspect: func(payload []byte, page cbh.CodePage) (v entityValue) {
			value := codec.Decode(payload, page)
			look(&value, &v)
			return v
		},
		isEmpty: func(payload []byte, page cbh.CodePage) bool {
			var none T
			return codec.Decode(payload, page) == none
		},
		encode: func(links cbh.EntityLinks, payload []byte, page cbh.CodePage) (value, kept []byte) {
			v := codec.Decode(payload, page)
			value, _ = codec.Append(links.Append(nil), v, page) // what was read fits
			cbh.DecodeEntityUse(payload).Put(value)
			kept, _ = codec.Merge(links.Append(nil), v, payload, page)
			return value, kept
		},
		fieldAt: codec.FieldAt,
	}
}

// texts looks at the texts of an entity.
func (v *entityValue) texts(list ...string) {
	for _, s := range list {
		v.foreign = v.foreign || looksForeign(s)
	}
}

// date looks at a date.
func (v *entityValue) date(field string, d model.Date) {
	if d.Month > 12 {
		v.badDate, v.badMonth = field, d.Month
	}
}
