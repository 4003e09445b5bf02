package schema_test

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/codec"
)

// mutator changes documents in ways that readers of schemas have rules about.
type mutator struct {
	t    *rapid.T
	root map[string]any
}

// slot is a member of an object, or an element of an array.
type slot struct {
	of    any // map[string]any or []any
	key   string
	index int
}

func (s slot) get() any {
	if object, ok := s.of.(map[string]any); ok {
		return object[s.key]
	}

	return s.of.([]any)[s.index]
}

func (s slot) set(v any) {
	if object, ok := s.of.(map[string]any); ok {
		object[s.key] = v
		return
	}

	s.of.([]any)[s.index] = v
}

// slots lists the members and elements of a value at all depths.
func slots(v any, to []slot) []slot {
	switch v := v.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			to = slots(v[key], append(to, slot{of: v, key: key}))
		}
	case []any:
		for i := range v {
			to = slots(v[i], append(to, slot{of: v, index: i}))
		}
	}

	return to
}

// slot draws a member or an element: any of them, or one found by walking down.
func (m *mutator) slot() slot {
	if len(m.root) == 0 {
		m.root["name"] = "demo"
	}

	all := slots(m.root, nil)
	if rapid.Bool().Draw(m.t, "any") {
		return pick(m, all...)
	}

	at := slot{of: m.root}

	for range 1 + index(m.t, 6) {
		var below []slot
		if at.key == "" {
			below = children(m.root)
		} else {
			below = children(at.get())
		}

		if len(below) == 0 {
			break
		}

		at = pick(m, below...)
		if at.key == "" {
			break
		}
	}

	if at.key == "" && at.index == 0 {
		if _, ok := at.of.(map[string]any); ok {
			return all[0]
		}
	}

	return at
}

func children(v any) []slot {
	var all []slot

	switch v := v.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			all = append(all, slot{of: v, key: key})
		}
	case []any:
		for i := range v {
			all = append(all, slot{of: v, index: i})
		}
	}

	return all
}

// parse returns the value of a JSON text.
func parse(text string) any {
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		panic(text + ": " + err.Error())
	}

	return v
}

// object returns a member of the root, which is made where it is missing.
func (m *mutator) object(of map[string]any, name string) map[string]any {
	if object, ok := of[name].(map[string]any); ok {
		return object
	}

	object := map[string]any{}
	of[name] = object

	return object
}

func pick[T any](m *mutator, all ...T) T {
	return all[index(m.t, len(all))]
}

// index draws a number below n. Numbers of package rapid are small more often than not,
// and these are not.
func index(t *rapid.T, n int) int {
	i := 0
	for bit := 1; bit < 4*n; bit *= 2 {
		if rapid.Bool().Draw(t, "bit") {
			i += bit
		}
	}

	return i % n
}

// token draws a token of a section, or returns "".
func (m *mutator) token(section string) string {
	all := slices.Sorted(maps.Keys(m.object(m.root, section)))
	if len(all) == 0 {
		return ""
	}

	return pick(m, all...)
}

func (m *mutator) name() string {
	name, _ := m.root["name"].(string)
	return name
}

// mutate makes one change.
func (m *mutator) mutate() {
	changes := []func(){
		m.drop, m.drop, m.replace, m.replace, m.rename, m.add, m.add, m.add, m.texts, m.texts, m.swapType, m.duplicate, m.require,
		m.cycle, m.method, m.about, m.about, m.copied, m.outputs, m.definition, m.property, m.property, m.reference, m.reference, m.extend, m.differ, m.differ, m.differ,
	}
	pick(m, changes...)()
}

func (m *mutator) drop() {
	s := m.slot()
	if object, ok := s.of.(map[string]any); ok {
		delete(object, s.key)
		return
	}

	s.set(nil)
}

// replace puts a value of any kind in the place of another.
func (m *mutator) replace() {
	if index(m.t, 50) == 0 {
		m.slot().set(map[string]any{
			codec.SignatureKey: pick(m, "d0e6a833031e9bbcd3f4e8bde6ca49a4", "1b47061264138c4ac30d75fd1eb44270", "c44067f5952c0a294b673a41bacd8c17", "5cf8f73096256a8f31e491e813e4eb8e"),
			"value":            pick(m, any(map[string]any{}), any([]any{}), any("x"), any(anyText)), "text": "x", "urn": "x",
		})

		return
	}

	m.slot().set(parse(pick(m,
		`null`, `true`, `false`, `0`, `5`, `-1.5`, `1e10`, `""`, `"x"`, `"5"`, `[]`, `{}`, `[null]`, `["x"]`, `[5]`, `[{}]`, `{"a": null}`,
		`{"a": {}}`, `{"a": 5}`, `{"a": "x"}`, `{"type": "string"}`, `{"a": {"type": "string"}}`, `[["x"]]`,
	)))
}

