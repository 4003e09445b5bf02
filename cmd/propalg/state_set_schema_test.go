package main_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

const secretSchema = `{"name":"a","version":"1.0.0",
"provider":{"inputProperties":{"token":{"type":"string","secret":true},"login":{"$ref":"#/types/a:b:T"}},"properties":{"late":{"type":"string","secret":true}}},
"config":{"variables":{"old":{"type":"string","secret":true}}},
"types":{"a:b:T":{"type":"object","properties":{"pw":{"type":"string","secret":true},"n":{"type":"number"},"below":{"$ref":"#/types/a:b:T"}}}},
"resources":{"a:b:C":{"inputProperties":{
"pw":{"type":"string","secret":true},"t":{"$ref":"#/types/a:b:T"},"list":{"type":"array","items":{"$ref":"#/types/a:b:T"}},
"map":{"type":"object","additionalProperties":{"$ref":"#/types/a:b:T"}},"all":{"type":"object","additionalProperties":{"$ref":"pulumi.json#/Any"},"secret":true}},
"properties":{"pw":{"type":"string","secret":true},"made":{"type":"string","secret":true}}}}}`

// marksBySchema are bags with what the schema calls secret between % signs, and the places.
type marksBySchema struct {
	typ, inputs, outputs string
	places               []string // with #2 before the colon for the second resource
}

// TestStateSetSchema: what a schema calls secret is marked, at any depth and in each bag; what
// is secret already stays, and no text has a value.
func TestStateSetSchema(t *testing.T) {
	secret := func(text string) string { return `{` + signature + `,"plaintext":` + fmt.Sprintf("%q", text) + `}` }
	const sealed = `{` + signature + `,"ciphertext":"v1:abc"}`
	for name, row := range map[string]marksBySchema{
		"both":          {"a:b:C", `{"pw":%"canary"%,"n":1}`, `{"pw":%"canary"%,"made":%"canary"%}`, []string{"inputs.pw", "outputs.made", "outputs.pw"}},
		"nested":        {"a:b:C", `{"t":{"pw":%"canary"%,"n":1,"below":{"below":{"pw":%"canary"%}}}}`, `{}`, []string{"inputs.t.below.below.pw", "inputs.t.pw"}},
		"array, map":    {"a:b:C", `{"list":[{"pw":%"canary"%},{},{"pw":null}],"map":{"a.b":{"pw":%"canary"%}}}`, `{}`, []string{"inputs.list[0].pw", `inputs.map["a.b"].pw`}},
		"not its type":  {"a:b:C", `{"pw":%["canary",[]]%,"list":{"pw":"x"},"t":"x"}`, `{}`, []string{"inputs.pw"}},
		"whole":         {"a:b:C", `{"all":%{"m":[1],"pw":"canary"}%}`, `{}`, []string{"inputs.all"}},
		"around secret": {"a:b:C", `{"all":%{"a":` + secret(`"canary"`) + `,"b":1}%}`, `{}`, []string{"inputs.all"}},
		"around sealed": {"a:b:C", `{"all":{"a":` + sealed + `,"b":{"c":[` + sealed + `,%"canary"%,null]},"d":%{"e":1}%}}`, `{}`, []string{"inputs.all.b.c[1]", "inputs.all.d"}},
		"secret":        {"a:b:C", `{"pw":` + sealed + `,"t":` + secret(`{"pw":"canary"}`) + `,"all":` + secret(`{}`) + `}`, secret(`{"pw":"canary"}`), nil},
		"null, empty":   {"a:b:C", `{"pw":null,"list":[],"map":{},"t":{}}`, `{}`, nil},
		"provider":      {"pulumi:providers:a", `{"token":%"canary"%,"old":%"canary"%,"login":%"{\"n\":1,\"pw\":\"canary\",\"below\":{\"pw\":\"canary\"}}"%,"odd":"{"}`, `{"late":%"canary"%,"login":"{\"n\":1}"}`, []string{"inputs.login", "inputs.old", "inputs.token", "outputs.late"}},
		"secret config": {"pulumi:providers:a", secret(`{"token":"canary","login":"{\"pw\":\"canary\"}"}`), `{}`, nil},
		"odd text":      {"pulumi:providers:a", `{"login":"{","token":%"{"%}`, `{"login":` + secret(`"{\"pw\":\"canary\"}"`) + `}`, []string{"inputs.token"}},
	} {
		file := func(isMarked bool) string {
			bags := []string{row.inputs, row.outputs}
			for i, bag := range bags {
				parts := strings.Split(bag, "%")
				for j := 1; j < len(parts) && isMarked; j += 2 {
					parts[j] = secret(parts[j])
				}
				bags[i] = strings.Join(parts, "")
			}
			one := `{"urn":"urn:pulumi:dev::shop::` + row.typ + `::n","type":"` + row.typ + `","custom":true,"id":"1","inputs":` + bags[0] + `,"outputs":` + bags[1]
			return `{"version":3,"deployment":{"resources":[` + one + `},` + one + `,"delete":true}]}}`
		}
		want := ""
		for _, number := range []string{"", "#2"} {
			for _, at := range row.places {
				want += "~ urn:pulumi:dev::shop::" + row.typ + "::n" + number + ": " + at + "\n"
			}
		}
		count := map[int]string{0: "0 places in 0 resources", 1: "2 places in 2 resources"}[len(row.places)]
		if count == "" {
			count = fmt.Sprintf("%d places in 2 resources", 2*len(row.places))
		}

		dir := writeFiles(t, map[string]string{"stack.json": file(false), "schema.json": secretSchema})
		dry := propalg(t, dir, "", "state", "set", "stack.json", "--all", "--secret", "--schema", "schema.json", "--dry-run")
		if dry.code != 0 || dry.stderr != "" || dry.stdout != want+"stack.json: "+count+" would be marked as secret\n" || readFile(t, dir, "stack.json") != file(false) {
			t.Errorf("%s: %+v", name, dry)
		}
		got := propalg(t, dir, "", "state", "set", "stack.json", "--all", "--secret", "--schema", "schema.json")
		if got.code != 0 || got.stderr != "" || got.stdout != want+"stack.json: "+count+" marked as secret\n" || strings.Contains(got.stdout, "canary") {
			t.Errorf("%s: %+v", name, got)
		}
		if now := readFile(t, dir, "stack.json"); now != file(true) {
			t.Errorf("%s: %s\nwant %s", name, now, file(true))
		}
		again := propalg(t, dir, "", "state", "set", "stack.json", "--all", "--secret", "--schema", "schema.json")
		if again.code != 0 || again.stdout != "stack.json: 0 places in 0 resources marked as secret\n" || readFile(t, dir, "stack.json") != file(true) {
			t.Errorf("%s, again: %+v", name, again)
		}
	}
}

