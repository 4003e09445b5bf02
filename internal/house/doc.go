// Package house tests what holds for the whole repository: which package imports which,
// that links lead somewhere, and that code on pages runs.
package house
