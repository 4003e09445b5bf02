package demo

import (
	"context"
	"crypto/sha256"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/urn"
	"github.com/propalg/propalg/value"
)

// Check turns what the program wrote into the inputs that the engine keeps and
// hands to Diff, Create and Update. Unknown values pass: they are checked when they
// are known.
func (p *Provider) Check(_ context.Context, r *rpc.CheckRequest) (*rpc.CheckResponse, error) {
	u, err := recordURN(r.URN)
	if err != nil {
		return nil, err
	}
	failures := rpc.CheckFailuresOf(r.News, p.record.Inputs().Check(r.News))
	failures = append(failures, beyondSchema(r.News)...)
	inputs := r.News
	if inputs.Field("name").IsNull() {
		name := autoname(r, u)
		if name == "" {
			failures = append(failures, rpc.CheckFailure{Property: "name", Reason: "is required: no names are given here"})
		}
		inputs, _ = inputs.WithField("name", value.String(name))
	}
	if len(failures) > 0 {
		return &rpc.CheckResponse{Inputs: r.News, Failures: failures}, nil
	}
	// The schema has the defaults, and calls the password a secret, also of a program that
	// did not say so.
	inputs, err = p.record.Inputs().WithDefaults(inputs, p.env)
	return &rpc.CheckResponse{Inputs: inputs}, err
}

// beyondSchema checks what a schema cannot say. It must not say what it found: failures
// are shown to everybody.
func beyondSchema(inputs value.Value) (failures []rpc.CheckFailure) {
	fail := func(c *value.Cursor, why string) {
		failures = append(failures, rpc.CheckFailureAt(inputs, c.Path(), why))
	}
	for c := range inputs.Find(path.MustSet("name", "zone")) { // what IDs and addresses are made of
		text, known := c.Value().AsString()
		switch {
		case !known:
		case text == "" || c.Value().IsSecret():
			fail(c, "is empty, or a secret, which would be shown")
		case strings.Contains(text, "#"): // IDs are a name, "#" and a number
			fail(c, `holds a "#"`)
		}
	}
	for c := range inputs.Find(path.MustSet("size")) {
		if n, known := c.Value().AsNumber(); known && (n < 0 || n > math.MaxInt32) {
			fail(c, "is out of range")
		}
	}
	for c := range inputs.Find(path.MustSet("rules[*].port")) {
		if n, known := c.Value().AsNumber(); known && (n < 1 || n > 65535) {
			fail(c, "is out of range")
		}
	}
	if inputs.Field("document").Kind() == value.KindArchive { // an Asset of a schema may be one
		failures = append(failures, rpc.CheckFailureAt(inputs, path.MustParse("document"), "is an archive"))
	}
	seen := map[string]bool{}
	for c := range inputs.Find(path.MustSet("members[*]")) {
		text, known := c.Value().AsString()
		if known && seen[text] {
			fail(c, "duplicate element")
		}
		seen[text] = known
	}
	return failures
}

// autoname makes a name for a resource that has none, or returns "" if that is not
// wanted. A resource that has a name keeps it. The seed is the same for each call in
// one run of the engine and differs between runs, so that the replacement of a
// resource has another name than the resource.
func autoname(r *rpc.CheckRequest, u urn.URN) string {
	if old, ok := r.Olds.Field("name").AsString(); ok {
		return old
	}
	if a := r.Autonaming; a != nil && (a.Mode == rpc.AutonamingDisable || a.ProposedName != "") {
		return a.ProposedName
	}
	sum := sha256.Sum256(slices.Concat(r.RandomSeed.Reveal(), []byte(r.URN)))
	return fmt.Sprintf("%s-%x", u.Name(), sum)[:len(u.Name())+8]
}

// isAutomatic says whether autoname made a name: the next one will be another.
func isAutomatic(name string, u urn.URN) bool {
	ok, err := regexp.MatchString("^"+regexp.QuoteMeta(u.Name())+"-[0-9a-f]{7}$", name)
	return err == nil && ok
}
