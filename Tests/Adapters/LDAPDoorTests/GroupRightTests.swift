import Doors
import Reasons
import Registration
import Testing

@testable import LDAPDoor

@Suite("Rights to see groups in the LDAP directory")
struct GroupRightTests {
  private static let base = "dc=example,dc=org"
  private static let groups = "ou=groups,\(base)"
  private static let staff = "cn=staff,\(groups)"
  private static let you = "mail=you@example.org,\(base)"
  private static let me = "mail=me@example.org,\(base)"
  private static let own = "2 entry \(staff) objectClass=top|groupOfNames cn=staff member=\(you)"

  private static func account(_ groups: String...) -> DoorAnswer { .found(.named("you@example.org", groups: groups)) }

  /// An answer with the group `staff`.
  private static func found(_ members: [String] = [], member: DoorAccount? = nil) -> DoorAnswer {
    let names = ["staff"].compactMap { GroupName($0) }
    return .groups(DoorGroups(names.map { DoorGroup($0, members: members) }, member: member))
  }

  private static let searches: [(search: [UInt8], nothing: String)] = [
    (Wire.search(staff, scope: 0, Wire.present("objectClass")), "32"), (Wire.search(staff, Wire.and()), "32"),
    (Wire.search(base, Wire.equal("cn", "staff")), "0"), (Wire.search(groups, Wire.equal("cn", "staff")), "0"),
    (Wire.search(base, Wire.equal("member", you)), "0"),
    (Wire.search(groups, Wire.and(Wire.equal("cn", "staff"), Wire.equal("member", you))), "0"),
  ]

  @Test("to an anonymous caller no group exists", arguments: searches.indices)
  func anonymous(_ index: Int) throws {
    let (search, nothing) = Self.searches[index]
    var stage = LDAPStage()
    #expect(try stage.send(search, Self.found(["you@example.org"])) == ["2 done \(nothing)"])
    #expect(try stage.send(Wire.compare(Self.staff, "member", Self.you)) == ["4 compare 32"])
    #expect(stage.asked.isEmpty)
  }

  @Test(
    "an account sees the groups that it is in at that moment, with itself as the only member",
    arguments: searches.indices)
  func ownGroups(_ index: Int) throws {
    let (search, nothing) = Self.searches[index]
    var stage = try LDAPStage.bound()
    #expect(try stage.send(search, Self.account("staff")) == [Self.own, "2 done 0"])
    #expect(stage.asked.last == "check you@example.org")
    // the account has left the group, and remains bound
    #expect(try stage.send(search, Self.account()) == ["2 done \(nothing)"])
    #expect(try stage.send(search, Self.account("staff")) == [Self.own, "2 done 0"])
    #expect(try stage.send(search, .away(reason: .storeUnavailable)) == ["2 done 52 store.unavailable"])
    #expect(try stage.send(search, .ended) == ["2 done 53 the bind is no longer valid; bind again"])
    #expect(try stage.send(search, Self.account("staff")) == ["2 done \(nothing)"])
  }

  @Test("an account finds all its groups by itself as a member, and none by another member")
  func byMember() throws {
    var stage = try LDAPStage.bound()
    let names = ["cn=a,\(Self.groups)", Self.staff].map { "2 entry \($0)" }
    let mine = Wire.search(Self.groups, Wire.equal("member", "uid=you,\(Self.base)"), ["1.1"])
    #expect(try stage.send(mine, Self.account("staff", "a")) == names + ["2 done 0"])
    let asked = stage.asked.count
    let another = Wire.search(Self.base, Wire.equal("member", Self.me))
    #expect(try stage.send(another, Self.account("staff")) == ["2 done 0"])
    #expect(stage.asked.count == asked)
    let both = Wire.and(Wire.equal("cn", "staff"), Wire.equal("member", Self.me))
    #expect(try stage.send(Wire.search(Self.base, both), Self.account("staff")) == ["2 done 0"])
  }

