package import Reasons
package import WireProtocols

/// The parts of the `rpc.discover` document that the methods themselves lack: examples, notifications, and the data of
/// errors.
package struct TableDescription: Sendable {
  /// A call of a method and its result, which a test compares with a real call. Both are JSON texts.
  package struct Example: Sendable {
    package let params: StaticString
    package let result: StaticString

    package init(_ params: StaticString, _ result: StaticString) {
      self.params = params
      self.result = result
    }
  }

  /// A notification that the server sends.
  package struct Notification: Sendable {
    package let name: StaticString
    package let summary: StaticString
    /// The access class of callers that get the notification.
    package let access: Access
    /// The schema of the params, which are an object.
    package let params: Schema

    package init(_ name: StaticString, _ summary: StaticString, access: Access = .open, params: Schema) {
      self.name = name
      self.summary = summary
      self.access = access
      self.params = params
    }
  }

  /// Examples by the names of their methods.
  package var examples: [String: Example] = [:]
  package var notifications: [Notification] = []
  /// The schema of the member `data` of an error with this reason.
  package var data: @Sendable (ErrorReason) -> Schema = { _ in .anyObject("") }

  package init() {}
}

/// Whether a caller may send a request again if its answer was lost.
package enum Repetition: String, Sendable {
  /// A repeat may take effect a second time.
  case no
  /// A repeat has no further effect (the method is idempotent).
  case yes
  /// A repeat with the same `requestId` has no further effect.
  case withRequestID = "withRequestId"
}
