package provider_test

import (
	"testing"

	"github.com/propalg/propalg/provider"
)

// TestFromSchemaOfNil: a resource is required.
func TestFromSchemaOfNil(t *testing.T) {
	defer func() {
		if r := recover(); r != "provider: nil resource" {
			t.Errorf("panic %v", r)
		}
	}()

	_, _ = provider.FromSchema(nil)
}
