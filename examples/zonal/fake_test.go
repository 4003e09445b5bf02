package main

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
)

// fake is the service. It keeps names in lower case and the values of records in its own
// order, and does not return keys.
type fake struct {
	mu      sync.Mutex
	zones   map[string]zone
	records map[string]record
}

func serve(t *testing.T) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(&fake{zones: map[string]zone{}, records: map[string]record{}})
	t.Cleanup(s.Close)
	return s
}

func (f *fake) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	defer f.mu.Unlock()

	if r.Header.Get("Authorization") != "Bearer t0ken-t0ken" {
		http.Error(w, "no", http.StatusForbidden)
		return
	}
	kind, id, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	var answer any
	var code int
	if kind == "zones" {
		answer, code = f.zone(r, id)
	} else {
		answer, code = f.record(r, id)
	}
	w.WriteHeader(code)
	_ = json.NewEncoder(w).Encode(answer)
}

func (f *fake) zone(r *http.Request, id string) (any, int) {
	now, there := f.zones[id]
	switch {
	case r.Method == http.MethodPost:
		if json.NewDecoder(r.Body).Decode(&now) != nil {
			return nil, http.StatusBadRequest
		}
		now.Name = strings.ToLower(now.Name)
		if _, taken := f.zones[now.Name]; taken {
			return nil, http.StatusConflict
		}
		id, now.NameServers = now.Name, []string{"ns1." + now.Name, "ns2." + now.Name}
	case !there:
		return nil, http.StatusNotFound
	case r.Method == http.MethodDelete:
		delete(f.zones, id)
		return nil, http.StatusOK
	case r.Method == http.MethodPut:
		now.Comment = ""
		if json.NewDecoder(r.Body).Decode(&now) != nil {
			return nil, http.StatusBadRequest
		}
		now.Name = id
	default:
		return now, http.StatusOK
	}
	now.Serial++
	f.zones[id] = now
	return now, http.StatusOK
}

func (f *fake) record(r *http.Request, id string) (any, int) {
	now, there := f.records[id]
	switch {
	case r.Method == http.MethodPost:
		if json.NewDecoder(r.Body).Decode(&now) != nil {
			return nil, http.StatusBadRequest
		}
		now.Name = strings.ToLower(now.Name)
		if id = now.Zone + "/" + now.Name + "/" + string(now.Type); f.records[id].Name != "" {
			return nil, http.StatusConflict
		}
	case !there:
		return nil, http.StatusNotFound
	case r.Method == http.MethodDelete:
		delete(f.records, id)
		return nil, http.StatusOK
	case r.Method == http.MethodPut:
		name := now.Name
		if json.NewDecoder(r.Body).Decode(&now) != nil {
			return nil, http.StatusBadRequest
		}
		now.Name = name
	default:
		now.Key = ""
		return now, http.StatusOK
	}
	slices.Sort(now.Values)
	now.FQDN = strings.ToLower(now.Name + "." + now.Zone)
	f.records[id] = now
	now.Key = ""
	return now, http.StatusOK
}
