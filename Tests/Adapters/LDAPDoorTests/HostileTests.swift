import Doors
import Testing

@testable import LDAPDoor

struct HostileTests {
  private static func right(_ question: DoorQuestion) -> DoorAnswer {
    if case .signIn = question { .right(.named("you@example.org")) } else { .found(.named("you@example.org")) }
  }

  private static let notice =
    "0 extended 2 this is not an LDAP request, or longer than 64 KiB 1.3.6.1.4.1.1466.20036"

  private static let noMessages: [[UInt8]] = [
    Array("GET / HTTP/1.1\r\n\r\n".utf8), [0x30, 0x80, 0, 0], [0x30, 0], [0x30, 0x84, 0xFF, 0xFF, 0xFF, 0xFF],
    [0x16, 3, 1],
    [0x30, 0x85, 0, 0, 0, 0, 1, 0], Wire.element(0x30), Wire.element(0x30, Wire.text("id")),
    Wire.message(0, [0x42, 0]), Wire.message(0xFF, [0x42, 0]), Wire.element(0x30, [2, 5, 1, 1, 1, 1, 1], [0x42, 0]),
    Wire.element(0x30, [2, 0], [0x42, 0]), Wire.message(1, []), Wire.message(1, [0x61, 7, 10, 1, 0, 4, 0, 4, 0]),
    Wire.message(1, Wire.element(0x60)), Wire.message(1, Wire.element(0x60, Wire.number(3), Wire.text("a"))),
    // longer than its container
    Wire.message(1, [0x60, 5, 2, 1, 3, 4, 9]), Wire.element(0x30, Wire.number(1), [0x42, 9]),
    Wire.element(
      0x30, Wire.number(1), Wire.element(0x60, Wire.number(3), [4, 40], Wire.text("p", 0x80)), Wire.text("rest")),
    Wire.message(1, [0x63, 0]), Wire.message(1, [0x77, 0]),
    Wire.message(1, [0x5F, 0x81, 0x81, 0x81, 0x81, 0x81, 0x81, 1, 0]),
    Wire.search("dc=org", Wire.element(0xA0, [0xA3, 9])), Wire.search("dc=org", Wire.element(0xA2)),
    Wire.search("dc=org", Wire.equal("mail", "a"), controls: Wire.text("control")),
    Wire.search("dc=org", Wire.equal("mail", "a"), controls: Wire.element(0xA0, Wire.element(0x30))),
  ]

  @Test("an invalid message gets a notice and ends the connection, however it is split", arguments: noMessages)
  func malformed(bytes: [UInt8]) throws {
    var stage = LDAPStage(mayAlwaysSearch: true)
    #expect(try stage.send(bytes) == [Self.notice])
    #expect(stage.hasEnded && stage.asked.isEmpty)
    #expect(inAnySplit(bytes, of: { LDAPStage.machine() }, { _ in .wrong }).differing.isEmpty)
  }

  @Test("the protocol reads a message of 64 KiB, and refuses a longer one before its content arrives")
  func long() throws {
    func bind(_ bytes: Int) -> [UInt8] { Wire.bind("you", String(repeating: "p", count: bytes)) }
    let overhead = bind(60_000).count - 60_000
    var stage = LDAPStage()
    #expect(try stage.send(bind(65_536 - overhead), .wrong) == ["1 bind 49"])
    #expect(try stage.send(Array(bind(65_537 - overhead).prefix(4))) == [Self.notice])
    #expect(stage.hasEnded && stage.asked.count == 1)
  }

  @Test("an unfinished message waits without an answer", arguments: [1, 2, 5, 20])
  func unfinished(count: Int) throws {
    var stage = LDAPStage()
    #expect(try stage.send(Array(Wire.bind("you@example.org", "secret").prefix(count))) == [])
    #expect(!stage.hasEnded && stage.asked.isEmpty)
  }

