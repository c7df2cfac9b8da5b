package main

import "os"

// hangUp is no signal: there are no terminals.
var hangUp []os.Signal

// brokenPipe is no signal.
var brokenPipe []os.Signal
