package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/fuzz"
	"github.com/propalg/propalg/interop/grpc"
	"github.com/propalg/propalg/value"
)

// journal is the file in which a run with --live notes what it makes: a line before each Create,
// and one after it, with the ID. It has no properties, which may be secret.
type journal struct {
	name string
	file *os.File
	left []made // in the order in which they were made
	open []made // whose Create has begun, and not ended
}

// made is a resource that was made.
type made struct {
	Type, Name, URN, ID string

	inputs, state value.Value // null if only the journal is known
}

// journalLine is a line of the file. Event is create, created, refused or deleted.
type journalLine struct {
	Event string `json:"event"`
	Type  string `json:"type"`
	Name  string `json:"name"`
	URN   string `json:"urn"`
	ID    string `json:"id,omitempty"`
}

// openJournal opens a journal, of which a cleanup reads what an earlier run left.
func openJournal(name string, isNew bool) (*journal, error) {
	flags := os.O_RDWR | os.O_APPEND
	if isNew {
		flags |= os.O_CREATE | os.O_EXCL
	}
	file, err := os.OpenFile(name, flags, 0o600)
	if errors.Is(err, os.ErrExist) {
		return nil, fmt.Errorf("%s: an earlier run left it; --cleanup %s deletes what that left", name, name)
	}
	if err != nil {
		return nil, err
	}

	j := &journal{name: name, file: file}
	text, err := io.ReadAll(file)
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	for line := range bytes.Lines(text) {
		var l journalLine
		if json.Unmarshal(line, &l) == nil { // a kill may have cut one
			j.replay(l)
		}
	}
	if len(text) > 0 && !bytes.HasSuffix(text, []byte("\n")) {
		_, err = file.WriteString("\n")
	}
	return j, err
}

// replay does to what is left what a line says.
func (j *journal) replay(l journalLine) {
	m := made{Type: l.Type, Name: l.Name, URN: l.URN, ID: l.ID}
	is := func(o made) bool { return o.URN == m.URN && (m.ID == "" || o.ID == m.ID) }
	switch l.Event {
	case "create":
		j.open = append(j.open, m)
	case "created":
		j.ended(l.URN)
		j.left = append(j.left, m)
	case "refused":
		j.ended(l.URN)
	case "deleted":
		j.left = slices.DeleteFunc(j.left, is)
	}
}

// ended takes a Create from those that have begun.
func (j *journal) ended(urn string) {
	if i := slices.IndexFunc(j.open, func(m made) bool { return m.URN == urn }); i >= 0 {
		j.open = slices.Delete(j.open, i, i+1)
	}
}

// write writes a line to the disk, before anything else happens.
func (j *journal) write(l journalLine) error {
	text, err := json.Marshal(l)
	if err != nil {
		return err
	}
	if _, err := j.file.Write(append(text, '\n')); err != nil {
		return err
	}
	j.replay(l)
	return j.file.Sync()
}

// close closes the file, and removes it if nothing is left.
func (j *journal) close() error {
	err := j.file.Close()
	if len(j.left)+len(j.open) == 0 {
		err = errors.Join(err, os.Remove(j.name))
	}
	return err
}

type (
	creating = func(context.Context, *rpc.CreateRequest) (*rpc.CreateResponse, error)
	deleting = func(context.Context, *rpc.DeleteRequest) (*rpc.Empty, error)
)

// creates returns Create with notes of what it makes. Nothing is made that cannot be noted.
func (j *journal) creates(create creating) creating {
	return func(ctx context.Context, r *rpc.CreateRequest) (*rpc.CreateResponse, error) {
		if r.Preview {
			return create(ctx, r)
		}
		l := journalLine{Event: "create", Type: r.Type, Name: r.Name, URN: r.URN}
		if err := j.write(l); err != nil {
			return nil, fmt.Errorf("%w: %w", fuzz.ErrGone, err)
		}
		response, err := create(ctx, r)
		m := made{inputs: r.Properties}
		var failed *grpc.Error
		switch {
		case err == nil:
			l.Event, l.ID, m.state = "created", response.ID, response.Properties
		case errors.As(err, &failed) && failed.InitFailed() != nil:
			l.Event, l.ID, m.state = "created", failed.InitFailed().ID, failed.InitFailed().Properties
		case errors.Is(err, fuzz.ErrGone):
			return response, err // nobody knows what it made
		default:
			l.Event = "refused"
		}
		if err := j.write(l); err != nil {
			return response, fmt.Errorf("%w: %w", fuzz.ErrGone, err)
		}
		if n := len(j.left); n > 0 && l.Event == "created" {
			j.left[n-1].inputs, j.left[n-1].state = m.inputs, m.state
		}
		return response, err
	}
}

// deletes returns Delete with notes of what it deletes.
func (j *journal) deletes(deletes deleting) deleting {
	return func(ctx context.Context, r *rpc.DeleteRequest) (*rpc.Empty, error) {
		response, err := deletes(ctx, r)
		if err != nil {
			return response, err
		}
		return response, j.write(journalLine{Event: "deleted", Type: r.Type, Name: r.Name, URN: r.URN, ID: r.ID})
	}
}

// cleanUp deletes what is left, and returns a line for each resource that it could not delete.
func (t *tester) cleanUp() (lines []string) {
	if t.journal == nil {
		return nil
	}
	t.ctx = context.Background()
	t.subject = &subject{kind: "cleanup"}
	for _, m := range slices.Backward(slices.Clone(t.journal.left)) {
		if err := t.delete(m); err != nil {
			lines = append(lines, fmt.Sprintf("%s %q is left, ID %q: %v", m.Type, m.Name, m.ID, err))
		}
	}
	for _, m := range t.journal.open {
		lines = append(lines, fmt.Sprintf("%s %q may be left: its Create did not end, and no ID is known", m.Type, m.Name))
	}
	return lines
}

// delete deletes a resource. What only the journal knows is read first.
func (t *tester) delete(m made) error {
	if m.state.IsNull() {
		read := via(t.plugin, "Read", (*grpc.Client).Read)
		found, err := read(t.ctx, &rpc.ReadRequest{URN: m.URN, Type: m.Type, Name: m.Name, ID: m.ID})
		if err == nil && found.ID != "" {
			m.inputs, m.state = found.Inputs, found.Properties
		}
		if err == nil && found.ID == "" {
			return t.journal.write(journalLine{Event: "deleted", Type: m.Type, Name: m.Name, URN: m.URN, ID: m.ID})
		}
	}
	gone := t.journal.deletes(via(t.plugin, "Delete", (*grpc.Client).Delete))
	_, err := gone(t.ctx, &rpc.DeleteRequest{URN: m.URN, Type: m.Type, Name: m.Name, ID: m.ID, OldInputs: m.inputs, Properties: m.state})
	return err
}
