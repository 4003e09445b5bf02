// Package store is the cloud of the example: records in a file on disk.
//
// The file is opened and locked for each operation, so that several processes may
// use it, as several providers use one cloud. An operation is one transaction, on the
// disk when it returns (bbolt sees to that): a process that is killed has done all of it
// or nothing. Secrets are in the file as they are, as in any cloud.
package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"sync"
	"time"

	"go.etcd.io/bbolt"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/value"
)

// The phases of a record.
const (
	Reserved = "reserved" // its name is taken, and no more
	Ready    = "ready"
)

// Record is what the cloud knows of one record.
type Record struct {
	Name    string
	Serial  uint64 // of its making: no other record ever has it, also none of this name
	URN     string // of the resource that it was made for
	Phase   string
	Inputs  value.Value // an object
	Outputs value.Value // an object: what was computed
}

// Store is a file of records. It may be used by several goroutines.
type Store struct {
	file string
	mu   sync.Mutex // bbolt's lock would make a process wait for itself
}

// Open returns the store in a file, which the first change makes.
func Open(file string) *Store { return &Store{file: file} }

// Change calls a function with the record of a name, if there is one, and keeps what
// it returns, with the next serial if that has none: all in one transaction, while
// nothing else is changed. An error of the function is returned, and nothing is
// changed.
func (s *Store) Change(ctx context.Context, name string, change func(old Record, found bool) (Record, error)) (r Record, err error) {
	err = s.transact(ctx, true, func(b *bbolt.Bucket) error {
		old, found, err := load(b, name)
		if err != nil {
			return err
		}
		if r, err = change(old, found); err != nil {
			return err
		}
		r.Name = name
		if r.Serial == 0 {
			if r.Serial, err = b.NextSequence(); err != nil {
				return err
			}
		}
		data, err := r.encode()
		if err != nil {
			return err
		}
		return b.Put([]byte(name), data)
	})
	return r, err
}

// Save keeps a record, whatever was there.
func (s *Store) Save(ctx context.Context, r Record) error {
	_, err := s.Change(ctx, r.Name, func(Record, bool) (Record, error) { return r, nil })
	return err
}

// Remove removes a record that a function agrees to. One that is not there is no
// error.
func (s *Store) Remove(ctx context.Context, name string, agreed func(Record) bool) error {
	return s.transact(ctx, true, func(b *bbolt.Bucket) error {
		r, found, err := load(b, name)
		if err != nil || !found || !agreed(r) {
			return err
		}
		return b.Delete([]byte(name))
	})
}

// Load returns the record of a name, if there is one.
func (s *Store) Load(ctx context.Context, name string) (r Record, found bool, err error) {
	err = s.transact(ctx, false, func(b *bbolt.Bucket) (err error) {
		r, found, err = load(b, name)
		return err
	})
	return r, found, err
}

// List returns all records, by name.
func (s *Store) List(ctx context.Context) (all []Record, err error) {
	err = s.transact(ctx, false, func(b *bbolt.Bucket) error {
		return b.ForEach(func(name, _ []byte) error {
			r, _, err := load(b, string(name))
			all = append(all, r)
			return err
		})
	})
	return all, err
}

func (s *Store) transact(ctx context.Context, writes bool, do func(*bbolt.Bucket) error) (err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return err // the engine said Cancel while we waited
	}
	if info, err := os.Stat(s.file); !writes && (errors.Is(err, os.ErrNotExist) || (err == nil && info.Size() == 0)) {
		return nil // there are no records: the first write was not made, or was killed at its beginning
	}
	db, err := bbolt.Open(s.file, 0o600, &bbolt.Options{Timeout: 4 * time.Second, ReadOnly: !writes}) // waits less than Cancel leaves us
	if err != nil {
		return fmt.Errorf("store: %w", err)
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	name := []byte("records")
	if writes {
		return db.Update(func(tx *bbolt.Tx) error {
			b, err := tx.CreateBucketIfNotExists(name)
			if err != nil {
				return err
			}
			return do(b)
		})
	}
	return db.View(func(tx *bbolt.Tx) error {
		if b := tx.Bucket(name); b != nil {
			return do(b)
		}
		return nil
	})
}

// A record is kept as JSON, in the form that property values have in state files
// and on the wire: secrets, assets and the rest come back as they were.
func (r Record) encode() ([]byte, error) {
	return codec.AppendJSONValue(nil, value.Object(
		value.Member{Key: "serial", Value: value.String(strconv.FormatUint(r.Serial, 10))},
		value.Member{Key: "urn", Value: value.String(r.URN)},
		value.Member{Key: "phase", Value: value.String(r.Phase)},
		value.Member{Key: "inputs", Value: r.Inputs},
		value.Member{Key: "outputs", Value: r.Outputs},
	), codec.Options{})
}

func load(b *bbolt.Bucket, name string) (Record, bool, error) {
	data := b.Get([]byte(name))
	if data == nil {
		return Record{}, false, nil
	}
	v, err := codec.DecodeJSONValue(data, codec.Options{})
	if err != nil {
		return Record{}, false, fmt.Errorf("store: damaged record: %w", err)
	}
	text := func(field string) string {
		s, _ := v.Field(field).AsString()
		return s
	}
	serial, err := strconv.ParseUint(text("serial"), 10, 64)
	if err != nil {
		return Record{}, false, errors.New("store: damaged record: it has no serial")
	}
	return Record{
		Name: name, Serial: serial, URN: text("urn"), Phase: text("phase"), Inputs: v.Field("inputs"), Outputs: v.Field("outputs"),
	}, true, nil
}
