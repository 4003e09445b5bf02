package rpc_test

import (
	"fmt"

	"github.com/propalg/propalg/internal/rpcgen"
)

// fieldLine writes a field as the list of the protocol's fields does.
func fieldLine(m *rpcgen.Message, f *rpcgen.Field) string {
	typ := f.Type
	if typ == "Struct" || typ == "Value" {
		typ = "google.protobuf." + typ
	}
	switch f.Label {
	case rpcgen.Optional:
		typ = "optional " + typ
	case rpcgen.Repeated:
		typ = "repeated " + typ
	case rpcgen.Map:
		typ = "map<string, " + typ + ">"
	case rpcgen.Plain:
	}
	if f.Oneof != "" {
		typ += " (oneof:" + f.Oneof + ")"
	}
	return fmt.Sprintf("%s\t%s\t%d\t%s", m.Name, f.Name, f.Number, typ)
}

func enumLine(e *rpcgen.Enum, n int, v string) string {
	return fmt.Sprintf("%s\t%s\t%d\tenum value", e.Name, v, n)
}
