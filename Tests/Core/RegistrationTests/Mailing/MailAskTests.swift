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

  @Test("without a subscriber the mail system is offline, and no mail waits")
  func nobody() async {
    let asks = MailAsks { _ in 0 }
    await #expect(throws: MailFailure.offline) { try await asks.ask(mail, within: .seconds(600)) }
    #expect(!asks.wasSent(mail.id))
    #expect(asks.hasSubscriber(), "mails wait for a subscriber")
    #expect(!asks.hasSubscriber())
  }

  @Test("a subscriber that does not answer in time may have sent the mail, and its report comes too late")
  func late() async {
    let asks = MailAsks { _ in 1 }
    await #expect(throws: MailFailure.lost) { try await asks.ask(mail, within: .zero) }
    #expect(!asks.wasSent(mail.id))
  }

  @Test("a cancelled request does not wait any longer")
  func cancelled() async {
    let asks = MailAsks { _ in 1 }
    await withTaskGroup { group in
      group.addTask {
        await #expect(throws: MailFailure.cancelled) { try await asks.ask(self.mail, within: .seconds(600)) }
      }
      group.cancelAll()
    }
  }

  @Test("a subscriber's report ends the wait, even if it comes at once, and a report on another mail does not")
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
