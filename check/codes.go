package check

import (
	"cbkit/avl"
	"cbkit/internal/cbhdb"
)

// subject is what findings are about.
type subject uint8

// The subjects, each with the function that makes its findings. Those of [Database] are
// about search boosters, too.
const (
	aboutDatabases  subject = iota // [Database]
	aboutBoosters                  // [Boosters]: those that are missing or out of date do no harm
	aboutBooks                     // [Book], of a book of ChessBase
	aboutSimple                    // [Simple]
	aboutArchives                  // [Archive]
	aboutPolyglot                  // [Book], of a Polyglot book
	aboutChessBase2                // [ChessBase2]
	aboutScid                      // [Scid]
)

// codesAbout are the codes of each subject, sorted by what they are about.
var codesAbout [aboutScid + 1][]*Code

// code adds a code.
func (s subject) code(code string, severity Severity, ruling Ruling, meaning string) *Code {
	c := &Code{Code: code, Severity: severity, Ruling: ruling, Meaning: meaning}
	codesAbout[s] = append(codesAbout[s], c)
	return c
}

// mended says what mends findings of a code and, unless it always does, when not.
func (c *Code) mended(by, unless string) *Code {
	c.by, c.unless = by, unless
	return c
}

// left says why findings of a code are left as they are.
func (c *Code) left(why string) *Code { return c.mended("", why) }

// Codes lists the codes of all findings: those of [Database], of [Boosters], and of each of
// the other checks, sorted by what they are about.
func Codes() (list []Code) {
	for _, subject := range codesAbout {
		for _, c := range subject {
			list = append(list, *c)
		}
	}
	return list
}

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

