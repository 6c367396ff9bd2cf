import AddressNormalization
import Reasons
import Registration
import Testing

@testable import Doors

struct SocketmapLoginProtocolTests {
  private func machine() -> SocketmapLoginProtocol {
    SocketmapLoginProtocol { domain in domain.lowercased() == "example.org" ? "example.org" : nil }
  }

  private func said(_ request: String, _ answer: DoorAnswer = .none) -> String {
    var stage = LoginProtocolStage(machine())
    stage.send("\(request.utf8.count):\(request),") { _ in answer }
    return stage.hasEnded ? "\(stage.text)closed" : stage.text
  }

  @Test(
    "an invalid netstring ends the connection without a reply",
    arguments: [
      ":", ",", "x", " 1:a,", "-1:a,", "+1:a,", "01:a,", "00:,", "1a", "1:ab", "0:x", "3:abc;", "10001",
      "99999999999999999999",
      "accounts you@example.org\n", "\0",
    ])
  func noNetstring(_ text: String) {
    var stage = LoginProtocolStage(machine())
    stage.send(text)
    #expect(stage.hasEnded && stage.output.isEmpty && stage.asked.isEmpty)
  }

  @Test("a request for an unknown map or without a key gets PERM")
  func otherMaps() {
    let other = "38:PERM the maps are accounts and domains,"
    for request in ["virtual you", "Accounts you", " you", "accounts\0 you"] { #expect(said(request) == other) }
    let keyless = "42:PERM a request is a map, a space and a key,"
    for request in ["", "accounts", "domains"] { #expect(said(request) == keyless) }
  }

  @Test("an unknown account gets NOTFOUND and a space, and an account that regd cannot look up gets TEMP")
  func notThere() {
    #expect(said("accounts you@example.org", .none) == "9:NOTFOUND ,")
    #expect(said("accounts you@example.org", .away(reason: .storeUnavailable)) == "22:TEMP store.unavailable,")
    #expect(said("accounts ", .none) == "9:NOTFOUND ,")
  }

  @Test("active and disabled accounts have a mailbox, and pending and waiting ones get TEMP instead of NOTFOUND")
  func states() {
    func found(_ state: DoorAccount) -> String { said("accounts You@Example.org", .found(state)) }
    let you = DoorAccount.you
    #expect(found(you) == "18:OK you@example.org,")
    #expect(found(DoorAccount(id: you.id, name: "ü@example.org", state: .disabled)) == "17:OK ü@example.org,")
    #expect(found(DoorAccount(id: you.id, name: you.name, state: .pending)) == "20:TEMP account.pending,")
    #expect(found(DoorAccount(id: you.id, name: you.name, state: .waiting)) == "20:TEMP account.waiting,")
  }

  @Test("the key is everything after the first space, unchanged")
  func keys() {
    var stage = LoginProtocolStage(machine())
    stage.send("15:accounts  a b\n\0,11:accounts ü,")
    #expect(stage.asked.map(\.described) == ["find  a b\n\0"])
    stage.answer(.none)
    #expect(stage.asked.map(\.described) == ["find  a b\n\0", "find ü"])
    stage.answer(.none)
    #expect(stage.text == "9:NOTFOUND ,9:NOTFOUND ,")
  }

  @Test("the protocol finds a domain of the door in the door's spelling, and no other domain")
  func domains() {
    #expect(said("domains Example.ORG") == "14:OK example.org,")
    #expect(said("domains example.net") == "9:NOTFOUND ,")
    #expect(said("domains ") == "9:NOTFOUND ,")
    var stage = LoginProtocolStage(machine())
    stage.send(Array("9:domains ".utf8) + [0xFF] + Array(",".utf8))
    #expect(stage.text == "9:NOTFOUND ," && !stage.hasEnded)
  }

  @Test("a door compares domains as in addresses, and returns its own spelling")
  func typedDomains() {
    let terms = DoorTerms(domain: "example.net", domains: ["example.org", "xn--mller-kva.example"])
    func domain(_ typed: String, _ terms: DoorTerms = terms) -> String? {
      SocketmapDoor.domain(typed, of: terms, UnicodeNormalizer())
    }
    for none in [
      "", "example.net", "org", "a.example.org", "@example.org", "example.org\0", String(repeating: "é", count: 4000),
    ] {
      #expect(domain(none) == nil)
    }
    #expect(domain("example.org", DoorTerms()) == nil)
    #expect(domain("EXAMPLE.org") == "example.org" && domain("Müller.example") == "xn--mller-kva.example")
  }

  @Test("a request longer than 10,000 bytes ends the connection")
  func longest() {
    let key = String(repeating: "k", count: 10_000 - "accounts ".utf8.count)
    #expect(said("accounts \(key)") == "9:NOTFOUND ,")
    #expect(said("accounts \(key)k") == "closed")
  }

  @Test("requests are answered in order, however they are split")
  func splits() {
    let text =
      "20:accounts a@example.o,19:domains example.org,9:virtual x,21:accounts b@example.or,3:abc;20:accounts c@example.o,"
    let played = inAnySplit(Array(text.utf8), of: machine) { question in
      question.described.hasSuffix(".o") ? .found(.you) : .away(reason: .busy)
    }
    #expect(played.differing.isEmpty)
    #expect(played.asked == ["find a@example.o", "find b@example.or"])
    #expect(
      String(decoding: played.output, as: UTF8.self)
        == "18:OK you@example.org,14:OK example.org,38:PERM the maps are accounts and domains,16:TEMP server.busy,")
  }

  @Test("random bytes never crash the protocol, and it sends only netstrings", arguments: 0..<300 as Range<UInt64>)
  func noise(_ seed: UInt64) {
    var generator = Seeded(seed)
    var stage = LoginProtocolStage(machine())
    let words = [
      "2", "10", ":", ",", "accounts ", "domains ", "14:accounts a@b.c,", "19:domains example.org,", "1:x,", "0:,", "é",
    ]
    let text = (0..<Int.random(in: 0...40, using: &generator)).map { _ in
      Bool.random(using: &generator) ? "1:x," : words.randomElement(using: &generator) ?? ""
    }
    stage.send(Array(text.joined().utf8), pieces: [Int.random(in: 1...20, using: &generator)]) { _ in .found(.you) }
    var rest = stage.output
    while !rest.isEmpty {
      let reading = rest.withUnsafeBytes { bytes in
        guard case .whole(_, let count) = Netstring.read(bytes, longest: 100) else { return 0 }
        return count
      }
      #expect(reading > 0)
      rest.removeFirst(reading > 0 ? reading : rest.count)
    }
  }
}
