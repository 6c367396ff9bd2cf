<?php

/**
 * Tests of the client in PHP with a fake regd: test_regd.php CLIENT.
 *
 * CLIENT is the file as it is in Sources, with its sample methods.
 */

declare(strict_types=1);

namespace Regd;

require $argv[1];

const PATIENCE = 60;
const REQUEST_ID = '6fa459ea-ee8a-3ca4-894e-db77e160355e';
const OWNER = ['email' => 'you@example.com', 'password' => 'a fine phrase'];
const HALVES = ['', '{"jsonrpc":"2.0","id":1,"res'];

/** How many bytes the client's next reads return at most; the last number is for all further reads. */
final class Reads
{
    /** @var non-empty-list<int> */
    public static array $sizes = [PHP_INT_MAX];
}

/**
 * The client calls this function instead of PHP's, because both are in the same namespace.
 *
 * @param resource $stream
 */
function fread($stream, int $length): string|false
{
    $most = count(Reads::$sizes) > 1 ? array_shift(Reads::$sizes) : Reads::$sizes[0];
    return \fread($stream, min($length, $most));
}

/** The fake regd's end of a connection. */
final class Caller
{
    /** @var list<string> */
    public array $requestIds = [];

    /** @param resource $socket */
    public function __construct(private $socket)
    {
        stream_set_timeout($socket, PATIENCE);
    }

    /**
     * Reads the next request, which must be of this method.
     *
     * @return array<string, mixed>
     */
    public function request(string $method): array
    {
        $line = fgets($this->socket);
        $request = $line === false ? ['method' => 'nothing'] : json_decode($line, true, 512, JSON_THROW_ON_ERROR);
        same($method, $request['method']);
        return $request;
    }

    public function send(string $text): void
    {
        while ($text !== '') {
            $text = substr($text, (int) fwrite($this->socket, $text));
        }
    }
}

/** @param array<string, mixed> $message */
function text(array $message): string
{
    return json_encode(['jsonrpc' => '2.0', ...$message], JSON_THROW_ON_ERROR | JSON_UNESCAPED_UNICODE) . "\n";
}

/** @param array<string, mixed> $request */
function reply(array $request, mixed $result): string
{
    return text(['id' => $request['id'], 'result' => $result]);
}

/**
 * @param array<string, mixed> $request
 * @param array<string, mixed> $data
 */
function refusal(array $request, string $reason, array $data = []): string
{
    $error = ['code' => 1002, 'message' => 'No.', 'data' => ['reason' => $reason, ...$data]];
    return text(['id' => $request['id'], 'error' => $error]);
}

/** @return array<string, mixed> */
function named(string $name): array
{
    $times = ['createdAt' => '2026-01-01T00:00:00Z', 'updatedAt' => '2026-01-01T00:00:00Z'];
    $account = ['id' => '1', 'email' => OWNER['email'], 'state' => 'active', ...$times, 'groups' => []];
    return ['account' => [...$account, 'displayName' => $name]];
}

function same(mixed $expected, mixed $actual): void
{
    if ($expected !== $actual) {
        throw new \LogicException(var_export($actual, true) . ' instead of ' . var_export($expected, true));
    }
}

/** @param callable(): mixed $call */
function noAnswer(callable $call, bool $mayHaveHappened): void
{
    try {
        $call();
    } catch (NoAnswer $failure) {
        same($mayHaveHappened, $failure->mayHaveHappened);
        return;
    }
    throw new \LogicException('a result');
}

/** @param callable(): mixed $call */
function refused(callable $call): RegdError
{
    try {
        $call();
    } catch (RegdError $failure) {
        return $failure;
    }
    throw new \LogicException('a result');
}

/**
 * Runs a fake regd in another process: one function for each connection, in their order.
 *
 * @param callable(Client): void $body
 * @param callable(Caller): void ...$connections
 */
