//go:build race

package asset_test

// raceDetector: the race detector changes how much is allocated.
const raceDetector = true
