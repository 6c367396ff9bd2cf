/// What one piece of work is known by: in each line of the log that it causes, and at the upstream, by the header
/// `traceparent` (W3C Trace Context, https://www.w3.org/TR/trace-context/). A task has it, and each of its child tasks.
package struct Trace: Sendable {
  /// The work that the current task does; nil outside of any.
  @TaskLocal package static var current: Trace?

  package let id: TraceID
  /// The method that was called, or the name of work that regd does of its own accord.
  package let operation: StaticString
  /// Who called, by the kernel's word; nil for regd's own work.
  package let caller: Caller?
  /// The account that the work is about, if that is known when it begins.
  package let account: String?

  package struct Caller: Equatable, Sendable {
    package let uid: UInt32
    /// 0 if it is not known.
    package let pid: Int32

    package init(uid: UInt32, pid: Int32) {
      self.uid = uid
      self.pid = pid
    }
  }

  /// New work, with an id of its own.
  package init(of operation: StaticString, by caller: Caller? = nil, account: String? = nil) {
    id = TraceID()
    self.operation = operation
    self.caller = caller
    self.account = account
  }

  /// The value of `traceparent` for one request to the upstream: version 00, the id, an id of this request alone, and the
  /// flag by which the upstream may keep a record of it (sections 3.2.2 and 3.2.3.1).
  package func traceparent() -> String { "00-\(id)-\(TraceID.hexadecimal(TraceID.number()))-01" }
}

/// 128 random bits, not all of them 0, as W3C Trace Context asks of a `trace-id`.
package struct TraceID: Hashable, Sendable, CustomStringConvertible {
  private let high: UInt64
  private let low: UInt64

  fileprivate init() { (high, low) = (Self.number(), Self.number()) }

  /// 32 lower-case hexadecimal digits.
  package var description: String { Self.hexadecimal(high) + Self.hexadecimal(low) }

  /// Not 0: an id of zeros is invalid.
  fileprivate static func number() -> UInt64 { .random(in: 1 ... .max) }

  fileprivate static func hexadecimal(_ number: UInt64) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
