//go:build !unix

package write

import "time"

var processStart = time.Now()

// processorTime returns how long the process has run.
func processorTime() time.Duration { return time.Since(processStart) }
