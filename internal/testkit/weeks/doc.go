// Package weeks plays weeks of a user's work on a disk that fails. It has tests alone.
//
// A seed makes a script: steps, each of which is something that writes (a transaction of an
// editor, a conversion, a book, an archive, a recovery) with what goes wrong in its midst. They
// are played on one disk in memory (package crashfs), which stands for that of the machine
// ([fsys.Play]), so that whatever is above it is the product as it is. Behind each step the disk
// must hold what a model says that knows games as lines of text: the old state or the new one,
// and of the two the one that was told.
//
//	go test ./internal/testkit/weeks                          # the usual seeds
//	go test ./internal/testkit/weeks -seeds 20000 -from 1     # more
//	go test ./internal/testkit/weeks -from 4711 -seeds 1 -v   # one of them, with its script
//	go test ./internal/testkit/weeks -run EveryCall -every-call -timeout 0 -v   # one step, at every call
//	go test ./internal/testkit/weeks -run Mutations -mutations -timeout 0 -v   # what notices what
//
// What fails is told by the shortest script that still fails.
package weeks
