package check

import (
	"slices"

	"cbkit/internal/cbhdb"
)

// severities finds the usual severity of a code.
var severities = func() map[string]Severity {
	m := map[string]Severity{}
	for _, c := range Codes() {
		m[c.Code] = c.Severity
	}
	return m
}()

// isMended reports whether something mends findings of a code.
func isMended(code string) bool {
	i := slices.IndexFunc(codes, func(c Code) bool { return c.Code == code })
	return i >= 0 && codes[i].by != ""
}

// Subject is what findings are about.
type Subject uint8

// The subjects, each with the function that makes its findings. Those of [Database] are
// about search boosters, too.
const (
	AboutDatabases Subject = iota // [Database]
	AboutBoosters                 // [Boosters]: those that are missing or out of date do no harm
	AboutBooks                    // [Book], of a book of ChessBase
	AboutSimple                   // [Simple]
	AboutArchives                 // [Archive]
	AboutPolyglot                 // [Book], of a Polyglot book
)

// Codes lists the codes of findings about some subjects, without any about all, each
// subject's sorted by what they are about.
func Codes(about ...Subject) (list []Code) {
	subjects := [...][]Code{AboutDatabases: codes, AboutBoosters: boosterCodes, AboutBooks: bookCodes, AboutSimple: simpleCodes, AboutArchives: archiveCodes, AboutPolyglot: polyglotCodes}
	if len(about) == 0 {
		return slices.Concat(subjects[:]...)
	}
	for _, a := range about {
		list = append(list, subjects[a]...)
	}
	return list
}

// The codes of findings about databases.
const (
	codeMissingFile     = "missing-file"
	codeMissingOptional = "missing-optional-file"
	codeUnreadableFile  = "unreadable-file"
	codeBadHeader       = "bad-header"
	codeUnknownVersion  = "unknown-version"
	codeCutFile         = "cut-file"
	codeTrailingBytes   = "trailing-bytes"
	codeRecordCount     = "record-count"
	codeExtCount        = "ext-count"
	codeExtEmpty        = "ext-empty"
	codeDeclaredSize    = "declared-size"
	codeHeaderTwins     = "header-twins"
	codeHoleCount       = "hole-count"

	codeRecordType     = "record-type"
	codeUnknownBits    = "unknown-bits"
	codeBadDate        = "bad-date"
	codeBadResult      = "bad-result"
	codeBadECO         = "bad-eco"
	codeLineEvaluation = "line-evaluation"
	codeMisplacedField = "misplaced-field"
	codeReferenceRange = "reference-range"
	codeReferenceDead  = "reference-deleted"
	codeOffsetOutside  = string(cbhdb.OffsetOutside)
	codeOffsetTwins    = "offset-twins"
	codeRecordSize     = string(cbhdb.RecordSize)
	codeDescending     = "descending"
	codeOverlap        = "overlap"
	codeNotExamined    = "not-examined"
	codeChecksum       = "checksum"
	codeMediaOffset    = "media-offset"
	codeMediaRecord    = "media-record"

	codeMoves            = "moves"
	codeUnsupportedMoves = "unsupported-moves"
	codeMoveDummy        = "move-dummy"
	codeMoveEnd          = "move-end"
	codeMoveTrailer      = "move-trailer"
	codeMoveForm         = "move-form"
	codeStartBlock       = "start-block"
	codeText             = "text"
	codeUnsupportedText  = "unsupported-text"
	codeTextMark         = "text-mark"
	codeTextFlags        = "text-flags"
	codeCodePage         = "code-page"

	codeAnnotationRecord    = "annotation-record"
	codeAnnotationCount     = "annotation-count"
	codeAnnotationOrder     = "annotation-order"
	codeAnnotationHead      = "annotation-head"
	codeAnnotationPosition  = "annotation-position"
	codeAnnotationDuplicate = "annotation-duplicate"
	codeAnnotationEmpty     = "annotation-empty"
	codeAnnotationOpaque    = "annotation-opaque"
	codeAnnotationForm      = "annotation-form"
	codeTextUTF8            = "text-utf8"

	codeStaleFlags      = "stale-flags"
	codeStaleOtherFlags = "stale-other-flags"
	codeStaleMagnitude  = "stale-magnitude"
	codeStaleMedals     = "stale-medals"
	codeStaleMaterial   = "stale-material"
	codeStaleMoveCount  = "stale-move-count"

	codeTreeRoot        = "tree-root"
	codeTreeLink        = "tree-link"
	codeTreeDeadLink    = "tree-deleted-link"
	codeTreeCycle       = "tree-cycle"
	codeTreeTwoParents  = "tree-two-parents"
	codeTreeUnreachable = "tree-unreachable"
	codeTreeOrder       = "tree-order"
	codeTreeBalance     = "tree-balance"
	codeTreeUnbalanced  = "tree-unbalanced"
	codeLiveCount       = "live-count"
	codeFreeLink        = "free-list-link"
	codeFreeLive        = "free-list-live"
	codeFreeLoop        = "free-list-loop"
	codeFreeMissing     = "free-list-missing"
	codeDeletedBalance  = "deleted-balance"

	codeReferenceCount = "reference-count"
	codeFirstReference = "first-reference"
	codeUnusedEntity   = "unused-entity"

	codeTournamentExtra = "tournament-extra"
	codeExaminedValue   = "examined-value"
)

