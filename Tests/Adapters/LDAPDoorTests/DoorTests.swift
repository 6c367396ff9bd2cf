import Doors
import Registration
import Testing
import WireProtocols

@testable import LDAPDoor

struct DoorTests {
  /// A configuration of strings and lists.
  private struct Keys: DoorKeys {
    var texts: [String: String] = [:]
    var lists: [String: [String]] = [:]
    var refused: [String] = []

    mutating func string(_ key: String, default value: String) -> String { texts[key] ?? value }
    mutating func secret(_ key: String, default value: String) -> String { value }
    mutating func pathText(_ key: String, default value: String) -> String { value }
    mutating func path(_ key: String, default value: String) -> String { value }
    mutating func optionalPath(_ key: String) -> String { "" }
    mutating func integer(_ key: String, default value: Int, _ range: ClosedRange<Int>) -> Int { value }
    mutating func seconds(_ key: String, default value: Duration, _ range: ClosedRange<Duration>) -> Duration { value }
    mutating func flag(_ key: String, default value: Bool) -> Bool { value }
    mutating func list(_ key: String, default value: [String]) -> [String] { lists[key] ?? value }
    mutating func refuse(_ key: String, _ message: String) { refused.append("\(key) \(message)") }
    mutating func members(_ section: String) -> AccessRules.Members? { nil }
    func isOverridden(_ key: String) -> Bool { false }
  }

  private func read(_ base: String? = nil, searchers: [String]? = nil, domain: String = "") -> (LDAPDoor, [String]) {
    var keys = Keys()
    keys.texts["doors.d.base"] = base
    keys.lists["doors.d.searchers"] = searchers
    let door = LDAPDoor(&keys, at: "doors.d", DoorTerms(domain: domain))
    return (door, keys.refused)
  }

  @Test("an invalid base or searcher is refused with its key")
  func refused() {
    #expect(read("example.org").1 == ["doors.d.base must be a DN such as dc=example,dc=org"])
    #expect(
      read(searchers: ["reader@example.org", "reader"]).1 == [
        "doors.d.searchers must be addresses, but \"reader\" has no @"
      ])
  }

  @Test("the base defaults to the domain's, and the configuration can set another one")
  func bases() {
    #expect(read(domain: "mail.example.org").0.directory?.baseText == "dc=mail,dc=example,dc=org")
    #expect(read("o=Us", domain: "example.org").0.directory?.baseText == "o=Us")
    let (door, refused) = read()
    #expect(door.directory == Directory() && refused.isEmpty)
    #expect(door.tellsAddresses && LDAPDoor.listensOnLoopback && LDAPDoor.name == "ldap")
  }

  @Test("doors are equal only if their keys are equal")
  func equal() {
    #expect(read(domain: "example.org").0 == read(domain: "example.org").0)
    #expect(read(domain: "example.org").0 != read(domain: "example.net").0)
    #expect(read(searchers: ["reader@example.org"]).0 != read().0)
  }
}
