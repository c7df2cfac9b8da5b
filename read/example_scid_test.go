package read_test

import (
	"context"
	"fmt"
	"testing/fstest"

	"cbkit/model"
	"cbkit/pgn"
	"cbkit/read"
)

// The file of games alone is left of a database of Scid.
func ExampleRescueScid() {
	files := fstest.MapFS{"Games.sg4": {Data: []byte{0, 0, 0xcf, 0xcf, 0x67, 0x0f}}} // 1.e4 e5 2.Nf3
	set, err := read.FindFilesFS(files, "Games.sg4")
	if err != nil {
		panic(err)
	}
	db, ids, err := read.RescueScid(set, ".si4", read.Options{})
	if err != nil {
		panic(err)
	}
	defer db.Close()
	fmt.Println(ids, "entries")
	for rec, err := range db.Records(context.Background(), 1, model.WantMoves) {
		fmt.Println(pgn.MoveText(rec.Game), err)
	}
	// Output:
	// 0 entries
	// 1. e4 e5 2. Nf3 * <nil>
}
