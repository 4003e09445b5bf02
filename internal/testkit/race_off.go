//go:build !race

package testkit

// RaceDetector reports whether the race detector is on, which changes allocations.
const RaceDetector = false
