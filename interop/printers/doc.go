// Package printers tests that the printers that Go tests use, which are testify, spew,
// kr/pretty, pp, litter and go-cmp, print no secrets. It is a module of its own, so that
// no other module depends on them.
package printers
