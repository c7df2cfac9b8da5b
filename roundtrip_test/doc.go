// Package roundtrip proves, over the public packages alone, that what goes
// through a format comes back: decode(encode(x)) is x, for generated databases
// and for real ones, through every format and from every format into every
// other.
package roundtrip
