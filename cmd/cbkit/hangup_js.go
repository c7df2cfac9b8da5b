package main

import "os"

// hangUp is no signal: there are no terminals.
var hangUp []os.Signal
