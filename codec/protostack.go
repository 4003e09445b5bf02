package codec

// stack is a stack of which the first few places need no allocation: a slice of
// an array would make the array escape as soon as something is appended.
type stack[T any] struct {
	n    int
	room [16]T
	more []T
}

func (s *stack[T]) push(x T) {
	if s.n < len(s.room) {
		s.room[s.n] = x
	} else {
		s.more = append(s.more, x)
	}
	s.n++
}

// at returns place i, counted from the bottom; it is good until the next push.
func (s *stack[T]) at(i int) *T {
	if i < len(s.room) {
		return &s.room[i]
	}
	return &s.more[i-len(s.room)]
}

func (s *stack[T]) top() *T { return s.at(s.n - 1) }

func (s *stack[T]) pop() {
	s.n--
	if s.n >= len(s.room) {
		s.more = s.more[:s.n-len(s.room)]
	}
}
