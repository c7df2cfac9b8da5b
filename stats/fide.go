package stats

// ratingDifference is FIDE's table of what a share of points means in rating, for
// 50 to 100 percent (Handbook B.02, 8.1.1, and B.01, 1.4.9). Below 50 percent it
// is that of the rest to 100, negative.
var ratingDifference = [51]int16{
	0, 7, 14, 21, 29, 36, 43, 50, 57, 65,
	72, 80, 87, 95, 102, 110, 117, 125, 133, 141,
	149, 158, 166, 175, 184, 193, 202, 211, 220, 230,
	240, 251, 262, 273, 284, 296, 309, 322, 336, 351,
	366, 383, 401, 422, 444, 470, 501, 538, 589, 677,
	800,
}

// RatingDifference returns by how much a player who scores a percentage of the
// points, 0 to 100, is stronger than his opponents, by FIDE's table.
func RatingDifference(percent int) int {
	percent = min(max(percent, 0), 100)
	if percent < 50 {
		return -int(ratingDifference[50-percent])
	}
	return int(ratingDifference[percent-50])
}

// Category returns the category of a round robin with an average rating, 0 if it
// has none: 1 is 2251 to 2275, and each of the next takes 25 points more.
func Category(average int) int {
	if average <= 2250 {
		return 0
	}
	return (average-2251)/25 + 1
}

// rounded returns n divided by a positive d, to the nearest whole number, halves
// upwards.
func rounded(n, d int64) int {
	return int((2*n + d) / (2 * d))
}
