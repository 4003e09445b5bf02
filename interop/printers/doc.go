// Package printers shows that no printer that Go programmers use in their tests
// prints a secret: testify, spew, kr/pretty, pp, litter and go-cmp. It is a module
// of its own, so that they are no dependencies of anybody.
package printers
