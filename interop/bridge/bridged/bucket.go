package bridged

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringdefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// bucket has a set, blocks, a default, and names that replace it.
type bucket struct{ store *store[bucketModel] }

type bucketModel struct {
	ID     types.String `tfsdk:"id"`
	Name   types.String `tfsdk:"name"`
	Region types.String `tfsdk:"region"`
	Zones  types.Set    `tfsdk:"zones"`
	Labels types.Map    `tfsdk:"labels"`
	URL    types.String `tfsdk:"url"`
	Rules  []ruleModel  `tfsdk:"rule"`
}

type ruleModel struct {
	Prefix types.String `tfsdk:"prefix"`
	Days   types.Int64  `tfsdk:"days"`
}

func (*bucket) Metadata(_ context.Context, r resource.MetadataRequest, to *resource.MetadataResponse) {
	to.TypeName = r.ProviderTypeName + "_bucket"
}

func (*bucket) Schema(_ context.Context, _ resource.SchemaRequest, to *resource.SchemaResponse) {
	known := []planmodifier.String{stringplanmodifier.UseStateForUnknown()}
	replaces := []planmodifier.String{stringplanmodifier.RequiresReplace()}
	to.Schema = schema.Schema{
		Attributes: map[string]schema.Attribute{
			"id":     schema.StringAttribute{Computed: true, PlanModifiers: known},
			"name":   schema.StringAttribute{Required: true, PlanModifiers: replaces},
			"region": schema.StringAttribute{Optional: true, Computed: true, Default: stringdefault.StaticString("eu"), PlanModifiers: replaces},
			"zones":  schema.SetAttribute{Optional: true, ElementType: types.StringType},
			"labels": schema.MapAttribute{Optional: true, ElementType: types.StringType},
			"url":    schema.StringAttribute{Computed: true, PlanModifiers: known},
		},
		Blocks: map[string]schema.Block{
			"rule": schema.ListNestedBlock{NestedObject: schema.NestedBlockObject{Attributes: map[string]schema.Attribute{
				"prefix": schema.StringAttribute{Required: true},
				"days":   schema.Int64Attribute{Optional: true},
			}}},
		},
	}
}

func (b *bucket) Create(ctx context.Context, r resource.CreateRequest, to *resource.CreateResponse) {
	var x bucketModel
	if to.Diagnostics.Append(r.Plan.Get(ctx, &x)...); to.Diagnostics.HasError() {
		return
	}
	x.ID = types.StringValue(b.store.nextID("bucket-"))
	x.URL = types.StringValue("https://buckets.test/" + x.ID.ValueString())
	b.store.set(x.ID.ValueString(), x)
	to.Diagnostics.Append(to.State.Set(ctx, &x)...)
}

func (b *bucket) Read(ctx context.Context, r resource.ReadRequest, to *resource.ReadResponse) {
	var id types.String
	if to.Diagnostics.Append(r.State.GetAttribute(ctx, path.Root("id"), &id)...); to.Diagnostics.HasError() {
		return
	}
	x, ok := b.store.get(id.ValueString())
	if !ok {
		to.State.RemoveResource(ctx)
		return
	}
	to.Diagnostics.Append(to.State.Set(ctx, &x)...)
}

func (b *bucket) Update(ctx context.Context, r resource.UpdateRequest, to *resource.UpdateResponse) {
	var x bucketModel
	if to.Diagnostics.Append(r.Plan.Get(ctx, &x)...); to.Diagnostics.HasError() {
		return
	}
	b.store.set(x.ID.ValueString(), x)
	to.Diagnostics.Append(to.State.Set(ctx, &x)...)
}

func (b *bucket) Delete(ctx context.Context, r resource.DeleteRequest, to *resource.DeleteResponse) {
	var id types.String
	to.Diagnostics.Append(r.State.GetAttribute(ctx, path.Root("id"), &id)...)
	b.store.remove(id.ValueString())
}

func (*bucket) ImportState(ctx context.Context, r resource.ImportStateRequest, to *resource.ImportStateResponse) {
	resource.ImportStatePassthroughID(ctx, path.Root("id"), r, to)
}