// The codes of findings about databases. What docs/formats/real-databases.md 11 lists as
// an error or a note is one. Of the rest, what breaks the structure of a file is an
// error, and all else a note.
var (
	codeMissingFile     = aboutDatabases.code("missing-file", Error, Named, "a file that every database must have is not there").left(missingBytes)
	codeMissingOptional = aboutDatabases.code("missing-optional-file", Note, Harmless, "records refer to the entities or media lists of an optional file that is not there").left(missingBytes)
	codeUnreadableFile  = aboutDatabases.code("unreadable-file", Error, Structure, "the file cannot be opened").left("what cannot be opened cannot be changed")
	codeBadHeader       = aboutDatabases.code("bad-header", Error, Structure, "the file does not begin as its kind must").mended("what is the same in all files of the kind, and the size of the file", "other fields of the header do not fit the file either")
	codeUnknownVersion  = aboutDatabases.code("unknown-version", Note, Harmless, "the file is of a version that is not known").left(unknownUse)
	codeCutFile         = aboutDatabases.code("cut-file", Error, Named, "the file ends before the last record that its header announces").mended("marks of records that are not there; a number of records that the rest of the file disproves", missingBytes)
	codeTrailingBytes   = aboutDatabases.code("trailing-bytes", Note, Named, "bytes lie behind the end that the header declares").mended("the header gives the file its size", "behind records of one size: "+unknownUse)
	codeRecordCount     = aboutDatabases.code("record-count", Error, Named, "a counter in the header is not the number of records").mended("the size of the file", "records are missing, or stand beside those of others: "+missingBytes)
	codeExtCount        = aboutDatabases.code("ext-count", Error, Named, "the .cbj file has records for some of the games only, or for more than there are").mended("the records of the .cbh file; missing records that say nothing are made at the end", "the .cbj file ends inside of a record, lacks one in the middle, or has records that the .cbh file lacks; "+salvaged)
	codeExtEmpty        = aboutDatabases.code("ext-empty", Note, Named, "the .cbj file has no records: an old database, opened by a newer program").left("old databases are so, and the next program that adds a game completes it")
	codeDeclaredSize    = aboutDatabases.code("declared-size", Error, Named, "the header declares more bytes than the file has").mended("the size of the file", "records lie beyond its end: "+missingBytes)
	codeHeaderTwins     = aboutDatabases.code("header-twins", Note, Harmless, "the 64-bit fields of the header do not repeat the 32-bit ones").mended("the size of the file and its holes", "it is not known where all records lie")
	codeHoleCount       = aboutDatabases.code("hole-count", Note, Named, "the header counts other unused bytes than lie between the records").mended("the bytes between the records", "it is not known where all records lie")

	codeRecordType     = aboutDatabases.code("record-type", Error, Structure, "the record is not marked as in use").mended("the content of the record, which decodes", "its content does not decode")
	codeUnknownBits    = aboutDatabases.code("unknown-bits", Note, Harmless, "bits or bytes are set that mean nothing known").left(unknownUse)
	codeBadDate        = aboutDatabases.code("bad-date", Note, Harmless, "the date has a month beyond 12").left(noSecondCopy)
	codeBadResult      = aboutDatabases.code("bad-result", Note, Harmless, "the result is none of the eight; it is read as none").left(noSecondCopy)
	codeBadECO         = aboutDatabases.code("bad-eco", Note, Harmless, "the opening is neither an ECO code nor a Chess960 number; it is read as none").left(noSecondCopy)
	codeLineEvaluation = aboutDatabases.code("line-evaluation", Note, Harmless, "a game with a result has an evaluation of its last position too").left(harmless)
	codeMisplacedField = aboutDatabases.code("misplaced-field", Note, Harmless, "a field is set that a record of this kind does not have").left(harmless)
	codeReferenceRange = aboutDatabases.code("reference-range", Error, Named, "the record refers to an entity that does not exist").left(noSecondCopy)
	codeReferenceDead  = aboutDatabases.code("reference-deleted", Error, Named, "the record refers to a deleted entity").left(noSecondCopy)
	codeOffsetOutside  = aboutDatabases.code("offset-outside", Error, Named, "the offset leads into the file's header or past its end").mended("the other field that has the place", notPlaced)
	codeOffsetTwins    = aboutDatabases.code("offset-twins", Error, Named, "the 64-bit offset in the .cbj file does not repeat that of the .cbh file").mended("the place at which a part of the record decodes", "at none of the two it does, or records are missing, there twice or exchanged: cbkit salvage knows which belong together")
	codeRecordSize     = aboutDatabases.code("record-size", Error, Named, "the size of the record is impossible or leads past the end of the file").mended("the content, which ends before the next record", "it breaks off, or is not what the header says of it; "+salvaged)
	codeDescending     = aboutDatabases.code("descending", Error, Named, "the record lies before that of the game before it").left(notWhose)
	codeOverlap        = aboutDatabases.code("overlap", Error, Named, "the record begins inside that of an earlier game").left(notWhose)
	codeNotExamined    = aboutDatabases.code("not-examined", Error, Named, "the record shares so many bytes with others that it was not decoded").left(notWhose)
	codeChecksum       = aboutDatabases.code("checksum", Error, Named, "the checksum of a .cbj record is wrong").mended("the record", "the .cbj file is of a version that is not known")
	codeMediaOffset    = aboutDatabases.code("media-offset", Error, Named, "the place of the media list is none in the .cbm file").left(noSecondCopy)
	codeMediaRecord    = aboutDatabases.code("media-record", Note, Harmless, "the record of the .cbm file holds no list").left(notDecoded)

	codeMoves            = aboutDatabases.code("moves", Error, Named, "the moves do not decode although their encoding is known").left(notDecoded)
	codeUnsupportedMoves = aboutDatabases.code("unsupported-moves", Error, Named, "the moves are stored in a way that is not known").left(unknownUse)
	codeMoveDummy        = aboutDatabases.code("move-dummy", Note, Named, "the moves hold bytes without a meaning, as old programs wrote them").left("it does no harm, and leaving it out would move all that follows")
	codeMoveEnd          = aboutDatabases.code("move-end", Note, Harmless, "the mark at the end of the moves is missing").left("it does no harm, and there is no room for the mark")
	codeMoveTrailer      = aboutDatabases.code("move-trailer", Note, Named, "bytes follow the end of the moves").left(unknownUse)
	codeMoveForm         = aboutDatabases.code("move-form", Note, Harmless, "moves are stored in a longer code than theirs, or in the second of two codes").left("it says the same")
	codeStartBlock       = aboutDatabases.code("start-block", Note, Harmless, "the start position names a pawn, king or rook that is not there, or has bytes that mean nothing known").left(harmless)
	codeText             = aboutDatabases.code("text", Error, Structure, "the content of a guiding text does not decode").left(notDecoded)
	codeUnsupportedText  = aboutDatabases.code("unsupported-text", Note, Harmless, "the guiding text is of a version that is not known").left(unknownUse)
	codeTextMark         = aboutDatabases.code("text-mark", Note, Harmless, "the guiding text is not marked as one in the .cbg file").mended("the content, which is that of a text", "it does not decode")
	codeTextFlags        = aboutDatabases.code("text-flags", Note, Harmless, "a guiding text has a media list, but not the flag for pictures").mended("the media list of the text", "its content does not decode")
	codeCodePage         = aboutDatabases.code("code-page", Note, Named, "texts are in a code page that is not named in the database; --codepage names it").left("the database has no place for the name of a code page")

	codeAnnotationRecord    = aboutDatabases.code("annotation-record", Error, Structure, "the sizes in the annotations do not lead to their end").left(notDecoded)
	codeAnnotationCount     = aboutDatabases.code("annotation-count", Error, Named, "the annotations are not as many as their head says").mended("the annotations", "their sizes do not lead to the end of the record, or it lies inside of others")
	codeAnnotationOrder     = aboutDatabases.code("annotation-order", Error, Named, "the annotations are not in the order of the moves").left("nothing tells which move the annotation belongs to")
	codeAnnotationHead      = aboutDatabases.code("annotation-head", Note, Harmless, "the head names another game, or is not the usual one").mended("the game that points to it", "the record lies inside of others, or does not decode; the game that it names has no others, or has these only too")
	codeAnnotationPosition  = aboutDatabases.code("annotation-position", Note, Harmless, "an annotation belongs to a move that does not exist").left("nothing tells which move the annotation belongs to")
	codeAnnotationDuplicate = aboutDatabases.code("annotation-duplicate", Note, Harmless, "a move has two annotations of one type, or two texts in one language").left(harmless)
	codeAnnotationEmpty     = aboutDatabases.code("annotation-empty", Note, Harmless, "the record holds no annotations").left(harmless)
	codeAnnotationOpaque    = aboutDatabases.code("annotation-opaque", Note, Named, "annotations of an unknown type, or with an unknown content").left(unknownUse)
	codeAnnotationForm      = aboutDatabases.code("annotation-form", Note, Harmless, "annotations are stored in other bytes than their values are written in").left("it says the same")
	codeTextUTF8            = aboutDatabases.code("text-utf8", Note, Harmless, "texts of annotations are stored as UTF-8 though the code page holds them").left("it says the same")

	codeStaleFlags      = aboutDatabases.code("stale-flags", Error, Named, "flags of the game are not those of its moves and annotations").mended("moves and annotations", "the record lies inside of others, or no game points to annotations that are there: cbkit salvage gives them to the game that they name")
	codeStaleOtherFlags = aboutDatabases.code("stale-other-flags", Note, Harmless, "the same of flags whose rule is known from other programs only, and of the starting position of Chess960").left("the rule of these flags is not proven")
	codeStaleMagnitude  = aboutDatabases.code("stale-magnitude", Note, Named, "the magnitude bits are not those of the annotations and variations").mended("moves and annotations", "the record lies inside of others")
	codeStaleMedals     = aboutDatabases.code("stale-medals", Note, Harmless, "the medals of the game are not those of its annotations").mended("the annotations", "the record lies inside of others")
	codeStaleMaterial   = aboutDatabases.code("stale-material", Note, Named, "the material words are not what both sides have at the end").mended("the moves", "the record lies inside of others")
	codeStaleMoveCount  = aboutDatabases.code("stale-move-count", Error, Named, "the number of moves is not that of the main line").mended("the moves", "the record lies inside of others")

	codeTreeRoot        = aboutDatabases.code("tree-root", Error, Named, "the root of the tree is no live record").mended(treeAnew, treeUnless)
	codeTreeLink        = aboutDatabases.code("tree-link", Error, Named, "a link of the tree leads outside the file").mended(treeAnew, treeUnless)
	codeTreeDeadLink    = aboutDatabases.code("tree-deleted-link", Error, Named, "a link of the tree leads to a deleted record").mended(treeAnew, treeUnless)
	codeTreeCycle       = aboutDatabases.code("tree-cycle", Error, Named, "a link of the tree leads back up").mended(treeAnew, treeUnless)
	codeTreeTwoParents  = aboutDatabases.code("tree-two-parents", Error, Named, "two links of the tree lead to one record").mended(treeAnew, treeUnless)
	codeTreeUnreachable = aboutDatabases.code("tree-unreachable", Error, Named, "a live record is not in the tree").mended(treeAnew, treeUnless)
	codeTreeOrder       = aboutDatabases.code("tree-order", Error, Named, "two neighbours in the tree are in the wrong order").mended(treeAnew, treeUnless)
	codeTreeBalance     = aboutDatabases.code("tree-balance", Error, Named, "a balance is wrong; a note in an old database").mended(treeAnew, treeUnless)
	codeTreeUnbalanced  = aboutDatabases.code("tree-unbalanced", Error, Named, "the tree is out of balance; a note in an old database").mended(treeAnew, treeUnless)
	codeLiveCount       = aboutDatabases.code("live-count", Error, Named, "the header counts other live records than there are; a note in an old database").mended("the live records", treeUnless)
	codeFreeLink        = aboutDatabases.code("free-list-link", Error, Named, "the list of deleted records leads outside the file").mended("the list is made anew of the deleted records", treeUnless)
	codeFreeLive        = aboutDatabases.code("free-list-live", Error, Named, "the list of deleted records leads to a live one").mended("the list is made anew of the deleted records", treeUnless)
	codeFreeLoop        = aboutDatabases.code("free-list-loop", Error, Named, "the list of deleted records has no end").mended("the list is made anew of the deleted records", treeUnless)
	codeFreeMissing     = aboutDatabases.code("free-list-missing", Error, Named, "a deleted record is not on the list of deleted records").mended("the list is made anew of the deleted records", treeUnless)
	codeDeletedBalance  = aboutDatabases.code("deleted-balance", Error, Named, "a deleted record has a balance; a note in an old database").mended("the record is deleted, and so is in no tree", treeUnless)

	codeReferenceCount = aboutDatabases.code("reference-count", Error, Named, "the number of references is wrong; a note for a single empty entity that is not used, and one note for all teams or titles where the .cbj file does not have the references of all games").mended("the references of all records", "a record refers to no entity that is there, no record refers to the entity, or the .cbj file does not have all references")
	codeFirstReference = aboutDatabases.code("first-reference", Error, Named, "the first record that refers to the entity is another").mended("the references of all records", "a record refers to no entity that is there")
	codeUnusedEntity   = aboutDatabases.code("unused-entity", Error, Named, "no record refers to a live entity, and its count says so; a note for a single empty one").left("nothing tells whether it was left over or has lost its records; cbkit compact --purge removes it")

	codeTournamentExtra = aboutDatabases.code("tournament-extra", Note, Harmless, "the .cbtt file has records beyond the tournaments, or bytes that say nothing about one").left(unknownUse)
	codeExaminedValue   = aboutDatabases.code("examined-value", Note, Harmless, "the .flags file has the value 1, which is not known").left(unknownUse)
)

