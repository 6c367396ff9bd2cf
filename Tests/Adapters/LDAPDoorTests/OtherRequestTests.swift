import Doors
import Reasons
import Testing
import WireProtocols

@testable import LDAPDoor

struct OtherRequestTests {
  @Test(
    "a request that would change something gets 53, in the response of its type",
    arguments: [
      (Wire.element(0x66, Wire.text("dc=org"), Wire.element(0x30)), "103"),
      (Wire.element(0x68, Wire.text("dc=org"), Wire.element(0x30)), "105"), (Wire.text("dc=org", 0x4A), "107"),
      (Wire.element(0x6C, Wire.text("dc=org"), Wire.text("dc=net"), [1, 1, 0]), "109"),
    ])
  func changes(operation: [UInt8], response: String) throws {
    var stage = try LDAPStage.bound()
    #expect(try stage.send(Wire.message(4, operation)) == ["4 \(response) 53 accounts are changed elsewhere"])
  }

  @Test(
    "StartTLS and every other extended operation get a protocol error",
    arguments: ["1.3.6.1.4.1.1466.20037", "1.3.6.1.4.1.4203.1.11.1", "", "1.3.6.1.1.8"])
  func extended(name: String) throws {
    var stage = LDAPStage()
    #expect(try stage.send(Wire.extended(name)) == ["3 extended 2 this operation is not known"])
    #expect(try stage.send(Wire.extended(Wire.whoAmI, "v")) == ["3 extended 2 this operation has no value"])
    #expect(!stage.hasEnded)
  }

  @Test("an unknown critical control gets 12, and a control that is not critical is ignored")
  func controls() throws {
    var stage = LDAPStage(mayAlwaysSearch: true)
    func search(_ isCritical: Bool) -> [UInt8] {
      Wire.search(
        "", scope: 0, Wire.present("objectClass"), ["1.1"],
        controls: Wire.control("1.2.840.113556.1.4.319", isCritical: isCritical))
    }
    #expect(try stage.send(search(true)) == ["2 done 12 a critical control is unknown"])
    #expect(try stage.send(search(false)) == ["2 entry ", "2 done 0"])
    let bind = Wire.element(0x60, Wire.number(3), Wire.text("you@example.org"), Wire.text("secret", 0x80))
    let critical = Wire.control("1.2.3", isCritical: true)
    #expect(try stage.send(Wire.message(1, bind, critical)) == ["1 bind 12 a critical control is unknown"])
    #expect(stage.asked.isEmpty)
    #expect(try stage.send(Wire.message(1, [0x50, 1, 1], critical)) == [])
    #expect(try stage.send(Wire.message(1, [0x42, 0], critical)) == [] && stage.hasEnded)
  }

  @Test("an abandon has no effect and an unbind ends the connection, both without a response")
  func endings() throws {
    var stage = try LDAPStage.bound()
    #expect(try stage.send(Wire.message(5, [0x50, 1, 1])) == [] && !stage.hasEnded)
    #expect(try stage.send(Wire.unbind) == [] && stage.hasEnded)
  }

