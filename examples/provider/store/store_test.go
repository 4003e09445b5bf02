package store_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"go.etcd.io/bbolt"

	"github.com/propalg/propalg/examples/provider/store"
	"github.com/propalg/propalg/value"
)

func bag(name string, v value.Value) value.Value {
	return value.Object(value.Member{Key: name, Value: v})
}

func all(store.Record) bool { return true }

// TestEmptyFile: a process that is killed before its first write leaves one.
func TestEmptyFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "store.db")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	s := store.Open(file)
	if _, found, err := s.Load(t.Context(), "a"); err != nil || found {
		t.Errorf("%v %v", found, err)
	}
	if err := s.Save(t.Context(), store.Record{Name: "a"}); err != nil {
		t.Error(err)
	}
	if _, found, err := s.Load(t.Context(), "a"); err != nil || !found {
		t.Errorf("%v %v", found, err)
	}
}

func TestStore(t *testing.T) {
	ctx := t.Context()
	file := filepath.Join(t.TempDir(), "store.db")
	s := store.Open(file)
	if all, err := s.List(ctx); err != nil || all != nil {
		t.Errorf("%v %v", all, err)
	}
	if _, found, err := s.Load(ctx, "a"); err != nil || found {
		t.Errorf("%v %v", found, err)
	}
	if _, err := os.Stat(file); !errors.Is(err, os.ErrNotExist) {
		t.Error("reading made a file")
	}
	want := store.Record{Name: "a", URN: "u", Phase: store.Ready, Inputs: bag("secret", value.Secret(value.String("\xff"))), Outputs: bag("n", value.Number(1e21))}
	if err := s.Save(ctx, want); err != nil {
		t.Fatal(err)
	}
	got, found, err := store.Open(file).Load(ctx, "a")
	if err != nil || !found || got.Name != "a" || got.Serial == 0 || got.URN != "u" || got.Phase != store.Ready || !got.Inputs.Identical(want.Inputs) || !got.Outputs.Identical(want.Outputs) {
		t.Errorf("%v %v", got, err)
	}
	refused := errors.New("refused")
	_, err = s.Change(ctx, "a", func(old store.Record, _ bool) (store.Record, error) {
		old.Phase = store.Reserved
		return old, refused
	})
	if got, _, _ := s.Load(ctx, "a"); !errors.Is(err, refused) || got.Phase != store.Ready {
		t.Errorf("%v %v", got, err)
	}
	if err := s.Save(ctx, store.Record{Name: "b", Inputs: value.String("\xff\xfe"), Outputs: value.Unknown()}); err != nil {
		t.Error(err)
	}
	if all, err := s.List(ctx); err != nil || len(all) != 2 || all[1].Name != "b" {
		t.Errorf("%v %v", all, err)
	}
	for range 2 {
		if err := s.Remove(ctx, "a", all); err != nil {
			t.Error(err)
		}
	}
	if err := s.Save(ctx, store.Record{Name: "a", Inputs: value.Object(), Outputs: value.Object()}); err != nil {
		t.Error(err)
	}
	if err := s.Remove(ctx, "a", func(r store.Record) bool { return r.Serial == got.Serial }); err != nil {
		t.Error(err)
	}
	if again, found, err := s.Load(ctx, "a"); err != nil || !found || again.Serial <= got.Serial {
		t.Errorf("%v %v %v: not another record than %d", again, found, err, got.Serial)
	}
	gone, cancel := context.WithCancel(ctx)
	cancel()
	if err := s.Remove(gone, "b", all); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// Two stores of one file are two processes, to the lock.
func TestTwoProcesses(t *testing.T) {
	file := filepath.Join(t.TempDir(), "store.db")
	var wg sync.WaitGroup
	const each = 10
	for range 2 {
		s := store.Open(file)
		wg.Go(func() {
			for range each {
				_, err := s.Change(t.Context(), "counter", func(old store.Record, _ bool) (store.Record, error) {
					n, _ := old.Outputs.Field("n").AsNumber()
					old.Inputs, old.Outputs = value.Object(), bag("n", value.Number(n+1))
					return old, nil
				})
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	r, _, err := store.Open(file).Load(t.Context(), "counter")
	if n, _ := r.Outputs.Field("n").AsNumber(); err != nil || n != 2*each {
		t.Errorf("%v %v", r, err)
	}
}

func TestDamage(t *testing.T) {
	file := filepath.Join(t.TempDir(), "store.db")
	s := store.Open(file)
	if err := s.Save(t.Context(), store.Record{Name: "a", Inputs: bag("x", value.Secret(value.String("canary"))), Outputs: value.Object()}); err != nil {
		t.Fatal(err)
	}
	db, err := bbolt.Open(file, 0o600, nil)
	if err != nil {
		t.Fatal(err)
	}
	err = db.Update(func(tx *bbolt.Tx) error {
		return tx.Bucket([]byte("records")).Put([]byte("a"), []byte(`{"inputs":"canary`))
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if _, _, err := s.Load(t.Context(), "a"); err == nil || len(err.Error()) > 200 {
		t.Error(err)
	}
	if err := os.WriteFile(file, []byte("no store"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := s.List(t.Context()); err == nil {
		t.Error("no error")
	}
}

func Example() {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "store")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = os.RemoveAll(dir) }()
	s := store.Open(filepath.Join(dir, "store.db"))
	fmt.Println(s.Save(ctx, store.Record{Name: "web", Phase: store.Ready, Inputs: value.Object(), Outputs: bag("token", value.Secret(value.String("hunter2")))}))
	r, found, err := s.Load(ctx, "web")
	fmt.Println(r.Outputs, found, err)
	// Output:
	// <nil>
	// {token: [secret]} true <nil>
}