// The codes of findings about Polyglot books.
var (
	binFile      = aboutPolyglot.code("bin-file", Error, Structure, "the file is no Polyglot book: its beginning has no order, or no moves")
	binCut       = aboutPolyglot.code("bin-cut", Error, Structure, "the file ends inside an entry")
	binOrder     = aboutPolyglot.code("bin-order", Error, Structure, "a key that is less than the one before; programs search by halves, and miss entries")
	binMove      = aboutPolyglot.code("bin-move", Error, Structure, "bits that are no move of any position")
	binIllegal   = aboutPolyglot.code("bin-illegal", Error, Structure, "a move that is not legal in its position; the positions that the book leads to are looked at")
	binMoveTwice = aboutPolyglot.code("bin-move-twice", Error, Structure, "a move that its position lists twice")
	binCastling  = aboutPolyglot.code("bin-castling", Note, Harmless, "castling as the king's own two steps, in place of the king taking its rook")
	binNoMove    = aboutPolyglot.code("bin-no-move", Note, Harmless, "an entry with the move 0, which programs ignore")
	binWeights   = aboutPolyglot.code("bin-weights", Note, Harmless, "a position of which no move has a weight, so that programs play none")
	binUnreached = aboutPolyglot.code("bin-unreached", Note, Harmless, "positions that nothing in the book leads to from the start of the game")
)

