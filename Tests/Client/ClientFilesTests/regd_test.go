// Tests of the client in Go with a fake regd. Copy regd.go of Sources, with its sample methods, into the same directory.
package regd

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"net"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"syscall"
	"testing"
	"time"
	"unsafe"
)

const (
	patience  = time.Minute
	requestID = "6fa459ea-ee8a-3ca4-894e-db77e160355e"
)

var (
	ctx    = context.Background()
	owner  = OwnerDeleteParams{Email: "you@example.com", Password: "a fine phrase"}
	halves = []string{"", `{"jsonrpc":"2.0","id":1,"res`}
)

type object map[string]any

type request struct {
	ID     *uint64
	Method string
	Params object
}

func text(message object) []byte {
	message["jsonrpc"] = "2.0"
	line, err := json.Marshal(message)
	if err != nil {
		panic(err)
	}
	return append(line, '\n')
}

func reply(to request, result any) []byte { return text(object{"id": to.ID, "result": result}) }

func refusal(to request, reason string, data object) []byte {
	data["reason"] = reason
	return text(object{"id": to.ID, "error": object{"code": 1002, "message": "No.", "data": data}})
}

func named(name any) object {
	return object{"account": object{"id": "1", "email": owner.Email, "displayName": name}}
}

// caller is the fake regd's end of a connection.
type caller struct {
	t      *testing.T
	socket *net.UnixConn
	lines  *bufio.Reader
}

// request reads the next request, which must be of this method.
func (c *caller) request(method string) request {
	var got request
	line, err := c.lines.ReadBytes('\n')
	if err == nil {
		err = json.Unmarshal(line, &got)
	}
	if err != nil || got.Method != method {
		c.t.Errorf("%s (%v) instead of %s", line, err, method)
		runtime.Goexit()
	}
	return got
}

// registration reads a registration, and adds its requestId to the list.
func (c *caller) registration(ids *[]any) request {
	got := c.request("registration.register")
	*ids = append(*ids, got.Params["requestId"])
	return got
}

// send sends each part after the client has read the previous one.
func (c *caller) send(parts ...[]byte) {
	for _, part := range parts {
		if _, err := c.socket.Write(part); err != nil {
			c.t.Error(err)
			runtime.Goexit()
		}
		for c.hasUnread() {
			time.Sleep(100 * time.Microsecond)
		}
	}
}

func (c *caller) hasUnread() bool {
	var count int32
	raw, err := c.socket.SyscallConn()
	if err == nil {
		err = raw.Control(func(descriptor uintptr) {
			syscall.Syscall(syscall.SYS_IOCTL, descriptor, syscall.TIOCOUTQ, uintptr(unsafe.Pointer(&count)))
		})
	}
	return err == nil && count > 0
}

func answersPing(c *caller) { c.send(reply(c.request("rpc.ping"), "pong")) }

// withRegd runs a fake regd: one function for each connection, in their order.
func withRegd(t *testing.T, body func(client *Client), connections ...func(c *caller)) {
	t.Helper()
	directory, err := os.MkdirTemp("", "regd")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(directory, "regd.sock")
	listener, err := net.ListenUnix("unix", &net.UnixAddr{Name: path})
	if err != nil {
		t.Fatal(err)
	}
	listener.SetDeadline(time.Now().Add(patience))
	served := make(chan struct{})
	go func() {
		defer close(served)
		for _, connection := range connections {
			socket, err := listener.AcceptUnix()
			if err != nil {
				t.Error(err)
				return
			}
			socket.SetDeadline(time.Now().Add(patience))
			func() {
				defer socket.Close()
				connection(&caller{t, socket, bufio.NewReader(socket)})
			}()
		}
	}()
	client := New(path)
	t.Cleanup(func() {
		client.Close()
		<-served
		listener.Close()
		os.RemoveAll(directory)
	})
	body(client)
	<-served
}

func ping(t *testing.T, client *Client) {
	t.Helper()
	if result, err := client.RPC.Ping(ctx); err != nil || *result != "pong" {
		t.Errorf("%v, %v", result, err)
	}
}

func noAnswer(t *testing.T, err error, mayHaveHappened bool) {
	t.Helper()
	var failure *NoAnswer
	if !errors.As(err, &failure) || failure.MayHaveHappened != mayHaveHappened {
		t.Errorf("%#v", err)
	}
}