// Why findings are left alone that nothing derives.
const (
	noSecondCopy = "the value is stored nowhere else"
	missingBytes = "what is missing is nowhere else; cbkit salvage saves what is there"
	unknownUse   = "what it means is not known"
	harmless     = "it does no harm, and nothing says what else it should be"
	notPlaced    = "nothing tells where the record lies; cbkit salvage looks for it"
	notWhose     = "nothing tells which record the bytes belong to"
	notDecoded   = "what was there before is stored nowhere else; " + salvaged
	salvaged     = "cbkit salvage saves what comes before"
	anew         = "dropped, and made anew by cbkit boosters"
	treeAnew     = "the tree is built anew of the live records"
	treeUnless   = "the file is cut, or records do not stand at their ids and nothing proves which do"
)

// codes is the table behind [Codes]. What docs/formats/real-databases.md 11 lists as
// an error or a note is one. Of the rest, what breaks the structure of a file is an
// error, and all else a note.
var codes = []Code{
	{codeMissingFile, Error, Named, "a file that every database must have is not there", "", missingBytes},
	{codeMissingOptional, Note, Harmless, "records refer to the entities or media lists of an optional file that is not there", "", missingBytes},
	{codeUnreadableFile, Error, Structure, "the file cannot be opened", "", "what cannot be opened cannot be changed"},
	{codeBadHeader, Error, Structure, "the file does not begin as its kind must", "what is the same in all files of the kind, and the size of the file", "other fields of the header do not fit the file either"},
	{codeUnknownVersion, Note, Harmless, "the file is of a version that is not known", "", unknownUse},
	{codeCutFile, Error, Named, "the file ends before the last record that its header announces", "marks of records that are not there; a number of records that the rest of the file disproves", missingBytes},
	{codeTrailingBytes, Note, Named, "bytes lie behind the end that the header declares", "the header gives the file its size", "behind records of one size: " + unknownUse},
	{codeRecordCount, Error, Named, "a counter in the header is not the number of records", "the size of the file; a header or the record of an entity that is there twice goes where all behind it then fit, and an entity that is missing in the middle is made without a name", "records are missing: " + missingBytes},
	{codeExtCount, Error, Named, "the .cbj file has records for some of the games only, or for more than there are", "the records of the .cbh file; missing records that say nothing are made at the end, one that is there twice goes", "the .cbj file ends inside of a record, lacks one in the middle, or has records that the .cbh file lacks"},
	{codeExtEmpty, Note, Named, "the .cbj file has no records: an old database, opened by a newer program", "", "old databases are so, and the next program that adds a game completes it"},
	{codeDeclaredSize, Error, Named, "the header declares more bytes than the file has", "the size of the file", "records lie beyond its end: " + missingBytes},
	{codeHeaderTwins, Note, Harmless, "the 64-bit fields of the header do not repeat the 32-bit ones", "the size of the file and its holes", "it is not known where all records lie"},
	{codeHoleCount, Note, Named, "the header counts other unused bytes than lie between the records", "the bytes between the records", "it is not known where all records lie"},

	{codeRecordType, Error, Structure, "the record is not marked as in use", "the content of the record, which decodes", "its content does not decode"},
	{codeUnknownBits, Note, Harmless, "bits or bytes are set that mean nothing known", "", unknownUse},
	{codeBadDate, Note, Harmless, "the date has a month beyond 12", "", noSecondCopy},
	{codeBadResult, Note, Harmless, "the result is none of the eight; it is read as none", "", noSecondCopy},
	{codeBadECO, Note, Harmless, "the opening is neither an ECO code nor a Chess960 number; it is read as none", "", noSecondCopy},
	{codeLineEvaluation, Note, Harmless, "a game with a result has an evaluation of its last position too", "", harmless},
	{codeMisplacedField, Note, Harmless, "a field is set that a record of this kind does not have", "", harmless},
	{codeReferenceRange, Error, Named, "the record refers to an entity that does not exist", "", noSecondCopy},
	{codeReferenceDead, Error, Named, "the record refers to a deleted entity", "", noSecondCopy},
	{codeOffsetOutside, Error, Named, "the offset leads into the file's header or past its end", "the other field that has the place, or annotations whose head names the game", notPlaced},
	{codeOffsetTwins, Error, Named, "the 64-bit offset in the .cbj file does not repeat that of the .cbh file", "the place at which a part of the record decodes", "at none of the two it does, or a record is missing before it: cbkit salvage knows which belong together"},
	{codeRecordSize, Error, Named, "the size of the record is impossible or leads past the end of the file", "the content, which ends before the next record", "it breaks off, or is not what the header says of it; " + salvaged},
	{codeDescending, Error, Named, "the record lies before that of the game before it", "the records of the other file with headers, which two that are exchanged fit only in each other's place", notWhose},
	{codeOverlap, Error, Named, "the record begins inside that of an earlier game", "", notWhose},
	{codeNotExamined, Error, Named, "the record shares so many bytes with others that it was not decoded", "", notWhose},
	{codeChecksum, Error, Named, "the checksum of a .cbj record is wrong", "the record", "the .cbj file is of a version that is not known"},
	{codeMediaOffset, Error, Named, "the place of the media list is none in the .cbm file", "", noSecondCopy},
	{codeMediaRecord, Note, Harmless, "the record of the .cbm file holds no list", "", notDecoded},

	{codeMoves, Error, Named, "the moves do not decode although their encoding is known", "", notDecoded},
	{codeUnsupportedMoves, Error, Named, "the moves are stored in a way that is not known", "", unknownUse},
	{codeMoveDummy, Note, Named, "the moves hold bytes without a meaning, as old programs wrote them", "", "it does no harm, and leaving it out would move all that follows"},
	{codeMoveEnd, Note, Harmless, "the mark at the end of the moves is missing", "", "it does no harm, and there is no room for the mark"},
	{codeMoveTrailer, Note, Named, "bytes follow the end of the moves", "", unknownUse},
	{codeMoveForm, Note, Harmless, "moves are stored in a longer code than theirs, or in the second of two codes", "", "it says the same"},
	{codeStartBlock, Note, Harmless, "the start position names a pawn, king or rook that is not there, or has bytes that mean nothing known", "", harmless},
	{codeText, Error, Structure, "the content of a guiding text does not decode", "", notDecoded},
	{codeUnsupportedText, Note, Harmless, "the guiding text is of a version that is not known", "", unknownUse},
	{codeTextMark, Note, Harmless, "the guiding text is not marked as one in the .cbg file", "the content, which is that of a text", "it does not decode"},
	{codeTextFlags, Note, Harmless, "a guiding text has a media list, but not the flag for pictures", "the media list of the text", "its content does not decode"},
	{codeCodePage, Note, Named, "texts are in a code page that is not named in the database; --codepage names it", "", "the database has no place for the name of a code page"},

	{codeAnnotationRecord, Error, Structure, "the sizes in the annotations do not lead to their end", "", notDecoded},
	{codeAnnotationCount, Error, Named, "the annotations are not as many as their head says", "the annotations", "their sizes do not lead to the end of the record, or it lies inside of others"},
	{codeAnnotationOrder, Error, Named, "the annotations are not in the order of the moves", "", "nothing tells which move the annotation belongs to"},
	{codeAnnotationHead, Note, Harmless, "the head names another game, or is not the usual one", "the game that points to it", "the record lies inside of others, or does not decode; the game that it names has no others, or has these only too"},
	{codeAnnotationPosition, Note, Harmless, "an annotation belongs to a move that does not exist", "", "nothing tells which move the annotation belongs to"},
	{codeAnnotationDuplicate, Note, Harmless, "a move has two annotations of one type, or two texts in one language", "", harmless},
	{codeAnnotationEmpty, Note, Harmless, "the record holds no annotations", "", harmless},
	{codeAnnotationOpaque, Note, Named, "annotations of an unknown type, or with an unknown content", "", unknownUse},
	{codeAnnotationForm, Note, Harmless, "annotations are stored in other bytes than their values are written in", "", "it says the same"},
	{codeTextUTF8, Note, Harmless, "texts of annotations are stored as UTF-8 though the code page holds them", "", "it says the same"},

	{codeStaleFlags, Error, Named, "flags of the game are not those of its moves and annotations", "moves and annotations, those too that only their own head assigns to the game, or that fit no other", "the record lies inside of others, or it is not known whose annotations are"},
	{codeStaleOtherFlags, Note, Harmless, "the same of flags whose rule is known from other programs only, and of the starting position of Chess960", "", "the rule of these flags is not proven"},
	{codeStaleMagnitude, Note, Named, "the magnitude bits are not those of the annotations and variations", "moves and annotations", "the record lies inside of others"},
	{codeStaleMedals, Note, Harmless, "the medals of the game are not those of its annotations", "the annotations", "the record lies inside of others"},
	{codeStaleMaterial, Note, Named, "the material words are not what both sides have at the end", "the moves", "the record lies inside of others"},
	{codeStaleMoveCount, Error, Named, "the number of moves is not that of the main line", "the moves", "the record lies inside of others"},

	{codeTreeRoot, Error, Named, "the root of the tree is no live record", treeAnew, treeUnless},
	{codeTreeLink, Error, Named, "a link of the tree leads outside the file", treeAnew, treeUnless},
	{codeTreeDeadLink, Error, Named, "a link of the tree leads to a deleted record", treeAnew, treeUnless},
	{codeTreeCycle, Error, Named, "a link of the tree leads back up", treeAnew, treeUnless},
	{codeTreeTwoParents, Error, Named, "two links of the tree lead to one record", treeAnew, treeUnless},
	{codeTreeUnreachable, Error, Named, "a live record is not in the tree", treeAnew, treeUnless},
	{codeTreeOrder, Error, Named, "two neighbours in the tree are in the wrong order", treeAnew, treeUnless},
	{codeTreeBalance, Error, Named, "a balance is wrong; a note in an old database", treeAnew, treeUnless},
	{codeTreeUnbalanced, Error, Named, "the tree is out of balance; a note in an old database", treeAnew, treeUnless},
	{codeLiveCount, Error, Named, "the header counts other live records than there are; a note in an old database", "the live records", treeUnless},
	{codeFreeLink, Error, Named, "the list of deleted records leads outside the file", "the list is made anew of the deleted records", treeUnless},
	{codeFreeLive, Error, Named, "the list of deleted records leads to a live one", "the list is made anew of the deleted records", treeUnless},
	{codeFreeLoop, Error, Named, "the list of deleted records has no end", "the list is made anew of the deleted records", treeUnless},
	{codeFreeMissing, Error, Named, "a deleted record is not on the list of deleted records", "the list is made anew of the deleted records", treeUnless},
	{codeDeletedBalance, Error, Named, "a deleted record has a balance; a note in an old database", "the record is deleted, and so is in no tree", treeUnless},

	{codeReferenceCount, Error, Named, "the number of references is wrong; a note for a single empty entity that is not used, and one note for all teams or titles where the .cbj file does not have the references of all games", "the references of all records", "a record refers to nobody who is there, nobody refers to the entity, or the .cbj file does not have all references"},
	{codeFirstReference, Error, Named, "the first record that refers to the entity is another", "the references of all records", "a record refers to nobody who is there"},
	{codeUnusedEntity, Error, Named, "no record refers to a live entity, and its count says so; a note for a single empty one", "", "nothing tells whether it was left over or has lost its records; cbkit compact --purge removes it"},

	{codeTournamentExtra, Note, Harmless, "the .cbtt file has records beyond the tournaments, or bytes that say nothing about one", "", unknownUse},
	{codeExaminedValue, Note, Harmless, "the .flags file has the value 1, which is not known", "", unknownUse},
}