// The codes of findings about opening books.
var (
	bookMissingFile = aboutBooks.code("book-missing-file", Error, Structure, "the .ctb or .cto file is missing")
	bookHeader      = aboutBooks.code("book-header", Error, Structure, "the header page is not one of a book")
	bookFileSize    = aboutBooks.code("book-file-size", Error, Structure, "a .ctg file ends inside a page, or a .ctb or .cto file has not the size that its header states; a note if one of these only goes on")
	bookPageCount   = aboutBooks.code("book-page-count", Error, Named, "the header counts another number of pages than the file has")
	bookPositions   = aboutBooks.code("book-position-count", Note, Named, "the header counts another number of positions than are stored, as after deletions")
	bookDirectory   = aboutBooks.code("book-directory", Error, Structure, "the .ctb and .cto files are damaged or do not fit each other, or the .ctg file lacks pages that they have")
	bookBounds      = aboutBooks.code("book-bounds", Error, Named, "the lower or upper bound contradicts the bitmap; a note if it is only not the tightest")
	bookUnusedPage  = aboutBooks.code("book-unused-page", Error, Named, "no leaf of the directory has this page")
	bookRootLeaf    = aboutBooks.code("book-root-leaf", Note, Harmless, "the whole book is one page under the root, where some programs do not look")
	bookShortCTO    = aboutBooks.code("book-short-cto", Note, Harmless, "some programs look past the end of the .cto file for positions that are not in the book")

	bookPage      = aboutBooks.code("book-page", Error, Structure, "the entries of a page do not fill its used part")
	bookKey       = aboutBooks.code("book-key", Error, Structure, "a key that no position has")
	bookMisplaced = aboutBooks.code("book-misplaced", Error, Named, "an entry on a page where no look-up goes")
	bookTwice     = aboutBooks.code("book-twice", Error, Named, "two entries for one position on a page")

	bookMove       = aboutBooks.code("book-move", Error, Named, "a move byte that means no legal move")
	bookMoveTwice  = aboutBooks.code("book-move-twice", Error, Named, "a move that is listed twice")
	bookMoveForm   = aboutBooks.code("book-move-form", Note, Harmless, "a move byte that only ChessBase reads rightly")
	bookManyMoves  = aboutBooks.code("book-many-moves", Note, Harmless, "more moves than some programs have room for")
	bookChild      = aboutBooks.code("book-child", Error, Named, "a listed move leads to a position that is not in the book")
	bookStatistics = aboutBooks.code("book-statistics", Error, Named, "more results than games")
	bookScore      = aboutBooks.code("book-score", Note, Harmless, "the score does not fit the results; old books leave it out")
	bookRatings    = aboutBooks.code("book-ratings", Note, Harmless, "a sum of ratings of no games, or ratings in more games than there are")
)

