package cbh

// EmptyFile returns the bytes of the file with the given extension, such as
// ".cbp", in a database without records, false if a database always has a file
// of its own there or none at all (.ini, boosters). A new database consists of
// NewFileExts. Source: docs/formats/cbh-entities.md 14, docs/formats/real-databases.md 1.
func EmptyFile(ext string) ([]byte, bool) {
	for _, f := range EntityFiles {
		if f.Ext == ext {
			h := NewEntityHeader(f)
			return h.Append(nil), true
		}
	}
	switch ext {
	case ".cbh":
		h := NewFileHeader(0)
		return h.Append(nil), true
	case ".cbj":
		h := NewExtHeader()
		return h.Append(nil), true
	case ".cbg", ".cba":
		h := NewBlockHeader(BlockHeaderSize, 0)
		return h.Append(nil), true
	case ".cbm":
		h := NewMediaHeader()
		return h.Append(nil), true
	case ".cbtt":
		h := NewTournamentExtraHeader()
		return append(h.Append(nil), defaultTournamentExtra[:]...), true
	case ".flags":
		return NewExamined(0).Append(nil), true
	}
	return nil, false
}

// NewFileExts are the files of a new database. The last one is written last: a
// database is there when its .cbh file is.
var NewFileExts = []string{
	".cbg", ".cba", ".cbp", ".cbt", ".cbc", ".cbs", ".cbe", ".cbl", ".cbm", ".cbtt", ".cbj", ".cbh",
}
