package check

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
