// Command pulumi-resource-quickstart is a whole Pulumi provider: of files with a text.
package main

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/interop/grpc"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/value"
	"github.com/propalg/propalg/value/bind"
)

type fileArgs struct {
	Path string `pulumi:"path"`
	Text string `pulumi:"text"`
}

//go:embed schema.json
var schema string

type files struct{ grpc.Unimplemented }

func (files) Check(_ context.Context, r *rpc.CheckRequest) (*rpc.CheckResponse, error) {
	_, err := bind.Decode(r.News, &fileArgs{}, bind.Options{AllowUnknown: true})
	return &rpc.CheckResponse{Inputs: r.News, Failures: rpc.CheckFailuresOf(r.News, err)}, nil
}

func (files) Diff(_ context.Context, r *rpc.DiffRequest) (*rpc.DiffResponse, error) {
	return provider.Differ{ReplaceOn: path.MustSet("path")}.Answer(r)
}

func (files) Create(_ context.Context, r *rpc.CreateRequest) (*rpc.CreateResponse, error) {
	id, state, err := write(r.Properties)
	return &rpc.CreateResponse{ID: id, Properties: state}, err
}

func (files) Update(_ context.Context, r *rpc.UpdateRequest) (*rpc.UpdateResponse, error) {
	_, state, err := write(r.News)
	return &rpc.UpdateResponse{Properties: state}, err
}

func (files) Delete(_ context.Context, r *rpc.DeleteRequest) (*rpc.Empty, error) {
	if err := os.Remove(r.ID); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return &rpc.Empty{}, nil
}

func (files) Read(_ context.Context, r *rpc.ReadRequest) (*rpc.ReadResponse, error) {
	text, err := os.ReadFile(r.ID)
	if errors.Is(err, fs.ErrNotExist) {
		return &rpc.ReadResponse{}, nil // no ID: it is gone
	}
	inputs := value.Object(value.Field("path", value.String(r.ID)), value.Field("text", value.String(string(text)))).WithSecretsOf(r.Inputs)
	state, _ := inputs.WithField("size", value.Number(float64(len(text))))
	return &rpc.ReadResponse{ID: r.ID, Inputs: inputs, Properties: state}, err
}

func write(inputs value.Value) (id string, state value.Value, err error) {
	args, err := bind.As[fileArgs](inputs)
	if err == nil {
		err = os.WriteFile(args.Path, []byte(args.Text), 0o600)
	}
	state, _ = inputs.WithField("size", value.Number(float64(len(args.Text))))
	return args.Path, state, err
}

func main() {
	if err := grpc.Serve(context.Background(), files{grpc.Unimplemented{Schema: schema}}, grpc.ServeOptions{Engine: grpc.EngineAddress(os.Args)}); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
