<?php

/** The same as sync.py in PHP: main.php CLIENT SOCKET all|register. */

declare(strict_types=1);

use Regd\Client;
use Regd\NoAnswer;
use Regd\Reason;
use Regd\RegdError;

const PASSWORD = 'a fine phrase';

[, $file, $path, $what] = $argv;
require $file;

function name(Reason|string $reason): string
{
    return $reason instanceof Reason ? $reason->value : $reason;
}

function say(string ...$words): void
{
    echo implode(' ', $words), "\n";
}

function register(Client $client, string $email): void
{
    try {
        $result = $client->registration->register(
            email: $email,
            password: PASSWORD,
            passwordConfirmation: PASSWORD,
        );
        say('register', $result->account->state);
    } catch (RegdError $error) {
        $retryable = $error->retryable ? 'retryable' : 'False';
        $pending = $error->pending ? 'pending' : 'False';
        say('register', name($error->reason), $retryable, $pending, (string) ($error->retryAfter ?? 'None'));
    } catch (NoAnswer $error) {
        say('register no answer', $error->mayHaveHappened ? 'perhaps' : 'False');
    }
}

function signIn(Client $client, string $password): void
{
    try {
        $signedIn = $client->session->signIn(email: 'you@example.com', password: $password);
        $checked = $client->session->check(account: $signedIn->account->id, stamp: $signedIn->stamp);
        say('sign-in', $checked->account->state);
    } catch (RegdError $error) {
        assert($error->reason === Reason::CredentialsRejected);
        say('sign-in', name($error->reason), (string) $error->getCode());
    }
}

function form(Client $client): void
{
    $form = $client->form('signIn');
    $form->set(email: 'you@example.com', password: PASSWORD);
    $events = $form->submit();
    say('form', ...array_map(fn ($event) => $event->event, $events), ...[end($events)->to]);
    $state = $form->state;
    say('form', $state instanceof Regd\SignInFormState && $state->signedIn ? 'True' : 'False');
    $form->close();
}

function names(Client $client): void
{
    $named = $client->owner->setDisplayName(email: 'you@example.com', password: PASSWORD, displayName: 'Ada');
    $unnamed = $client->owner->setDisplayName(email: 'you@example.com', password: PASSWORD, displayName: null);
    say('name', $named->account->displayName, $unnamed->account->displayName === null ? 'False' : 'True');
    $client->account->addGroups(groups: ['staff'], email: 'you@example.com');
    $group = $client->group->list()->groups[0];
    say('group', $group->name, (string) $group->members);
}

function everything(Client $client): void
{
    say($client->rpc->ping());
    $validation = $client->registration->validate(email: 'email@test', password: '12345');
    say(...array_map(fn ($problem) => $problem->reason, $validation->problems));
    register($client, 'you@example.com');
    register($client, 'you@example.com');
    signIn($client, PASSWORD);
    signIn($client, 'a wrong phrase');
    form($client);
    names($client);
    $free = 0;
    for ($number = 0; $number < 20; $number++) {
        $free += (int) $client->registration->checkEmail(email: "n$number@example.com")->available;
    }
    say('many', (string) $free);
    try {
        $client->registration->register(email: 'x');
    } catch (RegdError $error) {
        say('problems', ...array_map(fn ($problem) => $problem->field, $error->problems));
    }
    $imported = $client->account->import(records: [['email' => 'x', 'passwordHash' => 'x']]);
    say('import', (string) $imported->refused[0]->index);
    // the events include those between the call and the first look at them
    $events = $client->subscribe();
    register($client, 'late@example.com');
    $event = $events->current() ?? throw new \RuntimeException('no event');
    say('event', $event->event, $event->email);
}

$client = new Client($path, timeout: 5);
$what === 'all' ? everything($client) : register($client, 'you@example.com');
$client->close();
