package parquet

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	pq "github.com/parquet-go/parquet-go"
)

// ManifestEntry is a line of a manifest: what is known of a file without reading it. The
// manifest of a part is OUT/_manifest.Mega.1-of-4.jsonl, beside the folders of the tables:
// parts are written on several machines at a time, and have one each.
type ManifestEntry struct {
	Table Table  `json:"table"`
	File  string `json:"file"` // with the folder of the table, and a slash
	Rows  int64  `json:"rows"`
	// FirstID and LastID are the least and the greatest value of the column id, nil where
	// there are no rows.
	FirstID *int64 `json:"firstId,omitempty"`
	LastID  *int64 `json:"lastId,omitempty"`
	// Order lists the columns by which the rows are sorted, with commas between them; ""
	// is the usual order, by id first.
	Order  string `json:"order,omitempty"`
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"` // in hexadecimal digits
}

// manifestName is the name of a part's manifest.
func manifestName(part string) string { return "_manifest." + part + ".jsonl" }

// writeManifest writes the manifest of the new files and a mark, under the names that they
// have until the files have theirs.
func (f *folder) writeManifest() (manifest, mark string, err error) {
	var lines []byte
	for _, n := range f.done {
		entry, err := f.manifestEntry(n)
		if err != nil {
			return "", "", err
		}
		line, err := json.Marshal(entry)
		if err != nil {
			return "", "", err
		}
		lines = append(append(lines, line...), '\n')
	}
	if manifest, err = f.writeFile(os.Getpid(), lines); err == nil {
		mark, err = f.writeFile(0, nil)
	}
	return manifest, mark, err
}

// writeFile writes a file beside the folders of the tables.
func (f *folder) writeFile(number int, content []byte) (name string, err error) {
	name = filepath.Join(f.path, fmt.Sprintf(".%s.%d.cbkit-writing", f.part(), number))
	file, err := f.files.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return "", err
	}
	_, err = file.Write(content)
	if err == nil {
		err = file.Sync()
	}
	if err = errors.Join(err, file.Close()); err != nil {
		err = errors.Join(err, f.files.Remove(name))
	}
	return name, err
}

// manifestEntry reads a file.
func (f *folder) manifestEntry(n *newFile) (entry ManifestEntry, err error) {
	path := filepath.Join(n.dir, n.temp)
	info, err := f.files.Stat(path)
	if err != nil {
		return entry, err
	}
	file, err := f.files.OpenFile(path, os.O_RDONLY, 0)
	if err != nil {
		return entry, err
	}
	defer func() { _ = file.Close() }() // it was only read
	footer, err := readFooter(file, info.Size())
	if err != nil {
		return entry, fmt.Errorf("%s: %w", path, err)
	}
	sum := sha256.New()
	if _, err := io.Copy(sum, io.NewSectionReader(file, 0, info.Size())); err != nil {
		return entry, err
	}
	entry = ManifestEntry{
		Table: Table(filepath.Base(n.dir)), File: filepath.Base(n.dir) + "/" + n.name,
		Rows: footer.NumRows(), Bytes: info.Size(), SHA256: fmt.Sprintf("%x", sum.Sum(nil)),
	}
	for _, group := range footer.Metadata().RowGroups {
		ids := group.Columns[0].MetaData.Statistics // id is the first column
		first, last := pq.Int64.Value(ids.MinValue).Int64(), pq.Int64.Value(ids.MaxValue).Int64()
		if entry.FirstID == nil {
			entry.FirstID, entry.LastID = &first, &last
		}
		*entry.FirstID, *entry.LastID = min(*entry.FirstID, first), max(*entry.LastID, last)
	}
	for _, c := range footer.RowGroups() {
		var order []string
		for _, sorting := range c.SortingColumns() {
			order = append(order, strings.Join(sorting.Path(), "."))
		}
		if len(order) > 0 && order[0] != "id" {
			entry.Order = strings.Join(order, ",")
		}
	}
	return entry, nil
}
