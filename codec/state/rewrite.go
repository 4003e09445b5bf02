package state

// NOTE: Rewrite is three passes over the file, and the second decides everything; before them
// one finds the resources that edits name (numbers.go), if they do, and one the URNs that new
// types give (rewrite_types.go):
//
//	names  registers what each resource is called, and what it will be called: a resource
//	       may refer to one that follows.
//	plan   visits each resource, checks what it refers to, and notes a splice for each
//	       place whose text changes (rewrite_links.go for the fields with URNs,
//	       rewrite_members.go for members that edits name, rewrite_bag.go for
//	       properties); at the end, what is around the resources.
//	write  copies the file with the splices, in order.
//
// A property with edits of its own is one splice: the edits are made in a tree of its text
// (rewrite_tree.go), and URNs are renamed in what the tree writes. A secret's plaintext is
// a text in a string, and is treated likewise: it is read, spliced, and written as the
// string's new text. What is refused, and when, is in rewrite_refusals.go.

import (
	"bufio"
	"cmp"
	"errors"
	"hash/crc32"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/internal/jsonscan"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/urn"
	"github.com/propalg/propalg/value"
)

// Edits are the changes that [Rewrite] makes to a state file. The zero Edits changes
// nothing.
//
// Resources are named as they are in the file before all changes: by URN or, where several
// have the same one (replaced resources that are pending deletion, and duplicates, which
// engines refuse), by URN, two colons and ID, or by URN, # and position: URN#2 is the second
// with this URN in the order of the file, unless a name of this spelling is in the file.
type Edits struct {
	// Rename has the new names of resources by URN; all resources with the URN are
	// renamed. The type in a URN does not change, so the URNs of children do not
	// either. The resource of the stack itself takes its name from project and stack.
	Rename map[string]string

	// Retype has the new types of resources by URN, without the types of parents; all
	// resources with the URN get it. Their URNs change, and so do those of the resources
	// below them that have the types of their parents. The stack's own resource and
	// providers keep their types, and no other gets one of these.
	Retype map[string]string

	// OldStack and OldProject are the stack and the project to rename, NewStack and
	// NewProject their new names; empty strings rename nothing. The name of the stack's
	// own resource changes too. URNs of a stack with the same name in another project are
	// unchanged.
	OldStack, NewStack     string
	OldProject, NewProject string

	// InProperties also renames URNs in inputs and outputs, in plaintexts of secrets too,
	// where a string consists of a URN and nothing else. By default only the URNs of
	// resource references are renamed there. Ciphertexts are never decrypted.
	InProperties bool

	// Delete lists resources to remove from the file. Other resources and pending
	// operations must not refer to them, unless they are removed too, or another one with
	// the URN comes before; strings and resource references in properties do not count.
	Delete []string

	// Protected permits the deletion of protected resources.
	Protected bool

	// Properties are changes of inputs and outputs, made in this order.
	Properties []PropertyEdit

	// Members are changes of other members, of which the last of a name counts.
	Members []MemberEdit

	// Adopt has IDs by the URNs of pending operations. Their resources, which an engine may
	// have created or imported, become those of the file, after all others, with these IDs,
	// and the operations are removed. What their resources refer to has to be in the file, no
	// resource of the file that is not pending deletion may have the URN, and no other
	// operation; those of other types are refused. A refresh reads what the file does not
	// know of the resource.
	Adopt map[string]string

	// UnknownFeatures permits edits of a file with [File.UnknownFeatures], which may refer
	// to resources in places that are not looked at.
	UnknownFeatures bool

	// ClearPending removes the pending operations.
	ClearPending bool

	// Depth limits the nesting of inputs, outputs and replacement triggers, so that a peer
	// with such a limit can read them. It counts as in [codec.Options]. Each container
	// that is nested deeper is replaced by null, and so is each secret whose plaintext is
	// nested deeper. 0 means no limit.
	Depth int
}

// PropertyEdit is a change of one property of a resource. By default it sets the property
// to Value. The container of the property must exist; a key may be new, and an index may
// be the length of the array. Secrets in Value are written as plaintext, which engines
// encrypt when they import the file or write it again; a sealed secret is written as its
// ciphertext.
//
// At must not lead into a secret, and a secret can be replaced only by a secret, unless Plain
// took the mark off.
type PropertyEdit struct {
	Resource string // as [Edits] says
	Bag      string // "inputs" or "outputs"
	At       path.Path
	Value    value.Value
	Remove   bool // removes the property instead
	Secret   bool // marks the property as secret instead, and writes its contents as plaintext
	Plain    bool // takes the mark off instead, and so reveals its contents in the file; a sealed secret is an error
}

