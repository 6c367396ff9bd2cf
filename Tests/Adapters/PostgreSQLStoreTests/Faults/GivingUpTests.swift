import AsyncPrimitives
import RegdProcesses
import Registration
import StoreModels
import TestDoubles
import TestKit
import Testing

@testable import PostgreSQLStore

@Suite(
  "Cancelled requests in PostgreSQL",
  .enabled(if: PostgreSQL.isHere, "PostgreSQL's programs are not here: make deps"), .timeLimit(.minutes(10)))
struct GivingUpTests {
  /// A store behind a proxy, with connected sessions.
  private func withProxied(
    answers: Duration = .seconds(20), _ body: (ProxiedDatabase, PostgreSQLStore) async throws -> Void
  ) async throws {
    try await withDatabase { database in
      let proxied = try ProxiedDatabase(database)
      var settings = proxied.settings
      (settings.answerLimit, settings.connectLimit) = (answers, .seconds(20))
      let store = try await openedAsStore(settings)
      _ = try await store.insert(Self.first)
      _ = try await store.find(Self.first.account.id)
      try await body(proxied, store)
      await store.close()
    }
  }

  private static let first = Fixtures.account("first@example.com")

  /// Runs `body`, swallows the first matching message on its way to the server, and then cancels `body`.
  private func cancelled(
    _ proxied: ProxiedDatabase, at isMeant: @escaping @Sendable (FrontendMessage) -> Bool,
    _ body: @escaping @Sendable () async throws(StoreFailure) -> Void
  ) async -> StoreFailure? {
    let (left, swallowed) = (FaultsLeft(1), Promise<Void>())
    proxied.proxy.decide { message in
      guard isMeant(message), left.take() else { return .forward }
      swallowed.fulfill(())
      return .swallow
    }
    let task = Task { await failure(body) }
    await swallowed.value()
    task.cancel()
    return await task.value
  }

  @Test("a cancelled look-up ends at once, and a later look-up succeeds")
  func reading() async throws {
    try await withProxied { proxied, store in
      let outcome = await cancelled(proxied, at: { $0.statement.contains("WHERE email_key = $1") }) {
        () async throws(StoreFailure) in _ = try await store.find(EmailKey("first@example.com"))
      }
      #expect(outcome == .cancelled)
      let found = try await store.find(EmailKey("first@example.com"))
      #expect(found == Self.first)
    }
  }

  @Test("a change that is cancelled before its COMMIT ends at once and has no effect")
  func changing() async throws {
    try await withProxied { proxied, store in
      let account = Fixtures.account("second@example.com")
      let outcome = await cancelled(proxied, at: { $0.statement.contains("INSERT INTO account") }) {
        () async throws(StoreFailure) in _ = try await store.insert(account)
      }
      #expect(outcome == .cancelled)
      let found = try await store.find(account.account.id)
      #expect(found == nil)
      #expect(try await store.insert(account) == .inserted)
      #expect(try await store.audit(after: 0, limit: 9).count == 2)
    }
  }

  @Test("a change that is cancelled during its COMMIT is in doubt, and the next change settles it")
  func coordinator() async throws {
    try await withProxied { proxied, store in
      let account = Fixtures.account("second@example.com")
      let outcome = await cancelled(proxied, at: { $0.commits }) {
        () async throws(StoreFailure) in _ = try await store.insert(account)
      }
      #expect(outcome?.isUnknown == true, "\(String(describing: outcome))")
      let again = try await store.insert(account)
      #expect(again == .inserted)
      #expect(try await store.audit(after: 0, limit: 9).count == 2)
    }
  }

  @Test("a change that must be made even after a cancellation waits for its answer")
  func late() async throws {
    try await withProxied(answers: .seconds(2)) { proxied, store in
      let stored = Self.first
      let outcome = await cancelled(proxied, at: { $0.statement.contains("UPDATE account") }) {
        () async throws(StoreFailure) in
        _ = try await store.replaceHash(
          of: stored.account.id, from: stored.passwordHash, to: PasswordHash(phc: "new"), at: Fixtures.time)
      }
      #expect(outcome?.isUnavailable == true, "\(String(describing: outcome))")
    }
  }

