import Doors
import Registration
import Testing

@testable import LDAPDoor

@Suite("Groups in the LDAP directory")
struct GroupTests {
  private static let base = "dc=example,dc=org"
  private static let groups = "ou=groups,\(base)"
  private static let staff = "cn=staff,\(groups)"
  private static let you = "mail=you@example.org,\(base)"
  private static let me = "mail=me@example.org,\(base)"
  private static let entry = "2 entry \(staff) objectClass=top|groupOfNames cn=staff member=\(you)|\(me)"
  private static let container = "2 entry \(groups) objectClass=top|organizationalUnit ou=groups"
  private static let many =
    "2 done 53 a search is for one address, in mail, uid or cn, or for groups by one cn or member"
  private static let cut = "2 done 4 there are more entries or members than a response may have"
  private static let none = DoorAnswer.groups(DoorGroups())

  /// An answer with groups.
  private static func found(
    _ groups: KeyValuePairs<String, [String]>, member: DoorAccount? = nil, isCut: Bool = false
  ) -> DoorAnswer {
    let groups = groups.compactMap { name, members in GroupName(name).map { DoorGroup($0, members: members) } }
    return .groups(DoorGroups(groups, member: member, isCut: isCut))
  }

  private static let both = found(["staff": ["you@example.org", "me@example.org"]])

  /// The responses to a caller of the socket, who may search.
  private func told(
    _ message: [UInt8], _ answer: DoorAnswer = GroupTests.both
  ) throws -> (told: [String], asked: [String]) {
    var stage = LDAPStage(mayAlwaysSearch: true)
    return (try stage.send(message, answer), stage.asked)
  }

  // MARK: Names, filters and scopes

  @Test(
    "a name or filter that means no group finds nothing, without a question",
    arguments: [
      ("cn=not a group,\(groups)", 0, "32"), ("uid=staff,\(groups)", 0, "32"), ("cn=a+uid=b,\(groups)", 0, "32"),
      ("cn=a,\(staff)", 2, "32"), ("cn=staff,ou=group,\(base)", 0, "32"), ("cn=staff,OU=groups", 0, "32"),
      (staff, 1, "0"), (staff, 3, "0"), (groups, 0, "0"),
    ] as [(String, UInt8, String)])
  func elsewhere(base: String, scope: UInt8, code: String) throws {
    let (told, asked) = try told(Wire.search(base, scope: scope, Wire.equal("cn", "staff")))
    #expect(told == ["2 done \(code)"] && asked.isEmpty)
  }

  @Test(
    "a filter for persons finds nothing below the entry of the groups, without a question",
    arguments: [
      Wire.equal("mail", "you@example.org"), Wire.equal("uid", "staff"), Wire.equal("cn", "you@example.org"),
      Wire.and(Wire.equal("objectClass", "inetOrgPerson"), Wire.equal("cn", "staff")),
      Wire.and(Wire.equal("memberOf", staff), Wire.equal("cn", "staff")), Wire.equal("cn", "not a group"),
      Wire.equal("member", staff), Wire.equal("member", "mail=you@example.org"), Wire.equal("member", "no name"),
      Wire.equal("member", ""), Wire.equal("uniqueMember", you), Wire.equal("ou", "people"),
    ])
  func persons(filter: [UInt8]) throws {
    for scope: UInt8 in [1, 2, 3] {
      let (told, asked) = try told(Wire.search(Self.groups, scope: scope, filter))
      #expect(told == ["2 done 0"] && asked.isEmpty)
    }
  }

  @Test(
    "a search that may find all groups gets 53 without a question",
    arguments: [
      Wire.equal("objectClass", "groupOfNames"), Wire.present("objectClass"), Wire.present("member"), Wire.and(),
      Wire.not(Wire.equal("cn", "staff")), Wire.or(Wire.equal("cn", "a"), Wire.equal("cn", "b")),
      Wire.or(Wire.equal("cn", "a"), Wire.equal("member", you)),
      Wire.or(Wire.equal("member", you), Wire.equal("member", me)),
      Wire.element(0xA4, Wire.text("cn"), Wire.element(0x30, Wire.text("s", 0x80))),
    ])
  func all(filter: [UInt8]) throws {
    for base in [Self.groups, Self.base] {
      let (told, asked) = try told(Wire.search(base, filter))
      #expect(told == [Self.many] && asked.isEmpty)
    }
  }

