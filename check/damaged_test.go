package check_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"cbkit/check"
	"cbkit/internal/cbh"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
)

// damaged is a database in memory, on its way to be damaged.
type damaged struct {
	t     testing.TB
	files map[string][]byte
	links map[string]string // files that are links to something else
}

// save writes the files into a new folder and returns the path of the
// database.
func (d *damaged) save() string {
	d.t.Helper()
	dir := gen.Folder(d.t)
	for ext, b := range d.files {
		must.Do(d.t, os.WriteFile(filepath.Join(dir, "sample"+ext), b, 0o600))
	}
	for ext, target := range d.links {
		must.Do(d.t, os.Symlink(target, filepath.Join(dir, "sample"+ext)))
	}
	return filepath.Join(dir, "sample.cbh")
}

// findings checks the database and returns each finding as findingLine writes it.
func (d *damaged) findings(opt check.Options) (list []string, full []check.Finding) {
	d.t.Helper()
	errors, notes := 0, 0
	made := check.Database(context.Background(), d.save(), opt)
	for f, err := range made.Findings() {
		if err != nil {
			break // Summary has it
		}
		if f.Severity == check.Error {
			errors += max(f.More, 1)
		} else {
			notes += max(f.More, 1)
		}
		list, full = append(list, findingLine(&f)), append(full, f)
	}
	s := must.Get(made.Summary())(d.t)
	if s.Errors != errors || s.Notes != notes {
		d.t.Errorf("%d errors and %d notes are counted, there are %d and %d", s.Errors, s.Notes, errors, notes)
	}
	return list, full
}

// findingLine writes a finding as "severity ending record code", the record
// missing where there is none.
func findingLine(f *check.Finding) string {
	line := fmt.Sprint(f.Severity, " ", filepath.Ext(f.File))
	if f.Record >= 0 {
		line += fmt.Sprint(" ", f.Record)
	}
	return line + " " + f.Code
}

// put overwrites bytes of a file.
func (d *damaged) put(ext string, at int, b ...byte) { copy(d.files[ext][at:at+len(b)], b) }

func (d *damaged) putBE32(ext string, at int, v uint32) {
	binary.BigEndian.PutUint32(d.files[ext][at:], v)
}

func (d *damaged) putLE32(ext string, at int, v int32) {
	binary.LittleEndian.PutUint32(d.files[ext][at:], uint32(v))
}

func (d *damaged) be32(ext string, at int) int {
	return int(binary.BigEndian.Uint32(d.files[ext][at:]))
}

func (d *damaged) le32(ext string, at int) int32 {
	return int32(binary.LittleEndian.Uint32(d.files[ext][at:]))
}

// cut removes bytes from the end of a file.
func (d *damaged) cut(ext string, n int) { d.files[ext] = d.files[ext][:len(d.files[ext])-n] }

// extend adds zeros at the end of a file.
func (d *damaged) extend(ext string, n int) { d.files[ext] = append(d.files[ext], make([]byte, n)...) }

// head is where the record of a game or text begins in the .cbh file, and ext
// where it begins in the .cbj file.
func head(id int) int { return id * cbh.RecordSize }
func ext(id int) int  { return cbh.ExtHeaderSize + (id-1)*cbh.ExtRecordSize }

// entity is where the record of an entity begins.
func (d *damaged) entity(kind *cbh.EntityFile, id int) int {
	return cbh.EntityHeaderSize + int(d.le32(kind.Ext, 24)) + id*kind.RecordSize()
}

// extValues changes a record of the .cbj file and makes its checksum right.
func (d *damaged) extValues(id int, change func(r *cbh.ExtRecord)) {
	b := d.files[".cbj"]
	r := cbh.DecodeExtRecord(b[ext(id):ext(id+1)])
	change(&r)
	r.Checksum = r.Sum()
	copy(b[ext(id):], r.Append(nil, cbh.ExtRecordSize))
}

// isText reports whether a record is a guiding text.
func (d *damaged) isText(id int) bool {
	return cbh.RecordType(d.files[".cbh"][head(id)]).IsText()
}

// place is the offset of a record in the .cbg or .cba file; 0 is none.
func (d *damaged) place(file string, id int) int {
	if file == ".cba" {
		if d.isText(id) {
			return 0
		}
		return d.be32(".cbh", head(id)+5)
	}
	return d.be32(".cbh", head(id)+1)
}

// setPlace changes that offset in both files that have it.
func (d *damaged) setPlace(file string, id, at int) {
	field := 1
	if file == ".cba" {
		field = 5
	}
	d.putBE32(".cbh", head(id)+field, uint32(at))
	if d.files[".cbj"] == nil {
		return
	}
	d.extValues(id, func(r *cbh.ExtRecord) {
		if file == ".cba" {
			r.AnnotationsOffset = uint64(at)
		} else {
			r.MovesOffset = uint64(at)
		}
	})
}

// stored returns a record of the .cbg or .cba file, nil if there is none.
func (d *damaged) stored(file string, id int) []byte {
	at := d.place(file, id)
	if at == 0 {
		return nil
	}
	b := d.files[file][at:]
	if file == ".cba" {
		return b[:binary.BigEndian.Uint32(b[10:])]
	}
	return b[:binary.BigEndian.Uint32(b)&0xFFFFFF]
}

// replace puts another record in the place of one of the .cbg or .cba file and
// moves all others; the header stays right.
func (d *damaged) replace(file string, id int, rec []byte) {
	headSize := int(binary.BigEndian.Uint16(d.files[file]))
	out := append([]byte(nil), d.files[file][:headSize]...)
	records := len(d.files[".cbh"])/cbh.RecordSize - 1
	places := make([]int, records+1)
	for i := 1; i <= records; i++ {
		b := d.stored(file, i)
		if i == id {
			b = rec
		}
		if b != nil {
			places[i] = len(out)
			out = append(out, b...)
		}
	}
	for i := 1; i <= records; i++ {
		if file == ".cbg" || !d.isText(i) {
			d.setPlace(file, i, places[i])
		}
	}
	h := cbh.NewBlockHeader(uint64(len(out)), 0)
	h.Size = uint16(headSize)
	h.SetSizes(uint64(len(out)), 0)
	copy(out, h.Append(nil))
	d.files[file] = out
}

// The sample, in both generations, has nothing that a check could find.
func TestSampleIsSound(t *testing.T) {
	for name, change := range map[string]func(*damaged){
		"new":                   func(*damaged) {},
		"old":                   (*damaged).makeOld,
		"with deleted entities": func(d *damaged) { d.deletePlayers("Fischer", "Spasski") },
	} {
		d := sample(t)
		change(d)
		if list, full := d.findings(check.Options{}); len(list) > 0 {
			t.Errorf("%s: %v", name, full)
		}
	}
}
