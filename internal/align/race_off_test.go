//go:build !race

package align_test

// raceDetector: the race detector changes how much is allocated.
const raceDetector = false