func (m *mutator) rename() {
	s := m.slot()

	object, ok := s.of.(map[string]any)
	if !ok {
		return
	}

	v := object[s.key]
	delete(object, s.key)
	object[pick(m, append(m.names(), strings.ToUpper(s.key), s.key+" ", s.key+"s", s.key+"\u0000", "é"+s.key)...)] = v
}

func (m *mutator) names() []string {
	return []string{
		"pulumi", "version", "id", "urn", "", "a b", "x", "items", "type", "$ref", "oneOf", "additionalProperties", "properties", "required",
		"provider", "Provider", "__self__", "name", "enum", "plain", "outputs", "inputs", "inputProperties",
	}
}

// add puts a member that the format has into an object.
func (m *mutator) add() {
	object, ok := m.slot().get().(map[string]any)
	if !ok {
		object = m.root
	}

	members := parse(pick(m,
		`{"items": {"type": "string"}}`, `{"additionalProperties": {"type": "string"}}`, `{"additionalProperties": false}`,
		`{"oneOf": []}`, `{"oneOf": [{"type": "string"}]}`, `{"oneOf": [{"type": "string"}, {"type": "number"}]}`,
		`{"oneOf": [{"type": "string"}, {"type": "array", "items": {"type": "number"}}], "default": "x"}`,
		`{"discriminator": {}}`, `{"discriminator": {"propertyName": ""}}`, `{"discriminator": {"propertyName": "x", "mapping": {"a": 5}}}`,
		`{"discriminator": {"propertyName": "x"}}`, `{"discriminator": 5}`, `{"$ref": "pulumi.json#/Any"}`, `{"$ref": ""}`, `{"$ref": "#/types/x"}`,
		`{"const": 5}`, `{"const": "x"}`, `{"const": true}`, `{"const": []}`, `{"const": null}`, `{"const": 1.5}`, `{"const": 3000000000}`,
		`{"default": 5}`, `{"default": "x"}`, `{"default": true}`, `{"default": {}}`, `{"default": 1.5}`, `{"default": -3000000000}`, `{"default": 1e300}`,
		`{"defaultInfo": {}}`, `{"defaultInfo": {"environment": []}}`, `{"defaultInfo": {"environment": ["A"]}}`, `{"defaultInfo": {"environment": "A"}}`,
		`{"defaultInfo": {"environment": [null]}}`, `{"plain": true}`, `{"plain": []}`, `{"plain": ["x"]}`, `{"plain": 5}`, `{"secret": true}`, `{"secret": "x"}`,
		`{"enum": []}`, `{"enum": [{"value": "x"}]}`, `{"enum": [{"value": 5}]}`, `{"enum": [{}]}`, `{"enum": 5}`, `{"type": "string"}`, `{"type": "object"}`,
		`{"required": ["x"]}`, `{"required": [null]}`, `{"required": []}`, `{"properties": {}}`, `{"properties": {"x": {"type": "string"}}}`,
		`{"properties": {"x": {}}}`, `{"language": {}}`, `{"language": {"go": 5}}`, `{"language": 5}`, `{"isOverlay": true}`, `{"isOverlay": 1}`,
		`{"overlaySupportedLanguages": ["go"]}`, `{"overlaySupportedLanguages": ["cobol"]}`, `{"overlaySupportedLanguages": [null]}`,
		`{"plainInputs": ["x"]}`, `{"plainInputs": []}`, `{"stateInputs": {"properties": {"id": {"type": "string"}}}}`, `{"stateInputs": null}`,
		`{"stateInputs": {"properties": {"pulumi": {"type": "string"}}}}`, `{"listInputs": {"required": ["x"]}}`, `{"listInputs": {"properties": {"id": {"type": "string"}}}}`,
		`{"aliases": ["a:b:C", {"type": "d:e:F"}, null, {}]}`, `{"aliases": [5]}`, `{"aliases": [{"type": 5}]}`, `{"aliases": [{"type": null, "x": 5}]}`, `{"isComponent": true}`,
		`{"methods": {}}`, `{"methods": {"x": "none"}}`, `{"methods": {"x": null}}`, `{"multiArgumentInputs": ["x"]}`, `{"multiArgumentInputs": []}`,
		`{"multiArgumentInputs": ["x", "x"], "inputs": {"properties": {"x": {"type": "string"}}}}`, `{"replaceOnChanges": true}`, `{"willReplaceOnChanges": 5}`,
		`{"description": 5}`, `{"deprecationMessage": []}`, `{"unknown": {"type": 5}}`, `{"returnType": 5}`, `{"description": "{{% ref #/resources/none %}}"}`,
	)).(map[string]any)
	maps.Copy(object, members)
}

