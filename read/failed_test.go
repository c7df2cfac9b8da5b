package read

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"cbkit/internal/testkit/corpus"
	"cbkit/internal/testkit/crashfs"
	"cbkit/internal/testkit/must"
	"cbkit/model"
)

// A read that fails is an error, and no damage of the record it is about, which a conversion would
// leave out.
func TestFailedReadIsNoDamage(t *testing.T) {
	for _, main := range []string{"2cbh/made.2cbh", "si4/five/five.si4", "cbh26/NormalNoPop/StandardMissingPop.cbh"} {
		disk := crashfs.New()
		list := must.Get(filepath.Glob(strings.TrimSuffix(corpus.Path(t, main), filepath.Ext(main)) + ".*"))(t)
		for _, name := range list {
			disk.WriteFile(filepath.Base(name), corpus.Read(t, filepath.Join(filepath.Dir(main), filepath.Base(name))))
		}
		failed := 0
		for n, calls := 0, 1; n < calls; n++ {
			disk.FailAt(n)
			db, err := OpenFS(disk, filepath.Base(main), Options{Jobs: 1})
			if err != nil {
				calls = n + 2
				continue
			}
			for rec, err := range db.Records(t.Context(), 1, model.WantMoves|model.WantAnnotations) {
				for _, fault := range rec.Faults() {
					if errors.Is(fault, crashfs.ErrInjected) {
						t.Fatalf("%s: call %d: %v is a fault of record %d", main, n, fault, rec.ID)
					}
				}
				if errors.Is(err, crashfs.ErrInjected) {
					failed++
				}
			}
			_ = db.Close()
			calls = disk.Calls()
		}
		if failed == 0 {
			t.Errorf("%s: no read failed", main)
		}
	}
}
