package import Dialogues

/// The parts of a document that do not belong to a single method, and examples.
package struct TableDescription: Sendable {
  /// A call of a method that a caller really made, with its result; both are JSON texts.
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

/// Whether a caller that has lost the answer to a request may send the request again.
package enum Repetition: String, Sendable {
  /// A repeat may do something a second time.
  case no
  /// A repeat changes nothing that the first request has not changed.
  case yes
  /// A repeat with the same `requestId` changes nothing.
  case withRequestID = "withRequestId"
}
