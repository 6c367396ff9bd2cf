// sourcegraph/jsonrpc2 with the codec of language servers: Content-Length headers.
package main

import (
	"context"
	"fmt"
	"log"
	"net"
	"os"
	"strings"

	"github.com/sourcegraph/jsonrpc2"
)

// regd asks nothing of its callers.
type nothing struct{}

func (nothing) Handle(context.Context, *jsonrpc2.Conn, *jsonrpc2.Request) {}

func main() {
	socket, err := net.Dial("unix", os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	all := context.Background()
	connection := jsonrpc2.NewConn(all, jsonrpc2.NewBufferedStream(socket, jsonrpc2.VSCodeObjectCodec{}), nothing{})

	var pong string
	if err := connection.Call(all, "rpc.ping", nil, &pong); err != nil {
		log.Fatal(err)
	}
	fmt.Println(pong)

	form := map[string]any{"email": "email@test", "password": "12345", "passwordConfirmation": nil}
	var answer struct{ Problems []struct{ Reason string } }
	if err := connection.Call(all, "registration.validate", form, &answer); err != nil {
		log.Fatal(err)
	}
	var reasons []string
	for _, problem := range answer.Problems {
		reasons = append(reasons, problem.Reason)
	}
	fmt.Println(strings.Join(reasons, ","))
}
