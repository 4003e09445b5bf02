package engine

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/internal/decide"
	"github.com/propalg/propalg/internal/veil"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/provider/check"
)

// Stack is the state of a stack, and an engine in memory that changes it.
//
// Preview, Update, Refresh, Import and Destroy return a run, an iterator over the actions
// that it takes. Nothing happens until the caller ranges over it, and ranging again runs
// again. The zero Stack is empty, and its runs fail where they need a provider.
//
// A run takes one action after another, in an order that depends on nothing but the
// state, the program and what providers answer: resources in the order of the program, and
// then deletions, dependents first. When an action is yielded, its calls are done, and
// [Stack.State] returns what the engine would have written.
//
// # When a run fails
//
// An action that fails is yielded with its error and is the last one, unless the options of the
// Stack say that a run continues on errors. After the loop, the
// Stack has all that was done before it. What failed is as it was, unless the provider says
// that it made or changed the resource (an [rpc.ErrorResourceInitFailed]): that is written, with the
// reasons in InitErrors. If a resource of the program fails, nothing that the program does
// not declare is deleted. To go on, call Update again, with the same program or a mended
// one.
//
// Leaving the loop stops the run there, as if the engine were killed between two actions:
// the next run, of any kind, continues from that state. To test an engine that is killed
// during an action, call [Stack.State] within a call of the provider: the call is pending
// there, and a Stack that is made of what it returns reports that first.
//
// Errors show what a provider says only as long as neither programs nor the state nor
// answers have had secrets: see [RevealError]. After that the reasons of partial failures
// are secret in the state.
//
// A run fails if a resource of the state uses a feature that this engine does not have;
// the error names the feature. These are hooks, views, extensions and snippets.
//
// # Contexts and goroutines
//
// A Stack is not safe for concurrent use, and a run that is begun within another of the
// same Stack fails; different Stacks may run at the same time, if their providers allow it.
//
// If the context ends during a call, the provider gets Cancel, and no further action is
// begun. The context passed to the call itself does not end, so that what the provider
// returns is still written. A method that does not return within five seconds of that is
// left, and so is a Cancel or a Close that takes longer: an error says what still runs, and
// its goroutine stays. An operation that was left so is pending.
//
// Methods of providers are called one at a time, each in a goroutine of its own. If one
// panics the run does, with an error that has the stack of the method if the value was an
// error or a string.
// The methods panic if the context is nil.
type Stack struct {
	// Launch returns a new instance of a package's provider, where an engine would start the
	// plugin. The Version of the Plugin is the one in the inputs of the provider resource, or
	// empty. At the end of the run, Cancel of the instance is called unless it was called
	// before, and then Close if the instance is an [io.Closer]. Launch has to return when its
	// context ends. Its errors are shown, unless the version is a secret.
	Launch func(context.Context, Plugin) (rpc.Provider, error)
	// Resources are those of the state, each after all that it depends on. During a run that
	// may change them they are empty, and so is Pending: see State.
	Resources []state.Resource
	// Pending are operations of an earlier run that was killed. The next run reports them.
	Pending []state.Operation
	Options Options // of the runs

	running veil.Pointer[run] // which has the state meanwhile
	secret  bool              // a program, the state or an answer had a secret
}

// State returns the resources and the pending operations as they are now. During a run that
// is after the last action; within a call of a provider, the call is pending. Outside a run
// it returns Resources and Pending. The slices are the caller's.
func (s *Stack) State() ([]state.Resource, []state.Operation) {
	if r := s.running.Open(); r != nil {
		return r.state()
	}
	return slices.Clone(s.Resources), slices.Clone(s.Pending)
}

// Op is the operation of an action, by the name that engines give it:
//
//	same                    nothing
//	create                  make a resource
//	update                  change one in place
//	create-replacement      make one that replaces another of the same URN
//	delete                  delete what the program no longer declares
//	delete-replaced         delete what is or will be replaced
//	read                    read a resource that is not managed
//	read-replacement        the same, in place of a managed one with another ID
//	discard                 drop from the state one that was read, without a call
//	discard-replaced        the same, for one that is now managed
//	import                  read a resource, and manage it from now on
//	import-replacement      the same, in place of the one in the state
//	refresh                 read a resource in the state, and write what was read
//	remove-pending-replace  drop what was deleted to be replaced, and is not declared any more
//	pending                 report an operation that an earlier run did not end
//	skip                    nothing, after something failed that it depends on, or that needs it
//	fail                    nothing: what would be done is not known, or is refused
//
// Components have the same operations without calls, and provider resources with Configure
// in place of Create and Update.
type Op string

// The operations that programs most often ask for. Like all others, they may be written as
// their names.
const (
	OpSame              Op = "same"
	OpCreate            Op = "create"
	OpUpdate            Op = "update"
	OpCreateReplacement Op = "create-replacement"
	OpDelete            Op = "delete"
)

