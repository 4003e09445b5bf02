// Command pulumi-resource-quickstart is a whole Pulumi provider: of files with a text.
package main

import (
	"context"
	"os"

	"github.com/propalg/propalg/interop/grpc"
	"github.com/propalg/propalg/provider/resource"
)

type fileArgs struct {
	Path string `pulumi:"path" provider:"replaceOnChanges,shown"`
	Text string `pulumi:"text"`
}

type file struct {
	fileArgs
	Size int `pulumi:"size"`
}

var files = resource.Of[fileArgs, file]{
	Token: "quickstart:index:File",
	Create: func(_ context.Context, args fileArgs) (id string, state file, err error) {
		return args.Path, file{args, len(args.Text)}, os.WriteFile(args.Path, []byte(args.Text), 0o600)
	},
	Read: func(_ context.Context, id string, _ file) (file, error) {
		text, err := os.ReadFile(id)
		if os.IsNotExist(err) {
			err = resource.ErrNotFound
		}
		return file{fileArgs{id, string(text)}, len(text)}, err
	},
	Update: func(_ context.Context, id string, _ file, args fileArgs) (file, error) {
		return file{args, len(args.Text)}, os.WriteFile(id, []byte(args.Text), 0o600)
	},
	Delete: func(_ context.Context, id string, _ file) error {
		if err := os.Remove(id); !os.IsNotExist(err) {
			return err
		}
		return nil
	},
}

func main() {
	grpc.Main(resource.New(resource.Package{Name: "quickstart", Version: "0.1.0", Resources: []resource.Resource{files}}))
}
