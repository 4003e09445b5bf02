package main

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/value"
)

// At most mostReasons reasons of refusals are kept for a method.
const mostReasons = 3

// counts says how much of a resource was tested: calls, and what was in them.
type counts struct {
	methods map[string]*methodCount
	inputs  map[string]*[2]int // of a property, how often Check got it not set and set
	special map[string]int     // calls of a kind that is easily left out
	checked int                // calls of Check that have News
}

type methodCount struct {
	calls, refused int
	reasons        []string // the first different ones
}

// add counts a call.
func (c *counts) add(method string, request, response any, err error) {
	if method == "List" && errors.Is(err, errors.ErrUnsupported) {
		return // few have it
	}
	if c.methods == nil {
		c.methods, c.inputs, c.special = map[string]*methodCount{}, map[string]*[2]int{}, map[string]int{}
	}
	m := c.methods[method]
	if m == nil {
		m = &methodCount{}
		c.methods[method] = m
	}
	m.calls++
	if err != nil {
		m.refuse(err.Error())
	}

	switch r := request.(type) {
	case *rpc.CheckRequest:
		c.news(r.News)
		if answer, _ := response.(*rpc.CheckResponse); err == nil && answer != nil && len(answer.Failures) > 0 {
			m.refuse(reasons(answer.Failures))
		}
	case *rpc.ConstructRequest:
		c.news(r.Inputs)
		c.note("previews", r.DryRun)
	case *rpc.CallRequest:
		if answer, _ := response.(*rpc.CallResponse); err == nil && answer != nil && len(answer.Failures) > 0 {
			m.refuse(reasons(answer.Failures))
		}
	case *rpc.DiffRequest:
		c.note("diffs with unknowns", r.News.ContainsUnknown())
		c.note("with ignoreChanges", len(r.IgnoreChanges) > 0)
		answer, _ := response.(*rpc.DiffResponse)
		c.note("answered DIFF_SOME", err == nil && answer.Changes == rpc.DiffSome)
		c.note("replacements", err == nil && replaces(answer))
	case *rpc.CreateRequest:
		c.note("previews", r.Preview)
	case *rpc.UpdateRequest:
		c.note("previews", r.Preview)
	case *rpc.ReadRequest:
		c.note("imports", r.Inputs.IsNull() && r.Properties.IsNull())
	}
}

func (c *counts) note(what string, is bool) {
	if is {
		c.special[what]++
	}
}

func replaces(r *rpc.DiffResponse) bool {
	if r == nil {
		return false
	}
	for _, d := range r.DetailedDiff {
		if d.Kind == rpc.PropertyDiffAddReplace || d.Kind == rpc.PropertyDiffDeleteReplace || d.Kind == rpc.PropertyDiffUpdateReplace {
			return true
		}
	}
	return len(r.Replaces) > 0
}

func (c *counts) news(news value.Value) {
	c.checked++
	for name := range news.Members() {
		if c.inputs[name] == nil {
			c.inputs[name] = &[2]int{}
		}
		c.inputs[name][1]++
	}
	c.note("secrets in inputs", news.ContainsSecret())
	c.note("unknowns in inputs", news.ContainsUnknown())
}

func (m *methodCount) refuse(reason string) {
	m.refused++
	if len(m.reasons) < mostReasons && !slices.Contains(m.reasons, reason) {
		m.reasons = append(m.reasons, reason)
	}
}

// lines says in words what was called, and what was in the calls.
func (c *counts) lines(properties []string) (lines []string) {
	var calls []string
	for _, method := range methods() {
		if m := c.methods[method]; m != nil {
			text := fmt.Sprintf("%s %d", method, m.calls)
			if m.refused > 0 {
				text += fmt.Sprintf(" (%d refused)", m.refused)
			}
			calls = append(calls, text)
		}
	}
	for _, what := range slices.Sorted(maps.Keys(c.special)) {
		calls = append(calls, fmt.Sprintf("%s %d", what, c.special[what]))
	}
	lines = append(lines, "calls: "+strings.Join(calls, ", "))

	var never, always []string
	for _, name := range properties {
		switch n := c.inputs[name]; {
		case n == nil:
			never = append(never, name)
		case n[1] == c.checked:
			always = append(always, name)
		}
	}
	if len(never) > 0 {
		lines = append(lines, "inputs never set: "+strings.Join(never, ", "))
	}
	if len(always) > 0 {
		lines = append(lines, "inputs always set: "+strings.Join(always, ", "))
	}
	return lines
}

// refusals says of each method that refused most of its calls why it did, and of those that make
// or change something, which Check should have spared them, if they refused any.
func (c *counts) refusals() (lines []string) {
	for _, method := range methods() {
		m, changes := c.methods[method], slices.Contains([]string{"Create", "Update", "Delete"}, method)
		if m != nil && (m.refused*2 > m.calls || (changes && m.refused > 0)) {
			lines = append(lines, fmt.Sprintf("%s refused %d of %d: %s", method, m.refused, m.calls, strings.Join(m.reasons, "; ")))
		}
	}
	return lines
}

func methods() []string {
	return []string{"Check", "Diff", "Create", "Read", "Update", "Delete", "List", "Construct", "Call", "Invoke"}
}
