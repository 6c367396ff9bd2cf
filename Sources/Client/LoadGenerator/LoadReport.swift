/// What came of a load.
package struct LoadReport: Equatable, Sendable {
  package let plan: LoadPlan
  /// From the first request to the last answer.
  package internal(set) var seconds = 0.0
  /// Of results only: an error may be quick, and says nothing of how long the work takes. In an open loop from the moment
  /// at which the request was to be sent, so that a regd that stands still is seen in all requests that it kept waiting.
  package internal(set) var latencies = LatencyHistogram()
  /// How often which error was the answer, or took its place, by reason.
  package internal(set) var errors: [String: Int] = [:]
  /// Requests that had no answer when the user ended the load; no errors.
  package internal(set) var unanswered = 0
  /// By how much the generator itself sent requests of an open loop too late.
  package internal(set) var lags = LatencyHistogram()
  /// Processor time of the generator as a share of one core; nil if the kernel does not report it.
  package internal(set) var processorShare: Double?

  package init(_ plan: LoadPlan) { self.plan = plan }

  /// Answers that are results.
  package var results: Int { latencies.count }
  package var errorCount: Int { errors.values.reduce(0, +) }
  /// Results a second.
  package var throughput: Double { seconds > 0 ? Double(results) / seconds : 0 }

  /// Reasons that no regd has: what took the place of an answer.
  enum Missing {
    /// The connection ended before the answer.
    static let disconnected = "disconnected"
    /// No answer came in time.
    static let timedOut = "timedOut"
    /// The request of an open loop was due, and every connection was full until the end.
    static let notSent = "notSent"
  }
}
