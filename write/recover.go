package write

import (
	"cbkit/internal/atomicset"
	"cbkit/internal/cbh"
	"cbkit/internal/dbfile"
	"cbkit/internal/fsys"
	"cbkit/model"
)

// Recover restores the database at path after a crash or a full disk: it takes back an
// edit that was interrupted (see [Editor]), and completes or takes back an interrupted
// replacement of the database. Without traces of either it does nothing. It returns what
// it did; the error is model.ErrLocked while another writer has the database, and wraps
// model.ErrCorrupt if the journal of an edit is damaged, and model.ErrNeedsRecovery if it
// is about another state of the files: then nothing is changed.
func Recover(path string, opt model.RecoverOptions) (model.Recovery, error) {
	main := mainFile(path)
	if dbfile.Is(path, main2) {
		main = path
	}
	return recoverSet(fsys.OS{}, main, opt)
}

// setExtensions are the endings of the files that hold the data of a ChessBase
// database; they make way when a database is replaced. Settings (.ini) and folders
// of media stay.
var setExtensions = dbfile.ChessBase.Data()

// chessBaseSet are the files of a ChessBase database. Opening keys cannot be made again:
// they go by the numbers of records, and are moved aside.
var chessBaseSet = atomicset.Options{Extensions: setExtensions, Own: dbfile.ChessBase.Exts(dbfile.Own), Proves: cbh.IsFileHeader}

// chessBase2Set are the files of a database of ChessBase 17, of which only the index of
// positions is written.
var chessBase2Set = atomicset.Options{Extensions: dbfile.ChessBase2.Data()}

// main2 is the ending of its main file.
var main2 = dbfile.ChessBase2[0].Ext

// recoverSet puts the files right that a main file is of.
func recoverSet(files fsys.FS, main string, opt model.RecoverOptions) (model.Recovery, error) {
	set := setOf(main)
	set.Force = opt.Force
	return atomicset.Recover(files, main, set)
}

// mainFile returns the name of a database's .cbh file.
func mainFile(path string) string { return atomicset.MainFile(path, "cbh", setExtensions) }
