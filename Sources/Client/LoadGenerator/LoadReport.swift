/// The outcome of a load.
package struct LoadReport: Equatable, Sendable {
  package let plan: LoadPlan
  /// The duration of the run, from its start until the last answer came, or the wait for it ended.
  package internal(set) var seconds = 0.0
  /// Latencies of results only, because an error may come before any work is done. In an open loop a latency begins
  /// when the request was due, even if it was sent later, so that a pause of regd counts for every request that it
  /// delays.
  package internal(set) var latencies = LatencyHistogram()
  /// The number of errors by reason, including reasons for a missing answer.
  package internal(set) var errors: [String: Int] = [:]
  /// Requests in flight when the user ended the load. They are not counted as errors.
  package internal(set) var unanswered = 0
  /// How late the generator itself sent requests of an open loop.
  package internal(set) var lags = LatencyHistogram()
  /// Processor time of the generator as a share of one core, or nil if the kernel does not report it.
  package internal(set) var processorShare: Double?

  package init(_ plan: LoadPlan) { self.plan = plan }

  /// The number of answers that are results.
  package var results: Int { latencies.count }
  package var errorCount: Int { errors.values.reduce(0, +) }
  /// Results per second.
  package var throughput: Double { seconds > 0 ? Double(results) / seconds : 0 }

  /// Reasons for missing answers, which regd never sends.
  enum Missing {
    /// The connection ended before the answer.
    static let disconnected = "disconnected"
    /// No answer came in time.
    static let timedOut = "timedOut"
    /// The request of an open loop was due, and every connection was full until the end.
    static let notSent = "notSent"
  }
}
