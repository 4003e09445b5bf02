// Command pulumi-resource-notes is a provider made with pulumi-go-provider: of notes in a folder.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/pulumi/pulumi-go-provider/infer"
)

type Note struct{}

type Author struct {
	Name  string   `pulumi:"name"`
	Mails []string `pulumi:"mails,optional"`
}

type NoteArgs struct {
	Name   string            `pulumi:"name" provider:"replaceOnChanges"`
	Text   string            `pulumi:"text"`
	Pin    *string           `pulumi:"pin,optional" provider:"secret"`
	Size   *int              `pulumi:"size,optional"`
	Labels map[string]string `pulumi:"labels,optional"`
	Author *Author           `pulumi:"author,optional"`
}

type NoteState struct {
	NoteArgs
	Length int    `pulumi:"length"`
	Path   string `pulumi:"path"`
}

func (n *NoteArgs) Annotate(a infer.Annotator) { a.SetDefault(&n.Size, 3) }

func file(name string) string { return filepath.Join(os.Getenv("NOTES"), name+".json") }

func write(in NoteArgs) (NoteState, error) {
	s := NoteState{NoteArgs: in, Length: len(in.Text), Path: "/notes/" + in.Name}
	data, err := json.Marshal(in)
	if err == nil {
		err = os.WriteFile(file(in.Name), data, 0o600)
	}
	return s, err
}

func (Note) Create(_ context.Context, r infer.CreateRequest[NoteArgs]) (infer.CreateResponse[NoteState], error) {
	if r.DryRun {
		return infer.CreateResponse[NoteState]{ID: "", Output: NoteState{NoteArgs: r.Inputs}}, nil
	}
	s, err := write(r.Inputs)
	return infer.CreateResponse[NoteState]{ID: r.Inputs.Name, Output: s}, err
}

func (Note) Update(_ context.Context, r infer.UpdateRequest[NoteArgs, NoteState]) (infer.UpdateResponse[NoteState], error) {
	if r.DryRun {
		return infer.UpdateResponse[NoteState]{Output: NoteState{NoteArgs: r.Inputs, Length: len(r.Inputs.Text), Path: r.State.Path}}, nil
	}
	s, err := write(r.Inputs)
	return infer.UpdateResponse[NoteState]{Output: s}, err
}

func (Note) Read(_ context.Context, r infer.ReadRequest[NoteArgs, NoteState]) (infer.ReadResponse[NoteArgs, NoteState], error) {
	data, err := os.ReadFile(file(r.ID))
	if errors.Is(err, fs.ErrNotExist) {
		return infer.ReadResponse[NoteArgs, NoteState]{}, nil
	}
	var in NoteArgs
	if err == nil {
		err = json.Unmarshal(data, &in)
	}
	return infer.ReadResponse[NoteArgs, NoteState]{ID: r.ID, Inputs: in, State: NoteState{NoteArgs: in, Length: len(in.Text), Path: "/notes/" + in.Name}}, err
}

func (Note) Delete(_ context.Context, r infer.DeleteRequest[NoteState]) (infer.DeleteResponse, error) {
	err := os.Remove(file(r.ID))
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return infer.DeleteResponse{}, err
}

func main() {
	p, err := infer.NewProviderBuilder().WithResources(infer.Resource(Note{})).Build()
	if err == nil {
		err = p.Run(context.Background(), "notes", "0.1.0")
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
