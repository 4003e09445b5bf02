package codec_test

import (
	"errors"
	"slices"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/value"
)

// lowering is a value and what becomes of it, or the error and its place.
type lowering struct {
	at   string
	v    value.Value
	o    codec.Options
	want value.Value
	err  error
	path string
}

func markLowerings() []lowering {
	unknownID := value.ResourceReference{URN: urnA, ID: value.UnknownID()}
	unknown, dep := value.Unknown(), num(1).WithDependencies("u")
	lower, reject := codec.Lower, codec.Reject
	nested := value.Secret(object(member("a", value.Secret(num(1))), member("b", value.Secret(value.Null())), member("n", value.Null())))
	return []lowering{
		{here(), unknown, codec.Options{Unknowns: lower}, value.Null(), nil, ""},
		{here(), object(member("a", unknown), member("b", value.Array(unknown, num(1)))), codec.Options{Unknowns: lower}, object(member("b", value.Array(value.Null(), num(1)))), nil, ""},
		{here(), object(member("a", value.Secret(unknown)), member("b", unknown.WithDependencies("u"))), codec.Options{Unknowns: lower}, object(), nil, ""},
		{here(), object(member("b", value.Array(num(1), unknown))), codec.Options{Unknowns: reject}, unknown, codec.ErrPolicy, "b[1]"},
		{here(), unknownID.Value(), codec.Options{Unknowns: reject}, unknownID.Value(), nil, ""},
		{here(), value.Array(value.UnknownOf(value.KindBool)), codec.Options{Outputs: lower, Secrets: lower}, value.Array(value.UnknownOf(value.KindBool)), nil, ""},

		{here(), nested, codec.Options{Secrets: lower}, object(member("a", num(1)), member("b", value.Null()), member("n", value.Null())), nil, ""},
		{here(), nested, codec.Options{Secrets: lower, Nulls: lower}, object(member("a", num(1))), nil, ""},
		{here(), nested, codec.Options{Nulls: lower}, value.Secret(object(member("a", value.Secret(num(1))), member("b", value.Secret(value.Null())))), nil, ""},
		{here(), object(member("x", nested)), codec.Options{Secrets: reject}, unknown, codec.ErrPolicy, "x"},
		{here(), value.Array(value.Sealed{Ciphertext: "c"}.Value()), codec.Options{Secrets: lower, Form: codec.FormSealed}, unknown, codec.ErrSealed, "[0]"},
		{here(), value.Array(value.Sealed{Ciphertext: "c"}.Value()), codec.Options{Nulls: lower, Form: codec.FormSealed}, value.Array(value.Sealed{Ciphertext: "c"}.Value()), nil, ""},
		{here(), value.Secret(object(member("a", value.Array(object(member("n", value.Null())))))), codec.Options{Nulls: lower}, value.Secret(object(member("a", value.Array(object())))), nil, ""},
		{here(), value.Secret(value.Array(value.Array(num(1)), dep)), codec.Options{Outputs: lower}, value.Secret(value.Array(value.Array(num(1)), num(1))), nil, ""},

		{here(), value.Array(value.Secret(dep), value.Secret(unknown.WithDependencies("u"))), codec.Options{Secrets: lower}, value.Array(value.Secret(dep), value.Secret(unknown.WithDependencies("u"))), nil, ""},
		{here(), value.Secret(value.Array(value.Secret(num(1)), dep)).WithDependencies("v"), codec.Options{Secrets: lower}, value.Secret(value.Array(num(1), dep)).WithDependencies("v"), nil, ""},
		{here(), value.Secret(dep), codec.Options{Secrets: lower, Outputs: lower}, num(1), nil, ""},
		{here(), value.Array(dep), codec.Options{Outputs: lower}, value.Array(num(1)), nil, ""},
		{here(), value.Secret(value.Array(dep)).WithDependencies("v"), codec.Options{Outputs: lower}, value.Secret(value.Array(num(1))), nil, ""},
		{here(), unknown.WithDependencies("u"), codec.Options{Outputs: lower}, unknown, nil, ""},
		{here(), object(member("x", value.Array(dep))), codec.Options{Outputs: reject}, unknown, codec.ErrPolicy, "x[0]"},
		{here(), object(member("x", value.Array(num(2)).WithDependencies("u"))), codec.Options{Outputs: reject}, unknown, codec.ErrPolicy, "x"},
	}
}

