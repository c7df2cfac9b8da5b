package check

import "cbkit/internal/cbhdb"

// Codes lists the findings of [Database], sorted by what they are about; those
// about search boosters are among [BoosterCodes].
func Codes() []Code { return append([]Code(nil), codes...) }

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

// codes is the table behind [Codes]. What the list at the end of
// docs/formats/real-databases.md names, as error or note, is ruled by the sheet. Of the
// rest, what breaks the structure of a file is an error, and all else a note.
var codes = []Code{
	{codeMissingFile, Error, Sheet, "a file that every database must have is not there"},
	{codeMissingOptional, Note, Harmless, "records refer to the entities or media lists of an optional file that is not there"},
	{codeUnreadableFile, Error, Structure, "the file cannot be opened"},
	{codeBadHeader, Error, Structure, "the file does not begin as its kind must"},
	{codeUnknownVersion, Note, Harmless, "the file is of a version that is not known"},
	{codeCutFile, Error, Sheet, "the file ends before the last record that its header announces"},
	{codeTrailingBytes, Note, Sheet, "bytes lie behind the end that the header declares"},
	{codeRecordCount, Error, Sheet, "a counter in the header is not the number of records"},
	{codeExtCount, Error, Sheet, "the .cbj file has records for some of the games only, or for more than there are"},
	{codeExtEmpty, Note, Sheet, "the .cbj file has no records: an old database, opened by a newer program"},
	{codeDeclaredSize, Error, Sheet, "the header declares more bytes than the file has"},
	{codeHeaderTwins, Note, Harmless, "the 64-bit fields of the header do not repeat the 32-bit ones"},
	{codeHoleCount, Note, Sheet, "the header counts other unused bytes than lie between the records"},

	{codeRecordType, Error, Structure, "the record is not marked as in use"},
	{codeUnknownBits, Note, Harmless, "bits or bytes are set that mean nothing known"},
	{codeBadDate, Note, Harmless, "the date has a month beyond 12"},
	{codeBadResult, Note, Harmless, "the result is none of the eight; it is read as none"},
	{codeBadECO, Note, Harmless, "the opening is neither an ECO code nor a Chess960 number; it is read as none"},
	{codeLineEvaluation, Note, Harmless, "a game with a result has an evaluation of its last position too"},
	{codeMisplacedField, Note, Harmless, "a field is set that a record of this kind does not have"},
	{codeReferenceRange, Error, Sheet, "the record refers to an entity that does not exist"},
	{codeReferenceDead, Error, Sheet, "the record refers to a deleted entity"},
	{codeOffsetOutside, Error, Sheet, "the offset leads into the file's header or past its end"},
	{codeOffsetTwins, Error, Sheet, "the 64-bit offset in the .cbj file does not repeat that of the .cbh file"},
	{codeRecordSize, Error, Sheet, "the size of the record is impossible or leads past the end of the file"},
	{codeDescending, Error, Sheet, "the record lies before that of the game before it"},
	{codeOverlap, Error, Sheet, "the record begins inside that of an earlier game"},
	{codeNotExamined, Error, Sheet, "the record shares so many bytes with others that it was not decoded"},
	{codeChecksum, Error, Sheet, "the checksum of a .cbj record is wrong"},
	{codeMediaOffset, Error, Sheet, "the place of the media list is none in the .cbm file"},
	{codeMediaRecord, Note, Harmless, "the record of the .cbm file holds no list"},

	{codeMoves, Error, Sheet, "the moves do not decode although their encoding is known"},
	{codeUnsupportedMoves, Error, Sheet, "the moves are stored in a way that is not known"},
	{codeMoveDummy, Note, Sheet, "the moves hold bytes without a meaning, as old programs wrote them"},
	{codeMoveEnd, Note, Harmless, "the mark at the end of the moves is missing"},
	{codeMoveTrailer, Note, Sheet, "bytes follow the end of the moves"},
	{codeMoveForm, Note, Harmless, "moves are stored in a longer code than theirs, or in the second of two codes"},
	{codeStartBlock, Note, Harmless, "the start position names a pawn, king or rook that is not there, or has bytes that mean nothing known"},
	{codeText, Error, Structure, "the content of a guiding text does not decode"},
	{codeUnsupportedText, Note, Harmless, "the guiding text is of a version that is not known"},
	{codeTextMark, Note, Harmless, "the guiding text is not marked as one in the .cbg file"},
	{codeTextFlags, Note, Harmless, "a guiding text has a media list, but not the flag for pictures"},
	{codeCodePage, Note, Sheet, "texts are in a code page that is not named in the database; --codepage names it"},

	{codeAnnotationRecord, Error, Structure, "the sizes in the annotations do not lead to their end"},
	{codeAnnotationCount, Error, Sheet, "the annotations are not as many as their head says"},
	{codeAnnotationOrder, Error, Sheet, "the annotations are not in the order of the moves"},
	{codeAnnotationHead, Note, Harmless, "the head names another game, or is not the usual one"},
	{codeAnnotationPosition, Note, Harmless, "an annotation belongs to a move that does not exist"},
	{codeAnnotationDuplicate, Note, Harmless, "a move has two annotations of one type, or two texts in one language"},
	{codeAnnotationEmpty, Note, Harmless, "the record holds no annotations"},
	{codeAnnotationOpaque, Note, Sheet, "annotations of an unknown type, or with an unknown content"},
	{codeAnnotationForm, Note, Harmless, "annotations are stored in other bytes than their values are written in"},
	{codeTextUTF8, Note, Harmless, "texts of annotations are stored as UTF-8 though the code page holds them"},

	{codeStaleFlags, Error, Sheet, "flags of the game are not those of its moves and annotations"},
	{codeStaleOtherFlags, Note, Harmless, "the same of flags whose rule is known from other programs only, and of the starting position of Chess960"},
	{codeStaleMagnitude, Note, Sheet, "the magnitude bits are not those of the annotations and variations"},
	{codeStaleMedals, Note, Harmless, "the medals of the game are not those of its annotations"},
	{codeStaleMaterial, Note, Sheet, "the material words are not what both sides have at the end"},
	{codeStaleMoveCount, Error, Sheet, "the number of moves is not that of the main line"},

	{codeTreeRoot, Error, Sheet, "the root of the tree is no live record"},
	{codeTreeLink, Error, Sheet, "a link of the tree leads outside the file"},
	{codeTreeDeadLink, Error, Sheet, "a link of the tree leads to a deleted record"},
	{codeTreeCycle, Error, Sheet, "a link of the tree leads back up"},
	{codeTreeTwoParents, Error, Sheet, "two links of the tree lead to one record"},
	{codeTreeUnreachable, Error, Sheet, "a live record is not in the tree"},
	{codeTreeOrder, Error, Sheet, "two neighbours in the tree are in the wrong order"},
	{codeTreeBalance, Error, Sheet, "a balance is wrong; a note in an old database"},
	{codeTreeUnbalanced, Error, Sheet, "the tree is out of balance; a note in an old database"},
	{codeLiveCount, Error, Sheet, "the header counts other live records than there are; a note in an old database"},
	{codeFreeLink, Error, Sheet, "the list of deleted records leads outside the file"},
	{codeFreeLive, Error, Sheet, "the list of deleted records leads to a live one"},
	{codeFreeLoop, Error, Sheet, "the list of deleted records has no end"},
	{codeFreeMissing, Error, Sheet, "a deleted record is not on the list of deleted records"},
	{codeDeletedBalance, Error, Sheet, "a deleted record has a balance; a note in an old database"},

	{codeReferenceCount, Error, Sheet, "the number of references is wrong; a note for a single empty entity that is not used, and one note for all teams or titles where the .cbj file does not have the references of all games"},
	{codeFirstReference, Error, Sheet, "the first record that refers to the entity is another"},
	{codeUnusedEntity, Error, Sheet, "no record refers to a live entity, and its count says so; a note for a single empty one"},

	{codeTournamentExtra, Note, Harmless, "the .cbtt file has records beyond the tournaments, or bytes that say nothing about one"},
	{codeExaminedValue, Note, Harmless, "the .flags file has the value 1, which is not known"},
}

