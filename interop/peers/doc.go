// Package peers measures this library beside others on the same work, in one run:
//
//	go test -bench . ./...
//
// It is a module of its own, so that the peers are no dependencies of anybody.
// What is compared, and what a figure means, stands at each benchmark. Figures
// are ratios within a run; the times of two runs are not to be compared.
package peers