// The codes of findings about search boosters.
var (
	codeBoosterMissing  = aboutBoosters.code("booster-missing", Note, Named, "the file is not there").left("it does no harm; cbkit boosters makes it")
	codeBoosterStale    = aboutBoosters.code("booster-stale", Note, Named, "the file does not cover the last records of the database; in a check of the whole database also one with other content than the records have").mended(anew, "")
	codeBoosterHeader   = aboutBoosters.code("booster-header", Error, Structure, "the header, or the size of the file, is not as it must be; a note for reserved bytes that are not 0").mended(anew, "it is a note: "+unknownUse)
	codeBoosterPair     = aboutBoosters.code("booster-pair", Error, Structure, "of two files that belong together one is missing; a note if it is the table, without which nothing leads into the blocks").mended(anew, "it is a note: nothing leads into the blocks")
	codeBoosterList     = aboutBoosters.code("booster-list", Error, Structure, "a list breaks off, runs in a circle, or is out of order").mended(anew, "")
	codeBoosterBlock    = aboutBoosters.code("booster-block", Note, Harmless, "a word of a block that is always 0 is not").left(harmless)
	codeBoosterShared   = aboutBoosters.code("booster-shared-block", Error, Named, "two lists share a block").mended(anew, "")
	codeBoosterFree     = aboutBoosters.code("booster-free-list", Error, Named, "the list of free blocks leads into a circle, outside the file, or to a block in use").mended(anew, "")
	codeBoosterLost     = aboutBoosters.code("booster-lost-block", Error, Named, "blocks are neither in use nor free; a note if it is block 0, which cannot be marked as free, or those that were free before it").mended(anew, "it is a note: real files have it")
	codeBoosterContent  = aboutBoosters.code("booster-content", Error, Named, "a list is not that of the records that refer to the entity, or the index has something else of a game than its positions; in a check of the whole database the note booster-stale, but for an index that searches use").mended(anew, "")
	codeBoosterCount    = aboutBoosters.code("booster-count", Note, Harmless, "the entity's own count, or first record, is not that of its list: searches read all records instead").mended("the references of all records", "as for the counts of the entity")
	codeBoosterTrace    = aboutBoosters.code("booster-trace", Error, Named, "the squares noted for a game are not those of its moves; in a check of the whole database the note booster-stale, unless a seal vouches for the file").mended(anew, "")
	codeBoosterOffset   = aboutBoosters.code("booster-offset", Error, Named, "the place noted for a game's moves is another than in the .cbh file; in a check of the whole database the note booster-stale").mended(anew, "")
	codeBoosterUnsealed = aboutBoosters.code("booster-unsealed", Note, Harmless, "no seal vouches for the .cbb file, or the index of positions was made for another state of the database: searches play through all games instead").mended("dropped where the repair has changed what it is about, and made anew by cbkit boosters", "nothing has changed")
	codeBoosterUnknown  = aboutBoosters.code("booster-unknown", Note, Harmless, "the file cannot be compared with the database, parts of which are missing or damaged").left("the database is damaged")
	codeBoosterMore     = aboutBoosters.code("booster-more", Note, Harmless, "there are more findings than are listed").left("it stands for other findings")
)

