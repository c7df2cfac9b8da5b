package check_test

import (
	"bytes"

	"cbkit/internal/cbh"
)

// makeOld turns the database into one of an old program: no .cbj file, short
// headers.
func (d *damaged) makeOld() {
	delete(d.files, ".cbj")
	d.put(".cbh", 1, 0, cbh.UsedOld)
	d.putBE32(".cbh", 40, 0)
	for _, file := range []string{".cbg", ".cba"} {
		d.files[file] = d.files[file][cbh.BlockHeaderSize-cbh.OldBlockHeaderSize:]
		h := cbh.BlockHeader{Size: cbh.OldBlockHeaderSize}
		h.SetSizes(uint64(len(d.files[file])), 0)
		d.put(file, 0, h.Append(nil)...)
		for id := 1; head(id) < len(d.files[".cbh"]); id++ {
			if at := d.place(file, id); at != 0 {
				d.setPlace(file, id, at-(cbh.BlockHeaderSize-cbh.OldBlockHeaderSize))
			}
		}
	}
	for _, kind := range cbh.EntityFiles {
		if kind == &cbh.Teams.EntityFile || kind == &cbh.GameTitles.EntityFile {
			delete(d.files, kind.Ext)
			continue
		}
		extension := int(d.le32(kind.Ext, 24))
		d.putLE32(kind.Ext, 24, 0)
		b := d.files[kind.Ext]
		d.files[kind.Ext] = append(b[:cbh.EntityHeaderSize:cbh.EntityHeaderSize], b[cbh.EntityHeaderSize+extension:]...)
	}
}

// shorten makes the .cbj file one of an older version, with shorter records and
// without game titles.
func (d *damaged) shorten(version, size int) {
	delete(d.files, ".cbl")
	out := append([]byte(nil), d.files[".cbj"][:cbh.ExtHeaderSize]...)
	for id := 1; id <= sampleRecords; id++ {
		out = append(out, d.files[".cbj"][ext(id):][:size]...)
	}
	d.files[".cbj"] = out
	d.putLE32(".cbj", 0, int32(version))
	d.putLE32(".cbj", 4, int32(size))
}

// multiply repeats all records, with moves and annotations of their own.
func (d *damaged) multiply(times int) {
	heads, extensions := d.files[".cbh"][head(1):], d.files[".cbj"][ext(1):]
	sizes := map[string]int{}
	for _, file := range []string{".cbg", ".cba"} {
		body := d.files[file][cbh.BlockHeaderSize:]
		sizes[file] = len(body)
		d.files[file] = append(d.files[file], bytes.Repeat(body, times-1)...)
		h := cbh.NewBlockHeader(uint64(len(d.files[file])), 0)
		d.put(file, 0, h.Append(nil)...)
	}
	d.files[".cbh"] = append(d.files[".cbh"], bytes.Repeat(heads, times-1)...)
	d.files[".cbj"] = append(d.files[".cbj"], bytes.Repeat(extensions, times-1)...)
	for id := sampleRecords + 1; id <= times*sampleRecords; id++ {
		round := (id - 1) / sampleRecords
		for _, file := range []string{".cbg", ".cba"} {
			if at := d.place(file, id); at != 0 {
				d.setPlace(file, id, at+round*sizes[file])
			}
		}
		if at := d.place(".cba", id); at != 0 {
			d.put(".cba", at, byte(id>>16), byte(id>>8), byte(id))
		}
	}
	d.putBE32(".cbh", 6, uint32(times*sampleRecords+1))
	d.putBE32(".cbh", 40, uint32(times*sampleRecords+1))
	d.putLE32(".cbj", 8, int32(times*sampleRecords))
	for _, kind := range cbh.EntityFiles {
		for id := range int(d.le32(kind.Ext, 0)) {
			at := d.entity(kind, id) + cbh.EntityLinksSize + kind.Size - 8
			d.putLE32(kind.Ext, at, d.le32(kind.Ext, at)*int32(times))
		}
	}
}
