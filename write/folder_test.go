package write

import (
	"context"
	"fmt"
	"io/fs"
	"testing"

	"cbkit/internal/fsys"
	"cbkit/internal/testkit/crashfs"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/model"
	"cbkit/read"
)

// countedFS counts how often the folder of the databases is listed.
type countedFS struct {
	fsys.FS
	n int
}

func (c *countedFS) ReadDir(name string) ([]fs.DirEntry, error) {
	if name == "." {
		c.n++
	}
	return c.FS.ReadDir(name)
}

// All ways to make a database share what is known of the folder.
func TestFolderIsListedOnce(t *testing.T) {
	db := gen.Database(gen.Config{}).Example(3)
	source := crashfs.New()
	sink := must.Get(Create(t.Context(), "Source.cbh", Options{files: source, AcceptLosses: true}))(t)
	must.Do(t, model.Copy(t.Context(), sink, db, model.CopyOptions{}))
	src := must.Get(read.OpenFS(source, "Source.cbh", read.Options{}))(t)
	defer src.Close()
	ways := map[string]func(ctx context.Context, name string, opt Options) (model.Sink, error){
		"Create": func(ctx context.Context, name string, opt Options) (model.Sink, error) { return Create(ctx, name, opt) },
		"CreateSimple": func(ctx context.Context, name string, opt Options) (model.Sink, error) {
			return CreateSimple(ctx, name, opt)
		},
		"CreateCopy": func(ctx context.Context, name string, opt Options) (model.Sink, error) {
			return CreateCopy(ctx, name, src.(*read.ChessBase), opt)
		},
	}
	for name, make := range ways {
		disk := &countedFS{FS: crashfs.New()}
		opt := Options{files: disk, AcceptLosses: true, Folder: new(Folder)}
		for i := range 3 {
			sink, err := make(t.Context(), fmt.Sprintf("Part %d", i), opt)
			if err == nil {
				err = model.Copy(t.Context(), sink, src, model.CopyOptions{})
			}
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
		if disk.n != 1 {
			t.Errorf("%s: the folder was listed %d times", name, disk.n)
		}
	}
}
