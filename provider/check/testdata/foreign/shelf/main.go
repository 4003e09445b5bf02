// Command pulumi-resource-shelf is a Terraform provider, of boxes in a folder, under
// pulumi-terraform-bridge.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/hashicorp/terraform-plugin-sdk/v2/diag"
	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/schema"
	pdiag "github.com/pulumi/pulumi/sdk/v3/go/common/diag"
	"github.com/pulumi/pulumi/sdk/v3/go/common/diag/colors"
	"github.com/pulumi/pulumi/sdk/v3/go/common/tokens"

	"github.com/pulumi/pulumi-terraform-bridge/v3/pkg/tfbridge"
	"github.com/pulumi/pulumi-terraform-bridge/v3/pkg/tfgen"
	shimv2 "github.com/pulumi/pulumi-terraform-bridge/v3/pkg/tfshim/sdk-v2"
)

func file(id string) string { return filepath.Join(os.Getenv("NOTES"), id+".box") }

var fields = []string{"title", "color", "size", "code", "tags", "labels", "owner"}

func save(d *schema.ResourceData) diag.Diagnostics {
	all := map[string]any{}
	for _, f := range fields {
		v := d.Get(f)
		if s, ok := v.(*schema.Set); ok {
			v = s.List()
		}
		all[f] = v
	}
	data, err := json.Marshal(all)
	if err == nil {
		err = os.WriteFile(file(d.Id()), data, 0o600)
	}
	if err == nil {
		err = d.Set("path", "/boxes/"+d.Id())
	}
	return diag.FromErr(err)
}

func load(_ context.Context, d *schema.ResourceData, _ any) diag.Diagnostics {
	data, err := os.ReadFile(file(d.Id()))
	if os.IsNotExist(err) {
		d.SetId("")
		return nil
	}
	all := map[string]any{}
	if err == nil {
		err = json.Unmarshal(data, &all)
	}
	for _, f := range fields {
		if err == nil {
			err = d.Set(f, all[f])
		}
	}
	if err == nil {
		err = d.Set("path", "/boxes/"+d.Id())
	}
	return diag.FromErr(err)
}

func provider() *schema.Provider {
	return &schema.Provider{ResourcesMap: map[string]*schema.Resource{"shelf_box": {
		CreateContext: func(_ context.Context, d *schema.ResourceData, _ any) diag.Diagnostics {
			d.SetId(d.Get("title").(string))
			return save(d)
		},
		ReadContext:   load,
		UpdateContext: func(_ context.Context, d *schema.ResourceData, _ any) diag.Diagnostics { return save(d) },
		DeleteContext: func(_ context.Context, d *schema.ResourceData, _ any) diag.Diagnostics {
			return diag.FromErr(os.Remove(file(d.Id())))
		},
		Importer: &schema.ResourceImporter{StateContext: schema.ImportStatePassthroughContext},
		Schema: map[string]*schema.Schema{
			"title":  {Type: schema.TypeString, Required: true, ForceNew: true},
			"color":  {Type: schema.TypeString, Optional: true, Default: "red"},
			"size":   {Type: schema.TypeInt, Optional: true, Computed: true},
			"code":   {Type: schema.TypeString, Optional: true, Sensitive: true},
			"tags":   {Type: schema.TypeSet, Optional: true, Elem: &schema.Schema{Type: schema.TypeString}},
			"labels": {Type: schema.TypeMap, Optional: true, Elem: &schema.Schema{Type: schema.TypeString}},
			"owner": {Type: schema.TypeList, Optional: true, Elem: &schema.Resource{Schema: map[string]*schema.Schema{
				"name": {Type: schema.TypeString, Required: true},
				"mail": {Type: schema.TypeString, Optional: true},
			}}},
			"path": {Type: schema.TypeString, Computed: true},
		},
	}}}
}

func main() {
	info := tfbridge.ProviderInfo{
		P: shimv2.NewProvider(provider()), Name: "shelf", Version: "0.1.0", MetadataInfo: tfbridge.NewProviderMetadata(nil),
		Resources: map[string]*tfbridge.ResourceInfo{"shelf_box": {Tok: tokens.Type("shelf:index/box:Box")}},
	}
	sink := pdiag.DefaultSink(io.Discard, io.Discard, pdiag.FormatOptions{Color: colors.Never})
	spec, err := tfgen.GenerateSchema(info, sink)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	text, err := json.Marshal(spec)
	if err != nil {
		panic(err)
	}
	tfbridge.Main("shelf", "0.1.0", info, text)
}