  @Test("answers do not depend on splits, even with long-form lengths, and messages after an unbind are ignored")
  func splits() throws {
    let abandon = Wire.message(7, [0x50, 1, 2])
    let long: [UInt8] = [0x30, 0x84, 0, 0, 0, 14, 2, 1, 5, 0x60, 0x82, 0, 7, 2, 1, 3, 4, 0, 0x80, 0]
    var bytes = Wire.bind("you@example.org", "secret") + abandon
    bytes += Wire.search("dc=example,dc=org", Wire.equal("mail", "you@example.org")) + Wire.extended(Wire.whoAmI)
    bytes += Wire.unbind + Wire.bind("me@example.org", "secret")
    let played = inAnySplit(bytes, of: { LDAPStage.machine() }, Self.right)
    #expect(played.differing.isEmpty)
    #expect(
      played.asked == ["you@example.org||secret|", "find you@example.org for you@example.org", "check you@example.org"])
    let told = try Wire.described(played.output)
    #expect(told.count == 4 && told.last == "3 extended 0 dn:mail=you@example.org,dc=example,dc=org", "\(told)")
    let anonymous = inAnySplit(long, of: { LDAPStage.machine() }, Self.right)
    #expect(anonymous.differing.isEmpty)
    #expect(try Wire.described(anonymous.output) == ["5 bind 0"])
  }

  @Test("a filter beyond the limits of depth or parts, or a search with too many attributes, gets 53")
  func deep() throws {
    func nested(_ depth: Int) -> [UInt8] {
      (1..<depth).reduce(Wire.equal("mail", "you@example.org")) { filter, _ in Wire.and(filter) }
    }
    func told(_ filter: [UInt8]) throws -> String? {
      var stage = LDAPStage(mayAlwaysSearch: true)
      return try stage.send(Wire.search("dc=example,dc=org", filter), .found(.named("you@example.org"))).last
    }
    let refused = "2 done 53 the filter has too many parts"
    #expect(try told(nested(Filter.deepest)) == "2 done 0")
    #expect(try told(nested(Filter.deepest + 1)) == refused)
    #expect(try told(nested(2000)) == refused)
    func wide(_ parts: Int) -> [UInt8] {
      Wire.and(Array((1..<parts).map { _ in Wire.equal("mail", "you@example.org") }.joined()))
    }
    #expect(try told(wide(Filter.mostParts)) == "2 done 0")
    #expect(try told(wide(Filter.mostParts + 1)) == refused)
    #expect(try told(wide(2500)) == refused)
    let pieces = Wire.element(
      0xA4, Wire.text("mail"), Wire.element(0x30, Array((0..<300).map { _ in Wire.text("e", 0x81) }.joined())))
    #expect(try told(Wire.and(Wire.equal("uid", "you"), pieces)) == refused)
    var stage = LDAPStage(mayAlwaysSearch: true)
    let names = [String](repeating: "mail", count: Filter.mostParts)
    func search(_ names: [String]) -> [UInt8] { Wire.search("", scope: 0, Wire.present("objectClass"), names) }
    #expect(try stage.send(search(names)) == ["2 entry ", "2 done 0"])
    #expect(try stage.send(search(names + ["cn"])) == ["2 done 53 too many attributes"])
  }

  @Test(
    "random bytes never crash the protocol, and it answers only with whole messages",
    arguments: 0..<400 as Range<UInt64>)
  func noise(seed: UInt64) throws {
    var generator = Seeded(seed)
    let messages = [
      Wire.bind("mail=you@example.org,dc=example,dc=org", "secret"), Wire.extended(Wire.whoAmI),
      Wire.search(
        "dc=example,dc=org", Wire.and(Wire.or(Wire.equal("mail", "you@example.org")), Wire.not(Wire.present("x"))),
        ["*", "mail"],
        controls: Wire.control("1.2.3", isCritical: false)),
    ]
    var bytes = (0..<4).flatMap { _ in messages.randomElement(using: &generator) ?? [] }
    for _ in 0..<Int.random(in: 1...4, using: &generator) {
      let index = Int.random(in: 0..<bytes.count, using: &generator)
      switch Int.random(in: 0..<3, using: &generator) {
      case 0: bytes[index] = UInt8.random(in: 0...255, using: &generator)
      case 1: bytes.remove(at: index)
      default: bytes.insert(UInt8.random(in: 0...255, using: &generator), at: index)
      }
    }
    let played = inAnySplit(
      bytes, seeds: seed..<(seed + 2), of: { LDAPStage.machine(mayAlwaysSearch: true) }, Self.right)
    #expect(played.differing.isEmpty)
    #expect(try !Wire.described(played.output).contains("no whole message"))
  }
}
