import Doors
import Reasons
import Registration
import Testing

@testable import LDAPDoor

struct SearchTests {
  private static let base = "dc=example,dc=org"
  private static let name = "mail=you@example.org,\(base)"
  private static let entry =
    "2 entry \(name) objectClass=top|person|organizationalPerson|inetOrgPerson mail=you@example.org uid=you@example.org "
    + "cn=you@example.org sn=you@example.org"
  private let you = DoorAnswer.found(.named("you@example.org"))

  /// The responses to a caller of the socket, who may search.
  private func told(_ message: [UInt8], _ answer: DoorAnswer? = nil) throws -> (told: [String], asked: [String]) {
    var stage = LDAPStage(mayAlwaysSearch: true)
    return (try stage.send(message, answer ?? you), stage.asked)
  }

  @Test(
    "a search that could find more than one address gets 53 without a question",
    arguments: [
      Wire.present("objectClass"), Wire.present("mail"), Wire.and(), Wire.not(Wire.equal("mail", "you@example.org")),
      Wire.or(Wire.equal("mail", "you@example.org"), Wire.equal("mail", "me@example.org")),
      Wire.or(Wire.equal("mail", "you@example.org"), Wire.present("cn")), Wire.equal("objectClass", "person"),
      Wire.element(0xA4, Wire.text("mail"), Wire.element(0x30, Wire.text("you@", 0x80))), Wire.equal("sn", "you"),
      Wire.equal("entryUUID", "01234567-89ab-7def-8123-456789abcdef"),
    ])
  func more(filter: [UInt8]) throws {
    let (told, asked) = try told(Wire.search(Self.base, filter))
    let refused = "2 done 53 a search is for one address, in mail, uid or cn, or for groups by one cn or member"
    #expect(told == [refused] && asked.isEmpty)
  }

  @Test("anonymous callers see nobody, bound callers only themselves, and searchers and socket callers everybody")
  func rights() throws {
    let (mine, others) = (Wire.equal("mail", "You@example.org"), Wire.equal("mail", "me@example.org"))
    let refused = ["2 done 53 an account may look up only itself"]
    var stage = LDAPStage()
    #expect(try stage.send(Wire.search(Self.base, mine), you) == refused)
    stage = try LDAPStage.bound()
    #expect(try stage.send(Wire.search(Self.base, others), you) == refused)
    #expect(try stage.send(Wire.search("mail=me@example.org,\(Self.base)", scope: 0, mine), you) == refused)
    #expect(stage.asked.count == 1)
    #expect(try stage.send(Wire.search(Self.base, mine), you) == [Self.entry, "2 done 0"])
    #expect(try stage.send(Wire.search(Self.base, Wire.equal("uid", "you")), you) == [Self.entry, "2 done 0"])
    let another = DoorAccount(id: AccountID(at: Timestamp(microseconds: 1)), name: "you@example.org")
    #expect(try stage.send(Wire.search(Self.base, mine), .found(another)) == refused)
    stage = try LDAPStage.bound(as: "reader@example.org", searchers: ["reader@example.org"])
    #expect(try stage.send(Wire.search(Self.base, mine), you) == [Self.entry, "2 done 0"])
    _ = try stage.send(Wire.bind("reader@example.org", "no"), .wrong)
    #expect(try stage.send(Wire.search(Self.base, mine), you) == refused)
    stage = try LDAPStage.bound(searchers: ["reader@example.org"])
    #expect(try stage.send(Wire.search(Self.base, others), you) == refused)
    #expect(try told(Wire.search(Self.base, mine)).told == [Self.entry, "2 done 0"])
  }

  @Test("a searcher's right ends with its bind, which each search checks, and a socket caller needs no bind")
  func endedRight() throws {
    let search = Wire.search(Self.base, Wire.equal("mail", "You@example.org"))
    var stage = try LDAPStage.bound(as: "reader@example.org", searchers: ["reader@example.org"])
    #expect(try stage.send(search, you) == [Self.entry, "2 done 0"])
    #expect(stage.asked.last == "find You@example.org for reader@example.org")
    #expect(try stage.send(search, .ended) == ["2 done 53 the bind is no longer valid; bind again"])
    #expect(try stage.send(search, you) == ["2 done 53 an account may look up only itself"])
    #expect(try told(search).asked == ["find You@example.org"])
  }