// TestStateSetSchemaWhich: which resources and bags; a type that no schema has is said.
func TestStateSetSchemaWhich(t *testing.T) {
	one := func(typ, name string) string {
		return `{"urn":"urn:pulumi:dev::shop::` + typ + `::` + name + `","type":"` + typ + `","custom":true,"id":"` + name + `","inputs":{"pw":"canary"},"outputs":{"pw":"canary"}}`
	}
	stack := `{"version":3,"deployment":{"resources":[` + strings.Join([]string{one("a:b:C", "m"), one("a:b:C", "n"), one("a:b:D", "o"), one("z:b:E", "p"), one("a:b:C", "twin"), one("a:b:C", "twin")}, ",\n") + `]}}`
	const known = " --secret --schema schema.json"
	for args, want := range map[string]struct {
		code           int
		stdout, stderr string
	}{
		"m" + known:                              {0, "~ M: inputs.pw\n~ M: outputs.pw\nstack.json: 2 places in 1 resource marked as secret\n", "m is M\n"},
		"M M#1 n" + known + " --in outputs":      {0, "~ M: outputs.pw\n~ N: outputs.pw\nstack.json: 2 places in 2 resources marked as secret\n", "n is N\n"},
		"twin#2" + known + " --in inputs":        {0, "~ TWIN#2: inputs.pw\nstack.json: 1 place in 1 resource marked as secret\n", "twin#2 is TWIN#2\n"},
		"m o" + known + " --in inputs":           {0, "~ M: inputs.pw\nstack.json: 1 place in 1 resource marked as secret\n", "m is M\no is urn:pulumi:dev::shop::a:b:D::o\n1 resource has a type that no schema has: a:b:D\n"},
		"--all --in inputs" + known:              {0, "~ M: inputs.pw\n~ N: inputs.pw\n~ TWIN: inputs.pw\n~ TWIN#2: inputs.pw\nstack.json: 4 places in 4 resources marked as secret\n", "2 resources have a type that no schema has, such as a:b:D\n"},
		"o p" + known:                            {2, "", "stack.json: 2 resources have a type that no schema has, such as a:b:D\n"},
		"TWIN" + known:                           {2, "", "stack.json: cannot edit: several resources are named TWIN"},
		"NONE" + known:                           {2, "", "stack.json: cannot edit: no resource is named NONE\n"},
		"m TWIN" + known:                         {2, "", "several resources are named TWIN"},
		"--all m" + known:                        {2, "", "names and --all cannot be combined"},
		"--secret --schema schema.json":          {2, "", "no resource is named; --all is for all"},
		"m --schema schema.json":                 {2, "", "--schema needs --secret, and no other edit"},
		"m --remove" + known:                     {2, "", "--schema needs --secret, and no other edit"},
		"m --taint" + known:                      {2, "", "--schema needs --secret, and no other edit"},
		"--all --secret":                         {2, "", "--all needs --schema"},
		"--all --secret --schema stack.json":     {2, "", "stack.json: not a package schema: found a stack"},
		"--all --secret --schema none.json":      {2, "", "none.json: no such file"},
		"--all" + known + " --schema other.json": {0, "~ urn:pulumi:dev::shop::a:b:C::m: inputs.pw\n", "1 resource has a type that no schema has: z:b:E\n"},
	} {
		urns := strings.NewReplacer("TWIN", "urn:pulumi:dev::shop::a:b:C::twin", "NONE", "urn:pulumi:dev::shop::a:b:C::none", "M", "urn:pulumi:dev::shop::a:b:C::m", "N", "urn:pulumi:dev::shop::a:b:C::n")
		dir := writeFiles(t, map[string]string{"stack.json": stack, "schema.json": secretSchema, "other.json": `{"name":"a","resources":{"a:b:D":{"properties":{"pw":{"type":"string","secret":true}}}}}`})
		got := propalg(t, dir, "", append([]string{"state", "set", "stack.json"}, strings.Fields(urns.Replace(args))...)...)
		stderr := strings.ReplaceAll(got.stderr, "propalg state set: ", "")
		if got.code != want.code || !strings.HasPrefix(got.stdout, urns.Replace(want.stdout)) || (want.code == 0 && stderr != urns.Replace(want.stderr)) || !strings.Contains(stderr, urns.Replace(want.stderr)) || strings.Contains(got.stdout+stderr, "canary") {
			t.Errorf("%s: %+v", args, got)
		}
		if isSame := readFile(t, dir, "stack.json") == stack; isSame != (want.code == 2) {
			t.Errorf("%s: changed: %v", args, !isSame)
		}
	}
}

