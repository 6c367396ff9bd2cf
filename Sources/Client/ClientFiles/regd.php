<?php

/**
 * A client of regd @@VERSION@@, in one file and without dependencies (PHP 8.2).
 *
 * Made by `regctl client php` from the table of methods that regd answers from.
 *
 *     $regd = new Regd\Client();
 *     $regd->registration->register(
 *         email: $email,
 *         password: $password,
 *         passwordConfirmation: $password,
 *     );
 *
 * A Client keeps one connection for all calls and opens another when it has ended. A
 * call whose answer was lost is made again where that does no harm; a registration has
 * a requestId for that, its own or one that is made.
 */

declare(strict_types=1);

namespace Regd;

/** The version of the regctl that made this client. */
const VERSION = '@@VERSION@@';

/** Why regd refused a call; a reason never changes. */
enum Reason: string
{
    // regd: begin reasons
    case ServerDraining = 'server.draining';
    case ValidationFailed = 'validation.failed';
    case NetworkTimeout = 'network.timeout';
    case EmailTaken = 'email.taken';
    case CredentialsRejected = 'credentials.rejected';
    case ConfigurationRefused = 'configuration.refused';
    // regd: end
}

// regd: begin types

final class Problem
{
    public function __construct(
        public readonly string $field,
        public readonly string $reason,
        public readonly string $message,
    ) {
    }

    public static function from(array $data): self
    {
        return new self(
            field: $data['field'],
            reason: $data['reason'],
            message: $data['message'],
        );
    }
}

final class Account
{
    public function __construct(
        public readonly string $id,
        public readonly string $email,
        public readonly string $state,
        public readonly string $createdAt,
        public readonly string $updatedAt,
        public readonly array $groups,
        public readonly ?string $displayName = null,
    ) {
    }

    public static function from(array $data): self
    {
        return new self(
            id: $data['id'],
            email: $data['email'],
            state: $data['state'],
            createdAt: $data['createdAt'],
            updatedAt: $data['updatedAt'],
            groups: $data['groups'],
            displayName: $data['displayName'] ?? null,
        );
    }
}

final class Claim
{
    public function __construct(
        public readonly string $id,
        public readonly string $email,
        public readonly string $expiresAt,
        public readonly string $resendAt,
        public readonly ?int $codeDigits = null,
    ) {
    }

    public static function from(array $data): self
    {
        return new self(
            id: $data['id'],
            email: $data['email'],
            expiresAt: $data['expiresAt'],
            resendAt: $data['resendAt'],
            codeDigits: $data['codeDigits'] ?? null,
        );
    }
}

final class AccountOrClaim
{
    public function __construct(
        public readonly ?Account $account = null,
        public readonly ?string $stamp = null,
        public readonly ?Claim $claim = null,
    ) {
    }

    public static function from(array $data): self
    {
        return new self(
            account: isset($data['account']) ? Account::from($data['account']) : null,
            stamp: $data['stamp'] ?? null,
            claim: isset($data['claim']) ? Claim::from($data['claim']) : null,
        );
    }
}

final class AccountResult
{
    public function __construct(
        public readonly Account $account,
    ) {
    }

    public static function from(array $data): self
    {
        return new self(
            account: Account::from($data['account']),
        );
    }
}

final class RegistrationFormState
{
    public function __construct(
        public readonly string $email,
        public readonly bool $emailValid,
        public readonly bool $passwordValid,
        public readonly bool $registrationEnabled,
        public readonly array $problems,
        public readonly ?string $errorMessage,
        public readonly bool $registered,
        public readonly ?array $needs = null,
        public readonly ?string $stamp = null,
        public readonly ?Claim $claim = null,
    ) {
    }

    public static function from(array $data): self
    {
        return new self(
            email: $data['email'],
            emailValid: $data['emailValid'],
            passwordValid: $data['passwordValid'],
            registrationEnabled: $data['registrationEnabled'],
            problems: array_map(Problem::from(...), $data['problems']),
            errorMessage: $data['errorMessage'],
            registered: $data['registered'],
            needs: $data['needs'] ?? null,
            stamp: $data['stamp'] ?? null,
            claim: isset($data['claim']) ? Claim::from($data['claim']) : null,
        );
    }
}

final class SignInFormState
{
    public function __construct(
        public readonly string $email,
        public readonly bool $signInEnabled,
        public readonly array $problems,
        public readonly ?string $errorMessage,
        public readonly bool $signedIn,
        public readonly ?string $stamp = null,
    ) {
    }

