package jobs

import (
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

// Panicked is what a goroutine has panicked with, as the goroutine that waits for it panics. It
// prints with the stack of that goroutine.
type Panicked struct {
	Value any
	Stack []byte
}

// Error tells the value and the stack.
func (p *Panicked) Error() string {
	return fmt.Sprintf("%v [in another goroutine]\n\n%s", p.Value, p.Stack)
}

// Unwrap returns the value, if it is an error.
func (p *Panicked) Unwrap() error {
	err, _ := p.Value.(error)
	return err
}

// errGone is what a goroutine "panics" with that was ended by runtime.Goexit, as
// testing.T.Fatal does.
var errGone = errors.New("a callback has ended a goroutine that is not its own")

// Catch calls f, and tells what it panics with.
func Catch(f func(), report func(*Panicked)) {
	returned := false
	defer func() {
		if returned {
			return
		}
		switch v := recover().(type) {
		case nil:
			report(&Panicked{errGone, debug.Stack()})
		case *Panicked:
			report(v)
		default:
			report(&Panicked{v, debug.Stack()})
		}
	}()
	f()
	returned = true
}

// Group is goroutines that are waited for. What one of them panics with, a
// callback of the caller for example, the one that waits panics with. Its zero value is
// empty.
type Group struct {
	running  sync.WaitGroup
	panicked atomic.Pointer[Panicked] // the first
}

// Go starts a goroutine.
func (g *Group) Go(f func()) {
	g.running.Go(func() {
		Catch(f, func(p *Panicked) { g.panicked.CompareAndSwap(nil, p) })
	})
}

// Wait waits until all goroutines have ended. It panics with a [*Panicked] if one of
// them did.
func (g *Group) Wait() {
	g.running.Wait()
	if p := g.panicked.Load(); p != nil {
		panic(p)
	}
}
