internal import LoginVerdicts

/// ejabberd's `auth_method: external`: each string is preceded by its length, 16 bits in network order, and gets one
/// answer, in order.
///
/// The answer is a number of 16 bits: 1 for yes, 0 for no, and 2 if regd decided nothing. ejabberd takes 2 for a
/// failure of its database and does not remember it.
package struct EjabberdProtocol: HelperProtocol {
  private var received = ReceivedBytes()
  private var output: [UInt8] = []
  private var isAsking = false
  private var lastTicket = 0
  private let domain: String?

  /// - Parameter domain: Completes a login whose server is empty.
  package init(domain: String?) { self.domain = domain }

  package mutating func receive(_ bytes: [UInt8]) { received.append(bytes) }

  package mutating func nextQuestion() -> (ticket: Int, question: HelperQuestion)? {
    let domain = domain
    while !isAsking, received.count >= 2 {
      let length = Int(received[0]) << 8 | Int(received[1])
      guard received.count >= 2 + length else { return nil }
      guard let question = received.take(2 + length, { Self.question($0.dropFirst(2), domain) }) else {
        write(0)
        continue
      }
      isAsking = true
      lastTicket += 1
      return (lastTicket, question)
    }
    return nil
  }

  package mutating func answer(_ ticket: Int, _ answer: HelperAnswer) {
    guard isAsking, ticket == lastTicket else { return }
    isAsking = false
    switch answer.verdict {
    case .right: write(1)
    case .wrong, .refused: write(0)
    case .away: write(2)
    }
  }

  package mutating func takeOutput() -> [UInt8] {
    defer { output = [] }
    return output
  }

  package var wantsMore: Bool { received.count < 2 + 65_535 }

  private mutating func write(_ answer: UInt8) { output += [0, 2, 0, answer] }

  /// The question that a text asks, or nil if it is malformed or no account can match it, so that the answer is no.
  private static func question(_ text: ArraySlice<UInt8>, _ domain: String?) -> HelperQuestion? {
    // a password may have colons, and is everything after the third colon
    let parts = text.split(separator: UInt8(ascii: ":"), maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count >= 3, let server = String(validating: parts[2], as: UTF8.self) else { return nil }
    let realm = server.isEmpty ? domain : server
    guard let email = Credentials.address(login: parts[1], realm: realm) else { return nil }
    let credentials = parts.count == 4 ? Credentials(login: parts[1], password: parts[3], realm: realm) : nil
    let hasPassword = parts.count == 4
    switch (String(decoding: parts[0], as: UTF8.self), credentials) {
    case ("auth", let credentials?): return .signIn(credentials)
    case ("isuser", _) where !hasPassword: return .exists(email: email)
    case ("setpass", let credentials?): return .setPassword(email: email, password: credentials.password)
    case ("tryregister", let credentials?): return .register(email: email, password: credentials.password)
    case ("removeuser", _) where !hasPassword: return .remove(email: email)
    case ("removeuser3", let credentials?): return .removeOwn(credentials)
    default: return nil
    }
  }
}
