// Package cloud has a provider in memory, for tests of whole stacks.
package cloud

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/value"
)

// Cloud holds resources of any type. Their properties mean the same for all types:
//
//   - another "name" replaces the resource;
//   - another "zone" replaces it, and the old one has to be deleted first;
//   - of any other property, an update changes it;
//   - Check adds "tier", which is "free", if it is missing, and refuses a negative "size".
//
// The state has the inputs, an "arn" that does not change, and a "revision", which a change of
// "size" changes. An explicit provider in another "region" cannot manage what was made before.
type Cloud struct {
	// Fail is called before each call with its method and URN, and before and after the
	// effect of Create, Update and Delete (the method then has a "+"). An error is that of
	// the call; after Create and Update, the resource is there but does not work. Nil: none.
	Fail func(method, urn string) error
	// Wants is what Create, Update and Read answer to whether a resource has to be refreshed
	// before each update.
	Wants bool
	// Records are the resources, by ID.
	Records map[string]Record
	Calls   int

	last int
}

// Record is a resource.
type Record struct {
	URN    string
	Inputs value.Value
	Region string
}

// Instance is one of the providers of a cloud. Methods that are not used are missing.
type Instance struct {
	rpc.Provider
	Cloud      *Cloud
	Region     string
	Configured bool
}

// errUnconfigured is the error of a call for a resource before Configure.
var errUnconfigured = errors.New("the provider is not configured")

// New returns a new instance.
func (c *Cloud) New() *Instance {
	if c.Records == nil {
		c.Records = map[string]Record{}
	}
	return &Instance{Cloud: c}
}

func (i *Instance) begin(method, urn string) error {
	i.Cloud.Calls++
	if !i.Configured && !strings.HasSuffix(method, "Config") && method != "Configure" && method != "Handshake" {
		return errUnconfigured
	}
	return i.Cloud.fail(method, urn)
}

func (c *Cloud) fail(method, urn string) error {
	if c.Fail == nil {
		return nil
	}
	return c.Fail(method, urn)
}

// Handshake accepts secrets.
func (i *Instance) Handshake(context.Context, *rpc.ProviderHandshakeRequest) (*rpc.ProviderHandshakeResponse, error) {
	return &rpc.ProviderHandshakeResponse{AcceptSecrets: true, AcceptResources: true}, i.begin("Handshake", "")
}

// CheckConfig takes any configuration.
func (i *Instance) CheckConfig(_ context.Context, r *rpc.CheckRequest) (*rpc.CheckResponse, error) {
	return &rpc.CheckResponse{Inputs: r.News}, i.begin("CheckConfig", r.URN)
}

// DiffConfig replaces a provider with another region.
func (i *Instance) DiffConfig(_ context.Context, r *rpc.DiffRequest) (*rpc.DiffResponse, error) {
	if err := i.begin("DiffConfig", r.URN); err != nil {
		return nil, err
	}
	return provider.Differ{ReplaceOn: path.MustSet("region")}.Answer(r)
}

// Configure takes the region.
func (i *Instance) Configure(_ context.Context, r *rpc.ConfigureRequest) (*rpc.ConfigureResponse, error) {
	if err := i.begin("Configure", *r.URN); err != nil {
		return nil, err
	}
	i.Region, _ = r.Args.Field("region").AsString()
	i.Configured = true
	return &rpc.ConfigureResponse{AcceptSecrets: true, SupportsPreview: true}, nil
}

// Check adds the default tier.
func (i *Instance) Check(_ context.Context, r *rpc.CheckRequest) (*rpc.CheckResponse, error) {
	if err := i.begin("Check", r.URN); err != nil {
		return nil, err
	}
	if size, ok := r.News.Field("size").AsNumber(); ok && size < 0 {
		return &rpc.CheckResponse{Inputs: r.News, Failures: []rpc.CheckFailure{{Property: "size", Reason: "is negative"}}}, nil
	}

	inputs := r.News
	if _, ok := inputs.Lookup("tier"); !ok {
		inputs, _ = inputs.WithField("tier", value.String("free"))
	}
	return &rpc.CheckResponse{Inputs: inputs}, nil
}