  @Test("an address is found in another non-ASCII spelling, even after a bind with that spelling")
  func typed() throws {
    let account = DoorAccount.named("yoü@xn--exmple-cua.org")
    let filter = Wire.and(Wire.equal("objectClass", "person"), Wire.equal("mail", "YOÜ@exämple.org"))
    let search = Wire.search(Self.base, filter, ["uid"])
    let name = "mail=yoü@xn--exmple-cua.org,\(Self.base)"
    let found = ["2 entry \(name) uid=yoü@xn--exmple-cua.org", "2 done 0"]
    #expect(try told(search, .found(account)).told == found)
    var stage = LDAPStage()
    _ = try stage.send(Wire.bind("uid=YOÜ@exämple.org,\(Self.base)", "secret"), .right(account))
    #expect(try stage.send(search, .found(account)) == found)
    #expect(try stage.send(Wire.search(name, Wire.present("uid"), ["uid"]), .found(account)) == found)
  }

  @Test("an unknown address gets 0 without an entry, or 32 if the base names it, and `away` becomes 51 or 52")
  func nobody() throws {
    let filter = Wire.equal("mail", "you@example.org")
    let bySearch = Wire.search(Self.base, filter)
    let byName = Wire.search(Self.name, scope: 0, Wire.present("objectClass"))
    #expect(try told(bySearch, DoorAnswer.none) == (["2 done 0"], ["find you@example.org"]))
    #expect(try told(byName, DoorAnswer.none) == (["2 done 32"], ["find you@example.org"]))
    #expect(try told(Wire.search(Self.name, filter), DoorAnswer.none).told == ["2 done 32"])
    #expect(try told(Wire.search(Self.base, scope: 1, filter), DoorAnswer.none).told == ["2 done 0"])
    #expect(try told(Wire.search(Self.base, Wire.and(filter, Wire.or()))) == (["2 done 0"], []))
    for message in [bySearch, byName] {
      #expect(try told(message, .away(reason: .storeUnavailable)).told == ["2 done 52 store.unavailable"])
      #expect(try told(message, .away(reason: .busy)).told == ["2 done 51 server.busy"])
    }
  }

  @Test(
    "a search where no entry can be gets 32 or finds nothing, without a question",
    arguments: [
      ("dc=org", 2, "32"), ("", 2, "32"), ("ou=people,dc=example,dc=org", 2, "32"), (base, 0, "32"),
      ("sn=you@example.org,\(base)", 0, "32"), ("cn=a,\(name)", 0, "32"), (name, 1, "0"), (name, 3, "0"),
    ] as [(String, UInt8, String)])
  func elsewhere(base: String, scope: UInt8, code: String) throws {
    let (told, asked) = try told(Wire.search(base, scope: scope, Wire.equal("mail", "you@example.org")))
    #expect(told == ["2 done \(code)"] && asked.isEmpty)
  }

  @Test("an invalid base DN gets 34, and an unknown scope gets a protocol error")
  func impossible() throws {
    let filter = Wire.equal("mail", "you@example.org")
    #expect(try told(Wire.search("example.org", filter)).told == ["2 done 34 the base is not a DN"])
    #expect(try told(Wire.search(Self.base, scope: 4, filter)).told == ["2 done 2 unknown scope"])
  }

  private static let other = Wire.equal("sAMAccountName", "you@example.org")
  private static let satisfied: [[UInt8]] = [
    Wire.equal("mail", "you@example.org"), Wire.equal("UID", "YOU"), Wire.equal("2.5.4.3", "you@example.org"),
    Wire.and(Wire.equal("objectClass", "InetOrgPerson"), Wire.equal("mail", "you@example.org")),
    Wire.or(Wire.equal("mail", "you@example.org"), Wire.equal("uid", "You@Example.ORG"), other),
    Wire.and(Wire.present("objectClass"), Wire.or(Wire.equal("uid", "you"), Wire.equal("mail", "you@example.org"))),
    Wire.and(Wire.not(Wire.equal("objectClass", "posixAccount")), Wire.equal("uid", "you")),
    Wire.and(
      Wire.element(
        0xA4, Wire.text("mail"),
        Wire.element(0x30, Wire.text("you", 0x80), Wire.text("e", 0x81), Wire.text(".org", 0x82))),
      Wire.equal("uid", "you")),
    Wire.element(0xA9, Wire.text("mail", 0x82), Wire.text("you@example.org", 0x83)),
    Wire.element(0xA8, Wire.text("mail"), Wire.text("you@example.org")),
    Wire.and(Wire.and(), Wire.equal("mail", "you@example.org")),
  ]
  private static let unsatisfied: [[UInt8]] = [
    Wire.and(Wire.equal("objectClass", "posixAccount"), Wire.equal("mail", "you@example.org")),
    Wire.and(Wire.equal("mail", "you@example.org"), Wire.equal("mail", "me@example.org")),
    Wire.and(Wire.equal("mail", "you@example.org"), Wire.not(Wire.equal("uid", "you"))),
    Wire.and(Wire.equal("mail", "you@example.org"), Wire.not(other)),
    Wire.and(Wire.equal("mail", "you@example.org"), Wire.or()), other, Wire.present("jpegPhoto"), Wire.or(),
    Wire.element(0xA5, Wire.text("mail"), Wire.text("you@example.org")), Wire.equal("mail", ""),
    Wire.element(0xA9, Wire.text("2.5.13.2", 0x81), Wire.text("mail", 0x82), Wire.text("you@example.org", 0x83)),
  ]

