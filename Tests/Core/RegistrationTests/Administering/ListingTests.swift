import StoreConformance
import Synchronization
import TestDoubles
import Testing

@testable import Registration

/// Lists that search or count. A page does bounded work, and the next page continues.
@Suite("Lists for administrators", .timeLimit(.minutes(5)))
struct ListingTests {
  private let reads = CountedReads()
  private let store: Accounts

  init() { store = Accounts(MemoryStore(), hooks: [reads]) }

  private var administrator: Administrator { Regd(store, StagedNetwork()).administrator }

  private func name(_ group: String) throws -> GroupName { try #require(GroupName(group)) }

  /// Adds accounts in a group. Their ids come after those of all accounts that were added at an earlier second.
  private func add(_ count: Int, _ state: Account.State, in group: String, at second: Int) async throws {
    let groups = Groups([try name(group)]) ?? .none
    let accounts = (0..<count).map { number in
      var stored = Fixtures.account(
        "\(second)-\(number)@example.com", state: state, time: Fixtures.time.advanced(by: .seconds(second)))
      stored.account.groups = groups
      return stored
    }
    _ = try await store.importing(accounts, Stamp(Fixtures.time))
  }

  /// The accounts on each page of a list.
  private func pages(
    _ group: GroupName?, _ state: Account.State?, limit: Int = 1000
  ) async throws -> [[StoredAccount]] {
    var (pages, after): ([[StoredAccount]], AccountID?) = ([], nil)
    while true {
      let page =
        if let group { try await administrator.members(of: group, state, after: after, limit: limit) } else {
          try await administrator.list(state, after: after, limit: limit)
        }
      pages.append(page.elements)
      guard page.hasMore else { return pages }
      after = try #require(page.end ?? page.elements.last?.account.id)
    }
  }

  @Test("a search that finds nothing among very many accounts ends its page, and the next page continues")
  func searched() async throws {
    try await add(PageBounds.searched + 500, .disabled, in: "large", at: 0)
    try await add(3, .active, in: "large", at: 1)
    try await add(1500, .active, in: "other", at: 2)
    try await add(2, .disabled, in: "other", at: 3)
    let (large, other) = (try name("large"), try name("other"))
    for (group, state, count) in [
      (nil, .active, 1503), (large, .active, 3), (other, .disabled, 2), (other, .active, 1500), (other, .waiting, 0),
      (nil, .waiting, 0), (nil, nil, PageBounds.searched + 2005),
    ] as [(GroupName?, Account.State?, Int)] {
      let what = "\(state?.rawValue ?? "all") in \(group?.description ?? "all")"
      _ = reads.take()
      let found = try await pages(group, state)
      let sizes = reads.take()
      #expect(found.joined().count == count && Set(found.joined().map(\.account.id)).count == count, "\(what)")
      #expect(found.joined().allSatisfy { state == nil || $0.account.state == state }, "\(what)")
      #expect(found.joined().allSatisfy { group == nil || $0.account.groups.names == [group] }, "\(what)")
      #expect(sizes.allSatisfy { $0 <= PageBounds.piece + 1 }, "\(what): \(sizes)")
      #expect(sizes.reduce(0, +) <= found.count * (PageBounds.searched + 2 * PageBounds.piece), "\(what): \(sizes)")
    }
    #expect(try await pages(large, .active).first?.isEmpty == true, "the first page of the search")
  }

  @Test("few accounts of a large group, and a small group, are found on one page, whatever their state")
  func found() async throws {
    try await add(PageBounds.searched + 500, .disabled, in: "large", at: 0)
    try await add(2, .waiting, in: "large", at: 1)
    try await add(2, .disabled, in: "small", at: 2)
    #expect(try await pages(name("large"), .waiting).map(\.count) == [2])
    #expect(try await pages(name("small"), .disabled).map(\.count) == [2])
    #expect(try await pages(name("small"), .disabled, limit: 1).map(\.count) == [1, 1])
    #expect(try await pages(name("large"), .waiting, limit: 1).map(\.count) == [1, 1])
    #expect(try await pages(name("small"), nil, limit: 1).map(\.count) == [1, 1])
  }

  @Test("the store counts the uses of few invitations at a time, and the page ends after very many uses")
  func invitations() async throws {
    for number in 0..<25 { try await store.invite(InvitationScene.invitation(uses: 9, at: number)) }
    for (uses, counts) in [(0, [25]), (PageBounds.counted / 15, [20, 5]), (PageBounds.counted, [10, 10, 5])] {
      reads.uses.withLock { $0 = uses }
      _ = reads.take()
      var (pages, after): ([Int], InvitationID?) = ([], nil)
      repeat {
        let page = try await administrator.invitations(after: after, limit: 100)
        pages.append(page.elements.count)
        after = page.hasMore ? page.elements.last?.invitation.id : nil
      } while after != nil
      #expect(pages == counts, "\(uses)")
      #expect(reads.take().allSatisfy { $0 <= 10 }, "\(uses)")
    }
    #expect(try await administrator.invitations(after: nil, limit: 3).elements.count == 3)
    #expect(reads.take() == [4])
  }
}

/// Notes how many elements each read returns, and can pretend that invitations are used.
private final class CountedReads: StoreHook {
  /// The uses that accounts have of each invitation in a list.
  let uses = Mutex(0)
  private let sizes = Mutex<[Int]>([])

  /// The sizes of the reads since the last call.
  func take() -> [Int] {
    sizes.withLock { sizes in
      defer { sizes = [] }
      return sizes
    }
  }

  func around<Value: Sendable>(
    _ call: StoreCall, _ proceed: () async throws(StoreFailure) -> Value
  ) async throws(StoreFailure) -> Value {
    let value = try await proceed()
    guard !call.operation.isChange, let read = value as? [Any] else { return value }
    sizes.withLock { $0.append(read.count) }
    guard let counted = value as? [CountedInvitation] else { return value }
    let used = uses.withLock { $0 }
    return counted.map { CountedInvitation($0.invitation, used: used, held: 0) } as? Value ?? value
  }
}