// Diff compares the inputs.
func (i *Instance) Diff(_ context.Context, r *rpc.DiffRequest) (*rpc.DiffResponse, error) {
	if err := i.begin("Diff", r.URN); err != nil {
		return nil, err
	}
	return provider.Differ{
		ReplaceOn: path.MustSet("name", "zone"), DeleteBeforeReplace: !r.OldInputs.Field("zone").Equal(r.News.Field("zone")),
	}.Answer(r)
}

// state returns the state of a record.
func (i *Instance) state(id string, r Record) value.Value {
	state, _ := r.Inputs.WithField("arn", value.String("arn:"+id))
	size, _ := r.Inputs.Field("size").AsNumber()
	state, _ = state.WithField("revision", value.String(fmt.Sprint("r", size)))
	return state
}

// Create adds a record.
func (i *Instance) Create(_ context.Context, r *rpc.CreateRequest) (*rpc.CreateResponse, error) {
	if err := i.begin("Create", r.URN); err != nil {
		return nil, err
	}
	if r.Preview {
		return &rpc.CreateResponse{RefreshBeforeUpdate: i.Cloud.Wants, Properties: r.Properties}, nil
	}

	c := i.Cloud
	c.last++
	id := fmt.Sprintf("id<%d>", c.last)
	c.Records[id] = Record{URN: r.URN, Inputs: r.Properties, Region: i.Region}
	state := i.state(id, c.Records[id])
	if err := c.fail("Create+", r.URN); err != nil {
		return nil, &InitError{err, &rpc.ErrorResourceInitFailed{ID: id, Properties: state, Reasons: []string{err.Error()}}}
	}
	return &rpc.CreateResponse{RefreshBeforeUpdate: i.Cloud.Wants, ID: id, Properties: state}, nil
}

// Update changes a record.
func (i *Instance) Update(_ context.Context, r *rpc.UpdateRequest) (*rpc.UpdateResponse, error) {
	if err := i.begin("Update", r.URN); err != nil {
		return nil, err
	}
	c := i.Cloud
	record, ok := c.Records[r.ID]
	if !ok || record.Region != i.Region {
		return nil, fmt.Errorf("there is no %s here", r.ID)
	}
	if r.Preview {
		state, _ := r.News.WithField("arn", value.String("arn:"+r.ID))
		return &rpc.UpdateResponse{RefreshBeforeUpdate: i.Cloud.Wants, Properties: state}, nil
	}

	record.Inputs = r.News
	c.Records[r.ID] = record
	state := i.state(r.ID, record)
	if err := c.fail("Update+", r.URN); err != nil {
		return nil, &InitError{err, &rpc.ErrorResourceInitFailed{ID: r.ID, Properties: state, Reasons: []string{err.Error()}}}
	}
	return &rpc.UpdateResponse{RefreshBeforeUpdate: i.Cloud.Wants, Properties: state}, nil
}

// Read finds a record.
func (i *Instance) Read(_ context.Context, r *rpc.ReadRequest) (*rpc.ReadResponse, error) {
	if err := i.begin("Read", r.URN); err != nil {
		return nil, err
	}

	record, ok := i.Cloud.Records[r.ID]
	if !ok || record.Region != i.Region {
		return &rpc.ReadResponse{}, nil
	}
	return &rpc.ReadResponse{RefreshBeforeUpdate: i.Cloud.Wants, ID: r.ID, Inputs: record.Inputs, Properties: i.state(r.ID, record)}, nil
}

// Delete removes a record, which has to be there.
func (i *Instance) Delete(_ context.Context, r *rpc.DeleteRequest) (*rpc.Empty, error) {
	if err := i.begin("Delete", r.URN); err != nil {
		return nil, err
	}
	record, ok := i.Cloud.Records[r.ID]
	if !ok || record.Region != i.Region {
		return nil, fmt.Errorf("there is no %s here", r.ID)
	}

	delete(i.Cloud.Records, r.ID)
	return &rpc.Empty{}, nil
}

// Cancel does nothing.
func (i *Instance) Cancel(context.Context, *rpc.Empty) (*rpc.Empty, error) {
	return &rpc.Empty{}, i.begin("CancelConfig", "")
}

// InitError is the error for a resource that is there but does not work.
type InitError struct {
	error
	Detail *rpc.ErrorResourceInitFailed
}

// InitFailed returns the detail.
func (e *InitError) InitFailed() *rpc.ErrorResourceInitFailed { return e.Detail }

// Unwrap returns what failed.
func (e *InitError) Unwrap() error { return e.error }
