// The same as sync.py in Go: main SOCKET all|register.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"regd"
)

const password = "a fine phrase"

var ctx = context.Background()

func word(is bool, yes string) string {
	if is {
		return yes
	}
	return "False"
}

func register(client *regd.Client, email string) {
	result, err := client.Registration.Register(ctx, regd.RegistrationRegisterParams{
		Email: email, Password: password, PasswordConfirmation: password,
	})
	var refusal *regd.Error
	var lost *regd.NoAnswer
	switch {
	case err == nil:
		fmt.Println("register", result.Account.State)
	case errors.As(err, &refusal):
		after := "None"
		if refusal.RetryAfter > 0 {
			after = fmt.Sprint(int(refusal.RetryAfter.Seconds()))
		}
		fmt.Println("register", refusal.Reason, word(refusal.Retryable, "retryable"), word(refusal.Pending, "pending"), after)
	case errors.As(err, &lost):
		fmt.Println("register no answer", word(lost.MayHaveHappened, "perhaps"))
	default:
		panic(err)
	}
}

func signIn(client *regd.Client, password string) {
	result, err := client.Session.SignIn(ctx, regd.SessionSignInParams{Email: "you@example.com", Password: password})
	var refusal *regd.Error
	if errors.As(err, &refusal) && refusal.Reason == regd.ReasonCredentialsRejected {
		fmt.Println("sign-in", refusal.Reason, refusal.Code)
		return
	}
	must(err)
	checked, err := client.Session.Check(ctx, regd.SessionCheckParams{Account: result.Account.ID, Stamp: result.Stamp})
	must(err)
	fmt.Println("sign-in", checked.Account.State)
}

func form(client *regd.Client) {
	form, err := client.OpenForm(ctx, "signIn", regd.FormOptions{})
	must(err)
	email, password := "you@example.com", password
	_, err = form.Set(ctx, regd.FormFields{Email: &email, Password: &password})
	must(err)
	events, err := form.Submit(ctx)
	must(err)
	fmt.Print("form")
	for _, event := range events {
		fmt.Print(" ", event.Event)
	}
	fmt.Println("", events[len(events)-1].To)
	signedIn := form.State().SignedIn
	fmt.Println("form", word(signedIn != nil && *signedIn, "True"))
	must(form.Close(ctx))
}

func names(client *regd.Client) {
	name := "Ada"
	params := regd.OwnerSetDisplayNameParams{Email: "you@example.com", Password: password, DisplayName: &name}
	named, err := client.Owner.SetDisplayName(ctx, params)
	must(err)
	params.DisplayName = nil
	unnamed, err := client.Owner.SetDisplayName(ctx, params)
	must(err)
	fmt.Println("name", named.Account.DisplayName, word(unnamed.Account.DisplayName != "", "True"))
	_, err = client.Account.AddGroups(ctx, regd.AccountAddGroupsParams{Email: "you@example.com", Groups: []string{"staff"}})
	must(err)
	listed, err := client.Group.List(ctx, regd.GroupListParams{})
	must(err)
	fmt.Println("group", listed.Groups[0].Name, listed.Groups[0].Members)
}

func everything(client *regd.Client) {
	pong, err := client.RPC.Ping(ctx)
	must(err)
	fmt.Println(*pong)
	entry, err := client.Registration.Validate(ctx, regd.RegistrationValidateParams{Email: "email@test", Password: "12345"})
	must(err)
	for index, problem := range entry.Problems {
		fmt.Print([]string{"", " "}[min(index)], problem.Reason)
	}
	fmt.Println()
	register(client, "you@example.com")
	register(client, "you@example.com")
	signIn(client, password)
	signIn(client, "a wrong phrase")
	form(client)
	names(client)
	var group sync.WaitGroup
	var guard sync.Mutex
	free := 0
	for number := 0; number < 20; number++ {
		group.Add(1)
		go func(email string) {
			defer group.Done()
			found, err := client.Registration.CheckEmail(ctx, regd.RegistrationCheckEmailParams{Email: email})
			must(err)
			guard.Lock()
			defer guard.Unlock()
			if found.Available {
				free++
			}
		}(fmt.Sprintf("n%d@example.com", number))
	}
	group.Wait()
	fmt.Println("many", free)
	_, err = client.Registration.Register(ctx, regd.RegistrationRegisterParams{Email: "x"})
	var refusal *regd.Error
	if errors.As(err, &refusal) {
		fmt.Print("problems")
		for _, problem := range refusal.Problems {
			fmt.Print(" ", problem.Field)
		}
		fmt.Println()
	}
	imported, err := client.Account.Import(ctx, regd.AccountImportParams{
		Records: []regd.AccountRecord{{Email: "x", PasswordHash: "x"}},
	})
	must(err)
	fmt.Println("import", imported.Refused[0].Index)
	observing, cancel := context.WithCancel(ctx)
	defer cancel()
	events, err := client.Subscribe(observing)
	must(err)
	register(client, "late@example.com")
	event := <-events
	fmt.Println("event", event.Event, event.Email)
}

func min(index int) int {
	if index > 0 {
		return 1
	}
	return 0
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func main() {
	client := regd.New(os.Args[1])
	client.Timeout = 5 * time.Second
	defer client.Close()
	if os.Args[2] == "all" {
		everything(client)
	} else {
		register(client, "you@example.com")
	}
}
