package path

// HashKey is where a key of the root stands in the table of a trie with 128 slots.
func HashKey(name string) uint64 { return markOf(Key(name)).hash(0) >> 57 }
