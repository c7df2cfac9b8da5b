package ctgwrite

import (
	"cmp"
	"os"
	"time"

	"cbkit/internal/ctg"
	"cbkit/internal/extsort"
	"cbkit/internal/fsys"
	"cbkit/model"
)

// Options configures how a book is written. The zero value is good for most
// books.
type Options struct {
	// Exact writes ChessBase's own form in place of the one that all programs
	// read; see the package comment.
	Exact bool
	// Extended uses all move bytes: also those for third pieces of a kind, which no other
	// program knows. Exact implies it.
	Extended bool
	// Force replaces a book that is there.
	Force bool
	// Claim, if not nil, is the right to write the book, taken before; see
	// [NewClaim].
	Claim *Claim
	// Wait is how long to wait for another writer of the book; 0 is not at all.
	Wait time.Duration
	// OnReplace, if not nil, is called if the target replaces a book, with the old files
	// that no new file replaced and the files in the way that are kept.
	OnReplace func(model.Replacement)
	// Memory is how many bytes are used for sorting, 0 for 32 MiB: more
	// is seldom faster.
	Memory int
	// TempDir is where sorting writes when memory does not suffice, "" for
	// the system's folder.
	TempDir string
	// Report is called for what could not be stored. Without one, writing fails with a
	// *model.LossError if there is such a thing, unless AcceptLosses is set.
	Report       model.Report
	AcceptLosses bool
	// OnError is called for damage in a book that is read and decides: nil goes
	// on without what is damaged. If OnError is nil the first damage ends
	// the work.
	OnError func(error) error
	// Progress, if not nil, is called with the number of positions written so far,
	// from time to time.
	Progress func(positions int)

	// files is the file system, for tests; nil is the machine's.
	files fsys.FS
	// losses are those that are not reported; nil if they are, or are accepted.
	losses *model.LossError
}

const defaultMemory = 32 << 20

func (o *Options) setDefaults() {
	o.Memory, o.TempDir = cmp.Or(max(o.Memory, 0), defaultMemory), cmp.Or(o.TempDir, os.TempDir())
	if o.files == nil {
		o.files = fsys.OS{}
	}
	if o.Report == nil && !o.AcceptLosses {
		o.losses = new(model.LossError)
		o.Report = o.losses.Add
	}
}

// onDamage says whether to go on after an error.
func (o *Options) onDamage(err error) error {
	if o.OnError == nil {
		return err
	}
	return o.OnError(err)
}

// sorter returns a sorter that uses a part of the memory.
func (o *Options) sorter(memory int) *extsort.Sorter {
	return extsort.New(extsort.Options{Memory: memory, FS: o.files, Dir: o.TempDir})
}

func (o *Options) codes() ctg.Codes {
	if o.Exact || o.Extended {
		return ctg.AllCodes
	}
	return ctg.PortableCodes
}

// noWord says why a move cannot be stored.
func (o *Options) noWord() string {
	if o.codes() == ctg.AllCodes {
		return "books have no word for it"
	}
	return "no word for it that all programs know"
}

func (o *Options) moveLimit() int {
	if o.Exact {
		return ctg.MaxMoves
	}
	return ctg.MaxPortableMoves
}

// cutMoves leaves no more moves, each with its mark, to a position than there is room for, and
// reports the others, whatever they are.
func (o *Options) cutMoves(moves []byte, limit int, key *ctg.Key, others string) []byte {
	if len(moves) <= 2*limit {
		return moves
	}
	o.Report.Add(model.LostMoves, 0, "moves", "%d moves of the position with the key %s, %s %d", len(moves)/2-limit, key, others, limit)
	return moves[:2*limit]
}

// pageCapacity is how many bytes of a page are filled, its header included.
func (o *Options) pageCapacity() int {
	if o.Exact {
		return ctg.PageSize
	}
	return ctg.PageSize - 1
}

// Result reports what was written.
type Result struct {
	Games     int
	Positions int
	// Once is the number of positions with only one game, in a book built from games.
	Once  int
	Pages int
	// Bytes is the size of the .ctg file.
	Bytes int64
}
