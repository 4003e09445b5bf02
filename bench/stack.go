package bench

import (
	"bufio"
	"fmt"
	"io"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/value"
)

// WriteStack writes a stack export with the given number of resources. Each has the next of
// the bags as inputs and as outputs, without members that contain unknowns, since a state
// has none. Secrets are written as plaintext.
func WriteStack(w io.Writer, resources int, bags []value.Value) error {
	const head = `{"version":3,"deployment":{"manifest":{"time":"2026-01-01T00:00:00Z","magic":"","version":"v3.259.0"},"resources":[`
	const form = `%s{"urn":%q,"custom":true,"id":"i-%016x","type":"aws:ec2/instance:Instance","inputs":%s,"outputs":%s,` +
		`"parent":"urn:pulumi:dev::shop::pulumi:pulumi:Stack::shop-dev","dependencies":[],"propertyDependencies":{}}`
	buffered := bufio.NewWriter(w)
	fmt.Fprint(buffered, head)
	texts := make([][]byte, len(bags))
	for i, bag := range bags {
		text, err := codec.AppendJSONValue(nil, settled(bag), codec.Options{Form: codec.FormSealed})
		if err != nil {
			return err
		}
		texts[i] = text
	}

	comma := ""
	for i := range resources {
		inputs := texts[i%len(texts)]
		urn := fmt.Sprintf("urn:pulumi:dev::shop::aws:ec2/instance:Instance::web-%d", i)
		fmt.Fprintf(buffered, form, comma, urn, i, inputs, inputs)
		comma = ","
	}
	fmt.Fprint(buffered, "]}}\n")
	return buffered.Flush()
}

func settled(bag value.Value) value.Value {
	var members []value.Member
	for key, v := range bag.Members() {
		if !v.ContainsUnknown() {
			members = append(members, value.Member{Key: key, Value: v})
		}
	}
	return value.Object(members...)
}
