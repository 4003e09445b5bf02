package check_test

import (
	"math"
	"strings"
	"testing"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/provider/check"
	"github.com/propalg/propalg/value"
)

// TestViolationsOfOneCall: what a single call has to say, and to keep.
func TestViolationsOfOneCall(t *testing.T) {
	unknown, known := one("a", value.Array(value.Unknown())), one("id", value.String("i"))
	deep := one("o", object(value.Member{Key: "n", Value: value.Number(1)}, value.Member{Key: "x", Value: value.Bool(true)}))
	secretText := value.Secret(value.String("hunter2"))
	join := func(a, b value.Value) value.Value {
		var all []value.Member
		for _, v := range []value.Value{a, b} {
			for key, x := range v.Members() {
				all = append(all, value.Member{Key: key, Value: x})
			}
		}
		return object(all...)
	}
	for _, row := range []violating{
		// What Check returns is what the program sent, and more.
		{here(), &rpc.CheckRequest{News: known}, &rpc.CheckResponse{}, "error: response.inputs: inputs-missing"},
		{here(), &rpc.CheckRequest{News: object()}, &rpc.CheckResponse{}, "error: response.inputs: inputs-missing"},
		{here(), &rpc.CheckRequest{News: known}, &rpc.CheckResponse{Failures: []rpc.CheckFailure{{Reason: "bad"}}}, ""},
		{here(), &rpc.CheckRequest{}, &rpc.CheckResponse{}, ""},
		{here(), &rpc.CheckRequest{News: known}, &rpc.CheckResponse{Inputs: known, Failures: []rpc.CheckFailure{{Reason: "bad"}}}, "note: response.inputs: inputs-unused"},
		{here(), &rpc.CheckRequest{News: known}, &rpc.CheckResponse{Inputs: object(), Failures: []rpc.CheckFailure{{Reason: "bad"}}}, ""},
		{here(), &rpc.CheckRequest{News: deep}, &rpc.CheckResponse{Inputs: deep}, ""},
		{here(), &rpc.CheckRequest{News: deep}, &rpc.CheckResponse{Inputs: one("o", one("n", value.String("1")))}, "note: response.inputs: o.n: kind-changed; note: response.inputs: o.x: input-dropped"},
		{here(), &rpc.CheckRequest{News: one("s", secretText)}, &rpc.CheckResponse{Inputs: one("s", value.String("hunter2"))}, "error: response.inputs: s: secret-lost"},
		{here(), &rpc.CheckRequest{News: one("s", value.Secret(deep))}, &rpc.CheckResponse{Inputs: one("s", deep)}, "error: response.inputs: s: secret-lost"},
		{here(), &rpc.CheckRequest{News: one("s", value.Array(secretText))}, &rpc.CheckResponse{Inputs: one("s", value.Secret(value.Array(value.String("x"))))}, ""},
		{here(), &rpc.CheckRequest{News: one("a", value.Array(value.Number(1), value.Number(2)))}, &rpc.CheckResponse{Inputs: one("a", value.Array(value.String("1")))}, ""},
		{here(), &rpc.CheckRequest{News: one("n", value.Null())}, &rpc.CheckResponse{Inputs: object()}, ""},
		{here(), &rpc.CheckRequest{News: one("json", value.String(`{"a":1}`))}, &rpc.CheckResponse{Inputs: one("json", one("a", value.Number(1)))}, ""},
		{here(), &rpc.CheckRequest{News: one("json", value.String(`{"a":1}`))}, &rpc.CheckResponse{Inputs: one("json", value.Array(value.Number(1)))}, "note: response.inputs: json: kind-changed"},
		{here(), &rpc.CheckRequest{RandomSeed: rpc.Hide([]byte("1234"))}, nil, "error: request.random_seed: seed-size"},
		{here(), &rpc.CheckRequest{RandomSeed: rpc.Hide(make([]byte, 32))}, nil, ""},
		// A failure names a path, and no input that engines must not print.
		{here(), &rpc.CheckRequest{}, &rpc.CheckResponse{Failures: []rpc.CheckFailure{{Reason: "r"}, {Property: `a["`, Reason: "r"}}}, "error: response.failures[1].property: unreadable-path"},
		{here(), &rpc.CheckRequest{News: one("s", secretText)}, &rpc.CheckResponse{Failures: []rpc.CheckFailure{{Property: "s", Reason: "r"}}}, "note: response.failures[0].property: secret-shown"},
		{here(), &rpc.CheckRequest{News: one("s", value.Array(secretText))}, &rpc.CheckResponse{Failures: []rpc.CheckFailure{{Property: "s[0]", Reason: "r"}, {Property: "s", Reason: "r"}, {Reason: "s: bad"}}}, "note: response.failures[1].property: secret-shown"},
		{here(), &rpc.InvokeRequest{}, &rpc.InvokeResponse{Failures: []rpc.CheckFailure{{Property: "a[", Reason: "r"}}}, "error: response.failures[0].property: unreadable-path"},
		{here(), &rpc.InvokeRequest{}, &rpc.InvokeResponse{Failures: []rpc.CheckFailure{{Property: "a", Reason: " "}}}, "warning: response.failures[0].reason: reason-missing"},
		// What is created has an ID.
		{here(), &rpc.CreateRequest{}, &rpc.CreateResponse{Properties: known}, "error: response.id: id-missing"},
		{here(), &rpc.CreateRequest{}, &rpc.ErrorResourceInitFailed{Properties: known}, "error: response.id: id-missing"},
		{here(), &rpc.CreateRequest{Preview: true}, &rpc.CreateResponse{Properties: known}, ""},
		// What is created or updated has a state.
		{here(), &rpc.CreateRequest{Properties: known}, &rpc.CreateResponse{ID: "i"}, "note: response.properties: state-missing"},
		{here(), &rpc.CreateRequest{Properties: known}, &rpc.CreateResponse{ID: "i", Properties: object()}, "note: response.properties: state-missing"},
		{here(), &rpc.CreateRequest{Properties: known, Preview: true}, &rpc.CreateResponse{}, ""},
		{here(), &rpc.CreateRequest{Properties: object()}, &rpc.CreateResponse{ID: "i"}, ""},
		{here(), &rpc.UpdateRequest{ID: "i", News: known}, &rpc.UpdateResponse{}, "note: response.properties: state-missing"},
		{here(), &rpc.UpdateRequest{ID: "i", News: known, Preview: true}, &rpc.UpdateResponse{}, ""},
		// A refresh asks for a resource by its ID; an import may name it in another way.
		{here(), &rpc.ReadRequest{ID: "i", Inputs: known, Properties: known}, &rpc.ReadResponse{ID: "j", Inputs: known, Properties: known}, "note: response.id: other-id"},
		{here(), &rpc.ReadRequest{ID: "i"}, &rpc.ReadResponse{ID: "j", Inputs: known, Properties: known}, ""},
		// What is read is old in the next call.
		{here(), &rpc.ReadRequest{ID: "i", Inputs: known, Properties: known}, &rpc.ReadResponse{ID: "i", Inputs: join(known, unknown), Properties: unknown}, "error: response.properties: a[0]: unknown; error: response.inputs: a[0]: unknown"},
		{here(), &rpc.ReadRequest{ID: "i"}, &rpc.ReadResponse{ID: "i", Properties: known}, "error: response.inputs: inputs-missing"},
		{here(), &rpc.ReadRequest{ID: "i"}, &rpc.ReadResponse{ID: "i", Inputs: object(), Properties: known}, ""},
		{here(), &rpc.ReadRequest{ID: "i"}, &rpc.ReadResponse{}, ""},
		{here(), &rpc.ReadRequest{ID: "i", Inputs: known}, &rpc.ReadResponse{Properties: known}, "note: response.id: contents-without-id"},
		{here(), &rpc.ReadRequest{ID: "i", Inputs: known}, &rpc.ReadResponse{Inputs: object(), Properties: object()}, ""},
		{here(), &rpc.ReadRequest{ID: "i", Inputs: known, Properties: known}, &rpc.ReadResponse{ID: "i", Inputs: deep, Properties: known}, "note: response.inputs: inputs-lost"},
		{here(), &rpc.ReadRequest{ID: "i", Inputs: join(known, deep), Properties: known}, &rpc.ReadResponse{ID: "i", Inputs: deep, Properties: known}, "note: response.inputs: id: inputs-lost"},
		// Time limits.
		{here(), &rpc.CreateRequest{Timeout: -1}, nil, "error: request.timeout: invalid-duration"},
		{here(), &rpc.UpdateRequest{Timeout: math.NaN()}, nil, "error: request.timeout: invalid-duration"},
		{here(), &rpc.DeleteRequest{Timeout: -1}, nil, "error: request.timeout: invalid-duration"},
		{here(), &rpc.ReadRequest{Timeout: -1}, nil, "error: request.timeout: invalid-duration"},
		{here(), &rpc.CreateRequest{Timeout: 60}, nil, ""},
	} {
		row.check(t)
	}
}

