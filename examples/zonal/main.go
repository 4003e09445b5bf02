// Command pulumi-resource-zonal is a provider of DNS zones and their records, which an HTTP
// service keeps.
package main

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strings"

	"github.com/propalg/propalg/interop/grpc"
	"github.com/propalg/propalg/provider/resource"
)

type config struct {
	// Endpoint is the URL of the service.
	Endpoint string `pulumi:"endpoint" env:"ZONAL_ENDPOINT"`
	// Token is sent with each request.
	Token string `pulumi:"token" provider:"secret" env:"ZONAL_TOKEN"`
}

type zoneArgs struct {
	// Name is the domain of the zone, in any case.
	Name    string `pulumi:"name" provider:"replaceOnChanges,fold,shown"`
	Comment string `pulumi:"comment,optional"`
}

// zone is a domain whose names are served.
type zone struct {
	zoneArgs
	NameServers []string `pulumi:"nameServers" provider:"stable"`
	Serial      int      `pulumi:"serial"`
}

// RecordType is the type of a record.
type RecordType string

// The types of records.
const (
	A     RecordType = "A"
	CNAME RecordType = "CNAME"
	TXT   RecordType = "TXT"
)

type recordArgs struct {
	Zone string     `pulumi:"zone" provider:"replaceOnChanges,fold,shown"` // the name of a zone
	Name string     `pulumi:"name" provider:"replaceOnChanges,fold,shown"`
	Type RecordType `pulumi:"type" provider:"replaceOnChanges,shown"`
	// Values are the contents of the record, in any order.
	Values []string `pulumi:"values" provider:"set"`
	// TTL is how many seconds resolvers keep the record.
	TTL int `pulumi:"ttl" default:"300"`
	// Key allows other programs to change the record.
	Key string `pulumi:"key,optional" provider:"secret,writeOnly"`
}

// record is what a name in a zone stands for.
type record struct {
	recordArgs
	FQDN string `pulumi:"fqdn"`
}

// service is what Configure sets.
type service struct{ config }

func (s *service) zones() resource.Of[zoneArgs, zone] {
	return resource.Of[zoneArgs, zone]{
		Token: "zonal:index:Zone",
		Create: func(ctx context.Context, args zoneArgs) (id string, made zone, err error) {
			err = s.call(ctx, http.MethodPost, "/zones", args, &made)
			return strings.ToLower(args.Name), made, err
		},
		Read: func(ctx context.Context, id string, _ zone) (found zone, err error) {
			err = s.call(ctx, http.MethodGet, "/zones/"+id, nil, &found)
			return found, err
		},
		Update: func(ctx context.Context, id string, _ zone, args zoneArgs) (now zone, err error) {
			err = s.call(ctx, http.MethodPut, "/zones/"+id, args, &now)
			return now, err
		},
		Delete: func(ctx context.Context, id string, _ zone) error {
			return s.call(ctx, http.MethodDelete, "/zones/"+id, nil, nil)
		},
		Check: func(_ context.Context, args *zoneArgs) error { return named(args.Name) },
	}
}

func (s *service) records() resource.Of[recordArgs, record] {
	return resource.Of[recordArgs, record]{
		Token: "zonal:index:Record",
		Create: func(ctx context.Context, args recordArgs) (id string, made record, err error) {
			err = s.call(ctx, http.MethodPost, "/records", args, &made)
			return args.Zone + "/" + strings.ToLower(args.Name) + "/" + string(args.Type), made, err
		},
		Read: func(ctx context.Context, id string, _ record) (found record, err error) {
			err = s.call(ctx, http.MethodGet, "/records/"+id, nil, &found)
			return found, err
		},
		Update: func(ctx context.Context, id string, _ record, args recordArgs) (now record, err error) {
			err = s.call(ctx, http.MethodPut, "/records/"+id, args, &now)
			return now, err
		},
		Delete: func(ctx context.Context, id string, _ record) error {
			return s.call(ctx, http.MethodDelete, "/records/"+id, nil, nil)
		},
		Check: func(_ context.Context, args *recordArgs) error {
			if args.TTL < 1 || args.TTL > 86400 {
				return resource.Invalid("ttl", "expected 1 to 86400")
			}
			if len(args.Values) == 0 {
				return resource.Invalid("values", "expected a value, found none")
			}
			return named(args.Name)
		},
		Predict: func(_ context.Context, args recordArgs, _ *record) (record, error) {
			return record{args, strings.ToLower(args.Name + "." + args.Zone)}, nil
		},
	}
}

func named(name string) error {
	if name == "" || strings.Contains(name, "/") {
		return resource.Invalid("name", "expected the name of a domain")
	}
	return nil
}

// call calls the service, which speaks of properties by their names.
func (s *service) call(ctx context.Context, method, path string, in, out any) error {
	var body bytes.Buffer
	if err := json.NewEncoder(&body).Encode(in); err != nil {
		return err
	}
	q, err := http.NewRequestWithContext(ctx, method, s.Endpoint+path, &body)
	if err != nil {
		return err
	}
	q.Header.Set("Authorization", "Bearer "+s.Token)
	r, err := http.DefaultClient.Do(q)
	if err != nil {
		return err
	}
	defer func() { _ = r.Body.Close() }()
	switch {
	case r.StatusCode == http.StatusNotFound:
		return resource.ErrNotFound
	case r.StatusCode >= 300:
		return fmt.Errorf("%s %s: %s", method, path, r.Status)
	case out == nil:
		return nil
	}
	return json.NewDecoder(r.Body).Decode(out)
}

//go:embed schema.json
var schema []byte

func zonal() resource.Package {
	s := &service{}
	return resource.Package{
		Name: "zonal", Version: "0.1.0", Description: "Zones and records of a DNS service.", Schema: schema, Env: os.LookupEnv,
		Config:    resource.Configure(func(_ context.Context, c config) error { s.config = c; return nil }),
		Resources: []resource.Resource{s.zones(), s.records()},
	}
}

func main() { grpc.Main(resource.New(zonal())) }
