package check_test

import (
	"strings"
	"testing"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/provider/check"
	"github.com/propalg/propalg/value"
)

// TestViolationsOfList: each mistake beside a call that nearly makes it.
func TestViolationsOfList(t *testing.T) {
	result := func(id string) *rpc.ListResponse { return &rpc.ListResponse{Result: &rpc.ListResult{ID: id}} }
	computed, end := &rpc.ListResponse{Computed: &rpc.ListComputed{}}, &rpc.ListResponse{Continuation: &rpc.ListContinuation{}}
	unknown := one("a", value.Unknown())
	for name, row := range map[string]struct {
		request   rpc.ListRequest
		responses []*rpc.ListResponse
		want      string
	}{
		"nothing":               {},
		"a page":                {rpc.ListRequest{PageSize: 2, Limit: 2}, []*rpc.ListResponse{result("a"), result("b"), end}, ""},
		"no end":                {rpc.ListRequest{}, []*rpc.ListResponse{result("a")}, ""},
		"a long page":           {rpc.ListRequest{PageSize: 1, Limit: 2}, []*rpc.ListResponse{result("a"), result("b")}, "request.page_size: list-size"},
		"over the limit":        {rpc.ListRequest{PageSize: 9, Limit: 1}, []*rpc.ListResponse{result("a"), result("b")}, "request.limit: list-size"},
		"no limit":              {rpc.ListRequest{PageSize: -1, Limit: 0}, []*rpc.ListResponse{result("a"), result("b")}, ""},
		"unknown":               {rpc.ListRequest{Query: unknown}, []*rpc.ListResponse{computed}, ""},
		"unknown for no reason": {rpc.ListRequest{}, []*rpc.ListResponse{computed}, "response.computed: list-computed"},
		"unknown and known":     {rpc.ListRequest{Query: unknown}, []*rpc.ListResponse{computed, result("a")}, "response.computed: list-computed"},
		"known, then unknown":   {rpc.ListRequest{Query: unknown}, []*rpc.ListResponse{result("a"), computed}, "response.computed: list-computed"},
		"no ID":                 {rpc.ListRequest{}, []*rpc.ListResponse{result("")}, "response.result.id: list-id"},
		"twice":                 {rpc.ListRequest{}, []*rpc.ListResponse{result("a"), result("a")}, "response.result.id: list-id"},
		"behind the end":        {rpc.ListRequest{}, []*rpc.ListResponse{end, result("a")}, "response.response: list-order"},
		"two ends":              {rpc.ListRequest{}, []*rpc.ListResponse{end, end}, "response.response: list-order"},
		"an empty one":          {rpc.ListRequest{}, []*rpc.ListResponse{{}}, "response.response: list-order"},
		"none of them":          {rpc.ListRequest{}, []*rpc.ListResponse{nil}, "response.response: list-order"},
	} {
		var got []string
		for _, f := range check.ViolationsOfList(&row.request, row.responses) {
			got = append(got, f.In+": "+f.Code)
		}
		if list := strings.Join(got, "; "); list != row.want {
			t.Errorf("%s: %q, want %q", name, list, row.want)
		}
	}
}