// The codes of findings about Simple Chess Databases.
var (
	simpleUnreadable = aboutSimple.code("simple-unreadable", Error, Structure, "a file is missing or is something else; nothing more can be said")
	simpleMisprint   = aboutSimple.code("simple-misprint", Note, Harmless, "the magic bytes have the misprint of the format's description")
	simpleLayout     = aboutSimple.code("simple-layout", Note, Harmless, "the index has a layout of a draft of the format")
	simpleCut        = aboutSimple.code("simple-cut", Error, Structure, "the index ends inside an entry")
	simpleCodePage   = aboutSimple.code("simple-code-page", Note, Harmless, "names or comments are not UTF-8")

	simpleReference = aboutSimple.code("simple-reference", Error, Structure, "an entry refers to a name that is not there")
	simpleField     = aboutSimple.code("simple-field", Note, Harmless, "a status, result, date or ECO code without a meaning")
	simpleSearch    = aboutSimple.code("simple-search-fields", Note, Harmless, "the fields for searches do not follow from the moves")

	simpleExtent = aboutSimple.code("simple-extent", Error, Structure, "a game does not lie inside its file")
	simpleGame   = aboutSimple.code("simple-game", Error, Structure, "a game cannot be read, or not to its end")
	simpleForm   = aboutSimple.code("simple-form", Note, Harmless, "a game is stored in another form than the usual one; a copy keeps it")
	simpleUnused = aboutSimple.code("simple-unused", Note, Harmless, "the file of games has bytes that no entry leads to, or that several lead to")
)

