package cbh

// SetExtensions are the endings, without dots, of the files that hold the data of
// a database or follow from it: they make way when it is replaced. Settings (.ini)
// and folders of media are the user's.
var SetExtensions = []string{
	"cbh", "cbj", "cbg", "cba", "cbp", "cbt", "cbc", "cbs", "cbe", "cbl", "cbtt", "cbm",
	"flags", "cit", "cib", "cit2", "cib2", "cbb", "cbgi", "cbkit",
	"ckn", "cko", "cpn", "cpo", "ck2", "pgi",
}
