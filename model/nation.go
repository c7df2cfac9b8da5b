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

// nationCodes has the three-letter codes by nation index, "-" for none, as
// docs/formats/cbh-entities.md 6.8 prints them. 74 and 207 mean the same as 57 (GCI)
// and have none, so that each code has one number.
var nationCodes = func() (codes [256]string) {
	for i, code := range strings.Fields(`
		- AFG ALB ALG AND ANG ANT ARG ARM AUS AUT AZE BAH BRN BAN BAR
		BLR BEL BIZ BER BOL BIH BOT BRA IVB BRU BUL BUR CAN CHI CHN COL
		CRC CRO CUB CYP CZE DEN DJI DOM ECU EGY ENG ESP EST ETH FRO FIJ
		FIN FRA MKD GAM GEO GER GHA GRE GUA GCI GUY HAI HON HKG HUN ISL
		IND INA IRI IRQ ISR IRL ITA CIV JAM JPN - JOR KAZ KEN KOR KGZ
		KUW LAT LBN LBA LIE LTU LUX MAC MAD MAS MLI MLT MTN MRI MEX MDA
		MON MGL MAR MOZ MYA NAM NEP NED AHO NZL NCA NGR NOR PAK PLE PAN
		PNG PAR PER PHI POL POR PUR QAT ROU RUS ESA SMR SCO SEN SEY SIN
		SVK SLO RSA SRI SUD SUR SWE SUI SYR TJK TAN THA TTO TUN TUR TKM
		UGA UKR UAE USA URU URS UZB VEN VIE ISV WLS YEM YUG ZAM ZIM ZAI
		DDR TCH CMR CHA CPV KIR COM CGO PRK LAO LES MAW MDV MHL OMA NRU
		MIC NIG KSA TOG TGA VAN VAT TUV SWZ SLE LCA PAP VIN SAM SKN SOL
		DRE RUE RWA LBR NET TPE ASA AIA ARU BEN BHU BDI CAM CAY CAF -
		CXR CCK COK GEQ ERI FLK GUF PYF GAB GIB GRN GRL GLP GUM GUI GBS
		IOM SJM MTQ MYT MSR NCL NIU NFK MNP TLS PLW PCN REU STP SOM SVB
		SHN SPM TKL TCA WLF NIR ISS GBR SAA MNE SRB CAT BAS KOS - -
	`) {
		codes[i] = strings.Trim(code, "-")
	}
	return codes
}()
