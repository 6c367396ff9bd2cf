/// Identifies one piece of work: in each log line that the work causes, and at the upstream, by the header `traceparent` (W3C
/// Trace Context, https://www.w3.org/TR/trace-context/). A task passes it to its child tasks.
package struct Trace: Sendable {
  /// The work of the current task, or nil outside any work.
  @TaskLocal package static var current: Trace?

  package let id: TraceID
  /// The called method, or a name for work that no caller asked for, such as "SIGHUP".
  package let operation: StaticString
  /// The calling process, as the kernel names it, or nil for regd's own work.
  package let caller: Peer?
  /// The account that the work concerns, if known at its beginning.
  package let account: String?

  package struct Peer: Equatable, Sendable {
    package let uid: UInt32
    /// 0 if unknown.
    package let pid: Int32

    package init(uid: UInt32, pid: Int32) {
      self.uid = uid
      self.pid = pid
    }
  }

  /// Starts new work with a new id.
  package init(of operation: StaticString, by caller: Peer? = nil, account: String? = nil) {
    id = TraceID()
    self.operation = operation
    self.caller = caller
    self.account = account
  }

  /// The value of `traceparent` for one request to the upstream: version 00, the id, a new id for this request, and the
  /// flag `sampled`, which asks the upstream to record the trace (sections 3.2.2 and 3.2.3.1).
  package func traceparent() -> String { "00-\(id)-\(TraceID.hexadecimal(TraceID.number()))-01" }
}

/// 128 random bits that are not all 0, as W3C Trace Context requires of a `trace-id`.
package struct TraceID: Hashable, Sendable, CustomStringConvertible {
  private let high: UInt64
  private let low: UInt64

  fileprivate init() { (high, low) = (Self.number(), Self.number()) }

  /// 32 lower-case hexadecimal digits.
  package var description: String { Self.hexadecimal(high) + Self.hexadecimal(low) }

  /// A number other than 0, because an id of zeros is invalid.
  fileprivate static func number() -> UInt64 { .random(in: 1 ... .max) }

  fileprivate static func hexadecimal(_ number: UInt64) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
