//go:build unix

package fsys

import "syscall"

// NonBlocking lets a file that is a pipe be opened without waiting for who is at its
// other end. It means nothing to regular files.
const NonBlocking = syscall.O_NONBLOCK
