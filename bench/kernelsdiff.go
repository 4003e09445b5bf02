package bench

import (
	"fmt"
	"slices"

	"github.com/propalg/propalg/codec/patch"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/diff/ignore"
	"github.com/propalg/propalg/diff/render"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/urn"
	"github.com/propalg/propalg/value"
)

// The arrays of the kernels have kernelRules elements.
const kernelRules = 300

// rules are lists with a script of edits between them.
func rules(now []int) func() ([]pair, error) {
	return func() ([]pair, error) { return []pair{{Rules(Numbers(kernelRules)), Rules(now)}}, nil }
}

// diffs are what changed in each bag.
func diffs() ([]diff.Diff, error) {
	ps, err := edits()
	all := make([]diff.Diff, len(ps))
	for i, p := range ps {
		all[i] = diff.Between(p.old, p.now, diff.Options{})
	}
	return all, err
}

// known are the pairs without unknowns, as states are.
func known(all func() ([]pair, error)) func() ([]pair, error) {
	return func() ([]pair, error) {
		ps, err := all()
		unknown := func(p pair) bool { return p.old.ContainsUnknown() || p.now.ContainsUnknown() }
		return slices.DeleteFunc(ps, unknown), err
	}
}

// read reads the second of a pair, of a resource whose inputs and state were the first.
func read(d provider.Differ) func(pair) error {
	return func(p pair) error {
		_, err := d.ReadInputs(p.old, p.old, p.now)
		return err
	}
}

func diffKernels() []Kernel {
	aligned := func(p pair) error {
		return Must(diff.Between(p.old, p.now, diff.Options{Arrays: diff.Aligned()}).Len() > 0)
	}
	keyed := func(p pair) error {
		by := diff.Options{Arrays: diff.Keyed(path.Of(path.Key("name")))}
		return Must(diff.Between(p.old, p.now, by).Len() > 0)
	}
	set := func(p pair) error {
		return Must(diff.Between(p.old, p.now, diff.Options{Arrays: diff.Unordered()}).Len() > 0)
	}

	front := append([]int{-1}, Numbers(kernelRules)...)
	some := Edits(Numbers(kernelRules), 20)
	return []Kernel{
		over("diff equal", twins, func(p pair) error { return Must(diff.Between(p.old, p.now, diff.Options{}).Empty()) }),
		over("diff shared", twins, func(p pair) error { return Must(diff.Between(p.old, p.old, diff.Options{}).Empty()) }),
		over("diff edited", edits, func(p pair) error {
			return Must(diff.Between(p.old, p.now, diff.Options{}).Relation() == value.Strict)
		}),
		over("diff edited to response", edits, func(p pair) error {
			r := provider.Differ{}.Compare(provider.Sides{OldInputs: p.old, News: p.now}).Response()
			return Must(r.HasDetailed)
		}),
		over("read inputs equal", known(twins), read(provider.Differ{})),
		over("read inputs edited", known(edits), read(provider.Differ{})),
		over("read inputs aligned edits", rules(some), read(provider.Differ{Arrays: diff.Aligned()})),
		over("diff aligned front", rules(front), aligned),
		over("diff aligned edits", rules(some), aligned),
		over("diff keyed edits", rules(some), keyed),
		over("diff set edits", rules(some), set),
		{Name: "apply and invert", Make: func() (func() error, error) {
			ds, err := diffs()
			ps := Bags(kernelBags)
			return func() error {
				for i, d := range ds {
					now, err := d.Apply(ps[i])
					if err == nil {
						_, err = d.Invert().Apply(now)
					}
					if err != nil {
						return err
					}
				}

				return nil
			}, err
		}},
		over("diff text", diffs, func(d diff.Diff) error {
			return Must(d.Empty() == (len(render.AppendText(nil, d, render.Options{})) == 0))
		}),
		over("patch write and read", diffs, func(d diff.Diff) error {
			text, err := patch.Marshal(d, patch.Options{Secrets: value.RevealSecrets})
			if err == nil {
				_, err = patch.Unmarshal(text, patch.Options{})
			}
			return err
		}),
		over("merge", edits, func(p pair) error {
			return Must(len(diff.Merge(p.old, p.now, p.old, diff.Options{}).Conflicts) == 0)
		}),
		over("within", edits, func(p pair) error {
			return Must(len(diff.Within(p.old, p.now, p.now, diff.Options{})) == 0)
		}),
		ignored(1), ignored(10), ignored(100),
	}
}