// The codes of findings about Polyglot books.
const (
	binFile      = "bin-file"
	binCut       = "bin-cut"
	binOrder     = "bin-order"
	binMove      = "bin-move"
	binIllegal   = "bin-illegal"
	binMoveTwice = "bin-move-twice"
	binCastling  = "bin-castling"
	binNoMove    = "bin-no-move"
	binWeights   = "bin-weights"
	binUnreached = "bin-unreached"
)

var polyglotCodes = []Code{
	{binFile, Error, Structure, "the file is no Polyglot book: its beginning has no order, or no moves", "", ""},
	{binCut, Error, Structure, "the file ends inside an entry", "", ""},
	{binOrder, Error, Structure, "a key that is less than the one before; programs search by halves, and miss entries", "", ""},
	{binMove, Error, Structure, "bits that are no move of any position", "", ""},
	{binIllegal, Error, Structure, "a move that is not legal in its position; the positions that the book leads to are looked at", "", ""},
	{binMoveTwice, Error, Structure, "a move that its position lists twice", "", ""},
	{binCastling, Note, Harmless, "castling as the king's own two steps, in place of the king taking its rook", "", ""},
	{binNoMove, Note, Harmless, "an entry with the move 0, which programs ignore", "", ""},
	{binWeights, Note, Harmless, "a position of which no move has a weight, so that programs play none", "", ""},
	{binUnreached, Note, Harmless, "positions that nothing in the book leads to from the start of the game", "", ""},
}

