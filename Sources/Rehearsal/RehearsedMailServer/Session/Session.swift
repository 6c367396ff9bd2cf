internal import WireFormats

/// One connection's session: takes commands, returns answers. Keeps the present transaction, and records a client's violations
/// of RFC 5321 and its extensions.
struct Session {
  /// The next step after a command.
  enum Step: Equatable {
    /// Send this answer, unless the present condition replaces the stage's answer. The stage is nil for commands that
    /// no condition affects.
    case answer(Answer, MailCondition.Stage?)
    /// Answer, and then begin TLS.
    case startTLS(Answer)
    /// Answer, and then take the next line as the client's response.
    case askResponse(Answer)
    /// Answer, and then take the mail that follows.
    case takeMail(Answer)
  }

  let rules: ServerRules
  let isSecure: Bool
  var complaints: [String] = []
  /// The name in the last EHLO or HELO, or nil before it.
  private var hello: String?
  /// The user whom LOGIN has named, and whose password follows.
  private var loginUser: String?
  private var mechanism = ""
  private var user: String?
  private var sender: (address: String, parameters: [String])?
  private var recipients: [String] = []

  init(_ rules: ServerRules, isSecure: Bool) {
    self.rules = rules
    self.isSecure = isSecure
  }

  /// - Parameters:
  ///   - offersTLS: Whether STARTTLS is offered now.
  ///   - isGreylisted: Returns whether the recipient must be tried again later.
  mutating func take(_ line: [UInt8], offersTLS: Bool, isGreylisted: (String) -> Bool) -> Step {
    let text = String(decoding: line, as: UTF8.self)
    if !text.utf8.elementsEqual(line) { complaints.append("a command that is not UTF-8") }
    switch Command(text) {
    case .hello(let name, let isExtended): return .answer(greet(name, isExtended, offersTLS: offersTLS), .hello)
    case .startTLS: return startTLS(offersTLS: offersTLS)
    case .authenticate(let mechanism, let response): return authenticate(by: mechanism, response)
    case .mail(let address, let parameters): return .answer(begin(address, parameters), .sender)
    case .recipient(let address): return .answer(add(address, isGreylisted), .recipient)
    case .data: return data()
    case .reset:
      forget()
      return .answer(Answer(250, "2.0.0 Ok"), nil)
    case .noOperation: return .answer(Answer(250, "2.0.0 Ok"), nil)
    case .quit: return .answer(Answer(221, "2.0.0 Bye"), nil)
    case .unknown(let verb): return .answer(refuse(500, "5.5.1 Command unknown or malformed", verb), nil)
    }
  }

  /// Handles the client's response to 334.
  mutating func takeResponse(_ line: [UInt8]) -> Step {
    let response = String(decoding: line, as: UTF8.self)
    switch mechanism {
    case "PLAIN": return .answer(authenticate(response), .authentication)
    case "LOGIN":
      let text = Base64.decoded(response.utf8).map { String(decoding: $0, as: UTF8.self) } ?? ""
      guard let loginUser else {
        self.loginUser = text
        return .askResponse(Answer(334, "UGFzc3dvcmQ6"))
      }
      return .answer(authenticate(loginUser, text), .authentication)
    default: return .answer(Answer(535, "5.7.8 Authentication credentials invalid"), .authentication)
    }
  }

  /// Ends the transaction, and returns its mail.
  mutating func takeMail(_ content: MailContent) -> ReceivedMail {
    complaints += content.complaints
    let parameters = sender?.parameters ?? []
    if content.hasEightBits(in: .header), !parameters.contains("SMTPUTF8") {
      complaints.append("a header beyond ASCII without SMTPUTF8 (RFC 6531 section 3.4)")
    }
    if content.hasEightBits(in: .body), !parameters.contains("BODY=8BITMIME") {
      complaints.append("a body beyond ASCII without BODY=8BITMIME (RFC 6152)")
    }
    defer { forget() }
    return ReceivedMail(
      sender: sender?.address ?? "", recipients: recipients, bytes: content.bytes, isSecure: isSecure, user: user,
      hello: hello ?? "")
  }

  /// Restores an earlier state because the condition has refused the command, which then has no effect. Keeps the
  /// complaints.
  mutating func goBack(to before: Session) {
    let complaints = complaints
    self = before
    self.complaints = complaints
  }

  private func hasPrivilege() -> Bool { rules.credentials == nil || user != nil }

  private mutating func greet(_ name: String, _ isExtended: Bool, offersTLS: Bool) -> Answer {
    hello = name
    forget()
    guard isExtended else { return Answer(250, "localhost") }
    var lines = ["localhost greets you", "SIZE \(LineReader.maximumBytes)"]
    lines += rules.extensions.map(\.rawValue).sorted()
    if offersTLS, !isSecure { lines.append("STARTTLS") }
    if let credentials = rules.credentials, isSecure || !offersTLS {
      lines.append("AUTH \(credentials.mechanisms.joined(separator: " "))")
    }
    return Answer(250, lines: lines)
  }

