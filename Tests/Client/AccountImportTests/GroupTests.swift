import Localization
import Registration
import Testing

@testable import AccountImport

/// Groups that imported accounts get, besides those in the corpus.
@Suite("Groups of other systems", .timeLimit(.minutes(5)))
struct GroupTests {
  private static let hash = "$2b$04$F3dFOc91lvb0VxCGVmYJdeX9F7otD0D84am6E66dQRnmikfZD16Xy"

  private static func person(_ name: String, ou unit: String? = nil, _ more: String = "") -> String {
    let place = unit.map { "ou=\($0),dc=example" } ?? "dc=example"
    return "dn: uid=\(name),\(place)\nmail: \(name)@example.org\nuserPassword: {CRYPT}\(hash)\n\(more)\n"
  }

  private static func group(_ name: String, _ members: String) -> String {
    "dn: cn=\(name),dc=example\nobjectClass: groupOfNames\n\(members)\n"
  }

  /// The results of records, one line each: what passed over is "-".
  private static func extras(_ records: [(record: ForeignRecord, place: RecordPlace)]) -> [String] {
    records.map { record, _ in
      switch record {
      case .passedOver: "-"
      case .refused(let refusal, _): refusal.reason
      case .account(let account): account.email + Reading.extras(of: account)
      }
    }
  }

  private func extras(_ system: ForeignSystem, _ text: String) throws -> [String] {
    Self.extras(try Reading(system).records(Array(text.utf8)))
  }

  @Test(
    "names are equal if only their case, spaces and escapes differ",
    arguments: [
      ("uid=ann,dc=example", "UID = Ann , DC=Example", true), ("cn=a\\2cb,dc=x", "cn=a\\,b,dc=x", true),
      ("cn=a\\C3\\B6", "cn=a\u{F6}", true), ("cn=a  b", "cn= a b ", true), ("cn=a\\,b", "cn=a,b", false),
      ("uid=ann,dc=x", "uid=ann,dc=y", false), ("uid=ann", "cn=ann", false), ("uid=ann,dc=x", "uid=ann", false),
      ("cn=a\\\\", "cn=a\\5c", true), ("cn=a\\", "cn=a", true), ("", "", true),
      ("cn=a\\+1,dc=x", "cn=a\\2b1,dc=x", true),
    ])
  func names(_ one: String, _ other: String, _ areEqual: Bool) {
    #expect((DirectoryName(one).key == DirectoryName(other).key) == areEqual)
  }

  @Test(
    "a group is named by the cn at the beginning of its name",
    arguments: [
      ("cn=staff,ou=groups", "staff"), ("CN=Domain Admins,DC=x", "Domain Admins"), ("cn=a\\2cb,dc=x", "a,b"),
      ("ou=staff,cn=x", nil), ("staff", nil), ("", nil), ("cn=,dc=x", ""),
    ] as [(String, String?)])
  func commonName(_ name: String, _ common: String?) { #expect(DirectoryName(name).commonName == common) }

  @Test("a group lists members before and after their entries, and in other files")
  func anywhere() throws {
    let staff = Self.group("staff", "member: uid=ann,dc=example\nmember: uid=bob,dc=example\n")
    let choir = Self.group("choir", "member: uid=ann,dc=example\n")
    let both = try Reading(.ldif).records(
      Array((Self.person("ann") + staff).utf8), Array((Self.person("bob") + choir).utf8))
    #expect(Self.extras(both) == ["ann@example.org in choir,staff", "-", "bob@example.org in staff", "-"])
  }

  /// The members `m0`, `m1` … of a group, which do not fit into a record.
  private static let lots = RecordLimit.bytes / 50
  private static let unit = String(repeating: "n", count: 90)
  private static let members = (0..<lots).map { "member: uid=m\($0),ou=\(unit),dc=example\n" }.joined()

  @Test("a group with more members than fit into a record is read in parts")
  func large() throws {
    func member(_ number: Int) -> String { Self.person("m\(number)", ou: Self.unit) }
    let staff = Self.group("staff", Self.members)
    let found = try extras(.ldif, member(0) + staff + member(Self.lots - 1) + member(Self.lots))
    #expect(found.count > 6)
    #expect(
      found.filter { $0 != "-" } == [
        "m0@example.org in staff", "m\(Self.lots - 1)@example.org in staff", "m\(Self.lots)@example.org",
      ])
  }

