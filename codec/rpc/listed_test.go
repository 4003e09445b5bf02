package rpc_test

import (
	"runtime"
	"strings"
	"testing"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/provider/check"
	"github.com/propalg/propalg/value"
)

// TestListedPathsAreBounded: of n levels with something on each, an answer and a
// list of violations would name n paths of n keys.
func TestListedPathsAreBounded(t *testing.T) {
	const levels = 400
	key := strings.Repeat("k", 400)
	stairs := func(leaf value.Value) value.Value {
		v := value.Object()
		for range levels {
			v = object(value.Member{Key: key, Value: v}, value.Member{Key: "n", Value: leaf})
		}
		return v
	}
	old, now, unknown := stairs(value.Number(1)), stairs(value.String("1")), stairs(value.Unknown())
	for name, f := range map[string]func(){
		"answer": func() {
			_, _ = provider.Differ{}.Answer(&rpc.DiffRequest{OldInputs: old, Olds: old, News: now})
		},
		"unknowns": func() {
			for _, v := range check.Violations(&rpc.CreateRequest{Properties: unknown}, nil) {
				_ = v.Code
			}
		},
		"kinds": func() { check.Violations(&rpc.CheckRequest{News: old}, &rpc.CheckResponse{Inputs: now}) },
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		f()
		runtime.ReadMemStats(&after)
		if n := after.TotalAlloc - before.TotalAlloc; n > 12*path.MaxListed {
			t.Errorf("%s: %d MB allocated", name, n>>20)
		}
	}
}
