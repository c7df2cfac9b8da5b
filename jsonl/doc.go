// Package jsonl reads and writes databases as JSON Lines: UTF-8 text with one
// JSON object on each line, which is one game or one guiding text. Every
// language reads it, line by line, without a library for chess databases.
//
//	{"id":1,"kind":"game","white":"Carlsen, Magnus", … "result":"1/2-1/2", … "moves":[ … ]}
//	{"id":2,"kind":"text","event":"London 1851", … "title":[ … ],"content":[ … ]}
//
// docs/formats/jsonl.md describes every key. In short:
//
//   - Keys have a fixed order and are absent when they have nothing to say. A reader takes
//     them in any order, and null for absent. A key it does not know is an error, so that
//     a misspelt key does not lose data.
//
//   - The moves of a line are an array of objects. "alternatives" of a move
//     are the lines that could be played instead of it, each an array of moves
//     again:
//
//     [{"uci":"e2e4"},
//     {"uci":"c7c5","alternatives":[[{"uci":"c7c6"},{"uci":"d2d4"}]]},
//     {"uci":"g1f3"}]
//
//   - "annotations" is the complete list at a place. "nags", "before",
//     "after" and "medals" repeat some of it for simple programs; they are
//     read only where "annotations" is absent.
//
//   - "cbh" holds what only a full round trip needs: details of tournaments and teams,
//     leftovers of binary formats. If it contradicts a neutral key, which was edited then,
//     the neutral key counts. Checksums show which parts belong to other moves or
//     annotations than the game has now.
//
// Converting to JSON Lines and back gives an equal database
// ([model.Equal]), leftovers included. Entities are numbered anew in the
// order in which records mention them, and those that no record mentions are
// lost, which is reported.
package jsonl

// maxDepth is how deep variations may be nested; real games stay below 10.
const maxDepth = 1000

// maxLine is the length of the longest line, in bytes.
const maxLine = 64 << 20

// A line has at most so many names, titles, tags, texts and annotations, and one more
// for so many bytes: the smallest have three bytes and take hundreds. Moves do not
// count. No line takes more than 64 MB of memory and four times its length.
const (
	mostValues    = 200_000
	bytesPerValue = 256
)

// longLine is what is looked at before it is read, and read again after it was
// written, in bytes.
const longLine = 512 << 10
