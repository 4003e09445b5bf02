//go:build !race

package diff_test

// raceDetector: the race detector changes how much is allocated.
const raceDetector = false
