//go:build !race

package fuzz_test

const raceOn = false
