package model

import "strings"

// String returns "Last, First", or the last name alone if there is no other.
func (p Player) String() string {
	if p.FirstName == "" {
		return p.LastName
	}
	return p.LastName + ", " + p.FirstName
}

// ParsePlayer splits a name at its first comma into last and first name,
// without the blanks around them; a name without a comma is a last name. It
// gives back what [Player.String] was made of, unless a name has blanks at its
// ends or the last name a comma.
func ParsePlayer(name string) Player {
	last, first, _ := strings.Cut(name, ",")
	return Player{LastName: strings.TrimSpace(last), FirstName: strings.TrimSpace(first)}
}
