// Package peers measures this library against others on the same work, in one run:
//
//	go test -bench . ./...
//
// It is a module of its own, so that no other module depends on the peers. The comment of
// each benchmark says what it compares and what its figure means. Figures are ratios
// within a run; do not compare times of different runs.
package peers
