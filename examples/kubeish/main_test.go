package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/fuzz"
	"github.com/propalg/propalg/provider/resource"
	"github.com/propalg/propalg/provider/resource/resourcetest"
	"github.com/propalg/propalg/value"
)

// server keeps objects. It adds a label and replicas, and does not return secret data.
type server struct {
	mu   sync.Mutex
	all  map[string]wire
	next int
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()

	id := strings.TrimPrefix(r.URL.Path, "/objects/")
	now, there := s.all[id]
	switch r.Method {
	case http.MethodGet:
	case http.MethodDelete:
		delete(s.all, id)
	default:
		old := now
		now = wire{}
		if json.NewDecoder(r.Body).Decode(&now) != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		if r.Method == http.MethodPost {
			if _, taken := s.all[now.Name]; taken {
				w.WriteHeader(http.StatusConflict)
				return
			}
			id, there = now.Name, true
			s.next++
			old.UID = fmt.Sprint("uid-", s.next)
		}
		now.UID, now.Generation = old.UID, old.Generation+1
		if now.Replicas == nil {
			one := 1
			now.Replicas = &one
		}
		if now.Labels == nil {
			now.Labels = map[string]string{}
		}
		now.Labels["cluster"] = "test"
		s.all[id] = now
	}
	if !there {
		w.WriteHeader(http.StatusNotFound)
	}
	now.SecretData = nil
	_ = json.NewEncoder(w).Encode(now)
}

func configured(t *testing.T) *resource.Provider {
	t.Helper()
	p, err := resource.New(kubeish())
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(&server{all: map[string]wire{}})
	t.Cleanup(s.Close)
	if _, err := p.Configure(t.Context(), &rpc.ConfigureRequest{Args: value.Object(value.Field("server", value.String(s.URL)))}); err != nil {
		t.Fatal(err)
	}
	return p
}

//go:generate go test -run TestSchema .
func TestSchema(t *testing.T) { resourcetest.Schema(t, kubeish(), "schema.json") }

func TestObjects(t *testing.T) {
	p := resourcetest.Fuzz(configured(t), "kubeish:index:Object")
	labels := rapid.SampledFrom([]value.Value{value.Null(), value.Object(), value.Object(value.Field("a", value.String("b")))})
	policies := rapid.SampledFrom([]string{"", "{}", "{ }", `{"a": 1}`})
	p.Inputs = rapid.Custom(func(t *rapid.T) value.Value {
		return value.Object(
			value.Field("name", value.String(rapid.SampledFrom([]string{"a", "b"}).Draw(t, "name"))), value.Field("labels", labels.Draw(t, "labels")),
			value.Field("secretData", labels.Draw(t, "secretData")), value.Field("policy", value.String(policies.Draw(t, "policy"))),
			value.Field("spec", fuzz.Objects(fuzz.Options{Style: fuzz.RealLike, NoUnknowns: true, NoDependencies: true, NoAssets: true, NoReferences: true, NoSealed: true}).Draw(t, "spec")),
			value.Field("replicas", rapid.SampledFrom([]value.Value{value.Null(), value.Number(1), value.Number(3)}).Draw(t, "replicas")),
		)
	})
	p.Run(t)
}