    public static function from(array $data): self
    {
        return new self(
            email: $data['email'],
            signInEnabled: $data['signInEnabled'],
            problems: array_map(Problem::from(...), $data['problems']),
            errorMessage: $data['errorMessage'],
            signedIn: $data['signedIn'],
            stamp: $data['stamp'] ?? null,
        );
    }
}

final class RecoveryFormState
{
    public function __construct(
        public readonly string $email,
        public readonly bool $recoveryEnabled,
        public readonly array $problems,
        public readonly ?string $errorMessage,
        public readonly bool $recovered,
        public readonly ?string $stamp = null,
        public readonly ?Claim $claim = null,
    ) {
    }

    public static function from(array $data): self
    {
        return new self(
            email: $data['email'],
            recoveryEnabled: $data['recoveryEnabled'],
            problems: array_map(Problem::from(...), $data['problems']),
            errorMessage: $data['errorMessage'],
            recovered: $data['recovered'],
            stamp: $data['stamp'] ?? null,
            claim: isset($data['claim']) ? Claim::from($data['claim']) : null,
        );
    }
}

final class FormState
{
    public static function from(array $data): RegistrationFormState|SignInFormState|RecoveryFormState
    {
        return match (true) {
            isset($data['emailValid']) => RegistrationFormState::from($data),
            isset($data['signInEnabled']) => SignInFormState::from($data),
            isset($data['recoveryEnabled']) => RecoveryFormState::from($data),
        };
    }
}

final class FormWithState
{
    public function __construct(
        public readonly int $form,
        public readonly RegistrationFormState|SignInFormState|RecoveryFormState $state,
    ) {
    }

    public static function from(array $data): self
    {
        return new self(
            form: $data['form'],
            state: FormState::from($data['state']),
        );
    }
}

final class FormStateResult
{
    public function __construct(
        public readonly RegistrationFormState|SignInFormState|RecoveryFormState $state,
    ) {
    }

    public static function from(array $data): self
    {
        return new self(
            state: FormState::from($data['state']),
        );
    }
}

final class FormEvent
{
    public function __construct(
        public readonly int $form,
        public readonly string $event,
        public readonly ?string $reason = null,
        public readonly ?string $message = null,
        public readonly ?int $attemptsLeft = null,
        public readonly ?string $to = null,
    ) {
    }

    public static function from(array $data): self
    {
        return new self(
            form: $data['form'],
            event: $data['event'],
            reason: $data['reason'] ?? null,
            message: $data['message'] ?? null,
            attemptsLeft: $data['attemptsLeft'] ?? null,
            to: $data['to'] ?? null,
        );
    }
}

final class Event
{
    public function __construct(
        public readonly int $sequence,
        public readonly string $event,
        public readonly string $time,
        public readonly ?string $email = null,
        public readonly ?string $from = null,
        public readonly ?string $message = null,
        public readonly ?int $missed = null,
    ) {
    }

    public static function from(array $data): self
    {
        return new self(
            sequence: $data['sequence'],
            event: $data['event'],
            time: $data['time'],
            email: $data['email'] ?? null,
            from: $data['from'] ?? null,
            message: $data['message'] ?? null,
            missed: $data['missed'] ?? null,
        );
    }
}

final class ConfigurationProblem
{
    public function __construct(
        public readonly string $place,
        public readonly string $message,
        public readonly ?string $key = null,
    ) {
    }

    public static function from(array $data): self
    {
        return new self(
            place: $data['place'],
            message: $data['message'],
            key: $data['key'] ?? null,
        );
    }
}

// regd: end

/** regd has refused a call; the reason is for programs, the message for a person. */
final class RegdError extends \RuntimeException
{
    /** A reason of a newer regd is a text that is no Reason. */
    public readonly Reason|string $reason;
    public readonly bool $retryable;
    /** Seconds to wait before a repeat, if known. */
    public readonly ?int $retryAfter;
    /** Whether the registration may have happened all the same. */
    public readonly bool $pending;
    public readonly ?string $field;
    public readonly ?int $limit;
    public readonly ?int $attemptsLeft;
    /** @var list<Problem> */
    public readonly array $problems;

    /** @param array<string, mixed> $error */
    public function __construct(array $error)
    {
        parent::__construct($error['message'] ?? '', $error['code'] ?? 0);
        $data = $error['data'] ?? [];
        $name = $data['reason'] ?? '';
        $this->reason = Reason::tryFrom($name) ?? $name;
        $this->retryable = $data['retryable'] ?? false;
        $this->retryAfter = $data['retryAfter'] ?? null;
        $this->pending = $data['pending'] ?? false;
        $this->field = $data['field'] ?? null;
        $this->limit = $data['limit'] ?? null;
        $this->attemptsLeft = $data['attemptsLeft'] ?? null;
        $isEntry = $this->reason === Reason::ValidationFailed;
        $this->problems = $isEntry ? array_map(Problem::from(...), $data['problems'] ?? []) : [];
    }
}

