// Package rest calls the services of the examples: JSON over HTTP.
package rest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/propalg/propalg/provider/resource"
)

// Service is a service. Its fields are those of the configuration of a provider.
type Service struct {
	// Endpoint is the URL of the service.
	Endpoint string `pulumi:"endpoint"`
	// Token is sent with each request.
	Token string `pulumi:"token" provider:"secret"`
}

// Call sends a request, and decodes the answer, unless out is nil. The error for what is not
// there is [resource.ErrNotFound].
func (s Service) Call(ctx context.Context, method, path string, in, out any) error {
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
	case r.StatusCode >= http.StatusMultipleChoices:
		return fmt.Errorf("%s %s: %s", method, path, r.Status)
	case out == nil:
		return nil
	}
	return json.NewDecoder(r.Body).Decode(out)
}
