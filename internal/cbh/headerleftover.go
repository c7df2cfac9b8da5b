package cbh

// What the headers of a record say about the places of its parts is not worth
// keeping: the places change with every copy. In a leftover the 64-bit place
// of the moves is only there (1) or not (0), as version 8 of the .cbj file has
// it in some games (docs/formats/cbh-entities.md 5); all other places are 0, and a
// checksum that was right is right for that.

// AppendGameLeftover appends what is kept of the headers of a game,
// model.GameLeftovers.Header: the .cbh record and, behind it, the .cbj record
// in size bytes; size 0 is none.
func AppendGameLeftover(dst []byte, r GameRecord, ext ExtRecord, size int) []byte {
	r.MovesOffset, r.AnnotationsOffset = 0, 0
	return appendExtLeftover(r.Append(dst), ext, size)
}

// AppendTextLeftover is the same for guiding texts,
// model.TextLeftovers.Header.
func AppendTextLeftover(dst []byte, r TextRecord, ext ExtRecord, size int) []byte {
	r.Offset = 0
	return appendExtLeftover(r.Append(dst), ext, size)
}

func appendExtLeftover(dst []byte, ext ExtRecord, size int) []byte {
	if size == 0 {
		return dst
	}
	ext.MovesOffset = min(ext.MovesOffset, 1)
	ext.SetAnnotationsOffset(0)
	return ext.Append(dst, size)
}

// SetAnnotationsOffset sets the place of the annotations. A checksum that was
// right stays right, a wrong one stays what it is.
func (r *ExtRecord) SetAnnotationsOffset(place uint64) {
	r.keepChecksum(func() { r.AnnotationsOffset = place })
}

// SetMedia sets the place of a list of media files in the same way.
func (r *ExtRecord) SetMedia(place int32) {
	r.keepChecksum(func() { r.Media = place })
}

// SetMaterialWords sets both material words in the same way.
func (r *ExtRecord) SetMaterialWords(words [2]uint32) {
	r.keepChecksum(func() { r.Material = words })
}

// keepChecksum makes a change under the checksum.
func (r *ExtRecord) keepChecksum(change func()) {
	right := r.Checksum == r.Sum()
	change()
	if right {
		r.Checksum = r.Sum()
	}
}
