package state

import (
	"slices"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/internal/jsonscan"
)

// Open decrypts the secrets of all resources in one call of the [Decrypter], and
// returns the file with what takes their place; see [OpenBags]. The file itself
// stays as it is. Each ciphertext is asked for once, however often it stands
// there; without any there is no call. The secrets in what is kept as it stands,
// pending operations for example, are not touched.
//
// All resources are read by this, and those that have sealed secrets twice, so
// that what is wrong with one of them is an error here.
func (f *File) Open(d Decrypter) (*File, error) {
	f = f.self()
	if f.answers != nil {
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
		ask.collect(r.Inputs)
		ask.collect(r.Outputs)
		if ask.occurrences > before {
			check = append(check, i)
		}
	}
	if err := ask.ask(d, f.opts); err != nil {
		return nil, err
	}
	opened := *f
	ask.seen = nil
	known := &ask
	opened.answers = &known
	for _, i := range check {
		if _, err := opened.resource(i, new(jsonscan.Skipper)); err != nil {
			return nil, err
		}
	}
	return &opened, nil
}

// openBatch decrypts the secrets of resources in one call.
func openBatch(batch []Resource, d Decrypter, o codec.Options) ([]Resource, error) {
	var ask answers
	for i := range batch {
		ask.collect(batch[i].Inputs)
		ask.collect(batch[i].Outputs)
	}
	if err := ask.ask(d, o); err != nil {
		return nil, err
	}
	opened := slices.Clone(batch)
	for i := range opened {
		r := &opened[i]
		var err error
		field := "inputs"
		o.Report = copied(&r.InputsReport)
		if r.Inputs, err = open(r.Inputs, ask, o); err == nil {
			field = "outputs"
			o.Report = copied(&r.OutputsReport)
			r.Outputs, err = open(r.Outputs, ask, o)
		}
		if err != nil {
			e := &Error{Offset: r.Offset, Resources: r.Number, Field: field}
			e.adopt(err, r.Offset)
			return nil, e
		}
	}
	return opened, nil
}

// copied makes a report independent of the one that it was copied from.
func copied(r *codec.Report) *codec.Report {
	r.Rounded = slices.Clone(r.Rounded)
	return r
}