// The codes of findings about databases of ChessBase 17. What two witnesses of the format
// say is an error where it is otherwise, and a note what one says.
var (
	cbh2Missing         = aboutChessBase2.code("2cbh-missing-file", Error, Named, "a file that every database must have is not there")
	cbh2MissingOptional = aboutChessBase2.code("2cbh-missing-optional-file", Note, Named, "the annotations, the lists of games or the sort orders are not there")
	cbh2Unreadable      = aboutChessBase2.code("2cbh-unreadable-file", Error, Structure, "the file cannot be opened")
	cbh2Header          = aboutChessBase2.code("2cbh-header", Error, Structure, "the file does not begin as its kind must")
	cbh2Version         = aboutChessBase2.code("2cbh-version", Note, Named, "a version that is read like another one")
	cbh2Cut             = aboutChessBase2.code("2cbh-cut-file", Error, Structure, "the file ends inside a record, or before the last name that its header announces")
	cbh2NextID          = aboutChessBase2.code("2cbh-next-id", Error, Named, "the number of the next record is not that behind the last: a program may be writing")
	cbh2FileSize        = aboutChessBase2.code("2cbh-file-size", Note, Named, "a header has another size than its file")
	cbh2Kind            = aboutChessBase2.code("2cbh-kind", Error, Structure, "a record that is no game, text or analysis")
	cbh2Reference       = aboutChessBase2.code("2cbh-reference", Error, Structure, "a record refers to a name that is not there or is deleted")
	cbh2Field           = aboutChessBase2.code("2cbh-field", Note, Harmless, "a result or an opening without a meaning, or a set-up with a third word")
	cbh2Frame           = aboutChessBase2.code("2cbh-frame", Error, Structure, "moves, a text or annotations are not where their record says, or not as their sizes and their sum say")
	cbh2Moves           = aboutChessBase2.code("2cbh-moves", Error, Structure, "moves that are none, or do not end")
	cbh2Text            = aboutChessBase2.code("2cbh-text", Error, Structure, "a text that cannot be read")
	cbh2Annotations     = aboutChessBase2.code("2cbh-annotations", Error, Structure, "annotations that cannot be read to their end")
	cbh2Type            = aboutChessBase2.code("2cbh-annotation-type", Note, Named, "an annotation of an unknown type, which hides those behind it")
	cbh2Place           = aboutChessBase2.code("2cbh-place", Error, Structure, "annotations of moves that the game has not")
	cbh2Derived         = aboutChessBase2.code("2cbh-derived", Note, Harmless, "full moves, flags or material of a header do not follow from moves and annotations")
	cbh2Unused          = aboutChessBase2.code("2cbh-unused", Note, Named, "bytes that no record leads to, or records that lie in another order or share their place")
	cbh2Name            = aboutChessBase2.code("2cbh-name", Error, Structure, "a name that cannot be read")
	cbh2Free            = aboutChessBase2.code("2cbh-deleted-names", Note, Named, "the list of deleted names of a kind breaks off, or leaves some out")
	cbh2List            = aboutChessBase2.code("2cbh-list", Note, Named, "the .2lgd file lists other records of a name than refer to it")
	cbh2Order           = aboutChessBase2.code("2cbh-order", Note, Named, "the .2lcd file has not all names in order")
	cbh2CodePage        = aboutChessBase2.code("2cbh-code-page", Note, Harmless, "names or texts are no UTF-8")
)

