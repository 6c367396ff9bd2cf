internal import AsyncPrimitives
internal import Synchronization

/// Asks subscribed programs to send mails, and waits for their reports. Implements `MailContext.ask`.
package final class MailAsks: Sendable {
  private let tell: @Sendable (Mail) async -> Int
  /// For each mail that was announced to subscribers, the promise that its `ask` awaits.
  private let waiting = Mutex<[MailID: Promise<Answer>]>([:])
  /// Whether no administrator was subscribed when the last mail was announced.
  private let isUnheard = Mutex(false)

  private enum Answer {
    case sent, late, cancelled
  }

  /// - Parameter tell: Announces a mail to subscribers without waiting for them. Returns the number of subscribers that
  ///   it reached.
  package init(tell: @escaping @Sendable (Mail) async -> Int) { self.tell = tell }

  /// Announces to subscribers that a mail is wanted, and returns when one of them reports that it was sent.
  ///
  /// - Throws: `offline` if there is no subscriber. `lost` if no subscriber has reported in time, because the mail may
  ///   be on its way. `cancelled` if the task was cancelled.
  package func ask(_ mail: Mail, within time: Duration) async throws(MailFailure) {
    let answer = Promise<Answer>()
    waiting.withLock { $0[mail.id] = answer }
    defer { waiting.withLock { if $0[mail.id] == answer { $0[mail.id] = nil } } }
    let count = await tell(mail)
    isUnheard.withLock { $0 = count == 0 }
    guard count > 0 else { throw .offline }
    await withTaskGroup { group in
      group.addTask {
        try? await Task.sleep(for: time)
        answer.fulfill(.late)
      }
      switch await answer.value(onCancel: { answer.fulfill(.cancelled) }) {
      case .sent, .late, .cancelled: group.cancelAll()
      }
    }
    switch await answer.value() {
    case .sent: return
    case .late: throw .lost
    case .cancelled: throw .cancelled
    }
  }

  /// Notes that there is a subscriber from now on.
  ///
  /// - Returns: Whether no administrator was subscribed when the last mail was announced.
  package func hasSubscriber() -> Bool {
    isUnheard.withLock { isUnheard in
      defer { isUnheard = false }
      return isUnheard
    }
  }

  /// Notes that a subscriber has sent the mail.
  ///
  /// - Returns: Whether an `ask` was waiting for this report.
  package func wasSent(_ id: MailID) -> Bool {
    guard let answer = waiting.withLock({ $0.removeValue(forKey: id) }) else { return false }
    answer.fulfill(.sent)
    return true
  }
}
