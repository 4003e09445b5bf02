// Package gen generates the messages of package codec/rpc from a table of the
// protocol, codec/rpc/protocol.txt, whose first lines explain its syntax. A
// test of that package compares the generated files with the committed ones, and
// rewrites them with -update; other tests build protobuf descriptors from the same
// table.
//
//	schema, err := gen.Parse(table)
//	files, err := schema.Generate() // "provider_gen.go": source, …
package gen

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Schema is the parsed table.
type Schema struct {
	Messages []*Message
	Enums    []*Enum
	Calls    []Call
}

// Message is one message of the protocol.
type Message struct {
	File   string // of the generated source, without _gen.go
	Name   string // in the protocol, "DiffRequest" or "Alias.Spec"
	Type   string // in Go
	Doc    string
	Fields []Field // by number
}

// FullName returns the name with its package.
func (m *Message) FullName() string {
	if strings.HasPrefix(m.Name, "google.") {
		return m.Name
	}
	return "pulumirpc." + m.Name
}

// Field is one field of a message.
type Field struct {
	Name   string
	Number int
	Type   string // without the label: "string", "Struct", "View"
	Label  Label
	Oneof  string
	Hidden bool
	Listed bool
	Note   string

	Message *Message // the type, if it is a message
	Enum    *Enum    // the type, if it is an enum
}

// Label is what precedes the type of a field.
type Label uint8

// The labels.
const (
	Plain Label = iota
	Optional
	Repeated
	Map // from strings
)

// Enum is one enum of the protocol.
type Enum struct {
	File, Name, Type, Prefix, Doc string
	Values                        []string // by number, from 0
}

// Call is one method, such as "ResourceProvider/Diff".
type Call struct {
	Method            string
	Request, Response *Message
	Answered          bool // Unimplemented has it, written by hand
}

// Provided returns the name of a method of providers, without the service, and "" for others.
func (c Call) Provided() string {
	name, ok := strings.CutPrefix(c.Method, "ResourceProvider/")
	if !ok {
		return ""
	}
	return name
}

// scalars returns the types that are neither messages nor enums of the table.
func scalars() []string {
	return []string{"string", "bool", "int32", "int64", "double", "bytes", "Struct", "Value"}
}

// Parse reads a table. Its error names the line.
func Parse(table string) (*Schema, error) {
	s := &Schema{}
	p := parser{schema: s}
	var calls [][]string
	for i, line := range strings.Split(table, "\n") {
		if err := p.line(line, &calls); err != nil {
			return nil, fmt.Errorf("line %d: %w", i+1, err)
		}
	}
	if err := s.resolve(); err != nil {
		return nil, err
	}

	for _, words := range calls {
		c := Call{Method: words[1], Request: s.message(words[2]), Response: s.message(words[3]), Answered: len(words) == 5}
		if c.Request == nil || c.Response == nil {
			return nil, fmt.Errorf("rpc %s: unknown message", c.Method)
		}
		s.Calls = append(s.Calls, c)
	}
	return s, nil
}

type parser struct {
	schema *Schema
	file   string
	msg    *Message // the message being read, or nil
	enum   *Enum    // the enum being read, or nil
}

func (p *parser) line(line string, calls *[][]string) error {
	line, note, _ := strings.Cut(line, " // ")
	words := strings.Fields(line)
	switch {
	case len(words) == 0 || strings.HasPrefix(words[0], "#"):
		return nil
	case words[0] == "file" && len(words) == 2:
		p.file = words[1]
		return nil

	case words[0] == "rpc" && (len(words) == 4 || (len(words) == 5 && words[4] == "answered")):
		*calls = append(*calls, words)
		return nil
	case words[0] == "message" && len(words) >= 2:
		p.msg, p.enum = &Message{File: p.file, Name: words[1], Type: words[len(words)-1]}, nil
		p.schema.Messages = append(p.schema.Messages, p.msg)
		return nil
	case words[0] == "enum" && len(words) == 5:
		p.msg, p.enum = nil, &Enum{File: p.file, Name: words[1], Type: strings.TrimSuffix(words[3], ","), Prefix: words[4]}
		p.schema.Enums = append(p.schema.Enums, p.enum)
		return nil
	case words[0] == "doc" && p.msg != nil:
		p.msg.Doc = strings.Join(words[1:], " ")
		return nil
	case words[0] == "doc" && p.enum != nil:
		p.enum.Doc = strings.Join(words[1:], " ")
		return nil
	case p.enum != nil && len(words) == 2 && words[0] == strconv.Itoa(len(p.enum.Values)):
		p.enum.Values = append(p.enum.Values, words[1])
		return nil
	case p.msg != nil && len(words) >= 3:
		return p.field(words, note)
	}

	return errors.New("invalid line")
}

func (p *parser) field(words []string, note string) error {
	number, err := strconv.Atoi(words[0])
	if err != nil {
		return err
	}

	f := Field{Number: number, Name: words[1], Note: note}
	words = words[2:]
	typ, isMap := strings.CutPrefix(words[0], "map<string,")
	switch {
	case isMap:
		f.Label, words[0] = Map, strings.TrimSuffix(typ, ">")
	case words[0] == "optional":
		f.Label, words = Optional, words[1:]
	case words[0] == "repeated":
		f.Label, words = Repeated, words[1:]
	}
	f.Type = words[0]
	for _, flag := range words[1:] {
		oneof, isOneof := strings.CutPrefix(flag, "oneof=")
		switch {
		case isOneof:
			f.Oneof = oneof
		case flag == "hidden":
			f.Hidden = true
		case flag == "listed" && isMap && f.Type == "PropertyDiff":
			f.Listed = true
		default:
			return fmt.Errorf("unknown flag %s", flag)
		}
	}

	if n := len(p.msg.Fields); n > 0 && p.msg.Fields[n-1].Number >= number {
		return fmt.Errorf("field %d is out of order", number)
	}
	p.msg.Fields = append(p.msg.Fields, f)
	return nil
}

// resolve finds the messages and enums that fields refer to, and checks that
// messages of the same Go type have the same fields.
func (s *Schema) resolve() error {
	for _, m := range s.Messages {
		for i := range m.Fields {
			f := &m.Fields[i]
			if slices.Contains(scalars(), f.Type) {
				continue
			}
			// As in protobuf, the innermost scope that has the name wins.
			for scope := m.Name; f.Message == nil && f.Enum == nil; scope = scope[:max(0, strings.LastIndex(scope, "."))] {
				name := strings.TrimPrefix(scope+"."+f.Type, ".")
				f.Message, f.Enum = s.message(name), s.enum(name)
				if scope == "" && f.Message == nil && f.Enum == nil {
					return fmt.Errorf("%s.%s: unknown type %s", m.Name, f.Name, f.Type)
				}
			}
		}
	}

	first := map[string]*Message{}
	for _, m := range s.Messages {
		if other := first[m.Type]; other == nil {
			first[m.Type] = m
		} else if !slices.Equal(m.Fields, other.Fields) {
			return fmt.Errorf("%s and %s have one Go type and different fields", m.Name, other.Name)
		}
	}

	return nil
}

func (s *Schema) message(name string) *Message {
	for _, m := range s.Messages {
		if m.Name == name {
			return m
		}
	}
	return nil
}

func (s *Schema) enum(name string) *Enum {
	for _, e := range s.Enums {
		if e.Name == name {
			return e
		}
	}
	return nil
}
