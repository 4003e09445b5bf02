package main

// schema describes the package to programs.
const schema = `{
  "name": "demo",
  "version": "0.1.0",
  "resources": {
    "demo:index:Record": {
      "inputProperties": {
        "name": {"type": "string", "replaceOnChanges": true}, "zone": {"type": "string", "replaceOnChanges": true},
        "title": {"type": "string"}, "size": {"type": "integer"}, "enabled": {"type": "boolean"},
        "labels": {"type": "object", "additionalProperties": {"type": "string"}},
        "members": {"type": "array", "items": {"type": "string"}},
        "limits": {"type": "object", "additionalProperties": {"type": "object", "additionalProperties": {"type": "number"}}},
        "settings": {"$ref": "pulumi.json#/Any"}, "rules": {"$ref": "pulumi.json#/Any"}, "extra": {"$ref": "pulumi.json#/Any"},
        "password": {"type": "string", "secret": true},
        "document": {"$ref": "pulumi.json#/Asset"}, "bundle": {"$ref": "pulumi.json#/Archive"}
      },
      "properties": {"url": {"type": "string"}, "token": {"type": "string", "secret": true}, "revision": {"type": "number"}}
    }
  }
}`
