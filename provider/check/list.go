package check

import (
	"hash/maphash"

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
	l := page{request: request}
	for _, r := range responses {
		l.add(&found, r)
	}
	return found
}

// At most mostListed IDs of a call of List are remembered.
const mostListed = 1 << 18

// page is a call of List that goes on.
type page struct {
	request                *rpc.ListRequest // nil: there is none
	results                int64
	computed, ended, wrong bool // wrong: what comes is not for List any more
	seed                   maphash.Seed
	seen                   map[uint64]bool // hashes of IDs
}

// add checks the next response.
func (l *page) add(found *findings, r *rpc.ListResponse) {
	switch {
	case l.wrong:
	case l.ended, r == nil, r.Computed == nil && r.Continuation == nil && r.Result == nil:
		found.say("list-order", r, "response")
		l.wrong = true
	case l.computed, r.Computed != nil && (!l.request.Query.ContainsUnknown() || l.results > 0):
		found.say("list-computed", r, "computed")
		l.wrong = true
	case r.Computed != nil:
		l.computed = true
	case r.Continuation != nil:
		l.ended = true
	default:
		l.result(found, r)
	}
}

func (l *page) result(found *findings, r *rpc.ListResponse) {
	if l.seen == nil {
		l.seen, l.seed = map[uint64]bool{}, maphash.MakeSeed()
	}
	id := maphash.String(l.seed, r.Result.ID)
	if r.Result.ID == "" || l.seen[id] {
		found.say("list-id", r, "result.id")
	}
	if len(l.seen) < mostListed {
		l.seen[id] = true
	}

	l.results++
	if most := l.request.Limit; most > 0 && l.results == most+1 {
		found.say("list-size", l.request, "limit")
	}
	if most := l.request.PageSize; most > 0 && l.results == most+1 {
		found.say("list-size", l.request, "page_size")
	}
}
