package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// compare compares the records whose own bytes are whole, but for one.
func (c *campaignCase) compare(got map[string]string, except int) {
	if c.subject.unordered {
		c.comparePresentIn(got, withoutNumber)
		return
	}
	same := func(line string) string { return line }
	c.compareBy(got, except, same)
}

// compareBy compares what of says of each record.
func (c *campaignCase) compareBy(got map[string]string, except int, of func(line string) string) {
	c.counted.intact += len(c.intact)
	var missing []string
	for _, key := range c.intact {
		if key == fmt.Sprint(except) {
			continue
		}
		line, ok := got[key]
		if !ok {
			missing = append(missing, key)
		} else if want := of(c.subject.want[key]); of(line) != want {
			c.errorf("record %s is intact and another one:\n%s\nwant\n%s", key, of(line), want)
			return
		}
	}
	if len(missing) > 0 {
		c.errorf("of %d records the records %v are intact and missing", len(got), missing)
	}
}

// comparePresent looks for the intact records in a database that has them at any
// place; what it stores beyond what they say may differ.
func (c *campaignCase) comparePresent(path string) {
	c.comparePresentIn(c.recordsOf(path), itselfAlone)
}

func (c *campaignCase) comparePresentIn(got map[string]string, of func(line string) string) {
	c.counted.intact += len(c.intact)
	there := map[string]bool{}
	for _, line := range got {
		there[of(line)] = true
	}
	for _, key := range c.intact {
		if line := of(c.subject.want[key]); !there[line] {
			c.errorf("record %s is intact and not among %d records:\n%s", key, len(got), line)
			return
		}
	}
}

// withoutNumber takes the number out of a line.
func withoutNumber(line string) string { return campaignNumber.ReplaceAllString(line, "") }

var campaignNumber = regexp.MustCompile(`"id":[0-9]+,`)

// itselfAlone takes everything out of a line that is of the database, and not what
// the record says.
func itselfAlone(line string) string {
	var fields map[string]any
	mustDo(json.Unmarshal([]byte(line), &fields))
	delete(fields, "id")
	delete(fields, "cbh")
	b, err := json.Marshal(fields)
	mustDo(err)
	return string(b)
}

// allRecords reads all records that can be read, as JSON Lines, by their
// numbers; in a given code page, since damage can make another one likelier.
func allRecords(c *campaignCase) map[string]string { return c.recordsOf(c.path()) }

// recordsOf does so for any database.
func (c *campaignCase) recordsOf(path string) map[string]string {
	out := filepath.Join(c.dir, "all-records.jsonl")
	defer os.Remove(out)
	r := c.runProgram("convert", "--keep-going", "--jobs", "1", "--codepage", "1252", path, out)
	b, err := os.ReadFile(out)
	if err != nil {
		if r.status != exitFailed {
			c.errorf("exit status %d and no output: %v", r.status, err)
		}
		return nil
	}
	records := map[string]string{}
	for line := range strings.Lines(string(b)) {
		key, text, err := canonicalLine(line)
		if err != nil {
			c.errorf("%v in %s", err, line)
		}
		records[key] = text
	}
	return records
}

// elsewhere are the leftovers in a line that are of more than the record: what
// is around an entity in its file belongs to the tree.
var elsewhere = []string{
	"database", "white", "black", "tournament", "annotator", "source", "gameTitle", "whiteTeam", "blackTeam",
}

// canonicalLine returns the number of a record and what it says of itself.
func canonicalLine(line string) (key, text string, err error) {
	var fields map[string]any
	d := json.NewDecoder(strings.NewReader(line))
	d.UseNumber()
	if err := d.Decode(&fields); err != nil {
		return "", "", err
	}
	if stored, ok := fields["cbh"].(map[string]any); ok {
		if leftover, ok := stored["leftover"].(map[string]any); ok {
			// A Simple Chess Database says where the names are, which depends on
			// whether others are equal.
			if header, ok := leftover["header"].(map[string]any); ok && header["dcdb"] != nil {
				delete(leftover, "header")
			}
			maps.DeleteFunc(leftover, func(k string, _ any) bool { return slices.Contains(elsewhere, k) })
			if len(leftover) == 0 {
				delete(stored, "leftover")
			}
		}
		if len(stored) == 0 {
			delete(fields, "cbh")
		}
	}
	key = fmt.Sprint(fields["id"])
	b, err := json.Marshal(fields)
	return key, string(b), err
}