// The codes of findings about opening books.
const (
	bookMissingFile = "book-missing-file"
	bookHeader      = "book-header"
	bookFileSize    = "book-file-size"
	bookPageCount   = "book-page-count"
	bookPositions   = "book-position-count"
	bookDirectory   = "book-directory"
	bookBounds      = "book-bounds"
	bookUnusedPage  = "book-unused-page"
	bookRootLeaf    = "book-root-leaf"
	bookShortCTO    = "book-short-cto"

	bookPage      = "book-page"
	bookKey       = "book-key"
	bookMisplaced = "book-misplaced"
	bookTwice     = "book-twice"

	bookMove       = "book-move"
	bookMoveTwice  = "book-move-twice"
	bookMoveForm   = "book-move-form"
	bookManyMoves  = "book-many-moves"
	bookChild      = "book-child"
	bookStatistics = "book-statistics"
	bookScore      = "book-score"
	bookRatings    = "book-ratings"
)

var bookCodes = []Code{
	{bookMissingFile, Error, Structure, "the .ctb or .cto file is missing", "", ""},
	{bookHeader, Error, Structure, "the header page is not one of a book", "", ""},
	{bookFileSize, Error, Structure, "a .ctg file ends inside a page, or a .ctb or .cto file has not the size that its header states; a note if one of these only goes on", "", ""},
	{bookPageCount, Error, Named, "the header counts another number of pages than the file has", "", ""},
	{bookPositions, Note, Named, "the header counts another number of positions than are stored, as after deletions", "", ""},
	{bookDirectory, Error, Structure, "the .ctb and .cto files are damaged or do not fit each other, or the .ctg file lacks pages that they have", "", ""},
	{bookBounds, Error, Named, "the lower or upper bound contradicts the bitmap; a note if it is only not the tightest", "", ""},
	{bookUnusedPage, Error, Named, "no leaf of the directory has this page", "", ""},
	{bookRootLeaf, Note, Harmless, "the whole book is one page under the root, where some programs do not look", "", ""},
	{bookShortCTO, Note, Harmless, "some programs look past the end of the .cto file for positions that are not in the book", "", ""},

	{bookPage, Error, Structure, "the entries of a page do not fill its used part", "", ""},
	{bookKey, Error, Structure, "a key that no position has", "", ""},
	{bookMisplaced, Error, Named, "an entry on a page where nobody looks for it", "", ""},
	{bookTwice, Error, Named, "two entries for one position on a page", "", ""},

	{bookMove, Error, Named, "a move byte that means no legal move", "", ""},
	{bookMoveTwice, Error, Named, "a move that is listed twice", "", ""},
	{bookMoveForm, Note, Harmless, "a move byte that only ChessBase reads rightly", "", ""},
	{bookManyMoves, Note, Harmless, "more moves than some programs have room for", "", ""},
	{bookChild, Error, Named, "a listed move leads to a position that is not in the book", "", ""},
	{bookStatistics, Error, Named, "more results than games", "", ""},
	{bookScore, Note, Harmless, "the score does not fit the results; old books leave it out", "", ""},
	{bookRatings, Note, Harmless, "a sum of ratings of no games, or ratings in more games than there are", "", ""},
}

