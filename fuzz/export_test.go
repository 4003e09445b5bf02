package fuzz

import (
	"testing"

	"pgregory.net/rapid"
)

// RunNative tries a law as a target of Native does.
func RunNative(t *testing.T, law func(*rapid.T), input []byte) {
	t.Helper()
	runNative(t, law, input)
}
