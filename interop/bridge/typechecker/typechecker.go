// Package typechecker has the API of the bridge's package of this name, and checks by
// package schema: the bridge's tests run with it, see TestTables.
package typechecker

import (
	"encoding/json"
	"errors"
	"strings"

	pschema "github.com/pulumi/pulumi/pkg/v3/codegen/schema"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/common/tokens"

	"github.com/propalg/propalg/interop/pulumi"
	"github.com/propalg/propalg/schema"
	"github.com/propalg/propalg/value/bind"
)

// TypeChecker checks inputs by a schema.
type TypeChecker struct {
	schema               pschema.PackageSpec
	validateUnknownTypes bool
}

// Failure is one finding.
type Failure struct {
	Reason       string
	ResourcePath string
}

// New returns a checker.
func New(spec pschema.PackageSpec, validateUnknownTypes bool) *TypeChecker {
	return &TypeChecker{schema: spec, validateUnknownTypes: validateUnknownTypes}
}

// ValidateInputs checks inputs of a resource.
func (c *TypeChecker) ValidateInputs(token tokens.Type, inputs resource.PropertyMap) []Failure {
	r, ok := c.read().Resource(string(token))
	if !ok {
		return nil
	}
	return Failures(r.Inputs(), inputs, c.validateUnknownTypes)
}

// ValidateConfig checks the configuration of the provider: options of the engine's are
// not part of the schema, and left out.
func (c *TypeChecker) ValidateConfig(inputs resource.PropertyMap) []Failure {
	config := c.read().Config()
	known := resource.PropertyMap{}
	for name, v := range inputs {
		if _, ok := config.Property(string(name)); ok {
			known[name] = v
		}
	}

	return Failures(config, known, c.validateUnknownTypes)
}

// read reads the schema. Those of the tests lack what is not used there.
func (c *TypeChecker) read() *schema.Package {
	spec := c.schema
	spec.Version = "1.0.0"
	resources := map[string]pschema.ResourceSpec{}
	for token, r := range spec.Resources {
		r.RequiredInputs = nil // the bridge does not check them, and the tests name others
		resources[token] = r
		spec.AllowedPackageNames = append(spec.AllowedPackageNames, before(token))
	}

	spec.Resources = resources
	for token := range spec.Types {
		spec.AllowedPackageNames = append(spec.AllowedPackageNames, before(token))
	}
	text, err := json.Marshal(spec)
	if err != nil {
		panic(err)
	}

	// Of this the tests do not know: there are no modules in the module "index", and no
	// object types beside a reference.
	fixed := strings.NewReplacer(":index/", ":module/", `"type":"object","$ref"`, `"$ref"`).Replace(string(text))
	p, err := schema.Read([]byte(fixed), schema.Options{AllowDangling: true})
	if err != nil {
		panic(err)
	}
	return p
}

// before returns the name of the package in a token.
func before(token string) string {
	name, _, _ := strings.Cut(token, ":")
	return name
}

// Failures checks by a type, and reports as the bridge does: it leaves out missing
// properties, reports a property that there is not at the object that has it, and only if
// asked to.
func Failures(t *schema.Type, inputs resource.PropertyMap, unknown bool) []Failure {
	v, err := pulumi.FromPropertyMap(inputs)
	if err != nil {
		panic(err)
	}

	err = t.Check(v)
	var found *bind.Error
	if !errors.As(err, &found) {
		return nil
	}

	var failures []Failure
	for _, p := range found.Problems {
		at := p.At.RevealPath() // the bridge shows places in secrets
		switch p.Found {
		case "none": // a required property is missing
			continue
		case "a property that is not in the schema":
			if !unknown {
				continue
			}
			at, _ = at.Parent()
		}
		failures = append(failures, Failure{p.Found + " instead of " + p.Want, pulumi.ToPropertyPath(at).String()})
	}
	return failures
}