  @Test("a search finds one address with any of these filters", arguments: satisfied)
  func found(filter: [UInt8]) throws {
    for scope: UInt8 in [1, 2, 3] {
      #expect(try told(Wire.search(Self.base, scope: scope, filter)).told == [Self.entry, "2 done 0"])
    }
    #expect(try told(Wire.search(Self.name, scope: 0, filter)).told == [Self.entry, "2 done 0"])
  }

  @Test("a search with a filter that the entry does not satisfy gets 0 without an entry", arguments: unsatisfied)
  func notFound(filter: [UInt8]) throws {
    #expect(try told(Wire.search(Self.base, filter)).told == ["2 done 0"])
    #expect(try told(Wire.search(Self.name, scope: 0, filter)).told == ["2 done 0"])
  }

  @Test(
    "a search returns only the requested attributes",
    arguments: [
      (["1.1"], ""), (["mail", "MAIL"], " mail=you@example.org"), (["nothing"], ""),
      (["+"], " entryUUID=01234567-89ab-7def-8123-456789abcdef"), (["userid", "1.1"], " uid=you@example.org"),
      (["sn", "+"], " sn=you@example.org entryUUID=01234567-89ab-7def-8123-456789abcdef"),
    ])
  func attributes(names: [String], told: String) throws {
    let search = Wire.search(Self.base, Wire.equal("mail", "you@example.org"), names)
    #expect(try self.told(search).told == ["2 entry \(Self.name)\(told)", "2 done 0"])
  }

  @Test("a star requests all attributes, and a search for types omits the values")
  func typesOnly() throws {
    let filter = Wire.equal("mail", "you@example.org")
    #expect(try told(Wire.search(Self.base, filter, ["*"])).told == [Self.entry, "2 done 0"])
    #expect(
      try told(Wire.search(Self.base, filter, ["*", "+"], isTypesOnly: true)).told == [
        "2 entry \(Self.name) objectClass= mail= uid= cn= sn= entryUUID=", "2 done 0",
      ])
  }

  @Test("a DN contains the escaped address, and is read back as the same address")
  func escapes() throws {
    let odd = #" a+b,c"d\<e>;=ü #@example.org"#
    let found = DoorAnswer.found(.named(odd))
    let told = try told(Wire.search(Self.base, Wire.equal("mail", odd), ["1.1"]), found).told
    let name = #"mail=\ a\+b\,c\"d\\\<e\>\;=ü #@example.org,dc=example,dc=org"#
    #expect(told == ["2 entry \(name)", "2 done 0"])
    #expect(try self.told(Wire.search(name, scope: 0, Wire.present("mail")), found).asked == ["find \(odd)"])
  }

  @Test("the root entry describes the server to anonymous callers")
  func root() throws {
    var stage = LDAPStage()
    #expect(
      try stage.send(Wire.search("", scope: 0, Wire.present("objectClass"), ["+"])) == [
        "2 entry  namingContexts=dc=example,dc=org supportedLDAPVersion=3 supportedExtension=1.3.6.1.4.1.4203.1.11.3 "
          + "supportedFeatures=1.3.6.1.4.1.4203.1.5.1|1.3.6.1.4.1.4203.1.5.3 vendorName=regd", "2 done 0",
      ])
    #expect(
      try stage.send(Wire.search("", scope: 0, Wire.present("OBJECTCLASS"), ["vendorname", "namingContexts"])) == [
        "2 entry  namingContexts=dc=example,dc=org vendorName=regd", "2 done 0",
      ])
    #expect(
      try stage.send(Wire.search("", scope: 0, Wire.present("objectClass"))) == [
        "2 entry  objectClass=top", "2 done 0",
      ])
  }
}
