package import Localization
package import RegdClient

/// Why an audit cannot be verified.
package enum AuditFailure: Error, Equatable, Sendable {
  case noAnswer(RegdClientFailure)
  case refused(RegdError)
  /// The result of this method has an unexpected form.
  case unexpected(method: String)
  /// `events.list` returned an entry after another one that has the same or a higher number.
  case outOfOrder(entry: Int, after: Int)

  package var sentence: LocalizedMessage {
    switch self {
    case .noAnswer(let failure): failure.sentence
    case .refused(let error):
      LocalizedMessage(RefusalMessageKey.withReason, ["message": .text(error.message), "reason": .text(error.reason)])
    case .unexpected(let method): LocalizedMessage(AuditMessageKey.unexpected, ["method": .text(method)])
    case .outOfOrder(let entry, let after):
      LocalizedMessage(AuditMessageKey.outOfOrder, ["entry": .text("\(entry)"), "other": .text("\(after)")])
    }
  }

  /// The result in the text of a reply.
  ///
  /// - Throws: `.refused` or `.noAnswer`.
  static func result(in text: [UInt8]) throws(AuditFailure) -> JSONValue {
    let incoming: RegdConversation.Incoming
    do throws(RegdClientFailure) { incoming = try RegdConversation.read(text) } catch { throw .noAnswer(error) }
    switch incoming {
    case .reply(_, .success(let result)): return result
    case .reply(_, .failure(let error)): throw .refused(error)
    case .notification: throw .noAnswer(.notAReply(String(decoding: text, as: UTF8.self)))
    }
  }
}