/** regd cannot be reached, has gone, or did not answer in time. */
final class NoAnswer extends \RuntimeException
{
    /** @param bool $mayHaveHappened Whether regd may have done what was asked. */
    public function __construct(string $message, public readonly bool $mayHaveHappened = false)
    {
        parent::__construct($message);
    }
}

/** @internal */
final class Connection
{
    public bool $isOpen = true;
    /** @var array<int, Form> */
    public array $forms = [];
    /** @var list<Event> */
    private array $events = [];
    private string $received = '';
    private int $lastId = 0;

    /** @param resource $socket */
    private function __construct(private $socket)
    {
        stream_set_blocking($socket, false);
    }

    public static function open(string $path, float $deadline): self
    {
        $left = max(0.001, $deadline - self::now());
        $socket = @stream_socket_client('unix://' . $path, $code, $why, $left);
        if ($socket === false) {
            throw new NoAnswer("regd cannot be reached at $path: $why");
        }
        return new self($socket);
    }

    /** Seconds on a clock that nobody sets. */
    public static function now(): float
    {
        return hrtime(true) / 1e9;
    }

    /** @param array<string, mixed> $params */
    public function ask(string $method, array $params, float $deadline): mixed
    {
        $id = ++$this->lastId;
        $this->send(['id' => $id, 'method' => $method, 'params' => (object) $params], $deadline);
        while (($message = $this->next($deadline)) !== null) {
            if (!array_key_exists('id', $message)) {
                $this->take($message);
            } elseif ($message['id'] === $id || $message['id'] === null) {
                if (isset($message['error'])) {
                    throw new RegdError($message['error']);
                }
                return $message['result'];
            }
        }
        $this->send(['method' => 'rpc.cancel', 'params' => ['id' => $id]], $deadline + 1);
        throw new NoAnswer("regd did not answer $method in time", true);
    }

    /** The next event; null if none has come before the deadline. */
    public function event(float $deadline): ?Event
    {
        while ($this->events === []) {
            $message = $this->next($deadline);
            if ($message === null) {
                return null;
            }
            $this->take($message);
        }
        return array_shift($this->events);
    }

    public function close(): void
    {
        if ($this->isOpen) {
            $this->isOpen = false;
            fclose($this->socket);
        }
    }

    /** @param array<string, mixed> $request */
    private function send(array $request, float $deadline): void
    {
        $flags = JSON_THROW_ON_ERROR | JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES;
        $text = json_encode(['jsonrpc' => '2.0', ...$request], $flags) . "\n";
        while ($text !== '') {
            $this->wait($deadline, isWriting: true);
            $written = $this->isOpen ? @fwrite($this->socket, $text) : false;
            if ($written === false || ($written === 0 && self::now() >= $deadline)) {
                // half a request may be on its way
                $this->close();
                throw new NoAnswer('the connection has ended', true);
            }
            $text = substr($text, $written);
        }
    }

    /** @return array<string, mixed>|null Null if the time is over. */
    private function next(float $deadline): ?array
    {
        while (($end = strpos($this->received, "\n")) === false) {
            if (!$this->isOpen) {
                throw new NoAnswer('the connection has ended', true);
            }
            if (!$this->wait($deadline)) {
                return null;
            }
            $chunk = fread($this->socket, 65536);
            if ($chunk === false || ($chunk === '' && feof($this->socket))) {
                $this->close();
            } else {
                $this->received .= $chunk;
            }
        }
        $line = substr($this->received, 0, $end);
        $this->received = substr($this->received, $end + 1);
        return json_decode($line, true, 512, JSON_THROW_ON_ERROR);
    }

    private function wait(float $deadline, bool $isWriting = false): bool
    {
        $left = max(0.0, $deadline - self::now());
        $read = $isWriting ? [] : [$this->socket];
        $write = $isWriting ? [$this->socket] : [];
        $except = [];
        return (bool) stream_select($read, $write, $except, (int) $left, (int) (fmod($left, 1) * 1e6));
    }

    /** @param array<string, mixed> $message */
    private function take(array $message): void
    {
        $params = $message['params'] ?? [];
        match ($message['method'] ?? '') {
            'events.happened' => $this->events[] = Event::from($params),
            'form.changed' => ($this->forms[$params['form']] ?? null)?->changed($params['state']),
            'form.event' => ($this->forms[$params['form']] ?? null)?->happened($params),
            default => null,
        };
    }
}

