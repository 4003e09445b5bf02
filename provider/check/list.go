package check

import (
	"github.com/propalg/propalg/codec/rpc"
)

// ViolationsOfList returns every violation of the protocol's contract in a call of List, whose
// responses are given in their order. They are either one that is not known yet, which an
// unknown in the query has to explain, or resources with IDs to import them by, and one
// continuation at most, behind them. No page has more resources than were asked for.
func ViolationsOfList(request *rpc.ListRequest, responses []*rpc.ListResponse) []Finding {
	var found findings
	if request == nil {
		request = &rpc.ListRequest{}
	}
	results, ended := int64(0), false
	seen := map[string]bool{}
	for i, r := range responses {
		switch {
		case ended || r == nil:
			found.say("list-order", r, "response")
			return found
		case r.Computed != nil:
			if !request.Query.ContainsUnknown() || i > 0 || len(responses) > 1 {
				found.say("list-computed", r, "computed")
			}
		case r.Continuation != nil:
			ended = true
		case r.Result == nil:
			found.say("list-order", r, "response")
		default:
			results++
			if r.Result.ID == "" || seen[r.Result.ID] {
				found.say("list-id", r, "result.id")
			}
			seen[r.Result.ID] = true
		}
	}

	for _, most := range []struct {
		field string
		of    int64
	}{{"limit", request.Limit}, {"page_size", request.PageSize}} {
		if most.of > 0 && results > most.of {
			found.say("list-size", request, most.field)
		}
	}
	return found
}
