package state

import (
	"cmp"
	"maps"
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
func isLink(name string) bool {
	switch name {
	case "urn", "type", "id", "protect", "pendingReplacement":
		return true
	}
	return refers(name)
}

// refers reports whether a member of a resource has URNs of resources.
func refers(name string) bool {
	switch name {
	case "urn", "parent", "provider", "dependencies", "propertyDependencies", "deletedWith", "replaceWith", "viewOf", "aliases":
		return true
	}
	return false
}

// links reads the members of a resource that Rewrite needs.
func (r *reading) links() error {
	fields := r.to.fields()
	for _, m := range r.members {
		if name := r.name(m); isLink(name) && !r.member(name, result(r.source, m), fields[:]) {
			break
		}
	}
	if r.err == nil {
		r.err = r.conclude()
	}
	return r.err
}

// name returns the name of a member.
func (r *reading) name(m jsonscan.Member) string { return unquote(r.source[m.Name:m.NameEnd]) }

// providerTypes begins the types of providers, to which others refer with an ID.
const providerTypes = "pulumi:providers:"

// unknownID is the ID in references to a provider that has none.
const unknownID = "04da6b54-80e4-46f7-96ec-b56ff0331ba9"

// resource notes the splices of a resource.
func (x *rewriter) resource(r *reading) error {
	if err := r.links(); err != nil {
		return err
	}
	var properties []int
	deleted := false
	if len(x.targets) > 0 {
		for _, name := range [2]string{r.to.URN, r.to.URN + "::" + r.to.ID} {
			if t := x.targets[name]; t != nil {
				t.found++
				deleted = deleted || t.deleted
				properties = append(properties, t.properties...)
			}
		}
	}
	at, end := r.to.Offset, r.to.Offset+int64(len(r.source))
	if deleted {
		if r.to.Protect && !x.edits.Protected {
			return r.refused("protect", r.to.URN, " is protected")
		}
		if x.gone < 0 {
			x.gone = at
		}
		x.goneEnd = end
		x.register(r, true)
		return nil
	}
	if x.gone >= 0 {
		x.splices = append(x.splices, splice{x.gone, at, ""})
		x.gone = -1
	}
	x.kept = end
	if other := x.register(r, false); other != "" {
		return r.refused("urn", r.to.URN, " and ", other, " cannot have the same new name")
	}
	return x.edited(r, properties, true)
}

// register makes a resource known. It returns another that gets the same new URN, or "".
func (x *rewriter) register(r *reading, deleted bool) (other string) {
	old := r.to.URN
	now := x.known[old]
	if now == "" && !deleted {
		x.notice(old)
		now = x.moved(old, true)
		if now != old {
			if x.taken[now] != "" {
				return x.taken[now]
			}
			x.taken[now] = old
		}
	}
	x.known[old] = now
	if strings.HasPrefix(r.to.Type, providerTypes) {
		id := "::" + cmp.Or(r.to.ID, unknownID)
		x.known[old+id] = ""
		if !deleted {
			x.known[old+id] = now + id
		}
	}
	return ""
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
	u, err := urn.Parse(text)
	if err != nil {
		return text
	}
	e := x.edits
	stack, project, name := u.Stack(), u.Project(), u.Name()
	if x.home != nil && stack == x.home.Stack() && project == x.home.Project() {
		stack, project = cmp.Or(e.NewStack, stack), cmp.Or(e.NewProject, project)
	}
	if to, ok := e.Rename[text]; ok && named {
		name = to
	} else if u.QualifiedType() == urn.RootStackType && name == u.Project()+"-"+u.Stack() {
		name = project + "-" + stack
	}
	if stack == u.Stack() && project == u.Project() && name == u.Name() {
		return text
	}
	return urn.Prefix + stack + "::" + project + "::" + u.QualifiedType() + "::" + name
}

// refused returns the error for a resource that the edits do not fit.
func (r *reading) refused(field string, parts ...string) error {
	e := r.failure(field, 0, nil)
	e.err = reason(append([]string{""}, parts...))
	return e
}

// edited notes the splices inside a resource. If it is strict, what it refers to has to be
// known.
func (x *rewriter) edited(r *reading, properties []int, strict bool) error {
	for _, m := range r.members {
		name := r.name(m)
		if !refers(name) {
			continue
		}
		if err := x.references(r, name, m, strict); err != nil {
			return err
		}
	}
	return x.bags(r, properties)
}

// references notes the splices of a member with URNs.
func (x *rewriter) references(r *reading, name string, m jsonscan.Member, strict bool) error {
	d := jsonscan.Decoder{Text: r.source[m.At:m.End]}
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
		now, err := x.resolve(r, name, old, strict)
		if err == nil {
			err = x.respell(&x.splices, r.to.Offset+int64(m.At+t.From), d.Text[t.From:t.To], old, now)
		}
		if err != nil {
			return err
		}
	}
}

// resolve returns what a reference becomes.
func (x *rewriter) resolve(r *reading, field, target string, strict bool) (string, error) {
	if field == "aliases" { // URNs of the past, which the name that a resource gets now does not change
		return x.moved(target, false), nil
	}
	now, known := x.known[target]
	switch {
	case now != "":
		return now, nil
	case known:
		return "", r.refused(field, "refers to ", target, ", which is deleted")
	case strict && field != "viewOf" && (field != "provider" || !r.to.PendingReplacement):
		if _, ok := x.awaited[target]; !ok {
			x.awaited[strings.Clone(target)] = referrer{r.to.URN, field, r.to.Offset, r.to.Number}
		}
	}
	if field == "provider" {
		return x.movedProvider(target), nil
	}
	return x.moved(target, true), nil
}

// referrer is a resource that refers to one that was not found before it, as in files of old
// engines.
type referrer struct {
	urn, field string
	offset     int64
	number     int
}

// arrived checks that what was referred to has been found in the end.
func (x *rewriter) arrived() error {
	for _, target := range slices.Sorted(maps.Keys(x.awaited)) {
		why := ", which is not in the file"
		switch now, known := x.known[target]; {
		case now != "":
			continue
		case known:
			why = ", which is deleted"
		}
		from := x.awaited[target]
		e := refused("", "refers to ", target, why)
		e.URN, e.Offset, e.Resources, e.Field = from.urn, from.offset, from.number, from.field
		return e
	}
	return nil
}

// movedProvider is moved for a reference with an ID.
func (x *rewriter) movedProvider(text string) string {
	if i := strings.LastIndex(text, "::"); i >= 0 {
		return x.moved(text[:i], true) + text[i:]
	}
	return text
}

// respell appends the splice that makes a string another one. It keeps how the parts that
// are in both are written.
func (x *rewriter) respell(to *[]splice, at int64, raw, old, now string) error {
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
		text, err := codec.AppendJSON(nil, value.String(now[head:len(now)-tail]), codec.Options{Form: codec.FormState, ByteStrings: codec.Reject})
		if err != nil {
			return &Error{Offset: at, Resources: x.stream.count, err: &outside{ErrEdit, err}}
		}
		asEngines := strings.NewReplacer("\u2028", `\u2028`, "\u2029", `\u2029`) // encoding/json escapes them
		piece = asEngines.Replace(string(text[1 : len(text)-1]))
		x.pieces[strings.Clone(now[head:len(now)-tail])] = piece
	}
	inner := raw[1 : len(raw)-1]
	from, end := written(inner, head), written(inner, len(old)-tail)
	*to = append(*to, splice{at + 1 + int64(from), at + 1 + int64(end), piece})
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
