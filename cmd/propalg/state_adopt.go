package main

import (
	"errors"
	"iter"
	"strings"

	"github.com/propalg/propalg/cmd/propalg/internal/input"
	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/urn"
)

func runStateAdopt(inv *invocation) (int, error) {
	how := inv.editing()
	if err := inv.parse(3, 3); err != nil {
		return 0, err
	}
	return inv.rewrite(state.Edits{}, how, func(in *input.Source, e *state.Edits) ([]string, error) {
		name, notes := inv.args[1], []string(nil)
		if !strings.HasPrefix(name, urn.Prefix) {
			all, err := indexOf(pendingOf(in))
			if err != nil {
				return nil, in.Place(err)
			}
			if len(all.all) == 0 {
				return nil, errors.New("no operation is pending")
			}
			found, _, err := named(all.candidates(name), name)
			if err != nil {
				return nil, err
			}
			notes = append(notes, clipped(name)+" is "+found)
			name = found
		}
		e.Adopt = map[string]string{name: inv.args[2]}
		return notes, nil
	})
}

// pendingOf reads the resources of the pending operations of a stack.
func pendingOf(in *input.Source) iter.Seq2[state.Resource, error] {
	return func(yield func(state.Resource, error) bool) {
		reader := state.NewReader(in.Reader(), state.Options{Codec: codec.Options{RoundNumbers: true}})
		for _, err := range reader.Entries() {
			if err != nil {
				yield(state.Resource{}, err)
				return
			}
		}
		for op, err := range reader.Document().PendingOperations() {
			if !yield(op.Resource, err) || err != nil {
				return
			}
		}
	}
}
