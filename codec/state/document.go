package state

import (
	"iter"
	"time"

	"github.com/propalg/propalg/internal/jsonscan"
	"github.com/propalg/propalg/value"
	"github.com/tidwall/gjson"
)

// Manifest describes the engine that wrote a deployment.
type Manifest struct {
	Time    time.Time
	Magic   string
	Version string   // of the engine
	Plugins []Plugin // in the order of the file
}

// Plugin is a plugin that the engine had loaded.
type Plugin struct {
	Name    string
	Path    string // of its executable; empty in most files
	Type    string // such as "resource" or "language"
	Version string
}

// Operation is an operation that was pending when the file was written, as after an
// engine was killed.
type Operation struct {
	Type     string // such as "creating"
	Resource Resource
}

// IntegrityError is an error that an engine found in the deployment itself. The
// command, the error and the environment may contain anything, and are secrets.
type IntegrityError struct {
	Version string      // of the engine
	Command value.Value // a secret string, or Null: absent
	Error   value.Value // a secret string, or Null: absent
	EnvVars value.Value // an object of secret strings, or Null: absent
}

// Manifest returns the manifest of the deployment, the zero Manifest if it has none.
// The error is an [*Error].
func (f *File) Manifest() (Manifest, error) {
	var m Manifest
	field, ok := f.field("manifest")
	if !ok {
		return m, nil
	}

	r := f.reading(field)
	r.record(field.Name, r.all(), "object",
		fieldOf{"time", &m.Time}, fieldOf{"magic", &m.Magic}, fieldOf{"version", &m.Version}, fieldOf{"plugins", &m.Plugins})
	if r.err != nil {
		return Manifest{}, r.err
	}
	return m, nil
}

func (r *reading) plugins(field string, v gjson.Result, to *[]Plugin) {
	r.array(field, v, "array of plugins", func(v gjson.Result) bool {
		var p Plugin
		r.record(field, v, "object",
			fieldOf{"name", &p.Name}, fieldOf{"path", &p.Path}, fieldOf{"type", &p.Type}, fieldOf{"version", &p.Version})
		*to = append(*to, p)
		return true
	})
}

// IntegrityError returns the integrity error in the metadata of the deployment, and
// false if there is none. The error is an [*Error].
func (f *File) IntegrityError() (IntegrityError, bool, error) {
	var found IntegrityError
	there := false
	field, ok := f.field("metadata")
	if !ok {
		return found, false, nil
	}

	r := f.reading(field)
	r.object(field.Name, r.all(), "object", func(name string, v gjson.Result) {
		if name != "integrity_error" {
			return
		}

		there = v.IsObject()
		r.object(field.Name, v, "object", func(name string, v gjson.Result) {
			switch name {
			case "version":
				r.text(field.Name, v, &found.Version)
			case "command":
				found.Command = r.hidden(field.Name, v)
			case "error":
				found.Error = r.hidden(field.Name, v)
			case "env_vars":
				all := map[string]value.Value{}
				r.object(field.Name, v, "object of strings", func(name string, v gjson.Result) {
					all[name] = r.hidden(field.Name, v)
				})
				if v.IsObject() {
					found.EnvVars = value.ObjectFromMap(all)
				}
			}
		})
	})
	if r.err != nil {
		return IntegrityError{}, false, r.err
	}
	return found, there, nil
}

// hidden reads a text that may hold secrets.
func (r *reading) hidden(field string, v gjson.Result) value.Value {
	var text string
	if r.text(field, v, &text); v.Type == gjson.Null {
		return value.Null()
	}
	return value.Secret(value.String(text))
}

// PendingOperations iterates over the pending operations in the order of the file, as
// [File.Resources] does over the resources. The Number of a resource is the index of
// its operation, from 0.
func (f *File) PendingOperations() iter.Seq2[Operation, error] {
	return func(yield func(Operation, error) bool) {
		field, ok := f.field("pending_operations")
		if !ok || f.before(2) {
			return
		}

		r := f.reading(field)
		n, more := 0, true
		r.array(field.Name, r.all(), "array of operations", func(v gjson.Result) bool {
			op, err := f.operation(r, field.Name, v, n)
			if r.err = err; err == nil {
				n++
				more = yield(op, nil)
			}
			return more
		})
		if r.err != nil {
			yield(Operation{}, r.err)
		}
	}
}

func (f *File) operation(r *reading, field string, v gjson.Result, n int) (Operation, error) {
	var op Operation

	found := false
	r.object(field, v, "object", func(name string, v gjson.Result) {
		switch name {
		case "type":
			r.text(field, v, &op.Type)
		case "resource":
			if found = v.IsObject(); !found {
				r.malformed(field, v.Index, "object")
				return
			}
			of := reading{file: f, source: v.Raw, to: Resource{Offset: r.to.Offset + int64(v.Index), Number: n}}
			op.Resource, r.err = of.find(&jsonscan.Skipper{})
		}
	})
	if r.err == nil && !found {
		r.malformed(field, v.Index, "object with a resource")
	}
	return op, r.err
}

// field returns a member of the deployment.
func (f *File) field(name string) (Field, bool) {
	for _, field := range f.self().document {
		if field.Name == name {
			return field, true
		}
	}
	return Field{}, false
}

func (f *File) reading(field Field) *reading {
	return &reading{file: f, source: field.RevealText(), to: Resource{Offset: field.at, Number: field.after}}
}

func (r *reading) all() gjson.Result {
	return result(r.source, jsonscan.Member{End: len(r.source)})
}
