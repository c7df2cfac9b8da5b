package archive_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"cbkit/archive"
	"cbkit/internal/testkit/must"
	"cbkit/model"
)

// damage is one way an archive can be wrong, and what is said about it.
type damage struct {
	name string
	harm func(r *raw)
	want string // a part of the message
	kind error
	lost int // the member that cannot be read, -1 for the whole archive
}

// member returns a damage of the member i.
func member(i int, name string, harm func(m *rawMember), want string) damage {
	return damage{name, func(r *raw) { harm(&r.members[i]) }, want, model.ErrCorrupt, i}
}

// whole returns a damage of everything.
func whole(name string, harm func(r *raw), want string, kind error) damage {
	return damage{name, harm, want, kind, -1}
}

// headerDamages are those of the header and the table as a whole.
func headerDamages() []damage {
	none := model.ErrNotDatabase
	return []damage{
		whole("an empty file", func(r *raw) { r.cut = len(newRaw().bytes()) }, "x.cbv: at 0x0: not a database: 0 bytes are no archive", none),
		whole("seven bytes", func(r *raw) { r.cut = len(newRaw().bytes()) - 7 }, "7 bytes are no archive", none),
		whole("another header size", func(r *raw) { r.words[0] = 9; r.tail = make([]byte, 3) }, "it does not begin like an archive", none),
		whole("a header size of zero", func(r *raw) { r.words[0] = 0; r.tail = make([]byte, 1) }, "it does not begin like an archive", none),
		whole("records of no bytes", func(r *raw) { r.words[2] = 0; r.tail = make([]byte, 1) }, "it does not begin like an archive", none),
		whole("records of 172 bytes", func(r *raw) { r.words[2] = 172; r.tail = make([]byte, 1) }, "it does not begin like an archive", none),
		whole("records of 65,535 bytes", func(r *raw) { r.words[2] = 65_535; r.tail = make([]byte, 1) }, "it does not begin like an archive", none),
		whole("a version of 16 bits", func(r *raw) { r.words[3] = 0x103; r.tail = make([]byte, 1) }, "it does not begin like an archive", none),
		whole("a later version", func(r *raw) { r.words[3] = 4 }, "x.cbv: unsupported: version 4 of the format", model.ErrUnsupported),
		whole("something that may be enciphered", func(r *raw) { r.words[0] = 9; r.tail = make([]byte, padTo8()) }, "it needs its password", archive.ErrEnciphered),
		whole("a table of more files than fit", func(r *raw) { r.words[1] = 65_530 }, "the table of 65535 files ends at", model.ErrTruncated),
		whole("a table of no files", func(r *raw) { r.words[1] = uint16(1<<16 - len(newRaw().members)) }, "(number of files): corrupt: is 0, but ", model.ErrCorrupt),
		whole("a file that ends in the table", func(r *raw) { r.cut = len(newRaw().bytes()) - 8 - 173*5 + 1 }, "truncated: the table of 5 files ends at 873, the archive at 872", model.ErrTruncated),
		whole("a file that ends behind the header", func(r *raw) { r.cut = len(newRaw().bytes()) - 8 }, "truncated", model.ErrTruncated),
		whole("one file more than the table has", func(r *raw) { r.words[1] = 1 }, "the stream begins in the table", model.ErrCorrupt),
	}
}

// padTo8 is how many bytes are missing to a whole number of cipher blocks.
func padTo8() int { return 8 - len(newRaw().bytes())%8 }