// regd: begin methods

final class RpcMethods
{
    public function __construct(private readonly Client $client)
    {
    }

    public function ping(
        ?float $timeout = null,
    ): string {
        $result = $this->client->call('rpc.ping', [], $timeout);
        return $result;
    }
}

final class RegistrationMethods
{
    public function __construct(private readonly Client $client)
    {
    }

    public function register(
        ?string $email = null,
        #[\SensitiveParameter]
        ?string $password = null,
        #[\SensitiveParameter]
        ?string $passwordConfirmation = null,
        ?string $requestId = null,
        ?float $timeout = null,
    ): AccountOrClaim {
        $result = $this->client->call('registration.register', [
            'email' => $email,
            'password' => $password,
            'passwordConfirmation' => $passwordConfirmation,
            'requestId' => $requestId,
        ], $timeout);
        return AccountOrClaim::from($result);
    }
}

final class OwnerMethods
{
    public function __construct(private readonly Client $client)
    {
    }

    public function setDisplayName(
        string $email,
        #[\SensitiveParameter]
        string $password,
        ?string $displayName,
        ?float $timeout = null,
    ): AccountResult {
        $result = $this->client->call('owner.setDisplayName', [
            'email' => $email,
            'password' => $password,
            'displayName' => $displayName,
        ], $timeout);
        return AccountResult::from($result);
    }

    public function delete(
        string $email,
        #[\SensitiveParameter]
        string $password,
        ?float $timeout = null,
    ): void {
        $this->client->call('owner.delete', [
            'email' => $email,
            'password' => $password,
        ], $timeout);
    }
}

// regd: end

/** A screen whose state and decisions are regd's; it ends with its connection. */
final class Form
{
    /** The state to show, as regd has told it last. */
    public RegistrationFormState|SignInFormState|RecoveryFormState $state;
    /** @var list<FormEvent> */
    private array $events = [];

    /** @internal */
    public function __construct(
        private readonly Connection $connection,
        private readonly int $number,
        private readonly float $timeout,
    ) {
        $connection->forms[$number] = $this;
    }

    /** Sets fields; those that are null stay as they are. */
    public function set(
        ?string $email = null,
        #[\SensitiveParameter]
        ?string $password = null,
        #[\SensitiveParameter]
        ?string $passwordConfirmation = null,
        #[\SensitiveParameter]
        ?string $code = null,
        ?string $invitation = null,
        ?string $terms = null,
        ?string $displayName = null,
    ): RegistrationFormState|SignInFormState|RecoveryFormState {
        return $this->ask('form.set', array_filter(get_defined_vars(), fn ($field) => $field !== null));
    }

    /**
     * Presses the button, and tells what is to be shown until the form rests.
     *
     * @return list<FormEvent>
     */
    public function submit(): array
    {
        $this->events = [];
        $this->ask('form.submit', []);
        return $this->events;
    }

    /** Closes the form; regd forgets what was typed into it. */
    public function close(): void
    {
        unset($this->connection->forms[$this->number]);
        $this->connection->ask('form.close', ['form' => $this->number], Connection::now() + $this->timeout);
    }

    /**
     * @internal
     * @param array<string, mixed> $state
     */
    public function changed(array $state): void
    {
        $this->state = FormState::from($state);
    }

    /**
     * @internal
     * @param array<string, mixed> $event
     */
    public function happened(array $event): void
    {
        $this->events[] = FormEvent::from($event);
    }

    /** @param array<string, mixed> $fields */
    private function ask(
        string $method,
        #[\SensitiveParameter]
        array $fields,
    ): RegistrationFormState|SignInFormState|RecoveryFormState {
        $params = ['form' => $this->number, ...$fields];
        $result = $this->connection->ask($method, $params, Connection::now() + $this->timeout);
        $this->changed($result['state']);
        return $this->state;
    }
}

/** Calls regd. */
final class Client
{
    private const FIRST_PAUSE = 0.05;
    private const LONGEST_PAUSE = 2.0;
    private const REPEATABLE = [
        // regd: begin repeatable
        'rpc.ping' => 'yes',
        'registration.register' => 'withRequestId',
        'owner.setDisplayName' => 'yes',
        // regd: end
    ];
    private const NULLABLE = [
        // regd: begin nullable
        'owner.setDisplayName.displayName',
        // regd: end
    ];

