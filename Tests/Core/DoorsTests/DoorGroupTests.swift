import AddressNormalization
import JSONRPC
import Methods
import Reasons
import Registration
import Synchronization
import TestDoubles
import Testing
import WireProtocols

@testable import Doors

@Suite("Look-ups of groups at doors")
struct DoorGroupTests {
  private static let caller = Peer(uid: 7, gid: 7, pid: 9)

  private static func names(_ texts: [String]) -> [GroupName] { texts.compactMap { GroupName($0) } }

  /// Accounts in the order of their ids.
  private static func accounts(
    _ addresses: [String], in groups: [String], state: Account.State = .active
  ) -> [StoredAccount] {
    addresses.enumerated().map { index, address in
      let time = Timestamp(microseconds: 1_000_000_000 + 1000 * Int64(index))
      var stored = Fixtures.account(address, state: state, time: time)
      stored.account.groups = Groups(names(groups)) ?? .none
      return stored
    }
  }

  private static func addresses(_ prefix: String, _ count: Int) -> [String] {
    (0..<count).map { "\(prefix)\($0)@example.org" }
  }

  private static func service(
    _ stage: LoginServiceStage, _ store: any StoreUnderTest, _ terms: DoorTerms = DoorTerms()
  ) -> LoginService {
    let administrator = Administrator(
      store: store.accounts, hasher: stage.hasher, hashes: PlainHasher(), time: FixedTime(), forgive: { _ in },
      registrar: stage.registrar)
    let context = DoorContext(
      door: "directory", terms: terms, counts: DoorCounts(), registrar: stage.registrar,
      administrator: administrator, normalizer: UnicodeNormalizer(), refused: { _ in },
      methods: JSONRPCMethods(Dispatcher(table: MethodTable([]), limits: Limits())))
    return LoginService(context, memory: .zero)
  }

  private static func ask(
    _ service: LoginService, _ name: String? = nil, of member: String? = nil, most: Int = 0, asker: DoorAccount? = nil
  ) async -> DoorAnswer {
    let query = GroupQuery(
      name: name.flatMap { GroupName($0) }, member: member.map { Array($0.utf8) }, mostMembers: most)
    return await service.answer(.groups(query, asker: asker), by: caller)
  }

  private static func group(_ name: String, _ members: [String] = []) -> [DoorGroup] {
    names([name]).map { DoorGroup($0, members: members) }
  }

