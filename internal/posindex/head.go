package posindex

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"

	"cbkit/internal/booster"
	"cbkit/internal/dbfile"
	"cbkit/model"
)

// What an index holds where nothing else is asked for.
const (
	DefaultPlies = 40
	DefaultMen   = 12
	// MostPlies is as many as can be asked for.
	MostPlies = 10000
)

// Head is what the header of an index says. (docs/formats/positions.md 2)
type Head struct {
	Plies int // positions are listed after so many plies at most,
	Men   int // and those with so many men at most
	// Structures says that pawn structures and material are listed too.
	Structures bool
	Records    model.RecordID     // of the database
	States     booster.SealStates // of the files that it follows from

	segments   []segment      // the first one of all records that there were; then newer and newer ones
	sets       int64          // size of the sets of records
	summaries  int64          // size of the summaries
	summarized model.RecordID // how many records there were when summaries were made; 0: they hold no more
	log        int64          // size of the changes, which come last
}

// stored is a header as it is stored, before zeros.
type stored struct {
	Title                         [len(title)]byte
	Sum, Version                  uint32
	Plies, Men, Records, Segments uint32
	States                        [3]booster.State
	Sets, Summaries, Log          int64
	Leaves                        [mostSegments]uint64
	Summarized                    uint32
	Structures                    bool
}

const (
	title   = "cbkit positions\n"
	version = 4
	// HeadSize is the size of the header, which comes before all else.
	HeadSize  = blockSize
	headSumAt = len(title)

	mostSegments = 8
	// mostSets is how many bytes sets of records take at most.
	mostSets = (1 + mostSegments) * 2 * binary.MaxVarintLen32 << 23
)

// castagnoli has instructions of its own on most processors.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// sum returns the sum of some bytes.
func sum(b []byte) uint32 { return crc32.Checksum(b, castagnoli) }

// Block returns the header as it is stored, a block.
func (h *Head) Block() []byte {
	s := stored{
		Version: version, Plies: uint32(h.Plies), Men: uint32(h.Men), Records: uint32(h.Records), Segments: uint32(len(h.segments)),
		Sets: h.sets, Summaries: h.summaries, Log: h.log, Summarized: uint32(h.summarized), Structures: h.Structures,
	}
	copy(s.Title[:], title)
	copy(s.States[:], h.States[:])
	for i := range h.segments {
		s.Leaves[i] = h.segments[i].leaves
	}
	b := make([]byte, HeadSize)
	_, _ = binary.Encode(b, binary.LittleEndian, &s) // it has the room
	binary.LittleEndian.PutUint32(b[headSumAt:], sum(b[headSumAt+4:]))
	return b
}

// parseHead reads what Block gives.
func parseHead(f *dbfile.File) (h Head, err error) {
	b, err := f.Start(HeadSize)
	if err != nil {
		return h, err
	}
	if !bytes.HasPrefix(b, []byte(title)) {
		return h, f.Wrong(0, -1, "title", model.ErrCorrupt, "the file does not begin like an index of positions")
	}
	if len(b) < HeadSize {
		return h, f.Wrong(int64(len(b)), -1, "header", model.ErrTruncated, "the file ends in its header")
	}
	var s stored
	_, _ = binary.Decode(b, binary.LittleEndian, &s) // it is there
	switch {
	case s.Sum != sum(b[headSumAt+4:]):
		return h, f.Wrong(int64(headSumAt), -1, "sum", model.ErrCorrupt, "the header has another sum")
	case s.Version != version:
		return h, f.Wrong(int64(headSumAt+4), -1, "version", model.ErrUnsupported, "version %d", s.Version)
	case s.Plies > MostPlies || s.Men > mostMen || s.Records > 1<<24 || s.Segments > mostSegments || s.Summarized > s.Records:
		return h, f.Wrong(int64(headSumAt+8), -1, "header", model.ErrCorrupt,
			"%d plies, %d men, %d records, %d with summaries, %d segments", s.Plies, s.Men, s.Records, s.Summarized, s.Segments)
	}
	h = Head{
		Plies: int(s.Plies), Men: int(s.Men), Structures: s.Structures, Records: model.RecordID(s.Records), States: booster.NoStates(),
		segments: make([]segment, s.Segments), sets: s.Sets, summaries: s.Summaries, summarized: model.RecordID(s.Summarized), log: s.Log,
	}
	copy(h.States[:], s.States[:])
	for i := range h.segments {
		h.segments[i].leaves = min(s.Leaves[i], uint64(f.Size()))
	}
	if h.log < 0 || h.log > MostChanged || h.summaries < 0 || h.summaries > mostSummaries || h.sets < 0 || h.sets > mostSets ||
		h.end()+h.sets+h.summaries+h.log != f.Size() {
		return h, f.Wrong(h.end(), -1, "segments", model.ErrTruncated, "the segments end here, the file at %#x; sets have %d bytes, summaries %d, changes %d",
			f.Size(), h.sets, h.summaries, h.log)
	}
	return h, nil
}

// end returns where the segments end.
func (h *Head) end() int64 {
	end := int64(HeadSize)
	for i := range h.segments {
		end += h.segments[i].size()
	}
	return end
}
