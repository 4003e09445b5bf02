package state

import (
	"cmp"
	"errors"
	"io"
	"iter"
	"maps"
	"slices"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/internal/scan"
	"github.com/propalg/propalg/internal/veil"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// CompareOptions says how two stacks are compared.
type CompareOptions struct {
	// OldName and NewName are the names of the two files in error texts. The defaults are
	// "old" and "new".
	OldName, NewName string
	// Codec are the options for reading properties, as in [Options].
	Codec codec.Options
	// Diff are the options for comparing inputs and outputs. Of these, only Arrays
	// applies to metadata.
	Diff diff.Options
	// Outputs, if not nil, are the options for comparing outputs; Diff then applies to
	// inputs.
	Outputs *diff.Options
	// Ignore omits changes of inputs and outputs at or below the places that match these
	// patterns.
	Ignore *path.Set
	// Times compares the times and source positions of resources, and the time of
	// the deployment. By default [ResourceDiff.LeftOut] counts those that differ.
	Times bool
	// AcrossStacks pairs resources whose URNs differ in the name of the stack alone, such
	// as those of a stack for tests and one for production, also where names of resources
	// have it as a word. URNs in the metadata of old resources, and those of a
	// [value.ResourceReference] in their properties, are compared as if they named the new
	// stack. Unless Times is set, so are other texts that only name the same things in another
	// stack: texts with its name, and IDs, ARNs, accounts and suffixes that were generated, as
	// paired resources show them in their IDs and in what providers returned to them. What a
	// program chose is not among these. The parts of a ResourceDiff have the texts of the new
	// stack on their old side, also where the new resource refers to one of the old stack, and
	// [ResourceDiff.LeftOut] counts those that are equal then. All that reads the properties
	// of the pairs twice.
	AcrossStacks bool
	// Renamed pairs a created resource with a deleted one if it is among the aliases of the
	// former, or if they have the same type and ID, and no other resource has both. The
	// metadata of such a pair have a member `urn`. A reference to the old name in the
	// metadata of other resources equals one to the new name. [ResourceDiff.References]
	// counts these, unless Times is set: then they are compared as they are.
	Renamed bool
	// Unreadable is called for each malformed resource, for example one with malformed
	// inputs, with an error that names the file. The comparison omits that resource and
	// the one paired with it. If Unreadable is nil, such an error ends the comparison.
	Unreadable func(Entry, error)
}

// Outcome is the result of comparing two resources or parts of them.
type Outcome uint8

// The outcomes. A replaced resource is Updated, with another ID; while the replaced one is
// pending deletion, its URN has a second one, whose Delete is set.
const (
	Unchanged Outcome = iota // no difference
	Resealed                 // secrets have other ciphertexts, as after every save; whether they changed is unknown until they are decrypted
	Updated                  // in both stacks, and different
	Created                  // only in the new stack, or one more of the same URN: see New.Delete
	Deleted                  // only in the old stack, or one less of the same URN: see Old.Delete
)

// String returns the name of the outcome in lower case, for example "updated".
func (o Outcome) String() string {
	return scan.Name(o, "invalid outcome", []string{
		Unchanged: "unchanged", Resealed: "resealed", Updated: "updated", Created: "created",
		Deleted: "deleted",
	})
}

// PartDiff is the difference between the inputs, outputs or metadata of two
// resources, or between the metadata of two deployments.
type PartDiff struct {
	Old, New             value.Value  // objects
	OldReport, NewReport codec.Report // numbers in them that were rounded
	Diff                 diff.Diff
}

// Outcome returns Unchanged, Resealed or Updated.
func (p *PartDiff) Outcome() Outcome {
	switch {
	case p.Diff.Empty():
		return Unchanged
	case isResealed(p.Diff):
		return Resealed
	}

	return Updated
}

// isResealed reports whether all changes are of ciphertexts. Engines encrypt every
// secret again each time they save a stack.
func isResealed(d diff.Diff) bool {
	for c := range d.Leaves() {
		if !isSealedAgain(c) {
			return false
		}
	}

	return true
}

func isSealedAgain(c diff.Change) bool {
	old, onOld := c.Old()
	now, onNew := c.New()
	isSealed := onOld && onNew && old.Kind() == value.KindSealed && now.Kind() == value.KindSealed
	return isSealed && c.Op() == diff.OpUpdate && c.Verdict() == value.Maybe && !c.SecretChanged() && !c.DependenciesChanged()
}

// WithoutSealed returns the diff without the secrets of which only the ciphertext changed,
// and their number: engines encrypt every secret again each time they save a stack. Changes
// that match keep stay.
func (p *PartDiff) WithoutSealed(keep *path.Set) (rest diff.Diff, sealed int) {
	var found []path.Pattern
	for c := range p.Diff.Leaves() {
		if isSealedAgain(c) && len(c.Which(keep)) == 0 {
			found = append(found, c.Path().Pattern())
		}
	}

	rest, cut := p.Diff.Split(path.NewSet(found...))
	// Paths of elements that moved may be those of others: then everything stays.
	if !isResealed(cut) || cut.Len() != len(found) || rest.Len()+cut.Len() != p.Diff.Len() {
		return p.Diff, 0
	}
	return rest, len(found)
}

// ResourceDiff is the difference between a resource of the old stack and the same
// resource of the new one. Old is nil for a resource that was created, New for one that
// was deleted. In both cases, inputs and outputs are compared with an empty object, and
// metadata are not compared. Outputs are those of [Resource.SecretOutputs], except that an
// output that is secret in one state and not in the other is compared as it is.
type ResourceDiff struct {
	Outcome  Outcome
	Old, New *Resource

	Metadata, Inputs, Outputs PartDiff

	Renamed    bool // the URNs differ, see [CompareOptions]
	References int  // to renamed resources, which differ in nothing else
	LeftOut    int  // times, source positions, and IDs and the like that differ and were not compared
}

// Comparison holds two stacks whose resources were paired. It is immutable and safe for
// concurrent use.
type Comparison struct {
	inner veil.Pointer[comparison]
}

type comparison struct {
	old, now *index
	options  CompareOptions
	partners []int             // for each new resource the index of its old one, or -1
	deleted  []int             // the old resources without a new one
	equal    int               // pairs whose texts are equal
	names    *stackNames       // nil: URNs are compared as they are
	others   *counterparts     // with names
	renamed  map[string]string // the new URNs of renamed resources, by their old ones
}

// Compare reads two state files, pairs their resources, and returns a [Comparison] of the
// pairs. It holds the names and hashes of the resources in memory, but no properties:
// files of any size can be compared. It reads the new file and then the old one, of which it
// compares with the new one what may be equal.
//
// Resources are paired by URN; see also [CompareOptions]. While replaced resources are
// pending deletion, several resources have the same URN. Those pending deletion are
// paired with one another by ID, as are live ones if a broken state has several.
//
// An error names the file and wraps an [*Error]. Compare checks all resources of the new
// file; those of the old file are checked only when [Comparison.Resources] reads them,
// which it does if their texts differ.
func Compare(old, now io.ReaderAt, o CompareOptions) (*Comparison, error) {
	c := &comparison{options: o}
	var err, first error
	c.now, err = newIndex(cmp.Or(o.NewName, "new"), now, Options{o.Codec}, c.check, nil)
	c.old, first = newIndex(cmp.Or(o.OldName, "old"), old, Options{o.Codec}, nil, c.now)
	if err := cmp.Or(first, err); err != nil {
		return nil, err
	}

	return c.paired(), nil
}

// CompareResources is like [Compare] for resources that a program has, or that package
// codec/steps reads. It keeps all of them in memory, and yields all pairs; there is no
// deployment to compare. An error of an iterator ends the comparison.
func CompareResources(old, now iter.Seq2[Resource, error], o CompareOptions) (*Comparison, error) {
	c := &comparison{options: o}
	var err error
	if c.old, err = holding(cmp.Or(o.OldName, "old"), old); err != nil {
		return nil, err
	}
	if c.now, err = holding(cmp.Or(o.NewName, "new"), now); err != nil {
		return nil, err
	}
	return c.paired(), nil
}

// ComparePair compares two resources, whatever their URNs are. If one of them is nil, the
// other was created or deleted.
func ComparePair(old, now *Resource, o CompareOptions) ResourceDiff {
	var d ResourceDiff
	if old == nil && now == nil {
		return d
	}
	if old != nil {
		own := *old
		d.Old = &own
	}
	if now != nil {
		own := *now
		d.New = &own
	}
	hideOutputs(d.Old, d.New)
	(&comparison{options: o}).compare(&d)
	return d
}

// paired pairs the resources of the two stacks.
func (c *comparison) paired() *Comparison {
	if c.options.AcrossStacks {
		c.names = newStackNames(c.old.entries, c.now.entries)
	}
	c.match()
	if c.options.Renamed {
		c.matchRenamed()
	}
	if c.names != nil {
		c.others = c.newCounterparts()
	}
	return &Comparison{veil.Hide(c)}
}

// open returns the contents of a comparison, empty ones for nil.
func (c *Comparison) open() *comparison {
	if c != nil && c.inner.Open() != nil {
		return c.inner.Open()
	}
	none := &index{document: &File{}}
	return &comparison{old: none, now: none}
}

// identity is what the resources of a pair have in common.
type identity struct {
	urn       string
	isDeleted bool
	id        string // only if isDeleted
}

func (c *comparison) identify(e *Entry) identity {
	if e.Delete {
		return identity{c.names.moved(e.URN), true, e.ID}
	}
	return identity{urn: c.names.moved(e.URN)}
}

// match pairs the resources, those of one identity in the order of their files. Where several
// live ones have one URN, which engines refuse, those with the same ID come first.
func (c *comparison) match() {
	isPaired := make([]bool, len(c.old.entries))
	if !c.pairBy(c.identify, isPaired, true) {
		clear(isPaired)
		c.partners, c.equal = nil, 0
		c.pairBy(func(e *Entry) identity { return identity{c.names.moved(e.URN), e.Delete, e.ID} }, isPaired, false)
		c.pairBy(c.identify, isPaired, false)
	}

	for i, paired := range isPaired {
		if !paired {
			c.deleted = append(c.deleted, i)
		}
	}
}

// pairBy pairs the resources without a partner. If it is to be strict, it stops where a
// second live one of an identity comes, and returns false.
func (c *comparison) pairBy(identify func(*Entry) identity, isPaired []bool, isStrict bool) bool {
	olds, news := c.old.entries, c.now.entries
	if c.partners == nil {
		c.partners = slices.Repeat([]int{-1}, len(news))
	}
	unpaired := make(map[identity]int, len(olds)) // the first, by identity
	next := make([]int, len(olds))                // the next of the same identity, or -1
	for i := len(olds) - 1; i >= 0; i-- {
		if isPaired[i] {
			continue
		}
		who := identify(&olds[i])
		next[i] = -1
		if later, ok := unpaired[who]; ok {
			next[i] = later
			if isStrict && !who.isDeleted {
				return false
			}
		}
		unpaired[who] = i
	}

	for i := range news {
		if c.partners[i] >= 0 {
			continue
		}
		who := identify(&news[i])
		partner, ok := unpaired[who]
		switch {
		case isStrict && ok && partner < 0 && !who.isDeleted:
			return false
		case !ok || partner < 0:
			continue
		}
		unpaired[who], c.partners[i], isPaired[partner] = next[partner], partner, true
		if c.old.held == nil {
			c.old.findTwin(partner, c.now, i)
		}
		if c.isEqual(partner, i) {
			c.equal++
		}
	}
	return true
}

// isEqual reports whether the texts of two resources are equal, so that there is
// nothing to report. Ciphertexts mean the same under the same provider only, and
// rounded numbers are reported.
func (c *comparison) isEqual(old, now int) bool {
	return c.old.held == nil && c.old.twins[old] == now &&
		c.old.options.Codec.Provider == c.now.options.Codec.Provider && !c.now.rounded[now]
}

// Entries iterates over the entries of the old stack, and then over those of the new one.
func (c *Comparison) Entries() iter.Seq[Entry] {
	return func(yield func(Entry) bool) {
		for _, x := range []*index{c.open().old, c.open().now} {
			for _, e := range x.entries {
				if !yield(e) {
					return
				}
			}
		}
	}
}

// NumEqual returns the number of resources that have the same text in both stacks.
// [Comparison.Resources] neither reads nor yields them.
func (c *Comparison) NumEqual() int { return c.open().equal }

// Resources iterates over the resources that may differ, in the order of the new stack,
// and then over those that were deleted, in the order of the old one. It yields unchanged
// resources too, if their texts differ or numbers in them were rounded. At most two
// resources are in memory. An error ends the iteration, and is yielded with a zero
// ResourceDiff: an old resource cannot be read, or a file has changed.
func (c *Comparison) Resources() iter.Seq2[ResourceDiff, error] { return c.open().resources }

func (c *comparison) resources(yield func(ResourceDiff, error) bool) {
	for now, old := range c.partners {
		if old >= 0 && c.isEqual(old, now) {
			continue
		}
		if c.now.unreadable[now] {
			continue
		}
		if !c.yieldPair(old, now, yield) {
			return
		}
	}

	for _, old := range c.deleted {
		if !c.yieldPair(old, -1, yield) {
			return
		}
	}
}

// yieldPair reads, compares and yields two resources. It passes over an old one that is
// malformed, if the caller wants that, and reports whether to go on.
func (c *comparison) yieldPair(old, now int, yield func(ResourceDiff, error) bool) bool {
	d, err := c.pair(old, now)
	if err != nil && c.options.Unreadable != nil && d.Old == nil && old >= 0 && !errors.Is(err, ErrRead) {
		c.options.Unreadable(c.old.entries[old], err)
		return true
	}
	return yield(d, err) && err == nil
}

// check reads a resource of the new file, and notes whether numbers in it were rounded.
func (c *comparison) check(x *index, e Entry) error {
	r, err := e.resource(true)
	switch {
	case err != nil && c.options.Unreadable != nil:
		x.unreadable[e.Number] = true
		c.options.Unreadable(e, x.named(err))
	case err != nil:
		return err
	default:
		x.note(e.Number, &r)
	}
	if isRounded(&r.InputsReport) || isRounded(&r.OutputsReport) || isRounded(&r.ReplacementTriggerReport) {
		x.rounded[e.Number] = true
	}

	return nil
}

func isRounded(r *codec.Report) bool { return len(r.Rounded) > 0 || r.More > 0 }

// pair reads and compares two resources; -1 means none.
func (c *comparison) pair(old, now int) (d ResourceDiff, err error) {
	if old >= 0 {
		if d.Old, err = c.old.resource(old); err != nil {
			return ResourceDiff{}, err
		}
	}
	if now >= 0 {
		if d.New, err = c.now.resource(now); err != nil {
			return ResourceDiff{}, err
		}
	}

	hideOutputs(d.Old, d.New)
	c.compare(&d)
	return d, nil
}

// compare compares the two resources of d.
func (c *comparison) compare(d *ResourceDiff) {
	old, now := d.Old, d.New
	switch {
	case old == nil:
		d.Outcome, old = Created, &Resource{}
	case now == nil:
		d.Outcome, now = Deleted, &Resource{}
	default:
		if !c.options.Times {
			d.LeftOut = countChanged(old.times(), now.times())
		}
		if c.names != nil {
			old = c.asOfNew(d)
		}
		d.Renamed = old.URN != now.URN
		if len(c.renamed) > 0 && !c.options.Times {
			old, d.References = c.referring(old, now)
		}
		old = inOrderOf(now, old)
		var taken int
		d.Metadata, taken = c.metadata(old, now, d.Renamed)
		d.LeftOut += taken
	}

	outputs := &c.options.Diff
	if c.options.Outputs != nil {
		outputs = c.options.Outputs
	}
	d.Inputs = c.bags(&c.options.Diff, old.Inputs, now.Inputs, old.InputsReport, now.InputsReport)
	d.Outputs = c.bags(outputs, old.Outputs, now.Outputs, old.OutputsReport, now.OutputsReport)

	if d.Outcome == Unchanged {
		d.Outcome = max(d.Metadata.Outcome(), d.Inputs.Outcome(), d.Outputs.Outcome())
	}
}

// metadata compares the metadata of two resources, and their URNs if one was renamed. It
// returns the number of texts that stand in place of others as well.
func (c *comparison) metadata(old, now *Resource, renamed bool) (p PartDiff, taken int) {
	p.Old, p.OldReport = old.metadata(c.options.Times)
	p.New, p.NewReport = now.metadata(c.options.Times)

	if renamed {
		p.Old, p.New = withURN(p.Old, old.URN), withURN(p.New, now.URN)
	}
	if c.others != nil {
		p.Old, taken = c.others.taken(p.Old, p.New)
	}
	p.Diff = diff.Between(p.Old, p.New, diff.Options{Arrays: c.options.Diff.Arrays})
	return p, taken
}

// bags compares inputs or outputs; none are like empty ones.
func (c *comparison) bags(o *diff.Options, old, now value.Value, oldReport, newReport codec.Report) PartDiff {
	p := PartDiff{Old: orEmpty(old), New: orEmpty(now), OldReport: oldReport, NewReport: newReport}
	p.Diff = diff.Between(p.Old, p.New, *o)
	if c.options.Ignore.Len() > 0 {
		p.Diff, _ = p.Diff.Split(c.options.Ignore)
	}
	return p
}

// inOrderOf returns a resource with the dependencies in the order of another one, where both
// have them: engines sort them before they compare.
func inOrderOf(other, r *Resource) *Resource {
	if slices.Equal(other.Dependencies, r.Dependencies) && maps.EqualFunc(other.PropertyDependencies, r.PropertyDependencies, slices.Equal) {
		return r
	}
	own := *r
	own.Dependencies = sortedAs(other.Dependencies, r.Dependencies)
	for key, list := range r.PropertyDependencies {
		if as := other.PropertyDependencies[key]; !slices.Equal(list, as) {
			own.PropertyDependencies = maps.Clone(own.PropertyDependencies)
			own.PropertyDependencies[key] = sortedAs(as, list)
		}
	}
	return &own
}

func sortedAs(other, list []string) []string {
	if slices.Equal(other, list) {
		return list
	}
	place := make(map[string]int, len(other))
	for i, each := range other {
		place[each] = i - len(other)
	}
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b string) int { return place[a] - place[b] })
	return list
}

func orEmpty(bag value.Value) value.Value {
	if bag.IsNull() {
		return value.Object()
	}
	return bag
}

func countChanged(old, now []value.Member) int {
	n := 0
	for i := range old {
		if !old[i].Value.Equal(now[i].Value) {
			n++
		}
	}

	return n
}

// Deployment compares the deployments apart from their resources: the manifest, the
// secrets provider (whose state is a secret), the pending operations, the integrity
// error, and members that this package does not know. The error says what is malformed in
// one of the two documents.
func (c *Comparison) Deployment() (PartDiff, error) {
	var p PartDiff
	var err error
	inner := c.open()
	times := inner.options.Times
	if p.Old, p.OldReport, err = inner.old.document.metadata(times); err != nil {
		return PartDiff{}, inner.old.named(err)
	}
	if p.New, p.NewReport, err = inner.now.document.metadata(times); err != nil {
		return PartDiff{}, inner.now.named(err)
	}

	p.Diff = diff.Between(p.Old, p.New, diff.Options{Arrays: inner.options.Diff.Arrays})
	return p, nil
}
