package path

// MaxListed is how many bytes of paths a function lists that lists a path for
// every place it found: the entries of a response, findings, violations. What is
// beyond is listed by the container above it, or counted.
//
// The paths of a value of n levels can take n times the size of the value, so
// that a list of all of them is out of proportion to it. Sixteen MiB are more than
// a person reads or an engine shows, and room for a million short paths.
const MaxListed = 16 << 20

// Size returns how many bytes the path takes in memory.
func (p Path) Size() int { return len(p.packed) }
