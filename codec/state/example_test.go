package state_test

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

const stack = `{
  "version": 3,
  "deployment": {
    "manifest": {"time": "2024-01-01T00:00:00Z", "magic": "", "version": "v3.100.0"},
    "secrets_providers": {"type": "passphrase"},
    "resources": [
      {"urn": "urn:pulumi:dev::shop::pulumi:pulumi:Stack::shop-dev", "custom": false, "type": "pulumi:pulumi:Stack"},
      {"urn": "urn:pulumi:dev::shop::random:index/randomPassword:RandomPassword::pw", "custom": true,
       "id": "none", "type": "random:index/randomPassword:RandomPassword", "newerThanThis": {"answer": 42},
       "inputs": {"length": 12},
       "outputs": {"result": {"4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", "ciphertext": "v1:abc"}}}
    ]
  }
}`

func ExampleParse() {
	file, err := state.Parse([]byte(stack), state.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for r, err := range file.Resources() {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(r.Type, r.Custom, r.Inputs, r.Outputs)
	}
	// Output:
	// pulumi:pulumi:Stack false null null
	// random:index/randomPassword:RandomPassword true {length: 12} {result: [secret]}
}

func ExampleFile() {
	file, err := state.Parse(stack, state.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(file.Shape(), file.Version(), file.Provider(), file.Len())
	for _, f := range file.Fields() {
		fmt.Println(f.Name)
	}
	// Output:
	// stack export 3 passphrase 2
	// manifest
	// secrets_providers
}

func ExampleResource() {
	file, _ := state.Parse([]byte(stack), state.Options{})
	for r, err := range file.Resources() {
		if err == nil && r.Custom {
			sealed, ok := r.Outputs.Field("result").AsSealed()
			fmt.Println(r.ID, sealed.Provider, ok)
		}
	}
	// Output: none passphrase true
}

// What the package does not interpret is kept as it stands.
func ExampleField() {
	file, _ := state.Parse([]byte(stack), state.Options{})
	for r := range file.Resources() {
		for _, f := range r.Extra {
			fmt.Println(f.Name, f.RevealText())
		}
	}
	// Output: newerThanThis {"answer": 42}
}

func ExampleIsState() {
	fmt.Println(state.IsState([]byte(stack)), state.IsState([]byte(`{"bucket": "b", "version": 3}`)))
	// Output: true false
}

func ExampleFile_Shape() {
	file, _ := state.Parse([]byte(`{"target": "dev", "latest": {"resources": []}}`), state.Options{})
	fmt.Println(file.Shape())
	// Output: old checkpoint
}

// Numbers that a double cannot hold are rounded, and listed with the resource.
func ExampleOptions() {
	text := `{"resources": [{"urn": "urn:pulumi:dev::shop::a:b:C::n", "inputs": {"id": 9007199254740993}}]}`
	file, _ := state.Parse([]byte(text), state.Options{Codec: codec.Options{RoundNumbers: true}})
	for r, err := range file.Resources() {
		fmt.Println(r.Inputs, r.InputsReport.Rounded[0].At, err)
	}
	// Output: {id: 9007199254740992} id <nil>
}

func ExampleError() {
	_, err := state.Parse([]byte(stack[:400]), state.Options{})
	var e *state.Error
	if errors.As(err, &e) && errors.Is(err, codec.ErrSyntax) {
		fmt.Println(e.Offset, e.Resources)
	}
	fmt.Println(err)
	// Output:
	// 400 1
	// state: offset 400, after 1 resource: syntax error: expected end of string, found end of input
}

// passphrase stands for what decrypts and encrypts: it sees all texts at once.
type passphrase struct{}

func (passphrase) Decrypt(ciphertexts []string) ([]string, error) {
	fmt.Println("decrypting", len(ciphertexts))
	plain := make([]string, len(ciphertexts))
	for i := range plain {
		plain[i] = `"hunter2"`
	}
	return plain, nil
}

func (passphrase) Encrypt(plaintexts []string) ([]string, error) {
	fmt.Println("encrypting", len(plaintexts))
	ciphers := make([]string, len(plaintexts))
	for i := range ciphers {
		ciphers[i] = fmt.Sprintf("v1:%d", i)
	}
	return ciphers, nil
}

// All secrets of a file are decrypted in one call.
func ExampleDecrypter() {
	file, err := state.Parse([]byte(stack), state.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	file, err = file.Decrypt(passphrase{})
	if err != nil {
		fmt.Println(err) // one line; nothing was decrypted halfway
		return
	}
	r, found, err := file.Find("urn:pulumi:dev::shop::random:index/randomPassword:RandomPassword::pw")
	fmt.Println(r.Outputs, found, err)
	password, _ := r.Outputs.Field("result").AsString()
	fmt.Println(password)
	// Output:
	// decrypting 1
	// {result: [secret]} true <nil>
	// hunter2
}

// A file of any size is read one resource at a time, and the secrets of many
// are decrypted in one call.
func ExampleReader() {
	reader := state.NewReader(strings.NewReader(stack), state.Options{})
	var batch []state.Resource
	flush := func() {
		opened, err := reader.Decrypt(batch, passphrase{})
		if err != nil {
			fmt.Println(err)
		}
		for _, r := range opened {
			fmt.Println(r.Number, r.Type, r.Outputs)
		}
		batch = batch[:0]
	}
	for r, err := range reader.Resources() {
		if err != nil {
			fmt.Println(err)
			return
		}
		if batch = append(batch, r); len(batch) == 1000 {
			flush()
		}
	}
	flush()
	fmt.Println(reader.Document().Provider())
	// Output:
	// decrypting 1
	// 0 pulumi:pulumi:Stack null
	// 1 random:index/randomPassword:RandomPassword {result: [secret]}
	// passphrase
}

// Bags go back to how state files hold them: encrypted in one call, or, without
// an Encrypter, readable.
func ExampleEncrypter() {
	bag := value.Object(value.Member{Key: "password", Value: value.Secret(value.String("hunter2"))})
	for _, e := range []state.Encrypter{passphrase{}, nil} {
		texts, err := state.EncodeBags([]value.Value{bag}, e, codec.Options{})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(string(texts[0]))
	}
	// Output:
	// encrypting 1
	// {"password":{"4dabf18193072939515e22adb298388d":"1b47061264138c4ac30d75fd1eb44270","ciphertext":"v1:0"}}
	// {"password":{"4dabf18193072939515e22adb298388d":"1b47061264138c4ac30d75fd1eb44270","plaintext":"\"hunter2\""}}
}

func ExampleDecryptBags() {
	bag, _ := codec.DecodeJSON([]byte(`{"a":{"4dabf18193072939515e22adb298388d":"1b47061264138c4ac30d75fd1eb44270","ciphertext":"v1:x"}}`), codec.Options{})
	opened, err := state.DecryptBags([]value.Value{bag}, passphrase{}, codec.Options{})
	fmt.Println(opened, err)
	// Output:
	// decrypting 1
	// [{a: [secret]}] <nil>
}

const interrupted = `{"version": 3, "deployment": {
  "manifest": {"time": "2026-01-01T00:00:00Z", "version": "v3.259.0", "plugins": [{"name": "aws", "type": "resource", "version": "6.1.0"}]},
  "resources": [{"urn": "urn:pulumi:dev::shop::a:b:C::db", "customTimeouts": {"create": 600}}],
  "pending_operations": [{"type": "creating", "resource": {"urn": "urn:pulumi:dev::shop::a:b:C::web"}}],
  "metadata": {"integrity_error": {"version": "v3.259.0", "error": "a resource depends on one that is gone"}}
}}`

func ExampleManifest() {
	file, _ := state.Parse([]byte(interrupted), state.Options{})
	manifest, err := file.Manifest()
	fmt.Println(manifest.Time.Year(), manifest.Version, err)
	// Output: 2026 v3.259.0 <nil>
}

func ExamplePlugin() {
	file, _ := state.Parse([]byte(interrupted), state.Options{})
	manifest, _ := file.Manifest()
	for _, p := range manifest.Plugins {
		fmt.Println(p.Type, p.Name, p.Version)
	}
	// Output: resource aws 6.1.0
}

func ExampleOperation() {
	file, _ := state.Parse([]byte(interrupted), state.Options{})
	for op, err := range file.PendingOperations() {
		fmt.Println(op.Type, op.Resource.URN, err)
	}
	// Output: creating urn:pulumi:dev::shop::a:b:C::web <nil>
}

// What an engine says of its own errors may hold anything, and is secret.
func ExampleIntegrityError() {
	file, _ := state.Parse([]byte(interrupted), state.Options{})
	broken, found, err := file.IntegrityError()
	fmt.Println(broken.Version, broken.Error, found, err)
	// Output: v3.259.0 [secret] true <nil>
}

func ExampleCustomTimeouts() {
	file, _ := state.Parse([]byte(interrupted), state.Options{})
	for r := range file.Resources() {
		fmt.Println(r.CustomTimeouts.Create, "seconds")
	}
	// Output: 600 seconds
}

// Which resources of two large exports differ, without holding either of them in
// memory: other hashes are other texts. [state.Compare] compares the others.
func ExampleEntry() {
	was := map[string]state.Entry{}
	for e, err := range state.NewReader(strings.NewReader(before), state.Options{}).Entries() {
		if err != nil {
			fmt.Println(err)
			return
		}
		was[e.URN] = e
	}
	for e, err := range state.NewReader(strings.NewReader(after), state.Options{}).Entries() {
		if err != nil {
			fmt.Println(err)
			return
		}
		if e.Hash != was[e.URN].Hash {
			fmt.Println(e.URN)
		}
	}
	// Output:
	// urn:pulumi:dev::shop::a:b:C::db
	// urn:pulumi:dev::shop::a:b:C::cache
}

// Two versions of a stack, for examples of comparisons.
const (
	before = `{"version":3,"deployment":{"resources":[
		{"urn":"urn:pulumi:dev::shop::a:b:C::web","type":"a:b:C","inputs":{"size":1}},
		{"urn":"urn:pulumi:dev::shop::a:b:C::db","type":"a:b:C","inputs":{"size":2}},
		{"urn":"urn:pulumi:dev::shop::a:b:C::mail","type":"a:b:C"}]}}`
	after = `{"version":3,"deployment":{"resources":[
		{"urn":"urn:pulumi:dev::shop::a:b:C::web","type":"a:b:C","inputs":{"size":1}},
		{"urn":"urn:pulumi:dev::shop::a:b:C::db","type":"a:b:C","inputs":{"size":3},"protect":true},
		{"urn":"urn:pulumi:dev::shop::a:b:C::cache","type":"a:b:C","inputs":{"size":4}}]}}`
)

// What changed between two stack exports, which may be larger than the memory.
func ExampleCompare() {
	c, err := state.Compare(strings.NewReader(before), strings.NewReader(after), state.CompareOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}

	fmt.Println(c.NumEqual(), "unchanged")

	for d, err := range c.Resources() {
		if err != nil {
			fmt.Println(err)
			return
		}

		switch d.Outcome {
		case state.Created:
			fmt.Println("created", d.New.URN)
		case state.Deleted:
			fmt.Println("deleted", d.Old.URN)
		case state.Updated:
			fmt.Println("updated", d.New.URN)

			for _, part := range []state.PartDiff{d.Metadata, d.Inputs, d.Outputs} {
				for change := range part.Diff.Changes() {
					old, _ := change.Old()
					now, _ := change.New()
					fmt.Println("   ", change.Path(), old, now)
				}
			}
		}
	}
	// Output:
	// 1 unchanged
	// updated urn:pulumi:dev::shop::a:b:C::db
	//     protect false true
	//     size 2 3
	// created urn:pulumi:dev::shop::a:b:C::cache
	// deleted urn:pulumi:dev::shop::a:b:C::mail
}

func ExampleComparison() {
	c, err := state.Compare(strings.NewReader(before), strings.NewReader(after), state.CompareOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}

	deployment, err := c.Deployment()
	fmt.Println(c.NumEqual(), deployment.Outcome(), err)
	// Output: 1 unchanged <nil>
}

// Changes of some properties do not count.
func ExampleCompareOptions() {
	o := state.CompareOptions{Ignore: path.NewSet(path.MustParsePattern("size"))}

	c, _ := state.Compare(strings.NewReader(before), strings.NewReader(after), o)
	for d, err := range c.Resources() {
		fmt.Println(d.Outcome, d.Inputs.Diff.Len(), err)
	}
	// Output:
	// updated 0 <nil>
	// created 0 <nil>
	// deleted 0 <nil>
}

func ExampleResourceDiff() {
	c, _ := state.Compare(strings.NewReader(before), strings.NewReader(after), state.CompareOptions{})
	for d := range c.Resources() {
		fmt.Println(d.Outcome, d.Old != nil, d.New != nil, d.LeftOut)
	}
	// Output:
	// updated true true 0
	// created false true 0
	// deleted true false 0
}

// What a program declares as secret is one, even if the state has it in clear.
func ExampleResource_SecretOutputs() {
	r := state.Resource{
		AdditionalSecretOutputs: []string{"password"},
		Outputs: value.Object(
			value.Member{Key: "password", Value: value.String("hunter2")},
			value.Member{Key: "port", Value: value.Number(5432)},
		),
	}
	fmt.Println(r.SecretOutputs())
	// Output: {password: [secret], port: 5432}
}

func ExamplePartDiff() {
	c, _ := state.Compare(strings.NewReader(before), strings.NewReader(after), state.CompareOptions{})
	for d := range c.Resources() {
		fmt.Println(d.Inputs.Old, d.Inputs.New, d.Inputs.Diff.Len())
	}
	// Output:
	// {size: 2} {size: 3} 1
	// {} {size: 4} 1
	// {} {} 0
}

func ExampleOutcome() {
	fmt.Println(state.Resealed, state.Resealed > state.Unchanged)
	// Output: resealed true
}

const twoBuckets = `{"version": 3, "deployment": {"resources": [
  {"urn": "urn:pulumi:dev::shop::aws:s3/bucket:Bucket::logs", "custom": true, "id": "logs-1", "type": "aws:s3/bucket:Bucket"},
  {"urn": "urn:pulumi:dev::shop::aws:s3/bucket:Bucket::data", "custom": true, "id": "data-1", "type": "aws:s3/bucket:Bucket",
   "inputs": {"tags": {"env": "dev"}}, "dependencies": ["urn:pulumi:dev::shop::aws:s3/bucket:Bucket::logs"]}
]}}
`

// A bucket depends on one that comes after it, which engines refuse.
func ExampleCheck() {
	file := `{"version": 3, "deployment": {"resources": [
  {"urn": "urn:pulumi:dev::shop::aws:s3/bucket:Bucket::data", "custom": true, "id": "data-1", "type": "aws:s3/bucket:Bucket",
   "dependencies": ["urn:pulumi:dev::shop::aws:s3/bucket:Bucket::logs"]},
  {"urn": "urn:pulumi:dev::shop::aws:s3/bucket:Bucket::logs", "custom": true, "id": "logs-1", "type": "aws:s3/bucket:Bucket"}
]}}`
	for f, err := range state.Check(strings.NewReader(file), state.CheckOptions{}) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(f.Severity, f.Code, f.Resource(), f.At)
	}
	// Output: error dependency-order urn:pulumi:dev::shop::aws:s3/bucket:Bucket::data dependencies[0]
}

func ExampleMove() {
	const dev = `{"version":3,"deployment":{"resources":[
		{"urn":"urn:pulumi:dev::shop::a:b:C::files","type":"a:b:C"},
		{"urn":"urn:pulumi:dev::shop::a:b:C::site","type":"a:b:C","dependencies":["urn:pulumi:dev::shop::a:b:C::files"]}]}}`
	const empty = `{"version":3,"deployment":{"manifest":{}}}`
	m, err := state.Move(strings.NewReader(dev), strings.NewReader(empty), state.MoveOptions{
		Resources: []string{"urn:pulumi:dev::shop::a:b:C::files"},
		Stack:     "prod", Project: "shop",
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, r := range m.Relocations {
		fmt.Println(r)
	}
	for _, b := range m.Broken {
		fmt.Println(b)
	}
	var destination, source strings.Builder
	fmt.Println(m.WriteDestination(&destination), m.WriteSource(&source)) // in this order

	// Output:
	// + urn:pulumi:prod::shop::pulumi:pulumi:Stack::shop-prod
	// > urn:pulumi:dev::shop::a:b:C::files => urn:pulumi:prod::shop::a:b:C::files
	// - urn:pulumi:dev::shop::a:b:C::site: dependencies[0]: urn:pulumi:dev::shop::a:b:C::files
	// <nil> <nil>
}

func ExampleRewrite() {
	var out strings.Builder
	places, err := state.Rewrite(strings.NewReader(twoBuckets), &out, state.Edits{
		Rename: map[string]string{"urn:pulumi:dev::shop::aws:s3/bucket:Bucket::logs": "audit"},
		Properties: []state.PropertyEdit{{
			Resource: "urn:pulumi:dev::shop::aws:s3/bucket:Bucket::data",
			Bag:      "inputs",
			At:       path.MustParse("tags.env"),
			Value:    value.String("prod"),
		}},
	})
	fmt.Print(out.String(), places, err)
	// Output:
	// {"version": 3, "deployment": {"resources": [
	//   {"urn": "urn:pulumi:dev::shop::aws:s3/bucket:Bucket::audit", "custom": true, "id": "logs-1", "type": "aws:s3/bucket:Bucket"},
	//   {"urn": "urn:pulumi:dev::shop::aws:s3/bucket:Bucket::data", "custom": true, "id": "data-1", "type": "aws:s3/bucket:Bucket",
	//    "inputs": {"tags": {"env": "prod"}}, "dependencies": ["urn:pulumi:dev::shop::aws:s3/bucket:Bucket::audit"]}
	// ]}}
	// 3 <nil>
}

// What others refer to is not deleted.
func ExampleEdits() {
	_, err := state.Rewrite(strings.NewReader(twoBuckets), io.Discard, state.Edits{
		Delete: []string{"urn:pulumi:dev::shop::aws:s3/bucket:Bucket::logs"},
	})
	fmt.Println(err)
	// Output: state: offset 174, after 1 resource: urn:pulumi:dev::shop::aws:s3/bucket:Bucket::data: dependencies: cannot edit: refers to urn:pulumi:dev::shop::aws:s3/bucket:Bucket::logs, which is deleted
}

// A property is marked as secret in inputs and outputs alike. Engines encrypt the plaintext
// when they import the file.
func ExamplePropertyEdit() {
	var out strings.Builder
	_, err := state.Rewrite(strings.NewReader(twoBuckets), &out, state.Edits{Properties: []state.PropertyEdit{{
		Resource: "urn:pulumi:dev::shop::aws:s3/bucket:Bucket::data", Bag: "inputs", At: path.MustParse("tags"), Secret: true,
	}}})
	file, _ := state.Parse(out.String(), state.Options{})
	data, _, _ := file.Find("urn:pulumi:dev::shop::aws:s3/bucket:Bucket::data")
	fmt.Println(data.Inputs, err)
	// Output: {tags: [secret]} <nil>
}
