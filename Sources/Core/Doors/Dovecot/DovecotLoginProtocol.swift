internal import Registration
internal import Synchronization
internal import WireProtocols

/// Dovecot's auth-client protocol 1.2 on one connection: lines of fields. Any number of AUTHs (logins) may be in
/// flight, and their answers come in any order.
struct DovecotLoginProtocol: LoginProtocol {
  static var isConcurrent: Bool { true }
  /// The most bytes of a line, without its line feed.
  static let longestLine = 16_384
  /// The most bytes of a login that is echoed. No valid address is longer, and Dovecot's programs close a connection at
  /// a line of 8192 bytes.
  static let longestLogin = 1024
  /// The most bytes of an origin. `LoginName.origin` does not read more.
  private static let longestOrigin = 4 * Origin.maximumLength

  private enum Phase {
    case new
    case versioned
    case ready
  }

  private let greeting: DovecotGreeting
  private var phase = Phase.new
  private var exchanges = DovecotExchanges()
  /// Bytes of the unfinished line that are known not to contain its end.
  private var scanned = 0

  init(_ greeting: DovecotGreeting) { self.greeting = greeting }

  mutating func greet() -> [UInt8] { Array(greeting.text.utf8) }

  mutating func receive(_ bytes: UnsafeRawBufferPointer) -> Received {
    guard let end = bytes.prefix(Self.longestLine + 1).dropFirst(scanned).firstIndex(of: UInt8(ascii: "\n")) else {
      scanned = bytes.count
      return bytes.count > Self.longestLine ? .message(bytes.count, .end) : .unfinished
    }
    scanned = 0
    return .message(end + 1, take(DovecotFields(bytes[..<end])))
  }

  private mutating func take(_ line: DovecotFields) -> Output {
    var fields = line
    let command = String(decoding: fields.next()?.prefix(8) ?? bytesOfNothing, as: UTF8.self)
    switch (phase, command) {
    case (.new, "VERSION"):
      guard let major = fields.next(), major.elementsEqual("1".utf8) else { return .end }
      phase = .versioned
      return .nothing
    case (.versioned, "CPID"):
      phase = .ready
      return .nothing
    case (.ready, "AUTH"): return begin(&fields)
    case (.ready, "CONT"): return resume(&fields)
    case (.ready, "CANCEL"):
      guard let id = fields.nextID() else { return .end }
      exchanges.cancel(id)
      return .nothing
    default: return .end
    }
  }

  private mutating func begin(_ fields: inout DovecotFields) -> Output {
    guard let id = fields.nextID(), let name = fields.next(), let number = exchanges.begin(id) else { return .end }
    guard let mechanism = DovecotMechanism(name) else { return Self.fail(id) }
    var origin: [UInt8] = []
    var response: Slice<UnsafeRawBufferPointer>?
    while let rest = fields.rest, response == nil {
      if rest.starts(with: "resp=".utf8) {
        // the last field extends to the end of the line
        response = rest.dropFirst(5)
      } else if let field = fields.next(), field.starts(with: "rip=".utf8) {
        origin = Array(TabEscape.unescaped(field.dropFirst(4)).prefix(Self.longestOrigin))
      }
    }
    let exchange = DovecotExchanges.Waiting(number: number, step: mechanism.first, origin: origin)
    // Exim sends the field empty when its client sent no response. An empty response is "=".
    guard let response, !response.isEmpty else { return wait(id, exchange) }
    return go(on: id, exchange, with: response.elementsEqual("=".utf8) ? response.dropFirst() : response)
  }

  private mutating func resume(_ fields: inout DovecotFields) -> Output {
    guard let id = fields.nextID() else { return .end }
    // no protocol error: regd may have answered or dropped this AUTH before the line came
    guard let exchange = exchanges.resume(id) else { return .nothing }
    return go(on: id, exchange, with: fields.rest ?? bytesOfNothing)
  }

  private mutating func go(
    on id: UInt32, _ exchange: DovecotExchanges.Waiting, with text: Slice<UnsafeRawBufferPointer>
  ) -> Output {
    guard let response = EncodedSecret.decoded(text) else { return Self.fail(id, "code=invalid_base64") }
    let bytes = response.bytes
    switch exchange.step {
    case .credentials:
      guard let first = bytes.firstIndex(of: 0), let second = bytes[(first + 1)...].firstIndex(of: 0) else {
        return Self.fail(id)
      }
      let (identity, name) = (bytes[..<first], bytes[(first + 1)..<second])
      guard identity.isEmpty || identity.elementsEqual(name) else { return Self.fail(id, "code=authz_fail") }
      return ask(id, exchange, login: Self.cut(name), password: Array(bytes[(second + 1)...]))
    case .name:
      return wait(
        id,
        DovecotExchanges.Waiting(
          number: exchange.number, step: .password(name: Self.cut(bytes[...])), origin: exchange.origin))
    case .password(let name):
      return ask(id, exchange, login: name, password: Array(bytes))
    }
  }

