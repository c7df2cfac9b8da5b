package model

import (
	"strconv"
	"strings"
)

// Nation is a country or association by ChessBase's index; 0 is none. Its
// three-letter codes are those of [Nation.Code].
type Nation uint8

// Code returns the three-letter code, "" for none or an index without one.
func (n Nation) Code() string { return nationCodes[n] }

// String returns the code, and "#74" for an index that has none.
func (n Nation) String() string {
	if code := nationCodes[n]; code != "" || n == 0 {
		return code
	}
	return "#" + strconv.Itoa(int(n))
}

// ParseNation reads what [Nation.String] returns.
func ParseNation(s string) (Nation, bool) {
	if index, found := strings.CutPrefix(s, "#"); found {
		n, err := strconv.ParseUint(index, 10, 8)
		return Nation(n), err == nil
	}
	n, ok := nationByCode[s]
	return n, ok || s == ""
}

var nationByCode = func() map[string]Nation {
	m := make(map[string]Nation, len(nationCodes))
	for i, code := range nationCodes {
		if _, seen := m[code]; code != "" && !seen {
			m[code] = Nation(i)
		}
	}
	return m
}()

// nationCodes lists the three-letter codes by nation index, as
// docs/formats/cbh-entities.md 6.8 prints them. 74 and 207 mean the same as 57 (GCI)
// and have none, so that each code has one number.
var nationCodes = [256]string{
	"", "AFG", "ALB", "ALG", "AND", "ANG", "ANT", "ARG", // 0
	"ARM", "AUS", "AUT", "AZE", "BAH", "BRN", "BAN", "BAR", // 8
	"BLR", "BEL", "BIZ", "BER", "BOL", "BIH", "BOT", "BRA", // 16
	"IVB", "BRU", "BUL", "BUR", "CAN", "CHI", "CHN", "COL", // 24
	"CRC", "CRO", "CUB", "CYP", "CZE", "DEN", "DJI", "DOM", // 32
	"ECU", "EGY", "ENG", "ESP", "EST", "ETH", "FRO", "FIJ", // 40
	"FIN", "FRA", "MKD", "GAM", "GEO", "GER", "GHA", "GRE", // 48
	"GUA", "GCI", "GUY", "HAI", "HON", "HKG", "HUN", "ISL", // 56
	"IND", "INA", "IRI", "IRQ", "ISR", "IRL", "ITA", "CIV", // 64
	"JAM", "JPN", "", "JOR", "KAZ", "KEN", "KOR", "KGZ", // 72
	"KUW", "LAT", "LBN", "LBA", "LIE", "LTU", "LUX", "MAC", // 80
	"MAD", "MAS", "MLI", "MLT", "MTN", "MRI", "MEX", "MDA", // 88
	"MON", "MGL", "MAR", "MOZ", "MYA", "NAM", "NEP", "NED", // 96
	"AHO", "NZL", "NCA", "NGR", "NOR", "PAK", "PLE", "PAN", // 104
	"PNG", "PAR", "PER", "PHI", "POL", "POR", "PUR", "QAT", // 112
	"ROU", "RUS", "ESA", "SMR", "SCO", "SEN", "SEY", "SIN", // 120
	"SVK", "SLO", "RSA", "SRI", "SUD", "SUR", "SWE", "SUI", // 128
	"SYR", "TJK", "TAN", "THA", "TTO", "TUN", "TUR", "TKM", // 136
	"UGA", "UKR", "UAE", "USA", "URU", "URS", "UZB", "VEN", // 144
	"VIE", "ISV", "WLS", "YEM", "YUG", "ZAM", "ZIM", "ZAI", // 152
	"DDR", "TCH", "CMR", "CHA", "CPV", "KIR", "COM", "CGO", // 160
	"PRK", "LAO", "LES", "MAW", "MDV", "MHL", "OMA", "NRU", // 168
	"MIC", "NIG", "KSA", "TOG", "TGA", "VAN", "VAT", "TUV", // 176
	"SWZ", "SLE", "LCA", "PAP", "VIN", "SAM", "SKN", "SOL", // 184
	"DRE", "RUE", "RWA", "LBR", "NET", "TPE", "ASA", "AIA", // 192
	"ARU", "BEN", "BHU", "BDI", "CAM", "CAY", "CAF", "", // 200
	"CXR", "CCK", "COK", "GEQ", "ERI", "FLK", "GUF", "PYF", // 208
	"GAB", "GIB", "GRN", "GRL", "GLP", "GUM", "GUI", "GBS", // 216
	"IOM", "SJM", "MTQ", "MYT", "MSR", "NCL", "NIU", "NFK", // 224
	"MNP", "TLS", "PLW", "PCN", "REU", "STP", "SOM", "SVB", // 232
	"SHN", "SPM", "TKL", "TCA", "WLF", "NIR", "ISS", "GBR", // 240
	"SAA", "MNE", "SRB", "CAT", "BAS", "KOS", "", "", // 248
}
