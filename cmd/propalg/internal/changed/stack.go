package changed

import (
	"cmp"
	"maps"
	"strings"

	"github.com/propalg/propalg/cmd/propalg/internal/ops"
)

// Stack is one of many stacks that were compared. Its texts are printable.
type Stack struct {
	Name   string
	Counts ops.Counts // resources, by what happens to them; those that are the same too
	Note   string     // what else there is to say
	IsBad  bool       // its update failed, or it could not be compared
}

// Compare is the order of stacks: those that are bad first, then by what is most urgent in them,
// then by name.
func (s *Stack) Compare(t *Stack) int {
	if s.IsBad != t.IsBad {
		return map[bool]int{true: -1, false: 1}[s.IsBad]
	}
	return cmp.Or(ops.Compare(s.Counts.Urgent(), t.Counts.Urgent()), cmp.Compare(s.Name, t.Name))
}

// Changed lists what happens to resources that are not the same, and then the note.
func (s *Stack) Changed(separator string) string {
	rest := maps.Clone(s.Counts)
	delete(rest, ops.Same)
	return strings.Trim(rest.Join(separator)+separator+s.Note, separator)
}
