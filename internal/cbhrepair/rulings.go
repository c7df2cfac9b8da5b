package cbhrepair

// Ruling says what a repair does about the findings of one code.
type Ruling struct {
	Code string
	// By is what makes it true, "" if nothing does.
	By string
	// Unless says when, or why, it is left alone; "" if it never is.
	Unless string
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
	tree         = "the tree is built anew of the live records"
	treeUnless   = "the file is cut"
)

// rulings has one ruling for each code of findings of a check.
var rulings = []Ruling{
	{"missing-file", "", missingBytes},
	{"missing-optional-file", "", missingBytes},
	{"unreadable-file", "", "what cannot be opened cannot be changed"},
	{"bad-header", "what is the same in all files of the kind, and the size of the file", "other fields of the header do not fit the file either"},
	{"unknown-version", "", unknownUse},
	{"cut-file", "marks of records that are not there; a number of records that the rest of the file disproves", missingBytes},
	{"trailing-bytes", "the header gives the file its size", "behind records of one size: " + unknownUse},
	{"record-count", "the size of the file", "records are missing at the end: " + missingBytes},
	{"ext-count", "the records of the .cbh file; missing records that say nothing are made", "the .cbj file ends inside of a record, or has records that the .cbh file lacks"},
	{"ext-empty", "", "old databases are so, and the next program that adds a game completes it"},
	{"declared-size", "the size of the file", "records lie beyond its end: " + missingBytes},
	{"header-twins", "the size of the file and its holes", "it is not known where all records lie"},
	{"hole-count", "the bytes between the records", "it is not known where all records lie"},

	{"record-type", "the content of the record, which decodes", "its content does not decode"},
	{"unknown-bits", "", unknownUse},
	{"bad-date", "", noSecondCopy},
	{"bad-result", "", noSecondCopy},
	{"bad-eco", "", noSecondCopy},
	{"line-evaluation", "", harmless},
	{"misplaced-field", "", harmless},
	{"reference-range", "", noSecondCopy},
	{"reference-deleted", "", noSecondCopy},
	{"offset-outside", "the other field that has the place, or annotations whose head names the game", notPlaced},
	{"offset-twins", "the place at which a part of the record decodes", "at none of the two it does"},
	{"record-size", "the content, which ends before the next record", "it breaks off, or is not what the header says of it; " + salvaged},
	{"descending", "", notWhose},
	{"overlap", "", notWhose},
	{"not-examined", "", notWhose},
	{"checksum", "the record", "the .cbj file is of a version that is not known"},
	{"media-offset", "", noSecondCopy},
	{"media-record", "", notDecoded},

	{"moves", "", notDecoded},
	{"unsupported-moves", "", unknownUse},
	{"move-dummy", "", "it does no harm, and leaving it out would move all that follows"},
	{"move-end", "", "it does no harm, and there is no room for the mark"},
	{"move-trailer", "", unknownUse},
	{"move-form", "", "it says the same"},
	{"start-block", "", harmless},
	{"text", "", notDecoded},
	{"unsupported-text", "", unknownUse},
	{"text-mark", "the content, which is that of a text", "it does not decode"},
	{"text-flags", "the media list of the text", "its content does not decode"},
	{"code-page", "", "the database has no place for the name of a code page"},

	{"annotation-record", "", notDecoded},
	{"annotation-count", "the annotations", "their sizes do not lead to the end of the record, or it lies inside of others"},
	{"annotation-order", "", "nothing tells which move the annotation belongs to"},
	{"annotation-head", "the game that points to it", "the record lies inside of others, or does not decode"},
	{"annotation-position", "", "nothing tells which move the annotation belongs to"},
	{"annotation-duplicate", "", harmless},
	{"annotation-empty", "", harmless},
	{"annotation-opaque", "", unknownUse},
	{"annotation-form", "", "it says the same"},
	{"text-utf8", "", "it says the same"},

	{"stale-flags", "moves and annotations, those too that only their own head assigns to the game", "the record lies inside of others"},
	{"stale-other-flags", "", "the rule of these flags is not proven"},
	{"stale-magnitude", "moves and annotations", "the record lies inside of others"},
	{"stale-medals", "the annotations", "the record lies inside of others"},
	{"stale-material", "the moves", "the record lies inside of others"},
	{"stale-move-count", "the moves", "the record lies inside of others"},

	{"tree-root", tree, treeUnless},
	{"tree-link", tree, treeUnless},
	{"tree-deleted-link", tree, treeUnless},
	{"tree-cycle", tree, treeUnless},
	{"tree-two-parents", tree, treeUnless},
	{"tree-unreachable", tree, treeUnless},
	{"tree-order", tree, treeUnless},
	{"tree-balance", tree, treeUnless},
	{"tree-unbalanced", tree, treeUnless},
	{"live-count", "the live records", treeUnless},
	{"free-list-link", "the list is made anew of the deleted records", treeUnless},
	{"free-list-live", "the list is made anew of the deleted records", treeUnless},
	{"free-list-loop", "the list is made anew of the deleted records", treeUnless},
	{"free-list-missing", "the list is made anew of the deleted records", treeUnless},
	{"deleted-balance", "the record is deleted, and so is in no tree", treeUnless},

	{"reference-count", "the references of all records", "a record refers to nobody who is there, nobody refers to the entity, or the .cbj file does not have all references"},
	{"first-reference", "the references of all records", "a record refers to nobody who is there"},
	{"unused-entity", "", "nothing tells whether it was left over or has lost its records; cbkit compact --purge removes it"},

	{"tournament-extra", "", unknownUse},
	{"examined-value", "", unknownUse},

	{"booster-missing", "", "it does no harm; cbkit boosters makes it"},
	{"booster-stale", anew, ""},
	{"booster-header", anew, "it is a note: " + unknownUse},
	{"booster-pair", anew, "it is a note: nothing leads into the blocks"},
	{"booster-list", anew, ""},
	{"booster-block", "", harmless},
	{"booster-shared-block", anew, ""},
	{"booster-free-list", anew, ""},
	{"booster-lost-block", anew, "it is a note: real files have it"},
	{"booster-content", anew, ""},
	{"booster-count", "the references of all records", "as for the counts of the entity"},
	{"booster-trace", anew, ""},
	{"booster-offset", anew, ""},
	{"booster-unsealed", "dropped where the repair has changed what it is about, and made anew by cbkit boosters", "nothing has changed"},
	{"booster-unknown", "", "the database is damaged"},
	{"booster-more", "", "it stands for other findings"},
}

// Rulings returns the rulings on all codes of findings.
func Rulings() []Ruling { return append([]Ruling(nil), rulings...) }

var rulingOf = func() map[string]Ruling {
	m := make(map[string]Ruling, len(rulings))
	for _, r := range rulings {
		m[r.Code] = r
	}
	return m
}()

// RulingOf returns the ruling on a code.
func RulingOf(code string) Ruling { return rulingOf[code] }
