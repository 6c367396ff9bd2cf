// Package regd is a client of regd @@VERSION@@, in one file and without dependencies.
//
// Made by "regctl client go" from the table of methods that regd answers from.
//
//	client := regd.New("")
//	defer client.Close()
//	result, err := client.Registration.Register(ctx, regd.RegistrationRegisterParams{
//		Email: email, Password: password, PasswordConfirmation: password,
//	})
//
// A Client keeps one connection for all calls of all goroutines and opens another when
// it has ended. A call whose answer was lost is made again where that does no harm; a
// registration has a requestId for that, its own or one that is made.
package regd

import (
	"bufio"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"sync"
	"time"
)

// Version is that of the regctl that made this client.
const Version = "@@VERSION@@"

// DefaultTimeout is longer than regd takes for a request at most (limits.requestSeconds).
const DefaultTimeout = 35 * time.Second

// Reason is why regd refused a call; a reason never changes.
type Reason string

// The reasons of this version; a newer regd may have others.
const (
	// regd: begin reasons
	ReasonServerDraining       Reason = "server.draining"
	ReasonValidationFailed     Reason = "validation.failed"
	ReasonNetworkTimeout       Reason = "network.timeout"
	ReasonEmailTaken           Reason = "email.taken"
	ReasonCredentialsRejected  Reason = "credentials.rejected"
	ReasonConfigurationRefused Reason = "configuration.refused"
	// regd: end
)

// regd: begin types

type ProblemField string

const (
	ProblemFieldEmail                ProblemField = "email"
	ProblemFieldPassword             ProblemField = "password"
	ProblemFieldPasswordConfirmation ProblemField = "passwordConfirmation"
	ProblemFieldDisplayName          ProblemField = "displayName"
)

type ProblemReason string

const (
	ProblemReasonEmailDomain        ProblemReason = "email.domain"
	ProblemReasonPasswordTooShort   ProblemReason = "password.tooShort"
	ProblemReasonPasswordCommon     ProblemReason = "password.common"
	ProblemReasonDisplayNameTooLong ProblemReason = "displayName.tooLong"
)

type Problem struct {
	Field   ProblemField  `json:"field"`
	Reason  ProblemReason `json:"reason"`
	Message string        `json:"message"`
}

type AccountState string

const (
	AccountStateActive   AccountState = "active"
	AccountStatePending  AccountState = "pending"
	AccountStateDisabled AccountState = "disabled"
	AccountStateWaiting  AccountState = "waiting"
)

type Account struct {
	ID          string       `json:"id"`
	Email       string       `json:"email"`
	State       AccountState `json:"state"`
	CreatedAt   string       `json:"createdAt"`
	UpdatedAt   string       `json:"updatedAt"`
	Groups      []string     `json:"groups"`
	DisplayName string       `json:"displayName,omitempty"`
}

type Claim struct {
	ID         string `json:"id"`
	Email      string `json:"email"`
	ExpiresAt  string `json:"expiresAt"`
	ResendAt   string `json:"resendAt"`
	CodeDigits *int64 `json:"codeDigits,omitempty"`
}

type AccountOrClaim struct {
	Account *Account `json:"account,omitempty"`
	Stamp   string   `json:"stamp,omitempty"`
	Claim   *Claim   `json:"claim,omitempty"`
}

type AccountResult struct {
	Account Account `json:"account"`
}

type RegistrationFormState struct {
	Email               string    `json:"email"`
	EmailValid          bool      `json:"emailValid"`
	PasswordValid       bool      `json:"passwordValid"`
	RegistrationEnabled bool      `json:"registrationEnabled"`
	Needs               []string  `json:"needs,omitempty"`
	Problems            []Problem `json:"problems"`
	ErrorMessage        *string   `json:"errorMessage"`
	Registered          bool      `json:"registered"`
	Stamp               string    `json:"stamp,omitempty"`
	Claim               *Claim    `json:"claim,omitempty"`
}

