// Package gen draws values of the model for property tests with
// pgregory.net/rapid. It is an ordinary package so that the tests of every
// codec share one idea of what a database can hold; only tests import it.
//
// A [Config] says what a codec can take. Its zero value draws whatever has a
// meaning in the model: squares on the board, legal moves, dates of the
// calendar, known words. [Config.Wild] goes to the limits of the Go types.
//
//	rapid.Check(t, func(t *rapid.T) {
//		db := gen.Database(gen.Config{NoTags: true}).Draw(t, "db")
//		…
//	})
//
// Every generator leans towards the corners: games without moves, deep and
// wide variations, null moves, castling, en passant and underpromotion,
// set-up positions with either side to move, Chess960, all kinds of
// annotations, several at one place, deleted records and slots, absent and
// empty entities, texts of every script and with what codecs stumble over.
package gen