func refused(t *testing.T, err error) *Error {
	t.Helper()
	var failure *Error
	if !errors.As(err, &failure) {
		t.Fatalf("%#v", err)
	}
	return failure
}

func setName(client *Client, name string) (string, error) {
	params := OwnerSetDisplayNameParams{Email: owner.Email, Password: owner.Password, DisplayName: &name}
	result, err := client.Owner.SetDisplayName(ctx, params)
	if err != nil {
		return "", err
	}
	return result.Account.DisplayName, nil
}

func same(t *testing.T, ids []any, count int) {
	t.Helper()
	for _, id := range ids {
		if id != ids[0] || len(ids) != count {
			t.Errorf("%v", ids)
		}
	}
}

// Framing.

func TestReplyThatIsNotJSONEndsTheConnection(t *testing.T) {
	withRegd(t, func(client *Client) {
		noAnswer(t, client.Owner.Delete(ctx, owner), true)
		ping(t, client)
	}, func(c *caller) {
		c.request("owner.delete")
		c.send([]byte("no JSON\n"))
		if _, err := c.lines.ReadByte(); err == nil {
			t.Error("the connection remains")
		}
	}, answersPing)
}

func TestErrorWithoutIDFailsTheCallsOfTheConnection(t *testing.T) {
	withRegd(t, func(client *Client) {
		_, err := client.RPC.Ping(ctx)
		if failure := refused(t, err); failure.Reason != "request.tooLarge" {
			t.Error(failure)
		}
	}, func(c *caller) {
		c.request("rpc.ping")
		c.send(refusal(request{}, "request.tooLarge", object{}))
	})
}

func TestReplyIsReadWhereverItIsSplit(t *testing.T) {
	hundred := uint64(100)
	count := len(reply(request{ID: &hundred}, named("Zoë")))
	withRegd(t, func(client *Client) {
		for cut := 0; cut < count; cut++ {
			if name, err := setName(client, "Zoë"); err != nil || name != "Zoë" {
				t.Fatalf("%s, %v", name, err)
			}
		}
	}, func(c *caller) {
		for cut := 0; cut < count; cut++ {
			answer := reply(c.request("owner.setDisplayName"), named("Zoë"))
			if cut < len(answer) {
				c.send(answer[:cut], answer[cut:])
			} else {
				c.send(answer)
			}
		}
	})
}

func TestReplyIsReadByteByByte(t *testing.T) {
	withRegd(t, func(client *Client) {
		if name, err := setName(client, "Zoë"); err != nil || name != "Zoë" {
			t.Errorf("%s, %v", name, err)
		}
	}, func(c *caller) {
		for _, each := range reply(c.request("owner.setDisplayName"), named("Zoë")) {
			c.send([]byte{each})
		}
	})
}

func TestOneReadContainsRepliesInAnotherOrderAndUnknownMessages(t *testing.T) {
	withRegd(t, func(client *Client) {
		ended := make(chan struct{}, 2)
		for _, name := range []string{"Ada", "Bob"} {
			go func(name string) {
				if got, err := setName(client, name); err != nil || got != name {
					t.Errorf("%s, %v instead of %s", got, err, name)
				}
				ended <- struct{}{}
			}(name)
		}
		<-ended
		<-ended
	}, func(c *caller) {
		first, second := c.request("owner.setDisplayName"), c.request("owner.setDisplayName")
		unknown := uint64(99)
		all := text(object{"method": "other.happened", "params": object{}})
		all = append(all, reply(request{ID: &unknown}, "late")...)
		all = append(all, reply(second, named(second.Params["displayName"]))...)
		c.send(append(all, reply(first, named(first.Params["displayName"]))...))
	})
}

// Timeouts.

func TestCallThatTimesOutIsCancelledAndTheConnectionRemains(t *testing.T) {
	cancelled := make(chan struct{})
	withRegd(t, func(client *Client) {
		ping(t, client) // the timeout then does not include connecting
		short, cancel := context.WithTimeout(ctx, 200*time.Millisecond)
		defer cancel()
		_, err := client.RPC.Ping(short)
		noAnswer(t, err, true)
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
		<-cancelled // the client sends this while the next call may already begin
		ping(t, client)
	}, func(c *caller) {
		defer close(cancelled)
		answersPing(c)
		late, cancel := c.request("rpc.ping"), c.request("rpc.cancel")
		if cancel.ID != nil || cancel.Params["id"] != float64(*late.ID) {
			t.Error(cancel)
		}
		cancelled <- struct{}{}
		c.send(append(reply(late, "late"), reply(c.request("rpc.ping"), "pong")...))
	})
}

