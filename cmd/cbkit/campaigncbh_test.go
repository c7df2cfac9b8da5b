package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"

	"cbkit/board"
	"cbkit/internal/cbh"
	"cbkit/model"
	"cbkit/moveenc"
)

// cbhFiles reads a ChessBase database as the description of the format says,
// and as simply as it can be done: the campaign's own idea of which bytes a
// record is made of, and of what is damaged.
type cbhFiles struct {
	base  string
	files map[string][]byte
}

func (f *cbhFiles) of(ext string) []byte { return f.files[f.base+ext] }

// bytes returns part of a file, nil if it is not there.
func (f *cbhFiles) bytes(ext string, from, n int) []byte {
	b := f.of(ext)
	if from < 0 || n < 0 || from > len(b) || n > len(b)-from {
		return nil
	}
	return b[from : from+n]
}

// entityKind is an entity file, with where its ids are in the headers.
type campaignEntity struct {
	ext      string
	size     int   // of a payload
	inGame   []int // offsets of ids in a game's record, 3 bytes
	inText   []int
	inExt    []int // in the .cbj record, 4 bytes
	optional bool
}

var campaignEntities = []campaignEntity{
	{".cbp", 58, []int{9, 12}, nil, nil, false},
	{".cbt", 90, []int{15}, []int{7}, nil, false},
	{".cbc", 53, []int{18}, []int{13}, nil, false},
	{".cbs", 59, []int{21}, []int{10}, nil, false},
	{".cbe", 63, nil, nil, []int{0, 4}, true},
	{".cbl", 1608, nil, nil, []int{116}, true},
}

// campaignRecord is one record of the .cbh file.
type campaignRecord struct {
	id        int
	head, ext []byte
	isText    bool
	moves     int // offset in the .cbg file
	notes     int // in the .cba file, 0 for none
}

func (f *cbhFiles) count() int { return max(len(f.of(".cbh"))/46-1, 0) }

func (f *cbhFiles) record(id int) campaignRecord {
	r := campaignRecord{id: id, head: f.bytes(".cbh", 46*id, 46)}
	r.isText = r.head[0]&2 != 0
	if j := f.of(".cbj"); len(j) >= 32 {
		if size := int(binary.LittleEndian.Uint32(j[4:])); size > 0 && size < 1<<16 {
			r.ext = f.bytes(".cbj", 32+(id-1)*size, size)
		}
	}
	r.moves = f.offset(r.head, r.ext, 1, 30)
	if !r.isText {
		r.notes = f.offset(r.head, r.ext, 5, 12)
	}
	return r
}

// offset takes the wide form of an offset where both forms agree.
func (f *cbhFiles) offset(head, ext []byte, at, wide int) int {
	low := binary.BigEndian.Uint32(head[at:])
	if len(ext) >= wide+8 {
		if full := binary.BigEndian.Uint64(ext[wide:]); uint32(full) == low && full < 1<<62 {
			return int(full)
		}
	}
	return int(low)
}

// entity returns where the record of an entity is, and whether it is in use.
func (f *cbhFiles) entity(k *campaignEntity, id int) (from, to int, live bool) {
	b := f.of(k.ext)
	if len(b) < 28 {
		return 0, 0, false
	}
	from = 28 + int(int32(binary.LittleEndian.Uint32(b[24:]))) + id*(9+k.size)
	to = from + 9 + k.size
	if id < 0 || from < 28 || to > len(b) {
		return 0, 0, false
	}
	return from, to, int32(binary.LittleEndian.Uint32(b[from:])) != -999
}

// references yields the entities that a record refers to.
func (f *cbhFiles) references(r *campaignRecord, yield func(k *campaignEntity, id int)) {
	for i := range campaignEntities {
		k := &campaignEntities[i]
		places := k.inGame
		if r.isText {
			places = k.inText
		}
		for _, at := range places {
			yield(k, int(r.head[at])<<16|int(r.head[at+1])<<8|int(r.head[at+2]))
		}
		for _, at := range k.inExt {
			if at+4 > len(r.ext) || r.isText && k.ext == ".cbe" {
				continue
			}
			if id := int32(binary.BigEndian.Uint32(r.ext[at:])); id != -1 {
				yield(k, int(id))
			}
		}
	}
}

// own returns the bytes of all records of a sound database.
func (f *cbhFiles) own() []ownBytes {
	shared := []span{{file: f.base + ".cbh", to: 6}}
	for _, ext := range []string{".cbg", ".cba"} {
		// Of the header the first two bytes, and that the file has it.
		shared = append(shared, span{file: f.base + ext, to: 2}, span{file: f.base + ext, from: 26, to: 26})
	}
	for _, e := range []struct {
		ext  string
		size int
	}{{".cbj", 8}, {".cbtt", 8}, {".cbm", 32}, {".cbp", 28}, {".cbt", 28}, {".cbc", 28}, {".cbs", 28}, {".cbe", 28}, {".cbl", 28}} {
		if f.of(e.ext) != nil {
			shared = append(shared, span{file: f.base + e.ext, to: e.size})
		}
	}
	var list []ownBytes
	for id := 1; id <= f.count(); id++ {
		r := f.record(id)
		own := ownBytes{key: fmt.Sprint(id), spans: slices.Clone(shared)}
		add := func(ext string, from, to int) {
			own.spans = append(own.spans, span{file: f.base + ext, from: from, to: to})
		}
		add(".cbh", 46*id, 46*id+46)
		if r.ext != nil {
			add(".cbj", 32+(id-1)*len(r.ext), 32+id*len(r.ext))
		}
		if size := f.movesSize(r.moves); size > 0 {
			add(".cbg", r.moves, r.moves+size)
		}
		if size := f.notesSize(r.notes); r.notes > 0 && size > 0 {
			add(".cba", r.notes, r.notes+size)
		}
		if r.isText && f.of(".cbm") != nil {
			add(".cbm", 0, len(f.of(".cbm")))
		}
		f.references(&r, func(k *campaignEntity, id int) {
			if from, to, ok := f.entity(k, id); ok {
				add(k.ext, from, from+4) // that it is in use
				add(k.ext, from+9, to-8) // without how often it is referred to
				add(k.ext, to, to)       // but whole
			}
			if tt := f.of(".cbtt"); k.ext == ".cbt" && len(tt) >= 32 {
				size := int(binary.LittleEndian.Uint32(tt[4:]))
				if from := 32 + id*size; from+size <= len(tt) {
					add(".cbtt", from, from+size)
				} else {
					own.spans = append(own.spans, span{file: f.base + ".cbtt", from: len(tt), to: len(tt), ends: true})
				}
			}
		})
		list = append(list, own)
	}
	return list
}

