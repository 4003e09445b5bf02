package provider_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/propalg/propalg/codec/rpc"
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

// TestFromSchemaOfTooMany: 10 to the power of 30 places cannot be listed.
func TestFromSchemaOfTooMany(t *testing.T) {
	var doc strings.Builder
	doc.WriteString(`{"name":"p","resources":{"p::R":{"inputProperties":{"t":{"$ref":"#/types/p::T0"}}}},"types":{`)
	for level := range 30 {
		fmt.Fprintf(&doc, `"p::T%d":{"type":"object","properties":{"a0":{"$ref":"#/types/p::T%d"}`, level, level+1)
		for i := 1; i < 10; i++ {
			fmt.Fprintf(&doc, `,"a%d":{"$ref":"#/types/p::T%d"}`, i, level+1)
		}
		doc.WriteString(`}},`)
	}
	doc.WriteString(`"p::T30":{"type":"object","properties":{"c":{"type":"string","willReplaceOnChanges":true}}}}}`)

	p, err := schema.Read([]byte(doc.String()), schema.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r, _ := p.Resource("p::R")
	if _, err := provider.FromSchema(r); !errors.Is(err, schema.ErrPlaces) {
		t.Error(err)
	}
}

// TestResponseOfUnreadableKeys: entries whose keys are no paths come last.
func TestResponseOfUnreadableKeys(t *testing.T) {
	m := &rpc.DiffResponse{HasDetailedDiff: true, DetailedDiff: map[string]rpc.PropertyDiff{}}
	for i := range 10 {
		m.DetailedDiff[fmt.Sprint("a", i)] = rpc.PropertyDiff{}
		m.DetailedDiff[fmt.Sprint("a[", i)] = rpc.PropertyDiff{}
	}

	var got []string
	for _, e := range provider.ResponseOf(m).Detailed {
		got = append(got, e.Key)
	}
	if want := "a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a[0 a[1 a[2 a[3 a[4 a[5 a[6 a[7 a[8 a[9"; strings.Join(got, " ") != want {
		t.Errorf("got %q", got)
	}
}
