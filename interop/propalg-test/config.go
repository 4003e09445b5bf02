package main

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/propalg/propalg/schema"
	"github.com/propalg/propalg/value"
)

// config is the configuration of the provider: names and values, and which are secrets.
type config struct{ values []configValue }

type configValue struct {
	name   string
	value  value.Value
	secret bool
}

// add adds NAME=VALUE, NAME=@FILE or NAME=$VARIABLE. The latter two are secrets.
func (c *config) add(text string, m *mask) error {
	name, is, ok := strings.Cut(text, "=")
	if !ok || name == "" {
		return errors.New("expected NAME=VALUE")
	}
	v := configValue{name: name}
	switch {
	case strings.HasPrefix(is, "@"):
		file, err := os.ReadFile(is[1:])
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		v.value, v.secret = value.String(strings.TrimRight(string(file), "\r\n")), true
	case strings.HasPrefix(is, "$"):
		variable, ok := os.LookupEnv(is[1:])
		if !ok {
			return fmt.Errorf("%s: no variable %s", name, is[1:])
		}
		v.value, v.secret = value.String(variable), true
	default:
		v.value = parsed(is)
	}
	if v.secret {
		m.add(v.value)
	}
	c.values = append(c.values, v)
	return nil
}

// args returns the configuration as programs pass it. What the schema calls secret is one.
func (c *config) args(p *schema.Package) value.Value {
	members := map[string]value.Value{}
	for _, each := range c.values {
		v := each.value
		if property, ok := p.Config().Property(each.name); ok {
			if text, isText := v.AsString(); property.Type().Kind() == schema.KindString && !isText {
				v = value.String(string(plainJSON(v)))
			} else if isText && property.Type().Kind() != schema.KindString {
				v = parsed(text)
			}
		}
		if each.secret {
			v = value.Secret(v)
		}
		members[each.name] = v
	}
	return p.Config().MarkSecrets(value.ObjectFromMap(members))
}
