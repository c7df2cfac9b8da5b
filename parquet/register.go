package parquet

import (
	"io"
	"io/fs"

	"cbkit/internal/formats"
	"cbkit/internal/fsys"
	"cbkit/model"
)

// A program that imports this package opens and saves Parquet files by package cbkit.
func init() {
	formats.Register("parquet", formats.Format{
		Open: func(files fs.FS, paths []string) (model.Source, error) {
			from := fsys.ReadFS(fsys.OS{})
			if files != nil {
				from = fsys.FromFS(files)
			}
			r, err := open(from, paths)
			if err != nil {
				return nil, err
			}
			return r, nil
		},
		NewWriter: func(w io.Writer, report model.Report, acceptLosses bool) (model.Sink, error) {
			t, err := NewWriter(w, Options{Report: report, AcceptLosses: acceptLosses})
			if err != nil {
				return nil, err
			}
			return t, nil
		},
	})
}
