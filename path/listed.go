package path

// MaxListed is the limit, in bytes, on all paths of one list, such as the entries of a
// response or the findings of a check. A list that exceeds it is shortened: the function
// that makes it names only top-level properties from there on, reports changes of their
// containers, counts or omits the rest, or fails.
const MaxListed = 16 << 20

// Size returns the number of bytes that the steps of the path take, to be counted against
// [MaxListed]. Other paths may share these bytes.
func (p Path) Size() int { return len(p.packed) }
