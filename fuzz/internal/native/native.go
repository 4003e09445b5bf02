// Package native runs laws as targets of native fuzzing.
package native

import (
	"crypto/sha256"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

// tries is how often a target tries its law on one input. Go's fuzzer takes
// about a millisecond for an input whatever a target does with it, and most laws
// take a tenth of that: planted bugs are found several times sooner.
const tries = 4

// Seeds returns inputs of several lengths. Most are short: a draw uses few
// bits of its eight bytes, so that most changes of a long input change nothing,
// while any change of a short one changes all that follows it.
func Seeds() [][]byte {
	seeds := [][]byte{nil, make([]byte, 64)}
	for _, size := range []int{8, 16, 32, 128, 512} {
		seeds = append(seeds, draws(nil, []byte{byte(size)}, 0, size))
	}
	return seeds
}

// Run tries a law on the draws that an input encodes.
func Run(t *testing.T, law func(*rapid.T), input []byte) {
	t.Helper()

	rejections := 0
	for try := range tries {
		given := input[:len(input)>>try]
		if try == tries-1 {
			given = nil
		}
		data, result := tryInput(t, law, given, input, try)
		switch result {
		case passed:
		case failed:
			rapid.MakeFuzz(law)(t, data) // prints the draws
			t.Fatal("the law failed, but passed when it was tried again on the same draws")
		case rejected, ranOut:
			rejections++
		}
	}

	if rejections == tries {
		t.Skip("the law rejects what this input draws")
	}
}

// tryInput tries a law on given bytes and those that follow them, of which there
// are more if few are not enough. Making many takes longer than most laws.
func tryInput(t *testing.T, law func(*rapid.T), given, input []byte, try int) (data []byte, result verdict) {
	t.Helper()

	const (
		few  = 4 << 10
		many = 4 << 20
		more = 8
	)
	for tail := few; tail <= many; tail *= more {
		data = draws(given, input, try, tail)
		if result = tryQuietly(t, law, data); result != ranOut {
			break
		}
	}
	return data, result
}

// draws returns the given bytes and n more that depend on all of the input and on
// which try it is.
func draws(given, input []byte, try, n int) []byte {
	data := make([]byte, len(given)+n)
	seed := sha256.Sum256(append(input[:len(input):len(input)], byte(try)))
	_, _ = rand.NewChaCha8(seed).Read(data[copy(data, given):]) // never an error
	return data
}

// verdict is what a law made of its draws.
type verdict int

const (
	failed verdict = iota
	passed
	rejected // by the law or by a filter
	ranOut   // there were not enough of them
)

// tryQuietly tries a law without printing draws: rapid prints the draws of a
// target, but not those of a custom generator, so the law runs in one.
func tryQuietly(t *testing.T, law func(*rapid.T), data []byte) verdict {
	t.Helper()

	const firstRetry = 2
	result, calls := failed, 0
	attempt := rapid.Custom(func(t *rapid.T) bool {
		calls++
		switch { // rapid calls again after a rejection
		case calls == firstRetry:
			result = ranOut
			rapid.Bool().Draw(t, "one more")
			result = rejected
			t.SkipNow()
		case calls > firstRetry:
			t.SkipNow()
		}

		law(t)
		if !t.Failed() {
			result = passed
		}
		return rapid.Bool().Draw(t, "last") // for laws that draw nothing, which rapid would refuse
	})
	rapid.MakeFuzz(func(t *rapid.T) {
		defer func() { _ = recover() }() // the verdict says it; a failure is printed by the next try
		attempt.Draw(t, "law")
	})(t, data)
	return result
}
