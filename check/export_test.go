package check

// Names of what only tests ask for.
const (
	AboutDatabases, AboutBoosters, AboutBooks = aboutDatabases, aboutBoosters, aboutBooks
	AboutSimple, AboutArchives, AboutScid     = aboutSimple, aboutArchives, aboutScid
)

// CodesAbout are the codes about some subjects.
func CodesAbout(about ...subject) (list []Code) {
	for _, s := range about {
		for _, c := range codesAbout[s] {
			list = append(list, *c)
		}
	}
	return list
}
