package dcdb

// PromotionSample is how many games are looked through, at most, for how a
// database numbers promotions. A queen is in one game of a few dozen.
const PromotionSample = 10_000

// SeenPromotions looks through a game record, without its length, for
// promotions that only one numbering has: a 5 is of FromTwo, a 1 of FromOne.
// It returns 0 if there is neither. It plays no moves, so that a move of
// another piece to the last rank with such a number would deceive it; nobody
// writes those.
func SeenPromotions(body []byte) Promotions {
	d := Decoder{body: body, at: 1}
	if len(body) > 0 && body[0] == markFEN {
		if _, ok := d.block(""); !ok {
			return 0
		}
	}
	var seen Promotions
	for d.at < len(body) {
		at := d.at
		tag, ok := d.skip()
		if !ok {
			break
		}
		if tag != 0 {
			continue
		}
		v := uint16(body[at])<<8 | uint16(body[at+1])
		if !looksLikePromotion(v) {
			continue
		}
		switch v >> promotionShift {
		case 5:
			return FromTwo
		case 1:
			seen = FromOne
		}
	}
	return seen
}