  /// Cuts a login to `longestLogin` + 1 bytes. A login that was too long still matches no account, and regd does not
  /// hold the rest.
  private static func cut(_ login: Slice<UnsafeRawBufferPointer>) -> [UInt8] { Array(login.prefix(longestLogin + 1)) }

  private mutating func ask(
    _ id: UInt32, _ exchange: DovecotExchanges.Waiting, login: [UInt8], password: consuming [UInt8]
  ) -> Output {
    exchanges.ask(exchange.number, DovecotExchanges.Asked(id: id, login: login))
    let login = Login(name: login, password: password, origin: exchange.origin)
    return Output(asks: (exchange.number, .signIn(login)))
  }

  private mutating func wait(_ id: UInt32, _ exchange: DovecotExchanges.Waiting) -> Output {
    let dropped = exchanges.wait(id, exchange).map { "FAIL\t\($0)\ttemp\tcode=temp_fail\n" }.joined()
    return .text("\(dropped)CONT\t\(id)\t\(exchange.step.prompt)\n")
  }

  mutating func write(_ answer: DoorAnswer, to number: Int) -> Output {
    // a cancelled AUTH gets no answer
    guard let exchange = exchanges.answer(number) else { return .nothing }
    let (id, login) = (exchange.id, exchange.login)
    switch answer {
    case .right(let account):
      var line = Array("OK\t\(id)\tuser=".utf8) + TabEscape.escaped(account.name.utf8)
      if !account.groups.isEmpty { line += Array("\tgroups=\(account.groupList)".utf8) }
      return Output(line + [UInt8(ascii: "\n")])
    case .wrong: return Self.fail(id, login: login)
    case .refused: return Self.fail(id, "user_disabled\tcode=user_disabled", login: login)
    case .away, .found, .none, .ended, .groups:
      // if no other user shares the connection, closes it without an answer: Postfix and Exim report every FAIL as a
      // wrong password (535), but a lost connection as temporary (454, 435)
      return exchanges.isShared ? Self.fail(id, "temp\tcode=temp_fail", login: login) : .end
    }
  }

  private static func fail(_ id: UInt32, _ words: String = "", login: [UInt8]? = nil) -> Output {
    var line = Array("FAIL\t\(id)".utf8)
    if let login, login.count <= longestLogin { line += Array("\tuser=".utf8) + TabEscape.escaped(login) }
    if !words.isEmpty { line += Array("\t\(words)".utf8) }
    return Output(line + [UInt8(ascii: "\n")])
  }
}

private var bytesOfNothing: Slice<UnsafeRawBufferPointer> { UnsafeRawBufferPointer(start: nil, count: 0)[...] }

/// The first lines of a connection. Callers wait for these lines, and recognize by their order (MECH before SPID) that
/// this is a socket for authentication.
struct DovecotGreeting: Sendable {
  let process: UInt32
  let connection: UInt32
  /// 32 hexadecimal digits.
  let cookie: String

  var text: String {
    let mechanisms = DovecotMechanism.allCases.map { "MECH\t\($0.rawValue)\tplaintext\n" }.joined()
    return "VERSION\t1\t2\n\(mechanisms)SPID\t\(process)\nCUID\t\(connection)\nCOOKIE\t\(cookie)\nDONE\n"
  }
}

/// Makes the greetings of a door, each with another connection number and cookie.
final class DovecotGreetings: Sendable {
  /// A random number instead of the process id, because programs only use it to tell servers apart.
  private let process = UInt32.random(in: 1...4_194_303)
  private let connections = Atomic<UInt32>(0)

  func next() -> DovecotGreeting {
    var random = SystemRandomNumberGenerator()
    let digits = (0..<32).map { _ in String(UInt8.random(in: 0...15, using: &random), radix: 16) }
    return DovecotGreeting(
      process: process, connection: connections.wrappingAdd(1, ordering: .relaxed).newValue, cookie: digits.joined())
  }
}

/// A SASL mechanism that sends a login and its password.
enum DovecotMechanism: String, CaseIterable {
  /// One response for login and password (RFC 4616).
  case plain = "PLAIN"
  /// Two responses: the server asks for the login, then for the password.
  case login = "LOGIN"

  init?(_ name: some Collection<UInt8>) {
    guard name.count <= 16 else { return nil }
    self.init(rawValue: String(decoding: name, as: UTF8.self).uppercased())
  }

  var first: Step {
    switch self {
    case .plain: .credentials
    case .login: .name
    }
  }

  /// The response that comes next.
  enum Step {
    case credentials
    case name
    case password(name: [UInt8])

    /// The server's prompt for the response, in base64.
    var prompt: String {
      switch self {
      case .credentials: ""
      case .name: "VXNlcm5hbWU6"
      case .password: "UGFzc3dvcmQ6"
      }
    }
  }
}
