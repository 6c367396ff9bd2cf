import Doors
import Reasons
import TestDoubles
import Testing

@testable import LDAPDoor

struct BindTests {
  private func answer(_ answer: DoorAnswer) throws -> [String] {
    var stage = LDAPStage()
    return try stage.send(Wire.bind("mail=you@example.org,dc=example,dc=org", "secret"), answer)
  }

  @Test("`away` becomes 51 if regd is busy or limits the rate, 52 otherwise, and never 49")
  func away() throws {
    #expect(try answer(.away(reason: .storeUnavailable)) == ["1 bind 52 store.unavailable"])
    #expect(try answer(.away(reason: .requestTimeout)) == ["1 bind 52 request.timeout"])
    #expect(try answer(.away(reason: .accessDenied)) == ["1 bind 52 access.denied"])
    #expect(try answer(.away(reason: .busy, retryAfter: 1)) == ["1 bind 51 server.busy"])
    #expect(try answer(.away(reason: .rateLimited, retryAfter: 9)) == ["1 bind 51 rate.limited"])
  }

  @Test("`wrong` becomes 49 without a message, `refused` 49 with the reason, and `right` 0")
  func verdicts() throws {
    #expect(try answer(.wrong) == ["1 bind 49"])
    #expect(try answer(.refused(reason: .accountDisabled)) == ["1 bind 49 account.disabled"])
    #expect(try answer(.right(.named("you@example.org"))) == ["1 bind 0"])
  }

  @Test(
    "a bind with an empty name or password gets 53, 49 or (if both are empty) 0, without a question",
    arguments: [
      ("you@example.org", "", "53"), ("", "secret", "49"), ("", "", "0"), ("mail=,dc=example,dc=org", "", "53"),
    ])
  func empty(name: String, password: String, code: String) throws {
    var stage = LDAPStage()
    let told = try stage.send(Wire.bind(name, password), .right(.named("you@example.org")))
    #expect(told.count == 1 && told[0].hasPrefix("1 bind \(code)"), "\(told)")
    #expect(stage.asked.isEmpty)
    #expect(try stage.send(Wire.extended(Wire.whoAmI)) == ["3 extended 0"])
  }

  @Test("passwords of 1 to 256 characters, with every byte of UTF-8, arrive unchanged")
  func everyByte() throws {
    for password in PasswordCorpus.everyByte {
      var stage = LDAPStage()
      #expect(try stage.send(Wire.bind("you@example.org", password)) == ["1 bind 49"])
      #expect(stage.asked == ["you@example.org||\(password)|"])
    }
  }

  @Test("a bind with version 2 gets a protocol error, and SASL is an unsupported method")
  func otherBinds() throws {
    var stage = LDAPStage()
    #expect(try stage.send(Wire.bind("you@example.org", "p", version: 2)) == ["1 bind 2 only version 3 is spoken"])
    let external = Wire.element(0xA3, Wire.text("EXTERNAL"))
    let bind = Wire.message(1, Wire.element(0x60, Wire.number(3), Wire.text(""), external))
    #expect(try stage.send(bind) == ["1 bind 7 only the simple bind is supported"])
    #expect(stage.asked.isEmpty)
  }

