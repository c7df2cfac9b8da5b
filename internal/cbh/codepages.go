package cbh

import (
	"sync"

	"golang.org/x/text/encoding/charmap"
)

// codePages are the pages that ParseCodePage knows, built when first used. The
// standard mappings come from golang.org/x/text.
var codePages = []struct {
	name  string
	table func() *pageTable
}{
	{"1252", windows1252},
	{"1250", standardPage("1250", charmap.Windows1250)},
	{"1251", standardPage("1251", charmap.Windows1251)},
	{"1253", standardPage("1253", charmap.Windows1253)},
	{"1254", standardPage("1254", charmap.Windows1254)},
	{"1255", standardPage("1255", charmap.Windows1255)},
	{"1256", standardPage("1256", charmap.Windows1256)},
	{"1257", standardPage("1257", charmap.Windows1257)},
	{"1258", standardPage("1258", charmap.Windows1258)},
	{"437", standardPage("437", charmap.CodePage437)},
	{"850", standardPage("850", charmap.CodePage850)},
	{"852", standardPage("852", charmap.CodePage852)},
	{"866", standardPage("866", charmap.CodePage866)},
	{"874", standardPage("874", charmap.Windows874)},
	{"iso-8859-1", standardPage("iso-8859-1", charmap.ISO8859_1)},
	{"iso-8859-2", standardPage("iso-8859-2", charmap.ISO8859_2)},
	{"iso-8859-3", standardPage("iso-8859-3", charmap.ISO8859_3)},
	{"iso-8859-4", standardPage("iso-8859-4", charmap.ISO8859_4)},
	{"iso-8859-5", standardPage("iso-8859-5", charmap.ISO8859_5)},
	{"iso-8859-6", standardPage("iso-8859-6", charmap.ISO8859_6)},
	{"iso-8859-7", standardPage("iso-8859-7", charmap.ISO8859_7)},
	{"iso-8859-8", standardPage("iso-8859-8", charmap.ISO8859_8)},
	{"iso-8859-9", standardPage("iso-8859-9", charmap.ISO8859_9)},
	{"iso-8859-10", standardPage("iso-8859-10", charmap.ISO8859_10)},
	{"iso-8859-13", standardPage("iso-8859-13", charmap.ISO8859_13)},
	{"iso-8859-14", standardPage("iso-8859-14", charmap.ISO8859_14)},
	{"iso-8859-15", standardPage("iso-8859-15", charmap.ISO8859_15)},
	{"iso-8859-16", standardPage("iso-8859-16", charmap.ISO8859_16)},
	{"koi8-r", standardPage("koi8-r", charmap.KOI8R)},
	{"koi8-u", standardPage("koi8-u", charmap.KOI8U)},
}

var windows1252 = standardPage("1252", charmap.Windows1252)

func standardPage(name string, page *charmap.Charmap) func() *pageTable {
	return lazyPage(name, page.DecodeByte)
}

// lazyPage returns a function that makes a table when it is first called.
func lazyPage(name string, decode func(byte) rune) func() *pageTable {
	return sync.OnceValue(func() *pageTable { return newPageTable(name, decode) })
}