func contentLowerings(t *testing.T) []lowering {
	t.Helper()
	ref := value.ResourceReference{URN: urnA}
	withID, unknownID := ref, ref
	withID.ID, unknownID.ID = value.KnownID("i"), value.UnknownID()
	lower, reject := codec.Lower, codec.Reject
	unknown, dep, hashed := value.Unknown(), num(1).WithDependencies("u"), value.TextAsset("hello")
	return []lowering{
		{here(), value.Array(hashed, value.Secret(hashed)), codec.Options{Assets: lower}, value.Array(value.TextAsset("").WithHash(hash).DropContent(), value.Secret(value.TextAsset("").WithHash(hash).DropContent())), nil, ""},
		{here(), value.TextAsset(""), codec.Options{Assets: lower}, value.TextAsset(""), nil, ""},
		{here(), value.Array(value.FileAsset("p")), codec.Options{Assets: lower}, unknown, codec.ErrPolicy, "[0]"},
		{here(), literal(t, member("a", hashed)).WithHash("H").WithDependencies("u"), codec.Options{Assets: lower}, value.FileArchive("").WithHash("H").DropContent().WithDependencies("u"), nil, ""},
		{here(), literal(t), codec.Options{Assets: lower}, literal(t), nil, ""},
		{here(), value.Array(value.URIArchive("u")), codec.Options{Assets: lower}, unknown, codec.ErrPolicy, "[0]"},
		{here(), object(member("a", hashed)), codec.Options{Assets: reject}, unknown, codec.ErrPolicy, "a"},
		{here(), object(member("a", value.FileArchive("").WithHash("h").DropContent())), codec.Options{Assets: reject}, unknown, codec.ErrPolicy, "a"},

		{here(), value.Array(ref.Value(), withID.Value(), unknownID.Value()), codec.Options{References: lower}, value.Array(str(urnA), str("i"), unknown), nil, ""},
		{here(), object(member("a", unknownID.Value()), member("b", value.Secret(withID.Value()))), codec.Options{References: lower, Unknowns: lower}, object(member("b", value.Secret(str("i")))), nil, ""},
		{here(), value.Array(unknownID.Value()), codec.Options{References: lower, Unknowns: reject}, unknown, codec.ErrPolicy, "[0]"},
		{here(), value.Array(ref.Value()), codec.Options{References: reject}, unknown, codec.ErrPolicy, "[0]"},

		{here(), object(member("a", value.Null()), member("b", value.Array(value.Null(), object(member("c", value.Null()))))), codec.Options{Nulls: lower}, object(member("b", value.Array(value.Null(), object()))), nil, ""},
		{here(), value.Null(), codec.Options{Nulls: reject}, value.Null(), nil, ""},
		{here(), object(member("a", value.Array(value.Null(), object(member("c", value.Null()))))), codec.Options{Nulls: reject}, unknown, codec.ErrPolicy, "a[1].c"},
		{here(), object(member("a", value.Null().WithDependencies("u"))), codec.Options{Nulls: reject}, object(member("a", value.Null().WithDependencies("u"))), nil, ""},

		{here(), object(member("__a", num(1)), member("_b", num(2)), member("c", object(member("__d", num(3))))), codec.Options{Internal: lower}, object(member("_b", num(2)), member("c", object(member("__d", num(3))))), nil, ""},
		{here(), object(member("__a", num(1)), member("c", object(member("__d", num(3))))), codec.Options{Internal: lower, Nulls: lower}, object(member("c", object(member("__d", num(3))))), nil, ""},
		{here(), object(member("__a", unknown), member("__b", value.Array(value.FileAsset("p"))), member("__c", value.Secret(num(1)))), codec.Options{Internal: lower, Unknowns: reject, Assets: reject, Secrets: reject}, object(), nil, ""},
		{here(), object(member("__a", value.FileAsset("p")), member("__b", dep), member("__c", ref.Value()), member("__d", value.Null())), codec.Options{Internal: lower, Assets: lower, Outputs: reject, References: reject, Nulls: reject}, object(), nil, ""},
		{here(), object(member("a", object(member("__a", unknown)))), codec.Options{Internal: lower, Unknowns: reject}, unknown, codec.ErrPolicy, "a.__a"},
		{here(), object(member("__defaults", value.Array())), codec.Options{Internal: reject}, unknown, codec.ErrPolicy, "__defaults"},
		{here(), value.Array(object(member("__a", num(1)))), codec.Options{Internal: reject}, value.Array(object(member("__a", num(1)))), nil, ""},
	}
}

