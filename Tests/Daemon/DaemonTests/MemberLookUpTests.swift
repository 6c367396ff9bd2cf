import Testing
import WireProtocols

@testable import Daemon

@Suite("Settings: look-ups of users and groups")
struct MemberLookUpTests {
  /// A machine whose directory does not work.
  private static let failing: SystemNames.LookUp = { (_: SystemNames.Name) throws(SystemNames.Missing) -> UInt32 in
    throw SystemNames.Missing.failed("Connection refused")
  }

  /// A machine that has none of the names.
  private static let empty: SystemNames.LookUp = { (_: SystemNames.Name) throws(SystemNames.Missing) -> UInt32 in
    throw SystemNames.Missing.absent
  }

  private func settings(_ yaml: String, _ machine: SystemNames) async throws(ConfigurationError) -> Settings {
    let layers = try await ConfigurationLayers(
      file: ("f.yaml", yaml), arguments: [], environment: ["HOME": "/", "REGD_SOCKET_GROUP": ""])
    var reader = SettingsReader(layers, machine: machine)
    let settings = Settings(&reader)
    try reader.finish()
    return settings
  }

  private func failure(_ yaml: String) async -> StartupFailure? {
    do throws(ConfigurationError) {
      _ = try await settings(yaml, SystemNames(Self.failing))
      return nil
    } catch {
      return StartupFailure(error)
    }
  }

  @Test("a name in access.deny that cannot be looked up prevents the start with 69, because its user could connect")
  func denied() async {
    for (deny, says) in [
      ("users: [mallory]", #"access.deny.users: the user "mallory" cannot be looked up (Connection refused)"#),
      ("groups: [fools]", #"access.deny.groups: the group "fools" cannot be looked up (Connection refused)"#),
    ] {
      let failure = await failure("access: {deny: {\(deny)}}")
      #expect(failure?.status == .unavailable && failure?.description.contains(says) == true, "\(says)")
    }
    let both = await failure("access: {deny: {users: [mallory]}}\nlimits: {depth: x}")
    #expect(both?.status == .configuration)
  }

  @Test("a socket's group that cannot be looked up prevents the start with 69")
  func socket() async {
    let failure = await failure("doors: {a: {protocol: saslauthd, path: /run/a, group: mail}}")
    #expect(failure?.status == .unavailable)
    #expect(failure?.description.contains(#"doors.a.group: the group "mail" cannot be looked up"#) == true)
  }

  @Test("numbers in access.deny need no look-up")
  func numbers() async throws {
    let yaml = "access: {deny: {uids: [7], users: [\"8\"], groups: [\"9\"]}, admin: {groups: []}}"
    let read = try await settings(yaml, SystemNames(Self.failing))
    #expect(read.access.rules.denied == .init(uids: [7, 8], gids: [9]) && read.unknownMembers.isEmpty)
  }

  @Test("elsewhere a name that cannot be looked up has no effect, and the warning says that the look-up failed")
  func others() async throws {
    let yaml = "access: {admin: {users: [ann], groups: []}, observe: {groups: [watchers]}}"
    let read = try await settings(yaml, SystemNames(Self.failing))
    #expect(read.access.rules.administrators == .init() && read.access.rules.observers == .init())
    #expect(read.unknownMembers.map(\.key) == ["access.admin.users", "access.observe.groups"])
    #expect(
      read.unknownMembers.map(\.warning) == [
        "the user ann cannot be looked up (Connection refused), so the name has no effect",
        "the group watchers cannot be looked up (Connection refused), so the name has no effect",
      ])
  }

  @Test("after a failed look-up a reload keeps the ids of the running configuration, and those of denied names anyway")
  func lastKnown() async throws {
    let known: [SystemNames.Name: UInt32] = [.user("ann"): 5, .user("mallory"): 7, .group("fools"): 9]
    let yaml = "access: {deny: {users: [mallory], groups: [fools]}, admin: {users: [ann], groups: []}}"
    let names = SystemNames(Self.failing, lastKnown: known)
    let kept = try await settings(yaml, names)
    #expect(kept.access.rules.denied == .init(uids: [7], gids: [9]))
    #expect(kept.access.rules.administrators == .init(uids: [5]))
    #expect(kept.unknownMembers.map(\.kept) == [7, 9, 5])
    #expect(names.ids == known)
    // a directory that does not answer can look like one that does not have the name
    let absent = SystemNames(Self.empty, lastKnown: known)
    let read = try await settings(yaml, absent)
    #expect(read.access.rules.denied == .init(uids: [7], gids: [9]))
    #expect(read.access.rules.administrators == .init())
    #expect(
      read.unknownMembers.map(\.warning) == [
        "there is no user mallory on this machine, so its last known id, 7, stays in force",
        "there is no group fools on this machine, so its last known id, 9, stays in force",
        "there is no user ann on this machine, so the name has no effect",
      ])
    #expect(absent.ids == [.user("mallory"): 7, .group("fools"): 9])
  }
}