// TestViolationsOfInputs: Check follows the program, and Read the resource.
func TestViolationsOfInputs(t *testing.T) {
	many := obj("a", str("1"), "b", str("2"), "c", str("3"))
	for _, row := range []violating{
		// The old input, and not what the program says now.
		{here(), &rpc.CheckRequest{Olds: obj("n", num(1), "o", one("n", num(1))), News: obj("n", num(2), "o", one("n", num(2)))}, &rpc.CheckResponse{Inputs: obj("n", num(1), "o", one("n", num(1)))}, "note: response.inputs: n: input-kept; note: response.inputs: o.n: input-kept"},
		{here(), &rpc.CheckRequest{Olds: one("n", num(1)), News: one("n", num(2))}, &rpc.CheckResponse{Inputs: one("n", num(2))}, ""},
		{here(), &rpc.CheckRequest{Olds: one("n", num(1)), News: one("n", num(2))}, &rpc.CheckResponse{Inputs: one("n", num(3))}, ""},
		{here(), &rpc.CheckRequest{Olds: one("n", num(1)), News: one("n", num(1))}, &rpc.CheckResponse{Inputs: one("n", num(1))}, ""},
		{here(), &rpc.CheckRequest{Olds: one("n", str("made-1")), News: one("n", str(""))}, &rpc.CheckResponse{Inputs: one("n", str("made-1"))}, ""},
		{here(), &rpc.CheckRequest{Olds: one("n", num(1)), News: object()}, &rpc.CheckResponse{Inputs: one("n", num(1))}, ""},
		{here(), &rpc.CheckRequest{Olds: one("l", arr(num(1), num(2))), News: one("l", arr(num(2), num(1)))}, &rpc.CheckResponse{Inputs: one("l", arr(num(1), num(2)))}, ""},
		{here(), &rpc.CheckRequest{Olds: one("n", num(1)), News: one("n", value.Secret(num(2)))}, &rpc.CheckResponse{Inputs: one("n", value.Secret(num(1)))}, "note: response.inputs: n: input-kept"},
		// One input of several, which the state still has.
		{here(), &rpc.ReadRequest{ID: "i", Inputs: many, Properties: many}, &rpc.ReadResponse{ID: "i", Inputs: one("a", str("1")), Properties: many}, "note: response.inputs: b: inputs-lost; note: response.inputs: c: inputs-lost"},
		{here(), &rpc.ReadRequest{ID: "i", Inputs: many, Properties: many}, &rpc.ReadResponse{ID: "i", Inputs: one("a", str("1")), Properties: one("a", str("1"))}, ""},
		{here(), &rpc.ReadRequest{ID: "i", Inputs: many, Properties: many}, &rpc.ReadResponse{ID: "i", Inputs: one("a", str("1")), Properties: obj("a", str("1"), "b", str("9"), "c", value.Null())}, ""},
		{here(), &rpc.ReadRequest{ID: "i", Inputs: obj("a", str("1"), "b", value.Null()), Properties: many}, &rpc.ReadResponse{ID: "i", Inputs: one("a", str("1")), Properties: many}, ""},
		{here(), &rpc.ReadRequest{ID: "i", Inputs: value.Secret(many), Properties: many}, &rpc.ReadResponse{ID: "i", Inputs: value.Secret(obj("a", str("1"), "c", str("3"))), Properties: many}, "note: response.inputs: [secret]: inputs-lost"},
		// The state changed, and the input did not.
		{here(), &rpc.ReadRequest{ID: "i", Inputs: many, Properties: many}, &rpc.ReadResponse{ID: "i", Inputs: many, Properties: obj("a", str("1"), "b", str("new"), "c", str("3"))}, "note: response.inputs: b: inputs-stale"},
		{here(), &rpc.ReadRequest{ID: "i", Inputs: many, Properties: many}, &rpc.ReadResponse{ID: "i", Inputs: obj("a", str("1"), "b", str("new"), "c", str("3")), Properties: obj("a", str("1"), "b", str("new"), "c", str("3"))}, ""},
		{here(), &rpc.ReadRequest{ID: "i", Inputs: many, Properties: obj("a", str("1"), "b", str("other"), "c", str("3"))}, &rpc.ReadResponse{ID: "i", Inputs: many, Properties: obj("a", str("1"), "b", str("new"), "c", str("3"))}, "note: response.inputs: b: inputs-stale"},
		{here(), &rpc.ReadRequest{ID: "i", Inputs: many, Properties: obj("a", str("1"), "b", str("other"), "c", str("3"))}, &rpc.ReadResponse{ID: "i", Inputs: many, Properties: obj("a", str("1"), "b", str("other"), "c", str("3"))}, ""},
		{here(), &rpc.ReadRequest{ID: "i", Inputs: many}, &rpc.ReadResponse{ID: "i", Inputs: many, Properties: obj("a", str("1"), "b", str("other"), "c", str("3"))}, ""},
		{here(), &rpc.ReadRequest{ID: "i", Inputs: one("o", many), Properties: one("o", many)}, &rpc.ReadResponse{ID: "i", Inputs: one("o", many), Properties: one("o", obj("a", str("1"), "b", str("new"), "c", str("3"), "uid", str("x")))}, "note: response.inputs: o.b: inputs-stale"},
		{here(), &rpc.ReadRequest{ID: "i", Inputs: one("o", value.Secret(many)), Properties: one("o", many)}, &rpc.ReadResponse{ID: "i", Inputs: one("o", value.Secret(many)), Properties: one("o", obj("a", str("1"), "b", str("new"), "c", str("3")))}, "note: response.inputs: o[secret]: inputs-stale"},
		{here(), &rpc.ReadRequest{ID: "i", Inputs: many, Properties: many}, &rpc.ReadResponse{ID: "i", Inputs: many, Properties: obj("a", str("1"), "b", num(2), "c", str("3"))}, ""},
		{here(), &rpc.ReadRequest{ID: "i", Inputs: many, Properties: many}, &rpc.ReadResponse{ID: "i", Inputs: many, Properties: obj("a", value.Secret(str("1")), "b", str("2"), "c", str("3"))}, ""},
		{here(), &rpc.ReadRequest{ID: "i", Inputs: one("f", value.TextAsset("1")), Properties: one("f", value.TextAsset("1"))}, &rpc.ReadResponse{ID: "i", Inputs: one("f", value.TextAsset("1")), Properties: one("f", value.TextAsset("2"))}, ""},
		{here(), &rpc.ReadRequest{ID: "i", Inputs: one("l", arr(num(1), num(2))), Properties: one("l", arr(num(1), num(2)))}, &rpc.ReadResponse{ID: "i", Inputs: one("l", arr(num(1), num(2))), Properties: one("l", arr(num(2), num(1)))}, ""},
	} {
		row.check(t)
	}
}