  @Test("a login service reads one member to find out whether a group exists, and none for the groups of an account")
  func existence() async throws {
    let stage = await LoginServiceStage()
    let counter = ReadAccounts()
    let service = Self.service(stage, stage.store.accounts.with(counter))
    #expect(await Self.ask(service, "staff") == .groups(DoorGroups()))
    let members = Self.accounts(Self.addresses("a", 3), in: ["staff"], state: .disabled)
    _ = try await stage.store.importing(members, Stamp(Fixtures.time))
    #expect(counter.count == 0)
    #expect(await Self.ask(service, "staff") == .groups(DoorGroups(Self.group("staff"))))
    #expect(counter.count == 1)
    let member = DoorAccount(members[0].account)
    #expect(
      await Self.ask(service, of: "A0@example.org")
        == .groups(DoorGroups(Self.group("staff"), member: member)))
    #expect(await Self.ask(service, of: "b@example.org") == .groups(DoorGroups()))
    #expect(counter.count == 1)
    // a group's name and a member: the answer tells both
    #expect(
      await Self.ask(service, "staff", of: "a0@example.org")
        == .groups(DoorGroups(Self.group("staff"), member: member)))
    #expect(await Self.ask(service, "other", of: "a0@example.org") == .groups(DoorGroups(member: member)))
  }

  @Test("a login service reads at most one member more than asked for, of all groups together")
  func bound() async throws {
    let stage = await LoginServiceStage()
    let (first, second) = (Self.addresses("a", 6), Self.addresses("b", 5))
    _ = try await stage.store.importing(Self.accounts(first, in: ["g1", "g2"]), Stamp(Fixtures.time))
    _ = try await stage.store.importing(Self.accounts(second, in: ["g2", "g3"]), Stamp(Fixtures.time))
    let counter = ReadAccounts()
    let service = Self.service(stage, stage.store.accounts.with(counter))
    func ask(_ name: String? = nil, of member: String? = nil, most: Int) async -> (DoorGroups?, read: Int) {
      let before = counter.count
      guard case .groups(let groups) = await Self.ask(service, name, of: member, most: most) else { return (nil, 0) }
      return (groups, counter.count - before)
    }
    var (found, read) = await ask("g1", most: 6)
    #expect(found == DoorGroups(Self.group("g1", first)) && read == 6)
    (found, read) = await ask("g1", most: 5)
    #expect(found == DoorGroups(Self.group("g1", Array(first.prefix(5))), isCut: true) && read == 6)
    // g1 has 6 members, and g2 has 11
    (found, read) = await ask(of: "a0@example.org", most: 10)
    #expect(found?.groups.map(\.members.count) == [6, 4] && found?.isCut == true && read == 11)
    (found, read) = await ask(of: "a0@example.org", most: 6)
    #expect(found?.groups == Self.group("g1", first) && found?.isCut == true && read == 7)
    (found, read) = await ask(of: "a0@example.org", most: 17)
    #expect(found?.groups.map(\.members.count) == [6, 11] && found?.isCut == false && read == 17)
  }

  @Test("a door with domains lists only members of these domains")
  func domains() async throws {
    let stage = await LoginServiceStage()
    let members = ["a@example.org", "b@example.com", "c@example.org"]
    _ = try await stage.store.importing(Self.accounts(members, in: ["staff"]), Stamp(Fixtures.time))
    let service = Self.service(stage, stage.store.accounts, DoorTerms(domains: ["example.org"]))
    let listed = DoorGroups(Self.group("staff", ["a@example.org", "c@example.org"]))
    #expect(await Self.ask(service, "staff", most: 9) == .groups(listed))
    #expect(await Self.ask(service, of: "b@example.com", most: 9) == .groups(DoorGroups()))
  }

  @Test("a group without members does not exist, and a change of groups applies to the next look-up")
  func changes() async throws {
    let stage = await LoginServiceStage()
    let service = Self.service(stage, stage.store.accounts)
    let you = AccountReference.email("you@example.org")
    func groups() async -> [String] {
      guard case .groups(let found) = await Self.ask(service, of: "you@example.org") else { return ["no answer"] }
      return found.groups.map(\.name.description)
    }
    _ = await stage.administrator.changeGroups(you, adding: Self.names(["staff", "admins"]), by: nil)
    #expect(await groups() == ["admins", "staff"])
    #expect(await Self.ask(service, "staff", most: 9) == .groups(DoorGroups(Self.group("staff", ["you@example.org"]))))
    _ = await stage.administrator.changeGroups(you, removing: Self.names(["staff"]), by: nil)
    #expect(await groups() == ["admins"])
    #expect(await Self.ask(service, "staff", most: 9) == .groups(DoorGroups()))
    #expect(await Self.ask(service, "staff") == .groups(DoorGroups()))
  }

  @Test("a look-up of groups gets `ended` after its asker's sign-in has ended, and `away` if the store is unavailable")
  func refused() async throws {
    let stage = await LoginServiceStage()
    let service = Self.service(stage, stage.store.accounts)
    let asker = DoorAccount(try #require(await stage.account))
    #expect(await Self.ask(service, "staff", asker: asker) == .groups(DoorGroups()))
    // other groups end no sign-in
    _ = await stage.administrator.changeGroups(.id(asker.id), adding: Self.names(["staff"]), by: nil)
    #expect(await Self.ask(service, "staff", asker: asker) == .groups(DoorGroups(Self.group("staff"))))
    let away = DoorAnswer.away(reason: .storeUnavailable)
    for call in 1...3 {
      let faulty = FaultyStore(stage.store, failing: call, with: .unavailable(detail: "gone"))
      let answer = await Self.ask(
        Self.service(stage, faulty), "staff", of: "you@example.org", most: 9, asker: asker)
      #expect(answer == away, "call \(call)")
      #expect(faulty.shares.isSubset(of: [Share(uid: 7)]))
    }
    _ = await stage.administrator.signOut(.id(asker.id), by: nil)
    #expect(await Self.ask(service, "staff", asker: asker) == .ended)
  }

  @Test("a look-up of groups reads in the share of its caller")
  func share() async {
    let stage = await LoginServiceStage()
    let store = FaultyStore(stage.store, failing: 0)
    _ = await Self.ask(Self.service(stage, store.accounts), "staff", of: "you@example.org", most: 9)
    #expect(store.shares == [Share(uid: 7)])
  }
}

/// Counts the accounts in lists.
private final class ReadAccounts: StoreHook {
  private let read = Atomic<Int>(0)

  var count: Int { read.load(ordering: .relaxed) }

  func around<Value: Sendable>(
    _ call: StoreCall, _ proceed: () async throws(StoreFailure) -> Value
  ) async throws(StoreFailure) -> Value {
    let value = try await proceed()
    if let accounts = value as? [StoredAccount] { read.wrappingAdd(accounts.count, ordering: .relaxed) }
    return value
  }
}
