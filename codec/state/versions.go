package state

import (
	"errors"
	"slices"
	"strconv"

	"github.com/propalg/propalg/internal/jsonscan"
)

// Engines migrate what has an older version than 3 while they read it, and so does this
// package. A checkpoint without a version has version 1. Versions 3 and 4 have the same
// members; 4 has features that a reader has to know, too.

// before reports whether a file has an older version. A bare deployment has the latest.
func (f *File) before(version int) bool {
	own := f.version
	if own == 0 && f.shape == oldCheckpoint {
		own = 1
	}
	return own > 0 && own < version
}

// has reports whether resources have a member in the version of the file. Others are kept
// as they are.
func (f *File) has(member string) bool {
	if !f.before(3) {
		return true
	}
	switch member {
	case "urn", "custom", "delete", "id", "type", "inputs", "outputs", "parent", "protect", "dependencies", "initErrors":
		return true
	case "external", "provider":
		return !f.before(2)
	}

	return false
}

// isKnownFeature reports whether engines support a feature.
func isKnownFeature(name string) bool {
	switch name {
	case "refreshBeforeUpdate", "views", "hooks", "taint", "replaceWith", "snippets-prototype", "extensionParameterization", "byteString":
		return true
	}
	return false
}

// migrate adds what the resources of version 3 have besides: engines assume that each
// input depends on all that the resource depends on.
func (r *reading) migrate() {
	if !r.file.before(3) {
		return
	}
	r.to.PropertyDependencies = make(map[string][]string, r.to.Inputs.Len())
	for name := range r.to.Inputs.Members() {
		r.to.PropertyDependencies[name] = slices.Clip(r.to.Dependencies)
	}
}

// knownVersions names the versions that [parser.version] accepts, for error texts.
const knownVersions = "1 to 4"

func (p *parser) version(name string) *Error {
	at := p.Offset()
	text, err := p.keep(&p.top, name)
	if err != nil {
		return err
	}

	switch text {
	case "1", "2", "3", "4":
		p.file.version = int(text[0] - '0')
	default:
		found := jsonscan.KindOf(text)
		if n, err := strconv.ParseInt(text, 10, 32); err == nil {
			found = strconv.FormatInt(n, 10)
		}
		return &Error{Offset: at, Resources: p.count, Field: name, Want: knownVersions, Found: found, err: ErrVersion}
	}
	if p.hasVersion = true; p.file.version < 3 && p.count > 0 && p.file.text.Open() == nil {
		return &Error{Offset: at, Resources: p.count, Field: name, Want: "a version below 3 before the resources, which are read by it", err: ErrVersion}
	}
	return nil
}

// features reads the features that the document needs.
func (p *parser) features(name string) *Error {
	at := p.Offset()
	text, err := p.keep(&p.top, name)
	if err != nil {
		return err
	}
	r := reading{source: text, at: &jsonscan.Member{End: len(text)}, to: Resource{Offset: at, Number: p.count}}
	r.list(name, &p.file.features)
	var e *Error
	_ = errors.As(r.err, &e)
	return e
}
