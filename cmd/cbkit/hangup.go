//go:build !js

package main

import (
	"os"
	"syscall"
)

// hangUp is the signal that a terminal sends when it is closed.
var hangUp = []os.Signal{syscall.SIGHUP}

// brokenPipe is the signal of writing to a pipe whose other end is closed.
var brokenPipe = []os.Signal{syscall.SIGPIPE}
