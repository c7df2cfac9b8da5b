// Package boxed makes values of interfaces of what is in memory already. An
// interface holds a struct by a pointer to a copy of it, and each conversion
// takes memory for one copy; of what nobody will change a pointer to the
// original does as well, so that many can lie in one piece of memory.
package boxed

import (
	"unsafe"

	"cbkit/model"
)

// value is how Go holds an interface with methods: what its type is, and where
// the value lies.
type value struct{ kind, data unsafe.Pointer }

// text is where the kind is taken from.
var text model.Value = model.Text{}

// Value returns the text at p as a value. Nobody may change it there any more.
func Value(p *model.Text) model.Value {
	v := text
	(*value)(unsafe.Pointer(&v)).data = unsafe.Pointer(p)
	return v
}