// TestStateSetSchemaReal: a real state whose secrets are in clear gets the marks that the
// engine had given it, by the real schema.
func TestStateSetSchemaReal(t *testing.T) {
	const data = "../../../shared/data/"
	schemas, _ := filepath.Glob(data + "schemas/random-c8071e.json")
	states, _ := filepath.Glob(data + "state-files/*randompassword*")
	if len(schemas) != 1 || len(states) != 1 {
		t.Skip("no ../shared/data beside the repository")
	}
	file, err := filepath.Abs(schemas[0])
	if err != nil {
		t.Fatal(err)
	}

	dir := writeFiles(t, map[string]string{"engine.json": readFile(t, filepath.Dir(states[0]), filepath.Base(states[0]))})
	from := "engine.json"
	for _, at := range []string{"bcryptHash", "result"} {
		if got := propalg(t, dir, "", "state", "set", from, "myRandomPassword", at, "--plain", "--in", "outputs", "--out", "clear.json"); got.code != 0 {
			t.Fatal(got.stderr)
		}
		from = "clear.json"
	}
	got := propalg(t, dir, "", "state", "set", from, "--all", "--secret", "--schema", file, "--out", "marked.json")
	if got.code != 0 || !strings.HasSuffix(got.stdout, "marked.json: 2 places in 1 resource marked as secret\n") {
		t.Errorf("%+v", got)
	}
	for name, code := range map[string]int{"marked.json": 0, "clear.json": 1} {
		if got := propalg(t, dir, "", "diff", "engine.json", name); got.code != code {
			t.Errorf("%s: %+v", name, got)
		}
	}
}