function withRegd(callable $body, callable ...$connections): void
{
    $path = sys_get_temp_dir() . '/regd-' . bin2hex(random_bytes(8));
    $listener = stream_socket_server('unix://' . $path);
    $process = pcntl_fork();
    if ($process === 0) {
        try {
            foreach ($connections as $connection) {
                $socket = stream_socket_accept($listener, PATIENCE);
                $connection(new Caller($socket));
                fclose($socket);
            }
            exit(0);
        } catch (\Throwable $failure) {
            echo '    the fake regd got ', $failure->getMessage(), "\n";
            exit(1);
        }
    }
    fclose($listener);
    $isDone = false;
    try {
        $client = new Client($path);
        $body($client);
        $isDone = true;
    } finally {
        $client->close();
        if (!$isDone) {
            posix_kill($process, SIGKILL);
        }
        pcntl_waitpid($process, $status);
        unlink($path);
    }
    same(0, $status);
}

$answersPing = fn (Caller $caller) => $caller->send(reply($caller->request('rpc.ping'), 'pong'));

$tests = [];

// Framing.

$tests['an error without an id fails the call'] = fn () => withRegd(
    fn (Client $client) => same('request.tooLarge', refused($client->rpc->ping(...))->reason),
    function (Caller $caller) {
        $caller->request('rpc.ping');
        $caller->send(refusal(['id' => null], 'request.tooLarge'));
    },
);

$tests['a reply is read wherever it is split'] = function () {
    $count = strlen(reply(['id' => 100], named('Zoë')));
    withRegd(
        function (Client $client) use ($count) {
            for ($cut = 1; $cut < $count; $cut++) {
                Reads::$sizes = [$cut, PHP_INT_MAX];
                $result = $client->owner->setDisplayName(...OWNER, displayName: 'Zoë');
                same('Zoë', $result->account->displayName);
            }
        },
        function (Caller $caller) use ($count) {
            for ($cut = 1; $cut < $count; $cut++) {
                $caller->send(reply($caller->request('owner.setDisplayName'), named('Zoë')));
            }
        },
    );
};

$tests['a reply is read byte by byte'] = fn () => withRegd(
    function (Client $client) {
        Reads::$sizes = [1];
        same('Zoë', $client->owner->setDisplayName(...OWNER, displayName: 'Zoë')->account->displayName);
    },
    fn (Caller $caller) => $caller->send(reply($caller->request('owner.setDisplayName'), named('Zoë'))),
);

$tests['one read contains a reply and messages that nobody waits for'] = fn () => withRegd(
    function (Client $client) {
        same('pong', $client->rpc->ping());
        same('pong', $client->rpc->ping());
    },
    function (Caller $caller) use ($answersPing) {
        $unknown = text(['method' => 'other.happened', 'params' => []]);
        $answer = reply($caller->request('rpc.ping'), 'pong');
        $caller->send($unknown . reply(['id' => 99], 'late') . $answer . $unknown);
        $answersPing($caller);
    },
);

// Timeouts.

$tests['a call that times out is cancelled, and the connection remains'] = fn () => withRegd(
    function (Client $client) {
        same('pong', $client->rpc->ping()); // the timeout then does not include connecting
        noAnswer(fn () => $client->rpc->ping(timeout: 0.2), mayHaveHappened: true);
        same('pong', $client->rpc->ping());
    },
    function (Caller $caller) use ($answersPing) {
        $answersPing($caller);
        $late = $caller->request('rpc.ping');
        $cancel = $caller->request('rpc.cancel');
        same(['id' => $late['id']], $cancel['params']);
        same(false, array_key_exists('id', $cancel));
        $caller->send(reply($late, 'late') . reply($caller->request('rpc.ping'), 'pong'));
    },
);

// Lost connections and repeats.

$tests['without a regd nothing happened'] = function () {
    $client = new Client('/nonexistent/regd.sock');
    noAnswer($client->rpc->ping(...), mayHaveHappened: false);
};