  @Test(
    "what a large entry is depends on all its attributes, in any order",
    arguments: [
      ("", "objectClass: groupOfNames\n", "in staff", "-"),
      // a mailing list
      ("mail: staff@example.org\n", "objectClass: top\nobjectClass: groupOfNames\n", "in staff", "-"),
      ("objectClass: groupOfNames\nmail: staff@example.org\n", "description: x\n", "in staff", "-"),
      ("", "objectClass: group\n", "", "-"), ("objectClass: groupOfNames\n", "changetype: add\n", "", "record.invalid"),
      // a fault anywhere refuses the whole entry
      ("objectClass: groupOfNames\n", "description:: *\n", "", "record.invalid"),
      ("cn:: *\n", "objectClass: groupOfNames\n", "", "record.invalid"),
      // an account, whatever else it is
      (
        "mail: a@example.org\nobjectClass: groupOfNames\n",
        "userPassword: {CRYPT}$2b$04$F3dFOc91lvb0VxCGVmYJdeX9F7otD0D84am6E66dQRnmikfZD16Xy\n", "in staff",
        "a@example.org"
      ),
    ])
  func order(_ before: String, _ after: String, _ groups: String, _ entry: String) throws {
    let large = "dn: cn=staff,dc=example\n\(before)\(Self.members)\(after)\n"
    func member(_ number: Int) -> String { Self.person("m\(number)", ou: Self.unit) }
    let found = try extras(.ldif, member(0) + large + member(Self.lots - 1) + member(Self.lots))
    let inside = groups.isEmpty ? "" : " \(groups)"
    let (first, last) = ("m0@example.org\(inside)", "m\(Self.lots - 1)@example.org\(inside)")
    let names = [first, entry, last, "m\(Self.lots)@example.org"]
    #expect(found.filter { $0 != "-" } == names.filter { $0 != "-" }, "\(before)\(after)")
  }

  @Test("an entry with a fault keeps none of its members")
  func faulty() {
    var entry = LDIFRecords.Entry(line: 1)
    let line = Array("member: uid=ann,dc=example".utf8)
    for _ in 0..<3 { entry.add(line, wanted: [LDIFRecords.member]) }
    #expect(entry.attributes.first?.values.count == 3 && entry.sizeOfMembers == 3 * line.count)
    entry.add(Array("member:: *".utf8), wanted: [LDIFRecords.member])
    for _ in 0..<3 { entry.add(line, wanted: [LDIFRecords.member]) }
    #expect(entry.attributes.isEmpty && entry.sizeOfMembers == 0)
    guard case .failure(.malformed) = entry.record(isContinued: false).fields else {
      Issue.record("no fault")
      return
    }
  }

  @Test("an account gets up to 64 groups, however many names are not group names")
  func most() throws {
    func groups(_ names: [String]) -> String { names.map { Self.group($0, "member: uid=a,dc=example\n") }.joined() }
    let (good, bad) = ((1...64).map { "g\($0)" }, (1...500).map { "Not \($0)" })
    let found = try extras(.ldif, Self.person("a") + groups(bad + good + good)).filter { $0 != "-" }
    let account = try #require(found.first)
    #expect(found.count == 1 && account.hasPrefix("a@example.org in g1,g10,g11,") && account.contains(" not in Not 1,"))
    #expect(account.split(separator: " ")[2].split(separator: ",").count == 64)
    let more = try extras(.ldif, Self.person("a") + groups(bad + good + ["g65"])).filter { $0 != "-" }
    #expect(more == ["groups.invalid"])
  }

  @Test("an entry with a password is an account even if it is a group, and an entry of a change is neither")
  func odd() throws {
    let both = Self.person("a", "objectClass: groupOfNames\nmember: uid=a,dc=example\n")
    #expect(try extras(.ldif, both) == ["a@example.org not in uid=a,dc=example"])
    let change = "dn: cn=staff,dc=example\nchangetype: add\nobjectClass: groupOfNames\nmember: uid=a,dc=example\n\n"
    #expect(try extras(.ldif, change + Self.person("a")) == ["record.invalid", "a@example.org"])
  }

  @Test("a message names what is left out, shortened, and at most ten names")
  func sentences() throws {
    let long = LeftOutGroups(of: [String(repeating: "X", count: 500)])
    let text = long.sentences.map(\.english).joined()
    #expect(text.count < 300)
    let many = LeftOutGroups(of: ["good"] + (1...12).map { "Not \($0)" }, missing: ["7"]).sentences.map(\.english)
    let names = (1...10).map { "\"Not \($0)\"" }.joined(separator: ", ")
    #expect(many.count == 2)
    #expect(many.first?.hasPrefix("The account is imported without \(names), …. A group name has 1 to 32 ") == true)
    #expect(many.last?.hasPrefix("The account is imported without the groups \"7\", because no file ") == true)
    #expect(LeftOutGroups(of: ["good"]).isEmpty && LeftOutGroups(of: ["good"]).sentences.isEmpty)
  }
}
