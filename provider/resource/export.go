package resource

import (
	"github.com/propalg/propalg/internal/shape"
	"github.com/propalg/propalg/value"
)

// Internal is the door for the rest of this module. It is no part of the API: what it has
// changes in any release.
var Internal exporter //nolint:gochecknoglobals // it has no state

// exporter has as methods what other packages of the module need of this one, and users do
// not.
type exporter struct{}

// Document is [Package.Document], with what the source says.
func (exporter) Document(p Package, source shape.Source) (value.Value, error) {
	return p.document(source)
}
