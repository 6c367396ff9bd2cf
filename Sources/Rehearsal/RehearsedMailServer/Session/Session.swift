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

/// A client's command (RFC 5321 section 4.1), parsed from its line without the line's end.
enum Command: Equatable {
  case hello(String, isExtended: Bool)
  case startTLS
  /// AUTH. The response is nil if it follows on a separate line (RFC 4954 section 4).
  case authenticate(mechanism: String, response: String?)
  case mail(from: String, parameters: [String])
  case recipient(String)
  case data, reset, noOperation, quit
  /// An unknown or malformed command. Holds its verb.
  case unknown(String)

  init(_ line: String) {
    let words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    let verb = words[0].uppercased()
    let isAlone = words.count == 1
    switch verb {
    case "EHLO" where words.count == 2: self = .hello(words[1], isExtended: true)
    case "HELO" where words.count == 2: self = .hello(words[1], isExtended: false)
    case "STARTTLS" where isAlone: self = .startTLS
    case "AUTH" where 2...3 ~= words.count:
      self = .authenticate(mechanism: words[1].uppercased(), response: words.dropFirst(2).first)
    case "MAIL":
      let path = Self.path(in: line, behind: "MAIL FROM:")
      self = path.map { .mail(from: $0.address, parameters: $0.parameters) } ?? .unknown(verb)
    case "RCPT":
      let path = Self.path(in: line, behind: "RCPT TO:")
      self = path.map { $0.address.isEmpty ? .unknown(verb) : .recipient($0.address) } ?? .unknown(verb)
    case "DATA" where isAlone: self = .data
    case "RSET" where isAlone: self = .reset
    case "NOOP": self = .noOperation
    case "QUIT" where isAlone: self = .quit
    default: self = .unknown(verb)
    }
  }

  /// Parses a path in angle brackets, and the parameters after it (section 4.1.2).
  private static func path(in line: String, behind prefix: String) -> (address: String, parameters: [String])? {
    guard line.uppercased().hasPrefix(prefix + "<"), let end = line.lastIndex(of: ">") else { return nil }
    let start = line.index(line.startIndex, offsetBy: prefix.count + 1)
    guard start <= end else { return nil }
    let rest = line[line.index(after: end)...]
    guard rest.isEmpty || rest.hasPrefix(" ") else { return nil }
    return (String(line[start..<end]), rest.split(separator: " ").map { $0.uppercased() })
  }
}

/// An answer of a server (RFC 5321 section 4.2), in one line or several.
struct Answer: Equatable {
  let code: Int
  let lines: [String]

  init(_ code: Int, _ lines: String...) { self.init(code, lines: lines) }

  init(_ code: Int, lines: [String]) {
    self.code = code
    self.lines = lines
  }

  /// Whether the server closes the connection afterwards: after 421, and after its answer to QUIT (RFC 5321 section
  /// 3.8).
  var isLast: Bool { code == 421 || code == 221 }

  var bytes: [UInt8] {
    let text = lines.enumerated().map { "\(code)\($0.offset < lines.count - 1 ? "-" : " ")\($0.element)\r\n" }
    return Array(text.joined().utf8)
  }
}

/// A mail as it arrives after DATA (RFC 5321 section 4.5.2), line by line.
struct MailContent {
  enum Part { case header, body }

  /// The mail without stuffed dots. Its lines end with CRLF.
  private(set) var bytes: [UInt8] = []
  private(set) var complaints: [String] = []
  private var part = Part.header
  private var partsBeyondASCII: Set<Part> = []

  func hasEightBits(in part: Part) -> Bool { partsBeyondASCII.contains(part) }

  /// - Parameter line: A line with its line end.
  /// - Returns: Whether the line ends the mail. Any other line is added to the mail.
  mutating func takes(_ line: [UInt8]) -> Bool {
    if line == Array(".\r\n".utf8) { return true }
    let text = line.dropLast(line.hasSuffix("\r\n") ? 2 : 1)
    if !line.hasSuffix("\r\n") { complain("a line that ends without CR (RFC 5321 section 2.3.8)") }
    if text.contains(0x0D) { complain("a CR within a line (RFC 5321 section 2.3.8)") }
    if text.contains(0) { complain("a NUL (RFC 5321 section 4.5.3.1.6, RFC 5322 section 2.2)") }
    if text.count > 998 { complain("a line of \(text.count) octets; 998 are allowed (RFC 5322 section 2.1.1)") }
    if text.contains(where: { $0 >= 0x80 }) { partsBeyondASCII.insert(part) }
    if text.isEmpty { part = .body }
    bytes += text.first == 0x2E ? text.dropFirst() : text
    bytes += [0x0D, 0x0A]
    return false
  }

  private mutating func complain(_ words: String) {
    if !complaints.contains(words) { complaints.append(words) }
  }
}

extension [UInt8] {
  func hasSuffix(_ text: String) -> Bool {
    count >= text.utf8.count && suffix(text.utf8.count).elementsEqual(text.utf8)
  }
}
