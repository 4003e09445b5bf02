package state

import (
	"slices"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/internal/jsonscan"
	"github.com/propalg/propalg/internal/veil"
)

// Decrypt decrypts the secrets of all resources in one call of the [Decrypter], and
// returns the file with secrets in their places; see [DecryptBags]. The file itself does
// not change. Each ciphertext is decrypted once, however often it occurs; without any,
// the Decrypter is not called. It also decrypts pending operations, but not the members
// that [File.Fields] and [Resource.Extra] hold as text.
//
// It reads all resources, and those with sealed secrets twice, so that an error in any
// of them is returned here.
func (f *File) Decrypt(d Decrypter) (*File, error) {
	f = f.self()
	if f.answers.Open() != nil {
		return f, nil
	}

	sealed := *f
	sealed.opts.Secrets = keepSealed(f.opts.Secrets)
	var ask answers
	var check []int
	for i := range f.resources {
		r, err := sealed.resource(i, new(jsonscan.Skipper))
		if err != nil {
			return nil, err
		}
		before := ask.occurrences
		ask.gather(&r)
		if ask.occurrences > before {
			check = append(check, i)
		}
	}
	if err := sealed.pending(ask.gather); err != nil {
		return nil, err
	}
	if err := ask.ask(d); err != nil {
		return nil, err
	}

	opened := *f
	opened.answers = veil.Hide(&ask)
	for _, i := range check {
		if _, err := opened.resource(i, new(jsonscan.Skipper)); err != nil {
			return nil, err
		}
	}
	if err := opened.pending(func(*Resource) {}); err != nil {
		return nil, err
	}
	return &opened, nil
}

// gather notes the ciphertexts in a resource.
func (a *answers) gather(r *Resource) {
	for _, p := range r.properties() {
		a.collect(*p.value)
	}
}

// pending calls visit for the resources of pending operations.
func (f *File) pending(visit func(*Resource)) error {
	for op, err := range f.PendingOperations() {
		if err != nil {
			return err
		}
		visit(&op.Resource)
	}
	return nil
}

// openBatch decrypts the secrets of resources in one call.
func openBatch(batch []Resource, d Decrypter, o codec.Options) ([]Resource, error) {
	var ask answers
	for i := range batch {
		ask.gather(&batch[i])
	}
	if err := ask.ask(d); err != nil {
		return nil, err
	}
	opened := slices.Clone(batch)
	for i := range opened {
		for _, p := range opened[i].properties() {
			var err error
			own := optionsOf(p.name, o)
			own.Report = copied(p.report)
			if *p.value, err = open(*p.value, ask, own); err != nil {
				e := &Error{Offset: opened[i].Offset, Resources: opened[i].Number, Field: p.name}
				e.adopt(err, opened[i].Offset)
				return nil, e
			}
		}
	}

	return opened, nil
}

// copied makes a report independent of the one that it was copied from.
func copied(r *codec.Report) *codec.Report {
	r.Rounded = slices.Clone(r.Rounded)
	return r
}
