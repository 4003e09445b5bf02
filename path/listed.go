package path

// MaxListed is the largest size, in bytes, of all paths in an answer or a report, such as
// the entries of a response or the findings of a check. Beyond it, only the containers of
// places are listed, or places are counted.
const MaxListed = 16 << 20

// Size returns how many bytes the path takes in memory.
func (p Path) Size() int { return len(p.packed) }
