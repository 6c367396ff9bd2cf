internal import Synchronization

/// Keeps the state of the mails that this process sends, except for their schedule.
final class MailState: Sendable {
  /// The ending of a mail that the store still keeps as waiting.
  struct Ending {
    let state: StoredMail.State
    let reason: String?
  }

  private struct Guarded {
    var inFlight: Set<MailID> = []
    /// Mails with a failed try that is not noted yet.
    var tried: [MailID: MailIntent] = [:]
    /// The endings that could not be stored yet. Their mails are not sent again. Only the ending is stored.
    var unended: [MailID: Ending] = [:]
    var outage = MailOutage()
    /// How long the mail system took to answer the last mail that it answered.
    var usual = Duration.zero
    var counts = MailQueue.Counts()
  }

  private let guarded = Mutex(Guarded())
  /// Held while the mail system is judged and the observer learns the verdict.
  private let judging = Mutex(())

  /// - Returns: Whether the mail may be sent. False if it is being sent already.
  func begin(_ id: MailID) -> Bool { guarded.withLock { $0.inFlight.insert(id).inserted } }

  func end(_ id: MailID) { guarded.withLock { _ = $0.inFlight.remove(id) } }

  func isInFlight(_ id: MailID) -> Bool { guarded.withLock { $0.inFlight.contains(id) } }

  func tried(_ mail: MailIntent) { guarded.withLock { $0.tried[mail.id] = mail } }

  /// The mail whose failed try has to be noted, or nil if there is nothing to note.
  func tried(_ id: MailID) -> MailIntent? {
    guarded.withLock { $0.unended[id] == nil ? $0.tried[id] : nil }
  }

  func ended(_ id: MailID, _ ending: Ending) { guarded.withLock { $0.unended[id] = ending } }

  func ending(of id: MailID) -> Ending? { guarded.withLock { $0.unended[id] } }

  func noted(_ id: MailID) { guarded.withLock { $0.tried[id] = nil } }

  /// Forgets a mail that no longer waits in the store.
  func forget(_ id: MailID) {
    guarded.withLock { guarded in
      guarded.tried[id] = nil
      guarded.unended[id] = nil
    }
  }

  func withOutage<Value: Sendable>(_ body: (inout MailOutage) -> Value) -> Value {
    guarded.withLock { body(&$0.outage) }
  }

  /// Judges the mail system, and notifies the observer if the verdict is not `same`. The observer gets verdicts in the order in
  /// which they were reached. Otherwise the verdict before the last could arrive after it, and a mail system that fails
  /// would count as working.
  func judge(_ body: (inout MailOutage) -> MailOutage.Verdict, tell: (MailOutage.Verdict) -> Void) {
    judging.withLock { _ in
      let verdict = guarded.withLock { body(&$0.outage) }
      if verdict != .same { tell(verdict) }
    }
  }

  var usual: Duration { guarded.withLock { $0.usual } }

  /// Notes how long the mail system took to answer, capped at 30 s. The default deadline is shorter, so a longer time
  /// includes a suspend of the machine, and pretending to send an unwanted mail (`MailWork.pretend`) would take as
  /// long.
  func took(_ time: Duration) { guarded.withLock { $0.usual = min(time, .seconds(30)) } }

  func count(_ path: any WritableKeyPath<MailQueue.Counts, Int> & Sendable) {
    guarded.withLock { $0.counts[keyPath: path] += 1 }
  }

  var counts: MailQueue.Counts { guarded.withLock { $0.counts } }
}
