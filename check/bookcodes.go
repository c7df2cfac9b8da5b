package check

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
