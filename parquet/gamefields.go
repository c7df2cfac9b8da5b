package parquet

// The fields of a game that a reader takes.
const (
	fieldGame = iota
	fieldMoves
	fieldUCI
	fieldMovetext
	fieldFEN
	fieldVariant
	fieldFlags
	fieldTags
	fieldEvent
	fieldSite
	fieldWhite
	fieldBlack
	fieldResult
	fieldWhiteElo
	fieldBlackElo
	fieldECO
	fieldECOSub
	fieldRound
	fieldSubround
	fieldDate
	fieldYear
	fieldMonth
	fieldDay
	fieldLineEvaluation
	fieldWhiteTeam
	fieldBlackTeam
	fieldAnnotator
	fieldSource
	fieldGameTitle
	fieldWhiteTitle
	fieldBlackTitle
	fieldWhiteRatingDiff
	fieldBlackRatingDiff
	fieldUTCDate
	fieldUTCTime
	fieldOpening
	fieldTermination
	fieldTimeControl
)

// gameFields are the names of the fields and what they hold.
var gameFields = []field{
	fieldGame:            {name: gameColumn, shape: shapeText},
	fieldMoves:           {name: "moves", shape: shapeText},
	fieldUCI:             {name: "uci", shape: shapeTexts},
	fieldMovetext:        {name: "movetext", shape: shapeText},
	fieldFEN:             {name: "fen", shape: shapeText},
	fieldVariant:         {name: "variant", shape: shapeText},
	fieldFlags:           {name: "flags", shape: shapeTexts},
	fieldTags:            {name: "tags", shape: shapePairs},
	fieldEvent:           {name: "Event", shape: shapeText},
	fieldSite:            {name: "Site", shape: shapeText},
	fieldWhite:           {name: "White", shape: shapeText},
	fieldBlack:           {name: "Black", shape: shapeText},
	fieldResult:          {name: "Result", shape: shapeText},
	fieldWhiteElo:        {name: "WhiteElo", shape: shapeNumber},
	fieldBlackElo:        {name: "BlackElo", shape: shapeNumber},
	fieldECO:             {name: "ECO", shape: shapeText},
	fieldECOSub:          {name: "ecoSub", shape: shapeNumber},
	fieldRound:           {name: "round", shape: shapeNumber},
	fieldSubround:        {name: "subround", shape: shapeNumber},
	fieldDate:            {name: "date", shape: shapeDate},
	fieldYear:            {name: "year", shape: shapeNumber},
	fieldMonth:           {name: "month", shape: shapeNumber},
	fieldDay:             {name: "day", shape: shapeNumber},
	fieldLineEvaluation:  {name: "lineEvaluation", shape: shapeNumber},
	fieldWhiteTeam:       {name: "whiteTeam", shape: shapeText},
	fieldBlackTeam:       {name: "blackTeam", shape: shapeText},
	fieldAnnotator:       {name: "annotator", shape: shapeText},
	fieldSource:          {name: "source", shape: shapeText},
	fieldGameTitle:       {name: "gameTitle", shape: shapeText},
	fieldWhiteTitle:      {name: "WhiteTitle", shape: shapeText},
	fieldBlackTitle:      {name: "BlackTitle", shape: shapeText},
	fieldWhiteRatingDiff: {name: "WhiteRatingDiff", shape: shapeNumber},
	fieldBlackRatingDiff: {name: "BlackRatingDiff", shape: shapeNumber},
	fieldUTCDate:         {name: "UTCDate", shape: shapeDate},
	fieldUTCTime:         {name: "UTCTime", shape: shapeTime},
	fieldOpening:         {name: "Opening", shape: shapeText},
	fieldTermination:     {name: "Termination", shape: shapeText},
	fieldTimeControl:     {name: "TimeControl", shape: shapeText},
}
