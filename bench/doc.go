// Package bench holds what is measured about this library: corpora, the hot
// paths as kernels, and a frame for comparisons with other libraries.
//
// Corpora are generated, the same on every run and machine, and shaped like the
// property bags seen in the wild: half of them have at most 9 nodes and 340 bytes
// of JSON, one in a hundred more than 73 nodes, none more than 644; 4 % hold a
// secret, 10 % an unknown, 2.5 % a reference, 0.2 % an asset. Real bags are read
// by [ReadRows], from wherever the caller has them.
//
// What a kernel allocates, what the types weigh and which functions are inlined is
// held by testdata/budgets.txt:
//
//	go test -run Budget ./bench          # fails on any growth
//	go test -run Budget ./bench -update  # writes the file
//
// The module bench/gate below this folder runs the kernels of two revisions (program
// kernels) against each other (go -C bench/gate run . -h), and makes the table
// of docs/bench.md from the benchmarks of interop/pulumi and interop/peers (make
// bench). Times from two runs are not to be compared; ratios within one run are.
// What other libraries do not do is in testdata/lacks.txt, which their tests compare
// with what they do.
package bench
