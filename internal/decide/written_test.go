package decide_test

import (
	"fmt"
	"testing"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/internal/decide"
	"github.com/propalg/propalg/value"
)

func TestKindOf(t *testing.T) {
	type goal struct {
		ReadID, ImportID string
		Component        bool
	}
	option := goal{ImportID: "i-1"}

	for name, row := range map[string]struct {
		r    goal
		old  *state.Resource
		want decide.Kind
	}{
		"a read":                               {goal{ReadID: "i-1"}, nil, decide.KindRead},
		"a read of what was managed":           {goal{ReadID: "i-1"}, &state.Resource{ID: "i-1"}, decide.KindRead},
		"no option":                            {goal{}, nil, decide.KindManage},
		"a component":                          {goal{Component: true, ImportID: "i-1"}, nil, decide.KindManage},
		"not there":                            {option, nil, decide.KindImport},
		"there, imported before":               {option, &state.Resource{ID: "i-1"}, decide.KindManage},
		"there, imported by another spelling":  {option, &state.Resource{ID: "id:i-1", ImportID: "i-1"}, decide.KindManage},
		"there with another ID":                {option, &state.Resource{ID: "i-2"}, decide.KindImport},
		"there, and imported from another one": {option, &state.Resource{ID: "i-1", ImportID: "i-2"}, decide.KindImport},
		"there, and not managed":               {option, &state.Resource{ID: "i-1", External: true}, decide.KindImport},
	} {
		if got := decide.KindOf(row.r.ReadID, row.r.ImportID, row.r.Component, row.old); got != row.want {
			t.Errorf("%s: %v, not %v", name, got, row.want)
		}
	}
}

// said is a resource as one line.
func said(all []state.Resource) (text string) {
	for _, r := range all {
		text += fmt.Sprintf("%s %v %v", r.ID, r.Inputs, r.Outputs)
		if r.Delete {
			text += " waits for deletion"
		}

		if r.PendingReplacement {
			text += " is to be made again"
		}

		text += "; "
	}

	return text
}

func TestWritten(t *testing.T) {
	old := state.Resource{ID: "old", Inputs: obj("in", num(1)), Outputs: obj("out", num(1))}
	now := state.Resource{ID: "now", Inputs: obj("in", num(2)), Outputs: obj("out", num(2))}
	before, after := `old {in: 1} {out: 1}`, `now {in: 2} {out: 2}`

	for _, row := range []struct {
		step  decide.Step
		calls int
		want  string
	}{
		{decide.StepFail, 1, before + "; "},
		{decide.StepCompare, 0, before + "; "},
		{decide.StepSame, 0, `old {in: 2} {out: 1}; `},
		{decide.StepUpdate, 0, before + "; "},
		{decide.StepUpdate, 1, `old {in: 2} {out: 2}; `},
		{decide.StepCreateFirst, 0, before + "; "},
		{decide.StepCreateFirst, 1, after + "; " + before + " waits for deletion; "},
		{decide.StepCreateFirst, 2, after + "; "},
		{decide.StepDeleteFirst, 0, before + "; "},
		{decide.StepDeleteFirst, 1, before + " is to be made again; "},
		{decide.StepDeleteFirst, 2, after + "; "},
	} {
		if got := said(decide.Written(row.step, row.calls, old, now)); got != row.want {
			t.Errorf("%v after %d calls: %s, not %s", row.step, row.calls, got, row.want)
		}
	}
}

func TestRefreshed(t *testing.T) {
	old := state.Resource{ID: "old", Inputs: obj("in", num(1)), Outputs: obj("out", num(1)), Protect: true, InitErrors: []value.Value{value.String("before")}}

	for name, row := range map[string]struct {
		r    rpc.ReadResponse
		want string
	}{
		"gone":        {rpc.ReadResponse{Properties: obj("out", num(2))}, ""},
		"as it was":   {rpc.ReadResponse{ID: "old", Inputs: obj("in", num(1)), Properties: obj("out", num(1))}, `old {in: 1} {out: 1}; `},
		"drifted":     {rpc.ReadResponse{ID: "old", Inputs: obj("in", num(2)), Properties: obj("out", num(2))}, `old {in: 2} {out: 2}; `},
		"no inputs":   {rpc.ReadResponse{ID: "old", Properties: obj("out", num(2))}, `old {in: 1} {out: 2}; `},
		"no property": {rpc.ReadResponse{ID: "old", Inputs: obj(), Properties: obj()}, `old {} {}; `},
		"another ID":  {rpc.ReadResponse{ID: "new", Properties: obj("out", num(1))}, `new {in: 1} {out: 1}; `},
	} {
		now, ok := decide.Refreshed(old, &row.r, nil)
		if got := said([]state.Resource{now}); ok != (row.want != "") || (ok && (got != row.want || !now.Protect || len(now.InitErrors) > 0)) {
			t.Errorf("%s: %v %s, not %s", name, ok, got, row.want)
		}
	}

	if _, ok := decide.Refreshed(old, nil, nil); ok {
		t.Error("nil is a resource")
	}

	now, _ := decide.Refreshed(old, &rpc.ReadResponse{ID: "old"}, []string{"no disk"})
	if len(now.InitErrors) != 1 || !now.InitErrors[0].Equal(sec(value.String("no disk"))) || len(old.InitErrors) != 1 {
		t.Errorf("%v", now.InitErrors)
	}
}