// texts changes a text.
func (m *mutator) texts() {
	var all []slot

	for _, s := range slots(m.root, nil) {
		if _, ok := s.get().(string); ok && s.key != "description" {
			all = append(all, s)
		}
	}

	if len(all) == 0 {
		return
	}

	s := pick(m, all...)
	text := s.get().(string)
	s.set(pick(m,
		"", text+"x", text+" ", " "+text, strings.ToUpper(text), text+"/x", strings.ReplaceAll(text, "/", "%2F"), strings.ReplaceAll(text, ":", "/"),
		strings.Replace(text, "types", "resources", 1), strings.Replace(text, "resources", "types", 1), strings.TrimSuffix(text, "e"), text+"#", "v"+text,
		strings.ReplaceAll(text, "#/", "#"), strings.ReplaceAll(text, "#/", "#//"), text+"%zz", text+"/../x", strings.Replace(text, ":", "::", 1), "pulumi", "1",
	))
}

func (m *mutator) swapType() {
	var all []slot

	for _, s := range slots(m.root, nil) {
		if _, ok := s.get().(string); ok && s.key == "type" {
			all = append(all, s)
		}
	}

	if len(all) > 0 {
		pick(m, all...).set(pick(m, "boolean", "integer", "number", "string", "array", "object", "", "null", "Array"))
	}
}

// duplicate puts a definition there again, by a token that is like its own.
func (m *mutator) duplicate() {
	section := pick(m, "resources", "functions", "types")

	token := m.token(section)
	if token == "" {
		return
	}

	parts := strings.Split(token, ":")
	pkg, module, name := parts[0], "", parts[len(parts)-1]

	if len(parts) == 3 {
		module = parts[1]
	}

	like := pick(m,
		strings.ToUpper(token), strings.ToLower(token), pkg+":"+strings.ToUpper(module)+":"+name, pkg+"::"+name, pkg+":index:"+name, pkg+":"+module+"/"+strings.ToLower(name)+":"+name,
		pkg+":"+module+"/"+name+":Other", pkg+":"+name+":Other", pkg+":index/x:"+name, pkg+":index:provider", pkg+"::Provider", pkg+":"+module+":pulumi", "x:"+module+":"+name,
		"pulumi:providers:"+pkg, "pulumi:providers:"+pkg+"/x", "pulumi:x:"+name, pkg+":"+module, pkg+":"+module+":"+name+":x", pkg+": :"+name, pkg+":"+module+":\u00a0"+name,
		pkg+":"+module+":5"+name, pkg+":"+module+":"+name+"-x", pkg+":%41:"+name, pkg+":"+module+":é"+name, pkg+":"+strings.ToLower(name)+":"+name, pkg+":Index:"+name,
	)

	to := section
	if rapid.Bool().Draw(m.t, "elsewhere") {
		to = pick(m, "resources", "functions")
	}

	v := m.object(m.root, section)[token]
	if to != section {
		v = map[string]any{}
	}

	m.object(m.root, to)[like] = v
}

func (m *mutator) require() {
	object, ok := m.slot().get().(map[string]any)
	if !ok {
		object = m.object(m.root, "config")
	}

	object[pick(m, "required", "requiredInputs", "defaults")] = parse(pick(m, `["none"]`, `["", "x"]`, `[5]`, `"x"`, `[]`, `["name", "name"]`, `["url"]`))
}

// cycle lets required properties of objects hold objects.
func (m *mutator) cycle() {
	from, to := m.token("types"), m.token("types")
	if from == "" || to == "" {
		return
	}

	t, ok := m.object(m.root, "types")[from].(map[string]any)
	if !ok {
		return
	}

	ref := any(map[string]any{"$ref": "#/types/" + to})
	ref = pick(m, ref, ref, any(map[string]any{"type": "array", "items": ref}), any(map[string]any{"oneOf": []any{ref, parse(`{"type": "string"}`)}}))
	m.object(t, "properties")["again"] = ref
	t["required"] = []any{"again"}
}