  @Test("the Who am I operation returns the DN as stored in the account, not as typed")
  func whoAmI() throws {
    var stage = LDAPStage()
    #expect(try stage.send(Wire.extended(Wire.whoAmI)) == ["3 extended 0"])
    _ = try stage.send(Wire.bind("uid=YOU,dc=example,dc=org", "secret"), .right(.named("you@example.org")))
    let you = DoorAnswer.found(.named("you@example.org"))
    #expect(
      try stage.send(Wire.extended(Wire.whoAmI), you) == ["3 extended 0 dn:mail=you@example.org,dc=example,dc=org"])
    #expect(
      try stage.send(Wire.extended(Wire.whoAmI), .away(reason: .storeUnavailable))
        == ["3 extended 52 store.unavailable"])
    #expect(try stage.send(Wire.extended(Wire.whoAmI), .ended) == ["3 extended 0"])
    #expect(stage.asked.suffix(3) == [String](repeating: "check you@example.org", count: 3))
    // once the bind has ended, the connection is anonymous
    #expect(try stage.send(Wire.extended(Wire.whoAmI), you) == ["3 extended 0"])
  }

  @Test("a caller that may see the entry learns whether a comparison is true, false or of something missing")
  func comparisons() throws {
    let name = "mail=you@example.org,dc=example,dc=org"
    func compare(_ name: String, _ type: String, _ value: String) -> [UInt8] {
      Wire.message(4, Wire.element(0x6E, Wire.text(name), Wire.element(0x30, Wire.text(type), Wire.text(value))))
    }
    let you = DoorAnswer.found(.named("you@example.org"))
    var stage = try LDAPStage.bound()
    #expect(try stage.send(compare(name, "uid", "YOU@example.org"), you) == ["4 compare 6"])
    #expect(try stage.send(compare(name, "mail", "you"), you) == ["4 compare 6"])
    #expect(try stage.send(compare(name, "mail", "me@example.org"), you) == ["4 compare 5"])
    #expect(try stage.send(compare(name, "userPassword", "secret"), you) == ["4 compare 16"])
    #expect(try stage.send(compare(name, "dc", "example"), you) == ["4 compare 16"])
    #expect(try stage.send(compare(name, "mail", "you"), DoorAnswer.none) == ["4 compare 32"])
    #expect(try stage.send(compare(name, "mail", "you"), .away(reason: .busy)) == ["4 compare 51 server.busy"])
    #expect(try stage.send(compare("", "objectClass", "top")) == ["4 compare 6"])
    #expect(try stage.send(compare("dc=org", "mail", "a")) == ["4 compare 32"])
    #expect(try stage.send(compare("nothing", "mail", "a")) == ["4 compare 34 the base is not a DN"])
    let another = compare("mail=me@example.org,dc=example,dc=org", "mail", "me@example.org")
    #expect(try stage.send(another, you) == ["4 compare 53 an account may look up only itself"])
    let ended = ["4 compare 53 the bind is no longer valid; bind again"]
    #expect(try stage.send(compare(name, "mail", "you"), .ended) == ended)
    #expect(try stage.send(compare(name, "mail", "you"), you) == ["4 compare 53 an account may look up only itself"])
  }

  @Test("a caller with a uid from the kernel is named, and a caller with a made-up uid is not")
  func callers() {
    #expect(Peer(uid: 0, gid: 0, pid: 1).isNamed && Peer(uid: 65_534, gid: 0, pid: 0).isNamed)
    #expect(!Peer(uid: 0xFFFE_0001, gid: .max, pid: 0).isNamed)
  }

  @Test(
    "DistinguishedName refuses an invalid name",
    arguments: [
      "=a", "a", "a=b,", "a=b+", ",a=b", "a=\"b\"", "a=b;c=d", #"a=\"#, #"a=\4"#, #"a=\zz"#, "a=#0401", "a b=c",
    ])
  func noNames(text: String) { #expect(DistinguishedName(text.utf8) == nil) }

  @Test("names are equal regardless of case, spaces, escapes and aliases of attributes")
  func equalNames() throws {
    func name(_ text: String) throws -> DistinguishedName { try #require(DistinguishedName(text.utf8)) }
    let long = [String](repeating: "ou=a", count: 64).joined(separator: "+")
    #expect(try name(long) != name("ou=a"))
    #expect(DistinguishedName("\(long),ou=a".utf8) == nil)
    #expect(try name("  ") == DistinguishedName())
    #expect(try name("OU=A  b , DC=x") == name("ou=a B,dc=X"))
    #expect(try name(#"cn=\20a"#) == name("commonName=a"))
    #expect(try name("cn=a,dc=b") != name("cn=a"))
    #expect(try name("cn=a+uid=b") != name("cn=a,uid=b"))
    #expect(DistinguishedName([UInt8(ascii: "a"), UInt8(ascii: "="), 0xFF]) == nil)
  }
}
