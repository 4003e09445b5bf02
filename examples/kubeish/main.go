// Command pulumi-resource-kubeish is a provider of objects with a free-form spec, as clusters
// have them, whose server fills in what the program leaves out.
package main

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"

	"github.com/propalg/propalg/interop/grpc"
	"github.com/propalg/propalg/provider/resource"
	"github.com/propalg/propalg/value"
)

type config struct {
	// Server is the URL of the cluster.
	Server string `pulumi:"server" env:"KUBEISH_SERVER"`
}

type objectArgs struct {
	// Name is that of the object; without one, it gets a name.
	Name string `pulumi:"name,optional" provider:"replaceOnChanges,shown"`
	// Labels are those of the program. The server adds its own.
	Labels map[string]string `pulumi:"labels,optional" provider:"computed"`
	// Spec is what the object is to be, in any form.
	Spec value.Value `pulumi:"spec"`
	// Replicas is chosen by the server if it is left out.
	Replicas *int `pulumi:"replicas,optional" provider:"computed"`
	// Policy is a document in JSON.
	Policy string `pulumi:"policy,optional" provider:"json"`
	// SecretData cannot be read from the server.
	SecretData map[string]string `pulumi:"secretData,optional" provider:"secret,writeOnly"`
}

// object is an object in the cluster.
type object struct {
	objectArgs
	UID        string `pulumi:"uid" provider:"stable"`
	Generation int    `pulumi:"generation"`
}

// wire is an object as the server speaks of it.
type wire struct {
	Name       string            `json:"name"`
	Labels     map[string]string `json:"labels,omitempty"`
	Spec       any               `json:"spec"`
	Replicas   *int              `json:"replicas,omitempty"`
	Policy     string            `json:"policy,omitempty"`
	SecretData map[string]string `json:"secretData,omitempty"`
	UID        string            `json:"uid,omitempty"`
	Generation int               `json:"generation,omitempty"`
}

// cluster is what Configure sets.
type cluster struct{ config }

func (c *cluster) objects() resource.Of[objectArgs, object] {
	return resource.Of[objectArgs, object]{
		Token: "kubeish:index:Object",
		Names: resource.Names{Property: "name", Max: 63},
		Create: func(ctx context.Context, args objectArgs) (id string, made object, err error) {
			made, err = c.put(ctx, http.MethodPost, "/objects", args)
			return args.Name, made, err
		},
		Read: func(ctx context.Context, id string, _ object) (object, error) {
			return c.call(ctx, http.MethodGet, "/objects/"+id, nil)
		},
		Update: func(ctx context.Context, id string, _ object, args objectArgs) (object, error) {
			return c.put(ctx, http.MethodPut, "/objects/"+id, args)
		},
		Delete: func(ctx context.Context, id string, _ object) error {
			_, err := c.call(ctx, http.MethodDelete, "/objects/"+id, nil)
			return err
		},
		Check: func(_ context.Context, args *objectArgs) error {
			if args.Spec.Kind() != value.KindObject && !args.Spec.IsUnknown() {
				return resource.Invalid("spec", "expected an object")
			}
			if args.Policy != "" && !json.Valid([]byte(args.Policy)) {
				return resource.Invalid("policy", "expected JSON")
			}
			return nil
		},
	}
}

// put sends arguments.
func (c *cluster) put(ctx context.Context, method, path string, args objectArgs) (object, error) {
	spec, err := args.Spec.Reveal().ToGo()
	if err != nil {
		return object{}, err
	}
	return c.call(ctx, method, path, &wire{Name: args.Name, Labels: args.Labels, Spec: spec, Replicas: args.Replicas, Policy: args.Policy, SecretData: args.SecretData})
}

func (c *cluster) call(ctx context.Context, method, path string, in *wire) (object, error) {
	body, err := json.Marshal(in)
	if err != nil {
		return object{}, err
	}
	q, err := http.NewRequestWithContext(ctx, method, c.Server+path, bytes.NewReader(body))
	if err != nil {
		return object{}, err
	}
	r, err := http.DefaultClient.Do(q)
	if err != nil {
		return object{}, err
	}
	defer func() { _ = r.Body.Close() }()
	if r.StatusCode == http.StatusNotFound {
		return object{}, resource.ErrNotFound
	}
	if r.StatusCode >= http.StatusMultipleChoices {
		return object{}, fmt.Errorf("%s %s: %s", method, path, r.Status)
	}
	var out wire
	err = json.NewDecoder(r.Body).Decode(&out)
	spec, failed := value.FromGo(out.Spec)
	return object{objectArgs{out.Name, out.Labels, spec, out.Replicas, out.Policy, out.SecretData}, out.UID, out.Generation}, errors.Join(err, failed)
}

//go:embed schema.json
var schema []byte

func kubeish() resource.Package {
	c := &cluster{}
	return resource.Package{
		Name: "kubeish", Version: "0.1.0", Description: "Objects of a cluster.", Schema: schema, Env: os.LookupEnv,
		Config:    resource.Configure(func(_ context.Context, now config) error { c.config = now; return nil }),
		Resources: []resource.Resource{c.objects()},
	}
}

func main() { grpc.Main(resource.New(kubeish())) }