func (m *mutator) method() {
	token := m.token("resources")
	if token == "" {
		return
	}

	of, ok := m.object(m.root, "resources")[token].(map[string]any)
	if !ok {
		return
	}

	if index(m.t, 4) == 0 {
		of, token = m.object(m.root, "provider"), "pulumi:providers:"+m.name()
	}

	name := pick(m, "act", "url", "pulumi", "a b")
	f := pick(m, token+"/act", token+"/a/b", token+"act", m.token("functions"), "x", strings.ToUpper(token)+"/act")

	m.object(of, "methods")[name] = f

	if !rapid.Bool().Draw(m.t, "function") {
		return
	}

	m.object(m.root, "functions")[f] = parse(pick(m,
		`{}`, `{"inputs": {"properties": {"__self__": {"type": "string"}}}}`, `{"inputs": {"properties": {"self": {"type": "string"}}}}`,
		`{"inputs": {"properties": {"__self__": {"type": "string"}, "A": {"type": "string"}}}}`,
		`{"inputs": {"properties": {"__self__": {"type": "string"}, "A": {"type": "string"}}}, "multiArgumentInputs": ["__self__", "A"]}`,
		`{"inputs": {"properties": {"__self__": {"type": "string"}, "A": {"type": "string"}}}, "multiArgumentInputs": ["A", "__self__"]}`,
		`{"inputs": {"properties": {"__self__": {"type": "string"}, "A": {"type": "string"}}}, "multiArgumentInputs": ["__self__", "A", "__self__"]}`,
	))
}

// about changes what a document says of its package.
func (m *mutator) about() {
	maps.Copy(m.root, parse(pick(m,
		`{"name": "pulumi"}`, `{"name": "input"}`, `{"name": "9x"}`, `{"name": "x y"}`, `{"name": ""}`, `{"name": "Other"}`, `{"name": null}`,
		`{"version": "1.2"}`, `{"version": "v1.2.3"}`, `{"version": "1.02.3"}`, `{"version": "1.2.3-01"}`, `{"version": "1.2.3-0a+01"}`, `{"version": "1.2.3-"}`, `{"version": " 1.2.3"}`,
		`{"version": "99999999999999999999.0.0"}`, `{"version": "1.2.3-99999999999999999999"}`, `{"version": "vv1.2.3"}`, `{"version": ""}`, `{"version": "1.2.3+a..b"}`,
		`{"version": null, "meta": {"supportPack": true}}`, `{"version": "", "meta": {"supportPack": false}}`, `{"namespace": "A"}`, `{"namespace": "a--b"}`, `{"namespace": "9a"}`, `{"namespace": "a-9"}`,
		`{"namespace": ""}`, `{"meta": {"moduleFormat": "("}}`, `{"meta": {"moduleFormat": "x"}}`, `{"meta": {"moduleFormat": "(.*)/[^/]*"}}`, `{"meta": {"moduleFormat": "(\\w)"}}`,
		`{"meta": {"moduleFormat": "()(.*)"}}`, `{"meta": {"moduleFormat": "(index).*"}}`, `{"meta": {"moduleFormat": ".*"}}`, `{"meta": {"moduleFormat": 5}}`, `{"meta": {"x": 5}}`, `{"meta": null}`,
		`{"allowedPackageNames": ["pulumi"]}`, `{"allowedPackageNames": ["x", null]}`, `{"allowedPackageNames": []}`, `{"allowedPackageNames": [5]}`,
		`{"dependencies": [{"name": "x"}]}`, `{"dependencies": [{"name": "x", "version": "1"}]}`, `{"dependencies": [{"name": "x", "version": "v1.0.0"}]}`, `{"dependencies": [{"name": "x", "version": ""}]}`,
		`{"dependencies": [{"name": "x", "version": null}]}`, `{"dependencies": [null]}`, `{"dependencies": [{"version": "1.0.0"}]}`, `{"dependencies": [{"name": "x y"}]}`,
		`{"dependencies": [{"name": "x", "parameterization": {}}]}`, `{"dependencies": [{"name": "x", "parameterization": {"name": "y", "version": "1.0.0"}}]}`,
		`{"dependencies": [{"name": "x", "parameterization": {"name": "y", "value": ""}}]}`, `{"dependencies": [{"name": "x", "parameterization": {"name": "y", "version": "1.0.0", "value": "?"}}]}`,
		`{"dependencies": [{"name": "x", "parameterization": {"name": "y", "version": null, "value": "aGk="}}]}`, `{"dependencies": [{"name": "x", "downloadURL": 5}]}`,
		`{"dependencies": [{"name": "x", "parameterization": {"name": "y", "version": "1.0.0", "value": "aGk"}}]}`, `{"dependencies": [{"name": "x", "pluginDownloadURL": 5}]}`,
		`{"keywords": [5]}`, `{"keywords": [null]}`, `{"language": []}`, `{"homepage": 5}`, `{"config": null}`, `{"config": {"defaults": ["x"]}}`, `{"config": {"required": ["x"]}}`,
		`{"config": {"variables": {"pulumi": {"type": "string"}}}}`, `{"config": {"variables": {"a:b": {"type": "string"}}}}`, `{"config": {"variables": {"a": {"type": "string", "default": 5}}}}`,
		`{"config": {"variables": {"a": {"type": "object", "defaultInfo": {"environment": ["A"]}}}}}`, `{"config": {"x": 5}}`, `{"provider": null}`, `{"provider": {"inputProperties": {"version": {"type": "string"}}}}`,
		`{"provider": {"inputProperties": {"pulumi": {"type": "string"}}}}`, `{"provider": {"properties": {"version": {"type": "string"}}}}`, `{"provider": {"requiredInputs": ["x"]}}`, `{"unknown": 5}`,
	)).(map[string]any))
}