// severities finds the usual severity of a code.
var severities = usualSeverities(codes)

// BookCodes lists the findings of [Book], sorted by what they are about.
func BookCodes() []Code { return append([]Code(nil), bookCodes...) }

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
	{bookMissingFile, Error, Structure, "the .ctb or .cto file is missing"},
	{bookHeader, Error, Structure, "the header page is not one of a book"},
	{bookFileSize, Error, Structure, "a .ctg file ends inside a page, or a .ctb or .cto file has not the size that its header states; a note if one of these only goes on"},
	{bookPageCount, Error, Sheet, "the header counts another number of pages than the file has"},
	{bookPositions, Note, Sheet, "the header counts another number of positions than are stored, as after deletions"},
	{bookDirectory, Error, Structure, "the .ctb and .cto files are damaged or do not fit each other, or the .ctg file lacks pages that they have"},
	{bookBounds, Error, Sheet, "the lower or upper bound contradicts the bitmap; a note if it is only not the tightest"},
	{bookUnusedPage, Error, Sheet, "no leaf of the directory has this page"},
	{bookRootLeaf, Note, Harmless, "the whole book is one page under the root, where some programs do not look"},
	{bookShortCTO, Note, Harmless, "some programs look past the end of the .cto file for positions that are not in the book"},

	{bookPage, Error, Structure, "the entries of a page do not fill its used part"},
	{bookKey, Error, Structure, "a key that no position has"},
	{bookMisplaced, Error, Sheet, "an entry on a page where nobody looks for it"},
	{bookTwice, Error, Sheet, "two entries for one position on a page"},

	{bookMove, Error, Sheet, "a move byte that means no legal move"},
	{bookMoveTwice, Error, Sheet, "a move that is listed twice"},
	{bookMoveForm, Note, Harmless, "a move byte that only ChessBase reads rightly"},
	{bookManyMoves, Note, Harmless, "more moves than some programs have room for"},
	{bookChild, Error, Sheet, "a listed move leads to a position that is not in the book"},
	{bookStatistics, Error, Sheet, "more results than games"},
	{bookScore, Note, Harmless, "the score does not fit the results; old books leave it out"},
	{bookRatings, Note, Harmless, "a sum of ratings of no games, or ratings in more games than there are"},
}

