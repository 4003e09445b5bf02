package bridged

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// user has secrets, an object and a set of objects.
type user struct{ store *store[userModel] }

type userModel struct {
	ID       types.String `tfsdk:"id"`
	Login    types.String `tfsdk:"login"`
	Password types.String `tfsdk:"password"`
	APIKey   types.String `tfsdk:"api_key"`
	Quota    *quotaModel  `tfsdk:"quota"`
	Grants   []grantModel `tfsdk:"grant"`
}

type quotaModel struct {
	Size types.Int64 `tfsdk:"size"`
	Hard types.Bool  `tfsdk:"hard"`
}

type grantModel struct {
	Role   types.String `tfsdk:"role"`
	Secret types.String `tfsdk:"secret"`
}

func (*user) Metadata(_ context.Context, r resource.MetadataRequest, to *resource.MetadataResponse) {
	to.TypeName = r.ProviderTypeName + "_user"
}

func (*user) Schema(_ context.Context, _ resource.SchemaRequest, to *resource.SchemaResponse) {
	known := []planmodifier.String{stringplanmodifier.UseStateForUnknown()}
	to.Schema = schema.Schema{
		Attributes: map[string]schema.Attribute{
			"id":       schema.StringAttribute{Computed: true, PlanModifiers: known},
			"login":    schema.StringAttribute{Required: true},
			"password": schema.StringAttribute{Optional: true, Sensitive: true},
			"api_key":  schema.StringAttribute{Computed: true, Sensitive: true, PlanModifiers: known},
			"quota": schema.SingleNestedAttribute{Optional: true, Attributes: map[string]schema.Attribute{
				"size": schema.Int64Attribute{Required: true},
				"hard": schema.BoolAttribute{Optional: true},
			}},
		},
		Blocks: map[string]schema.Block{
			"grant": schema.SetNestedBlock{NestedObject: schema.NestedBlockObject{Attributes: map[string]schema.Attribute{
				"role":   schema.StringAttribute{Required: true},
				"secret": schema.StringAttribute{Optional: true, Sensitive: true},
			}}},
		},
	}
}

func (u *user) Create(ctx context.Context, r resource.CreateRequest, to *resource.CreateResponse) {
	var x userModel
	if to.Diagnostics.Append(r.Plan.Get(ctx, &x)...); to.Diagnostics.HasError() {
		return
	}
	x.ID = types.StringValue(u.store.nextID("user-"))
	x.APIKey = types.StringValue("key of " + x.ID.ValueString())
	u.store.set(x.ID.ValueString(), x)
	to.Diagnostics.Append(to.State.Set(ctx, &x)...)
}

func (u *user) Read(ctx context.Context, r resource.ReadRequest, to *resource.ReadResponse) {
	var id types.String
	if to.Diagnostics.Append(r.State.GetAttribute(ctx, path.Root("id"), &id)...); to.Diagnostics.HasError() {
		return
	}
	x, ok := u.store.get(id.ValueString())
	if !ok {
		to.State.RemoveResource(ctx)
		return
	}
	to.Diagnostics.Append(to.State.Set(ctx, &x)...)
}

func (u *user) Update(ctx context.Context, r resource.UpdateRequest, to *resource.UpdateResponse) {
	var x userModel
	if to.Diagnostics.Append(r.Plan.Get(ctx, &x)...); to.Diagnostics.HasError() {
		return
	}
	u.store.set(x.ID.ValueString(), x)
	to.Diagnostics.Append(to.State.Set(ctx, &x)...)
}

func (u *user) Delete(ctx context.Context, r resource.DeleteRequest, to *resource.DeleteResponse) {
	var id types.String
	to.Diagnostics.Append(r.State.GetAttribute(ctx, path.Root("id"), &id)...)
	u.store.remove(id.ValueString())
}

func (*user) ImportState(ctx context.Context, r resource.ImportStateRequest, to *resource.ImportStateResponse) {
	resource.ImportStatePassthroughID(ctx, path.Root("id"), r, to)
}
