package main

import (
	"strings"

	"github.com/propalg/propalg/bench"
)

// kernelNames are the names of all kernels, as the program work writes them.
func kernelNames() []string {
	var all []string
	for _, k := range bench.Kernels() {
		all = append(all, strings.ReplaceAll(k.Name, " ", "-"))
	}
	return all
}
