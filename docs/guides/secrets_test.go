package guides_test

import (
	"fmt"

	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/schema"
	"github.com/propalg/propalg/value"
	"github.com/propalg/propalg/value/bind"
)

func Example_secrets() {
	login := value.Secret(value.Object(value.Field("user", value.String("ann")), value.Field("password", value.String("hunter2"))))
	inputs := value.Object(value.Field("login", login), value.Field("port", value.Number(5432)))
	fmt.Printf("%v %+v %#v\n", inputs, login, login.Field("user"))

	user := login.Field("user")
	copied, _ := inputs.WithField("owner", user)
	fmt.Println(user.IsSecret(), copied)
	// Output:
	// {login: [secret], port: 5432} [secret] value.Secret([secret])
	// true {login: [secret], owner: [secret], port: 5432}
}

func Example_secretsUsed() {
	url, err := value.Lift(func(args ...value.Value) (value.Value, error) {
		host, _ := args[0].AsString()
		password, _ := args[1].AsString()

		return value.String("postgres://app:" + password + "@" + host), nil
	}, value.String("db.local"), value.Secret(value.String("hunter2")))
	fmt.Println(url, err)

	plain, _ := url.AsString()
	fmt.Println(len(plain))
	// Output:
	// [secret] <nil>
	// 31
}

func Example_secretsStruct() {
	type database struct {
		Host     string `pulumi:"host"`
		Password string `pulumi:"password,secret"`
		Port     int    `pulumi:"port,optional"`
	}

	inputs := value.Object(value.Field("host", value.Secret(value.String("db.local"))), value.Field("password", value.String("hunter2")))

	var db database
	info, err := bind.Decode(inputs, &db, bind.Options{})
	if err != nil {
		panic(err)
	}
	db.Port = 5432

	state, err := info.Encode(db)
	fmt.Println(state, err)
	// Output:
	// {host: [secret], password: [secret], port: 5432} <nil>
}

func Example_secretsRead() {
	sent := value.Object(value.Field("password", value.Secret(value.String("hunter2"))))
	found := value.Object(value.Field("password", value.String("hunter3")), value.Field("token", value.String("abc")))
	fmt.Println(found.WithSecretsOf(sent))

	fmt.Println(found.MarkSecret(path.MustSet("token")))

	pkg, err := schema.Read([]byte(`{"name": "demo", "resources": {"demo:index:Db": {
		"properties": {"password": {"type": "string", "secret": true}, "token": {"type": "string", "secret": true}}
	}}}`), schema.Options{})
	if err != nil {
		panic(err)
	}
	db, _ := pkg.Resource("demo:index:Db")
	fmt.Println(db.State().MarkSecrets(found))
	// Output:
	// {password: [secret], token: "abc"}
	// {password: "hunter3", token: [secret]}
	// {password: [secret], token: [secret]}
}
