package search

// Titled is true for games and texts of an entity of a kind, by its name as in [Player].
func Titled(kind, name string) Condition {
	return nameCondition{kind: map[string]*nameKind{
		"place": places, "tournament": tournaments, "annotator": annotators, "source": sources, "title": titles,
	}[kind], pattern: pattern(name)}
}