    // regd: begin members
    public readonly RpcMethods $rpc;
    public readonly RegistrationMethods $registration;
    public readonly OwnerMethods $owner;
    // regd: end
    private readonly string $path;
    private ?Connection $connection = null;

    /**
     * @param ?string $path The socket; else REGD_SOCKET_PATH, else /run/regd/regd.sock.
     * @param float $timeout Seconds for a call with all of its attempts.
     * @param ?string $language What messages are in: BCP 47, or a list as in Accept-Language.
     */
    public function __construct(
        ?string $path = null,
        private readonly float $timeout = 35.0,
        private readonly ?string $language = null,
    ) {
        $this->path = $path ?? (getenv('REGD_SOCKET_PATH') ?: '/run/regd/regd.sock');
        // regd: begin assignments
        $this->rpc = new RpcMethods($this);
        $this->registration = new RegistrationMethods($this);
        $this->owner = new OwnerMethods($this);
        // regd: end
    }

    /** Opens a form of the kind registration, signIn or recovery. */
    public function form(string $kind, ?string $origin = null, ?string $language = null): Form
    {
        $deadline = Connection::now() + $this->timeout;
        $connection = $this->connected($deadline);
        $params = ['kind' => $kind, 'origin' => $origin, 'language' => $language];
        $opened = $connection->ask('form.open', $params, $deadline);
        $form = new Form($connection, $opened['form'], $this->timeout);
        $form->changed($opened['state']);
        return $form;
    }

    /**
     * Subscribes to events, on a separate connection, before it returns.
     * The generator yields null after each $seconds without an event.
     *
     * @return \Generator<int, ?Event>
     */
    public function subscribe(float $seconds = 60.0): \Generator
    {
        $deadline = Connection::now() + $this->timeout;
        $connection = $this->connect($deadline);
        $connection->ask('events.subscribe', [], $deadline);
        return self::events($connection, $seconds);
    }

    /** @return \Generator<int, ?Event> */
    private static function events(Connection $connection, float $seconds): \Generator
    {
        try {
            while (true) {
                yield $connection->event(Connection::now() + $seconds);
            }
        } finally {
            $connection->close();
        }
    }

    /** Ends the connection; a later call opens another. */
    public function close(): void
    {
        $this->connection?->close();
        $this->connection = null;
    }

    /**
     * @internal
     * @param array<string, mixed> $params
     */
    public function call(
        string $method,
        #[\SensitiveParameter]
        array $params,
        ?float $timeout,
    ): mixed {
        $deadline = Connection::now() + ($timeout ?? $this->timeout);
        $isSent = fn ($value, $name) => $value !== null || in_array("$method.$name", self::NULLABLE, true);
        $params = array_filter($params, $isSent, ARRAY_FILTER_USE_BOTH);
        $repetition = self::REPEATABLE[$method] ?? null;
        if ($repetition === 'withRequestId') {
            $params['requestId'] ??= self::requestId();
        }
        $hasLost = false;
        $refusal = null;
        for ($pause = self::FIRST_PAUSE;; $pause = min($pause * 2, self::LONGEST_PAUSE)) {
            $wait = $pause;
            try {
                return $this->connected($deadline)->ask($method, $params, $deadline);
            } catch (RegdError $failure) {
                $refusal = $failure;
                $again = $failure->retryable && $failure->pending;
                $wait = max($wait, (float) $failure->retryAfter);
            } catch (NoAnswer $failure) {
                // a regd that was not there at all is no restart that takes a moment
                $again = $failure->mayHaveHappened || $hasLost;
                $hasLost = true;
            }
            if (!$again || $repetition === null || Connection::now() + $wait >= $deadline) {
                // what regd has said before says more than that time is over
                throw $refusal ?? $failure;
            }
            usleep((int) ($wait * 1e6));
        }
    }

    private static function requestId(): string
    {
        $bytes = random_bytes(16);
        $bytes[6] = chr(ord($bytes[6]) & 0x0f | 0x40);
        $bytes[8] = chr(ord($bytes[8]) & 0x3f | 0x80);
        return vsprintf('%s%s-%s-%s-%s-%s%s%s', str_split(bin2hex($bytes), 4));
    }

    private function connected(float $deadline): Connection
    {
        if ($this->connection === null || !$this->connection->isOpen) {
            $this->connection = $this->connect($deadline);
        }
        return $this->connection;
    }

    private function connect(float $deadline): Connection
    {
        $connection = Connection::open($this->path, $deadline);
        if ($this->language !== null) {
            $connection->ask('rpc.language', ['language' => $this->language], $deadline);
        }
        return $connection;
    }
}
