//go:build !race

package stale

// Overwrites says that records are overwritten.
const Overwrites = false
