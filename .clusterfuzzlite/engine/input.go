package libfuzzer

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

const (
	header = "go test fuzz v1\n"

	folderMode = 0o755
	fileMode   = 0o644
)

// Import writes the seeds of a target and the inputs of go's fuzzing in from, if
// there is such a folder, to the folder to, as libFuzzer reads them.
func (t *Target) Import(from, to string) error {
	added, err := (&engine{}).ReadCorpus(from, t.types)
	if err != nil {
		return err
	}

	for _, e := range slices.Concat(t.seeds, added) {
		if err := write(to, encode(e.Values)); err != nil {
			return err
		}
	}

	return nil
}

// Export writes inputs of libFuzzer's as go's fuzzing reads them.
func (t *Target) Export(from, to string) error {
	files, err := os.ReadDir(from)
	if err != nil {
		return err
	}

	for _, file := range files {
		data, err := os.ReadFile(filepath.Join(from, file.Name()))
		if err != nil {
			return err
		}

		if err := write(to, marshal(decode(t.types, data))); err != nil {
			return err
		}
	}

	return nil
}

// write writes an input to a folder, by a name that follows from it.
func write(folder string, data []byte) error {
	if err := os.MkdirAll(folder, folderMode); err != nil {
		return err
	}

	sum := sha256.Sum256(data)

	return os.WriteFile(filepath.Join(folder, hex.EncodeToString(sum[:8])), data, fileMode)
}

func checkTypes(types []reflect.Type) error {
	for i, typ := range types {
		if !isLong(typ) && !isUint(typ) && typ.Kind() != reflect.Bool {
			return fmt.Errorf("argument %d is a %v: want []byte, string, bool, or an unsigned integer", i, typ)
		}
	}

	return nil
}

func isLong(t reflect.Type) bool { return t.Kind() == reflect.String || t.Kind() == reflect.Slice }

func isUint(t reflect.Type) bool { return t.Kind() >= reflect.Uint && t.Kind() <= reflect.Uint64 }

// decode reads arguments from the bytes of an input: first those of fixed size,
// little-endian; then the lengths of the long ones, but of the last, as varints; then
// the long ones. So any bytes are an input, and those of a target with one long
// argument are that argument. What the bytes lack is zero.
func decode(types []reflect.Type, data []byte) []any {
	values := make([]reflect.Value, len(types))

	var long []reflect.Value

	for i, typ := range types {
		values[i] = reflect.New(typ).Elem()
		if isLong(typ) {
			long = append(long, values[i])

			continue
		}

		var number [8]byte

		n := copy(number[:typ.Size()], data)
		data = data[n:]

		if typ.Kind() == reflect.Bool {
			values[i].SetBool(number[0]&1 == 1)
		} else {
			values[i].SetUint(binary.LittleEndian.Uint64(number[:]))
		}
	}

	lengths := make([]uint64, len(long))

	for i := range len(long) - 1 {
		length, n := binary.Uvarint(data)
		data = data[max(n, 0):]
		lengths[i] = length
	}

	for i, value := range long {
		length := len(data)
		if i < len(long)-1 {
			length = int(min(lengths[i], uint64(length)))
		}

		if value.Kind() == reflect.String {
			value.SetString(string(data[:length]))
		} else {
			value.SetBytes(slices.Clone(data[:length]))
		}

		data = data[length:]
	}

	return interfaces(values)
}

func interfaces(values []reflect.Value) []any {
	all := make([]any, len(values))
	for i, v := range values {
		all[i] = v.Interface()
	}

	return all
}

// encode is the inverse of decode.
func encode(values []any) []byte {
	var fixed, lengths, long []byte

	for _, v := range values {
		value := reflect.ValueOf(v)

		switch {
		case value.Kind() == reflect.Bool && value.Bool():
			fixed = append(fixed, 1)
		case value.Kind() == reflect.Bool:
			fixed = append(fixed, 0)
		case isUint(value.Type()):
			fixed = append(fixed, binary.LittleEndian.AppendUint64(nil, value.Uint())[:value.Type().Size()]...)
		}
	}

	last := lastLong(values)

	for i, v := range values {
		value := reflect.ValueOf(v)
		if !isLong(value.Type()) {
			continue
		}

		if i != last {
			lengths = binary.AppendUvarint(lengths, uint64(value.Len()))
		}

		if value.Kind() == reflect.String {
			long = append(long, value.String()...)
		} else {
			long = append(long, value.Bytes()...)
		}
	}

	return slices.Concat(fixed, lengths, long)
}

func lastLong(values []any) int {
	last := -1

	for i, v := range values {
		if isLong(reflect.TypeOf(v)) {
			last = i
		}
	}

	return last
}

// marshal writes a file as go's fuzzing does.
func marshal(values []any) []byte {
	text := []byte(header)

	for _, v := range values {
		switch v.(type) {
		case []byte, string:
			text = fmt.Appendf(text, "%v(%q)\n", strings.Replace(reflect.TypeOf(v).String(), "uint8", "byte", 1), v)
		default:
			text = fmt.Appendf(text, "%T(%v)\n", v, v)
		}
	}

	return text
}

// readFile reads a file of go's fuzzing.
func readFile(file string, types []reflect.Type) ([]any, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}

	rest, ok := strings.CutPrefix(string(text), header)
	lines := strings.Split(strings.TrimSuffix(rest, "\n"), "\n")

	if !ok || len(lines) != len(types) {
		return nil, fmt.Errorf("%s: want the line %q and %d values", file, strings.TrimSpace(header), len(types))
	}

	values := make([]reflect.Value, len(types))

	for i, line := range lines {
		values[i] = reflect.New(types[i]).Elem()
		if err := parse(line, values[i]); err != nil {
			return nil, fmt.Errorf("%s:%d: want a value of type %v: %w", file, i+2, types[i], err)
		}
	}

	return interfaces(values), nil
}

// parse reads a conversion of a literal, such as []byte("a"), into a value.
func parse(line string, value reflect.Value) error {
	tree, err := parser.ParseExpr(line)
	if err != nil {
		return err
	}

	call, ok := tree.(*ast.CallExpr)
	if !ok || len(call.Args) != 1 {
		return fmt.Errorf("not a conversion")
	}

	literal := ""

	switch arg := call.Args[0].(type) {
	case *ast.BasicLit:
		literal = arg.Value
		if arg.Kind == token.CHAR || arg.Kind == token.STRING {
			literal, err = strconv.Unquote(literal)
		}

		if arg.Kind == token.CHAR { // a byte
			r, _ := utf8.DecodeRuneInString(literal)
			literal = strconv.Itoa(int(r))
		}
	case *ast.Ident:
		literal = arg.Name
	}

	if err != nil {
		return err
	}

	kind := value.Kind()
	switch {
	case kind == reflect.Bool:
		value.SetBool(literal == "true")
	case isUint(value.Type()):
		n, err := strconv.ParseUint(literal, 0, value.Type().Bits())
		if err != nil {
			return err
		}

		value.SetUint(n)
	case kind == reflect.String:
		value.SetString(literal)
	default:
		value.SetBytes([]byte(literal))
	}

	return nil
}
