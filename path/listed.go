package path

// MaxListed is how many bytes of paths an answer or a report may list, where it lists one
// for every place: entries of a response, findings, violations. Beyond it, places are
// listed by their container, or counted.
const MaxListed = 16 << 20

// Size returns how many bytes the path takes in memory.
func (p Path) Size() int { return len(p.packed) }