type SignInFormState struct {
	Email         string    `json:"email"`
	SignInEnabled bool      `json:"signInEnabled"`
	Problems      []Problem `json:"problems"`
	ErrorMessage  *string   `json:"errorMessage"`
	SignedIn      bool      `json:"signedIn"`
	Stamp         string    `json:"stamp,omitempty"`
}

type RecoveryFormState struct {
	Email           string    `json:"email"`
	RecoveryEnabled bool      `json:"recoveryEnabled"`
	Problems        []Problem `json:"problems"`
	ErrorMessage    *string   `json:"errorMessage"`
	Recovered       bool      `json:"recovered"`
	Stamp           string    `json:"stamp,omitempty"`
	Claim           *Claim    `json:"claim,omitempty"`
}

type FormState struct {
	Email               string    `json:"email"`
	EmailValid          *bool     `json:"emailValid,omitempty"`
	PasswordValid       *bool     `json:"passwordValid,omitempty"`
	RegistrationEnabled *bool     `json:"registrationEnabled,omitempty"`
	Needs               []string  `json:"needs,omitempty"`
	Problems            []Problem `json:"problems"`
	ErrorMessage        *string   `json:"errorMessage"`
	Registered          *bool     `json:"registered,omitempty"`
	Stamp               string    `json:"stamp,omitempty"`
	Claim               *Claim    `json:"claim,omitempty"`
	SignInEnabled       *bool     `json:"signInEnabled,omitempty"`
	SignedIn            *bool     `json:"signedIn,omitempty"`
	RecoveryEnabled     *bool     `json:"recoveryEnabled,omitempty"`
	Recovered           *bool     `json:"recovered,omitempty"`
}

type FormWithState struct {
	Form  int64     `json:"form"`
	State FormState `json:"state"`
}

type FormStateResult struct {
	State FormState `json:"state"`
}

type FormEvent struct {
	Form         int64  `json:"form"`
	Event        string `json:"event"`
	Reason       Reason `json:"reason,omitempty"`
	Message      string `json:"message,omitempty"`
	AttemptsLeft *int64 `json:"attemptsLeft,omitempty"`
	To           string `json:"to,omitempty"`
}

type EventName string

const (
	EventNameAccountRegistered EventName = "account.registered"
	EventNameEventsMissed      EventName = "events.missed"
)

type Event struct {
	Sequence int64     `json:"sequence"`
	Event    EventName `json:"event"`
	Time     string    `json:"time"`
	Email    string    `json:"email,omitempty"`
	From     string    `json:"from,omitempty"`
	Message  string    `json:"message,omitempty"`
	Missed   *int64    `json:"missed,omitempty"`
}

type ConfigurationProblem struct {
	Place   string `json:"place"`
	Key     string `json:"key,omitempty"`
	Message string `json:"message"`
}

type RegistrationRegisterParams struct {
	Email                string `json:"email,omitempty"`
	Password             string `json:"password,omitempty"`
	PasswordConfirmation string `json:"passwordConfirmation,omitempty"`
	RequestID            string `json:"requestId,omitempty"`
}

type OwnerSetDisplayNameParams struct {
	Email       string  `json:"email"`
	Password    string  `json:"password"`
	DisplayName *string `json:"displayName"`
}

type OwnerDeleteParams struct {
	Email    string `json:"email"`
	Password string `json:"password"`
}

// regd: end

// Error is regd's refusal of a call. Reason is for programs, Message for a person.
type Error struct {
	Code    int
	Message string
	Reason  Reason
	// Retryable tells whether the same call may succeed later without any change.
	Retryable bool
	// RetryAfter is how long to wait before a repeat; zero if that is not known.
	RetryAfter time.Duration
	// Pending tells whether the registration may have happened all the same.
	Pending bool
	Field   string
	Limit   int64
	// AttemptsLeft is how many more wrong codes the claim takes, if one was wrong.
	AttemptsLeft *int64
	Problems     []Problem
}

func (e *Error) Error() string { return fmt.Sprintf("%s (%s)", e.Message, e.Reason) }

