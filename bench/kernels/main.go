// Command kernels runs the hot paths of package bench for the gate, or with -scale as
// its first argument the kernels of growing size.
package main

import (
	"fmt"
	"os"

	"github.com/propalg/propalg/bench"
	"github.com/propalg/propalg/bench/work"
)

func main() {
	args, kernels := os.Args[1:], bench.Kernels
	if len(args) > 0 && args[0] == "-scale" {
		args, kernels = args[1:], bench.ScaleKernels
	}
	if err := work.Run(args, os.Stdout, kernels()...); err != nil {
		fmt.Fprintln(os.Stderr, "kernels:", err)
		os.Exit(1)
	}
}