// TestSecretUnknown: an unknown without the mark shows nothing yet, and the advice says so.
func TestSecretUnknown(t *testing.T) {
	unknown := one("s", value.Unknown())
	for _, sent := range []value.Value{one("s", value.Secret(value.Unknown())), one("s", value.Secret(one("k", value.Unknown())))} {
		for _, f := range check.Violations(&rpc.CheckRequest{News: sent}, &rpc.CheckResponse{Inputs: unknown}) {
			if f.Code != "secret-lost" || strings.Contains(f.Advice, "clear") || !strings.Contains(f.Advice, "mark the unknown as a secret too") {
				t.Errorf("%v", f)
			}
		}
	}

	for _, f := range check.Violations(&rpc.CheckRequest{News: one("s", value.Secret(value.String("x")))}, &rpc.CheckResponse{Inputs: one("s", value.String("x"))}) {
		if !strings.Contains(f.Advice, "is returned in clear") {
			t.Errorf("%v", f)
		}
	}
}

// A secret stays one, wherever it is returned, and an ID contains none.
func TestViolationsSecrets(t *testing.T) {
	known := one("id", value.String("i"))
	secretText := value.Secret(value.String("hunter2"))
	for _, row := range []violating{
		{here(), &rpc.CreateRequest{Properties: one("s", secretText), Preview: true}, &rpc.CreateResponse{Properties: one("s", value.String("hunter2"))}, "error: response.properties: s: secret-lost"},
		{here(), &rpc.CreateRequest{Properties: one("o", value.Array(secretText))}, &rpc.CreateResponse{ID: "i", Properties: one("o", value.Array(value.String("hunter2")))}, "error: response.properties: o[0]: secret-lost"},
		{here(), &rpc.CreateRequest{Properties: one("o", value.Array(secretText))}, &rpc.ErrorResourceInitFailed{ID: "i", Properties: one("o", value.Array(value.String("hunter2")))}, "error: response.properties: o[0]: secret-lost"},
		{here(), &rpc.CreateRequest{Properties: one("s", secretText)}, &rpc.CreateResponse{ID: "i", Properties: one("s", value.String("a hash"))}, ""},
		{here(), &rpc.CreateRequest{Properties: one("s", secretText)}, &rpc.CreateResponse{ID: "i", Properties: one("s", secretText)}, ""},
		{here(), &rpc.CreateRequest{Properties: one("s", secretText)}, &rpc.CreateResponse{ID: "i", Properties: value.Secret(one("s", value.String("hunter2")))}, ""},
		{here(), &rpc.UpdateRequest{ID: "i", News: one("s", secretText)}, &rpc.UpdateResponse{Properties: one("s", value.String("hunter2"))}, "error: response.properties: s: secret-lost"},
		{here(), &rpc.UpdateRequest{ID: "i", News: known, Olds: one("s", secretText)}, &rpc.UpdateResponse{Properties: one("s", value.String("hunter2"))}, "warning: response.properties: s: secret-lost"},
		{here(), &rpc.UpdateRequest{ID: "i", News: one("s", value.String("hunter2")), Olds: one("s", secretText)}, &rpc.UpdateResponse{Properties: one("s", value.String("hunter2"))}, ""},
		{here(), &rpc.UpdateRequest{ID: "i", News: one("s", secretText)}, &rpc.ErrorResourceInitFailed{ID: "i", Properties: one("s", value.String("hunter2"))}, "error: response.properties: s: secret-lost"},
		{here(), &rpc.ReadRequest{ID: "i", Inputs: one("s", secretText), Properties: one("s", secretText)}, &rpc.ReadResponse{ID: "i", Inputs: one("s", value.String("hunter2")), Properties: one("s", value.String("hunter2"))}, "error: response.properties: s: secret-lost; error: response.inputs: s: secret-lost"},
		{here(), &rpc.ReadRequest{ID: "i", Inputs: known, Properties: one("s", secretText)}, &rpc.ReadResponse{ID: "i", Inputs: known, Properties: one("s", value.String("hunter2"))}, "warning: response.properties: s: secret-lost"},
		{here(), &rpc.CreateRequest{Properties: one("s", value.Secret(value.Unknown())), Preview: true}, &rpc.CreateResponse{Properties: one("s", value.Unknown())}, "error: response.properties: s: secret-lost"},
		{here(), &rpc.CreateRequest{Properties: one("s", secretText)}, &rpc.CreateResponse{ID: "a-hunter2", Properties: one("s", secretText)}, "warning: response.id: secret-in-id"},
		{here(), &rpc.CreateRequest{Properties: known}, &rpc.CreateResponse{ID: "a-hunter2", Properties: one("t", secretText)}, "warning: response.id: secret-in-id"},
		{here(), &rpc.CreateRequest{Properties: one("s", value.Secret(value.String("eu")))}, &rpc.CreateResponse{ID: "europe", Properties: one("s", secretText)}, ""},
		{here(), &rpc.CreateRequest{Properties: one("o", value.Secret(one("k", value.String("hunter2"))))}, &rpc.CreateResponse{ID: "a-hunter2", Properties: known}, "warning: response.id: secret-in-id"},
		{here(), &rpc.CheckRequest{News: one("s", secretText)}, &rpc.CheckResponse{Failures: []rpc.CheckFailure{{Reason: "r"}, {Reason: "hunter2 is too short"}}}, "warning: response.failures: secret-in-reason"},
		{here(), &rpc.CheckRequest{News: one("s", value.Secret(value.String("short")))}, &rpc.CheckResponse{Failures: []rpc.CheckFailure{{Reason: "is too short"}}}, ""},
		{here(), &rpc.CheckRequest{News: one("s", secretText)}, &rpc.CheckResponse{Failures: []rpc.CheckFailure{{Reason: strings.Repeat("x", 1<<16)}, {Reason: "hunter2"}}}, ""},
		{here(), &rpc.CreateRequest{Properties: one("name", value.String("hunter2"))}, &rpc.CreateResponse{ID: "a-hunter2", Properties: known}, ""},
	} {
		row.check(t)
	}
}