func (f *cbhFiles) movesSize(at int) int {
	if b := f.bytes(".cbg", at, 4); b != nil {
		return int(b[1])<<16 | int(b[2])<<8 | int(b[3])
	}
	return -1
}

func (f *cbhFiles) notesSize(at int) int {
	if b := f.bytes(".cba", at, 14); b != nil {
		return int(binary.BigEndian.Uint32(b[10:]))
	}
	return -1
}

// seeDamage takes damage to a record, or to a file as a whole.
type seeDamage func(kind damageKind, record int, file, format string, args ...any)

// damage returns what of the files can be seen to be damaged.
func (f *cbhFiles) damage() (list []visibleDamage) {
	see := func(kind damageKind, record int, file, format string, args ...any) {
		list = append(list, visibleDamage{kind, record, file, fmt.Sprintf(format, args...)})
	}
	for _, ext := range []string{".cbh", ".cbg", ".cba", ".cbp", ".cbt", ".cbc", ".cbs"} {
		if f.of(ext) == nil {
			see(damagedFile, 0, ext, "%s is missing or empty", ext)
		}
	}
	if len(list) > 0 {
		return list
	}
	for id := 1; id <= f.count(); id++ {
		r := f.record(id)
		if r.head[0]&1 == 0 {
			see(damagedHeader, id, "", "record %d not marked as one", id)
		}
		f.seeMoves(&r, see)
		f.seeReferences(&r, see)
		if len(r.ext) >= 30 {
			sum := uint16(0)
			for at := 8; at < 28; at += 2 {
				sum += binary.BigEndian.Uint16(r.ext[at:])
			}
			if sum != binary.BigEndian.Uint16(r.ext[28:]) {
				see(damagedChecksum, id, "", "record %d: a wrong .cbj checksum", id)
			}
		}
	}
	return list
}

// seeMoves looks at the moves and annotations of a record.
func (f *cbhFiles) seeMoves(r *campaignRecord, see seeDamage) {
	kind := damagedMoves
	if r.isText {
		kind = damagedText
	}
	headSize := func(ext string) int {
		if b := f.bytes(ext, 0, 2); b != nil {
			return int(binary.BigEndian.Uint16(b))
		}
		return 0
	}
	rec := f.bytes(".cbg", r.moves, f.movesSize(r.moves))
	switch {
	case r.moves < headSize(".cbg") || len(rec) < 4:
		see(kind, r.id, "", "record %d: its content lies outside the .cbg file", r.id)
	case r.isText:
		if _, err := cbh.DecodeGuide(rec, cbh.CodePage{}); err != nil && !errors.Is(err, model.ErrUnsupported) {
			see(kind, r.id, "", "record %d: its text does not decode: %v", r.id, err)
		}
	default:
		var g moveenc.Game
		if err := moveenc.Decode(rec, &g); err != nil && !errors.Is(err, model.ErrUnsupported) {
			see(kind, r.id, "", "record %d: its moves do not decode: %v", r.id, err)
		} else if err == nil && !isLegal(&g) {
			see(damagedIllegal, r.id, "", "record %d: it has an illegal move", r.id)
		}
	}
	if r.isText || r.notes == 0 {
		return
	}
	annotations := f.bytes(".cba", r.notes, f.notesSize(r.notes))
	if r.notes < headSize(".cba") || len(annotations) < 14 {
		see(damagedAnnotations, r.id, "", "record %d: its annotations lie outside the .cba file", r.id)
	} else if _, err := cbh.DecodeAnnotations(annotations, cbh.AnnotationContext{}, false); err != nil {
		see(damagedAnnotations, r.id, "", "record %d: its annotations do not decode: %v", r.id, err)
	}
}

// isLegal reports whether all moves of a game are legal.
func isLegal(g *moveenc.Game) bool {
	return board.Validate(g.SetUp(), &g.Moves) == nil
}

// seeReferences looks at the entities of a record.
func (f *cbhFiles) seeReferences(r *campaignRecord, see seeDamage) {
	f.references(r, func(k *campaignEntity, id int) {
		b := f.of(k.ext)
		if b == nil && k.optional {
			return // allowed
		}
		if len(b) < 28 || int(binary.LittleEndian.Uint32(b[12:])) != k.size {
			kind := damagedFile
			if k.optional {
				kind = damagedChecksum // check alone tells; it counts as missing
			}
			see(kind, 0, k.ext, "%s does not begin as it must", k.ext)
			return
		}
		if _, _, live := f.entity(k, id); !live {
			see(damagedReference, r.id, k.ext, "record %d refers to number %d of %s, which is not there", r.id, id, strings.TrimPrefix(k.ext, "."))
		}
	})
}
