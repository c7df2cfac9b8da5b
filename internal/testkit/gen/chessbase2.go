package gen

import (
	"testing/fstest"

	"cbkit/internal/cbh2"
)

// EmptyChessBase2 returns the files of a database of ChessBase 17 without records, which
// is called Games.
func EmptyChessBase2() fstest.MapFS {
	names := cbh2.NamesHeader{Size: 8 + 6*20, Types: make([]cbh2.NamesType, 6)}
	for i, size := range []int64{1024, 1120, 220, 1024, 314, 532} {
		names.Types[i] = cbh2.NamesType{Record: size, FirstDeleted: -1}
	}
	return fstest.MapFS{
		"Games.2cbh": {Data: cbh2.Header{Unknown08: 38, RecordSize: cbh2.RecordSize, Version: 5, NextID: 1}.Append(nil)},
		"Games.2cbg": {Data: cbh2.BlobHeader{Size: cbh2.BlobHeaderSize, Head: cbh2.BlobHeaderSize, Empty: 1}.Append(nil)},
		"Games.2cba": {Data: cbh2.BlobHeader{Size: cbh2.BlobHeaderSize, Head: cbh2.BlobHeaderSize}.Append(nil)},
		"Games.2lid": {Data: names.Append(nil)},
	}
}
