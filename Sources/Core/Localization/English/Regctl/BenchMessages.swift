/// The output of `regctl bench` about a load.
package enum BenchMessageKey: String, MessageKey {
  case closedLoop =
    "regctl.bench.closedLoop: closed loop, {connections, plural, one {# connection} other {# connections}} x {inFlight} in flight"
  case openLoop =
    "regctl.bench.openLoop: open loop, {rate} requests/s, {connections, plural, one {# connection} other {# connections}} x {inFlight} in flight"
  case plan = "regctl.bench.plan: {method}: {load}"
  /// `rate` is the number of requests per second, shown in its own style.
  case results = "regctl.bench.results: {results} results in {time}, {rate}, {errors}"
  case noErrors = "regctl.bench.noErrors: no errors"
  case errors = "regctl.bench.errors: {count, plural, one {# error} other {# errors}}"
  case error = "regctl.bench.error: {count} x {reason}"
  case errorMeans = "regctl.bench.errorMeans: {count} x {reason}: {meaning}"
  case disconnected = "regctl.bench.disconnected: regd closed the connection"
  case timedOut = "regctl.bench.timedOut: no answer in time"
  case notSent = """
    regctl.bench.notSent: \
    all connections had the maximum number of requests in flight until the end, so regd cannot sustain this rate with \
    this number of connections
    """
  case unanswered = """
    regctl.bench.unanswered: \
    {count, plural, one {# request was} other {# requests were}} still unanswered when the load ended
    """
  case generator = "regctl.bench.generator: regctl itself used {share} of a core"
  case generatorBusy = """
    regctl.bench.generatorBusy: \
    regctl itself used {share} of a core and can use at most one, so regd may be able to handle more requests
    """
  case generatorLate = "regctl.bench.generatorLate: {generator}; 99% of requests were sent at most {time} late"
}

/// The output of `regctl matrix`. Names of environments, flows and answers are not translated.
package enum MatrixMessageKey: String, MessageKey {
  case environment = "regctl.matrix.environment: environment"
  case condition = "regctl.matrix.condition: condition"
  case summary = "regctl.matrix.summary: {played, plural, one {# cell} other {# cells}}, {green} passed, {red} failed"
  case summaryAbsent = """
    regctl.matrix.summaryAbsent: \
    {played, plural, one {# cell} other {# cells}}, {green} passed, {red} failed, {absent} not run
    """
  case notPlayed = "regctl.matrix.notPlayed: {count} not run: {reason}"
  case allFlows = "regctl.matrix.allFlows: all {count} flows"
  case sameAs = "regctl.matrix.sameAs: same as {environment}"
  case variant = "regctl.matrix.variant: {label} = {rendering} with {store}"
  case noEnvironments = "regctl.matrix.noEnvironments: {directory} contains no environments (files that end in .yaml)"
  case nothingNamed = """
    regctl.matrix.nothingNamed: \
    no environment or flow has "{filter}" in its name; choose from {names}
    """
}
