package read

import (
	"sync"
	"sync/atomic"
)

// reached is how far the records of a database were read last.
type reached struct {
	id   atomic.Int64
	size int64
	once sync.Once
}

// progress answers [model.Measured]: of the bytes of the files the same part is
// taken to be done as of the records.
func (r *reached) progress(set *FileSet, count int, endings ...string) (done, total int64) {
	r.once.Do(func() {
		for _, ext := range endings {
			if info, err := set.files.Stat(set.Path(ext)); err == nil && set.Has(ext) {
				r.size += info.Size()
			}
		}
	})
	if count == 0 {
		return 0, r.size
	}
	return int64(float64(r.size) * float64(r.id.Load()) / float64(count)), r.size
}
