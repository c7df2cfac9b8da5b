//go:build !js

package main

import (
	"os"
	"syscall"
)

// hangUp is the signal that a terminal sends when it is closed.
var hangUp = []os.Signal{syscall.SIGHUP}
