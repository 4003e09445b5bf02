// Package walk compares two values and reports what differs to a [Sink].
//
// There is one comparison and there are several uses of it: package diff makes a tree of
// what differs, package provider an answer. The walk is plain recursion, within
// value.MaxDepth. What is equal is passed over by value.Internal.Agree, which is several
// times faster than to look at children one by one. Which elements are compared with each
// other is decided by match.go, whether a difference counts by difftree.Rules.
package walk
