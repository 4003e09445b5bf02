//go:build !race

package path_test

// raceDetector: the race detector changes how much is allocated.
const raceDetector = false
