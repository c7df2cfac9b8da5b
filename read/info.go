package read

import (
	"context"
	"fmt"
	"slices"

	"cbkit/internal/cbh"
	"cbkit/internal/dbfile"
	"cbkit/model"
)

// Info describes a database.
type Info struct {
	// Path is the path of the main file.
	Path    string `json:"path"`
	Format  string `json:"format"`
	Version string `json:"version,omitempty"`

	Records int `json:"records"`
	Games   int `json:"games"`
	Texts   int `json:"texts"`
	// Analyses are games that are analyses of ChessBase 17.
	Analyses int `json:"analyses,omitempty"`
	Deleted  int `json:"deleted"` // games and texts among those above
	// Unread is how many records could not be read or refer to something that does not
	// exist. Those that could not be read are in no other count.
	Unread int `json:"unread,omitempty"`

	// FirstDate and LastDate are the earliest and the latest date of a game
	// in PGN's form, "" if no game has one.
	FirstDate string `json:"firstDate,omitempty"`
	LastDate  string `json:"lastDate,omitempty"`

	Entities []EntityCount `json:"entities"`

	// MoveHoles and AnnotationHoles are unused bytes, as the files count
	// them; old programs counted wrongly.
	MoveHoles       uint64 `json:"moveHoles"`
	AnnotationHoles uint64 `json:"annotationHoles"`

	Files []FileInfo `json:"files,omitempty"`
	// Missing are the names of optional files that do not exist.
	Missing []string `json:"missing,omitempty"`
}

// EntityCount is the number of entities of one type.
type EntityCount struct {
	Name    string `json:"name"`
	Count   int    `json:"count"`
	Deleted int    `json:"deleted,omitempty"` // besides Count
}

// FileInfo is one file of a database.
type FileInfo struct {
	Name string `json:"name"`
	Size int64  `json:"size"`
	What string `json:"what"`
}

// Info implements [Database].
func (db *ChessBase) Info(ctx context.Context) (Info, error) {
	info, err := db.summary(ctx, db, dbfile.ChessBase, "ChessBase database", cbh.NewFileExts, db.leftover.Others)
	if err != nil {
		return Info{}, err
	}
	info.Version = fmt.Sprintf("header mark %d", db.headers.Head.Used)
	if db.extensions == nil {
		info.Version += ", no .cbj"
	} else {
		info.Version += fmt.Sprintf(", .cbj version %d", db.extensions.Head.Version)
	}
	info.MoveHoles, info.AnnotationHoles = uint64(db.moves.DeclaredHoles()), uint64(db.annotations.DeclaredHoles())
	return info, nil
}

// listFiles lists the files of a database with what they are for: those of which
// its format says it, and others.
func listFiles(set *FileSet, of dbfile.Format, others []string, info *Info) error {
	for _, ext := range set.Endings() {
		if of.What(ext) == "" && !slices.Contains(others, ext) {
			continue // of another format
		}
		stat, err := set.files.Stat(set.Path(ext))
		if err != nil {
			return fmt.Errorf("%s: %w", set.Name(ext), dbfile.PlainError(err))
		}
		info.Files = append(info.Files, FileInfo{set.Name(ext), stat.Size(), of.What(ext)})
	}
	return nil
}

// Summarize reads the headers of any source and returns what they tell: counts, dates,
// and the number of entities met. OnError is called for records that cannot be read and
// for the faults of others (Record.Faults); its result counts as in [model.CopyOptions].
func Summarize(ctx context.Context, src model.Source, onError func(model.RecordID, error) error) (Info, error) {
	var info Info
	var first, last model.Date
	for rec, err := range src.Records(ctx, 1, model.WantHeaders) {
		if err != nil {
			if rec.ID == 0 || onError == nil {
				return Info{}, err
			}
			if err := onError(rec.ID, err); err != nil {
				return Info{}, err
			}
			info.Unread++
			continue
		}
		faults := rec.Faults()
		if len(faults) > 0 {
			info.Unread++
		}
		for _, err := range faults {
			if onError != nil {
				err = onError(rec.ID, err)
			}
			if err != nil {
				return Info{}, err
			}
		}
		info.Records++
		if rec.Deleted {
			info.Deleted++
		}
		if rec.Text != nil {
			info.Texts++
			continue
		}
		info.Games++
		if d := rec.Game.Date; d.Year != 0 {
			if first.Year == 0 || before(d, first) {
				first = d
			}
			if before(last, d) {
				last = d
			}
		}
	}
	if first.Year != 0 {
		info.FirstDate, info.LastDate = first.String(), last.String()
	}
	e := src.Entities()
	info.Entities = []EntityCount{
		countEntities("players", &e.Players), countEntities("tournaments", &e.Tournaments),
		countEntities("annotators", &e.Annotators), countEntities("sources", &e.Sources),
		countEntities("teams", &e.Teams), countEntities("game titles", &e.GameTitles),
	}
	return info, ctx.Err()
}

// before orders dates; unknown parts come first.
func before(a, b model.Date) bool {
	n := func(d model.Date) int { return int(d.Year)<<9 | int(d.Month)<<5 | int(d.Day) }
	return n(a) < n(b)
}

// countEntities counts the slots of a table.
func countEntities[T comparable](name string, t *model.Table[T]) EntityCount {
	c := EntityCount{Name: name}
	for range t.Live() {
		c.Count++
	}
	c.Deleted = t.Len() - c.Count
	return c
}
