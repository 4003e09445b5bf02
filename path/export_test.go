package path

// HashKey is where a key of the root stands in the table of a trie.
func HashKey(name string) uint64 { return hashStep(0, Key(name)) }

// AreWords is areWords.
func AreWords(text string) bool { return areWords(text) }
