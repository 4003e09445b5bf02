package demo_test

import (
	"strings"
	"testing"

	"google.golang.org/grpc/codes"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/value"
)

// An ID and an address are made of the name and the zone, and shown: secrets are
// refused there, before they are in a state. The engine would print the input that a
// failure names, so these name none.
func TestSecretsThatWouldBeShown(t *testing.T) {
	s := configured(t, nil)
	for _, name := range []string{"name", "zone"} {
		r, err := s.Check(t.Context(), &rpc.CheckRequest{URN: recordURN, News: with(full("one"), name, value.Secret(text(canary)))})
		if err != nil || len(r.Failures) != 1 || r.Failures[0].Property != "" || !strings.HasPrefix(r.Failures[0].Reason, name+": ") || strings.Contains(r.Failures[0].Reason, canary) {
			t.Errorf("%s: %v %v", name, r, err)
		}
	}
}

// A component is named after what it is given: that is to be known, and no secret.
func TestConstructNames(t *testing.T) {
	s := configured(t, nil)
	m := &monitor{provider: s.Client}
	address := serveMonitor(t, m)
	for name, names := range map[string]value.Value{
		"unknown":        value.Unknown(),
		"unknown inside": array(text("a"), value.Unknown()),
		"secret":         value.Secret(array(text(canary))),
		"secret inside":  array(text("a"), value.Secret(text(canary))),
	} {
		_, err := s.Construct(t.Context(), &rpc.ConstructRequest{Type: "demo:index:Group", Name: "g", MonitorEndpoint: address, Inputs: object("names", names)})
		isCode(t, err, codes.InvalidArgument)
		noSecret(t, err)
		if err != nil && !strings.Contains(err.Error(), "names") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if len(m.seen) != 0 {
		t.Errorf("%d resources were registered before", len(m.seen))
	}
}
