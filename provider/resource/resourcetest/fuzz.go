// Package resourcetest helps to test providers made with package provider/resource.
package resourcetest

import (
	"fmt"

	"github.com/propalg/propalg/fuzz"
	"github.com/propalg/propalg/provider/resource"
)

// Fuzz returns what tests a resource: its methods, its schema, and what follows from its tags.
// Set Inputs to generate those that your service accepts, such as the ID of something that has to
// exist. Without them, texts may have any bytes, which a service that speaks JSON does not keep:
// set Options.Style to [fuzz.Plain].
//
//	p := resourcetest.Fuzz(provider, "demo:index:Bucket")
//	p.Inputs = …
//	p.Run(t)
//
// It panics if the provider has no such resource.
func Fuzz(p *resource.Provider, token string) fuzz.Provider {
	r, there := p.Schema().Resource(token)
	if !there {
		panic(fmt.Sprintf("resourcetest: there is no resource %q", token))
	}
	differ, writeOnly := p.Rules(token)
	return fuzz.Provider{
		Check: p.Check, Diff: p.Diff, Create: p.Create, Read: p.Read, Update: p.Update, Delete: p.Delete,
		SupportsPreview: true, Schema: r, Compared: differ, WriteOnly: writeOnly,
	}
}
