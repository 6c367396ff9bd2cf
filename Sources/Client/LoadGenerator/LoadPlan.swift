package import RegdClient

/// What load there is to be.
package struct LoadPlan: Equatable, Sendable {
  package let method: String
  /// In the texts of the params `{n}` stands for the request's number, from 1.
  package var params: JSONValue?
  package var connections = 8
  /// Requests without an answer that each connection may have, 1 or more.
  package var inFlight = 1
  /// Requests a second, whether or not regd keeps up (an open loop); nil for the next one as soon as one is answered (a closed
  /// loop).
  package var rate: Double?
  /// After so many seconds no request is sent any more; nil for no such end.
  package var seconds: Double?
  /// So many requests are sent; nil for no such end.
  package var requests: Int?
  /// Seconds that an answer may take after the last request was sent.
  package var timeoutSeconds = 60

  package init(method: String) { self.method = method }

  /// How many requests an open loop has to have sent at a time.
  ///
  /// - Parameter nanoseconds: Since the begin.
  func due(at nanoseconds: Int64) -> Int {
    guard let rate else { return 0 }
    let last = min(Double(nanoseconds), seconds.map { $0 * 1e9 } ?? .infinity)
    // the first request is due at once
    let due = min((last * rate / 1e9).rounded(.down) + 1, 1e15)
    return min(Int(due), total)
  }

  /// When a request of an open loop is due, in nanoseconds since the begin.
  ///
  /// - Parameter number: From 0.
  func time(of number: Int) -> Int64 { Int64(min(Double(number) * 1e9 / (rate ?? 1), 9e18)) }

  /// How many requests there are to be at the most.
  var total: Int {
    guard let rate, let seconds else { return requests ?? .max }
    return min(requests ?? .max, max(1, Int(min((seconds * rate).rounded(), 1e15))))
  }
}
