package parquet

import (
	"io"

	"cbkit/internal/formats"
	"cbkit/model"
)

// A program that imports this package opens and saves Parquet files by package cbkit.
func init() {
	formats.Register("parquet", formats.Format{
		Open: func(paths []string) (model.Source, error) {
			r, err := Open(paths...)
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