// UnmarshalJSON reads an error as JSON-RPC has it.
func (e *Error) UnmarshalJSON(text []byte) error {
	var object struct {
		Code    int
		Message string
		Data    struct {
			Reason       Reason
			Retryable    bool
			RetryAfter   int64
			Pending      bool
			Field        string
			Limit        int64
			AttemptsLeft *int64
			Problems     []Problem
		}
	}
	if err := json.Unmarshal(text, &object); err != nil {
		return err
	}
	data := object.Data
	*e = Error{
		Code: object.Code, Message: object.Message, Reason: data.Reason, Retryable: data.Retryable,
		RetryAfter: time.Duration(data.RetryAfter) * time.Second, Pending: data.Pending,
		Field: data.Field, Limit: data.Limit, AttemptsLeft: data.AttemptsLeft, Problems: data.Problems,
	}
	return nil
}

// NoAnswer is the error where regd cannot be reached, has gone, or did not answer in time.
type NoAnswer struct {
	// MayHaveHappened tells whether regd may have done what was asked.
	MayHaveHappened bool
	Err             error
}

func (e *NoAnswer) Error() string { return "regd did not answer: " + e.Err.Error() }

// Unwrap gives the cause, for example context.DeadlineExceeded.
func (e *NoAnswer) Unwrap() error { return e.Err }

var errEnded = errors.New("the connection has ended")