  @Test(
    "a group is found by its name, under the base and under the entry of the groups, in any spelling",
    arguments: [
      Wire.equal("cn", "staff"), Wire.equal("2.5.4.3", " STAFF "),
      Wire.or(Wire.equal("cn", "staff"), Wire.equal("commonName", "Staff"), Wire.equal("sAMAccountName", "staff")),
      Wire.and(Wire.equal("objectClass", "GroupOfNames"), Wire.equal("cn", "staff")),
      Wire.and(Wire.not(Wire.equal("objectClass", "person")), Wire.equal("cn", "staff"), Wire.present("member")),
    ])
  func byName(filter: [UInt8]) throws {
    for (base, scope) in [(Self.base, 2), (Self.base, 3), (Self.groups, 1), (Self.groups, 2)] as [(String, UInt8)] {
      let (told, asked) = try told(Wire.search(base, scope: scope, filter))
      #expect(told == [Self.entry, "2 done 0"] && asked == ["groups staff||1000"])
    }
    for name in [Self.staff, "CN=Staff, OU=Groups, DC=example, DC=org", #"2.5.4.3=\73taff,\#(Self.groups)"#] {
      let (told, asked) = try told(Wire.search(name, scope: 0, filter))
      #expect(told == [Self.entry, "2 done 0"] && asked == ["groups staff||1000"])
    }
    #expect(try told(Wire.search(Self.base, filter), Self.none).told == ["2 done 0"])
    #expect(try told(Wire.search(Self.staff, scope: 0, filter), Self.none).told == ["2 done 32"])
  }

  @Test(
    "under the base, a `cn` without an @ means a group, unless the filter names what only persons have",
    arguments: [
      (Wire.equal("cn", "you"), 2, "groups you||1000"), (Wire.equal("cn", "You"), 3, "groups you||1000"),
      (Wire.equal("cn", "you"), 1, "find you"), (Wire.equal("cn", "you@example.org"), 2, "find you@example.org"),
      (Wire.equal("cn", "you too"), 2, "find you too"), (Wire.equal("cn", "yoü"), 2, "find yoü"),
      (Wire.and(Wire.equal("objectClass", "person"), Wire.equal("cn", "you")), 2, "find you"),
      (Wire.and(Wire.equal("objectClass", "inetOrgPerson"), Wire.equal("cn", "you")), 2, "find you"),
      (Wire.or(Wire.equal("uid", "you"), Wire.equal("cn", "you")), 2, "find you"),
      (Wire.and(Wire.equal("memberOf", staff), Wire.equal("cn", "you")), 2, "find you"),
      (Wire.and(Wire.not(Wire.equal("objectClass", "person")), Wire.equal("cn", "you")), 2, "groups you||1000"),
      (Wire.and(Wire.equal("objectClass", "top"), Wire.equal("cn", "you")), 2, "groups you||1000"),
      (Wire.and(Wire.equal("objectClass", "groupOfNames"), Wire.equal("cn", "you")), 2, "groups you||1000"),
    ] as [([UInt8], UInt8, String)])
  func either(filter: [UInt8], scope: UInt8, question: String) throws {
    #expect(try told(Wire.search(Self.base, scope: scope, filter)).asked == [question])
  }

  @Test(
    "a group is found by a member, however the member's DN is spelled",
    arguments: [
      you, "UID=You, DC=Example , DC=ORG", "cn=YOU@example.org,\(base)", #"mail=\79ou@example.org,\#(base)"#,
      "0.9.2342.19200300.100.1.3=you,domainComponent=example,dc=org",
    ])
  func byMember(name: String) throws {
    let found = Self.found(["a": [], "staff": []], member: .named("you@example.org", groups: ["a", "staff"]))
    for base in [Self.base, Self.groups] {
      for filter in [
        Wire.equal("member", name), Wire.and(Wire.equal("objectClass", "groupOfNames"), Wire.equal("member", name)),
        Wire.or(Wire.equal("member", name), Wire.equal("member", Self.you), Wire.equal("uniqueMember", name)),
      ] {
        let (told, asked) = try told(Wire.search(base, filter, ["cn"]), found)
        #expect(asked == ["groups |you@example.org|0"])
        #expect(told == ["2 entry cn=a,\(Self.groups) cn=a", "2 entry \(Self.staff) cn=staff", "2 done 0"])
      }
      let filter = Wire.equal("member", name)
      #expect(try told(Wire.search(base, filter), Self.none) == (["2 done 0"], ["groups |you@example.org|1000"]))
    }
  }

