//go:build !race

package asset_test

const raceDetector = false
