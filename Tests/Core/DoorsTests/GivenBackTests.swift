import AddressNormalization
import JSONRPC
import Methods
import Registration
import TestDoubles
import Testing
import WireProtocols

@testable import Doors

/// Tests callers of each door that leave after every byte and at every stage.
@Suite("Release of callers' resources at doors", .timeLimit(.minutes(10)))
struct GivenBackTests {
  /// Two requests of one protocol and part of a third.
  struct Sample: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let text: [UInt8]
    let open: @Sendable (DoorContext) -> any WireProtocol

    init(_ name: String, _ text: String, _ open: @escaping @Sendable (DoorContext) -> any WireProtocol) {
      self.init(name, Array(text.utf8), open)
    }

    init(_ name: String, _ text: [UInt8], _ open: @escaping @Sendable (DoorContext) -> any WireProtocol) {
      (testDescription, self.text, self.open) = (name, text, open)
    }
  }

  /// `you@example.org` and the password in base64: for HTTP's Basic, and for SASL's PLAIN.
  private static let basic = "eW91QGV4YW1wbGUub3JnOmNvcnJlY3QgaG9yc2U="
  private static let plain = "AHlvdUBleGFtcGxlLm9yZwBjb3JyZWN0IGhvcnNl"

  static let samples = [
    Sample("saslauthd", Self.strings("you@example.org", LoginServiceStage.password, "imap", "", "192.0.2.7;1")) {
      NoKeys.door(SaslauthdDoor.self).open($0)
    },
    Sample(
      "dovecot",
      "VERSION\t1\t2\nCPID\t7\nAUTH\t1\tPLAIN\trip=192.0.2.7\tresp=\(Self.plain)\nAUTH\t2\tLOGIN\nCONT\t2\teW91\n"
        + "CONT\t2\teHh4\nAUTH\t3\tPLAIN\tresp=\(Self.plain)\nCANCEL\t3\nAUTH\t4\tPL"
    ) { NoKeys.door(DovecotDoor.self).open($0) },
    Sample(
      "http",
      "GET / HTTP/1.1\r\nHost: a\r\nAuthorization: Basic \(Self.basic)\r\n\r\n"
        + "POST /b HTTP/1.1\r\nHost: a\r\nAuthorization: Basic \(Self.basic)\r\nContent-Length: 5\r\n\r\nabcdeGET / HT"
    ) { NoKeys.door(HTTPDoor.self).open($0) },
    Sample("socketmap", "24:accounts you@example.org,24:accounts non@example.org,19:domains exa") {
      NoKeys.door(SocketmapDoor.self).open($0)
    },
    Sample("jsonrpc", Self.requests) { NoKeys.door(JSONRPCDoor.self).open($0) },
  ]

  private static func strings(_ strings: String...) -> [UInt8] {
    strings.flatMap { [UInt8($0.utf8.count >> 8), UInt8($0.utf8.count & 0xFF)] + Array($0.utf8) }
  }

  private static var requests: String {
    func signIn(_ id: Int) -> String {
      #"{"jsonrpc":"2.0","id":\#(id),"method":"session.signIn","params":["you@example.org","correct horse"]}"#
    }
    return "\(signIn(1))\n[\(signIn(2)),\(signIn(3))]\n\(signIn(4).prefix(40))"
  }

  @Test("a door frees all resources of a caller that leaves at any point", arguments: samples)
  func everywhere(_ sample: Sample) async {
    let stage = await LoginServiceStage()
    #expect(await LeavingCallers(sample.open(stage.context())).leave(after: sample.text) == [])
  }

  @Test("a door frees all resources of a caller that leaves while its password waits for hashing", arguments: samples)
  func hashing(_ sample: Sample) async {
    let stage = await LoginServiceStage()
    let wire = sample.open(stage.context(hashing: SilentHasher()))
    // a look-up needs no hash, so it does not wait
    guard sample.testDescription != "socketmap" else { return }
    #expect(await LeavingCallers(wire, isSilent: true).leave(after: sample.text) == [])
  }
}

/// A configuration in which no key has a value.
struct NoKeys: DoorKeys {
  /// The lists that have a value, as exceptions.
  var lists: [String: [String]] = [:]

  static func door<Kind: Door>(_ kind: Kind.Type) -> Kind {
    var keys = NoKeys()
    return Kind(&keys, at: "doors.d", DoorTerms())
  }

  mutating func string(_ key: String, default value: String) -> String { value }
  mutating func secret(_ key: String, default value: String) -> String { value }
  mutating func pathText(_ key: String, default value: String) -> String { value }
  mutating func path(_ key: String, default value: String) -> String { value }
  mutating func optionalPath(_ key: String) -> String { "" }
  mutating func integer(_ key: String, default value: Int, _ range: ClosedRange<Int>) -> Int { value }
  mutating func seconds(_ key: String, default value: Duration, _ range: ClosedRange<Duration>) -> Duration { value }
  mutating func flag(_ key: String, default value: Bool) -> Bool { value }
  mutating func list(_ key: String, default value: [String]) -> [String] { lists[key] ?? value }
  mutating func refuse(_ key: String, _ message: String) {}
  mutating func members(_ section: String) -> AccessRules.Members? { nil }
  func isOverridden(_ key: String) -> Bool { false }
}
