package codepage

// script says how the letters of a language beyond ASCII stand in its words.
type script uint8

const (
	latin script = iota // among letters of ASCII
	other               // among their like alone
)

// language is how often a language has its letters.
type language struct {
	name string
	// share is how much of all chess players' names and texts is in it, roughly,
	// in relation to the others of a page.
	share  float64
	script script
	// letters are those beyond ASCII, each with its frequency among them in front
	// of the letters that have it; capitals count as small letters but for the
	// dotted capital I. The numbers are rounded from general tables of letter
	// frequencies: only their order of magnitude matters.
	letters []frequency
}

type frequency struct {
	weight  float64
	letters string
}

var (
	german     = language{"German", 4, latin, []frequency{{40, "ü"}, {25, "äö"}, {10, "ß"}, {2, "é"}}}
	french     = language{"French", 2, latin, []frequency{{60, "é"}, {12, "è"}, {5, "çàê"}, {2, "âîôïë"}, {1, "ûùœ"}}}
	spanish    = language{"Spanish", 3, latin, []frequency{{20, "áíó"}, {15, "éñ"}, {8, "ú"}, {2, "ü"}}}
	portuguese = language{"Portuguese", 1, latin, []frequency{{15, "ãç"}, {12, "áé"}, {9, "óí"}, {5, "êâôú"}, {3, "õ"}, {2, "à"}}}
	italian    = language{"Italian", 1, latin, []frequency{{30, "àè"}, {14, "ìòù"}, {5, "é"}}}
	danish     = language{"Danish or Norwegian", 2, latin, []frequency{{45, "ø"}, {22, "æå"}, {4, "é"}, {2, "öü"}}}
	swedish    = language{"Swedish or Finnish", 2, latin, []frequency{{39, "öä"}, {18, "å"}, {4, "é"}}}
	catalan    = language{"Catalan", 0.5, latin, []frequency{{15, "àéíó"}, {12, "è"}, {8, "òú"}, {4, "ïüç"}}}
	dutch      = language{"Dutch", 1, latin, []frequency{{50, "ë"}, {18, "éï"}, {5, "öü"}, {3, "èá"}}}
	icelandic  = language{"Icelandic", 0.7, latin, []frequency{{22, "ð"}, {14, "áí"}, {10, "óö"}, {6, "úéæþ"}, {4, "ý"}}}
	estonian   = language{"Estonian", 0.2, latin, []frequency{{28, "äõü"}, {10, "ö"}, {3, "šž"}}}

	polish     = language{"Polish", 3, latin, []frequency{{22, "ł"}, {13, "ąęó"}, {10, "śżń"}, {7, "ć"}, {2, "ź"}}}
	czech      = language{"Czech", 2, latin, []frequency{{18, "íá"}, {10, "ěéřč"}, {7, "šžý"}, {4, "ů"}, {1, "úňťďó"}}}
	slovak     = language{"Slovak", 1, latin, []frequency{{18, "áí"}, {10, "éýčšžú"}, {4, "ľňť"}, {2, "ďôäó"}, {0.5, "ŕĺ"}}}
	hungarian  = language{"Hungarian", 2.5, latin, []frequency{{27, "áé"}, {9, "öóő"}, {6, "üí"}, {3, "ú"}, {2, "ű"}}}
	croatian   = language{"Croatian, Serbian or Slovene", 2, latin, []frequency{{26, "čćš"}, {15, "ž"}, {8, "đ"}}}
	romanian   = language{"Romanian", 1.5, latin, []frequency{{30, "ă"}, {20, "şţ"}, {14, "îâ"}}}
	turkish    = language{"Turkish", 4, latin, []frequency{{26, "ı"}, {15, "şü"}, {10, "ğçö"}, {5, "İ"}, {1, "âî"}}}
	lithuanian = language{"Lithuanian", 2, latin, []frequency{{16, "ėš"}, {9, "žųūįąč"}, {4, "ę"}}}
	latvian    = language{"Latvian", 2, latin, []frequency{{32, "ā"}, {16, "īē"}, {7, "šņļū"}, {3, "ķčžģ"}}}

	russian = language{"Russian", 4, other, []frequency{
		{10, "о"}, {8, "еа"}, {7, "инт"}, {5, "срвл"}, {3.2, "кмдпу"}, {1.9, "яыьгзб"}, {1.3, "чйх"}, {0.8, "жшю"}, {0.4, "цщэф"}, {0.05, "ъё"}}}
	ukrainian = language{"Ukrainian", 1, other, []frequency{
		{9, "оа"}, {6, "ниів"}, {5, "рте"}, {3.7, "скл"}, {3, "удмп"}, {2, "язьг"}, {1.2, "чбхй"}, {0.8, "цюжїш"}, {0.5, "єщф"}, {0.02, "ґ"}}}
	bulgarian = language{"Bulgarian", 1, other, []frequency{
		{11, "а"}, {8, "оеи"}, {6, "нтр"}, {4.5, "свл"}, {3.2, "кдпм"}, {1.8, "яъзугб"}, {1.2, "чйжщх"}, {0.5, "шцюфь"}}}
	serbian = language{"Serbian", 0.5, other, []frequency{
		{11, "а"}, {9, "оие"}, {5, "нрст"}, {4, "јувк"}, {3.4, "дмлп"}, {1.7, "гзб"}, {0.8, "чњћцшхж"}, {0.3, "љфђ"}, {0.05, "џ"}}}
	greek = language{"Greek", 4, other, []frequency{
		{9, "αο"}, {7.5, "ιετ"}, {5.5, "νση"}, {4, "υρπκς"}, {3, "μλ"}, {2.2, "ωίόά"}, {1.6, "γδέή"}, {1, "θχφύώ"}, {0.4, "βξζψ"}, {0.1, "ϊϋΐΰ"}}}
)

// western are the languages that Windows-1254 shares with Windows-1252.
var western = []*language{&german, &french, &spanish, &portuguese, &italian, &danish, &swedish, &catalan, &dutch}

// vowels of the Latin script; all other letters of it are consonants.
const vowels = "aeiouyàáâãäåæèéêëìíîïòóôõöøùúûüýÿœąęăőűıİěůėųūįāīēō"
