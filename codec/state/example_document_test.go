package state_test

import (
	"fmt"

	"github.com/propalg/propalg/codec/state"
)

const interrupted = `{"version": 3, "deployment": {
  "manifest": {"time": "2026-01-01T00:00:00Z", "version": "v3.259.0", "plugins": [{"name": "aws", "type": "resource", "version": "6.1.0"}]},
  "resources": [{"urn": "urn:pulumi:dev::shop::a:b:C::db", "customTimeouts": {"create": 600}}],
  "pending_operations": [{"type": "creating", "resource": {"urn": "urn:pulumi:dev::shop::a:b:C::web"}}],
  "metadata": {"integrity_error": {"version": "v3.259.0", "error": "a resource depends on one that is gone"}}
}}`

func ExampleManifest() {
	file, _ := state.Parse([]byte(interrupted), state.Options{})
	manifest, err := file.Manifest()
	fmt.Println(manifest.Time.Year(), manifest.Version, err)
	// Output: 2026 v3.259.0 <nil>
}

func ExamplePlugin() {
	file, _ := state.Parse([]byte(interrupted), state.Options{})
	manifest, _ := file.Manifest()
	for _, p := range manifest.Plugins {
		fmt.Println(p.Type, p.Name, p.Version)
	}
	// Output: resource aws 6.1.0
}

func ExampleOperation() {
	file, _ := state.Parse([]byte(interrupted), state.Options{})
	for op, err := range file.PendingOperations() {
		fmt.Println(op.Type, op.Resource.URN, err)
	}
	// Output: creating urn:pulumi:dev::shop::a:b:C::web <nil>
}

// What an engine says of its own errors may hold anything, and is secret.
func ExampleIntegrityError() {
	file, _ := state.Parse([]byte(interrupted), state.Options{})
	broken, found, err := file.IntegrityError()
	fmt.Println(broken.Version, broken.Error, found, err)
	// Output: v3.259.0 [secret] true <nil>
}

func ExampleCustomTimeouts() {
	file, _ := state.Parse([]byte(interrupted), state.Options{})
	for r := range file.Resources() {
		fmt.Println(r.CustomTimeouts.Create, "seconds")
	}
	// Output: 600 seconds
}
