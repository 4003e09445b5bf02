package urn_test

import (
	"strings"
	"testing"

	"github.com/propalg/propalg/internal/test/race"
	"github.com/propalg/propalg/urn"
)

func TestAllocations(t *testing.T) {
	if race.Enabled {
		t.Skip("the race detector changes what is allocated")
	}
	texts := []string{
		bucket, "urn:pulumi:::::::", "urn:pulumi:s::p::Component::n::m", "urn:pulumi:s::p::a:B$c:D$e:F$awsx:x:ecs:Service::" + strings.Repeat("n", 1<<20),
	}
	for i, text := range texts {
		u, other := urn.MustParse(text), urn.MustParse(bucket)
		within := urn.MustParse("urn:pulumi:s::p::é:B$c:d:E::n")
		parts := urn.Parts{Stack: "s", Project: "p", Parents: []string{"a"}, Type: "t", Name: text}
		tight := urn.Parts{Stack: "s", Project: "p", Parents: []string{"a"}, Type: "t", Name: "elevenbytes"} // 33 bytes: one more than the allocator has in that class
		scratch := make([]byte, 0, len(text))
		n := 0
		for _, test := range []struct {
			name string
			want float64
			run  func()
		}{
			{"Parse", 0, func() { v, _ := urn.Parse(text); n += len(v.Name()) }},
			{"Stack", 0, func() { n += len(u.Stack()) }},
			{"Project", 0, func() { n += len(u.Project()) }},
			{"QualifiedType", 0, func() { n += len(u.QualifiedType()) }},
			{"Type", 0, func() { n += len(u.Type()) }},
			{"Package", 0, func() { n += len(u.Package()) }},
			{"Module", 0, func() { n += len(u.Module()) }},
			{"TypeName", 0, func() { n += len(u.TypeName()) }},
			{"Name", 0, func() { n += len(u.Name()) }},
			{"String", 0, func() { n += len(u.String()) }},
			{"Parents", 0, func() {
				for p := range u.Parents() {
					n += len(p)
				}
			}},
			{"Compare", 0, func() { n += u.Compare(other) }},
			{"AppendText", 0, func() { text, _ := u.AppendText(scratch); n += len(text) }},
			{"CheckSpec", 0, func() {
				if within.CheckSpec() != nil {
					n++
				}
			}},
			{"Build of 33 bytes", 1, func() {
				v, _ := urn.Build(tight)
				n += len(v.String())
			}},
			{"Build", 1, func() {
				v, _ := urn.Build(parts)
				n += len(v.String())
			}},
		} {
			if got := testing.AllocsPerRun(20, test.run); got != test.want {
				t.Errorf("row %d: %s allocates %v times, want %v", i, test.name, got, test.want)
			}
		}
	}
}

// Leaving the loop early is allowed.
func TestParentsStops(t *testing.T) {
	for p := range urn.MustParse("urn:pulumi:s::p::a$b$c::n").Parents() {
		if p != "a" {
			t.Errorf("got %q", p)
		}
		break
	}
}