// Patterns returns n patterns like those of provider schemas. They match no member of a
// [Bag].
func Patterns(n int) []path.Pattern {
	all := make([]path.Pattern, n)
	for i := range all {
		all[i] = path.MustParsePattern(fmt.Sprintf("spec%d.template[*].metadata.labels[\"app.kubernetes.io/%d\"]", i, i))
	}
	return all
}

// PatternsFor returns n patterns made of paths in v, with a wildcard for each index. Every
// other pattern has one more step, the key "missing", which no place has.
func PatternsFor(v value.Value, n int) []path.Pattern {
	places := Places(v)
	all := make([]path.Pattern, n)
	for i := range all {
		for step := range places[i*len(places)/n].Steps() {
			part := step
			if !step.IsKey() {
				part = path.Any()
			}
			all[i] = all[i].Append(part)
		}
		if i%2 == 0 {
			all[i] = all[i].Append(path.Key("missing"))
		}
	}

	return all
}

// Places returns the paths of all values in v, without the root.
func Places(v value.Value) []path.Path {
	var all []path.Path
	for c := range v.Walk() {
		if c.Depth() > 0 {
			all = append(all, c.Path())
		}
	}
	return all
}

func ignored(n int) Kernel {
	patterns := Patterns(n)
	return over(fmt.Sprintf("ignore %d patterns", n), edits, func(p pair) error {
		return Must(len(ignore.Changes(p.old, p.now, patterns, ignore.AsEngine).Patterns) <= n)
	})
}

// URNs returns n texts of URNs, some with parents in their type.
func URNs(n int) []string {
	all := make([]string, n)
	for i := range all {
		parent := ""
		if i%3 == 0 {
			parent = "shop:web:Site$"
		}
		all[i] = fmt.Sprintf("urn:pulumi:dev::shop::%saws:s3/bucketObject:BucketObject::index-%d", parent, i)
	}

	return all
}

// Paths returns n texts of paths of one to five steps.
func Paths(n int) []string {
	forms := []string{
		"tags%d", "spec.replicas%d", "ingress[%d].fromPort", `metadata.labels["app.kubernetes.io/%d"]`,
		"spec.template.containers[%d].image",
	}
	all := make([]string, n)
	for i := range all {
		all[i] = fmt.Sprintf(forms[i%len(forms)], i)
	}

	return all
}

// parsed are the paths of [Paths], and an object that has each of them.
func parsed(n int) ([]path.Path, value.Value, error) {
	all, v := make([]path.Path, n), value.Object()
	for i, text := range Paths(n) {
		p, err := path.Parse(text)
		if err != nil {
			return nil, v, err
		}
		all[i] = p
	}

	return all, v, nil
}

func pathKernels() []Kernel {
	const n = 1000
	return []Kernel{
		over("urn parse", func() ([]string, error) { return URNs(n), nil }, func(text string) error {
			u, err := urn.Parse(text)
			if err != nil {
				return err
			}

			return Must(len(u.Stack())+len(u.Project())+len(u.Type())+len(u.Name()) > 0)
		}),
		over("path parse", func() ([]string, error) { return Paths(n), nil }, func(text string) error {
			_, err := path.Parse(text)
			return err
		}),
		{Name: "path at", Make: func() (func() error, error) {
			v := Bag(10 * Large)
			all := Places(v)
			return func() error {
				for _, p := range all {
					if _, ok := v.At(p); !ok {
						return ErrWrong
					}
				}
				return nil
			}, nil
		}},
		{Name: "path put", Make: func() (func() error, error) {
			all, v, err := parsed(60)
			return func() error {
				for _, p := range all {
					next, err := v.Put(p, value.Bool(true))
					if err == nil {
						v = next
					}
				}
				return Must(v.Len() > 0)
			}, err
		}},
		{Name: "path match", Make: func() (func() error, error) {
			v := Bag(10 * Large)
			all := Places(v)
			set := path.NewSet(PatternsFor(v, 100)...)
			return func() error {
				for _, p := range all {
					if set.Covers(p) && p.IsRoot() {
						return ErrWrong
					}
				}
				return nil
			}, nil
		}},
	}
}
