package demo_test

import (
	"testing"

	"github.com/propalg/propalg/examples/provider/demo"
	"github.com/propalg/propalg/provider/resource/resourcetest"
)

//go:generate go test -run TestSchemaFile .

// The schema is what the types say.
func TestSchemaFile(t *testing.T) {
	p := &demo.Provider{}
	resourcetest.Schema(t, p.Package(), "schema.json")
}