// Each rule is broken by one call and kept by a similar one.
func TestViolations(t *testing.T) {
	unknown, secret := one("a", value.Array(value.Unknown())), one("s", value.Secret(one("k", value.Unknown())))
	reference := one("r", value.ResourceReference{URN: "u", ID: value.UnknownID()}.Value())
	emptyID := one("r", value.ResourceReference{URN: "u", ID: value.KnownID("")}.Value())
	made, component := one("r", value.ResourceReference{URN: "u", ID: value.KnownID("i")}.Value()), one("r", value.ResourceReference{URN: "u"}.Value())
	known := one("id", value.String("i"))
	for _, row := range []violating{
		{here(), &rpc.CheckRequest{Olds: unknown, News: unknown}, &rpc.CheckResponse{Inputs: unknown}, "error: request.olds: a[0]: unknown"},
		{here(), &rpc.CheckRequest{News: known}, &rpc.CheckResponse{Inputs: unknown}, "error: response.inputs: a[0]: unknown; note: response.inputs: id: input-dropped"},
		{here(), &rpc.CheckRequest{News: component}, &rpc.CheckResponse{Inputs: unknown}, "error: response.inputs: a[0]: unknown; note: response.inputs: r: input-dropped"},
		{here(), &rpc.CheckRequest{News: reference}, &rpc.CheckResponse{Inputs: unknown}, "note: response.inputs: r: input-dropped"},
		{here(), &rpc.CheckRequest{News: unknown}, &rpc.CheckResponse{Inputs: unknown}, ""},
		{here(), &rpc.DiffRequest{Olds: unknown, OldInputs: secret, News: unknown}, nil, "error: request.olds: a[0]: unknown; error: request.old_inputs: s[secret]: unknown"},
		{here(), &rpc.DiffRequest{Olds: reference}, &rpc.DiffResponse{}, "error: request.olds: r: unknown"},
		{here(), &rpc.DiffRequest{Olds: component, News: reference}, &rpc.DiffResponse{}, ""},
		{here(), &rpc.CreateRequest{Properties: made}, &rpc.CreateResponse{ID: "i", Properties: emptyID}, "error: response.properties: r: unknown"},
		{here(), &rpc.CreateRequest{Properties: made}, &rpc.CreateResponse{ID: "i", Properties: made}, ""},
		{here(), &rpc.CreateRequest{Properties: unknown}, &rpc.CreateResponse{ID: "i", Properties: unknown}, "error: request.properties: a[0]: unknown; error: response.properties: a[0]: unknown"},
		{here(), &rpc.CreateRequest{Properties: unknown, Preview: true}, &rpc.CreateResponse{Properties: unknown}, ""},
		{here(), &rpc.ReadRequest{Properties: unknown, Inputs: unknown}, nil, "error: request.properties: a[0]: unknown; error: request.inputs: a[0]: unknown"},
		{here(), &rpc.UpdateRequest{ID: "i", News: unknown}, &rpc.UpdateResponse{Properties: known}, "error: request.news: a[0]: unknown"},
		{here(), &rpc.UpdateRequest{ID: "j", News: unknown, Preview: true}, &rpc.UpdateResponse{Properties: known}, "error: response.properties: id: id-changed"},
		{here(), &rpc.UpdateRequest{}, &rpc.UpdateResponse{Properties: unknown}, "error: response.properties: a[0]: unknown"},
		{here(), &rpc.DeleteRequest{Properties: unknown}, &rpc.Empty{}, "error: request.properties: a[0]: unknown"},
		{here(), &rpc.InvokeRequest{Args: secret}, &rpc.InvokeResponse{Return: made}, "note: request.args: s: secret; error: request.args: s[secret]: unknown; note: response.return: r: resource-reference"},
		{here(), &rpc.InvokeRequest{Args: unknown, Preview: true}, &rpc.InvokeResponse{Return: unknown}, "error: response.return: a[0]: unknown"},
		{here(), &rpc.CallRequest{Args: unknown}, &rpc.CallResponse{Return: secret}, ""},
		{here(), nil, &rpc.InvokeResponse{Return: unknown}, "error: response.return: a[0]: unknown"},
		{here(), (*rpc.CreateRequest)(nil), (*rpc.InvokeResponse)(nil), ""},
		{here(), nil, nil, ""},

		// Old views are old inputs and old state.
		{here(), &rpc.ReadRequest{OldViews: []rpc.View{{}, {Inputs: unknown, Outputs: unknown}}}, nil, "error: request.old_views[1].inputs: a[0]: unknown; error: request.old_views[1].outputs: a[0]: unknown"},
		{here(), &rpc.UpdateRequest{OldViews: []rpc.View{{Inputs: secret}}}, nil, "error: request.old_views[0].inputs: s[secret]: unknown"},
		{here(), &rpc.DeleteRequest{OldViews: []rpc.View{{Outputs: unknown}}, OldInputs: unknown}, nil, "error: request.old_inputs: a[0]: unknown; error: request.old_views[0].outputs: a[0]: unknown"},
		{here(), &rpc.UpdateRequest{Olds: unknown, OldInputs: unknown, Preview: true}, nil, "error: request.olds: a[0]: unknown; error: request.old_inputs: a[0]: unknown"},
		// Functions: in preview secrets and references stay notes; results hold no unknown then either.
		{here(), &rpc.InvokeRequest{Args: secret, Preview: true}, &rpc.InvokeResponse{Return: secret}, "note: request.args: s: secret; note: response.return: s: secret; error: response.return: s[secret]: unknown"},
		{here(), &rpc.ResourceInvokeRequest{Args: unknown}, &rpc.ResourceInvokeResponse{Return: unknown}, "error: response.return: a[0]: unknown"},
		{here(), &rpc.ResourceInvokeRequest{Args: reference}, &rpc.ResourceInvokeResponse{Return: known}, "note: request.args: r: resource-reference"},
		// Methods may carry anything, and so may components.
		{here(), &rpc.CallRequest{Args: secret}, &rpc.CallResponse{Return: unknown}, ""},
		{here(), &rpc.ConstructRequest{Inputs: secret}, &rpc.ConstructResponse{State: unknown}, ""},
		// What failed half way was returned too.
		{here(), &rpc.CreateRequest{}, &rpc.ErrorResourceInitFailed{ID: "i", Properties: unknown, Inputs: unknown}, "error: response.properties: a[0]: unknown; error: response.inputs: a[0]: unknown"},
		{here(), &rpc.UpdateRequest{ID: "i"}, &rpc.ErrorResourceInitFailed{ID: "j"}, "error: response.id: id-changed"},
		{here(), &rpc.UpdateRequest{ID: "i"}, &rpc.ErrorResourceInitFailed{ID: "i", Properties: known}, ""},
		// Check may return unknowns if it got some, wherever; the ID of a reference is one.
		{here(), &rpc.CheckRequest{News: reference, Olds: known}, &rpc.CheckResponse{Inputs: secret}, "note: response.inputs: r: input-dropped"},
		{here(), &rpc.CheckRequest{News: secret}, &rpc.CheckResponse{Inputs: unknown}, "note: response.inputs: s: input-dropped"},
		{here(), &rpc.CheckRequest{}, &rpc.CheckResponse{Inputs: reference}, "error: response.inputs: r: unknown"},
		// What was sent as an unknown comes back as one.
		{here(), &rpc.CheckRequest{News: unknown}, &rpc.CheckResponse{Inputs: one("a", value.Array(value.String("")))}, "warning: response.inputs: a[0]: unknown-lost"},
		{here(), &rpc.CheckRequest{News: one("a", value.Unknown())}, &rpc.CheckResponse{Inputs: one("a", value.Array(value.Unknown()))}, ""},
		{here(), &rpc.CreateRequest{Properties: one("a", value.Unknown()), Preview: true}, &rpc.CreateResponse{Properties: one("a", value.String(""))}, "warning: response.properties: a: unknown-lost"},
		{here(), &rpc.CreateRequest{Properties: one("a", one("b", value.Unknown())), Preview: true}, &rpc.CreateResponse{Properties: one("a", one("b", value.Number(1)))}, "warning: response.properties: a.b: unknown-lost"},
		{here(), &rpc.CreateRequest{Properties: one("a", value.Unknown()), Preview: true}, &rpc.CreateResponse{Properties: one("b", value.String(""))}, ""},
		{here(), &rpc.CreateRequest{Properties: one("a", one("b", value.Unknown())), Preview: true}, &rpc.CreateResponse{Properties: one("a", value.Unknown())}, ""},
		{here(), &rpc.CreateRequest{Properties: one("a", value.Array(value.Unknown())), Preview: true}, &rpc.CreateResponse{Properties: one("a", value.Array(value.Number(1), value.Unknown()))}, ""},
		{here(), &rpc.UpdateRequest{ID: "i", News: one("a", value.Unknown()), Preview: true}, &rpc.UpdateResponse{Properties: one("a", value.String("old"))}, "warning: response.properties: a: unknown-lost"},
		// What was sent in preview may come back in preview.
		{here(), &rpc.UpdateRequest{ID: "i", News: unknown, Preview: true}, &rpc.UpdateResponse{Properties: unknown}, ""},
		{here(), &rpc.CreateRequest{Preview: true}, &rpc.ErrorResourceInitFailed{Properties: unknown}, ""},
	} {
		row.check(t)
	}
}

// violating is a call, and what it breaks.
type violating struct {
	place
	request, response rpc.Message
	want              string
}

func (row violating) check(t *testing.T) {
	t.Helper()
	var got []string
	for _, v := range check.Violations(row.request, row.response) {
		got = append(got, strings.TrimSuffix(v.String(), ": "+v.Advice))
	}
	if s := strings.Join(got, "; "); s != row.want {
		t.Errorf("%s:\ngot  %s\nwant %s", row.place, s, row.want)
	}
}