// Rewrite copies a state file to w, applies the edits, and returns the number of places
// that it changed. All other bytes are copied unchanged.
//
// It reads the file three times: to collect the names of all resources, since any may
// refer to one that follows; to check everything, so that nothing is written if the file
// or the edits are invalid; and to copy it; and before that once if edits name resources, and once if types change.
//
// The file may be one that engines refuse, but no edit makes it worse: where the parent,
// provider, a dependency, deletedWith or replaceWith of a remaining resource would be deleted,
// or two URNs would become one, the error is an [*Error] that names both resources and wraps
// [ErrEdit]. What refers to no resource of the file stays so; only its stack and project
// follow those of the others. [Repair] mends such files.
//
// Other errors are those of [Reader.Entries]. If the file changes during the
// last pass, Rewrite returns an error, but only after it has written to w. It holds in
// memory the URNs of the file, the texts to insert, and at most one resource.
func Rewrite(r io.ReaderAt, w io.Writer, e Edits) (places int, err error) {
	if r == nil || w == nil {
		return 0, &Error{Offset: -1, err: &outside{ErrRead, errNoReader}}
	}
	x, err := newRewriter(&e)
	if err != nil {
		return 0, err
	}

	before, err := x.find(r)
	if err != nil {
		return 0, err
	}
	types, err := x.findTypes(r)
	if err != nil {
		return 0, err
	}
	first, err := pass(r, x.names)
	if err != nil {
		return 0, err
	}
	second, err := pass(r, func(in io.Reader) error {
		err := x.plan(in)
		_, _ = io.Copy(io.Discard, in) // to its end, even if the text is another one by now
		return err
	})
	switch {
	case first != second || (before != first && len(x.targets) > 0) || (types != first && len(e.Retype) > 0):
		return 0, &Error{Offset: -1, err: &outside{ErrEdit, errFileChanged}}
	case err != nil:
		return 0, err
	}

	third, err := pass(r, func(in io.Reader) error { return x.write(in, w) })
	if err == nil && first != third {
		err = errFileChanged
	}
	if err != nil {
		return 0, &Error{Offset: -1, err: &outside{ErrEdit, err}}
	}
	return len(x.splices), nil
}

func pass(r io.ReaderAt, read func(io.Reader) error) (uint32, error) {
	sum := crc32.New(crc32.MakeTable(crc32.Castagnoli))
	err := read(io.TeeReader(io.NewSectionReader(r, 0, math.MaxInt64), sum))
	return sum.Sum32(), err
}

var errFileChanged = errors.New("the file changed while it was read")

type rewriter struct {
	edits   *Edits
	moves   bool            // whether any URN may change
	values  [][]byte        // the texts of what Properties and Members set
	targets map[int]*target // by the number of the resource
	stream  *streaming
	renamed map[string]string // new URNs by old ones, of another type too

	resources map[string]named  // by URN
	providers map[string]named  // by URN, two colons and ID
	taken     map[string]string // old URNs by those of the new ones that differ
	live      map[string]live   // by URN, if an edit ends a pending deletion; else nil
	doubled   map[string]bool   // URNs that more live resources would have than before, and more than one
	home      *urn.URN          // of the first resource of the stack and project to rename; nil: there is none

	splices []splice
	pieces  map[string]string // texts of splices, each kept once
	kept    int64             // end of the last resource that remains; -1: none
	gone    int64             // begin of those deleted since; -1: none
	goneEnd int64
}

// span is a text with its base, the offset in the file where it begins. All that is looked
// at is a span, places in it are counted from its beginning, and sub gives it a part of
// another one. A text that is not in the file, such as the plaintext of a secret, or a
// property that is added, is a span with the base 0.
type span struct {
	base int64
	text string
}

// sub is the part of a span between two places in its text.
func (s span) sub(from, to int) span { return span{s.base + int64(from), s.text[from:to]} }

func (s span) end() int64 { return s.base + int64(len(s.text)) }