  @Test(
    "after a bind that fails, gets `away` or is of another kind, the connection is anonymous",
    arguments: [
      (Wire.bind("me@example.org", "p"), DoorAnswer.wrong),
      (Wire.bind("me@example.org", "p"), .away(reason: .busy)),
      (Wire.bind("me@example.org", ""), .wrong), (Wire.bind("x", "p", version: 2), .wrong),
      (Wire.bind("me@example.org", "p"), .refused(reason: .accountPending)),
    ])
  func anonymousAfterwards(message: [UInt8], answer: DoorAnswer) throws {
    var stage = try LDAPStage.bound()
    let you = DoorAnswer.found(.named("you@example.org"))
    #expect(
      try stage.send(Wire.extended(Wire.whoAmI), you) == ["3 extended 0 dn:mail=you@example.org,dc=example,dc=org"])
    _ = try stage.send(message, answer)
    #expect(try stage.send(Wire.extended(Wire.whoAmI)) == ["3 extended 0"])
    let search = Wire.search("dc=example,dc=org", Wire.equal("mail", "you@example.org"))
    #expect(try stage.send(search) == ["2 done 53 an account may look up only itself"])
  }

  @Test(
    "a DN contains the address in any of three attributes and any case, and any other name stays unchanged",
    arguments: [
      ("mail=you@example.org,dc=example,dc=org", "you@example.org"), ("uid=you,dc=example,dc=org", "you"),
      ("CN=You@Example.org, DC=Example , dc = ORG", "You@Example.org"),
      ("0.9.2342.19200300.100.1.3=you@x.org,domainComponent=example,dc=org", "you@x.org"),
      (#"mail=a\+b\2Cc@x.org,dc=example,dc=org"#, "a+b,c@x.org"), (#"mail=\c3\bc@x.org,dc=example,dc=org"#, "ü@x.org"),
      ("you@example.org", "you@example.org"), ("a=b@example.org", "a=b@example.org"), ("you", "you"),
      ("mail= you@example.org ,dc=example,dc=org", "you@example.org"), (#"mail=you\ \20,dc=example,dc=org"#, "you  "),
      ("mail=you@example.org,dc=example,dc=com", "mail=you@example.org,dc=example,dc=com"),
      ("mail=you@example.org,ou=p,dc=example,dc=org", "mail=you@example.org,ou=p,dc=example,dc=org"),
      ("uid=you+cn=me,dc=example,dc=org", "uid=you+cn=me,dc=example,dc=org"),
      ("sn=you,dc=example,dc=org", "sn=you,dc=example,dc=org"),
      (#"mail=you\,dc=example,dc=org"#, #"mail=you\,dc=example,dc=org"#),
    ])
  func names(name: String, login: String) throws {
    var stage = LDAPStage()
    _ = try stage.send(Wire.bind(name, "secret"))
    #expect(stage.asked == ["\(login)||secret|"])
  }

  @Test(
    "a DN may also contain the client's address, which becomes the origin of the sign-in",
    arguments: [
      ("mail=you@example.org+host=198.51.100.7,dc=example,dc=org", "you@example.org||secret|198.51.100.7"),
      ("HOST=2001:db8::7 + uid=you,dc=example,dc=org", "you||secret|2001:db8::7"),
      ("0.9.2342.19200300.100.1.9=h+mail=you@example.org,dc=example,dc=org", "you@example.org||secret|h"),
      ("mail=you@example.org+host=,dc=example,dc=org", "you@example.org||secret|"),
      // a DN with two of them, or without a user's name, does not change
      ("host=h,dc=example,dc=org", "host=h,dc=example,dc=org||secret|"),
      ("mail=y@x.org+host=a+host=b,dc=example,dc=org", "mail=y@x.org+host=a+host=b,dc=example,dc=org||secret|"),
      ("mail=you@example.org,host=h,dc=example,dc=org", "mail=you@example.org,host=h,dc=example,dc=org||secret|"),
    ])
  func origins(name: String, asked: String) throws {
    var stage = LDAPStage()
    _ = try stage.send(Wire.bind(name, "secret"))
    #expect(stage.asked == [asked])
  }

  @Test("a configured base replaces the domain's, and without either, a DN contains only the address")
  func bases() throws {
    var stage = LDAPStage(base: "ou=People,o=My  Org")
    _ = try stage.send(Wire.bind("uid=you@x.org,OU=people,o=my org", "secret"))
    #expect(stage.asked == ["you@x.org||secret|"])
    stage = LDAPStage(domain: "")
    _ = try stage.send(Wire.bind("uid=you@x.org", "secret"), .right(.named("you@x.org")))
    #expect(stage.asked == ["you@x.org||secret|"])
    let named = DoorAnswer.found(.named("you@x.org"))
    #expect(try stage.send(Wire.extended(Wire.whoAmI), named) == ["3 extended 0 dn:mail=you@x.org"])
  }

  @Test("a response consists of these exact bytes")
  func bytes() {
    #expect(LDAPResult.success.message(1, Tag.bindResponse) == [0x30, 12, 2, 1, 1, 0x61, 7, 10, 1, 0, 4, 0, 4, 0])
    #expect(
      LDAPResult.busy("no").message(300, Tag.bindResponse)
        == [0x30, 15, 2, 2, 1, 44, 0x61, 9, 10, 1, 51, 4, 0, 4, 2] + Array("no".utf8))
  }
}
