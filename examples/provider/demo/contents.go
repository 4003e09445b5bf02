package demo

import (
	"context"
	"io"

	"github.com/propalg/propalg/value"
	"github.com/propalg/propalg/value/asset"
)

// measure reads what assets and archives hold, and returns what is computed of it;
// another provider would upload it. Paths start at the engine's working folder, which
// is ours too, and may lead anywhere: the program is trusted. Else: asset.Dir.
func measure(ctx context.Context, inputs value.Value) (outputs []value.Member, err error) {
	contents := asset.Contents{Files: asset.DirWithin(".", "/")}
	if document := inputs.Field("document"); !document.IsNull() {
		blob, err := contents.Open(ctx, document)
		if err != nil {
			return nil, invalid(err.Error())
		}
		defer func() { _ = blob.Close() }()
		size, err := io.Copy(io.Discard, blob)
		if err != nil {
			return nil, invalid(err.Error())
		}
		outputs = append(outputs, value.Member{Key: "documentBytes", Value: value.Number(float64(size))})
	}
	if bundle := inputs.Field("bundle"); !bundle.IsNull() {
		entries, err := contents.List(ctx, bundle)
		if err != nil {
			return nil, invalid(err.Error())
		}
		outputs = append(outputs, value.Member{Key: "bundleEntries", Value: value.Number(float64(entries.Len()))})
	}
	return outputs, nil
}