// The codes of findings about search boosters.
const (
	codeBoosterMissing  = "booster-missing"
	codeBoosterStale    = "booster-stale"
	codeBoosterHeader   = "booster-header"
	codeBoosterPair     = "booster-pair"
	codeBoosterList     = "booster-list"
	codeBoosterBlock    = "booster-block"
	codeBoosterShared   = "booster-shared-block"
	codeBoosterFree     = "booster-free-list"
	codeBoosterLost     = "booster-lost-block"
	codeBoosterContent  = "booster-content"
	codeBoosterCount    = "booster-count"
	codeBoosterTrace    = "booster-trace"
	codeBoosterOffset   = "booster-offset"
	codeBoosterUnsealed = "booster-unsealed"
	codeBoosterUnknown  = "booster-unknown"
	codeBoosterMore     = "booster-more"
)

var boosterCodes = []Code{
	{codeBoosterMissing, Note, Named, "the file is not there", "", "it does no harm; cbkit boosters makes it"},
	{codeBoosterStale, Note, Named, "the file does not cover the last records of the database; in a check of the whole database also one with other content than the records have", anew, ""},
	{codeBoosterHeader, Error, Structure, "the header, or the size of the file, is not as it must be; a note for reserved bytes that are not 0", anew, "it is a note: " + unknownUse},
	{codeBoosterPair, Error, Structure, "of two files that belong together one is missing; a note if it is the table, without which nothing leads into the blocks", anew, "it is a note: nothing leads into the blocks"},
	{codeBoosterList, Error, Structure, "a list breaks off, runs in a circle, or is out of order", anew, ""},
	{codeBoosterBlock, Note, Harmless, "a word of a block that is always 0 is not", "", harmless},
	{codeBoosterShared, Error, Named, "two lists share a block", anew, ""},
	{codeBoosterFree, Error, Named, "the list of free blocks leads into a circle, outside the file, or to a block in use", anew, ""},
	{codeBoosterLost, Error, Named, "blocks are neither in use nor free; a note if it is block 0, which cannot be marked as free, or those that were free before it", anew, "it is a note: real files have it"},
	{codeBoosterContent, Error, Named, "a list is not that of the records that refer to the entity, or the index has something else of a game than its positions; in a check of the whole database the note booster-stale, but for an index that searches use", anew, ""},
	{codeBoosterCount, Note, Harmless, "the entity's own count, or first record, is not that of its list: searches read all records instead", "the references of all records", "as for the counts of the entity"},
	{codeBoosterTrace, Error, Named, "the squares noted for a game are not those of its moves; in a check of the whole database the note booster-stale, unless a seal vouches for the file", anew, ""},
	{codeBoosterOffset, Error, Named, "the place noted for a game's moves is another than in the .cbh file; in a check of the whole database the note booster-stale", anew, ""},
	{codeBoosterUnsealed, Note, Harmless, "no seal vouches for the .cbb file, or the index of positions was made for another state of the database: searches play through all games instead", "dropped where the repair has changed what it is about, and made anew by cbkit boosters", "nothing has changed"},
	{codeBoosterUnknown, Note, Harmless, "the file cannot be compared with the database, parts of which are missing or damaged", "", "the database is damaged"},
	{codeBoosterMore, Note, Harmless, "there are more findings than are listed", "", "it stands for other findings"},
}