  @Test("a cancelled connect ends at once and does not mark the server as unreachable")
  func connecting() async throws {
    try await withProxied { proxied, store in
      await proxied.proxy.swallow()
      let task = Task { () async -> ServerFailure? in
        withUnsafeCurrentTask { $0?.cancel() }
        do throws(ServerFailure) { _ = try store.connector.connect(evenIfLate: false) } catch { return error }
        return nil
      }
      #expect(await task.value == .cancelled)
      await proxied.proxy.pass()
      _ = try store.connector.connect()
    }
  }
}

@Suite("The queue of callers that settle changes in doubt", .timeLimit(.minutes(10)))
struct SettleQueueTests {
  /// A caller that settles: whether its own turn has begun, and its end.
  private final class Caller: Sendable {
    let begins = Promise<Void>()
    let ends = Promise<StoreFailure?>()

    func run(_ waits: SettleQueue) -> Task<StoreFailure?, Never> {
      Task {
        await failure { () async throws(StoreFailure) in
          try await waits.turn(of: Share(uid: 1), evenIfLate: false) { () async throws(StoreFailure) in
            self.begins.fulfill(())
            if let failure = await self.ends.value(onCancel: { self.ends.fulfill(.cancelled) }) { throw failure }
          }
        }
      }
    }
  }

  /// Lets the first caller wait, and the others wait for it in this order.
  private func queue(_ waits: SettleQueue, _ callers: [Caller]) async throws -> [Task<StoreFailure?, Never>] {
    var tasks: [Task<StoreFailure?, Never>] = []
    for (index, caller) in callers.enumerated() {
      tasks.append(caller.run(waits))
      if index == 0 { await caller.begins.value() }
      while waits.waiting < index { try await letOthersWork() }
    }
    return tasks
  }

  @Test("if the caller that waits on behalf of others is cancelled, one of the others waits instead")
  func leader() async throws {
    let (waits, callers) = (SettleQueue(), (0..<3).map { _ in Caller() })
    let tasks = try await queue(waits, callers)
    callers[0].ends.fulfill(nil)
    #expect(await tasks[0].value == nil)
    // the second caller now waits for both
    await callers[1].begins.value()
    tasks[1].cancel()
    #expect(await tasks[1].value == .cancelled)
    await callers[2].begins.value()
    callers[2].ends.fulfill(nil)
    #expect(await tasks[2].value == nil)
  }

  @Test("a caller on whose behalf another one waits may be cancelled, and the others get the result of the wait")
  func follower() async throws {
    let (waits, callers) = (SettleQueue(), (0..<4).map { _ in Caller() })
    let tasks = try await queue(waits, callers)
    callers[0].ends.fulfill(nil)
    await callers[1].begins.value()
    tasks[2].cancel()
    #expect(await tasks[2].value == .cancelled)
    callers[1].ends.fulfill(.unavailable(detail: "away"))
    #expect(await tasks[1].value == .unavailable(detail: "away"))
    #expect(await tasks[3].value == .unavailable(detail: "away"))
    #expect(await tasks[0].value == nil)
  }

  @Test("whoever is cancelled and however settling ends, each caller ends, and a later one leads")
  func everyone() async throws {
    let waits = SettleQueue()
    for round in 0..<300 {
      let tasks = (0..<8).map { number in
        let isLate = number % 4 == 3
        return Task {
          await failure { () async throws(StoreFailure) in
            try await waits.turn(of: Share(uid: UInt32(number % 3)), evenIfLate: isLate) {
              () async throws(StoreFailure) in
              for _ in 0..<(round + number) % 5 { await Task.yield() }
              if !isLate, Task.isCancelled { throw .cancelled }
              if (round + number) % 7 == 0 { throw .unavailable(detail: "away") }
            }
          }
        }
      }
      for _ in 0..<round % 6 { await Task.yield() }
      let isCancelled = (0..<8).map { (round + $0) % 3 == 0 }
      for (task, isCancelled) in zip(tasks, isCancelled) where isCancelled { task.cancel() }
      for (number, task) in tasks.enumerated() {
        let outcome = await task.value
        #expect(outcome != .cancelled || isCancelled[number] && number % 4 != 3, "caller \(number) of round \(round)")
      }
      #expect(waits.waiting == 0)
    }
    let next = await failure { () async throws(StoreFailure) in
      try await waits.turn(of: Share(uid: 9), evenIfLate: false) { () async throws(StoreFailure) in }
    }
    #expect(next == nil)
  }
}