type message struct {
	ID     *uint64         `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  *Error          `json:"error"`
}

type answer struct {
	result json.RawMessage
	err    error
}

type connection struct {
	socket  net.Conn
	events  chan Event
	ended   chan struct{}
	writing sync.Mutex

	guard   sync.Mutex
	lastID  uint64
	waiting map[uint64]chan answer
	forms   map[int64]*Form
	failure error
}

func dial(ctx context.Context, path string) (*connection, error) {
	var dialer net.Dialer
	socket, err := dialer.DialContext(ctx, "unix", path)
	if err != nil {
		return nil, &NoAnswer{Err: err}
	}
	c := &connection{
		socket: socket, events: make(chan Event, 64), ended: make(chan struct{}),
		waiting: map[uint64]chan answer{}, forms: map[int64]*Form{},
	}
	go c.read()
	return c, nil
}

func (c *connection) isOpen() bool {
	c.guard.Lock()
	defer c.guard.Unlock()
	return c.failure == nil
}

func (c *connection) ask(ctx context.Context, method string, params, result any) error {
	answered := make(chan answer, 1)
	c.guard.Lock()
	if c.failure != nil {
		defer c.guard.Unlock()
		return &NoAnswer{Err: errEnded}
	}
	c.lastID++
	id := c.lastID
	c.waiting[id] = answered
	c.guard.Unlock()
	if err := c.send(ctx, &id, method, params); err != nil {
		return err
	}
	select {
	case got := <-answered:
		if got.err != nil || result == nil {
			return got.err
		}
		return json.Unmarshal(got.result, result)
	case <-ctx.Done():
		c.settle(id)
		go c.send(context.Background(), nil, "rpc.cancel", map[string]uint64{"id": id})
		return &NoAnswer{MayHaveHappened: true, Err: ctx.Err()}
	}
}

func (c *connection) send(ctx context.Context, id *uint64, method string, params any) error {
	text, err := json.Marshal(struct {
		Version string  `json:"jsonrpc"`
		ID      *uint64 `json:"id,omitempty"`
		Method  string  `json:"method"`
		Params  any     `json:"params,omitempty"`
	}{"2.0", id, method, params})
	if err != nil {
		return err
	}
	c.writing.Lock()
	defer c.writing.Unlock()
	deadline, ok := ctx.Deadline()
	if !ok {
		deadline = time.Now().Add(DefaultTimeout)
	}
	if err := c.socket.SetWriteDeadline(deadline); err != nil {
		return &NoAnswer{Err: err}
	}
	if _, err := c.socket.Write(append(text, '\n')); err != nil {
		// half a request may be on its way
		c.socket.Close()
		return &NoAnswer{MayHaveHappened: true, Err: err}
	}
	return nil
}

func (c *connection) settle(id uint64) chan answer {
	c.guard.Lock()
	defer c.guard.Unlock()
	waiting := c.waiting[id]
	delete(c.waiting, id)
	return waiting
}

func (c *connection) read() {
	var failure error = &NoAnswer{MayHaveHappened: true, Err: errEnded}
	decoder := json.NewDecoder(bufio.NewReader(c.socket))
	for {
		var got message
		if decoder.Decode(&got) != nil {
			break
		}
		switch {
		case got.Method != "":
			c.tell(got)
		case got.ID == nil:
			if got.Error != nil {
				failure = got.Error
			}
		default:
			if waiting := c.settle(*got.ID); waiting != nil {
				if got.Error != nil {
					waiting <- answer{err: got.Error}
				} else {
					waiting <- answer{result: got.Result}
				}
			}
		}
	}
	c.socket.Close()
	c.guard.Lock()
	defer c.guard.Unlock()
	c.failure = failure
	for id, waiting := range c.waiting {
		delete(c.waiting, id)
		waiting <- answer{err: failure}
	}
	close(c.ended)
	close(c.events)
}

func (c *connection) tell(got message) {
	switch got.Method {
	case "events.happened":
		var event Event
		if json.Unmarshal(got.Params, &event) == nil {
			c.events <- event
		}
	case "form.changed":
		var changed FormWithState
		if json.Unmarshal(got.Params, &changed) == nil {
			if form := c.form(changed.Form); form != nil {
				form.changed(changed.State)
			}
		}
	case "form.event":
		var event FormEvent
		if json.Unmarshal(got.Params, &event) == nil {
			if form := c.form(event.Form); form != nil {
				form.happened(event)
			}
		}
	}
}

func (c *connection) form(number int64) *Form {
	c.guard.Lock()
	defer c.guard.Unlock()
	return c.forms[number]
}

// Client calls regd. Its fields may be set before the first call.
type Client struct {
	// Path is the socket's.
	Path string
	// Timeout is for a call with all of its attempts, where its context has no deadline.
	Timeout time.Duration
	// Language is what messages are in: BCP 47, or a list as in Accept-Language.
	Language string

	// regd: begin members
	RPC          *RPCMethods
	Registration *RegistrationMethods
	Owner        *OwnerMethods
	// regd: end

	guard sync.Mutex
	kept  *connection
}

// New makes a client of the regd at the path; with "" that is REGD_SOCKET_PATH, or
// /run/regd/regd.sock.
func New(path string) *Client {
	if path == "" {
		path = os.Getenv("REGD_SOCKET_PATH")
	}
	if path == "" {
		path = "/run/regd/regd.sock"
	}
	c := &Client{Path: path, Timeout: DefaultTimeout}
	// regd: begin assignments
	c.RPC = &RPCMethods{c}
	c.Registration = &RegistrationMethods{c}
	c.Owner = &OwnerMethods{c}
	// regd: end
	return c
}

// Close ends the connection; a later call opens another.
func (c *Client) Close() {
	c.guard.Lock()
	defer c.guard.Unlock()
	if c.kept != nil {
		c.kept.socket.Close()
		c.kept = nil
	}
}

func (c *Client) connected(ctx context.Context) (*connection, error) {
	c.guard.Lock()
	defer c.guard.Unlock()
	if c.kept == nil || !c.kept.isOpen() {
		opened, err := c.connect(ctx)
		if err != nil {
			return nil, err
		}
		c.kept = opened
	}
	return c.kept, nil
}

func (c *Client) connect(ctx context.Context) (*connection, error) {
	opened, err := dial(ctx, c.Path)
	if err != nil || c.Language == "" {
		return opened, err
	}
	if err := opened.ask(ctx, "rpc.language", map[string]string{"language": c.Language}, nil); err != nil {
		opened.socket.Close()
		return nil, err
	}
	return opened, nil
}

func (c *Client) limited(ctx context.Context) (context.Context, context.CancelFunc) {
	if _, ok := ctx.Deadline(); ok {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, c.Timeout)
}

var repeatable = map[string]bool{
	// regd: begin repeatable
	"rpc.ping":              true,
	"registration.register": true,
	"owner.setDisplayName":  true,
	// regd: end
}

const (
	firstPause   = 50 * time.Millisecond
	longestPause = 2 * time.Second
)

func (c *Client) call(ctx context.Context, method string, params, result any) error {
	ctx, cancel := c.limited(ctx)
	defer cancel()
	hasLost := false
	var refusal *Error
	// what regd has said before says more than that time is over
	failure := func(err error) error {
		if refusal != nil {
			return refusal
		}
		return err
	}
	for pause := firstPause; ; pause = minimum(pause*2, longestPause) {
		connection, err := c.connected(ctx)
		if err == nil {
			err = connection.ask(ctx, method, params, result)
		}
		if err == nil {
			return nil
		}
		wait, again := pause, false
		var refused *Error
		var lost *NoAnswer
		if errors.As(err, &refused) {
			refusal = refused
			again = refused.Retryable && refused.Pending
			if refused.RetryAfter > wait {
				wait = refused.RetryAfter
			}
		} else if errors.As(err, &lost) {
			// a regd that was not there at all is no restart that takes a moment
			again = lost.MayHaveHappened || hasLost
			hasLost = true
		}
		deadline, _ := ctx.Deadline()
		if !again || !repeatable[method] || time.Until(deadline) <= wait {
			return failure(err)
		}
		timer := time.NewTimer(wait)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return failure(err)
		}
	}
}

func minimum(one, other time.Duration) time.Duration {
	if one < other {
		return one
	}
	return other
}

// newRequestID makes a UUID of version 4.
func newRequestID() string {
	var id [16]byte
	if _, err := rand.Read(id[:]); err != nil {
		panic(err)
	}
	id[6], id[8] = id[6]&0x0f|0x40, id[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", id[:4], id[4:6], id[6:8], id[8:10], id[10:])
}

// regd: begin methods

type RPCMethods struct{ client *Client }

func (m *RPCMethods) Ping(ctx context.Context) (*string, error) {
	var result string
	if err := m.client.call(ctx, "rpc.ping", nil, &result); err != nil {
		return nil, err
	}
	return &result, nil
}

type RegistrationMethods struct{ client *Client }

func (m *RegistrationMethods) Register(ctx context.Context, params RegistrationRegisterParams) (*AccountOrClaim, error) {
	if params.RequestID == "" {
		params.RequestID = newRequestID()
	}
	var result AccountOrClaim
	if err := m.client.call(ctx, "registration.register", params, &result); err != nil {
		return nil, err
	}
	return &result, nil
}

type OwnerMethods struct{ client *Client }

func (m *OwnerMethods) SetDisplayName(ctx context.Context, params OwnerSetDisplayNameParams) (*AccountResult, error) {
	var result AccountResult
	if err := m.client.call(ctx, "owner.setDisplayName", params, &result); err != nil {
		return nil, err
	}
	return &result, nil
}

func (m *OwnerMethods) Delete(ctx context.Context, params OwnerDeleteParams) error {
	return m.client.call(ctx, "owner.delete", params, nil)
}

// regd: end

// Subscribe tells what happens, on a connection of its own. The channel is closed when that
// ends or the context is done; an observer that does not read is told how much it missed.
func (c *Client) Subscribe(ctx context.Context) (<-chan Event, error) {
	limited, cancel := c.limited(ctx)
	defer cancel()
	opened, err := c.connect(limited)
	if err != nil {
		return nil, err
	}
	if err := opened.ask(limited, "events.subscribe", nil, nil); err != nil {
		opened.socket.Close()
		return nil, err
	}
	told := make(chan Event)
	go func() {
		defer close(told)
		defer opened.drop()
		for {
			select {
			case <-ctx.Done():
				return
			case event, ok := <-opened.events:
				if !ok {
					return
				}
				select {
				case told <- event:
				case <-ctx.Done():
					return
				}
			}
		}
	}()
	return told, nil
}

// drop ends the connection, and takes what its reader has yet to hand over.
func (c *connection) drop() {
	c.socket.Close()
	for range c.events {
	}
}

// FormFields are those of a form; a field that is nil stays as it is.
type FormFields struct {
	Email                *string `json:"email,omitempty"`
	Password             *string `json:"password,omitempty"`
	PasswordConfirmation *string `json:"passwordConfirmation,omitempty"`
	Code                 *string `json:"code,omitempty"`
	Invitation           *string `json:"invitation,omitempty"`
	Terms                *string `json:"terms,omitempty"`
	DisplayName          *string `json:"displayName,omitempty"`
}

// Form is a screen whose state and decisions are regd's; it ends with its connection.
type Form struct {
	client     *Client
	connection *connection
	number     int64
	guard      sync.Mutex
	state      FormState
	events     []FormEvent
}

// FormOptions are what a form is opened with, besides its kind.
type FormOptions struct {
	Origin   string
	Language string
}

// OpenForm opens a form of the kind "registration", "signIn" or "recovery".
func (c *Client) OpenForm(ctx context.Context, kind string, options FormOptions) (*Form, error) {
	ctx, cancel := c.limited(ctx)
	defer cancel()
	connection, err := c.connected(ctx)
	if err != nil {
		return nil, err
	}
	params := struct {
		Kind     string `json:"kind"`
		Origin   string `json:"origin,omitempty"`
		Language string `json:"language,omitempty"`
	}{kind, options.Origin, options.Language}
	var opened FormWithState
	if err := connection.ask(ctx, "form.open", params, &opened); err != nil {
		return nil, err
	}
	form := &Form{client: c, connection: connection, number: opened.Form, state: opened.State}
	connection.guard.Lock()
	connection.forms[form.number] = form
	connection.guard.Unlock()
	return form, nil
}

// State is what is to be shown, as regd has told it last.
func (f *Form) State() FormState {
	f.guard.Lock()
	defer f.guard.Unlock()
	return f.state
}

// Set sets fields.
func (f *Form) Set(ctx context.Context, fields FormFields) (FormState, error) {
	return f.ask(ctx, "form.set", struct {
		Form int64 `json:"form"`
		FormFields
	}{f.number, fields})
}

// Submit presses the button, and tells what is to be shown until the form rests.
func (f *Form) Submit(ctx context.Context) ([]FormEvent, error) {
	f.guard.Lock()
	f.events = nil
	f.guard.Unlock()
	if _, err := f.ask(ctx, "form.submit", map[string]int64{"form": f.number}); err != nil {
		return nil, err
	}
	f.guard.Lock()
	defer f.guard.Unlock()
	return f.events, nil
}

// Close closes the form; regd forgets what was typed into it.
func (f *Form) Close(ctx context.Context) error {
	f.connection.guard.Lock()
	delete(f.connection.forms, f.number)
	f.connection.guard.Unlock()
	ctx, cancel := f.client.limited(ctx)
	defer cancel()
	return f.connection.ask(ctx, "form.close", map[string]int64{"form": f.number}, nil)
}

func (f *Form) ask(ctx context.Context, method string, params any) (FormState, error) {
	ctx, cancel := f.client.limited(ctx)
	defer cancel()
	var result FormStateResult
	if err := f.connection.ask(ctx, method, params, &result); err != nil {
		return f.State(), err
	}
	f.changed(result.State)
	return result.State, nil
}

func (f *Form) changed(state FormState) {
	f.guard.Lock()
	defer f.guard.Unlock()
	f.state = state
}

func (f *Form) happened(event FormEvent) {
	f.guard.Lock()
	defer f.guard.Unlock()
	f.events = append(f.events, event)
}