// The codes of findings about Simple Chess Databases.
const (
	simpleUnreadable = "simple-unreadable"
	simpleMisprint   = "simple-misprint"
	simpleLayout     = "simple-layout"
	simpleCut        = "simple-cut"
	simpleCodePage   = "simple-code-page"

	simpleReference = "simple-reference"
	simpleField     = "simple-field"
	simpleSearch    = "simple-search-fields"

	simpleExtent = "simple-extent"
	simpleGame   = "simple-game"
	simpleForm   = "simple-form"
	simpleUnused = "simple-unused"
)

var simpleCodes = []Code{
	{simpleUnreadable, Error, Structure, "a file is missing or is something else; nothing more can be said", "", ""},
	{simpleMisprint, Note, Harmless, "the magic bytes have the misprint of the format's description", "", ""},
	{simpleLayout, Note, Harmless, "the index has a layout of a draft of the format", "", ""},
	{simpleCut, Error, Structure, "the index ends inside an entry", "", ""},
	{simpleCodePage, Note, Harmless, "names or comments are not UTF-8", "", ""},

	{simpleReference, Error, Structure, "an entry refers to a name that is not there", "", ""},
	{simpleField, Note, Harmless, "a status, result, date or ECO code without a meaning", "", ""},
	{simpleSearch, Note, Harmless, "the fields for searches do not follow from the moves", "", ""},

	{simpleExtent, Error, Structure, "a game does not lie inside its file", "", ""},
	{simpleGame, Error, Structure, "a game cannot be read, or not to its end", "", ""},
	{simpleForm, Note, Harmless, "a game is stored in another form than the usual one; a copy keeps it", "", ""},
	{simpleUnused, Note, Harmless, "the file of games has bytes that no entry leads to, or that several lead to", "", ""},
}

// The codes of findings about archives.
const (
	archiveTable = "archive-table"
	archiveStamp = "archive-stamp"

	archiveMember     = "archive-member"
	archiveBlock      = "archive-block"
	archiveShortBlock = "archive-short-block"
)

var archiveCodes = []Code{
	{archiveTable, Note, Harmless, "header, table or what follows the last stream is not what ChessBase writes", "", ""},
	{archiveStamp, Note, Harmless, "a file has no date, or none that there is", "", ""},

	{archiveMember, Error, Structure, "a file cannot be read: its name, place or size is wrong", "", ""},
	{archiveBlock, Error, Structure, "a block cannot be unpacked, or does not fit its file", "", ""},
	{archiveShortBlock, Note, Harmless, "a block that is not the last of its file is not full", "", ""},
}