  @Test("a caller of the socket and a searcher see all groups, but a searcher only until its bind ends")
  func everybody() throws {
    let search = Wire.search(Self.groups, Wire.equal("cn", "staff"), ["member"])
    let answer = Self.found(["me@example.org"])
    let told = ["2 entry \(Self.staff) member=\(Self.me)", "2 done 0"]
    var stage = LDAPStage(mayAlwaysSearch: true)
    #expect(try stage.send(search, answer) == told)
    #expect(stage.asked == ["groups staff||1000"])
    stage = try LDAPStage.bound(as: "reader@example.org", searchers: ["reader@example.org"])
    #expect(try stage.send(search, answer) == told)
    #expect(stage.asked.last == "groups staff||1000 for reader@example.org")
    #expect(try stage.send(search, .away(reason: .busy)) == ["2 done 51 server.busy"])
    #expect(try stage.send(search, .ended) == ["2 done 53 the bind is no longer valid; bind again"])
    #expect(try stage.send(search, answer) == ["2 done 0"])
  }

  @Test("a comparison with a group tells whether a person is a member, and needs the right to see the group")
  func comparisons() throws {
    var stage = LDAPStage(mayAlwaysSearch: true)
    let member = Self.found(member: .named("you@example.org", groups: ["staff"]))
    let other = Self.found(member: .named("you@example.org", groups: ["a"]))
    let isMember = Wire.compare("CN=Staff,\(Self.groups)", "member", "UID=You,\(Self.base)")
    #expect(try stage.send(isMember, .groups(DoorGroups())) == ["4 compare 32"])
    #expect(try stage.send(isMember, Self.found()) == ["4 compare 5"])
    #expect(try stage.send(isMember, other) == ["4 compare 5"])
    #expect(try stage.send(isMember, member) == ["4 compare 6"])
    #expect(try stage.send(isMember, .away(reason: .busy)) == ["4 compare 51 server.busy"])
    #expect(stage.asked.last == "groups staff|you@example.org|0")
    for (type, value, code) in [
      ("member", "no name", 5), ("member", Self.staff, 5), ("cn", "STAFF", 6), ("cn", "a", 5),
      ("objectClass", "groupofnames", 6), ("mail", "staff", 16), ("description", "staff", 16),
    ] {
      #expect(try stage.send(Wire.compare(Self.staff, type, value), Self.found()) == ["4 compare \(code)"])
      #expect(stage.asked.last == "groups staff||0")
    }
    stage = try LDAPStage.bound()
    #expect(try stage.send(isMember, Self.account("staff")) == ["4 compare 6"])
    #expect(try stage.send(isMember, Self.account("a")) == ["4 compare 32"])
    let another = Wire.compare(Self.staff, "member", Self.me)
    #expect(try stage.send(another, Self.account("staff")) == ["4 compare 5"])
    #expect(try stage.send(another, Self.account()) == ["4 compare 32"])
  }

  @Test("a comparison with a person's groups or display name is true, false or of something missing")
  func persons() throws {
    var stage = try LDAPStage.bound()
    let account = DoorAnswer.found(.named("you@example.org", groups: ["staff"], displayName: "You Too"))
    for (type, value, code) in [
      ("memberOf", "cn=a,\(Self.groups)", 5), ("memberOf", "no name", 5), ("memberOf", "CN=Staff,\(Self.groups)", 6),
      ("displayName", "you", 5), ("displayName", "you too", 6), ("member", Self.you, 16),
    ] {
      #expect(try stage.send(Wire.compare(Self.you, type, value), account) == ["4 compare \(code)"])
    }
    #expect(try stage.send(Wire.compare(Self.you, "memberOf", Self.staff), Self.account()) == ["4 compare 16"])
    #expect(try stage.send(Wire.compare(Self.you, "displayName", ""), Self.account()) == ["4 compare 16"])
    let asked = stage.asked.count
    #expect(try stage.send(Wire.compare(Self.groups, "ou", "GROUPS")) == ["4 compare 6"])
    #expect(try stage.send(Wire.compare(Self.groups, "member", Self.you)) == ["4 compare 16"])
    #expect(try stage.send(Wire.compare(Self.base, "ou", "groups")) == ["4 compare 32"])
    #expect(stage.asked.count == asked)
  }
}
