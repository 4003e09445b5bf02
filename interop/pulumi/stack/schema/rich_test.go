package schema_test

// rich is a small schema with every part of the format.
const rich = `{
  "name": "demo",
  "displayName": "Demo",
  "version": "1.2.3-alpha.1+build.5",
  "description": "Text.",
  "keywords": ["a", "b"],
  "namespace": "acme-two",
  "allowedPackageNames": ["other"],
  "meta": {"moduleFormat": "(.*)(?:/[^/]*)", "supportPack": true},
  "language": {"go": {"importBasePath": "x"}},
  "dependencies": [
    {"name": "aws", "version": "6.0.0", "downloadURL": "u"},
    {"name": "terraform", "parameterization": {"name": "tf", "version": "1.0.0", "value": "aGk="}}
  ],
  "parameterization": {"baseProvider": {"name": "base", "version": "1.0.0"}, "parameter": "aGk="},
  "config": {
    "variables": {
      "region": {"type": "string", "defaultInfo": {"environment": ["REGION", "AREA"]}},
      "retries": {"type": "integer", "default": 3},
      "token": {"type": "string", "secret": true},
      "ends": {"$ref": "#/types/demo:index/Ends:Ends"}
    },
    "defaults": ["region"]
  },
  "provider": {
    "inputProperties": {"region": {"type": "string"}, "kind": {"$ref": "#/types/demo:index/Kind:Kind"}, "ends": {"$ref": "#/types/demo:index/Ends:Ends"}},
    "properties": {"region": {"type": "string"}, "size": {"type": "integer"}, "kind": {"$ref": "#/types/demo:index/Kind:Kind"}},
    "required": ["region"],
    "methods": {"key": "pulumi:providers:demo/key"}
  },
  "types": {
    "demo:index/Kind:Kind": {"type": "string", "enum": [{"value": "a", "name": "A"}, {"value": "b", "deprecationMessage": "old"}]},
    "demo:index/Level:Level": {"type": "integer", "enum": [{"value": 1}, {"value": 2}]},
    "demo:index/Ratio:Ratio": {"type": "number", "enum": [{"value": 1.5}]},
    "demo:index/Switch:Switch": {"type": "boolean", "enum": [{"value": true}, {"value": false}]},
    "demo:index/Ends:Ends": {
      "type": "object",
      "properties": {"left": {"$ref": "#/types/demo:index/Ends:Ends"}, "right": {"type": "array", "items": {"$ref": "#/types/demo:index%2FEnds:Ends"}}, "name": {"type": "string"}},
      "required": ["name"]
    },
    "demo:index/Cat:Cat": {"type": "object", "properties": {"species": {"type": "string", "const": "cat"}, "ends": {"$ref": "#/types/demo:index/Ends:Ends"}, "kind": {"$ref": "#/types/demo:index/Kind:Kind", "default": "b"}}, "required": ["species", "ends"]},
    "demo:index/Dog:Dog": {"type": "object", "properties": {"species": {"type": "string", "const": "dog"}, "age": {"type": "integer", "const": 7}}, "required": ["species"]}
  },
  "resources": {
    "demo:index/Bucket:Bucket": {
      "description": "A bucket.",
      "inputProperties": {
        "flag": {"type": "boolean", "default": false, "plain": true},
        "count": {"type": "integer", "default": 5, "willReplaceOnChanges": true},
        "share": {"type": "number", "default": 0.5, "replaceOnChanges": true},
        "label": {"type": "string", "default": "x", "secret": true, "deprecationMessage": "no"},
        "list": {"type": "array", "items": {"type": "array", "items": {"type": "string", "plain": true}}},
        "map": {"type": "object", "additionalProperties": {"$ref": "pulumi.json#/Any"}},
        "texts": {"type": "object"},
        "asset": {"$ref": "pulumi.json#/Asset"},
        "archive": {"$ref": "pulumi.json#/Archive"},
        "json": {"$ref": "pulumi.json#/Json"},
        "kind": {"$ref": "#/types/demo:index/Kind:Kind", "default": "a"},
        "level": {"$ref": "#/types/demo:index/Level:Level", "default": 9},
        "pet": {
          "oneOf": [{"$ref": "#/types/demo:index/Cat:Cat"}, {"$ref": "#/types/demo:index/Dog:Dog"}],
          "discriminator": {"propertyName": "species", "mapping": {"cat": "#/types/demo:index/Cat:Cat", "dog": "#/types/demo:index%2FDog:Dog", "fox": "#/types/demo:index/Fox:Fox"}}
        },
        "either": {"type": "string", "oneOf": [{"type": "string"}, {"type": "number"}], "default": "z"},
        "one": {"oneOf": [{"$ref": "#/types/demo:index/Level:Level"}, {"type": "string"}], "default": 1},
        "bucket": {"$ref": "#/resources/demo:index/Bucket:Bucket"},
        "provider": {"$ref": "#/provider"},
        "remote": {"$ref": "/aws/v6.0.0/schema.json#/types/aws:s3/Rule:Rule"},
        "remotes": {"type": "array", "items": {"$ref": "/aws/v6.0.0/schema.json#/resources/aws:s3%2Fbucket:Bucket"}},
        "own": {"$ref": "/demo/v1.2.3-alpha.1/schema.json#/types/demo:index/Kind:Kind"},
        "peer": {"$ref": "/tf/v1.0.0/schema.json#/provider"}
      },
      "requiredInputs": ["flag", "pet"],
      "properties": {"url": {"type": "string"}, "count": {"type": "integer"}, "urn": {"type": "string"}},
      "required": ["url"],
      "stateInputs": {"type": "object", "properties": {"url": {"type": "string"}}, "required": ["url"]},
      "listInputs": {"properties": {"prefix": {"type": "string"}}},
      "aliases": ["demo:old:Bucket", {"type": "demo:older:Bucket"}],
      "methods": {"open": "demo:index/Bucket:Bucket/open", "close": "demo:index/Bucket:Bucket/close"},
      "isOverlay": true,
      "overlaySupportedLanguages": ["go", "yaml"],
      "language": {"go": {}}
    },
    "demo:sub/Site:Site": {"isComponent": true, "inputProperties": {"name": {"type": "string"}}, "deprecationMessage": "old"},
    "other:index:Thing": {}
  },
  "functions": {
    "pulumi:providers:demo/key": {"inputs": {"properties": {"__self__": {"$ref": "#/provider"}}}, "outputs": {"type": "object", "properties": {"key": {"type": "string"}}}},
    "demo:index/Bucket:Bucket/open": {
      "inputs": {"properties": {"__self__": {"$ref": "#/resources/demo:index/Bucket:Bucket"}, "mode": {"type": "string"}}, "required": ["__self__"]},
      "multiArgumentInputs": ["__self__", "mode"],
      "outputs": {"type": "string", "plain": true}
    },
    "demo:index/Bucket:Bucket/close": {"inputs": {"properties": {"__self__": {"$ref": "#/resources/demo:index/Bucket:Bucket"}}}},
    "demo:index/get:get": {
      "description": "Gets.",
      "inputs": {"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]},
      "outputs": {"type": "object", "properties": {"size": {"type": "integer", "secret": true}}, "required": ["size"], "plain": true},
      "plain": false
    },
    "demo:index/list:list": {"outputs": {"type": "array", "items": {"$ref": "#/types/demo:index/Ends:Ends"}}}
  }
}`
