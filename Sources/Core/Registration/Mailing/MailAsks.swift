internal import Synchronization
internal import Waiting

/// Asks other programs to send mails, and waits for their word that they did: what `MailSurroundings.ask` is.
package final class MailAsks: Sendable {
  private let tell: @Sendable (Mail) -> Int
  /// Mails that were told, and what waits for their senders: whether one was sent.
  private let waiting = Mutex<[MailID: Promise<Answer>]>([:])
  /// Whether the last mail was told to no subscriber.
  private let isUnheard = Mutex(false)

  private enum Answer {
    case sent, late, cancelled
  }

  /// - Parameter tell: Tells subscribers that a mail is wanted, without waiting for them; returns how many were told.
  package init(tell: @escaping @Sendable (Mail) -> Int) { self.tell = tell }

  /// Has a mail sent by a subscriber.
  ///
  /// - Throws: `offline` where no subscriber could be told; `lost` where none has answered in time, for the mail may be on its way;
  ///   `cancelled`.
  package func ask(_ mail: Mail, within time: Duration) async throws(MailFailure) {
    let answer = Promise<Answer>()
    waiting.withLock { $0[mail.id] = answer }
    defer { waiting.withLock { if $0[mail.id] == answer { $0[mail.id] = nil } } }
    let count = tell(mail)
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

  /// There is a subscriber from now on.
  ///
  /// - Returns: Whether mails wait for one.
  package func hasSubscriber() -> Bool {
    isUnheard.withLock { isUnheard in
      defer { isUnheard = false }
      return isUnheard
    }
  }

  /// A subscriber has sent it.
  ///
  /// - Returns: Whether an ask waits for it.
  package func wasSent(_ id: MailID) -> Bool {
    guard let answer = waiting.withLock({ $0.removeValue(forKey: id) }) else { return false }
    answer.fulfill(.sent)
    return true
  }
}
