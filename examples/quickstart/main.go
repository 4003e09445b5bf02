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

type fileState struct {
	fileArgs
	Size int `pulumi:"size"`
}

//go:embed schema.json
var schema string

type files struct{ grpc.Unimplemented }

func (files) Check(_ context.Context, r *rpc.CheckRequest) (*rpc.CheckResponse, error) {
	_, err := bind.Decode(r.News, &fileArgs{}, bind.Options{AllowUnknown: true})
	return &rpc.CheckResponse{Inputs: r.News, Failures: rpc.CheckFailuresOf(r.News, err)}, nil
}

func (files) Diff(_ context.Context, r *rpc.DiffRequest) (*rpc.DiffResponse, error) {
	return provider.Answer(r, provider.Options{ReplaceOn: path.MustSet("path")})
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

// write writes a file. What is secret in the inputs is secret in the state.
func write(inputs value.Value) (id string, state value.Value, err error) {
	var args fileArgs
	info, err := bind.Decode(inputs, &args, bind.Options{})
	if err == nil {
		err = os.WriteFile(args.Path, []byte(args.Text), 0o600)
	}
	if err == nil {
		state, err = info.Encode(fileState{args, len(args.Text)})
	}
	return args.Path, state, err
}

func main() {
	p := files{grpc.Unimplemented{Schema: schema}}
	if err := grpc.Serve(context.Background(), p, grpc.ServeOptions{Engine: grpc.EngineAddress(os.Args)}); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
