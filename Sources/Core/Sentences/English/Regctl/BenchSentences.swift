/// The output of `regctl bench` about a load.
package enum BenchSentence: String, SentenceKey {
  package static let area = "regctl.bench"

  case closedLoop =
    "closed loop, {connections, plural, one {# connection} other {# connections}} x {inFlight} in flight"
  case openLoop =
    "open loop, {rate} requests/s, {connections, plural, one {# connection} other {# connections}} x {inFlight} in flight"
  case plan = "{method}: {load}"
  /// `rate` is the number of requests per second, shown in its own style.
  case results = "{results} results in {time}, {rate}, {errors}"
  case noErrors = "no errors"
  case errors = "{count, plural, one {# error} other {# errors}}"
  case error = "{count} x {reason}"
  case errorMeans = "{count} x {reason}: {meaning}"
  case disconnected = "regd closed the connection"
  case timedOut = "no answer in time"
  case notSent = "every connection was full until the end; the rate is more than regd and these connections carry"
  case unanswered = "{count} had no answer yet when it was ended"
  case generator = "regctl itself: {share} of a core"
  case generatorBusy = "regctl itself: {share} of a core, all that it can take: regd could do more"
  case generatorLate = "{generator}, sent at most {time} late (p99)"
}

/// The output of `regctl matrix`; names of environments, flows and answers are not translated.
package enum MatrixSentence: String, SentenceKey {
  package static let area = "regctl.matrix"

  case environment = "environment"
  case condition = "condition"
  case summary = "{played} cells, {green} green, {red} red"
  case summaryAbsent = "{played} cells, {green} green, {red} red, {absent} not played"
  case notPlayed = "{count} not played: {reason}"
  case allFlows = "all {count} flows"
  case sameAs = "sees what {environment} sees"
  case variant = "{label} = {rendering} with {store}"
  case noEnvironments = "{directory} has no environments (files that end in .yaml)"
  case nothingNamed = "nothing has \"{filter}\" in its name; there are {names}"
}