// A policy means the same on the way out and on the way in.
func TestPolicies(t *testing.T) {
	for _, row := range slices.Concat(markLowerings(), contentLowerings(t)) {
		form := codec.Options{Form: codec.FormSealed}
		wire := encode(t, row.v, form)
		in, errIn := codec.DecodeJSONValue([]byte(wire), row.o)
		out, errOut := codec.AppendJSONValue(nil, row.v, row.o)
		if row.err != nil {
			for _, err := range []error{errIn, errOut} {
				if e := failure(t, err); !errors.Is(err, row.err) || e.At.String() != row.path {
					t.Errorf("%s: got %v", row.at, err)
				}
			}
			continue
		}
		if errIn != nil || !in.Identical(row.want) {
			t.Errorf("%s: reading gave %s, %v", row.at, encode(t, in, form), errIn)
		}
		if want := encode(t, row.want, form); errOut != nil || string(out) != want {
			t.Errorf("%s: writing gave %s, %v; want %s", row.at, out, errOut, want)
		}
	}
}

func TestByteStringPolicy(t *testing.T) {
	o := codec.Options{ByteStrings: codec.Reject}
	_, err := codec.DecodeJSONValue([]byte(`[{`+asByteString+`,"value":"/w=="}]`), o)
	if e := failure(t, err); !errors.Is(err, codec.ErrPolicy) || e.At.String() != "[0]" || e.Offset != 1 {
		t.Errorf("got %v", err)
	}
}

// Of a part of a secret the mark counts that it has from above.
func TestPolicyOnHandle(t *testing.T) {
	part := value.Secret(object(member("a", value.Array(num(1))))).Field("a")
	if got := encode(t, part, codec.Options{Secrets: codec.Lower}); got != `[1]` {
		t.Errorf("lowered: %s", got)
	}
	if _, err := codec.AppendJSONValue(nil, part, codec.Options{Secrets: codec.Reject}); !errors.Is(err, codec.ErrPolicy) {
		t.Errorf("rejected: %v", err)
	}
	if got := encode(t, part, codec.Options{Nulls: codec.Lower}); got != `{`+asSecret+`,"value":[1]}` {
		t.Errorf("kept: %s", got)
	}
}

func TestFeatures(t *testing.T) {
	all := codec.AcceptSecrets | codec.AcceptResources | codec.AcceptOutputs | codec.AcceptByteStrings
	if got := all.Options(); got != (codec.Options{}) {
		t.Errorf("of all: %+v", got)
	}
	want := codec.Options{Secrets: codec.Lower, References: codec.Lower, Outputs: codec.Lower, ByteStrings: codec.Reject}
	if got := codec.Features(0).Options(); got != want {
		t.Errorf("of none: %+v", got)
	}
	want = codec.Options{References: codec.Lower, ByteStrings: codec.Reject}
	if got := (codec.AcceptSecrets | codec.AcceptOutputs).Options(); got != want {
		t.Errorf("of two: %+v", got)
	}
}

func TestNames(t *testing.T) {
	for _, row := range []struct{ at, got, want string }{
		{here(), codec.FormWire.String() + codec.FormSealed.String() + codec.FormMasked.String() + codec.FormState.String() + codec.Form(9).String(), "wiresealedmaskedstateinvalid form"},
	} {
		if row.got != row.want {
			t.Errorf("%s: %s", row.at, row.got)
		}
	}
}

// Every reader asks the options what byte strings and ciphertexts become.
func TestOptionsOfEveryReader(t *testing.T) {
	texts := [2]string{`{"l":[{` + asByteString + `,"value":"/w=="}]}`, `{"l":[{` + asSecret + `,"ciphertext":"v1:abc"}]}`}
	sealed := object(member("l", value.Array(value.Sealed{Ciphertext: "v1:abc", Provider: "passphrase"}.Value())))
	var messages [2]structpb.Struct
	var data [2][]byte
	for i, text := range texts {
		if err := messages[i].UnmarshalJSON([]byte(text)); err != nil {
			t.Fatal(err)
		}
		data[i], _ = proto.Marshal(&messages[i])
	}
	o := codec.Options{ByteStrings: codec.Reject, Provider: "passphrase"}
	for name, read := range map[string]func(i int) (value.Value, error){
		"DecodeJSON":  func(i int) (value.Value, error) { return codec.DecodeJSONValue([]byte(texts[i]), o) },
		"Decode":      func(i int) (value.Value, error) { return codec.Decode(data[i], o) },
		"FromMessage": func(i int) (value.Value, error) { return codec.FromMessage(&messages[i], o) },
	} {
		if _, err := read(0); !errors.Is(err, codec.ErrPolicy) || failure(t, err).At.String() != "l[0]" {
			t.Errorf("%s: a byte string: %v", name, err)
		}
		if v, err := read(1); err != nil || !v.Identical(sealed) {
			t.Errorf("%s: a ciphertext: %v", name, err)
		}
	}
}
