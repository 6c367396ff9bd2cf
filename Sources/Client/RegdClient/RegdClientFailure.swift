internal import Linux
package import Localization

/// Why a call has no reply.
public enum RegdClientFailure: Error, Equatable, Sendable, CustomStringConvertible {
  /// No process listens at the path, or this process may not connect to it.
  case cannotConnect(path: String, reason: String)
  /// The reply did not come in time.
  case timedOut(seconds: Int)
  /// The connection ended before the reply.
  case disconnected
  /// The peer sent something other than a reply to the request.
  case notAReply(String)

  /// The failure in English, whatever the user's language.
  public var description: String { sentence.english }

  package var sentence: LocalizedMessage {
    switch self {
    case .cannotConnect(let path, let reason):
      if let advice = Self.advice(reason) {
        LocalizedMessage(
          ConnectionMessageKey.cannotConnect, ["path": .text(path), "reason": .sentence(LocalizedMessage(advice))])
      } else {
        briefSentence
      }
    case .timedOut(let seconds): LocalizedMessage(ConnectionMessageKey.timedOut, ["seconds": .number(seconds)])
    case .disconnected: LocalizedMessage(ConnectionMessageKey.disconnected)
    case .notAReply(let text): LocalizedMessage(ConnectionMessageKey.notAReply, ["text": .text(text)])
    }
  }

  /// The message without advice, for a screen that tries again by itself.
  package var briefSentence: LocalizedMessage {
    guard case .cannotConnect(let path, let reason) = self else { return sentence }
    return LocalizedMessage(ConnectionMessageKey.cannotConnect, ["path": .text(path), "reason": .text(reason)])
  }

  /// What a user can do about a reason of `cannotConnect`, or nil if nothing is known.
  private static func advice(_ reason: String) -> ConnectionMessageKey? {
    switch reason {
    case SystemError.text(SystemError.notFound), SystemError.text(SystemError.connectionRefused): .notRunning
    case SystemError.text(SystemError.permissionDenied): .notPermitted
    default: nil
    }
  }
}

/// An error that regd answered.
public struct RegdError: Error, Equatable, Sendable {
  public let code: Int
  /// The error's stable name, for example `email.taken`.
  public let reason: String
  /// One message for a person.
  public let message: String
  /// The error's `data`.
  public let data: JSONValue
  /// The whole error object.
  public let source: JSONValue

  init?(_ error: JSONValue) {
    guard let code = error["code"]?.integer, let message = error["message"]?.string, let data = error["data"],
      let reason = data["reason"]?.string
    else { return nil }
    self.code = code
    self.message = message
    self.data = data
    self.reason = reason
    source = error
  }
}
