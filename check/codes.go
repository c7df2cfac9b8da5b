package check

// Code is what there is to know about a kind of finding.
type Code struct {
	Code string `json:"code"`
	// Severity is the usual one; Meaning says when it is another.
	Severity Severity `json:"severity"`
	Meaning  string   `json:"meaning"`
}

// Codes lists the findings of [Database], sorted by what they are about.
func Codes() []Code { return append([]Code(nil), codes...) }

// The codes of findings about databases.
const (
	codeMissingFile    = "missing-file"
	codeUnreadableFile = "unreadable-file"
	codeBadHeader      = "bad-header"
	codeUnknownVersion = "unknown-version"
	codeCutFile        = "cut-file"
	codeTrailingBytes  = "trailing-bytes"
	codeRecordCount    = "record-count"
	codeExtCount       = "ext-count"
	codeExtEmpty       = "ext-empty"
	codeDeclaredSize   = "declared-size"
	codeHeaderTwins    = "header-twins"
	codeHoleCount      = "hole-count"

	codeRecordType     = "record-type"
	codeUnknownBits    = "unknown-bits"
	codeBadDate        = "bad-date"
	codeBadResult      = "bad-result"
	codeBadECO         = "bad-eco"
	codeLineEvaluation = "line-evaluation"
	codeMisplacedField = "misplaced-field"
	codeReferenceRange = "reference-range"
	codeReferenceDead  = "reference-deleted"
	codeOffsetOutside  = "offset-outside"
	codeOffsetTwins    = "offset-twins"
	codeRecordSize     = "record-size"
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

// codes is the table behind [Codes]. What is an error and what is a note is
// fixed at the end of spec/real-databases.md; docs/decisions.md has the rest.
var codes = []Code{
	{codeMissingFile, Error, "a file that every database must have is not there"},
	{codeUnreadableFile, Error, "the file cannot be opened"},
	{codeBadHeader, Error, "the file does not begin as its kind must"},
	{codeUnknownVersion, Note, "the file is of a version that is not known"},
	{codeCutFile, Error, "the file ends before the last record that its header announces"},
	{codeTrailingBytes, Note, "bytes lie behind the end that the header declares"},
	{codeRecordCount, Error, "a counter in the header is not the number of records"},
	{codeExtCount, Error, "the .cbj file has records for some of the games only, or for more than there are"},
	{codeExtEmpty, Note, "the .cbj file has no records: an old database, opened by a newer program"},
	{codeDeclaredSize, Error, "the header declares more bytes than the file has"},
	{codeHeaderTwins, Note, "the 64-bit fields of the header do not repeat the 32-bit ones"},
	{codeHoleCount, Note, "the header counts other unused bytes than lie between the records"},

	{codeRecordType, Error, "the record is not marked as in use"},
	{codeUnknownBits, Note, "bits or bytes are set that mean nothing known"},
	{codeBadDate, Error, "the date has a month beyond 12"},
	{codeBadResult, Error, "the result is none of the eight"},
	{codeBadECO, Error, "the opening is neither an ECO code nor a Chess960 number"},
	{codeLineEvaluation, Note, "a game with a result has an evaluation of its last position too"},
	{codeMisplacedField, Note, "a field is set that a record of this kind does not have"},
	{codeReferenceRange, Error, "the record refers to an entity that does not exist"},
	{codeReferenceDead, Error, "the record refers to a deleted entity"},
	{codeOffsetOutside, Error, "the offset leads into the file's header or past its end"},
	{codeOffsetTwins, Error, "the 64-bit offset in the .cbj file does not repeat that of the .cbh file"},
	{codeRecordSize, Error, "the size of the record is impossible or leads past the end of the file"},
	{codeDescending, Error, "the record lies before that of the game before it"},
	{codeOverlap, Error, "the record begins inside that of an earlier game"},
	{codeNotExamined, Error, "the record shares so many bytes with others that it was not decoded"},
	{codeChecksum, Error, "the checksum of a .cbj record is wrong"},
	{codeMediaOffset, Error, "the place of the media list is none in the .cbm file"},
	{codeMediaRecord, Note, "the record of the .cbm file holds no list"},

	{codeMoves, Error, "the moves do not decode although their encoding is known"},
	{codeUnsupportedMoves, Note, "the moves are stored in a way that is not known"},
	{codeMoveDummy, Note, "the moves hold bytes without a meaning, as old programs wrote them"},
	{codeMoveEnd, Note, "the mark at the end of the moves is missing"},
	{codeMoveTrailer, Note, "bytes follow the end of the moves"},
	{codeText, Error, "the content of a guiding text does not decode"},
	{codeUnsupportedText, Note, "the guiding text is of a version that is not known"},
	{codeTextMark, Note, "the guiding text is not marked as one in the .cbg file"},
	{codeTextFlags, Note, "a guiding text has a media list, but not the flag for pictures"},
	{codeCodePage, Note, "texts are in a code page that is not named in the database; --codepage names it"},

	{codeAnnotationRecord, Error, "the sizes in the annotations do not lead to their end"},
	{codeAnnotationCount, Error, "the annotations are not as many as their head says"},
	{codeAnnotationOrder, Error, "the annotations are not in the order of the moves"},
	{codeAnnotationHead, Note, "the head names another game, or is not the usual one"},
	{codeAnnotationPosition, Note, "an annotation belongs to a move that does not exist"},
	{codeAnnotationDuplicate, Note, "a move has two annotations of one type, or two texts in one language"},
	{codeAnnotationEmpty, Note, "the record holds no annotations"},
	{codeAnnotationOpaque, Note, "annotations of an unknown type, or with an unknown content"},

	{codeStaleFlags, Error, "flags of the game are not those of its moves and annotations"},
	{codeStaleOtherFlags, Note, "the same of flags whose rule is known from other programs only"},
	{codeStaleMagnitude, Note, "the magnitude bits are not those of the annotations and variations"},
	{codeStaleMedals, Error, "the medals of the game are not those of its annotations"},
	{codeStaleMaterial, Note, "the material words are not what both sides have at the end"},
	{codeStaleMoveCount, Error, "the number of moves is not that of the main line"},

	{codeTreeRoot, Error, "the root of the tree is no live record"},
	{codeTreeLink, Error, "a link of the tree leads outside the file"},
	{codeTreeDeadLink, Error, "a link of the tree leads to a deleted record"},
	{codeTreeCycle, Error, "a link of the tree leads back up"},
	{codeTreeTwoParents, Error, "two links of the tree lead to one record"},
	{codeTreeUnreachable, Error, "a live record is not in the tree"},
	{codeTreeOrder, Error, "two neighbours in the tree are in the wrong order"},
	{codeTreeBalance, Error, "a balance is wrong; a note where the .cbj file is absent or empty"},
	{codeTreeUnbalanced, Error, "the tree is out of balance; a note where the .cbj file is absent or empty"},
	{codeLiveCount, Error, "the header counts other live records than there are; a note where the .cbj file is absent or empty"},
	{codeFreeLink, Error, "the list of deleted records leads outside the file"},
	{codeFreeLive, Error, "the list of deleted records leads to a live one"},
	{codeFreeLoop, Error, "the list of deleted records has no end"},
	{codeFreeMissing, Error, "a deleted record is not on the list of deleted records"},
	{codeDeletedBalance, Error, "a deleted record has a balance"},

	{codeReferenceCount, Error, "the number of references is wrong; a note for teams and titles where the .cbj file does not cover all games, and for a single empty entity that is not used"},
	{codeFirstReference, Error, "the first record that refers to the entity is another; a note in the first case above"},
	{codeUnusedEntity, Error, "no record refers to a live entity, and its count says so; a note in the cases above"},

	{codeTournamentExtra, Note, "the .cbtt file has records beyond the tournaments, or bytes that say nothing about one"},
	{codeExaminedValue, Note, "the .flags file has the value 1, which is not known"},
}

// severities finds the usual severity of a code.
var severities = func() map[string]Severity {
	m := make(map[string]Severity, len(codes))
	for _, c := range codes {
		m[c.Code] = c.Severity
	}
	return m
}()
