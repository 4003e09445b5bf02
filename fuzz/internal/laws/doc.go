// Package laws holds the laws of the library, each of them once and numbered as in
// docs/laws.md.
//
// [Laws] lists them. A law is a function that draws its data from a *rapid.T: TestLaws
// runs each through rapid.Check from a fixed seed, and the native fuzz targets in the
// tests of package fuzz run them through [fuzz.Native].
//
// Laws 4, 6 and 9 call everything that is exported, by internal/test/probe. Law 5 (equal is free) and the other
// half of law 20 (few dependencies) count, and are ordinary tests here. Where it is easy
// a law has an oracle: a slow and plain way to the same answer, which shares no code with
// the fast one.
//
// A law that fails prints its data as Go expressions, by [fuzz.GoSource]. GENERATED
// SECRETS ARE SHOWN in such failures.
package laws