// with is the splice that puts a text in the place of a span.
func (s span) with(text string) splice { return splice{s.base, s.end(), text} }

// spliced returns the text of a span with splices in it.
func (s span) spliced(all []splice) string {
	inOrder(all)

	var out strings.Builder
	at := 0
	for _, one := range all {
		out.WriteString(s.text[at:int(one.base-s.base)])
		out.WriteString(one.text)
		at = int(one.end - s.base)
	}
	out.WriteString(s.text[at:])
	return out.String()
}

// splice is a text for the place between two offsets: of the file, or of a text that is
// not in the file.
type splice struct {
	base, end int64
	text      string
}

// inOrder sorts splices by their offsets. They are noted in another order where what
// decides about a string comes after it, such as the signature of the object that it is in.
func inOrder(all []splice) {
	slices.SortStableFunc(all, func(a, b splice) int { return cmp.Compare(a.base, b.base) })
}

// target is what edits want of a resource that they name.
type target struct {
	deleted    bool
	properties []int
	members    []int
}

func newRewriter(e *Edits) (*rewriter, error) {
	x := &rewriter{
		edits: e, targets: map[int]*target{},
		resources: map[string]named{}, providers: map[string]named{}, taken: map[string]string{}, pieces: map[string]string{}, kept: -1, gone: -1,
	}
	if err := e.check(); err != nil {
		return nil, err
	}

	x.moves = len(e.Rename) > 0 || len(e.Retype) > 0 || e.OldStack != e.NewStack || e.OldProject != e.NewProject
	values := make([]value.Value, 0, len(e.Properties)+len(e.Members))
	for _, p := range e.Properties {
		values = append(values, p.Value)
	}
	for _, m := range e.Members {
		values = append(values, m.Value)
		if on, isBool := m.Value.AsBool(); m.Name == "delete" && isBool && !on {
			x.live, x.doubled = map[string]live{}, map[string]bool{}
		}
	}
	var err error
	x.values, err = EncodeBags(values, nil, codec.Options{})
	return x, err
}

// find reads the file if edits name resources, and finds these.
func (x *rewriter) find(r io.ReaderAt) (uint32, error) {
	names := slices.Clone(x.edits.Delete)
	for _, p := range x.edits.Properties {
		names = append(names, p.Resource)
	}
	for _, m := range x.edits.Members {
		names = append(names, m.Resource)
	}
	if len(names) == 0 {
		return 0, nil
	}
	all := newNaming(names)
	sum, err := pass(r, all.read)
	if err != nil {
		return 0, err
	}

	for i, name := range names {
		number, err := all.one(name)
		if err != nil {
			return 0, err
		}
		t := x.targets[number]
		if t == nil {
			t = &target{}
			x.targets[number] = t
		}
		p := i - len(x.edits.Delete)
		switch m := p - len(x.edits.Properties); {
		case m >= 0:
			t.members = append(t.members, m)
		case p >= 0:
			t.properties = append(t.properties, p)
		default:
			t.deleted = true
		}
	}
	return sum, nil
}

// names reads the file, and collects the names of its resources.
func (x *rewriter) names(in io.Reader) error {
	document, err := x.each(in, x.register)
	if err != nil {
		return err
	}

	if err := x.checkFeatures(document.UnknownFeatures()); err != nil {
		return err
	}
	return x.checkNames()
}

func (x *rewriter) each(in io.Reader, visit func(*reading) error) (*File, error) {
	r := NewReader(in, Options{Codec: codec.Options{Depth: math.MaxInt32}})
	x.stream = r.streaming()
	var own reading
	err := x.stream.run(func(text string, at int64) (bool, error) {
		own = x.stream.reading(strings.Clone(text), at)
		return true, visit(&own)
	})
	if err != nil {
		return nil, err
	}

	return r.Document(), nil
}

// plan reads the file, checks the references in it, and notes the splices.
func (x *rewriter) plan(in io.Reader) error {
	document, err := x.each(in, x.resource)
	if err != nil {
		return err
	}

	if err := x.around(document); err != nil {
		return err
	}
	if x.gone >= 0 { // after what is adopted, which comes in the same place
		from := x.gone
		if x.kept >= 0 {
			from = x.kept
		}
		x.splices = append(x.splices, splice{from, x.goneEnd, ""})
	}
	inOrder(x.splices)
	return nil
}

