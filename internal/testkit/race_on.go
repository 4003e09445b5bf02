//go:build race

package testkit

// RaceDetector: the race detector changes how much is allocated.
const RaceDetector = true