var bookSeverities = usualSeverities(bookCodes)

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

// BoosterCodes lists the findings of [Boosters], which those of [Database] about
// boosters are among. Boosters that are missing or out of date do no harm, and
// broken ones are errors. (docs/formats/real-databases.md)
func BoosterCodes() []Code { return append([]Code(nil), boosterCodes...) }

var boosterCodes = []Code{
	{codeBoosterMissing, Note, Sheet, "the file is not there"},
	{codeBoosterStale, Note, Sheet, "the file does not cover the last records of the database; in a check of the whole database also one with other content than the records have"},
	{codeBoosterHeader, Error, Structure, "the header, or the size of the file, is not as it must be; a note for reserved bytes that are not 0"},
	{codeBoosterPair, Error, Structure, "of two files that belong together one is missing; a note if it is the table, without which nothing leads into the blocks"},
	{codeBoosterList, Error, Structure, "a list breaks off, runs in a circle, or is out of order"},
	{codeBoosterBlock, Note, Harmless, "a word of a block that is always 0 is not"},
	{codeBoosterShared, Error, Sheet, "two lists share a block"},
	{codeBoosterFree, Error, Sheet, "the list of free blocks leads into a circle, outside the file, or to a block in use"},
	{codeBoosterLost, Error, Sheet, "blocks are neither in use nor free; a note if it is block 0, which cannot be marked as free, or those that were free before it"},
	{codeBoosterContent, Error, Sheet, "a list is not that of the records that refer to the entity; in a check of the whole database the note booster-stale"},
	{codeBoosterCount, Note, Harmless, "the entity's own count, or first record, is not that of its list: searches read all records instead"},
	{codeBoosterTrace, Error, Sheet, "the squares noted for a game are not those of its moves; in a check of the whole database the note booster-stale, unless a seal vouches for the file"},
	{codeBoosterOffset, Error, Sheet, "the place noted for a game's moves is another than in the .cbh file; in a check of the whole database the note booster-stale"},
	{codeBoosterUnsealed, Note, Harmless, "no seal vouches for the .cbb file: searches play through all games instead"},
	{codeBoosterUnknown, Note, Harmless, "the file cannot be compared with the database, parts of which are missing or damaged"},
	{codeBoosterMore, Note, Harmless, "there are more findings than are listed"},
}

var boosterSeverities = usualSeverities(boosterCodes)

// SimpleCodes lists the findings of [Simple], sorted by what they are about.
func SimpleCodes() []Code { return append([]Code(nil), simpleCodes...) }

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
	{simpleUnreadable, Error, Structure, "a file is missing or is something else; nothing more can be said"},
	{simpleMisprint, Note, Harmless, "the magic bytes have the misprint of the format's description"},
	{simpleLayout, Note, Harmless, "the index has a layout of a draft of the format"},
	{simpleCut, Error, Structure, "the index ends inside an entry"},
	{simpleCodePage, Note, Harmless, "names or comments are not UTF-8"},

	{simpleReference, Error, Structure, "an entry refers to a name that is not there"},
	{simpleField, Note, Harmless, "a status, result, date or ECO code without a meaning"},
	{simpleSearch, Note, Harmless, "the fields for searches do not follow from the moves"},

	{simpleExtent, Error, Structure, "a game does not lie inside its file"},
	{simpleGame, Error, Structure, "a game cannot be read, or not to its end"},
	{simpleForm, Note, Harmless, "a game is stored in another form than the usual one; a copy keeps it"},
	{simpleUnused, Note, Harmless, "the file of games has bytes that no entry leads to, or that several lead to"},
}

var simpleSeverities = usualSeverities(simpleCodes)
