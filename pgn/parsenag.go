package pgn

import (
	"strconv"
	"strings"

	"cbkit/model"
)

// ParseNAG reads a sign as people write it, such as "!?" or "+/-", or a NAG by its
// number, "$14".
func ParseNAG(sign string) (model.NAG, bool) {
	if number, ok := strings.CutPrefix(sign, "$"); ok {
		n, err := strconv.ParseUint(number, 10, 8)
		return model.NAG(n), err == nil
	}
	if len(sign) > 0 && len(sign) <= 2 && strings.Trim(sign, "!?") == "" {
		return markNAG(sign), true
	}
	return symbolNAG(sign)
}
