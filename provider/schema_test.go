package provider_test

import (
	"testing"

	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/schema"
)

// TestFromSchemaOfZero: a resource without properties is one.
func TestFromSchemaOfZero(t *testing.T) {
	if o, err := provider.FromSchema(&schema.Resource{}); err != nil || len(o.InputNames) > 0 || o.ReplaceOn.Len() > 0 {
		t.Errorf("%v, %v", o, err)
	}
}

// TestFromSchemaOfNil: a resource is required.
func TestFromSchemaOfNil(t *testing.T) {
	defer func() {
		if r := recover(); r != "provider: nil resource" {
			t.Errorf("panic %v", r)
		}
	}()

	_, _ = provider.FromSchema(nil)
}
