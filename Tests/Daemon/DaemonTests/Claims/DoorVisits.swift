import FoundationEssentials
import Glibc
import Linux
import RegdClient
import RegdProcesses
import TestDoubles
import TestKit

/// The doors of an adversary's run, for a web server and a directory, and their open connections.
struct DoorVisits {
  /// The account that may look up others at the directory.
  static let searcher = "searcher@example.com"

  /// The configuration file, which is the only place for doors.
  let configuration: String
  let web: String
  let directory: UInt16
  /// A connection for each user at the web server's door.
  private var webCallers: [UInt32: RawCaller] = [:]
  private var searching: DirectoryCaller?

  /// - Parameter folder: Where the configuration and the web server's door are.
  init(_ folder: String) throws {
    (configuration, web) = ("\(folder)/regd.yaml", "\(folder)/web")
    // A free port: the kernel assigns one, and the end of the socket frees it again.
    let probe = SocketAddress(loopbackPort: 0)
    let socket = try Descriptor.socket(for: probe)
    try socket.bind(to: probe)
    directory = try socket.localAddress().port ?? 0
    try TextFile.write(
      """
      doors:
        web: {protocol: http, path: \(web), mode: "0666", trusted: {uids: [\(AdversaryRun.owner)]}}
        directory: {protocol: ldap, listen: "127.0.0.1:\(directory)", domain: example.com, searchers: [\(Self.searcher)]}
      """, to: configuration)
  }

  mutating func forgetConnections() { (webCallers, searching) = ([:], nil) }

  /// The open connection of a user at the web server's door.
  mutating func webCaller(_ uid: UInt32) throws -> RawCaller {
    let caller = try webCallers[uid] ?? RawCaller(web, as: uid)
    webCallers[uid] = caller
    return caller
  }

  /// The open connection that is bound as the searcher.
  mutating func searchingCaller() throws -> DirectoryCaller {
    if let searching { return searching }
    let caller = DirectoryCaller(try RawCaller(port: directory))
    guard try caller.bind(Self.searcher, Phrase.owner) == 0 else {
      throw ProgramFailure(description: "the searcher cannot bind")
    }
    searching = caller
    return caller
  }
}

/// The attacks at the doors, and the visits of the owners.
extension AdversaryRun {
  mutating func createSearcher() throws {
    let entry = RegdClient.entry(email: DoorVisits.searcher, password: Phrase.owner, confirmation: Phrase.owner)
    _ = try regd.client().call("account.create", entry).get()
  }

  /// An attacker begins a sign-in at the socket or at a door, and leaves before the reply, sometimes in the middle of a
  /// message.
  mutating func leave(_ address: String, _ uid: UInt32) throws {
    let caller: RawCaller
    var bytes: [UInt8]
    switch Int.random(in: 0..<3, using: &random) {
    case 0:
      caller = try RawCaller(regd.socket, as: uid)
      bytes = Array(
        #"{"jsonrpc":"2.0","id":1,"method":"session.signIn","params":{"email":"\#(address)","password":"\#(Phrase.attacker)"}}"#
          .utf8)
    case 1:
      caller = try RawCaller(doors.web, as: uid)
      bytes = HTTPLogin.request(address, Phrase.attacker, from: nil)
    default:
      caller = try RawCaller(port: doors.directory)
      bytes = DirectoryCaller.bindRequest(address, Phrase.attacker)
    }
    if chance(2) { bytes.removeLast(Int.random(in: 1..<bytes.count, using: &random)) }
    try caller.send(bytes)
  }

  /// The owner signs in at the web server's door over an open connection, or an attacker tries to.
  mutating func visitWeb(_ address: String) throws {
    if owned[address] != nil, chance(2) {
      let answer = try HTTPLogin.answer(
        to: try doors.webCaller(Self.owner), address, Phrase.owner, from: Self.home(of: address))
      expect(answer.status == "200", "the owner of \(address) got \(answer) at the web server's door")
    } else {
      let uid = attacker()
      // regd ignores the address that an attacker names
      let answer = try HTTPLogin.answer(
        to: try doors.webCaller(uid), address, Phrase.attacker, from: chance(2) ? Self.home(of: address) : nil)
      expect(["401", "503"].contains(answer.status), "\(uid) got \(answer) for \(address) at the web server's door")
    }
  }

  /// The searcher looks the address up over an open connection. An attacker, who cannot bind, gets no information.
  mutating func search(_ address: String) throws {
    if chance(2) {
      let found = try doors.searchingCaller().search(address)
      expect(found.code == 0, "the searcher got \(found.code) for \(address)")
      expect(found.hasEntry == (owned[address] != nil), "the searcher found \(address): \(found.hasEntry)")
    } else {
      let caller = DirectoryCaller(try RawCaller(port: doors.directory))
      let bound = try caller.bind(address, Phrase.attacker)
      expect(bound == 49 || bound == 51, "an attacker's bind as \(address) got \(bound)")
      let found = try caller.search(address)
      expect(found.code == 53 && !found.hasEntry, "an attacker's search of \(address) got \(found)")
    }
  }

