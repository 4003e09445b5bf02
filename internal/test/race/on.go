//go:build race

package race

// Enabled reports whether the race detector is on, which changes allocations.
const Enabled = true
