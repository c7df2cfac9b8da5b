package archive

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"cbkit/internal/cbh"
	"cbkit/internal/dbfile"
)

// nameSize is the size of a name in the table, in bytes; the last is a zero.
const nameSize = 128

// separator stands between a folder and what is in it.
const separator = `\`

// decodeName returns a name with slashes for its backslashes, from a field of
// the table. What follows the zero is memory of the program that wrote it and
// not looked at (docs/formats/cbv.md 2).
func decodeName(field []byte, page cbh.CodePage) (string, error) {
	end := bytes.IndexByte(field, 0)
	if end < 0 {
		return "", corrupt("the name has no end")
	}
	name := page.Decode(field[:end])
	if strings.Contains(name, "/") {
		return "", corrupt("%q has a character that no file name has", name)
	}
	name = strings.ReplaceAll(name, separator, "/")
	if err := checkName(name); err != nil {
		return name, corrupt("%v", err)
	}
	return name, nil
}

// encodeName returns the bytes of a name that has slashes.
func encodeName(name string, page cbh.CodePage) ([]byte, error) {
	if err := checkName(name); err != nil {
		return nil, err
	}
	b := page.Encode(strings.ReplaceAll(name, "/", separator))
	if len(b) >= nameSize {
		return nil, fmt.Errorf("%q has %d bytes; archives hold names of %d", name, len(b), nameSize-1)
	}
	if back := strings.ReplaceAll(page.Decode(b), separator, "/"); back != name {
		return nil, fmt.Errorf("%q cannot be written in code page %v", name, page)
	}
	return b, nil
}

// checkName refuses names that are no path below a folder, on any system: the
// archive decides nothing outside the folder it is unpacked to
// (docs/formats/cbv.md 8).
func checkName(name string) error {
	if name == "" {
		return errors.New("the name is empty")
	}
	if strings.HasPrefix(name, "/") {
		return fmt.Errorf("%q is not relative to the folder of the archive", name)
	}
	for part := range strings.SplitSeq(name, "/") {
		why := ""
		switch {
		case part == "" || part == ".":
			why = "has an empty part"
		case part == "..":
			why = "leads out of the folder of the archive"
		case !utf8.ValidString(part) || strings.ContainsFunc(part, func(r rune) bool { return r < ' ' || r == 0x7F }):
			why = "has a control character"
		case strings.Contains(part, ":"):
			why = "names a drive or a stream"
		case strings.ContainsAny(part, `<>"|?*\`):
			why = "has a character that no file name has"
		case strings.HasSuffix(part, ".") || strings.HasSuffix(part, " "):
			why = "ends with a dot or a blank, which Windows drops"
		case dbfile.MayBeOurOwn(part):
			why = "is a name that cbkit gives to files of its own while it works"
		case dbfile.IsDevice(part):
			why = "is the name of a device"
		case part[0] == '.':
			why = "begins with a dot, which hides a file"
		}
		if why != "" {
			return fmt.Errorf("%q %s", name, why)
		}
	}
	return nil
}
