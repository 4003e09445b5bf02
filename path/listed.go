package path

// MaxListed is the limit, in bytes, on the paths that a function lists when it lists one
// for every place it finds: entries of a response, findings, violations. Beyond it,
// places are listed by their container, or counted.
const MaxListed = 16 << 20

// Size returns how many bytes the path takes in memory.
func (p Path) Size() int { return len(p.packed) }
