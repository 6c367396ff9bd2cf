import Synchronization
import TestDoubles
import Testing

@testable import Registration

@Suite("Mails that subscribers send")
struct MailAskTests {
  private let mail = Mail(
    id: MailID(at: Fixtures.time), kind: .passwordChanged, to: MailScene.address("a@example.com"),
    from: "f@example.com",
    date: Fixtures.time, language: "en", subject: "s", body: "b\n")

  @Test("where no subscriber is told the mail system is offline, and nothing waits")
  func nobody() async {
    let asks = MailAsks { _ in 0 }
    await #expect(throws: MailFailure.offline) { try await asks.ask(mail, within: .seconds(600)) }
    #expect(!asks.wasSent(mail.id))
    #expect(asks.hasSubscriber(), "mails wait for one")
    #expect(!asks.hasSubscriber())
  }

  @Test("a subscriber that does not answer in time may have sent it, and its word comes too late")
  func late() async {
    let asks = MailAsks { _ in 1 }
    await #expect(throws: MailFailure.lost) { try await asks.ask(mail, within: .zero) }
    #expect(!asks.wasSent(mail.id))
  }

  @Test("one that is cancelled waits no longer")
  func cancelled() async {
    let asks = MailAsks { _ in 1 }
    await withTaskGroup { group in
      group.addTask {
        await #expect(throws: MailFailure.cancelled) { try await asks.ask(self.mail, within: .seconds(600)) }
      }
      group.cancelAll()
    }
  }

  @Test("a subscriber's word ends the wait, also if it comes at once; that of another mail does not")
  func sent() async throws {
    let told = Mutex<[Mail]>([])
    let asks = Mutex<MailAsks?>(nil)
    let board = MailAsks { mail in
      told.withLock { $0.append(mail) }
      let board = asks.withLock { $0 }
      #expect(board?.wasSent(MailID(at: Fixtures.time)) == false)
      #expect(board?.wasSent(mail.id) == true)
      return 1
    }
    asks.withLock { $0 = board }
    try await board.ask(mail, within: .seconds(600))
    #expect(told.withLock { $0 } == [mail])
    #expect(!board.wasSent(mail.id))
    asks.withLock { $0 = nil }
  }
}
