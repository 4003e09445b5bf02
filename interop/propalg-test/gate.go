package main

import "github.com/propalg/propalg/fuzz"

// gate decides which findings are reported.
type gate struct{}

func (g *gate) passes(string, fuzz.Finding, *summaryJSON) bool { return true }
