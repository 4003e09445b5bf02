package guides_test

import (
	"fmt"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/provider/check"
	"github.com/propalg/propalg/value"
)

func Example_plans() {
	old := value.Object(value.Field("size", value.Number(1)), value.Field("zone", value.String("a")))
	promised := value.Object(
		value.Field("size", value.Number(2)),
		value.Field("zone", value.String("a")),
		value.Field("addresses", value.Array(value.Unknown(), value.Unknown())),
		value.Field("token", value.Secret(value.Unknown())),
	)
	came := value.Object(
		value.Field("size", value.Number(2)),
		value.Field("zone", value.String("b")),
		value.Field("addresses", value.Array(value.String("10.0.0.1"))),
		value.Field("token", value.String("t0k3n")),
	)

	for _, b := range diff.Within(old, came, promised, diff.Options{Relation: value.Engine}) {
		fmt.Println(b)
	}
	// Output:
	// token: mark: promised [secret], got [secret]; was nothing
	// zone: extra: promised "a", got "b"; was "a"
}

func Example_plansOfProviders() {
	inputs := value.Object(value.Field("name", value.String("web")))
	create := func(preview bool) *rpc.CreateRequest {
		return &rpc.CreateRequest{URN: "urn:pulumi:dev::shop::net:Host::web", Properties: inputs, Preview: preview}
	}
	foretold := value.Object(value.Field("name", value.String("web")), value.Field("net", value.Object(value.Field("port", value.Number(80)))))
	made := value.Object(value.Field("name", value.String("web")), value.Field("net", value.Object(value.Field("port", value.Number(8080)))))

	var s check.Session
	s.Add(create(true), &rpc.CreateResponse{Properties: foretold})
	for _, f := range s.Add(create(false), &rpc.CreateResponse{ID: "i-1", Properties: made}) {
		fmt.Println(f.Severity, f.Code, f.At)
	}
	// Output:
	// note preview-differs net.port
}
