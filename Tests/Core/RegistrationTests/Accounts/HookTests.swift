import Synchronization
import TestDoubles
import Testing

@testable import Registration

@Suite("Hooks around operations on accounts")
struct HookTests {
  private let store = MemoryStore()

  /// Notes when an operation begins and ends.
  private final class Diary: StoreHook {
    private let name: String
    private let lines: @Sendable (String) -> Void

    init(_ name: String, _ lines: @escaping @Sendable (String) -> Void) { (self.name, self.lines) = (name, lines) }

    func around<Value: Sendable>(
      _ call: StoreCall, _ proceed: () async throws(StoreFailure) -> Value
    ) async throws(StoreFailure) -> Value {
      lines("\(name) before \(call.operation)")
      defer { lines("\(name) after \(call.operation)") }
      return try await proceed()
    }
  }

  @Test("a hook that fails an operation changes nothing, and inner hooks do not see the operation")
  func failing() async throws {
    let lines = Mutex<[String]>([])
    let inner = store.accounts.with(Diary("inner") { line in lines.withLock { $0.append(line) } })
    let account = Fixtures.account("a@example.com")
    await #expect(throws: StoreFailure.full) { try await FaultyStore(inner, failing: 1).insert(account) }
    #expect(lines.withLock { $0 }.isEmpty)
    #expect(try await store.find(account.account.id) == nil)
  }

  @Test("the hook that was added last is the outermost")
  func order() async throws {
    let lines = Mutex<[String]>([])
    let note = { @Sendable (line: String) in lines.withLock { $0.append(line) } }
    let accounts = store.accounts.with(Diary("inner", note)).with(Diary("outer", note))
    #expect(try await accounts.find(EmailKey("a@example.com")) == nil)
    #expect(
      lines.withLock { $0 } == ["outer before find", "inner before find", "inner after find", "outer after find"])
  }

  @Test("the mail queue is woken after changes that may have added a mail, even if they fail, and after no others")
  func waker() async throws {
    let woken = Mutex(0)
    let waker = MailQueueWaker { woken.withLock { $0 += 1 } }
    let mail = MailIntent(
      id: MailID(at: Fixtures.time), kind: .passwordChanged, to: Fixtures.account("a@example.com").account.email,
      claim: nil, account: nil, language: nil, uid: 7, origin: nil, createdAt: Fixtures.time)
    let failing = FaultyStore(store, failing: 1).accounts.with(waker)
    await #expect(throws: StoreFailure.full) { try await failing.add(mail) }
    #expect(woken.withLock { $0 } == 1)
    let accounts = store.accounts.with(waker)
    try await accounts.add(mail)
    #expect(woken.withLock { $0 } == 2)
    _ = try await accounts.find(mail: mail.id)
    _ = try await accounts.insert(Fixtures.account("b@example.com"))
    #expect(woken.withLock { $0 } == 2)
  }
}
