package jsonl

import (
	"fmt"

	"cbkit/model"
)

// Encoder encodes single records as JSON lines, for callers that store them
// elsewhere than in a file of JSON Lines. Each line is complete by itself;
// leftovers of entities and of the database, which belong to no single record,
// are in none of them. An encoder may be used by one goroutine at a time.
type Encoder struct{ enc encoder }

// NewEncoder returns an encoder of records that refer to the entities, whose
// tables may grow meanwhile.
func NewEncoder(e *model.Entities) *Encoder {
	enc := newEncoder(e, nil)
	enc.alone = true
	return &Encoder{enc}
}

// Append appends a record as a JSON object without a line break. An id of 0 is
// left out. Records that no reader would take, because variations are nested
// deeper than [MaxDepth] or the line is longer than [MaxLine], are refused with
// [model.ErrTooLarge] and append nothing. Annotations of types that the model
// does not have are left out; [model.Game.WithKnownValues] reports them.
func (e *Encoder) Append(dst []byte, rec model.Record) ([]byte, error) {
	if rec.Game != nil {
		rec.Game = rec.Game.WithKnownValues(rec.ID, nil)
	}
	line := e.enc.appendRecord(dst, rec)
	if err := e.enc.check(line[len(dst):]); err != nil {
		return dst, fmt.Errorf("jsonl: record %d: %w", rec.ID, err)
	}
	return line, nil
}

// Decoder decodes single lines, such as those of an [Encoder]. A decoder may be
// used by one goroutine at a time.
type Decoder struct{ dec *decoder }

// NewDecoder returns a decoder that adds the entities of what it reads to the
// tables.
func NewDecoder(e *model.Entities) *Decoder { return &Decoder{newDecoder(e)} }

// Decode reads a line. The record is valid until the next call; without an id
// in the line its id is 0. An error adds no entities.
func (d *Decoder) Decode(line []byte, want model.Want) (model.Record, error) {
	if len(line) > MaxLine {
		return model.Record{}, errLongLine
	}
	return d.dec.decode(line, want)
}
