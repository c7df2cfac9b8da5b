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
//
// Mutations take out each sync and lock in turn; TestRules breaks orders of two steps and checks of
// what a crash has left. Some that no seed comes to are noticed by tests of their own: the mark of
// members, folders in a set and what is kept of the old one (TestMembersCrash, TestReplaceFolders of
// package atomicset), what a killed commit has left, and the copy of a forced recovery
// (TestClearAfterKill, TestCrashWhileForced of package journal).
package weeks
