/// Help of the commands that watch, measure and examine a regd.
package enum WatchingHelp: String, MessageKey {
  case top = "help.watching.top: Show a full-screen view of regd's activity; for observers and administrators"
  case topMore = """
    help.watching.topMore: \
    Shows, for each interval, requests and latencies by method, passwords waiting to be hashed, users, the circuit \
    breaker, the outbox, the store and the log. Press h to list the keys. If regd stops, regctl waits until it is \
    running again. With --json, regctl prints one line per interval and needs no terminal.
    """
  case topInterval = "help.watching.topInterval: Seconds between two measurements, 0.5 to 60"
  case topOnce = "help.watching.topOnce: Measure one interval, print it, and exit; needs no terminal"
  case bench = """
    help.watching.bench: \
    Measure the throughput, latencies and errors of a running regd; exit status 1 if there are errors
    """
  case benchMore = """
    help.watching.benchMore: \
    Without --rate, each connection sends its next request as soon as one is answered (a closed loop). With --rate, \
    each request is sent when it is due, and its latency is measured from that time (an open loop). Control-C ends the \
    load and prints the results so far.

    Methods that change accounts, handle passwords or call an upstream are measured only with --yes. In strings within \
    --params, '{n}' is replaced with the number of the request, starting at 1.
    """
  case benchMethod =
    "help.watching.benchMethod: Method to measure; can be repeated (default: rpc.ping and registration.validate)"
  case benchParams = "help.watching.benchParams: Params as JSON, or - for standard input (default: none)"
  case benchConnections = "help.watching.benchConnections: Number of connections, 1 to 1000"
  case benchInFlight =
    "help.watching.benchInFlight: Maximum number of unanswered requests on each connection, 1 to 1000"
  case benchRate = "help.watching.benchRate: Requests per second, in an open loop (default: a closed loop)"
  case benchDuration =
    "help.watching.benchDuration: Seconds to send requests for each method (default: 5; with --requests, no time limit)"
  case benchRequests = "help.watching.benchRequests: Number of requests for each method (default: no limit)"
  case benchYes = """
    help.watching.benchYes: \
    Also measure methods that change accounts, handle passwords or call an upstream
    """
  case doctor = """
    help.watching.doctor: \
    Find common mistakes, and print the commands that fix them; exit status 1 if a mistake is found
    """
  case doctorMore = """
    help.watching.doctorMore: \
    Checks the socket, the doors, the groups of this user, the configuration, the store and its disk, the clock, the \
    resources of the machine, and the upstream, without changing anything. Run the doctor as root for a complete \
    check; for any other user, it lists what it cannot check.
    """
  case doctorConfig = "help.watching.doctorConfig: Configuration file (default: the file that regd read)"
  case doctorRegd =
    "help.watching.doctorRegd: regd program that checks the configuration (default: the one next to this program)"
  case doctorTryUpstream = """
    help.watching.doctorTryUpstream: \
    Register this address at the upstream twice with the same key, and check that the upstream returns the same \
    account for both. The account is not removed afterwards.
    """
  case doctorTimeout = "help.watching.doctorTimeout: Seconds to wait for an answer"
  case doctorJSON = "help.watching.doctorJSON: Print the findings as JSON"
  case simulate = """
    help.watching.simulate: \
    Simulate regd with a configuration, in reproducible runs; exit status 1 if regd breaks a documented promise
    """
  case simulateMore = """
    help.watching.simulateMore: \
    Simulates the callers, the upstream, the disk, kills and power cuts, without contacting regd. The same seed gives \
    the same run. Paths, sockets and credentials in the configuration are not used. The simulator lists the keys that \
    it ignores.
    """
  case simulateConfig = "help.watching.simulateConfig: Configuration file to simulate"
  case simulateSeed = "help.watching.simulateSeed: Seed of one run"
  case simulateSeeds = "help.watching.simulateSeeds: Seeds of several runs, such as 1-1000"
  case simulateMinutes =
    "help.watching.simulateMinutes: Length of each run in simulated minutes (default: determined by the seed)"
  case matrix =
    "help.watching.matrix: Show what callers see in each environment; exit status 1 if they see anything unexpected"
  case matrixMore = """
    help.watching.matrixMore: \
    Runs flows (series of calls) in each environment, and prints a table with environments as rows and flows as \
    columns. Each cell starts a separate regd. An environment with a simulated network is run with the built-in \
    network, and over HTTP against a server that misbehaves in the same way. An email environment is run with the \
    built-in mail systems, and over SMTP against a server that misbehaves in the same way. All environments are run on \
    every store, with two exceptions: SMTP is run on only one store, and a store fault only on the store that the \
    environment names.
    """
  case matrixDirectory = "help.watching.matrixDirectory: Directory that contains the environments"
  case matrixRegd = "help.watching.matrixRegd: regd program to start"
  case matrixFilter =
    "help.watching.matrixFilter: Run only environments or flows whose name contains this text (default: all)"
  case matrixHTML = "help.watching.matrixHTML: Write the table to this file as an HTML page"
  case matrixJobs = "help.watching.matrixJobs: Number of cells to run at once (default: two for each core)"
  case matrixJSON = "help.watching.matrixJSON: Print the cells as JSON, and errors as JSON on standard error"
}

/// Help of `regctl client`.
package enum ClientHelp: String, MessageKey {
  case abstract = "help.client.abstract: Print a client for regd as a single file without dependencies"
  case discussion = """
    help.client.discussion: \
    The client is typed. It is generated from the method table of this version of regd, without contacting regd. With \
    openrpc, regctl prints the table as an OpenRPC document for other generators. rpc.discover returns the same \
    document on the socket of regd.
    """
  case language = "help.client.language: Programming language of the client, or openrpc for an OpenRPC document"
}

/// Help of `regctl call`.
package enum CallHelp: String, MessageKey {
  case abstract = "help.call.abstract: Call a method and print the result; without a method, list the methods"
  /// Placed after examples of calls.
  case discussion = """
    help.call.discussion: \
    regctl asks regd for the methods and their params (rpc.discover). Every process on the machine can see \
    arguments, so pass params that contain a secret on standard input.
    """
  case method = "help.call.method: Method to call (default: list the methods)"
  case params =
    "help.call.params: Params as name=value pairs, or as one JSON object or array, or - for JSON on standard input"
  case describe = "help.call.describe: Describe the method and its params instead of calling it"
}