  /// Two attackers present an invitation with one use, and one of them also presents an invented one.
  mutating func useInvitation() throws {
    let made = try regd.client().call("invitation.create", ["uses": .number("1")]).get()
    let code = try found(made["code"]?.string, "no invitation")
    let (first, second) = (Self.attackers[0], Self.attackers[1])
    let number = claims.count
    let invited = #","invitation":"\#(code)""#
    let claim = try register("guest\(number)@example.net", first, Phrase.attacker, invited)
    expect(claim != nil, "an invitation was not accepted")
    for text in [code, "0000000000000000000000000A"] {
      let reply = try call(
        second, "registration.register",
        entry("other\(number)@example.net", Phrase.attacker, "", #","invitation":"\#(text)""#))
      expect(reply.reason == "invitation.rejected", "a used or invented invitation got \(reply.text)")
    }
  }

  /// A disabled searcher finds no account, and callers that have left are no longer counted.
  mutating func checkDoors() throws {
    let client = try regd.client()
    try disableSearcher(client)
    leaveAll()
    // regd notices the end of a connection after a while. A count that remains after 10,000 replies is an error.
    var rest = ""
    for _ in 0..<10_000 {
      rest = try counted(client)
      if rest.isEmpty { return }
    }
    expect(false, "still counted after all have left: \(rest)")
  }

  private mutating func disableSearcher(_ client: RegdClient) throws {
    let kept = try doors.searchingCaller()
    _ = try client.call("account.disable", ["email": .string(DoorVisits.searcher)]).get()
    for address in owned.keys.prefix(1) {
      expect(!(try kept.search(address).hasEntry), "a disabled searcher found \(address)")
    }
  }

  /// The users and doors that `daemon.status` still counts, except the caller.
  private func counted(_ client: RegdClient) throws -> String {
    let status = try client.call("daemon.status").get()
    let users = (status["users"]?.array ?? []).filter { user in
      user["uid"]?.integer != Int(getuid())
        && ["connections", "inFlight", "queuedBytes"].contains { user[$0]?.integer != 0 }
    }
    let doors = (status["doors"]?.array ?? []).filter { $0["connections"]?.integer != 0 }
    return (users + doors).map { "\($0)" }.joined(separator: "; ")
  }
}

/// Basic authentication at regd's http door.
enum HTTPLogin {
  static func request(_ address: String, _ password: String, from origin: String?) -> [UInt8] {
    let credentials = Data("\(address):\(password)".utf8).base64EncodedString()
    let named = origin.map { "X-Real-IP: \($0)\r\n" } ?? ""
    return Array("GET / HTTP/1.1\r\nHost: x\r\nAuthorization: Basic \(credentials)\r\n\(named)\r\n".utf8)
  }

  /// - Returns: The status of the answer, such as `200`, and regd's reason for a 403 or 503.
  static func answer(
    to caller: RawCaller, _ address: String, _ password: String, from origin: String?
  ) throws -> (status: String, reason: String?) {
    try caller.send(request(address, password, from: origin))
    let status = try caller.readLine()?.split(separator: " ").dropFirst().first.map(String.init)
    var reason: String?
    let name = "X-Regd-Reason: "
    while let line = try caller.readLine(), line != "\r" {
      if line.hasPrefix(name) { reason = String(line.dropFirst(name.count).dropLast()) }
    }
    return (status ?? "no answer", reason)
  }
}

/// A caller of regd's ldap door, with messages made by hand (RFC 4511).
struct DirectoryCaller {
  private let caller: RawCaller

  init(_ caller: RawCaller) { self.caller = caller }

  static func bindRequest(_ address: String, _ password: String) -> [UInt8] {
    message(element(0x60, [2, 1, 3], text("mail=\(address),dc=example,dc=com"), text(password, 0x80)))
  }

  /// - Returns: The result code.
  func bind(_ address: String, _ password: String) throws -> Int {
    try caller.send(Self.bindRequest(address, password))
    return try results().code
  }

  /// Searches for the address, below the base.
  func search(_ address: String) throws -> (code: Int, hasEntry: Bool) {
    let scope: [UInt8] = [0x0A, 1, 2, 0x0A, 1, 0, 2, 1, 0, 2, 1, 0, 1, 1, 0]
    try caller.send(
      Self.message(
        Self.element(
          0x63, Self.text("dc=example,dc=com"), scope, Self.element(0xA3, Self.text("mail"), Self.text(address)),
          [0x30, 0])))
    return try results()
  }

  /// Reads responses up to the one that has a result.
  private func results() throws -> (code: Int, hasEntry: Bool) {
    var hasEntry = false
    while true {
      _ = try take(1)
      let body = try take(try length())
      // after the message's number, which is 1: a response's tag, its length, and the code
      guard body.count > 3 else { throw ProgramFailure(description: "no LDAP message: \(body)") }
      if body[3] == 0x64 {
        hasEntry = true
        continue
      }
      let skipped = body[4] < 0x80 ? 5 : 5 + Int(body[4] & 0x7F)
      guard body.count > skipped + 2 else { throw ProgramFailure(description: "no LDAP result: \(body)") }
      return (Int(body[skipped + 2]), hasEntry)
    }
  }

  private func length() throws -> Int {
    let first = Int(try take(1)[0])
    guard first >= 0x80 else { return first }
    return try take(first & 0x7F).reduce(0) { $0 << 8 | Int($1) }
  }

  private func take(_ count: Int) throws -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count {
      let more = try caller.read(count - bytes.count)
      guard !more.isEmpty else { throw ProgramFailure(description: "the door has ended the connection") }
      bytes += more
    }
    return bytes
  }

  private static func message(_ operation: [UInt8]) -> [UInt8] { element(0x30, [2, 1, 1], operation) }
  private static func text(_ text: String, _ tag: UInt8 = 4) -> [UInt8] { element(tag, Array(text.utf8)) }

  private static func element(_ tag: UInt8, _ contents: [UInt8]...) -> [UInt8] {
    let contents = contents.flatMap { $0 }
    return contents.count < 128
      ? [tag, UInt8(contents.count)] + contents
      : [tag, 0x82, UInt8(contents.count >> 8), UInt8(contents.count & 0xFF)] + contents
  }
}
