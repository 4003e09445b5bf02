//go:build !race

// Package race says whether tests run under the race detector.
package race

// Enabled reports whether the race detector is on, which changes allocations.
const Enabled = false
