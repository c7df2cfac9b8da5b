//go:build unix

package write

import (
	"syscall"
	"time"
)

// processorTime returns how long the process has had a processor: what takes time does
// not depend on who else uses the machine.
func processorTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err) // the arguments are constants
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