  private mutating func startTLS(offersTLS: Bool) -> Step {
    guard offersTLS, !isSecure else { return .answer(refuse(502, "5.5.1 Not offered", "STARTTLS"), .startTLS) }
    return .startTLS(Answer(220, "2.0.0 Begin TLS now"))
  }

  private mutating func authenticate(by mechanism: String, _ response: String?) -> Step {
    guard let credentials = rules.credentials else {
      return .answer(refuse(502, "5.5.1 Not offered", "AUTH"), .authentication)
    }
    guard credentials.mechanisms.contains(mechanism) else {
      return .answer(refuse(504, "5.5.4 Mechanism not offered", "AUTH \(mechanism)"), .authentication)
    }
    (self.mechanism, loginUser) = (mechanism, nil)
    switch (mechanism, response) {
    case ("PLAIN", let response?): return .answer(authenticate(response), .authentication)
    case ("PLAIN", nil) where credentials.needsInitialResponse:
      return .answer(Answer(501, "5.5.2 An initial response is needed"), .authentication)
    case ("PLAIN", nil): return .askResponse(Answer(334, ""))
    case ("LOGIN", nil): return .askResponse(Answer(334, "VXNlcm5hbWU6"))
    case ("LOGIN", _): return .answer(Answer(501, "5.5.2 No initial response"), .authentication)
    default: return .askResponse(Answer(334, "PDEyMzQuNTY3OEBsb2NhbGhvc3Q+"))
    }
  }

  private mutating func authenticate(_ response: String) -> Answer {
    // RFC 4616: authorization identity, authentication identity, password
    let parts = Base64.decoded(response.utf8)?.split(separator: 0, omittingEmptySubsequences: false) ?? []
    let words = parts.map { String(decoding: $0, as: UTF8.self) }
    return words.count == 3
      ? authenticate(words[1], words[2]) : Answer(535, "5.7.8 Authentication credentials invalid")
  }

  private mutating func authenticate(_ user: String, _ password: String) -> Answer {
    guard user == rules.credentials?.user, password == rules.credentials?.password else {
      return Answer(535, "5.7.8 Authentication credentials invalid")
    }
    self.user = user
    return Answer(235, "2.7.0 Authentication successful")
  }

  private mutating func begin(_ address: String, _ parameters: [String]) -> Answer {
    guard hello != nil else { return refuse(503, "5.5.1 EHLO first", "MAIL before EHLO") }
    guard hasPrivilege() else { return Answer(530, "5.7.0 Authentication required") }
    guard sender == nil else { return refuse(503, "5.5.1 Nested MAIL", "MAIL within a transaction") }
    let offered = Set(rules.extensions.map(\.parameter))
    for parameter in parameters where !offered.contains(parameter) && !parameter.hasPrefix("SIZE=") {
      return refuse(555, "5.5.4 Parameter unknown", "the parameter \(parameter), which was not offered")
    }
    if let refusal = internationalized(address, parameters) { return refusal }
    sender = (address, parameters)
    return Answer(250, "2.1.0 Ok")
  }

  private mutating func add(_ address: String, _ isGreylisted: (String) -> Bool) -> Answer {
    guard let sender else { return refuse(503, "5.5.1 MAIL first", "RCPT before MAIL") }
    if let refusal = internationalized(address, sender.parameters) { return refusal }
    guard !isGreylisted(address) else { return Answer(451, "4.7.1 Greylisted, come again") }
    recipients.append(address)
    return Answer(250, "2.1.5 Ok")
  }

  /// Refuses an address beyond ASCII without SMTPUTF8 (RFC 6531 section 3.5).
  private mutating func internationalized(_ address: String, _ parameters: [String]) -> Answer? {
    guard !address.utf8.allSatisfy({ $0 < 0x80 }), !parameters.contains("SMTPUTF8") else { return nil }
    return refuse(553, "5.6.7 Address beyond ASCII without SMTPUTF8", "an address beyond ASCII without SMTPUTF8")
  }

  private mutating func data() -> Step {
    guard !recipients.isEmpty else {
      // no complaint: a client may send DATA after its recipients were refused
      return .answer(Answer(sender == nil ? 503 : 554, "5.5.1 No valid recipients"), nil)
    }
    return .takeMail(Answer(354, "End with <CRLF>.<CRLF>"))
  }

  private mutating func forget() {
    sender = nil
    recipients = []
  }

  private mutating func refuse(_ code: Int, _ words: String, _ complaint: String) -> Answer {
    complaints.append("\(code): \(complaint)")
    return Answer(code, words)
  }
}
