/// Help of the commands that watch, measure and examine a regd.
package enum WatchingHelp: String, SentenceKey {
  case top = "help.watching.top: Shows what regd does now, on the whole terminal; for observers and administrators."
  case topMore = """
    help.watching.topMore: \
    Requests and latencies by method, what waits to be hashed, users, the breaker, the outbox, the store and the \
    log, in intervals. h says which keys there are. If regd stops, it waits for the next one. With --json it prints \
    a line per interval, and no terminal is needed.
    """
  case topInterval = "help.watching.topInterval: Seconds between two looks, 0.5 to 60."
  case topOnce = "help.watching.topOnce: Measure one interval, print it, and end; needs no terminal."
  case bench =
    "help.watching.bench: Measures a regd that runs: throughput, latencies, errors; exit status 1 if there are any."
  case benchMore = """
    help.watching.benchMore: \
    Without --rate the next request goes as soon as one is answered (a closed loop). With it requests go when they are \
    due, and their latency counts from then (an open loop). Control-C ends the load and prints what there is.

    What changes accounts, works on passwords or asks an upstream is measured with --yes only. '{n}' in the texts of \
    --params is the request's number, from 1.
    """
  case benchMethod =
    "help.watching.benchMethod: The method, as often as needed; else rpc.ping and registration.validate."
  case benchParams = "help.watching.benchParams: Its params, as JSON; - reads them from standard input."
  case benchConnections = "help.watching.benchConnections: Connections, 1 to 1000."
  case benchInFlight = "help.watching.benchInFlight: Requests without an answer for each connection, 1 to 1000."
  case benchRate = "help.watching.benchRate: Requests a second, for an open loop."
  case benchDuration =
    "help.watching.benchDuration: Seconds to send requests for each method; else 5, or as long as --requests takes."
  case benchRequests = "help.watching.benchRequests: Requests for each method."
  case benchYes = "help.watching.benchYes: Measure also what changes accounts, works on passwords or asks an upstream."
  case doctor = "help.watching.doctor: Finds the usual mistakes, and says what to type; exit status 1 if there are any."
  case doctorMore = """
    help.watching.doctorMore: \
    Looks at the socket, the doors, this user's groups, the configuration, the store and its disk, the clock, what the \
    machine gives to regd, and the upstream. Changes nothing. Root is shown more than others; what may not be seen is said.
    """
  case doctorConfig = "help.watching.doctorConfig: The configuration; by default the file that regd has read."
  case doctorRegd = "help.watching.doctorRegd: The regd that checks it; by default the one next to this program."
  case doctorTryUpstream =
    "help.watching.doctorTryUpstream: Register this address twice under one key at the upstream, which must answer both with one account. It stays there."
  case doctorTimeout = "help.watching.doctorTimeout: Seconds to wait for an answer of regd."
  case doctorJSON = "help.watching.doctorJSON: Print the findings as JSON."
  case simulate =
    "help.watching.simulate: Plays a configuration in lives of regd that a number decides; exit status 1 if a promise is broken."
  case simulateMore = """
    help.watching.simulateMore: \
    Callers, the upstream, the disk, kills and power cuts are simulated, and no regd is asked. The same seed is the same run. \
    Paths, sockets and credentials of the configuration are not used; keys that are not played are named.
    """
  case simulateConfig = "help.watching.simulateConfig: The configuration to play."
  case simulateSeed = "help.watching.simulateSeed: The number of one run."
  case simulateSeeds = "help.watching.simulateSeeds: The numbers of several runs, such as 1-1000."
  case simulateMinutes = "help.watching.simulateMinutes: Simulated minutes that a run goes on; else its number decides."
  case matrix =
    "help.watching.matrix: Shows what callers see under each environment; exit status 1 if that is not what they must see."
  case matrixMore =
    "help.watching.matrixMore: Starts a regd of its own for every cell: environments down, flows across, each on every store, and with the network that is built in as well as over HTTP against a server that misbehaves the same way. Environments of mail are played by the mail systems that are built in, and over SMTP, on one store, against a server that misbehaves the same way."
  case matrixDirectory = "help.watching.matrixDirectory: The directory of the environments."
  case matrixRegd = "help.watching.matrixRegd: The regd to start."
  case matrixFilter = "help.watching.matrixFilter: Only environments or flows with this in their name."
  case matrixHTML = "help.watching.matrixHTML: Write the table as a page to this file."
  case matrixJobs = "help.watching.matrixJobs: How many cells at once; by default two per core."
  case matrixJSON = "help.watching.matrixJSON: Print the cells as JSON; errors as JSON on standard error."
}

/// Help of `regctl client`.
package enum ClientHelp: String, SentenceKey {
  case abstract = "help.client.abstract: Prints a client of regd as one file without dependencies."
  case discussion = """
    help.client.discussion: \
    It is made from the table of methods that a regd of the same version answers from, so that it is typed, and no regd is \
    asked for it. openrpc prints that table as the document that rpc.discover answers, for other generators.
    """
  case language = "help.client.language: The language that the client is to be in."
}

/// Help of `regctl call`.
package enum CallHelp: String, SentenceKey {
  case abstract = "help.call.abstract: Calls any method and prints the result; without one, lists the methods."
  /// Placed after examples of calls.
  case discussion = """
    help.call.discussion: \
    It asks regd for its methods and their params (rpc.discover). Arguments are seen by every process \
    of the machine: params with a secret belong on standard input.
    """
  case method = "help.call.method: The method."
  case params =
    "help.call.params: Its params: name=value as often as needed, or one JSON object or array, or - for one on standard input."
  case describe = "help.call.describe: Say what the method does and takes, and do not call it."
}
