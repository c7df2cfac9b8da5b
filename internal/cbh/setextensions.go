package cbh

import (
	"slices"
	"strings"
)

// SetExtensions are the endings, without dots, of the files that hold the data of
// a database or follow from it: they make way when it is replaced. Settings (.ini)
// and folders of media are the user's.
var SetExtensions = []string{
	"cbh", "cbj", "cbg", "cba", "cbp", "cbt", "cbc", "cbs", "cbe", "cbl", "cbtt", "cbm",
	"flags", "cit", "cib", "cit2", "cib2", "cbb", "cbgi", "cbkit",
	"ckn", "cko", "cpn", "cpo", "ck2", "pgi",
}

// boosterExts are the endings of the search boosters and of the seal that vouches
// for one of them.
var boosterExts = []string{".cit", ".cib", ".cit2", ".cib2", ".cbb", ".cbgi", ".cbkit"}

// IsBooster reports whether a file, given by its ending with a dot, is a search
// booster or its seal: it follows from the others and can be computed.
func IsBooster(ext string) bool { return slices.Contains(boosterExts, strings.ToLower(ext)) }
