// Package patch writes a [diff.Diff] as JSON, and reads it. For the requests of APIs it
// writes a JSON Patch (RFC 6902; [JSONPatch]), a JSON Merge Patch (RFC 7396; [MergePatch]),
// and the paths of a google.protobuf.FieldMask ([FieldMask]). [ReadJSONPatch] and
// [ReadMergePatch] read such documents as diffs of a value.
//
//	text, err := patch.Marshal(d, patch.Options{
//		Secrets: value.RevealSecrets,   // otherwise masked, and the patch cannot be applied
//		Base:    patch.Fingerprint(old), // the value that it is for
//	})
//	…
//	p, err := patch.Unmarshal(text, patch.Options{})
//	next, err := p.Apply(old) // of another value: an error that wraps ErrBase
//
// To look at a change, write it without options, or by package diff/render: secrets are
// masked in both.
//
// # The form
//
// A patch is a tree that mirrors the values where they differ. Members may be in any
// order; unknown members are refused.
//
//	PATCH = {
//	  "propalg":   "diff/1",
//	  "relation":  ["null as missing", …],  the differences that are ignored; absent: none
//	  "unknowns":  "changed",               absent: possible changes have their own verdict
//	  "uncertain": true,                    a compared value holds an unknown
//	  "masked":    true,                    secrets are masked; such a patch cannot be read
//	  "base":      "4f9c…",                 fingerprint of the value that the patch is for
//	  "diff":      NODE                     absent: nothing changed
//	}
//	NODE = {
//	  "op":        "add" | "delete" | "update" | "insert" | "remove" | "move",
//	  "own":       ["dependencies" | "order" | "length", …],
//	  "verdict":   "maybe",                 the change may turn out to be none
//	  "oldIndex":  1, "index": 1,           of an element; oldIndex defaults to index
//	  "moved":     true,                    the element has changed and its order as well
//	  "hidden":    ["old", "new"],          the values that are secret only because an ancestor is
//	  "old":       VALUE, "new": VALUE,     the value before and after; absent: missing
//	  "secret":    true,                    the contents are secret
//	  "masked":    true,                    both values are masked, and not written
//	  "members":   {KEY: NODE, …}           the changes in an object; or
//	  "elements":  {"oldLength": 3, "length": 4, "unordered": true, "changes": [NODE, …]}
//	}
//
// A VALUE is in the wire form of package codec, with sealed secrets as ciphertext.
//
// A node without "op" is a container that only has changes inside. A node with "own" is a
// change of a container itself: of its dependencies, of the order of its elements, or of
// its length if elements could only be paired by guess. An empty list marks a move of a
// container with changes inside. A node with "own" has both values as a whole; the nodes
// inside it have none, since they are parts of these. A move of an unchanged value has
// only "old".
//
// Elements are in the order of "index", removed before added. The "index" of a removed
// element is one more than that of the nearest element before it that is in both arrays and
// did not move, or 0 if there is none. The "oldIndex" of an added element is found in the
// same way in the old array.
//
// # Laws
//
// Those of the module's [laws] that are about patches:
//
//   - Unmarshal of what Marshal wrote gives a diff that is Equal, with the same
//     options, if secrets are revealed. Marshal fails, with the path, for what JSON
//     cannot hold (the causes of package codec: a number that is NaN or infinite, a
//     text that is not UTF-8 where no byte string is allowed), and for an invalid
//     Relation.
//   - The same diff gives the same bytes, in time linear in the diff.
//   - What Unmarshal accepts is a valid diff: package diff checks every claim of
//     the text. Any text gives a patch or an [*Error], in time linear in its length
//     times the logarithm of the number of changes in one array.
//
// # Secrets
//
// Secrets are masked unless [Options] say otherwise: both sides of a change if either is
// secret, and everything inside a secret container, including keys, indexes and the
// number of changes: a container with secret contents is written like any
// other secret that was updated, so that a patch does not tell its kind. If the values of
// a node with "own" hold a secret anywhere, sealed or not, the node is "masked" and has no
// values, since a place may be secret on one side only; the nodes inside it then have
// values of their own. The provider of a sealed secret is not written; see
// [Options.Provider].
//
// [laws]: https://github.com/propalg/propalg/blob/main/docs/laws.md
package patch