  @Test("a filter with a name and a member tells whether the person is a member, without a list of members")
  func memberOfOne() throws {
    let member = Self.found(["staff": []], member: .named("you@example.org", groups: ["staff"]))
    let other = Self.found(["staff": []], member: .named("you@example.org", groups: ["a"]))
    let (name, person) = (Wire.equal("cn", "staff"), Wire.equal("member", Self.you))
    let searches = [
      Wire.search(Self.base, Wire.and(name, person), ["cn"]), Wire.search(Self.staff, scope: 0, person, ["cn"]),
    ]
    for search in searches {
      #expect(try told(search, member).told == ["2 entry \(Self.staff) cn=staff", "2 done 0"])
      #expect(try told(search, other) == (["2 done 0"], ["groups staff|you@example.org|0"]))
      #expect(try told(search, Self.found(["staff": []])).told == ["2 done 0"])
    }
    let not = Wire.search(Self.base, Wire.and(name, Wire.not(person)), ["cn"])
    #expect(try told(not, member) == (["2 done 0"], ["groups staff|you@example.org|0"]))
    #expect(try told(not, other).told == ["2 entry \(Self.staff) cn=staff", "2 done 0"])
  }

  @Test("a filter with several members is compared with the listed members, and beyond them it is undefined")
  func severalMembers() throws {
    func search(_ first: String, _ second: String) -> [UInt8] {
      let members = Wire.or(Wire.equal("member", first), Wire.not(Wire.equal("member", second)))
      return Wire.search(Self.base, Wire.and(Wire.equal("cn", "staff"), members), ["cn"])
    }
    let found = ["2 entry \(Self.staff) cn=staff"]
    let third = "uid=third,\(Self.base)"
    #expect(try told(search(Self.me, Self.you)) == (found + ["2 done 0"], ["groups staff||1000"]))
    #expect(try told(search(third, Self.you)).told == ["2 done 0"])
    #expect(try told(search(Self.you, third)).told == found + ["2 done 0"])
    let cut = Self.found(["staff": ["me@example.org"]], isCut: true)
    #expect(try told(search(third, Self.you), cut).told == [Self.cut])
    #expect(try told(search(Self.me, Self.you), cut).told == found + [Self.cut])
  }

  // MARK: Entries

