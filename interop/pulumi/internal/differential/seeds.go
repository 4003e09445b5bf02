package differential

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"
)

// WireBags returns the real bags of the wire in a file of rows {form, bag}, as
// bytes. The error wraps fs.ErrNotExist when the file is not there.
func WireBags(file string) ([][]byte, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // read only

	var bags [][]byte
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<24)

	for n := 1; lines.Scan(); n++ {
		var row struct {
			Form string
			Bag  json.RawMessage
		}
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		if row.Form != "grpc" {
			continue
		}
		m := new(structpb.Struct)
		if err := protojson.Unmarshal(row.Bag, m); err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		data, err := proto.MarshalOptions{Deterministic: true}.Marshal(m)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		bags = append(bags, data)
	}
	return bags, lines.Err()
}

// HandSeeds are bags with every signature, for want of real ones, and to have
// more of what is rare in those.
func HandSeeds() [][]byte {
	texts := []string{
		`{"a":{"4dabf18193072939515e22adb298388d":"1b47061264138c4ac30d75fd1eb44270","value":{"b":[1,true,null]}}}`,
		`{"a":{"4dabf18193072939515e22adb298388d":"c44067f5952c0a294b673a41bacd8c17","text":"t","hash":"abc"}}`,
		`{"a":{"4dabf18193072939515e22adb298388d":"c44067f5952c0a294b673a41bacd8c17","path":"p"}}`,
		`{"a":{"4dabf18193072939515e22adb298388d":"c44067f5952c0a294b673a41bacd8c17","uri":"u","hash":""}}`,
		`{"a":{"4dabf18193072939515e22adb298388d":"c44067f5952c0a294b673a41bacd8c17","hash":"abc"}}`,
		`{"a":{"4dabf18193072939515e22adb298388d":"0def7320c3a5731c473e5ecbe6d01bc7","hash":"abc","assets":{"f":{"4dabf18193072939515e22adb298388d":"c44067f5952c0a294b673a41bacd8c17","text":"t"},"g":{"4dabf18193072939515e22adb298388d":"0def7320c3a5731c473e5ecbe6d01bc7","path":"p"}}}}`,
		`{"a":{"4dabf18193072939515e22adb298388d":"0def7320c3a5731c473e5ecbe6d01bc7","hash":"abc"}}`,
		`{"a":{"4dabf18193072939515e22adb298388d":"5cf8f73096256a8f31e491e813e4eb8e","urn":"urn:pulumi:dev::proj::pkg:mod:Type::name","id":"i","packageVersion":"1.0.0"}}`,
		`{"a":{"4dabf18193072939515e22adb298388d":"5cf8f73096256a8f31e491e813e4eb8e","urn":"urn:pulumi:dev::proj::pkg:mod:Type::name","id":"04da6b54-80e4-46f7-96ec-b56ff0331ba9","name":"n","type":"t"}}`,
		`{"a":{"4dabf18193072939515e22adb298388d":"d0e6a833031e9bbcd3f4e8bde6ca49a4","value":[1],"secret":true,"dependencies":["urn:b","urn:a","urn:b"]}}`,
		`{"a":{"4dabf18193072939515e22adb298388d":"d0e6a833031e9bbcd3f4e8bde6ca49a4","dependencies":["urn:a"]}}`,
		`{"a":{"4dabf18193072939515e22adb298388d":"803fd3297a5875dc03ca845dda5d2a98","value":"/w=="}}`,
		`{"a":"04da6b54-80e4-46f7-96ec-b56ff0331ba9","b":["6a19a0b0-7e62-4c92-b797-7f8e31da9cc2"],"c":{"d":"1c4a061d-8072-4f0a-a4cb-0ff528b18fe7"}}`,
		`{}`,
	}
	all := make([][]byte, 0, len(texts))
	for _, text := range texts {
		m := new(structpb.Struct)
		if err := protojson.Unmarshal([]byte(text), m); err != nil {
			panic(err)
		}
		data, err := proto.MarshalOptions{Deterministic: true}.Marshal(m)
		if err != nil {
			panic(err)
		}

		all = append(all, data)
	}
	return all
}
