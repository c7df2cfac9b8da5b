package check

import (
	"cbkit/avl"
	"cbkit/internal/cbhdb"
)

// Subject is what findings are about.
type Subject uint8

// The subjects, each with the function that makes its findings. Those of [Database] are
// about search boosters, too.
const (
	AboutDatabases  Subject = iota // [Database]
	AboutBoosters                  // [Boosters]: those that are missing or out of date do no harm
	AboutBooks                     // [Book], of a book of ChessBase
	AboutSimple                    // [Simple]
	AboutArchives                  // [Archive]
	AboutPolyglot                  // [Book], of a Polyglot book
	AboutChessBase2                // [ChessBase2]
	AboutScid                      // [Scid]
)

// codesAbout are the codes of each subject, sorted by what they are about.
var codesAbout [AboutScid + 1][]*Code

// code adds a code.
func (s Subject) code(code string, severity Severity, ruling Ruling, meaning string) *Code {
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

// Codes lists the codes of findings about some subjects, without any about all, each
// subject's sorted by what they are about.
func Codes(about ...Subject) (list []Code) {
	if len(about) == 0 {
		about = []Subject{AboutDatabases, AboutBoosters, AboutBooks, AboutSimple, AboutArchives, AboutPolyglot, AboutChessBase2, AboutScid}
	}
	for _, s := range about {
		for _, c := range codesAbout[s] {
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
	codeMissingFile     = AboutDatabases.code("missing-file", Error, Named, "a file that every database must have is not there").left(missingBytes)
	codeMissingOptional = AboutDatabases.code("missing-optional-file", Note, Harmless, "records refer to the entities or media lists of an optional file that is not there").left(missingBytes)
	codeUnreadableFile  = AboutDatabases.code("unreadable-file", Error, Structure, "the file cannot be opened").left("what cannot be opened cannot be changed")
	codeBadHeader       = AboutDatabases.code("bad-header", Error, Structure, "the file does not begin as its kind must").mended("what is the same in all files of the kind, and the size of the file", "other fields of the header do not fit the file either")
	codeUnknownVersion  = AboutDatabases.code("unknown-version", Note, Harmless, "the file is of a version that is not known").left(unknownUse)
	codeCutFile         = AboutDatabases.code("cut-file", Error, Named, "the file ends before the last record that its header announces").mended("marks of records that are not there; a number of records that the rest of the file disproves", missingBytes)
	codeTrailingBytes   = AboutDatabases.code("trailing-bytes", Note, Named, "bytes lie behind the end that the header declares").mended("the header gives the file its size", "behind records of one size: "+unknownUse)
	codeRecordCount     = AboutDatabases.code("record-count", Error, Named, "a counter in the header is not the number of records").mended("the size of the file", "records are missing, or stand beside those of others: "+missingBytes)
	codeExtCount        = AboutDatabases.code("ext-count", Error, Named, "the .cbj file has records for some of the games only, or for more than there are").mended("the records of the .cbh file; missing records that say nothing are made at the end", "the .cbj file ends inside of a record, lacks one in the middle, or has records that the .cbh file lacks; "+salvaged)
	codeExtEmpty        = AboutDatabases.code("ext-empty", Note, Named, "the .cbj file has no records: an old database, opened by a newer program").left("old databases are so, and the next program that adds a game completes it")
	codeDeclaredSize    = AboutDatabases.code("declared-size", Error, Named, "the header declares more bytes than the file has").mended("the size of the file", "records lie beyond its end: "+missingBytes)
	codeHeaderTwins     = AboutDatabases.code("header-twins", Note, Harmless, "the 64-bit fields of the header do not repeat the 32-bit ones").mended("the size of the file and its holes", "it is not known where all records lie")
	codeHoleCount       = AboutDatabases.code("hole-count", Note, Named, "the header counts other unused bytes than lie between the records").mended("the bytes between the records", "it is not known where all records lie")

	codeRecordType     = AboutDatabases.code("record-type", Error, Structure, "the record is not marked as in use").mended("the content of the record, which decodes", "its content does not decode")
	codeUnknownBits    = AboutDatabases.code("unknown-bits", Note, Harmless, "bits or bytes are set that mean nothing known").left(unknownUse)
	codeBadDate        = AboutDatabases.code("bad-date", Note, Harmless, "the date has a month beyond 12").left(noSecondCopy)
	codeBadResult      = AboutDatabases.code("bad-result", Note, Harmless, "the result is none of the eight; it is read as none").left(noSecondCopy)
	codeBadECO         = AboutDatabases.code("bad-eco", Note, Harmless, "the opening is neither an ECO code nor a Chess960 number; it is read as none").left(noSecondCopy)
	codeLineEvaluation = AboutDatabases.code("line-evaluation", Note, Harmless, "a game with a result has an evaluation of its last position too").left(harmless)
	codeMisplacedField = AboutDatabases.code("misplaced-field", Note, Harmless, "a field is set that a record of this kind does not have").left(harmless)
	codeReferenceRange = AboutDatabases.code("reference-range", Error, Named, "the record refers to an entity that does not exist").left(noSecondCopy)
	codeReferenceDead  = AboutDatabases.code("reference-deleted", Error, Named, "the record refers to a deleted entity").left(noSecondCopy)
	codeOffsetOutside  = AboutDatabases.code("offset-outside", Error, Named, "the offset leads into the file's header or past its end").mended("the other field that has the place", notPlaced)
	codeOffsetTwins    = AboutDatabases.code("offset-twins", Error, Named, "the 64-bit offset in the .cbj file does not repeat that of the .cbh file").mended("the place at which a part of the record decodes", "at none of the two it does, or records are missing, there twice or exchanged: cbkit salvage knows which belong together")
	codeRecordSize     = AboutDatabases.code("record-size", Error, Named, "the size of the record is impossible or leads past the end of the file").mended("the content, which ends before the next record", "it breaks off, or is not what the header says of it; "+salvaged)
	codeDescending     = AboutDatabases.code("descending", Error, Named, "the record lies before that of the game before it").left(notWhose)
	codeOverlap        = AboutDatabases.code("overlap", Error, Named, "the record begins inside that of an earlier game").left(notWhose)
	codeNotExamined    = AboutDatabases.code("not-examined", Error, Named, "the record shares so many bytes with others that it was not decoded").left(notWhose)
	codeChecksum       = AboutDatabases.code("checksum", Error, Named, "the checksum of a .cbj record is wrong").mended("the record", "the .cbj file is of a version that is not known")
	codeMediaOffset    = AboutDatabases.code("media-offset", Error, Named, "the place of the media list is none in the .cbm file").left(noSecondCopy)
	codeMediaRecord    = AboutDatabases.code("media-record", Note, Harmless, "the record of the .cbm file holds no list").left(notDecoded)

	codeMoves            = AboutDatabases.code("moves", Error, Named, "the moves do not decode although their encoding is known").left(notDecoded)
	codeUnsupportedMoves = AboutDatabases.code("unsupported-moves", Error, Named, "the moves are stored in a way that is not known").left(unknownUse)
	codeMoveDummy        = AboutDatabases.code("move-dummy", Note, Named, "the moves hold bytes without a meaning, as old programs wrote them").left("it does no harm, and leaving it out would move all that follows")
	codeMoveEnd          = AboutDatabases.code("move-end", Note, Harmless, "the mark at the end of the moves is missing").left("it does no harm, and there is no room for the mark")
	codeMoveTrailer      = AboutDatabases.code("move-trailer", Note, Named, "bytes follow the end of the moves").left(unknownUse)
	codeMoveForm         = AboutDatabases.code("move-form", Note, Harmless, "moves are stored in a longer code than theirs, or in the second of two codes").left("it says the same")
	codeStartBlock       = AboutDatabases.code("start-block", Note, Harmless, "the start position names a pawn, king or rook that is not there, or has bytes that mean nothing known").left(harmless)
	codeText             = AboutDatabases.code("text", Error, Structure, "the content of a guiding text does not decode").left(notDecoded)
	codeUnsupportedText  = AboutDatabases.code("unsupported-text", Note, Harmless, "the guiding text is of a version that is not known").left(unknownUse)
	codeTextMark         = AboutDatabases.code("text-mark", Note, Harmless, "the guiding text is not marked as one in the .cbg file").mended("the content, which is that of a text", "it does not decode")
	codeTextFlags        = AboutDatabases.code("text-flags", Note, Harmless, "a guiding text has a media list, but not the flag for pictures").mended("the media list of the text", "its content does not decode")
	codeCodePage         = AboutDatabases.code("code-page", Note, Named, "texts are in a code page that is not named in the database; --codepage names it").left("the database has no place for the name of a code page")

	codeAnnotationRecord    = AboutDatabases.code("annotation-record", Error, Structure, "the sizes in the annotations do not lead to their end").left(notDecoded)
	codeAnnotationCount     = AboutDatabases.code("annotation-count", Error, Named, "the annotations are not as many as their head says").mended("the annotations", "their sizes do not lead to the end of the record, or it lies inside of others")
	codeAnnotationOrder     = AboutDatabases.code("annotation-order", Error, Named, "the annotations are not in the order of the moves").left("nothing tells which move the annotation belongs to")
	codeAnnotationHead      = AboutDatabases.code("annotation-head", Note, Harmless, "the head names another game, or is not the usual one").mended("the game that points to it", "the record lies inside of others, or does not decode; the game that it names has no others, or has these only too")
	codeAnnotationPosition  = AboutDatabases.code("annotation-position", Note, Harmless, "an annotation belongs to a move that does not exist").left("nothing tells which move the annotation belongs to")
	codeAnnotationDuplicate = AboutDatabases.code("annotation-duplicate", Note, Harmless, "a move has two annotations of one type, or two texts in one language").left(harmless)
	codeAnnotationEmpty     = AboutDatabases.code("annotation-empty", Note, Harmless, "the record holds no annotations").left(harmless)
	codeAnnotationOpaque    = AboutDatabases.code("annotation-opaque", Note, Named, "annotations of an unknown type, or with an unknown content").left(unknownUse)
	codeAnnotationForm      = AboutDatabases.code("annotation-form", Note, Harmless, "annotations are stored in other bytes than their values are written in").left("it says the same")
	codeTextUTF8            = AboutDatabases.code("text-utf8", Note, Harmless, "texts of annotations are stored as UTF-8 though the code page holds them").left("it says the same")

	codeStaleFlags      = AboutDatabases.code("stale-flags", Error, Named, "flags of the game are not those of its moves and annotations").mended("moves and annotations", "the record lies inside of others, or no game points to annotations that are there: cbkit salvage gives them to the game that they name")
	codeStaleOtherFlags = AboutDatabases.code("stale-other-flags", Note, Harmless, "the same of flags whose rule is known from other programs only, and of the starting position of Chess960").left("the rule of these flags is not proven")
	codeStaleMagnitude  = AboutDatabases.code("stale-magnitude", Note, Named, "the magnitude bits are not those of the annotations and variations").mended("moves and annotations", "the record lies inside of others")
	codeStaleMedals     = AboutDatabases.code("stale-medals", Note, Harmless, "the medals of the game are not those of its annotations").mended("the annotations", "the record lies inside of others")
	codeStaleMaterial   = AboutDatabases.code("stale-material", Note, Named, "the material words are not what both sides have at the end").mended("the moves", "the record lies inside of others")
	codeStaleMoveCount  = AboutDatabases.code("stale-move-count", Error, Named, "the number of moves is not that of the main line").mended("the moves", "the record lies inside of others")

	codeTreeRoot        = AboutDatabases.code("tree-root", Error, Named, "the root of the tree is no live record").mended(treeAnew, treeUnless)
	codeTreeLink        = AboutDatabases.code("tree-link", Error, Named, "a link of the tree leads outside the file").mended(treeAnew, treeUnless)
	codeTreeDeadLink    = AboutDatabases.code("tree-deleted-link", Error, Named, "a link of the tree leads to a deleted record").mended(treeAnew, treeUnless)
	codeTreeCycle       = AboutDatabases.code("tree-cycle", Error, Named, "a link of the tree leads back up").mended(treeAnew, treeUnless)
	codeTreeTwoParents  = AboutDatabases.code("tree-two-parents", Error, Named, "two links of the tree lead to one record").mended(treeAnew, treeUnless)
	codeTreeUnreachable = AboutDatabases.code("tree-unreachable", Error, Named, "a live record is not in the tree").mended(treeAnew, treeUnless)
	codeTreeOrder       = AboutDatabases.code("tree-order", Error, Named, "two neighbours in the tree are in the wrong order").mended(treeAnew, treeUnless)
	codeTreeBalance     = AboutDatabases.code("tree-balance", Error, Named, "a balance is wrong; a note in an old database").mended(treeAnew, treeUnless)
	codeTreeUnbalanced  = AboutDatabases.code("tree-unbalanced", Error, Named, "the tree is out of balance; a note in an old database").mended(treeAnew, treeUnless)
	codeLiveCount       = AboutDatabases.code("live-count", Error, Named, "the header counts other live records than there are; a note in an old database").mended("the live records", treeUnless)
	codeFreeLink        = AboutDatabases.code("free-list-link", Error, Named, "the list of deleted records leads outside the file").mended("the list is made anew of the deleted records", treeUnless)
	codeFreeLive        = AboutDatabases.code("free-list-live", Error, Named, "the list of deleted records leads to a live one").mended("the list is made anew of the deleted records", treeUnless)
	codeFreeLoop        = AboutDatabases.code("free-list-loop", Error, Named, "the list of deleted records has no end").mended("the list is made anew of the deleted records", treeUnless)
	codeFreeMissing     = AboutDatabases.code("free-list-missing", Error, Named, "a deleted record is not on the list of deleted records").mended("the list is made anew of the deleted records", treeUnless)
	codeDeletedBalance  = AboutDatabases.code("deleted-balance", Error, Named, "a deleted record has a balance; a note in an old database").mended("the record is deleted, and so is in no tree", treeUnless)

	codeReferenceCount = AboutDatabases.code("reference-count", Error, Named, "the number of references is wrong; a note for a single empty entity that is not used, and one note for all teams or titles where the .cbj file does not have the references of all games").mended("the references of all records", "a record refers to no entity that is there, no record refers to the entity, or the .cbj file does not have all references")
	codeFirstReference = AboutDatabases.code("first-reference", Error, Named, "the first record that refers to the entity is another").mended("the references of all records", "a record refers to no entity that is there")
	codeUnusedEntity   = AboutDatabases.code("unused-entity", Error, Named, "no record refers to a live entity, and its count says so; a note for a single empty one").left("nothing tells whether it was left over or has lost its records; cbkit compact --purge removes it")

	codeTournamentExtra = AboutDatabases.code("tournament-extra", Note, Harmless, "the .cbtt file has records beyond the tournaments, or bytes that say nothing about one").left(unknownUse)
	codeExaminedValue   = AboutDatabases.code("examined-value", Note, Harmless, "the .flags file has the value 1, which is not known").left(unknownUse)
)

// The codes of findings about Polyglot books.
var (
	binFile      = AboutPolyglot.code("bin-file", Error, Structure, "the file is no Polyglot book: its beginning has no order, or no moves")
	binCut       = AboutPolyglot.code("bin-cut", Error, Structure, "the file ends inside an entry")
	binOrder     = AboutPolyglot.code("bin-order", Error, Structure, "a key that is less than the one before; programs search by halves, and miss entries")
	binMove      = AboutPolyglot.code("bin-move", Error, Structure, "bits that are no move of any position")
	binIllegal   = AboutPolyglot.code("bin-illegal", Error, Structure, "a move that is not legal in its position; the positions that the book leads to are looked at")
	binMoveTwice = AboutPolyglot.code("bin-move-twice", Error, Structure, "a move that its position lists twice")
	binCastling  = AboutPolyglot.code("bin-castling", Note, Harmless, "castling as the king's own two steps, in place of the king taking its rook")
	binNoMove    = AboutPolyglot.code("bin-no-move", Note, Harmless, "an entry with the move 0, which programs ignore")
	binWeights   = AboutPolyglot.code("bin-weights", Note, Harmless, "a position of which no move has a weight, so that programs play none")
	binUnreached = AboutPolyglot.code("bin-unreached", Note, Harmless, "positions that nothing in the book leads to from the start of the game")
)

// The codes of findings about opening books.
var (
	bookMissingFile = AboutBooks.code("book-missing-file", Error, Structure, "the .ctb or .cto file is missing")
	bookHeader      = AboutBooks.code("book-header", Error, Structure, "the header page is not one of a book")
	bookFileSize    = AboutBooks.code("book-file-size", Error, Structure, "a .ctg file ends inside a page, or a .ctb or .cto file has not the size that its header states; a note if one of these only goes on")
	bookPageCount   = AboutBooks.code("book-page-count", Error, Named, "the header counts another number of pages than the file has")
	bookPositions   = AboutBooks.code("book-position-count", Note, Named, "the header counts another number of positions than are stored, as after deletions")
	bookDirectory   = AboutBooks.code("book-directory", Error, Structure, "the .ctb and .cto files are damaged or do not fit each other, or the .ctg file lacks pages that they have")
	bookBounds      = AboutBooks.code("book-bounds", Error, Named, "the lower or upper bound contradicts the bitmap; a note if it is only not the tightest")
	bookUnusedPage  = AboutBooks.code("book-unused-page", Error, Named, "no leaf of the directory has this page")
	bookRootLeaf    = AboutBooks.code("book-root-leaf", Note, Harmless, "the whole book is one page under the root, where some programs do not look")
	bookShortCTO    = AboutBooks.code("book-short-cto", Note, Harmless, "some programs look past the end of the .cto file for positions that are not in the book")

	bookPage      = AboutBooks.code("book-page", Error, Structure, "the entries of a page do not fill its used part")
	bookKey       = AboutBooks.code("book-key", Error, Structure, "a key that no position has")
	bookMisplaced = AboutBooks.code("book-misplaced", Error, Named, "an entry on a page where no look-up goes")
	bookTwice     = AboutBooks.code("book-twice", Error, Named, "two entries for one position on a page")

	bookMove       = AboutBooks.code("book-move", Error, Named, "a move byte that means no legal move")
	bookMoveTwice  = AboutBooks.code("book-move-twice", Error, Named, "a move that is listed twice")
	bookMoveForm   = AboutBooks.code("book-move-form", Note, Harmless, "a move byte that only ChessBase reads rightly")
	bookManyMoves  = AboutBooks.code("book-many-moves", Note, Harmless, "more moves than some programs have room for")
	bookChild      = AboutBooks.code("book-child", Error, Named, "a listed move leads to a position that is not in the book")
	bookStatistics = AboutBooks.code("book-statistics", Error, Named, "more results than games")
	bookScore      = AboutBooks.code("book-score", Note, Harmless, "the score does not fit the results; old books leave it out")
	bookRatings    = AboutBooks.code("book-ratings", Note, Harmless, "a sum of ratings of no games, or ratings in more games than there are")
)

// The codes of findings about search boosters.
var (
	codeBoosterMissing  = AboutBoosters.code("booster-missing", Note, Named, "the file is not there").left("it does no harm; cbkit boosters makes it")
	codeBoosterStale    = AboutBoosters.code("booster-stale", Note, Named, "the file does not cover the last records of the database; in a check of the whole database also one with other content than the records have").mended(anew, "")
	codeBoosterHeader   = AboutBoosters.code("booster-header", Error, Structure, "the header, or the size of the file, is not as it must be; a note for reserved bytes that are not 0").mended(anew, "it is a note: "+unknownUse)
	codeBoosterPair     = AboutBoosters.code("booster-pair", Error, Structure, "of two files that belong together one is missing; a note if it is the table, without which nothing leads into the blocks").mended(anew, "it is a note: nothing leads into the blocks")
	codeBoosterList     = AboutBoosters.code("booster-list", Error, Structure, "a list breaks off, runs in a circle, or is out of order").mended(anew, "")
	codeBoosterBlock    = AboutBoosters.code("booster-block", Note, Harmless, "a word of a block that is always 0 is not").left(harmless)
	codeBoosterShared   = AboutBoosters.code("booster-shared-block", Error, Named, "two lists share a block").mended(anew, "")
	codeBoosterFree     = AboutBoosters.code("booster-free-list", Error, Named, "the list of free blocks leads into a circle, outside the file, or to a block in use").mended(anew, "")
	codeBoosterLost     = AboutBoosters.code("booster-lost-block", Error, Named, "blocks are neither in use nor free; a note if it is block 0, which cannot be marked as free, or those that were free before it").mended(anew, "it is a note: real files have it")
	codeBoosterContent  = AboutBoosters.code("booster-content", Error, Named, "a list is not that of the records that refer to the entity, or the index has something else of a game than its positions; in a check of the whole database the note booster-stale, but for an index that searches use").mended(anew, "")
	codeBoosterCount    = AboutBoosters.code("booster-count", Note, Harmless, "the entity's own count, or first record, is not that of its list: searches read all records instead").mended("the references of all records", "as for the counts of the entity")
	codeBoosterTrace    = AboutBoosters.code("booster-trace", Error, Named, "the squares noted for a game are not those of its moves; in a check of the whole database the note booster-stale, unless a seal vouches for the file").mended(anew, "")
	codeBoosterOffset   = AboutBoosters.code("booster-offset", Error, Named, "the place noted for a game's moves is another than in the .cbh file; in a check of the whole database the note booster-stale").mended(anew, "")
	codeBoosterUnsealed = AboutBoosters.code("booster-unsealed", Note, Harmless, "no seal vouches for the .cbb file, or the index of positions was made for another state of the database: searches play through all games instead").mended("dropped where the repair has changed what it is about, and made anew by cbkit boosters", "nothing has changed")
	codeBoosterUnknown  = AboutBoosters.code("booster-unknown", Note, Harmless, "the file cannot be compared with the database, parts of which are missing or damaged").left("the database is damaged")
	codeBoosterMore     = AboutBoosters.code("booster-more", Note, Harmless, "there are more findings than are listed").left("it stands for other findings")
)

// The codes of findings about Simple Chess Databases.
var (
	simpleUnreadable = AboutSimple.code("simple-unreadable", Error, Structure, "a file is missing or is something else; nothing more can be said")
	simpleMisprint   = AboutSimple.code("simple-misprint", Note, Harmless, "the magic bytes have the misprint of the format's description")
	simpleLayout     = AboutSimple.code("simple-layout", Note, Harmless, "the index has a layout of a draft of the format")
	simpleCut        = AboutSimple.code("simple-cut", Error, Structure, "the index ends inside an entry")
	simpleCodePage   = AboutSimple.code("simple-code-page", Note, Harmless, "names or comments are not UTF-8")

	simpleReference = AboutSimple.code("simple-reference", Error, Structure, "an entry refers to a name that is not there")
	simpleField     = AboutSimple.code("simple-field", Note, Harmless, "a status, result, date or ECO code without a meaning")
	simpleSearch    = AboutSimple.code("simple-search-fields", Note, Harmless, "the fields for searches do not follow from the moves")

	simpleExtent = AboutSimple.code("simple-extent", Error, Structure, "a game does not lie inside its file")
	simpleGame   = AboutSimple.code("simple-game", Error, Structure, "a game cannot be read, or not to its end")
	simpleForm   = AboutSimple.code("simple-form", Note, Harmless, "a game is stored in another form than the usual one; a copy keeps it")
	simpleUnused = AboutSimple.code("simple-unused", Note, Harmless, "the file of games has bytes that no entry leads to, or that several lead to")
)

// The codes of findings about databases of ChessBase 17. What two witnesses of the format
// say is an error where it is otherwise, and a note what one says.
var (
	cbh2Missing         = AboutChessBase2.code("2cbh-missing-file", Error, Named, "a file that every database must have is not there")
	cbh2MissingOptional = AboutChessBase2.code("2cbh-missing-optional-file", Note, Named, "the annotations, the lists of games or the sort orders are not there")
	cbh2Unreadable      = AboutChessBase2.code("2cbh-unreadable-file", Error, Structure, "the file cannot be opened")
	cbh2Header          = AboutChessBase2.code("2cbh-header", Error, Structure, "the file does not begin as its kind must")
	cbh2Version         = AboutChessBase2.code("2cbh-version", Note, Named, "a version that is read like another one")
	cbh2Cut             = AboutChessBase2.code("2cbh-cut-file", Error, Structure, "the file ends inside a record, or before the last name that its header announces")
	cbh2NextID          = AboutChessBase2.code("2cbh-next-id", Error, Named, "the number of the next record is not that behind the last: a program may be writing")
	cbh2FileSize        = AboutChessBase2.code("2cbh-file-size", Note, Named, "a header has another size than its file")
	cbh2Kind            = AboutChessBase2.code("2cbh-kind", Error, Structure, "a record that is no game, text or analysis")
	cbh2Reference       = AboutChessBase2.code("2cbh-reference", Error, Structure, "a record refers to a name that is not there or is deleted")
	cbh2Field           = AboutChessBase2.code("2cbh-field", Note, Harmless, "a result or an opening without a meaning, or a set-up with a third word")
	cbh2Frame           = AboutChessBase2.code("2cbh-frame", Error, Structure, "moves, a text or annotations are not where their record says, or not as their sizes and their sum say")
	cbh2Moves           = AboutChessBase2.code("2cbh-moves", Error, Structure, "moves that are none, or do not end")
	cbh2Text            = AboutChessBase2.code("2cbh-text", Error, Structure, "a text that cannot be read")
	cbh2Annotations     = AboutChessBase2.code("2cbh-annotations", Error, Structure, "annotations that cannot be read to their end")
	cbh2Type            = AboutChessBase2.code("2cbh-annotation-type", Note, Named, "an annotation of an unknown type, which hides those behind it")
	cbh2Place           = AboutChessBase2.code("2cbh-place", Error, Structure, "annotations of moves that the game has not")
	cbh2Derived         = AboutChessBase2.code("2cbh-derived", Note, Harmless, "full moves, flags or material of a header do not follow from moves and annotations")
	cbh2Unused          = AboutChessBase2.code("2cbh-unused", Note, Named, "bytes that no record leads to, or records that lie in another order or share their place")
	cbh2Name            = AboutChessBase2.code("2cbh-name", Error, Structure, "a name that cannot be read")
	cbh2Free            = AboutChessBase2.code("2cbh-deleted-names", Note, Named, "the list of deleted names of a kind breaks off, or leaves some out")
	cbh2List            = AboutChessBase2.code("2cbh-list", Note, Named, "the .2lgd file lists other records of a name than refer to it")
	cbh2Order           = AboutChessBase2.code("2cbh-order", Note, Named, "the .2lcd file has not all names in order")
	cbh2CodePage        = AboutChessBase2.code("2cbh-code-page", Note, Harmless, "names or texts are no UTF-8")
)

// The codes of findings about archives.
var (
	archiveTable = AboutArchives.code("archive-table", Note, Harmless, "header, table or what follows the last stream is not what ChessBase writes")
	archiveStamp = AboutArchives.code("archive-stamp", Note, Harmless, "a file has no date, or none that there is")

	archiveMember     = AboutArchives.code("archive-member", Error, Structure, "a file cannot be read: its name, place or size is wrong")
	archiveBlock      = AboutArchives.code("archive-block", Error, Structure, "a block cannot be unpacked, or does not fit its file")
	archiveShortBlock = AboutArchives.code("archive-short-block", Note, Harmless, "a block that is not the last of its file is not full")
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
	scidMissing    = AboutScid.code("scid-missing-file", Error, Named, "one of the three files is not there").left(missingBytes)
	scidUnreadable = AboutScid.code("scid-unreadable-file", Error, Structure, "the file cannot be opened").left("what cannot be opened cannot be changed")
	scidHeader     = AboutScid.code("scid-header", Error, Structure, "the index does not begin as its kind must, or is of a version that is not read").left(missingBytes)
	scidCut        = AboutScid.code("scid-cut-index", Error, Structure, "the index ends inside an entry, or before the last one that its header announces").left(missingBytes)
	scidBehind     = AboutScid.code("scid-more-entries", Error, Named, "the index has more entries than its header says, which Scid refuses").left("nothing tells whether the entries or their number are right; convert --keep-going leaves them out")

	scidNames     = AboutScid.code("scid-names", Error, Structure, "names that cannot be read, or a name that is there twice").left(missingBytes)
	scidNameOrder = AboutScid.code("scid-name-order", Note, Named, "names that are not in Scid's order").mended("the names", "the index is cut, or of another version")
	scidFrequency = AboutScid.code("scid-frequency", Note, Harmless, "a name says another number of games than refer to it").mended("the entries", "the index is cut, or of another version")

	scidReference = AboutScid.code("scid-reference", Error, Structure, "an entry refers to a name that is not there").left(noSecondCopy)
	scidExtent    = AboutScid.code("scid-extent", Error, Structure, "a record does not lie inside its file").left(notPlaced)
	scidBlock     = AboutScid.code("scid-block", Note, Named, "a record crosses a block of its file").left("cbkit compact writes the games one after the other")
	scidRecord    = AboutScid.code("scid-record", Error, Structure, "a record that cannot be read, or not to its end").left(notDecoded)
	scidTexts     = AboutScid.code("scid-texts", Error, Structure, "texts that are marked are missing").left(notDecoded)
	scidForm      = AboutScid.code("scid-form", Note, Harmless, "a record is stored in another form than the usual one; a copy keeps it").left("it says the same")
	scidDerived   = AboutScid.code("scid-derived", Note, Harmless, "a field that Scid searches by does not follow from the moves").mended("the moves", "the database is of another version")
	scidUnused    = AboutScid.code("scid-unused", Note, Harmless, "bytes that no entry leads to, or that several lead to").left("cbkit compact takes it out")
)
