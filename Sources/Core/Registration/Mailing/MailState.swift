internal import Synchronization

/// What this process knows of mails that it sends, beside the schedule.
final class MailState: Sendable {
  /// How a mail has ended that the store still has waiting.
  struct Ending {
    let state: StoredMail.State
    let reason: String?
  }

  private struct Guarded {
    var underWay: Set<MailID> = []
    /// Mails of which a try has failed and is not noted.
    var tried: [MailID: MailIntent] = [:]
    /// Mails that have ended, while the store did not take it: they are not sent again, only ended.
    var unended: [MailID: Ending] = [:]
    var outage = MailOutage()
    /// How long the mail system has taken for the last mail that it has answered.
    var usual = Duration.zero
    var counts = MailQueue.Counts()
  }

  private let guarded = Mutex(Guarded())

  /// - Returns: False if it is being sent already.
  func begin(_ id: MailID) -> Bool { guarded.withLock { $0.underWay.insert(id).inserted } }

  func end(_ id: MailID) { guarded.withLock { _ = $0.underWay.remove(id) } }

  func isUnderWay(_ id: MailID) -> Bool { guarded.withLock { $0.underWay.contains(id) } }

  func tried(_ mail: MailIntent) { guarded.withLock { $0.tried[mail.id] = mail } }

  /// Whose try has failed; nil if there is nothing to note.
  func tried(_ id: MailID) -> MailIntent? {
    guarded.withLock { $0.unended[id] == nil ? $0.tried[id] : nil }
  }

  func ended(_ id: MailID, _ ending: Ending) { guarded.withLock { $0.unended[id] = ending } }

  func ending(of id: MailID) -> Ending? { guarded.withLock { $0.unended[id] } }

  func noted(_ id: MailID) { guarded.withLock { $0.tried[id] = nil } }

  /// The store has it waiting no more.
  func forget(_ id: MailID) {
    guarded.withLock { guarded in
      guarded.tried[id] = nil
      guarded.unended[id] = nil
    }
  }

  func withOutage<Value: Sendable>(_ body: (inout MailOutage) -> Value) -> Value {
    guarded.withLock { body(&$0.outage) }
  }

  var usual: Duration { guarded.withLock { $0.usual } }

  func took(_ time: Duration) { guarded.withLock { $0.usual = time } }

  func count(_ path: any WritableKeyPath<MailQueue.Counts, Int> & Sendable) {
    guarded.withLock { $0.counts[keyPath: path] += 1 }
  }

  var counts: MailQueue.Counts { guarded.withLock { $0.counts } }
}