// Action is one thing that a run did to a resource, or would do to it in a preview.
type Action struct {
	Op  Op
	URN string
	// Why is the reason as a phrase for people, such as "nothing changed" or "the program
	// does not declare it". Programs look at the other fields: in a refresh, a Response that
	// says [rpc.DiffNone] means that nothing changed, and a Now without a URN that the
	// resource is gone.
	Why string
	// Keys are the names of the properties that changed or, for a replacement, of those
	// that force it. "provider" means that the resource has another provider, and "id"
	// that it is marked to be replaced, and "replaceWith" that it is replaced with another.
	Keys []string
	// Causes are the URNs of resources whose earlier actions changed what the properties
	// in Keys depend on, or whose deletion is the reason for this action.
	Causes []string
	// Sides are what was compared, and Response what the provider answered, after a
	// comparison of the inputs in place of DIFF_UNKNOWN, and the resource option
	// replaceOnChanges. In a refresh, the old side is the state and the
	// new side is what was read.
	Sides    provider.Sides
	Response provider.Response
	// Calls are the calls for the action, in order, including those that led to it.
	Calls []Call
	// Old and Now are the resource in the state before and after the action; a URN that is
	// empty means that there is none. In a preview, Now is what would be written.
	Old, Now state.Resource
}

// Call is one call of a provider. Response is nil if the call failed. If the provider does
// not accept secrets, it gets and returns values without marks; the messages of the Call have
// the marks that the engine keeps.
type Call struct {
	Method   string // such as "Create"
	Request  rpc.Message
	Response rpc.Message
	Err      error
}

// Check returns all that is wrong with the calls of the action, after those of earlier actions in
// the same session; o has the rules by which the provider compares, if it has any. See
// [check.Session.Check]. A session is of one provider.
func (a Action) Check(session *check.Session, o provider.Differ) []check.Finding {
	found := make([]check.Finding, 0, len(a.Calls))
	for _, c := range a.Calls {
		found = append(found, session.Check(c.Request, c.Response, o)...)
	}
	return found
}

// Preview yields the actions that Update would take, for example to refuse an update that
// replaces something. It calls Create and Update of
// providers with Preview set, and does not call Delete. Values that are known only after
// the update are unknown, and the state does not change.
func (s *Stack) Preview(ctx context.Context, p Program) iter.Seq2[Action, error] {
	return s.run(ctx, p, true, (*run).update)
}

// Update makes the stack what a program declares: it registers the resources one by one,
// and then deletes what was replaced and what is not declared. Each resource is an action,
// if only [OpSame], and so are default providers; one that is replaced has two, and more if
// others are replaced with it.
func (s *Stack) Update(ctx context.Context, p Program) iter.Seq2[Action, error] {
	return s.run(ctx, p, false, (*run).update)
}

// Refresh calls Read for the resources in the state, and puts what it returns into the
// state; the next update makes them again what the program declares. Keys and Response of
// an action say what changed. A resource that no longer exists is removed. Components, providers, and resources
// that were deleted to be replaced are left as they are.
func (s *Stack) Refresh(ctx context.Context) iter.Seq2[Action, error] {
	return s.run(ctx, Program{}, false, (*run).refresh)
}

// Import reads the resources of a program that have an ImportID, and manages them from
// then on, with the inputs that were read. It is an error if such a resource is already
// in the state. The other resources of the program must be components and providers,
// which are created if they are missing.
func (s *Stack) Import(ctx context.Context, p Program) iter.Seq2[Action, error] {
	return s.run(ctx, p, false, (*run).importAll)
}

// Destroy deletes all resources, each before those that it depends on. If one of them is
// protected, the run fails, and deletes none.
func (s *Stack) Destroy(ctx context.Context) iter.Seq2[Action, error] {
	return s.run(ctx, Program{}, false, (*run).destroy)
}

// PreviewReplacement yields the deletions with which an update would begin that replaces a
// resource of the state and deletes it first: of what depends on it and has to be replaced with
// it, as Diff of the providers says, the last first, and of the resource. The state does not
// change. The URN is that of a resource which does not wait for its deletion.
func (s *Stack) PreviewReplacement(ctx context.Context, resource string) iter.Seq2[Action, error] {
	return s.run(ctx, Program{}, true, func(r *run) error {
		e := r.live(resource)
		if e == nil {
			return fmt.Errorf("%s: there is nothing to replace in the state", resource)
		}
		if e.Protect {
			return r.fail(resource, errors.New("the resource is protected and cannot be replaced"))
		}
		if err := r.deleteDependents(passed(e)); err != nil {
			return r.fail(resource, err)
		}
		return r.deleteFirst(e, Action{Why: decide.BecauseAsked})
	})
}
