package state

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/propalg/propalg/internal/semver"
	"github.com/propalg/propalg/path"
)

// document checks the deployment apart from its records.
func (c *checker) document(f *File) {
	for i, name := range f.features {
		if f.version >= 4 && !isKnownFeature(name) {
			c.found("feature-unknown", Finding{At: path.Show(path.Path{}.Member("features").Elem(i), -1), Detail: name})
		}
	}
	if f.shape == oldCheckpoint && f.version != 0 { // engines look for another shape then
		c.found("unreadable", Finding{At: path.Show(path.Path{}.Member("version"), -1), Detail: "an old checkpoint has no version"})
	}
	c.manifest(f)
	c.operations(f)
	c.secretsProvider(f)
	if f.before(3) { // engines do not look at the rest
		return
	}

	c.snippets(f)
	_, isBroken, err := f.IntegrityError()
	switch {
	case err != nil:
		c.malformed("metadata", err)
	case isBroken:
		c.found("integrity-error", inDeployment(f, path.Path{}.Member("metadata"), ""))
	}
}

// inDeployment returns a finding about a member of the deployment.
func inDeployment(f *File, at path.Path, detail string) Finding {
	first, _, _ := at.Cut()
	name, _ := first.AsKey()
	field, _ := f.field(name)
	return Finding{Offset: field.at, At: path.Show(at, -1), Detail: detail}
}

// malformed reports a member of the deployment that cannot be read.
func (c *checker) malformed(member string, err error) {
	f := Finding{At: path.Show(path.Path{}.Member(member), -1), Detail: reasonOf(err)}
	if e := (*Error)(nil); asError(err, &e) {
		f.Offset = e.Offset
	}
	c.found("unreadable", f)
}

func asError(err error, to **Error) bool { return errors.As(err, to) }

// reasonOf returns the text of an error without the place, which a finding has.
func reasonOf(err error) string {
	var e *Error
	if !errors.As(err, &e) {
		return err.Error()
	}
	own := *e
	own.Offset, own.URN, own.Field = -1, "", ""
	return strings.TrimPrefix(own.Error(), "state: ")
}

func (c *checker) manifest(f *File) {
	m, err := f.Manifest()
	if err != nil {
		c.malformed("manifest", err)
		return
	}

	magic := ""
	if m.Version != "" {
		sum := sha256.Sum256([]byte(m.Version))
		magic = hex.EncodeToString(sum[:])
	}
	at := path.Path{}.Member("manifest")
	if m.Magic != magic {
		c.found("magic-mismatch", inDeployment(f, at.Member("magic"), ""))
	}

	for i, p := range m.Plugins {
		if p.Version != "" && !isPluginVersion(p.Version) {
			c.found("plugin-version", inDeployment(f, at.Member("plugins").Elem(i), p.Version))
		}
	}
}

// isPluginVersion reports whether engines read a version, which may leave out numbers, but
// not those before a prerelease or build.
func isPluginVersion(text string) bool {
	text = strings.TrimPrefix(strings.TrimSpace(text), "v")
	if dots := strings.Count(text, "."); dots < 2 {
		if strings.ContainsAny(text, "+-") {
			return false
		}
		text += strings.Repeat(".0", 2-dots)
	}
	_, err := semver.Parse(text)
	return err == nil && !strings.HasPrefix(text, "v")
}

func (c *checker) operations(f *File) {
	n := 0
	for op, err := range f.PendingOperations() {
		if err != nil {
			c.malformed("pending_operations", err)
			return
		}
		k := checked{&op.Resource, 0}
		at := path.Path{}.Member("pending_operations").Elem(n)
		n++
		c.collect(k, at.Member("resource"))

		of := k.finding(at, op.Type)
		c.found("pending-operation", of)
		of.Detail = ""
		if k.Type == "" {
			c.found("type-missing", of)
		}
		if !k.Custom && k.ID != "" {
			c.found("component-id", of)
		}
	}
}

func (c *checker) snippets(f *File) {
	field, ok := f.field("snippets")
	if !ok {
		return
	}

	first := map[string]bool{}
	n := 0
	r := f.reading(field)
	r.array(field.Name, r.all(), "array of objects", func(v gjson.Result) bool {
		var id string
		r.record(field.Name, v, "object", fieldOf{"uuid", &id})
		if r.err != nil {
			return false
		}
		at := inDeployment(f, path.Path{}.Member(field.Name).Elem(n), "")
		n++
		switch {
		case id == "":
			c.found("snippet-id-missing", at)
		case first[id]:
			c.found("snippet-id-twice", at)
		}
		first[id] = true
		return true
	})
	if r.err != nil {
		c.malformed(field.Name, r.err)
	}
}

func (c *checker) secretsProvider(f *File) {
	const member = "secrets_providers"
	provider := ""
	if field, ok := f.field(member); ok && !f.before(3) {
		r := f.reading(field)
		if r.record(field.Name, r.all(), "object", fieldOf{"type", &provider}); r.err != nil {
			c.malformed(member, r.err)
			return
		}
	}
	if c.isSealed && provider == "" {
		c.found("secrets-provider-missing", inDeployment(f, path.Path{}.Member(member), ""))
	}
}