// The codes of findings about archives.
var (
	archiveTable = aboutArchives.code("archive-table", Note, Harmless, "header, table or what follows the last stream is not what ChessBase writes")
	archiveStamp = aboutArchives.code("archive-stamp", Note, Harmless, "a file has no date, or none that there is")

	archiveMember     = aboutArchives.code("archive-member", Error, Structure, "a file cannot be read: its name, place or size is wrong")
	archiveBlock      = aboutArchives.code("archive-block", Error, Structure, "a block cannot be unpacked, or does not fit its file")
	archiveShortBlock = aboutArchives.code("archive-short-block", Note, Harmless, "a block that is not the last of its file is not full")
)

// partCodes are the codes of faults of parts of records, treeCodes those of search
// trees and lists of deleted records.
var (
	partCodes = map[cbhdb.Code]*Code{cbhdb.OffsetOutside: codeOffsetOutside, cbhdb.RecordSize: codeRecordSize, notExamined: codeNotExamined}

	treeCodes = map[avl.Kind]*Code{
		avl.BadRoot: codeTreeRoot, avl.BadLink: codeTreeLink, avl.DeadLink: codeTreeDeadLink, avl.Cycle: codeTreeCycle,
		avl.TwoParents: codeTreeTwoParents, avl.Unreachable: codeTreeUnreachable, avl.Disorder: codeTreeOrder,
		avl.WrongBalance: codeTreeBalance, avl.Unbalanced: codeTreeUnbalanced, avl.WrongLive: codeLiveCount,
		avl.FreeBadLink: codeFreeLink, avl.FreeNotDeleted: codeFreeLive, avl.FreeLoop: codeFreeLoop,
		avl.FreeMissing: codeFreeMissing, avl.DeletedBalance: codeDeletedBalance,
	}
)

// The codes of findings about databases of Scid.
var (
	scidMissing    = aboutScid.code("scid-missing-file", Error, Named, "one of the three files is not there").left(missingBytes)
	scidUnreadable = aboutScid.code("scid-unreadable-file", Error, Structure, "the file cannot be opened").left("what cannot be opened cannot be changed")
	scidHeader     = aboutScid.code("scid-header", Error, Structure, "the index does not begin as its kind must, or is of a version that is not read").left(missingBytes)
	scidCut        = aboutScid.code("scid-cut-index", Error, Structure, "the index ends inside an entry, or before the last one that its header announces").left(missingBytes)
	scidBehind     = aboutScid.code("scid-more-entries", Error, Named, "the index has more entries than its header says, which Scid refuses").left("nothing tells whether the entries or their number are right; convert --keep-going leaves them out")

	scidNames     = aboutScid.code("scid-names", Error, Structure, "names that cannot be read, or a name that is there twice").left(missingBytes)
	scidNameOrder = aboutScid.code("scid-name-order", Note, Named, "names that are not in Scid's order").mended("the names", "the index is cut, or of another version")
	scidFrequency = aboutScid.code("scid-frequency", Note, Harmless, "a name says another number of games than refer to it").mended("the entries", "the index is cut, or of another version")

	scidReference = aboutScid.code("scid-reference", Error, Structure, "an entry refers to a name that is not there").left(noSecondCopy)
	scidExtent    = aboutScid.code("scid-extent", Error, Structure, "a record does not lie inside its file").left(notPlaced)
	scidBlock     = aboutScid.code("scid-block", Note, Named, "a record crosses a block of its file").left("cbkit compact writes the games one after the other")
	scidRecord    = aboutScid.code("scid-record", Error, Structure, "a record that cannot be read, or not to its end").left(notDecoded)
	scidTexts     = aboutScid.code("scid-texts", Error, Structure, "texts that are marked are missing").left(notDecoded)
	scidForm      = aboutScid.code("scid-form", Note, Harmless, "a record is stored in another form than the usual one; a copy keeps it").left("it says the same")
	scidDerived   = aboutScid.code("scid-derived", Note, Harmless, "a field that Scid searches by does not follow from the moves").mended("the moves", "the database is of another version")
	scidUnused    = aboutScid.code("scid-unused", Note, Harmless, "bytes that no entry leads to, or that several lead to").left("cbkit compact takes it out")
)