// around notes the splices in what is not a resource: the names of the stack, and the pending
// operations.
func (x *rewriter) around(file *File) error {
	for _, f := range file.Envelope() {
		if isName := f.Name == "stack" || f.Name == "target"; isName && x.moves && jsonscan.KindOf(f.RevealText()) == "string" {
			if err := x.stackName(f); err != nil {
				return err
			}
		}
	}
	field, ok := file.field("pending_operations")
	if !ok || field.RevealText()[0] != '[' {
		return x.checkAdopted(map[string]bool{})
	}

	all := span{field.at, field.RevealText()}
	if err := x.adopt(file, all); err != nil {
		return err
	}
	switch {
	case !x.edits.ClearPending:
		return x.operations(file, all)
	case children(all.text) != nil:
		x.splices = append(x.splices, all.with("[]"))
	}
	return nil
}

// stackName renames the stack that a checkpoint names, alone or after organization and
// project.
func (x *rewriter) stackName(f Field) error {
	text := f.RevealText()
	old := unquote(text)
	parts := strings.Split(old, "/")
	if last := len(parts) - 1; x.edits.OldStack != "" && parts[last] == x.edits.OldStack {
		parts[last] = x.edits.NewStack
	}
	if len(parts) == 3 && x.edits.OldProject != "" && parts[1] == x.edits.OldProject {
		parts[1] = x.edits.NewProject
	}
	return x.respell(&x.splices, span{f.at, text}, old, strings.Join(parts, "/"))
}

// operations notes the splices in the pending operations. What they refer to need not be
// there: engines do not look.
func (x *rewriter) operations(file *File, all span) error {
	for n, m := range children(all.text) {
		_, own := operationOf(file, all.sub(m.At, m.End), n)
		if own == nil {
			continue
		}
		err := own.links(isLink)
		if err == nil && x.edits.Adopt[own.to.URN] == "" {
			err = x.edited(own, target{}, x.stream.count)
		}
		if err != nil {
			return err
		}
	}

	return nil
}

// operationOf returns the type of a pending operation, and the reading of its resource; nil
// without one.
func operationOf(file *File, op span, number int) (typ string, r *reading) {
	if op.text[0] != '{' {
		return "", nil
	}
	for _, m := range children(op.text) {
		in := op.sub(m.At, m.End)
		switch name := unquote(op.text[m.Name:m.NameEnd]); {
		case name == "type" && in.text[0] == '"':
			typ = unquote(in.text)
		case name == "resource" && in.text[0] == '{':
			r = &reading{file: file, source: in.text, members: children(in.text), to: Resource{Offset: in.base, Number: number}}
		}
	}
	return typ, r
}

// write copies the file with the splices.
func (x *rewriter) write(in io.Reader, to io.Writer) error {
	c := newCopying(in, to)
	for _, s := range x.splices {
		if err := c.splice(s); err != nil {
			return err
		}
	}
	return c.rest()
}

// copying copies a file with splices, which come in order.
type copying struct {
	from *bufio.Reader
	out  *bufio.Writer
	at   int64
}

func newCopying(from io.Reader, to io.Writer) *copying {
	return &copying{from: bufio.NewReaderSize(from, jsonscan.WindowSize), out: bufio.NewWriterSize(to, jsonscan.WindowSize)}
}

func (c *copying) splice(s splice) error {
	if err := transfer(c.out, c.from, s.base-c.at); err != nil {
		return err
	}
	if err := transfer(io.Discard, c.from, s.end-s.base); err != nil {
		return err
	}
	c.at = s.end
	_, err := c.out.WriteString(s.text)
	return err
}

// rest copies what is after the last splice.
func (c *copying) rest() error {
	if _, err := io.Copy(c.out, c.from); err != nil {
		return err
	}
	return c.out.Flush()
}

// transfer copies n bytes, which were there before.
func transfer(to io.Writer, from *bufio.Reader, n int64) error {
	for n > 0 {
		part, err := from.Peek(int(min(n, jsonscan.WindowSize)))
		if len(part) == 0 {
			if err == io.EOF {
				err = errFileChanged
			}
			return err
		}
		if _, err := to.Write(part); err != nil {
			return err
		}
		n -= int64(len(part))
		_, _ = from.Discard(len(part)) // which are buffered
	}

	return nil
}