// extend says that the package has a parameter.
func (m *mutator) extend() {
	name := pick(m, "parameterization", "extensionParameterization")
	if rapid.Bool().Draw(m.t, "without provider") {
		delete(m.root, "provider")
	}

	if rapid.Bool().Draw(m.t, "alone") {
		delete(m.root, "parameterization")
		delete(m.root, "extensionParameterization")
	}

	m.root[name] = parse(pick(m,
		`{}`, `null`, `{"baseProvider": {}}`, `{"baseProvider": {"name": "x"}, "parameter": "aGk="}`, `{"baseProvider": {"name": "x", "version": "1.0.0"}, "parameter": "aGk="}`,
		`{"baseProvider": {"name": "x", "version": "v1.0.0"}, "parameter": ""}`, `{"baseProvider": {"name": "x", "version": "1.0.0"}, "parameter": "?"}`, `{"baseProvider": {"name": "x", "version": "1.0"}}`,
		`{"baseProvider": {"name": "x", "version": "1.0.0"}}`, `{"baseProvider": {"name": "x y", "version": "1.0.0"}, "parameter": ""}`, `{"baseProvider": {"name": "x", "version": "1.0.0"}, "parameter": 5}`,
		`{"baseProvider": {"name": "x", "version": "1.0.0", "parameterization": {}}, "parameter": ""}`, `{"baseProvider": {"name": "x", "version": "1.0.0", "parameterization": 5}, "parameter": ""}`,
		`{"baseProvider": {"name": "x", "version": "1.0.0", "parameterization": {"basePlugin": {"name": "y", "version": "1.0.0"}, "parameter": ""}}, "parameter": ""}`,
		`{"baseProvider": {"name": "x", "version": "1.0.0", "parameterization": {"basePlugin": {"name": "y"}}}}`, `5`,
	))
}

// copied puts a copy of one part of the document where another part is.
func (m *mutator) copied() {
	text, err := json.Marshal(m.slot().get())
	if err != nil {
		panic(err)
	}

	m.slot().set(parse(string(text)))
}

// outputs changes what a function returns.
func (m *mutator) outputs() {
	f, ok := m.object(m.root, "functions")[m.token("functions")].(map[string]any)
	if !ok {
		return
	}

	f["outputs"] = parse(pick(m,
		`null`, `{}`, `5`, `{"type": "string"}`, `{"type": "object"}`, `{"type": "array"}`, `{"properties": null}`, `{"properties": {}}`, `{"properties": 5}`, `{"properties": 5, "type": "string"}`,
		`{"properties": {"x": {"type": "string"}}, "plain": true}`, `{"properties": {"x": {"type": "string"}}, "plain": "x"}`, `{"properties": {"x": {"type": "string"}}, "plain": ["x"]}`,
		`{"properties": {"x": {"type": "string"}}, "plain": []}`, `{"properties": {"x": {"type": "string"}}, "plain": [5]}`, `{"properties": {"x": {"type": "string"}}, "plain": false}`, `{"properties": {"x": {"type": "string"}}, "required": 5}`,
		`{"properties": {"x": {"type": "string"}}, "required": 5, "type": "object"}`, `{"properties": {"pulumi": {"type": "string"}}}`, `{"properties": {"x": {}}}`, `{"type": "string", "plain": true}`,
		`{"type": "string", "plain": 5}`, `{"type": "string", "items": {"type": "string"}}`, `{"type": "array", "items": {"type": "string", "items": {"type": "string"}}}`, `{"description": "x"}`,
		`{"type": "array", "items": {"type": "object", "properties": {}}}`, `{"$ref": "pulumi.json#/Any"}`, `{"oneOf": [{"type": "string"}, {"type": "number"}]}`, `{"oneOf": [{"type": "string"}]}`,
		`{"oneOf": [{"type": "string"}, {"type": "number"}], "items": {"type": "string"}}`, `{"oneOf": [{"type": "string"}, {"type": "number"}], "discriminator": {"propertyName": ""}}`,
		`{"$ref": "pulumi.json#/Any", "items": {"type": "none"}}`, `{"type": "string", "required": ["x"]}`, `{"type": "string", "language": 5}`, `{"type": "string", "description": 5}`,
		`{"type": "array", "items": {"type": "string"}, "additionalProperties": {"type": "none"}}`, `{"type": "string", "overlaySupportedLanguages": ["x"]}`,
	))
}

