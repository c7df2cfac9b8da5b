package main

import (
	"fmt"
	"maps"
	"path/filepath"
	"strings"
	"testing"

	"cbkit/internal/dcdb"
	"cbkit/internal/testkit/must"
	"cbkit/model"
)

// simpleSubject is a Simple Chess Database.
func simpleSubject(t *testing.T, name, path string) *subject {
	t.Helper()
	s := &subject{name: name, files: filesBeside(t, path), verbs: append(databaseVerbs(), compacting(soundInput))}
	maps.DeleteFunc(s.files, func(name string, _ []byte) bool { return !strings.HasPrefix(filepath.Ext(name), ".dc") })
	f := &simpleFiles{base: strings.TrimSuffix(filepath.Base(path), ".dci"), files: s.files}
	index := f.of(".dci")
	f.layout = must.Get(dcdb.Detect(index, int64(len(index)), int64(len(f.of(".dcg")))))(t)
	s.records = f.own()
	s.all = allRecords
	s.damage = func(files map[string][]byte) []visibleDamage {
		return (&simpleFiles{f.base, files, f.layout}).damage()
	}
	return newSubject(t, s, path)
}

// simpleFiles are the files of a Simple Chess Database.
type simpleFiles struct {
	base   string
	files  map[string][]byte
	layout dcdb.Layout
}

func (f *simpleFiles) of(ext string) []byte { return f.files[f.base+ext] }

func (f *simpleFiles) count() int {
	return max(len(f.of(".dci"))-f.layout.HeaderSize(), 0) / f.layout.EntrySize()
}

// entry returns an entry and where it is.
func (f *simpleFiles) entry(id int) (e dcdb.Entry, from, to int) {
	from = f.layout.HeaderSize() + (id-1)*f.layout.EntrySize()
	to = from + f.layout.EntrySize()
	return f.layout.DecodeEntry(f.of(".dci")[from:to]), from, to
}

// own returns the bytes of all records of a sound database. The layout is told
// by the first entries, and how promotions are numbered by the first games.
func (f *simpleFiles) own() (list []ownBytes) {
	add := func(o *ownBytes, ext string, from, to int) {
		o.spans = append(o.spans, span{file: f.base + ext, from: from, to: to})
	}
	var shared ownBytes
	_, _, first := f.entry(1)
	add(&shared, ".dci", 0, first)
	for _, ext := range []string{".dcn", ".dcs", ".dce", ".dcg"} {
		add(&shared, ext, 0, 10)
	}
	for id := 1; id <= f.count(); id++ {
		e, from, to := f.entry(id)
		own := ownBytes{key: fmt.Sprint(id), spans: append([]span(nil), shared.spans...)}
		add(&own, ".dci", from, to)
		n, digits := dcdb.DecodeLength(f.of(".dcg")[e.Offset:])
		add(&own, ".dcg", int(e.Offset), int(e.Offset)+digits+int(n))
		for _, name := range []struct {
			ext   string
			place uint32
		}{{".dcn", e.White}, {".dcn", e.Black}, {".dcs", e.Site}, {".dce", e.Event}} {
			if name.place != 0 {
				add(&own, name.ext, int(name.place), min(int(name.place)+dcdb.NameSize, len(f.of(name.ext))))
			}
		}
		list = append(list, own)
	}
	return list
}

// damage returns what of the files can be seen to be damaged.
func (f *simpleFiles) damage() (list []visibleDamage) {
	see := func(kind damageKind, record int, file, format string, args ...any) {
		list = append(list, visibleDamage{kind, record, file, fmt.Sprintf(format, args...)})
	}
	for i, ext := range []string{".dci", ".dcn", ".dcs", ".dcg"} {
		if b := f.of(ext); len(b) < 10 || string(b[:10]) != "SimpleCDb"+string("insg"[i]) {
			see(damagedFile, 0, ext, "%s does not begin as it must", ext)
		}
	}
	if len(list) > 0 {
		return list
	}
	index := f.of(".dci")
	if l, err := dcdb.Detect(index, int64(len(index)), int64(len(f.of(".dcg")))); err != nil || l != f.layout {
		return list // another layout: other entries
	}
	for id := 1; id <= f.count(); id++ {
		e, _, _ := f.entry(id)
		games := f.of(".dcg")
		if e.Offset < 10 || e.Offset >= uint64(len(games)) {
			see(damagedMoves, id, "", "record %d: its moves lie outside the .dcg file", id)
			continue
		}
		n, digits := dcdb.DecodeLength(games[e.Offset:])
		rest := len(games) - int(e.Offset) - digits
		if digits == 0 || int64(n) > int64(rest) {
			see(damagedMoves, id, "", "record %d: its moves end outside the .dcg file", id)
			continue
		}
		var wrong error
		d := dcdb.Decoder{Promotions: f.layout.Promotions(), Foreign: func(b []byte) string { return string(b) },
			Warn: func(e *model.FormatError) {
				if e.Field != "text" { // a comment in another code page
					wrong = e
				}
			}}
		var out dcdb.Decoded
		if err := d.Decode(games[int(e.Offset)+digits:][:n], &out); err != nil {
			wrong = err
		}
		if wrong != nil {
			see(damagedMoves, id, "", "record %d: its moves do not decode: %v", id, wrong)
		}
	}
	return list
}
