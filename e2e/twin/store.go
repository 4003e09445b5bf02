package main

import (
	"encoding/json"
	"errors"
	"time"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/plugin"
	"google.golang.org/protobuf/types/known/structpb"

	"go.etcd.io/bbolt"
)

// store is a file of records.
type store struct{ file string }

var errNone = errors.New("no such record")

const bucket = "records"

// kept is a record as it is written.
type kept struct{ Inputs, State json.RawMessage }

func (s store) do(f func(*bbolt.Bucket) error) error {
	db, err := bbolt.Open(s.file, 0o600, &bbolt.Options{Timeout: time.Minute})
	if err != nil {
		return err
	}
	err = db.Update(func(tx *bbolt.Tx) error {
		b, err := tx.CreateBucketIfNotExists([]byte(bucket))
		if err != nil {
			return err
		}
		return f(b)
	})
	return errors.Join(err, db.Close())
}

func keep() plugin.MarshalOptions {
	return plugin.MarshalOptions{KeepSecrets: true, KeepResources: true}
}

func encode(m resource.PropertyMap) (json.RawMessage, error) {
	s, err := plugin.MarshalProperties(m, keep())
	if err != nil {
		return nil, err
	}
	return s.MarshalJSON()
}

func decode(data json.RawMessage) (resource.PropertyMap, error) {
	var s structpb.Struct
	if err := s.UnmarshalJSON(data); err != nil {
		return nil, err
	}
	return plugin.UnmarshalProperties(&s, keep())
}

func (s store) save(id string, inputs, state resource.PropertyMap) error {
	var k kept
	var err error
	if k.Inputs, err = encode(inputs); err != nil {
		return err
	}
	if k.State, err = encode(state); err != nil {
		return err
	}
	data, err := json.Marshal(k)
	if err != nil {
		return err
	}
	return s.do(func(b *bbolt.Bucket) error { return b.Put([]byte(id), data) })
}

func (s store) load(id string) (inputs, state resource.PropertyMap, err error) {
	var k kept
	err = s.do(func(b *bbolt.Bucket) error {
		data := b.Get([]byte(id))
		if data == nil {
			return errNone
		}
		return json.Unmarshal(data, &k)
	})
	if err != nil {
		return nil, nil, err
	}
	if inputs, err = decode(k.Inputs); err != nil {
		return nil, nil, err
	}
	state, err = decode(k.State)
	return inputs, state, err
}

func (s store) remove(id string) error {
	return s.do(func(b *bbolt.Bucket) error { return b.Delete([]byte(id)) })
}