// Lost connections and repeats.

func TestWithoutRegdNothingHappened(t *testing.T) {
	_, err := New("/nonexistent/regd.sock").RPC.Ping(ctx)
	noAnswer(t, err, false)
}

func TestCallThatMustNotBeRepeatedIsSentOnce(t *testing.T) {
	for _, half := range halves {
		half := half
		withRegd(t, func(client *Client) {
			noAnswer(t, client.Owner.Delete(ctx, owner), true)
			ping(t, client)
		}, func(c *caller) {
			c.request("owner.delete")
			c.send([]byte(half))
		}, answersPing)
	}
}

func TestRegistrationIsRepeatedWithItsRequestIDWhenTheConnectionIsLost(t *testing.T) {
	for _, half := range halves {
		for _, given := range []string{"", requestID} {
			half, given := half, given
			var ids []any
			lost := func(c *caller) {
				c.registration(&ids)
				c.send([]byte(half))
			}
			withRegd(t, func(client *Client) {
				result, err := client.Registration.Register(ctx, RegistrationRegisterParams{RequestID: given})
				if err != nil || result.Account.DisplayName != "Ada" {
					t.Errorf("%v, %v", result, err)
				}
			}, lost, lost, func(c *caller) { c.send(reply(c.registration(&ids), named("Ada"))) })
			same(t, ids, 3)
			if id := ids[0].(string); len(id) != 36 || given != "" && id != given {
				t.Error(id)
			}
		}
	}
}

func TestTwoRegistrationsHaveDifferentRequestIDs(t *testing.T) {
	var ids []any
	withRegd(t, func(client *Client) {
		for range []int{1, 2} {
			if _, err := client.Registration.Register(ctx, RegistrationRegisterParams{}); err != nil {
				t.Error(err)
			}
		}
	}, func(c *caller) {
		for range []int{1, 2} {
			c.send(reply(c.registration(&ids), named("Ada")))
		}
	})
	if ids[0] == ids[1] {
		t.Error(ids)
	}
}

func TestRefusalIsNotRepeated(t *testing.T) {
	two := int64(2)
	expected := &Error{
		Code: 1002, Message: "No.", Reason: ReasonValidationFailed, Retryable: true, RetryAfter: time.Second,
		AttemptsLeft: &two, Problems: []Problem{{Field: ProblemFieldEmail}},
	}
	withRegd(t, func(client *Client) {
		_, err := client.Registration.Register(ctx, RegistrationRegisterParams{})
		if failure := refused(t, err); !reflect.DeepEqual(failure, expected) {
			t.Errorf("%#v", failure)
		}
		ping(t, client)
	}, func(c *caller) {
		data := object{"retryable": true, "retryAfter": 1, "attemptsLeft": 2, "problems": []object{{"field": "email"}}}
		c.send(refusal(c.request("registration.register"), "validation.failed", data))
		answersPing(c)
	})
}

func TestPendingRegistrationIsRepeatedWithItsRequestID(t *testing.T) {
	var ids []any
	withRegd(t, func(client *Client) {
		result, err := client.Registration.Register(ctx, RegistrationRegisterParams{})
		if err != nil || result.Account.DisplayName != "Ada" {
			t.Errorf("%v, %v", result, err)
		}
	}, func(c *caller) {
		for range []int{1, 2} {
			c.send(refusal(c.registration(&ids), "network.timeout", object{"retryable": true, "pending": true}))
		}
		c.send(reply(c.registration(&ids), named("Ada")))
	})
	same(t, ids, 3)
}

func TestPauseThatIsLongerThanTheTimeoutReturnsTheRefusal(t *testing.T) {
	withRegd(t, func(client *Client) {
		_, err := client.Registration.Register(ctx, RegistrationRegisterParams{})
		if failure := refused(t, err); !failure.Pending || failure.RetryAfter != 1000*time.Second {
			t.Errorf("%#v", failure)
		}
		ping(t, client)
	}, func(c *caller) {
		data := object{"retryable": true, "pending": true, "retryAfter": 1000}
		c.send(refusal(c.request("registration.register"), "network.timeout", data))
		answersPing(c)
	})
}
