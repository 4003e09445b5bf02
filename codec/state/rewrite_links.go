package state

// NOTE: The fields of a resource that hold URNs are listed here for rewriting, for comparing
// in compare_renamed.go and compare_stacks.go, and in cmd/propalg (state_rewrite.go,
// state_set.go); which features of a file are known is versions.go. Properties are
// rewrite_bag.go, pending operations rewrite.go.

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/internal/jsonscan"
	"github.com/propalg/propalg/urn"
	"github.com/propalg/propalg/value"
)

// isLink reports whether Rewrite reads a member of a resource: its names, and what refers
// to other resources.
func isLink(name string) bool { return isName(name) || refers(name) }

// isName reports whether Rewrite has to know a member to say which resource it is.
func isName(name string) bool {
	switch name {
	case "urn", "type", "id", "protect", "pendingReplacement":
		return true
	}
	return false
}

// refers reports whether a member of a resource has URNs of resources.
func refers(name string) bool {
	switch name {
	case "urn", "parent", "provider", "dependencies", "propertyDependencies", "deletedWith", "replaceWith", "viewOf", "aliases":
		return true
	}
	return false
}

func (r *reading) links(which func(name string) bool) error {
	all := r.to.fields()
	return r.read(slices.DeleteFunc(all[:], func(f fieldOf) bool { return !which(f.name) }))
}

// span is the text of the resource in the file.
func (r *reading) span() span { return span{r.to.Offset, r.source} }

func (r *reading) name(m jsonscan.Member) string {
	return jsonscan.Text(r.source, m.Name, m.NameEnd, m.Plain)
}

// The types of providers begin with providerTypes; others refer to these with an ID.
const providerTypes = "pulumi:providers:"

// A reference to a provider that has no ID has unknownID instead.
const unknownID = "04da6b54-80e4-46f7-96ec-b56ff0331ba9"

// named is what is known of the resources with one URN, or of the providers with one
// reference.
type named struct {
	now     string // the new URN or reference; "": all of them are deleted
	remains int    // index of the first that remains; -1: none
	deleted int    // index of the first that is deleted; -1: none
}

// wanted returns what the edits want of a resource.
func (x *rewriter) wanted(r *reading) target {
	if t := x.targets[r.to.Number]; t != nil {
		return *t
	}
	return target{}
}

// register makes the names of a resource known.
func (x *rewriter) register(r *reading) error {
	if err := r.links(isLink); err != nil {
		return err
	}
	want := x.wanted(r)
	if err := x.checkTarget(r, want); err != nil {
		return err
	}
	if err := x.countLive(r, want); err != nil {
		return err
	}
	if err := x.checkAdoptable(r, want); err != nil {
		return err
	}
	old, number := r.to.URN, r.to.Number
	now := ""
	if !want.deleted {
		x.notice(old)
		now = x.moved(old, true)
	}
	if now != "" && now != old {
		if other := x.taken[now]; other != "" && other != old {
			return r.refused("urn", "%s and %s cannot have the same new name", old, other)
		}
		x.taken[now] = old
	}

	note(x.resources, old, now, number)
	if strings.HasPrefix(r.to.Type, providerTypes) {
		id := "::" + cmp.Or(r.to.ID, unknownID)
		if now != "" {
			now += id
		}
		note(x.providers, old+id, now, number)
	}

	return nil
}

// note adds a resource to those with the same name. now is its new one, or "".
func note(to map[string]named, old, now string, number int) {
	n, ok := to[old]
	if !ok {
		n = named{remains: -1, deleted: -1}
	}
	switch {
	case now == "" && n.deleted < 0:
		n.deleted = number
	case now != "" && n.remains < 0:
		n.now, n.remains = now, number
	}

	to[old] = n
}

// resource notes the splices of a resource.
func (x *rewriter) resource(r *reading) error {
	if err := r.links(isName); err != nil { // the others were read before
		return err
	}
	want := x.wanted(r)
	own := r.span()
	if want.deleted {
		if x.gone < 0 {
			x.gone = own.base
		}
		x.goneEnd = own.end()
		return nil
	}
	if x.gone >= 0 {
		x.splices = append(x.splices, splice{x.gone, own.base, ""})
		x.gone = -1
	}

	x.kept = own.end()
	return x.edited(r, want, r.to.Number)
}

// notice notes the first URN of a resource of the stack and the project to rename.
func (x *rewriter) notice(text string) {
	e := x.edits
	if x.home != nil || !x.moves {
		return
	}

	u, err := urn.Parse(text)
	if err == nil && (e.OldStack == "" || u.Stack() == e.OldStack) && (e.OldProject == "" || u.Project() == e.OldProject) {
		x.home = &u
	}
}

// moved returns the URN that a URN becomes, with the new name of its resource if named,
// and of its stack and project. Other texts stay as they are.
func (x *rewriter) moved(text string, named bool) string {
	if !x.moves || !strings.HasPrefix(text, urn.Prefix) {
		return text
	}
	old := text
	if to, ok := x.renamed[old]; ok && named {
		text = to
	}
	u, err := urn.Parse(text)
	if err != nil {
		return text
	}

	e := x.edits
	stack, project, name := u.Stack(), u.Project(), u.Name()
	if x.home != nil && stack == x.home.Stack() && project == x.home.Project() {
		stack, project = cmp.Or(e.NewStack, stack), cmp.Or(e.NewProject, project)
	}
	if to, ok := e.Rename[old]; ok && named {
		name = to
	} else if u.QualifiedType() == urn.RootStackType && name == u.Project()+"-"+u.Stack() {
		name = project + "-" + stack
	}
	if stack == u.Stack() && project == u.Project() && name == u.Name() {
		return text
	}
	return urn.Prefix + stack + "::" + project + "::" + u.QualifiedType() + "::" + name
}

