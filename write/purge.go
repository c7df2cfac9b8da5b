package write

import (
	"cbkit/internal/cbh"
	"cbkit/internal/cbhdb"
	"cbkit/model"
)

// purging is what a copy leaves out besides records: entities and lists of media
// that nobody refers to.
type purging struct {
	media mediaMoves
	links int // from texts to games and texts, by numbers that have changed
}

// mediaMoves are the lists of a .cbm file that records refer to, in the order in
// which they do.
type mediaMoves struct {
	old    *cbh.MediaFile // nil if there is none that can be read
	lists  []byte         // the records of the new file
	places map[int32]int32
}

// open reads the lists of media of the source.
func (p *purging) open(from *cbhdb.DB) error {
	b, err := from.Content(mediaExt)
	if b == nil || err != nil {
		return err
	}
	if p.media.old, err = cbh.DecodeMediaFile(b); err != nil {
		p.media.old = nil // it is copied as it is
	}
	return nil
}

// mediaExt is the ending of the file with lists of media.
const mediaExt = ".cbm"

// put takes a record that stays: its list of media gets another place, and its
// links are counted.
func (p *purging) put(h *cbhdb.Header, text []byte) {
	if h.Type().IsText() {
		p.links += cbh.GuideLinks(text)
	}
	if p.media.old == nil || h.Ext == nil {
		return
	}
	ext := cbh.DecodeExtRecord(h.Ext)
	if place := p.media.place(ext.Media); place != ext.Media {
		ext.SetMedia(place)
		h.Ext = ext.Append(h.Ext[:0], len(h.Ext))
	}
}

// place returns where a list is in the new file.
func (m *mediaMoves) place(old int32) int32 {
	if here, ok := m.places[old]; ok {
		return here
	}
	size := int(m.old.Header.RecordSize)
	i, ok := cbh.MediaIndex(int64(old), size)
	if !ok {
		return old
	}
	_, raw, _, err := m.old.List(i)
	if err != nil {
		return old
	}
	here := int32(cbh.MediaOffset(len(m.lists)/size, size))
	m.places[old], m.lists = here, append(m.lists, raw...)
	return here
}

// file returns the new file.
func (m *mediaMoves) file() []byte {
	h := m.old.Header
	h.Records = int32(len(m.lists) / int(h.RecordSize))
	return append(h.Append(nil), m.lists...)
}

// tell reports what does not follow a change of numbers.
func (p *purging) tell(report model.Report) {
	if p.links > 0 {
		report.Add(model.LostField, 0, "links", "%d links in guiding texts go by the numbers of games and texts, which have changed", p.links)
	}
}