// nameDamages are those of names, of which none may leave the folder.
func nameDamages() []damage {
	var list []damage
	for _, c := range []struct{ name, want string }{
		{"", "the name is empty"},
		{`..\evil.cbh`, `"../evil.cbh" leads out of the folder`},
		{`..`, `".." leads out of the folder`},
		{`a\..\..\evil`, "leads out of the folder"},
		{`a\..`, "leads out of the folder"},
		{`\evil`, `"/evil" is not relative`},
		{`\\server\share\evil`, "is not relative"},
		{`C:\evil`, "names a drive or a stream"},
		{`C:evil`, "names a drive or a stream"},
		{`Base.cbh:stream`, "names a drive or a stream"},
		{`/etc/passwd`, "has a character that no file name has"},
		{`a/../../evil`, "has a character that no file name has"},
		{`.`, "has an empty part"},
		{`a\.\b`, "has an empty part"},
		{`a\\b`, "has an empty part"},
		{`a\`, "has an empty part"},
		{"evil.", "ends with a dot or a blank"},
		{"evil ", "ends with a dot or a blank"},
		{`.. \evil`, "ends with a dot or a blank"},
		{`...`, "ends with a dot or a blank"},
		{`a.\b`, "ends with a dot or a blank"},
		{"a\nb", `"a\nb" has a control character`},
		{"\x1b[2J", "has a control character"},
		{"a\x7f", "has a control character"},
		{"a<b", "has a character that no file name has"},
		{"a>b", "has a character that no file name has"},
		{`a"b`, "has a character that no file name has"},
		{"a|b", "has a character that no file name has"},
		{"a?b", "has a character that no file name has"},
		{"a*b", "has a character that no file name has"},
		{"CON", "is the name of a device"},
		{"nul.cbh", "is the name of a device"},
		{"Aux.tar.gz", "is the name of a device"},
		{`a\PRN.txt`, "is the name of a device"},
		{"com1", "is the name of a device"},
		{"LPT9.cbg", "is the name of a device"},
		{"COM\xb9.x", "is the name of a device"},
		{"conin$", "is the name of a device"},
		{"NUL .cbh", "is the name of a device"},
		{"Base.cbkit-journal", "is a name that cbkit gives to files of its own"},
		{"Base.cbh.CBKIT-lock", "is a name that cbkit gives to files of its own"},
		{`Base.cbh.cbkit-moving\Base.cbh`, "is a name that cbkit gives to files of its own"},
		{".bashrc", "begins with a dot"},
		{`.ssh\x`, "begins with a dot"},
		{"Base.cbg", `"Base.cbg" is the name of file 3 too`},
		{"base.CBG", `"base.CBG" is the name of file 3 too`},
		{"BASE.HTML", `"BASE.HTML" is the folder of file 2 too`},
	} {
		list = append(list, member(3, fmt.Sprintf("the name %q", c.name), func(m *rawMember) { m.name = c.name }, c.want))
	}
	list = append(list,
		member(3, "a name without an end", func(m *rawMember) { m.field = bytes.Repeat([]byte("x"), 128) }, "the name has no end"),
		damage{"a file in a file", func(r *raw) { r.members[4].name = `Base.cba\x` }, `"Base.cba" is the folder of file 5 too`, model.ErrCorrupt, 3},
		damage{"names that differ in the case of an umlaut", func(r *raw) {
			r.members[0].name, r.members[3].name = "\xc4.cbh", "\xe4.cbh"
		}, `"ä.cbh" is the name of file 1 too`, model.ErrCorrupt, 3},
		damage{"names that differ in how an umlaut is stored", func(r *raw) {
			r.members[0].name, r.members[3].name = "\xc4.cbh", "a\u0308.cbh"
		}, "\"a\u0308.cbh\" is the name of file 1 too", model.ErrCorrupt, 3},
	)
	return list
}

// extentDamages are those of places and sizes in the table.
func extentDamages() []damage {
	const huge = 1 << 62
	beyond := func(name string, harm func(m *rawMember), want string) damage {
		return damage{name, func(r *raw) { harm(&r.members[3]) }, want, model.ErrTruncated, 3}
	}
	return []damage{
		member(3, "a stream in the table", func(m *rawMember) { m.offset = at64(872) }, "the stream begins in the table, which ends at 873"),
		member(3, "a stream at the beginning", func(m *rawMember) { m.offset = at64(0) }, "(offset): corrupt: the stream begins in the table"),
		beyond("a stream behind the end", func(m *rawMember) { m.offset = at64(100_000) }, "reach beyond the archive"),
		beyond("a stream at 2^62", func(m *rawMember) { m.offset = at64(huge) }, "reach beyond the archive"),
		member(3, "a negative place", func(m *rawMember) { m.offset = at64(-1) }, "(offset): corrupt: the number is too large"),
		beyond("a stream beyond the end", func(m *rawMember) { m.packed = at64(5_000) }, "(packed size): truncated: 5000 bytes from"),
		beyond("a stream of 2^62 bytes", func(m *rawMember) { m.packed = at64(huge) }, "reach beyond the archive"),
		member(3, "a negative packed size", func(m *rawMember) { m.packed = at64(-1) }, "(packed size): corrupt: the number is too large"),
		member(3, "a size that does not come of it", func(m *rawMember) { m.size = 1 << 40 }, "1099511627776 bytes do not come of"),
		member(3, "a negative size", func(m *rawMember) { m.size = -1 }, "(size): corrupt: the number is too large"),
		member(4, "a size without a stream", func(m *rawMember) { m.size = 1 }, "1 bytes do not come of 0 packed ones"),
		member(3, "two places", func(m *rawMember) { m.offset32 = at32(900) }, "(offset): corrupt: the two copies differ: 900 and"),
		member(3, "two packed sizes", func(m *rawMember) { m.packed32 = at32(1) }, "(packed size): corrupt: the two copies differ"),
		member(3, "two sizes", func(m *rawMember) { m.size32 = at32(18) }, "(size): corrupt: the two copies differ: 18 and 19"),
		damage{"a stream that is used twice", func(r *raw) {
			r.members[3].offset, r.members[3].packed, r.members[3].size = at64(873), at64(12), 7
		}, "the stream at 873 begins inside that of file 1, which ends at 885", model.ErrCorrupt, 3},
		damage{"a stream in another", func(r *raw) { r.members[3].offset = at64(890); r.members[3].packed = at64(5) }, "begins inside that of file 2", model.ErrCorrupt, 3},
		damage{"an archive without its last byte", func(r *raw) { r.cut = 1 }, "x.cbv:Base.cba: record 4 at", model.ErrTruncated, 3},
		damage{"an archive without its last stream", func(r *raw) { r.cut = len(r.members[3].stream) }, "reach beyond the archive", model.ErrTruncated, 3},
	}
}

// streamDamages are those of frames and of sizes that come out.
func streamDamages() []damage {
	set := func(stream []byte) func(m *rawMember) {
		return func(m *rawMember) { m.stream = stream }
	}
	change := func(at int, to byte) func(m *rawMember) {
		return func(m *rawMember) { m.stream[at] = to }
	}
	const first = "x.cbv:Base.cba: at 0x"
	return []damage{
		member(3, "a wrong checksum", change(2, 0), "(block 1): corrupt: the checksum is "),
		member(3, "a flipped bit", func(m *rawMember) { m.stream[20] ^= 1 }, "the checksum is "),
		member(3, "a payload of no bytes", set([]byte{0, 0, 0, 0, 0}), "a block of no bytes, not even its mode"),
		member(3, "a payload of 61,442 bytes", set([]byte{0x02, 0xf0, 0, 0, 0}), "a block longer than 61441 bytes"),
		member(3, "a payload of 65,535 bytes", set([]byte{0xff, 0xff, 0, 0, 0}), "a block longer than 61441 bytes"),
		damage{"a payload that is cut", func(r *raw) { r.members[3].stream = rawBlock(3, huffmanLZ)[:30] }, "the block has 137 bytes, the stream 30 more", model.ErrTruncated, 3},
		damage{"a stream of one byte", func(r *raw) { r.members[3].stream, r.members[3].size = []byte{1}, 0 }, "1 bytes are left of the stream", model.ErrTruncated, 3},
		damage{"a frame that is cut", func(r *raw) { r.members[3].stream = append(rawBlock(3, huffmanLZ), 1, 0, 0) }, first, model.ErrTruncated, 3},
		damage{"a frame without a payload", func(r *raw) { r.members[3].stream = append(rawBlock(3, huffmanLZ), 1, 0, 0, 0) }, "(block 2): truncated: 4 bytes are left", model.ErrTruncated, 3},
		member(3, "mode 4", set(rawBlock(4, huffmanLZ)), "mode 4 is not known"),
		member(3, "mode 255", set(rawBlock(255, huffmanLZ)), "mode 255 is not known"),
		member(3, "content that is too short", func(m *rawMember) { m.size = 20 }, "the blocks hold 19 bytes, the file has 20"),
		member(3, "content that is too long", func(m *rawMember) { m.size = 18 }, "the blocks hold more than the 18 bytes of the file"),
		member(3, "a block too many", func(m *rawMember) { m.stream = append(m.stream, rawBlock(0, "x")...) }, "(block 2): corrupt: the blocks hold more than the 19 bytes"),
		member(2, "a block too few", func(m *rawMember) { m.stream = rawBlock(1, longRuns); m.size-- }, "61442 bytes do not come of 52 packed ones"),
		member(3, "half a file", func(m *rawMember) { m.size = 61_440 }, "the blocks hold 19 bytes, the file has 61440"),
		member(2, "damage in the second block", func(m *rawMember) { m.stream[len(m.stream)-1] ^= 1 }, "(block 2): corrupt: the checksum is"),
		member(3, "a block of nothing", set(rawBlock(0, "")), "(block 1): corrupt: the block has no content"),
		member(3, "a block of nothing behind the file", func(m *rawMember) { m.stream = append(m.stream, rawBlock(0, "")...) }, "(block 2): corrupt: the block has no content"),
		member(4, "a block with content in an empty file", set(rawBlock(0, "x")), "the blocks hold more than the 0 bytes of the file"),
		member(4, "a damaged block in an empty file", set(rawBlock(7, "x")), "mode 7 is not known"),
	}
}

// packDamages are those of LZ streams and Huffman data.
func packDamages() []damage {
	lz := func(name, data, want string) damage {
		return member(3, "LZ: "+name, func(m *rawMember) { m.stream = rawBlock(1, data) }, want)
	}
	huff := func(name, data, want string) damage {
		return member(3, "Huffman: "+name, func(m *rawMember) { m.stream = rawBlock(2, data) }, want)
	}
	const cut, before, long = "the LZ stream breaks off inside a token", "copies from before the block", "the LZ stream holds more than a block"
	const broken, code = "the Huffman data breaks off", "the Huffman code is not complete"
	copyAtOnce := rawHuffman(4, map[byte]string{0: "0", 0x80: "10", 0x30: "11"}, "0"+"10"+"11"+"0")
	two := map[byte]string{'a': "0", 'b': "1"}
	return []damage{
		lz("nothing", "", "the block has no content"),
		lz("half a control word", "\x00", cut),
		lz("half a second control word", "\x00\x00"+strings.Repeat("a", 16)+"\x00", cut),
		lz("a cut run", "\x00\x80\x0f", cut),
		lz("a cut long run", "\x00\x80\x1f\x00", cut),
		lz("a cut copy", "\x00\x10abc\x30", cut),
		lz("a cut long copy", "\x00\x10abc\x20\x00", cut),
		lz("a copy at once", "\x00\x80\x30\x00", before),
		lz("a copy of one byte too far", "\x00\x10abc\x31\x00", before),
		lz("a long copy too far", "\x00\x10abc\x2f\xff\x00", before),
		lz("a run beyond the block", longRuns+"\x00\x00", long),
		lz("a literal beyond the block", longRuns+"a", long),
		lz("a copy beyond the block", "\xff\xff"+longRuns[2:len(longRuns)-3]+"\x10\xef\x00\xff\x00", long),
		lz("runs without end", strings.Repeat("\xff\xff"+strings.Repeat("\x1f\xff\x00", 16), 100), long),
		huff("nothing", "", broken),
		huff("half a size", "\x00", broken),
		huff("no table", "\x00\x03", broken),
		huff("half a table", huffmanABA[:60], broken),
		huff("no data", rawHuffman(30, two, ""), broken),
		huff("data that is cut", rawHuffman(30, two, "0101"), broken),
		huff("more than a block", rawHuffman(61_441, two, strings.Repeat("0", 61_441)), "the Huffman data holds more than a block"),
		huff("a size of 65,535", rawHuffman(65_535, two, ""), "the Huffman data holds more than a block"),
		huff("bytes behind the data", huffmanABA+"\x00", "bytes follow the Huffman data"),
		huff("no codes", rawHuffman(3, nil, "000"), code),
		huff("one code", rawHuffman(3, map[byte]string{'a': "0"}, "000"), code),
		huff("too few codes", rawHuffman(3, map[byte]string{'a': "00", 'b': "01", 'c': "10"}, "000"), code),
		huff("too many codes", rawHuffman(3, map[byte]string{'a': "0", 'b': "1", 'c': "11"}, "000"), code),
		huff("codes that are the same", rawHuffman(3, map[byte]string{'a': "1", 'b': "1"}, "111"), code),
		huff("codes that begin alike", rawHuffman(3, map[byte]string{'a': "0", 'b': "01", 'c': "11"}, "000"), code),
		huff("content that is too short", huffmanABA, "the blocks hold 3 bytes, the file has 19"),
		member(3, "both: a damaged LZ stream", func(m *rawMember) { m.stream = rawBlock(3, copyAtOnce) }, before),
		member(3, "both: a damaged code", func(m *rawMember) { m.stream = rawBlock(3, rawHuffman(3, nil, "")) }, code),
	}
}

// Every kind of damage is said in one line that names the place, nothing panics,
// and what is sound comes out with KeepGoing.
func TestDamage(t *testing.T) {
	var all []damage
	for _, list := range [][]damage{headerDamages(), nameDamages(), extentDamages(), streamDamages(), packDamages()} {
		all = append(all, list...)
	}
	if len(all) < 100 {
		t.Errorf("%d kinds", len(all))
	}
	for _, d := range all {
		t.Run(d.name, func(t *testing.T) {
			r := newRaw()
			d.harm(r)
			data := r.bytes()
			_, err := readAll(data, archive.Options{})
			if err == nil {
				t.Fatal("no error")
			}
			if text := err.Error(); !strings.Contains(text, d.want) || !strings.HasPrefix(text, "x.cbv") || strings.ContainsAny(text, "\n\x1b") {
				t.Errorf("%q does not say %q", text, d.want)
			}
			if !errors.Is(err, d.kind) {
				t.Errorf("%v is not %v", err, d.kind)
			}
			checkSound(t, data, d.lost)
		})
	}
}

// readAll reads an archive as unpack does and returns the first error.
func readAll(data []byte, opt archive.Options) (map[string]string, error) {
	a, err := archive.NewReader(bytes.NewReader(data), int64(len(data)), "x.cbv", opt)
	if err != nil {
		return nil, err
	}
	found := map[string]string{}
	for b, e := range a.Blocks(context.Background()) {
		if e != nil {
			if err == nil {
				err = e
			}
			if b.Member >= 0 {
				delete(found, a.Members()[b.Member].Name)
			}
			continue
		}
		found[a.Members()[b.Member].Name] += string(b.Data)
	}
	return found, err
}

// checkSound compares what KeepGoing gives of a damaged archive with the sound
// one, and what its file system gives with that.
func checkSound(t *testing.T, data []byte, lost int) {
	t.Helper()
	found, err := readAll(data, archive.Options{KeepGoing: true})
	if lost < 0 {
		return
	}
	want := must.Get(readAll(newRaw().bytes(), archive.Options{}))(t)
	a := must.Get(archive.NewReader(bytes.NewReader(data), int64(len(data)), "x.cbv", archive.Options{KeepGoing: true}))(t)
	if m := a.Members()[lost]; (m.Err != nil) == (err != nil) {
		t.Errorf("with KeepGoing: member %v, blocks %v", m.Err, err)
	}
	for i, m := range a.Members() {
		if i == lost {
			if m.Err == nil {
				if b, err := fs.ReadFile(a.FS(), m.Name); err == nil {
					t.Errorf("the file system reads %d damaged bytes", len(b))
				}
			}
			continue
		}
		name := newRaw().members[i].name
		if m.Name != strings.ReplaceAll(name, `\`, "/") {
			name = m.Name // renamed by the damage
			want[name] = want[strings.ReplaceAll(newRaw().members[i].name, `\`, "/")]
		}
		name = strings.ReplaceAll(name, `\`, "/")
		if got, there := found[name]; !there || got != want[name] {
			t.Errorf("%s: %d bytes came out, there: %v", name, len(got), there)
		}
		if b, err := fs.ReadFile(a.FS(), name); err != nil || string(b) != want[name] {
			t.Errorf("%s: %d bytes from the file system, error %v", name, len(b), err)
		}
	}
}
