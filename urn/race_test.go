//go:build race

package urn_test

const raceEnabled = true
