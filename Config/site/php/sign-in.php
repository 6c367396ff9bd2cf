<?php
// A page that signs in by regd, and shows who is. `php -S localhost:8080 sign-in.php` shows it.
declare(strict_types=1);

/** Calls regd: [result, null], or [null, what a page says of it with its status and the seconds to wait]. */
function regd(string $method, array $params): array
{
    $socket = @stream_socket_client('unix://' . (getenv('REGD_SOCKET_PATH') ?: '/run/regd/regd.sock'), $code, $text, 5);
    if ($socket) {
        stream_set_timeout($socket, 35);
        fwrite($socket, json_encode(['jsonrpc' => '2.0', 'id' => 1, 'method' => $method, 'params' => $params]) . "\n");
    }
    $answer = json_decode($socket ? (string) fgets($socket) : '', true);
    if (isset($answer['result'])) return [$answer['result'], null];
    $data = $answer['error']['data'] ?? ['reason' => 'regd.away', 'retryable' => true];
    $status = $data['reason'] === 'rate.limited' ? 429 : ($data['retryable'] ? 503 : (intdiv($answer['error']['code'], 1000) === 1 ? 422 : 500));
    $message = $answer['error']['message'] ?? 'Please try again later.';
    return [null, $data + ['message' => $message, 'status' => $status, 'retryAfter' => $data['retryAfter'] ?? ($status === 503 ? 5 : null)]];
}

session_start(['cookie_httponly' => true, 'cookie_secure' => true, 'cookie_samesite' => 'Lax', 'use_strict_mode' => true]);
header("Content-Security-Policy: default-src 'none'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'");
header('Cache-Control: no-store');
$_SESSION['token'] ??= bin2hex(random_bytes(16));
$error = null;

if ($_SERVER['REQUEST_METHOD'] === 'POST') {
    if (!hash_equals($_SESSION['token'], (string) ($_POST['token'] ?? ''))) {
        http_response_code(403);
        exit('This page was open for too long.');
    }
    $entry = ['email' => (string) ($_POST['email'] ?? ''), 'password' => (string) ($_POST['password'] ?? '')];
    $call = $entry + ['origin' => $_SERVER['REMOTE_ADDR'], 'language' => $_SERVER['HTTP_ACCEPT_LANGUAGE'] ?? ''];
    [$result, $error] = isset($_POST['out']) ? [null, null] : regd('session.signIn', $call);
    if (!$error) {
        session_regenerate_id(true);
        $_SESSION = $result ? ['id' => $result['account']['id'], 'stamp' => $result['stamp']] : [];
        header('Location: ' . strtok($_SERVER['REQUEST_URI'], '?'), true, 303);
        exit;
    }
} elseif (isset($_SESSION['stamp'])) {
    [$person, $error] = regd('session.check', ['account' => $_SESSION['id'], 'stamp' => $_SESSION['stamp']]);
    if ($error && $error['reason'] === 'session.ended') $_SESSION = ['token' => $_SESSION['token']];
}
if ($error) {
    http_response_code($error['status']);
    if ($error['retryAfter']) header('Retry-After: ' . $error['retryAfter']);
}
$text = fn (string $value): string => htmlspecialchars($value, ENT_QUOTES);
?>
<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Sign in</title>
<main>
<?php if ($error): ?><p role="alert"><?= $text($error['message']) ?></p><?php endif ?>
<form method="post"><input type="hidden" name="token" value="<?= $text($_SESSION['token']) ?>">
<?php if (isset($_SESSION['stamp'])): ?>
<p>You are signed in as <?= $text($person['account']['email'] ?? 'before') ?>.</p><button name="out" value="1">Sign out</button>
<?php else: ?>
<p><label>Email address <input name="email" autocomplete="username" value="<?= $text($entry['email'] ?? '') ?>"></label></p>
<p><label>Password <input name="password" type="password" autocomplete="current-password"></label></p><button>Sign in</button>
<?php endif ?>
</form>
</main>
