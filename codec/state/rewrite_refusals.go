package state

// NOTE: Rewrite refuses edits in this order:
//
//	check          before the file is read: what no file can take
//	findTypes      a pass before the others: a resource cannot get a type (rewrite_types.go)
//	one            a pass before the others: no resource or several have a name (numbers.go)
//	checkTarget    first pass, at a resource: it is deleted and changed, or protected, or
//	               cannot have a member (rewrite_members.go)
//	register       after it: two resources would get one new name (rewrite_links.go)
//	checkFeatures  after it: the file may have references that are not looked at
//	checkNames     no resource has the old name, or another one has the new name
//	resolve        second pass, at a reference: to what is deleted (rewrite_links.go)
//	memberText     at an edited one: to what is not before it (rewrite_members.go)
//	adopt          at a pending operation: its resource cannot be one of the file (rewrite_adopt.go)
//	edit           at a property: the path leads nowhere (rewrite_tree.go)

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/propalg/propalg/internal/jsonscan"
	"github.com/propalg/propalg/internal/scan"
	"github.com/propalg/propalg/urn"
)

// refusal is an [ErrEdit] with its reason, which may name two URNs.
type refusal struct{ reason string }

func (e *refusal) Error() string { return ErrEdit.Error() + ": " + e.reason }
func (e *refusal) Unwrap() error { return ErrEdit }

func refused(format string, names ...string) *Error {
	return &Error{Offset: -1, err: reason(format, names)}
}

// reason writes names, which may be anything, into a format.
func reason(format string, names []string) *refusal {
	shown := make([]any, len(names))
	for i, name := range names {
		shown[i] = scan.Line(name)
	}
	return &refusal{fmt.Sprintf(format, shown...)}
}

// check returns an error for edits that are invalid for every file.
func (e *Edits) check() error {
	for _, names := range [][3]string{{"stack", e.OldStack, e.NewStack}, {"project", e.OldProject, e.NewProject}} {
		if (names[1] == "") != (names[2] == "") {
			return refused("the old and the new name of the %s have to be given together", names[0])
		}
	}

	if err := checkURN(urn.Parts{Stack: e.NewStack, Project: e.NewProject, Type: "a:b:C"}); err != nil {
		return err
	}
	for _, old := range slices.Sorted(maps.Keys(e.Rename)) {
		u, err := urn.Parse(old)
		switch {
		case err != nil:
			return &Error{Offset: -1, err: &outside{ErrEdit, err}}
		case u.QualifiedType() == urn.RootStackType:
			return refused("%s is named by its project and stack, which can be renamed", old)
		}
		if err := checkURN(urn.Parts{Stack: "s", Project: "p", Type: "a:b:C", Name: e.Rename[old]}); err != nil {
			return err
		}
	}
	if err := e.checkRetype(); err != nil {
		return err
	}

	for _, p := range e.Properties {
		switch {
		case p.Bag != "inputs" && p.Bag != "outputs":
			return refused("%s is neither inputs nor outputs", p.Bag)
		case p.At.IsRoot():
			return refused("no path in %s", p.Bag)
		case p.Remove && p.Secret:
			return refused("a property cannot be removed and marked as secret")
		case p.Plain && (p.Remove || p.Secret):
			return refused("the mark of a property that is removed or gets one cannot be taken off")
		}
	}

	for _, m := range e.Members {
		if err := m.check(); err != nil {
			return err
		}
	}

	for _, urn := range slices.Sorted(maps.Keys(e.Adopt)) {
		switch id := e.Adopt[urn]; {
		case id == "" || !utf8.ValidString(id):
			return refused("the ID of %s is a text in UTF-8 that is not empty", urn)
		case e.ClearPending:
			return refused("the operation of %s cannot be adopted and removed", urn)
		}
	}

	if e.Depth < 0 {
		return refused("the depth is negative")
	}
	return nil
}

// checkURN returns an error for parts of which a URN cannot consist.
func checkURN(p urn.Parts) error {
	_, err := urn.Build(p)
	if err == nil && !utf8.ValidString(p.Stack+p.Project+p.Type+p.Name) {
		err = jsonscan.ErrUTF8
	}
	if err != nil {
		return &Error{Offset: -1, err: &outside{ErrEdit, err}}
	}
	return nil
}

// checkTarget returns an error for a resource that edits may not concern in this way.
func (x *rewriter) checkTarget(r *reading, want target) error {
	switch {
	case want.deleted && len(want.properties) > 0:
		return r.refused("", "%s is deleted, and its properties are changed", r.to.URN)
	case want.deleted && len(want.members) > 0:
		return r.refused("", "%s is deleted, and its members are changed", r.to.URN)
	case want.deleted && r.to.Protect && !x.edits.Protected:
		return r.refused("protect", "%s is protected", r.to.URN)
	}
	return x.checkMembers(r, want.members)
}

// checkFeatures returns an error for unknown features, unless the edits permit them.
func (x *rewriter) checkFeatures(unknown []string) error {
	if len(unknown) == 0 || x.edits.UnknownFeatures {
		return nil
	}

	const most = 5
	shown := unknown[:min(len(unknown), most)]
	format := "it needs" + strings.Repeat(" %s,", len(shown))
	if more := len(unknown) - len(shown); more > 0 {
		format += " and " + strconv.Itoa(more) + " more,"
	}
	e := refused(format+" which this package does not know", shown...)
	e.Field = "features"
	return e
}

// checkNames returns an error for edits whose names are not those of the file.
func (x *rewriter) checkNames() error {
	for _, old := range slices.Concat(slices.Sorted(maps.Keys(x.edits.Rename)), slices.Sorted(maps.Keys(x.edits.Retype))) {
		if x.resources[old].now != "" {
			continue
		}
		if i := strings.LastIndexByte(old, '#'); i > 0 && x.resources[old[:i]].now != "" {
			return refused("%s is one resource of a URN, and all of that are renamed together: name %s", old, old[:i])
		}
		return refused("no resource has the URN %s", old)
	}
	if stack, project := x.edits.OldStack, x.edits.OldProject; x.home == nil {
		switch {
		case stack != "" && project != "":
			return refused("no resource is of the stack %s of the project %s", stack, project)
		case stack != "":
			return refused("no resource is of the stack %s", stack)
		case project != "":
			return refused("no resource is of the project %s", project)
		}
	}

	if len(x.doubled) > 0 {
		return refused("more than one resource with the URN %s would be live", slices.Min(slices.Collect(maps.Keys(x.doubled))))
	}
	for _, now := range slices.Sorted(maps.Keys(x.taken)) {
		if x.resources[now].now == now {
			return refused("%s cannot be renamed to %s, which is another resource", x.taken[now], now)
		}
	}
	return nil
}
