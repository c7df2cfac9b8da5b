//go:build js && wasm

// Command viewwasm is the reader of the static page: package viewer in a worker of
// a browser. The worker (web/worker.js) hands it files and calls, and passes its
// answers on.
package main

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"runtime/debug"
	"slices"
	"sync"
	"syscall/js"
	"time"

	"cbkit/cmd/internal/viewer"
)

// mostMemory is what the collector of garbage is to keep the heap below.
const mostMemory = 96 << 20

func main() {
	debug.SetMemoryLimit(mostMemory)
	s := &session{running: map[int]context.CancelFunc{}}
	js.Global().Set("openFiles", js.FuncOf(func(_ js.Value, args []js.Value) any {
		id, list := args[0].Int(), args[1]
		s.start(id, func(ctx context.Context, progress func(done, total int)) (any, error) {
			return s.open(ctx, list, progress)
		})
		return nil
	}))
	js.Global().Set("call", js.FuncOf(func(_ js.Value, args []js.Value) any {
		id, name, text := args[0].Int(), args[1].String(), args[2].String()
		s.start(id, func(ctx context.Context, progress func(done, total int)) (any, error) {
			return s.call(ctx, name, text, progress)
		})
		return nil
	}))
	js.Global().Set("cancel", js.FuncOf(func(_ js.Value, args []js.Value) any {
		if end := s.running[args[0].Int()]; end != nil {
			end()
		}
		return nil
	}))
	select {}
}

// session is what the worker has open. JavaScript calls it from one thread.
type session struct {
	lock    sync.Mutex // held while files are opened
	viewer  *viewer.Viewer
	running map[int]context.CancelFunc
}

// progressGap is how often messages that came meanwhile are looked at.
const progressGap = 50 * time.Millisecond

// start runs a call and replies.
func (s *session) start(id int, do func(context.Context, func(done, total int)) (any, error)) {
	ctx, cancel := context.WithCancel(context.Background())
	s.running[id] = cancel
	go func() {
		defer func() {
			cancel()
			delete(s.running, id)
		}()
		next := time.Now().Add(progressGap)
		answer, err := do(ctx, func(done, total int) {
			if now := time.Now(); now.After(next) {
				reply(id, map[string]any{"done": done, "total": total})
				time.Sleep(time.Millisecond) // the worker takes its messages, such as cancel
				next = time.Now().Add(progressGap)
			}
		})
		if err != nil {
			reply(id, map[string]any{"error": err.Error()})
			return
		}
		reply(id, map[string]any{"answer": answer})
	}()
}

// reply sends a line.
func reply(id int, line map[string]any) {
	text, err := json.Marshal(line)
	if err != nil {
		text, _ = json.Marshal(map[string]string{"error": err.Error()})
	}
	js.Global().Call("reply", id, string(text))
}

// call answers a call of the page.
func (s *session) call(ctx context.Context, name, text string, progress func(done, total int)) (any, error) {
	var given map[string]any
	if err := json.Unmarshal([]byte(text), &given); err != nil {
		return nil, err
	}
	args := map[string]string{}
	for key, value := range given {
		raw, err := json.Marshal(value)
		if err != nil {
			return nil, err
		}
		if args[key] = string(raw); raw[0] == '"' {
			args[key] = value.(string)
		}
	}
	s.lock.Lock()
	v := s.viewer
	s.lock.Unlock()
	return v.Call(ctx, name, args, progress)
}

// open opens all databases and books among files.
func (s *session) open(ctx context.Context, list js.Value, progress func(done, total int)) (any, error) {
	s.lock.Lock()
	defer s.lock.Unlock()
	files := newFolder(list)
	v := new(viewer.Viewer)
	var failed error
	for _, name := range files.mains() {
		if err := v.Add(ctx, name, viewer.Options{Files: files, Progress: progress, Jobs: 1}); err != nil {
			failed = cmp.Or(failed, err)
			v.Fail(err)
		}
	}
	if sources, books := v.Len(); sources+books == 0 {
		return nil, cmp.Or(failed, errNothing)
	}
	s.viewer = v
	return true, nil
}

// mains are the names that databases and books are opened by, in their order.
func (f *folder) mains() []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(f.files)), func(name string) bool { return !viewer.IsOpened(name) })
}