  @Test("the entry of a person has the display name and the groups without being asked for")
  func person() throws {
    let found = DoorAnswer.found(.named("you@example.org", groups: ["staff", "a.b-c_0"], displayName: "Yoü Too"))
    let (mail, names) = (Wire.equal("mail", "you@example.org"), "cn=a.b-c_0,\(Self.groups)|\(Self.staff)")
    #expect(
      try told(Wire.search(Self.base, mail), found).told == [
        "2 entry \(Self.you) objectClass=top|person|organizationalPerson|inetOrgPerson mail=you@example.org "
          + "uid=you@example.org cn=you@example.org sn=you@example.org displayName=Yoü Too memberOf=\(names)",
        "2 done 0",
      ])
    let asked = ["2.16.840.1.113730.3.1.241", "MEMBEROF", "member"]
    #expect(
      try told(Wire.search(Self.base, mail, asked), found).told == [
        "2 entry \(Self.you) displayName=Yoü Too memberOf=\(names)", "2 done 0",
      ])
    // an attribute without a value is absent
    let nobody = DoorAnswer.found(.named("you@example.org"))
    #expect(try told(Wire.search(Self.base, mail, asked), nobody).told == ["2 entry \(Self.you)", "2 done 0"])
  }

  @Test(
    "a filter may restrict the search for a person by a group, in any spelling, and by the display name",
    arguments: [
      Wire.equal("memberOf", staff), Wire.equal("memberof", "CN=Staff, OU=Groups, DC=example,DC=org"),
      Wire.equal("memberOf", #"2.5.4.3=\73taff,organizationalUnitName=groups,\#(base)"#), Wire.present("memberOf"),
      Wire.not(Wire.equal("memberOf", "cn=other,\(groups)")), Wire.equal("displayName", "YOU  Too"),
      Wire.element(0xA4, Wire.text("displayName"), Wire.element(0x30, Wire.text("too", 0x82))),
    ])
  func restricted(part: [UInt8]) throws {
    let member = DoorAnswer.found(.named("you@example.org", groups: ["staff"], displayName: "You Too"))
    let filter = Wire.and(part, Wire.equal("mail", "you@example.org"))
    #expect(
      try told(Wire.search(Self.base, filter, ["uid"]), member)
        == (["2 entry \(Self.you) uid=you@example.org", "2 done 0"], ["find you@example.org"]))
    #expect(try told(Wire.search(Self.base, part)).told == [Self.many])
  }

  @Test(
    "a person in other groups, or in none, does not satisfy a filter for a group",
    arguments: [
      Wire.equal("memberOf", staff), Wire.equal("memberOf", "cn=staff,\(base)"), Wire.equal("memberOf", "staff"),
      Wire.not(Wire.equal("memberOf", "staff")), Wire.equal("memberOf", ""), Wire.equal("memberOf", "cn=x,\(staff)"),
    ])
  func unrestricted(part: [UInt8]) throws {
    let filter = Wire.and(part, Wire.equal("mail", "you@example.org"))
    for groups in [["other"], []] {
      let found = DoorAnswer.found(.named("you@example.org", groups: groups))
      #expect(try told(Wire.search(Self.base, filter), found).told == ["2 done 0"])
    }
  }

  @Test("members are read only if their values are asked for")
  func selection() throws {
    let name = Wire.equal("cn", "staff")
    for attributes in [[], ["*"], ["member"], ["2.5.4.31", "cn"]] {
      #expect(try told(Wire.search(Self.base, name, attributes)).asked == ["groups staff||1000"])
    }
    for attributes in [["1.1"], ["cn"], ["+"], ["memberOf", "objectClass"]] {
      #expect(try told(Wire.search(Self.base, name, attributes)).asked == ["groups staff||0"])
    }
    #expect(
      try told(Wire.search(Self.base, name, isTypesOnly: true), Self.found(["staff": []]))
        == (["2 entry \(Self.staff) objectClass= cn= member=", "2 done 0"], ["groups staff||0"]))
  }

  @Test("a search ends with 4 if there are more members than a response lists, or more entries than it may have")
  func limits() throws {
    let cut = Self.found(["staff": ["you@example.org", "me@example.org"]], isCut: true)
    #expect(try told(Wire.search(Self.base, Wire.equal("cn", "staff")), cut).told == [Self.entry, Self.cut])
    #expect(try told(Wire.search(Self.staff, scope: 0, Wire.and()), cut).told == [Self.entry, Self.cut])
    let two = Self.found(["a": [], "staff": []], member: .named("you@example.org", groups: ["a", "staff"]))
    func search(_ most: UInt8) -> [UInt8] {
      Wire.search(Self.base, Wire.equal("member", Self.you), ["1.1"], most: most)
    }
    let entries = ["2 entry cn=a,\(Self.groups)", "2 entry \(Self.staff)"]
    #expect(try told(search(1), two).told == [entries[0], Self.cut])
    #expect(try told(search(2), two).told == entries + ["2 done 0"])
    #expect(try told(search(0xFF), two).told == entries + ["2 done 0"])
  }

  @Test("everybody sees the entry above the groups, and it is not a group")
  func containers() throws {
    var stage = LDAPStage()
    #expect(
      try stage.send(Wire.search(Self.groups, scope: 0, Wire.present("objectClass"))) == [Self.container, "2 done 0"])
    for (base, scope) in [(Self.groups, 2), (Self.base, 1), (Self.base, 2), (Self.base, 3)] as [(String, UInt8)] {
      for filter in [Wire.equal("ou", "Groups"), Wire.equal("objectClass", "organizationalUnit")] {
        #expect(try stage.send(Wire.search(base, scope: scope, filter)) == [Self.container, "2 done 0"])
      }
    }
    #expect(try stage.send(Wire.search(Self.groups, scope: 1, Wire.equal("ou", "groups"))) == ["2 done 0"])
    #expect(try stage.send(Wire.search(Self.groups, scope: 0, Wire.equal("cn", "groups"))) == ["2 done 0"])
    #expect(stage.asked.isEmpty)
    let filter = Wire.or(Wire.equal("cn", "staff"), Wire.present("ou"))
    #expect(try told(Wire.search(Self.base, filter)).told == [Self.container, Self.entry, "2 done 0"])
  }

  @Test("without a base, the names of groups end with that of the entry above them")
  func noBase() throws {
    var stage = LDAPStage(domain: "", mayAlwaysSearch: true)
    let found = Self.found(["staff": ["you@example.org"]])
    #expect(
      try stage.send(Wire.search("cn=staff,ou=groups", scope: 0, Wire.and()), found) == [
        "2 entry cn=staff,ou=groups objectClass=top|groupOfNames cn=staff member=mail=you@example.org", "2 done 0",
      ])
  }
}