// definition adds a type.
func (m *mutator) definition() {
	token := m.token("types")
	if token == "" || rapid.Bool().Draw(m.t, "new") {
		token = m.name() + ":index:New"
	}

	m.object(m.root, "types")[token] = parse(pick(m,
		`null`, `{}`, `{"type": "string"}`, `{"type": "string", "enum": []}`, `{"type": "string", "enum": [{"value": 5}]}`, `{"type": "integer", "enum": [{"value": 1.5}]}`,
		`{"type": "integer", "enum": [{"value": 3000000000}]}`, `{"type": "integer", "enum": [{"value": 5}]}`, `{"type": "array", "enum": [{"value": 5}]}`, `{"enum": [{"value": "x"}]}`,
		`{"type": "string", "enum": [{"value": "x"}, {"value": "x"}]}`, `{"type": "string", "enum": [{"value": null}]}`, `{"type": "string", "enum": [null]}`, `{"type": "string", "enum": [{"value": "x", "name": 5}]}`,
		`{"type": "object", "enum": 5}`, `{"type": "object", "enum": [{"value": {}}]}`, `{"type": "object", "enum": [{"value": 5, "name": 5}]}`, `{"type": "object", "enum": [5]}`,
		`{"type": "string", "enum": [{"value": "x"}], "properties": {"x": {}}}`, `{"type": "string", "enum": [{"value": "x"}], "properties": {"pulumi": {"type": "string"}}}`,
		`{"type": "string", "enum": [{"value": "x"}], "required": ["x"]}`, `{"type": "string", "enum": [{"value": "x"}], "required": 5}`, `{"type": "string", "enum": [{"value": "x"}], "plain": ["x"]}`,
		`{"type": "string", "enum": [{"value": "x"}], "overlaySupportedLanguages": ["x"]}`, `{"type": "string", "enum": [{"value": "x"}], "language": 5}`, `{"type": "object"}`, `{"type": "object", "properties": null}`,
		`{"type": "object", "plain": ["x"]}`, `{"type": "object", "plain": []}`, `{"type": "boolean", "enum": [{"value": true}, {"value": false}, {"value": "x"}]}`, `{"type": "number", "enum": [{"value": 1e300}]}`,
	))
}