foreach (HALVES as $half) {
    $when = $half === '' ? 'before' : 'in';
    $tests["a call is sent once if the connection is lost $when the reply"] = fn () => withRegd(
        function (Client $client) {
            noAnswer(fn () => $client->owner->delete(...OWNER), mayHaveHappened: true);
            same('pong', $client->rpc->ping());
        },
        function (Caller $caller) use ($half) {
            $caller->request('owner.delete');
            $caller->send($half);
        },
        $answersPing,
    );

    foreach ([null, REQUEST_ID] as $given) {
        $whose = $given === null ? "the client's" : 'its';
        $name = "a registration is repeated with $whose requestId if the connection is lost $when the reply";
        $tests[$name] = function () use ($half, $given) {
            $id = $given;
            $check = function (Caller $caller) use (&$id) {
                $request = $caller->request('registration.register');
                $id ??= $request['params']['requestId'];
                same($id, $request['params']['requestId']);
                same(36, strlen($id));
                return $request;
            };
            $lost = function (Caller $caller) use ($check, $half) {
                $check($caller);
                $caller->send($half);
            };
            withRegd(
                fn (Client $client) =>
                    same('Ada', $client->registration->register(requestId: $given)->account->displayName),
                $lost,
                $lost,
                fn (Caller $caller) => $caller->send(reply($check($caller), named('Ada'))),
            );
        };
    }
}

$tests['two registrations have different requestIds'] = fn () => withRegd(
    function (Client $client) {
        $client->registration->register();
        $client->registration->register();
    },
    function (Caller $caller) {
        $ids = [];
        foreach ([1, 2] as $count) {
            $request = $caller->request('registration.register');
            $ids[$request['params']['requestId']] = true;
            same($count, count($ids));
            $caller->send(reply($request, named('Ada')));
        }
    },
);

$tests['a refusal is not repeated'] = fn () => withRegd(
    function (Client $client) {
        $error = refused($client->registration->register(...));
        same([1002, 'No.'], [$error->getCode(), $error->getMessage()]);
        same(Reason::ValidationFailed, $error->reason);
        same([true, false, 1, 2], [$error->retryable, $error->pending, $error->retryAfter, $error->attemptsLeft]);
        same('email', $error->problems[0]->field);
        same('pong', $client->rpc->ping());
    },
    function (Caller $caller) use ($answersPing) {
        $problem = ['field' => 'email', 'reason' => 'email.domain', 'message' => 'No.'];
        $data = ['retryable' => true, 'retryAfter' => 1, 'attemptsLeft' => 2, 'problems' => [$problem]];
        $caller->send(refusal($caller->request('registration.register'), 'validation.failed', $data));
        $answersPing($caller);
    },
);

$tests['a pending registration is repeated with its requestId'] = fn () => withRegd(
    fn (Client $client) => same('Ada', $client->registration->register()->account->displayName),
    function (Caller $caller) {
        $id = null;
        foreach ([2, 1, 0] as $left) {
            $request = $caller->request('registration.register');
            $id ??= $request['params']['requestId'];
            same($id, $request['params']['requestId']);
            $pending = refusal($request, 'network.timeout', ['retryable' => true, 'pending' => true]);
            $caller->send($left > 0 ? $pending : reply($request, named('Ada')));
        }
    },
);

$tests['a pause that is longer than the timeout returns the refusal'] = fn () => withRegd(
    function (Client $client) {
        $error = refused($client->registration->register(...));
        same([true, 1000], [$error->pending, $error->retryAfter]);
        same('pong', $client->rpc->ping());
    },
    function (Caller $caller) use ($answersPing) {
        $data = ['retryable' => true, 'pending' => true, 'retryAfter' => 1000];
        $caller->send(refusal($caller->request('registration.register'), 'network.timeout', $data));
        $answersPing($caller);
    },
);

$failed = 0;
foreach ($tests as $name => $test) {
    Reads::$sizes = [PHP_INT_MAX];
    try {
        $test();
        echo "ok      $name\n";
    } catch (\Throwable $failure) {
        $failed++;
        echo "FAILED  $name: {$failure->getMessage()}\n";
    }
}
echo count($tests), " tests, $failed failed\n";
exit($failed === 0 ? 0 : 1);
