// Package printers tests that the printers of Go tests print no secret: testify, spew,
// kr/pretty, pp, litter and go-cmp. It is a module of its own, so that no other module
// depends on them.
package printers