func (r *reading) refused(field, format string, names ...string) error {
	return r.failure(field, 0, reason(format, names))
}

// edited notes the splices inside a resource, which comes after so many others.
func (x *rewriter) edited(r *reading, want target, number int) error {
	for _, m := range r.members {
		name := r.name(m)
		if !refers(name) || x.isEdited(want.members, name) {
			continue
		}
		if err := x.references(r, name, m, number); err != nil {
			return err
		}
	}

	if err := x.retype(r); err != nil {
		return err
	}
	if len(want.members) > 0 {
		if err := x.members(r, want.members, number); err != nil {
			return err
		}
	}
	return x.bags(r, want.properties)
}

// references notes the splices of a member with URNs.
func (x *rewriter) references(r *reading, name string, m jsonscan.Member, number int) error {
	in := r.span().sub(m.At, m.End)
	d := jsonscan.Decoder{Text: in.text}
	for {
		t, _ := d.Next() // well formed, since it was read before
		if t.Kind == jsonscan.KindEnd {
			return nil
		}

		old := ""
		if t.Kind == jsonscan.KindString {
			old = d.Unquoted(t)
		}
		if old == "" {
			continue
		}
		now, err := x.resolve(r, name, old, number)
		if err == nil {
			err = x.respell(&x.splices, in.sub(t.From, t.To), old, now)
		}
		if err != nil {
			return err
		}
	}
}

// resolve returns what a reference becomes, in a resource that comes after so many others.
// One to nothing stays one, apart from the names of stack and project.
func (x *rewriter) resolve(r *reading, field, target string, number int) (string, error) {
	if field == "aliases" { // URNs of the past, which the name that a resource gets now does not change
		return x.moved(target, false), nil
	}
	all := x.resources
	if field == "provider" {
		all = x.providers
	}
	n, known := all[target]
	switch {
	case known && n.misses(field, number):
		return "", r.refused(field, "refers to %s, which is deleted", target)
	case known:
		return n.now, nil
	case field == "provider":
		return x.movedProvider(target), nil
	}

	return x.moved(target, true), nil
}

// misses reports whether what a field refers to is deleted, of a resource that comes after so
// many others. Of several with one name that is the one before.
func (n named) misses(field string, number int) bool {
	mayBeSelf := field == "provider" || field == "urn"
	before := func(i int) bool { return i >= 0 && (i < number || (i == number && mayBeSelf)) }
	return n.now == "" || (before(n.deleted) && !before(n.remains))
}

// current returns what a string in properties becomes, which may be the URN of a resource
// or a reference to a provider.
func (x *rewriter) current(text string) string {
	for _, all := range [2]map[string]named{x.resources, x.providers} {
		if n := all[text]; n.now != "" {
			return n.now
		}
	}
	return x.moved(text, true)
}

// movedProvider is moved for a reference with an ID.
func (x *rewriter) movedProvider(text string) string {
	of := referenced(text)
	return x.moved(of, true) + text[len(of):]
}

// respell appends the splice that makes a string another one. It keeps how the parts that
// are in both are written.
func (x *rewriter) respell(to *[]splice, raw span, old, now string) error {
	if old == now {
		return nil
	}

	head, tail := 0, 0
	most := min(len(old), len(now))
	for head < most && old[head] == now[head] {
		head++
	}
	for !boundary(old, head) || !boundary(now, head) {
		head--
	}
	for tail < most-head && old[len(old)-1-tail] == now[len(now)-1-tail] {
		tail++
	}
	for !boundary(old, len(old)-tail) || !boundary(now, len(now)-tail) {
		tail--
	}
	piece, known := x.pieces[now[head:len(now)-tail]]
	if !known {
		text, err := codec.AppendJSONValue(nil, value.String(now[head:len(now)-tail]), codec.Options{Form: codec.FormState, ByteStrings: codec.Reject})
		if err != nil {
			return &Error{Offset: raw.base, Resources: x.stream.count, err: &outside{ErrEdit, err}}
		}
		asEngines := strings.NewReplacer("\u2028", `\u2028`, "\u2029", `\u2029`) // encoding/json escapes them
		piece = asEngines.Replace(string(text[1 : len(text)-1]))
		x.pieces[strings.Clone(now[head:len(now)-tail])] = piece
	}

	inner := raw.sub(1, len(raw.text)-1)
	from, end := written(inner.text, head), written(inner.text, len(old)-tail)
	*to = append(*to, inner.sub(from, end).with(piece))
	return nil
}

// boundary reports whether no character is cut at an offset.
func boundary(text string, at int) bool { return at == len(text) || utf8.RuneStart(text[at]) }

// written returns where in the inside of a quoted text its first n bytes end.
func written(inner string, n int) int {
	if strings.IndexByte(inner, '\\') < 0 {
		return n
	}

	i := 0
	for n > 0 {
		k := 1
		if inner[i] == '\\' {
			k = 2
			if inner[i+1] == 'u' {
				k = 6
			}
			if k == 6 && (inner[i+2]|' ') == 'd' && inner[i+3] >= '8' { // the first half of a pair
				k = 12
			}
		}
		n -= len(jsonscan.Unquote(inner[i : i+k]))
		i += k
	}
	return i
}
