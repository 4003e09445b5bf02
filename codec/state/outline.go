package state

import (
	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/internal/jsonscan"
)

// NOTE: Inputs, outputs and lists of URNs are most of the text of a resource, and reading them is
// most of the work. What the pass over the text has noted says of nearly all that they can be
// read: names in ascending order are all different, short numbers are not rounded, and without
// a signature there is no secret, asset or reference that could be malformed. So who does not
// need the values reads an outline, and the whole resource only where that is not sure.

// outline reads a resource without dependencies and, if it is to have no bags, without inputs
// and outputs. It reports false if these may be malformed or have rounded numbers, or if
// something else is wrong: then the whole has to be read.
func (s *streaming) outline(text []byte, at int64, hasBags bool) (Resource, bool) {
	if !s.keepsAll {
		return Resource{}, false
	}

	seen := 0 // of the members that are left out, as bits
	s.short, s.rest = s.short[:0], s.rest[:0]
	for _, m := range s.around.Members {
		bit, isSound := s.mayLeaveOut(text, m)
		if !m.Plain || seen&bit != 0 {
			return Resource{}, false
		}
		seen |= bit
		switch isBag := bit&(inputs|outputs) != 0; {
		case isSound && (!isBag || !hasBags):
			continue
		case hasBags:
			s.rest = append(s.rest, m)
			continue
		}

		by := m.Name - len(s.short)
		s.short = append(s.short, text[m.Name:m.End]...)
		s.rest = append(s.rest, jsonscan.Member{
			Name: m.Name - by, NameEnd: m.NameEnd - by, At: m.At - by, End: m.End - by, Plain: true, Facts: m.Facts,
		})
	}
	if hasBags {
		s.reading(text, at)
	} else {
		s.reading(s.short, at).marks = nil
	}
	own := &s.read
	own.members = s.rest
	r, err := own.whole()
	r.Extra = nil // whose offsets are not those of the file
	return r, err == nil
}

// The members that an outline is without.
const (
	inputs = 1 << iota
	outputs
	dependencies
	propertyDependencies
)

// mayLeaveOut returns a bit for each member that an outline is without, and whether it can
// certainly be read.
func (s *streaming) mayLeaveOut(text []byte, m jsonscan.Member) (bit int, isSound bool) {
	switch string(text[m.Name+1 : m.NameEnd-1]) {
	case "inputs":
		return inputs, text[m.At] == '{' && m.Facts&(jsonscan.Unordered|jsonscan.Keyed|jsonscan.Inexact) == 0
	case "outputs":
		return outputs, text[m.At] == '{' && m.Facts&(jsonscan.Unordered|jsonscan.Keyed|jsonscan.Inexact) == 0
	case "dependencies":
		return dependencies, s.isTexts(text, m)
	case "propertyDependencies":
		return propertyDependencies, m.Facts&jsonscan.Unordered == 0 && s.isLists(text, m)
	}
	return 0, false
}

// isTexts reports whether a member is an array of strings.
func (s *streaming) isTexts(text []byte, m jsonscan.Member) bool {
	if len(s.around.Marks) == 0 || text[m.At] != '[' {
		return false
	}
	for _, each := range s.around.Marks[m.Mark+1 : m.MarkEnd] {
		if text[each.At] != '"' {
			return false
		}
	}
	return true
}

// isLists reports whether a member is an object of arrays of strings.
func (s *streaming) isLists(text []byte, m jsonscan.Member) bool {
	if len(s.around.Marks) == 0 || text[m.At] != '{' {
		return false
	}
	left := uint32(0) // of the texts of the list
	isName := true
	for _, each := range s.around.Marks[m.Mark+1 : m.MarkEnd] {
		c := text[each.At]
		switch {
		case left > 0 && c == '"':
			left--
		case left == 0 && isName:
			isName = false
		case left == 0 && c == '[':
			left, isName = each.End, true
		default:
			return false
		}
	}
	return true
}

// keepsAll reports whether options change nothing in what is read.
func keepsAll(o codec.Options) bool {
	return o.Unknowns|o.Secrets|o.Outputs|o.Assets|o.References|o.Nulls|o.Internal == codec.Keep
}

// checked reads an outline of the resource that the iteration is at, or all of it.
func (e Entry) checked() (Resource, error) {
	if s := e.reader.Open(); s != nil && s.from == e.Offset {
		if r, ok := s.outline(s.now, e.Offset, false); ok {
			return r, nil
		}
	}
	return e.resource()
}
