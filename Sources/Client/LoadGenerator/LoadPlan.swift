package import RegdClient

/// The load to generate.
package struct LoadPlan: Equatable, Sendable {
  package let method: String
  /// In texts within the params, `{n}` means the request's number, from 1.
  package var params: JSONValue?
  package var connections = 8
  /// The most requests in flight per connection, 1 or more.
  package var inFlight = 1
  /// Requests per second, whether or not regd keeps up (an open loop), or nil to send the next request as soon as one is
  /// answered (a closed loop).
  package var rate: Double?
  /// No request is sent after this many seconds. Nil means no limit.
  package var seconds: Double?
  /// The number of requests to send, or nil for no limit.
  package var requests: Int?
  /// The longest wait for answers after the last request was sent, in seconds.
  package var timeoutSeconds = 60

  package init(method: String) { self.method = method }

  /// The number of requests that an open loop must have sent by a time.
  ///
  /// - Parameter nanoseconds: The time since the start.
  func due(at nanoseconds: Int64) -> Int {
    guard let rate else { return 0 }
    let last = min(Double(nanoseconds), seconds.map { $0 * 1e9 } ?? .infinity)
    // the first request is due at once
    let due = min((last * rate / 1e9).rounded(.down) + 1, 1e15)
    return min(Int(due), total)
  }

  /// When a request of an open loop is due, in nanoseconds since the start.
  ///
  /// - Parameter number: Counted from 0.
  func time(of number: Int) -> Int64 { Int64(min(Double(number) * 1e9 / (rate ?? 1), 9e18)) }

  /// The most requests that the load can have.
  var total: Int {
    guard let rate, let seconds else { return requests ?? .max }
    return min(requests ?? .max, max(1, Int(min((seconds * rate).rounded(), 1e15))))
  }
}
