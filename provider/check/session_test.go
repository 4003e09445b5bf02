package check_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/diff/equality"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/provider/check"
	"github.com/propalg/propalg/value"
)

// TestPlantedFaults: a log of ten calls in which twelve faults were planted, eight
// in single calls and four across calls.
func TestPlantedFaults(t *testing.T) {
	log, err := os.Open("testdata/planted-log.json")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = log.Close() }()

	var session check.Session
	var got []string
	for c, err := range rpc.ReadLog(log) {
		if err != nil {
			t.Fatal(err)
		}
		w := rpc.Options{DiscardUnknown: true}
		request, err := c.Request(w)
		if err != nil {
			t.Fatal(err)
		}
		response, err := c.Response(w)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range slices.Concat(check.Violations(request, response), session.Add(request, response)) {
			got = append(got, fmt.Sprintf("%d %s %s %s", c.Line, v.In, v.At, v.Code))
		}
	}
	want := []string{
		"1 response.id  id-missing",
		"2 response.inputs  inputs-missing",
		"3 response.properties a unknown",
		"3 response.inputs a unknown",
		"4 response.failures[0].property  unreadable-path",
		"4 response.inputs  inputs-unused",
		"4 response.inputs a kind-changed",
		"4 response.inputs p secret-lost",
		"6 response.properties size preview-differs",
		"7 request.olds  unrecorded-state",
		"8 request.id  unrecorded-id",
		"9 request.args  configured-late",
		"10 response.return a unknown",
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// turn is a call of a session, and what is found of it.
type turn struct {
	request, response rpc.Message
	want              string
}

func TestSession(t *testing.T) {
	u, provider := "urn:pulumi:s::p::a:b:C::n", "urn:pulumi:s::p::pulumi:providers:a::default"
	known, other := one("a", value.String("x")), one("a", value.String("y"))
	asset := one("a", value.TextAsset("x"))
	configure := turn{&rpc.ConfigureRequest{}, &rpc.ConfigureResponse{SupportsPreview: true}, ""}
	create := func(preview bool, id string, inputs, state value.Value, want string) turn {
		return turn{&rpc.CreateRequest{URN: u, Properties: inputs, Preview: preview}, &rpc.CreateResponse{ID: id, Properties: state}, want}
	}
	diff := func(id string, olds value.Value, want string) turn {
		return turn{&rpc.DiffRequest{URN: u, ID: id, Olds: olds}, &rpc.DiffResponse{}, want}
	}
	update := func(olds value.Value, response rpc.Message, want string) turn {
		return turn{&rpc.UpdateRequest{URN: u, ID: "i", Olds: olds, News: known}, response, want}
	}
	remove := func(id string, state value.Value, want string) turn {
		return turn{&rpc.DeleteRequest{URN: u, ID: id, Properties: state}, &rpc.Empty{}, want}
	}
	read := func(state value.Value) turn {
		return turn{&rpc.ReadRequest{URN: u, ID: "i"}, &rpc.ReadResponse{ID: "i", Properties: state}, ""}
	}
	const wrongState, wrongID = "request.olds: unrecorded-state", "request.id: unrecorded-id"
	for name, turns := range map[string][]turn{
		"a life": {
			{&rpc.CheckRequest{URN: provider}, &rpc.CheckResponse{}, ""},
			{&rpc.DiffRequest{URN: provider, ID: "p"}, &rpc.DiffResponse{}, ""},
			configure,
			create(true, "", known, known, ""), create(false, "i", known, known, ""), diff("i", known, ""), update(known, &rpc.UpdateResponse{Properties: other}, ""),
			diff("i", other, ""), remove("i", other, ""), create(false, "j", known, known, ""), diff("j", known, ""), configure,
		},
		"a name like a provider": {
			create(false, "i", known, known, ""),
			{&rpc.CheckRequest{URN: "urn:pulumi:s::p::a:b:C::x::pulumi:providers:a"}, &rpc.CheckResponse{}, ""},
			{&rpc.ConfigureRequest{}, nil, "request.args: configured-late"},
		},
		"only a check of a name like a provider": {
			{&rpc.CheckRequest{URN: "urn:pulumi:s::p::a:b:C::x::pulumi:providers:a"}, &rpc.CheckResponse{}, ""}, {&rpc.ConfigureRequest{}, nil, "request.args: configured-late"},
		},
		"a provider of a component": {
			{&rpc.CheckRequest{URN: "urn:pulumi:s::p::a:b:C$pulumi:providers:a::x"}, &rpc.CheckResponse{}, ""}, configure,
		},
		"another instance later": {configure, create(false, "i", known, known, ""), configure},
		"replaced, then deleted": {configure, diff("i", known, ""), create(false, "j", other, other, ""), remove("i", known, ""), diff("j", other, ""), diff("i", known, wrongID)},
		"another ID":             {create(false, "i", known, known, ""), diff("j", known, wrongID), diff("j", other, "")},
		"another state":          {create(false, "i", known, known, ""), diff("i", other, wrongState), diff("i", other, "")},
		"state of Update":        {create(false, "i", known, known, ""), update(other, &rpc.UpdateResponse{Properties: known}, wrongState), update(known, nil, "")},
		"state of Delete":        {create(false, "i", known, known, ""), remove("i", other, "request.properties: unrecorded-state")},
		"unchanged by Update":    {create(false, "i", known, known, ""), update(known, &rpc.UpdateResponse{Properties: other}, ""), diff("i", known, wrongState)},
		"update failed":          {create(false, "i", known, known, ""), update(known, nil, ""), diff("i", other, "")},
		"update half done":       {create(false, "i", known, known, ""), update(known, &rpc.ErrorResourceInitFailed{ID: "i", Properties: other}, ""), diff("i", known, wrongState)},
		"refreshed or not":       {create(false, "i", known, known, ""), read(other), diff("i", known, ""), diff("i", other, ""), diff("i", asset, ""), diff("i", object(), wrongState)},
		"read from elsewhere":    {read(known), diff("i", other, "")},
		"before the log":         {diff("i", known, ""), diff("j", other, "")},
		"marks that engines add": {create(false, "i", known, known, ""), diff("i", one("a", value.Secret(value.String("x"))), ""), diff("i", object(value.Member{Key: "a", Value: value.String("x")}, value.Member{Key: "n", Value: value.Null()}), "")},
		"left-out contents":      {create(false, "i", asset, asset, ""), diff("i", one("a", value.TextAsset("").WithHash(strings.Repeat("0", 64)).DropContent()), "")},
		"nothing": {
			{nil, nil, ""},
			{(*rpc.CreateRequest)(nil), (*rpc.CreateResponse)(nil), ""},
			{&rpc.CreateRequest{}, nil, ""},
			{&rpc.ReadRequest{}, nil, ""},
			{&rpc.DeleteRequest{}, nil, ""},
			{&rpc.InvokeRequest{}, nil, ""},
		},
	} {
		session(t, name, turns)
	}
}

// creating is a call of Create for one resource.
func creating(preview bool, inputs, state value.Value, want string) turn {
	response := &rpc.CreateResponse{Properties: state}
	if !preview {
		response.ID = "i"
	}

	return turn{&rpc.CreateRequest{URN: "urn:pulumi:s::p::a:b:C::n", Properties: inputs, Preview: preview}, response, want}
}

// TestSessionPreviews: Create and Update return what their previews did.
func TestSessionPreviews(t *testing.T) {
	known, other := one("a", value.String("x")), one("a", value.String("y"))
	update := func(preview bool, state value.Value, want string) turn {
		return turn{&rpc.UpdateRequest{URN: "urn:pulumi:s::p::a:b:C::n", ID: "i", Olds: known, News: known, Preview: preview}, &rpc.UpdateResponse{Properties: state}, want}
	}
	for name, turns := range map[string][]turn{
		"preview that knew":    {creating(true, known, known, ""), creating(false, known, other, "response.properties: a: preview-differs")},
		"preview that did not": {creating(true, known, one("a", value.Unknown()), ""), creating(false, known, other, "")},
		"preview of another":   {creating(true, other, known, ""), creating(false, known, other, "")},
		"preview of Update":    {update(true, known, ""), update(false, other, "response.properties: a: preview-differs")},
		"Update as foretold":   {update(true, other, ""), update(false, other, "")},
		"Update of an unknown": {update(true, one("a", value.Unknown()), ""), update(false, other, "")},
	} {
		session(t, name, turns)
	}
}

// TestSessionConfigured: after the handshake comes Configure, before anything else.
func TestSessionConfigured(t *testing.T) {
	u, provider := "urn:pulumi:s::p::a:b:C::n", "urn:pulumi:s::p::pulumi:providers:a::default"
	known := one("a", value.String("x"))
	handshake := turn{&rpc.ProviderHandshakeRequest{}, &rpc.ProviderHandshakeResponse{}, ""}
	configure := turn{newEngine(), &rpc.ConfigureResponse{SupportsPreview: true}, ""}

	for name, turns := range map[string][]turn{
		"never configured": {
			handshake,
			{&rpc.CheckRequest{URN: provider}, &rpc.CheckResponse{}, ""},
			{&rpc.CheckRequest{URN: u, News: known}, &rpc.CheckResponse{Inputs: known}, "request.urn: not-configured"},
			creating(false, known, known, ""), handshake, creating(false, known, known, ""),
		},
		"never configured, a function":   {handshake, {&rpc.InvokeRequest{Tok: "a:b:f"}, &rpc.InvokeResponse{}, "request.tok: not-configured"}},
		"a component's method":           {handshake, {&rpc.CallRequest{Tok: "a:b:f"}, &rpc.CallResponse{}, "request.tok: not-configured"}},
		"configured after the handshake": {handshake, handshake, configure, creating(false, known, known, "")},
		"a handshake to read the schema": {configure, creating(false, known, known, ""), handshake, {&rpc.GetSchemaRequest{}, &rpc.GetSchemaResponse{}, ""}, creating(false, known, known, "")},
		"a log that begins late":         {creating(false, known, known, "")},
	} {
		session(t, name, turns)
	}

	for _, first := range []rpc.Message{
		&rpc.CheckRequest{URN: u}, &rpc.DiffRequest{URN: u}, &rpc.CreateRequest{URN: u}, &rpc.ReadRequest{URN: u}, &rpc.UpdateRequest{URN: u},
		&rpc.DeleteRequest{URN: u}, &rpc.InvokeRequest{}, &rpc.CallRequest{}, &rpc.ConstructRequest{},
	} {
		session(t, "configured after "+rpc.Name(first), []turn{{first, nil, ""}, {&rpc.ConfigureRequest{}, nil, "request.args: configured-late"}, configure})
	}
}

// TestSessionPromises: what a preview returns, the operation returns too.
func TestSessionPromises(t *testing.T) {
	u := "urn:pulumi:s::p::a:b:C::n"
	known, other := one("a", value.String("x")), one("a", value.String("y"))

	for name, turns := range map[string][]turn{
		"a preview that promised more":     {creating(true, known, obj("a", str("x"), "arn", str("y")), ""), creating(false, known, known, "response.properties: arn: preview-differs")},
		"a preview that promised a null":   {creating(true, known, obj("a", str("x"), "arn", value.Null()), ""), creating(false, known, known, "")},
		"a preview that did not know more": {creating(true, known, obj("a", str("x"), "arn", value.Unknown()), ""), creating(false, known, known, "")},
		"promised by a secret preview":     {creating(true, known, sec(obj("a", str("x"), "arn", str("y"))), ""), creating(false, known, known, "response.properties: preview-differs; response.properties: [secret]: preview-differs")},
		"a preview that left out":          {creating(true, known, known, ""), creating(false, known, obj("a", str("x"), "arn", str("y")), "")},
		"beside an unknown": {
			creating(true, known, obj("o", obj("a", value.Unknown(), "b", arr(str("x"), value.Unknown()))), ""),
			creating(false, known, obj("o", obj("b", arr(str("z"), str("y")), "c", str("c"))), "response.properties: o.b[0]: preview-differs; response.properties: o.c: preview-differs"),
		},
		"a secret that comes in clear":            {creating(true, known, one("a", sec(value.Unknown())), ""), creating(false, known, known, "response.properties: a: preview-differs")},
		"a value that became secret":              {creating(true, known, known, ""), creating(false, known, one("a", sec(value.String("x"))), "")},
		"a secret that comes otherwise, in clear": {creating(true, known, one("a", sec(value.String("y"))), ""), creating(false, known, known, "response.properties: a: preview-differs")},
		"promised by a preview of Update": {
			creating(false, known, known, ""),
			{&rpc.UpdateRequest{URN: u, ID: "i", Olds: known, News: other, Preview: true}, &rpc.UpdateResponse{Properties: obj("a", str("y"), "arn", str("y"))}, ""},
			{&rpc.UpdateRequest{URN: u, ID: "i", Olds: known, News: other}, &rpc.UpdateResponse{Properties: other}, "response.properties: arn: preview-differs"},
		},
		"a long name that was promised": {creating(true, known, obj("a", str("x"), strings.Repeat("n", 1000), str("y")), ""), creating(false, known, known, "response.properties: "+strings.Repeat("n", 1000)+": preview-differs")},
		"half done, and not all that was promised": {
			creating(true, known, obj("a", str("x"), "arn", str("y")), ""),
			{&rpc.CreateRequest{URN: u, Properties: known}, &rpc.ErrorResourceInitFailed{ID: "i", Properties: known}, ""},
		},
	} {
		session(t, name, turns)
	}
}

// session checks what a session finds of its calls.
func session(t *testing.T, name string, turns []turn) {
	t.Helper()
	var s check.Session
	for i, each := range turns {
		var got []string
		for _, v := range s.Add(each.request, each.response) {
			text := v.In
			if at := v.At.String(); at != "" {
				text += ": " + at
			}
			got = append(got, text+": "+v.Code)
		}
		if text := strings.Join(got, "; "); text != each.want {
			t.Errorf("%s, call %d: %q, want %q", name, i+1, text, each.want)
		}
	}
}

// Inputs go from Check to Diff, Create and Update, and are old ones afterwards.
func TestSessionInputs(t *testing.T) {
	u := "urn:pulumi:s::p::a:b:C::n"
	known, other := one("a", value.String("x")), one("a", value.String("y"))
	create := func(inputs value.Value, want string) turn {
		return turn{&rpc.CreateRequest{URN: u, Properties: inputs}, &rpc.CreateResponse{ID: "i", Properties: known}, want}
	}
	null, provider := value.Null(), "urn:pulumi:s::p::pulumi:providers:a::default"
	checked := func(news, returned value.Value, want string) turn {
		return turn{&rpc.CheckRequest{URN: u, News: news}, &rpc.CheckResponse{Inputs: returned}, want}
	}
	recheck := func(olds value.Value, want string) turn {
		return turn{&rpc.CheckRequest{URN: u, Olds: olds, News: known}, &rpc.CheckResponse{Inputs: known}, want}
	}
	inputs := func(old, news value.Value, want string) turn {
		return turn{&rpc.DiffRequest{URN: u, OldInputs: old, News: news}, &rpc.DiffResponse{}, want}
	}
	for name, turns := range map[string][]turn{
		"checked otherwise": {
			checked(known, known, ""), checked(known, other, "response.inputs: check-differs"), checked(other, known, ""), checked(other, known, ""),
			{&rpc.CheckRequest{URN: u, News: other, RandomSeed: rpc.Hide(make([]byte, 32))}, &rpc.CheckResponse{Inputs: other}, ""},
			{&rpc.CheckRequest{URN: u, News: other, RandomSeed: rpc.Hide(make([]byte, 32)), Autonaming: &rpc.AutonamingOptions{ProposedName: "x"}}, &rpc.CheckResponse{Inputs: known}, ""},
			{&rpc.CheckRequest{URN: u, News: other, RandomSeed: rpc.Hide(make([]byte, 32)), Autonaming: &rpc.AutonamingOptions{ProposedName: "x"}}, &rpc.CheckResponse{Failures: []rpc.CheckFailure{{Reason: "r"}}}, ""},
		},
		"inputs of Check":             {checked(known, known, ""), inputs(null, known, ""), create(known, "")},
		"other inputs":                {checked(known, known, ""), inputs(null, other, "request.news: unchecked-inputs"), inputs(null, other, "")},
		"other inputs for Create":     {checked(known, known, ""), create(other, "request.properties: unchecked-inputs")},
		"other inputs for Update":     {checked(other, other, ""), {&rpc.UpdateRequest{URN: u, ID: "i", Olds: known, News: known}, &rpc.UpdateResponse{Properties: other}, "request.news: unchecked-inputs"}},
		"checked, then refreshed":     {checked(known, known, ""), {&rpc.ReadRequest{URN: u, ID: "i"}, &rpc.ReadResponse{ID: "i", Properties: known}, ""}, inputs(null, other, "")},
		"unknown inputs":              {checked(one("a", value.Unknown()), one("a", value.Unknown()), ""), inputs(null, other, "")},
		"old inputs":                  {create(known, ""), inputs(known, other, ""), inputs(other, known, ""), inputs(object(), known, "request.old_inputs: unrecorded-inputs"), inputs(object(), known, "")},
		"old inputs of Check":         {checked(known, known, ""), create(known, ""), recheck(known, ""), recheck(other, "request.olds: unrecorded-inputs"), recheck(other, "")},
		"old inputs of Check, others": {checked(one("b", value.Number(1)), known, ""), create(known, ""), recheck(one("b", value.Number(1)), "request.olds: unrecorded-inputs")},
		"old inputs of Check, before": {recheck(other, ""), create(known, ""), recheck(known, "")},
		"to be replaced":              {create(known, ""), recheck(known, ""), recheck(null, "")},
		"old inputs of Check that are read": {
			create(known, ""),
			{&rpc.ReadRequest{URN: u, ID: "i", Inputs: known, Properties: known}, &rpc.ReadResponse{ID: "i", Inputs: other, Properties: known}, ""},
			recheck(other, ""), recheck(known, ""), recheck(object(), "request.olds: unrecorded-inputs"),
		},
		"imported": {
			{&rpc.ReadRequest{URN: u, ID: "i"}, &rpc.ReadResponse{ID: "i", Inputs: known, Properties: known}, ""}, recheck(known, ""), recheck(other, "request.olds: unrecorded-inputs"),
		},
		"imported, with other inputs": {
			{&rpc.ReadRequest{URN: u, ID: "i"}, &rpc.ReadResponse{ID: "i", Inputs: known, Properties: known}, ""}, recheck(other, "request.olds: unrecorded-inputs"),
		},
		"imported without inputs": {{&rpc.ReadRequest{URN: u, ID: "i"}, &rpc.ReadResponse{ID: "i", Properties: known}, ""}, recheck(other, "")},
		"a provider, checked again": {
			{&rpc.CheckRequest{URN: provider, News: known}, &rpc.CheckResponse{Inputs: known}, ""}, {&rpc.CheckRequest{URN: provider, Olds: known, News: known}, &rpc.CheckResponse{Inputs: known}, ""},
		},
		"old inputs of before":     {inputs(other, known, ""), inputs(known, other, ""), inputs(object(), known, "")},
		"old inputs with assets":   {create(one("a", value.TextAsset("x")), ""), inputs(known, other, "")},
		"old inputs of Update":     {create(known, ""), {&rpc.UpdateRequest{URN: u, ID: "i", Olds: known, OldInputs: other, News: known}, &rpc.UpdateResponse{Properties: known}, "request.old_inputs: unrecorded-inputs"}},
		"old inputs of Delete":     {create(known, ""), {&rpc.DeleteRequest{URN: u, ID: "i", Properties: known, OldInputs: other}, &rpc.Empty{}, "request.old_inputs: unrecorded-inputs"}},
		"old inputs that are read": {create(known, ""), {&rpc.ReadRequest{URN: u, ID: "i", Inputs: known, Properties: known}, &rpc.ReadResponse{ID: "i", Inputs: other, Properties: known}, ""}, inputs(object(), known, "request.old_inputs: unrecorded-inputs")},
	} {
		session(t, name, turns)
	}

	last := []turn{create(known, "")}
	for i := range 8 {
		last = append(last, inputs(null, one("a", value.Number(float64(i))), ""))
	}

	again := []turn{create(known, "")}
	for i := range 10 {
		again = append(again, inputs(known, one("a", value.Number(float64(i))), ""))
	}
	session(t, "old ones that come again are kept", again)
	session(t, "only the last eight are kept", append(last, inputs(known, other, "request.old_inputs: unrecorded-inputs")))
}

// A session follows the calls for a resource from one to the next.
func ExampleSession() {
	const urn = "urn:pulumi:dev::shop::aws:s3/bucket:Bucket::logs"
	made := value.Object(value.Member{Key: "name", Value: value.String("logs")})
	edited := value.Object(value.Member{Key: "name", Value: value.String("images")})

	var s check.Session
	s.Add(&rpc.ConfigureRequest{}, &rpc.ConfigureResponse{})
	s.Add(&rpc.CreateRequest{URN: urn, Properties: made}, &rpc.CreateResponse{ID: "b-1", Properties: made})
	for _, v := range s.Add(&rpc.DiffRequest{URN: urn, ID: "b-1", Olds: edited, News: made}, &rpc.DiffResponse{}) {
		fmt.Println(v)
	}
	// Output:
	// note: request.olds: unrecorded-state: unrecorded state (Create, Read and Update return the state of a resource); unless the state was edited by hand, look for the call that returned it
}

// TestSessionCheck: one call says what Violations, Validate and Add say.
func TestSessionCheck(t *testing.T) {
	const u = "urn:pulumi:s::p::a:b:C::n"
	old, now := obj("a", str("x"), "b", str("x")), obj("a", str("X"), "b", str("y"))
	request := &rpc.DiffRequest{URN: u, Name: "m", ID: "i", Olds: old, OldInputs: old, News: now, IgnoreChanges: []string{"b"}}
	equal := provider.Differ{Equality: equality.MustRules(equality.Rule{Pattern: path.MustParsePattern("a"), Form: equality.FoldCase})}
	var session check.Session
	for _, row := range []struct {
		o    provider.Differ
		want string
	}{
		{provider.Differ{}, "urn-mismatch unreported none-while-differ configured"},
		{equal, "urn-mismatch configured"},
	} {
		session = check.Session{}
		session.Add(&rpc.ProviderHandshakeRequest{}, nil)
		var got []string
		for _, f := range session.Check(request, &rpc.DiffResponse{Changes: rpc.DiffNone}, row.o) {
			got = append(got, strings.TrimPrefix(f.Code, "not-"))
		}
		if text := strings.Join(got, " "); text != row.want {
			t.Errorf("%s, want %s", text, row.want)
		}
	}
}
