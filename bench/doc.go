// Package bench holds what is measured about this library: corpora, benchmarks,
// and the designs that were weighed and dropped, so that a figure in
// docs/design.md can be measured again with
//
//	go test -run '^$' -bench Design ./bench
//
// Times from two runs are not to be compared; ratios within one run are.
package bench
