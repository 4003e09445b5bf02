// Package patch writes a [diff.Diff] as JSON, and reads it again.
//
//	text, err := patch.Marshal(d, patch.Options{
//		Secrets: patch.RevealSecrets,     // else they are masked, and nobody can apply it
//		Base:    patch.Fingerprint(old),   // what it is to be applied to
//	})
//	…
//	p, err := patch.Unmarshal(text, patch.Options{})
//	next, err := p.Apply(old, patch.CheckBase)
//
// # The form
//
// A patch is a tree that mirrors the values where they differ. Members may stand
// in any order; others than these are refused.
//
//	PATCH = {
//	  "propalg":   "diff/1",
//	  "relation":  ["null as missing", …],  names of what is overlooked; left out: nothing
//	  "unknowns":  "changed",               left out: what may be no change has its own verdict
//	  "uncertain": true,                    a value that was compared holds an unknown
//	  "masked":    true,                    secrets are masked; no reader takes that
//	  "base":      "4f9c…",                 fingerprint of what the patch is for
//	  "diff":      NODE                     left out: nothing changed
//	}
//	NODE = {
//	  "op":        "add" | "delete" | "update" | "insert" | "remove" | "move",
//	  "own":       ["dependencies" | "order" | "length", …],
//	  "verdict":   "maybe",                 the change may turn out to be none
//	  "oldIndex":  1, "index": 1,           of an element; oldIndex left out: the same
//	  "moved":     true,                    of an element that changed and is in another order
//	  "hidden":    ["old", "new"],          values that are secret by what they are in alone
//	  "old":       VALUE, "new": VALUE,     what was there and is there; left out: nothing
//	  "secret":    true,                    what is inside is secret
//	  "masked":    true,                    what changed inside is not told, or both values
//	  "members":   {KEY: NODE, …}           what changed in an object; or
//	  "elements":  {"oldLength": 3, "length": 4, "unordered": true, "changes": [NODE, …]}
//	}
//
// A VALUE is in the wire form of package codec, sealed secrets as ciphertext.
//
// A node without "op" is a container that only has changes inside. A node with
// "own" is about a container itself: its dependencies, the order of its elements,
// its length where it could only be guessed which element is which; an empty list
// stands in a move of a container with changes inside. Such a node has both
// values as a whole, so the nodes inside it have none: theirs are found in these.
// A move with the same value before and after has "old" only. Elements stand in
// the order of [diff.Record]: by index, what went before what came.
//
// # Laws
//
//   - Unmarshal of what Marshal wrote gives a diff that is Equal, whatever made
//     it, with the same options, secrets revealed. Marshal fails, path first, for
//     what JSON cannot hold: the causes of package codec (a number that is none, a
//     text that is no UTF-8 where no byte string can be), and a Relation or
//     Unknowns that is not one of those there are.
//   - The same diff gives the same bytes (law 17), in time linear in the diff.
//   - What Unmarshal accepts is a diff like any other: every claim of a text is
//     checked, see [diff.Builder]. Any text gives a patch or an [*Error], without
//     recursion, in time linear in its length, times the logarithm of how many
//     changes are in one array (law 9).
//
// # Secrets
//
// They are masked unless [Options] say otherwise: both sides of a change of which
// one is secret, and everything inside a secret container, keys, indexes and how
// many changes there are. A node with "own" whose values hold a secret anywhere
// says "masked" and has no values, sealed secrets or not: a place may be secret on
// one side only. The nodes inside it then have theirs. The provider of a sealed secret is not written; see
// [Options.Provider].
package patch