// property adds a property of some type.
func (m *mutator) property() {
	properties := m.object(m.object(m.root, "config"), "variables")
	if r, ok := m.object(m.root, "resources")[m.token("resources")].(map[string]any); ok {
		properties = m.object(r, pick(m, "inputProperties", "properties"))
	}

	text, err := json.Marshal("#/types/" + m.token("types"))
	if err != nil {
		panic(err)
	}

	properties[pick(m, "new", "new", "new", "pulumi", "a b", "", "\u200b", "version")] = parse(strings.ReplaceAll(pick(m,
		`{"type": "integer", "default": 5, "const": 5.5}`, `{"type": "integer", "const": "5"}`, `{"type": "number", "const": 5}`, `{"type": "boolean", "const": true}`, `{"type": "string", "const": false}`,
		`{"type": "object", "default": "x"}`, `{"type": "array", "items": {"type": "string"}, "default": "x"}`, `{"$ref": "pulumi.json#/Any", "default": "x"}`, `{"$ref": "pulumi.json#/Json", "const": "x"}`,
		`{"$ref": TYPE, "default": "x"}`, `{"$ref": TYPE, "default": 5}`, `{"$ref": TYPE, "const": "x"}`, `{"$ref": TYPE, "default": true}`, `{"$ref": TYPE, "type": "array"}`, `{"$ref": TYPE, "type": "string"}`,
		`{"oneOf": [{"$ref": TYPE}, {"type": "number"}], "default": 5}`, `{"oneOf": [{"$ref": TYPE}, {"type": "number"}], "default": "x"}`, `{"oneOf": [{"$ref": TYPE}, {"type": "number"}], "const": 5}`,
		`{"type": "string", "oneOf": [{"type": "string"}, {"type": "number"}], "default": 5}`, `{"type": "array", "oneOf": [{"type": "string"}, {"type": "number"}]}`, `{"type": "string", "discriminator": {"propertyName": 5}}`,
		`{"oneOf": [{"oneOf": [{"type": "string"}, {"type": "integer"}]}, {"type": "boolean"}], "default": 5}`, `{"oneOf": [{"type": "string", "oneOf": [{"type": "string"}, {"type": "integer"}]}, {"type": "integer"}], "default": 5}`,
		`{"oneOf": [{"type": "string"}, {"type": "string"}]}`, `{"oneOf": [{"type": "string"}, null]}`, `{"type": "string", "discriminator": 5}`, `{"type": "string", "discriminator": {"mapping": {"x": "y"}}}`,
		`{"oneOf": [{"$ref": TYPE}, {"$ref": TYPE}], "discriminator": {"propertyName": "x", "mapping": {"a": TYPE, "b": "x", "c": "%zz", "d": null}}}`,
		`{"oneOf": [{"$ref": TYPE}, {"$ref": TYPE}], "discriminator": {"mapping": {"a": TYPE}}}`, `{"oneOf": [{"$ref": TYPE}, {"$ref": TYPE}], "discriminator": {"propertyName": "x", "mapping": 5}}`,
		`{"type": "string", "defaultInfo": {"language": {}}}`, `{"type": "string", "defaultInfo": {"environment": ["A"], "language": 5}}`, `{"type": "array", "items": {"type": "string", "default": 5}}`,
		`{"type": "array", "items": {"type": "string", "secret": 5}}`, `{"type": "array", "items": null}`, `{"type": "array", "items": [{"type": "string"}]}`, `{"type": "object", "additionalProperties": true}`,
		`{"type": "object", "additionalProperties": null}`, `{"type": "object", "properties": {"x": 5}}`, `{"type": "object", "additionalProperties": {}}`, `{"plain": "x", "type": "string"}`,
		`{"$ref": "/aws/v6.0.0/schema.json#/types/aws:x:Y", "default": "x"}`, `{"$ref": "/aws/v6.0.0/schema.json#/types/aws:x:Y", "const": 5}`, `{"$ref": "/aws/v6.0.0/schema.json#/resources/aws:x:Y", "default": "x"}`,
		`{"oneOf": [{"$ref": "/aws/v6.0.0/schema.json#/types/aws:x:Y"}, {"type": "number"}], "default": "x"}`, `{"$ref": "#/types/none:x:Y", "default": "x"}`, `{"$ref": "#/types/none:x:Y", "type": "array"}`,
		`{"$ref": "#/types/none:x:Y", "type": "string"}`, `{"$ref": "#/types/none:x:Y"}`, `{"description": "04da6b54-80e4-46f7-96ec-b56ff0331ba9", "type": "string"}`, `{"oneOf": [{"$ref": "#/types/none:x:Y"}, {"$ref": "#/types/none:x:Y", "type": "array"}]}`, `{"oneOf": [{"$ref": "#/types/none:x:Y"}, {"$ref": "#/types/none:x:Y", "type": "string"}]}`, `{"type": "array", "items": {"$ref": "#/types/none:x:Y", "type": "number"}}`,
	), "TYPE", string(text)))
}

// reference draws a reference of any form.
func (m *mutator) reference() {
	var all []slot

	for _, s := range slots(m.root, nil) {
		if _, ok := s.get().(string); ok && s.key == "$ref" {
			all = append(all, s)
		}
	}

	if len(all) == 0 {
		return
	}

	name, typ, resource := m.name(), m.token("types"), m.token("resources")
	version, _ := m.root["version"].(string)
	pick(m, all...).set(pick(m,
		"#/types/"+typ, "#/resources/"+resource, "#/resources/"+typ, "#/types/"+resource, "#/functions/"+m.token("functions"), "#/provider", "#/provider/x", "#provider", "#/providers",
		"#/resources/pulumi:providers:"+name, "#/types/pulumi:providers:"+name, "#/resources/pulumi:providers:x", "#", "", "#/types", "#/types/", "#/resources/", "#//types/"+typ, "#types/"+typ,
		"#/x/../types/"+typ, "#/types/"+typ+"/", "#/types/./"+typ, "#/types/"+strings.ReplaceAll(typ, ":", "%3A"), "#/types/"+strings.ReplaceAll(typ, "/", "%2F"), "#/types/"+typ+"%", "#/types/%zz",
		"pulumi.json#/Archive", "pulumi.json#/Asset", "pulumi.json#/Json", "pulumi.json#/Any", "pulumi.json#/any", "pulumi.json#/Other", "/pulumi.json#/Any", "pulumi.json", "x",
		"/"+name+"/v"+version+"/schema.json#/types/"+typ, name+"/v"+version+"/schema.json#/types/"+typ, "/"+name+"/v9.9.9/schema.json#/types/"+typ, "/"+name+"/v/schema.json#/types/"+typ,
		"/"+name+"/v"+version+"/schema.json#/resources/"+resource, "/"+name+"/v"+version+"/schema.json#/provider", "/"+name+"/v"+version+"+b/schema.json#/types/x", "/"+name+"/v1/schema.json#/types/"+typ,
		"/x/v1/schema.json#/types/x", "/peer/v1.0.0/schema.json#/types/x", "/x/v1.2/schema.json#/provider", "/x/v1.2-a/schema.json#/provider", "/x/v01.2.3/schema.json#/provider", "/x/1.2.3/schema.json#/provider", "/x/vv1.2.3/schema.json#/provider",
		"/x/v 1.2.3/schema.json#/provider", "/x y/v1.2.3/schema.json#/provider", "//x/v1.2.3/schema.json#/provider", "/x/v1.2.3/schema.json", "/x/v1.2.3/schema.json#/none", "/x/v1.2.3/y/schema.json#/provider",
		"http://h/x/v1.2.3/schema.json#/types/a", "/%78/v1.2.3/schema.json#/types/a", "/%2578/v1.2.3/schema.json#/types/a", "/%2Fv1.2.3/schema.json#/types/a", "/x/v1.2.3/schema.json?q#/types/a", "::", "%", "\u0001",
		"/x/v1.2.3-99999999999999999999/schema.json#/types/a", "/x/v1.2.3/schema.json#/functions/a", "/9x/v1.0.0/schema.json#/types/a", "/é/v1.0.0/schema.json#/types/a", "#/types/é", "#/types/a b",
	))
}

