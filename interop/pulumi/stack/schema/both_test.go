package schema_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/blang/semver"
	pulumi "github.com/pulumi/pulumi/pkg/v3/codegen/schema"

	"github.com/propalg/propalg/schema"
)

// verdict is what both sides make of a document.
type verdict struct {
	document []byte
	dangling bool
	theirs   *pulumi.Package
	ours     *schema.Package
	refused  string // by them, or ""
	err      error  // of ours
}

func (v *verdict) agrees() bool { return (v.refused == "") == (v.err == nil) }

// alike reports whether both sides refuse the document, or read the same from it.
func (v *verdict) alike() bool {
	return v.agrees() && (v.err != nil || firstDifference(theirText(v.theirs), ourText(v.ours)) == "")
}

func (v *verdict) String() string {
	return fmt.Sprintf("%.20000s\ndangling: %t\ntheirs: %s\nours:   %v", v.document, v.dangling, v.refused, v.err)
}

// judge reads a document on both sides, the way pulumi schema check does.
func judge(document []byte, dangling bool, l *loader) *verdict {
	v := &verdict{document: document, dangling: dangling}
	v.ours, v.err = schema.Read(document, schema.Options{AllowDangling: dangling})
	v.theirs, v.refused = bind(document, dangling, l)

	return v
}

// bind reads a document on their side, and returns why it is refused. A panic is a refusal:
// BindSpec panics where a package that extends another refers to its provider.
func bind(document []byte, dangling bool, l pulumi.Loader) (pkg *pulumi.Package, refused string) {
	defer func() {
		if r := recover(); r != nil {
			pkg, refused = nil, fmt.Sprint("panic: ", r)
		}
	}()

	var spec pulumi.PackageSpec
	if err := json.Unmarshal(document, &spec); err != nil {
		return nil, "decode: " + err.Error()
	}

	pkg, diags, err := pulumi.BindSpec(spec, l, pulumi.ValidationOptions{AllowDanglingReferences: dangling})
	if err != nil {
		return nil, "bind: " + err.Error()
	}

	var all []string
	for _, d := range diags {
		if d.Severity == 1 {
			all = append(all, d.Summary)
		}
	}

	return pkg, strings.Join(all, "\n  ")
}

// loader serves the packages that references name: those of the documents at hand, and
// otherwise one that has every type and every resource, since [schema.Read] looks up none.
type loader struct {
	documents map[string][]byte
	loaded    map[string]pulumi.PackageReference
	unknown   map[string]int // names of packages that are not at hand
}

func (l *loader) LoadPackage(string, *semver.Version) (*pulumi.Package, error) {
	return nil, errors.ErrUnsupported
}

func (l *loader) LoadPackageV2(context.Context, *pulumi.PackageDescriptor) (*pulumi.Package, error) {
	return nil, errors.ErrUnsupported
}

func (l *loader) LoadPackageReference(string, *semver.Version) (pulumi.PackageReference, error) {
	return nil, errors.ErrUnsupported
}

func (l *loader) LoadPackageReferenceV2(_ context.Context, d *pulumi.PackageDescriptor) (pulumi.PackageReference, error) {
	name := d.PackageName()
	if d.PackageVersion() != nil {
		name += " " + d.PackageVersion().String()
	}

	if ref := l.loaded[name]; ref != nil {
		return ref, nil
	}

	if document := l.documents[name]; document != nil {
		if pkg, refused := bind(document, false, l); refused == "" {
			l.loaded[name] = pkg.Reference()
			return l.loaded[name], nil
		}
	}

	l.unknown[name]++

	return everything{name: d.PackageName(), version: d.PackageVersion()}, nil
}

// everything is a package that has every type and every resource.
type everything struct {
	pulumi.PackageReference

	name    string
	version *semver.Version
}

func (e everything) Name() string                       { return e.name }
func (e everything) Version() *semver.Version           { return e.version }
func (e everything) Types() pulumi.PackageTypes         { return everyType{} }
func (e everything) Resources() pulumi.PackageResources { return everyResource{} }

type everyType struct{ pulumi.PackageTypes }

func (everyType) Get(token string) (pulumi.Type, bool, error) {
	return &pulumi.TokenType{Token: token}, true, nil
}

type everyResource struct{ pulumi.PackageResources }

func (everyResource) GetType(token string) (*pulumi.ResourceType, bool, error) {
	return &pulumi.ResourceType{Token: token}, true, nil
}
