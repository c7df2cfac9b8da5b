package collect

import (
	"iter"
	"math/bits"
)

// chains finds numbers by hashes, in ten bytes each and without anything for the
// garbage collector to follow. Most hashes that are looked up are not there, which
// one bit shows.
type chains struct {
	bits  sieve
	heads []int32            // by hash: the number added last, plus one
	nexts []int32            // by number: the one added before under the same head
	hash  func(int32) uint64 // of a number
	again []int32            // the last numbers stand for these once more, under another hash
}

// newChains returns chains for the numbers below n, of which hash returns what they
// are found by.
func newChains(n int, hash func(int32) uint64) chains {
	size := 1
	for size < n/2 {
		size *= 2
	}
	return chains{bits: newSieve(n), heads: make([]int32, size), nexts: make([]int32, n), hash: hash}
}

// A sieve says of most hashes that they are not in it, by one bit: a byte for each that is.
type sieve []uint64

func newSieve(n int) sieve { return make(sieve, 1<<bits.Len(uint(n/8))) }

func (s sieve) add(hash uint64) { s[hash>>20&uint64(len(s)-1)] |= 1 << (hash >> 58) }

func (s sieve) mayHave(hash uint64) bool { return s[hash>>20&uint64(len(s)-1)]&(1<<(hash>>58)) != 0 }

// addTwice adds a hash in two places, so that fewer others seem to be there.
func (s sieve) addTwice(hash uint64) {
	s.add(hash)
	s.add(hash * 5)
}

// mayHaveTwice is mayHave of what addTwice added.
func (s sieve) mayHaveTwice(hash uint64) bool { return s.mayHave(hash) && s.mayHave(hash*5) }

// add enters a number under its hash.
func (c *chains) add(n int32) {
	hash := c.hash(n)
	c.bits.add(hash)
	head := &c.heads[hash&uint64(len(c.heads)-1)]
	c.nexts[n] = *head
	*head = n + 1
}

// standsFor returns the number that one which find yields stands for.
func (c *chains) standsFor(n int32) int32 {
	if at := int(n) - len(c.nexts) + len(c.again); at >= 0 {
		return c.again[at]
	}
	return n
}

// find yields the numbers under a hash.
func (c *chains) find(hash uint64) iter.Seq[int32] {
	return func(yield func(int32) bool) {
		if !c.bits.mayHave(hash) {
			return
		}
		for n := c.heads[hash&uint64(len(c.heads)-1)]; n != 0; n = c.nexts[n-1] {
			if c.hash(n-1) == hash && !yield(n-1) {
				return
			}
		}
	}
}
