/// The result of a request (RFC 4511 §4.1.9), with a diagnostic text for the client's log.
struct LDAPResult: Equatable {
  let code: Int32
  var text = ""

  static let success = LDAPResult(code: 0)
  static func protocolError(_ text: String) -> LDAPResult { LDAPResult(code: 2, text: text) }
  static let tooMany = LDAPResult(code: 4, text: "there are more entries or members than a response may have")
  static let compareFalse = LDAPResult(code: 5)
  static let compareTrue = LDAPResult(code: 6)
  static let noAttribute = LDAPResult(code: 16)
  static let otherMethod = LDAPResult(code: 7, text: "only the simple bind is supported")
  static let unknownControl = LDAPResult(code: 12, text: "a critical control is unknown")
  static let noEntry = LDAPResult(code: 32)
  static let invalidName = LDAPResult(code: 34, text: "the base is not a DN")
  static func wrong(_ text: String = "") -> LDAPResult { LDAPResult(code: 49, text: text) }
  static func busy(_ text: String) -> LDAPResult { LDAPResult(code: 51, text: text) }
  static func unavailable(_ text: String) -> LDAPResult { LDAPResult(code: 52, text: text) }
  static func unwilling(_ text: String) -> LDAPResult { LDAPResult(code: 53, text: text) }
}

/// The names of extended operations.
enum ExtendedName {
  static let whoAmI = "1.3.6.1.4.1.4203.1.11.3"
  static let noticeOfDisconnection = "1.3.6.1.4.1.1466.20036"
}

extension LDAPResult {
  /// Encodes a response with this result.
  ///
  /// - Parameters:
  ///   - more: What follows the result in an extended response.
  func message(_ id: Int32, _ response: UInt, _ more: (tag: UInt, text: String)? = nil) -> [UInt8] {
    let writer = BERWriter()
    writer.sequence { writer in
      writer.number(id)
      writer.sequence(response) { writer in
        writer.choice(code)
        writer.text("")
        writer.text(text)
        if let more { writer.text(more.text, more.tag) }
      }
    }
    return writer.bytes
  }

  /// The notice of disconnection (RFC 4511 §4.4.1), which regd sends before it closes the connection.
  static var noticeOfDisconnection: [UInt8] {
    protocolError("this is not an LDAP request, or longer than 64 KiB").message(
      0, Tag.extendedResponse, (Tag.extendedResponseName, ExtendedName.noticeOfDisconnection))
  }
}