// differ adds a difference that has a name.
func (m *mutator) differ() {
	d := pick(m, differences()...)

	var document map[string]any
	if !utf8.ValidString(d.example) || json.Unmarshal([]byte(d.document(m.name())), &document) != nil {
		return
	}

	delete(document, "version")

	if document["extensionParameterization"] != nil {
		delete(m.root, "provider")
		delete(m.root, "parameterization")
	}

	for name, v := range document {
		if members, ok := v.(map[string]any); ok && m.root[name] != nil {
			maps.Copy(m.object(m.root, name), members)
			continue
		}

		m.root[name] = v
	}
}

// written returns the text of the document. Some texts are not JSON as it should be.
func (m *mutator) written() []byte {
	text, err := json.Marshal(m.root)
	if err != nil {
		panic(err)
	}

	front := ""
	switch index(m.t, 500) {
	case 1:
		front = `"name": "x", `
	case 2:
		front = "\"x\": \"\xff\", "
	case 3:
		front = `"x": ` + strings.Repeat("[", 9_000) + strings.Repeat("]", 9_000) + ", "
	}

	return []byte(strings.Replace(string(text), "{", "{"+front, 1))
}

// Both sides accept the same of many schemas with mistakes.
func TestMutated(t *testing.T) {
	var small, middling []document

	all := documents(t)
	l := newLoader(all)

	for _, d := range all {
		switch {
		case len(d.data) > 200_000:
		case judge(d.data, true, l).refused != "": // changes make it no better
		case len(d.data) < 10_000:
			small = append(small, d, all[0]) // the one with everything, as often as all others
		default:
			middling = append(middling, d)
		}
	}

	tally, sum := map[string]int{}, 0

	rapid.Check(t, func(t *rapid.T) {
		for range 10 {
			from := small
			if len(middling) > 0 && index(t, 200) == 1 {
				from = middling
			}

			base := from[index(t, len(from))]
			m := mutator{t: t, root: parse(string(base.data)).(map[string]any)}

			for range 1 + index(t, 8)/5 + index(t, 8)/6 {
				m.mutate()
			}

			name := compare(t, judge(m.written(), rapid.Bool().Draw(t, "dangling"), l), l)
			tally[name]++
			sum++
		}
	})

	for _, name := range slices.Sorted(maps.Keys(tally)) {
		t.Logf("%7d %s", tally[name], name)
	}

	for _, d := range differences() {
		if sum >= 20_000 && tally[d.name] == 0 {
			t.Errorf("none of %d documents is a case of %s", sum, d.name)
		}
	}
}

type failer interface {
	Helper()
	Errorf(format string, args ...any)
}

// compare returns what both sides make of a document, by a word.
func compare(t failer, v *verdict, l *loader) string {
	t.Helper()

	if v.alike() {
		return map[bool]string{true: "(accepted by both)", false: "(refused by both)"}[v.err == nil]
	}

	if name := explain(v, l); name != "" {
		return name
	}

	diff := ""
	if v.agrees() {
		diff = firstDifference(theirText(v.theirs), ourText(v.ours))
	}

	t.Errorf("%v\n%s", v, diff)

	return "unexplained"
}
